//! A vertex in a face, or two crossing edges, where nothing else in depth has a share of the load: one point, without clipping the faces.
//!
//! Seen along the normal, what is in depth round such a point is cut off by the lines in which the facets meet:
//!
//! ```text
//!   a vertex v on a face                two edges that cross at x
//!      \  in depth /                            z
//!   ────z────────z────  ◄ the line            / | \
//!        \      /                       e ───z──x──z───
//!         \    /                              \ | /
//!          \  /                                 z
//!           v                                   g
//! ```
//!
//! Edges that fall away steeply leave no share to what is at their other ends (`share.rs`). If all other ends `z` are on the facets, so
//! is all between them and the point, and no other corner is in depth.

use super::feature::BodyFeature;
use super::leaning::{EDGE_ON, Leaning, Owner, SeenBody, SeenEdge, Swing};
use super::manifold::ContactPoint;
use super::pose::PosedBody;
use super::region::Frame;
use super::share::Share;
use super::still::PointFeatures;
use super::two::{FoundLink, Two};
use crate::vector::{add, add_scaled, components, dot, scale, sub};

/// The point of overlapping bodies that press on each other at one alone; `None` if they may do so at more.
///
/// `lean` is the slope up to which they share, infinite where every corner counts in full.
#[inline(always)]
pub(super) fn point<const D: usize>(
    two: &Two<'_, D>,
    link: &FoundLink<D>,
    lean: f64,
) -> Option<ContactPoint<D>> {
    let Two { a, b } = two;
    let (share, of) = match link.features {
        [BodyFeature::Vertex(v), BodyFeature::Face(f)] => (
            vertex_in_face([a, b], [v, f], Owner::First, link, lean)?,
            PointFeatures::named(PointFeatures::First, [v, f]),
        ),
        [BodyFeature::Face(f), BodyFeature::Vertex(v)] => (
            vertex_in_face([b, a], [v, f], Owner::Second, link, lean)?,
            PointFeatures::named(PointFeatures::Second, [f, v]),
        ),
        [BodyFeature::Edge(e), BodyFeature::Edge(g)] => {
            (crossing_edges(two, [e, g], link, lean)?, PointFeatures::named(PointFeatures::Edges, [e, g]))
        }
        _ => return None,
    };
    let position = scale(add(link.points[0], link.points[1]), 0.5);
    Some(ContactPoint { position, depth: -link.gap, direction: link.normal, share, of })
}

/// The share of a vertex of one body, the owner, in a face of the other.
#[inline(always)]
fn vertex_in_face<const D: usize>(
    [side, base]: [&PosedBody<'_, D>; 2],
    [v, face]: [u32; 2],
    owner: Owner,
    link: &FoundLink<D>,
    lean: f64,
) -> Option<Share> {
    let (here, toward) = (side.body.vertex(v), side.back(scale(link.normal, owner.sign())));
    let (depth, mut has_all) = (-link.gap, true);
    for spoke in side.body.spokes(v) {
        if is_steep(-dot(toward, spoke.direction), 1.0, lean) {
            continue;
        }
        let along = sub(side.body.vertex(spoke.vertex), here);
        let rise = -side.scale * dot(toward, along);
        if !(rise > depth && base.has_on(face, side.place(add_scaled(here, depth / rise, along)))) {
            return None;
        }
        has_all = false;
    }
    if has_all || lean == f64::INFINITY {
        return Some(Share::WHOLE);
    }
    // In the coordinates of the body.
    let frame = Frame::across(components(|k| owner.sign() * toward[k % D]));
    let leaning = Leaning::new(frame, [[0.0; 2]; 2], lean, Swing::With(owner.other()));
    let share = leaning.vertex(&SeenBody::new(side.body, &frame, owner, |axis| axis), v);
    let turn: [f64; D] = side.turn(components(|k| share.turn[k % 3]));
    Some(Share { turn: components(|k| turn[k % D]), ..share })
}

/// The share of the point where two edges cross.
#[inline(always)]
fn crossing_edges<const D: usize>(
    two: &Two<'_, D>,
    edges: [u32; 2],
    link: &FoundLink<D>,
    lean: f64,
) -> Option<Share> {
    let (sides, owners) = ([&two.a, &two.b], [Owner::First, Owner::Second]);
    let edge_of = |k: usize| &sides[k].body.edges[edges[k] as usize];
    let alongs = [0, 1].map(|k| sides[k].turn(edge_of(k).direction));
    let cosine = dot(alongs[0], alongs[1]);
    // What slopes across one of them slopes so much less along the other.
    let sine_square = 1.0 - cosine * cosine;
    let (mut has_all, mut falls) = (true, [[[0.0; 2]; 2]; 2]);
    for (own, other) in [(0, 1), (1, 0)] {
        let (base, edge) = (sides[other], edge_of(other));
        let toward = base.back(scale(link.normal, owners[other].sign()));
        for k in 0..2 {
            let fall = -dot(toward, edge.inward[k]);
            let facet = edge.facets[k];
            if !is_steep(fall, sine_square, lean) {
                if !leaves([sides[own], base], [edges[own], facet], link.points[own]) {
                    return None;
                }
                has_all = false;
            }
            falls[other][k] = [fall, dot(toward, base.body.facets[facet as usize].normal)];
        }
    }
    if has_all || lean == f64::INFINITY {
        return Some(Share::WHOLE);
    }
    let [along, normal] = [alongs[0], link.normal].map(|vector| components(|k| vector[k % D]));
    let frame = Frame::along(along, normal);
    let sine = dot(frame.axes(1.0)[1], components(|k| alongs[1][k % D]));
    // The first facet is on the left, seen from outside.
    let slope = |[fall, up]: [f64; 2]| if up > EDGE_ON { fall / up } else { f64::INFINITY };
    let [[a, b], [c, d]] = falls.map(|falls| falls.map(slope));
    let first = SeenEdge { along: [1.0, 0.0], level: 0.0, range: [-a, b] };
    let second = SeenEdge { along: [cosine, sine], level: 0.0, range: [-d, c] };
    let swing = Swing::across([first.along, second.along]);
    Some(Leaning::new(frame, [[0.0; 2]; 2], lean, swing).crossing([&first, &second]))
}

/// Whether a slope that falls by this, a sine, falls by the lean at least along a direction of which this is the square of the sine.
#[inline(always)]
fn is_steep(fall: f64, sine_square: f64, lean: f64) -> bool {
    let square = fall * fall;
    fall > 0.0 && square * sine_square >= lean * lean * (1.0 - square)
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
    /// Whether a point in the coordinates of the pair is over a face.
    #[inline(always)]
    fn has_on(&self, face: u32, point: [f64; D]) -> bool {
        let point = self.local(point);
        self.body.corners(face).iter().all(|corner| dot(corner.inward, point) >= corner.offset)
    }
}
