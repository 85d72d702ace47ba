//! Body and points moved together.

use riprap::Random;
use riprap::convex::Pose;
use riprap::inside::{Inside, InsideMethod, Place};
use riprap::mesh::{Mesh, shapes};

use crate::agreement::classify;

#[test]
fn a_rigid_motion_changes_nothing() {
    let mut random = Random::new(7);
    for (name, mesh) in
        [("knot", shapes::knot(0.3, 100, 10)), ("foam", shapes::foam(12)), ("sphere", shapes::sphere(4))]
    {
        let [low, high] = mesh.bounds();
        let points: Vec<[f64; 3]> =
            (0..3000).map(|_| std::array::from_fn(|k| random.uniform(low[k], high[k]))).collect();
        let expected = classify(&mesh, InsideMethod::RayCrossing, &points, 2);
        for _ in 0..3 {
            let quaternion = std::array::from_fn(|_| random.normal());
            let position = std::array::from_fn(|_| random.uniform(-100.0, 100.0));
            let pose = Pose::from_quaternion(position, quaternion).unwrap();
            let vertices = mesh.vertices().iter().map(|&vertex| pose.place(vertex)).collect();
            let moved = Mesh::new(vertices, mesh.triangles().to_vec()).unwrap();
            let moved_points: Vec<[f64; 3]> = points.iter().map(|&point| pose.place(point)).collect();
            for &(method, ..) in InsideMethod::ALL {
                // None of the points is so close to the surface that the rounding of its place matters.
                assert_eq!(classify(&moved, method, &moved_points, 2), expected, "{name} {}", method.name());
            }
        }
    }
}

#[test]
fn a_mirror_and_an_exact_shift_keep_even_the_boundary() {
    let mesh = shapes::sphere(3);
    let points = mesh.vertices().to_vec();
    for &(method, name, _) in InsideMethod::ALL {
        let mirrored = shapes::inverted(&shapes::scaled(&mesh, -4.0));
        let mirrored_points: Vec<[f64; 3]> = points.iter().map(|point| point.map(|x| -4.0 * x)).collect();
        let mut places = Vec::new();
        Inside::new(&mirrored, method).unwrap().classify(&mirrored_points, 1, &mut places).unwrap();
        assert!(places.iter().all(|&place| place == Place::Boundary), "{name}");
    }
}
