//! What has been inserted so far, and what follows from it for all contacts.

use super::contact::Kinds;
use crate::shape::Shape;

/// The smallest body of a material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Smallest {
    /// Its radius.
    pub radius: f64,
    /// Its mass.
    pub mass: f64,
}

/// The bodies of a material, by the surfaces with which they meet others.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Surfaces {
    /// The smallest body that is round somewhere: a ball, or one with a ball among its pieces.
    pub round: Option<Smallest>,
    /// Radius of the largest of those.
    pub largest_round: f64,
    /// The smallest body with faces.
    pub faced: Option<Smallest>,
    /// Whether there are several of those: one alone meets no face of its material.
    pub several_faced: bool,
}

impl Surfaces {
    /// Notes one body of a shape, or several up to a largest radius.
    pub(crate) fn add<const D: usize>(
        &mut self,
        shape: &Shape<D>,
        smallest: Smallest,
        largest: f64,
        several: bool,
    ) {
        let note = |known: &mut Option<Smallest>| {
            if known.is_none_or(|known| smallest.radius < known.radius) {
                *known = Some(smallest);
            }
        };
        if shape.is_round() {
            note(&mut self.round);
            self.largest_round = self.largest_round.max(largest);
        }
        if shape.is_faced() {
            self.several_faced |= several || self.faced.is_some();
            note(&mut self.faced);
        }
    }

    /// What it can meet others with: a round surface, a face, a face that another of its own meets.
    pub(super) fn kinds(&self) -> [bool; 3] {
        [self.round.is_some(), self.faced.is_some(), self.several_faced]
    }
}

/// What has been inserted so far, and what follows from it for all contacts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Inserted {
    /// The smallest body of each material.
    pub(crate) smallest: Vec<Option<Smallest>>,
    /// The surfaces of each material.
    pub(crate) surfaces: Vec<Surfaces>,
    /// What contacts can do.
    pub(crate) kinds: Kinds,
    /// How far contacts reach beyond touch at most.
    pub(crate) reach: f64,
}

impl Inserted {
    /// Nothing, of so many materials.
    pub(super) fn nothing(materials: usize) -> Self {
        Self {
            smallest: vec![None; materials],
            surfaces: vec![Surfaces::default(); materials],
            kinds: Kinds::default(),
            reach: 0.0,
        }
    }

    /// Notes a body.
    pub(super) fn add<const D: usize>(&mut self, material: u8, shape: &Shape<D>, body: Smallest) {
        let material = usize::from(material);
        let smallest = &mut self.smallest[material];
        if smallest.is_none_or(|smallest| body.radius < smallest.radius) {
            *smallest = Some(body);
        }
        self.surfaces[material].add(shape, body, body.radius, false);
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
