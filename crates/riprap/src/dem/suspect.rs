//! Why the energy ledger may not balance: the likeliest cause, by what is known of a simulation.

use std::fmt;

use super::failure::Failure;
use super::overlap::{DeepOverlap, LARGE_OVERLAP};
use super::simulation::Simulation;
use crate::vector::length;

/// An energy error above this is worth a warning.
pub const LARGE_ENERGY_ERROR: f64 = 0.01;

/// A step this many times the derived one is suspected.
const LONG_STEP: f64 = 2.0;
/// A body that moves this many smallest radii in a step is suspected.
const LONG_MOVE: f64 = 0.05;

/// The likeliest cause of an energy error.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum EnergyCause {
    /// The time step exceeds the stable limit.
    Unstable {
        /// The time step.
        time_step: f64,
        /// The longest stable one.
        limit: f64,
    },
    /// Contacts are deeper than the time step was derived for.
    Overlap(DeepOverlap),
    /// The time step is much longer than the derived one.
    LongStep {
        /// The time step.
        time_step: f64,
        /// The one that would be derived.
        suggested: f64,
    },
    /// A body moves far in one step.
    Fast {
        /// Id of the fastest body.
        id: u64,
        /// Its speed.
        speed: f64,
        /// How far it moves in one step, in smallest radii.
        share: f64,
    },
    /// None of these.
    Unknown {
        /// The time step.
        time_step: f64,
    },
}

impl fmt::Display for EnergyCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unstable { time_step, limit } => write!(
                f,
                "the time step {time_step:.3e} is {:.1} times the stable limit {limit:.3e}: take a shorter `time.step`, or none",
                time_step / limit
            ),
            Self::Overlap(DeepOverlap { relative, inserted: true, .. }) => write!(
                f,
                "particles overlapped by {:.0} % of the radius when they were inserted: move them apart",
                100.0 * relative
            ),
            Self::Overlap(_) => write!(
                f,
                "overlaps exceed {:.0} % of the radius, for which the time step is too long: take stiffer contacts (`k_n`, `young`) or a \
                 shorter `time.step`",
                100.0 * LARGE_OVERLAP
            ),
            Self::LongStep { time_step, suggested } => write!(
                f,
                "the time step {time_step:.3e} is {:.1} times the {suggested:.3e} that is derived from the contacts: take a shorter \
                 `time.step` or `time.fraction`, or none",
                time_step / suggested
            ),
            Self::Fast { id, speed, share } => write!(
                f,
                "particle {id} moves at {speed:.3e}, {share:.2} smallest radii in one step: take a shorter `time.step`"
            ),
            Self::Unknown { time_step } => {
                write!(
                    f,
                    "try half the time step, {:.3e}; a quarter of the error should be left",
                    0.5 * time_step
                )
            }
        }
    }
}

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
            _ => EnergyCause::Unknown { time_step },
        }
    }
}
