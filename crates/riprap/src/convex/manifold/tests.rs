use super::*;
use crate::convex::{LinkMemory, LinkMethod, Pose, Solver, StillPoints, shapes};
use crate::random::Random;
use crate::vector::{cross, sub};

/// The four ready-made shapes, and bodies of random vertices on a sphere, so many each.
fn bodies(counts: &[usize]) -> Vec<Body<3>> {
    let mut random = Random::new(4);
    let mut cloud = |count: usize| {
        let vertex = |_| {
            let point: [f64; 3] = std::array::from_fn(|_| random.normal());
            scale(point, 1.0 / dot(point, point).sqrt())
        };
        Body::<3>::from_points(&(0..count).map(vertex).collect::<Vec<_>>()).unwrap()
    };
    let ready = [shapes::tetrahedron(), shapes::pyramid(), shapes::cube(), shapes::fourteen()];
    ready.into_iter().chain(counts.iter().map(|&count| cloud(count))).collect()
}

/// Two bodies that overlap somewhere.
struct Touching<'a> {
    pair: [&'a Body<3>; 2],
    poses: [Pose<3>; 2],
}

impl<'a> Touching<'a> {
    /// Two of some bodies, by ten to a power between these; half of them are turned by `little`, so that faces are nearly parallel.
    fn new(
        bodies: &'a [Body<3>],
        random: &mut Random,
        solver: &mut Solver<3>,
        little: f64,
        [least, most]: [f64; 2],
    ) -> Self {
        let pair = [(); 2].map(|()| &bodies[random.below(bodies.len())]);
        let direction: [f64; 3] = std::array::from_fn(|_| random.normal());
        let apart = scale(direction, 4.0 / dot(direction, direction).sqrt());
        let mut poses = [[0.0; 3], apart].map(|position| {
            let by = if random.below(2) == 0 { little } else { 1.0 };
            let turn = std::array::from_fn(|k| if k == 0 { 1.0 } else { by * random.normal() });
            Pose::from_quaternion(position, turn).unwrap()
        });
        let apart = solver.link(pair, [&poses[0], &poses[1]], &mut LinkMemory::default());
        let closer = apart.gap + 10f64.powf(random.uniform(least, most));
        poses[1].position = add_scaled(poses[1].position, -closer, apart.normal);
        Self { pair, poses }
    }

    fn two(&self) -> Two<'_, 3> {
        Two::new(self.pair, [&self.poses[0], &self.poses[1]], [1.0; 2])
    }

    /// The link and the points, if the two overlap along it.
    fn touch(
        &self,
        solver: &mut Solver<3>,
        memory: &mut LinkMemory<3>,
    ) -> Option<(FoundLink<3>, ContactPoints<3>)> {
        let link = self.touch_still(solver, (memory, &mut StillPoints::default()));
        link.map(|(link, points, _)| (link, points))
    }

    /// The same of bodies that may keep still; also whether they do.
    fn touch_still(
        &self,
        solver: &mut Solver<3>,
        (memory, still): (&mut LinkMemory<3>, &mut StillPoints),
    ) -> Option<(FoundLink<3>, ContactPoints<3>, bool)> {
        let mut points = ContactPoints::new();
        let [first, second] = &self.poses;
        let link = solver.touch(self.pair, [first, second], [1.0; 2], (memory, still), &mut points);
        let (normal, gap, features) = (link.normal, link.gap, memory.features);
        let found = FoundLink { points: link.points, normal, gap, features };
        (gap < 0.0).then_some((found, points, link.iterations == 0))
    }
}

/// The points, without any short cut.
fn clipped(two: &Two<'_, 3>, link: &FoundLink<3>) -> ContactPoints<3> {
    let toward = [link.normal, scale(link.normal, -1.0)];
    let sides =
        [Side::new(&two.a, toward[0], link.features[0]), Side::new(&two.b, toward[1], link.features[1])];
    let frame = Frame::across(link.normal);
    let mut points = ContactPoints::new();
    let faces =
        FacingOutlines::new(frame, [&two.a, &two.b], [sides[0].facing, sides[1].facing], link.features);
    faces.clipped(&mut |RegionCorner { place, depth, direction, share, of }| {
        let [position, direction] = [place, direction].map(|vector| frame.in_world(vector));
        let of = of.named([sides[0].facing, sides[1].facing]);
        points.push(ContactPoint { position, depth, direction, share, of });
    });
    points
}

/// Points that are in depth for certain, the shallowest first.
fn deep(points: &ContactPoints<3>) -> Vec<ContactPoint<3>> {
    let mut deep: Vec<_> = points.iter().filter(|point| point.depth > 1e-12).copied().collect();
    deep.sort_by(|p, q| p.depth.total_cmp(&q.depth));
    deep
}

fn is_same_place(one: &ContactPoint<3>, other: &ContactPoint<3>) -> bool {
    let near = |a: [f64; 3], b: [f64; 3], tolerance: f64| (0..3).all(|k| (a[k] - b[k]).abs() < tolerance);
    near(one.position, other.position, 1e-9)
        && near(one.direction, other.direction, 1e-6)
        && (one.depth - other.depth).abs() < 1e-12
}

fn is_same_share(one: &ContactPoint<3>, other: &ContactPoint<3>) -> bool {
    (one.share.part - other.share.part).abs() < 1e-9
        && (0..3).all(|k| (one.share.turn[k] - other.share.turn[k]).abs() < 1e-6)
}

/// Whatever is not clipped because it need not be, the same points come out.
#[test]
fn short_cuts_find_the_same_points() {
    let (bodies, mut random) = (bodies(&[]), Random::new(3));
    let mut solver = Solver::new(LinkMethod::ShortestLink);
    let (mut lone, mut several) = (0, 0);
    for _ in 0..20_000 {
        let touching = Touching::new(&bodies, &mut random, &mut solver, 0.02, [-6.0, -1.0]);
        let mut memory = LinkMemory::default();
        // The second time features are kept. Faces beside the facing ones add points, and take none away.
        for facing_only in [true, true, false, false] {
            solver.facing_only = facing_only;
            let Some((link, points)) = touching.touch(&mut solver, &mut memory) else { continue };
            let mut expected = clipped(&touching.two(), &link);
            if expected.is_empty() {
                expected.extend(points.iter().copied());
            }
            let (found, expected) = (deep(&points), deep(&expected));
            if facing_only {
                assert_eq!(found.len(), expected.len(), "{found:?} {expected:?}");
            }
            for point in &expected {
                let same = |other: &ContactPoint<3>| {
                    is_same_place(point, other) && (facing_only || is_same_share(point, other))
                };
                // What has no share need not be found.
                let counts = facing_only || point.share.part > 1e-9;
                assert!(!counts || found.iter().any(same), "{point:?} {found:?}");
            }
            lone += usize::from(facing_only && found.len() == 1);
            several += usize::from(facing_only && found.len() > 1);
        }
    }
    assert!(lone > 5000 && several > 5000, "{lone} {several}");
}

/// Half of the sum of shares times depths squared, and how it grows as the first body moves and turns about its centroid.
fn energy(points: &ContactPoints<3>) -> (f64, [f64; 3], [f64; 3]) {
    let (mut energy, mut force, mut couple) = (0.0, [0.0; 3], [0.0; 3]);
    for ContactPoint { position, depth, direction, share, .. } in points {
        let push = scale(*direction, share.part * depth);
        energy += 0.5 * share.part * depth * depth;
        force = add(force, push);
        couple = add(couple, cross(*position, push));
        couple = add_scaled(couple, 0.5 * depth * depth, share.turn);
    }
    (energy, force, couple)
}

/// A pose after a small turn about an axis, by so many times its length, and a motion.
fn moved(pose: &Pose<3>, turn_by: [f64; 3], move_by: [f64; 3], times: f64) -> Pose<3> {
    let mut moved = *pose;
    for column in 0..3 {
        let axis: [f64; 3] = std::array::from_fn(|row| pose.rotation[row][column]);
        let axis = add_scaled(axis, times, cross(turn_by, axis));
        let length = dot(axis, axis).sqrt();
        (0..3).for_each(|row| moved.rotation[row][column] = axis[row] / length);
    }
    moved.position = add_scaled(pose.position, times, move_by);
    moved
}

/// Bodies that move and turn a little gain or lose what forces and couples say.
#[test]
fn the_energy_of_a_contact_is_a_potential() {
    let (bodies, mut random) = (bodies(&[10, 16, 30]), Random::new(3));
    let mut solver = Solver::new(LinkMethod::ShortestLink);
    let mut errors = Vec::new();
    for trial in 0..20_000 {
        let touching = Touching::new(&bodies, &mut random, &mut solver, 0.1, [-4.0, -1.5]);
        let [move_by, turn_by]: [[f64; 3]; 2] = [(); 2].map(|()| std::array::from_fn(|_| random.normal()));
        let mut memory = LinkMemory::default();
        let mut at = |times: f64| {
            let [first, second] = touching.poses;
            let poses = [moved(&first, turn_by, move_by, times), second];
            let (link, points) = Touching { pair: touching.pair, poses }.touch(&mut solver, &mut memory)?;
            Some((energy(&points), (link.features, points.len())))
        };
        let step = 1e-7;
        let (Some(here), Some(more), Some(less)) = (at(0.0), at(step), at(-step)) else { continue };
        if here.1 != more.1 || here.1 != less.1 {
            continue;
        }
        let expected = (more.0.0 - less.0.0) / (2.0 * step);
        let (energy, force, couple) = here.0;
        let found = dot(force, move_by) + dot(couple, turn_by);
        errors.push(((expected - found).abs() / (2.0 * energy).sqrt(), trial, here.1));
    }
    errors.sort_by(|one, other| one.0.total_cmp(&other.0));
    // Some are where the facets that are looked at change.
    let most = errors[(0.996 * errors.len() as f64) as usize];
    assert!(errors.len() > 19_000 && most.0 < 1e-7, "{most:?} {:?}", errors.last());
}

/// The corners of all pairs of facets that look at each other.
fn all_corners(two: &Two<'_, 3>, link: &FoundLink<3>) -> Vec<(CornerOf, f64, f64)> {
    let frame = Frame::across(link.normal);
    let looking = |side: &PosedBody<'_, 3>, toward: [f64; 3]| -> Vec<u32> {
        let facets = 0..side.body.facets.len() as u32;
        facets.filter(|&facet| dot(side.normal(facet), toward) > 0.05).collect()
    };
    let mut all: Vec<(CornerOf, f64, f64)> = Vec::new();
    for first in looking(&two.a, link.normal) {
        for second in looking(&two.b, scale(link.normal, -1.0)) {
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
    let (bodies, mut random) = (bodies(&[10, 16, 20, 30]), Random::new(3));
    let mut solver = Solver::new(LinkMethod::ShortestLink);
    let (mut missed, mut total) = (Vec::new(), 0);
    for trial in 0..20_000 {
        let touching = Touching::new(&bodies, &mut random, &mut solver, 1.0, [-4.0, -2.0]);
        let mut memory = LinkMemory::default();
        let Some((link, points)) = touching.touch(&mut solver, &mut memory) else { continue };
        let corners = all_corners(&touching.two(), &link);
        let expected: f64 = corners.iter().map(|(_, depth, share)| 0.5 * depth * depth * share).sum();
        total += 1;
        let ratio = energy(&points).0 / expected;
        if (ratio - 1.0).abs() > 1e-9 {
            missed.push((trial, link.features, ratio));
        }
    }
    let some = &missed[..missed.len().min(5)];
    assert!(total > 19_000 && missed.len() < total / 1000, "{} of {total}: {some:?}", missed.len());
}

/// Bodies that are carried along together keep their points, wherever they are.
#[test]
fn points_go_along_with_bodies_that_keep_still() {
    let (bodies, mut random) = (bodies(&[10, 30]), Random::new(5));
    let mut solver = Solver::new(LinkMethod::ShortestLink);
    let mut several = 0;
    for trial in 0..20_000 {
        let mut touching = Touching::new(&bodies, &mut random, &mut solver, 0.02, [-6.0, -1.0]);
        let (mut memory, mut still) = (LinkMemory::default(), StillPoints::default());
        let Some((link, before, false)) = touching.touch_still(&mut solver, (&mut memory, &mut still)) else {
            continue;
        };
        let turn = Pose::from_quaternion([0.0; 3], std::array::from_fn(|_| random.normal())).unwrap();
        let shift: [f64; 3] = std::array::from_fn(|_| random.normal());
        for pose in &mut touching.poses {
            pose.position = add(shift, turn.turn(pose.position));
            let axes: [[f64; 3]; 3] = std::array::from_fn(|column| {
                turn.turn(std::array::from_fn(|row| pose.rotation[row][column]))
            });
            pose.rotation = std::array::from_fn(|row| std::array::from_fn(|column| axes[column][row]));
        }
        // The last normal, from which that across two edges takes its sign.
        memory.normal = turn.turn(memory.normal);
        memory.between = turn.turn(memory.between);
        let found = touching.touch_still(&mut solver, (&mut memory, &mut still));
        let Some((now, after, true)) = found else { continue };
        let near = |a: [f64; 3], b: [f64; 3], tolerance: f64| (0..3).all(|k| (a[k] - b[k]).abs() < tolerance);
        assert!(near(now.normal, turn.turn(link.normal), 1e-9), "{trial}");
        let deep = |points: &ContactPoints<3>| -> Vec<_> {
            points.iter().filter(|point| point.depth > 1e-11).copied().collect()
        };
        let (before, after) = (deep(&before), deep(&after));
        assert_eq!(before.len(), after.len(), "{trial} {before:?} {after:?}");
        for (before, after) in before.iter().zip(&after) {
            assert!((before.depth - after.depth).abs() < 1e-12, "{trial} {before:?} {after:?}");
            assert!(near(turn.turn(before.position), after.position, 1e-8), "{trial} {before:?} {after:?}");
            assert!(near(turn.turn(before.direction), after.direction, 1e-6), "{trial} {before:?} {after:?}");
            assert!((before.share.part - after.share.part).abs() < 1e-7, "{trial} {before:?} {after:?}");
            let size = 1.0 + dot(before.share.turn, before.share.turn).sqrt();
            assert!(near(turn.turn(before.share.turn), after.share.turn, 1e-6 * size), "{trial}");
        }
        several += usize::from(after.len() > 1);
    }
    assert!(several > 4000, "{several}");
}

/// Bodies that move a little against each other have nearly the forces that they would have if their points were found again.
#[test]
fn points_that_keep_still_are_nearly_those_found_again() {
    let (bodies, mut random) = (bodies(&[10, 16, 30]), Random::new(6));
    let mut solver = Solver::new(LinkMethod::ShortestLink);
    let mut errors = Vec::new();
    for trial in 0..20_000 {
        let touching = Touching::new(&bodies, &mut random, &mut solver, 0.1, [-2.5, -1.5]);
        let [move_by, turn_by]: [[f64; 3]; 2] = [(); 2].map(|()| std::array::from_fn(|_| random.normal()));
        let (mut memory, mut still) = (LinkMemory::default(), StillPoints::default());
        if touching.touch_still(&mut solver, (&mut memory, &mut still)).is_none() {
            continue;
        }
        let [first, second] = touching.poses;
        let poses = [moved(&first, turn_by, move_by, 1e-5), second];
        let touching = Touching { pair: touching.pair, poses };
        let anew = touching.touch(&mut solver, &mut memory.clone());
        let found = touching.touch_still(&mut solver, (&mut memory, &mut still));
        let (Some((_, anew)), Some((_, found, true))) = (anew, found) else { continue };
        let (expected, found) = (energy(&anew), energy(&found));
        let off = sub(expected.1, found.1);
        errors.push((dot(off, off).sqrt() / dot(expected.1, expected.1).sqrt(), trial));
    }
    errors.sort_by(|one, other| one.0.total_cmp(&other.0));
    let most = errors[(0.99 * errors.len() as f64) as usize];
    assert!(errors.len() > 15_000 && most.0 < 1e-3, "{} {most:?} {:?}", errors.len(), errors.last());
}
