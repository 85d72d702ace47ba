//! Everything that does not change while a simulation runs.

use super::material::LawKind;
use crate::broad;

/// What happens to a body that leaves the domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Outside {
    /// The simulation stops.
    #[default]
    Stop,
    /// The body is removed.
    Remove,
}

/// Everything that does not change while a simulation runs.
#[derive(Debug, Clone)]
pub struct Settings<const D: usize> {
    /// Contact law.
    pub law: LawKind,
    /// Acceleration of all bodies.
    pub gravity: [f64; D],
    /// Length of a time step.
    pub time_step: f64,
    /// Whether a step beyond the stable limit is accepted.
    pub force_step: bool,
    /// Lowest corner of the domain; minus infinity where it is open.
    pub min: [f64; D],
    /// Highest corner of the domain; infinity where it is open.
    pub max: [f64; D],
    /// Axes along which the domain repeats itself.
    pub periodic: [bool; D],
    /// What happens to a body that leaves the domain.
    pub outside: Outside,
    /// Largest overlap over the smaller radius.
    pub overlap_limit: f64,
    /// Method of the neighbour search, as for [`broad::create`].
    pub method: String,
    /// Margin of the neighbour list; by default it tunes itself. Zero searches anew in every step.
    pub skin: Option<f64>,
    /// Threads.
    pub threads: usize,
    /// Whether wide vector instructions are used where the processor has them; results are the same without.
    pub vectors: bool,
    /// Whether orientations are followed.
    pub orientation: bool,
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
            law: LawKind::default(),
            gravity: [0.0; D],
            time_step: 1e-5,
            force_step: false,
            min: [f64::NEG_INFINITY; D],
            max: [f64::INFINITY; D],
            periodic: [false; D],
            outside: Outside::default(),
            overlap_limit: 0.1,
            method: broad::AUTO.to_string(),
            skin: None,
            threads: 1,
            vectors: true,
            orientation: false,
            outflows: Vec::new(),
        }
    }
}
