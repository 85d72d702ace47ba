//! The best cell sizes of a table of candidates, for every number of levels: a shortest path.
//!
//! The work is a sum over neighbouring levels (see [`super::level_cost`]), so the best sizes of `l` levels that end at
//! a candidate extend the best of `l - 1` levels that end at some smaller one. No local minimum can hide from it, and
//! it does not mind that the work jumps at the radii of a list; its sizes are as coarse as the table.

use super::level_cost::{self, Boundary};
use super::model::Model;
use super::rules;

/// Candidates evenly spaced in ln r; those of a list are also moved down to the next radius of the list.
const SPACED: usize = 160;

/// Candidates of the rules, which are dense where the particles are and where the volume is.
const OF_RULES: usize = 40;

/// The least work of each number of levels and the way there.
pub(super) struct PathTable {
    boundaries: Vec<Boundary>,
    /// For each level and each candidate as its size: the candidate below.
    below: Vec<Vec<usize>>,
    /// Least work for each number of levels, one less than its index.
    least: Vec<f64>,
}

impl PathTable {
    pub(super) fn new(model: &Model<'_>) -> Self {
        let boundaries: Vec<Boundary> =
            candidates(model).into_iter().map(|size| Boundary::new(model, size)).collect();
        let count = boundaries.len();
        let mut costs = vec![f64::INFINITY; count * count];
        for to in 0..count {
            for from in 0..to {
                costs[to * count + from] = level_cost::work(model, &boundaries[from], &boundaries[to]);
            }
        }
        let mut work: Vec<f64> =
            boundaries.iter().map(|size| level_cost::work(model, &Boundary::BOTTOM, size)).collect();
        let mut below = vec![vec![0; count]];
        let mut least = vec![work[count - 1]];
        for _ in 1..count.min(rules::MOST_OPTIMAL_LEVELS) {
            let mut next = vec![f64::INFINITY; count];
            let mut previous = vec![0; count];
            for to in 1..count {
                let row = &costs[to * count..to * count + to];
                for (from, (cost, so_far)) in row.iter().zip(&work).enumerate() {
                    if cost + so_far < next[to] {
                        (next[to], previous[to]) = (cost + so_far, from);
                    }
                }
            }
            work = next;
            below.push(previous);
            least.push(work[count - 1]);
        }
        Self { boundaries, below, least }
    }

    /// The number of levels with the least work.
    pub(super) fn best_levels(&self) -> usize {
        let best = (0..self.least.len()).min_by(|&a, &b| self.least[a].total_cmp(&self.least[b]));
        best.expect("at least one level") + 1
    }

    /// The best sizes for this number of levels; `None` where there are not so many candidates.
    pub(super) fn cell_sizes(&self, levels: usize) -> Option<Vec<f64>> {
        if levels > self.least.len() {
            return None;
        }
        let mut at = self.boundaries.len() - 1;
        let mut sizes = vec![self.boundaries[at].size];
        for level in (1..levels).rev() {
            at = self.below[level][at];
            sizes.push(self.boundaries[at].size);
        }
        sizes.reverse();
        Some(sizes)
    }
}

/// Growing cell sizes that end with the largest diameter.
fn candidates(model: &Model<'_>) -> Vec<f64> {
    let (smallest, largest) = (model.sizes().smallest(), model.sizes().largest());
    let ratio = largest / smallest;
    let spaced: Vec<f64> =
        (0..SPACED).map(|i| 2.0 * smallest * libm::pow(ratio, i as f64 / SPACED as f64)).collect();
    let snapped = spaced.iter().map(|size| 2.0 * model.sizes().snap(0.5 * size));
    let of_rules = [rules::constant(model, OF_RULES), rules::linear(model, OF_RULES)].concat();
    rules::close(model, spaced.iter().copied().chain(snapped).chain(of_rules).collect())
}
