//! Where two bodies in contact press on each other: points with depths, from which forces follow.
//!
//! Points come and go where they have no depth or no share, so that none does with a force of its own (Nezami, Hashash, Zhao and
//! Ghaboussi 2006 put the force at the corners of the clipped faces; the choice is ours).
//!
//! 1. Of each body the vertex that reaches furthest along the normal, and of the faces there the one that looks most along it.
//! 2. The two faces are clipped against each other, seen along the normal.
//! 3. The corners of what they have in common, with the depths there; those that are not in depth are left out.
//! 4. Facets beside these that share in the load (`share.rs`), from corner to corner, in the same way.
//!
//! How the depth at a corner changes when the bodies move gives the direction in which it pushes: a vertex across the face that it is
//! on, two crossing edges across both. So forces that follow from depths have a potential also where faces are not parallel.
//!
//! ```text
//!      ______________
//!     |      b       |          n ▲         depth at a corner: the height of a's face
//!     |______________|            |         over b's, along the normal
//!   ──x──────────────x──  ◄ level of b
//!  |         a          |
//! ```
//!
//! Where they have nothing in common, or nothing else in depth, one point is left: the middle of the link.
//!
//! Where one corner alone is in depth or has a share, it is found without clipping (`lone.rs`).
//!
//! Cost: mostly a look at the edges of one corner; else a clip of two polygons, and of bodies with many facets of some more.

use smallvec::SmallVec;

use super::body::{Body, Spoke};
use super::feature::BodyFeature;
use super::leaning::SEEN;
use super::lone;
use super::pose::PosedBody;
use super::region::{CornerOf, FacingOutlines, Frame, RegionCorner, STEEPEST};
use super::share::{self, Share};
use super::still::PointFeatures;
use super::two::{FoundLink, Two};
use crate::vector::{add, add_scaled, components, dot, scale};

/// A point at which two bodies press on each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPoint<const D: usize> {
    /// Where it is, halfway between the two surfaces.
    pub position: [f64; D],
    /// How deep they overlap there, along the normal.
    pub depth: f64,
    /// How the depth grows as the first body moves: along the normal by one, and across it where faces are slanted.
    pub direction: [f64; D],
    /// How much of the stiffness of the contact is there.
    pub share: Share,
    /// What meets there.
    pub of: PointFeatures,
}

impl<const D: usize> ContactPoint<D> {
    /// A point with all of the stiffness.
    #[inline(always)]
    pub(crate) fn whole(position: [f64; D], depth: f64, direction: [f64; D]) -> Self {
        Self { position, depth, direction, share: Share::WHOLE, of: PointFeatures::Unknown }
    }
}

/// The points of a contact.
pub type ContactPoints<const D: usize> = SmallVec<[ContactPoint<D>; 8]>;

/// Replaces `points` by those of two bodies that overlap along a link's normal, in the coordinates of the pair.
pub(super) fn find<const D: usize>(
    two: &Two<'_, D>,
    link: &FoundLink<D>,
    facing_only: bool,
    points: &mut ContactPoints<D>,
) {
    points.clear();
    let normal = link.normal;
    let lean = if facing_only { f64::INFINITY } else { two.a.body.lean.min(two.b.body.lean) };
    if D == 3
        && let Some(point) = lone::point(two, link, lean)
    {
        points.push(point);
        return;
    }
    let [first, second] = link.features;
    let sides = [Side::new(&two.a, normal, first), Side::new(&two.b, scale(normal, -1.0), second)];
    if D == 2 {
        common_stretch(&sides, normal, points);
    } else {
        common_region(two, [sides[0].facing, sides[1].facing], link, facing_only, points);
    }
    if points.is_empty() {
        let position = scale(add(link.points[0], link.points[1]), 0.5);
        points.push(ContactPoint::whole(position, -link.gap, normal));
    }
}

/// A body, and its facet that looks most towards the other one, of those at what reaches furthest there.
struct Side<'a, 'b, const D: usize> {
    body: &'a PosedBody<'b, D>,
    facing: u32,
}

impl<'a, 'b, const D: usize> Side<'a, 'b, D> {
    /// `feature` is where the link ends.
    #[inline(always)]
    fn new(body: &'a PosedBody<'b, D>, toward: [f64; D], feature: BodyFeature) -> Self {
        let local = body.back(toward);
        let along = |facet: u32| dot(local, body.body.facets[facet as usize].normal);
        // Mostly the normal is that of the face.
        if let BodyFeature::Face(face) = feature
            && along(face) >= FACE_ON
        {
            return Self { body, facing: face };
        }
        let holds = body.body.holds(feature, local, || local);
        let facing = match feature {
            BodyFeature::Edge(edge) if holds => {
                let [one, other] = body.body.edges[edge as usize].facets;
                if along(other) > along(one) { other } else { one }
            }
            BodyFeature::Vertex(vertex) if holds => body.body.facing(local, vertex),
            _ => {
                let deepest = body.body.support(local, feature.some_vertex(body.body));
                body.body.facing(local, deepest)
            }
        };
        Self { body, facing }
    }
}

/// Cosine of the angle between two directions that are the same but for roundings.
const FACE_ON: f64 = 1.0 - 1e-14;

/// The corners of what two faces have in common, seen along the normal.
#[inline(always)]
fn common_region<const D: usize>(
    two: &Two<'_, D>,
    facing: [u32; 2],
    link: &FoundLink<D>,
    facing_only: bool,
    points: &mut ContactPoints<D>,
) {
    let frame = Frame::across(components(|k| link.normal[k % D]));
    let to_space = |vector: [f64; 3]| -> [f64; D] {
        let vector = frame.in_world(vector);
        components(|k| vector[k % 3])
    };
    let mut pairs: SmallVec<[[u32; 2]; 4]> = SmallVec::new();
    let mut known: SmallVec<[CornerOf; 16]> = SmallVec::new();
    pairs.push(facing);
    let mut next = 0;
    while let Some(&pair) = pairs.get(next) {
        let faces = FacingOutlines::new(frame, [&two.a, &two.b], pair, link.features);
        let (from, several) = (known.len(), next > 0);
        faces.corners(|RegionCorner { place, depth, direction, share, of }| {
            if several && known.contains(&of) {
                return;
            }
            known.push(of);
            let (position, direction) = (to_space(place), to_space(direction));
            let of = of.named(pair);
            points.push(ContactPoint { position, depth, direction, share, of });
        });
        let shared: f64 = points.iter().map(|point| point.share.part).sum();
        if !facing_only && shared < ALL && !faces.is_all() && pairs.len() < MOST_PAIRS {
            let is_known =
                |pairs: &[[u32; 2]], pair| pairs.iter().any(|&known| two.is_same_flats(known, pair));
            for &of in &known[from..] {
                faces.beside(of, |[one, other]| {
                    if !is_known(&pairs, one) && !is_known(&pairs, other) {
                        let best = if faces.looks(one) < faces.looks(other) { other } else { one };
                        if faces.looks(best) > SEEN {
                            pairs.push(best);
                        }
                    }
                });
            }
        }
        next += 1;
        if next == pairs.len() && points.is_empty() && !facing_only {
            // What reaches furthest is over another facet than the one that looks most towards it.
            for first in facets_at(two.a.body, link.features[0]) {
                for second in facets_at(two.b.body, link.features[1]) {
                    let pair = [first, second];
                    if pairs.len() < MOST_PAIRS && !pairs.iter().any(|known| two.is_same_flats(*known, pair))
                    {
                        pairs.push(pair);
                    }
                }
            }
        }
    }
}

/// The facets at a feature.
fn facets_at<const D: usize>(body: &Body<D>, feature: BodyFeature) -> SmallVec<[u32; 8]> {
    match feature {
        BodyFeature::Face(face) => SmallVec::from_slice(&[face]),
        BodyFeature::Edge(edge) => SmallVec::from_slice(&body.edges[edge as usize].facets),
        BodyFeature::Vertex(vertex) => {
            let facets = |spoke: &Spoke<D>| body.edges[spoke.edge as usize].facets;
            body.spokes(vertex).iter().flat_map(facets).collect()
        }
    }
}

/// Where so much is shared, there is nothing left for other corners.
const ALL: f64 = 1.0 - 1e-9;
/// So many pairs of facets are looked at before no more are added.
const MOST_PAIRS: usize = 32;

/// The ends of what two edges in the plane have in common, seen along the normal.
fn common_stretch<const D: usize>(
    sides: &[Side<'_, '_, D>; 2],
    normal: [f64; D],
    points: &mut ContactPoints<D>,
) {
    let along: [f64; D] = std::array::from_fn(|k| if k == 0 { -normal[1] } else { normal[0] });
    let ends = [0, 1].map(|side| {
        let outline = sides[side].body.body.outline(sides[side].facing);
        let flat = |vertex: u32| {
            let place = sides[side].body.vertex(vertex);
            [dot(along, place), dot(normal, place)]
        };
        let (from, to) = (flat(outline[0]), flat(outline[1]));
        if from[0] < to[0] { [from, to] } else { [to, from] }
    });
    let slope = ends.map(|[from, to]| (to[1] - from[1]) / (to[0] - from[0]));
    let height = |side: usize, at: f64| ends[side][0][1] + (at - ends[side][0][0]) * slope[side];
    let (low, high) = (ends[0][0][0].max(ends[1][0][0]), ends[0][1][0].min(ends[1][1][0]));
    if low >= high {
        return;
    }
    let lean = sides[0].body.body.lean.min(sides[1].body.body.lean);
    let shares = share::ends(slope, lean);
    for (end, at) in [(0, low), (1, high)] {
        let (top, bottom) = (height(0, at), height(1, at));
        if top > bottom && (top - bottom).is_finite() {
            // An end of the one is on the other.
            let other = if at == ends[0][end][0] { 1 } else { 0 };
            let slanted = slope[other].abs() <= STEEPEST;
            let direction = if slanted { add_scaled(normal, -slope[other], along) } else { normal };
            let position = add_scaled(scale(along, at), 0.5 * (top + bottom), normal);
            let point = ContactPoint::whole(position, top - bottom, direction);
            points.push(ContactPoint { share: shares[end], ..point });
        }
    }
}

#[cfg(test)]
mod tests;
