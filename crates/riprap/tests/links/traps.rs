//! Configurations in which methods stall, cycle or divide by zero.

use riprap::Random;
use riprap::convex::{LinkMemory, LinkMethod, Polyhedron, Pose, Solver, shapes};

use super::long::cases;
use super::oracle::{Case, along, at_distance, direction, quaternion};

fn at(x: f64, y: f64, z: f64) -> Pose<3> {
    Pose::at([x, y, z])
}

/// Links two bodies by every method that is exact, and checks them.
fn gap(a: &Polyhedron, pose_a: Pose<3>, b: &Polyhedron, pose_b: Pose<3>) -> f64 {
    let case = Case { bodies: [a, b], poses: [pose_a, pose_b] };
    let link = case.cold(LinkMethod::ShortestLink);
    case.check(&link, 1e-12);
    let other = case.exchanged();
    other.check(&other.cold(LinkMethod::ShortestLink), 1e-12);
    let fast = case.cold(LinkMethod::FastCommonPlane);
    case.check(&fast, 1e-12);
    assert!((fast.gap - link.gap).abs() < 1e-12);
    link.gap
}

#[test]
fn aligned_cubes() {
    let cube = shapes::cube();
    let origin = at(0.0, 0.0, 0.0);
    // Face to face, edge to edge, vertex to vertex; apart, touching, overlapping.
    for (offset, expected) in [
        ([2.0, 0.0, 0.0], 1.0),
        ([1.5, 0.3, 0.2], 0.5),
        ([2.0, 2.0, 0.0], 2f64.sqrt()),
        ([2.0, 2.0, 2.0], 3f64.sqrt()),
        ([2.0, 0.5, 2.0], 2f64.sqrt()),
        ([1.0, 0.0, 0.0], 0.0),
        ([1.0, 1.0, 0.0], 0.0),
        ([1.0, 1.0, 1.0], 0.0),
        ([1.0, 0.5, 0.5], 0.0),
        ([0.9, 0.0, 0.0], -0.1),
        ([0.9, 0.2, 0.1], -0.1),
        ([0.95, 0.95, 0.9], -0.05),
        ([0.0, 0.0, 0.0], -1.0),
    ] {
        let gap = gap(&cube, origin, &cube, at(offset[0], offset[1], offset[2]));
        assert!((gap - expected).abs() < 1e-13, "{offset:?} {gap} {expected}");
    }
}

#[test]
fn nearly_aligned_cubes() {
    let cube = shapes::cube();
    let mut random = Random::new(1);
    for noise in [1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4] {
        for _ in 0..300 {
            let pose = |random: &mut Random, middle: [f64; 3]| {
                let turn: [f64; 4] =
                    std::array::from_fn(|k| f64::from(u8::from(k == 0)) + noise * random.normal());
                Pose::from_quaternion(middle.map(|x| x + noise * random.normal()), turn).unwrap()
            };
            let offset = [
                [1.0 + [0.0, 1e-12, 1e-9, 1e-6, 1e-3, 1.0, -1e-9, -1e-3][random.below(8)], 0.0, 0.0],
                [1.2, random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2)],
                [1.1, 1.1, random.uniform(-1.2, 1.2)],
                [0.0; 3],
            ][random.below(4)];
            let (a, b) = (pose(&mut random, [0.0; 3]), pose(&mut random, offset));
            gap(&cube, a, &cube, b);
        }
    }
}

#[test]
fn parallel_edges_and_tips() {
    let wedge = Polyhedron::from_points(&[
        [-0.5, -0.5, 0.0],
        [0.5, -0.5, 0.0],
        [-0.5, 0.5, 0.0],
        [0.5, 0.5, 0.0],
        [-0.5, 0.0, 1.0],
        [0.5, 0.0, 1.0],
    ])
    .unwrap();
    let height = 1.0 - wedge.centroid()[2];
    let upside_down = |x: f64, z: f64| Pose::from_quaternion([x, 0.0, z], [0.0, 1.0, 0.0, 0.0]).unwrap();
    let origin = at(0.0, 0.0, 0.0);
    // The two long edges face each other, all along, in part, and past each other.
    let above = 2.0 * height + 0.25;
    assert!((gap(&wedge, origin, &wedge, upside_down(0.0, above)) - 0.25).abs() < 1e-13);
    assert!((gap(&wedge, origin, &wedge, upside_down(0.7, above)) - 0.25).abs() < 1e-13);
    assert!((gap(&wedge, origin, &wedge, upside_down(1.2, above)) - 0.25f64.hypot(0.2)).abs() < 1e-13);
    // Tip on tip.
    let pyramid = shapes::pyramid();
    let tip = 0.5f64.sqrt() - pyramid.centroid()[2];
    let mut memory = LinkMemory::default();
    let mut solver = Solver::new(LinkMethod::ShortestLink);
    for expected in [1e-3, 1e-6, 1e-9, 0.0, -1e-6, -1e-3f64] {
        let pose = upside_down(0.0, 2.0 * tip + expected);
        let found = gap(&pyramid, origin, &pyramid, pose);
        // Along a face they overlap least, also if they have come straight towards each other.
        let sought = if expected < 0.0 { expected / 3f64.sqrt() } else { expected };
        let link = solver.link([&pyramid; 2], [&origin, &pose], &mut memory);
        assert!(
            (found - sought).abs() < 1e-12 && (link.gap - sought).abs() < 1e-12,
            "{found} {link:?} {sought}"
        );
    }
}

#[test]
fn one_inside_the_other() {
    let (large, small) = (shapes::cuboid([10.0; 3]), shapes::tetrahedron());
    let mut random = Random::new(2);
    for _ in 0..500 {
        let place: [f64; 3] = std::array::from_fn(|_| random.uniform(-4.0, 4.0));
        let pose = Pose::from_quaternion(place, quaternion(&mut random)).unwrap();
        let gap = gap(&large, at(0.0, 0.0, 0.0), &small, pose);
        assert!(gap < -0.9, "{gap}");
    }
    // The same centre, for each pair of shapes and at random orientations.
    let all = [
        shapes::tetrahedron(),
        shapes::pyramid(),
        shapes::cube(),
        shapes::fourteen(),
        shapes::cuboid([3.0, 1e-3, 1.0]),
    ];
    for a in &all {
        for b in &all {
            for _ in 0..50 {
                let [pose_a, pose_b] =
                    [0, 1].map(|_| Pose::from_quaternion([0.3; 3], quaternion(&mut random)).unwrap());
                assert!(gap(a, pose_a, b, pose_b) < 0.0);
            }
            assert!(gap(a, at(0.0, 0.0, 0.0), b, at(0.0, 0.0, 0.0)) < 0.0);
        }
    }
}

#[test]
fn sizes_from_atoms_to_planets() {
    let mut random = Random::new(3);
    for scale in [1e-50, 1e-10, 1.0, 1e7, 1e50] {
        let stone = shapes::stone(20, [scale, 0.8 * scale, 0.5 * scale], &mut random);
        for _ in 0..200 {
            let bodies = [&stone, &stone];
            let distance = scale * random.uniform(0.0, 2.0);
            let poses = at_distance(distance, &mut random);
            let case = Case { bodies, poses };
            case.check(&case.cold(LinkMethod::ShortestLink), 1e-12);
        }
    }
}

#[test]
fn points_that_nearly_coincide_make_tiny_faces() {
    // A cube whose corners are clusters: its hull has faces of all sizes.
    let mut random = Random::new(4);
    for noise in [1e-13, 1e-11, 1e-9, 1e-7, 1e-5, 1e-3] {
        for _ in 0..20 {
            let points: Vec<[f64; 3]> = (0..40)
                .map(|k| std::array::from_fn(|axis| f64::from(k >> axis & 1) + noise * random.normal()))
                .collect();
            let body = Polyhedron::from_points(&points).unwrap();
            for _ in 0..50 {
                let distance = random.uniform(0.0, 2.5);
                let poses = at_distance(distance, &mut random);
                let case = Case { bodies: [&body, &body], poses };
                let link = case.cold(LinkMethod::ShortestLink);
                // Faces of a few roundings have no normal worth the name; the vertices still give the distance.
                case.check(&link, 1e-9);
            }
            // Nearly aligned, so that tiny faces decide.
            for offset in [[1.0, 0.0, 0.0], [1.1, 0.2, 0.1], [1.1, 1.1, 0.0], [0.9, 0.0, 0.0]] {
                let case = Case { bodies: [&body, &body], poses: [Pose::at([0.0; 3]), Pose::at(offset)] };
                case.check(&case.cold(LinkMethod::ShortestLink), 1e-9);
            }
        }
    }
}

#[test]
fn sliding_off_sideways_ends_the_contact() {
    // A plate deep in a crevice keeps the plane of its end as long as it overlaps, and not a step longer.
    let (slab, plate) = (shapes::cuboid([4.0, 4.0, 1.0]), shapes::cuboid([0.05, 1.0, 1.0]));
    let mut solver = Solver::new(LinkMethod::ShortestLink);
    let mut memory = LinkMemory::default();
    for step in 0..400 {
        let x = 1.5 + 0.002 * f64::from(step);
        let pose = at(x, 0.0, 0.7);
        let case = Case { bodies: [&slab, &plate], poses: [at(0.0, 0.0, 0.0), pose] };
        let link = solver.link(case.bodies, case.poses.each_ref(), &mut memory);
        let apart = x - 0.025 - 2.0;
        assert_eq!(link.gap > 1e-12, apart > 1e-12, "{x} {link:?}");
        if apart > 1e-12 {
            assert!((link.gap - apart).abs() < 1e-12);
        }
    }
}

#[test]
fn any_memory_gives_a_link() {
    // Bodies may be replaced by others under the same number, whose features are others, or fewer.
    let mut random = Random::new(5);
    let all = [
        shapes::cube(),
        shapes::cuboid([0.2, 1.0, 3.0]),
        shapes::tetrahedron(),
        shapes::fourteen(),
        shapes::stone(100, [1.0, 0.8, 0.6], &mut random),
    ];
    for method in [LinkMethod::ShortestLink, LinkMethod::FastCommonPlane] {
        let mut memory = LinkMemory::default();
        for _ in 0..cases(1000) {
            let bodies = [&all[random.below(all.len())], &all[random.below(all.len())]];
            let distance = random.uniform(0.0, 3.0);
            let place = along([0.0; 3], distance, direction(&mut random));
            let poses = [[0.0; 3], place]
                .map(|position| Pose::from_quaternion(position, quaternion(&mut random)).unwrap());
            let case = Case { bodies, poses };
            let (warm, cold) = (case.link(method, &mut memory), case.cold(method));
            case.check(&warm, 1e-12);
            assert_eq!(warm.gap > 1e-12, cold.gap > 1e-12);
            assert!(cold.gap < 0.0 || (warm.gap - cold.gap).abs() < 1e-12);
        }
    }
}

#[test]
fn nearly_flat_tops() {
    // Sixty points nearly in one plane over a tip: which triangles are one face is a matter of rounding.
    let mut random = Random::new(6);
    for round in 0..400 {
        let noise = 10f64.powf(-15.0 + 9.0 * f64::from(round) / 400.0);
        let mut points: Vec<[f64; 3]> = (0..60)
            .map(|_| [random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), noise * random.uniform(0.0, 1.0)])
            .collect();
        points.push([0.0, 0.0, -1.0]);
        let body = Polyhedron::from_points(&points).unwrap();
        assert_eq!(body.vertices().len() + body.facets().len(), body.edges().len() + 2);
        let other = shapes::stone(30, [1.0, 0.8, 0.6], &mut random);
        let mut memory = LinkMemory::default();
        for _ in 0..50 {
            let distance = random.uniform(0.0, 1.5);
            let poses = at_distance(distance, &mut random);
            let case = Case { bodies: [&body, &other], poses };
            let (cold, warm) =
                (case.cold(LinkMethod::ShortestLink), case.link(LinkMethod::ShortestLink, &mut memory));
            for link in [cold, warm] {
                let extent = case.gap_along(link.normal);
                assert!((extent - link.gap).abs() <= 1e-12, "noise {noise:e} extent {extent} {link:?}");
            }
            assert_eq!(cold.gap > 1e-9, warm.gap > 1e-9);
        }
    }
}

#[test]
fn sliding_cubes_do_not_keep_a_plane_that_overlaps_far_more() {
    // Two cubes meet at their edges and slide over each other: the overlap along the side first met grows, the least does not.
    let cube = shapes::cube();
    let mut memory = LinkMemory::default();
    for step in 0..900 {
        let case = Case {
            bodies: [&cube, &cube],
            poses: [at(0.0, 0.0, 0.0), at(0.9999 - 0.001 * f64::from(step), 0.0, 0.9998)],
        };
        let link = case.link(LinkMethod::ShortestLink, &mut memory);
        case.check(&link, 1e-12);
        assert!(link.gap > -3e-3, "{step} {link:?}");
    }
}

#[test]
fn bodies_that_touched_and_went_apart_are_apart() {
    let mut random = Random::new(7);
    let bodies =
        [shapes::tetrahedron(), shapes::cube(), shapes::fourteen(), shapes::cuboid([1.0, 0.8, 1e-5])];
    for _ in 0..cases(4000) {
        let pair = [&bodies[random.below(4)], &bodies[random.below(4)]];
        let [a, b] = [0, 1].map(|_| Pose::from_quaternion([0.0; 3], quaternion(&mut random)).unwrap());
        let between: [f64; 3] = direction(&mut random);
        let mut case = Case { bodies: pair, poses: [a, b] };
        let link = case.cold(LinkMethod::ShortestLink);
        // Moved out by the overlap, they touch.
        case.poses[1].position = along([0.0; 3], -link.gap, link.normal);
        let mut memory = LinkMemory::default();
        case.link(LinkMethod::ShortestLink, &mut memory);
        case.poses[1].position = along(case.poses[1].position, random.uniform(0.0, 0.2), between);
        let (warm, cold) =
            (case.link(LinkMethod::ShortestLink, &mut memory), case.cold(LinkMethod::ShortestLink));
        assert_eq!(warm.gap > 1e-12, cold.gap > 1e-12, "{warm:?} {cold:?}");
        assert!(cold.gap <= 1e-12 || (warm.gap - cold.gap).abs() < 1e-12, "{warm:?} {cold:?}");
    }
}

/// A cube with its corners cut off, by however little.
fn truncated(cut: f64) -> Polyhedron {
    let mut points = Vec::new();
    for corner in 0..8 {
        for axis in 0..3 {
            let mut point: [f64; 3] = std::array::from_fn(|k| f64::from(corner >> k & 1));
            point[axis] += if point[axis] == 0.0 { cut } else { -cut };
            points.push(point);
        }
    }
    Polyhedron::from_points(&points).unwrap()
}

/// A cube with a roof, however flat: two of its faces have a corner that is nearly straight.
fn roofed(rise: f64) -> Polyhedron {
    let mut points = shapes::cube().vertices().to_vec();
    points.extend([-0.5, 0.5].map(|x| [x, 0.0, 0.5 + rise]));
    Polyhedron::from_points(&points).unwrap()
}

#[test]
fn tiny_edges_and_nearly_straight_corners_hide_nothing() {
    let mut random = Random::new(8);
    let quarters = [[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    for round in 0..cases(1500) {
        let tiny = |random: &mut Random| 10f64.powf(random.uniform(-13.0, -2.0));
        let mut body = || {
            let size = tiny(&mut random);
            if random.below(2) == 0 { truncated(size.max(2e-12)) } else { roofed(size) }
        };
        let bodies = [&body(), &body()];
        let mut memory = LinkMemory::default();
        for _ in 0..4 {
            let near = quarters[random.below(4)];
            let noise = tiny(&mut random) * 1e-3;
            let turned = near.map(|x: f64| x + noise * random.normal());
            let distance =
                if round % 2 == 0 { random.uniform(0.9, 2.0) } else { 10f64.powf(random.uniform(0.0, 3.0)) };
            let aside: [f64; 3] = std::array::from_fn(|_| random.uniform(-0.5, 0.5));
            let place = along(aside, distance, [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]][random.below(2)]);
            let poses = [at(0.0, 0.0, 0.0), Pose::from_quaternion(place, turned).unwrap()];
            let case = Case { bodies, poses };
            for link in
                [case.cold(LinkMethod::ShortestLink), case.link(LinkMethod::ShortestLink, &mut memory)]
            {
                let (extent, referee) = (case.gap_along(link.normal), case.cold(LinkMethod::Gjk));
                let tolerance = 1e-12 * (1.0 + distance);
                assert!((extent - link.gap).abs() <= tolerance, "{extent} {link:?} {case:?}");
                assert!(link.gap <= 0.0 || link.gap >= case.gap_along(referee.normal) - tolerance);
            }
        }
    }
}
