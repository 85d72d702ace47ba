//! Where two bodies in contact press on each other: points with depths, from which forces follow.
//!
//! Which points there are depends on depths alone, never on angles, so that none comes or goes with a force of its own (Nezami,
//! Hashash, Zhao and Ghaboussi 2006 put the force at the corners of the clipped faces; the choice by depth is ours).
//!
//! 1. Of each body the vertex that reaches furthest along the normal, and of the faces there the one that looks most along it.
//! 2. The two faces are clipped against each other, seen along the normal.
//! 3. The corners of what they have in common, with the depths there; those that are not in depth are left out.
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
//! Where they have nothing in common, one point is left: the middle of the link.
//!
//! Cost: a clip of two polygons.

use smallvec::SmallVec;

use super::pose::PosedBody;
use super::two::{FoundLink, Two};
use crate::vector::{add, add_scaled, cross, dot, scale, sub, unit};

/// A point at which two bodies press on each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPoint<const D: usize> {
    /// Where it is, halfway between the two surfaces.
    pub position: [f64; D],
    /// How deep they overlap there, along the normal.
    pub depth: f64,
    /// How the depth grows as the first body moves: along the normal by one, and across it where faces are slanted.
    pub direction: [f64; D],
}

/// The points of a contact.
pub type ContactPoints<const D: usize> = SmallVec<[ContactPoint<D>; 8]>;

/// Replaces `points` by those of two bodies that overlap along a link's normal, in the coordinates of the pair.
pub(super) fn find<const D: usize>(two: &Two<'_, D>, link: &FoundLink<D>, points: &mut ContactPoints<D>) {
    points.clear();
    let normal = link.normal;
    let hint = two.some_vertices(link.features);
    let sides = [Side::new(&two.a, normal, hint[0]), Side::new(&two.b, scale(normal, -1.0), hint[1])];
    if D == 2 {
        common_stretch(&sides, normal, points);
    } else {
        common_region(&sides, normal, points);
    }
    if points.is_empty() {
        let middle = scale(add(link.points[0], link.points[1]), 0.5);
        points.push(ContactPoint { position: middle, depth: -link.gap, direction: normal });
    }
}

/// A body, the direction in which the other one is, and the vertex that is furthest there.
struct Side<'a, 'b, const D: usize> {
    body: &'a PosedBody<'b, D>,
    /// The direction in the body's coordinates.
    local: [f64; D],
    deepest: u32,
}

impl<'a, 'b, const D: usize> Side<'a, 'b, D> {
    #[inline(always)]
    fn new(body: &'a PosedBody<'b, D>, toward: [f64; D], near: u32) -> Self {
        let local = body.back(toward);
        Self { body, local, deepest: body.body.support(local, near) }
    }

    /// The facet at the deepest vertex that looks most towards the other body.
    fn facing(&self) -> u32 {
        let Self { body, local, deepest, .. } = self;
        let (mut best, mut most) = (0, f64::NEG_INFINITY);
        for spoke in body.body.spokes(*deepest) {
            for facet in body.body.edges[spoke.edge as usize].facets {
                let along = dot(*local, body.body.facets[facet as usize].normal);
                if along > most {
                    (best, most) = (facet, along);
                }
            }
        }
        best
    }
}

/// A corner of a region, and the edge that begins there.
#[derive(Clone, Copy)]
struct Corner {
    /// Along the two axes across the normal, and along it, on the face that the edge belongs to.
    place: [f64; 3],
    edge: FaceEdge,
}

/// An edge of one of the two faces.
#[derive(Clone, Copy)]
struct FaceEdge {
    of_first: bool,
    along: [f64; 3],
}

/// Corners, of which there are seldom more than a dozen.
type Corners = SmallVec<[Corner; 12]>;

/// The corners of what two faces have in common, seen along the normal.
fn common_region<const D: usize>(
    sides: &[Side<'_, '_, D>; 2],
    normal: [f64; D],
    points: &mut ContactPoints<D>,
) {
    let normal: [f64; 3] = std::array::from_fn(|k| normal[k]);
    let aside = if normal[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let Some(x) = unit(cross(aside, normal)) else { return };
    let y = cross(normal, x);
    let in_space = |vector: [f64; D]| -> [f64; 3] { std::array::from_fn(|k| vector[k]) };
    let flat = |vector: [f64; 3]| [dot(x, vector), dot(y, vector), dot(normal, vector)];
    let faces = [sides[0].facing(), sides[1].facing()];
    let corners = |side: usize| -> Corners {
        let body = sides[side].body;
        let outline = body.body.outline(faces[side]);
        let place = |k: usize| flat(in_space(body.vertex(outline[k % outline.len()])));
        let edge = |k: usize| FaceEdge { of_first: side == 0, along: sub(place(k + 1), place(k)) };
        (0..outline.len()).map(|k| Corner { place: place(k), edge: edge(k) }).collect()
    };
    let (first, mut clipped) = (corners(0), corners(1));
    // Planes of the faces as heights along the normal over the place across it.
    let plane = |side: usize, on: [f64; 3]| {
        let facing = flat(in_space(sides[side].body.normal(faces[side])));
        FacePlane { on, slope: [-facing[0] / facing[2], -facing[1] / facing[2]] }
    };
    let planes = [plane(0, first[0].place), plane(1, clipped[0].place)];
    // Seen along the normal, the second face is clockwise.
    reverse(&mut clipped);
    for (k, from) in first.iter().enumerate() {
        let to = first[(k + 1) % first.len()].place;
        let inward = [from.place[1] - to[1], to[0] - from.place[0]];
        let inside =
            |place: [f64; 3]| inward[0] * (place[0] - from.place[0]) + inward[1] * (place[1] - from.place[1]);
        clip(&mut clipped, from.edge, inside);
    }
    for k in 0..clipped.len() {
        let (before, Corner { place, edge }) =
            (clipped[(k + clipped.len() - 1) % clipped.len()].edge, clipped[k]);
        let (top, bottom) = (planes[0].height(place), planes[1].height(place));
        let direction = match (before.of_first, edge.of_first) {
            // A vertex of the second body on the face of the first, and the other way round.
            (false, false) => planes[0].upright(),
            (true, true) => planes[1].upright(),
            _ => {
                let across = cross(before.along, edge.along);
                scale(across, 1.0 / across[2])
            }
        };
        let depth = top - bottom;
        // A face that is seen edge on has no height, and parallel edges do not cross.
        if depth > 0.0 && depth.is_finite() {
            let slanted = direction.iter().all(|part| part.abs() <= STEEPEST);
            let direction = if slanted { direction } else { [0.0, 0.0, 1.0] };
            let to_space = |[u, v, w]: [f64; 3]| -> [f64; D] {
                let vector = add_scaled(add_scaled(scale(x, u), v, y), w, normal);
                std::array::from_fn(|k| vector[k])
            };
            points.push(ContactPoint {
                position: to_space([place[0], place[1], 0.5 * (top + bottom)]),
                depth,
                direction: to_space(direction),
            });
        }
    }
}

/// Points push at most this much more across the normal than along it; edges that are nearly parallel say nothing of where.
const STEEPEST: f64 = 2.0;

/// The plane of a face, over the place across the normal.
#[derive(Clone, Copy)]
struct FacePlane {
    on: [f64; 3],
    slope: [f64; 2],
}

impl FacePlane {
    fn height(&self, [u, v, _]: [f64; 3]) -> f64 {
        self.on[2] + self.slope[0] * (u - self.on[0]) + self.slope[1] * (v - self.on[1])
    }

    /// What is perpendicular to it, one along the normal.
    fn upright(&self) -> [f64; 3] {
        [-self.slope[0], -self.slope[1], 1.0]
    }
}

/// The same corners the other way round.
fn reverse(polygon: &mut Corners) {
    polygon.reverse();
    let edges: SmallVec<[FaceEdge; 12]> = polygon.iter().map(|corner| corner.edge).collect();
    let count = polygon.len();
    for (k, corner) in polygon.iter_mut().enumerate() {
        // The edge that ended at a corner begins there now.
        let edge = edges[(k + 1) % count];
        corner.edge = FaceEdge { along: scale(edge.along, -1.0), ..edge };
    }
}

/// Keeps the part of a polygon in which a linear function is not negative; where it is cut off, it is by this edge.
fn clip(polygon: &mut Corners, edge: FaceEdge, inside: impl Fn([f64; 3]) -> f64) {
    let mut kept = Corners::new();
    for k in 0..polygon.len() {
        let (here, next) = (polygon[k], polygon[(k + 1) % polygon.len()]);
        let (value, next_value) = (inside(here.place), inside(next.place));
        if value >= 0.0 {
            kept.push(here);
        }
        if (value >= 0.0) != (next_value >= 0.0) {
            let place = add_scaled(here.place, value / (value - next_value), sub(next.place, here.place));
            // On the way out the cut begins there, on the way in what was there goes on.
            kept.push(Corner { place, edge: if value >= 0.0 { edge } else { here.edge } });
        }
    }
    *polygon = kept;
}

/// The ends of what two edges in the plane have in common, seen along the normal.
fn common_stretch<const D: usize>(
    sides: &[Side<'_, '_, D>; 2],
    normal: [f64; D],
    points: &mut ContactPoints<D>,
) {
    let along: [f64; D] = std::array::from_fn(|k| if k == 0 { -normal[1] } else { normal[0] });
    let ends = [0, 1].map(|side| {
        let outline = sides[side].body.body.outline(sides[side].facing());
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
    for (end, at) in [(0, low), (1, high)] {
        let (top, bottom) = (height(0, at), height(1, at));
        if top > bottom && (top - bottom).is_finite() {
            // An end of the one is on the other.
            let other = if at == ends[0][end][0] { 1 } else { 0 };
            let slanted = slope[other].abs() <= STEEPEST;
            let direction = if slanted { add_scaled(normal, -slope[other], along) } else { normal };
            let position = add_scaled(scale(along, at), 0.5 * (top + bottom), normal);
            points.push(ContactPoint { position, depth: top - bottom, direction });
        }
    }
}
