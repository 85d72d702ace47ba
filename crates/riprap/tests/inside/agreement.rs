//! All methods, on random and on adversarial points.

use riprap::Random;
use riprap::inside::{Inside, InsideMethod, Place};
use riprap::mesh::{Mesh, shapes};

use crate::long::cases;

/// A mesh of two balls, the inner one being a hole, and one far away that overlaps another.
fn shells() -> Mesh {
    let shifted = |mesh: &Mesh, by: f64| {
        let vertices = mesh.vertices().iter().map(|&[x, y, z]| [x + by, y, z]).collect();
        Mesh::new(vertices, mesh.triangles().to_vec()).unwrap()
    };
    let ball = shapes::sphere(3);
    shapes::together(&[
        ball.clone(),
        shapes::inverted(&shapes::scaled(&ball, 0.5)),
        shifted(&ball, 3.0),
        shifted(&ball, 4.0),
    ])
}

/// Two triangles' worth of every size: a mesh with a cluster of tiny faces on a large box.
fn uneven() -> Mesh {
    let bump = shapes::scaled(&shapes::sphere(5), 1e-3);
    shapes::together(&[shapes::sphere(0), bump, shapes::scaled(&shapes::sphere(1), 50.0)])
}

pub(crate) fn meshes() -> Vec<(&'static str, Mesh)> {
    vec![
        ("octahedron", shapes::sphere(0)),
        ("sphere", shapes::sphere(4)),
        ("torus", shapes::torus(1.0, 0.3, 40, 20)),
        ("knot", shapes::knot(0.3, 120, 10)),
        ("shells", shells()),
        ("foam", shapes::foam(12)),
        ("uneven", uneven()),
        ("fine sphere", shapes::sphere(6)),
        ("fine foam", shapes::foam(23)),
    ]
}

/// Points at random in and around the box, and on and beside vertices, edges and faces.
pub(crate) fn points(mesh: &Mesh, count: usize, random: &mut Random) -> Vec<[f64; 3]> {
    let [low, high] = mesh.bounds();
    let size = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
    (0..count)
        .map(|kind| {
            let triangle = random.below(mesh.triangles().len());
            let [a, b, c] = mesh.corners(triangle);
            let blend = |u: f64, v: f64| -> [f64; 3] {
                std::array::from_fn(|k| a[k] + u * (b[k] - a[k]) + v * (c[k] - a[k]))
            };
            let mut point = match kind % 8 {
                0 | 1 => std::array::from_fn(|k| random.uniform(low[k] - 0.1 * size, high[k] + 0.1 * size)),
                2 => a,
                3 => blend(0.5, 0.0),
                4 => blend(0.25, 0.25),
                5 => blend(random.uniform(0.0, 0.5), random.uniform(0.0, 0.5)),
                // In line with a vertex along an axis, so that rays and lattices meet it.
                6 => {
                    let mut point = a;
                    point[random.below(3)] += size * random.uniform(-0.3, 0.3);
                    point
                }
                _ => [1e3 * size, a[1], a[2]],
            };
            if kind % 3 == 1 {
                let off = size * [1e-12, 1e-9, 1e-6, 1e-3][random.below(4)];
                point = point.map(|x| x + off * random.uniform(-1.0, 1.0));
            }
            point
        })
        .collect()
}

pub(crate) fn classify(mesh: &Mesh, method: InsideMethod, points: &[[f64; 3]], threads: usize) -> Vec<Place> {
    let mut places = Vec::new();
    Inside::new(mesh, method).unwrap().classify(points, threads, &mut places).unwrap();
    places
}

#[test]
fn all_methods_agree() {
    let mut random = Random::new(1);
    for (name, mesh) in meshes() {
        mesh.check_closed().unwrap();
        let points = points(&mesh, cases(1000), &mut random);
        let rays = classify(&mesh, InsideMethod::RayCrossing, &points, 2);
        for method in [
            InsideMethod::Auto,
            InsideMethod::Cells,
            InsideMethod::RayTree,
            InsideMethod::DoubleLayer,
            InsideMethod::Multipole,
        ] {
            let places = classify(&mesh, method, &points, 2);
            for (index, point) in points.iter().enumerate() {
                assert_eq!(places[index], rays[index], "{name} {} {index} {point:?}", method.name());
            }
        }
        for place in [Place::Outside, Place::Boundary, Place::Inside] {
            assert!(rays.contains(&place), "{name} has no point {place:?}");
        }
    }
}

#[test]
fn far_from_the_origin_nothing_is_lost() {
    // So far that a box is a few roundings wide.
    let ball = shapes::sphere(2);
    for far in [1e6, 1e12, 1e14, 1e15] {
        let vertices = ball.vertices().iter().map(|vertex| vertex.map(|x| x + far)).collect();
        let mesh = Mesh::new(vertices, ball.triangles().to_vec()).unwrap();
        let points = points(&mesh, 300, &mut Random::new(4));
        let rays = classify(&mesh, InsideMethod::RayCrossing, &points, 1);
        for &(method, ..) in InsideMethod::ALL {
            assert_eq!(classify(&mesh, method, &points, 1), rays, "{} {far:e}", method.name());
        }
    }
}

#[test]
fn vertices_and_corners_of_faces_are_on_the_boundary() {
    for (name, mesh) in meshes() {
        for &(method, ..) in InsideMethod::ALL {
            let few: Vec<[f64; 3]> = mesh.vertices().iter().copied().step_by(7).collect();
            let places = classify(&mesh, method, &few, 1);
            assert!(places.iter().all(|&place| place == Place::Boundary), "{name} {}", method.name());
        }
    }
}

#[test]
fn a_ball_is_a_ball() {
    let mesh = shapes::sphere(5);
    let mut random = Random::new(2);
    let points: Vec<[f64; 3]> =
        (0..200_000).map(|_| std::array::from_fn(|_| random.uniform(-1.1, 1.1))).collect();
    let places = classify(&mesh, InsideMethod::Cells, &points, 2);
    for (point, place) in points.iter().zip(places) {
        let radius = point.iter().map(|x| x * x).sum::<f64>().sqrt();
        if radius > 1.0 {
            assert_eq!(place, Place::Outside);
        } else if radius < 0.999 {
            assert_eq!(place, Place::Inside, "{point:?}");
        }
    }
}

#[test]
fn neither_threads_nor_the_order_of_points_change_a_bit() {
    let mut random = Random::new(3);
    for (mesh, count) in [(shapes::foam(10), 6000), (shapes::sphere(6), 20_000)] {
        let all = points(&mesh, cases(count), &mut random);
        for &(method, name, _) in InsideMethod::ALL {
            let slow = matches!(method, InsideMethod::RayCrossing | InsideMethod::DoubleLayer);
            let few = if slow { &all[..2000.min(10_000_000 / mesh.triangles().len())] } else { &all[..] };
            let body = Inside::new(&mesh, method).unwrap();
            let windings = |points: &[[f64; 3]], threads: usize| -> Vec<u64> {
                let mut windings = Vec::new();
                body.windings(points, threads, &mut windings).unwrap();
                windings.iter().map(|winding| winding.to_bits()).collect()
            };
            let one = windings(few, 1);
            for threads in [2, 3, 8] {
                assert!(windings(few, threads) == one, "{name} {threads}");
            }
            let mut order: Vec<usize> = (0..few.len()).collect();
            random.shuffle(&mut order);
            let shuffled: Vec<[f64; 3]> = order.iter().map(|&index| few[index]).collect();
            for (found, &index) in windings(&shuffled, 2).iter().zip(&order) {
                assert_eq!(*found, one[index], "{name} {:?}", few[index]);
            }
        }
    }
}

#[test]
fn points_between_which_a_body_is_symmetric_are_no_exception() {
    // Angles of such points add up to half turns exactly, on either side of which a zero may be.
    for steps in 0..3 {
        let mesh = shapes::sphere(steps);
        let places = |method: InsideMethod, points: &[[f64; 3]]| {
            let mut places = Vec::new();
            Inside::new(&mesh, method).unwrap().classify(points, 2, &mut places).unwrap();
            places
        };
        let points: Vec<[f64; 3]> = (0..17 * 17 * 17)
            .map(|index| [index % 17, index / 17 % 17, index / 289].map(|k| f64::from(k) / 8.0 - 1.0))
            .collect();
        let expected = places(InsideMethod::RayCrossing, &points);
        for &(method, name, _) in InsideMethod::ALL {
            for ((found, expected), point) in places(method, &points).iter().zip(&expected).zip(&points) {
                assert_eq!(found, expected, "{name} {steps} {point:?}");
            }
        }
    }
}
