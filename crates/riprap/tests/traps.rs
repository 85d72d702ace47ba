//! Particles of sizes and distances over many decades, unevenly spread: nothing is missed, and nothing is quadratic.

mod common;

use common::{SPECIFICATIONS, check_with, is_periodic, oracle, traps};
use riprap::broad::{Pair, Work, choose, create};
use riprap::{Criterion, Random, SphereColumns, packing};

const OPEN: f64 = f64::INFINITY;

fn counted<const D: usize>(specification: &str, spheres: &SphereColumns<D>) -> (Work, Vec<Pair>) {
    let mut method = create::<D>(specification).unwrap();
    let mut pairs = Vec::new();
    let work = method.find_counted(spheres.view().unwrap(), &Criterion::default(), &mut pairs).unwrap();
    (work, pairs)
}

/// Candidates and cells, per particle and pair.
fn work_per_result(work: &Work, particles: usize, pairs: usize) -> f64 {
    (work.candidates + work.cells) as f64 / (particles + pairs) as f64
}

fn nothing_is_missed<const D: usize>() {
    for family in traps::all::<D>(300) {
        let spheres = &family.spheres;
        let widest = spheres.radii.iter().copied().fold(0.0, f64::max);
        for margin in [0.0, 0.3 * widest] {
            let width = spheres.centers.iter().flatten().map(|x| x.abs()).fold(0.0, f64::max);
            let snug = (1.01 * width).max(2.01 * (2.0 * widest + margin));
            let mut first = [OPEN; D];
            first[0] = 0.5 * snug.max(4.02 * (2.0 * widest + margin));
            for lengths in [[OPEN; D], [snug; D], first] {
                let truth = oracle(spheres, margin, lengths);
                let open = lengths == [OPEN; D];
                for specification in SPECIFICATIONS.iter().filter(|name| open || is_periodic(name)) {
                    let mut method = create::<D>(specification).unwrap();
                    let found = check_with(&mut *method, spheres, margin, lengths, &truth);
                    assert_eq!(found, Ok(()), "{specification}, {}, {margin}, {lengths:?}", family.name);
                }
            }
        }
    }
}

#[test]
fn nothing_is_missed_2d() {
    nothing_is_missed::<2>();
}

#[test]
fn nothing_is_missed_3d() {
    nothing_is_missed::<3>();
}

/// Work in proportion to particles and pairs: with quadratic work at least one family takes some thousand per particle.
fn work_is_linear<const D: usize>() {
    let count = 32_000;
    for family in traps::all::<D>(count) {
        let spheres = family.spheres.view().unwrap();
        let chosen = choose(&spheres, &Criterion::default());
        let (_, expected) = counted::<D>("tree", &family.spheres);
        for specification in ["tree", "levels", chosen] {
            let (work, pairs) = counted::<D>(specification, &family.spheres);
            let work = work_per_result(&work, spheres.len(), pairs.len());
            assert!(work < 400.0, "{D}D, {specification}: {work} per particle or pair, {}", family.name);
            assert_eq!(pairs.len(), expected.len(), "{specification}, {}", family.name);
        }
    }
}

#[test]
fn work_is_linear_2d() {
    work_is_linear::<2>();
}

#[test]
fn work_is_linear_3d() {
    work_is_linear::<3>();
}

/// Sixteen times as many particles: the work of `tree` per particle grows as their logarithm at most.
fn work_of_the_tree_grows_slowly<const D: usize>() {
    let [few, many] = [2_000, 32_000].map(traps::all::<D>);
    for (few, many) in few.into_iter().zip(many) {
        let work = |spheres: &SphereColumns<D>| {
            let (work, pairs) = counted::<D>("tree", spheres);
            work_per_result(&work, spheres.radii.len(), pairs.len())
        };
        let (before, after) = (work(&few.spheres), work(&many.spheres));
        assert!(after < 2.0 * before, "{D}D, {before} to {after}, {}", few.name);
    }
}

#[test]
fn work_of_the_tree_grows_slowly_in_2d_and_3d() {
    work_of_the_tree_grows_slowly::<2>();
    work_of_the_tree_grows_slowly::<3>();
}

/// All at one point, in a ball smaller than each of them, and some wide ones over many: as many tests as contacts, about.
#[test]
fn what_overlaps_costs_what_it_finds() {
    let count = 1500;
    for spread in [0.0, 1e-9, 0.5] {
        let mut spheres = packing::scattered::<3>(vec![1.0; count], [spread; 3], &mut Random::new(4));
        spheres.radii.iter_mut().step_by(10).for_each(|radius| *radius = 40.0);
        for specification in ["tree", "levels", choose(&spheres.view().unwrap(), &Criterion::default())] {
            let (work, pairs) = counted(specification, &spheres);
            assert_eq!(pairs.len(), count * (count - 1) / 2);
            assert!(work_per_result(&work, count, pairs.len()) < 2.0, "{specification}, {spread}");
        }
    }
}

/// The same pairs in the same order and the same work for any number of threads, also where `levels` leaves them to `tree`.
#[test]
fn threads_change_nothing() {
    for family in traps::all::<3>(5_000) {
        let spheres = family.spheres.view().unwrap();
        for specification in ["tree", "levels"] {
            for lengths in [[OPEN; 3], [3e12; 3]] {
                let criterion = Criterion { margin: 0.0, lengths };
                let mut expected = None;
                for threads in [1, 2, 3, 8] {
                    let mut method = create::<3>(specification).unwrap();
                    assert_eq!(method.set_threads(threads), threads);
                    let mut pairs = Vec::new();
                    let work = method.find_counted(spheres, &criterion, &mut pairs).unwrap();
                    let expected = expected.get_or_insert_with(|| (pairs.clone(), work));
                    assert!(
                        *expected == (pairs, work),
                        "{specification}, {threads} threads, {}",
                        family.name
                    );
                }
            }
        }
    }
}
