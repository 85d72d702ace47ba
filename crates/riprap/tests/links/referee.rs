//! Random pairs of every class against the referee and against themselves.

use riprap::Random;
use riprap::convex::{LinkMethod, Polyhedron};

use super::long::cases;
use super::oracle::{CLASSES, Case, body, length, poses, sub};

/// Random pairs of two classes.
const PAIRS: usize = 10_000;

/// Random pairs of bodies of a class; the second is smaller by a factor now and then.
fn pairs(class: &str, second_class: &str, ratio: f64, count: usize, test: impl Fn(&Case<'_, 3>)) {
    let mut random = Random::new(count as u64 ^ ratio.to_bits());
    let firsts: Vec<Polyhedron> = (0..16).map(|_| body(class, &mut random)).collect();
    let seconds: Vec<Polyhedron> = (0..16)
        .map(|_| {
            let vertices: Vec<[f64; 3]> =
                body(second_class, &mut random).vertices().iter().map(|v| v.map(|x| x * ratio)).collect();
            Polyhedron::from_points(&vertices).unwrap()
        })
        .collect();
    for _ in 0..cases(count) {
        let bodies = [&firsts[random.below(16)], &seconds[random.below(16)]];
        test(&Case { bodies, poses: poses(bodies, &mut random) });
    }
}

/// Compares the shortest link with the referee. What it finds is not exact: bodies are no closer than their extent along its
/// normal, and no further apart than its points; ours must be in between. Of overlaps its normal may be that of the least one.
fn agrees(case: &Case<'_, 3>) {
    let link = case.cold(LinkMethod::ShortestLink);
    case.check(&link, 1e-12);
    let referee = case.cold(LinkMethod::Gjk);
    let tolerance = 1e-9 * case.size();
    let extent = case.gap_along(referee.normal);
    assert!(link.gap >= extent - tolerance, "{} {} {extent}", link.gap, referee.gap);
    if link.gap > 0.0 {
        assert!(link.gap <= referee.gap + tolerance, "{} {} {extent}", link.gap, referee.gap);
        // It is good to some ten digits of the distance.
        assert!((link.gap - referee.gap).abs() < tolerance + 1e-7 * link.gap, "{} {}", link.gap, referee.gap);
        // The gap along a normal that is off by an angle is shorter by the square of that.
        if link.gap > 1e-3 * case.size() {
            let apart = length(sub(link.normal, referee.normal));
            assert!(apart < 1e-3, "{apart} {link:?} {referee:?}");
        }
    } else {
        assert!(referee.gap < tolerance, "{} {}", link.gap, referee.gap);
    }
}

#[test]
fn many_pairs_of_each_class() {
    for class in CLASSES {
        pairs(class, class, 1.0, PAIRS, agrees);
    }
}

#[test]
fn a_thousand_times_smaller() {
    for (first, second) in
        [("stone", "stone"), ("cube", "tetrahedron"), ("plate", "stone"), ("large stone", "cube")]
    {
        pairs(first, second, 1e-3, PAIRS, agrees);
    }
}

#[test]
fn every_class_with_every_other() {
    for first in CLASSES {
        for second in CLASSES {
            pairs(first, second, 0.3, 100, agrees);
        }
    }
}

#[test]
fn without_history_the_overlap_is_the_least_one() {
    for class in ["tetrahedron", "pyramid", "cube", "fourteen", "plate", "needle"] {
        pairs(class, class, 1.0, 300, |case| {
            let link = case.cold(LinkMethod::ShortestLink);
            if link.gap < 0.0 {
                let least = case.least_overlap();
                assert!((link.gap + least).abs() < 1e-11 * case.size(), "{class} {} {least}", link.gap);
            }
        });
    }
}

#[test]
fn concentric_balls_overlap_least_along_some_face_or_edges() {
    use riprap::convex::{Pose, shapes};
    let mut random = Random::new(7);
    for distance in [0.0, 1e-6, 1e-2] {
        for _ in 0..4 {
            let ball = shapes::stone(500, [1.0; 3], &mut random);
            let poses = [Pose::at([0.0; 3]), super::oracle::pose([distance, 0.0, 0.0], &mut random)];
            let case = Case { bodies: [&ball; 2], poses };
            let link = case.cold(LinkMethod::ShortestLink);
            // Of all normals the faces' are many; edge pairs would be millions.
            let facets = case.bodies[0].facets().iter();
            let along_faces = facets.flat_map(|facet| {
                let normals = case.poses.map(|pose| pose.turn(facet.normal));
                [normals[0], normals[1].map(|x| -x)].map(|normal| case.gap_along(normal))
            });
            let best = along_faces.fold(f64::NEG_INFINITY, f64::max);
            assert!(link.gap >= best - 1e-12, "{distance} {} {best} {}", link.gap, link.iterations);
        }
    }
}

#[test]
fn the_fast_common_plane_is_the_same_plane() {
    for class in CLASSES {
        pairs(class, class, 1.0, 2000, |case| {
            let (link, other) = (case.cold(LinkMethod::ShortestLink), case.cold(LinkMethod::FastCommonPlane));
            case.check(&other, 1e-12);
            assert!((link.gap - other.gap).abs() < 1e-11 * case.size(), "{class} {} {}", link.gap, other.gap);
        });
    }
}

#[test]
fn the_common_plane_is_about_the_same_plane() {
    use std::cell::RefCell;
    for class in ["tetrahedron", "pyramid", "cube", "fourteen", "stone"] {
        let errors = RefCell::new(Vec::new());
        pairs(class, class, 1.0, 1000, |case| {
            let (link, other) = (case.cold(LinkMethod::ShortestLink), case.cold(LinkMethod::CommonPlane));
            assert!((case.gap_along(other.normal) - other.gap).abs() < 1e-12 * case.size());
            // It never claims a gap that is not there.
            assert!(other.gap <= link.gap + 1e-12 * case.size());
            if link.gap > 0.0 {
                errors.borrow_mut().push((link.gap - other.gap) / case.size());
            }
        });
        let mut errors = errors.into_inner();
        errors.sort_by(f64::total_cmp);
        let nine_tenths = errors[errors.len() * 9 / 10];
        assert!(nine_tenths < 0.03, "{class} {nine_tenths}");
    }
}
