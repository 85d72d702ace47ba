//! Everything that does not change while a simulation runs.

use super::domain::Domain;
use crate::broad;
use crate::convex::LinkMethod;

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

/// What a stiffness of stones counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StiffnessPer {
    /// The contact as a whole, shared among its points.
    #[default]
    Contact,
    /// Each point of it.
    Point,
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
