//! How closely and how deeply the method works.

use super::bound::HIGHEST;
use super::plan::Depth;
use crate::inside::InsideError;

/// The degree of expansions.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Degree {
    /// The lowest one for which the error of J is below the tolerance, by the norms of moments.
    #[default]
    ByNorms,
    /// The lowest one for which it is by eq 27, which asks for a higher one.
    ByEquation27,
    /// This one.
    Fixed(usize),
}

/// How closely and how deeply [`InsideMethod::Multipole`](crate::inside::InsideMethod::Multipole) works.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MultipoleOptions {
    /// The wanted error of J, by which the degree of expansions is chosen. Whole numbers need less than a half. Each digit more takes
    /// about twice the time to set up. Where no degree is high enough, [`Inside::expansion`](crate::inside::Inside::expansion) tells what is
    /// reached, and what rounding adds: from 0.01 on, near faces are worked out with numbers of four bytes.
    pub tolerance: f64,
    /// How that is done.
    pub degree: Degree,
    /// The parameter `d` of eq 16, above 1: how far a cluster must be for its expansion to be used. Without one it is chosen.
    pub separation: Option<f64>,
    /// How deep the trees are.
    pub depth: Depth,
    /// Whether to use vector registers where the processor has them. The results are the same but for rounding.
    pub vectors: bool,
}

impl Default for MultipoleOptions {
    fn default() -> Self {
        Self {
            tolerance: 0.1,
            degree: Degree::default(),
            separation: None,
            depth: Depth::default(),
            vectors: true,
        }
    }
}

impl MultipoleOptions {
    pub(in crate::inside) fn check(&self) -> Result<(), InsideError> {
        let refused = |name, value, expected| Err(InsideError::Option { name, value, expected });
        if !(self.tolerance > 0.0 && self.tolerance.is_finite()) {
            return refused("tolerance", self.tolerance, "a number above zero");
        }
        if let Some(separation) = self.separation.filter(|d| !(*d > 1.0 && *d <= 8.0)) {
            return refused("separation", separation, "a number above 1, at most 8");
        }
        match self.degree {
            Degree::Fixed(degree) if !(1..=HIGHEST).contains(&degree) => {
                refused("degree", degree as f64, "a number between 1 and 30")
            }
            _ => Ok(()),
        }
    }
}
