//! What the paper defines the common plane by.

use riprap::Random;
use riprap::convex::{LinkMemory, LinkMethod, Pose};

use super::long::cases;
use super::oracle::{CLASSES, Case, along, body, direction, dot, length, poses, quaternion, sub};

fn random_cases(seed: u64, count: usize, test: impl Fn(&Case<'_, 3>, &mut Random)) {
    let mut random = Random::new(seed);
    for class in CLASSES {
        let bodies: Vec<_> = (0..6).map(|_| body(class, &mut random)).collect();
        for _ in 0..cases(count) {
            let bodies = [&bodies[random.below(6)], &bodies[random.below(6)]];
            let case = Case { bodies, poses: poses(bodies, &mut random) };
            test(&case, &mut random);
        }
    }
}

#[test]
fn bisects_the_link_between_the_centroids() {
    random_cases(1, 100, |case, _| {
        let link = case.cold(LinkMethod::ShortestLink);
        if link.gap < 1e-9 {
            return;
        }
        let [p, q] = link.points;
        let middle: [f64; 3] = std::array::from_fn(|k| 0.5 * (p[k] + q[k]));
        // Distances of the bodies from the plane through the middle.
        let side = |point| dot(link.normal, sub(point, middle));
        assert!(side(case.poses[0].position) < 0.0 && side(case.poses[1].position) > 0.0);
        let d_a =
            case.bodies[0].vertices().iter().map(|&v| side(case.poses[0].place(v))).fold(f64::MIN, f64::max);
        let d_b =
            case.bodies[1].vertices().iter().map(|&v| side(case.poses[1].place(v))).fold(f64::MAX, f64::min);
        assert!(
            (d_a + d_b).abs() < 1e-12 * case.size() && (d_b - 0.5 * link.gap).abs() < 1e-12 * case.size()
        );
        assert!((length(sub(q, p)) - link.gap).abs() < 1e-12 * case.size());
    });
}

#[test]
fn no_small_turn_widens_the_gap() {
    random_cases(2, 60, |case, random| {
        // Also where a last link decides which of several planes it is.
        let mut memory = LinkMemory::default();
        let mut before = *case;
        before.poses[1].position = along(before.poses[1].position, 0.05, direction(random));
        before.link(LinkMethod::ShortestLink, &mut memory);
        for link in [case.cold(LinkMethod::ShortestLink), case.link(LinkMethod::ShortestLink, &mut memory)] {
            for turn in [1e-4, 1e-6] {
                for _ in 0..20 {
                    let turned = along(link.normal, turn, direction(random));
                    let turned = turned.map(|x| x / length(turned));
                    assert!(case.gap_along(turned) <= link.gap + 1e-12 * case.size(), "{link:?}");
                }
            }
        }
    });
}

#[test]
fn is_unique_wherever_the_search_starts() {
    random_cases(3, 60, |case, random| {
        let cold = case.cold(LinkMethod::ShortestLink);
        if cold.gap < 1e-6 {
            return;
        }
        for _ in 0..5 {
            // What is remembered is of quite another place.
            let mut memory = LinkMemory::default();
            Case { poses: poses(case.bodies, random), ..*case }.link(LinkMethod::ShortestLink, &mut memory);
            let link = case.link(LinkMethod::ShortestLink, &mut memory);
            case.check(&link, 1e-12);
            assert!((link.gap - cold.gap).abs() < 1e-12 * case.size());
            assert!(length(sub(link.normal, cold.normal)) < 1e-8);
        }
    });
}

#[test]
fn does_not_depend_on_the_order_of_the_bodies() {
    random_cases(4, 100, |case, _| {
        let (link, other) =
            (case.cold(LinkMethod::ShortestLink), case.exchanged().cold(LinkMethod::ShortestLink));
        assert!((link.gap - other.gap).abs() < 1e-12 * case.size(), "{link:?} {other:?}");
        if link.gap > 1e-6 {
            assert!(length(along(link.normal, 1.0, other.normal)) < 1e-8);
        }
    });
}

#[test]
fn moves_with_the_bodies() {
    random_cases(5, 100, |case, random| {
        let link = case.cold(LinkMethod::ShortestLink);
        let frame =
            Pose::from_quaternion(std::array::from_fn(|_| random.uniform(-3.0, 3.0)), quaternion(random))
                .unwrap();
        let moved = case.poses.map(|pose| {
            let columns: [[f64; 3]; 3] =
                std::array::from_fn(|j| frame.turn(std::array::from_fn(|i| pose.rotation[i][j])));
            let rotation = std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i]));
            Pose { position: frame.place(pose.position), rotation }
        });
        let other = Case { poses: moved, ..*case }.cold(LinkMethod::ShortestLink);
        assert!((link.gap - other.gap).abs() < 1e-11 * case.size(), "{link:?} {other:?}");
        if link.gap > 1e-6 {
            assert!(length(sub(frame.turn(link.normal), other.normal)) < 1e-7);
        }
    });
}

#[test]
fn iterations_are_bounded_and_few() {
    let mut random = Random::new(6);
    let (mut apart, mut few) = (0, 0);
    for class in ["tetrahedron", "pyramid", "cube", "fourteen", "stone", "needle"] {
        let shape = body(class, &mut random);
        for _ in 0..cases(1000) {
            let case = Case { bodies: [&shape; 2], poses: poses([&shape; 2], &mut random) };
            let link = case.cold(LinkMethod::ShortestLink);
            assert!(link.iterations >= 1 && link.iterations < 100, "{class} {link:?}");
            if link.gap > 0.0 {
                apart += 1;
                few += usize::from(link.iterations <= 8);
            }
        }
    }
    assert!(few > apart * 95 / 100, "{few} of {apart}");
}
