//! Rolling, sliding and sticking.

use riprap::dem::{LawKind, Material, Settings};

use crate::{G, ball, floor, material, resting, simulation};

#[test]
fn spheres_that_roll_on_each_other_keep_rolling() {
    let stone = Material { friction: 0.5, restitution: 0.9, ..material("stone") };
    let radius = 0.01;
    for law in [LawKind::Linear, LawKind::Hertz] {
        let settings = Settings { time_step: 1e-6, ..Settings::default() };
        let mut simulation = simulation(law, settings, std::slice::from_ref(&stone), vec![]);
        let mut pair = [
            ball([-1.001 * radius, 0.0, 0.0], [0.2, 0.0, 0.0], radius),
            ball([1.001 * radius, 0.0, 0.0], [-0.2, 0.0, 0.0], radius),
        ];
        // Like two wheels in gear.
        pair[0].spin = [0.0, 0.0, 30.0];
        pair[1].spin = [0.0, 0.0, -30.0];
        simulation.insert(&pair).unwrap();
        for _ in 0..3000 {
            simulation.advance().unwrap();
            for velocity in &simulation.bodies().midstep_velocity {
                assert!(velocity[1].abs() < 1e-12 && velocity[2].abs() < 1e-12, "{law:?} {velocity:?}");
            }
        }
        assert!(simulation.bodies().midstep_velocity[0][0].abs() > 0.1);
        for spin in simulation.bodies().midstep_spin.iter() {
            assert!((spin[2].abs() - 30.0).abs() < 1e-9, "{spin:?}");
        }
    }
}

#[test]
fn rolling_friction_slows_a_spin_at_a_constant_rate() {
    let stone = Material { friction: 0.0, rolling_friction: 0.02, ..material("stone") };
    for law in [LawKind::Linear, LawKind::Hertz] {
        let floor = floor::<3>([0.0, 0.0, 1.0], 0);
        let mut simulation = resting(law, &stone, [0.0, 0.0, -G], floor, 1e-5);
        let mut state = simulation.state();
        state.bodies.midstep_spin.set(0, [0.0, 20.0, 0.0]);
        state.bodies.seen[0].spin = [0.0, 20.0, 0.0];
        simulation.restore(state).unwrap();
        let time = 0.2;
        simulation.advance_by((time / 1e-5) as u64).unwrap();
        let expected = 20.0 - 5.0 * 0.02 * G * time / (2.0 * 0.01);
        let found = simulation.bodies().midstep_spin.get(0)[1];
        assert!((found / expected - 1.0).abs() < 2e-3, "{law:?} {found} {expected}");
        simulation.advance_by(80_000).unwrap();
        assert!(simulation.bodies().midstep_spin.get(0)[1].abs() < 1e-3);
    }
}

#[test]
fn a_sliding_ball_ends_up_rolling_at_five_sevenths() {
    let stone = Material { friction: 0.3, ..material("stone") };
    for law in [LawKind::Linear, LawKind::Hertz] {
        let mut simulation = resting(law, &stone, [0.0, 0.0, -G], floor::<3>([0.0, 0.0, 1.0], 0), 1e-5);
        let mut state = simulation.state();
        state.bodies.midstep_velocity[0][0] = 0.5;
        state.bodies.seen[0].velocity[0] = 0.5;
        state.account.inserted = 0.5 * 0.25 / state.bodies.seen[0].inverse_mass;
        simulation.restore(state).unwrap();
        simulation.advance_by(20_000).unwrap();
        let bodies = simulation.bodies();
        let speed = bodies.midstep_velocity[0][0];
        assert!((speed / (0.5 * 5.0 / 7.0) - 1.0).abs() < 1e-3, "{law:?} {speed}");
        assert!((bodies.midstep_spin.get(0)[1] * 0.01 / speed - 1.0).abs() < 1e-3);
        assert!(simulation.ledger().error() < 1e-3, "{:?}", simulation.ledger());
    }
}

#[test]
fn a_disk_that_slides_ends_up_rolling_at_two_thirds() {
    let stone = Material { friction: 0.3, density: 100.0, ..material("stone") };
    let mut simulation = resting(LawKind::Linear, &stone, [0.0, -G], floor::<2>([0.0, 1.0], 0), 1e-5);
    let mut state = simulation.state();
    state.bodies.midstep_velocity[0][0] = 0.5;
    state.bodies.seen[0].velocity[0] = 0.5;
    simulation.restore(state).unwrap();
    simulation.advance_by(20_000).unwrap();
    let speed = simulation.bodies().midstep_velocity[0][0];
    assert!((speed / (0.5 * 2.0 / 3.0) - 1.0).abs() < 1e-3, "{speed}");
}

/// Speed and spin of a ball after half a second on an incline, and the rate of its acceleration. Rolling friction beyond the
/// slope keeps it from rolling.
fn on_incline(degrees: f64, friction: f64, rolling_friction: f64) -> f64 {
    let angle = degrees.to_radians();
    let stone = Material { friction, rolling_friction, ..material("stone") };
    let gravity = [G * angle.sin(), 0.0, -G * angle.cos()];
    let mut simulation = resting(LawKind::Linear, &stone, gravity, floor::<3>([0.0, 0.0, 1.0], 0), 1e-5);
    simulation.advance_by(50_000).unwrap();
    simulation.bodies().midstep_velocity[0][0]
}

#[test]
fn a_ball_sticks_on_an_incline_below_the_angle_of_friction_and_rolls_or_slides_above() {
    // Held by friction and rolling friction, it creeps no faster than rounding.
    assert!(on_incline(10.0, 0.5, 0.3).abs() < 1e-4, "{}", on_incline(10.0, 0.5, 0.3));
    // Free to roll: 5/7 of the slope's pull.
    let rolled = on_incline(10.0, 0.5, 0.0) / (0.5 * G * 10f64.to_radians().sin());
    assert!((rolled / (5.0 / 7.0) - 1.0).abs() < 1e-3, "{rolled}");
    // Too steep for rolling without sliding (tan > 7/2 mu).
    let angle = 40f64.to_radians();
    let slid = on_incline(40.0, 0.1, 0.0) / (0.5 * G);
    assert!((slid / (angle.sin() - 0.1 * angle.cos()) - 1.0).abs() < 1e-3, "{slid}");
}

/// A block of balls glued by friction rests on an incline: a tetrahedron of three below and one above cannot roll.
#[test]
fn a_pile_that_cannot_roll_sticks_below_the_angle_of_friction() {
    for (degrees, sticks) in [(15.0f64, true), (35.0, false)] {
        let angle = degrees.to_radians();
        let stone = Material { friction: 0.5, rolling_friction: 0.6, ..material("stone") };
        let settings =
            Settings { time_step: 2e-6, gravity: [G * angle.sin(), -G * angle.cos()], ..Settings::default() };
        let mut simulation = simulation(
            LawKind::Linear,
            settings,
            std::slice::from_ref(&stone),
            vec![floor::<2>([0.0, 1.0], 0)],
        );
        simulation.insert(&[ball([0.0, 0.0099], [0.0; 2], 0.01)]).unwrap();
        simulation.advance_by(100_000).unwrap();
        let speed = simulation.bodies().midstep_velocity[0][0];
        assert_eq!(speed.abs() < 1e-3, sticks, "{degrees}: {speed}");
    }
}

/// A tangential spring much stiffer than the normal one shortens the stable step; with the default step energy does not grow.
#[test]
fn stiff_tangential_springs_count_for_the_stable_step() {
    let limit = |k_t: f64| {
        let stone = Material { k_t: Some(k_t), friction: 0.5, restitution: 1.0, ..material("stone") };
        let settings = Settings::default();
        let mut simulation = simulation(LawKind::Linear, settings, std::slice::from_ref(&stone), Vec::new());
        simulation.insert(&[ball([0.0; 3], [0.0; 3], 0.01)]).unwrap();
        simulation.stiffest().unwrap()
    };
    let (soft, stiff) = (limit(2e5), limit(1e8));
    assert!((soft.limit / stiff.limit / 350f64.sqrt() - 1.0).abs() < 1e-12);
    assert_eq!(soft.collision, stiff.collision);
    assert!(soft.step() == 0.02 * soft.collision && stiff.step() < 0.26 * stiff.limit);
}
