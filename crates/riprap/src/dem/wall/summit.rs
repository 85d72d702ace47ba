//! Whether a flat ends where one of its facets reaches furthest along a direction.
//!
//! A stone that is pushed out of a facet along a direction is out of the whole flat only if the flat goes no further there. It goes on across
//! an edge that is there because the surface was cut, and behind a surface that rises from its edge: what has come through one side of a
//! hollow is behind the other, too.

use super::facets::Facets;
use crate::vector::{dot, reject, scale, sub, unit};

/// Facets whose normals are more alike than this (cosine) are in one plane.
const LEVEL: f64 = 1.0 - 5e-7;

impl<const D: usize> Facets<D> {
    /// Whether the flat of a facet, seen from the front or from behind, goes no further along a direction than the facet does, as far as the
    /// facets around its highest corner or edge tell; but for `tolerance`. `in_front` tells of other facets from which side they are seen.
    pub(crate) fn is_summit(
        &self,
        (facet, front): (usize, bool),
        direction: [f64; D],
        tolerance: f64,
        in_front: impl Fn(usize) -> bool,
    ) -> bool {
        let corners = &self.corners()[facet];
        let height = |corner: &[f64; D]| dot(*corner, direction);
        let top = corners.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
        let is_high = |corner: usize| height(&corners[corner]) >= top - tolerance;
        let goes_on_behind = |(facet, edge): (usize, usize), front: bool| {
            self.seams().rises(facet, edge, front)
                && dot(direction, self.outward(facet, edge)) > tolerance / self.extent(facet)
        };
        let in_hollow = |corner: usize| self.is_in_hollow(facet, corner, &in_front);
        // What is beyond the ends of an edge does not matter to what is on it.
        let mut lower = (0..D).filter(|&corner| !is_high(corner));
        if let (3, Some(lower), None) = (D, lower.next(), lower.next()) {
            let edge = (lower + 1) % D;
            let behind = goes_on_behind((facet, edge), front) && in_hollow(edge) && in_hollow((edge + 1) % D);
            return !behind && !self.seams().is_flat(facet, edge);
        }
        (0..D).filter(|&corner| is_high(corner)).all(|corner| {
            let place = self.place(facet, corner);
            let ends = self.is_corner(facet, corner, front);
            self.seams().around(place).iter().map(|&other| other as usize).all(|other| {
                let likeness = dot(self.normal(other), self.normal(facet));
                if likeness.abs() < LEVEL {
                    return true;
                }
                let low = self.corners()[other].iter().all(|corner| height(corner) <= top + tolerance);
                let front = front == (likeness > 0.0);
                let has_place = |edge: usize| {
                    let ends = if D == 3 { [edge, (edge + 1) % D] } else { [edge; 2] };
                    ends.into_iter().any(|corner| self.place(other, corner) == place)
                };
                let mut edges = (0..D).filter(|&edge| has_place(edge));
                let behind = !ends && edges.any(|edge| goes_on_behind((other, edge), front));
                low && !(behind && in_hollow(corner))
            })
        })
    }

    /// Whether what sees the other facets at a corner from these sides is in a hollow of them and this one: it sees this one in front of
    /// all of them.
    fn is_in_hollow(&self, facet: usize, corner: usize, in_front: impl Fn(usize) -> bool) -> bool {
        let others = self.seams().around(self.place(facet, corner)).iter().map(|&other| other as usize);
        let leans = |other: &usize| dot(self.normal(*other), self.normal(facet)).abs() < LEVEL;
        others.filter(leans).all(|other| {
            let side = if in_front(other) { 1.0 } else { -1.0 };
            let start = self.corners()[other][0];
            let height = |corner: &[f64; D]| side * dot(sub(*corner, start), self.normal(other));
            let heights = || self.corners()[facet].iter().map(height);
            heights().fold(0.0, f64::max) > -heights().fold(0.0, f64::min)
        })
    }

    /// Away from a facet across one of its edges, or beyond an end of a segment.
    fn outward(&self, facet: usize, edge: usize) -> [f64; D] {
        let corners = &self.corners()[facet];
        let across = if D == 3 {
            let along = unit(sub(corners[(edge + 1) % D], corners[edge])).unwrap_or([0.0; D]);
            reject(sub(corners[(edge + 2) % D], corners[edge]), along)
        } else {
            sub(corners[1 - edge], corners[edge])
        };
        unit(scale(across, -1.0)).unwrap_or([0.0; D])
    }

    /// How far the first corner of a facet is from the next.
    fn extent(&self, facet: usize) -> f64 {
        let corners = &self.corners()[facet];
        let side = sub(corners[1], corners[0]);
        dot(side, side).sqrt()
    }
}
