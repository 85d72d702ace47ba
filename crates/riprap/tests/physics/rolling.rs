//! Rolling, sliding and sticking.

use riprap::Random;
use riprap::dem::wall::{Surface, Wall};
use riprap::dem::{LawKind, Ledger, Material, Settings, Simulation};

use crate::long::long;
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

/// The springs of rolling and twisting count too, with friction or without.
#[test]
fn rolling_springs_count_for_the_stable_step() {
    let limit = |friction: f64, rolling_friction: f64, twisting_friction: f64| {
        let k_t = Some(1e8);
        let stone = Material {
            k_t,
            friction,
            rolling_friction,
            twisting_friction,
            restitution: 1.0,
            ..material("stone")
        };
        let mut simulation =
            simulation(LawKind::Linear, Settings::default(), std::slice::from_ref(&stone), Vec::new());
        simulation.insert(&[ball([0.0; 3], [0.0; 3], 0.01)]).unwrap();
        simulation.stiffest().unwrap().limit
    };
    for shorter in [limit(0.0, 0.1, 0.0), limit(0.0, 0.0, 0.1)] {
        assert!((limit(0.0, 0.0, 0.0) / shorter / 250f64.sqrt() - 1.0).abs() < 1e-12);
    }
    assert!((limit(0.5, 0.0, 0.0) / limit(0.5, 0.1, 0.0) / (6.0f64 / 3.5).sqrt() - 1.0).abs() < 1e-12);
}

/// A ball with much friction that hits the floor and hardly bounces: the dashpot across the normal begins within a step.
#[test]
fn strongly_damped_oblique_impacts_close() {
    let stone = Material {
        k_n: Some(27663.505065397727),
        friction: 1.0,
        restitution: 0.05,
        rolling_friction: 0.4,
        ..material("stone")
    };
    for count in 0..10 {
        let make = |time_step: f64| {
            let settings = Settings { time_step, ..Settings::default() };
            let walls = vec![floor([0.0, 0.0, 1.0], 0)];
            let mut simulation = simulation(LawKind::Linear, settings, std::slice::from_ref(&stone), walls);
            let place = [0.0, 0.0, 0.01 + 1e-6 * (1.0 + f64::from(count))];
            let mut body = ball(place, [1.1626252799441734, 0.0, -1.0], 0.01);
            body.spin = [-60.0, -200.0, -20.0];
            simulation.insert(&[body]).unwrap();
            simulation
        };
        let mut simulation = make(make(1e-9).stiffest().unwrap().step());
        for _ in 0..440 {
            simulation.advance().unwrap();
            assert!(simulation.ledger().error() < 6e-4, "{count}: {:?}", simulation.ledger());
        }
    }
}

/// The floor under a ball is tilted by a tenth, and the ball rolls on it from rest for half a second: its speed.
fn rolled_down<const D: usize>(law: LawKind, rolling_friction: f64, share: f64) -> f64 {
    // A disk as heavy as the ball.
    let density = if D == 2 { 100.0 / 3.0 } else { 2500.0 };
    let stone = Material { density, friction: 0.5, rolling_friction, ..material("stone") };
    let slope = 0.1f64.atan();
    let mut gravity = [0.0; D];
    (gravity[0], gravity[D - 1]) = (G * slope.sin(), -G * slope.cos());
    let mut normal = [0.0; D];
    normal[D - 1] = 1.0;
    let make = |step| resting::<D>(law, &stone, gravity, floor(normal, 0), step);
    let step = share * make(1e-9).stiffest().unwrap().collision;
    let mut simulation = make(step);
    simulation.advance_by((0.5 / step).round() as u64).unwrap();
    simulation.velocities().next().unwrap()[0]
}

#[test]
fn a_ball_stands_on_a_slope_within_its_rolling_friction_and_rolls_beyond() {
    for law in [LawKind::Linear, LawKind::Hertz] {
        for share in [0.005, 0.02, 0.04] {
            let speeds = [rolled_down::<2>(law, 0.2, share), rolled_down::<3>(law, 0.2, share)];
            assert!(speeds.iter().all(|speed| speed.abs() < 1e-9), "{law:?} {share}: {speeds:?}");
            // The torque against rolling is `mu N R`, and a ball and a disk roll with 7/5 and 3/2 of their mass.
            let pull = 0.5 * G * (0.1 - 0.05) * 0.1f64.atan().cos();
            let found = [rolled_down::<2>(law, 0.05, share) * 1.5, rolled_down::<3>(law, 0.05, share) * 1.4];
            assert!(
                found.iter().all(|found| (found / pull - 1.0).abs() < 5e-3),
                "{law:?} {share}: {found:?} {pull}"
            );
        }
    }
}

/// Twisting friction slows a spin about the normal at a constant rate, then holds it.
#[test]
fn twisting_friction_stops_a_spinning_top() {
    let stone = Material { friction: 0.3, twisting_friction: 0.02, ..material("stone") };
    for law in [LawKind::Linear, LawKind::Hertz] {
        let mut simulation = resting(law, &stone, [0.0, 0.0, -G], floor::<3>([0.0, 0.0, 1.0], 0), 1e-5);
        let mut state = simulation.state();
        state.bodies.midstep_spin.set(0, [0.0, 0.0, 20.0]);
        state.bodies.seen[0].spin = [0.0, 0.0, 20.0];
        state.account.inserted = 0.2 * 1e-4 * 400.0 / state.bodies.seen[0].inverse_mass;
        simulation.restore(state).unwrap();
        simulation.advance_by(20_000).unwrap();
        let expected = 20.0 - 2.5 * 0.02 * G * 0.2 / 0.01;
        let found = simulation.bodies().midstep_spin.get(0)[2];
        assert!((found / expected - 1.0).abs() < 2e-3, "{law:?} {found} {expected}");
        assert!(simulation.ledger().error() < 1e-3, "{:?}", simulation.ledger());
        simulation.advance_by(40_000).unwrap();
        assert!(simulation.bodies().midstep_spin.get(0)[2].abs() < 1e-9);
        assert!(simulation.ledger().error() < 1e-3, "{:?}", simulation.ledger());
    }
}

/// Grains that roll with difficulty have fallen from a block into a box, or as a heap onto a floor, and come to rest.
fn at_rest<const D: usize>(
    across: i32,
    high: i32,
    heap: bool,
    rolling_friction: f64,
    share: f64,
) -> Simulation<D> {
    let stone = Material {
        k_n: Some(if D == 2 { 1e6 } else { 1e5 }),
        friction: 0.5,
        restitution: 0.5,
        rolling_friction,
        twisting_friction: rolling_friction,
        ..material("stone")
    };
    let mut gravity = [0.0; D];
    gravity[D - 1] = -G;
    let (min, mut max) = ([0.0; D], [2.2 * RADIUS * f64::from(across); D]);
    max[D - 1] = 1e3;
    let mut up = [0.0; D];
    up[D - 1] = 1.0;
    let make = |time_step| {
        let settings = Settings { time_step, gravity, ..Settings::default() };
        let around = if heap { floor(up, 0) } else { Wall::new("box", Surface::Box { min, max }) };
        let mut simulation: Simulation<D> =
            simulation(LawKind::Linear, settings, std::slice::from_ref(&stone), vec![around]);
        let mut random = Random::new(4);
        let bodies: Vec<_> = (0..high * across.pow(D as u32 - 1))
            .map(|index| {
                let mut place = [index % across, index / across % across, index / across / across];
                place[D - 1] = index / across.pow(D as u32 - 1);
                let position = std::array::from_fn(|k| {
                    1.1 * RADIUS + 2.2 * RADIUS * f64::from(place[k]) + random.uniform(-0.05, 0.05) * RADIUS
                });
                ball(position, [0.0; D], RADIUS)
            })
            .collect();
        simulation.insert(&bodies).unwrap();
        simulation
    };
    let step = share * make(1e-9).stiffest().unwrap().collision;
    let mut simulation = make(step);
    let kinetic = |simulation: &Simulation<D>| {
        let ledger = simulation.ledger();
        (ledger.translation + ledger.rotation) / ledger.gravity.abs()
    };
    let mut quiet = 0;
    for _ in 0..200 {
        simulation.advance_by((0.13 / step) as u64).unwrap();
        quiet = if kinetic(&simulation) < 1e-11 { quiet + 1 } else { 0 };
        // A grain that rocks stands still at times.
        if quiet == 4 {
            return simulation;
        }
    }
    panic!("not at rest: {:?}", simulation.ledger())
}

const RADIUS: f64 = 0.01;

/// The highest point of all grains, and their places by id.
fn places<const D: usize>(simulation: &Simulation<D>) -> (f64, Vec<[f64; D]>) {
    let bodies = simulation.bodies();
    let mut places: Vec<_> =
        bodies.id.iter().zip(&bodies.position).map(|(id, place)| (*id, *place)).collect();
    places.sort_unstable_by_key(|(id, _)| *id);
    let peak = places.iter().map(|(_, place)| place[D - 1]).fold(f64::MIN, f64::max);
    (peak, places.into_iter().map(|(_, place)| place).collect())
}

/// No spin turns to and fro, nothing is lost, and nothing moves for so long.
fn assert_stays<const D: usize>(simulation: &mut Simulation<D>, time: f64, case: &str) {
    let before = simulation.ledger();
    let (peak, from) = places(simulation);
    let mut spins: Vec<f64> = simulation.spins().map(|spin| spin[2]).collect();
    let mut turned = vec![0; spins.len()];
    for _ in 0..100 {
        simulation.advance().unwrap();
        for (row, spin) in simulation.spins().enumerate() {
            // Rounding turns to and fro as it likes.
            turned[row] += usize::from(spin[2] * spins[row] < 0.0 && (spin[2] - spins[row]).abs() > 1e-9);
            spins[row] = spin[2];
        }
    }
    assert!(turned.iter().all(|turned| *turned < 50), "{case}: {turned:?}");
    simulation.advance_by((time / simulation.settings().time_step) as u64).unwrap();
    let after = simulation.ledger();
    let energy = after.gravity.abs();
    let lost = |ledger: &Ledger| ledger.rolling + ledger.friction + ledger.damping;
    let more = lost(&after) - lost(&before);
    assert!(more.abs() < 1e-8 * energy, "{case}: lost {more} of {energy}");
    // A thousandth at the step of choice, and of second order.
    let step = simulation.settings().time_step / simulation.stiffest().unwrap().step();
    assert!(after.error() < 1e-3 * step.powi(2).max(1.0), "{case}: {after:?}");
    let (peak_after, to) = places(simulation);
    assert!((peak_after - peak).abs() < 1e-3 * RADIUS, "{case}: the peak moved from {peak} to {peak_after}");
    let moves = from.iter().zip(&to).flat_map(|(from, to)| (0..D).map(|k| (from[k] - to[k]).abs()));
    let far = moves.fold(0.0, f64::max);
    assert!(far < 1e-3 * RADIUS, "{case}: moved by {far}");
}

#[test]
fn grains_at_rest_stay_at_rest() {
    for rolling_friction in [0.01, 0.05, 0.4] {
        let case = format!("rolling friction {rolling_friction}");
        assert_stays(&mut at_rest::<2>(20, 10, false, rolling_friction, 0.02), 0.5, &case);
        assert_stays(&mut at_rest::<3>(5, 5, false, rolling_friction, 0.02), 0.2, &case);
    }
}

#[test]
fn a_heap_keeps_its_peak_at_any_step() {
    for share in [0.01, 0.02, 0.04] {
        let mut heap = at_rest::<2>(6, 16, true, 0.2, share);
        assert!(places(&heap).0 > 4.0 * RADIUS, "a heap, not a layer: {}", places(&heap).0);
        assert_stays(&mut heap, 3.0, &format!("heap of disks, {share}"));
        if long() {
            assert_stays(&mut at_rest::<3>(5, 10, true, 0.2, share), 3.0, &format!("heap of balls, {share}"));
        }
    }
}
