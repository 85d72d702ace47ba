//! Two bodies: the nodes of one inside the other.

use riprap::Random;
use riprap::convex::Pose;
use riprap::inside::{Collision, Inside, InsideMethod, Penetrating, Place, PlacedMesh, collide};
use riprap::mesh::{Mesh, shapes};

use crate::agreement::classify;

/// The same without boxes, and in the coordinates of the world.
fn by_hand(a: &Mesh, pose_a: &Pose<3>, b: &Mesh, pose_b: &Pose<3>) -> Vec<Penetrating> {
    let vertices = b.vertices().iter().map(|&vertex| pose_b.place(vertex)).collect();
    let there = Mesh::new(vertices, b.triangles().to_vec()).unwrap();
    let points: Vec<[f64; 3]> = a.vertices().iter().map(|&vertex| pose_a.place(vertex)).collect();
    let places = classify(&there, InsideMethod::RayCrossing, &points, 1);
    let nodes = places.into_iter().zip(0..).filter(|(place, _)| *place != Place::Outside);
    nodes.map(|(place, vertex)| Penetrating { vertex, place }).collect()
}

#[test]
fn penetrating_nodes_are_those_of_the_moved_meshes() {
    let mut random = Random::new(9);
    let meshes = [shapes::sphere(3), shapes::knot(0.4, 60, 8), shapes::foam(10)];
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..60 {
        let [a, b] = [random.below(3), random.below(3)].map(|k| &meshes[k]);
        let mut pose = || {
            let quaternion = std::array::from_fn(|_| random.normal());
            Pose::from_quaternion(std::array::from_fn(|_| random.uniform(-1.2, 1.2)), quaternion).unwrap()
        };
        let (pose_a, pose_b) = (pose(), pose());
        let expected =
            Collision { first: by_hand(a, &pose_a, b, &pose_b), second: by_hand(b, &pose_b, a, &pose_a) };
        for method in [InsideMethod::Auto, InsideMethod::Multipole] {
            let [inside_a, inside_b] = [a, b].map(|mesh| Inside::new(mesh, method).unwrap());
            let first = PlacedMesh { mesh: a, inside: &inside_a, pose: pose_a };
            let second = PlacedMesh { mesh: b, inside: &inside_b, pose: pose_b };
            assert_eq!(collide(&first, &second, 2).unwrap(), expected);
            let swapped = collide(&second, &first, 1).unwrap();
            assert_eq!((swapped.first, swapped.second), (expected.second.clone(), expected.first.clone()));
        }
        if expected.is_empty() { misses += 1 } else { hits += 1 }
    }
    assert!(hits > 10 && misses > 3, "{hits} {misses}");
}

#[test]
fn nodes_on_the_boundary_and_vertices_of_no_triangle() {
    // A cube of two units, and one on top of it; a vertex in its middle belongs to no triangle.
    let cube = |low: f64, high: f64| {
        let corner = |k: usize| [0, 1, 2].map(|axis| if k >> axis & 1 == 0 { low } else { high });
        let mut vertices: Vec<[f64; 3]> = (0..8).map(corner).collect();
        vertices.push([0.0; 3]);
        let triangles = vec![
            [0, 2, 1],
            [1, 2, 3],
            [4, 5, 6],
            [5, 7, 6],
            [0, 1, 4],
            [1, 5, 4],
            [2, 6, 3],
            [3, 6, 7],
            [0, 4, 2],
            [2, 4, 6],
            [1, 3, 5],
            [3, 7, 5],
        ];
        Mesh::new(vertices, triangles).unwrap()
    };
    let (large, small) = (cube(-1.0, 1.0), cube(-0.5, 0.5));
    let [inside_large, inside_small] =
        [&large, &small].map(|mesh| Inside::new(mesh, InsideMethod::Auto).unwrap());
    let first = PlacedMesh { mesh: &large, inside: &inside_large, pose: Pose::at([0.0; 3]) };
    let at = |z: f64| PlacedMesh { mesh: &small, inside: &inside_small, pose: Pose::at([0.0, 0.0, z]) };
    let lower = |place: Place| (0..4).map(|vertex| Penetrating { vertex, place }).collect::<Vec<_>>();
    assert_eq!(collide(&first, &at(1.5), 1).unwrap().second, lower(Place::Boundary));
    assert_eq!(collide(&first, &at(1.25), 1).unwrap().second, lower(Place::Inside));
    assert!(collide(&first, &at(1.25), 1).unwrap().first.is_empty());
    assert!(collide(&first, &at(1.75), 1).unwrap().is_empty());
    assert_eq!(collide(&first, &at(0.0), 1).unwrap().second.len(), 8);
}

#[test]
fn poses_that_are_none_are_refused() {
    let mesh = shapes::sphere(1);
    let inside = Inside::new(&mesh, InsideMethod::Auto).unwrap();
    let with = |pose: Pose<3>| PlacedMesh { mesh: &mesh, inside: &inside, pose };
    let (here, mut doubled, mut mirrored) = (Pose::at([0.0; 3]), Pose::at([0.0; 3]), Pose::at([0.0; 3]));
    doubled.rotation[0][0] = 2.0;
    mirrored.rotation[1][1] = -1.0;
    for (pose, text) in [
        (Pose::at([0.0, f64::NAN, 0.0]), "position: `y` is NaN"),
        (doubled, "rotation is [[2.0, 0.0, 0.0]"),
        (mirrored, "which are not mirrored"),
    ] {
        for (a, b) in [(pose, here), (here, pose)] {
            let refusal = collide(&with(a), &with(b), 1).unwrap_err().to_string();
            assert!(refusal.contains(text), "{refusal}");
        }
    }
}
