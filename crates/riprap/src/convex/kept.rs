//! The link of bodies in contact that still ends on a vertex and a face, or on two edges: in closed form, without separating them.
//!
//! A plane between them is one of least overlap for small turns if the vertex reaches furthest across the face and its foot is on the
//! face, or if both bodies lie on their sides of the two edges and these cross. That the bodies overlap at all is shown by the vertex
//! that is inside the other body, or by the edge that passes through it: mostly by its point at the crossing, but a sharp wedge may lean
//! so far that this is outside.

use super::body::Body;
use super::direct::PARALLEL;
use super::feature::{BodyFeature, cross};
use super::pose::PosedBody;
use super::two::{FoundLink, Two};
use crate::vector::{add_scaled, dot, scale, sub};

/// Bodies with more facets are not asked what is inside.
const MOST_FACETS: usize = 24;
/// How far inside a point is at least, over the size of the body.
const INSIDE: f64 = 1e-9;

/// The link between these features, if the bodies still overlap there; `last` is the last normal. Features that are `trusted` are not
/// asked whether they still are what the bodies meet with.
#[inline(always)]
pub(super) fn link<const D: usize>(
    two: &Two<'_, D>,
    features: [BodyFeature; 2],
    last: [f64; D],
    trusted: bool,
) -> Option<FoundLink<D>> {
    let Two { a, b } = two;
    if D == 2 || a.body.delicate || b.body.delicate {
        return None;
    }
    match features {
        [BodyFeature::Vertex(v), BodyFeature::Face(f)] => vertex_in_face([a, b], [v, f], trusted),
        [BodyFeature::Face(f), BodyFeature::Vertex(v)] => {
            vertex_in_face([b, a], [v, f], trusted).map(FoundLink::exchanged)
        }
        [BodyFeature::Edge(e), BodyFeature::Edge(g)] => crossing_edges(two, [e, g], last, trusted),
        _ => None,
    }
}

/// A vertex of one body that is behind a face of the other.
#[inline(always)]
fn vertex_in_face<const D: usize>(
    [side, base]: [&PosedBody<'_, D>; 2],
    [v, f]: [u32; 2],
    trusted: bool,
) -> Option<FoundLink<D>> {
    let p = side.vertex(v);
    let local = base.local(p);
    let facet = &base.body.facets[f as usize];
    let normal = scale(base.turn(facet.normal), -1.0);
    let holds = trusted
        || base.body.holds(BodyFeature::Face(f), facet.normal, || local)
            && side.body.holds(BodyFeature::Vertex(v), side.back(normal), || local)
            && base.body.has_inside(local);
    let gap = base.scale * (dot(facet.normal, local) - facet.offset);
    holds.then(|| FoundLink {
        points: [p, add_scaled(p, gap, normal)],
        normal,
        gap,
        features: [BodyFeature::Vertex(v), BodyFeature::Face(f)],
    })
}

/// Two edges that have crossed each other.
#[inline(always)]
fn crossing_edges<const D: usize>(
    two: &Two<'_, D>,
    [e, g]: [u32; 2],
    last: [f64; D],
    trusted: bool,
) -> Option<FoundLink<D>> {
    let Two { a, b } = two;
    let from = [a.start_of(e), b.start_of(g)];
    let (along, other_along) = (a.along(e), b.along(g));
    let upright = cross(along, other_along);
    let square = dot(upright, upright);
    if square <= WIDE * WIDE * dot(along, along) * dot(other_along, other_along) {
        return None;
    }
    let arm = sub(from[1], from[0]);
    let share = |along: [f64; D]| dot(cross(arm, along), upright) / square;
    let shares = [share(other_along), share(along)];
    let sign = if dot(upright, last) < 0.0 { -1.0 } else { 1.0 };
    let normal = scale(upright, sign / square.sqrt());
    let points = [add_scaled(from[0], shares[0], along), add_scaled(from[1], shares[1], other_along)];
    let ends = || {
        let [from, to] = a.body.edges[e as usize].ends;
        [b.local(a.vertex(from)), b.local(a.vertex(to))]
    };
    let holds = trusted
        || shares.iter().all(|share| (0.0..=1.0).contains(share))
            && a.body.holds(BodyFeature::Edge(e), a.back(normal), || points[0])
            && b.body.holds(BodyFeature::Edge(g), scale(b.back(normal), -1.0), || points[1])
            && (b.body.has_inside(b.local(points[0])) || b.body.has_some_inside(ends()));
    let features = [BodyFeature::Edge(e), BodyFeature::Edge(g)];
    holds.then(|| FoundLink { points, normal, gap: dot(normal, arm), features })
}

/// The sine of the least angle at which edges cross: of nearly parallel ones the walk takes more care.
const WIDE: f64 = 1e6 * PARALLEL;

impl<const D: usize> Body<D> {
    /// Whether a point in the body's coordinates is certainly inside; asked of bodies with few facets only.
    #[inline(always)]
    fn has_inside(&self, point: [f64; D]) -> bool {
        let margin = INSIDE * self.radius;
        self.facets.len() <= MOST_FACETS
            && self.facets.iter().all(|facet| dot(facet.normal, point) < facet.offset - margin)
    }

    /// Whether a part of a segment, in the body's coordinates, is certainly inside; asked of bodies with few facets only.
    #[inline(always)]
    fn has_some_inside(&self, [from, to]: [[f64; D]; 2]) -> bool {
        if self.facets.len() > MOST_FACETS {
            return false;
        }
        let (margin, mut first, mut last) = (INSIDE * self.radius, 0.0f64, 1.0f64);
        for facet in &self.facets {
            let level = facet.offset - margin;
            let [start, end] = [dot(facet.normal, from) - level, dot(facet.normal, to) - level];
            match (start > 0.0, end > 0.0) {
                (true, true) => return false,
                (true, false) => first = first.max(start / (start - end)),
                (false, true) => last = last.min(start / (start - end)),
                (false, false) => {}
            }
        }
        first < last
    }
}

#[cfg(test)]
mod tests {
    use crate::convex::shapes;

    #[test]
    fn segments_that_pass_through_a_cube_and_by_it() {
        let cube = shapes::cube();
        let corner = cube.vertex(0);
        let past = |share: f64| {
            // Across the first edge of the corner, at this share of the way to the middle of the cube.
            let middle = corner.map(|x| (1.0 - share) * x);
            [[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0]].map(|way: [f64; 3]| {
                let sign = corner[0].signum() * corner[1].signum();
                std::array::from_fn(|k| middle[k] + way[k] * if k == 1 { sign } else { 1.0 })
            })
        };
        assert!(cube.has_some_inside(past(0.01)) && cube.has_some_inside(past(0.5)));
        assert!(!cube.has_some_inside(past(0.0)) && !cube.has_some_inside(past(-0.01)));
        // One that ends before the cube.
        let [from, to] = past(0.5);
        assert!(!cube.has_some_inside([from, std::array::from_fn(|k| from[k] + 0.01 * (to[k] - from[k]))]));
    }
}
