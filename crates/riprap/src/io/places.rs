//! Places of points out: inside, on the boundary, or outside.

use std::io::{self, Write};
use std::path::Path;

use super::{npy, write_whole};
use crate::inside::Place;

/// The format of a file of places, which has 1 for each point inside, 0 on the boundary, -1 outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceFormat {
    /// A line per point.
    Text,
    /// The same under the header `place`.
    Csv,
    /// A NumPy array of int8 with one axis.
    Npy,
}

/// Writes places in the order given.
pub fn write_places(path: &Path, format: PlaceFormat, places: &[Place]) -> io::Result<()> {
    let number = |place: &Place| match place {
        Place::Outside => -1,
        Place::Boundary => 0,
        Place::Inside => 1,
    };
    let mut numbers = places.iter().map(number);
    write_whole(path, |writer| {
        match format {
            PlaceFormat::Npy => return npy::write_bytes(writer, numbers),
            PlaceFormat::Csv => writeln!(writer, "place")?,
            PlaceFormat::Text => {}
        }
        numbers.try_for_each(|number| writeln!(writer, "{number}"))
    })
}
