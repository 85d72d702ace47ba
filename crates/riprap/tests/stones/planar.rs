//! Polygons in the plane, on lines and on walls of segments.

use riprap::dem::wall::{Facets, Surface, Wall};
use riprap::dem::{Material, NewBody, Settings, Simulation};
use riprap::shape::by_name;

use crate::{DENSITY, EDGE, G, STIFFNESS, near, rock, simulation};

/// Mass of a square per depth.
const MASS: f64 = DENSITY * EDGE * EDGE;
const INERTIA: f64 = MASS * EDGE * EDGE / 6.0;

fn line() -> Wall<2> {
    Wall::new("line", Surface::Plane { point: [0.0; 2], normal: [0.0, 1.0] })
}

/// The same line cut into segments at uneven places.
fn segments(count: usize) -> Wall<2> {
    let at = |k: usize| {
        let share = k as f64 / count as f64;
        [0.5 - share + 0.3 * (share * (1.0 - share)), 0.0]
    };
    let corners = (0..count).map(|k| [at(k + 1), at(k)]).collect();
    Wall::new("segments", Surface::Facets(Facets::new(corners, false).unwrap()))
}

fn walls() -> Vec<Wall<2>> {
    vec![line(), segments(1), segments(7), segments(300)]
}

fn square(
    settings: Settings<2>,
    values: (f64, f64),
    wall: Vec<Wall<2>>,
    place: impl Fn(NewBody<2>) -> NewBody<2>,
) -> Simulation<2> {
    let mut simulation = simulation(settings, rock(values.0, values.1), wall);
    let shape = simulation.add_shape(by_name::<2>("square").unwrap().shape).unwrap();
    let size = EDGE / std::f64::consts::PI.sqrt();
    simulation.insert(&[place(NewBody::shaped(shape, [0.0; 2], size, [1.0, 0.0, 0.0, 0.0]))]).unwrap();
    simulation
}

fn turned(angle: f64) -> [f64; 4] {
    let (sine, cosine) = (0.5 * angle).sin_cos();
    [cosine, 0.0, 0.0, sine]
}

fn settings(gravity: [f64; 2], time_step: f64) -> Settings<2> {
    Settings { gravity, time_step, force_step: true, ..Settings::default() }
}

#[test]
fn a_square_at_rest_presses_with_its_weight() {
    for wall in walls() {
        let place = |square: NewBody<2>| NewBody { position: [0.013, 0.5 * EDGE + 1e-6], ..square };
        let mut simulation = self::square(settings([0.0, -G], 1e-5), (0.3, 0.5), vec![wall], place);
        simulation.advance_by(200_000).unwrap();
        let contacts = simulation.contacts();
        assert_eq!(contacts.len(), 1, "{contacts:?}");
        near(contacts[0].push, MASS * G, 1e-6, "weight");
        near(contacts[0].overlap, MASS * G / STIFFNESS, 1e-6, "overlap");
        assert!(simulation.ledger().error() < 1e-3 && simulation.ledger().translation < 1e-18);
    }
}

#[test]
fn a_square_slides_above_its_angle_only() {
    let friction = 35f64.to_radians().tan();
    for wall in walls() {
        for (degrees, expected) in [(34.0f64, 0.0), (36.0, 0.20901)] {
            let (sine, cosine) = degrees.to_radians().sin_cos();
            let depth = MASS * G * cosine / STIFFNESS;
            let place = |square: NewBody<2>| NewBody { position: [-0.2, 0.5 * EDGE - depth], ..square };
            let slope = settings([G * sine, -G * cosine], 1e-5);
            let mut simulation = square(slope, (0.3, friction), vec![wall.clone()], place);
            simulation.advance_by(40_000).unwrap();
            let before = simulation.velocities().next().unwrap()[0];
            simulation.advance_by(40_000).unwrap();
            let found = (simulation.velocities().next().unwrap()[0] - before) / 0.4;
            assert!((found - expected).abs() < 2e-3, "{degrees}: {found}");
            assert!(simulation.ledger().error() < 1e-3, "{:?}", simulation.ledger());
        }
    }
}

/// A corner that hits a line at an angle, without friction and loss.
#[test]
fn a_corner_that_hits_a_line_turns_the_square() {
    let (angle, speed) = (0.5f64, 0.001);
    let height = 0.5 * EDGE * (angle.cos() + angle.sin());
    let arm = 0.5 * EDGE * (angle.cos() - angle.sin());
    for wall in walls() {
        let place = |square: NewBody<2>| NewBody {
            position: [0.01, height + 1e-6],
            velocity: [0.0, -speed],
            orientation: turned(angle),
            ..square
        };
        let mut simulation = square(settings([0.0; 2], 1e-6), (1.0, 0.0), vec![wall], place);
        let mut worst = 0.0f64;
        for _ in 0..400 {
            simulation.advance_by(100).unwrap();
            worst = worst.max(simulation.ledger().error());
        }
        let impulse = 2.0 * speed / (1.0 / MASS + arm * arm / INERTIA);
        near(simulation.velocities().next().unwrap()[1], impulse / MASS - speed, 3e-3, "speed");
        near(simulation.spins().next().unwrap()[2].abs(), impulse * arm / INERTIA, 3e-3, "spin");
        assert!(worst < 1e-3, "{worst}");
    }
}

/// Where a segment ends, a side of the square falls on its end.
#[test]
fn a_side_that_hits_the_end_of_a_segment_turns_the_square() {
    let (arm, speed) = (0.3 * EDGE, 0.001);
    for corners in
        [vec![[[0.0, -0.2], [0.0, 0.0]]], vec![[[-0.1, -0.1], [0.0, 0.0]], [[0.0, 0.0], [0.1, -0.2]]]]
    {
        let wall = Wall::new("spike", Surface::Facets(Facets::new(corners, false).unwrap()));
        let place = |square: NewBody<2>| NewBody {
            position: [arm, 0.5 * EDGE + 1e-6],
            velocity: [0.0, -speed],
            ..square
        };
        let mut simulation = square(settings([0.0; 2], 1e-6), (1.0, 0.0), vec![wall], place);
        simulation.advance_by(40_000).unwrap();
        let impulse = 2.0 * speed / (1.0 / MASS + arm * arm / INERTIA);
        near(simulation.velocities().next().unwrap()[1], impulse / MASS - speed, 3e-3, "speed");
        near(simulation.spins().next().unwrap()[2].abs(), impulse * arm / INERTIA, 3e-3, "spin");
        assert!(simulation.ledger().error() < 1e-3);
    }
}

/// Two squares and a heap of polygons in a trough of segments.
#[test]
fn polygons_in_a_trough_come_to_rest() {
    let trough = vec![[[-0.2, 0.4], [-0.1, 0.0]], [[-0.1, 0.0], [0.1, 0.0]], [[0.1, 0.0], [0.2, 0.4]]];
    let wall = Wall::new("trough", Surface::Facets(Facets::new(trough, false).unwrap()));
    let light = Material { density: 26.5, ..rock(0.3, 0.5) };
    let mut simulation = simulation(settings([0.0, -G], 1.5e-5), light, vec![wall]);
    let shapes = ["triangle", "square", "pentagon", "hexagon", "octagon"]
        .map(|name| simulation.add_shape(by_name::<2>(name).unwrap().shape).unwrap());
    let bodies: Vec<_> = (0..20usize)
        .map(|k| {
            let place = [-0.06 + 0.06 * (k % 3) as f64, 0.04 + 0.06 * (k / 3) as f64];
            NewBody::shaped(shapes[k % 5], place, 0.015 + 0.0003 * k as f64, turned(0.7 * k as f64))
        })
        .collect();
    simulation.insert(&bodies).unwrap();
    crate::come_to_rest(&mut simulation);
    assert!(simulation.bodies().position.iter().all(|position| position[1] > 0.0));
}
