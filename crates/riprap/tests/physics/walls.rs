//! Walls.

use riprap::dem::wall::{Facets, Phase, Surface, Wall};
use riprap::dem::{Domain, LawKind, Material, Settings};

use crate::{G, ball, floor, material, resting, simulation};

/// A ball that rolls over a floor of many small triangles moves as on a plane.
#[test]
fn a_ball_feels_nothing_where_it_rolls_over_edges() {
    let stone = Material { friction: 0.5, restitution: 0.5, ..material("stone") };
    let run = |surface: Surface<3>| {
        let wall = Wall::new("floor", surface);
        let mut simulation = resting(LawKind::Hertz, &stone, [0.0, 0.0, -G], wall, 2e-6);
        let mut state = simulation.state();
        state.bodies.midstep_velocity[0] = [0.3, 0.05, 0.0];
        state.bodies.seen[0].velocity = [0.3, 0.05, 0.0];
        simulation.restore(state).unwrap();
        simulation.advance_by(100_000).unwrap();
        (simulation.bodies().position[0], simulation.bodies().midstep_spin.get(0))
    };
    let plane = run(Surface::Plane { point: [0.0; 3], normal: [0.0, 0.0, 1.0] });
    for width in [0.0007, 0.013] {
        let mut triangles = Vec::new();
        let count = (0.12 / width) as i32;
        for i in -3..count {
            for j in -(0.03 / width) as i32..(0.04 / width) as i32 {
                let corner = |i: i32, j: i32| [f64::from(i) * width, f64::from(j) * width, 0.0];
                let (a, b, c, d) = (corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1));
                triangles.push([a, b, c]);
                triangles.push([a, c, d]);
            }
        }
        let mesh = run(Surface::Facets(Facets::new(triangles, true).unwrap()));
        for k in 0..3 {
            assert!((mesh.0[k] - plane.0[k]).abs() < 1e-9, "{width}: {mesh:?} {plane:?}");
            assert!((mesh.1[k] - plane.1[k]).abs() < 1e-6, "{width}: {mesh:?} {plane:?}");
        }
    }
}

/// A plate that lifts a ball does the work that the ball gains; the ball's weight is the force on it.
#[test]
fn walls_in_motion_do_work_and_feel_the_load() {
    let stone = Material { friction: 0.5, restitution: 0.5, ..material("stone") };
    let motion = vec![
        Phase { start: 0.1, end: 0.3, velocity: [0.0, 0.0, 0.2], spin: [0.0; 3], center: [0.0; 3] },
        Phase { start: 0.4, end: 0.5, velocity: [0.0; 3], spin: [0.0, 0.0, 1.0], center: [0.0; 3] },
    ];
    let plate = Wall { motion, ..floor::<3>([0.0, 0.0, 1.0], 0) };
    let mut simulation = resting(LawKind::Linear, &stone, [0.0, 0.0, -G], plate, 5e-6);
    simulation.advance_by(140_000).unwrap();
    let ledger = simulation.ledger();
    let weight = G / simulation.bodies().seen[0].inverse_mass;
    assert!((ledger.gravity / (weight * 0.04) - 1.0).abs() < 1e-3, "{ledger:?}");
    assert!(ledger.error() < 1e-3, "{ledger:?}");
    assert!((simulation.wall_loads()[0].force[2] / -weight - 1.0).abs() < 1e-3);
    assert!(simulation.wall_loads()[0].torque.iter().all(|torque| torque.abs() < 1e-3 * weight * 0.01));
    assert!((simulation.bodies().position[0][2] - 0.05).abs() < 1e-5);
}

/// Walls that outrun the particles, or whose images no longer fill a periodic box, are refused.
#[test]
fn walls_that_could_miss_particles_are_refused() {
    let stone = material("stone");
    let run = |velocity: [f64; 2], offset: f64, periodic: bool| {
        let corners = vec![[[offset, 0.0], [offset + 1.0, 0.0]]];
        let surface = Surface::Facets(Facets::new(corners, false).unwrap());
        let motion = vec![Phase { start: 0.0, end: 1.0, velocity, spin: [0.0; 3], center: [0.0; 2] }];
        let plate = Wall { motion, ..Wall::new("plate", surface) };
        let domain =
            Domain { min: [0.0; 2], max: [1.0, 10.0], periodic: [periodic, false], ..Domain::default() };
        let settings = Settings { time_step: 1e-5, domain, ..Settings::default() };
        let mut simulation = simulation(LawKind::Hertz, settings, std::slice::from_ref(&stone), vec![plate]);
        simulation.insert(&[ball([0.5, 0.02], [0.0; 2], 0.01)]).unwrap();
        simulation.advance_by(2000).map_err(|failure| failure.to_string())
    };
    assert_eq!(run([0.0; 2], 0.0, true), Ok(()));
    assert_eq!(run([10.0, 0.0], 0.0, true), Ok(()));
    assert!(run([60.0, 0.0], 0.0, true).unwrap_err().contains("its images would not be felt"));
    assert!(run([0.0; 2], 2.5, true).unwrap_err().contains("its images would not be felt"));
    assert_eq!(run([60.0, 0.0], 0.0, false), Ok(()));
    assert!(run([0.0, 1e3], 0.0, false).unwrap_err().contains("wall `plate` moves at up to"));
}

/// A wall that turns about this centre, with one ball far away that it will never reach.
fn turning_with_a_ball_far_away(surface: Surface<3>, spin: [f64; 3], center: [f64; 3]) -> Result<(), String> {
    let motion = vec![Phase { start: 0.0, end: f64::INFINITY, velocity: [0.0; 3], spin, center }];
    let wall = Wall { motion, ..Wall::new("rotor", surface) };
    let settings = Settings { time_step: 1e-5, ..Settings::default() };
    let mut simulation = simulation(LawKind::Hertz, settings, &[material("stone")], vec![wall]);
    simulation.insert(&[ball([0.0, 0.3, 50.0], [0.0; 3], 0.01)]).unwrap();
    simulation.advance_by(10).map_err(|failure| failure.to_string())
}

/// Speeds are those of the wall itself, not of what it would be if it went on to the farthest particle.
#[test]
fn a_turning_wall_is_as_fast_as_its_own_farthest_point() {
    // A blade from 0.1 to 0.2 along x: its tip moves at 20 for a spin of 100, at most 500 are allowed.
    let blade = || {
        let corner = |x: f64, z: f64| [x, 0.0, z];
        let (a, b, c, d) = (corner(0.1, -0.05), corner(0.2, -0.05), corner(0.2, 0.05), corner(0.1, 0.05));
        Surface::Facets(Facets::new(vec![[a, b, c], [a, c, d]], false).unwrap())
    };
    let about_y = [0.0, 100.0, 0.0];
    assert_eq!(turning_with_a_ball_far_away(blade(), about_y, [0.0; 3]), Ok(()));
    // The same blade at the end of an arm of ten, and faster.
    let far = turning_with_a_ball_far_away(blade(), about_y, [-10.0, 0.0, 0.0]).unwrap_err();
    assert!(far.contains("wall `rotor` moves at up to 1020,"), "{far}");
    let fast = turning_with_a_ball_far_away(blade(), [0.0, 0.0, 4e3], [0.0; 3]).unwrap_err();
    assert!(fast.contains("wall `rotor` moves at up to 800,"), "{fast}");
    // A long drum of facets about its own axis: its length does not matter.
    let long = vec![[[0.2, -40.0, 0.0], [0.2, 40.0, 0.0], [0.0, 40.0, 0.2]]];
    let long = Surface::Facets(Facets::new(long, false).unwrap());
    assert_eq!(turning_with_a_ball_far_away(long, about_y, [0.0; 3]), Ok(()));

    let drum = |axis: [f64; 3]| Surface::Cylinder { point: [0.0; 3], axis, radius: 60.0, inside: true };
    let (y, z) = ([0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    // About its own axis a cylinder stays where it is, and so does a plane about its normal.
    assert_eq!(turning_with_a_ball_far_away(drum(y), about_y, [0.0, 7.0, 0.0]), Ok(()));
    let fast = turning_with_a_ball_far_away(drum(y), about_y, [6.0, 7.0, 0.0]).unwrap_err();
    assert!(fast.contains("wall `rotor` moves at up to 600,"), "{fast}");
    let rod = Surface::Cylinder { point: [0.0; 3], axis: y, radius: 0.1, inside: false };
    assert_eq!(turning_with_a_ball_far_away(rod, about_y, [0.0; 3]), Ok(()));
    let plane = |normal: [f64; 3]| Surface::Plane { point: [0.0, -1.0, 0.0], normal };
    assert_eq!(turning_with_a_ball_far_away(plane(y), about_y, [0.0; 3]), Ok(()));
    // Across its axis a cylinder has no end, and no other plane has one: what counts is where the particles are.
    assert!(turning_with_a_ball_far_away(drum(z), about_y, [0.0; 3]).is_err());
    assert!(turning_with_a_ball_far_away(plane(z), about_y, [0.0; 3]).is_err());
    assert_eq!(turning_with_a_ball_far_away(plane(z), [0.0, 5.0, 0.0], [0.0; 3]), Ok(()));
    // Distance from the axis counts, not from the centre.
    assert_eq!(turning_with_a_ball_far_away(plane(z), about_y, [0.0, 1e3, 50.0]), Ok(()));
}

/// Phases turn about different centres, before and after each other; a blade that turns still meets the ball in its way.
#[test]
fn every_phase_has_its_own_speed_and_a_turning_blade_hits() {
    let blade = vec![[[0.0, 0.0], [0.1, 0.0]]];
    let phase = |start: f64, end: f64, center: [f64; 2]| Phase {
        start,
        end,
        velocity: [0.0; 2],
        spin: [0.0, 0.0, 20.0],
        center,
    };
    let run = |motion: Vec<Phase<2>>, steps: u64| {
        let surface = Surface::Facets(Facets::new(blade.clone(), false).unwrap());
        let wall = Wall { motion, ..Wall::new("blade", surface) };
        let settings = Settings { time_step: 1e-5, ..Settings::default() };
        let mut simulation = simulation(LawKind::Hertz, settings, &[material("stone")], vec![wall]);
        let far = ball([300.0, 0.0], [0.0; 2], 0.01);
        simulation.insert(&[ball([0.0, 0.08], [0.0; 2], 0.01), far]).unwrap();
        simulation.advance_by(steps).map(|()| simulation.probe_particle(0).unwrap().velocity)
    };
    // A quarter of a turn takes 0.08; the ball on the way there is hit.
    let hit = run(vec![phase(0.0, 1.0, [0.0; 2])], 9000).unwrap();
    assert!(hit[0] < -1.0, "{hit:?}");
    // At rest again, then about a centre so far away that it is too fast.
    let failure = run(vec![phase(0.0, 0.001, [0.0; 2]), phase(0.002, 1.0, [50.0, 0.0])], 300).unwrap_err();
    let text = failure.to_string();
    assert!(text.contains("step 201") && text.contains("moves at up to 1000,"), "{text}");
}
