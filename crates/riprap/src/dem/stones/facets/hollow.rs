//! What is behind two surfaces that meet in a hollow.

use super::axis::FacetAxis;
use crate::dem::wall::Facets;
use crate::vector::{cross, dot, length, sub};

/// Facets that lean to each other by less (sine) are in one plane.
const LEAST: f64 = 1e-3;

/// How much further beyond a corner a vertex may be than beyond an edge.
const CORNER: f64 = 1.5;

/// Whether a vertex of a stone that is so deep behind a facet, and so far beyond an edge of it, is behind another facet that the stone
/// is pressed on, too, which rises there.
pub(super) fn is_behind_both<const D: usize>(
    facets: &Facets<D>,
    pressed: &[(usize, FacetAxis<D>)],
    entry: &FacetAxis<D>,
    (vertex, depth, beyond): ([f64; D], f64, f64),
) -> bool {
    pressed.iter().filter(|(_, other)| other.face).any(|(_, other)| {
        let corner = facets.corners()[other.facet as usize][0];
        let behind = -dot(sub(vertex, corner), other.normal);
        let sine = sine(entry.normal, other.normal);
        // So far beyond the edge it is if it is behind this one, and further at a corner.
        let most = CORNER * (behind - depth * dot(entry.normal, other.normal));
        behind > 0.0 && sine > LEAST && beyond * sine <= most
    })
}

/// Of the angle between two unit vectors.
fn sine<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    if D == 2 {
        return (a[0] * b[1] - a[1] * b[0]).abs();
    }
    let in_space = |vector: [f64; D]| -> [f64; 3] { std::array::from_fn(|k| vector[k % D]) };
    length(cross(in_space(a), in_space(b)))
}
