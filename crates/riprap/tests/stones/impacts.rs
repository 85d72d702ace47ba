//! Impacts, rest and sliding of one cube on a plane.

use riprap::Random;
use riprap::dem::{NewBody, Settings};
use riprap::shape::{self, Part};

use crate::pairs::random_turn;
use crate::{EDGE, G, MASS, STIFFNESS, UPRIGHT, about, floor, near, rock, simulation, with_cube};

const STEP: f64 = 1e-6;

fn settings(gravity: [f64; 3]) -> Settings<3> {
    Settings { gravity, time_step: STEP, force_step: true, ..Settings::default() }
}

/// An edge at an angle of 0.5 rad, without friction: the height of the centre over the edge gives the arm.
#[test]
fn an_edge_that_hits_a_plane_turns_the_cube() {
    let turned = about([1.0, 0.0, 0.0], 0.5);
    let height = 0.5 * EDGE * (0.5f64.cos() + 0.5f64.sin());
    let speed = 0.01;
    let place = |cube: NewBody<3>| NewBody {
        position: [0.0, 0.0, height + 1e-6],
        orientation: turned,
        velocity: [0.0, 0.0, -speed],
        ..cube
    };
    let mut simulation = with_cube(settings([0.0; 3]), rock(1.0, 0.0), vec![floor([0.0, 0.0, 1.0])], place);
    let mut worst = 0.0f64;
    for _ in 0..20_000 {
        simulation.advance().unwrap();
        worst = worst.max(simulation.ledger().error());
    }
    let velocity = simulation.velocities().next().unwrap();
    let spin = simulation.spins().next().unwrap();
    near(velocity[2], 6.158e-3, 2e-3, "speed");
    near(spin[0].abs(), 0.3860, 2e-3, "spin");
    assert!(worst < 1e-3, "{worst}");
}

#[test]
fn a_corner_that_hits_a_plane_turns_the_cube() {
    let norm = (1.0f64 + 0.16 + 0.0625).sqrt();
    let turned = [1.0 / norm, 0.4 / norm, 0.25 / norm, 0.0];
    let place = |cube: NewBody<3>| NewBody {
        position: [0.0, 0.0, 0.0433],
        orientation: turned,
        velocity: [0.0, 0.0, -0.01],
        ..cube
    };
    let mut simulation = with_cube(settings([0.0; 3]), rock(1.0, 0.0), vec![floor([0.0, 0.0, 1.0])], place);
    let mut worst = 0.0f64;
    for _ in 0..400_000 {
        simulation.advance().unwrap();
        worst = worst.max(simulation.ledger().error());
    }
    let velocity = simulation.velocities().next().unwrap();
    let spin = simulation.spins().next().unwrap();
    let turning = spin.iter().map(|x| x * x).sum::<f64>().sqrt();
    near(velocity[2], 7.121e-3, 2e-3, "speed");
    near(turning, 0.3439, 2e-3, "spin");
    assert!(worst < 1e-3, "{worst}");
}

#[test]
fn a_cube_at_rest_presses_with_its_weight() {
    let place = |cube: NewBody<3>| NewBody { position: [0.0, 0.0, 0.5 * EDGE + 1e-6], ..cube };
    let mut simulation =
        with_cube(settings([0.0, 0.0, -G]), rock(0.3, 0.7), vec![floor([0.0, 0.0, 1.0])], place);
    simulation.advance_by(1_000_000).unwrap();
    let contact = simulation.contacts()[0];
    near(contact.push, MASS * G, 1e-6, "weight");
    near(contact.overlap, MASS * G / STIFFNESS, 1e-6, "overlap");
    let ledger = simulation.ledger();
    assert!(ledger.error() < 1e-3 && ledger.translation < 1e-20, "{ledger:?}");
}

/// The way of a cube down a slope in a second, from rest.
fn slide(angle: f64, friction: f64, time: f64) -> f64 {
    let (sine, cosine) = angle.to_radians().sin_cos();
    let depth = MASS * G * cosine / STIFFNESS;
    let place = |cube: NewBody<3>| NewBody { position: [0.0, 0.0, 0.5 * EDGE - depth], ..cube };
    let gravity = [G * sine, 0.0, -G * cosine];
    let mut settings = settings(gravity);
    settings.time_step = 5e-6;
    let mut simulation = with_cube(settings, rock(0.3, friction), vec![floor([0.0, 0.0, 1.0])], place);
    simulation.advance_by((time / 5e-6) as u64).unwrap();
    let before = simulation.velocities().next().unwrap()[0];
    simulation.advance_by((time / 5e-6) as u64).unwrap();
    let after = simulation.velocities().next().unwrap()[0];
    assert!(simulation.ledger().error() < 1e-3);
    (after - before) / time
}

#[test]
fn a_cube_slides_down_a_slope_above_its_angle_only() {
    let friction = 35f64.to_radians().tan();
    assert!(slide(34.0, friction, 0.5).abs() < 1e-6);
    near(slide(36.0, friction, 0.5), 0.20901, 5e-3, "acceleration");
    near(slide(20.0, 0.2, 0.5), 1.51154, 5e-3, "acceleration");
}

/// Friction slows down a cube that spins on its face.
#[test]
fn a_cube_spinning_on_its_face_is_slowed_down() {
    let friction = 35f64.to_radians().tan();
    let depth = MASS * G / STIFFNESS;
    let place = |cube: NewBody<3>| NewBody {
        position: [0.0, 0.0, 0.5 * EDGE - depth],
        spin: [0.0, 0.0, 100.0],
        ..cube
    };
    let mut simulation =
        with_cube(settings([0.0, 0.0, -G]), rock(0.3, friction), vec![floor([0.0, 0.0, 1.0])], place);
    simulation.advance_by(10_000).unwrap();
    let before = simulation.spins().next().unwrap()[2];
    simulation.advance_by(100_000).unwrap();
    let after = simulation.spins().next().unwrap()[2];
    near((before - after) / 0.1, 6.0 * 0.382_60 * friction * G / EDGE, 2e-3, "deceleration");
    assert!(simulation.ledger().error() < 1e-3);
}

/// A step that is stable for balls is too long for stones of the same size, whose farthest points are light.
#[test]
fn a_stable_step_knows_the_shape() {
    let place = |cube: NewBody<3>| cube;
    let cube = with_cube(settings([0.0; 3]), rock(0.3, 0.0), vec![], place);
    let mut ball = crate::simulation(settings([0.0; 3]), rock(0.3, 0.0), vec![]);
    ball.insert(&[NewBody::ball([0.0; 3], crate::size_of_cube(EDGE))]).unwrap();
    let limits = [ball, cube].map(|simulation| simulation.stiffest().unwrap().limit);
    // The farthest point of a cube is at half its diagonal, and its inertia is a sixth of its edge squared.
    near(limits[1] / limits[0], (2.4f64 / (1.0 + 0.75 * 6.0)).sqrt(), 1e-9, "share");
}

/// A polyhedron of 500 vertices hits a plane as the ball does, on the mean of its orientations: a vertex that is not below the centre takes up
/// a little less.
#[test]
fn many_vertices_make_a_ball() {
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let vertex = |k: usize| {
        let height = 1.0 - (2 * k + 1) as f64 / 500.0;
        let (sine, cosine) = (golden * k as f64).sin_cos();
        let around = (1.0 - height * height).sqrt();
        [around * cosine, around * sine, height]
    };
    let many = shape::from_vertices("many", &(0..500).map(vertex).collect::<Vec<_>>()).unwrap().shape;
    let (size, speed, restitution) = (0.02, 0.1, 0.5);
    let mut random = Random::new(5);
    let (mut sum, mut least) = (0.0, f64::INFINITY);
    for _ in 0..60 {
        let settings = Settings { time_step: 2e-6, force_step: true, ..Settings::default() };
        let mut simulation = simulation(settings, rock(restitution, 0.0), vec![floor([0.0, 0.0, 1.0])]);
        let shape = simulation.add_shape(many.clone()).unwrap();
        let mut body = NewBody::shaped(shape, [0.0, 0.0, 1.02 * size], size, random_turn(&mut random));
        body.velocity[2] = -speed;
        simulation.insert(&[body]).unwrap();
        simulation.advance_by(8000).unwrap();
        assert!(simulation.contacts().is_empty() && simulation.ledger().error() < 1e-5);
        let impulse = (simulation.velocities().next().unwrap()[2] + speed) / (speed * (1.0 + restitution));
        sum += impulse;
        least = least.min(impulse);
    }
    near(sum / 60.0, 1.0, 0.01, "impulse");
    assert!(least > 0.96, "{least}");
}

/// No step goes by with a point deeper than allowed, also where it has a part of the load only.
#[test]
fn deep_points_stop_the_run() {
    for turn in [about([1.0, 0.4, 0.25], 0.7), about([1.0, 0.0, 0.0], 0.05)] {
        let settings = Settings { time_step: 2e-6, overlap_limit: 0.2, ..Settings::default() };
        let mut simulation = with_cube(settings, rock(0.5, 0.3), vec![floor([0.0, 0.0, 1.0])], |mut cube| {
            (cube.orientation, cube.position, cube.velocity) = (turn, [0.0, 0.0, 0.05], [0.0, 0.0, -20.0]);
            cube
        });
        let mut deepest = 0.0f64;
        let failure = loop {
            if let Err(failure) = simulation.advance_by(1) {
                break failure.to_string();
            }
            let overlaps = simulation.contacts().iter().map(|contact| contact.relative_overlap);
            deepest = overlaps.fold(deepest, f64::max);
            assert!(deepest <= 0.2 && simulation.time() < 0.1, "{deepest} {}", simulation.time());
        };
        assert!(deepest > 0.1 && failure.contains("overlap"), "{deepest} {failure}");
    }
}

/// A plate of many balls, or of many bricks, lies on as many springs: the default step is short enough for it.
#[test]
fn bodies_of_many_pieces_keep_their_books_at_the_default_step() {
    let at = |k: usize| [(k % 5) as f64, (k / 5) as f64, 0.0];
    let balls: Vec<_> = (0..25).map(|k| (at(k), 0.6)).collect();
    let brick = shape::from_vertices("brick", riprap::convex::shapes::cuboid([1.0, 1.0, 0.5]).vertices());
    let brick = brick.unwrap();
    let bricks: Vec<_> = (0..25)
        .map(|k| Part::Shape { shape: &brick.shape, size: brick.size, pose: riprap::convex::Pose::at(at(k)) })
        .collect();
    let plates = [shape::from_spheres("balls", &balls), shape::from_pieces("bricks", &bricks)];
    for plate in plates.map(|built| built.unwrap().shape) {
        let drop = |time_step: f64, turn: [f64; 4]| {
            let settings = Settings { gravity: [0.0, 0.0, -G], time_step, ..Settings::default() };
            let mut simulation = simulation(settings, rock(0.5, 0.5), vec![floor([0.0, 0.0, 1.0])]);
            let index = simulation.add_shape(plate.clone()).unwrap();
            simulation.insert(&[NewBody::shaped(index, [0.0, 0.0, 0.03], 0.01, turn)]).unwrap();
            simulation
        };
        let stiffest = drop(1e-9, UPRIGHT).stiffest().unwrap();
        for turn in
            [UPRIGHT, about([1.0, 0.3, 0.0], 0.1), about([0.0, 1.0, 0.0], std::f64::consts::FRAC_PI_2)]
        {
            let mut simulation = drop(stiffest.step(), turn);
            let mut worst = 0.0f64;
            while simulation.time() < 0.2 {
                simulation.advance_by(20).unwrap();
                worst = worst.max(simulation.ledger().error());
            }
            let lost = simulation.ledger().damping;
            assert!(worst < 1e-3 && lost > 0.0, "{} {turn:?}: {worst} {lost}", plate.name);
        }
    }
}
