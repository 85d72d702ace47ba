//! NumPy arrays: float64 and float32 in, in C or Fortran order; uint32, int8 and float64 out.
//!
//! A file is the magic string, a version, the length of the header, the header (a Python dictionary with the keys
//! `descr`, `fortran_order` and `shape`) and the raw values.

use std::io::{BufRead, Read, Write};

use super::{Problem, RowKind, Rows};
use crate::error::AXES;
use crate::spheres::{check_coordinate, check_count, check_radius};

pub(super) const MAGIC: &[u8] = b"\x93NUMPY";

/// Headers longer than this are not ours.
const LONGEST_HEADER: usize = 1 << 16;

pub(super) fn read(mut reader: impl BufRead, kind: RowKind) -> Result<Rows, Problem> {
    let header = read_header(&mut reader)?;
    let (layout, count, width) =
        check_header(&header).map_err(|message| Problem::whole(format!("{message}; {}", kind.array())))?;
    let dimension = match kind {
        RowKind::Particles | RowKind::Bodies => {
            check_count(count).map_err(|error| Problem::whole(error.to_string()))?;
            width - 1
        }
        RowKind::Points => 3,
    };
    let mut rows = Rows::new(dimension);
    let mut row = [0.0; MOST_COLUMNS];
    let mut numbers = Numbers::new(&mut reader, layout, [count as usize, width])?;
    for index in 0..count {
        numbers.row(index as usize, &mut row[..width])?;
        let refuse = |name: &str, value: f64, reason: &str| {
            Problem::whole(format!("row {index}: `{name}` is {value}, {reason}"))
        };
        let mut values = row[..width].iter().copied();
        let mut center = [0.0; 3];
        for (k, coordinate) in center.iter_mut().enumerate().take(dimension) {
            *coordinate = values.next().expect("one value per column");
            check_coordinate(*coordinate).map_err(|reason| refuse(AXES[k], *coordinate, reason))?;
        }
        let radius = values.next().filter(|_| kind.has_sizes());
        if let Some(radius) = radius {
            check_radius(radius).map_err(|reason| refuse("r", radius, reason))?;
        }
        rows.push(center, radius).map_err(|error| Problem::whole(error.to_string()))?;
    }
    check_end(&mut reader, count)?;
    Ok(rows)
}

/// The radii of an array with one column; `None` for any other array.
pub(super) fn read_column(mut reader: impl BufRead) -> Result<Option<Vec<f64>>, Problem> {
    let header = read_header(&mut reader)?;
    let count = match shape(&header).as_deref() {
        Ok(&[count] | &[count, 1]) => count,
        _ => return Ok(None),
    };
    let layout = Layout::of(&header).map_err(Problem::whole)?;
    check_count(count).map_err(|error| Problem::whole(error.to_string()))?;
    let mut radii = Vec::new();
    // One column is the same in either order.
    let mut numbers = Numbers::new(&mut reader, Layout { by_columns: false, ..layout }, [count as usize, 1])?;
    for index in 0..count {
        let mut radius = [0.0];
        numbers.row(index as usize, &mut radius)?;
        check_radius(radius[0])
            .map_err(|reason| Problem::whole(format!("row {index}: radius is {}, {reason}", radius[0])))?;
        radii.push(radius[0]);
    }
    check_end(&mut reader, count)?;
    Ok(Some(radii))
}

fn check_end(reader: &mut impl BufRead, count: u64) -> Result<(), Problem> {
    if reader.fill_buf()?.is_empty() {
        Ok(())
    } else {
        Err(Problem::whole(format!("goes on after the {count} rows of its header")))
    }
}

/// Most columns of an array.
const MOST_COLUMNS: usize = 4;

/// How numbers stand in a file.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Layout {
    /// Bytes of each.
    bytes: usize,
    /// Column after column, as Fortran has them, and not row after row.
    by_columns: bool,
}

impl Layout {
    fn of(header: &str) -> Result<Self, String> {
        let dtype = value(header, "descr").ok_or("its header names no `descr`")?;
        let bytes = match dtype.trim_matches(['\'', '"']) {
            "<f8" => 8,
            "<f4" => 4,
            _ => {
                return Err(format!(
                    "its values are {dtype}, expected float64 or float32 (convert with `.astype('float64')`)"
                ));
            }
        };
        Ok(Self { bytes, by_columns: value(header, "fortran_order") == Some("True") })
    }

    fn number(self, bytes: &[u8]) -> f64 {
        if let Ok(bytes) = bytes.try_into() {
            return f64::from_le_bytes(bytes);
        }
        f64::from(f32::from_le_bytes(bytes.try_into().expect("4 bytes")))
    }
}

/// The numbers of an array, row after row. Those that stand column after column are all read first.
struct Numbers<R> {
    reader: R,
    layout: Layout,
    shape: [usize; 2],
    all: Vec<f64>,
}

impl<R: Read> Numbers<R> {
    fn new(reader: R, layout: Layout, shape: [usize; 2]) -> Result<Self, Problem> {
        let mut numbers = Self { reader, layout, shape, all: Vec::new() };
        if layout.by_columns {
            for index in 0..shape[0].saturating_mul(shape[1]) {
                // Memory grows with the file, not with what its header claims.
                let number = numbers.next(index / shape[1])?;
                numbers.all.push(number);
            }
        }
        Ok(numbers)
    }

    fn row(&mut self, index: usize, row: &mut [f64]) -> Result<(), Problem> {
        for (column, value) in row.iter_mut().enumerate() {
            *value = match self.all.get(column * self.shape[0] + index) {
                Some(value) => *value,
                None => self.next(index)?,
            };
        }
        Ok(())
    }

    fn next(&mut self, row: usize) -> Result<f64, Problem> {
        let mut bytes = [0; 8];
        let bytes = &mut bytes[..self.layout.bytes];
        self.reader.read_exact(bytes).map_err(|_| {
            Problem::whole(format!("ends in row {row}, expected {} rows as its header says", self.shape[0]))
        })?;
        Ok(self.layout.number(bytes))
    }
}

fn read_header(reader: &mut impl Read) -> Result<String, Problem> {
    let broken = |_| Problem::whole("is cut off in its header");
    let mut start = [0; 8];
    reader.read_exact(&mut start).map_err(broken)?;
    if !start.starts_with(MAGIC) {
        return Err(Problem::whole("is not a NumPy array (its first bytes are wrong)"));
    }
    let length = if start[6] == 1 {
        let mut bytes = [0; 2];
        reader.read_exact(&mut bytes).map_err(broken)?;
        usize::from(u16::from_le_bytes(bytes))
    } else {
        let mut bytes = [0; 4];
        reader.read_exact(&mut bytes).map_err(broken)?;
        u32::from_le_bytes(bytes) as usize
    };
    if length > LONGEST_HEADER {
        return Err(Problem::whole("has a header too long for an array of numbers"));
    }
    let mut header = vec![0; length];
    reader.read_exact(&mut header).map_err(broken)?;
    Ok(String::from_utf8_lossy(&header).into_owned())
}

/// Layout, rows and columns of an array of particles or points.
fn check_header(header: &str) -> Result<(Layout, u64, usize), String> {
    let (layout, shape) = (Layout::of(header)?, shape(header)?);
    match shape[..] {
        [count, width @ (3 | 4)] => Ok((layout, count, width as usize)),
        _ => Err(format!("its shape is {shape:?}")),
    }
}

fn shape(header: &str) -> Result<Vec<u64>, String> {
    let shape = header.split_once("'shape'").and_then(|(_, rest)| {
        let (_, rest) = rest.split_once('(')?;
        let (shape, _) = rest.split_once(')')?;
        shape
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(|part| part.parse().ok())
            .collect()
    });
    shape.ok_or_else(|| "its header names no `shape`".to_string())
}

/// The text of a simple value in the header.
fn value<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = header.split_once(&format!("'{key}'"))?;
    let (_, rest) = rest.split_once(':')?;
    Some(rest.split([',', '}']).next()?.trim())
}

/// Writes an array of uint32 with rows of two.
pub(super) fn write_pairs(
    writer: &mut impl Write,
    pairs: impl ExactSizeIterator<Item = [u32; 2]>,
) -> std::io::Result<()> {
    write_header(writer, "<u4", &format!("{}, 2", pairs.len()))?;
    for [a, b] in pairs {
        writer.write_all(&a.to_le_bytes())?;
        writer.write_all(&b.to_le_bytes())?;
    }
    Ok(())
}

/// Writes an array of this kind of numbers with one axis.
pub(super) fn write_column<const N: usize>(
    writer: &mut impl Write,
    kind: &str,
    mut values: impl ExactSizeIterator<Item = [u8; N]>,
) -> std::io::Result<()> {
    write_header(writer, kind, &format!("{},", values.len()))?;
    values.try_for_each(|value| writer.write_all(&value))
}

/// Writes an array of float64, row by row.
pub(super) fn write_rows(
    writer: &mut impl Write,
    rows: usize,
    columns: usize,
    values: impl Iterator<Item = f64>,
) -> std::io::Result<()> {
    write_header(writer, "<f8", &format!("{rows}, {columns}"))?;
    for value in values {
        writer.write_all(&value.to_le_bytes())?;
    }
    Ok(())
}

fn write_header(writer: &mut impl Write, kind: &str, shape: &str) -> std::io::Result<()> {
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    // The values start at a multiple of 64 bytes, behind magic, version, length and a line end.
    let padding = 63 - (MAGIC.len() + 4 + header.len()) % 64;
    header.extend(std::iter::repeat_n(' ', padding));
    header.push('\n');
    writer.write_all(MAGIC)?;
    writer.write_all(&[1, 0])?;
    writer.write_all(&(header.len() as u16).to_le_bytes())?;
    writer.write_all(header.as_bytes())
}
