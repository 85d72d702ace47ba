//! Why the energy ledger may not balance.

use std::fmt;

use super::overlap::{DeepOverlap, LARGE_OVERLAP};
use crate::words::short;

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
    /// Surfaces stick: forces begin and end with a jump.
    Adhesion {
        /// The time step.
        time_step: f64,
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
                "the time step {} is {:.1} times the stable limit {}: take a shorter `time.step`, or none",
                short(*time_step),
                time_step / limit,
                short(*limit)
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
                "the time step {} is {:.1} times the {} that is derived from the contacts: take a shorter \
                 `time.step` or `time.fraction`, or none",
                short(*time_step),
                time_step / suggested,
                short(*suggested)
            ),
            Self::Fast { id, speed, share } => write!(
                f,
                "particle {id} moves at {}, {share:.2} smallest radii in one step: take a shorter `time.step`",
                short(*speed)
            ),
            Self::Adhesion { time_step } => write!(
                f,
                "contacts that hold begin and end with a jump: try half the time step, {}",
                short(0.5 * time_step)
            ),
            Self::Unknown { time_step } => write!(
                f,
                "not known: try half the time step, {}; if the error stays, something else is wrong",
                short(0.5 * time_step)
            ),
        }
    }
}
