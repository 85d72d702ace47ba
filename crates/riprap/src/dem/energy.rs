//! The energy ledger: where the energy of a system came from, where it is and where it went.
//!
//! What is there (kinetic, elastic, attraction, gravity) and what has been lost (damping, friction, rolling, adhesion, removed) must
//! add up to what has come in (inserted, work of walls). Each term is worked out on its own; the imbalance tells how well the time
//! integration does, and reveals any force that is not accounted for.

use super::contact::{LaterEnergies, Losses, StepEnergies};
use crate::archive::{Damage, Rest, Section, Values};

/// Energies at one time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Ledger {
    /// Kinetic energy of translation.
    pub translation: f64,
    /// Kinetic energy of rotation.
    pub rotation: f64,
    /// Stored in springs of contacts.
    pub elastic: f64,
    /// Stored in the attraction of surfaces: what it would take to undo it, as a negative number.
    pub attraction: f64,
    /// Potential energy gained since each body was inserted; negative where bodies have come down.
    pub gravity: f64,
    /// `u u' / 2` with the velocities half a step before and after, per mass, less the kinetic energy at whole steps, since each body was
    /// inserted: what central differences conserve is the former. It is of second order in the step, and comes and goes with the forces.
    pub integration: f64,
    /// Lost in dashpots.
    pub damping: f64,
    /// Lost by sliding.
    pub friction: f64,
    /// Lost by rolling and twisting.
    pub rolling: f64,
    /// Lost where surfaces leapt together.
    pub adhesion: f64,
    /// Taken away with removed bodies.
    pub removed: f64,
    /// Brought in with inserted bodies.
    pub inserted: f64,
    /// Work of moving walls.
    pub walls: f64,
    /// What rounding may have made of the terms; an imbalance below it means nothing.
    pub rounding: f64,
}

impl Ledger {
    /// Names and values of all terms.
    pub fn terms(&self) -> [(&'static str, f64); 13] {
        [
            ("translation", self.translation),
            ("rotation", self.rotation),
            ("elastic", self.elastic),
            ("attraction", self.attraction),
            ("gravity", self.gravity),
            ("integration", self.integration),
            ("damping", self.damping),
            ("friction", self.friction),
            ("rolling", self.rolling),
            ("adhesion", self.adhesion),
            ("removed", self.removed),
            ("inserted", self.inserted),
            ("walls", self.walls),
        ]
    }

    /// What is there and lost, less what has come in: zero if nothing is unaccounted for.
    pub fn imbalance(&self) -> f64 {
        let terms = self.terms();
        terms[..11].iter().map(|(_, value)| value).sum::<f64>() - self.inserted - self.walls
    }

    /// The imbalance relative to the largest term; zero where it is no more than rounding, as before anything has moved.
    pub fn error(&self) -> f64 {
        if self.imbalance().abs() <= self.rounding {
            return 0.0;
        }
        let largest = self.terms().iter().fold(0.0f64, |largest, (_, value)| largest.max(value.abs()));
        // Not a number if a term is none: that must show.
        if largest == 0.0 && self.imbalance() == 0.0 { 0.0 } else { self.imbalance().abs() / largest }
    }
}

/// What has to be added up as the system moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Account<const D: usize> {
    /// Lost in contacts up to the end of the last step, half a step from now.
    pub losses: Losses,
    /// The part of the last step that belongs to the half step from now.
    pub later: LaterEnergies,
    /// Work of walls up to the end of the last step.
    pub walls: f64,
    /// Work of walls in the half step from now.
    pub walls_later: f64,
    /// See [`Ledger::integration`]: what bodies brought in, less what they took away.
    pub integration: f64,
    /// Kinetic and elastic energy brought in.
    pub inserted: f64,
    /// Kinetic and elastic energy taken away.
    pub removed: f64,
    /// Mass times position of what was inserted, less that of what was removed, and jumps through the periodic box.
    pub moment: [f64; D],
}

impl<const D: usize> Default for Account<D> {
    fn default() -> Self {
        Self {
            losses: Losses::default(),
            later: LaterEnergies::default(),
            walls: 0.0,
            walls_later: 0.0,
            integration: 0.0,
            inserted: 0.0,
            removed: 0.0,
            moment: [0.0; D],
        }
    }
}

impl<const D: usize> Account<D> {
    /// Adds a step, of whose time this share is still to come.
    pub(super) fn add(&mut self, energies: StepEnergies, walls: f64, later: f64) {
        self.losses += energies.lost;
        self.walls += walls;
        (self.later, self.walls_later) = (energies.later, later * walls);
    }

    /// Takes back what the last step has added for the time from now on.
    pub(super) fn end_now(&mut self) {
        let LaterEnergies { damping, friction, rolling, stored: _ } = std::mem::take(&mut self.later);
        self.losses.damping -= damping;
        self.losses.friction -= friction;
        self.losses.rolling -= rolling;
        self.walls -= std::mem::take(&mut self.walls_later);
    }

    /// All sums, one after the other: the first six are those of version 1.
    pub(super) fn sums(&self) -> [f64; 13] {
        let Self { losses, later, walls, walls_later, integration, inserted, removed, moment: _ } = self;
        [
            losses.damping,
            losses.friction,
            losses.rolling,
            *walls,
            *inserted,
            *removed,
            losses.adhesion,
            *walls_later,
            *integration,
            later.damping,
            later.friction,
            later.rolling,
            later.stored,
        ]
    }
}

impl<const D: usize> Section for Account<D> {
    const NAME: &'static str = "account";
    const VERSION: u32 = 2;

    fn write(&self, values: &mut Values) {
        values.vector(&self.moment);
        values.vector(&self.sums());
    }

    /// Version 1 has the first sums alone, before the moment.
    fn read(values: &mut Rest<'_>, version: u32) -> Result<Self, Damage> {
        let mut sums = [0.0; 13];
        if version == 1 {
            sums[..6].copy_from_slice(&values.finite_vector::<6>()?);
        }
        let moment = values.finite_vector()?;
        if version > 1 {
            sums = values.finite_vector()?;
        }
        let [damping, friction, rolling, walls, inserted, removed, adhesion, walls_later, integration, ..] =
            sums;
        let losses = Losses { damping, friction, rolling, adhesion };
        let [.., damping, friction, rolling, stored] = sums;
        let later = LaterEnergies { damping, friction, rolling, stored };
        Ok(Self { losses, later, walls, walls_later, integration, inserted, removed, moment })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fallen_ball_balances() {
        let ledger = Ledger { translation: 3.0, gravity: -10.0, damping: 7.0, ..Ledger::default() };
        assert_eq!((ledger.imbalance(), ledger.error()), (0.0, 0.0));
        let ledger = Ledger { damping: 6.0, ..ledger };
        assert_eq!(ledger.error(), 0.1);
        assert_eq!(Ledger::default().error(), 0.0);
        let held = Ledger {
            translation: 1.0,
            elastic: 59.0,
            attraction: -100.0,
            adhesion: 50.0,
            inserted: 9.0,
            ..Ledger::default()
        };
        assert_eq!((held.imbalance(), held.error()), (1.0, 0.01));
        let at_rest = Ledger { gravity: 1e-18, rounding: 1e-15, ..Ledger::default() };
        assert_eq!(at_rest.error(), 0.0);
    }
}
