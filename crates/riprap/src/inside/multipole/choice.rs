//! The degree of the expansions: the lowest one for which their error is small enough.

use super::bound::{HIGHEST, NormBound, PaperBound};
use super::clusters::Clusters;
use super::harmonics::{columns, norm_weights};
use super::moments::gather_moments;
use super::options::{Degree, MultipoleOptions};
use super::plan::Plan;
use crate::inside::faces::Face;
use crate::inside::units::Units;

/// The two parameters d among which one is chosen.
const CLOSER: f64 = 1.4;
const FARTHER: f64 = 1.6;
/// The degree for which a depth is chosen.
const USUAL: usize = 7;
/// The degree up to which clusters may be closer, and the moments of clusters are known at first; an even one.
const KNOWN: usize = 12;

/// The plan for a body with blocks of so many faces, the degree of expansions and what their error is at most; and the moments of that
/// degree.
pub(super) fn chosen(
    tree: &Clusters,
    faces: &[Face],
    units: &Units,
    options: &MultipoleOptions,
    width: usize,
) -> (Plan, usize, f64, Vec<f64>) {
    let moments_of = |degree: usize| gather_moments(tree, faces, units, degree, options.vectors);
    let separations = options.separation.map_or([CLOSER, FARTHER], |separation| [separation; 2]);
    let plan_with = |separation| Plan::new(tree, separation, options.depth, USUAL, width);
    let plan = plan_with(separations[0]);
    let by_equation_27 = |plan: &Plan| plan.errors(tree, &PaperBound::new(plan.rules.separation));
    let lowest = |errors: &[f64]| {
        let degree = errors.iter().position(|&error| error <= options.tolerance)?;
        Some((degree.max(1), errors[degree]))
    };
    let highest = |errors: Vec<f64>| lowest(&errors).unwrap_or((HIGHEST, errors[HIGHEST]));
    match options.degree {
        Degree::Fixed(degree) => (plan, degree, by_equation_27(&plan)[degree], moments_of(degree)),
        Degree::ByEquation27 => {
            let (degree, error) = highest(by_equation_27(&plan));
            (plan, degree, error, moments_of(degree))
        }
        Degree::ByNorms if !plan.has_far() => (plan, 1, 0.0, moments_of(1)),
        Degree::ByNorms => {
            let mut known = KNOWN;
            loop {
                let moments = moments_of(known);
                let norms = norms(tree, faces, units, &moments, known);
                let bound = NormBound::new(known, &norms);
                let found = |plan: &Plan| lowest(&plan.errors(tree, &bound));
                let mut plan = plan;
                let mut choice = found(&plan);
                if separations[0] != separations[1] && choice.is_none_or(|(degree, _)| degree > KNOWN) {
                    plan = plan_with(separations[1]);
                    choice = found(&plan);
                }
                if let Some((degree, error)) = choice {
                    let size = columns(degree);
                    let moments = moments.chunks(columns(known)).flat_map(|column| &column[..size]);
                    return (plan, degree, error, moments.copied().collect());
                }
                if known == HIGHEST {
                    let (degree, error) = highest(by_equation_27(&plan));
                    return (plan, degree, error, moments_of(degree));
                }
                known = (known + 6).min(HIGHEST);
            }
        }
    }
}

/// The norms of each cluster's moments, degree by degree; there is none of degree 0, and in its place is the radial moment.
fn norms(tree: &Clusters, faces: &[Face], units: &Units, moments: &[f64], degree: usize) -> Vec<f64> {
    let weights = norm_weights(degree);
    let mut norms = tree.radial_moments(faces, |corner| units.scaled(corner), degree);
    for (norms, column) in norms.chunks_mut(degree + 1).zip(moments.chunks(columns(degree))) {
        for n in 1..=degree {
            let squares = (n * n..columns(n)).map(|k| weights[k] * column[k] * column[k]);
            norms[n] = squares.sum::<f64>().sqrt();
        }
    }
    norms
}
