//! Answers by look-up: J is constant in each box that the surface does not enter.
//!
//! 1. A lattice of boxes about as wide as two faces. Each face is listed in the boxes it enters.
//! 2. Each box has a point of reference. From box to box the winding changes by the faces that the segment between the two points of
//!    reference passes, all of them listed in the two boxes; from outside that gives every winding.
//! 3. Boxes without faces keep their winding: a point in them is answered by one look.
//! 4. A point in another box is compared with its point of reference, through the few faces listed there.
//!
//! Boxes with many faces are divided by a lattice of their own.
//!
//! A segment through an edge or a vertex tells nothing: another point of reference is taken, or a way round over a third point. Signs
//! are exact, so it is never wrong.
//!
//! Cost: O(N) to set up, and O(1) a point.

use super::faces::{Change, Face, faces_of};
use super::ray_crossing;
use crate::Random;
use crate::mesh::Mesh;
use crate::vector::{cross, length, sub};

/// In place of the winding of a box that has faces.
const SURFACE: i8 = i8::MIN;
/// Boxes with more faces than this are divided.
const MANY: usize = 48;
/// Most divisions of divisions.
const DEPTH: u32 = 6;
/// Most boxes of a lattice.
const MOST: f64 = 5e7;

/// A lattice of boxes over some of the faces.
#[derive(Debug, Clone)]
struct Lattice {
    low: [f64; 3],
    width: [f64; 3],
    /// One over it.
    inverse: [f64; 3],
    count: [usize; 3],
    /// The winding of each box, x first.
    state: Vec<i8>,
    /// The first box with faces of each row along x.
    rows: Vec<u32>,
    /// Boxes with faces, row by row, and one that only ends the members of the last.
    boxes: Vec<SurfaceBox>,
    members: Vec<u32>,
}

/// A box that the surface enters.
#[derive(Debug, Clone, Copy)]
struct SurfaceBox {
    x: u32,
    /// Its first face in the list of members; the next box has one past its last.
    first: u32,
    /// The winding at its point of reference.
    winding: i8,
    /// Which point of reference it is.
    attempt: u8,
    /// The lattice that divides it, from 1; none is 0.
    divided: u32,
}

/// Boxes over the faces of a closed mesh.
#[derive(Debug, Clone)]
pub(super) struct Cells {
    faces: Vec<Face>,
    bounds: [[f64; 3]; 2],
    /// The first one is over all faces.
    lattices: Vec<Lattice>,
}

impl Cells {
    pub(super) fn new(mesh: &Mesh) -> Self {
        let faces = faces_of(mesh);
        let [low, high] = mesh.bounds();
        let mut cells = Self { faces, bounds: [low, high], lattices: Vec::new() };
        let members: Vec<u32> = (0..cells.faces.len() as u32).collect();
        // A margin, so that the outermost boxes are empty and outside.
        let largest = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
        let width = cells.box_width(&members, [low, high]);
        let margin = 1.5 * width + 1e-9 * largest;
        let low = low.map(|x| x - margin);
        let high = high.map(|x| x + margin);
        cells.divide([low, high], &members, None, 0);
        cells
    }

    /// The winding around a point; `None` on the boundary.
    #[inline]
    pub(super) fn winding(&self, point: [f64; 3]) -> Option<i32> {
        let Some(root) = self.lattices.first() else { return Some(0) };
        if (0..3)
            .any(|k| point[k] < root.low[k] || point[k] > root.low[k] + root.width[k] * root.count[k] as f64)
        {
            return Some(0);
        }
        self.winding_in(root, point)
    }

    #[inline(always)]
    fn winding_in(&self, lattice: &Lattice, point: [f64; 3]) -> Option<i32> {
        let cell = lattice.cell(point);
        let state = lattice.state[lattice.number(cell)];
        if state == SURFACE { self.near_surface(lattice, cell, point) } else { Some(i32::from(state)) }
    }

    #[inline(never)]
    fn near_surface(&self, lattice: &Lattice, cell: [usize; 3], point: [f64; 3]) -> Option<i32> {
        let index = lattice.surface_box(cell);
        let surface = &lattice.boxes[index];
        if surface.divided > 0 {
            return self.winding_in(&self.lattices[surface.divided as usize], point);
        }
        let members = lattice.members(index);
        let reference = lattice.reference(cell, surface.attempt);
        match self.change(members, point, reference) {
            Change::Boundary => None,
            Change::By(change) => Some(i32::from(surface.winding) + change),
            Change::Unknown => {
                // A way round.
                for attempt in 0..=u8::MAX {
                    let corner = lattice.reference(cell, attempt);
                    if let (Change::By(first), Change::By(second)) =
                        (self.change(members, point, corner), self.change(members, corner, reference))
                    {
                        return Some(i32::from(surface.winding) + first + second);
                    }
                }
                self.winding_by_ray(point)
            }
        }
    }

    /// How much larger the winding is at `p` than at `r`, if the segment between them passes none but these faces.
    #[inline(always)]
    fn change(&self, members: &[u32], p: [f64; 3], r: [f64; 3]) -> Change {
        Change::over(members.iter().map(|&member| &self.faces[member as usize]), p, r)
    }

    /// The winding through all faces.
    #[cold]
    fn winding_by_ray(&self, point: [f64; 3]) -> Option<i32> {
        ray_crossing::winding(&self.faces, &self.bounds, point, 0)
    }

    /// How wide boxes over these faces should be.
    fn box_width(&self, members: &[u32], [low, high]: [[f64; 3]; 2]) -> f64 {
        let area: f64 = members
            .iter()
            .map(|&member| {
                let [a, b, c] = self.faces[member as usize].corners;
                0.5 * length(cross(sub(b, a), sub(c, a)))
            })
            .sum();
        let extent: [f64; 3] = std::array::from_fn(|k| high[k] - low[k]);
        let wanted = 2.0 * (area / members.len().max(1) as f64).sqrt();
        let volume = extent[0] * extent[1] * extent[2];
        let largest = extent.iter().fold(0.0f64, |x, &y| x.max(y));
        wanted.max((volume / MOST).cbrt()).max(1e-3 * largest)
    }

    /// Adds a lattice over a box. `seed` is a point in it with its winding; without one its first box is outside.
    fn divide(
        &mut self,
        [low, high]: [[f64; 3]; 2],
        members: &[u32],
        seed: Option<([f64; 3], i32)>,
        depth: u32,
    ) -> u32 {
        let number = self.lattices.len() as u32;
        let width = self.box_width(members, [low, high]);
        let count: [usize; 3] =
            std::array::from_fn(|k| (((high[k] - low[k]) / width).ceil() as usize).clamp(1, 2000));
        let width = std::array::from_fn(|k| (high[k] - low[k]) / count[k] as f64);
        let mut lattice = Lattice {
            low,
            width,
            inverse: width.map(|width| 1.0 / width),
            count,
            state: vec![0; count[0] * count[1] * count[2]],
            rows: Vec::new(),
            boxes: Vec::new(),
            members: Vec::new(),
        };
        lattice.enter(&self.faces, members);
        self.wind(&mut lattice, members, seed);
        self.lattices.push(lattice);
        if depth < DEPTH {
            self.divide_crowded(number as usize, members.len(), depth);
        }
        number
    }

    /// Divides boxes with many faces, unless that would not part them.
    fn divide_crowded(&mut self, number: usize, all: usize, depth: u32) {
        for index in 0..self.lattices[number].boxes.len() - 1 {
            let lattice = &self.lattices[number];
            let members = lattice.members(index).to_vec();
            if members.len() <= MANY || 2 * members.len() > all {
                continue;
            }
            let cell = lattice.cell_of(index);
            let surface = lattice.boxes[index];
            let low: [f64; 3] = std::array::from_fn(|k| lattice.low[k] + lattice.width[k] * cell[k] as f64);
            let high = std::array::from_fn(|k| low[k] + lattice.width[k]);
            let seed = (lattice.reference(cell, surface.attempt), i32::from(surface.winding));
            let divided = self.divide([low, high], &members, Some(seed), depth + 1);
            self.lattices[number].boxes[index].divided = divided;
        }
    }

    /// Finds the winding of all boxes, from each to the next: along z and y at the beginning of rows, then along x.
    fn wind(&self, lattice: &mut Lattice, all: &[u32], seed: Option<([f64; 3], i32)>) {
        let mut merged = Vec::new();
        let mut at_row = [([0; 3], 0u8, 0i32); 2];
        let first = match seed {
            None => (0u8, 0i32),
            Some((point, winding)) => {
                self.step(lattice, [0; 3], |reference| self.change(all, reference, point).added_to(winding))
            }
        };
        for z in 0..lattice.count[2] {
            for y in 0..lattice.count[1] {
                let start = [0, y, z];
                let (attempt, winding) = if y == 0 && z == 0 {
                    first
                } else {
                    let (from, attempt, winding) = at_row[usize::from(y > 0)];
                    self.next(lattice, from, attempt, winding, start, &mut merged)
                };
                at_row[1] = (start, attempt, winding);
                if y == 0 {
                    at_row[0] = at_row[1];
                }
                let (mut from, mut attempt, mut winding) = at_row[1];
                lattice.set(start, attempt, winding);
                for x in 1..lattice.count[0] {
                    let to = [x, y, z];
                    (attempt, winding) = self.next(lattice, from, attempt, winding, to, &mut merged);
                    lattice.set(to, attempt, winding);
                    from = to;
                }
            }
        }
    }

    /// The point of reference of a box, and its winding, from those of the box beside it.
    #[inline(always)]
    fn next(
        &self,
        lattice: &Lattice,
        from: [usize; 3],
        attempt: u8,
        winding: i32,
        to: [usize; 3],
        merged: &mut Vec<u32>,
    ) -> (u8, i32) {
        let is_surface = |cell: [usize; 3]| lattice.state[lattice.number(cell)] == SURFACE;
        if !is_surface(from) && !is_surface(to) {
            return (0, winding);
        }
        merged.clear();
        for cell in [from, to] {
            if is_surface(cell) {
                merged.extend_from_slice(lattice.members(lattice.surface_box(cell)));
            }
        }
        merged.sort_unstable();
        merged.dedup();
        let before = lattice.reference(from, attempt);
        self.step(lattice, to, |reference| self.change(merged, reference, before).added_to(winding))
    }

    /// The first point of reference of a box at which the winding can be told.
    fn step(
        &self,
        lattice: &Lattice,
        cell: [usize; 3],
        winding: impl Fn([f64; 3]) -> Option<i32>,
    ) -> (u8, i32) {
        for attempt in 0..=u8::MAX {
            if let Some(winding) = winding(lattice.reference(cell, attempt)) {
                return (attempt, winding);
            }
        }
        // Where coordinates hardly tell the points apart. One that is on a face tells nothing to those who come from it.
        (0, self.winding_by_ray(lattice.reference(cell, 0)).unwrap_or(0))
    }
}

impl Lattice {
    #[inline(always)]
    fn cell(&self, point: [f64; 3]) -> [usize; 3] {
        std::array::from_fn(|k| {
            (((point[k] - self.low[k]) * self.inverse[k]) as usize).min(self.count[k] - 1)
        })
    }

    #[inline(always)]
    fn number(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.count[1] + y) * self.count[0] + x
    }

    fn row(&self, [_, y, z]: [usize; 3]) -> usize {
        z * self.count[1] + y
    }

    /// The number of a box with faces among those.
    #[inline(always)]
    fn surface_box(&self, cell: [usize; 3]) -> usize {
        let row = self.row(cell);
        let (first, last) = (self.rows[row] as usize, self.rows[row + 1] as usize);
        first + self.boxes[first..last].partition_point(|surface| (surface.x as usize) < cell[0])
    }

    fn cell_of(&self, index: usize) -> [usize; 3] {
        let row = self.rows.partition_point(|&first| first as usize <= index) - 1;
        [self.boxes[index].x as usize, row % self.count[1], row / self.count[1]]
    }

    #[inline(always)]
    fn members(&self, index: usize) -> &[u32] {
        &self.members[self.boxes[index].first as usize..self.boxes[index + 1].first as usize]
    }

    /// A point of reference of a box: off its middle, so that meshes on a lattice of their own do not pass through it.
    #[inline(always)]
    fn reference(&self, cell: [usize; 3], attempt: u8) -> [f64; 3] {
        let shares = if attempt == 0 {
            [0.513_724, 0.487_135, 0.505_917]
        } else {
            let mut random = Random::new(u64::from(attempt));
            std::array::from_fn(|_| random.uniform(0.1, 0.9))
        };
        std::array::from_fn(|k| self.low[k] + self.width[k] * (cell[k] as f64 + shares[k]))
    }

    fn set(&mut self, cell: [usize; 3], attempt: u8, winding: i32) {
        let winding = winding.clamp(-127, 127) as i8;
        let number = self.number(cell);
        if self.state[number] == SURFACE {
            let index = self.surface_box(cell);
            (self.boxes[index].attempt, self.boxes[index].winding) = (attempt, winding);
        } else {
            self.state[number] = winding;
        }
    }

    /// Lists each face in the boxes that it enters, or nearly: roundings must not hide it from a point beside it.
    fn enter(&mut self, faces: &[Face], members: &[u32]) {
        let rows = self.count[1] * self.count[2];
        let mut entries: Vec<(u32, u32, u32)> = Vec::with_capacity(3 * members.len());
        for &member in members {
            let face = &faces[member as usize];
            self.boxes_of(face, |[x, y, z]| {
                entries.push(((z * self.count[1] + y) as u32, x as u32, member));
            });
        }
        // By row, then by box: a row has few entries.
        let mut first = vec![0u32; rows + 1];
        for &(row, ..) in &entries {
            first[row as usize + 1] += 1;
        }
        for row in 0..rows {
            first[row + 1] += first[row];
        }
        let mut sorted = vec![0u64; entries.len()];
        let mut free = first.clone();
        for &(row, x, member) in &entries {
            let place = &mut free[row as usize];
            sorted[*place as usize] = u64::from(x) << 32 | u64::from(member);
            *place += 1;
        }
        self.rows.push(0);
        for row in 0..rows {
            let entries = &mut sorted[first[row] as usize..first[row + 1] as usize];
            entries.sort_unstable();
            for group in entries.chunk_by(|a, b| a >> 32 == b >> 32) {
                let x = (group[0] >> 32) as u32;
                self.state[row * self.count[0] + x as usize] = SURFACE;
                let first = self.members.len() as u32;
                self.boxes.push(SurfaceBox { x, first, winding: 0, attempt: 0, divided: 0 });
                self.members.extend(group.iter().map(|&entry| entry as u32));
            }
            self.rows.push(self.boxes.len() as u32);
        }
        let first = self.members.len() as u32;
        self.boxes.push(SurfaceBox { x: u32::MAX, first, winding: 0, attempt: 0, divided: 0 });
    }

    /// The boxes that a face enters: those its own box reaches, unless they are on one side of its plane.
    fn boxes_of(&self, face: &Face, mut visit: impl FnMut([usize; 3])) {
        let slack = 1e-6;
        let mut range = [[0usize; 2]; 3];
        for k in 0..3 {
            let [a, b, c] = face.corners.map(|corner| (corner[k] - self.low[k]) / self.width[k]);
            let (low, high) = (a.min(b).min(c) - slack, a.max(b).max(c) + slack);
            if high < 0.0 || low > self.count[k] as f64 {
                return;
            }
            range[k] = [low.max(0.0), high].map(|place| (place as usize).min(self.count[k] - 1));
        }
        let (normal, offset) = (face.normal, face.offset);
        // Half of what a box reaches along the normal.
        let half = (0..3).map(|k| 0.5 * (1.0 + 4.0 * slack) * self.width[k] * normal[k].abs()).sum::<f64>()
            + face.error;
        for z in range[2][0]..=range[2][1] {
            for y in range[1][0]..=range[1][1] {
                for x in range[0][0]..=range[0][1] {
                    let cell = [x, y, z];
                    let middle: [f64; 3] =
                        std::array::from_fn(|k| self.low[k] + self.width[k] * (cell[k] as f64 + 0.5));
                    let height = (0..3).map(|k| normal[k] * middle[k]).sum::<f64>() - offset;
                    if height.abs() <= half {
                        visit(cell);
                    }
                }
            }
        }
    }
}
