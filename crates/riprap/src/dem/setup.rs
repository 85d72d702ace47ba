//! Why a simulation cannot begin.

use thiserror::Error as ThisError;

use super::material::MaterialError;
use super::settings::{Outflow, Settings};
use super::wall::WallError;
use crate::broad;
use crate::error::AXES;

/// Why a simulation cannot begin.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum SetupError {
    /// A setting is out of range.
    #[error("`{setting}` is {value}, expected {expected}")]
    Setting {
        /// Name of the setting.
        setting: &'static str,
        /// The value.
        value: f64,
        /// What was expected.
        expected: &'static str,
    },
    /// The domain has no extent, or a periodic axis no end.
    #[error(
        "domain: from {min} to {max} along {axis}, expected an extent above zero, and a finite one where it is periodic"
    )]
    Domain {
        /// The axis.
        axis: &'static str,
        /// Where it begins.
        min: f64,
        /// Where it ends.
        max: f64,
    },
    /// An outflow has no plane.
    #[error("outflow `{name}`: expected a finite point and a normal of length one")]
    Outflow {
        /// Its name.
        name: String,
    },
    /// Materials make no sense.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// A wall makes no sense.
    #[error(transparent)]
    Wall(#[from] WallError),
    /// The search is not known, or cannot do what the domain asks for.
    #[error(transparent)]
    Search(#[from] crate::Error),
}

impl<const D: usize> Settings<D> {
    /// Refuses settings that make no sense.
    pub(crate) fn check(&self) -> Result<(), SetupError> {
        let wrong = |setting: &'static str, value: f64, expected: &'static str| {
            Err(SetupError::Setting { setting, value, expected })
        };
        if !(self.time_step > 0.0 && self.time_step.is_normal()) {
            return wrong("time_step", self.time_step, "a finite number above zero");
        }
        if let Some(gravity) = self.gravity.iter().find(|gravity| !gravity.is_finite()) {
            return wrong("gravity", *gravity, "finite numbers");
        }
        if !(self.overlap_limit > 0.0 && self.overlap_limit <= 1.0) {
            return wrong("overlap_limit", self.overlap_limit, "a share of the radius above 0 and up to 1");
        }
        if let Some(limit) = self.energy_limit.filter(|limit| !(*limit > 0.0 && limit.is_finite())) {
            return wrong("energy_limit", limit, "a finite number above zero");
        }
        if let Some(skin) = self.skin.filter(|skin| !(skin.is_finite() && *skin >= 0.0)) {
            return wrong("skin", skin, "zero or more");
        }
        if let Some(k) = self.domain.wrong_axis() {
            let (min, max) = (self.domain.min[k], self.domain.max[k]);
            return Err(SetupError::Domain { axis: AXES[k], min, max });
        }
        self.domain.criterion(0.0).check_values()?;
        let name = self.method.split(':').next().unwrap_or_default();
        let method = broad::SearchMethod::<D>::all().iter().find(|method| method.name == name);
        if let Some(method) = method.filter(|method| self.domain.periods().any() && !method.periodic) {
            return Err(SetupError::Search(broad::not_periodic(method.name)));
        }
        let is_plane = |outflow: &Outflow<D>| {
            outflow.point.iter().all(|x| x.is_finite())
                && (crate::vector::length(outflow.normal) - 1.0).abs() < 1e-9
        };
        match self.outflows.iter().find(|outflow| !is_plane(outflow)) {
            Some(outflow) => Err(SetupError::Outflow { name: outflow.name.clone() }),
            None => Ok(()),
        }
    }
}
