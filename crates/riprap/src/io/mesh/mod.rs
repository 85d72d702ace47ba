//! Triangle meshes: STL (text or binary), OBJ and PLY (text or binary), in and out.
//!
//! Files number the vertices that triangles share (OBJ, PLY) or repeat them in each triangle (STL). Either way vertices at the same
//! place are one vertex of the mesh. Polygons are cut into triangles.

mod obj;
mod ply;
mod polygon;
mod stl;

use std::fs::File;
use std::io::{BufReader, Error, ErrorKind};
use std::path::Path;

use super::{FileError, Problem, write_whole};
use crate::mesh::Mesh;

/// Largest mesh file, in bytes.
const LARGEST_FILE: u64 = 2 << 30;

const EXPECTED_NAME: &str = "expected a name that ends in `.stl`, `.obj` or `.ply`";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Stl,
    Obj,
    Ply,
}

/// What a file holds; its coordinates are finite, and its triangles refer to vertices that are there.
enum Content {
    /// Triangles that do not say which corners they share.
    Loose(Vec<[[f64; 3]; 3]>),
    /// Triangles of numbered vertices.
    Numbered(FileSurface),
}

#[derive(Default)]
struct FileSurface {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    /// Polygons of vertices that come after them in the file.
    uncut: Vec<Vec<u32>>,
}

/// Reads a mesh; the format follows from the ending `.stl`, `.obj` or `.ply`.
///
/// Whether it is closed is not checked, see [`Mesh::check_closed`]. Vertices have the numbers of OBJ and PLY files, from 0; those of
/// STL files are numbered as they are met.
pub fn read_mesh(path: &Path) -> Result<Mesh, FileError> {
    let mesh = read_surface(path).and_then(|content| match content {
        Content::Loose(triangles) => Ok(Mesh::from_triangles(&triangles)?),
        Content::Numbered(surface) => Ok(Mesh::new(surface.vertices, surface.triangles)?.welded()),
    });
    mesh.map_err(|problem| problem.in_file(path))
}

/// Reads the triangles of a mesh, each with the positions of its corners; formats as in [`read_mesh`].
pub fn read_triangles(path: &Path) -> Result<Vec<[[f64; 3]; 3]>, FileError> {
    let content = read_surface(path).map_err(|problem| problem.in_file(path))?;
    Ok(match content {
        Content::Loose(triangles) => triangles,
        Content::Numbered(FileSurface { vertices, triangles, .. }) => {
            triangles.iter().map(|corners| corners.map(|vertex| vertices[vertex as usize])).collect()
        }
    })
}

/// Writes a mesh; the format follows from the ending: `.ply` (binary, float64), `.stl` (binary, float32) or `.obj`.
///
/// Read again it is the same mesh, where vertices at the same place are one; but STL rounds coordinates to seven digits.
pub fn write_mesh(path: &Path, mesh: &Mesh) -> Result<(), FileError> {
    let written = match Format::of(path) {
        None => Err(Error::new(ErrorKind::InvalidInput, EXPECTED_NAME)),
        Some(format) => write_whole(path, |writer| match format {
            Format::Stl => stl::write(writer, mesh),
            Format::Obj => obj::write(writer, mesh),
            Format::Ply => ply::write(writer, mesh),
        }),
    };
    written.map_err(|error| Problem::whole(format!("cannot write: {error}")).in_file(path))
}

/// The vertices of a mesh file, which need not have triangles.
pub(super) fn read_vertices(path: &Path) -> Result<Vec<[f64; 3]>, Problem> {
    match read(path)? {
        Content::Loose(triangles) if triangles.is_empty() => Ok(Vec::new()),
        Content::Loose(triangles) => Ok(Mesh::from_triangles(&triangles)?.vertices().to_vec()),
        Content::Numbered(surface) => Ok(surface.vertices),
    }
}

/// Whether a file is a mesh by its ending.
pub(super) fn is_mesh(path: &Path) -> bool {
    Format::of(path).is_some()
}

/// What a file holds, with at least one triangle.
fn read_surface(path: &Path) -> Result<Content, Problem> {
    let content = read(path)?;
    let empty = match &content {
        Content::Loose(triangles) => triangles.is_empty(),
        Content::Numbered(surface) => surface.triangles.is_empty(),
    };
    if empty { Err(Problem::whole("has no triangles, expected a surface")) } else { Ok(content) }
}

fn read(path: &Path) -> Result<Content, Problem> {
    let file = File::open(path).map_err(|error| Problem::whole(format!("cannot open: {error}")))?;
    let about = file.metadata()?;
    if about.is_dir() {
        return Err(Problem::whole("is a folder, expected a mesh"));
    }
    let format = Format::of(path).ok_or_else(|| Problem::whole(EXPECTED_NAME))?;
    if about.len() == 0 {
        return Err(Problem::whole("is empty, expected a mesh"));
    }
    if about.len() > LARGEST_FILE {
        return Err(Problem::whole(format!(
            "has {} bytes, expected a mesh of at most {LARGEST_FILE}",
            about.len()
        )));
    }
    let reader = BufReader::with_capacity(1 << 16, file);
    match format {
        Format::Stl => stl::read(reader).map(Content::Loose),
        Format::Obj => obj::read(reader).map(Content::Numbered),
        Format::Ply => ply::read(reader).map(Content::Numbered),
    }
}

impl Format {
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "stl" => Some(Self::Stl),
            "obj" => Some(Self::Obj),
            "ply" => Some(Self::Ply),
            _ => None,
        }
    }
}

impl FileSurface {
    /// Adds a polygon, cut into triangles.
    fn push_polygon(&mut self, corners: Vec<u32>) -> Result<(), String> {
        match *corners {
            [] | [_] | [_, _] => Err(format!("a face with {} corners, expected at least 3", corners.len())),
            [a, b, c] => {
                self.triangles.push([a, b, c]);
                Ok(())
            }
            _ if corners.iter().all(|&corner| (corner as usize) < self.vertices.len()) => {
                polygon::cut(&corners, &self.vertices, &mut self.triangles)
            }
            _ => {
                self.uncut.push(corners);
                Ok(())
            }
        }
    }

    /// Cuts polygons that had to wait for their vertices.
    fn finish(mut self) -> Result<Self, String> {
        for corners in std::mem::take(&mut self.uncut) {
            polygon::cut(&corners, &self.vertices, &mut self.triangles)?;
        }
        Ok(self)
    }
}
