//! Polygons.

use std::f64::consts::FRAC_PI_4;

use riprap::Random;
use riprap::convex::{LinkMemory, LinkMethod, Polygon, Pose, Solver, shapes};

use super::long::cases;
use super::oracle::{Case, along, direction, length, sub};

fn pose(position: [f64; 2], angle: f64) -> Pose<2> {
    Pose::from_angle(position, angle).unwrap()
}

/// The least overlap over the normals of all edges.
fn least_overlap(case: &Case<'_, 2>) -> f64 {
    let mut largest = f64::NEG_INFINITY;
    for (side, sign) in [(0, 1.0), (1, -1.0)] {
        for facet in case.bodies[side].facets() {
            let normal = case.poses[side].turn(facet.normal).map(|x| sign * x);
            largest = largest.max(case.gap_along(normal));
        }
    }
    -largest
}

#[test]
fn nine_situations_by_every_method() {
    // As figure 13 of the paper: vertex to edge, edge to edge and vertex to vertex, near and far, triangles to octagons.
    let polygon = shapes::regular_polygon;
    let [triangle, square, pentagon, hexagon, octagon] = [3, 4, 5, 6, 8].map(polygon);
    let brick = Polygon::from_points(&[[0.0, 0.0], [2.0, 0.0], [2.0, 0.5], [0.0, 0.5]]).unwrap();
    let situations: [(&Polygon, f64, &Polygon, f64, [f64; 2]); 9] = [
        (&triangle, 0.0, &square, 0.0, [1.1, 0.05]),
        (&square, FRAC_PI_4, &square, FRAC_PI_4, [0.9, 0.2]),
        (&square, 0.0, &square, 0.0, [1.2, 0.0]),
        (&pentagon, 0.3, &triangle, 1.0, [0.2, 1.4]),
        (&hexagon, 0.0, &octagon, 0.1, [0.9, 0.5]),
        (&octagon, 0.0, &octagon, 0.4, [3.0, -2.0]),
        (&brick, 0.0, &brick, 0.0, [1.5, 0.7]),
        (&brick, 0.2, &pentagon, 0.0, [0.4, 0.9]),
        (&triangle, 0.5, &octagon, 0.0, [-8.0, 5.0]),
    ];
    for (number, (a, angle_a, b, angle_b, place)) in situations.into_iter().enumerate() {
        let case = Case { bodies: [a, b], poses: [pose([0.0; 2], angle_a), pose(place, angle_b)] };
        let link = case.cold(LinkMethod::ShortestLink);
        assert!(link.gap > 0.01, "situation {number}");
        case.check(&link, 1e-13);
        for method in [LinkMethod::FastCommonPlane, LinkMethod::Gjk] {
            let other = case.cold(method);
            assert!((other.gap - link.gap).abs() < 1e-12, "situation {number} {method:?}");
            assert!(length(sub(other.normal, link.normal)) < 1e-7, "situation {number} {method:?}");
        }
        let common = case.cold(LinkMethod::CommonPlane);
        assert!((common.gap - link.gap).abs() < 1e-3 && length(sub(common.normal, link.normal)) < 1e-2);
    }
}

#[test]
fn many_pairs_against_the_referee() {
    let mut random = Random::new(1);
    for count in [3, 4, 5, 8, 30, 200] {
        let bodies: Vec<Polygon> = (0..12)
            .map(|k| match k {
                0..4 => shapes::regular_polygon(count),
                4..8 => shapes::pebble(count, [1.0, 0.7], &mut random),
                _ => shapes::pebble(count, [1.0, 1e-3], &mut random),
            })
            .collect();
        for _ in 0..cases(2000) {
            let bodies = [&bodies[random.below(12)], &bodies[random.below(12)]];
            let turn = |random: &mut Random| random.uniform(-4.0, 4.0);
            let mut poses = [pose([0.0; 2], turn(&mut random)), pose([0.0; 2], turn(&mut random))];
            let between: [f64; 2] = direction(&mut random);
            let touching = -Case { bodies, poses }.gap_along(between);
            let distance = match random.below(4) {
                0 => touching * random.uniform(0.0, 1.0),
                1 => touching * (1.0 + 1e-9 * random.normal()),
                2 => touching + random.uniform(0.0, 0.1),
                _ => touching + random.uniform(0.0, 10.0),
            };
            poses[1].position = along([0.0; 2], distance, between);
            let case = Case { bodies, poses };
            let link = case.cold(LinkMethod::ShortestLink);
            case.check(&link, 1e-12);
            if link.gap > 0.0 {
                let referee = case.cold(LinkMethod::Gjk);
                let (low, high) = (case.gap_along(referee.normal), referee.gap);
                let tolerance = 1e-9 * case.size();
                assert!(
                    low - tolerance <= link.gap && link.gap <= high + tolerance,
                    "{low} {} {high}",
                    link.gap
                );
                assert!(high - low <= 1e-6 * high.max(1.0), "{low} {high}");
            } else {
                assert!((link.gap + least_overlap(&case)).abs() < 1e-12, "{link:?}");
            }
            let fast = case.cold(LinkMethod::FastCommonPlane);
            case.check(&fast, 1e-12);
            assert!((fast.gap - link.gap).abs() < 1e-12);
        }
    }
}

#[test]
fn warm_equals_cold_along_trajectories() {
    let mut random = Random::new(2);
    let shapes: Vec<Polygon> = (0..8).map(|k| shapes::pebble(3 + 4 * k, [1.0, 0.6], &mut random)).collect();
    for method in [LinkMethod::ShortestLink, LinkMethod::FastCommonPlane] {
        let mut solver = Solver::new(method);
        for _ in 0..cases(50) {
            let bodies = [&shapes[random.below(8)], &shapes[random.below(8)]];
            let mut memory = LinkMemory::default();
            let (start, velocity): ([f64; 2], [f64; 2]) = (direction(&mut random), direction(&mut random));
            let (spin, step) = (random.normal(), [1e-3, 1e-2, 0.1][random.below(3)]);
            for k in 0..100 {
                let time = step * f64::from(k);
                let place = along(start, time, velocity);
                let poses = [pose([0.0; 2], 0.3 * time), pose(place, spin * time)];
                let case = Case { bodies, poses };
                let (warm, cold) = (solver.link(bodies, poses.each_ref(), &mut memory), case.cold(method));
                case.check(&warm, 1e-12);
                if cold.gap > 0.0 {
                    assert!((warm.gap - cold.gap).abs() < 1e-12);
                } else {
                    assert!(warm.gap <= 1e-12 && warm.gap <= cold.gap + 1e-12);
                }
            }
        }
    }
}

#[test]
fn a_square_rests_on_the_middle_of_the_common_edge() {
    let (floor, square) = (
        Polygon::from_points(&[[-4.0, -1.0], [4.0, -1.0], [4.0, 0.0], [-4.0, 0.0]]).unwrap(),
        Polygon::from_points(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]).unwrap(),
    );
    for overlap in [0.0, 1e-6, 1e-3] {
        for (x, center, width) in [(0.0, 0.0, 1.0), (4.0, 3.75, 0.5), (-4.25, -3.875, 0.25)] {
            let case = Case {
                bodies: [&floor, &square],
                poses: [pose([0.0, -0.5], 0.0), pose([x, 0.5 - overlap], 0.0)],
            };
            let link = case.cold(LinkMethod::ShortestLink);
            case.check(&link, 1e-13);
            let patch = link.patch.unwrap();
            assert!((link.gap + overlap).abs() < 1e-15 && (patch.area - width).abs() < 1e-12, "{link:?}");
            assert!(
                (patch.center[0] - center).abs() < 1e-12 && (patch.center[1] + 0.5 * overlap).abs() < 1e-12
            );
        }
    }
}

#[test]
fn traps_in_the_plane() {
    let square = Polygon::from_points(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]).unwrap();
    for (offset, expected) in [
        ([1.0, 0.0], 0.0),
        ([1.0, 1.0], 0.0),
        ([1.0, 0.5], 0.0),
        ([2.0, 0.0], 1.0),
        ([2.0, 2.0], 2f64.sqrt()),
        ([1.5, 1.0], 0.5),
        ([0.0, 0.0], -1.0),
        ([0.5, 0.25], -0.5),
    ] {
        let case = Case { bodies: [&square, &square], poses: [pose([0.0; 2], 0.0), pose(offset, 0.0)] };
        for method in [LinkMethod::ShortestLink, LinkMethod::FastCommonPlane] {
            let link = case.cold(method);
            case.check(&link, 1e-13);
            assert!((link.gap - expected).abs() < 1e-13, "{offset:?} {method:?} {link:?}");
        }
    }
}

#[test]
fn jumps_by_right_angles_do_not_take_a_far_edge_for_the_near_one() {
    let square = Polygon::from_points(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]).unwrap();
    let mut random = Random::new(3);
    let mut memory = LinkMemory::default();
    for _ in 0..cases(2000) {
        let place = [0, 1].map(|_| 0.1 * (random.below(31) as f64 - 15.0));
        let turn = std::f64::consts::FRAC_PI_2 * random.below(4) as f64;
        let case = Case { bodies: [&square, &square], poses: [pose([0.0; 2], 0.0), pose(place, turn)] };
        let (warm, cold) =
            (case.link(LinkMethod::ShortestLink, &mut memory), case.cold(LinkMethod::ShortestLink));
        case.check(&warm, 1e-12);
        assert_eq!(warm.gap > 1e-12, cold.gap > 1e-12, "{place:?} {turn}");
        assert!(cold.gap <= 0.0 || (warm.gap - cold.gap).abs() < 1e-12, "{place:?} {turn}");
    }
}
