//! What can be wrong with the input of a detection.

use thiserror::Error as ThisError;

/// A reason why a detection was refused; its text names the value and the remedy.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// The columns do not have one entry per particle each.
    #[error("{centers} centres but {radii} radii: both columns need one entry per particle")]
    ColumnLengths {
        /// Number of centres given.
        centers: usize,
        /// Number of radii given.
        radii: usize,
    },
    /// More particles than a `u32` can number.
    #[error("{count} particles are too many: at most {} can be numbered", u32::MAX)]
    TooManyParticles {
        /// Number of particles given.
        count: u64,
    },
    /// A coordinate or radius is out of range.
    #[error("particle {index}: `{column}` is {value}, {reason}")]
    Particle {
        /// Zero-based row of the particle.
        index: usize,
        /// Name of the offending column.
        column: &'static str,
        /// The offending value.
        value: f64,
        /// What was expected.
        reason: &'static str,
    },
    /// The margin is negative or not finite.
    #[error("margin is {value}, expected a finite number of zero or more")]
    Margin {
        /// The offending value.
        value: f64,
    },
    /// An edge of the periodic box is not a positive length.
    #[error(
        "periodic box: length {} along {axis}, expected a number above zero and at most 1e150, or `inf` for an open axis",
        plain(*value)
    )]
    BoxLength {
        /// Name of the axis.
        axis: &'static str,
        /// The offending value.
        value: f64,
    },
    /// A particle of the periodic box reaches further than half the box.
    #[error(
        "particle {index}: diameter {diameter} plus margin {margin} exceeds half the periodic box \
         (length {length} along {axis}), so it could meet a neighbour through two images at once; \
         enlarge the box or repeat it"
    )]
    WiderThanHalfBox {
        /// Zero-based row of the particle.
        index: usize,
        /// Its diameter.
        diameter: f64,
        /// The margin of the criterion.
        margin: f64,
        /// Name of the axis.
        axis: &'static str,
        /// Length of the box along that axis.
        length: f64,
    },
    /// The method has no periodic boundaries.
    #[error("method `{method}` has no periodic boundaries; these have: {known}")]
    NotPeriodic {
        /// Name of the method.
        method: &'static str,
        /// The methods that have.
        known: String,
    },
    /// No method has this name.
    #[error("unknown method `{name}`; known methods: {known}")]
    UnknownMethod {
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The method has no option of this name.
    #[error("method `{method}` has no option `{option}`; {known}")]
    UnknownOption {
        /// Name of the method.
        method: &'static str,
        /// The option given.
        option: String,
        /// The options it has.
        known: String,
    },
    /// An option's value makes no sense.
    #[error("method `{method}`: option `{option}` is `{value}`, expected {expected}")]
    OptionValue {
        /// Name of the method.
        method: &'static str,
        /// Name of the option.
        option: &'static str,
        /// The value given.
        value: String,
        /// What was expected.
        expected: String,
    },
    /// A parameter of the cost model makes no sense.
    #[error("{parameter} is {value}, expected {expected}")]
    Parameter {
        /// Name of the parameter.
        parameter: &'static str,
        /// The value given.
        value: f64,
        /// What was expected.
        expected: &'static str,
    },
}

/// Names of the coordinate axes, for messages and file columns.
pub(crate) const AXES: [&str; 3] = ["x", "y", "z"];

/// A number without the zeros that nobody counts.
fn plain(value: f64) -> String {
    format!("{value:?}").trim_end_matches(".0").to_string()
}
