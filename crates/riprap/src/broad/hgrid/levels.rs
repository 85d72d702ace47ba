//! Cell sizes of the levels.

use crate::Error;
use crate::broad::options::{check_above, refuse};

/// Few, wide levels: with the paper's cost of a cell access its exponential rule is best at about this ratio.
pub(super) const DEFAULT_RATIO: f64 = 3.0;

/// How the cell sizes of the levels are chosen.
#[derive(Debug, Clone, PartialEq)]
pub enum LevelSizes {
    /// As few levels as have this ratio at most, from the smallest to the largest diameter (eq. 36).
    Geometric {
        /// Ratio of successive cell sizes; above 1.01.
        ratio: f64,
    },
    /// These sizes, growing; one more level is added when the largest particle fits none of them.
    Given(Vec<f64>),
}

impl Default for LevelSizes {
    fn default() -> Self {
        Self::Geometric { ratio: DEFAULT_RATIO }
    }
}

impl LevelSizes {
    /// Refuses sizes that are not positive, finite and growing.
    pub(super) fn check(&self, method: &'static str) -> Result<(), Error> {
        match self {
            Self::Geometric { ratio } => check_above(method, "ratio", *ratio, 1.01),
            Self::Given(sizes) => check_sizes(method, sizes),
        }
    }

    /// The sizes for particles with radii in this range.
    pub(crate) fn sizes(&self, radii: Option<(f64, f64)>) -> Vec<f64> {
        match (self, radii) {
            (Self::Given(sizes), _) => sizes.clone(),
            (_, None) => Vec::new(),
            (Self::Geometric { ratio }, Some((smallest, largest))) => {
                let omega = largest / smallest;
                let count = (libm::log(omega) / libm::log(*ratio)).ceil().max(1.0);
                let mut sizes: Vec<f64> = (1..=count as usize)
                    .map(|h| 2.0 * smallest * libm::pow(omega, h as f64 / count))
                    .collect();
                *sizes.last_mut().expect("at least one level") = 2.0 * largest;
                sizes
            }
        }
    }
}

/// Refuses sizes that are not positive, finite and growing.
pub(in crate::broad) fn check_sizes(method: &'static str, sizes: &[f64]) -> Result<(), Error> {
    let positive = sizes.iter().all(|size| crate::spheres::check_radius(*size).is_ok());
    if positive && sizes.is_sorted_by(|a, b| a < b) {
        Ok(())
    } else {
        Err(refuse(method, "levels", format_args!("{sizes:?}"), "positive, growing cell sizes"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn geometric_levels_reach_from_the_smallest_to_the_largest() {
        let levels = LevelSizes::Geometric { ratio: 2.0 };
        assert_eq!(levels.sizes(Some((1.0, 1.0))), [2.0]);
        let sizes = levels.sizes(Some((0.5, 4.0)));
        assert_eq!(sizes.len(), 3);
        assert_eq!(sizes[2], 8.0);
        assert!((sizes[0] - 2.0).abs() < 1e-12);
    }
}
