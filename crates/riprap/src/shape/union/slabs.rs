//! The union of convex regions of the plane, slab by slab.

use super::pieces::bounds;
use super::side::Side;
use super::{Integrals, Piece};
use crate::shape::Form;
use crate::vector::add;

/// Lines that are closer than this part of the extent are one.
const SAME: f64 = 1e-15;
/// A crossing that is deeper in a region than this part of the extent does not show.
const DEEP: f64 = 1e-9;

/// The integrals over the union of pieces in the plane.
pub(super) fn integrals(pieces: &[Piece<2>]) -> Integrals<2> {
    let mut sides = Vec::new();
    for (piece, region) in pieces.iter().zip(0..) {
        match &piece.form {
            Form::Ball { radius } => sides.extend(Side::of_disk(region, piece.center, *radius)),
            Form::Convex(body) => sides.extend(body.edges().iter().filter_map(|edge| {
                let [from, to] = edge.ends.map(|end| add(piece.center, body.vertices()[end as usize]));
                Side::between(region, from, to)
            })),
        }
    }
    let (low, high) = bounds(pieces);
    let extent = (high[0] - low[0]).max(high[1] - low[1]);
    let hidden = |point| pieces.iter().any(|piece| piece.height_of(point) < -DEEP * extent);
    let [volume, x, y, xx, xy, yy] = Slabs::default().integrals(&sides, extent, hidden);
    Integrals { volume, first: [x, y], second: [[xx, xy], [xy, yy]] }
}

/// Memory for the lines and crossings of one union after the other.
#[derive(Debug, Default)]
pub(super) struct Slabs {
    heights: Vec<f64>,
    points: Vec<[f64; 2]>,
    /// Where a line meets sides.
    order: Vec<(f64, u32)>,
}

impl Slabs {
    /// The integrals of 1, x, y, xx, xy, yy over the union of regions with these sides. Crossings that are hidden in a region
    /// are not looked at.
    pub(super) fn integrals(
        &mut self,
        sides: &[Side],
        extent: f64,
        hidden: impl Fn([f64; 2]) -> bool,
    ) -> [f64; 6] {
        self.heights.clear();
        for (k, side) in sides.iter().enumerate() {
            self.heights.extend([side.low, side.high]);
            for other in &sides[k + 1..] {
                self.points.clear();
                side.crossings(other, &mut self.points);
                self.heights
                    .extend(self.points.iter().filter(|point| !hidden(**point)).map(|point| point[1]));
            }
        }
        self.heights.retain(|height| height.is_finite());
        self.heights.sort_unstable_by(f64::total_cmp);
        self.heights.dedup_by(|next, last| *next - *last <= SAME * extent);
        let mut sums = [0.0; 6];
        for slab in self.heights.windows(2) {
            self.order.clear();
            let middle = 0.5 * (slab[0] + slab[1]);
            let there = sides.iter().zip(0..).filter(|(side, _)| side.low < middle && middle < side.high);
            self.order.extend(there.map(|(side, k)| (side.at(middle), k)));
            self.order.sort_unstable_by(|(x, k), (other, l)| {
                let left = |k: &u32| !sides[*k as usize].is_left;
                x.total_cmp(other).then_with(|| left(k).cmp(&left(l)))
            });
            let mut depth = 0;
            for &(_, k) in &self.order {
                let side = &sides[k as usize];
                depth += if side.is_left { 1 } else { -1 };
                if depth == i32::from(side.is_left) {
                    let sign = if side.is_left { -1.0 } else { 1.0 };
                    for (sum, part) in sums.iter_mut().zip(side.integrals(slab[0], slab[1])) {
                        *sum += sign * part;
                    }
                }
            }
        }
        sums
    }
}
