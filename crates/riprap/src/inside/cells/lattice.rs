//! A lattice of boxes over some of the faces, and which faces enter which boxes.

use super::super::faces::Face;
use crate::Random;

/// In place of the winding of a box that has faces.
pub(super) const SURFACE: i8 = i8::MIN;
/// In place of a winding that is too large or too small.
pub(super) const LARGE: i8 = i8::MAX;
/// What roundings are in terms of the width of a box, at most; and how much farther faces reach.
const SLACK: f64 = 1e-6;

/// Boxes in the box of a face from which on it is long.
const LONG: usize = 200;

/// Boxes of equal size.
#[derive(Debug, Clone)]
pub(super) struct Lattice {
    pub(super) low: [f64; 3],
    pub(super) width: [f64; 3],
    /// One over it.
    inverse: [f64; 3],
    pub(super) count: [usize; 3],
    /// The winding of each box, x first.
    pub(super) state: Vec<i8>,
    /// The number of each box that has faces, among those.
    slots: Vec<u32>,
    /// Boxes with faces, x first, and one that only ends the members of the last.
    pub(super) boxes: Vec<SurfaceBox>,
    /// The faces of each box with faces.
    pub(super) members: Vec<Member>,
}

/// A box that the surface enters.
#[derive(Debug, Clone, Copy)]
pub(super) struct SurfaceBox {
    /// Its first face in the list of members; the next box has one past its last.
    first: u32,
    /// The winding at its point of reference.
    pub(super) winding: i32,
    /// Which point of reference it is; [`NO_REFERENCE`] if it has none.
    pub(super) attempt: u8,
    /// The lattice that divides it, from 1; none is 0.
    pub(super) divided: u32,
}

/// In place of the number of a point of reference.
pub(super) const NO_REFERENCE: u8 = u8::MAX;

/// A face in a box, with something known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Member(u32);

impl Member {
    /// A face, with a note of three bits.
    pub(super) fn new(face: u32, note: u32) -> Self {
        Self(face | note << 29)
    }

    #[inline(always)]
    pub(super) fn face(self) -> usize {
        (self.0 & ((1 << 29) - 1)) as usize
    }

    #[inline(always)]
    pub(super) fn note(self) -> u32 {
        self.0 >> 29
    }
}

impl Lattice {
    /// Boxes about as wide as this between two corners.
    pub(super) fn new([low, high]: [[f64; 3]; 2], width: f64) -> Self {
        let count: [usize; 3] =
            std::array::from_fn(|k| (((high[k] - low[k]) / width).ceil() as usize).max(1));
        let width: [f64; 3] = std::array::from_fn(|k| (high[k] - low[k]) / count[k] as f64);
        let all = count[0] * count[1] * count[2];
        Self {
            low,
            width,
            inverse: width.map(|width| 1.0 / width),
            count,
            state: vec![0; all],
            slots: Vec::new(),
            boxes: Vec::new(),
            members: Vec::new(),
        }
    }

    /// The least width of boxes for which roundings of these coordinates are small.
    pub(super) fn least_width(bounds: [[f64; 3]; 2]) -> f64 {
        16.0 / SLACK * f64::EPSILON * bounds.as_flattened().iter().fold(0.0f64, |far, x| far.max(x.abs()))
    }

    /// The box of a point, if it is in one.
    #[inline(always)]
    pub(super) fn cell_if_any(&self, point: [f64; 3]) -> Option<[usize; 3]> {
        let mut cell = [0; 3];
        let mut is_there = true;
        for k in 0..3 {
            let place = (point[k] - self.low[k]) * self.inverse[k];
            is_there &= place >= 0.0;
            cell[k] = place as u32 as usize;
            is_there &= cell[k] < self.count[k];
        }
        is_there.then_some(cell)
    }

    /// The box of a point in the lattice.
    #[inline(always)]
    pub(super) fn cell(&self, point: [f64; 3]) -> [usize; 3] {
        let mut cell = [0; 3];
        for k in 0..3 {
            cell[k] = (((point[k] - self.low[k]) * self.inverse[k]) as usize).min(self.count[k] - 1);
        }
        cell
    }

    #[inline(always)]
    pub(super) fn number(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.count[1] + y) * self.count[0] + x
    }

    pub(super) fn cell_of(&self, number: usize) -> [usize; 3] {
        let row = number / self.count[0];
        [number % self.count[0], row % self.count[1], row / self.count[1]]
    }

    /// The number among boxes with faces of one of them.
    #[inline(always)]
    pub(super) fn slot(&self, number: usize) -> usize {
        self.slots[number] as usize
    }

    #[inline(always)]
    pub(super) fn members(&self, slot: usize) -> &[Member] {
        &self.members[self.member_range(slot)]
    }

    /// The faces of a box, if it has any.
    pub(super) fn members_of(&self, cell: [usize; 3]) -> &[Member] {
        let number = self.number(cell);
        if self.state[number] == SURFACE { self.members(self.slot(number)) } else { &[] }
    }

    #[inline(always)]
    pub(super) fn member_range(&self, slot: usize) -> std::ops::Range<usize> {
        self.boxes[slot].first as usize..self.boxes[slot + 1].first as usize
    }

    /// A point of reference of a box, off its middle: meshes on a lattice of their own should not pass through it. All of them are on
    /// the line through the row along x.
    #[inline(always)]
    pub(super) fn reference(&self, cell: [usize; 3], attempt: u8) -> [f64; 3] {
        let share = if attempt == 0 { 0.513_724 } else { Random::new(u64::from(attempt)).uniform(0.1, 0.9) };
        let [y, z] = self.line(cell[1], cell[2]);
        [self.low[0] + self.width[0] * (cell[0] as f64 + share), y, z]
    }

    /// Where the line along x is that goes through a row.
    #[inline(always)]
    pub(super) fn line(&self, y: usize, z: usize) -> [f64; 2] {
        [
            self.low[1] + self.width[1] * (y as f64 + 0.487_135),
            self.low[2] + self.width[2] * (z as f64 + 0.505_917),
        ]
    }

    /// Any point in a box.
    pub(super) fn point_in(&self, cell: [usize; 3], seed: u8) -> [f64; 3] {
        let mut random = Random::new(1 + u64::from(seed));
        std::array::from_fn(|k| self.low[k] + self.width[k] * (cell[k] as f64 + random.uniform(0.1, 0.9)))
    }

    /// Lists each face in the boxes that it enters, or nearly: roundings must not hide it from a point beside it. `note` is asked once for
    /// each face and row, and told the row; it comes with the first box of the row, and without its lowest bit with the others. Whether
    /// there are not more than `most` entries; else it gives up.
    pub(super) fn enter(
        &mut self,
        faces: &[Face],
        members: &[u32],
        note: impl Fn(&Face, [f64; 2]) -> u32,
        most: usize,
    ) -> bool {
        let mut entries: Vec<(u32, Member)> = Vec::with_capacity(3 * members.len());
        let mut counts = vec![0u32; self.state.len()];
        for &member in members {
            let face = &faces[member as usize];
            self.rows_of(face, |y, z, begin, end| {
                let row = (z * self.count[1] + y) * self.count[0];
                let mut note = note(face, self.line(y, z));
                for x in begin..=end {
                    counts[row + x] += 1;
                    entries.push(((row + x) as u32, Member::new(member, note)));
                    note &= !1;
                }
            });
            if entries.len() > most {
                return false;
            }
        }
        let mut first = 0;
        for (number, count) in counts.iter_mut().enumerate().filter(|(_, count)| **count > 0) {
            self.state[number] = SURFACE;
            let next = first + *count;
            *count = self.boxes.len() as u32;
            self.boxes.push(SurfaceBox { first, winding: 0, attempt: 0, divided: 0 });
            first = next;
        }
        self.boxes.push(SurfaceBox { first, winding: 0, attempt: 0, divided: 0 });
        self.slots = counts;
        let mut free: Vec<u32> = self.boxes.iter().map(|surface| surface.first).collect();
        self.members = vec![Member(0); entries.len()];
        for (number, member) in entries {
            let place = &mut free[self.slots[number as usize] as usize];
            self.members[*place as usize] = member;
            *place += 1;
        }
        true
    }

    /// The rows that a face enters, and its first and last box in each: those that its own box reaches, unless they are on one side of its
    /// plane.
    #[inline(always)]
    fn rows_of(&self, face: &Face, mut visit: impl FnMut(usize, usize, usize, usize)) {
        let mut range = [[0usize; 2]; 3];
        for k in 0..3 {
            let [a, b, c] = face.corners.map(|corner| (corner[k] - self.low[k]) * self.inverse[k]);
            let (low, high) = (a.min(b).min(c) - SLACK, a.max(b).max(c) + SLACK);
            if high < 0.0 || low > self.count[k] as f64 {
                return;
            }
            range[k] = [low.max(0.0), high].map(|place| (place as usize).min(self.count[k] - 1));
        }
        let [nx, ny, nz] = [0, 1, 2].map(|k| face.normal[k] * self.width[k]);
        // Half of what a box reaches along the normal.
        let half = 0.5 * (1.0 + 4.0 * SLACK) * (nx.abs() + ny.abs() + nz.abs()) + face.error;
        let middle = |k: usize, cell: usize| self.low[k] + self.width[k] * (cell as f64 + 0.5);
        let size = |k: usize| range[k][1] - range[k][0] + 1;
        // A long face that is not along an axis enters few of the boxes that its own box reaches.
        let is_long = size(0) * size(1) * size(2) > LONG;
        for z in range[2][0]..=range[2][1] {
            let [rows, of_z] = if is_long {
                [1, 0].map(|along| self.boxes_between(face, along, [2, z], range[along]))
            } else {
                [range[1], range[0]]
            };
            for y in rows[0]..=rows[1] {
                let of_y = if is_long { self.boxes_between(face, 0, [1, y], range[0]) } else { range[0] };
                let height = face.normal[1] * middle(1, y) + face.normal[2] * middle(2, z) - face.offset;
                let enters = |x: &usize| (face.normal[0] * middle(0, *x) + height).abs() <= half;
                let mut boxes = of_y[0].max(of_z[0])..=of_y[1].min(of_z[1]);
                // The plane is met by boxes one after the other.
                let Some(begin) = boxes.find(enters) else { continue };
                let end = boxes.take_while(enters).last().unwrap_or(begin);
                visit(y, z, begin, end);
            }
        }
    }

    /// The first and the last box along an axis that a face reaches where it is in one layer of boxes along another; in the wrong order if
    /// it is not there.
    fn boxes_between(
        &self,
        face: &Face,
        along: usize,
        [axis, layer]: [usize; 2],
        all: [usize; 2],
    ) -> [usize; 2] {
        let corners =
            face.corners.map(|corner| [along, axis].map(|k| (corner[k] - self.low[k]) * self.inverse[k]));
        let (bottom, top) = (layer as f64 - SLACK, layer as f64 + 1.0 + SLACK);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for [[a, from], [b, to]] in
            [[corners[0], corners[1]], [corners[1], corners[2]], [corners[2], corners[0]]]
        {
            // The part of the edge in the layer.
            let at =
                |height: f64| if to == from { 0.0 } else { ((height - from) / (to - from)).clamp(0.0, 1.0) };
            if from.max(to) < bottom || from.min(to) > top {
                continue;
            }
            let ends = if to == from { [0.0, 1.0] } else { [at(bottom), at(top)] };
            for share in ends {
                let x = a + share * (b - a);
                (low, high) = (low.min(x), high.max(x));
            }
        }
        if low > high {
            return [1, 0];
        }
        let place = |x: f64| (x.max(0.0) as usize).min(self.count[along] - 1);
        [place(low - 1e-3).max(all[0]), place(high + 1e-3).min(all[1])]
    }
}
