//! Along which direction a stone and a patch of a surface overlap least.
//!
//! The directions are the normals of the patch, those of the stone's facets and those across an edge of each (Gottschalk, Lin and Manocha
//! 1996, "OBBTree": two convex bodies are apart if they are along one of these). The overlap along the best of them changes continuously
//! however a stone passes a plate, its edges and its corners, from nothing to nothing. A stone that is round the edge of a plate overlaps it
//! little across the edge, however far it reaches behind the plate.
//!
//! Directions beside the normals count only where a flat ends along them: an edge or corner that is there because a surface was cut
//! has none. Along such a direction the two must part at something that both have there: where a corner is not under the stone's face, or two
//! edges pass each other beyond their ends, another direction is better, and no point could be pressed.

use super::section::{CutFacet, LEVEL, Sections};
use super::seen::SeenStone;
use crate::convex::Body;
use crate::dem::wall::Facets;
use crate::vector::{cross, dot, length, scale, sub, unit};

/// Directions more alike than this (cosine) are one: surfaces in files are not flat to the last bit.
pub(super) const ALIKE: f64 = 1.0 - 5e-7;
/// What is at an edge is one contact with facets whose normals are more alike than this (cosine): a face that leans a little over the edge
/// of a flat goes on pressing on both.
pub(super) const SIMILAR: f64 = 0.99;
/// Another direction must show this much less overlap than the facet's normal.
const PREFERENCE: f64 = 1.0 - 1e-6;
/// How far what is at the end of something may be beyond it, over the radius of the stone.
pub(super) const SLACK: f64 = 1e-6;
/// What counts as nothing, over the radius of the stone.
pub(super) const TINY: f64 = 1e-9;

/// A facet that a stone presses on, and how.
#[derive(Debug, Clone, Copy)]
pub(super) struct FacetAxis<const D: usize> {
    pub(super) facet: u32,
    /// Whether the facet is seen from the side of its normal.
    pub(super) front: bool,
    /// The facet's normal on that side.
    pub(super) normal: [f64; D],
    /// Unit vector from the surface to the stone along which they overlap least.
    pub(super) axis: [f64; D],
    /// How much; no point is deeper.
    pub(super) overlap: f64,
    /// Whether the direction is the normal of the facet.
    pub(super) face: bool,
    /// Whether it is what reaches furthest into the stone.
    pub(super) tops: bool,
    /// Whether the facet is beside the stone, in the plane of others that are not: only vertices of the stone count.
    pub(super) beside: bool,
}

/// How a patch is pushed out of a stone.
#[derive(Debug, Clone, Copy)]
pub(super) struct LeastOverlap<'a, const D: usize> {
    pub(super) overlap: f64,
    /// Unit vector from the surface to the stone.
    pub(super) axis: [f64; D],
    /// The facet whose normal it is, or at whose edge or corner.
    pub(super) at: &'a CutFacet<D>,
    /// Whether it is the normal.
    pub(super) face: bool,
}

/// The least overlap of a stone and a patch. Along each direction all of the patch has to come out of the stone.
pub(super) fn least_overlap<'a, const D: usize>(
    (stone, body): (&'a SeenStone<D>, &Body<D>),
    facets: &'a Facets<D>,
    sections: &'a Sections<D>,
    patch: usize,
) -> LeastOverlap<'a, D> {
    let first = &sections.cuts[sections.patches[patch]];
    let mut least = LeastOverlap { overlap: f64::INFINITY, axis: first.normal, at: first, face: true };
    let level = |cut: &CutFacet<D>| dot(facets.corners()[cut.facet as usize][0], cut.normal);
    for cut in sections.around(stone, facets, patch) {
        // What surfaces in files are not flat by is nothing.
        let above = sections.height(patch, cut.normal) - level(cut) - LEVEL * stone.radius;
        let overlap = cut.depth + above.max(0.0);
        if overlap < least.overlap {
            least = LeastOverlap { overlap, axis: cut.normal, at: cut, face: true };
        }
    }
    let mut limit = PREFERENCE * least.overlap;
    let tolerance = TINY * stone.radius;
    for cut in sections.around(stone, facets, patch) {
        let facet = cut.facet as usize;
        let corners = &facets.corners()[facet];
        let mut consider = |overlap: f64, top: f64, axis: [f64; D], parts_there: &dyn Fn() -> bool| {
            if overlap >= limit || dot(axis, cut.normal) >= ALIKE {
                return;
            }
            // A direction along which the patch goes further is that of another edge or corner of it.
            if sections.height(patch, axis) > top + SLACK * stone.radius || !parts_there() {
                return;
            }
            let in_front = |other: usize| stone.is_in_front(facets, other);
            if facets.is_summit((facet, cut.front), axis, tolerance, in_front) {
                limit = overlap;
                least = LeastOverlap { overlap, axis, at: cut, face: false };
            }
        };
        for (index, &(face, offset)) in stone.planes.iter().enumerate() {
            let lowest = corners.iter().map(|&corner| dot(face, corner)).fold(f64::INFINITY, f64::min);
            let parts_there = || {
                let low = |corner: &&[f64; D]| dot(face, **corner) <= lowest + tolerance;
                stone.is_under(body, index, corners.iter().filter(low))
            };
            consider(offset - lowest, -lowest, scale(face, -1.0), &parts_there);
        }
        for edge in (0..D).filter(|&edge| facets.is_seam(facet, edge)) {
            across_edges(stone, body, corners, edge, &mut consider);
        }
    }
    least
}

/// The directions across an edge of a triangle and each edge of a stone that is furthest in that direction.
fn across_edges<const D: usize>(
    stone: &SeenStone<D>,
    body: &Body<D>,
    corners: &[[f64; D]; D],
    edge: usize,
    consider: &mut impl FnMut(f64, f64, [f64; D], &dyn Fn() -> bool),
) {
    let in_space = |vector: [f64; D]| -> [f64; 3] { std::array::from_fn(|k| vector[k % D]) };
    let (from, third) = (corners[edge], corners[(edge + 2) % D]);
    let Some(along) = unit(in_space(sub(corners[(edge + 1) % D], from))) else { return };
    let inward = in_space(sub(third, from));
    for side in body.edges() {
        let [start, end] = side.ends.map(|vertex| stone.vertices[vertex as usize]);
        let [p, q] = side.facets.map(|facet| in_space(stone.planes[facet as usize].0));
        let Some(direction) = unit(in_space(sub(end, start))) else { continue };
        let across = cross(along, direction);
        let (turn, size) = (dot(cross(p, q), direction), length(across));
        if size < 1e-6 || turn.abs() < 1e-9 {
            continue;
        }
        // Towards the stone: against the normals beside the stone's edge.
        let sign = if dot(across, p) + dot(across, q) > 0.0 { -1.0 } else { 1.0 };
        let axis = scale(across, sign / size);
        let (before, after) = (-dot(cross(p, axis), direction), -dot(cross(axis, q), direction));
        if before * turn < 0.0 || after * turn < 0.0 || dot(axis, inward) > 0.0 {
            continue;
        }
        // Where they touch when the two have parted is on both of them.
        let between = in_space(sub(start, from));
        let parts_there = || {
            // How far along each of the two unit vectors the line across both is.
            let [on_own, on_side] =
                [direction, along].map(|other| dot(across, cross(between, other)) / (size * size));
            let is_on = |place: f64, length: f64| {
                place >= -SLACK * stone.radius && place <= length + SLACK * stone.radius
            };
            is_on(on_own, length(sub(corners[(edge + 1) % D], from)))
                && is_on(on_side, length(sub(end, start)))
        };
        let axis: [f64; D] = std::array::from_fn(|k| axis[k]);
        consider(dot(axis, sub(from, start)), dot(axis, from), axis, &parts_there);
    }
}
