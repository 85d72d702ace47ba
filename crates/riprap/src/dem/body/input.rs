//! Bodies to be added, and what can be wrong with them.

use thiserror::Error as ThisError;

use super::{ShapeIndex, Shapes};
use crate::dem::material::MaterialError;
use crate::dem::rotation::UPRIGHT;
use crate::dem::spin::Spin;
use crate::spheres::{check_coordinate, check_radius};
use crate::vector::dot;

/// One body to be added. Units: SI, or any other consistent ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewBody<const D: usize> {
    /// Centre of mass.
    pub position: [f64; D],
    /// Velocity.
    pub velocity: [f64; D],
    /// Spin in radians per time; in the plane only the last component may differ from zero.
    pub spin: Spin,
    /// Radius; of other shapes than balls that of the ball of the same volume.
    pub radius: f64,
    /// Mass; by default that of the volume with the material's density.
    pub mass: Option<f64>,
    /// Index of the material.
    pub material: u8,
    /// Shape.
    pub shape: ShapeIndex,
    /// How it is turned, as a unit quaternion `w, x, y, z`; in the plane `x` and `y` are zero.
    pub orientation: [f64; 4],
}

impl<const D: usize> NewBody<D> {
    /// A ball at rest, of the first material.
    pub fn ball(position: [f64; D], radius: f64) -> Self {
        Self {
            position,
            velocity: [0.0; D],
            spin: [0.0; 3],
            radius,
            mass: None,
            material: 0,
            shape: Shapes::<D>::BALL,
            orientation: UPRIGHT,
        }
    }

    /// A body at rest, of the first material: of this shape, as large as the ball of this radius, and turned.
    pub fn shaped(shape: ShapeIndex, position: [f64; D], radius: f64, orientation: [f64; 4]) -> Self {
        Self { shape, orientation, ..Self::ball(position, radius) }
    }

    /// The same body with this velocity.
    pub fn moving(self, velocity: [f64; D]) -> Self {
        Self { velocity, ..self }
    }
}

/// Why a body cannot be added; nothing has been added then.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum BodyError {
    /// A number is out of range.
    #[error("body {index}: `{column}` is {value}, {reason}")]
    Value {
        /// Index among the bodies given.
        index: usize,
        /// What the number is.
        column: &'static str,
        /// The number.
        value: f64,
        /// What was expected.
        reason: &'static str,
    },
    /// Its material is not known.
    #[error("body {index}: there is no material {material}, only {known}")]
    Material {
        /// Index among the bodies given.
        index: usize,
        /// The material given.
        material: u8,
        /// Number of materials.
        known: usize,
    },
    /// Its shape is not known.
    #[error("body {index}: there is no shape {shape}, only {known}")]
    Shape {
        /// Index among the bodies given.
        index: usize,
        /// The shape given.
        shape: u16,
        /// Number of shapes.
        known: usize,
    },
    /// What it could touch lacks values.
    #[error("body {index}: {source}")]
    Meeting {
        /// Index among the bodies given.
        index: usize,
        /// What is missing.
        source: MaterialError,
    },
}

impl<const D: usize> NewBody<D> {
    /// Refuses numbers that no body can have.
    pub(crate) fn check(&self, index: usize, mass: f64) -> Result<(), BodyError> {
        let wrong = |column: &'static str, value: f64, reason: &'static str| {
            Err(BodyError::Value { index, column, value, reason })
        };
        for (column, vector) in
            [("position", &self.position[..]), ("velocity", &self.velocity), ("spin", &self.spin)]
        {
            for &value in vector {
                if let Err(reason) = check_coordinate(value) {
                    return wrong(column, value, reason);
                }
            }
        }
        if let Err(reason) = check_radius(self.radius) {
            return wrong("radius", self.radius, reason);
        }
        if !(mass > 0.0 && mass.is_finite() && (1.0 / mass).is_finite()) {
            return wrong("mass", mass, "expected a number above zero whose inverse is finite");
        }
        if D == 2 && self.spin[..2] != [0.0; 2] {
            return wrong(
                "spin",
                self.spin[0] + self.spin[1],
                "expected zero in the first two components in 2D",
            );
        }
        let length = dot(self.orientation, self.orientation);
        let is_turn = (length - 1.0).abs() < 1e-6;
        if !is_turn {
            return wrong("orientation", length.sqrt(), "expected a unit quaternion");
        }
        if D == 2 && self.orientation[1..3] != [0.0; 2] {
            let value = self.orientation[1] + self.orientation[2];
            return wrong("orientation", value, "expected zero in `x` and `y` in 2D");
        }
        Ok(())
    }
}
