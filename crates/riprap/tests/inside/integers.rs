//! All methods against windings in whole numbers, which need no rounding: meshes and points on a lattice, where everything that can
//! coincide does.

use riprap::Random;
use riprap::inside::{Inside, InsideMethod};
use riprap::mesh::{Mesh, shapes};

type Vector = [i128; 3];

fn sub(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|k| a[k] - b[k])
}

fn cross(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|k| a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3])
}

fn dot(a: Vector, b: Vector) -> i128 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

/// How often the faces wind around a point; `None` on one of them.
fn winding(faces: &[[Vector; 3]], point: Vector, random: &mut Random) -> Option<i32> {
    'ray: loop {
        let way: Vector = std::array::from_fn(|_| random.uniform(-1e6, 1e6) as i128);
        let mut sum = 0;
        for face in faces {
            let [a, b, c] = face.map(|corner| sub(corner, point));
            let normal = cross(sub(b, a), sub(c, a));
            if normal == [0; 3] {
                continue;
            }
            let height = dot(a, normal);
            let areas = [cross(a, b), cross(b, c), cross(c, a)];
            if height == 0 && areas.iter().all(|&area| dot(area, normal) >= 0) {
                return None;
            }
            let volumes = areas.map(|area| dot(way, area));
            if volumes.iter().any(|&volume| volume > 0) && volumes.iter().any(|&volume| volume < 0) {
                continue;
            }
            if volumes.contains(&0) {
                continue 'ray;
            }
            // Where the line meets the plane: in front of the point, or behind.
            let slope = dot(way, normal);
            if height.signum() == slope.signum() {
                sum += slope.signum() as i32;
            }
        }
        return Some(sum);
    }
}

/// All methods must find these windings.
fn check(name: &str, mesh: &Mesh, points: &[Vector], random: &mut Random) {
    let whole = |point: [f64; 3]| point.map(|x| x as i128);
    let faces: Vec<[Vector; 3]> =
        (0..mesh.triangles().len()).map(|triangle| mesh.corners(triangle).map(whole)).collect();
    let expected: Vec<Option<i32>> = points.iter().map(|&point| winding(&faces, point, random)).collect();
    let places: Vec<[f64; 3]> = points.iter().map(|point| point.map(|x| x as f64)).collect();
    for &(method, of, _) in InsideMethod::ALL {
        let mut windings = Vec::new();
        Inside::new(mesh, method).unwrap().windings(&places, 1, &mut windings).unwrap();
        for ((found, expected), point) in windings.iter().zip(&expected).zip(points) {
            let found = (!found.is_nan()).then(|| found.round() as i32);
            assert_eq!(found, *expected, "{name} {of} {point:?}");
        }
    }
}

#[test]
fn tetrahedra_on_a_small_lattice() {
    let mut random = Random::new(21);
    for count in (1..=12).cycle().take(150) {
        // Some of them are flat, inside out, or there twice.
        let mut corner = || std::array::from_fn(|_| random.below(6) as f64);
        let bodies: Vec<Mesh> = (0..count)
            .map(|_| {
                let corners = vec![corner(), corner(), corner(), corner()];
                Mesh::new(corners, vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]).unwrap()
            })
            .collect();
        let mesh = shapes::together(&bodies);
        let points: Vec<Vector> =
            (0..512).map(|index| [index % 8, index / 8 % 8, index / 64].map(|k| k - 1)).collect();
        check("tetrahedra", &mesh, &points, &mut random);
    }
}

#[test]
fn rounded_shapes() {
    let mut random = Random::new(22);
    for (name, mesh, size) in [
        ("ball", shapes::sphere(4), 40.0),
        ("fine ball", shapes::sphere(4), 1e6),
        ("knot", shapes::knot(0.3, 80, 8), 300.0),
        ("foam", shapes::foam(9), 1e4),
    ] {
        // Multiples of six: edges and faces have their middles on the lattice.
        let vertices = mesh.vertices().iter().map(|vertex| vertex.map(|x| 6.0 * (size * x).round()));
        let mesh = Mesh::new(vertices.collect(), mesh.triangles().to_vec()).unwrap();
        let [low, high] = mesh.bounds();
        let points: Vec<Vector> = (0..2000)
            .map(|kind| {
                let [a, b, c] = mesh.corners(random.below(mesh.triangles().len()));
                let on = match kind % 5 {
                    0 => a,
                    1 => std::array::from_fn(|k| (a[k] + b[k]) / 2.0),
                    2 => std::array::from_fn(|k| (a[k] + b[k] + c[k]) / 3.0),
                    _ => std::array::from_fn(|k| random.uniform(low[k], high[k])),
                };
                // On it, or next to it.
                let aside: [f64; 3] =
                    std::array::from_fn(|_| if kind % 2 == 0 { 0.0 } else { random.below(3) as f64 - 1.0 });
                std::array::from_fn(|k| (on[k] + aside[k]) as i128)
            })
            .collect();
        check(name, &mesh, &points, &mut random);
    }
}
