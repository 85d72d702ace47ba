//! States that are resumed from under another law, with other materials or another time step.

use riprap::dem::{Failure, LawKind, Material, MaterialError, NewBody, Settings, Simulation, StateError};

use crate::{G, ball, floor, material, simulation, turning};

/// A stone with what every law asks for.
fn sticky(rolling_friction: f64) -> Material {
    Material {
        rolling_friction,
        twisting_friction: rolling_friction,
        adhesion: Some(0.1),
        surface_tension: Some(0.05),
        bridge_volume: Some(1e-12),
        ..material("stone")
    }
}

/// Two balls of different size that meet at an angle, turning, above a floor that a third one rolls on.
fn made(law: LawKind, stone: &Material, time_step: f64) -> Simulation<3> {
    let settings = Settings { time_step, gravity: [0.0, 0.0, -G], ..Settings::default() };
    simulation(law, settings, std::slice::from_ref(stone), vec![floor([0.0, 0.0, 1.0], 0)])
}

fn bodies() -> [NewBody<3>; 3] {
    let mut random = riprap::Random::new(5);
    [
        ball([-0.01, 0.003, 0.05], [0.4, 0.3, 0.0], 0.01),
        ball([0.0119, 0.0, 0.05], [-0.2, -0.1, 0.0], 0.012),
        ball([0.1, 0.0, 0.01001], [0.2, 0.0, -0.1], 0.01),
    ]
    .map(|body| turning(body, &mut random))
}

/// In the middle of the impact.
fn in_contact(law: LawKind, stone: &Material, time_step: f64) -> Simulation<3> {
    let mut simulation = made(law, stone, time_step);
    simulation.insert(&bodies()).unwrap();
    simulation.advance_by((3e-4 / time_step).round() as u64).unwrap();
    assert_eq!(simulation.contact_counts(), (1, 1), "{law:?}");
    simulation
}

/// What a contact remembers is not read as something else: no energy comes from nowhere.
#[test]
fn another_law_or_another_material_creates_no_energy() {
    let step = 2e-7;
    for (rolling, then_rolling) in [(0.0, 0.0), (0.1, 0.1), (0.0, 0.1), (0.1, 0.0)] {
        for &law in LawKind::ALL {
            for &other in LawKind::ALL {
                for young in [1e8, 2e8] {
                    let before = in_contact(law, &sticky(rolling), step);
                    let stone = Material { young: Some(young), ..sticky(then_rolling) };
                    let mut after = made(other, &stone, step);
                    after.restore(before.state()).unwrap();
                    let case = format!("{law:?} {other:?} {rolling} {then_rolling} {young}");
                    assert_eq!(after.contact_counts(), (1, 1), "{case}");
                    let scale =
                        after.ledger().terms().iter().fold(0.0f64, |most, term| most.max(term.1.abs()));
                    let first = after.ledger().imbalance();
                    let velocities = |simulation: &Simulation<3>| simulation.velocities().collect::<Vec<_>>();
                    for (one, other) in velocities(&before).iter().zip(velocities(&after)) {
                        assert!((0..3).all(|k| (one[k] - other[k]).abs() < 1e-12), "{case}");
                    }
                    for steps in [1, 1, 20] {
                        after.advance_by(steps).unwrap();
                        let created = (after.ledger().imbalance() - first).abs() / scale;
                        assert!(created < 1e-6, "{case}: {created:.2e} {:?}", after.ledger());
                    }
                }
            }
        }
    }
}

/// With another step in the middle of an impact the motion stays right to second order.
#[test]
fn another_time_step_goes_on_from_the_same_velocities() {
    let (end, step) = (4e-4, 2.5e-8);
    for law in [LawKind::Linear, LawKind::Hertz] {
        for friction in [0.0, 10.0] {
            let stone = Material { friction, ..sticky(0.0) };
            let state = in_contact(law, &stone, step).state();
            let through = |then: f64| {
                let mut simulation = made(law, &stone, then);
                simulation.restore(state.clone()).unwrap();
                assert!((simulation.time() - 3e-4).abs() < 1e-15);
                simulation.advance_by(((end - simulation.time()) / then).round() as u64).unwrap();
                assert_eq!(simulation.contact_counts(), (1, 1));
                let case = format!("{law:?} {friction} {then}: {:?}", simulation.ledger());
                assert!(simulation.ledger().error() < 1e-4, "{case}");
                let motion =
                    simulation.velocities().zip(simulation.spins().map(|spin| spin.map(|x| 0.01 * x)));
                let mut rows: Vec<_> = simulation.bodies().id.iter().zip(motion).collect();
                rows.sort_by_key(|(id, _)| *id);
                rows.into_iter().flat_map(|(_, (velocity, spin))| [velocity, spin]).collect::<Vec<_>>()
            };
            let exact = through(step);
            let [coarse, fine] = [4e-6, 1e-6].map(|then| {
                let found = through(then);
                let apart = |k: usize| found.iter().zip(&exact).map(move |(a, b)| (a[k] - b[k]).abs());
                (0..3).flat_map(apart).fold(0.0, f64::max)
            });
            assert!(fine < 1e-5 && fine < coarse / 12.0, "{law:?} {friction}: {coarse:.2e} {fine:.2e}");
        }
    }
}

/// A refusal leaves the simulation as it was: here the step is good for large and soft bodies, but not for those of the state.
#[test]
fn a_refused_state_changes_nothing() {
    let materials = [sticky(0.0), Material { name: "soft".into(), young: Some(1e4), ..sticky(0.0) }];
    let made = |time_step: f64| {
        let settings = Settings { time_step, ..Settings::default() };
        simulation(LawKind::Hertz, settings, &materials, vec![floor([0.0, 0.0, 1.0], 1)])
    };
    let mut fine = made(1e-6);
    fine.insert(&bodies()).unwrap();
    fine.advance().unwrap();
    let mut coarse = made(2e-4);
    let large = [[0.0, 0.0, 0.5], [0.35, 0.0, 0.5], [2.0, 0.0, 0.199]]
        .map(|position| NewBody { material: 1, ..ball(position, [0.0; 3], 0.2) });
    coarse.insert(&large).unwrap();
    coarse.advance().unwrap();
    let before = coarse.state();
    let refusal = coarse.restore(fine.state()).unwrap_err();
    assert!(matches!(refusal, Failure::TimeStep { .. }), "{refusal}");
    assert!(coarse.state() == before && coarse.contact_counts() == (1, 1));
    coarse.advance_by(10).unwrap();
}

#[test]
fn states_that_make_no_sense_are_refused() {
    let stone = sticky(0.0);
    let state = in_contact(LawKind::Hertz, &stone, 1e-6).state();
    let simulation_of = |stone: &Material| made(LawKind::Hertz, stone, 1e-6);
    let refused = |change: &dyn Fn(&mut riprap::dem::State<3>)| {
        let mut state = state.clone();
        change(&mut state);
        simulation_of(&stone).check(&state).unwrap_err()
    };
    assert_eq!(refused(&|state| state.contacts.words = 1 << 60), StateError::Contact);
    assert_eq!(refused(&|state| state.wall_contacts.words = 1 << 60), StateError::Wall);
    let none = refused(&|state| {
        state.contacts.words = 0;
        state.contacts.numbers.clear();
    });
    assert_eq!(none, StateError::Memory { found: 0, expected: 4 });
    let outflown = |count: u64, mass: f64| {
        refused(&|state| {
            let strayed = &mut state.outflown.as_mut().unwrap().strayed;
            (strayed.count, strayed.mass) = (count, mass);
        })
    };
    for (count, mass) in [(4, 1.0), (u64::MAX, 1.0), (1, -1.0), (1, f64::NAN), (1, f64::INFINITY)] {
        assert!(matches!(outflown(count, mass), StateError::Departed { .. }), "{count} {mass}");
    }
    // Bodies of a rigid material on a floor of it.
    let rigid = Material { young: Some(f64::INFINITY), ..stone.clone() };
    let refusal = simulation_of(&rigid).check(&state).unwrap_err();
    assert!(matches!(refusal, StateError::Meeting(MaterialError::BothRigid { .. })), "{refusal}");
}
