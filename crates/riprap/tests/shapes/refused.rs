//! What is refused, and why.

use riprap::convex::Pose;
use riprap::shape::{
    BuildError, Built, Part, by_name, from_pieces, from_spheres, from_vertices, pebble, stone,
};

fn refused<const D: usize>(result: Result<Built<D>, BuildError>, expected: &str) {
    let error = result.unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn bad_numbers_are_named() {
    let nan = f64::NAN;
    refused(from_spheres::<3>("none", &[]), "no pieces");
    refused(from_spheres("nan", &[([0.0; 3], 1.0), ([0.0, nan, 0.0], 1.0)]), "piece 1: `y` is NaN");
    refused(from_spheres("far", &[([0.0, -1e61], 1.0)]), "piece 0: `y` is -1e61");
    for radius in [0.0, -1.0, nan, f64::INFINITY, 1e-70, 1e61] {
        refused(from_spheres("radius", &[([0.0; 3], radius)]), "piece 0: `radius` is");
    }
    refused(from_vertices("few", &[[0.0; 3], [1.0; 3]]), "2 vertices are too few");
    refused(from_vertices("flat", &[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]), "no volume");
    refused(from_vertices("nan", &[[0.0, 0.0], [1.0, nan], [2.0, 2.0]]), "vertex 1: `y` is NaN");
    refused(
        from_pieces("flat", &[Part::Hull(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])]),
        "piece 0: the body has no volume",
    );
    let cube = by_name::<3>("cube").unwrap().shape;
    let part = |size: f64, pose: Pose<3>| from_pieces("cube", &[Part::Shape { shape: &cube, size, pose }]);
    refused(part(0.0, Pose::at([0.0; 3])), "`size` is 0.0");
    refused(part(1.0, Pose::at([0.0, 0.0, nan])), "`z` is NaN");
    let mirrored = [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    refused(part(1.0, Pose { position: [0.0; 3], rotation: mirrored }), "not mirrored");
    refused(part(1.0, Pose { position: [0.0; 3], rotation: [[nan; 3]; 3] }), "rotation is");
    refused(
        by_name::<3>("kube"),
        "unknown shape `kube`; known shapes: sphere, tetrahedron, pyramid, cube, fourteen",
    );
    refused(by_name::<2>("cube"), "known shapes: sphere, triangle, square");
    refused(stone("stone", 3, [1.0; 3], 0), "`vertices` is 3, expected a whole number from 4 to 10000");
    refused(pebble("pebble", 1_000_000, [1.0; 2], 0), "`vertices` is 1000000");
    for bad in [0.0, -1.0, nan, f64::INFINITY, 1e-7] {
        refused(stone("stone", 10, [1.0, bad, 1.0], 0), "`aspect` is");
    }
}

#[test]
fn pieces_apart_are_named() {
    refused(
        from_spheres(
            "two",
            &[([0.0; 3], 1.0), ([1.0, 0.0, 0.0], 1.0), ([5.0, 0.0, 0.0], 1.0), ([5.5, 0.0, 0.0], 1.0)],
        ),
        "pieces [2, 3] are apart from piece 0 and what touches it, by 2.0",
    );
    refused(from_spheres("two", &[([0.0; 2], 1.0), ([2.1, 0.0], 1.0)]), "pieces [1] are apart");
    let cube = by_name::<3>("cube").unwrap();
    let at =
        |position: [f64; 3]| Part::Shape { shape: &cube.shape, size: cube.size, pose: Pose::at(position) };
    refused(from_pieces("cubes", &[at([0.0; 3]), at([1.5, 0.0, 0.0])]), "by 0.5");
    // A ball next to a corner, an edge, a face.
    for (center, gap) in
        [([1.0, 1.0, 1.0], 0.75f64.sqrt()), ([1.0, 1.0, 0.2], 0.5f64.sqrt()), ([1.0, 0.1, 0.2], 0.5)]
    {
        let with = |radius: f64| from_pieces("two", &[at([0.0; 3]), Part::Ball { center, radius }]);
        assert!(with(gap + 1e-9).is_ok());
        refused(with(gap - 1e-3), "pieces [1] are apart from piece 0");
    }
    let square = by_name::<2>("square").unwrap();
    let part = Part::Shape { shape: &square.shape, size: square.size, pose: Pose::at([0.0; 2]) };
    for (center, gap) in [([1.0, 1.0], 0.5f64.sqrt()), ([1.0, 0.1], 0.5)] {
        let with = |radius: f64| from_pieces("two", &[Part::Ball { center, radius }, part]);
        assert!(with(gap + 1e-9).is_ok());
        refused(with(gap - 1e-3), "pieces [1] are apart from piece 0");
    }
    // A hundred of them are not all named.
    let many: Vec<([f64; 3], f64)> = (0..100).map(|k| ([3.0 * f64::from(k), 0.0, 0.0], 1.0)).collect();
    refused(from_spheres("many", &many), "pieces [1, 2, 3, 4, 5, 6, 7, 8] are apart");
}
