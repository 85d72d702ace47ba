//! Balls on stones, under every law: as on planes, over edges, with necks that hold beyond touch.

use std::f64::consts::PI;
use std::ops::Range;

use riprap::Random;
use riprap::dem::wall::{Surface, Wall};
use riprap::dem::{ContactRecord, LawKind, Material, Materials, NewBody, Partner, Settings, Simulation};
use riprap::shape::{self, Shape};

use crate::facets::{cut, mesh};
use crate::pairs::random_turn;
use crate::{UPRIGHT, floor, near, ready};

pub(crate) const RADIUS: f64 = 1e-3;
/// Half the edge of the stones.
pub(crate) const HALF: f64 = 2e-3;
const YOUNG: f64 = 1e7;
const ADHESION: f64 = 0.5;
const TENSION: f64 = 0.07;
const VOLUME: f64 = 1e-12;
/// What is so heavy does not move.
const HEAVY: f64 = 1e15;

pub(crate) fn modulus() -> f64 {
    YOUNG / (2.0 * (1.0 - 0.25 * 0.25))
}

pub(crate) fn grain(restitution: f64, friction: f64) -> Material {
    Material {
        name: "grain".into(),
        k_n: Some(2e3),
        young: Some(YOUNG),
        restitution,
        friction,
        rolling_friction: 0.1 * friction,
        twisting_friction: 0.1 * friction,
        adhesion: Some(ADHESION),
        surface_tension: Some(TENSION),
        bridge_volume: Some(VOLUME),
        ..Material::default()
    }
}

pub(crate) fn under<const D: usize>(
    law: LawKind,
    material: Material,
    settings: Settings<D>,
    walls: Vec<Wall<D>>,
) -> Simulation<D> {
    Simulation::new(settings, Materials::new(law, vec![material]).unwrap(), walls).unwrap()
}

/// A square or a cube, and its size.
pub(crate) fn block<const D: usize>() -> (Shape<D>, f64) {
    let corner = |k: usize| std::array::from_fn(|axis| if k >> axis & 1 == 0 { -HALF } else { HALF });
    let corners: Vec<[f64; D]> = (0..1 << D).map(corner).collect();
    let built = shape::from_vertices("block", &corners).unwrap();
    (built.shape, built.size)
}

pub(crate) fn up<const D: usize>(height: f64) -> [f64; D] {
    std::array::from_fn(|axis| if axis == D - 1 { height } else { 0.0 })
}

/// What a body is thrown at.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Target {
    Plane,
    /// The upper face of a heavy stone.
    Face,
}

/// A body above a plane, or above the face of a stone, that is to meet it aslant and spinning.
fn throw<const D: usize>(
    law: LawKind,
    target: Target,
    material: &Material,
    thrown: &Shape<D>,
    speed: f64,
    step: f64,
) -> Simulation<D> {
    let settings = Settings { time_step: step, force_step: true, ..Settings::default() };
    let plane = Wall::new("plane", Surface::Plane { point: [0.0; D], normal: up(1.0) });
    let walls = if target == Target::Plane { vec![plane] } else { vec![] };
    let mut simulation = under(law, material.clone(), settings, walls);
    let thrown = simulation.add_shape(thrown.clone()).unwrap();
    let (stone, size) = block::<D>();
    let stone = simulation.add_shape(stone).unwrap();
    let slides = if material.friction > 0.0 { 0.7 * speed } else { 0.0 };
    let mut place: [f64; D] = up(RADIUS + 1e-6);
    place[0] = 0.3 * HALF;
    let mut body = NewBody::shaped(thrown, place, RADIUS, UPRIGHT);
    body.velocity = up(-speed);
    body.velocity[0] = slides;
    body.spin[2] = 0.3 * slides / RADIUS;
    simulation.insert(&[body]).unwrap();
    if target == Target::Face {
        let stone = NewBody::shaped(stone, up(-HALF), size, UPRIGHT);
        simulation.insert(&[NewBody { mass: Some(HEAVY), ..stone }]).unwrap();
    }
    simulation
}

/// Place, velocity and spin of the body that was inserted first.
pub(crate) fn motion<const D: usize>(simulation: &Simulation<D>) -> ([f64; D], [f64; D], [f64; 3]) {
    let row = simulation.bodies().id.iter().position(|id| *id == 0).unwrap();
    let (velocity, spin) = (simulation.velocities().nth(row).unwrap(), simulation.spins().nth(row).unwrap());
    (simulation.bodies().position[row], velocity, spin)
}

fn speed_of<const D: usize>() -> f64 {
    if D == 2 { 0.05 } else { 0.5 }
}

/// The same way, contact by contact, as on the plane; returns the largest differences over radius and speed.
fn compare<const D: usize>(law: LawKind, material: &Material, thrown: &Shape<D>, share: f64) {
    let speed = share * speed_of::<D>();
    let make = |target, step| throw(law, target, material, thrown, speed, step);
    let step = 0.5 * make(Target::Face, 1e-9).stiffest().unwrap().step();
    let [mut plane, mut face] = [Target::Plane, Target::Face].map(|target| make(target, step));
    let (mut touched, mut worst, mut away) = (0, 0.0f64, 0);
    while away < 50 && touched < 3000 {
        plane.advance().unwrap();
        face.advance().unwrap();
        let (expected, found) = (motion(&plane), motion(&face));
        for k in 0..D {
            assert!((found.0[k] - expected.0[k]).abs() < 1e-9 * RADIUS, "{law:?}: {found:?} {expected:?}");
            assert!((found.1[k] - expected.1[k]).abs() < 1e-9 * speed, "{law:?}: {found:?} {expected:?}");
        }
        for k in 0..3 {
            let difference = (found.2[k] - expected.2[k]).abs() * RADIUS;
            assert!(difference < 1e-9 * speed, "{law:?}: {found:?} {expected:?}");
        }
        let (on_face, on_plane) = (face.contacts(), plane.contacts());
        assert_eq!(on_face.len(), on_plane.len(), "{law:?} after {} steps", plane.steps());
        for (one, other) in on_face.iter().zip(on_plane) {
            assert!((one.overlap - other.overlap).abs() < 1e-9 * RADIUS, "{law:?}");
            assert!((one.energy - other.energy).abs() < 1e-8 * other.energy.abs() + 1e-18, "{law:?}");
        }
        touched += usize::from(!on_face.is_empty());
        away = if on_face.is_empty() && touched > 0 { away + 1 } else { 0 };
        worst = worst.max(face.ledger().error());
    }
    assert!(touched > 20 && worst < 1e-3, "{law:?} {share}: {touched} {worst}");
}

pub(crate) fn clump<const D: usize>() -> Shape<D> {
    let mut aside: [f64; D] = up(0.3);
    aside[0] = 0.9;
    shape::from_spheres("clump", &[([0.0; D], 1.0), (aside, 0.8)]).unwrap().shape
}

/// Bounces, and slow ones that stick. Without friction, whose arm ends at the surface of a wall, and at the middle of the overlap of
/// two bodies.
#[test]
fn a_ball_meets_a_face_as_it_meets_a_plane() {
    for &law in LawKind::ALL {
        for (restitution, share) in [(1.0, 1.0), (0.6, 1.0), (0.6, 0.02)] {
            let material = grain(restitution, 0.0);
            compare::<2>(law, &material, &Shape::ball(), share);
            compare::<3>(law, &material, &Shape::ball(), share);
        }
    }
}

/// The balls of a clump, too, whose arm ends at the middle everywhere: with friction, aslant and spinning.
#[test]
fn a_clump_meets_a_face_as_it_meets_a_plane() {
    for &law in LawKind::ALL {
        for share in [1.0, 0.02] {
            compare::<2>(law, &grain(0.6, 0.4), &clump(), share);
            compare::<3>(law, &grain(0.6, 0.4), &clump(), share);
        }
    }
}

/// Not in the way of planes: on a flat of triangles, bounces and necks, books close and the motion is that on a plane.
#[test]
fn a_clump_meets_facets_as_it_meets_a_plane() {
    for &law in LawKind::ALL {
        for share in [1.0, 0.02] {
            let make = |facets: bool, step: f64| {
                let settings = Settings { time_step: step, force_step: true, ..Settings::default() };
                let plane = floor([0.0, 0.0, 1.0]);
                let flat = mesh(cut([-9e-3, -9e-3, 0.0], [[2e-2, 0.0, 0.0], [0.0, 2e-2, 0.0]], 300, 1));
                let walls = vec![if facets { flat } else { plane }];
                let mut simulation = under(law, grain(0.6, 0.4), settings, walls);
                let shape = simulation.add_shape(clump()).unwrap();
                let mut body = NewBody::shaped(shape, up(RADIUS + 1e-6), RADIUS, UPRIGHT);
                body.velocity = [0.3 * share, 0.1 * share, -0.5 * share];
                body.spin = [0.0, 90.0 * share, 0.0];
                simulation.insert(&[body]).unwrap();
                simulation
            };
            let step = 0.5 * make(false, 1e-9).stiffest().unwrap().step();
            let [mut plane, mut flat] = [false, true].map(|facets| make(facets, step));
            let mut worst = 0.0f64;
            for _ in 0..2000 {
                plane.advance().unwrap();
                flat.advance().unwrap();
                worst = worst.max(flat.ledger().error());
                let (expected, found) = (motion(&plane), motion(&flat));
                for k in 0..3 {
                    let off = (found.0[k] - expected.0[k]).abs();
                    assert!(off < 1e-9 * RADIUS, "{law:?} {share}: {found:?} {expected:?}");
                }
            }
            assert!(worst < 1e-3, "{law:?} {share}: {worst}");
        }
    }
}

/// The strongest pull of a ball that leaves a face, and the gaps between which it lets go.
fn pull_off<const D: usize>(law: LawKind) -> (f64, Range<f64>) {
    let (material, speed) = (grain(1.0, 0.0), speed_of::<D>());
    let make = |step| throw::<D>(law, Target::Face, &material, &Shape::ball(), speed, step);
    let mut simulation = make(0.05 * make(1e-9).stiffest().unwrap().step());
    let mut held: Vec<[f64; 2]> = Vec::new();
    loop {
        simulation.advance().unwrap();
        let gap = motion(&simulation).0[D - 1] - RADIUS;
        if let Some(contact) = simulation.contacts().first() {
            held.push([gap, -contact.push]);
        } else if let Some([last, _]) = held.last() {
            // Next to a leap, forces act for longer or shorter than a step.
            let pulls = held[1..held.len() - 2].iter().map(|[_, pull]| *pull);
            return (pulls.fold(0.0, f64::max), *last..gap);
        }
    }
}

#[test]
fn faces_hold_balls_as_closed_forms_say() {
    let jkr = 1.5 * PI * ADHESION * RADIUS;
    let area = (2.0 * PI * ADHESION * RADIUS * RADIUS / modulus()).cbrt();
    let gap = 0.75 * 4f64.cbrt().recip() * area * area / RADIUS;
    for (pull, end) in [pull_off::<2>(LawKind::Jkr), pull_off::<3>(LawKind::Jkr)] {
        near(pull, jkr, 2e-3, "pull-off force of jkr");
        assert!(end.contains(&gap) && end.start > 0.95 * gap, "{end:?} {gap}");
    }
    for (pull, end) in [pull_off::<2>(LawKind::Dmt), pull_off::<3>(LawKind::Dmt)] {
        near(pull, 2.0 * PI * ADHESION * RADIUS, 2e-2, "pull-off force of dmt");
        assert!(end.contains(&0.0), "{end:?}");
    }
    for (pull, end) in [pull_off::<2>(LawKind::Bridge), pull_off::<3>(LawKind::Bridge)] {
        near(pull, 4.0 * PI * RADIUS * TENSION, 2e-2, "force of a bridge");
        assert!(end.contains(&VOLUME.cbrt()) && end.start > 0.99 * VOLUME.cbrt(), "{end:?}");
    }
    for law in [LawKind::Linear, LawKind::Hertz] {
        assert_eq!(pull_off::<3>(law).0, 0.0);
    }
}

/// A ball rolls to the edge of a stone that lies on a plane, over it, and down. Its force changes little by little.
#[test]
fn a_ball_rolls_over_an_edge() {
    for &law in LawKind::ALL {
        let make = |step: f64| {
            let gravity = [0.0, 0.0, -9.81];
            let settings = Settings { gravity, time_step: step, force_step: true, ..Settings::default() };
            let material = Material { rolling_friction: 0.0, adhesion: Some(2e-3), ..grain(0.3, 0.5) };
            let material = Material { surface_tension: Some(1e-3), ..material };
            let (stone, size) = block::<3>();
            let weight = 9.81 * material.density * 8.0 * HALF * HALF * HALF;
            let point = up(-2.0 * HALF + weight / material.k_n.unwrap());
            let plane = Wall::new("plane", Surface::Plane { point, normal: up(1.0) });
            let mut simulation = under(law, material, settings, vec![plane]);
            let stone = simulation.add_shape(stone).unwrap();
            let mut ball = NewBody::ball([0.5 * HALF, 0.0, RADIUS], RADIUS);
            (ball.velocity, ball.spin) = ([0.08, 0.01, 0.0], [-10.0, 80.0, 0.0]);
            simulation.insert(&[ball, NewBody::shaped(stone, up(-HALF), size, UPRIGHT)]).unwrap();
            simulation
        };
        let mut simulation = make(make(1e-9).stiffest().unwrap().step());
        let weight = 9.81 * 2500.0 * 4.0 / 3.0 * PI * RADIUS * RADIUS * RADIUS;
        let (mut worst, mut leap, mut before, mut round) = (0.0f64, 0.0f64, None, false);
        while simulation.time() < 0.06 {
            simulation.advance().unwrap();
            worst = worst.max(simulation.ledger().error());
            let with_stone = |contact: &&ContactRecord<3>| contact.b == Partner::Body(1);
            let contact = simulation.contacts().iter().find(with_stone);
            let push = contact.map(|contact| contact.push);
            round |= contact.is_some_and(|contact| contact.normal[0] < -0.3 && contact.normal[2] < -0.3);
            if let (Some(push), Some(before), true) = (push, before, simulation.time() > 0.005) {
                leap = leap.max(f64::abs(push - before) / weight);
            }
            before = push;
        }
        assert!(round && motion(&simulation).0[2] < -HALF, "{law:?}: {:?}", motion(&simulation));
        assert!(worst < 1e-3, "{law:?}: {worst}");
        assert!(leap < 0.05, "{law:?}: {leap}");
    }
}

/// Balls and stones that meet at random, anywhere on their surface: momentum, angular momentum and energy.
#[test]
fn collisions_of_balls_and_stones_close_their_books() {
    let mut random = Random::new(8);
    for &law in LawKind::ALL {
        let (mut met, mut worst) = (0, 0.0f64);
        for case in 0..24 {
            let material = grain([1.0, 0.5][case % 2], [0.0, 0.5][case / 2 % 2]);
            let make = |step: f64, random: &mut Random| {
                let settings = Settings { time_step: step, force_step: true, ..Settings::default() };
                let mut simulation = under(law, material.clone(), settings, vec![]);
                let stone = ["tetrahedron", "cube", "fourteen"][random.below(3)];
                let stone = simulation.add_shape(ready(stone)).unwrap();
                let thrown = if random.below(2) == 0 { Shape::ball() } else { clump() };
                let thrown = simulation.add_shape(thrown).unwrap();
                let bodies = [(stone, -1.0), (thrown, 1.0)].map(|(shape, side)| {
                    let mut aside = || random.uniform(-0.7, 0.7) * RADIUS;
                    let position = [side * 2.0 * RADIUS, aside(), aside()];
                    let mut body = NewBody::shaped(shape, position, RADIUS, random_turn(random));
                    body.velocity = [-side * 0.2, random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02)];
                    body.spin = std::array::from_fn(|_| random.uniform(-20.0, 20.0));
                    body
                });
                simulation.insert(&bodies).unwrap();
                simulation
            };
            let step = make(1e-9, &mut random.clone()).stiffest().unwrap().step();
            let mut simulation = make(step, &mut random);
            simulation.prepare().unwrap();
            let (before, mut touched) = (simulation.momentum(), false);
            while simulation.time() < 0.015 {
                simulation.advance_by(10).unwrap();
                touched |= !simulation.contacts().is_empty();
                worst = worst.max(simulation.ledger().error());
            }
            met += u32::from(touched);
            let (after, scale) = (simulation.momentum(), 4.0 * 2500.0 * RADIUS.powi(3) * 0.2);
            for k in 0..3 {
                let differences = [after.0[k] - before.0[k], (after.1[k] - before.1[k]) / RADIUS];
                assert!(
                    differences.iter().all(|by| by.abs() < 1e-11 * scale),
                    "{law:?} {case}: {before:?} {after:?}"
                );
            }
        }
        assert!(met > 15 && worst < 1e-3, "{law:?}: {met} {worst}");
    }
}
