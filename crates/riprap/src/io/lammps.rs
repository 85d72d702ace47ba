//! LAMMPS files: snapshots written by `dump custom`, and `data` files with `atom_style sphere`.

use std::io::BufRead;

use super::columns::{FileColumns, shorten};
use super::{FileRegion, Problem, RowKind, Rows, for_each_line};
use crate::error::AXES;

/// Which section of a snapshot the next line belongs to.
enum DataSection {
    Other,
    Count,
    Bounds,
    Atoms,
}

/// Reads the last snapshot of a dump.
pub(super) fn read_dump(reader: impl BufRead, kind: RowKind) -> Result<Rows, Problem> {
    let mut section = DataSection::Other;
    let mut complete = true;
    let (mut found, mut expected) = (0, 0);
    let mut bounds: Vec<[f64; 2]> = Vec::new();
    let mut periodic = None;
    let mut last: Option<FileColumns> = None;
    for_each_line(reader, |number, line| {
        if let Some(item) = line.strip_prefix("ITEM:") {
            check_complete(&section, found, expected)?;
            let item = item.trim();
            section = if item.starts_with("TIMESTEP") {
                complete = false;
                DataSection::Other
            } else if item.starts_with("NUMBER OF ATOMS") {
                DataSection::Count
            } else if item.starts_with("BOX BOUNDS") {
                if item.contains("xy") {
                    return Err(Problem::at(number, "the box is triclinic, expected an orthogonal one"));
                }
                bounds.clear();
                periodic = periodic_axes(item);
                DataSection::Bounds
            } else if let Some(names) = item.strip_prefix("ATOMS") {
                last =
                    Some(dump_columns(names, kind, &bounds).map_err(|message| Problem::at(number, message))?);
                (found, complete) = (0, true);
                DataSection::Atoms
            } else {
                DataSection::Other
            };
            return Ok(());
        }
        match section {
            DataSection::Other => {}
            DataSection::Count => {
                let count = line.trim();
                expected = count.parse().map_err(|_| {
                    Problem::at(number, format!("`{}`, expected the number of atoms", shorten(count)))
                })?;
                section = DataSection::Other;
            }
            DataSection::Bounds => {
                let words: Vec<&str> = line.split_whitespace().collect();
                match words[..] {
                    [low, high] => bounds.push(bounds_of(number, low, high)?),
                    _ => return Err(no_bounds(number, line)),
                }
            }
            DataSection::Atoms if line.trim().is_empty() => {}
            DataSection::Atoms => {
                let fields: Vec<&str> = line.split_whitespace().collect();
                last.as_mut().expect("set with the section").push(number, &fields)?;
                found += 1;
            }
        }
        Ok(())
    })?;
    check_complete(&section, found, expected)?;
    if !complete {
        return Err(Problem::whole("is cut off in the header of its last snapshot"));
    }
    let region = bounds.try_into().ok().map(|bounds| FileRegion { bounds, periodic });
    last.map(|columns| columns.finish(region))
        .ok_or_else(|| Problem::whole("has no `ITEM: ATOMS`, expected a LAMMPS dump"))
}

/// The columns of a snapshot. Of several kinds of coordinates plain ones are taken first, then unwrapped ones, then `xs`,
/// `ys`, `zs` and their unwrapped ones, which are shares of the box.
fn dump_columns(names: &str, kind: RowKind, bounds: &[[f64; 2]]) -> Result<FileColumns, String> {
    let mut names: Vec<&str> = names.split_whitespace().collect();
    let mut scaled = [false; 3];
    for k in 0..3 {
        let kinds = [["x", "y", "z"], ["xu", "yu", "zu"], ["xs", "ys", "zs"], ["xsu", "ysu", "zsu"]];
        let kinds = kinds.map(|kind| kind[k]);
        let Some(taken) = kinds.iter().position(|kind| names.contains(kind)) else { continue };
        scaled[k] = taken >= 2;
        for name in names.iter_mut().filter(|name| kinds.contains(*name)) {
            *name = if *name == kinds[taken] { AXES[k] } else { "not used" };
        }
    }
    let mut columns = FileColumns::new(&names, kind)
        .and_then(|columns| columns.with_ids(&names))
        .map_err(|message| format!("{message} (see the `dump custom` command)"))?;
    for k in (0..3).filter(|&k| scaled[k]) {
        columns.scale(
            k,
            *bounds.get(k).ok_or("coordinates are shares of the box, but its `BOX BOUNDS` are missing")?,
        );
    }
    Ok(columns)
}

/// The axes that the heading of a box calls periodic, `ITEM: BOX BOUNDS pp pp ff`: both ends of an axis are, or neither is.
fn periodic_axes(item: &str) -> Option<[bool; 3]> {
    let flags: Vec<bool> = item.split_whitespace().skip(2).map(|flags| flags == "pp").collect();
    flags.try_into().ok()
}

fn check_complete(section: &DataSection, found: u64, expected: u64) -> Result<(), Problem> {
    if matches!(section, DataSection::Atoms) && found != expected {
        return Err(Problem::whole(format!(
            "a snapshot has {found} atoms, expected {expected} as it says itself"
        )));
    }
    Ok(())
}

/// Two bounds of a box.
fn bounds_of(line: u64, low: &str, high: &str) -> Result<[f64; 2], Problem> {
    match (low.parse(), high.parse()) {
        (Ok(low), Ok(high)) if f64::is_finite(low) && f64::is_finite(high) => Ok([low, high]),
        _ => Err(no_bounds(line, &format!("{low} {high}"))),
    }
}

fn no_bounds(line: u64, found: &str) -> Problem {
    Problem::at(line, format!("`{}`, expected the two bounds of the box", shorten(found)))
}

/// Names behind the bounds of a data file.
const BOUNDS: [[&str; 2]; 3] = [["xlo", "xhi"], ["ylo", "yhi"], ["zlo", "zhi"]];

/// Columns of the `Atoms` section for `atom_style sphere`; three image flags may follow.
const SPHERE_COLUMNS: [&str; 7] = ["id", "type", "diameter", "density", "x", "y", "z"];

/// Whether the start of a file has the line `N atoms` that every data file has.
pub(super) fn is_data(start: &str) -> bool {
    start.lines().any(|line| {
        let mut words = line.split_whitespace();
        words.next().is_some_and(|count| count.parse::<u64>().is_ok()) && words.next() == Some("atoms")
    })
}

/// Reads the atoms of a data file; without a style behind `Atoms`, spheres are assumed.
pub(super) fn read_data(reader: impl BufRead, kind: RowKind) -> Result<Rows, Problem> {
    let mut columns: Option<FileColumns> = None;
    let mut in_atoms = false;
    let mut expected = None;
    let mut found = 0u64;
    let mut bounds: [Option<[f64; 2]>; 3] = [None; 3];
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
                    return Err(Problem::at(number, format!("atom style `{style}`, expected `sphere`")));
                }
                let of_sphere = FileColumns::new(&SPHERE_COLUMNS, kind)
                    .and_then(|columns| columns.with_ids(&SPHERE_COLUMNS));
                columns = Some(of_sphere.expect("the columns of a sphere"));
                in_atoms = true;
                Ok(())
            }
            // Every other section starts with a word.
            [heading, ..]
                if columns.is_some() && heading.starts_with(|letter: char| letter.is_ascii_alphabetic()) =>
            {
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
            [low, high, low_name, high_name] if columns.is_none() => {
                if let Some(k) = BOUNDS.iter().position(|names| *names == [low_name, high_name]) {
                    bounds[k] = Some(bounds_of(number, low, high)?);
                }
                Ok(())
            }
            [.., "xy", "xz", "yz"] if columns.is_none() => {
                if words[..3].iter().any(|tilt| tilt.parse() != Ok(0.0)) {
                    return Err(Problem::at(number, "the box is triclinic, expected an orthogonal one"));
                }
                Ok(())
            }
            _ if in_atoms => {
                let width = SPHERE_COLUMNS.len();
                if words.len() != width && words.len() != width + 3 {
                    return Err(Problem::at(
                        number,
                        format!(
                            "{} columns, expected {} (with or without three image flags)",
                            words.len(),
                            SPHERE_COLUMNS.map(|name| format!("`{name}`")).join(" ")
                        ),
                    ));
                }
                if !words[3].parse::<f64>().is_ok_and(|density| density > 0.0) {
                    return Err(Problem::at(
                        number,
                        format!(
                            "`density` is `{}`, expected a number above zero (atom style `sphere`)",
                            words[3]
                        ),
                    ));
                }
                found += 1;
                columns.as_mut().expect("set with the section").push(number, &words[..width])
            }
            _ => Ok(()),
        }
    })?;
    let columns =
        columns.ok_or_else(|| Problem::whole("has no section `Atoms`, expected a LAMMPS data file"))?;
    if expected.is_some_and(|expected| expected != found) {
        let expected = expected.unwrap_or_default();
        return Err(Problem::whole(format!("has {found} atoms, expected {expected} as its header says")));
    }
    let [Some(x), Some(y), Some(z)] = bounds else { return Ok(columns.finish(None)) };
    // Which axes are periodic is said in the input of LAMMPS, not in its data.
    Ok(columns.finish(Some(FileRegion { bounds: [x, y, z], periodic: None })))
}
