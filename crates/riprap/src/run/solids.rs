//! Bodies as they are, for ParaView: each convex piece a cell, balls as polyhedra of the same volume.

use std::io;
use std::path::Path;

use super::frames::{body_arrays, in_space, material_names};
use crate::convex::{Body, Pose};
use crate::dem::{Shapes, Simulation, matrix};
use crate::io::{Array, NameTable, Solids, write_solids};
use crate::mesh::{Mesh, shapes};
use crate::shape::{Form, Shape, unit_volume};
use crate::vector::{add_scaled, cross, dot};

/// How finely balls are drawn: so many times an octahedron is refined, and corners of a disk.
const REFINED: u32 = 2;
const CORNERS: usize = 32;

/// Writes all bodies.
pub(super) fn write<const D: usize>(path: &Path, simulation: &Simulation<D>) -> io::Result<()> {
    let (bodies, table) = (simulation.bodies(), simulation.shapes());
    let round = Round::<D>::new();
    let (mut solids, mut rows, mut pieces) = (Solids::default(), Vec::new(), Vec::new());
    let mut spheres = Vec::new();
    for row in 0..bodies.len() {
        let pose = Pose { position: bodies.position[row], rotation: matrix(bodies.turning.orientation[row]) };
        let Some(shape) = table.find(bodies.shape[row]) else { continue };
        for (number, piece) in shape.pieces.iter().enumerate() {
            let size = bodies.radius[row];
            let center = add_scaled(pose.position, size, pose.turn(piece.center));
            let place = |point: [f64; D]| in_space(add_scaled(center, size, pose.turn(point)));
            match &piece.form {
                Form::Ball { radius } => round.add(&mut solids, in_space(center), radius * size),
                Form::Convex(body) if D == 2 => solids.add_polygon(outline(body).into_iter().map(place)),
                Form::Convex(body) => {
                    let faces: Vec<Vec<u32>> = (0..body.facets().len() as u32)
                        .map(|facet| body.corners(facet).iter().map(|corner| corner.vertex).collect())
                        .collect();
                    let points = body.vertices().iter().map(|&vertex| place(vertex));
                    solids.add_polyhedron(points, faces.iter().map(Vec::as_slice));
                }
            }
            rows.push(row);
            pieces.push(number as i64);
            spheres.push(match &piece.form {
                Form::Ball { radius } => radius * size,
                Form::Convex(_) => 0.0,
            });
        }
    }
    let mut arrays = body_arrays(simulation, &rows);
    arrays.push(Array::Vectors("center", rows.iter().map(|&row| in_space(bodies.position[row])).collect()));
    arrays.push(Array::Integers("shape", rows.iter().map(|&row| i64::from(bodies.shape[row].0)).collect()));
    arrays.push(Array::Integers("piece", pieces));
    arrays.push(Array::Scalars("sphere_radius", spheres));
    let shapes = NameTable { name: "shapes", names: names(table).collect() };
    write_solids(path, &solids, &arrays, &[material_names(simulation), shapes])
}

pub(super) fn names<const D: usize>(table: &Shapes<D>) -> impl Iterator<Item = &str> {
    let shapes = (0..table.len() as u16).filter_map(|index| table.find(crate::dem::ShapeIndex(index)));
    shapes.map(|shape: &Shape<D>| shape.name.as_str())
}

/// The corners of a polygon in order.
pub(super) fn outline<const D: usize>(polygon: &Body<D>) -> Vec<[f64; D]> {
    let mut next = vec![0; polygon.vertices().len()];
    for edge in polygon.edges() {
        next[edge.ends[0] as usize] = edge.ends[1] as usize;
    }
    let corners = std::iter::successors(Some(0), |&corner: &usize| Some(next[corner]));
    corners.take(next.len()).map(|corner| polygon.vertices()[corner]).collect()
}

/// What stands for the unit ball, or the unit disk: a polyhedron, or polygon, of the same volume.
struct Round<const D: usize> {
    points: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl<const D: usize> Round<D> {
    fn new() -> Self {
        if D == 2 {
            let angle = std::f64::consts::TAU / CORNERS as f64;
            // The area of a regular polygon of n corners at distance r is n r^2 sin(2 pi / n) / 2.
            let radius = (angle / libm::sin(angle)).sqrt();
            let corner = |k: usize| {
                let (sine, cosine) = libm::sincos(angle * k as f64);
                [radius * cosine, radius * sine, 0.0]
            };
            return Self { points: (0..CORNERS).map(corner).collect(), triangles: Vec::new() };
        }
        let ball = shapes::sphere(REFINED);
        let grown = libm::cbrt(unit_volume::<3>() / volume(&ball));
        let points = ball.vertices().iter().map(|point| point.map(|x| grown * x)).collect();
        Self { points, triangles: ball.triangles().to_vec() }
    }

    fn add(&self, solids: &mut Solids, center: [f64; 3], radius: f64) {
        let points = self.points.iter().map(|&point| add_scaled(center, radius, point));
        if D == 2 {
            solids.add_polygon(points);
        } else {
            solids.add_polyhedron(points, self.triangles.iter().map(<[u32; 3]>::as_slice));
        }
    }
}

fn volume(mesh: &Mesh) -> f64 {
    let of = |triangle: usize| {
        let [a, b, c] = mesh.corners(triangle);
        dot(a, cross(b, c)) / 6.0
    };
    (0..mesh.triangles().len()).map(of).sum()
}
