//! The degree of the expansions: the lowest one for which their error is small enough.

use super::bound::{HIGHEST, NormBound, PaperBound};
use super::clusters::Clusters;
use super::harmonics::{columns, norm_weights};
use super::moments::gather_moments;
use super::options::{Degree, MultipoleOptions};
use super::plan::DepthPlan;
use crate::inside::faces::Face;
use crate::inside::units::Units;

/// The parameters d among which one is chosen: the closest for which a low degree does, or else the farthest.
const SEPARATIONS: [f64; 4] = [1.4, 1.6, 2.5, 4.0];
/// The degree for which a depth is chosen.
const USUAL: usize = 7;
/// The degree up to which the moments of clusters are known at first; an even one. Those below are low.
const KNOWN: usize = 12;

/// The plan for a body with blocks of so many faces, the degree of expansions and what their error is at most; and the moments of that
/// degree.
pub(super) fn chosen(
    tree: &Clusters,
    faces: &[Face],
    units: &Units,
    options: &MultipoleOptions,
    width: usize,
) -> (DepthPlan, usize, f64, Vec<f64>) {
    let moments_of = |degree: usize| gather_moments(tree, faces, units, degree, options.vectors);
    let separations = options.separation.map_or(SEPARATIONS.to_vec(), |separation| vec![separation]);
    let plan_with = |separation, degree| DepthPlan::new(tree, separation, options.depth, degree, width);
    let plan = plan_with(separations[0], USUAL);
    let by_equation_27 = |plan: &DepthPlan| plan.errors(tree, &PaperBound::new(plan.rules.separation));
    match options.degree {
        Degree::Fixed(degree) => {
            let plan = plan_with(separations[0], degree);
            (plan, degree, by_equation_27(&plan)[degree], moments_of(degree))
        }
        Degree::ByEquation27 => {
            let plan_for = |degree| plan_with(separations[0], degree);
            let (plan, degree, error) = planned(plan, options.tolerance, HIGHEST, by_equation_27, plan_for);
            (plan, degree, error, moments_of(degree))
        }
        Degree::ByNorms if !plan.has_far() => (plan, 1, 0.0, moments_of(1)),
        Degree::ByNorms => {
            let mut known = KNOWN;
            loop {
                let moments = moments_of(known);
                let norms = norms(tree, faces, units, &moments, known);
                let bound = NormBound::new(known, &norms);
                // With a high degree only the farthest.
                let first = if known == KNOWN { 0 } else { separations.len() - 1 };
                for &separation in &separations[first..] {
                    let plan = if separation == separations[0] { plan } else { plan_with(separation, USUAL) };
                    let errors_of = |plan: &DepthPlan| plan.errors(tree, &bound);
                    let plan_for = |degree| plan_with(separation, degree);
                    let (plan, degree, error) =
                        planned(plan, options.tolerance, known - 1, errors_of, plan_for);
                    if error <= options.tolerance || known == HIGHEST {
                        let size = columns(degree);
                        let moments = moments.chunks(columns(known)).flat_map(|column| &column[..size]);
                        return (plan, degree, error, moments.copied().collect());
                    }
                }
                known = (known + 6).min(HIGHEST);
            }
        }
    }
}

/// A plan with the lowest degree of which the error is small enough, or else the highest. A plan for the usual degree is made anew for a
/// much higher one, for which the boxes take longer and should be fewer.
fn planned(
    usual: DepthPlan,
    tolerance: f64,
    highest: usize,
    errors_of: impl Fn(&DepthPlan) -> Vec<f64>,
    plan_for: impl Fn(usize) -> DepthPlan,
) -> (DepthPlan, usize, f64) {
    let with_degree = |plan: DepthPlan| {
        let errors = errors_of(&plan);
        let degree = lowest(&errors, tolerance).unwrap_or(highest);
        (plan, degree, errors[degree])
    };
    let found = with_degree(usual);
    let (_, degree, error) = found;
    if error > tolerance || degree <= USUAL + 2 {
        return found;
    }
    let anew = with_degree(plan_for(degree));
    if anew.2 <= tolerance { anew } else { found }
}

/// The lowest degree of which the error is small enough.
fn lowest(errors: &[f64], tolerance: f64) -> Option<usize> {
    let found = errors.iter().skip(1).position(|&error| error <= tolerance);
    found.map(|position| position + 1)
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
