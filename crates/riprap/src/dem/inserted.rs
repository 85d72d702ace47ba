//! What has been inserted so far, and what follows from it for all contacts.

use super::contact::Kinds;

/// The smallest body of a material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Smallest {
    /// Its radius.
    pub radius: f64,
    /// Its mass.
    pub mass: f64,
}

/// What has been inserted so far, and what follows from it for all contacts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Inserted {
    /// The smallest body of each material.
    pub(crate) smallest: Vec<Option<Smallest>>,
    /// What contacts can do.
    pub(crate) kinds: Kinds,
    /// How far contacts reach beyond touch at most.
    pub(crate) reach: f64,
}

impl Inserted {
    /// Notes a body.
    pub(super) fn add(&mut self, material: u8, radius: f64, mass: f64) {
        let smallest = &mut self.smallest[usize::from(material)];
        if smallest.is_none_or(|smallest| radius < smallest.radius) {
            *smallest = Some(Smallest { radius, mass });
        }
    }

    /// Materials of which there are bodies.
    pub(super) fn materials(&self) -> Vec<u8> {
        let here = self.smallest.iter().enumerate().filter(|(_, smallest)| smallest.is_some());
        here.map(|(material, _)| material as u8).collect()
    }

    /// Radius of the smallest body of all.
    pub(super) fn smallest_radius(&self) -> f64 {
        self.smallest.iter().flatten().map(|smallest| smallest.radius).fold(f64::INFINITY, f64::min)
    }
}
