//! Particles that move: velocities, spins and names of materials beside places and radii.
//!
//! Columns are `vx`, `vy`, `vz` (in the plane `vx`, `vy`), `wx`, `wy`, `wz` (in the plane `w` or `wz`) and `material`. Of each kind a file has
//! all or none.

use std::path::Path;

use super::columns::Column;
use super::rows::MaterialNames;
use super::{FileError, Particles, Problem, RowKind, Rows, read};
use crate::spheres::check_coordinate;

/// Particles of a file, and what it says of their motion and material.
#[derive(Debug)]
pub struct MovingParticles {
    /// Places and radii.
    pub particles: Particles,
    /// Velocities, with a zero as third component in the plane; empty if the file has none.
    pub velocities: Vec<[f64; 3]>,
    /// Spins, in the plane about the third axis; empty if the file has none.
    pub spins: Vec<[f64; 3]>,
    /// The material of each particle as an index among the names; empty if the file has none.
    pub materials: Vec<u32>,
    /// Names of materials, each once, with the line where it comes first. That of an empty cell is empty.
    pub material_names: Vec<(String, u64)>,
}

/// Reads particles with velocities, spins and materials where the file has them; formats are those of [`super::read_particles`], of
/// which NumPy arrays and LAMMPS data files have places and radii only.
pub fn read_moving_particles(path: &Path) -> Result<MovingParticles, FileError> {
    let mut rows = read(path, RowKind::Bodies).map_err(|problem| problem.in_file(path))?;
    let MaterialNames { rows: materials, names: material_names, .. } = std::mem::take(&mut rows.materials);
    Ok(MovingParticles {
        velocities: std::mem::take(&mut rows.velocities),
        spins: std::mem::take(&mut rows.spins),
        materials,
        material_names,
        particles: rows.into_particles(),
    })
}

/// Where velocities, spins and materials stand.
#[derive(Debug, Default)]
pub(super) struct MotionColumns {
    velocity: Option<Vec<Column>>,
    spin: Option<Vec<Column>>,
    material: Option<Column>,
    /// Components out of the plane, which must be zero in 2D.
    zeros: Vec<Column>,
}

impl MotionColumns {
    /// Finds the columns by their names, given as in the file and simplified.
    pub(super) fn new(dimension: usize, names: &[&str], simple: &[String]) -> Result<Self, String> {
        let find = |wanted: &str| Column::find(wanted, 1.0, names, simple);
        let all = |wanted: &[&str]| -> Result<Option<Vec<Column>>, String> {
            let mut columns = Vec::new();
            for name in wanted {
                columns.push(find(name)?);
            }
            if columns.iter().all(Option::is_none) {
                return Ok(None);
            }
            match columns.iter().position(Option::is_none) {
                None => Ok(Some(columns.into_iter().flatten().collect())),
                Some(missing) => Err(format!(
                    "no column `{}`, expected all of `{}`, or none",
                    wanted[missing],
                    wanted.join("`, `")
                )),
            }
        };
        let (velocity, spin, out_of_plane): (&[&str], &[&str], &[&str]) = match dimension {
            2 if find("w")?.is_some() => (&["vx", "vy"], &["w"], &["vz", "wx", "wy"]),
            2 => (&["vx", "vy"], &["wz"], &["vz", "wx", "wy"]),
            _ => (&["vx", "vy", "vz"], &["wx", "wy", "wz"], &[]),
        };
        if dimension == 3 && find("w")?.is_some() {
            return Err("a column `w`, the spin in the plane; expected `wx`, `wy`, `wz` in 3D".to_string());
        }
        let mut zeros = Vec::new();
        for name in out_of_plane {
            zeros.extend(find(name)?);
        }
        Ok(Self { velocity: all(velocity)?, spin: all(spin)?, material: find("material")?, zeros })
    }

    /// The columns of velocities.
    pub(super) fn velocities(&self) -> impl Iterator<Item = &Column> {
        self.velocity.iter().flatten()
    }

    /// Adds what a row says to the rows.
    pub(super) fn push(&self, line: u64, fields: &[&str], rows: &mut Rows) -> Result<(), Problem> {
        if let Some(columns) = &self.velocity {
            let mut velocity = [0.0; 3];
            for (component, column) in velocity.iter_mut().zip(columns) {
                *component = column.value(line, fields, check_coordinate)?;
            }
            rows.velocities.push(velocity);
        }
        if let Some(columns) = &self.spin {
            let mut spin = [0.0; 3];
            // In the plane there is one, about the third axis.
            for (component, column) in spin[3 - columns.len()..].iter_mut().zip(columns) {
                *component = column.value(line, fields, check_coordinate)?;
            }
            rows.spins.push(spin);
        }
        for column in &self.zeros {
            let in_plane = |value| if value == 0.0 { Ok(()) } else { Err("expected 0 in 2D") };
            column.value(line, fields, in_plane)?;
        }
        if let Some(column) = &self.material {
            rows.materials.push(column.text(fields), line);
        }
        Ok(())
    }
}
