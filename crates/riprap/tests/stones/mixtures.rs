//! Balls, stones and clumps together, under laws of round surfaces: what has a curvature follows them, and faces are linear.

use std::f64::consts::PI;

use riprap::Random;
use riprap::dem::wall::{Surface, Wall};
use riprap::dem::{LawKind, Material, NewBody, Partner, Settings, Simulation};

use crate::balls::{HALF, RADIUS, block, clump, grain, modulus, motion, under, up};
use crate::pairs::random_turn;
use crate::sameness::on_threads;
use crate::{UPRIGHT, floor, near, ready};

/// Stones, balls and clumps thrown about in a box.
fn mixture(law: LawKind, skin: Option<f64>) -> Simulation<3> {
    let container = Surface::Box { min: [0.0; 3], max: [0.0125; 3] };
    let make = |time_step: f64| {
        let settings =
            Settings { gravity: [0.0, 0.0, -9.81], time_step, force_step: true, skin, ..Settings::default() };
        let mut simulation = under(law, grain(0.5, 0.4), settings, vec![Wall::new("box", container.clone())]);
        let shapes = [ready("cube"), ready("sphere"), ready("fourteen"), clump()]
            .map(|shape| simulation.add_shape(shape).unwrap());
        let mut random = Random::new(4);
        let bodies: Vec<_> = (0..125)
            .map(|k| {
                let place = [k % 5, k / 5 % 5, k / 25].map(|k| 0.0025 * (k as f64 + 0.5));
                let turn = random_turn(&mut random);
                let mut body = NewBody::shaped(shapes[k % 4], place, random.uniform(6e-4, 9e-4), turn);
                body.velocity = std::array::from_fn(|_| random.uniform(-0.5, 0.5));
                body.spin = std::array::from_fn(|_| random.uniform(-50.0, 50.0));
                body
            })
            .collect();
        simulation.insert(&bodies).unwrap();
        simulation
    };
    make(make(1e-9).stiffest().unwrap().step())
}

/// Contacts that hold beyond touch.
fn necks(simulation: &Simulation<3>) -> usize {
    simulation.contacts().iter().filter(|contact| contact.overlap < 0.0).count()
}

/// The checkpoint is taken while necks hold.
#[test]
fn necks_do_not_depend_on_threads_margins_or_restarts() {
    for law in [LawKind::Jkr, LawKind::Bridge, LawKind::Hertz] {
        let steps = 6000;
        let mut whole = mixture(law, None);
        let (mut middle, mut most) = (whole.state(), 0);
        for _ in 0..steps / 5 {
            whole.advance_by(5).unwrap();
            assert!(whole.ledger().error() < 1e-3, "{law:?}: {:?}", whole.ledger());
            if whole.steps() < steps - 500 && necks(&whole) > most {
                (middle, most) = (whole.state(), necks(&whole));
            }
        }
        let counts = whole.contact_counts();
        assert!(counts.0 > 1 && (most > 1 || !law.sticks()), "{law:?}: {counts:?} {most}");
        let expected = whole.state();
        for threads in [1, 2, 3] {
            let run = || {
                let mut simulation = mixture(law, None);
                simulation.advance_by(steps).unwrap();
                simulation.state()
            };
            assert!(on_threads(threads, run) == expected, "{law:?} on {threads} threads");
        }
        let mut wide = mixture(law, Some(6e-4));
        wide.advance_by(steps).unwrap();
        assert!(wide.state() == expected, "{law:?} with another margin");
        let done = middle.elapsed.steps;
        let mut resumed = mixture(law, None);
        resumed.restore(middle).unwrap();
        resumed.advance_by(steps - done).unwrap();
        assert!(resumed.state() == expected, "{law:?} resumed after {done} steps");
    }
}

/// From a checkpoint, with the springs that both laws have.
#[test]
fn a_mixture_goes_on_under_another_law() {
    let laws =
        [LawKind::Linear, LawKind::Jkr, LawKind::Hertz, LawKind::Bridge, LawKind::Dmt, LawKind::Linear];
    let mut state = mixture(laws[0], None).state();
    for law in laws {
        let mut simulation = mixture(law, None);
        simulation.restore(state).unwrap();
        for _ in 0..40 {
            simulation.advance_by(50).unwrap();
            assert!(simulation.ledger().error() < 1e-3, "{law:?}: {:?}", simulation.ledger());
        }
        assert!(simulation.contact_counts().0 > 0, "{law:?}");
        state = simulation.state();
    }
}

/// Another law is nothing to a cube that spins on a plane: its springs of sliding and twisting go on.
#[test]
fn faces_keep_their_springs_under_another_law() {
    let make = |law: LawKind| {
        let gravity = [2.0, 0.0, -9.81];
        let settings = Settings { gravity, time_step: 2e-6, force_step: true, ..Settings::default() };
        let mut simulation = under(law, grain(0.4, 0.5), settings, vec![floor([0.0, 0.0, 1.0])]);
        let (cube, size) = block::<3>();
        let cube = simulation.add_shape(cube).unwrap();
        let mut body = NewBody::shaped(cube, up(HALF - 5e-7), size, UPRIGHT);
        body.spin = [0.0, 0.0, 5.0];
        simulation.insert(&[body]).unwrap();
        simulation
    };
    let mut whole = make(LawKind::Linear);
    whole.advance_by(150).unwrap();
    let middle = whole.state();
    whole.advance_by(150).unwrap();
    let expected = motion(&whole);
    for law in [LawKind::Jkr, LawKind::Bridge] {
        let mut changed = make(law);
        changed.restore(middle.clone()).unwrap();
        changed.advance_by(150).unwrap();
        let found = motion(&changed);
        near(found.2[2], expected.2[2], 5e-9, "spin");
        near(found.1[0], expected.1[0], 1e-7, "speed down the slope");
    }
}

/// Under any law: on each other, on a plane and on a rod, whatever the law would do beyond touch.
#[test]
fn faces_follow_the_linear_law_to_the_bit() {
    let run = |law: LawKind| {
        let gravity = [0.0, 0.0, -9.81];
        let settings = Settings { gravity, time_step: 2e-6, force_step: true, ..Settings::default() };
        let (point, axis) = ([1.2e-3, 0.0, 1e-3], [0.0, 1.0, 0.0]);
        let rod = Wall::new("rod", Surface::Cylinder { point, axis, radius: 1e-3, inside: false });
        let (point, axis) = ([0.0; 3], [0.0, 0.0, 1.0]);
        let pipe = Wall::new("pipe", Surface::Cylinder { point, axis, radius: 3e-3, inside: true });
        let walls = vec![floor([0.0, 0.0, 1.0]), rod, pipe];
        let mut simulation = under(law, grain(0.4, 0.5), settings, walls);
        let shapes = ["cube", "fourteen"].map(|name| simulation.add_shape(ready(name)).unwrap());
        let mut random = Random::new(2);
        let bodies: Vec<_> = (0..5)
            .map(|k| {
                let place = [2e-4 * f64::from(k % 2), 0.0, 4e-3 + 2.2e-3 * f64::from(k)];
                NewBody::shaped(shapes[k as usize % 2], place, 9e-4, random_turn(&mut random))
            })
            .collect();
        simulation.insert(&bodies).unwrap();
        let (mut pairs, mut on_walls, mut on_rod) = (0, 0, 0);
        for _ in 0..300 {
            simulation.advance_by(100).unwrap();
            pairs += simulation.contact_counts().0;
            on_walls += simulation.contact_counts().1;
            on_rod += simulation.contacts().iter().filter(|contact| contact.b == Partner::Wall(1)).count();
        }
        (simulation.bodies().position.clone(), (pairs, on_walls, on_rod), simulation.ledger())
    };
    let expected = run(LawKind::Linear);
    assert!(expected.1.0 > 10 && expected.1.1 > 50 && expected.1.2 > 5, "{:?}", expected.1);
    for law in [LawKind::Hertz, LawKind::Jkr, LawKind::Bridge] {
        assert!(run(law) == expected, "{law:?}");
    }
}

/// With the reason, and as soon as two faces could meet.
#[test]
fn faces_without_a_stiffness_are_refused() {
    let elastic = Material { k_n: None, ..grain(0.5, 0.5) };
    for law in [LawKind::Jkr, LawKind::Dmt, LawKind::Bridge, LawKind::Hertz] {
        let settings = Settings { time_step: 1e-6, ..Settings::default() };
        let mut simulation = under::<3>(law, elastic.clone(), settings.clone(), vec![]);
        let cube = simulation.add_shape(ready("cube")).unwrap();
        let at = |x: f64| NewBody::shaped(cube, [x, 0.0, 0.01], RADIUS, UPRIGHT);
        simulation.insert(&[at(0.0), NewBody::ball([0.01, 0.0, 0.0], RADIUS)]).unwrap();
        let error = simulation.insert(&[NewBody::ball([0.02, 0.0, 0.0], RADIUS), at(0.03)]).unwrap_err();
        let expected = format!(
            "body 1: material `grain` has no `k_n`: faces of stones that meet faces or walls follow the linear law, for `{}` says \
             nothing of them; give `k_n` to it or to the pair, or take `linear` for all contacts",
            law.name()
        );
        assert_eq!(error.to_string(), expected);
        assert_eq!(simulation.bodies().len(), 2);
        let mut simulation = under::<3>(law, elastic.clone(), settings.clone(), vec![floor([0.0, 0.0, 1.0])]);
        simulation.add_shape(ready("cube")).unwrap();
        let error = simulation.insert(&[at(0.0)]).unwrap_err();
        assert_eq!(error.to_string(), expected.replace("body 1", "body 0"));
        // Balls alone need none.
        simulation.insert(&[NewBody::ball([0.0, 0.0, 0.1], RADIUS)]).unwrap();
        // A state may not bring in what would be refused.
        let soft = grain(0.5, 0.5);
        let mut with_stones = under::<3>(law, soft, settings, vec![floor([0.0, 0.0, 1.0])]);
        with_stones.add_shape(ready("cube")).unwrap();
        with_stones.insert(&[at(0.0)]).unwrap();
        let error = simulation.restore(with_stones.state()).unwrap_err();
        assert!(error.to_string().contains("has no `k_n`: faces of stones"), "{error}");
    }
}

/// That of elastic spheres counts for balls on stones, that of the faces for stones: the stiffer one sets the step.
#[test]
fn the_step_knows_both_laws() {
    let limit = |k_n: f64, young: f64, with_ball: bool| {
        let material = Material { k_n: Some(k_n), young: Some(young), ..grain(1.0, 0.0) };
        let mut simulation = under::<3>(LawKind::Hertz, material, Settings::default(), vec![]);
        let cube = simulation.add_shape(ready("cube")).unwrap();
        let at = |x: f64| NewBody::shaped(cube, [x, 0.0, 0.0], RADIUS, UPRIGHT);
        simulation.insert(&[at(0.0), at(0.1)]).unwrap();
        if with_ball {
            simulation.insert(&[NewBody::ball([0.2, 0.0, 0.0], 4.0 * RADIUS)]).unwrap();
        }
        simulation.stiffest().unwrap().limit
    };
    assert_eq!(limit(1e3, 1e7, false), limit(1e3, 1e9, false));
    near(limit(1e3, 1e7, false) / limit(4e3, 1e7, false), 2.0, 1e-12, "by the faces");
    near(limit(1.0, 1e7, true) / limit(1.0, 4e7, true), 2.0, 1e-12, "by the ball");
    assert_eq!(limit(1.0, 1e7, true), limit(2.0, 1e7, true));
    // The ball on the stone: the radius is its own.
    let (stone, ball) = (1.0, 64.0);
    let mass = 2500.0 * 4.0 / 3.0 * PI * RADIUS * RADIUS * RADIUS * stone * ball / (stone + ball);
    let slope = 2.0 * modulus() * (4.0 * RADIUS * 0.1 * RADIUS).sqrt();
    let share = (2.4f64 / (1.0 + 0.75 * 6.0)).sqrt();
    near(limit(1.0, 1e7, true), share * 2.0 / (12.0 * slope / mass).sqrt(), 1e-9, "limit");
}
