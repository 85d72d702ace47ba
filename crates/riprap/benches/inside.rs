//! `cargo bench --bench inside`: set-up and time per point of every method, on the meshes and grids of Muth et al. 2006; and of a surface
//! that is not closed.
//!
//! Spheres and foams of more and more triangles, grids of more and more points. `ray-crossing` and `double-layer` ask all faces for each
//! point: from some number of both on they get a sample of the points. Without `--bench` (as in `cargo test`) everything is small, and
//! all methods must agree.

use std::time::Instant;

use riprap::Random;
use riprap::inside::{Depth, Inside, InsideMethod, MultipoleOptions, Place};
use riprap::machine;
use riprap::mesh::{Mesh, shapes};

fn main() {
    let full = std::env::args().any(|argument| argument == "--bench");
    if full {
        println!("machine: {}\ncommand: cargo bench --bench inside\n", machine::describe());
    }
    let (steps, resolutions, counts): (&[u32], &[usize], &[usize]) =
        if full { (&[3, 4, 5, 6, 7], &[23, 40, 80], &[10, 20, 40, 80]) } else { (&[1, 3], &[8], &[6, 10]) };
    let spheres = steps.iter().map(|&steps| ("sphere", shapes::sphere(steps)));
    let foams = resolutions.iter().map(|&resolution| ("foam", shapes::foam(resolution)));
    println!("Milliseconds to set up, and for all points. `~`: from a sample of the points.");
    println!(
        "| mesh | triangles | points | cells | ray-crossing | ray-tree | double-layer | multipole, well chosen | pre-chosen |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (name, mesh) in spheres.chain(foams) {
        for &count in counts {
            row(name, &mesh, count, if full { 2e8 } else { 1e6 });
        }
    }
    open_surface(if full { 5 } else { 3 }, if full { 20_000 } else { 500 });
}

/// Winding numbers of a sphere with a hole, for points at several distances from its middle.
fn open_surface(steps: u32, count: usize) {
    let ball = shapes::sphere(steps);
    let open = Mesh::new(ball.vertices().to_vec(), ball.triangles()[1..].to_vec()).expect("a mesh");
    let methods = [InsideMethod::DoubleLayer, InsideMethod::Multipole];
    let bodies = methods.map(|method| Inside::new(&open, method).expect("a surface"));
    println!(
        "\nNanoseconds a point, sphere of {} triangles of which one is missing.",
        ball.triangles().len()
    );
    println!("| distance | double-layer | multipole | they differ by |");
    println!("|--:|--:|--:|--:|");
    let mut random = Random::new(1);
    for radius in [0.3, 0.8, 1.1, 1.3, 2.0, 5.0, 20.0] {
        let points: Vec<[f64; 3]> = (0..count)
            .map(|_| {
                let [x, y, z]: [f64; 3] = std::array::from_fn(|_| random.normal());
                let factor = radius / (x * x + y * y + z * z).sqrt();
                [factor * x, factor * y, factor * z]
            })
            .collect();
        let mut windings = [Vec::new(), Vec::new()];
        let mut times = [f64::INFINITY; 2];
        for (k, body) in bodies.iter().enumerate() {
            for _ in 0..3 {
                let start = Instant::now();
                body.windings(&points, 1, &mut windings[k]).expect("points");
                times[k] = times[k].min(1e9 * start.elapsed().as_secs_f64() / count as f64);
            }
        }
        let apart = windings[0].iter().zip(&windings[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 0.1, "{radius}: {apart}");
        println!("| {radius} | {:.0} | {:.0} | {apart:.0e} |", times[0], times[1]);
    }
}

/// The middles of the cells of a grid over the box of a mesh.
fn grid(mesh: &Mesh, count: usize) -> Vec<[f64; 3]> {
    let [low, high] = mesh.bounds();
    let place = |cell: [usize; 3]| {
        std::array::from_fn(|k| low[k] + (high[k] - low[k]) * (cell[k] as f64 + 0.5) / count as f64)
    };
    (0..count.pow(3))
        .map(|index| place([index % count, index / count % count, index / count / count]))
        .collect()
}

/// A row of the table; methods that ask all faces do so `most` times.
fn row(name: &str, mesh: &Mesh, count: usize, most: f64) {
    let points = grid(mesh, count);
    print!("| {name} | {} | {count}^3 |", mesh.triangles().len());
    let mut expected = Vec::new();
    for (method, depth) in [
        (InsideMethod::Cells, Depth::PreChosen),
        (InsideMethod::RayCrossing, Depth::PreChosen),
        (InsideMethod::RayTree, Depth::PreChosen),
        (InsideMethod::DoubleLayer, Depth::PreChosen),
        (InsideMethod::Multipole, Depth::WellChosen { points: points.len() }),
        (InsideMethod::Multipole, Depth::PreChosen),
    ] {
        let asks_all = matches!(method, InsideMethod::RayCrossing | InsideMethod::DoubleLayer);
        let work = points.len() as f64 * mesh.triangles().len() as f64;
        let step = if asks_all { (work / most).ceil().max(1.0) as usize } else { 1 };
        let sample: Vec<[f64; 3]> = points.iter().copied().step_by(step).collect();
        let options = MultipoleOptions { depth, ..MultipoleOptions::default() };
        let start = Instant::now();
        let body = Inside::with_options(mesh, method, &options).expect("a closed mesh");
        let set_up = start.elapsed().as_secs_f64();
        let mut places: Vec<Place> = Vec::new();
        let mut query = f64::INFINITY;
        for _ in 0..if asks_all { 1 } else { 3 } {
            let start = Instant::now();
            body.classify(&sample, 1, &mut places).expect("points");
            query = query.min(start.elapsed().as_secs_f64());
        }
        if expected.is_empty() {
            expected = places;
        } else {
            assert!(places.iter().eq(expected.iter().step_by(step)), "{name} {count} {}", method.name());
        }
        let sign = if step > 1 { "~" } else { "" };
        print!(
            " {:.1} + {sign}{:.1} |",
            1e3 * set_up,
            1e3 * query * points.len() as f64 / sample.len() as f64
        );
    }
    println!();
}
