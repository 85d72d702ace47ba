//! Shapes from meshes.

use riprap::convex::shapes::cuboid;
use riprap::mesh::{Mesh, shapes};
use riprap::shape::{BuildError, from_mesh};

use super::oracle::{check, unit_volume};

fn refused(mesh: &Mesh, expected: &str) {
    let error = from_mesh("mesh", mesh).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

/// The surface of a box.
fn box_mesh(low: [f64; 3], edges: [f64; 3]) -> Mesh {
    let body = cuboid(edges);
    let vertices = body.vertices().iter().map(|v| std::array::from_fn(|k| v[k] + low[k] + 0.5 * edges[k]));
    let fan = |facet: u32| {
        let corners: Vec<u32> = body.corners(facet).iter().map(|corner| corner.vertex).collect();
        (1..corners.len() - 1).map(|k| [corners[0], corners[k], corners[k + 1]]).collect::<Vec<_>>()
    };
    Mesh::new(vertices.collect(), (0..body.facets().len() as u32).flat_map(fan).collect()).unwrap()
}

/// An L as one surface: six corners, drawn out along z.
fn angle_mesh() -> Mesh {
    let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    let vertices = [0.0, 1.0].iter().flat_map(|&z| outline.map(|[x, y]| [x, y, z])).collect();
    let mut triangles = vec![];
    for k in 0..6u32 {
        let next = (k + 1) % 6;
        triangles.extend([[k, next, next + 6], [k, next + 6, k + 6]]);
    }
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
        triangles.extend([[a, c, b], [a + 6, b + 6, c + 6]]);
    }
    Mesh::new(vertices, triangles).unwrap()
}

#[test]
fn convex_meshes_are_one_piece() {
    for (mesh, volume) in [
        (box_mesh([5.0, 0.0, 0.0], [1.0, 2.0, 3.0]), 6.0),
        (shapes::sphere(4), unit_volume(3)),
        (shapes::scaled(&shapes::sphere(0), 1e-6), 4.0 / 3.0 * 1e-18),
    ] {
        let built = from_mesh("convex", &mesh).unwrap();
        assert_eq!((built.shape.pieces.len(), built.growth), (1, 1.0));
        assert!((built.size.powi(3) * unit_volume(3) / volume - 1.0).abs() < 0.02);
    }
}

#[test]
fn concave_meshes_are_divided() {
    for (mesh, volume, most) in [
        (angle_mesh(), 3.0, 1.02),
        (shapes::torus(1.0, 0.3, 40, 20), 2.0 * std::f64::consts::PI.powi(2) * 0.09, 1.05),
        (shapes::scaled(&shapes::knot(0.4, 120, 12), 1e-3), 0.0, 1.25),
    ] {
        let built = from_mesh("concave", &mesh).unwrap();
        assert!(built.shape.pieces.len() > 1);
        assert!(
            (0.97..most).contains(&built.growth),
            "{} of {} pieces",
            built.growth,
            built.shape.pieces.len()
        );
        if volume > 0.0 {
            let found = built.size.powi(3) * unit_volume(3);
            assert!((found / volume / built.growth - 1.0).abs() < 0.03, "{found}");
        }
        check(&built.shape, 300, 5e-4);
        assert_eq!(built, from_mesh("concave", &mesh).unwrap());
    }
}

#[test]
fn meshes_that_are_no_body_are_refused() {
    let ball = shapes::sphere(2);
    let open = Mesh::new(ball.vertices().to_vec(), ball.triangles()[1..].to_vec()).unwrap();
    refused(&open, "not closed (open edges: 3)");
    refused(&shapes::inverted(&ball), "inside out");
    refused(&shapes::inverted(&angle_mesh()), "inside out");
    let flat =
        Mesh::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2], [0, 2, 1]]).unwrap();
    refused(&flat, "flat");
    let point = Mesh::new(vec![[1.0; 3]], vec![[0, 0, 0]]).unwrap();
    refused(&point, "flat");
    let two = shapes::together(&[box_mesh([0.0; 3], [1.0; 3]), box_mesh([3.0, 0.0, 0.0], [1.0; 3])]);
    refused(&two, "2 parts that share no vertex");
    // A shell within a shell is two parts as well.
    let hollow = shapes::together(&[ball.clone(), shapes::inverted(&shapes::scaled(&ball, 0.5))]);
    refused(&hollow, "2 parts");
    // A tube so thick that it passes through itself.
    refused(&shapes::torus(1.0, 1.2, 40, 20), "passes through itself");
    refused(&shapes::knot(0.9, 120, 12), "passes through itself");
}

/// A corner of a box pushed through the opposite side.
#[test]
fn a_corner_pushed_through_is_found() {
    let mesh = box_mesh([0.0; 3], [1.0; 3]);
    let mut vertices = mesh.vertices().to_vec();
    vertices[0] = [1.2, 1.5, 1.3];
    let mesh = Mesh::new(vertices, mesh.triangles().to_vec()).unwrap();
    assert!(matches!(
        from_mesh("pushed", &mesh),
        Err(BuildError::Crossing { .. } | BuildError::InsideOut { .. })
    ));
}

#[test]
fn a_surface_that_is_there_twice_is_refused() {
    let once = box_mesh([0.0; 3], [1.0, 2.0, 3.0]);
    let doubled = [once.triangles(), once.triangles()].concat();
    refused(&Mesh::new(once.vertices().to_vec(), doubled).unwrap(), "listed once");
}
