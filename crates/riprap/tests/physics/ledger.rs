//! The energy ledger: it closes in every row, and what is left open is of second order in the step.

use riprap::Random;
use riprap::dem::{LawKind, Material, NewBody, Settings, Simulation};

use crate::{ball, gas, material, simulation, turning};

const LAWS: [LawKind; 2] = [LawKind::Linear, LawKind::Hertz];

/// A stone of which every kind of loss is asked.
fn lossy(restitution: f64, friction: f64, rolling_friction: f64) -> Material {
    let twisting_friction = rolling_friction;
    Material { restitution, friction, rolling_friction, twisting_friction, ..material("stone") }
}

/// Two balls of different size about to meet at an angle, turning; `phase` shifts the moment at which they do.
fn about_to_meet<const D: usize>(phase: f64) -> [NewBody<D>; 2] {
    let (mut random, radius) = (Random::new(5), 0.01);
    let (mut first, mut second) = ([0.0; D], [0.0; D]);
    (first[0], first[1]) = (-(1.0 + 1e-4 * phase) * radius, 0.3 * radius);
    second[0] = 1.19 * radius;
    let (mut forwards, mut backwards) = ([0.0; D], [0.0; D]);
    (forwards[0], forwards[1], backwards[0], backwards[1]) = (0.4, 0.3, -0.2, -0.1);
    [(first, forwards, radius), (second, backwards, 1.2 * radius)]
        .map(|(place, velocity, radius)| turning(ball(place, velocity, radius), &mut random))
}

/// The largest energy error in any row of an impact, at so many times the step of choice.
fn worst<const D: usize>(law: LawKind, stone: &Material, share: f64, phase: f64) -> f64 {
    let make = |time_step: f64| -> Simulation<D> {
        let settings = Settings { time_step, ..Settings::default() };
        let mut simulation = simulation(law, settings, std::slice::from_ref(stone), vec![]);
        simulation.insert(&about_to_meet(phase)).unwrap();
        simulation
    };
    let step = share * make(1e-9).stiffest().unwrap().step();
    let mut simulation = make(step);
    let (mut worst, mut met) = (0.0f64, false);
    loop {
        simulation.advance().unwrap();
        worst = worst.max(simulation.ledger().error());
        if met && simulation.contacts().is_empty() {
            return worst;
        }
        met |= !simulation.contacts().is_empty();
    }
}

#[test]
fn impacts_close_in_every_row_at_the_step_of_choice() {
    for law in LAWS {
        for restitution in [0.01, 0.05, 0.2, 0.5, 0.8, 1.0] {
            for (friction, rolling) in [(0.0, 0.0), (0.5, 0.0), (0.5, 0.2), (0.0, 0.2)] {
                let stone = lossy(restitution, friction, rolling);
                for phase in 0..4 {
                    let phase = f64::from(phase);
                    let errors = [worst::<2>(law, &stone, 1.0, phase), worst::<3>(law, &stone, 1.0, phase)];
                    let case = format!("{law:?} {restitution} {friction} {rolling} {phase}");
                    assert!(errors.iter().all(|error| *error < 1e-3), "{case}: {errors:?}");
                }
            }
        }
    }
}

/// Over a quarter of the step, on the mean of some moments of touch, the error falls sixteenfold.
#[test]
fn what_is_left_open_in_impacts_is_of_second_order() {
    fn mean<const D: usize>(law: LawKind, stone: &Material, share: f64) -> f64 {
        (0..16).map(|phase| worst::<D>(law, stone, share, f64::from(phase))).sum::<f64>() / 16.0
    }
    for law in LAWS {
        for restitution in [0.05, 0.3, 0.8, 1.0] {
            for (friction, rolling) in [(0.0, 0.0), (0.5, 0.0), (0.5, 0.2)] {
                let stone = lossy(restitution, friction, rolling);
                let plane = mean::<2>(law, &stone, 1.0) / mean::<2>(law, &stone, 0.25);
                let space = mean::<3>(law, &stone, 1.0) / mean::<3>(law, &stone, 0.25);
                let case = format!("{law:?} {restitution} {friction} {rolling}");
                assert!(plane > 10.0 && space > 10.0, "{case}: {plane} {space}");
            }
        }
    }
}

/// What a dense gas leaves open at these shares of a collision.
fn left_open<const D: usize>(law: LawKind, stone: &Material, shares: [f64; 3]) -> [f64; 3] {
    let collision = gas::<D>(law, 300, 0.4, stone, 1e-9, 3).stiffest().unwrap().collision;
    shares.map(|share| {
        let mut simulation = gas::<D>(law, 300, 0.4, stone, share * collision, 3);
        simulation.advance_by((0.02 / (share * collision)).round() as u64).unwrap();
        simulation.ledger().imbalance().abs()
    })
}

#[test]
fn a_gas_closes_to_second_order() {
    for law in LAWS {
        let stone = Material { young: Some(1e10), ..lossy(0.5, 0.5, 0.1) };
        let shares = [0.04, 0.02, 0.01];
        let open = [left_open::<2>(law, &stone, shares), left_open::<3>(law, &stone, shares)];
        assert!(open.iter().all(|open| open[0] > 8.0 * open[2]), "{law:?}: {open:?}");
    }
}

/// Balls on a lattice that touch by no more than a rounding error, if at all.
#[test]
fn balls_that_touch_by_a_rounding_error_close() {
    for law in LAWS {
        let stone = lossy(0.6, 0.5, 0.0);
        let settings = Settings { time_step: 1e-6, ..Settings::default() };
        let mut simulation = simulation::<3>(law, settings, std::slice::from_ref(&stone), vec![]);
        let (radius, mut random) = (0.0037, Random::new(2));
        let mut bodies = Vec::new();
        for index in 0..125 {
            let place = [index % 5, index / 5 % 5, index / 25];
            let position = std::array::from_fn(|k| 0.1 + radius + 2.0 * radius * f64::from(place[k]));
            let velocity = std::array::from_fn(|_| random.uniform(-0.5, 0.5));
            bodies.push(ball(position, velocity, radius));
        }
        simulation.insert(&bodies).unwrap();
        for step in 0..2000 {
            simulation.advance().unwrap();
            let error = simulation.ledger().error();
            assert!(error < 1e-3, "{law:?} {step}: {error} {:?}", simulation.ledger());
        }
    }
}
