//! What a detection with a hierarchical grid costs, and the cells for which it is least.
//!
//! Krijgsman, Ogarko and Luding 2014 (see [`crate::broad::HGrid`]) predict the work of a detection from the
//! distribution of the radii, the share of space the particles fill and the cell sizes of the levels:
//!
//! 1. [`RadiusDistribution`] describes the radii: a power law, a log-normal or uniform distribution, a
//!    grading curve, or a list.
//! 2. [`Model`] gives the work per particle for any cell sizes (eqs 6 to 27), as an [`Estimate`].
//! 3. [`Rule`] makes cell sizes for a number of levels; [`Model::best`] also chooses that number.
//!
//! ```
//! use riprap::broad::{HGrid, LevelSizes};
//! use riprap::tune::{Model, Parameters, RadiusDistribution, Rule};
//!
//! let radii: Vec<f64> = (1..=1000).map(|i| 1000.0 / f64::from(i)).collect();
//! let sizes = RadiusDistribution::list(&radii)?;
//! let model = Model::new(&sizes, Parameters { fraction: 0.3, ..Parameters::default() })?;
//!
//! let best = model.best(Rule::Optimal);
//! assert!(best.work < 0.01 * model.estimate(&[sizes.largest() * 2.0]).work);
//! let grid = HGrid::<3>::new(LevelSizes::Given(best.cell_sizes()));
//! # Ok::<(), riprap::Error>(())
//! ```

mod level_cost;
mod model;
mod optimum;
mod path;
mod radii;
mod root;
mod rules;
mod sieve;
mod sizes;

pub use model::{Direction, Estimate, LevelEstimate, Model, Parameters};
pub use rules::Rule;
pub use sizes::{LARGEST_RATIO, RadiusDistribution};

use crate::Error;

/// Refuses a parameter unless it is as expected.
fn expect(holds: bool, parameter: &'static str, value: f64, expected: &'static str) -> Result<(), Error> {
    if holds { Ok(()) } else { Err(Error::Parameter { parameter, value, expected }) }
}
