//! Whether a vertex in a face, or two crossing edges, are all that is in depth, which saves clipping the faces.
//!
//! Seen along the normal, what is in depth round such a point is cut off by the line in which the two facing faces meet:
//!
//! ```text
//!   a vertex v on a face                two edges that cross at x
//!      \  in depth /                        e ──────x───z────
//!   ────z────────z────  ◄ the line                  | d/      ◄ the line
//!        \      /                                   | /
//!         \    /                                    z
//!          \  /                                     |
//!           v                                       g
//! ```
//!
//! If both ends `z` are on both faces, so is all between them and the point, and no other corner is in depth.

use super::feature::BodyFeature;
use super::leaning::{Leaning, Owner, Swing};
use super::pose::PosedBody;
use super::region::Frame;
use super::share::Share;
use super::two::{FoundLink, Two};
use crate::vector::{add_scaled, components, dot, scale, sub};

/// Whether the end of a link of overlapping bodies is the only corner in depth of what their facing facets have in common.
#[inline(always)]
pub(super) fn is_lone<const D: usize>(two: &Two<'_, D>, facing: [u32; 2], link: &FoundLink<D>) -> bool {
    let Two { a, b } = two;
    match link.features {
        [BodyFeature::Vertex(v), BodyFeature::Face(f)] => {
            f == facing[1] && vertex_is_lone([a, b], [v, facing[0], f], link.normal, -link.gap)
        }
        [BodyFeature::Face(f), BodyFeature::Vertex(v)] => {
            let normal = scale(link.normal, -1.0);
            f == facing[0] && vertex_is_lone([b, a], [v, facing[1], f], normal, -link.gap)
        }
        [BodyFeature::Edge(e), BodyFeature::Edge(g)] => {
            leaves([a, b], [e, facing[1]], link.points[0])
                && leaves([b, a], [g, facing[0]], link.points[1])
                && a.body.edges[e as usize].facets.contains(&facing[0])
                && b.body.edges[g as usize].facets.contains(&facing[1])
        }
        _ => false,
    }
}

/// Whether such a point has all of the stiffness, and no other a share.
#[inline(always)]
pub(super) fn has_all<const D: usize>(two: &Two<'_, D>, facing: [u32; 2], link: &FoundLink<D>) -> bool {
    let Two { a, b } = two;
    let lean = a.body.lean.min(b.body.lean);
    match link.features {
        [BodyFeature::Vertex(v), _] => a.is_steep(v, link.normal, lean),
        [_, BodyFeature::Vertex(v)] => b.is_steep(v, scale(link.normal, -1.0), lean),
        [BodyFeature::Edge(e), BodyFeature::Edge(g)] => {
            let frame = Frame::across(components(|k| link.normal[k % D]));
            let seen = [a.seen(&frame, Owner::First), b.seen(&frame, Owner::Second)];
            let slopes = [seen[0].slope(facing[0]), seen[1].slope(facing[1])];
            let leaning = Leaning::new(frame, slopes, lean, Swing::With(Owner::Second));
            match [seen[0].whole_edge(e), seen[1].whole_edge(g)] {
                [Some(e), Some(g)] => leaning.crossing([&e, &g]) == Share::WHOLE,
                _ => true,
            }
        }
        _ => true,
    }
}

/// The same of a vertex `v` in a face of the other body; `facing` is the facet at the vertex, and `toward` points into the other body.
#[inline(always)]
fn vertex_is_lone<const D: usize>(
    [side, base]: [&PosedBody<'_, D>; 2],
    [v, facing, face]: [u32; 3],
    toward: [f64; D],
    depth: f64,
) -> bool {
    let outline = side.body.outline(facing);
    let Some(k) = outline.iter().position(|vertex| *vertex == v) else { return false };
    let (here, toward) = (side.body.vertex(v), side.back(toward));
    let last = outline.len() - 1;
    [if k == 0 { last } else { k - 1 }, if k == last { 0 } else { k + 1 }].into_iter().all(|neighbor| {
        let along = sub(side.body.vertex(outline[neighbor]), here);
        let rise = -side.scale * dot(toward, along);
        rise > depth && base.has_on(face, side.place(add_scaled(here, depth / rise, along)))
    })
}

/// Whether an edge of one body that passes a point behind a facet of the other comes out through it.
#[inline(always)]
fn leaves<const D: usize>(
    [side, base]: [&PosedBody<'_, D>; 2],
    [edge, facet]: [u32; 2],
    point: [f64; D],
) -> bool {
    let plane = &base.body.facets[facet as usize];
    let ends = side.body.edges[edge as usize].ends.map(|end| base.local(side.vertex(end)));
    let [from, to] = ends.map(|end| dot(plane.normal, end) - plane.offset);
    // One end is out, the other is not, and the point between them is not either.
    if (from > 0.0) == (to > 0.0) || dot(plane.normal, base.local(point)) > plane.offset {
        return false;
    }
    let out = add_scaled(ends[0], from / (from - to), sub(ends[1], ends[0]));
    base.body.corners(facet).iter().all(|corner| dot(corner.inward, out) >= corner.offset)
}

impl<const D: usize> PosedBody<'_, D> {
    /// Whether all edges at a vertex fall away by more than the lean from a plane that it is on.
    #[inline(always)]
    fn is_steep(&self, v: u32, toward: [f64; D], lean: f64) -> bool {
        let (toward, least) = (self.back(toward), -lean / (1.0 + lean * lean).sqrt());
        self.body.spokes(v).iter().all(|spoke| dot(toward, spoke.direction) < least)
    }

    /// Whether a point in the coordinates of the pair is over a face.
    #[inline(always)]
    fn has_on(&self, face: u32, point: [f64; D]) -> bool {
        let point = self.local(point);
        self.body.corners(face).iter().all(|corner| dot(corner.inward, point) >= corner.offset)
    }
}
