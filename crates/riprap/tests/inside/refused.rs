//! What is refused, and how.

use riprap::inside::{Inside, InsideMethod, Place};
use riprap::mesh::{Mesh, shapes};

#[test]
fn surfaces_that_are_not_closed_are_refused_with_the_edge() {
    let ball = shapes::sphere(2);
    let with = |triangles: Vec<[u32; 3]>| Mesh::new(ball.vertices().to_vec(), triangles).unwrap();
    let all = ball.triangles().to_vec();
    let hole = with(all[1..].to_vec());
    let twice = with(all.iter().chain(&all[..1]).copied().collect());
    let [a, b, c] = all[0];
    let flipped = with(std::iter::once([a, c, b]).chain(all[1..].iter().copied()).collect());
    for (mesh, text) in
        [(hole, "times back"), (twice, "2 times in this direction"), (flipped, "2 times in this direction")]
    {
        for method in [InsideMethod::Cells, InsideMethod::RayCrossing] {
            let refusal = Inside::new(&mesh, method).unwrap_err().to_string();
            assert!(refusal.contains(text) && refusal.contains("the edge from vertex"), "{refusal}");
        }
        // The double layer has a value all the same.
        let mut places = Vec::new();
        let inside = Inside::new(&mesh, InsideMethod::DoubleLayer).unwrap();
        inside.classify(&[[0.0; 3], [2.0, 0.0, 0.0]], 1, &mut places).unwrap();
        assert_ne!(places[0], places[1]);
    }
}

#[test]
fn points_and_meshes_that_are_none_are_refused() {
    let inside = Inside::new(&shapes::sphere(1), InsideMethod::Cells).unwrap();
    let refusal =
        inside.classify(&[[0.0; 3], [0.0, f64::NAN, 0.0]], 1, &mut Vec::new()).unwrap_err().to_string();
    assert_eq!(refusal, "point 1: `y` is NaN, expected a finite number");
    assert!(Mesh::new(vec![[0.0; 3]], vec![]).unwrap_err().to_string().contains("no triangles"));
    assert!(Mesh::new(vec![[0.0; 3]], vec![[0, 0, 1]]).unwrap_err().to_string().contains("corner 1"));
    assert!(
        Mesh::new(vec![[0.0, f64::INFINITY, 0.0]], vec![[0, 0, 0]])
            .unwrap_err()
            .to_string()
            .contains("`y` is inf")
    );
}

#[test]
fn triangles_without_area_enclose_nothing() {
    let vertices = vec![[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
    for triangles in [vec![[0, 0, 1]], vec![[0, 1, 2], [0, 2, 1]], vec![[1, 1, 1]]] {
        let mesh = Mesh::new(vertices.clone(), triangles).unwrap();
        for &(method, name, _) in InsideMethod::ALL {
            let mut places = Vec::new();
            let points = [[0.0; 3], [1.0, 0.0, 0.0], [1.5, 0.0, 0.0], [0.0, 1.0, 0.0], [9.0; 3]];
            Inside::new(&mesh, method).unwrap().classify(&points, 1, &mut places).unwrap();
            assert_eq!(places, [Place::Outside; 5], "{name}");
        }
    }
}
