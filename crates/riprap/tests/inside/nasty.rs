//! Bodies on which trees and lattices could grow without bound.

use riprap::Random;
use riprap::inside::{Inside, InsideMethod, MultipoleOptions};
use riprap::mesh::{Mesh, shapes};

use crate::agreement::{classify, points};
use crate::long::cases;

/// Tetrahedra at random, as large as this, around some places.
fn clumps(places: usize, each: usize, size: f64, random: &mut Random) -> Mesh {
    let mut all = Vec::new();
    for _ in 0..places {
        let middle: [f64; 3] = std::array::from_fn(|_| random.uniform(-1.0, 1.0));
        for _ in 0..each {
            let mut corner = || std::array::from_fn(|k| middle[k] + size * random.uniform(-1.0, 1.0));
            let vertices = vec![corner(), corner(), corner(), corner()];
            all.push(Mesh::new(vertices, vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]).unwrap());
        }
    }
    shapes::together(&all)
}

#[test]
fn all_methods_agree_and_come_to_an_end() {
    let mut random = Random::new(11);
    let corner = || clumps(1, 1, 1.0, &mut Random::new(3));
    let far_pair = shapes::together(&[
        shapes::scaled(&shapes::sphere(4), 1e-5),
        Mesh::new(
            shapes::sphere(4)
                .vertices()
                .iter()
                .map(|&[x, y, z]| [1.0 + 1e-5 * x, 1e-5 * y, 1e-5 * z])
                .collect(),
            shapes::sphere(4).triangles().to_vec(),
        )
        .unwrap(),
    ]);
    let needle = |ball: Mesh| {
        let vertices =
            ball.vertices().iter().map(|&[x, y, z]| [x + 1e-4 * y, x - 1e-4 * z, x + 1e-4 * z]).collect();
        Mesh::new(vertices, ball.triangles().to_vec()).unwrap()
    };
    // Slivers as long as the body, at random.
    let sliver = |random: &mut Random| {
        let [a, b]: [[f64; 3]; 2] =
            std::array::from_fn(|_| std::array::from_fn(|_| random.uniform(-1.0, 1.0)));
        let beside = |k: usize| std::array::from_fn(|axis| b[axis] + if axis == k { 1e-7 } else { 0.0 });
        let vertices = vec![a, b, beside(0), beside(1)];
        Mesh::new(vertices, vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]).unwrap()
    };
    // Needles side by side from one tip to another, which no boxes part.
    let spindle = |count: u32, radius: f64| {
        let ring = (0..count).map(|k| std::f64::consts::TAU * f64::from(k) / f64::from(count)).map(|angle| {
            let [u, v] = [radius * angle.cos(), radius * angle.sin()];
            [u - v, v - u, 0.3 * u + 0.4 * v]
        });
        let vertices = [[1.0, 0.9, 0.8], [-1.0, -0.9, -0.8]].into_iter().chain(ring).collect();
        let sides = (0..count).flat_map(|k| {
            let [a, b] = [2 + k, 2 + (k + 1) % count];
            [[0, a, b], [1, b, a]]
        });
        Mesh::new(vertices, sides.collect()).unwrap()
    };
    let slivers: Vec<Mesh> = (0..500).map(|_| sliver(&mut random)).collect();
    for (name, mesh) in [
        ("slivers", shapes::together(&slivers)),
        ("spindle", spindle(100, 1e-10)),
        ("thick spindle", spindle(500, 1e-3)),
        ("crowd in a corner", shapes::together(&[corner(), shapes::scaled(&shapes::sphere(6), 1e-5)])),
        ("copies", shapes::together(&vec![corner(); 50])),
        ("clumps", clumps(40, 15, 1e-4, &mut random)),
        ("soup", clumps(100, 1, 0.8, &mut random)),
        ("far pair", far_pair),
        ("needle", needle(shapes::sphere(3))),
        ("needles", clumps(30, 2, 1e-9, &mut random)),
        ("large and small", shapes::together(&[corner(), clumps(5, 100, 1e-3, &mut random)])),
    ] {
        let points = points(&mesh, 1000, &mut random);
        let rays = classify(&mesh, InsideMethod::RayCrossing, &points, 2);
        for &(method, ..) in InsideMethod::ALL {
            let places = classify(&mesh, method, &points, 2);
            for (index, point) in points.iter().enumerate() {
                assert_eq!(places[index], rays[index], "{name} {} {point:?}", method.name());
            }
        }
    }
}

#[test]
fn outside_of_the_cube_the_error_of_open_surfaces_is_below_the_tolerance() {
    let ball = shapes::sphere(4);
    let open = Mesh::new(ball.vertices().to_vec(), ball.triangles()[500..].to_vec()).unwrap();
    let mut random = Random::new(12);
    // The cube has four times the width of the body.
    let points: Vec<[f64; 3]> =
        (0..cases(100)).map(|_| std::array::from_fn(|_| random.uniform(-12.0, 12.0))).collect();
    let mut exact = Vec::new();
    Inside::new(&open, InsideMethod::DoubleLayer).unwrap().windings(&points, 1, &mut exact).unwrap();
    for tolerance in [0.25, 1e-3, 1e-6, 1e-10] {
        let options = MultipoleOptions { tolerance, ..MultipoleOptions::default() };
        let mut found = Vec::new();
        let body = Inside::with_options(&open, InsideMethod::Multipole, &options).unwrap();
        body.windings(&points, 1, &mut found).unwrap();
        for (a, b) in found.iter().zip(&exact) {
            assert!((a - b).abs() <= tolerance, "{tolerance}: {a} {b}");
        }
    }
}
