//! J at points: the value of the local expansion of their box, and the solid angles of the faces near it.

use super::bound::field_error;
use super::clusters::DEEPEST;
use super::expansion::Row;
use super::harmonics::{columns, irregular, weight};
use super::near::{Anchored, NearBlocks, Ranges, angles};
use super::{LEAF, Multipole};
use crate::inside::ray_crossing;
use crate::inside::solid_angle::{Digits, near_faces};
use crate::lanes::Lanes;
use crate::lanes::vectors::{Kernel, Packed, Vector, run};
use crate::memory::prefetch;
use crate::number::power;
use crate::vector::{length, scale, sub};

/// The level of boxes among which the search for a point begins.
const START: u32 = 5;
/// Points whose expansions are asked for from memory before any of them is evaluated.
const AHEAD: usize = 16;
/// Bytes up to which a body is taken to be in the cache, in whatever order points come.
const CACHED: usize = 8 << 20;

impl Multipole {
    /// The undivided box that holds a point of the cube.
    #[inline(always)]
    fn leaf_of(&self, point: [f64; 3]) -> usize {
        let cell = self.tree.cube.cell(point);
        let shift = DEEPEST - START;
        let [x, y, z] = [cell[0] >> shift, cell[1] >> shift, cell[2] >> shift];
        let start = self.starts[(((z << START | y) << START) | x) as usize];
        self.descend(start, shift, cell)
    }

    /// The undivided box around a cell, from a box whose sons differ in the bit below `shift`.
    #[inline(always)]
    fn descend(&self, mut index: u32, mut shift: u32, cell: [u32; 3]) -> usize {
        while index & LEAF == 0 {
            shift -= 1;
            let octant = (cell[0] >> shift & 1) | (cell[1] >> shift & 1) << 1 | (cell[2] >> shift & 1) << 2;
            index = self.boxes[(index + octant) as usize];
        }
        (index & !LEAF) as usize
    }

    /// Fills the table of a level in which searches begin.
    pub(super) fn fill_starts(&mut self) {
        let count = 1u32 << START;
        for number in 0..count.pow(3) {
            let cell = [number % count, number / count % count, number / count / count];
            let (mut index, mut shift) = (self.boxes[0], START);
            while index & LEAF == 0 && shift > 0 {
                shift -= 1;
                let octant = (0..3).map(|k| (cell[k] >> shift & 1) << k).sum::<u32>();
                index = self.boxes[(index + octant) as usize];
            }
            self.starts.push(index);
        }
    }

    /// The value of the local expansion of a leaf.
    #[inline(always)]
    fn far_value<V: Vector>(&self, number: usize, point: [f64; 3]) -> f64 {
        let leaf = &self.leaves[number];
        let mut from = [0.0; 3];
        for k in 0..3 {
            from[k] = (point[k] - leaf.middle[k]) * leaf.inverse;
        }
        self.layout.value::<V>(self.expansion_of(number), from)
    }

    #[inline(always)]
    fn expansion_of(&self, number: usize) -> &[Row] {
        let rows = self.layout.rows();
        &self.expansions[number * rows..][..rows]
    }

    fn near_of(&self, number: usize) -> std::ops::Range<usize> {
        self.leaves[number].near as usize..self.leaves[number + 1].near as usize
    }

    /// Fills `windings` with J at each point; a point on a face has none.
    pub(in crate::inside) fn windings(&self, points: &[[f64; 3]], windings: &mut [f64]) {
        run(Evaluation { body: self, points, windings: &mut *windings }, self.wide);
        for (point, winding) in points.iter().zip(windings) {
            if winding.is_nan() {
                *winding = self.winding_close(*point);
            }
        }
    }

    /// J of a point next to a face, with more and more digits; or outside of the cube, from the clusters themselves.
    fn winding_close(&self, point: [f64; 3]) -> f64 {
        let Some(scaled) = self.units.place(point) else { return 0.0 };
        let by_ray = || self.closed.map(|bounds| ray_crossing::winding(&self.faces, &bounds, point, 0));
        // J from that of what is far, and the faces of these ranges.
        let with_near = |far: f64, near: &[[u32; 2]]| match self.closer_angles(near, scaled) {
            Some(angles) => far + angles,
            None => {
                let faces = near.iter().flat_map(|&[first, last]| &self.faces[first as usize..last as usize]);
                near_faces(faces, point).winding(far, by_ray)
            }
        };
        if self.tree.cube.holds(scaled) {
            let leaf = self.leaf_of(scaled);
            return with_near(self.far_value::<Lanes>(leaf, scaled), &self.near_faces[self.near_of(leaf)]);
        }
        if self.closed.is_some() {
            return 0.0;
        }
        let size = columns(self.degree);
        // Each cluster may err by its share of the tolerance.
        let share = self.tolerance / self.tree.all[0].area / power(self.tree.cube.width(0), 2);
        let (mut sum, mut stack, mut near) = (0.0, vec![(0usize, 0u32)], Vec::new());
        while let Some((index, level)) = stack.pop() {
            let cluster = &self.tree.all[index];
            let (middle, width) = (self.tree.cube.middle(level, cluster.cell), self.tree.cube.width(level));
            let from = scale(sub(scaled, middle), 1.0 / width);
            let may_err = share * cluster.area * width * width;
            if field_error(cluster, length(from), self.degree) <= may_err {
                let column = &self.moments[index * size..][..size];
                let harmonics = irregular(from, self.degree);
                let terms = (0..size).map(|k| weight(k) * column[k] * harmonics[k]);
                sum -= terms.sum::<f64>() / (4.0 * std::f64::consts::PI);
            } else if self.plan.rules.is_leaf(cluster) {
                near.push([cluster.first, cluster.last]);
            } else {
                stack.extend(cluster.sons().map(|son| (son, level + 1)));
            }
        }
        with_near(sum, &near)
    }
}

struct Evaluation<'a> {
    body: &'a Multipole,
    points: &'a [[f64; 3]],
    windings: &'a mut [f64],
}

impl Kernel for Evaluation<'_> {
    #[inline(always)]
    fn run<V: Vector>(self) {
        match &self.body.blocks {
            NearBlocks::Short(blocks) => self.run_with::<V, V::Short>(blocks),
            NearBlocks::Long(blocks) => self.run_with::<V, V>(blocks),
        }
    }
}

impl Evaluation<'_> {
    #[inline(always)]
    fn run_with<V: Vector, P: Packed<Stored: Digits>>(self, blocks: &[Anchored<P::Stored>]) {
        let body = self.body;
        // The box of each point, and its number; a point outside of the cube has no box.
        let mut order = Vec::with_capacity(self.points.len());
        for (point, number) in self.points.iter().zip(0u32..) {
            let point = body.units.scaled(*point);
            if body.tree.cube.holds(point) {
                order.push((body.leaf_of(point) as u32, number));
            } else {
                self.windings[number as usize] = f64::NAN;
            }
        }
        // Points of the same box and of neighbours use the same memory.
        if size_of_val(&*body.expansions) + size_of_val(blocks) > CACHED {
            order.sort_unstable_by_key(|&(leaf, _)| leaf);
        }
        for points in order.chunks(AHEAD) {
            for &(leaf, _) in points {
                let rows = body.expansion_of(leaf as usize);
                for row in 0..rows.len() {
                    prefetch(rows, row);
                }
            }
            for &(leaf, number) in points {
                let point = body.units.scaled(self.points[number as usize]);
                self.windings[number as usize] = body.value::<V, P>(blocks, leaf as usize, point);
            }
        }
    }
}

impl Multipole {
    /// J of a point in a leaf; none where solid angles would be rounding.
    #[inline(always)]
    fn value<V: Vector, P: Packed<Stored: Digits>>(
        &self,
        blocks: &[Anchored<P::Stored>],
        leaf: usize,
        point: [f64; 3],
    ) -> f64 {
        let far = self.far_value::<V>(leaf, point);
        let near = self.near_of(leaf);
        if near.is_empty() {
            return far;
        }
        let ranges = Ranges { all: &self.near[near.start..=near.end], blocks: self.leaves[leaf].blocks };
        angles::<P>(blocks, ranges, point).map_or(f64::NAN, |angles| far + angles)
    }
}
