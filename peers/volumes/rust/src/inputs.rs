//! Meshes, and the points that are asked for.

use std::path::Path;

use riprap::Random;
use riprap::mesh::{Mesh, shapes};

use crate::files::{write_bytes, write_doubles};

/// Points along each edge of the grids; the last one is asked for in random order too.
const GRIDS: [usize; 3] = [20, 40, 80];
/// Degenerate points of each of the six kinds.
const OF_KIND: usize = 500;
/// How far off the surface some of them are, over the width of the mesh.
const OFF: f64 = 1e-12;

pub(crate) fn write(name: &str, folder: &Path) {
    let (shape, size) = name.split_once('-').expect("a shape and a size");
    let mesh = match shape {
        "sphere" => shapes::sphere(size.parse().expect("a number")),
        "foam" => shapes::foam(size.parse().expect("a number")),
        _ => panic!("no shape `{shape}`"),
    };
    let triangles = mesh.triangles().iter().flatten().flat_map(|corner| corner.to_le_bytes());
    write_bytes(&folder.join("triangles"), &triangles.collect::<Vec<_>>());
    let points = |name: &str, points: &[[f64; 3]]| write_doubles(&folder.join(name), points.as_flattened());
    points("vertices", mesh.vertices());
    for n in GRIDS {
        points(&n.to_string(), &grid(&mesh, n));
    }
    let n = GRIDS[GRIDS.len() - 1];
    let mut shuffled = grid(&mesh, n);
    Random::new(1).shuffle(&mut shuffled);
    points(&format!("{n}-shuffled"), &shuffled);
    points("degenerate", &degenerate(&mesh));
}

/// The cube around the mesh: its lowest corner and its width.
fn cube(mesh: &Mesh) -> ([f64; 3], f64) {
    let [low, high] = mesh.bounds();
    let width = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
    (std::array::from_fn(|k| 0.5 * (low[k] + high[k] - width)), width)
}

/// The middles of the cells of a cube around the mesh, with x the fastest.
fn grid(mesh: &Mesh, n: usize) -> Vec<[f64; 3]> {
    let (low, width) = cube(mesh);
    let at = |k: usize, cell: usize| low[k] + width * (cell as f64 + 0.5) / n as f64;
    (0..n.pow(3)).map(|index| [at(0, index % n), at(1, index / n % n), at(2, index / n / n)]).collect()
}

/// Points that are hard to place, the same number of each kind:
///
/// 1. vertices;
/// 2. points on faces, as well as they can be rounded; every other one is the middle of an edge;
/// 3. points from which a ray along an axis meets a vertex;
/// 4. points from which a ray along an axis meets an edge, or passes it by a rounding;
/// 5. points off a face by 1e-12, to either side;
/// 6. points beside a face, in its plane but for a rounding.
fn degenerate(mesh: &Mesh) -> Vec<[f64; 3]> {
    let (low, width) = cube(mesh);
    let random = &mut Random::new(2);
    let vertex = |random: &mut Random| mesh.vertices()[random.below(mesh.vertices().len())];
    let face = |random: &mut Random| mesh.corners(random.below(mesh.triangles().len()));
    let within = |[a, b, c]: [[f64; 3]; 3], random: &mut Random| {
        let (s, t) = (random.uniform(0.0, 1.0), random.uniform(0.0, 1.0));
        let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
        std::array::from_fn(|k| a[k] + s * (b[k] - a[k]) + t * (c[k] - a[k]))
    };
    let on_edge = |[a, b, _]: [[f64; 3]; 3], s: f64| std::array::from_fn(|k| a[k] + s * (b[k] - a[k]));
    let along_axis = |mut point: [f64; 3], random: &mut Random| {
        let k = random.below(3);
        point[k] = random.uniform(low[k], low[k] + width);
        point
    };
    let mut points = Vec::with_capacity(6 * OF_KIND);
    points.extend((0..OF_KIND).map(|_| vertex(random)));
    points.extend((0..OF_KIND).map(|k| {
        let face = face(random);
        if k % 2 == 0 { within(face, random) } else { on_edge(face, 0.5) }
    }));
    points.extend((0..OF_KIND).map(|_| along_axis(vertex(random), random)));
    points.extend((0..OF_KIND).map(|k| {
        let face = face(random);
        let s = if k % 2 == 0 { random.uniform(0.0, 1.0) } else { 0.5 };
        along_axis(on_edge(face, s), random)
    }));
    points.extend((0..OF_KIND).map(|index| {
        let corners = face(random);
        let point: [f64; 3] = within(corners, random);
        let normal = normal(corners);
        let off = if index % 2 == 0 { OFF } else { -OFF } * width;
        std::array::from_fn(|k| point[k] + off * normal[k])
    }));
    points.extend((0..OF_KIND).map(|_| {
        let [a, b, c] = face(random);
        let (s, t) = (random.uniform(1.0, 3.0), random.uniform(-3.0, 3.0));
        std::array::from_fn(|k| a[k] + s * (b[k] - a[k]) + t * (c[k] - a[k]))
    }));
    points
}

fn normal([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    let edge = |p: [f64; 3]| -> [f64; 3] { std::array::from_fn(|k| p[k] - a[k]) };
    let (u, v) = (edge(b), edge(c));
    let cross: [f64; 3] =
        std::array::from_fn(|k| u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
    let length = cross.iter().map(|x| x * x).sum::<f64>().sqrt();
    cross.map(|x| x / length)
}
