//! Solid bodies for ParaView: VTK XML unstructured grids (`.vtu`), one cell per body or piece of one.
//!
//! A polyhedron is a cell of VTK with its faces, so that a body is one cell: it is picked, coloured, selected and measured as a whole, and
//! its numbers are written once. In the plane a cell is a polygon.

use std::io::{self, Write};
use std::path::Path;

use super::vtk::{Array, NameTable, declare, declare_arrays, declare_points, write_piece};
use super::write_whole;

/// Types of cells, as VTK numbers them.
const POLYGON: u8 = 7;
const POLYHEDRON: u8 = 42;

/// Cells with flat faces, or flat cells, but not both.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Solids {
    points: Vec<[f64; 3]>,
    types: Vec<u8>,
    /// The points of each cell, one cell after the other, and where each ends.
    connectivity: Vec<i64>,
    offsets: Vec<i64>,
    /// The number of faces of each cell, and of each face the number of its corners and those; and where each cell ends.
    faces: Vec<i64>,
    face_offsets: Vec<i64>,
}

impl Solids {
    /// Adds a polyhedron; its faces name points counted from zero, counter-clockwise as seen from outside.
    pub fn add_polyhedron<'f>(
        &mut self,
        points: impl IntoIterator<Item = [f64; 3]>,
        faces: impl ExactSizeIterator<Item = &'f [u32]>,
    ) {
        let first = self.add_cell(points, POLYHEDRON);
        self.faces.push(faces.len() as i64);
        for face in faces {
            self.faces.push(face.len() as i64);
            self.faces.extend(face.iter().map(|&point| first + i64::from(point)));
        }
        self.face_offsets.push(self.faces.len() as i64);
    }

    /// Adds a polygon, its corners in order.
    pub fn add_polygon(&mut self, points: impl IntoIterator<Item = [f64; 3]>) {
        self.add_cell(points, POLYGON);
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// Adds a cell of these points, and returns the number of the first.
    fn add_cell(&mut self, points: impl IntoIterator<Item = [f64; 3]>, kind: u8) -> i64 {
        let first = self.points.len() as i64;
        self.points.extend(points);
        self.connectivity.extend(first..self.points.len() as i64);
        self.offsets.push(self.connectivity.len() as i64);
        self.types.push(kind);
        first
    }
}

/// Writes solids, arrays with one entry per cell, and tables of names.
pub fn write_solids(
    path: &Path,
    solids: &Solids,
    cell_arrays: &[Array<'_>],
    tables: &[NameTable<'_>],
) -> io::Result<()> {
    write_whole(path, |writer| unstructured_grid(writer, solids, cell_arrays, tables))
}

fn unstructured_grid(
    writer: &mut impl Write,
    solids: &Solids,
    cell_arrays: &[Array<'_>],
    tables: &[NameTable<'_>],
) -> io::Result<()> {
    let piece = format!(r#"NumberOfPoints="{}" NumberOfCells="{}""#, solids.points.len(), solids.types.len());
    write_piece(writer, "UnstructuredGrid", tables, &piece, |writer, data| {
        declare_points(writer, &solids.points, data)?;
        writeln!(writer, "   <Cells>")?;
        let mut columns = vec![("connectivity", &solids.connectivity), ("offsets", &solids.offsets)];
        if !solids.faces.is_empty() {
            columns.extend([("faces", &solids.faces), ("faceoffsets", &solids.face_offsets)]);
        }
        for (name, values) in columns {
            declare(writer, name, "Int64", 1, values.iter().map(|x| x.to_le_bytes()), data)?;
        }
        declare(writer, "types", "UInt8", 1, solids.types.iter().map(|kind| [*kind]), data)?;
        writeln!(writer, "   </Cells>")?;
        declare_arrays(writer, "CellData", cell_arrays, data)
    })
}
