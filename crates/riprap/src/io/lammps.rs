//! LAMMPS files: snapshots written by `dump custom`, and `data` files with `atom_style sphere`.

use std::io::BufRead;

use super::columns::Columns;
use super::{Particles, Problem, for_each_line};
use crate::error::AXES;

/// Which part of a snapshot the next line belongs to.
enum Part {
    Other,
    Count,
    Bounds(usize),
    Atoms,
}

/// Reads the last snapshot of a dump.
pub(super) fn read_dump(reader: impl BufRead) -> Result<Particles, Problem> {
    let mut part = Part::Other;
    let (mut found, mut expected) = (0, 0);
    let mut bounds = [[0.0, 1.0]; 3];
    let mut last: Option<Columns> = None;
    for_each_line(reader, |number, line| {
        if let Some(item) = line.strip_prefix("ITEM:") {
            check_complete(&part, found, expected)?;
            let item = item.trim();
            part = if item.starts_with("NUMBER OF ATOMS") {
                Part::Count
            } else if item.starts_with("BOX BOUNDS") {
                if item.contains("xy") {
                    return Err(Problem::at(number, "the box is triclinic, expected an orthogonal one"));
                }
                Part::Bounds(0)
            } else if let Some(names) = item.strip_prefix("ATOMS") {
                last = Some(dump_columns(names, bounds).map_err(|message| Problem::at(number, message))?);
                found = 0;
                Part::Atoms
            } else {
                Part::Other
            };
            return Ok(());
        }
        match &mut part {
            Part::Other => {}
            Part::Count => {
                let count = line.trim();
                expected = count
                    .parse()
                    .map_err(|_| Problem::at(number, format!("`{count}`, expected the number of atoms")))?;
                part = Part::Other;
            }
            Part::Bounds(axis) => {
                let numbers: Vec<f64> =
                    line.split_whitespace().filter_map(|text| text.parse().ok()).collect();
                let (Some(slot), [low, high]) = (bounds.get_mut(*axis), &numbers[..]) else {
                    return Err(Problem::at(number, format!("`{line}`, expected the two bounds of the box")));
                };
                *slot = [*low, *high];
                *axis += 1;
            }
            Part::Atoms if line.trim().is_empty() => {}
            Part::Atoms => {
                let fields: Vec<&[u8]> = line.split_whitespace().map(str::as_bytes).collect();
                last.as_mut().expect("set with the part").push(number, &fields)?;
                found += 1;
            }
        }
        Ok(())
    })?;
    check_complete(&part, found, expected)?;
    last.map(Columns::finish).ok_or_else(|| Problem::whole("has no `ITEM: ATOMS`, expected a LAMMPS dump"))
}

/// The columns of a snapshot; `xs`, `ys`, `zs` are shares of the box.
fn dump_columns(names: &str, bounds: [[f64; 2]; 3]) -> Result<Columns, String> {
    let mut names: Vec<&str> = names.split_whitespace().collect();
    let mut scaled = [false; 3];
    for (k, share) in ["xs", "ys", "zs"].into_iter().enumerate() {
        if let Some(name) = names.iter_mut().find(|name| **name == share) {
            *name = AXES[k];
            scaled[k] = true;
        }
    }
    let mut columns =
        Columns::new(&names).map_err(|message| format!("{message} (see the `dump custom` command)"))?;
    for k in (0..3).filter(|&k| scaled[k]) {
        columns.scale(k, bounds[k]);
    }
    Ok(columns)
}

fn check_complete(part: &Part, found: u64, expected: u64) -> Result<(), Problem> {
    if matches!(part, Part::Atoms) && found != expected {
        return Err(Problem::whole(format!(
            "a snapshot has {found} atoms, expected {expected} as it says itself"
        )));
    }
    Ok(())
}

/// Columns of the `Atoms` section for `atom_style sphere`; three image flags may follow.
const SPHERE_COLUMNS: [&str; 7] = ["id", "type", "diameter", "density", "x", "y", "z"];

/// Headings that end the `Atoms` section.
const SECTIONS: [&str; 8] =
    ["Velocities", "Masses", "Bonds", "Angles", "Pair", "PairIJ", "Bodies", "Ellipsoids"];

/// Reads the atoms of a data file.
pub(super) fn read_data(reader: impl BufRead) -> Result<Particles, Problem> {
    let mut columns: Option<Columns> = None;
    let mut in_atoms = false;
    let mut expected = None;
    let mut found = 0u64;
    for_each_line(reader, |number, line| {
        let (text, comment) = line.split_once('#').unwrap_or((line, ""));
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            // The first line is a title.
            _ if number == 1 => Ok(()),
            [] => Ok(()),
            ["Atoms"] => {
                let style = comment.trim();
                if !style.is_empty() && style != "sphere" {
                    return Err(Problem::at(
                        number,
                        format!("atom style `{style}` has no radii, expected `sphere`"),
                    ));
                }
                columns = Some(Columns::new(&SPHERE_COLUMNS).expect("the columns of a sphere"));
                in_atoms = true;
                Ok(())
            }
            [heading, ..] if SECTIONS.contains(&heading) => {
                in_atoms = false;
                Ok(())
            }
            [count, "atoms"] if columns.is_none() => {
                let count = count.parse::<u64>();
                expected = Some(
                    count.map_err(|_| Problem::at(number, "expected the number of atoms before `atoms`"))?,
                );
                Ok(())
            }
            _ if in_atoms => {
                let fields: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).collect();
                let width = SPHERE_COLUMNS.len();
                if fields.len() != width && fields.len() != width + 3 {
                    return Err(Problem::at(
                        number,
                        format!(
                            "{} columns, expected {} (with or without three image flags)",
                            fields.len(),
                            SPHERE_COLUMNS.map(|name| format!("`{name}`")).join(" ")
                        ),
                    ));
                }
                found += 1;
                columns.as_mut().expect("set with the section").push(number, &fields[..width])
            }
            _ => Ok(()),
        }
    })?;
    let Some(columns) = columns else {
        return Err(Problem::whole(
            "is not a file of particles: expected a CSV or text file with a header, a NumPy array, or a LAMMPS dump or data file",
        ));
    };
    if expected.is_some_and(|expected| expected != found) {
        let expected = expected.unwrap_or_default();
        return Err(Problem::whole(format!("has {found} atoms, expected {expected} as its header says")));
    }
    Ok(columns.finish())
}
