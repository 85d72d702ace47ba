//! The double layer potential (Muth, Of, Eberhard, Steinbach 2006, section 2.1.1): J is the sum of the solid angles under which the
//! faces are seen, over 4 pi: a whole number, 0 outside.
//!
//! Meshes that are not closed have a J too, which is not a whole number.
//!
//! Cost: O(N) a point, see `solid_angle.rs`. For few points or faces, for surfaces that are not closed, and as a measure for others.

use super::faces::{Face, faces_of};
use super::ray_crossing;
use super::solid_angle::{Block, Product, near_faces};
use super::units::Units;
use crate::lanes::Lanes;
use crate::lanes::vectors::{Kernel, Vector, run};
use crate::mesh::Mesh;
use crate::vector::components;

/// All faces of a mesh.
#[derive(Debug, Clone)]
pub(super) struct DoubleLayer {
    units: Units,
    faces: Vec<Face>,
    blocks: Vec<Block<Lanes>>,
    /// The box around a closed surface.
    closed: Option<[[f64; 3]; 2]>,
}

impl DoubleLayer {
    pub(super) fn new(mesh: &Mesh, is_closed: bool) -> Self {
        let (units, faces) = (Units::of(mesh), faces_of(mesh));
        let corners: Vec<_> =
            faces.iter().map(|face| face.corners.map(|corner| units.scaled(corner))).collect();
        let blocks = Block::all(&corners).collect();
        Self { units, faces, blocks, closed: is_closed.then(|| mesh.bounds()) }
    }

    /// Fills `windings` with J at each point; a point on a face has none.
    pub(super) fn windings(&self, points: &[[f64; 3]], windings: &mut [f64], wide: bool) {
        run(Sums { layer: self, points, windings: &mut *windings }, wide);
        for (point, winding) in points.iter().zip(windings) {
            if winding.is_nan() {
                let by_ray =
                    || self.closed.map(|bounds| ray_crossing::winding(&self.faces, &bounds, *point, 0));
                *winding = near_faces(self.faces.iter(), *point).winding(0.0, by_ray);
            }
        }
    }
}

struct Sums<'a> {
    layer: &'a DoubleLayer,
    points: &'a [[f64; 3]],
    windings: &'a mut [f64],
}

impl Kernel for Sums<'_> {
    #[inline(always)]
    fn run<V: Vector>(self) {
        for (point, winding) in self.points.iter().zip(self.windings) {
            *winding = match self.layer.units.place(*point) {
                None => 0.0,
                Some(point) => {
                    let mut product = Product::<V>::new();
                    let point = components(|k| V::all(point[k]));
                    for block in &self.layer.blocks {
                        product.multiply(block, point);
                    }
                    product.sum().unwrap_or(f64::NAN)
                }
            };
        }
    }
}
