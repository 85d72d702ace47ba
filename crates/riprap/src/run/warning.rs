//! What a run warns of: told once while it runs, and again in its summary.

use std::fmt;

use crate::dem::{
    DeepOverlap, EnergyCause, LARGE_ENERGY_ERROR, LARGE_OVERLAP, Overlapped, Probe, ProbeTarget, Simulation,
};
use crate::words::short;

/// Something that is worth a look.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// Overlaps are large.
    Overlap {
        /// The first of them.
        first: DeepOverlap,
        /// The largest one at any look so far, over the smaller radius.
        largest: f64,
    },
    /// The energy ledger does not balance.
    Energy {
        /// When that was noticed first.
        time: f64,
        /// The largest error at any look so far.
        error: f64,
        /// Its likeliest cause.
        cause: EnergyCause,
    },
    /// There was no particle for a probe.
    Probe {
        /// Name of the probe.
        name: String,
        /// The id that it looks for.
        id: u64,
        /// Number of particles inserted.
        inserted: u64,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overlap { first: DeepOverlap { time, id, other, relative, inserted, .. }, largest } => {
                match other {
                    Overlapped::Body(other) => write!(f, "particles {id} and {other} overlap")?,
                    Overlapped::Wall(wall) => write!(f, "particle {id} overlaps wall `{wall}`")?,
                }
                write!(f, " by {:.1} % of the radius at t = {} s", 100.0 * relative, short(*time))?;
                if largest > relative {
                    write!(f, ", and later up to {:.1} %", 100.0 * largest)?;
                }
                let limit = 100.0 * LARGE_OVERLAP;
                let remedy =
                    if *inserted { "move them apart at the start" } else { "raise `k_n` or `young`" };
                write!(f, ": contact laws hold for small overlaps, below {limit:.0} %; {remedy}")
            }
            Self::Energy { time, error, cause } => write!(
                f,
                "energy error of {:.1} % of the largest term, above {:.0} % from t = {} s on; the likeliest cause: {cause}",
                100.0 * error,
                100.0 * LARGE_ENERGY_ERROR,
                short(*time)
            ),
            Self::Probe { name, id, inserted } => {
                write!(f, "probe `{name}`: no particle {id} was inserted, ids are below {inserted}")
            }
        }
    }
}

/// The warnings of a run so far, at most one of overlaps and one of energy.
#[derive(Debug, Default)]
pub(super) struct Warnings(pub(super) Vec<Warning>);

impl Warnings {
    /// Looks at a simulation whose energy error is known.
    pub(super) fn look<const D: usize>(&mut self, simulation: &Simulation<D>, energy_error: f64) {
        if let Some(first) = simulation.deep_overlap() {
            let now = simulation.measures().max_overlap.max(first.relative);
            let known = self.0.iter_mut().find_map(|warning| match warning {
                Warning::Overlap { largest, .. } => Some(largest),
                _ => None,
            });
            match known {
                Some(largest) => *largest = largest.max(now),
                None => self.0.push(Warning::Overlap { first: first.clone(), largest: now }),
            }
        }
        if energy_error > LARGE_ENERGY_ERROR || energy_error.is_nan() {
            let known = self.0.iter_mut().find_map(|warning| match warning {
                Warning::Energy { error, .. } => Some(error),
                _ => None,
            });
            match known {
                Some(error) => *error = error.max(energy_error),
                None => {
                    let (time, cause) = (simulation.time(), simulation.energy_cause());
                    self.0.push(Warning::Energy { time, error: energy_error, cause });
                }
            }
        }
    }

    /// All of them at the end of a run, with probes that found nothing.
    pub(super) fn at_the_end<const D: usize>(
        &self,
        simulation: &Simulation<D>,
        probes: &[Probe<D>],
    ) -> Vec<Warning> {
        let inserted = simulation.inserted();
        let lost = probes.iter().filter_map(|probe| match probe.target {
            ProbeTarget::Particle(id) if id >= inserted => {
                Some(Warning::Probe { name: probe.name.clone(), id, inserted })
            }
            _ => None,
        });
        self.0.iter().cloned().chain(lost).collect()
    }
}
