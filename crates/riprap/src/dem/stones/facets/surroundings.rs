//! What else of a surface is near a stone beside the facet that is looked at.

use super::axis::{ALIKE, FacetAxis};
use crate::dem::wall::Facets;
use crate::vector::{add_scaled, cross, dot, length, sub};

/// Facets that lean to each other by less (sine) are in one plane.
const LEAST: f64 = 1e-3;

/// How much further beyond a corner a vertex may be than beyond an edge.
const CORNER: f64 = 1.5;

/// A surface near a stone.
pub(super) struct Surroundings<'a, const D: usize> {
    pub(super) facets: &'a Facets<D>,
    /// The facets near the stone.
    pub(super) near: &'a [u32],
    /// Those that it overlaps, each with the number of its group.
    pub(super) touched: &'a [(u32, FacetAxis<D>)],
}

impl<const D: usize> Surroundings<'_, D> {
    /// Whether a facet with this normal, or the opposite one, is below or above a point, no further away than `reach`.
    pub(super) fn has_below(&self, normal: [f64; D], point: [f64; D], reach: f64, tolerance: f64) -> bool {
        self.near.iter().any(|&facet| {
            let (facet, own) = (facet as usize, self.facets.normal(facet as usize));
            if dot(own, normal).abs() < ALIKE {
                return false;
            }
            let height = dot(sub(point, self.facets.corners()[facet][0]), own);
            let level = add_scaled(point, -height, own);
            height.abs() <= reach && length(sub(self.facets.foot(facet, level).0, level)) <= tolerance
        })
    }

    /// Whether a vertex of the stone that is so deep behind a facet, and so far beyond an edge of it, is behind another facet that the stone
    /// overlaps, too, which rises there.
    pub(super) fn rises(&self, entry: &FacetAxis<D>, vertex: [f64; D], depth: f64, beyond: f64) -> bool {
        self.touched.iter().any(|(_, other)| {
            let corner = self.facets.corners()[other.facet as usize][0];
            let behind = -dot(sub(vertex, corner), other.normal);
            let sine = sine(entry.normal, other.normal);
            // So far beyond the edge it is if it is behind this one, and further at a corner.
            let most = CORNER * (behind - depth * dot(entry.normal, other.normal));
            behind > 0.0 && sine > LEAST && beyond * sine <= most
        })
    }
}

/// Of the angle between two unit vectors.
fn sine<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    if D == 2 {
        return (a[0] * b[1] - a[1] * b[0]).abs();
    }
    let in_space = |vector: [f64; D]| -> [f64; 3] { std::array::from_fn(|k| vector[k % D]) };
    length(cross(in_space(a), in_space(b)))
}
