//! What an experiment finds: numbers of ours beside expected ones, and the curves they are from.

use thiserror::Error as ThisError;

use crate::dem::wall::FacetError;
use crate::dem::{BodyError, Failure, MaterialError, SetupError};
use crate::plot::{Curve, Spacing};

/// What an experiment finds.
#[derive(Debug, Clone)]
pub struct Findings {
    /// Ours beside what was expected.
    pub checks: Vec<Check>,
    /// Ours and the closed form as curves.
    pub figure: Figure,
}

/// Curves and the axes they are drawn on.
#[derive(Debug, Clone)]
pub struct Figure {
    /// The axis across: what it shows, how values lie on it.
    pub across: (&'static str, Spacing),
    /// The axis upwards.
    pub upward: (&'static str, Spacing),
    /// The closed form as a line, ours as marks.
    pub curves: Vec<Curve>,
}

/// One number of ours beside the one expected.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// What it is.
    pub name: String,
    /// The formula that gives the expected number.
    pub formula: String,
    /// What theory says.
    pub expected: f64,
    /// What the simulator says.
    pub ours: f64,
    /// How far they are apart.
    pub error: f64,
    /// How far they may be apart.
    pub allowed: f64,
    /// How the error is measured.
    pub measure: Measure,
}

/// How an error is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// As a share of the expected number.
    Relative,
    /// As the difference of the two.
    Absolute,
    /// As what ours lacks; more than expected is no error.
    Shortfall,
}

impl Measure {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Relative => "relative",
            Self::Absolute => "absolute",
            Self::Shortfall => "shortfall",
        }
    }
}

impl Check {
    /// The error is a share of the expected number, which is not zero.
    pub(super) fn relative(
        name: impl Into<String>,
        formula: impl Into<String>,
        [ours, expected]: [f64; 2],
        allowed: f64,
    ) -> Self {
        Self::new(name.into(), formula.into(), [ours, expected], allowed, Measure::Relative)
    }

    /// The error is the difference.
    pub(super) fn absolute(
        name: impl Into<String>,
        formula: impl Into<String>,
        [ours, expected]: [f64; 2],
        allowed: f64,
    ) -> Self {
        Self::new(name.into(), formula.into(), [ours, expected], allowed, Measure::Absolute)
    }

    /// The error is what ours lacks.
    pub(super) fn at_least(
        name: impl Into<String>,
        formula: impl Into<String>,
        [ours, expected]: [f64; 2],
        allowed: f64,
    ) -> Self {
        Self::new(name.into(), formula.into(), [ours, expected], allowed, Measure::Shortfall)
    }

    fn new(
        name: String,
        formula: String,
        [ours, expected]: [f64; 2],
        allowed: f64,
        measure: Measure,
    ) -> Self {
        let error = match measure {
            Measure::Relative => (ours / expected - 1.0).abs(),
            Measure::Absolute => (ours - expected).abs(),
            // What is not a number must stay so.
            Measure::Shortfall if ours > expected => 0.0,
            Measure::Shortfall => expected - ours,
        };
        Self { name, formula, expected, ours, error, allowed, measure }
    }

    /// Whether ours is near enough; never if it is not a number.
    pub fn pass(&self) -> bool {
        self.error <= self.allowed
    }
}

/// The worst of some pairs of ours and expected, where the relative error is largest.
pub(super) fn worst(pairs: impl IntoIterator<Item = [f64; 2]>) -> [f64; 2] {
    let error = |[ours, expected]: [f64; 2]| (ours / expected - 1.0).abs();
    let worse = |worst: [f64; 2], pair: [f64; 2]| {
        // What is not a number is the worst of all.
        if error(pair).is_nan() || error(pair) > error(worst) { pair } else { worst }
    };
    pairs.into_iter().reduce(worse).unwrap_or([f64::NAN; 2])
}

/// Why an experiment could not be done.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum CaseError {
    /// The materials were refused.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// The simulation was refused.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The bodies were refused.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// A wall was refused.
    #[error(transparent)]
    Facets(#[from] FacetError),
    /// The simulation stopped.
    #[error(transparent)]
    Failure(#[from] Failure),
    /// No room was found for all bodies.
    #[error("no room for {bodies} bodies")]
    Room {
        /// Number of bodies.
        bodies: usize,
    },
    /// What was to be seen did not happen in time.
    #[error("after {time} s: {what}")]
    NotOver {
        /// When it was given up.
        time: f64,
        /// What did not happen.
        what: &'static str,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_measured_as_said() {
        assert_eq!(Check::relative("a", "b", [3.0, 2.0], 0.5).error, 0.5);
        assert_eq!(Check::absolute("a", "b", [3.0, 0.0], 1.0).error, 3.0);
        assert_eq!(Check::at_least("a", "b", [2.5, 2.0], 0.1).error, 0.0);
        assert!(!Check::at_least("a", "b", [1.5, 2.0], 0.1).pass());
    }

    #[test]
    fn what_is_not_a_number_fails() {
        for check in [
            Check::relative("a", "b", [f64::NAN, 1.0], 1.0),
            Check::absolute("a", "b", [f64::NAN, 1.0], 1.0),
            Check::at_least("a", "b", [f64::NAN, 1.0], 1.0),
            Check::relative("a", "b", worst([]), 1.0),
            Check::relative("a", "b", worst([[1.0, 1.0], [f64::NAN, 1.0], [9.0, 1.0]]), 100.0),
        ] {
            assert!(!check.pass(), "{check:?}");
        }
        assert_eq!(worst([[1.0, 1.0], [3.0, 2.0], [1.1, 1.0]]), [3.0, 2.0]);
    }
}
