//! The cost model against the paper's numbers, against itself in another form, and against quadrature.

use riprap::tune::{Direction, Model, Parameters, RadiusDistribution, Rule};
use riprap::{Error, Random, packing};

fn parameters(dimension: usize, fraction: f64) -> Parameters {
    Parameters { dimension, fraction, access_cost: 0.2, direction: Direction::TopDown }
}

fn assert_close(what: &str, found: f64, expected: f64, tolerance: f64) {
    let error = found / expected - 1.0;
    assert!(error.abs() <= tolerance, "{what}: {found} instead of {expected}");
}

/// Section 5.3 and figure 9: alpha -3, omega 100, nu 0.7.
#[test]
fn the_rules_need_the_papers_work_at_the_papers_levels() {
    let sizes = RadiusDistribution::power_law(-3.0, 100.0).unwrap();
    let model = Model::new(&sizes, parameters(3, 0.7)).unwrap();
    let work = |rule, levels| model.work(&model.cell_sizes(rule, levels));

    let linear = model.best(Rule::Linear);
    assert_eq!(linear.levels.len(), 43);
    assert_close("linear", linear.work, 12.40, 0.005);

    let constant = model.best(Rule::Constant);
    assert_eq!(constant.levels.len(), 12);
    assert_close("constant", constant.work, 11.60, 0.005);
    for levels in [8, 19] {
        assert_close("constant, off the minimum", work(Rule::Constant, levels), 1.10 * constant.work, 0.005);
    }

    // The paper prints 11.57 for it, its equations give 12.13.
    let exponential = model.best(Rule::Exponential);
    assert_eq!(exponential.levels.len(), 4);
    assert_close("exponential", exponential.work, 12.13, 0.005);
    assert_close("exponential, off the minimum", work(Rule::Exponential, 6), 1.24 * exponential.work, 0.005);

    let optimal = model.best(Rule::Optimal);
    assert!(optimal.work <= 11.58, "{}", optimal.work);
}

/// Section 5.4.2: the free cooling disks.
#[test]
fn the_optimum_of_the_free_cooling_disks_is_the_papers() {
    let sizes = RadiusDistribution::power_law(-3.0, 20.0).unwrap();
    let model = Model::new(&sizes, parameters(2, 0.4)).unwrap();
    let best = model.best(Rule::Optimal);
    let expected = [4.0, 7.9, 15.1, 27.2, 40.0];
    assert_eq!(best.levels.len(), expected.len());
    for (size, expected) in best.cell_sizes().into_iter().zip(expected) {
        assert_close("cell size", size, expected, 0.01);
    }
    let single = model.estimate(&[40.0]).work;
    assert_close("one level", single, 153.6, 0.005);
    assert_close("five levels", best.work, 4.40, 0.005);
    assert_close("speed-up", single / best.work, 34.9, 0.005);
}

#[test]
fn no_optimum_in_space_needs_more_than_30_per_particle() {
    for exponent in [0.0, -1.0, -2.0, -3.0] {
        for ratio in [1.0, 1.1, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 30.0, 100.0, 1000.0] {
            for fraction in [0.1, 0.7] {
                let sizes = RadiusDistribution::power_law(exponent, ratio).unwrap();
                let work = Model::new(&sizes, parameters(3, fraction)).unwrap().best(Rule::Optimal).work;
                assert!(work <= 30.0, "exponent {exponent}, ratio {ratio}, fraction {fraction}: {work}");
            }
        }
    }
}

/// No number of levels and no rule is better than the optimum, and more levels never make it worse.
#[test]
fn the_optimum_is_below_all_rules() {
    let distributions = [
        RadiusDistribution::power_law(-3.0, 100.0).unwrap(),
        RadiusDistribution::power_law(-1.0, 7.0).unwrap(),
        RadiusDistribution::uniform(10.0).unwrap(),
        RadiusDistribution::log_normal(-6.0, 0.7).unwrap(),
    ];
    for sizes in &distributions {
        for direction in [Direction::TopDown, Direction::BottomUp] {
            for dimension in [2, 3] {
                let model =
                    Model::new(sizes, Parameters { direction, ..parameters(dimension, 0.5) }).unwrap();
                let best = model.best(Rule::Optimal).work;
                let mut fewer = f64::INFINITY;
                for levels in 1..=12 {
                    let optimal = model.work(&model.cell_sizes(Rule::Optimal, levels));
                    assert!(optimal <= fewer * (1.0 + 1e-9), "{levels} levels: {optimal} after {fewer}");
                    assert!(best <= optimal * (1.0 + 1e-6), "{levels} levels: {optimal} below {best}");
                    for rule in [Rule::Constant, Rule::Exponential, Rule::Linear] {
                        let work = model.work(&model.cell_sizes(rule, levels));
                        assert!(optimal <= work * (1.0 + 1e-6), "{}, {levels}: {work}", rule.name());
                    }
                    fewer = optimal;
                }
            }
        }
    }
}

/// At the optimum no single size can be moved either way with profit.
#[test]
fn the_optimum_is_a_minimum() {
    let sizes = RadiusDistribution::power_law(-3.0, 100.0).unwrap();
    for direction in [Direction::TopDown, Direction::BottomUp] {
        let model = Model::new(&sizes, Parameters { direction, ..parameters(3, 0.7) }).unwrap();
        let best = model.cell_sizes(Rule::Optimal, 6);
        let work = model.work(&best);
        for h in 0..5 {
            for factor in [0.98, 0.99, 1.01, 1.02] {
                let mut moved = best.clone();
                moved[h] *= factor;
                assert!(model.work(&moved) > work, "{direction:?}: level {h} times {factor}");
            }
        }
    }
}

/// The sum over pairs of levels (eqs 23 to 26) and the sum over neighbouring levels are the same work.
#[test]
fn both_forms_of_the_work_agree() {
    let radii = packing::power_law_radii(5000, -2.0, 0.01, 30.0, &mut Random::new(1));
    for sizes in [
        RadiusDistribution::power_law(-4.0, 50.0).unwrap(),
        RadiusDistribution::log_normal(1.0, 0.6).unwrap(),
        RadiusDistribution::list(&radii).unwrap(),
    ] {
        for direction in [Direction::TopDown, Direction::BottomUp] {
            for dimension in [2, 3] {
                let model =
                    Model::new(&sizes, Parameters { direction, ..parameters(dimension, 0.3) }).unwrap();
                for rule in [Rule::Linear, Rule::Exponential, Rule::Constant] {
                    for levels in [1, 2, 5, 20] {
                        let cell_sizes = model.cell_sizes(rule, levels);
                        assert_eq!(cell_sizes.len(), levels);
                        let estimate = model.estimate(&cell_sizes);
                        assert_close("work", model.work(&cell_sizes), estimate.work, 1e-9);
                        let shares: f64 = estimate.levels.iter().map(|level| level.share).sum();
                        assert_close("all particles", shares, 1.0, 1e-12);
                    }
                }
            }
        }
    }
}

#[test]
fn the_constant_rule_fills_cells_equally() {
    for sizes in [
        RadiusDistribution::power_law(-3.0, 100.0).unwrap(),
        RadiusDistribution::log_normal(0.0, 0.5).unwrap(),
    ] {
        for dimension in [2, 3] {
            let model = Model::new(&sizes, parameters(dimension, 0.7)).unwrap();
            for levels in [2, 5, 12, 40] {
                let estimate = model.estimate(&model.cell_sizes(Rule::Constant, levels));
                assert_eq!(estimate.levels.len(), levels);
                for level in &estimate.levels {
                    assert_close("per cell", level.per_cell, estimate.levels[0].per_cell, 1e-6);
                }
            }
        }
    }
}

/// Simpson's rule for the integral of r^power times a density given in ln r.
fn quadrature(density: impl Fn(f64) -> f64, power: i32, from: f64, to: f64) -> f64 {
    let steps = 2000;
    let (low, width) = (from.ln(), (to / from).ln() / f64::from(steps));
    let value = |i: i32| {
        let radius = (low + f64::from(i) * width).exp();
        radius.powi(power) * density(radius)
    };
    let weight = |i: i32| if i == 0 || i == steps { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
    (0..=steps).map(|i| weight(i) * value(i)).sum::<f64>() * width / 3.0
}

fn check_moments(sizes: &RadiusDistribution, density: impl Fn(f64) -> f64 + Copy) {
    let (smallest, largest) = (sizes.smallest(), sizes.largest());
    let whole = quadrature(density, 0, smallest, largest);
    let at = |share: f64| smallest * (largest / smallest).powf(share);
    for (from, to) in [(0.0, 1.0), (0.0, 0.1), (0.2, 0.5), (0.8, 1.0)] {
        let moments = sizes.moments(at(from), at(to));
        for (power, moment) in moments.into_iter().enumerate() {
            let expected = quadrature(density, power as i32, at(from), at(to)) / whole;
            assert_close(&format!("{sizes:?} r^{power} from {from} to {to}"), moment, expected, 1e-8);
        }
    }
}

#[test]
fn moments_are_those_of_a_quadrature() {
    for exponent in [1.5, 0.0, -1.0, -1.0 - 1e-9, -2.0, -3.0, -4.0, -5.5] {
        let density = |radius: f64| radius.powf(exponent + 1.0);
        check_moments(&RadiusDistribution::power_law(exponent, 30.0).unwrap(), density);
    }
    check_moments(&RadiusDistribution::uniform(3.0).unwrap(), |radius| radius);
    for (mean, deviation) in [(0.0, 0.25), (-7.0, 1.0), (2.0, 2.0)] {
        let density = |radius: f64| (-0.5 * ((radius.ln() - mean) / deviation).powi(2)).exp();
        check_moments(&RadiusDistribution::log_normal(mean, deviation).unwrap(), density);
        check_moments(&RadiusDistribution::log_normal_within(mean, deviation, 50.0).unwrap(), density);
    }
}

#[test]
fn moments_of_a_list_are_its_sums() {
    let radii = packing::power_law_radii(1000, -2.0, 0.5, 20.0, &mut Random::new(7));
    let sizes = RadiusDistribution::list(&radii).unwrap();
    // Both ends are radii of the list: one is left out, the other is in.
    for (from, to) in [(0.0, 20.0), (radii[3].min(radii[4]), radii[3].max(radii[4])), (1.0, 1.5), (3.0, 1e9)]
    {
        let inside = |radius: &&f64| from < **radius && **radius <= to;
        for (power, moment) in sizes.moments(from, to).into_iter().enumerate() {
            let sum: f64 = radii.iter().filter(inside).map(|radius| radius.powi(power as i32)).sum();
            assert!((moment - sum / 1000.0).abs() <= 1e-11 * sum, "r^{power}, {from} to {to}");
        }
    }
}

#[test]
fn a_million_quantiles_have_the_optimum_of_their_distribution() {
    let radii = packing::power_law_radii(1_000_000, -3.0, 1.0, 100.0, &mut Random::new(3));
    let (list, law) =
        (RadiusDistribution::list(&radii).unwrap(), RadiusDistribution::power_law(-3.0, 100.0).unwrap());
    let of_list = Model::new(&list, parameters(3, 0.7)).unwrap().best(Rule::Optimal);
    let of_law = Model::new(&law, parameters(3, 0.7)).unwrap().best(Rule::Optimal);
    assert_close("work", of_list.work, of_law.work, 0.005);
    // Sizes of either are as good for the other.
    let model = Model::new(&list, parameters(3, 0.7)).unwrap();
    assert_close("sizes", model.work(&of_law.cell_sizes()), of_list.work, 0.005);
}

/// Few different radii: each can have a level of its own, whatever lies between them.
#[test]
fn sieved_sizes_get_a_level_each() {
    let mut radii = vec![0.001; 100_000];
    radii.extend([0.01; 100]);
    radii.extend([0.1; 1]);
    let sizes = RadiusDistribution::list(&radii).unwrap();
    let model = Model::new(&sizes, parameters(3, 0.6)).unwrap();
    let best = model.best(Rule::Optimal);
    let shares: Vec<f64> = best.levels.iter().map(|level| level.share * 100_101.0).collect();
    assert_eq!(shares.iter().map(|share| share.round()).collect::<Vec<_>>(), [100_000.0, 100.0, 1.0]);
    for rule in Rule::ALL {
        assert!(best.work <= model.best(rule).work, "{}", rule.name());
    }
}

/// Cells wider than their largest particle only cost, unless the saved accesses pay for it.
#[test]
fn no_size_of_a_list_gains_by_shrinking_to_its_largest_particle() {
    let different: Vec<f64> = (0..100).map(|i| 1.047f64.powi(i)).collect();
    let radii: Vec<f64> = (0..100).flat_map(|i| vec![different[i]; (100 - i).pow(2)]).collect();
    let sizes = RadiusDistribution::list(&radii).unwrap();
    let model = Model::new(&sizes, parameters(3, 0.7)).unwrap();
    let best = model.best(Rule::Optimal);
    for h in 0..best.levels.len() {
        let mut shrunk = best.cell_sizes();
        let fitting = different.iter().filter(|radius| 2.0 * **radius <= shrunk[h]);
        shrunk[h] = 2.0 * fitting.copied().fold(0.0, f64::max);
        assert!(model.work(&shrunk) >= best.work * (1.0 - 1e-9), "level {h} of {:?}", best.cell_sizes());
    }
}

/// Equations 9 to 27 by hand: one disk in two has radius 1 and lives in cells of 2, the other 4 and 8.
#[test]
fn two_sizes_by_hand() {
    let sizes = RadiusDistribution::list(&[4.0, 1.0]).unwrap();
    let fraction = 0.5;
    let number_density = fraction / (std::f64::consts::PI * 8.5);
    let per_cell = [4.0, 64.0].map(|area| 0.5 * number_density * area);
    let own = 0.5 * 4.5 * (per_cell[0] + per_cell[1]);
    // A large disk visits (2 * 4 / 2 + 2)^2 small cells, a small disk (2 * 1 / 8 + 2)^2 large ones.
    for (direction, visited, density) in
        [(Direction::TopDown, 36.0, per_cell[0]), (Direction::BottomUp, 2.25 * 2.25, per_cell[1])]
    {
        let model = Model::new(&sizes, Parameters { direction, ..parameters(2, fraction) }).unwrap();
        let estimate = model.estimate(&[2.0, 8.0]);
        assert_close("small cells", estimate.levels[0].per_cell, per_cell[0], 1e-12);
        assert_close("large cells", estimate.levels[1].per_cell, per_cell[1], 1e-12);
        assert_close("accesses", estimate.accesses, 5.0 + 0.5 * visited, 1e-12);
        assert_close("checks", estimate.checks, own + 0.5 * visited * density, 1e-12);
        assert_close("work", estimate.work, estimate.checks + 0.2 * estimate.accesses, 1e-12);
    }
}

#[test]
fn equal_particles_get_one_level() {
    for sizes in
        [RadiusDistribution::list(&[0.5; 9]).unwrap(), RadiusDistribution::power_law(-3.0, 1.0).unwrap()]
    {
        let model = Model::new(&sizes, parameters(3, 0.7)).unwrap();
        for rule in Rule::ALL {
            assert_eq!(model.best(rule).cell_sizes(), [2.0 * sizes.largest()], "{}", rule.name());
            assert_eq!(model.cell_sizes(rule, 7).len(), 1, "{}", rule.name());
        }
    }
}

/// Where cubes of radii, or the tails of a distribution, come near the limits of numbers.
#[test]
fn extreme_sizes_have_an_optimum_too() {
    for sizes in [
        RadiusDistribution::list(&[1e-60, 2e-60, 9e-52]).unwrap(),
        RadiusDistribution::list(&[1e60, 1e51]).unwrap(),
        RadiusDistribution::log_normal(-50.0, 2.58).unwrap(),
        RadiusDistribution::log_normal_within(50.0, 10.0, 1e9).unwrap(),
        RadiusDistribution::log_normal_within(0.0, 0.01, 1e9).unwrap(),
        RadiusDistribution::power_law(-20.0, 1e9).unwrap(),
        RadiusDistribution::power_law(20.0, 1e9).unwrap(),
    ] {
        for dimension in [2, 3] {
            let model = Model::new(&sizes, parameters(dimension, 0.5)).unwrap();
            for rule in Rule::ALL {
                let best = model.best(rule);
                assert!(best.work.is_finite() && best.work > 0.0, "{}: {}", rule.name(), best.work);
            }
        }
    }
}

/// Work has no unit of length: the same radii in other units give the same grid.
#[test]
fn the_unit_of_length_does_not_matter() {
    let radii = packing::power_law_radii(20_000, -3.0, 1.0, 30.0, &mut Random::new(5));
    let scaled: Vec<f64> = radii.iter().map(|radius| radius * 1024.0).collect();
    let (sizes, scaled) =
        (RadiusDistribution::list(&radii).unwrap(), RadiusDistribution::list(&scaled).unwrap());
    let best = Model::new(&sizes, parameters(2, 0.5)).unwrap().best(Rule::Optimal);
    let of_scaled = Model::new(&scaled, parameters(2, 0.5)).unwrap().best(Rule::Optimal);
    assert_close("work", of_scaled.work, best.work, 1e-4);
}

#[test]
fn refuses_what_makes_no_sense() {
    let refused = |result: Result<RadiusDistribution, Error>, part: &str| {
        let message = result.unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    };
    refused(RadiusDistribution::power_law(f64::NAN, 2.0), "exponent is NaN");
    refused(
        RadiusDistribution::power_law(-3.0, 0.5),
        "ratio is 0.5, expected the largest radius over the smallest",
    );
    refused(RadiusDistribution::uniform(1e10), "ratio is 10000000000");
    refused(RadiusDistribution::log_normal(0.0, 0.0), "deviation is 0");
    refused(RadiusDistribution::log_normal(0.0, 3.0), "deviation is 3");
    refused(RadiusDistribution::log_normal(f64::INFINITY, 1.0), "mean is inf");
    refused(RadiusDistribution::list(&[]), "number of radii is 0");
    refused(RadiusDistribution::list(&[1.0, -2.0]), "particle 1: `r` is -2");
    refused(RadiusDistribution::list(&[1.0, 1e10]), "ratio");
    refused(RadiusDistribution::list(&[1e-100, 1e-100]), "smallest radius is 0.000");
    refused(RadiusDistribution::list(&[1e100]), "change the unit of length");
    let sizes = RadiusDistribution::uniform(2.0).unwrap();
    for (bad, part) in [
        (parameters(4, 0.5), "dimension is 4"),
        (parameters(3, 0.0), "fraction is 0"),
        (parameters(3, f64::NAN), "fraction is NaN"),
        (Parameters { access_cost: 0.0, ..parameters(3, 0.5) }, "access cost is 0"),
    ] {
        let message = Model::new(&sizes, bad).unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    }
}

#[test]
#[should_panic(expected = "must be positive, grow, and reach 4")]
fn sizes_too_small_for_the_largest_particle_are_a_mistake_of_the_caller() {
    let sizes = RadiusDistribution::uniform(2.0).unwrap();
    Model::new(&sizes, Parameters::default()).unwrap().work(&[2.0, 3.0]);
}

/// Moments of a grading curve are those of radii drawn from it, gaps between sizes included.
#[test]
fn a_sieve_curve_has_the_moments_of_what_is_inserted_by_it() {
    let sieves = [(1e-3, 0.0), (2e-3, 0.1), (4e-3, 0.1), (8e-3, 0.7), (16e-3, 1.0)];
    for dimension in [2, 3] {
        let curve = RadiusDistribution::sieve(&sieves, dimension).unwrap();
        assert_eq!((curve.smallest(), curve.largest()), (0.5e-3, 8e-3));
        let drawn = riprap::dem::insert::Sizes::Sieve(sieves.to_vec());
        let mut random = Random::new(6);
        let radii: Vec<f64> = (0..200_000).map(|_| drawn.draw(dimension, &mut random)).collect();
        let list = RadiusDistribution::list(&radii).unwrap();
        for (from, to) in [(0.0, 8e-3), (0.0, 0.7e-3), (0.7e-3, 3e-3), (1e-3, 2e-3)] {
            for (found, expected) in curve.moments(from, to).into_iter().zip(list.moments(from, to)) {
                assert!(
                    (found - expected).abs() <= 0.05 * expected + 1e-15,
                    "{from} to {to}: {found} {expected}"
                );
            }
        }
        let mass = |to: f64| curve.moments(0.0, to)[dimension] / curve.moments(0.0, 8e-3)[dimension];
        for (size, passing) in sieves {
            assert!((mass(0.5 * size) - passing).abs() < 1e-12, "{size}: {}", mass(0.5 * size));
        }
        let parameters = parameters(dimension, 0.5);
        let [exact, listed] =
            [&curve, &list].map(|sizes| Model::new(sizes, parameters).unwrap().best(Rule::Optimal));
        assert_close("work", exact.work, listed.work, 0.02);
        assert!(exact.levels.len() > 1);
    }
}

#[test]
fn one_piece_of_a_sieve_curve_is_a_power_law() {
    let curve = RadiusDistribution::sieve(&[(2.0, 0.0), (200.0, 1.0)], 3).unwrap();
    let law = RadiusDistribution::power_law(-4.0, 100.0).unwrap();
    let work = |sizes| Model::new(sizes, parameters(3, 0.5)).unwrap().best(Rule::Optimal).work;
    assert_close("work", work(&curve), work(&law), 1e-9);
}

#[test]
fn sieve_curves_that_are_none_are_refused() {
    for (sieves, dimension, part) in [
        (vec![(1.0, 0.0)], 3, "number of sieves is 1"),
        (vec![(1.0, 0.0), (2.0, 1.0)], 4, "dimension is 4"),
        (vec![(-1.0, 0.0), (2.0, 1.0)], 3, "sieve size is -1"),
        (vec![(2.0, 0.0), (1.0, 1.0)], 3, "sieve size is 1"),
        (vec![(1.0, 0.0), (2.0, 0.5), (3.0, 0.4), (4.0, 1.0)], 3, "passing share is 0.4"),
        (vec![(1.0, 0.1), (2.0, 1.0)], 3, "passing share is 0.1"),
        (vec![(1.0, 0.0), (2.0, 0.9)], 3, "passing share is 0.9"),
        (vec![(1.0, 0.0), (2.0, f64::NAN), (3.0, 1.0)], 3, "passing share is NaN"),
        (vec![(1e-30, 0.0), (2.0, 1.0)], 3, "ratio is"),
    ] {
        let error = RadiusDistribution::sieve(&sieves, dimension).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}
