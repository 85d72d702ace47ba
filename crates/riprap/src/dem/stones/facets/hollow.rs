//! What is behind two surfaces that meet in a hollow.

use super::axis::FacetAxis;
use super::seen::SeenStone;
use crate::dem::wall::{Facets, Spot};
use crate::vector::{cross, dot, length, scale, sub};

/// Facets that lean to each other by less (sine) are in one plane.
const LEAST: f64 = 1e-3;

/// How much further beyond a corner a vertex may be than beyond an edge.
const CORNER: f64 = 1.5;

/// A vertex of a stone behind a facet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sunk<const D: usize> {
    pub(super) vertex: [f64; D],
    /// How far behind the facet's plane it is.
    pub(super) depth: f64,
    /// How far beyond the end of the facet, and where that is.
    pub(super) beyond: f64,
    pub(super) spot: Spot,
}

impl<const D: usize> Sunk<D> {
    /// Whether a vertex behind a facet is behind another one, too, which rises at its end: one that the stone is pressed on, or that is beside
    /// the stone, which may have reached round the edge behind it.
    pub(super) fn is_behind_both(
        &self,
        (stone, facets): (&SeenStone<D>, &Facets<D>),
        pressed: &[(usize, FacetAxis<D>)],
        entry: &FacetAxis<D>,
    ) -> bool {
        let is_pressed = |other: u32| pressed.iter().any(|(_, entry)| entry.facet == other);
        pressed
            .iter()
            .any(|(_, other)| other.face && self.is_behind(facets, entry, (other.facet, other.normal)))
            || facets.at(entry.facet as usize, self.spot).any(|other| {
                let sign = if stone.is_in_front(facets, other as usize) { 1.0 } else { -1.0 };
                let normal = scale(facets.normal(other as usize), sign);
                !is_pressed(other) && self.is_behind(facets, entry, (other, normal))
            })
    }

    /// The same for one other facet, with its normal towards the stone.
    fn is_behind(&self, facets: &Facets<D>, entry: &FacetAxis<D>, (other, normal): (u32, [f64; D])) -> bool {
        let corner = facets.corners()[other as usize][0];
        let behind = -dot(sub(self.vertex, corner), normal);
        let sine = sine(entry.normal, normal);
        // So far beyond the edge it is if it is behind this one, and further at a corner.
        let most = CORNER * (behind - self.depth * dot(entry.normal, normal));
        behind > 0.0 && sine > LEAST && self.beyond * sine <= most
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
