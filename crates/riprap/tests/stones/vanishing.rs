//! Walls that vanish.

use riprap::dem::wall::Wall;
use riprap::dem::{Material, NewBody, Settings, Simulation};

use crate::{DENSITY, EDGE, G, MASS, UPRIGHT, floor, ready, rock, simulation, size_of_cube};

const STEP: f64 = 2e-5;
/// So soft that what is stored in the contacts is seen in the books.
const SOFT: f64 = 5e3;

/// A cube and a ball at rest on a floor that is there until this time.
fn resting(until: f64) -> Simulation<3> {
    let settings = Settings { gravity: [0.0, 0.0, -G], time_step: STEP, ..Settings::default() };
    let soft = Material { k_n: Some(SOFT), k_t: None, ..rock(0.5, 0.3) };
    let mut simulation = simulation(settings, soft, vec![Wall { until, ..floor([0.0, 0.0, 1.0]) }]);
    let cube = simulation.add_shape(ready("cube")).unwrap();
    let radius = 0.02f64;
    let mass = DENSITY * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let stone = [0.0, 0.0, 0.5 * EDGE - MASS * G / SOFT];
    simulation
        .insert(&[
            NewBody::shaped(cube, stone, size_of_cube(EDGE), UPRIGHT),
            NewBody::ball([0.2, 0.0, radius - mass * G / SOFT], radius),
        ])
        .unwrap();
    simulation
}

#[test]
fn a_floor_that_vanishes_lets_go_and_keeps_the_books() {
    let mut simulation = resting(0.02);
    simulation.advance_by(999).unwrap();
    assert_eq!(simulation.contact_counts().1, 2);
    let before = simulation.state();
    // By id: rows may be sorted anew.
    let heights = |simulation: &Simulation<3>| {
        let bodies = simulation.bodies();
        let mut all: Vec<_> = bodies.id.iter().zip(&bodies.position).map(|(id, x)| (*id, x[2])).collect();
        all.sort_by_key(|(id, _)| *id);
        all
    };
    let start = heights(&simulation);
    simulation.advance_by(1).unwrap();
    assert_eq!(simulation.contact_counts().1, 0);
    assert!(simulation.wall_loads()[0].force == [0.0; 3] && simulation.placements()[0].gone);
    let after = simulation.state();
    simulation.advance_by(5000).unwrap();
    for ((_, height), (_, before)) in heights(&simulation).into_iter().zip(start) {
        // Falls from there, through where the floor was.
        let fallen = before - height;
        assert!((fallen / (0.5 * G * 0.1 * 0.1) - 1.0).abs() < 1e-3, "{fallen}");
    }
    let ledger = simulation.ledger();
    assert!(ledger.error() < 1e-6 && ledger.removed > 1e-4, "{ledger:?}");
    // From a state before and from one after, to the same bits.
    for state in [before, after] {
        let mut again = resting(0.02);
        again.restore(state).unwrap();
        again.advance_by(6000 - again.steps()).unwrap();
        assert_eq!(again.state(), simulation.state());
    }
}

/// Contacts are in another order in memory after a restart: they began from the last cube to the first.
#[test]
fn what_goes_with_a_floor_does_not_depend_on_the_order_of_contacts() {
    let falling = || {
        let settings = Settings { gravity: [0.0, 0.0, -G], time_step: STEP, ..Settings::default() };
        let soft = Material { k_n: Some(SOFT), k_t: None, ..rock(0.5, 0.3) };
        let mut simulation = simulation(settings, soft, vec![Wall { until: 0.05, ..floor([0.0, 0.0, 1.0]) }]);
        let cube = simulation.add_shape(ready("cube")).unwrap();
        let cubes: Vec<_> = (0..30)
            .map(|k| {
                let place = [0.1 * f64::from(k), 0.0, 0.5 * EDGE + 1e-4 * f64::from(31 - k)];
                NewBody::shaped(cube, place, size_of_cube(EDGE) * (1.0 - 0.003 * f64::from(k)), UPRIGHT)
            })
            .collect();
        simulation.insert(&cubes).unwrap();
        simulation
    };
    let mut whole = falling();
    whole.advance_by(2400).unwrap();
    let mut resumed = falling();
    resumed.restore(whole.state()).unwrap();
    for simulation in [&mut whole, &mut resumed] {
        simulation.advance_by(200).unwrap();
    }
    assert!(whole.ledger().removed > 0.0 && whole.state() == resumed.state());
}
