//! The fast multipole method: its error, its options, and what they change.

use riprap::Random;
use riprap::inside::{Degree, Depth, Inside, InsideMethod, MultipoleOptions};
use riprap::mesh::{Mesh, shapes};

use crate::long::{cases, long};

/// Points at random in the box around a mesh and a little beyond.
fn points(mesh: &Mesh, count: usize) -> Vec<[f64; 3]> {
    let [low, high] = mesh.bounds();
    let mut random = Random::new(5);
    (0..count)
        .map(|_| {
            std::array::from_fn(|k| {
                let beyond = [0.2, 0.2, 3.0][random.below(3)] * (high[k] - low[k]);
                random.uniform(low[k] - beyond, high[k] + beyond)
            })
        })
        .collect()
}

fn windings(mesh: &Mesh, options: &MultipoleOptions, points: &[[f64; 3]]) -> (Inside, Vec<f64>) {
    let body = Inside::with_options(mesh, InsideMethod::Multipole, options).unwrap();
    let mut windings = Vec::new();
    body.windings(points, 2, &mut windings).unwrap();
    (body, windings)
}

/// The exact sums.
fn exact(mesh: &Mesh, points: &[[f64; 3]]) -> Vec<f64> {
    let mut exact = Vec::new();
    Inside::new(mesh, InsideMethod::DoubleLayer).unwrap().windings(points, 2, &mut exact).unwrap();
    exact
}

/// The largest difference.
fn error(found: &[f64], exact: &[f64]) -> f64 {
    found.iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn bodies() -> Vec<(&'static str, Mesh)> {
    // A surface with a hole, one with a face twice, and one with some faces turned over.
    let ball = shapes::sphere(4);
    let with = |triangles: Vec<[u32; 3]>| Mesh::new(ball.vertices().to_vec(), triangles).unwrap();
    let all = ball.triangles();
    let turned = all.iter().zip(0..).map(|(&[a, b, c], k)| if k % 100 == 0 { [a, c, b] } else { [a, b, c] });
    vec![
        ("sphere", ball.clone()),
        ("foam", shapes::foam(14)),
        ("knot", shapes::knot(0.3, 150, 12)),
        ("hole", with(all[300..].to_vec())),
        ("twice", with(all.iter().chain(&all[..500]).copied().collect())),
        ("turned", with(turned.collect())),
    ]
}

/// Setting up takes long: the first body is tried with all options, others with a third of them each, all in turn.
fn is_due(body: usize, option: usize) -> bool {
    long() || body == 0 || (body + option).is_multiple_of(3)
}

#[test]
fn the_error_is_below_equation_27_for_all_degrees() {
    for (number, (name, mesh)) in bodies().into_iter().enumerate() {
        let points = points(&mesh, cases(500));
        let exact = exact(&mesh, &points);
        let mut last = f64::INFINITY;
        for degree in 2..=14 {
            if number > 0 && degree % 4 != 2 && !long() {
                continue;
            }
            let options = MultipoleOptions {
                degree: Degree::Fixed(degree),
                // Of points outside of the cube, for which there is no degree.
                tolerance: 1e-9,
                separation: Some(1.8),
                depth: Depth::Faces(20),
                ..MultipoleOptions::default()
            };
            let (body, found) = windings(&mesh, &options, &points);
            let (used, bound) = body.expansion().unwrap();
            let error = error(&found, &exact);
            assert_eq!(used, degree);
            assert!(error <= bound, "{name} {degree}: {error} {bound}");
            // Four degrees make it several times smaller.
            if degree % 4 == 2 {
                assert!(error < 0.3 * last && error > 0.0, "{name} {degree}: {error} {last}");
                last = error;
            }
        }
    }
}

#[test]
fn the_error_is_below_what_is_asked_for() {
    for (number, (name, mesh)) in bodies().into_iter().enumerate() {
        let points = points(&mesh, cases(500));
        let exact = exact(&mesh, &points);
        let options = [
            (0.25, Degree::ByNorms, None),
            (1e-2, Degree::ByNorms, None),
            (1e-5, Degree::ByNorms, Some(1.8)),
            (1e-6, Degree::ByNorms, None),
            (1e-10, Degree::ByNorms, None),
            (0.25, Degree::ByEquation27, Some(2.0)),
            (1e-3, Degree::ByEquation27, Some(2.5)),
        ];
        for (index, (tolerance, rule, separation)) in options.into_iter().enumerate() {
            if !is_due(number, index) {
                continue;
            }
            let options = MultipoleOptions {
                tolerance,
                degree: rule,
                separation,
                depth: Depth::Faces(40),
                ..MultipoleOptions::default()
            };
            let (body, found) = windings(&mesh, &options, &points);
            let (degree, bound) = body.expansion().unwrap();
            let error = error(&found, &exact);
            assert!(bound <= tolerance, "{name}: {degree} {bound} {tolerance}");
            assert!(error <= bound, "{name}: {degree} {error} {bound}");
        }
    }
}

#[test]
fn depth_and_registers_change_no_more_than_the_error() {
    for (number, (name, mesh)) in bodies().into_iter().enumerate() {
        let points = points(&mesh, cases(250));
        let options = MultipoleOptions { tolerance: 1e-3, ..MultipoleOptions::default() };
        let (_, expected) = windings(&mesh, &options, &points);
        let depths = [
            Depth::PreChosen,
            Depth::WellChosen { points: 1 },
            Depth::WellChosen { points: 1_000_000 },
            Depth::Faces(1),
            Depth::Faces(100_000),
        ];
        for (index, depth) in depths.into_iter().enumerate() {
            if !is_due(number, index) {
                continue;
            }
            let (_, found) = windings(&mesh, &MultipoleOptions { depth, ..options }, &points);
            for (a, b) in found.iter().zip(&expected) {
                assert!((a - b).abs() < 2e-3, "{name} {depth:?}: {a} {b}");
            }
        }
        let (_, plain) = windings(&mesh, &MultipoleOptions { vectors: false, ..options }, &points);
        for (a, b) in plain.iter().zip(&expected) {
            assert!((a - b).abs() < 1e-12, "{name}: {a} {b}");
        }
    }
}

#[test]
fn a_deeper_tree_for_more_points() {
    // More levels make the boxes around a point smaller, and so its neighbours fewer; that shows in the time only. Here it shows in
    // the degree: a body that is not divided has no far faces, and so no error.
    let mesh = shapes::sphere(5);
    let with = |points: usize| {
        let depth = Depth::WellChosen { points };
        let options = MultipoleOptions { depth, ..MultipoleOptions::default() };
        Inside::with_options(&mesh, InsideMethod::Multipole, &options).unwrap().expansion().unwrap().1
    };
    assert_eq!(with(1), 0.0);
    assert!(with(100_000) > 0.0);
}

#[test]
fn options_that_are_none_are_refused() {
    let mesh = shapes::sphere(1);
    for (options, expected) in [
        (
            MultipoleOptions { tolerance: 0.0, ..Default::default() },
            "`tolerance` is 0, expected a number above zero",
        ),
        (MultipoleOptions { tolerance: f64::NAN, ..Default::default() }, "`tolerance` is NaN"),
        (
            MultipoleOptions { separation: Some(1.0), ..Default::default() },
            "`separation` is 1, expected a number above 1",
        ),
        (MultipoleOptions { degree: Degree::Fixed(0), ..Default::default() }, "`degree` is 0, expected"),
        (MultipoleOptions { degree: Degree::Fixed(31), ..Default::default() }, "`degree` is 31, expected"),
    ] {
        let refusal = Inside::with_options(&mesh, InsideMethod::Multipole, &options).unwrap_err().to_string();
        assert!(refusal.contains(expected), "{refusal}");
    }
}

/// A point next to a vertex, an edge or a face of a mesh, at a distance of any order.
fn next_to(mesh: &Mesh, random: &mut Random) -> [f64; 3] {
    let number = random.uniform(0.0, mesh.triangles().len() as f64) as usize;
    let corners = mesh.triangles()[number].map(|corner| mesh.vertices()[corner as usize]);
    // Some of the three are zero.
    let parts: [f64; 3] =
        std::array::from_fn(|_| if random.uniform(0.0, 1.0) < 0.4 { 0.0 } else { random.uniform(0.0, 1.0) });
    let all = parts.iter().sum::<f64>().max(1e-300);
    let distance = 10f64.powf(random.uniform(-14.0, 0.0));
    std::array::from_fn(|k| {
        let on = (0..3).map(|corner| parts[corner] / all * corners[corner][k]).sum::<f64>();
        on + distance * random.uniform(-1.0, 1.0)
    })
}

#[test]
fn short_numbers_are_as_good_next_to_faces_of_any_size() {
    let ball = shapes::sphere(4);
    let moved = |place: &dyn Fn([f64; 3]) -> [f64; 3]| {
        Mesh::new(ball.vertices().iter().map(|&vertex| place(vertex)).collect(), ball.triangles().to_vec())
            .unwrap()
    };
    let bodies = [
        ("ball", ball.clone()),
        ("flat", moved(&|[x, y, z]| [x, 0.01 * y, z])),
        ("needle", moved(&|[x, y, z]| [1e-4 * x, y, 1e-3 * z])),
        // Faces next to one vertex are ten thousand times smaller than others.
        (
            "graded",
            moved(&|[x, y, z]| {
                let size = ((x - 1.0).powi(2) + y * y + z * z).powi(2);
                [1.0 + size * (x - 1.0), size * y, size * z]
            }),
        ),
    ];
    let mut random = Random::new(8);
    for (name, mesh) in bodies {
        let points: Vec<_> = (0..cases(4000)).map(|_| next_to(&mesh, &mut random)).collect();
        let [short, long] = [0.1, 1e-9].map(|tolerance| MultipoleOptions {
            tolerance,
            // No face is far from any box: there is no error but that of rounding.
            depth: Depth::Faces(mesh.triangles().len()),
            ..MultipoleOptions::default()
        });
        let (body, found) = windings(&mesh, &short, &points);
        assert_eq!(body.expansion(), Some((1, 0.0)), "{name}");
        let (_, expected) = windings(&mesh, &long, &points);
        for ((a, b), point) in found.iter().zip(&expected).zip(&points) {
            assert!(a.is_nan() == b.is_nan(), "{name} {point:?}: {a} {b}");
            assert!(a.is_nan() || (a - b).abs() < 3e-5, "{name} {point:?}: {a} {b}");
        }
    }
}

#[test]
fn next_to_faces_the_error_is_below_what_is_asked_for() {
    let mesh = shapes::sphere(4);
    let mut random = Random::new(9);
    let points: Vec<_> = (0..cases(10_000)).map(|_| next_to(&mesh, &mut random)).collect();
    for tolerance in [1e-4, 1e-7] {
        let options = MultipoleOptions { tolerance, ..MultipoleOptions::default() };
        let (_, found) = windings(&mesh, &options, &points);
        // The surface is closed.
        for (winding, point) in found.iter().zip(&points).filter(|(winding, _)| !winding.is_nan()) {
            assert!((winding - winding.round()).abs() < tolerance, "{tolerance} {point:?}: {winding}");
        }
    }
}
