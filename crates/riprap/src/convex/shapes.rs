//! Ready-made bodies: the four of the shortest-link paper (figure 14), regular polygons, boxes, and random stones.

use super::body::{Polygon, Polyhedron};
use crate::Random;

/// How often random points are drawn until they make a body.
const ATTEMPTS: usize = 1000;

/// Makes a body of points that are known to be good.
fn hull(points: &[[f64; 3]]) -> Polyhedron {
    Polyhedron::from_points(points).expect("the points span a volume")
}

/// The regular tetrahedron with edges of length one.
pub fn tetrahedron() -> Polyhedron {
    let a = 0.125f64.sqrt();
    hull(&[[a, a, a], [a, -a, -a], [-a, a, -a], [-a, -a, a]])
}

/// The pyramid on a square, all edges of length one.
pub fn pyramid() -> Polyhedron {
    hull(&[[0.5, 0.5, 0.0], [-0.5, 0.5, 0.0], [-0.5, -0.5, 0.0], [0.5, -0.5, 0.0], [0.0, 0.0, 0.5f64.sqrt()]])
}

/// The cube with edges of length one.
pub fn cube() -> Polyhedron {
    cuboid([1.0; 3])
}

/// A body of 14 vertices and 12 rhombic faces, of width one: the rhombic dodecahedron.
pub fn fourteen() -> Polyhedron {
    let mut points = vec![];
    for k in 0..3 {
        for side in [-0.5, 0.5] {
            let mut point = [0.0; 3];
            point[k] = side;
            points.push(point);
        }
    }
    points.extend(corners([0.5; 3]));
    hull(&points)
}

/// A box with these edges, which must be finite and above zero.
pub fn cuboid(edges: [f64; 3]) -> Polyhedron {
    hull(&corners(edges).collect::<Vec<_>>())
}

fn corners(edges: [f64; 3]) -> impl Iterator<Item = [f64; 3]> {
    (0..8).map(move |corner| {
        std::array::from_fn(|k| if corner >> k & 1 == 0 { -0.5 * edges[k] } else { 0.5 * edges[k] })
    })
}

/// A stone: the hull of so many (at least four) random points on an ellipsoid of these diameters.
///
/// # Panics
///
/// If the diameters are not finite, or one is below some 1e-8 of another.
pub fn stone(vertices: usize, diameters: [f64; 3], random: &mut Random) -> Polyhedron {
    // Few points may happen to be in one plane.
    for _ in 0..ATTEMPTS {
        let points: Vec<[f64; 3]> = (0..vertices.max(4))
            .map(|_| {
                let direction: [f64; 3] = std::array::from_fn(|_| random.normal());
                let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
                std::array::from_fn(|k| 0.5 * diameters[k] * direction[k] / length)
            })
            .collect();
        if let Ok(stone) = Polyhedron::from_points(&points) {
            return stone;
        }
    }
    panic!("diameters {diameters:?} make no stone");
}

/// The regular polygon of so many (at least three) vertices on a circle of diameter one.
pub fn regular_polygon(vertices: usize) -> Polygon {
    let count = vertices.max(3);
    let angle = |k: usize| std::f64::consts::TAU * k as f64 / count as f64;
    let points: Vec<[f64; 2]> =
        (0..count).map(|k| [0.5 * libm::cos(angle(k)), 0.5 * libm::sin(angle(k))]).collect();
    Polygon::from_points(&points).expect("the points span an area")
}

/// A pebble: the hull of so many (at least three) random points on an ellipse of these diameters.
///
/// # Panics
///
/// If the diameters are not finite, or one is below some 1e-8 of the other.
pub fn pebble(vertices: usize, diameters: [f64; 2], random: &mut Random) -> Polygon {
    for _ in 0..ATTEMPTS {
        let points: Vec<[f64; 2]> = (0..vertices.max(3))
            .map(|_| {
                let angle = random.uniform(0.0, std::f64::consts::TAU);
                [0.5 * diameters[0] * libm::cos(angle), 0.5 * diameters[1] * libm::sin(angle)]
            })
            .collect();
        if let Ok(pebble) = Polygon::from_points(&points) {
            return pebble;
        }
    }
    panic!("diameters {diameters:?} make no pebble");
}
