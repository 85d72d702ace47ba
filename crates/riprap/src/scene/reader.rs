//! A scene file that is being understood: errors at the place of a key, and values that many keys have.

use std::path::Path;

use super::SceneError;
use super::error::{find, place};
use super::format::{File, SpinValue};
use crate::convex::Pose;
use crate::dem::insert::Region;
use crate::dem::{Spin, matrix};
use crate::io::read_mesh;
use crate::mesh::Mesh;

/// A scene file that is being understood.
pub(super) struct Reader<'a> {
    pub(super) path: &'a Path,
    pub(super) source: &'a str,
    pub(super) file: &'a File,
}

impl Reader<'_> {
    /// An error at a key.
    pub(super) fn fail<T>(&self, key: &str, message: String) -> Result<T, SceneError> {
        let place = find(self.source, key).map(|span| place(self.source, span));
        let message = if place.is_some() { message } else { format!("`{key}`: {message}") };
        Err(SceneError { path: self.path.to_path_buf(), place, message })
    }

    pub(super) fn positive(&self, key: &str, value: f64) -> Result<f64, SceneError> {
        if value > 0.0 && value.is_finite() {
            return Ok(value);
        }
        let name = key.rsplit('.').next().unwrap_or(key);
        self.fail(key, format!("{name} is {value}, expected a number above zero"))
    }

    /// A vector with finite components.
    pub(super) fn vector<const D: usize>(&self, key: &str, values: &[f64]) -> Result<[f64; D], SceneError> {
        let vector: Result<[f64; D], _> = values.try_into();
        match vector {
            Ok(vector) if vector.iter().all(|x| x.is_finite() && x.abs() < 1e100) => Ok(vector),
            _ => self.fail(key, format!("{values:?}, expected {D} finite numbers")),
        }
    }

    /// A box between two corners, `min` and `max` of a table.
    pub(super) fn region<const D: usize>(
        &self,
        table: &str,
        min: &[f64],
        max: &[f64],
    ) -> Result<Region<D>, SceneError> {
        let (upper, min) = (format!("{table}.max"), self.vector(&format!("{table}.min"), min)?);
        let max = self.vector(&upper, max)?;
        if (0..D).any(|k| min[k] >= max[k]) {
            return self.fail(&upper, format!("{max:?}, expected more than {min:?} along every axis"));
        }
        Ok(Region { min, max })
    }

    /// A vector of length one.
    pub(super) fn direction<const D: usize>(
        &self,
        key: &str,
        values: &[f64],
    ) -> Result<[f64; D], SceneError> {
        let vector = self.vector::<D>(key, values)?;
        match crate::vector::unit(vector) {
            Some(unit) => Ok(unit),
            None => {
                self.fail(key, format!("{values:?} has no direction, expected a vector that is not zero"))
            }
        }
    }

    /// A spin: a number in the plane, three in space.
    pub(super) fn spin<const D: usize>(
        &self,
        key: &str,
        spin: &Option<SpinValue>,
    ) -> Result<Spin, SceneError> {
        let values = match spin {
            None => return Ok([0.0; 3]),
            Some(SpinValue::Number(value)) => vec![*value],
            Some(SpinValue::Vector(values)) => values.clone(),
        };
        match values[..] {
            [about] if D == 2 && about.is_finite() => Ok([0.0, 0.0, about]),
            [x, y, z] if D == 3 && values.iter().all(|x| x.is_finite()) => Ok([x, y, z]),
            _ => {
                let expected = if D == 2 { "a number in 2D" } else { "three finite numbers" };
                self.fail(key, format!("{values:?}, expected {expected}"))
            }
        }
    }

    /// A rotation: an angle in the plane, a quaternion of any length but zero in space.
    pub(super) fn turn<const D: usize>(
        &self,
        key: &str,
        rotation: &SpinValue,
    ) -> Result<Pose<D>, SceneError> {
        Ok(Pose { position: [0.0; D], rotation: matrix(self.rotation::<D>(key, rotation)?) })
    }

    /// The same as a unit quaternion.
    pub(super) fn rotation<const D: usize>(
        &self,
        key: &str,
        rotation: &SpinValue,
    ) -> Result<[f64; 4], SceneError> {
        let found = match rotation {
            SpinValue::Number(angle) if D == 2 && angle.is_finite() => {
                let (sine, cosine) = libm::sincos(0.5 * angle);
                Some([cosine, 0.0, 0.0, sine])
            }
            SpinValue::Vector(values) if D == 3 => {
                <[f64; 4]>::try_from(values.as_slice()).ok().and_then(crate::vector::unit)
            }
            _ => None,
        };
        let expected =
            if D == 2 { "an angle in radians" } else { "a quaternion [w, x, y, z] that is not zero" };
        found.map_or_else(|| self.fail(key, format!("{rotation}, expected {expected}")), Ok)
    }

    /// A value that this shape or way needs.
    pub(super) fn needed<'v, T>(
        &self,
        key: &str,
        value: &'v Option<T>,
        by: &str,
    ) -> Result<&'v T, SceneError> {
        match value {
            Some(value) => Ok(value),
            None => {
                let (table, name) = key.rsplit_once('.').unwrap_or(("", key));
                self.fail(table, format!("{by} needs `{name}`"))
            }
        }
    }

    /// Reads a mesh beside the scene; vertices within a distance are joined.
    pub(super) fn mesh(&self, key: &str, file: &Path, weld: Option<f64>) -> Result<Mesh, SceneError> {
        let path = self.path.parent().unwrap_or(Path::new("")).join(file);
        let mesh = read_mesh(&path).or_else(|error| self.fail(key, error.to_string()))?;
        match weld {
            Some(weld) => mesh
                .welded_within(weld)
                .or_else(|error| self.fail(key, format!("{}: {error}", path.display()))),
            None => Ok(mesh),
        }
    }

    /// Refuses values that have no meaning here.
    pub(super) fn meaningless(
        &self,
        table: &str,
        given: &[(&str, bool)],
        by: &str,
    ) -> Result<(), SceneError> {
        match given.iter().find(|(_, given)| *given) {
            Some((name, _)) => {
                self.fail(&format!("{table}.{name}"), format!("`{name}` has no meaning for {by}"))
            }
            None => Ok(()),
        }
    }

    /// Refuses names that are there twice.
    pub(super) fn check_names<'n>(
        &self,
        table: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> Result<(), SceneError> {
        let mut seen = Vec::new();
        for (index, name) in names.enumerate() {
            if name.is_empty() {
                return self
                    .fail(&format!("{table}[{index}].name"), "an empty name, expected letters".to_string());
            }
            if seen.contains(&name) {
                return self
                    .fail(&format!("{table}[{index}].name"), format!("the name `{name}` is there twice"));
            }
            seen.push(name);
        }
        Ok(())
    }
}
