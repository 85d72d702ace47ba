//! Insertions from a file: particles with their motion and materials, as far as the file says so.

use std::path::Path;

use super::SceneError;
use super::format::InsertValues;
use super::reader::Reader;
use crate::SphereColumns;
use crate::dem::insert::{How, Insertion};
use crate::dem::{Material, NewBody};
use crate::io::{FileError, MovingParticles, Particles, read_moving_particles};

/// The bodies of a file. What it does not say is that of the insertion; a random velocity is added to either.
pub(super) fn bodies<const D: usize>(
    reader: &Reader<'_>,
    table: &str,
    values: &InsertValues,
    insertion: &mut Insertion<D>,
    materials: &[Material],
) -> Result<How<D>, SceneError> {
    let key = format!("{table}.file");
    let name = reader.needed(&key, &values.file, "a file")?;
    let path = reader.path.parent().unwrap_or(Path::new("")).join(name);
    let file = read_moving_particles(&path).or_else(|error| reader.fail(&key, error.to_string()))?;
    if file.materials.is_empty() {
        let by = "a file without a column `material`";
        reader.needed(&format!("{table}.material"), &values.material, by)?;
    }
    let mut material_of = Vec::new();
    for (name, line) in &file.material_names {
        // An empty cell stands for the material of the insertion.
        let usual = values.material.as_ref().filter(|_| name.is_empty());
        let wanted = usual.unwrap_or(name);
        match materials.iter().position(|material| material.name == *wanted) {
            Some(index) => material_of.push(index as u8),
            None => {
                let known: Vec<String> =
                    materials.iter().map(|material| format!("`{}`", material.name)).collect();
                let message =
                    format!("`material` is `{name}`, expected a material of the scene: {}", known.join(", "));
                let error = FileError { path: path.clone(), line: Some(*line), message };
                return reader.fail(&key, error.to_string());
            }
        }
    }
    let MovingParticles { particles, velocities, spins, materials, .. } = file;
    let (centers, radii): (Vec<[f64; D]>, Vec<f64>) = match (particles, D) {
        (Particles::Planar(SphereColumns { centers, radii }), 2) => {
            (centers.iter().map(|center| std::array::from_fn(|k| center[k % 2])).collect(), radii)
        }
        (Particles::Spatial(SphereColumns { centers, radii }), 3) => {
            (centers.iter().map(|center| std::array::from_fn(|k| center[k % 3])).collect(), radii)
        }
        _ => {
            return reader.fail(&key, format!("{}: has not the {D} dimensions of the scene", path.display()));
        }
    };
    let (usual, mut bodies) = (insertion.velocity, Vec::with_capacity(radii.len()));
    for (row, (center, radius)) in centers.iter().zip(&radii).enumerate() {
        insertion.velocity =
            velocities.get(row).map_or(usual, |velocity| std::array::from_fn(|k| velocity[k]));
        let body = insertion.shaped(*center, *radius, row as u64);
        bodies.push(NewBody {
            spin: spins.get(row).copied().unwrap_or(insertion.spin),
            material: materials.get(row).map_or(insertion.material, |name| material_of[*name as usize]),
            ..body
        });
    }
    insertion.velocity = usual;
    Ok(How::Given(bodies))
}
