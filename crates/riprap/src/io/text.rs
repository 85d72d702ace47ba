//! Columns separated by white space, under a header such as `Radius[m] PosX[m] PosY[m] PosZ[m]`.

use std::io::BufRead;

use super::columns::FileColumns;
use super::{Problem, RowKind, Rows, for_each_line};

/// Whether a line names the columns of particles or points.
pub(super) fn is_header(line: &str, kind: RowKind) -> bool {
    let names: Vec<&str> = names(line).collect();
    // What is wrong with velocities is told when they are read.
    let kind = if kind.has_sizes() { RowKind::Particles } else { kind };
    FileColumns::new(&names, kind).is_ok() || line.to_ascii_lowercase().contains("radius")
}

fn names(line: &str) -> impl Iterator<Item = &str> {
    line.trim_start_matches(['\u{feff}', '#']).split_whitespace()
}

pub(super) fn read(reader: impl BufRead, kind: RowKind) -> Result<Rows, Problem> {
    let mut columns: Option<FileColumns> = None;
    for_each_line(reader, |number, line| {
        if line.trim().is_empty() {
            return Ok(());
        }
        match &mut columns {
            None => {
                let names: Vec<&str> = names(line).collect();
                columns =
                    Some(FileColumns::new(&names, kind).map_err(|message| Problem::at(number, message))?);
                Ok(())
            }
            Some(columns) => columns.push(number, &line.split_whitespace().collect::<Vec<_>>()),
        }
    })?;
    Ok(columns.expect("the first line is a header").finish(None))
}
