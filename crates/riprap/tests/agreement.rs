//! Every method finds the pairs of an independent oracle, on every scene.

mod common;

use common::long::cases;
use common::{SPECIFICATIONS, check, check_with, compare, is_periodic, oracle, scenes};
use riprap::broad::{LinkedCell, Pair, Search, Tally, create};
use riprap::{Criterion, Error, Random, Spheres, packing};

const OPEN: f64 = f64::INFINITY;

/// Boxes to try a scene in: open, snug around it, barely wide enough, and periodic along some axes only.
fn boxes<const D: usize>(scene: &scenes::Scene<D>, margin: f64) -> Vec<[f64; D]> {
    let widest = scene.spheres.radii.iter().copied().fold(0.0, f64::max);
    let least = 2.0 * (2.0 * widest + margin);
    let snug = scene.edge.max(least);
    let mut first = [OPEN; D];
    first[0] = snug;
    let mut last = [1.5 * snug; D];
    last[0] = OPEN;
    vec![[OPEN; D], [snug; D], [least.max(1e-3); D], first, last]
}

fn all_scenes<const D: usize>() {
    for scene in scenes::all::<D>() {
        let smallest = scene.spheres.radii.iter().copied().fold(OPEN, f64::min).min(0.25);
        for margin in [0.0, 0.25, smallest] {
            for lengths in boxes(&scene, margin) {
                let truth = oracle(&scene.spheres, margin, lengths);
                for specification in SPECIFICATIONS {
                    if lengths != [OPEN; D] && !is_periodic(specification) {
                        continue;
                    }
                    let mut method = create::<D>(specification).unwrap();
                    let result = check_with(&mut *method, &scene.spheres, margin, lengths, &truth);
                    if let Err(difference) = result {
                        panic!(
                            "{specification} on `{}`, margin {margin}, box {lengths:?}: {difference:?}",
                            scene.name
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn every_method_equals_the_oracle_on_every_scene_2d() {
    all_scenes::<2>();
}

#[test]
fn every_method_equals_the_oracle_on_every_scene_3d() {
    all_scenes::<3>();
}

/// One instance of a method serves changing particles: scenes of different sizes, counts and boxes in turn.
#[test]
fn a_method_keeps_nothing_from_other_particles() {
    let scenes: Vec<_> = scenes::all::<3>()
        .into_iter()
        .map(|scene| {
            let boxes = [[OPEN; 3], boxes(&scene, 0.1)[1]];
            let truths = boxes.map(|lengths| oracle(&scene.spheres, 0.1, lengths));
            (scene, boxes, truths)
        })
        .collect();
    for specification in SPECIFICATIONS {
        let mut method = create::<3>(specification).unwrap();
        for round in 0..2 {
            let which = if is_periodic(specification) { round } else { 0 };
            for (scene, boxes, truths) in &scenes {
                check_with(&mut *method, &scene.spheres, 0.1, boxes[which], &truths[which]).unwrap_or_else(
                    |difference| panic!("{specification} on `{}`: {difference:?}", scene.name),
                );
            }
        }
    }
}

/// A method that loses or repeats what its filter says.
struct Broken<F>(LinkedCell<3>, F);

impl<F: Fn(&mut Vec<Pair>, &Spheres<'_, 3>) + Send> Search<3> for Broken<F> {
    const NAME: &'static str = "broken";
    const PERIODIC: bool = false;

    fn search<const IMAGES: bool, T: Tally>(
        &mut self,
        spheres: Spheres<'_, 3>,
        criterion: &Criterion<3>,
        pairs: &mut Vec<Pair>,
        tally: &mut T,
    ) {
        Search::search::<IMAGES, T>(&mut self.0, spheres, criterion, pairs, tally);
        (self.1)(pairs, &spheres);
    }

    fn cell_sizes(&self) -> Vec<f64> {
        Search::cell_sizes(&self.0)
    }

    fn scratch_bytes(&self) -> usize {
        0
    }
}

/// The scenes on which a linked cell method with this fault is found out.
fn found_out(
    fault: impl Fn(&mut Vec<Pair>, &Spheres<'_, 3>) + Send,
) -> Vec<(&'static str, common::Difference)> {
    let mut method = Broken(LinkedCell::default(), fault);
    scenes::all::<3>()
        .into_iter()
        .filter_map(|scene| Some((scene.name, check(&mut method, &scene.spheres, 0.0, [OPEN; 3]).err()?)))
        .collect()
}

#[test]
fn a_single_missing_pair_is_seen() {
    let seen = found_out(|pairs, _| {
        pairs.pop();
    });
    assert!(seen.len() > 15);
    for (_, difference) in seen {
        assert_eq!((difference.missing.len(), difference.extra.len(), difference.doubled.len()), (1, 0, 0));
    }
}

#[test]
fn a_single_doubled_pair_is_seen() {
    let seen = found_out(|pairs, _| pairs.extend(pairs.last().copied()));
    assert!(seen.len() > 15);
    for (_, difference) in seen {
        assert_eq!((difference.missing.len(), difference.extra.len(), difference.doubled.len()), (0, 0, 1));
    }
}

#[test]
fn a_pair_in_the_wrong_order_is_seen() {
    let seen = found_out(|pairs, _| {
        if let Some(pair) = pairs.first_mut() {
            *pair = Pair { a: pair.b, b: pair.a };
        }
    });
    assert!(seen.len() > 15);
}

/// The fault of a stencil that lacks one of its 13 neighbours.
#[test]
fn a_dropped_neighbour_cell_is_seen() {
    let seen = found_out(|pairs, spheres| {
        let widest = spheres.radii().iter().copied().fold(0.0, f64::max);
        let cell = |row: u32| spheres.centers()[row as usize].map(|x| (x / (2.0 * widest)).floor());
        pairs.retain(|pair| {
            let (a, b) = (cell(pair.a), cell(pair.b));
            let offset = [0, 1, 2].map(|k| b[k] - a[k]);
            offset != [1.0, 1.0, 0.0] && offset != [-1.0, -1.0, 0.0]
        });
    });
    assert!(seen.len() > 5, "{seen:?}");
    assert!(seen.iter().all(|(_, difference)| !difference.missing.is_empty()));
}

#[test]
fn methods_without_periodic_boundaries_say_so() {
    let spheres = packing::lattice([4, 4], [1.0; 2], 0.5);
    let criterion = Criterion { margin: 0.0, lengths: [4.0; 2] };
    for specification in SPECIFICATIONS.iter().filter(|name| !is_periodic(name)) {
        let mut method = create::<2>(specification).unwrap();
        let error = method.find(spheres.view().unwrap(), &criterion, &mut Vec::new()).unwrap_err();
        assert!(matches!(error, Error::NotPeriodic { .. }));
        let text = error.to_string();
        assert!(
            text.ends_with("`levels`, `tree`, `hgrid`, `hgrid-bottom-up`, `linked-cell`, `brute-force`"),
            "{text}"
        );
    }
}

#[test]
fn a_box_too_small_for_a_particle_is_refused() {
    let spheres = packing::lattice([2, 2], [1.0; 2], 0.5);
    for specification in SPECIFICATIONS.iter().filter(|name| is_periodic(name)) {
        let mut method = create::<2>(specification).unwrap();
        let criterion = Criterion { margin: 0.0, lengths: [2.0, 1.99] };
        let error = method.find(spheres.view().unwrap(), &criterion, &mut Vec::new()).unwrap_err();
        assert!(matches!(error, Error::WiderThanHalfBox { axis: "y", .. }), "{error}");
    }
}

/// Two touching particles that fill a box of two diameters meet on both sides, and are one pair.
#[test]
fn a_pair_that_meets_on_both_sides_is_reported_once() {
    let spheres = packing::lattice([2, 1], [1.0; 2], 0.5);
    for specification in SPECIFICATIONS.iter().filter(|name| is_periodic(name)) {
        let mut method = create::<2>(specification).unwrap();
        check(&mut *method, &spheres, 0.0, [2.0; 2]).unwrap();
        let truth = oracle(&spheres, 0.0, [2.0; 2]);
        assert_eq!(truth, [(0, 1)]);
        assert!(compare(&[Pair { a: 0, b: 1 }], &truth).is_ok());
    }
}

/// One to eight threads, with and without vectors: the same pairs in the same order.
#[test]
fn levels_gives_the_same_bits_for_any_threads_and_vectors() {
    fn run<const D: usize>() {
        for scene in scenes::all::<D>() {
            for lengths in boxes(&scene, 0.125) {
                let criterion = Criterion { margin: 0.125, lengths };
                let mut expected = Vec::new();
                let mut work = None;
                for (specification, threads) in [
                    ("levels", 1),
                    ("levels:vectors=none", 1),
                    ("levels", 2),
                    ("levels", 3),
                    ("levels:vectors=none", 8),
                ] {
                    let mut method = create::<D>(specification).unwrap();
                    assert_eq!(method.set_threads(threads), threads);
                    let mut pairs = Vec::new();
                    let counted =
                        method.find_counted(scene.spheres.view().unwrap(), &criterion, &mut pairs).unwrap();
                    if threads == 1 && work.is_none() {
                        (expected, work) = (pairs, Some(counted));
                    } else {
                        assert_eq!(
                            pairs, expected,
                            "{specification} with {threads} threads on `{}`",
                            scene.name
                        );
                        assert_eq!(Some(counted), work);
                    }
                }
            }
        }
    }
    run::<2>();
    run::<3>();
}

/// Many particles, in dense and sparse tables, at several levels, in both kinds of box: `levels` and `hgrid`, which share
/// nothing but the test, find the same pairs.
#[test]
fn levels_equals_hgrid_on_many_particles() {
    for (ratio, fraction) in [(1.0, 0.6), (1.0, 0.001), (10.0, 0.3), (100.0, 0.3), (300.0, 0.05)] {
        let mut random = Random::new(12);
        let radii = packing::power_law_radii(cases(10_000), -3.0, 1.0, ratio, &mut random);
        let edge = packing::edge_for_fraction::<3>(&radii, fraction);
        let widest = radii.iter().copied().fold(0.0, f64::max);
        let mut spheres = packing::scattered::<3>(radii, [edge; 3], &mut random);
        // Half of them in a tenth of the edge.
        spheres.centers.iter_mut().step_by(2).flatten().for_each(|x| *x *= 0.1);
        for lengths in [[OPEN; 3], [edge.max(4.0 * widest + 1.0), OPEN, edge.max(4.0 * widest + 1.0)]] {
            let criterion = Criterion { margin: 0.1, lengths };
            let [mut ours, mut theirs] = [Vec::new(), Vec::new()];
            for (method, pairs) in [("levels", &mut ours), ("hgrid", &mut theirs)] {
                create::<3>(method).unwrap().find(spheres.view().unwrap(), &criterion, pairs).unwrap();
                pairs.sort_unstable();
            }
            assert!(ours == theirs && !ours.is_empty(), "ratio {ratio}, fraction {fraction}, {lengths:?}");
        }
    }
}

/// The order of the pairs is the method's own, but it is the same in every call.
#[test]
fn the_order_of_the_pairs_is_reproducible() {
    let spheres = scenes::all::<2>().swap_remove(1).spheres;
    for specification in SPECIFICATIONS {
        let mut method = create::<2>(specification).unwrap();
        let (mut first, mut second) = (Vec::new(), Vec::new());
        method.find(spheres.view().unwrap(), &Criterion::default(), &mut first).unwrap();
        method.find(spheres.view().unwrap(), &Criterion::default(), &mut second).unwrap();
        assert_eq!(first, second, "{specification}");
    }
}
