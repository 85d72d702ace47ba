//! Two bodies and more: momentum, stacks, heaps.

use riprap::Random;
use riprap::dem::wall::{Surface, Wall};
use riprap::dem::{NewBody, Settings, Simulation};

use crate::long::long;
use crate::{DENSITY, EDGE, G, MASS, UPRIGHT, floor, near, ready, rock, simulation, size_of_cube};

pub(crate) fn random_turn(random: &mut Random) -> [f64; 4] {
    let quaternion: [f64; 4] = std::array::from_fn(|_| random.normal());
    let length = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
    quaternion.map(|x| x / length)
}

/// Two bodies that meet at random: momentum, angular momentum and energy.
#[test]
fn collisions_conserve_momentum_and_close_their_books() {
    let mut random = Random::new(5);
    let (mut met, mut worst) = (0, 0.0f64);
    for case in 0..60 {
        let (restitution, friction) = ([1.0, 0.5][case % 2], [0.0, 0.5][case / 2 % 2]);
        let settings = Settings { time_step: 2e-6, force_step: true, ..Settings::default() };
        let mut simulation = simulation(settings, rock(restitution, friction), vec![]);
        let shapes = ["tetrahedron", "pyramid", "cube", "fourteen", "sphere"]
            .map(|name| simulation.add_shape(ready(name)).unwrap());
        let size = 0.02;
        let bodies = [-1.0, 1.0].map(|side| {
            let shape = shapes[random.below(5)];
            let position = [side * 2.2 * size, random.uniform(-0.01, 0.01), random.uniform(-0.01, 0.01)];
            let mut body = NewBody::shaped(shape, position, size, random_turn(&mut random));
            body.velocity = [-side * 0.5, random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1)];
            body.spin = std::array::from_fn(|_| random.uniform(-5.0, 5.0));
            body
        });
        simulation.insert(&bodies).unwrap();
        simulation.prepare().unwrap();
        let before = simulation.momentum();
        let mut touched = false;
        let mut error = 0.0f64;
        for _ in 0..500 {
            simulation.advance_by(100).unwrap();
            touched |= !simulation.contacts().is_empty();
            error = error.max(simulation.ledger().error());
        }
        let after = simulation.momentum();
        met += u32::from(touched);
        let scale = 4.0 * DENSITY * size.powi(3) * 0.5;
        for k in 0..3 {
            assert!((after.0[k] - before.0[k]).abs() < 1e-12 * scale, "{case}: {before:?} {after:?}");
            assert!((after.1[k] - before.1[k]).abs() < 1e-11 * scale * size, "{case}: {before:?} {after:?}");
        }
        worst = worst.max(error);
    }
    assert!(met > 30 && worst < 1e-3, "{met} {worst}");
}

fn stack(count: usize, step: f64) -> Simulation<3> {
    let settings = Settings { gravity: [0.0, 0.0, -G], time_step: step, ..Settings::default() };
    let mut simulation = simulation(settings, rock(0.3, 0.6), vec![floor([0.0, 0.0, 1.0])]);
    let cube = simulation.add_shape(ready("cube")).unwrap();
    let bodies: Vec<_> = (0..count)
        .map(|k| {
            let position = [0.0, 0.0, (k as f64 + 0.5) * EDGE + (k as f64 + 1.0) * 1e-5];
            NewBody::shaped(cube, position, size_of_cube(EDGE), UPRIGHT)
        })
        .collect();
    simulation.insert(&bodies).unwrap();
    simulation
}

#[test]
fn a_stack_of_ten_stands() {
    let mut simulation = stack(10, 2e-5);
    simulation.advance_by(100_000).unwrap();
    let start = simulation.state();
    simulation.advance_by(100_000).unwrap();
    let end = simulation.state();
    for (row, position) in end.bodies.position.iter().enumerate() {
        let moved = (0..3).map(|k| (position[k] - start.bodies.position[row][k]).abs()).fold(0.0, f64::max);
        assert!(moved < 1e-3 * EDGE, "{row}: {moved}");
    }
    let ledger = simulation.ledger();
    assert!(ledger.translation + ledger.rotation < 1e-18, "{ledger:?}");
    for contact in simulation.contacts() {
        let above = 10.0 - (contact.point[2] / EDGE).round();
        near(contact.push, above * MASS * G, 1e-6, "weight above");
    }
}

/// Stones of the paper's four shapes, to fall into a box.
fn heap(count: usize, edge: f64) -> Simulation<3> {
    let settings = Settings { gravity: [0.0, 0.0, -G], time_step: 1.5e-5, ..Settings::default() };
    let container = Wall::new("box", Surface::Box { min: [0.0; 3], max: [edge, edge, 9.0] });
    let mut simulation = simulation(settings, rock(0.3, 35f64.to_radians().tan()), vec![container]);
    let shapes =
        ["tetrahedron", "pyramid", "cube", "fourteen"].map(|name| simulation.add_shape(ready(name)).unwrap());
    let (mut random, across) = (Random::new(11), (edge / 0.06) as usize);
    let bodies: Vec<_> = (0..count)
        .map(|k| {
            let place = [k % across, k / across % across, k / (across * across)];
            let size = random.uniform(0.010, 0.0155);
            let place = place.map(|k| 0.03 + 0.06 * k as f64);
            NewBody::shaped(shapes[k % 4], place, size, random_turn(&mut random))
        })
        .collect();
    simulation.insert(&bodies).unwrap();
    simulation
}

/// What moves keeps moving less and less, down to rounding; nothing is lost, and overlaps are small.
#[test]
fn a_heap_comes_to_rest() {
    let (count, edge) = if long() { (500, 0.30) } else { (60, 0.13) };
    let mut simulation = heap(count, edge);
    crate::come_to_rest(&mut simulation);
    let deepest = simulation.contacts().iter().map(|contact| contact.relative_overlap).fold(0.0, f64::max);
    assert_eq!(simulation.bodies().len(), count);
    assert!(deepest < 0.05, "{deepest}");
}
