//! The cell sizes that need the least work: a constrained minimum over all of them at once.

use slsqp::{StopTols, minimize};

use super::level_cost::{self, Boundary};
use super::model::Model;
use super::path::PathTable;
use super::rules;

/// Evaluations of work and gradient from one start at most; the paper's cases take less than 100.
const MOST_EVALUATIONS: usize = 500;

/// Levels by which the best number may differ from that of the table, which is coarse.
const SURROUNDINGS: usize = 2;

/// Share of the work that one more level must save: beyond the optimum, levels are put where they do nothing.
const WORTHWHILE: f64 = 1e-6;

/// The cell sizes with the least work among those with at most so many levels.
pub(super) fn cell_sizes(model: &Model<'_>, levels: usize) -> Vec<f64> {
    let table = PathTable::new(model);
    let around = table.best_levels();
    let from = levels.min(around.saturating_sub(SURROUNDINGS).max(1));
    let to = levels.min(around + SURROUNDINGS);
    let mut best = (f64::INFINITY, Vec::new());
    for levels in from..=to {
        let candidate = with_levels(model, &table, levels);
        if candidate.0 < (1.0 - WORTHWHILE) * best.0 {
            best = candidate;
        }
    }
    best.1
}

/// The least work with this number of levels, and its sizes.
fn with_levels(model: &Model<'_>, table: &PathTable, levels: usize) -> (f64, Vec<f64>) {
    let starts = [
        table.cell_sizes(levels),
        Some(rules::constant(model, levels)),
        Some(rules::exponential(model, levels)),
    ];
    let refined = starts.iter().flatten().map(|start| descend(model, start)).collect::<Vec<_>>();
    starts
        .into_iter()
        .flatten()
        .chain(refined)
        .map(|sizes| (model.work(&sizes), sizes))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .expect("two rules always give sizes")
}

/// Follows the work downhill from a start. The variables are the logarithms of all sizes but the last; they stay in
/// order and between the smallest and the largest diameter.
fn descend(model: &Model<'_>, start: &[f64]) -> Vec<f64> {
    let Some((&last, inner)) = start.split_last().filter(|(_, inner)| !inner.is_empty()) else {
        return start.to_vec();
    };
    let variables: Vec<f64> = inner.iter().map(|&size| libm::log(size)).collect();
    let bounds = vec![(libm::log(2.0 * model.sizes().smallest()), libm::log(last)); variables.len()];
    let in_order: Vec<_> = (1..variables.len())
        .map(|h| {
            move |x: &[f64], gradient: Option<&mut [f64]>, (): &mut ()| {
                if let Some(gradient) = gradient {
                    gradient.fill(0.0);
                    (gradient[h - 1], gradient[h]) = (1.0, -1.0);
                }
                x[h - 1] - x[h]
            }
        })
        .collect();
    let work = |x: &[f64], gradient: Option<&mut [f64]>, (): &mut ()| work(model, x, last, gradient);
    let tolerances = StopTols { ftol_rel: 1e-10, ..StopTols::default() };
    let outcome = minimize(work, &variables, &bounds, &in_order, (), MOST_EVALUATIONS, Some(tolerances));
    // At the minimum no step helps any more, which the crate calls a failure; the caller compares the work.
    let (Ok((_, variables, _)) | Err((_, variables, _))) = outcome;
    rules::close(model, variables.into_iter().filter(|x| x.is_finite()).map(libm::exp).collect())
}

/// The work of sizes given by their logarithms, and its gradient where it is asked for.
fn work(model: &Model<'_>, x: &[f64], last: f64, gradient: Option<&mut [f64]>) -> f64 {
    let mut boundaries = vec![Boundary::BOTTOM];
    boundaries.extend(x.iter().map(|&x| Boundary::new(model, libm::exp(x))));
    boundaries.push(Boundary::new(model, last));
    if let Some(gradient) = gradient {
        gradient.fill(0.0);
        for (level, pair) in boundaries.windows(2).enumerate() {
            let slope = level_cost::slope(model, &pair[0], &pair[1]);
            if level > 0 {
                gradient[level - 1] += slope.lower;
            }
            if level < x.len() {
                gradient[level] += slope.upper;
            }
        }
    }
    boundaries.windows(2).map(|pair| level_cost::work(model, &pair[0], &pair[1])).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::{Direction, Parameters, RadiusDistribution};

    #[test]
    fn the_gradient_is_that_of_the_work() {
        for sizes in [
            RadiusDistribution::power_law(-2.5, 50.0).unwrap(),
            RadiusDistribution::log_normal(0.3, 0.4).unwrap(),
        ] {
            for direction in [Direction::TopDown, Direction::BottomUp] {
                for dimension in [2, 3] {
                    let parameters = Parameters { dimension, direction, ..Parameters::default() };
                    let model = Model::new(&sizes, parameters).unwrap();
                    let last = 2.0 * sizes.largest();
                    let x: Vec<f64> = rules::exponential(&model, 4)[..3].iter().map(|s| s.ln()).collect();
                    let mut gradient = [0.0; 3];
                    work(&model, &x, last, Some(&mut gradient));
                    for k in 0..3 {
                        let moved = |step: f64| {
                            let mut x = x.clone();
                            x[k] += step;
                            work(&model, &x, last, None)
                        };
                        let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                        let scale = work(&model, &x, last, None);
                        assert!((gradient[k] - slope).abs() < 1e-7 * scale, "{k}: {} {slope}", gradient[k]);
                    }
                }
            }
        }
    }
}
