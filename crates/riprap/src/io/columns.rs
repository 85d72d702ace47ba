//! Named columns of numbers that become particles or points.

use super::moving::MotionColumns;
use super::{FileRegion, Problem, RowKind, Rows};
use crate::error::AXES;
use crate::spheres::{check_coordinate, check_radius};

/// Names of the column of sizes in order of preference, and the factor that makes a radius of them.
pub(super) const SIZES: [(&str, f64); 4] = [("r", 1.0), ("radius", 1.0), ("d", 0.5), ("diameter", 0.5)];

/// Names in a message at most.
const MOST_SHOWN: usize = 10;

/// Where the columns of a particle or point stand, and the rows read so far.
#[derive(Debug)]
pub(super) struct FileColumns {
    coordinates: Vec<Column>,
    /// Points have none.
    size: Option<Column>,
    /// Points have none, and particles that nobody moves.
    motion: MotionColumns,
    /// Only LAMMPS files have ids that are numbers for sure.
    id: Option<Column>,
    /// Number of columns a row must have.
    width: usize,
    rows: Rows,
}

/// A column whose values are `offset + factor * number`.
#[derive(Debug)]
pub(super) struct Column {
    name: String,
    position: usize,
    offset: f64,
    factor: f64,
}

impl FileColumns {
    /// Finds the columns by their names; letter case, units in brackets and the prefix `Pos` do not matter.
    pub(super) fn new(names: &[&str], kind: RowKind) -> Result<Self, String> {
        let simple: Vec<String> = names.iter().map(|name| simplify(name)).collect();
        let find = |wanted: &str, factor: f64| Column::find(wanted, factor, names, &simple);
        let missing = |what: &str| {
            let found = enumerate(names.iter().map(|name| format!("`{}`", shorten(name.trim()))));
            format!("no column {what} among {found}; {}", kind.columns())
        };
        let mut coordinates = Vec::new();
        for (axis, optional) in AXES.iter().zip([false, false, kind.has_sizes()]) {
            match find(axis, 1.0)? {
                Some(column) => coordinates.push(column),
                None if optional => {}
                None => return Err(missing(&format!("`{axis}`"))),
            }
        }
        let mut size = None;
        if kind.has_sizes() {
            for (name, factor) in SIZES {
                if size.is_none() {
                    size = find(name, factor)?;
                }
            }
            if size.is_none() {
                return Err(missing("for the radius"));
            }
        }
        let rows = Rows::new(coordinates.len());
        let motion = if kind == RowKind::Bodies {
            MotionColumns::new(coordinates.len(), names, &simple)?
        } else {
            MotionColumns::default()
        };
        check_units(coordinates.iter().chain(&size).chain(motion.velocities()))?;
        Ok(Self { coordinates, size, motion, id: None, width: names.len(), rows })
    }

    /// The same with the ids of particles, if there is a column of this name.
    pub(super) fn with_ids(mut self, names: &[&str]) -> Result<Self, String> {
        let simple: Vec<String> = names.iter().map(|name| simplify(name)).collect();
        self.id = Column::find("id", 1.0, names, &simple)?;
        Ok(self)
    }

    /// Reads the coordinate along this axis as a share of the stretch from `low` to `high`.
    pub(super) fn scale(&mut self, axis: usize, [low, high]: [f64; 2]) {
        if let Some(column) = self.coordinates.get_mut(axis) {
            (column.offset, column.factor) = (low, high - low);
        }
    }

    /// Adds a row, given the text of each of its fields.
    pub(super) fn push(&mut self, line: u64, fields: &[&str]) -> Result<(), Problem> {
        if fields.len() != self.width {
            let message = format!("{} columns, expected {} as in the header", fields.len(), self.width);
            return Err(Problem::at(line, message));
        }
        let mut center = [0.0; 3];
        for (coordinate, column) in center.iter_mut().zip(&self.coordinates) {
            *coordinate = column.value(line, fields, check_coordinate)?;
        }
        let size = self.size.as_ref();
        let radius = size.map(|column| column.value(line, fields, check_radius)).transpose()?;
        self.motion.push(line, fields, &mut self.rows)?;
        if let Some(column) = &self.id {
            let text = column.text(fields);
            let refuse =
                |_| Problem::at(line, format!("`id` is `{}`, expected a whole number", shorten(text)));
            self.rows.ids.push(text.parse().map_err(refuse)?);
        }
        self.rows.push(center, radius).map_err(|error| Problem::at(line, error.to_string()))
    }

    /// The rows read, in this box if one is known.
    pub(super) fn finish(self, region: Option<FileRegion>) -> Rows {
        Rows { region, ..self.rows }
    }
}

impl Column {
    /// The column of this name, if it is there once.
    pub(super) fn find(
        wanted: &str,
        factor: f64,
        names: &[&str],
        simple: &[String],
    ) -> Result<Option<Self>, String> {
        let mut positions = simple.iter().enumerate().filter(|(_, name)| *name == wanted).map(|(i, _)| i);
        match (positions.next(), positions.next()) {
            (None, _) => Ok(None),
            (Some(_), Some(_)) => Err(format!("column `{wanted}` appears twice")),
            (Some(position), None) => {
                let name = names[position].trim().to_string();
                Ok(Some(Self { name, position, offset: 0.0, factor }))
            }
        }
    }

    /// The text of this column in a row.
    pub(super) fn text<'a>(&self, fields: &[&'a str]) -> &'a str {
        fields[self.position].trim()
    }

    /// The checked value of this column in a row.
    pub(super) fn value(
        &self,
        line: u64,
        fields: &[&str],
        check: impl Fn(f64) -> Result<(), &'static str>,
    ) -> Result<f64, Problem> {
        let text = self.text(fields);
        let refuse =
            |reason: &str| Problem::at(line, format!("`{}` is `{}`, {reason}", self.name, shorten(text)));
        let number: f64 = text.parse().map_err(|_| refuse("expected a number"))?;
        let value = self.offset + self.factor * number;
        check(value).map_err(refuse)?;
        Ok(value)
    }
}

/// The beginning of a text, for a message.
pub(super) fn shorten(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

/// The first names of a list, and how many more there are.
pub(super) fn enumerate(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(MOST_SHOWN);
    let mut shown: Vec<String> = names.take(MOST_SHOWN).collect();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    shown.join(", ")
}

/// Refuses lengths in several units, those of velocities included.
fn check_units<'a>(columns: impl Iterator<Item = &'a Column>) -> Result<(), String> {
    let mut known: Option<(&str, &str)> = None;
    for Column { name, .. } in columns {
        let Some((_, rest)) = name.split_once('[') else { continue };
        let unit = rest.split([']', '/']).next().unwrap_or_default().trim();
        let (first, other) = *known.get_or_insert((name, unit));
        if unit != other {
            return Err(format!(
                "`{first}` and `{name}` have different units of length; convert one of them"
            ));
        }
    }
    Ok(())
}

/// The name without case, unit and the prefix `pos`; velocities and spins under one name each.
fn simplify(name: &str) -> String {
    let lower = name.trim().trim_start_matches('#').trim().to_ascii_lowercase();
    let bare = lower.split('[').next().unwrap_or_default().trim();
    match bare {
        "posx" => "x",
        "posy" => "y",
        "posz" => "z",
        "velx" => "vx",
        "vely" => "vy",
        "velz" => "vz",
        "omegax" => "wx",
        "omegay" => "wy",
        "omegaz" => "wz",
        other => other,
    }
    .to_string()
}
