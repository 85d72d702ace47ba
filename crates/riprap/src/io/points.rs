//! Points: rows without a radius, or the vertices of a mesh.

use std::path::Path;

use super::{FileError, RowKind, mesh, read};

/// Reads points in space.
///
/// Formats are those of [`super::read_particles`], where a size may be missing and is ignored: CSV and text with columns `x`, `y` and
/// `z`, LAMMPS files, NumPy arrays N x 3 (x y z) or N x 4 (the last column is ignored). Of meshes (`.stl`, `.obj`, `.ply`; triangles
/// may be missing) the points are the vertices, in the order of the file; corners that an STL file repeats are one point, where it
/// comes first.
pub fn read_points(path: &Path) -> Result<Vec<[f64; 3]>, FileError> {
    let points = if mesh::is_mesh(path) {
        mesh::read_vertices(path)
    } else {
        read(path, RowKind::Points).map(|rows| rows.centers)
    };
    points.map_err(|problem| problem.in_file(path))
}
