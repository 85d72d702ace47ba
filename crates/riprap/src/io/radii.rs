//! Radii alone: of a file of particles, or one column of numbers.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::columns::{SIZES, shorten};
use super::{FileError, Problem, RowKind, for_each_line, npy, read};
use crate::spheres::check_radius;

/// Reads the radii of a file of particles (see [`super::read_particles`]), or of a file with nothing but radii: one
/// number per line, under a header `r`, `radius`, `d` or `diameter` or none, or a NumPy array of float64 with one column.
pub fn read_radii(path: &Path) -> Result<Vec<f64>, FileError> {
    let radii = match column(path) {
        Ok(None) => read(path, RowKind::Particles).map(|rows| rows.radii),
        Ok(Some(radii)) => Ok(radii),
        Err(problem) => Err(problem),
    };
    radii.map_err(|problem| problem.in_file(path))
}

/// The numbers of a file with one column; `None` for any other file.
fn column(path: &Path) -> Result<Option<Vec<f64>>, Problem> {
    // What cannot be opened or read is for the reader of particles to tell.
    let Ok(file) = File::open(path) else { return Ok(None) };
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let Ok(start) = reader.fill_buf() else { return Ok(None) };
    if start.starts_with(npy::MAGIC) {
        return npy::read_column(reader);
    }
    let start = String::from_utf8_lossy(start).into_owned();
    let first = start.lines().map(name).find(|line| !line.is_empty()).unwrap_or_default();
    let factor = SIZES.iter().find(|(name, _)| *name == first).map(|(_, factor)| *factor);
    if factor.is_none() && first.parse::<f64>().is_err() {
        return Ok(None);
    }
    let mut header = factor.is_some();
    let mut radii = Vec::new();
    for_each_line(reader, |number, line| {
        let text = line.trim();
        if text.is_empty() || std::mem::take(&mut header) {
            return Ok(());
        }
        let refuse = |reason: &str| Problem::at(number, format!("radius is `{}`, {reason}", shorten(text)));
        let value: f64 = text.parse().map_err(|_| refuse("expected a number"))?;
        let radius = factor.unwrap_or(1.0) * value;
        check_radius(radius).map_err(refuse)?;
        radii.push(radius);
        Ok(())
    })?;
    Ok(Some(radii))
}

/// A header's name, if that is what the line is.
fn name(line: &str) -> String {
    line.trim_start_matches(['\u{feff}', '#']).trim().to_ascii_lowercase()
}
