//! `mr` keeps its list between calls: it stays right while particles move, jump, appear and vanish.

mod common;

use common::{compare, oracle};
use riprap::broad::{BroadPhase, Coordinates, Mr, RowSearch, Sort};
use riprap::{Criterion, Random, SphereColumns, packing};

const EDGE: f64 = 6.0;

/// What happens between two detections.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    Calm,
    Rest,
    Jump,
    JumpBack,
    Shuffle,
    Appear,
    Vanish,
    Replace,
    Grow,
}

const EVENTS: [Event; 16] = {
    use Event::*;
    [
        Calm, Calm, Jump, Calm, JumpBack, Rest, Calm, Appear, Calm, Calm, Vanish, Calm, Replace, Shuffle,
        Calm, Grow,
    ]
};

fn random_center<const D: usize>(random: &mut Random) -> [f64; D] {
    std::array::from_fn(|_| random.uniform(-EDGE, EDGE))
}

fn advance<const D: usize>(spheres: &mut SphereColumns<D>, event: Event, random: &mut Random) {
    if event != Event::Rest {
        // Up to most of a cell along each axis.
        for x in spheres.centers.iter_mut().flatten() {
            *x += random.uniform(-0.9, 0.9);
        }
    }
    let row = random.below(spheres.radii.len());
    match event {
        Event::Calm | Event::Rest => {}
        Event::Jump => spheres.centers[row] = [EDGE * 20.0; D],
        Event::JumpBack => spheres.centers[row] = [-EDGE * 20.0; D],
        Event::Shuffle => random.shuffle(&mut spheres.centers),
        Event::Appear => {
            spheres.centers.insert(row, random_center(random));
            spheres.radii.insert(row, 0.4);
        }
        Event::Vanish => {
            spheres.centers.swap_remove(row);
            spheres.radii.swap_remove(row);
        }
        Event::Replace => {
            for center in spheres.centers.iter_mut().skip(row).take(20) {
                *center = random_center(random);
            }
        }
        Event::Grow => {
            let largest = spheres.radii.iter().copied().fold(0.0, f64::max);
            spheres.radii[row] = 1.02 * largest;
        }
    }
}

fn moves<const D: usize>() {
    for sort in [Sort::Linear, Sort::Quick] {
        for search in [RowSearch::Linear, RowSearch::Binary] {
            for coordinates in [Coordinates::Stored, Coordinates::Recomputed] {
                let mut random = Random::new(D as u64);
                let radii = (0..250).map(|_| random.uniform(0.2, 0.5)).collect();
                let mut spheres = packing::scattered::<D>(radii, [EDGE; D], &mut random);
                let mut method = Mr::<D>::new(sort, search, coordinates);
                let mut pairs = Vec::new();
                let mut shuffles_noticed = 0;
                for step in 0..400 {
                    let event = EVENTS[step % EVENTS.len()];
                    advance(&mut spheres, event, &mut random);
                    method.find(spheres.view().unwrap(), &Criterion::default(), &mut pairs).unwrap();
                    if let Err(difference) = compare(&pairs, &oracle(&spheres, 0.0, [f64::INFINITY; D])) {
                        panic!("step {step}, {event:?}, {sort:?} {search:?} {coordinates:?}: {difference:?}");
                    }
                    let expected = match event {
                        _ if step == 0 || sort == Sort::Quick => Some(Sort::Quick),
                        Event::Calm | Event::Rest => Some(Sort::Linear),
                        Event::Appear | Event::Vanish => Some(Sort::Quick),
                        _ => None,
                    };
                    shuffles_noticed +=
                        usize::from(event == Event::Shuffle && method.last_sort() == Some(Sort::Quick));
                    if let Some(expected) = expected {
                        assert_eq!(method.last_sort(), Some(expected), "step {step}, {event:?}");
                    }
                }
                assert!(shuffles_noticed > 5, "{shuffles_noticed} of 25 shuffles");
            }
        }
    }
}

#[test]
fn mr_stays_right_while_particles_move_2d() {
    moves::<2>();
}

#[test]
fn mr_stays_right_while_particles_move_3d() {
    moves::<3>();
}

fn integers_per_particle<const D: usize>(coordinates: Coordinates) -> f64 {
    let spheres = packing::lattice([20; D], [1.0; D], 0.5);
    let mut method = Mr::<D>::new(Sort::Linear, RowSearch::Linear, coordinates);
    for _ in 0..3 {
        method.find(spheres.view().unwrap(), &Criterion::default(), &mut Vec::new()).unwrap();
    }
    method.scratch_bytes() as f64 / 4.0 / spheres.radii.len() as f64
}

/// Equations 25 and 26: 5 or 2 integers per particle in 3D, 4 or 2 in 2D, and a list head.
#[test]
fn mr_needs_the_papers_memory() {
    for (integers, expected) in [
        (integers_per_particle::<3>(Coordinates::Stored), 5.0),
        (integers_per_particle::<3>(Coordinates::Recomputed), 2.0),
        (integers_per_particle::<2>(Coordinates::Stored), 4.0),
        (integers_per_particle::<2>(Coordinates::Recomputed), 2.0),
    ] {
        assert!((integers - expected).abs() < 0.01, "{integers} instead of {expected}");
    }
}

/// A jump of all together, and back, costs no more than a quick sort.
#[test]
fn mr_recovers_from_a_jump_of_all_particles() {
    let mut spheres = packing::lattice([12; 3], [1.0; 3], 0.5);
    let mut method = Mr::<3>::default();
    let mut pairs = Vec::new();
    let mut candidates = |spheres: &SphereColumns<3>| {
        method.find_counted(spheres.view().unwrap(), &Criterion::default(), &mut pairs).unwrap().candidates
    };
    let before = candidates(&spheres);
    for jump in [1e10, -1e10] {
        spheres.centers.iter_mut().flatten().for_each(|x| *x += jump);
        assert!(candidates(&spheres) < 2 * before);
    }
}

/// Memory does not depend on the density: the same for a dense pack and one 8 000 000 times looser.
#[test]
fn mr_needs_no_more_memory_for_loose_packs() {
    let bytes = |spacing: f64| {
        let spheres = packing::lattice([20; 3], [spacing; 3], 0.5);
        let mut method = Mr::<3>::default();
        method.find(spheres.view().unwrap(), &Criterion::default(), &mut Vec::new()).unwrap();
        method.scratch_bytes()
    };
    assert_eq!(bytes(1.0), bytes(200.0));
}

/// Particles that have grown need wider cells: in those of the first call these two would be two cells apart.
#[test]
fn mr_widens_its_cells_for_particles_that_grow() {
    let mut method = Mr::<2>::default();
    let mut pairs = Vec::new();
    let first = SphereColumns { centers: vec![[0.0, 0.0], [5.0, 0.0], [10.0, 0.0]], radii: vec![0.5; 3] };
    method.find(first.view().unwrap(), &Criterion::default(), &mut pairs).unwrap();
    for growth in [1.01, 1.001, 1.0001] {
        let centers = vec![[0.0, 0.0], [5.99999, 0.0], [5.99999 + 0.9999 * growth, 0.0]];
        let grown = SphereColumns { centers, radii: vec![0.5 * growth; 3] };
        let mut method = method.clone();
        method.find(grown.view().unwrap(), &Criterion::default(), &mut pairs).unwrap();
        assert_eq!(pairs.len(), 1, "growth {growth}");
    }
}
