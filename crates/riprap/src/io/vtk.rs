//! Files for ParaView: VTK XML poly data (`.vtp`) with appended raw arrays, and collections over time (`.pvd`).
//!
//! The XML part lists the arrays with their offsets; the numbers follow after an underscore, each array preceded by its number
//! of bytes. Vectors of the plane get a zero as their third component, because VTK knows space only.

use std::io::{self, Write};
use std::path::Path;

use super::write_whole;

/// An array of a VTK file, with one or three numbers per entry.
pub enum Array<'a> {
    /// One number per entry.
    Scalars(&'a str, Vec<f64>),
    /// Three numbers per entry.
    Vectors(&'a str, Vec<[f64; 3]>),
    /// Four numbers per entry.
    Quaternions(&'a str, Vec<[f64; 4]>),
    /// One whole number per entry.
    Integers(&'a str, Vec<i64>),
}

/// Names that numbers of the arrays stand for, by their index: a table of strings for the whole file.
pub struct NameTable<'a> {
    /// Name of the table.
    pub name: &'a str,
    /// The names.
    pub names: Vec<&'a str>,
}

/// What the points are connected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cells {
    /// Each point for itself.
    Points,
    /// Two points in a row are a line.
    Lines,
    /// Three points in a row are a triangle.
    Triangles,
}

/// Writes points, their arrays and those of their cells, and tables of names.
pub fn write_poly_data(
    path: &Path,
    points: &[[f64; 3]],
    cells: Cells,
    point_arrays: &[Array<'_>],
    cell_arrays: &[Array<'_>],
    tables: &[NameTable<'_>],
) -> io::Result<()> {
    write_whole(path, |writer| poly_data(writer, points, cells, point_arrays, cell_arrays, tables))
}

fn poly_data(
    writer: &mut impl Write,
    points: &[[f64; 3]],
    cells: Cells,
    point_arrays: &[Array<'_>],
    cell_arrays: &[Array<'_>],
    tables: &[NameTable<'_>],
) -> io::Result<()> {
    let (tag, size) = match cells {
        Cells::Points => ("Verts", 1),
        Cells::Lines => ("Lines", 2),
        Cells::Triangles => ("Polys", 3),
    };
    let count = points.len() / size;
    let of = |kind: &str| if kind == tag { count } else { 0 };
    let piece = format!(
        r#"NumberOfPoints="{}" NumberOfVerts="{}" NumberOfLines="{}" NumberOfStrips="0" NumberOfPolys="{}""#,
        points.len(),
        of("Verts"),
        of("Lines"),
        of("Polys")
    );
    write_piece(writer, "PolyData", tables, &piece, |writer, data| {
        declare_points(writer, points, data)?;
        writeln!(writer, "   <{tag}>")?;
        let connectivity = (0..(count * size) as i64).map(i64::to_le_bytes);
        declare(writer, "connectivity", "Int64", 1, connectivity, data)?;
        let offsets = (1..=count as i64).map(|cell| (cell * size as i64).to_le_bytes());
        declare(writer, "offsets", "Int64", 1, offsets, data)?;
        writeln!(writer, "   </{tag}>")?;
        declare_arrays(writer, "PointData", point_arrays, data)?;
        declare_arrays(writer, "CellData", cell_arrays, data)
    })
}

/// Writes a file of one piece: its kind, tables of names, the numbers of what it has, and what `declare` adds to it.
pub(super) fn write_piece<W: Write>(
    writer: &mut W,
    kind: &str,
    tables: &[NameTable<'_>],
    numbers: &str,
    declare: impl FnOnce(&mut W, &mut Vec<u8>) -> io::Result<()>,
) -> io::Result<()> {
    let mut data = Vec::new();
    writeln!(writer, r#"<?xml version="1.0"?>"#)?;
    writeln!(
        writer,
        r#"<VTKFile type="{kind}" version="1.0" byte_order="LittleEndian" header_type="UInt64">"#
    )?;
    writeln!(writer, " <{kind}>")?;
    writeln!(writer, "  <FieldData>")?;
    for table in tables {
        declare_table(writer, table, &mut data)?;
    }
    writeln!(writer, "  </FieldData>")?;
    writeln!(writer, "  <Piece {numbers}>")?;
    declare(writer, &mut data)?;
    writeln!(writer, "  </Piece>")?;
    writeln!(writer, " </{kind}>")?;
    write!(writer, " <AppendedData encoding=\"raw\">\n  _")?;
    writer.write_all(&data)?;
    writeln!(writer, "\n </AppendedData>\n</VTKFile>")
}

/// Declares the points of a piece.
pub(super) fn declare_points(
    writer: &mut impl Write,
    points: &[[f64; 3]],
    data: &mut Vec<u8>,
) -> io::Result<()> {
    writeln!(writer, "   <Points>")?;
    declare(writer, "points", "Float64", 3, points.iter().flatten().map(|x| x.to_le_bytes()), data)?;
    writeln!(writer, "   </Points>")
}

/// Declares the arrays of a tag.
pub(super) fn declare_arrays(
    writer: &mut impl Write,
    tag: &str,
    arrays: &[Array<'_>],
    data: &mut Vec<u8>,
) -> io::Result<()> {
    writeln!(writer, "   <{tag}>")?;
    for array in arrays {
        declare_array(writer, array, data)?;
    }
    writeln!(writer, "   </{tag}>")
}

pub(super) fn declare_array(
    writer: &mut impl Write,
    array: &Array<'_>,
    data: &mut Vec<u8>,
) -> io::Result<()> {
    match array {
        Array::Scalars(name, values) => {
            declare(writer, name, "Float64", 1, values.iter().map(|x| x.to_le_bytes()), data)
        }
        Array::Vectors(name, values) => {
            declare(writer, name, "Float64", 3, values.iter().flatten().map(|x| x.to_le_bytes()), data)
        }
        Array::Quaternions(name, values) => {
            declare(writer, name, "Float64", 4, values.iter().flatten().map(|x| x.to_le_bytes()), data)
        }
        Array::Integers(name, values) => {
            declare(writer, name, "Int64", 1, values.iter().map(|x| x.to_le_bytes()), data)
        }
    }
}

/// Writes the tag of a table of names and appends them, each with a zero at its end.
pub(super) fn declare_table(
    writer: &mut impl Write,
    table: &NameTable<'_>,
    data: &mut Vec<u8>,
) -> io::Result<()> {
    let bytes = table.names.iter().flat_map(|name| name.bytes().filter(|byte| *byte != 0).chain([0]));
    let offset = append(bytes.map(|byte| [byte]), data);
    writeln!(
        writer,
        r#"   <Array type="String" Name="{}" NumberOfTuples="{}" format="appended" offset="{offset}"/>"#,
        escaped(table.name),
        table.names.len()
    )
}

/// Appends values after their number of bytes; returns where.
fn append<const B: usize>(values: impl Iterator<Item = [u8; B]>, data: &mut Vec<u8>) -> usize {
    let offset = data.len();
    data.extend_from_slice(&[0; 8]);
    data.extend(values.flatten());
    let bytes = (data.len() - offset - 8) as u64;
    data[offset..offset + 8].copy_from_slice(&bytes.to_le_bytes());
    offset
}

/// Writes the tag of an array and appends its bytes.
pub(super) fn declare<const B: usize>(
    writer: &mut impl Write,
    name: &str,
    kind: &str,
    components: usize,
    values: impl Iterator<Item = [u8; B]>,
    data: &mut Vec<u8>,
) -> io::Result<()> {
    let offset = append(values, data);
    writeln!(
        writer,
        r#"    <DataArray type="{kind}" Name="{}" NumberOfComponents="{components}" format="appended" offset="{offset}"/>"#,
        escaped(name)
    )
}

/// Writes a collection of files, each with its time.
pub fn write_collection(path: &Path, files: impl Iterator<Item = (f64, String)>) -> io::Result<()> {
    write_whole(path, |writer| {
        writeln!(writer, r#"<?xml version="1.0"?>"#)?;
        writeln!(writer, r#"<VTKFile type="Collection" version="1.0" byte_order="LittleEndian">"#)?;
        writeln!(writer, " <Collection>")?;
        for (time, file) in files {
            writeln!(writer, r#"  <DataSet timestep="{time}" part="0" file="{}"/>"#, escaped(&file))?;
        }
        writeln!(writer, " </Collection>\n</VTKFile>")
    })
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
