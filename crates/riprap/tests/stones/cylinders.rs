//! Stones in drums and on rods.

use riprap::dem::wall::{Surface, Wall};
use riprap::dem::{Material, NewBody, Settings, StiffnessPer};

use crate::{EDGE, G, MASS, STIFFNESS, near, rock, with_cube};

fn cylinder(radius: f64, inside: bool, height: f64) -> Wall<3> {
    let (point, axis) = ([0.0, 0.0, height], [0.0, 1.0, 0.0]);
    Wall::new("cylinder", Surface::Cylinder { point, axis, radius, inside })
}

fn settings(gravity: [f64; 3]) -> Settings<3> {
    Settings { gravity, time_step: 2e-6, force_step: true, ..Settings::default() }
}

/// At the bottom of a drum a cube rests on the two edges of its lowest face: they press along the radii.
#[test]
fn a_cube_rests_in_a_drum() {
    let radius = 0.2;
    let sine = 0.5 * EDGE / radius;
    let height = radius * (1.0 - sine * sine).sqrt();
    let place = |cube: NewBody<3>| NewBody { position: [0.0, 0.0, radius - height + 0.5 * EDGE], ..cube };
    let wall = cylinder(radius, true, radius);
    let mut simulation = with_cube(settings([0.0, 0.0, -G]), rock(0.2, 0.0), vec![wall], place);
    simulation.advance_by(400_000).unwrap();
    let load = simulation.wall_loads()[0];
    near(load.force[2], -MASS * G, 1e-6, "weight");
    assert!(
        simulation.ledger().error() < 1e-3 && simulation.ledger().translation < 1e-15,
        "{:?}",
        simulation.ledger()
    );
    // It sinks in by the depth of one spring along the radii, which lean.
    let sunk = radius - height + 0.5 * EDGE - simulation.bodies().position[0][2];
    let cosine = (1.0 - sine * sine).sqrt();
    near(sunk, MASS * G / STIFFNESS / (cosine * cosine), 1e-2, "depth");
}

/// The middle of a face falls on a rod; aside of it, the cube turns.
#[test]
fn a_face_that_hits_a_rod_turns_the_cube() {
    let (arm, speed) = (0.3 * EDGE, 0.01);
    let place = |cube: NewBody<3>| NewBody {
        position: [arm, 0.0, 0.5 * EDGE + 1e-6],
        velocity: [0.0, 0.0, -speed],
        ..cube
    };
    let rod = cylinder(0.03, false, -0.03);
    let mut simulation = with_cube(settings([0.0; 3]), rock(1.0, 0.0), vec![rod], place);
    let worst = crate::worst_error_of_impact(&mut simulation);
    let (velocity, spin) = crate::after_blow(speed, arm);
    near(simulation.velocities().next().unwrap()[2], velocity, 3e-3, "speed");
    near(simulation.spins().next().unwrap()[1].abs(), spin, 3e-3, "spin");
    assert!(worst < 1e-3, "{worst}");
}

/// A face that flies into the side of a drum edge first is thrown back.
#[test]
fn an_edge_that_hits_a_drum_turns_the_cube() {
    let (radius, speed) = (0.5, 0.01);
    let height = 0.5 * EDGE * (0.5f64.cos() + 0.5f64.sin());
    let place = |cube: NewBody<3>| NewBody {
        position: [0.0, 0.0, height + 1e-6],
        velocity: [0.0, 0.0, -speed],
        orientation: crate::about([0.0, 1.0, 0.0], 0.5),
        ..cube
    };
    // The lowest edge is aside of the middle, where the drum is a little higher and leans a little.
    let arm = 0.5 * EDGE * (0.5f64.cos() - 0.5f64.sin());
    let rise = radius - (radius * radius - arm * arm).sqrt();
    let wall = cylinder(radius, true, radius - rise);
    let mut simulation = with_cube(settings([0.0; 3]), rock(1.0, 0.0), vec![wall], place);
    let mut worst = 0.0f64;
    for _ in 0..200 {
        simulation.advance_by(100).unwrap();
        worst = worst.max(simulation.ledger().error());
    }
    let inertia = MASS * EDGE * EDGE / 6.0;
    // Along the normal there: what it has of the speed, and its arm about the centre.
    let (sine, cosine) = (arm / radius, (1.0 - (arm / radius) * (arm / radius)).sqrt());
    let lever = arm * cosine - height * sine;
    let impulse = 2.0 * speed * cosine / (1.0 / MASS + lever * lever / inertia);
    near(simulation.velocities().next().unwrap()[2], impulse * cosine / MASS - speed, 5e-3, "speed");
    near(simulation.spins().next().unwrap()[1].abs(), impulse * lever / inertia, 5e-3, "spin");
    assert!(worst < 1e-3, "{worst}");
}

/// Without loss, a body thrown about in a drum keeps its energy, the better the shorter the step, and nothing turns it about the axis.
#[test]
fn bodies_thrown_about_in_a_drum_keep_their_energy() {
    for (name, turn) in [("tetrahedron", [0.4974, -0.0623, -1.4647, 0.8278]), ("cube", [0.9, 0.3, -0.2, 0.1])]
    {
        let worst = |step: f64, stiffness: StiffnessPer| {
            let material = Material { k_n: Some(1e6), k_t: Some(3e5), ..rock(1.0, 0.0) };
            let settings = Settings {
                time_step: step,
                force_step: true,
                stiffness_per: stiffness,
                ..Settings::default()
            };
            let mut simulation = crate::simulation(settings, material, vec![cylinder(0.07, true, 0.0)]);
            let shape = simulation.add_shape(crate::ready(name)).unwrap();
            let length = turn.iter().map(|x: &f64| x * x).sum::<f64>().sqrt();
            let body = NewBody::shaped(shape, [0.0, 0.05, 0.02], 0.006, turn.map(|x| x / length));
            simulation.insert(&[body.moving([-0.696, -0.0221, -0.9216])]).unwrap();
            let before = simulation.momentum().1[1];
            let mut worst = 0.0f64;
            for _ in 0..100 {
                simulation.advance_by((1e-3 / step) as u64).unwrap();
                worst = worst.max(simulation.ledger().error());
            }
            // About the axis, through the origin.
            let after = simulation.momentum().1[1];
            assert!((after - before).abs() < 1e-9 * before.abs(), "{name}: {before} {after}");
            worst
        };
        let (coarse, fine) = (worst(4e-6, StiffnessPer::Contact), worst(1e-6, StiffnessPer::Contact));
        worst(1e-6, StiffnessPer::Point);
        assert!(fine < 1e-4 && fine < 0.3 * coarse, "{name}: {coarse} {fine}");
    }
}
