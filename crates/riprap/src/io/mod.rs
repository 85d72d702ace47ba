//! Files in and out: particles, points, meshes and convex bodies in; pairs, links, places, meshes and frames out.
//!
//! Particles come from CSV, NumPy, text and LAMMPS files; `docs/files.md` of the project has their columns, and those of all other files.
//!
//! Files with named columns may also say how particles move and of what they are: see [`read_moving_particles`].
//!
//! Points have the same formats without a radius, always in 3D, or are the vertices of a mesh: see [`read_points`]. Meshes are STL, OBJ
//! or PLY: see [`read_mesh`].
//!
//! Pairs are written as `.csv` or `.npy`. Files are never trusted: every value is checked, errors name file, line and
//! value, and memory is bounded by the size of the file. Outputs appear under their name only when complete.

mod columns;
mod convex_pairs;
mod csv;
mod lammps;
mod mesh;
mod moving;
mod npy;
mod output;
mod pairs;
mod places;
mod points;
mod radii;
mod rows;
mod text;
mod vtk;
mod vtk_read;
mod vtu;

pub use convex_pairs::{ConvexBodies, ConvexPairs, LinkFormat, read_convex_pairs, write_links};
pub use mesh::{read_mesh, read_triangles, write_mesh};
pub use moving::{MovingParticles, read_moving_particles};
pub(crate) use output::is_partial;
pub use output::write_whole;
pub use pairs::{PairFormat, write_pairs};
pub use places::{ColumnFormat, write_places, write_windings};
pub use points::read_points;
pub use radii::read_radii;
pub use vtk::{Array, Cells, NameTable, write_collection, write_poly_data};
pub use vtk_read::{VtkError, VtkFile, read_collection};
pub use vtu::{Solids, write_solids};

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use crate::SphereColumns;
use crate::mesh::MeshError;
use rows::{RowKind, Rows};

/// Particles of a file; how many dimensions they have follows from its columns.
#[derive(Debug, Clone, PartialEq)]
pub enum Particles {
    /// Disks in the plane.
    Planar(SphereColumns<2>),
    /// Spheres in space.
    Spatial(SphereColumns<3>),
}

/// Particles of a file, and what else it says of them.
#[derive(Debug, Clone, PartialEq)]
pub struct ParticleFile {
    /// The particles.
    pub particles: Particles,
    /// The id of each particle, if the file has some: those of LAMMPS files.
    pub ids: Option<Vec<u64>>,
    /// The box in which they are, if the file has one: that of LAMMPS files.
    pub region: Option<FileRegion>,
}

/// The box of a file of particles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FileRegion {
    /// Lowest and highest coordinate along each axis.
    pub bounds: [[f64; 2]; 3],
    /// Whether it repeats itself along each axis; `None` if the file does not say so.
    pub periodic: Option<[bool; 3]>,
}

/// What is wrong with a file, and where.
#[derive(Debug)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The line, counted from 1, where it is known.
    pub line: Option<u64>,
    /// What is wrong and what was expected.
    pub message: String,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}: line {line}: {}", self.path.display(), self.message),
            None => write!(f, "{}: {}", self.path.display(), self.message),
        }
    }
}

impl std::error::Error for FileError {}

/// A problem at a line, or with the whole file; [`read_particles`] adds the path.
#[derive(Debug, PartialEq)]
struct Problem {
    line: Option<u64>,
    message: String,
}

impl Problem {
    fn at(line: u64, message: impl Into<String>) -> Self {
        Self { line: Some(line), message: message.into() }
    }

    fn whole(message: impl Into<String>) -> Self {
        Self { line: None, message: message.into() }
    }

    fn in_file(self, path: &Path) -> FileError {
        FileError { path: path.to_path_buf(), line: self.line, message: self.message }
    }
}

impl From<std::io::Error> for Problem {
    fn from(error: std::io::Error) -> Self {
        Self::whole(format!("cannot read: {error}"))
    }
}

impl From<MeshError> for Problem {
    fn from(error: MeshError) -> Self {
        Self::whole(error.to_string())
    }
}

/// Reads particles; the format follows from the ending `.csv` or `.npy`, else from the first line.
pub fn read_particles(path: &Path) -> Result<Particles, FileError> {
    read_particle_file(path).map(|file| file.particles)
}

/// Reads particles, with the ids and the box that LAMMPS files have; formats as in [`read_particles`].
pub fn read_particle_file(path: &Path) -> Result<ParticleFile, FileError> {
    let mut rows = read(path, RowKind::Particles).map_err(|problem| problem.in_file(path))?;
    let (ids, region) = (std::mem::take(&mut rows.ids), rows.region);
    // Without an id for each there are none.
    let ids = (ids.len() == rows.centers.len() && !ids.is_empty()).then_some(ids);
    Ok(ParticleFile { ids, region, particles: rows.into_particles() })
}

fn read(path: &Path, kind: RowKind) -> Result<Rows, Problem> {
    let file = File::open(path).map_err(|error| Problem::whole(format!("cannot open: {error}")))?;
    if file.metadata()?.is_dir() {
        return Err(Problem::whole(format!("is a folder, expected a file of {}", kind.name())));
    }
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let start = reader.fill_buf()?;
    if start.is_empty() {
        return Err(Problem::whole(format!("is empty, expected {}", kind.name())));
    }
    if start.contains(&0) && !start.starts_with(npy::MAGIC) {
        return Err(Problem::whole(
            "is not text: unpack it if it is compressed, and save NumPy arrays with `numpy.save`",
        ));
    }
    match path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("csv") => csv::read(reader, kind),
        Some("npy") => npy::read(reader, kind),
        _ if start.starts_with(npy::MAGIC) => npy::read(reader, kind),
        _ if start.starts_with(b"ITEM:") || start.starts_with(b"\xef\xbb\xbfITEM:") => {
            lammps::read_dump(reader, kind)
        }
        _ => {
            let start = String::from_utf8_lossy(start).into_owned();
            let first = start.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            if lammps::is_data(&start) {
                lammps::read_data(reader, kind)
            } else if first.contains(',') {
                csv::read(reader, kind)
            } else if text::is_header(first, kind) {
                text::read(reader, kind)
            } else {
                Err(Problem::whole(format!(
                    "is not a file of {}: expected a CSV or text file with a header such as `{}`, a NumPy array, or a \
                     LAMMPS dump or data file",
                    kind.name(),
                    kind.header()
                )))
            }
        }
    }
}

/// Calls `handle` with the number (from 1) and the text of each line, without its end.
fn for_each_line(
    mut reader: impl BufRead,
    mut handle: impl FnMut(u64, &str) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.contains(&0) {
            return Err(Problem::at(number, "is not text"));
        }
        // Names and remarks may have letters of older alphabets, which do not matter.
        let text = &*String::from_utf8_lossy(&line);
        let text = if number == 1 { text.trim_start_matches('\u{feff}') } else { text };
        handle(number, text.trim_end_matches(['\n', '\r']))?;
    }
    Ok(())
}
