//! Where two bodies in contact press on each other: points with depths, from which forces follow.
//!
//! Which points there are depends on depths alone, never on angles, so that none comes or goes with a force of its own (Nezami,
//! Hashash, Zhao and Ghaboussi 2006 put the force at the corners of the clipped faces; the choice by depth is ours).
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
//! Cost: a clip of two polygons; of bodies with many facets, of some more.

use smallvec::SmallVec;

use super::body::{Body, Spoke};
use super::feature::BodyFeature;
use super::lone;
use super::pose::PosedBody;
use super::region::{CornerOf, FacingOutlines, Frame, RegionCorner, STEEPEST};
use super::share::{self, Share};
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
    let [first, second] = link.features;
    let sides = [Side::new(&two.a, normal, first), Side::new(&two.b, scale(normal, -1.0), second)];
    let facing = [sides[0].facing, sides[1].facing];
    if D == 2 {
        common_stretch(&sides, normal, points);
    } else if !(lone::is_lone(two, facing, link) && (facing_only || lone::has_all(two, facing, link))) {
        common_region(two, facing, link, facing_only, points);
    }
    if points.is_empty() {
        let position = scale(add(link.points[0], link.points[1]), 0.5);
        points.push(ContactPoint { position, depth: -link.gap, direction: normal, share: Share::WHOLE });
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
            points.push(ContactPoint { position, depth, direction, share });
        });
        if !facing_only && !faces.is_all() && pairs.len() < MOST_PAIRS {
            for &of in &known[from..] {
                faces.beside(of, |pair| {
                    if !pairs.iter().any(|known| two.is_same_flats(*known, pair)) {
                        pairs.push(pair);
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
            points.push(ContactPoint { position, depth: top - bottom, direction, share: shares[end] });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::{LinkMemory, LinkMethod, Pose, Solver, shapes};
    use crate::random::Random;

    /// The points, without any short cut.
    fn clipped(two: &Two<'_, 3>, link: &FoundLink<3>) -> ContactPoints<3> {
        let toward = [link.normal, scale(link.normal, -1.0)];
        let sides =
            [Side::new(&two.a, toward[0], link.features[0]), Side::new(&two.b, toward[1], link.features[1])];
        let frame = Frame::across(link.normal);
        let mut points = ContactPoints::new();
        let faces =
            FacingOutlines::new(frame, [&two.a, &two.b], [sides[0].facing, sides[1].facing], link.features);
        faces.clipped(&mut |RegionCorner { place, depth, direction, share, .. }| {
            let [position, direction] = [place, direction].map(|vector| frame.in_world(vector));
            points.push(ContactPoint { position, depth, direction, share });
        });
        points
    }

    /// Whatever is not clipped because it need not be, the same points come out.
    #[test]
    fn short_cuts_find_the_same_points() {
        let mut random = Random::new(3);
        let bodies = [shapes::tetrahedron(), shapes::pyramid(), shapes::cube(), shapes::fourteen()];
        let mut solver = Solver::new(LinkMethod::ShortestLink);
        let (mut lone, mut several) = (0, 0);
        for _ in 0..20_000 {
            let pair: [&Body<3>; 2] = [&bodies[random.below(4)], &bodies[random.below(4)]];
            let direction: [f64; 3] = std::array::from_fn(|_| random.normal());
            let turn = |random: &mut Random| -> [f64; 4] {
                // Some are turned by little, so that faces are nearly parallel.
                let little = if random.below(2) == 0 { 0.02 } else { 1.0 };
                std::array::from_fn(|k| if k == 0 { 1.0 } else { little * random.normal() })
            };
            let first = Pose::from_quaternion([0.0; 3], turn(&mut random)).unwrap();
            let apart = scale(direction, 4.0 / dot(direction, direction).sqrt());
            let mut second = Pose::from_quaternion(apart, turn(&mut random)).unwrap();
            let apart = solver.link(pair, [&first, &second], &mut LinkMemory::default());
            let closer = apart.gap + 10f64.powf(random.uniform(-6.0, -1.0));
            second.position = add_scaled(second.position, -closer, apart.normal);
            let two = Two::new(pair, [&first, &second], [1.0; 2]);
            let mut memory = LinkMemory::default();
            let mut points = ContactPoints::new();
            // The second time features are kept.
            for _ in 0..2 {
                let link = solver.touch(pair, [&first, &second], [1.0; 2], &mut memory, &mut points);
                if link.gap >= 0.0 {
                    continue;
                }
                let found = FoundLink {
                    points: link.points,
                    normal: link.normal,
                    gap: link.gap,
                    features: memory.features,
                };
                let mut expected = clipped(&two, &found);
                if expected.is_empty() {
                    expected.extend(points.iter().copied());
                }
                // Corners that only just are in depth may be on either side of a rounding.
                let deep = |points: &ContactPoints<3>| {
                    let mut deep: Vec<_> =
                        points.iter().filter(|point| point.depth > 1e-12).copied().collect();
                    deep.sort_by(|p, q| p.depth.total_cmp(&q.depth));
                    deep
                };
                // Where faces lean much, others that share in the load are looked at as well.
                let (found, expected) = (deep(&points), deep(&expected));
                assert!(found.len() >= expected.len(), "{found:?} {expected:?}");
                for point in &expected {
                    let same = |other: &&ContactPoint<3>| {
                        (0..3).all(|k| {
                            (point.position[k] - other.position[k]).abs() < 1e-9
                                && (point.direction[k] - other.direction[k]).abs() < 1e-6
                                && (point.share.turn[k] - other.share.turn[k]).abs() < 1e-6
                        }) && (point.depth - other.depth).abs() < 1e-12
                            && (point.share.part - other.share.part).abs() < 1e-9
                    };
                    assert!(found.iter().any(|other| same(&other)), "{point:?} {found:?}");
                }
                lone += usize::from(found.len() == 1);
                several += usize::from(found.len() > 1);
            }
        }
        assert!(lone > 5000 && several > 5000, "{lone} {several}");
    }

    /// Half of the sum of shares times depths squared, and how it grows as the first body moves and turns about its centroid.
    fn energy(points: &ContactPoints<3>) -> (f64, [f64; 3], [f64; 3]) {
        let (mut energy, mut force, mut couple) = (0.0, [0.0; 3], [0.0; 3]);
        for ContactPoint { position, depth, direction, share } in points {
            let push = scale(*direction, share.part * depth);
            energy += 0.5 * share.part * depth * depth;
            force = add(force, push);
            couple = add(couple, crate::vector::cross(*position, push));
            couple = add_scaled(couple, 0.5 * depth * depth, share.turn);
        }
        (energy, force, couple)
    }

    /// Bodies that move and turn a little gain or lose what forces and couples say.
    #[test]
    fn the_energy_of_a_contact_is_a_potential() {
        let mut random = Random::new(4);
        let mut cloud = |count: usize| {
            let points: Vec<[f64; 3]> = (0..count)
                .map(|_| {
                    let point: [f64; 3] = std::array::from_fn(|_| random.normal());
                    scale(point, 1.0 / dot(point, point).sqrt())
                })
                .collect();
            Body::<3>::from_points(&points).unwrap()
        };
        let clouds = [cloud(10), cloud(16), cloud(30)];
        let mut bodies = vec![shapes::tetrahedron(), shapes::pyramid(), shapes::cube(), shapes::fourteen()];
        bodies.extend(clouds);
        let mut random = Random::new(3);
        let mut solver = Solver::new(LinkMethod::ShortestLink);
        let mut errors = Vec::new();
        for trial in 0..20_000 {
            let pair: [&Body<3>; 2] = [&bodies[random.below(7)], &bodies[random.below(7)]];
            let direction: [f64; 3] = std::array::from_fn(|_| random.normal());
            let turn = |random: &mut Random| -> [f64; 4] {
                let little = if random.below(2) == 0 { 0.1 } else { 1.0 };
                std::array::from_fn(|k| if k == 0 { 1.0 } else { little * random.normal() })
            };
            let first = Pose::from_quaternion([0.0; 3], turn(&mut random)).unwrap();
            let apart = scale(direction, 4.0 / dot(direction, direction).sqrt());
            let mut second = Pose::from_quaternion(apart, turn(&mut random)).unwrap();
            let apart = solver.link(pair, [&first, &second], &mut LinkMemory::default());
            let closer = apart.gap + 10f64.powf(random.uniform(-4.0, -1.5));
            second.position = add_scaled(second.position, -closer, apart.normal);
            let (move_by, turn_by): ([f64; 3], [f64; 3]) =
                (std::array::from_fn(|_| random.normal()), std::array::from_fn(|_| random.normal()));
            let mut memory = LinkMemory::default();
            let mut at = |by: f64| {
                let mut moved = first;
                for column in 0..3 {
                    let axis: [f64; 3] = std::array::from_fn(|row| first.rotation[row][column]);
                    let axis = add_scaled(axis, by, crate::vector::cross(turn_by, axis));
                    let axis = scale(axis, 1.0 / dot(axis, axis).sqrt());
                    (0..3).for_each(|row| moved.rotation[row][column] = axis[row]);
                }
                moved.position = scale(move_by, by);
                let mut points = ContactPoints::new();
                solver.touch(pair, [&moved, &second], [1.0; 2], &mut memory, &mut points);
                (energy(&points), memory.features, points)
            };
            let step = 1e-7;
            let (here, features, points) = at(0.0);
            let ((more, ..), features_more, points_more) = at(step);
            let ((less, ..), features_less, points_less) = at(-step);
            let same = features == features_more
                && features == features_less
                && points.len() == points_more.len()
                && points.len() == points_less.len();
            if !same || here.0 == 0.0 {
                continue;
            }
            let expected = (more - less) / (2.0 * step);
            let found = dot(here.1, move_by) + dot(here.2, turn_by);
            let scale = (2.0 * here.0).sqrt();
            errors.push((
                (expected - found).abs() / scale,
                trial,
                features,
                points.len(),
                expected / scale,
                found / scale,
            ));
        }
        errors.sort_by(|one, other| one.0.total_cmp(&other.0));
        // Some were found from other faces than those beside them, which comes with a leap.
        let most = errors[(0.996 * errors.len() as f64) as usize];
        assert!(errors.len() > 19_000 && most.0 < 1e-7, "{most:?} {:?}", errors.last());
    }

    /// The corners of all pairs of facets that look at each other.
    fn all_corners(two: &Two<'_, 3>, link: &FoundLink<3>) -> Vec<(CornerOf, f64, f64)> {
        let frame = Frame::across(link.normal);
        let looks = |side: &PosedBody<'_, 3>, toward: [f64; 3]| -> Vec<u32> {
            let count = side.body.facets.len() as u32;
            (0..count).filter(|&facet| dot(side.normal(facet), toward) > 0.05).collect()
        };
        let mut all: Vec<(CornerOf, f64, f64)> = Vec::new();
        for first in looks(&two.a, link.normal) {
            for second in looks(&two.b, scale(link.normal, -1.0)) {
                let faces = FacingOutlines::new(frame, [&two.a, &two.b], [first, second], link.features);
                faces.corners(|RegionCorner { depth, share, of, .. }| {
                    if !all.iter().any(|known| known.0 == of) {
                        all.push((of, depth, share.part));
                    }
                });
            }
        }
        all
    }

    /// From the two facing faces on, all corners that share in the load are found.
    #[test]
    fn no_corner_is_missed() {
        let mut random = Random::new(4);
        let mut cloud = |count: usize| {
            let points: Vec<[f64; 3]> = (0..count)
                .map(|_| {
                    let point: [f64; 3] = std::array::from_fn(|_| random.normal());
                    scale(point, 1.0 / dot(point, point).sqrt())
                })
                .collect();
            Body::<3>::from_points(&points).unwrap()
        };
        let bodies = [cloud(10), cloud(16), cloud(20), cloud(30), shapes::cube(), shapes::fourteen()];
        let mut random = Random::new(3);
        let mut solver = Solver::new(LinkMethod::ShortestLink);
        let (mut missed, mut total) = (Vec::new(), 0);
        for trial in 0..20_000 {
            let pair: [&Body<3>; 2] = [&bodies[random.below(6)], &bodies[random.below(6)]];
            let direction: [f64; 3] = std::array::from_fn(|_| random.normal());
            let turn = |random: &mut Random| -> [f64; 4] { std::array::from_fn(|_| random.normal()) };
            let first = Pose::from_quaternion([0.0; 3], turn(&mut random)).unwrap();
            let apart = scale(direction, 4.0 / dot(direction, direction).sqrt());
            let mut second = Pose::from_quaternion(apart, turn(&mut random)).unwrap();
            let apart = solver.link(pair, [&first, &second], &mut LinkMemory::default());
            let closer = apart.gap + 10f64.powf(random.uniform(-4.0, -2.0));
            second.position = add_scaled(second.position, -closer, apart.normal);
            let two = Two::new(pair, [&first, &second], [1.0; 2]);
            let mut memory = LinkMemory::default();
            let mut points = ContactPoints::new();
            let link = solver.touch(pair, [&first, &second], [1.0; 2], &mut memory, &mut points);
            if link.gap >= 0.0 {
                continue;
            }
            let found = FoundLink {
                points: link.points,
                normal: link.normal,
                gap: link.gap,
                features: memory.features,
            };
            let all = all_corners(&two, &found);
            let expected: f64 = all.iter().map(|(_, depth, share)| depth * depth * share).sum();
            let energy: f64 = points.iter().map(|point| point.depth * point.depth * point.share.part).sum();
            total += 1;
            if (energy / expected - 1.0).abs() > 1e-9 {
                missed.push((trial, memory.features, energy / expected));
            }
        }
        assert!(
            total > 19_000 && missed.len() < total / 1000,
            "{} of {total}: {:?}",
            missed.len(),
            &missed[..5.min(missed.len())]
        );
    }
}
