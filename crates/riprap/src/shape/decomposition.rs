//! Convex pieces of concave bodies, by V-HACD (Mamou 2016) as in the crate `parry`.
//!
//! 1. Fill a lattice of voxels, and cut it by planes where that takes most of the difference between parts and their hulls.
//! 2. Until that difference is below a part of the volume, or there are enough pieces.
//! 3. The pieces are the hulls of what the parts hold of the surface.
//!
//! Cost: seconds; the cube of the resolution.

use parry3d_f64::math::Vector;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};

use super::build::assemble;
use super::{BuildError, Built, Form, Piece};
use crate::convex::Polyhedron;
use crate::mesh::Mesh;
use crate::vector::{add, scale, sub};

/// Voxels along the longest side, the difference that is allowed, and most pieces.
const RESOLUTION: u32 = 64;
const CONCAVITY: f64 = 0.003;
const MOST: u32 = 64;

/// A shape of convex pieces; `volume` is what the mesh encloses.
pub(super) fn divided(name: &str, mesh: &Mesh, volume: f64) -> Result<Built<3>, BuildError> {
    // At size one: parry's tolerances are absolute.
    let [low, high] = mesh.bounds();
    let size = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
    let points: Vec<Vector> = mesh
        .vertices()
        .iter()
        .map(|&vertex| scale(sub(vertex, low), 1.0 / size))
        .map(|[x, y, z]| Vector::new(x, y, z))
        .collect();
    let parameters = VHACDParameters {
        resolution: RESOLUTION,
        concavity: CONCAVITY,
        max_convex_hulls: MOST,
        ..VHACDParameters::default()
    };
    let parts = VHACD::decompose(&parameters, &points, mesh.triangles(), true);
    let hulls = parts.compute_exact_convex_hulls(&points, mesh.triangles());
    let mut pieces = Vec::new();
    for (vertices, _) in hulls {
        let vertices: Vec<[f64; 3]> =
            vertices.iter().map(|v| add(low, scale([v.x, v.y, v.z], size))).collect();
        // Parts of a voxel or two may be flat; their neighbours cover them.
        if let Ok(body) = Polyhedron::from_points(&vertices) {
            pieces.push(Piece { center: body.centroid(), form: Form::Convex(body) });
        }
    }
    if pieces.is_empty() {
        return Err(BuildError::Undivided { reason: "no piece has a volume".to_string() });
    }
    let built = assemble(name, pieces)?;
    let growth = super::unit_volume::<3>() * built.size * built.size * built.size / volume;
    Ok(Built { growth, ..built })
}
