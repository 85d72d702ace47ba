//! What was found for points out, a number for each: where they are, or how often a surface winds around them.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

use super::{npy, write_whole};
use crate::inside::Place;

/// The format of a file with a number for each point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnFormat {
    /// A line per point.
    Text,
    /// The same under a header.
    Csv,
    /// A NumPy array with one axis.
    Npy,
}

/// Writes places in the order given: 1 for each point inside, 0 on the boundary, -1 outside. The header is `place`, an array of int8.
pub fn write_places(path: &Path, format: ColumnFormat, places: &[Place]) -> io::Result<()> {
    let number = |place: &Place| match place {
        Place::Outside => -1i8,
        Place::Boundary => 0,
        Place::Inside => 1,
    };
    write_column(path, format, "place", "|i1", places.iter().map(number), i8::to_le_bytes)
}

/// Writes windings in the order given; NaN for points on the surface. The header is `winding`, an array of float64.
pub fn write_windings(path: &Path, format: ColumnFormat, windings: &[f64]) -> io::Result<()> {
    write_column(path, format, "winding", "<f8", windings.iter().copied(), f64::to_le_bytes)
}

fn write_column<T: Display, const N: usize>(
    path: &Path,
    format: ColumnFormat,
    name: &str,
    kind: &str,
    mut values: impl ExactSizeIterator<Item = T>,
    bytes: impl Fn(T) -> [u8; N],
) -> io::Result<()> {
    write_whole(path, |writer| {
        match format {
            ColumnFormat::Npy => return npy::write_column(writer, kind, values.map(bytes)),
            ColumnFormat::Csv => writeln!(writer, "{name}")?,
            ColumnFormat::Text => {}
        }
        values.try_for_each(|value| writeln!(writer, "{value}"))
    })
}
