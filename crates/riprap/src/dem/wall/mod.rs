//! Walls: planes, boxes, cylinders and surfaces of facets, at rest or in prescribed motion.

mod contacts;
mod enclosed;
mod facet_grid;
mod facets;
mod forces;
mod motion;
mod near;
mod seams;
mod set;
mod speed;
mod summit;
mod surface;

pub(crate) use contacts::{FoundElement, NearBall, find_contacts};
pub(crate) use facets::Spot;
pub use facets::{FacetError, Facets, Feature};
pub(crate) use forces::{Around, WallPass};
pub use motion::{Phase, Placement};
pub(crate) use near::{Candidate, WallSums};
pub use near::{WallElement, WallKey};
pub use set::WallError;
pub(crate) use set::Walls;
pub use surface::{Nearest, Surface};

/// A wall.
#[derive(Debug, Clone, PartialEq)]
pub struct Wall<const D: usize> {
    /// Name, for output and messages.
    pub name: String,
    /// Its surface, where it is at the start.
    pub surface: Surface<D>,
    /// Index of the material.
    pub material: u8,
    /// Prescribed motion; phases follow each other in time.
    pub motion: Vec<Phase<D>>,
    /// When it vanishes; infinite for never.
    pub until: f64,
    /// Point about which the torque on the wall is taken, at the start; it moves with the wall.
    pub center: [f64; D],
}

impl<const D: usize> Wall<D> {
    /// A wall at rest, of the first material.
    pub fn new(name: &str, surface: Surface<D>) -> Self {
        let center = surface.middle();
        Self {
            name: name.to_string(),
            surface,
            material: 0,
            motion: Vec::new(),
            until: f64::INFINITY,
            center,
        }
    }
}
