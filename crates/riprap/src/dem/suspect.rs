//! The likeliest cause of an energy error, by what is known of a simulation.

use super::cause::EnergyCause;
use super::failure::Failure;
use super::simulation::Simulation;
use crate::vector::length;

/// An energy error above this is worth a warning.
pub const LARGE_ENERGY_ERROR: f64 = 0.01;

/// A step this many times the derived one is suspected.
const LONG_STEP: f64 = 2.0;
/// A body that moves this many smallest radii in a step is suspected.
const LONG_MOVE: f64 = 0.05;

impl<const D: usize> Simulation<D> {
    /// The energy error; a failure if it exceeds the limit of the settings. It takes a pass over all bodies and contacts.
    pub fn check_energy(&self) -> Result<f64, Failure> {
        let error = self.ledger().error();
        match self.settings.energy_limit {
            // An error that is not a number is beyond any limit.
            Some(limit) if error > limit || error.is_nan() => Err(Failure::Energy {
                step: self.elapsed.steps,
                time: self.time(),
                error,
                limit,
                cause: self.energy_cause(),
            }),
            _ => Ok(error),
        }
    }

    /// The likeliest cause of an energy error.
    pub fn energy_cause(&self) -> EnergyCause {
        let time_step = self.settings.time_step;
        let stiffest = self.stiffest();
        if let Some(stiffest) = stiffest
            && time_step > stiffest.limit
        {
            return EnergyCause::Unstable { time_step, limit: stiffest.limit };
        }
        if let Some(overlap) = self.deep_overlap() {
            return EnergyCause::Overlap(overlap.clone());
        }
        if let Some(suggested) = stiffest.map(|stiffest| stiffest.step())
            && time_step > LONG_STEP * suggested
        {
            return EnergyCause::LongStep { time_step, suggested };
        }
        let speeds = self.bodies.id.iter().zip(self.velocities().map(length));
        let fastest = speeds.max_by(|(_, one), (_, other)| one.total_cmp(other));
        match fastest.map(|(id, speed)| (*id, speed, speed * time_step / self.inserted.smallest_radius())) {
            Some((id, speed, share)) if share > LONG_MOVE => EnergyCause::Fast { id, speed, share },
            _ if self.materials().law().sticks() => EnergyCause::Adhesion { time_step },
            _ => EnergyCause::Unknown { time_step },
        }
    }
}
