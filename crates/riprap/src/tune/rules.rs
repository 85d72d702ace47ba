//! The paper's four ways to choose cell sizes.

use super::model::{Estimate, Model};
use super::optimum;
use super::root::find_root;

/// Levels of [`Rule::Optimal`] at most.
pub(super) const MOST_OPTIMAL_LEVELS: usize = 100;

/// How cell sizes follow from the number of levels. The last one always is the largest diameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The sizes that need the least work, found numerically.
    Optimal,
    /// As many particles per cell at each level (eqs 37 to 39 with q = 1).
    Constant,
    /// A fixed ratio of successive sizes (eq. 36).
    Exponential,
    /// A fixed difference of successive sizes (eq. 34).
    Linear,
}

impl Rule {
    /// All rules, the cheapest grid first.
    pub const ALL: [Self; 4] = [Self::Optimal, Self::Constant, Self::Exponential, Self::Linear];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Constant => "constant",
            Self::Exponential => "exponential",
            Self::Linear => "linear",
        }
    }

    /// Levels that this rule makes at most: the more, the cheaper it is to apply.
    pub fn most_levels(self) -> usize {
        match self {
            Self::Optimal => MOST_OPTIMAL_LEVELS,
            Self::Constant => 200,
            Self::Exponential | Self::Linear => 1000,
        }
    }
}

impl Model<'_> {
    /// Growing cell sizes by a rule, the last one the largest diameter.
    ///
    /// There are `levels` of them, but at least one and at most [`Rule::most_levels`]; fewer where the radii differ
    /// too little for so many. The optimum has fewer also where more would not lessen the work.
    pub fn cell_sizes(&self, rule: Rule, levels: usize) -> Vec<f64> {
        let levels = levels.clamp(1, rule.most_levels());
        match rule {
            Rule::Optimal => optimum::cell_sizes(self, levels),
            Rule::Constant => constant(self, levels),
            Rule::Exponential => exponential(self, levels),
            Rule::Linear => linear(self, levels),
        }
    }

    /// The number of levels with the least work, and that work.
    pub fn best(&self, rule: Rule) -> Estimate {
        if rule == Rule::Optimal {
            return self.estimate(&self.cell_sizes(rule, MOST_OPTIMAL_LEVELS));
        }
        let mut best = self.cell_sizes(rule, 1);
        let mut least = self.work(&best);
        for levels in 2..=rule.most_levels() {
            // The work falls, then rises; small bumps on the way are passed.
            if levels > 2 * best.len() + 10 {
                break;
            }
            let sizes = self.cell_sizes(rule, levels);
            if sizes.len() < levels {
                break;
            }
            let work = self.work(&sizes);
            if work < least {
                (best, least) = (sizes, work);
            }
        }
        self.estimate(&best)
    }
}

pub(super) fn linear(model: &Model<'_>, levels: usize) -> Vec<f64> {
    let (smallest, largest) = (model.sizes().smallest(), model.sizes().largest());
    let step = (largest - smallest) / levels as f64;
    let inner = (1..levels).map(|h| 2.0 * (smallest + h as f64 * step)).collect();
    close(model, inner)
}

pub(super) fn exponential(model: &Model<'_>, levels: usize) -> Vec<f64> {
    let (smallest, largest) = (model.sizes().smallest(), model.sizes().largest());
    let inner = (1..levels)
        .map(|h| 2.0 * smallest * libm::pow(largest / smallest, h as f64 / levels as f64))
        .collect();
    close(model, inner)
}

/// Every level has the same product of its cells' volume and its share of the particles. For a small product the
/// sizes end below the largest diameter, for a large one above; the right one is in between.
pub(super) fn constant(model: &Model<'_>, levels: usize) -> Vec<f64> {
    let dimension = model.parameters().dimension as f64;
    let (smallest, largest) = (2.0 * model.sizes().smallest(), 2.0 * model.sizes().largest());
    // The shares add up to one, so one of them is at least 1 / levels, in a cell that is no smaller than the smallest.
    let least = dimension * libm::log(smallest) - libm::log(levels as f64);
    let most = dimension * libm::log(largest);
    let product = find_root(
        |product| {
            let sizes = equally_full(model, levels, product);
            let missing = levels - sizes.len();
            // Levels left over after the largest particle: the product is too large.
            let last = sizes.last().expect("at least one level");
            libm::log(last / largest) + missing as f64 * libm::log(largest / smallest)
        },
        least - 1e-9,
        most,
        1e-10,
    );
    let mut sizes = equally_full(model, levels, product);
    sizes.truncate(levels - 1);
    close(model, sizes)
}

/// Cell sizes whose volume times share is exp(product), until `levels` or the largest particle is reached.
fn equally_full(model: &Model<'_>, levels: usize, product: f64) -> Vec<f64> {
    let dimension = model.parameters().dimension as f64;
    let (smallest, largest) = (2.0 * model.sizes().smallest(), 2.0 * model.sizes().largest());
    let log_largest = libm::log(largest);
    let mut sizes: Vec<f64> = Vec::with_capacity(levels);
    while sizes.len() < levels {
        let lower = sizes.last().copied().unwrap_or(0.0);
        let below = if sizes.is_empty() { 0.0 } else { model.sizes().share_up_to(0.5 * lower) };
        if below >= 1.0 {
            break;
        }
        let log_rest = libm::log(1.0 - below);
        let size = if dimension * log_largest + log_rest <= product {
            libm::exp((product - log_rest) / dimension)
        } else {
            let excess = |log_size: f64| {
                let share = model.sizes().share_up_to(0.5 * libm::exp(log_size)) - below;
                share * libm::exp(dimension * log_size - product) - 1.0
            };
            libm::exp(find_root(excess, libm::log(lower.max(smallest)), log_largest, 1e-13))
        };
        sizes.push(size);
    }
    sizes
}

/// Ends the sizes with the largest diameter and leaves out those that are not clearly below the next.
pub(super) fn close(model: &Model<'_>, mut sizes: Vec<f64>) -> Vec<f64> {
    const CLEARLY: f64 = 1.0 - 1e-9;
    let largest = 2.0 * model.sizes().largest();
    sizes.retain(|size| *size < CLEARLY * largest);
    sizes.sort_unstable_by(f64::total_cmp);
    sizes.dedup_by(|next, size| *size >= CLEARLY * *next);
    sizes.push(largest);
    sizes
}
