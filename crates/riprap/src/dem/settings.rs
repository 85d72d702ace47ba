//! Everything that does not change while a simulation runs.

use thiserror::Error as ThisError;

use super::domain::Domain;
use super::material::MaterialError;
use super::stones::StiffnessPer;
use super::wall::WallError;
use crate::broad;
use crate::convex::LinkMethod;
use crate::error::AXES;

/// Everything that does not change while a simulation runs, beside materials and walls.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings<const D: usize> {
    /// Acceleration of all bodies.
    pub gravity: [f64; D],
    /// Length of a time step.
    pub time_step: f64,
    /// Whether a step beyond the stable limit is accepted.
    pub force_step: bool,
    /// Where bodies may be.
    pub domain: Domain<D>,
    /// Largest overlap over the smaller radius; beyond it the simulation stops.
    pub overlap_limit: f64,
    /// Largest energy error, see [`super::Ledger::error`]; beyond it [`super::Simulation::check_energy`] fails.
    pub energy_limit: Option<f64>,
    /// Method of the neighbour search, as for [`broad::create`].
    pub method: String,
    /// Margin of the neighbour list; by default it tunes itself. Zero searches anew in every step.
    pub skin: Option<f64>,
    /// Whether wide vector instructions are used where the processor has them; results are the same without.
    pub vectors: bool,
    /// Whether the orientations of balls are followed.
    pub orientation: bool,
    /// How the common plane of two stones is found.
    pub link: LinkMethod,
    /// What the stiffness of stones counts for.
    pub stiffness_per: StiffnessPer,
    /// Planes behind which bodies are removed.
    pub outflows: Vec<Outflow<D>>,
}

/// A plane behind which bodies are removed.
#[derive(Debug, Clone, PartialEq)]
pub struct Outflow<const D: usize> {
    /// Name, for output.
    pub name: String,
    /// A point of the plane.
    pub point: [f64; D],
    /// Unit normal; bodies are removed when their centre is on the other side.
    pub normal: [f64; D],
}

impl<const D: usize> Default for Settings<D> {
    fn default() -> Self {
        Self {
            gravity: [0.0; D],
            time_step: 1e-5,
            force_step: false,
            domain: Domain::default(),
            overlap_limit: 0.5,
            energy_limit: None,
            method: broad::AUTO.to_string(),
            skin: None,
            vectors: true,
            orientation: false,
            link: LinkMethod::default(),
            stiffness_per: StiffnessPer::default(),
            outflows: Vec::new(),
        }
    }
}

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
