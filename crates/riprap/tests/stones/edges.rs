//! Stones at edges of walls: grooves, free edges and corners of plates, ridges and spikes.

use riprap::dem::wall::Wall;
use riprap::dem::{NewBody, Partner};

use crate::facets::{alone, cube, cut, mesh, settings};
use crate::{EDGE, G, MASS, about, near, ready};

const HALF_TURN: f64 = std::f64::consts::PI;

/// A groove along x with its bottom at the origin, whose sides rise at these angles to the left and to the right.
fn groove([left, right]: [f64; 2], cuts: usize) -> Wall<3> {
    let along = [1.0, 0.0, 0.0];
    let mut triangles = cut([-0.5, 0.0, 0.0], [along, [0.0, 0.2 * right.cos(), 0.2 * right.sin()]], cuts, 1);
    triangles.extend(cut([-0.5, 0.0, 0.0], [along, [0.0, -0.2 * left.cos(), 0.2 * left.sin()]], cuts, 2));
    mesh(triangles)
}

/// Each side of a groove bears its share, and friction on each is limited by that.
#[test]
fn a_cube_in_a_groove_is_held_by_both_sides() {
    let friction = 0.3;
    for (tilt, cuts) in [(0.0, 2), (0.0, 60), (0.2, 2), (0.2, 60)] {
        let angles = [0.25 * HALF_TURN + tilt, 0.25 * HALF_TURN - tilt];
        // Of the weight across the groove each side bears what is along its normal.
        let shares = [angles[0].cos(), angles[1].cos()];
        let limit = (friction * (shares[0] + shares[1])).atan();
        let accelerate = |slope: f64| {
            let gravity = [G * slope.sin(), 0.0, -G * slope.cos()];
            // A corner of the cube fits into the groove; its middle is straight above its bottom, turned with it.
            let away = EDGE / 2f64.sqrt();
            let body = NewBody {
                orientation: about([1.0, 0.0, 0.0], 0.25 * HALF_TURN - tilt),
                ..cube([-0.2, away * tilt.sin(), away * tilt.cos()])
            };
            let mut simulation = alone(
                ready("cube"),
                &settings(gravity, 1e-5),
                (0.3, friction),
                vec![groove(angles, cuts)],
                body,
            );
            simulation.advance_by(20_000).unwrap();
            let before = simulation.velocities().next().unwrap()[0];
            simulation.advance_by(20_000).unwrap();
            let contacts = simulation.contacts();
            assert_eq!(contacts.len(), 2, "{contacts:?}");
            for contact in contacts {
                assert!(contact.b == Partner::Wall(0));
                let side = usize::from(contact.normal[1] > 0.0);
                near(contact.push, MASS * G * slope.cos() * shares[side], 5e-3, "share");
                let pull = contact.force[0];
                assert!(pull.abs() <= friction * contact.push * (1.0 + 1e-9), "{contact:?}");
            }
            assert!(simulation.ledger().error() < 1e-3, "{:?}", simulation.ledger());
            (simulation.velocities().next().unwrap()[0] - before) / 0.2
        };
        let held = accelerate(limit - 0.02);
        assert!(held.abs() < 1e-6, "{held}");
        let slope = limit + 0.02;
        let expected = G * (slope.sin() - friction * (shares[0] + shares[1]) * slope.cos());
        near(accelerate(slope), expected, 5e-3, "acceleration");
    }
}

/// A plate in the quadrant of positive x and y below z = 0.
fn plate(cuts: usize) -> Wall<3> {
    mesh(cut([0.0; 3], [[0.3, 0.0, 0.0], [0.0, 0.3, 0.0]], cuts, 4))
}

/// A cube stays on a plate as long as its centre is above it; so it does on the plate's corner.
#[test]
fn cubes_stay_on_edges_and_corners_with_their_centre() {
    let down = settings([0.0, 0.0, -G], 1e-5);
    for (position, stays) in [
        ([0.1 * EDGE, 0.15], true),
        ([-0.2 * EDGE, 0.15], false),
        ([0.1 * EDGE, 0.07 * EDGE], true),
        ([0.1 * EDGE, -0.2 * EDGE], false),
    ] {
        let mut places = Vec::new();
        for cuts in [2, 60, 400] {
            let body = cube([position[0], position[1], 0.5 * EDGE + 1e-5]);
            let mut simulation = alone(ready("cube"), &down, (0.2, 0.6), vec![plate(cuts)], body);
            let mut worst = 0.0f64;
            for _ in 0..100 {
                simulation.advance_by(1000).unwrap();
                worst = worst.max(simulation.ledger().error());
                assert!(worst < 1e-3, "{position:?} {cuts}: {worst} {:?}", simulation.ledger());
            }
            let spin = simulation.spins().next().unwrap();
            let turning = spin.iter().map(|x| x * x).sum::<f64>().sqrt();
            if stays {
                near(simulation.wall_loads()[0].force[2], -MASS * G, 1e-6, "weight");
                assert!(turning < 1e-9, "{turning}");
                places.push(simulation.bodies().position[0]);
            } else {
                assert!(turning > 1.0, "{turning}");
            }
        }
        for place in places.iter().skip(1) {
            assert!((0..3).all(|k| (place[k] - places[0][k]).abs() < 1e-9), "{places:?}");
        }
    }
}

/// A face, or an edge, that falls on something narrow aside of its middle: the arm gives the speed and the spin afterwards.
fn hit_aside(what: &str, walls: Vec<Wall<3>>, orientation: [f64; 4], height: f64, arm: f64) {
    let speed = 0.01;
    let body = NewBody { velocity: [0.0, 0.0, -speed], orientation, ..cube([arm, 0.0, height + 1e-6]) };
    let mut simulation = alone(ready("cube"), &settings([0.0; 3], 1e-6), (1.0, 0.0), walls, body);
    let worst = crate::worst_error_of_impact(&mut simulation);
    let (velocity, spin) = crate::after_blow(speed, arm);
    near(simulation.velocities().next().unwrap()[2], velocity, 3e-3, what);
    near(simulation.spins().next().unwrap()[1], spin, 3e-3, what);
    assert!(worst < 1e-3, "{what}: {worst}");
}

#[test]
fn edges_and_corners_of_walls_turn_what_hits_them() {
    let arm = 0.3 * EDGE;
    for cuts in [2, 80] {
        // A plate on edge, along y and below z = 0.
        let blade = || mesh(cut([0.0, -0.2, -0.4], [[0.0, 0.4, 0.0], [0.0, 0.0, 0.4]], cuts, 5));
        hit_aside("face on the edge of a plate", vec![blade()], crate::UPRIGHT, 0.5 * EDGE, arm);
        // An edge of the cube along x.
        let on_edge = about([1.0, 0.0, 0.0], 0.25 * HALF_TURN);
        hit_aside("edge on the edge of a plate", vec![blade()], on_edge, EDGE / 2f64.sqrt(), arm);
        // The corner of a plate, downwards and to the sides.
        let spike = || mesh(cut([0.0; 3], [[0.0, 0.2, -0.2], [0.0, -0.2, -0.2]], cuts, 6));
        hit_aside("face on the corner of a plate", vec![spike()], crate::UPRIGHT, 0.5 * EDGE, arm);
        // A roof with its ridge along y.
        let mut roof = cut([0.0, -0.2, 0.0], [[0.0, 0.4, 0.0], [-0.2, 0.0, -0.1]], cuts, 7);
        roof.extend(cut([0.0, -0.2, 0.0], [[0.0, 0.4, 0.0], [0.2, 0.0, -0.1]], cuts, 8));
        hit_aside("face on a ridge", vec![mesh(roof)], crate::UPRIGHT, 0.5 * EDGE, arm);
    }
}

/// A cube beside a plate, with a face on its edge, is pushed away sideways, however finely the plate is cut and however deep it is.
#[test]
fn a_plate_pushes_with_its_edge() {
    for cuts in [2, 3000] {
        let body = NewBody { velocity: [0.2, 0.0, 0.0], ..cube([-0.5 * EDGE - 1e-5, 0.15, 0.2 * EDGE]) };
        let mut simulation =
            alone(ready("cube"), &settings([0.0; 3], 2e-6), (1.0, 0.0), vec![plate(cuts)], body);
        let (mut worst, mut deepest) = (0.0f64, 0.0f64);
        for _ in 0..100 {
            simulation.advance_by(50).unwrap();
            worst = worst.max(simulation.ledger().error());
            for contact in simulation.contacts() {
                deepest = deepest.max(contact.overlap);
                assert!(contact.normal[0] > 0.99, "{contact:?}");
            }
        }
        assert!(deepest > 2e-4 && worst < 1e-3, "{deepest} {worst}");
        let velocity = simulation.velocities().next().unwrap();
        assert!(velocity[0] < -0.1 && velocity[1].abs() < 1e-3, "{velocity:?}");
    }
}
