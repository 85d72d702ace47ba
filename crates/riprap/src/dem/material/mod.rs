//! What bodies are made of, and the numbers that contacts of two materials are worked out from.

mod coefficients;
mod error;
pub mod restitution;

pub use coefficients::Coefficients;
pub(crate) use coefficients::{Given, Stiffness, in_series, mean};
pub use error::MaterialError;

use restitution::SMALLEST;

/// What a body is made of. Units: SI, or any other consistent ones.
///
/// The linear law uses `k_n` and `k_t`, the others `young` and `poisson`, and `k_n` and `k_t` where faces of stones meet faces or walls;
/// what only some laws use says so.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Name, for pairs and messages.
    pub name: String,
    /// Mass per volume, in 2D per area.
    pub density: f64,
    /// Normal stiffness, force per overlap; infinite for a rigid wall.
    pub k_n: Option<f64>,
    /// Tangential stiffness; by default 2/7 of the normal one.
    pub k_t: Option<f64>,
    /// Young's modulus; infinite for a rigid wall.
    pub young: Option<f64>,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Speed after a collision over the speed before, along the normal.
    pub restitution: f64,
    /// Coulomb's coefficient of friction.
    pub friction: f64,
    /// Largest torque against rolling over normal force and reduced radius.
    pub rolling_friction: f64,
    /// Largest torque against twisting about the normal over normal force and reduced radius; nothing twists in the plane.
    pub twisting_friction: f64,
    /// Work of adhesion, energy per area, for the laws `jkr` and `dmt`.
    pub adhesion: Option<f64>,
    /// Surface tension of the liquid, for the law `bridge`.
    pub surface_tension: Option<f64>,
    /// Angle at which the liquid meets the surface, in radians, for the law `bridge`.
    pub contact_angle: f64,
    /// Volume of a liquid bridge, for the law `bridge`.
    pub bridge_volume: Option<f64>,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            density: 2500.0,
            k_n: None,
            k_t: None,
            young: None,
            poisson: 0.25,
            restitution: 0.8,
            friction: 0.3,
            rolling_friction: 0.0,
            twisting_friction: 0.0,
            adhesion: None,
            surface_tension: None,
            contact_angle: 0.0,
            bridge_volume: None,
        }
    }
}

/// Values for one pair of materials, instead of those that follow from the two.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PairValues {
    /// See [`Material::k_n`].
    pub k_n: Option<f64>,
    /// See [`Material::k_t`].
    pub k_t: Option<f64>,
    /// See [`Material::restitution`].
    pub restitution: Option<f64>,
    /// See [`Material::friction`].
    pub friction: Option<f64>,
    /// See [`Material::rolling_friction`].
    pub rolling_friction: Option<f64>,
    /// See [`Material::twisting_friction`].
    pub twisting_friction: Option<f64>,
    /// See [`Material::adhesion`].
    pub adhesion: Option<f64>,
}

impl PairValues {
    /// Refuses values that no pair has.
    pub(crate) fn check(&self, a: &Material, b: &Material) -> Result<(), MaterialError> {
        for (value, number, low, high, expected) in [
            ("k_n", self.k_n, f64::MIN_POSITIVE, f64::MAX, "a finite number above zero"),
            ("k_t", self.k_t, f64::MIN_POSITIVE, f64::MAX, "a finite number above zero"),
            ("restitution", self.restitution, SMALLEST, 1.0, "a number from 0.01 to 1"),
            ("friction", self.friction, 0.0, 1e6, "a number from 0 to 1e6"),
            ("rolling_friction", self.rolling_friction, 0.0, 1e6, "a number from 0 to 1e6"),
            ("twisting_friction", self.twisting_friction, 0.0, 1e6, "a number from 0 to 1e6"),
            ("adhesion", self.adhesion, 0.0, f64::MAX, "zero or more"),
        ] {
            if let Some(number) = number.filter(|number| !(low..=high).contains(number)) {
                let material = format!("{}` with `{}", a.name, b.name);
                return Err(MaterialError::Value { material, value, number, expected });
            }
        }
        Ok(())
    }
}

impl Material {
    /// Refuses values that no material has.
    pub(crate) fn check(&self) -> Result<(), MaterialError> {
        let wrong = |value: &'static str, number: f64, expected: &'static str| {
            Err(MaterialError::Value { material: self.name.clone(), value, number, expected })
        };
        if !(self.density > 0.0 && self.density.is_finite()) {
            return wrong("density", self.density, "a number above zero");
        }
        for (value, number) in [("k_n", self.k_n), ("young", self.young)] {
            if let Some(number) = number.filter(|number| number.is_nan() || *number <= 0.0) {
                return wrong(value, number, "a number above zero, or infinity for a rigid wall");
            }
        }
        if let Some(number) = self.k_t.filter(|number| !(*number > 0.0 && number.is_finite())) {
            return wrong("k_t", number, "a finite number above zero");
        }
        for (value, number, high, expected) in [
            ("poisson", self.poisson, 0.5, "a number from 0 to 0.5"),
            ("restitution", self.restitution, 1.0, "a number from 0 to 1"),
            ("friction", self.friction, 1e6, "a number from 0 to 1e6"),
            ("rolling_friction", self.rolling_friction, 1e6, "a number from 0 to 1e6"),
            ("twisting_friction", self.twisting_friction, 1e6, "a number from 0 to 1e6"),
            ("adhesion", self.adhesion.unwrap_or(0.0), f64::MAX, "zero or more"),
            ("surface_tension", self.surface_tension.unwrap_or(0.0), f64::MAX, "zero or more"),
            (
                "contact_angle",
                self.contact_angle,
                std::f64::consts::FRAC_PI_2,
                "an angle from 0 to a right one",
            ),
            ("bridge_volume", self.bridge_volume.unwrap_or(0.0), f64::MAX, "zero or more"),
        ] {
            if !(0.0..=high).contains(&number) {
                return wrong(value, number, expected);
            }
        }
        Ok(())
    }
}
