//! Answers by look-up: J is constant in each box that the surface does not enter.
//!
//! 1. A lattice of boxes about as wide as two or three faces. Each face is listed in the boxes it enters.
//! 2. Along a line through each row of boxes, the winding changes by one at each face that the line passes. That gives the winding of all
//!    boxes without faces, and of a point of reference in each of the others (`lines.rs`).
//! 3. A point in a box without faces is answered by one look.
//! 4. A point in another box is compared with its point of reference, through the few faces listed there.
//!
//! Boxes with many faces are divided by a lattice of their own.
//!
//! A segment through an edge or a vertex tells nothing: a way round over a third point is taken. Signs are exact, so it is never wrong.
//!
//! Cost: O(N) to set up, and O(1) a point; of needles side by side, which no boxes part, O(N) a point, and so it is where a body winds around
//! a point more than 126 times.

mod lattice;
mod lines;

use super::faces::{Change, Crossing, Face, faces_of};
use super::ray_crossing;
use crate::mesh::Mesh;
use crate::vector::{cross, length, sub};
use lattice::{LARGE, Lattice, NO_REFERENCE, SURFACE};

/// The width of boxes in terms of the root of a face's area.
const FACES_WIDE: f64 = 2.5;
/// Boxes with more faces than this are divided.
const MANY: usize = 48;
/// Most divisions of divisions.
const DEPTH: u32 = 12;
/// Boxes along the longest side of a body at least: more points are answered by one look.
const FEWEST: f64 = 30.0;
/// Boxes of a lattice at most for each of its faces, and those that a body may have in any case.
const BOXES_PER_FACE: f64 = 32.0;
const BOXES: f64 = 2e5;
/// How often a division may list each of its faces: needles are in every box, and no division parts them.
const LISTED: usize = 10;
/// Boxes and entries in them that all divisions together may have, for each face of the body; and in any case.
const ROOM_PER_FACE: usize = 64;
const ROOM: usize = 200_000;

/// Boxes over the faces of a closed mesh.
#[derive(Debug, Clone)]
pub(super) struct FaceCells {
    faces: Vec<Face>,
    bounds: [[f64; 3]; 2],
    /// The first one is over all faces.
    lattices: Vec<Lattice>,
}

impl FaceCells {
    pub(super) fn new(mesh: &Mesh) -> Self {
        let faces = faces_of(mesh);
        let [low, high] = mesh.bounds();
        let mut cells = Self { faces, bounds: [low, high], lattices: Vec::new() };
        let members: Vec<u32> = (0..cells.faces.len() as u32).collect();
        let longest = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
        let extent = std::array::from_fn(|k| high[k] - low[k]);
        let area = cells.area(&members, longest);
        let count = members.len().max(1) as f64;
        // About as many boxes with faces as boxes at most.
        let width = (FACES_WIDE * (area / count).sqrt())
            .min(longest / FEWEST)
            .max((area / (BOXES + 8.0 * count)).sqrt())
            .max(least_width(extent, BOXES + BOXES_PER_FACE * count))
            .max(Lattice::least_width([low, high]))
            .max(f64::MIN_POSITIVE);
        // A margin, so that the outermost boxes are empty and outside.
        let low = low.map(|x| x - 1.5 * width);
        let high = high.map(|x| x + 1.5 * width);
        let mut root = Lattice::new([low, high], width);
        root.enter(&cells.faces, &members, lines::crossing, usize::MAX);
        lines::wind(&mut root, &cells.faces, |_, _, _, _| Some(0));
        cells.lattices.push(root);
        let mut room = ROOM + ROOM_PER_FACE * cells.faces.len();
        cells.divide_crowded(0, 0, &mut room);
        cells
    }

    /// The winding around a point; `None` on the boundary.
    #[inline]
    pub(super) fn winding(&self, point: [f64; 3]) -> Option<i32> {
        let root = &self.lattices[0];
        root.cell_if_any(point).map_or(Some(0), |cell| self.winding_in(root, cell, point))
    }

    #[inline(always)]
    fn winding_in(&self, lattice: &Lattice, cell: [usize; 3], point: [f64; 3]) -> Option<i32> {
        let number = lattice.number(cell);
        let state = lattice.state[number];
        match state {
            SURFACE => self.near_surface(lattice, lattice.slot(number), cell, point),
            LARGE => self.winding_by_ray(point),
            winding => Some(i32::from(winding)),
        }
    }

    #[inline(never)]
    fn near_surface(&self, lattice: &Lattice, slot: usize, cell: [usize; 3], point: [f64; 3]) -> Option<i32> {
        let surface = &lattice.boxes[slot];
        if surface.divided > 0 {
            let divided = &self.lattices[surface.divided as usize];
            return self.winding_in(divided, divided.cell(point), point);
        }
        if surface.attempt == NO_REFERENCE {
            return self.winding_by_ray(point);
        }
        let reference = lattice.reference(cell, surface.attempt);
        let mut winding = surface.winding;
        let mut unknown = false;
        for member in lattice.members(slot) {
            let face = &self.faces[member.face()];
            let (side, far_side) = (face.side(point), 2 * member.note() as i32 - 1);
            if side == far_side {
                continue;
            }
            match face.crossing_of_plane(point, side, reference, far_side) {
                Crossing::None => {}
                Crossing::Boundary => return None,
                Crossing::Through(sign) => winding += sign,
                Crossing::Degenerate => unknown = true,
            }
        }
        if !unknown {
            return Some(winding);
        }
        let faces = || lattice.members(slot).iter().map(|member| &self.faces[member.face()]);
        self.way_round(faces, point, reference, |seed| lattice.point_in(cell, seed))
            .map_or_else(|| self.winding_by_ray(point), |change| Some(surface.winding + change))
    }

    /// How much larger the winding is at one point than at another, over a third one.
    #[cold]
    fn way_round<'a, I: Iterator<Item = &'a Face>>(
        &self,
        faces: impl Fn() -> I,
        point: [f64; 3],
        reference: [f64; 3],
        third: impl Fn(u8) -> [f64; 3],
    ) -> Option<i32> {
        (0..u8::MAX).find_map(|seed| {
            let third = third(seed);
            match (Change::over(faces(), point, third), Change::over(faces(), third, reference)) {
                (Change::By(first), Change::By(second)) => Some(first + second),
                _ => None,
            }
        })
    }

    /// The winding through all faces.
    #[cold]
    fn winding_by_ray(&self, point: [f64; 3]) -> Option<i32> {
        ray_crossing::winding(&self.faces, &self.bounds, point, 0)
    }

    /// The area of faces; of each at most what it may have in a box of this width.
    fn area(&self, members: &[u32], width: f64) -> f64 {
        let areas = members.iter().map(|&member| {
            let [a, b, c] = self.faces[member as usize].corners;
            (0.5 * length(cross(sub(b, a), sub(c, a)))).min(2.0 * width * width)
        });
        areas.sum()
    }

    /// Divides boxes with many faces, unless these are as large as the box, as long as there is room.
    fn divide_crowded(&mut self, index: usize, depth: u32, room: &mut usize) {
        if depth == DEPTH {
            return;
        }
        for number in 0..self.lattices[index].state.len() {
            let lattice = &self.lattices[index];
            if lattice.state[number] != SURFACE {
                continue;
            }
            let slot = lattice.slot(number);
            let surface = lattice.boxes[slot];
            if lattice.members(slot).len() <= MANY || surface.attempt == NO_REFERENCE {
                continue;
            }
            let members: Vec<u32> = lattice.members(slot).iter().map(|member| member.face() as u32).collect();
            let cell = lattice.cell_of(number);
            let low: [f64; 3] = std::array::from_fn(|k| lattice.low[k] + lattice.width[k] * cell[k] as f64);
            let high = std::array::from_fn(|k| low[k] + lattice.width[k]);
            let seed = (lattice.reference(cell, surface.attempt), surface.winding);
            let divided = self.divided([low, high], &members, seed);
            // Attempts are counted too.
            let size =
                divided.as_ref().map_or(members.len(), |lattice| lattice.state.len() + lattice.members.len());
            let Some(left) = room.checked_sub(size) else { return };
            *room = left;
            if let Some(divided) = divided {
                let place = self.lattices.len();
                self.lattices.push(divided);
                self.lattices[index].boxes[slot].divided = place as u32;
                self.divide_crowded(place, depth + 1, room);
            }
        }
    }

    /// A lattice over a box, in which the winding of one point is known; `None` if it would not part the faces, or if the winding of a row
    /// cannot be told.
    fn divided(
        &self,
        [low, high]: [[f64; 3]; 2],
        members: &[u32],
        (known, winding): ([f64; 3], i32),
    ) -> Option<Lattice> {
        let extent: [f64; 3] = std::array::from_fn(|k| high[k] - low[k]);
        let longest = extent.iter().fold(0.0f64, |x, &y| x.max(y));
        let count = members.len() as f64;
        let width = FACES_WIDE * (self.area(members, longest) / count).sqrt();
        if width > 0.5 * longest {
            return None;
        }
        let width =
            width.max(least_width(extent, BOXES_PER_FACE * count)).max(Lattice::least_width([low, high]));
        let mut lattice = Lattice::new([low, high], width);
        if !lattice.enter(&self.faces, members, lines::crossing, LISTED * members.len()) {
            return None;
        }
        let all: Vec<&Face> = members.iter().map(|&member| &self.faces[member as usize]).collect();
        let told = lines::wind(&mut lattice, &self.faces, |lattice, beside, cell, point| {
            // Between rows side by side, none but the faces of their first boxes.
            let between: Vec<&Face>;
            let (faces, known, winding) = match beside {
                None => (&all, known, winding),
                Some(beside) => {
                    let boxes = [beside.cell, cell].map(|cell| lattice.members_of(cell));
                    let mut listed: Vec<usize> =
                        boxes.into_iter().flatten().map(|member| member.face()).collect();
                    listed.sort_unstable();
                    listed.dedup();
                    between = listed.iter().map(|&face| &self.faces[face]).collect();
                    (&between, beside.point, beside.winding)
                }
            };
            let faces = || faces.iter().copied();
            match Change::over(faces(), point, known) {
                Change::By(change) => Some(winding + change),
                Change::Unknown => {
                    let third = |seed: u8| match beside {
                        None => lattice_point([low, high], seed),
                        Some(_) => lattice.point_in(cell, seed),
                    };
                    Some(winding + self.way_round(faces, point, known, third)?)
                }
                Change::Boundary => None,
            }
        });
        told.then_some(lattice)
    }
}

/// The least width of boxes of which a box of this extent holds so many at most.
fn least_width(extent: [f64; 3], boxes: f64) -> f64 {
    let longest = extent.iter().fold(0.0f64, |x, &y| x.max(y));
    // Thin ones have at least one box along each side.
    let fits =
        |width: f64| extent.iter().map(|x| (x / width + 4.0).max(1.0)).product::<f64>() <= boxes.max(500.0);
    let mut width = longest / boxes;
    while width > 0.0 && !fits(width) {
        width *= 1.1;
    }
    width
}

fn lattice_point([low, high]: [[f64; 3]; 2], seed: u8) -> [f64; 3] {
    let mut random = crate::Random::new(1 + u64::from(seed));
    std::array::from_fn(|k| random.uniform(low[k], high[k]))
}
