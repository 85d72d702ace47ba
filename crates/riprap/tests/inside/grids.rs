//! The meshes and grids of Muth et al. 2006: spheres of 8 to 131 072 triangles and three foams, with up to 40^3 points in the cube around
//! them.

use riprap::inside::{Depth, Inside, InsideMethod, MultipoleOptions, Place};
use riprap::mesh::{Mesh, shapes};

use crate::agreement::classify;
use crate::long::cases;

/// A regular grid over the box of a mesh, its faces included: it meets many vertices and edges of the spheres.
fn grid(mesh: &Mesh, count: usize) -> Vec<[f64; 3]> {
    let [low, high] = mesh.bounds();
    let place = |cell: [usize; 3]| {
        std::array::from_fn(|k| low[k] + (high[k] - low[k]) * cell[k] as f64 / (count - 1) as f64)
    };
    (0..count.pow(3))
        .map(|index| place([index % count, index / count % count, index / count / count]))
        .collect()
}

/// By all methods; those that ask all faces for each point get some of the points.
fn agree(name: &str, mesh: &Mesh, count: usize) -> (Vec<[f64; 3]>, Vec<Place>) {
    let points = grid(mesh, count);
    let places = classify(mesh, InsideMethod::Auto, &points, 2);
    assert_eq!(classify(mesh, InsideMethod::RayTree, &points, 2), places, "{name} {count} ray-tree");
    let options =
        MultipoleOptions { depth: Depth::WellChosen { points: points.len() }, ..MultipoleOptions::default() };
    let body = Inside::with_options(mesh, InsideMethod::Multipole, &options).unwrap();
    let mut by_multipoles = Vec::new();
    body.classify(&points, 2, &mut by_multipoles).unwrap();
    assert_eq!(by_multipoles, places, "{name} {count} multipole");
    let step = (points.len() * mesh.triangles().len() / cases(3_000_000)).max(1) | 1;
    let few: Vec<[f64; 3]> = points.iter().copied().step_by(step).collect();
    let expected: Vec<Place> = places.iter().copied().step_by(step).collect();
    for method in [InsideMethod::RayCrossing, InsideMethod::DoubleLayer] {
        assert_eq!(classify(mesh, method, &few, 2), expected, "{name} {count} {}", method.name());
    }
    (points, places)
}

#[test]
fn spheres() {
    for steps in 0..=7 {
        let mesh = shapes::sphere(steps);
        // The middle of a face is the part of the sphere that is cut off most.
        let inner = (0..mesh.triangles().len()).map(|triangle| {
            let corners = mesh.corners(triangle);
            let middle: [f64; 3] =
                std::array::from_fn(|k| corners.iter().map(|corner| corner[k]).sum::<f64>() / 3.0);
            middle.iter().map(|x| x * x).sum::<f64>().sqrt()
        });
        let inner = 0.999_999 * inner.fold(f64::INFINITY, f64::min);
        for count in [10, 20, 40] {
            let (points, places) = agree("sphere", &mesh, count);
            for (point, place) in points.iter().zip(places) {
                let radius = point.iter().map(|x| x * x).sum::<f64>().sqrt();
                if radius < inner {
                    assert_eq!(place, Place::Inside, "{point:?}");
                } else if radius > 1.000_001 {
                    assert_eq!(place, Place::Outside, "{point:?}");
                }
            }
        }
    }
}

#[test]
fn foams() {
    for resolution in [23, 40, 80] {
        let mesh = shapes::foam(resolution);
        for count in [10, 20, 40] {
            let (_, places) = agree("foam", &mesh, count);
            let inside = places.iter().filter(|&&place| place == Place::Inside).count() as f64;
            assert!((0.04..0.4).contains(&(inside / places.len() as f64)), "{inside}");
        }
    }
}
