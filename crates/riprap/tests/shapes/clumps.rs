//! Clumps of balls and disks.

use std::f64::consts::PI;

use riprap::Random;
use riprap::shape::{Built, Form, Part, Shape, from_spheres};

use super::long::cases;
use super::oracle::{check, check_moved, planar_rotation, rotation, unit_volume};

/// Random balls, each of which touches an earlier one.
fn clump<const D: usize>(count: usize, random: &mut Random) -> Vec<([f64; D], f64)> {
    let mut spheres: Vec<([f64; D], f64)> = vec![([0.3; D], 1.0)];
    while spheres.len() < count {
        let (center, radius) = spheres[random.below(spheres.len())];
        let own = random.uniform(0.2, 1.2);
        let way: [f64; D] = std::array::from_fn(|_| random.normal());
        let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
        let distance = (radius + own) * random.uniform(0.1, 1.0);
        spheres.push((std::array::from_fn(|k| center[k] + distance * way[k] / length), own));
    }
    spheres
}

fn parts<const D: usize>(spheres: &[([f64; D], f64)]) -> Vec<Part<'static, D>> {
    spheres.iter().map(|&(center, radius)| Part::Ball { center, radius }).collect()
}

fn volume<const D: usize>(built: &Built<D>) -> f64 {
    unit_volume(D) * built.size.powi(D as i32)
}

#[test]
fn one_ball_is_the_ball() {
    let built = from_spheres("sphere", &[([1.0, 2.0, 3.0], 0.7)]).unwrap();
    assert_eq!(built.shape, Shape::ball());
    assert_eq!((built.size, built.pose.position), (0.7, [1.0, 2.0, 3.0]));
    let built = from_spheres("sphere", &[([1.0, 2.0], 0.7)]).unwrap();
    assert_eq!(built.shape, Shape::ball());
    // Those inside it, and the same ones again, do not matter.
    let spheres =
        [([1.0, 2.0, 3.0], 0.7), ([1.1, 2.0, 3.0], 0.6), ([1.0, 2.0, 3.0], 0.7), ([1.0, 2.0, 3.0], 0.1)];
    let built = from_spheres("sphere", &spheres).unwrap();
    assert_eq!(built.shape, Shape::ball());
    assert_eq!(built.size, 0.7);
}

#[test]
fn lines_through_random_clumps() {
    let mut random = Random::new(1);
    for case in 0..cases(12) {
        check(&from_spheres("clump", &clump::<3>(2 + case % 9, &mut random)).unwrap().shape, 400, 2e-4);
        check(&from_spheres("clump", &clump::<2>(2 + case % 20, &mut random)).unwrap().shape, 20_000, 2e-5);
    }
}

/// Turned, sections are others.
#[test]
fn moved_clumps_are_the_same() {
    let mut random = Random::new(2);
    for case in 0..cases(10) {
        let spheres = clump::<3>(2 + case % 12, &mut random);
        check_moved(&parts(&spheres), rotation(&mut random), 0.01, [0.5, -0.1, 0.2], 1e-11);
        let disks = clump::<2>(2 + 2 * case, &mut random);
        check_moved(&parts(&disks), planar_rotation(&mut random), 1e7, [3.0, 4.0], 1e-13);
    }
}

/// Two balls: the cap beyond the plane they share, in closed form.
#[test]
fn two_balls_have_the_volume_of_two_less_a_lens() {
    for (r, s, d) in
        [(1.0, 1.0, 1.0), (1.0, 0.5, 1.2), (1.0, 0.9, 0.3), (1.0, 1.0, 1e-3), (1.0, 1.0, 2.0 - 1e-9)]
    {
        let a = (d * d + r * r - s * s) / (2.0 * d);
        // Integrals of (r r - x x) and of its products over the part of each ball on its side of the plane.
        let ball = |r: f64, from: f64, to: f64, n: i32| {
            let term = |x: f64| r * r * x.powi(n + 1) / f64::from(n + 1) - x.powi(n + 3) / f64::from(n + 3);
            PI * (term(to) - term(from))
        };
        let whole: [f64; 3] = [
            ball(r, -r, a, 0) + ball(s, a - d, s, 0),
            ball(r, -r, a, 1) + ball(s, a - d, s, 1) + d * ball(s, a - d, s, 0),
            ball(r, -r, a, 2)
                + ball(s, a - d, s, 2)
                + 2.0 * d * ball(s, a - d, s, 1)
                + d * d * ball(s, a - d, s, 0),
        ];
        // Across: a quarter of the fourth power of the radius of each section.
        let across = |r: f64, from: f64, to: f64| {
            let term = |x: f64| r.powi(4) * x - 2.0 / 3.0 * r * r * x.powi(3) + x.powi(5) / 5.0;
            PI / 4.0 * (term(to) - term(from))
        };
        let side = across(r, -r, a) + across(s, a - d, s);
        for axis in 0..3 {
            let mut center = [0.0; 3];
            center[axis] = d;
            let built = from_spheres("two", &[([0.0; 3], r), (center, s)]).unwrap();
            let middle = whole[1] / whole[0];
            let found = volume(&built);
            assert!((found / whole[0] - 1.0).abs() < 1e-11, "{r} {s} {d} {axis}: {found} {}", whole[0]);
            assert!((built.pose.position[axis] - middle).abs() < 1e-11);
            let along = 2.0 * side / whole[0];
            let turning = (whole[2] + side) / whole[0] - middle * middle;
            for k in 0..3 {
                let expected = if k == axis { along } else { turning } / (built.size * built.size);
                let found = built.shape.inertia[k];
                assert!((found / expected - 1.0).abs() < 1e-11, "{r} {s} {d} {axis} {k}: {found} {expected}");
            }
            // Symmetric about the axis, so nothing is turned.
            assert_eq!(built.pose.rotation, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        }
    }
}

#[test]
fn two_disks_have_the_area_of_two_less_a_lens() {
    for (r, s, d) in [(1.0, 1.0, 1.0), (1.0, 0.5, 1.2), (1.0, 0.9, 0.3f64), (1.0, 1.0, 2.0 - 1e-9)] {
        let (a, b) = ((d * d + r * r - s * s) / (2.0 * d), (d * d + s * s - r * r) / (2.0 * d));
        let lens = r * r * (a / r).acos() - a * (r * r - a * a).sqrt() + s * s * (b / s).acos()
            - b * (s * s - b * b).sqrt();
        let whole = PI * (r * r + s * s) - lens;
        for center in [[d, 0.0], [0.0, d], [0.6 * d, -0.8 * d]] {
            let found = volume(&from_spheres("two", &[([0.0; 2], r), (center, s)]).unwrap());
            assert!((found / whole - 1.0).abs() < 1e-14, "{found} {whole}");
        }
    }
}

/// Balls that just touch weigh as much as all together.
#[test]
fn touching_balls_add_up() {
    let row: Vec<([f64; 3], f64)> = (0..4).map(|k| ([0.0, 0.0, 2.0 * f64::from(k)], 1.0)).collect();
    let built = from_spheres("row", &row).unwrap();
    assert!((volume(&built) / (4.0 * unit_volume(3)) - 1.0).abs() < 1e-12);
    assert!((built.pose.position[2] - 3.0).abs() < 1e-12);
    // Steiner: 0.4 each, and squared distances 1 and 9 from the middle.
    let expected = [5.4, 5.4, 0.4].map(|x| x / (built.size * built.size));
    assert!(
        (0..3).all(|k| (built.shape.inertia[k] - expected[k]).abs() < 1e-11),
        "{:?}",
        built.shape.inertia
    );
    // All contacts are in one plane.
    let square: Vec<([f64; 3], f64)> =
        [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]].map(|[x, y]| ([x, y, 0.0], 1.0)).to_vec();
    let built = from_spheres("square", &square).unwrap();
    assert!((volume(&built) / (4.0 * unit_volume(3)) - 1.0).abs() < 1e-12);
}

/// Nearly the same ball many times, and overlaps of next to nothing.
#[test]
fn coincident_and_barely_overlapping_balls() {
    for shift in [0.0, 1e-16, 1e-15, 1e-13, 1e-12, 1e-10, 1e-9, 1e-7] {
        let near = [([0.0; 3], 1.0), ([shift, 0.0, 0.0], 1.0), ([0.0, shift, 0.0], 1.0), ([shift; 3], 1.0)];
        let built = from_spheres("near", &near).unwrap();
        assert!((built.size - 1.0).abs() < 2.0 * shift + 1e-12, "{shift}: {}", built.size);
        assert!((0..3).all(|k| (built.shape.inertia[k] - 0.4).abs() < 10.0 * shift + 1e-11));
        let flat = near.map(|([x, y, _], radius)| ([x, y], radius));
        let built = from_spheres("near", &flat).unwrap();
        assert!((built.size - 1.0).abs() < 2.0 * shift + 1e-14, "{shift}: {}", built.size);

        // The lens of two balls that overlap by h is pi h h / 2, next to nothing.
        let (x, y) = (0.6 * (2.0 - shift), 0.8 * (2.0 - shift));
        let built = from_spheres("two", &[([0.0; 3], 1.0), ([x, 0.0, y], 1.0)]).unwrap();
        assert!((volume(&built) / (2.0 * unit_volume(3)) - 1.0).abs() < 1e-12);
        let built = from_spheres("two", &[([0.0; 2], 1.0), ([x, y], 1.0)]).unwrap();
        let lens = 4.0 / 3.0 * shift.powf(1.5);
        assert!((volume(&built) / (2.0 * PI - lens) - 1.0).abs() < 1e-12);
    }
}

/// A ball inside a shell of others changes nothing.
#[test]
fn hidden_balls_change_nothing() {
    let corner = |k: usize| -> [f64; 3] { std::array::from_fn(|i| [-0.5, 0.5][k >> i & 1]) };
    let mut spheres: Vec<([f64; 3], f64)> = (0..8).map(|k| (corner(k), 1.0)).collect();
    let without = from_spheres("eight", &spheres).unwrap();
    spheres.push(([0.0; 3], 0.3));
    let with = from_spheres("nine", &spheres).unwrap();
    assert_eq!(with.size, without.size);
    let inertia = without.shape.inertia;
    assert!((inertia[0] / inertia[1] - 1.0).abs() < 1e-11 && (inertia[0] / inertia[2] - 1.0).abs() < 1e-11);
    assert!(with.shape.pieces.iter().all(|piece| matches!(piece.form, Form::Ball { .. })));
}
