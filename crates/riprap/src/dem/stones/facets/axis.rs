//! Along which direction a stone and a facet overlap least.
//!
//! The directions are the facet's normal, the normals of the stone's facets and those across an edge of each (Gottschalk, Lin and Manocha
//! 1996, "OBBTree": two convex bodies are apart if they are along one of these). Those beside the facet's normal count only where
//! the surface has a summit along them: an edge or corner that is there because a surface was cut has none.

use smallvec::SmallVec;

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
/// What counts as nothing, over the radius of the stone.
pub(super) const TINY: f64 = 1e-9;

/// A facet that a stone overlaps, and how.
#[derive(Debug, Clone, Copy)]
pub(super) struct FacetAxis<const D: usize> {
    pub(super) facet: u32,
    /// Whether the stone is on the side of the facet's normal.
    pub(super) front: bool,
    /// The facet's normal on the stone's side.
    pub(super) normal: [f64; D],
    /// Unit vector from the surface to the stone along which they overlap least.
    pub(super) axis: [f64; D],
    pub(super) overlap: f64,
    /// Whether the direction is the normal of the facet.
    pub(super) face: bool,
    /// How far the facet is away from the stone beyond an inner edge, so that other facets of its flat are between them.
    pub(super) beside: f64,
    /// Whether facets around are further in the stone, so that only the stone's vertices count here.
    pub(super) hidden: bool,
    /// Corners and edges that are deeper than this do not count: facets around overlap the stone there along another direction.
    pub(super) deepest: f64,
}

/// How a stone and a facet are to each other.
#[derive(Debug, Clone, Copy)]
pub(super) enum Verdict<const D: usize> {
    /// Apart, at least by this.
    Apart(f64),
    /// They overlap, or overlap but for an inner edge.
    Touching(FacetAxis<D>),
}

/// A direction and how much the two overlap along it.
type Candidate<const D: usize> = (f64, [f64; D]);

/// How a stone is to a facet, seen from the front or from behind.
pub(super) fn judge<const D: usize>(
    stone: &SeenStone<D>,
    body: &Body<D>,
    facets: &Facets<D>,
    facet: u32,
    front: bool,
) -> Verdict<D> {
    let index = facet as usize;
    let corners = &facets.corners()[index];
    let (on, _) = facets.foot(index, stone.center);
    let away = length(sub(on, stone.center)) - stone.radius;
    if away > 0.0 {
        return Verdict::Apart(away);
    }
    let normal = scale(facets.normal(index), if front { 1.0 } else { -1.0 });
    let height = |point: [f64; D]| dot(sub(point, corners[0]), normal);
    let depth = stone.vertices.iter().map(|&vertex| -height(vertex)).fold(f64::NEG_INFINITY, f64::max);
    if depth <= 0.0 {
        return Verdict::Apart(-depth);
    }
    let mut candidates: SmallVec<[Candidate<D>; 16]> = SmallVec::new();
    // How much they overlap at an open edge along the facet's normal.
    let mut level = f64::INFINITY;
    let mut consider = |overlap: f64, axis: [f64; D]| {
        if dot(axis, normal) >= ALIKE {
            level = level.min(overlap);
        } else if overlap < PREFERENCE * depth {
            candidates.push((overlap, axis));
        }
    };
    let mut separation = f64::NEG_INFINITY;
    for &(face, offset) in &stone.planes {
        let deepest = corners.iter().map(|&corner| dot(face, corner)).fold(f64::INFINITY, f64::min);
        separation = separation.max(deepest - offset);
        if -dot(face, normal) < ALIKE {
            consider(offset - deepest, scale(face, -1.0));
        }
    }
    // Further away than it is deep, none of the stone's vertices is behind it; that may change from either side.
    if separation > depth {
        return Verdict::Apart(0.5 * (separation - depth));
    }
    if D == 3 {
        for edge in (0..D).filter(|&edge| facets.is_open(index, edge, front)) {
            across_edges(stone, body, corners, edge, &mut consider);
        }
    }
    candidates.sort_by(|one, other| one.0.total_cmp(&other.0));
    let tolerance = TINY * stone.radius;
    let mut found = FacetAxis {
        facet,
        front,
        normal,
        axis: normal,
        overlap: depth,
        face: true,
        beside: 0.0,
        hidden: false,
        deepest: f64::INFINITY,
    };
    // Directions in which the surface goes on, so that other facets hide this one.
    let mut hiding: SmallVec<[[f64; D]; 8]> = SmallVec::new();
    for (overlap, axis) in candidates {
        if !facets.is_summit(index, axis, tolerance) {
            found.beside = found.beside.max(-overlap);
            if overlap < level {
                found.deepest = found.deepest.min(overlap);
                if dot(axis, normal) > 0.5 {
                    hiding.push(axis);
                }
            }
            continue;
        }
        // Another direction may count as soon as the stone has turned a little.
        if overlap <= 0.0 {
            return Verdict::Apart(0.0);
        }
        // An edge on which a face leans a little goes on, but does not hide itself.
        if found.beside == 0.0 && hiding.iter().all(|other| dot(*other, axis) >= SIMILAR) {
            (found.axis, found.overlap, found.face, found.deepest) = (axis, overlap, false, f64::INFINITY);
            return Verdict::Touching(found);
        }
        break;
    }
    found.hidden = !hiding.is_empty();
    Verdict::Touching(found)
}

/// The directions across an edge of a triangle and each edge of a stone that is furthest in that direction.
fn across_edges<const D: usize>(
    stone: &SeenStone<D>,
    body: &Body<D>,
    corners: &[[f64; D]; D],
    edge: usize,
    consider: &mut impl FnMut(f64, [f64; D]),
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
        let axis: [f64; D] = std::array::from_fn(|k| axis[k]);
        consider(dot(axis, sub(from, start)), axis);
    }
}
