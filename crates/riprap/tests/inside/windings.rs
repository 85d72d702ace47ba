//! Windings as numbers: whole ones of closed surfaces, others of surfaces that are not.

use riprap::inside::{Inside, InsideMethod, Place};
use riprap::mesh::{Mesh, shapes};

fn windings(mesh: &Mesh, method: InsideMethod, points: &[[f64; 3]]) -> Vec<f64> {
    let mut windings = Vec::new();
    Inside::new(mesh, method).unwrap().windings(points, 1, &mut windings).unwrap();
    windings
}

#[test]
fn balls_within_balls_are_counted() {
    let ball = shapes::sphere(3);
    let shell = |radius: f64| shapes::scaled(&ball, radius);
    let nested = shapes::together(&[
        shell(4.0),
        shell(3.0),
        shapes::inverted(&shell(2.0)),
        shapes::inverted(&shell(1.0)),
    ]);
    let expected = [0.0, 1.0, 2.0, 1.0, 0.0];
    let points = [5.0, 3.5, 2.5, 1.5, 0.1].map(|x| [x, 0.01 * x, -0.02 * x]);
    for &(method, name, _) in InsideMethod::ALL {
        for (found, expected) in windings(&nested, method, &points).iter().zip(expected) {
            assert!((found - expected).abs() < 0.25, "{name}: {found} {expected}");
        }
    }
    // More than a byte can hold.
    let many = shapes::together(&vec![ball; 300]);
    for method in [InsideMethod::Cells, InsideMethod::RayTree] {
        assert_eq!(windings(&many, method, &[[0.0; 3], [0.9, 0.1, 0.1], [2.0, 0.0, 0.0]])[0], 300.0);
    }
}

#[test]
fn on_the_surface_there_is_none() {
    let ball = shapes::sphere(3);
    for &(method, name, _) in InsideMethod::ALL {
        assert!(windings(&ball, method, &[[1.0, 0.0, 0.0]])[0].is_nan(), "{name}");
    }
}

#[test]
fn half_a_ball_winds_by_half() {
    // Seen from its middle, the upper half of a ball fills half of the sky; from far away nothing.
    let ball = shapes::sphere(5);
    let upper = |corners: &[u32; 3]| corners.iter().all(|&corner| ball.vertices()[corner as usize][2] >= 0.0);
    let half: Vec<[u32; 3]> = ball.triangles().iter().copied().filter(upper).collect();
    let mesh = Mesh::new(ball.vertices().to_vec(), half).unwrap();
    let points =
        [[0.0; 3], [0.0, 0.0, 0.9], [0.0, 0.0, -0.9], [0.0, 0.0, 1.1], [1e5, 0.0, 1.0], [1e200, 0.0, 1.0]];
    // A point on the axis sees the rim under an angle whose cosine is this.
    let share = |z: f64| 0.5 * (1.0 + z / (1.0 + z * z).sqrt());
    let expected = [0.5, share(0.9), share(-0.9), share(1.1) - 1.0, 0.0, 0.0];
    for method in [InsideMethod::Auto, InsideMethod::DoubleLayer, InsideMethod::Multipole] {
        for (found, expected) in windings(&mesh, method, &points).iter().zip(expected) {
            assert!((found - expected).abs() < 3e-3, "{}: {found} {expected}", method.name());
        }
    }
    let auto = Inside::new(&mesh, InsideMethod::Auto).unwrap();
    assert_eq!(auto.method(), InsideMethod::Multipole);
    assert!(auto.open_edge().unwrap().to_string().contains("is not closed"));
    let mut places = Vec::new();
    auto.classify(&points[1..4], 1, &mut places).unwrap();
    assert_eq!(places, [Place::Inside, Place::Outside, Place::Outside]);
    // Closed, or open and small.
    assert_eq!(Inside::new(&ball, InsideMethod::Auto).unwrap().method(), InsideMethod::Cells);
    let triangle = Mesh::new(ball.vertices().to_vec(), ball.triangles()[..1].to_vec()).unwrap();
    assert_eq!(Inside::new(&triangle, InsideMethod::Auto).unwrap().method(), InsideMethod::DoubleLayer);
}

#[test]
fn next_to_the_edge_of_an_open_surface_the_value_is_that_of_the_angle() {
    // A square in the plane z = 0, seen from next to its diagonal: half of the sky, whichever the side.
    let vertices = vec![[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
    let square = Mesh::new(vertices, vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    for distance in [1e-3, 1e-9, 1e-13, 1e-20] {
        for aside in [0.0, distance, -distance, 1e-17] {
            let points = [[aside, 0.0, -distance], [aside, 0.0, distance]];
            for method in [InsideMethod::DoubleLayer, InsideMethod::Multipole] {
                let found = windings(&square, method, &points);
                assert!((found[0] - 0.5).abs() < 1e-3, "{distance} {aside}: {found:?}");
                assert!((found[1] + 0.5).abs() < 1e-3, "{distance} {aside}: {found:?}");
            }
        }
    }
}

#[test]
fn next_to_the_edge_of_a_closed_surface_no_place_is_wrong() {
    // A corner at the origin, where there are numbers as small as one likes.
    let vertices = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let corner = Mesh::new(vertices, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]).unwrap();
    for size in [1e-3, 1e-12, 1e-25, 1e-80, 1e-100, 1e-300] {
        // Beside a vertex, and beside an edge.
        for along in [size, 0.25] {
            let points =
                [[along, size, size], [along, -size, size], [along, size, -size], [along, 0.0, size]];
            for &(method, name, _) in InsideMethod::ALL {
                let mut places = Vec::new();
                Inside::new(&corner, method).unwrap().classify(&points, 1, &mut places).unwrap();
                let expected = [Place::Inside, Place::Outside, Place::Outside, Place::Boundary];
                // Coordinates below 1e-90 count as zero.
                let expected = if size < 1e-90 { [Place::Boundary; 4] } else { expected };
                assert_eq!(places, expected, "{name} {size}");
            }
        }
    }
}

#[test]
fn bodies_of_any_size_and_points_of_any_distance() {
    for size in [1e-300, 1e-110, 1e-30, 1.0, 1e30, 1e49] {
        let ball = shapes::scaled(&shapes::sphere(3), size);
        let points = [
            [0.0; 3],
            [0.9 * size, 0.0, 0.0],
            [1.1 * size, 0.0, 0.0],
            [size, 0.0, 0.0],
            [1e300, -1e300, 1e-300],
        ];
        for &(method, name, _) in InsideMethod::ALL {
            let mut places = Vec::new();
            Inside::new(&ball, method).unwrap().classify(&points, 1, &mut places).unwrap();
            let expected = [Place::Inside, Place::Inside, Place::Outside, Place::Boundary, Place::Outside];
            assert_eq!(places, expected, "{name} {size}");
        }
    }
}
