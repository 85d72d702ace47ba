//! Stones in containers and tools made of facets.

use riprap::Random;
use riprap::dem::wall::{Facets, Phase, Surface, Wall};
use riprap::dem::{NewBody, Settings, Simulation};

use crate::facets::{alone, cube, cut, mesh, settings};
use crate::long::long;
use crate::pairs::random_turn;
use crate::{EDGE, G, MASS, STIFFNESS, about, ready, rock, simulation};

/// The inside of a box as triangles, its sides cut at random.
fn mesh_box(min: [f64; 3], max: [f64; 3], cuts: usize) -> Wall<3> {
    let mut triangles = Vec::new();
    for axis in 0..3 {
        for far in [false, true] {
            let mut corner = min;
            let side = |k: usize| -> [f64; 3] {
                std::array::from_fn(|i| if i == k { max[k] - min[k] } else { 0.0 })
            };
            corner[axis] = if far { max[axis] } else { min[axis] };
            let sides = [side((axis + 1) % 3), side((axis + 2) % 3)];
            triangles.extend(cut(corner, sides, cuts, 10 + 2 * axis as u64 + u64::from(far)));
        }
    }
    mesh(triangles)
}

/// A cube thrown about in a box goes the same way, whatever the box is made of.
#[test]
fn a_box_of_triangles_is_a_box() {
    let (min, max) = ([0.0; 3], [0.13, 0.11, 0.12]);
    let run = |wall: Wall<3>| {
        let body = NewBody {
            velocity: [1.0, 0.8, -0.9],
            spin: [3.0, -20.0, 8.0],
            orientation: about([0.3, 0.5, 0.1], 0.7),
            ..cube([0.06, 0.055, 0.06])
        };
        let mut simulation = alone(ready("cube"), &settings([0.0; 3], 2e-6), (0.9, 0.3), vec![wall], body);
        let (mut worst, mut met) = (0.0f64, 0);
        for _ in 0..500 {
            simulation.advance_by(100).unwrap();
            worst = worst.max(simulation.ledger().error());
            met = met.max(simulation.contacts().len());
        }
        assert!(worst < 1e-3 && met > 0, "{worst} {met}");
        (simulation.bodies().position[0], simulation.velocities().next().unwrap())
    };
    let expected = run(Wall::new("box", Surface::Box { min, max }));
    for cuts in [2, 40] {
        let found = run(mesh_box(min, max, cuts));
        for k in 0..3 {
            assert!((found.0[k] - expected.0[k]).abs() < 1e-6, "{cuts}: {found:?} {expected:?}");
        }
    }
}

/// Stones of the paper's shapes above each other in a container.
fn heap(count: usize, edge: f64, walls: Vec<Wall<3>>) -> Simulation<3> {
    let settings = Settings { gravity: [0.0, 0.0, -G], time_step: 1.5e-5, ..Settings::default() };
    let mut simulation = simulation(settings, rock(0.3, 35f64.to_radians().tan()), walls);
    let shapes =
        ["tetrahedron", "pyramid", "cube", "fourteen"].map(|name| simulation.add_shape(ready(name)).unwrap());
    let (mut random, across) = (Random::new(11), (edge / 0.06) as usize);
    let bodies: Vec<_> = (0..count)
        .map(|k| {
            let place =
                [k % across, k / across % across, k / (across * across)].map(|k| 0.03 + 0.06 * k as f64);
            NewBody::shaped(shapes[k % 4], place, random.uniform(0.010, 0.0155), random_turn(&mut random))
        })
        .collect();
    simulation.insert(&bodies).unwrap();
    simulation
}

#[test]
fn a_heap_in_a_box_of_triangles_comes_to_rest() {
    let (count, edge) = if long() { (300, 0.25) } else { (40, 0.13) };
    let mut simulation = heap(count, edge, vec![mesh_box([0.0; 3], [edge, edge, 2.0], 60)]);
    crate::come_to_rest(&mut simulation);
    for position in &simulation.bodies().position {
        assert!((0..2).all(|k| position[k] > 0.0 && position[k] < edge) && position[2] > 0.0, "{position:?}");
    }
    let weight: f64 = simulation
        .bodies()
        .radius
        .iter()
        .map(|radius| G * crate::DENSITY * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3))
        .sum();
    crate::near(simulation.wall_loads()[0].force[2], -weight, 1e-6, "weight");
}

/// Five plates, open below, that dig into a heap with their edges, turn and lift.
fn bucket() -> Wall<3> {
    let (x, y, z) = (0.05, 0.05, 0.06);
    let mut triangles = cut([0.0, 0.0, z], [[x, 0.0, 0.0], [0.0, y, 0.0]], 8, 1);
    triangles.extend(cut([0.0; 3], [[0.0, y, 0.0], [0.0, 0.0, z]], 8, 2));
    triangles.extend(cut([x, 0.0, 0.0], [[0.0, y, 0.0], [0.0, 0.0, z]], 8, 3));
    triangles.extend(cut([0.0; 3], [[x, 0.0, 0.0], [0.0, 0.0, z]], 8, 4));
    triangles.extend(cut([0.0, y, 0.0], [[x, 0.0, 0.0], [0.0, 0.0, z]], 8, 5));
    let place = |corner: [f64; 3]| [corner[0] + 0.04, corner[1] + 0.04, corner[2] + 0.76];
    let triangles = triangles.into_iter().map(|triangle| triangle.map(place)).collect();
    let mut wall = Wall::new("bucket", Surface::Facets(Facets::new(triangles, false).unwrap()));
    let phase = |start: f64, end: f64, velocity: [f64; 3], spin: [f64; 3], center: [f64; 3]| Phase {
        start,
        end,
        velocity,
        spin,
        center,
    };
    wall.motion = vec![
        phase(0.35, 0.75, [0.0, 0.0, -1.6], [0.0; 3], [0.0; 3]),
        phase(0.75, 0.88, [0.0, 0.0, -0.4], [0.0; 3], [0.0; 3]),
        phase(0.88, 0.98, [0.09, 0.0, 0.15], [0.0, -0.9, 0.9], [0.065, 0.065, 0.06]),
        phase(0.98, 1.1, [0.0, 0.0, 0.8], [0.0; 3], [0.0; 3]),
    ];
    wall
}

#[test]
fn a_bucket_digs_into_a_heap() {
    let edge = 0.13;
    let container = Wall::new("box", Surface::Box { min: [0.0; 3], max: [edge, edge, 9.0] });
    let mut simulation = heap(if long() { 80 } else { 48 }, edge, vec![container, bucket()]);
    let (mut worst, mut pushed) = (0.0f64, 0.0f64);
    while simulation.time() < 1.15 {
        simulation.advance_by(500).unwrap();
        let ledger = simulation.ledger();
        worst = worst.max(ledger.error());
        let force = simulation.wall_loads()[1].force;
        pushed = pushed.max(force[2]);
        assert!(worst < 1e-3, "{} s: {worst} {ledger:?}", simulation.time());
    }
    assert!(pushed > 1.0, "{pushed}");
}

/// The force of a moving wall on a stone is the opposite of the stone's on it, and so is the torque.
#[test]
fn moving_and_turning_facets_are_felt_as_planes_are() {
    let run = |surface: Surface<3>| {
        let mut wall = Wall::new("floor", surface);
        wall.center = [0.1, 0.0, 0.0];
        wall.motion = vec![Phase {
            start: 0.0,
            end: 9.0,
            velocity: [0.05, 0.0, 0.02],
            spin: [0.1, -0.15, 0.4],
            center: [0.02, 0.01, 0.0],
        }];
        let body = NewBody { spin: [1.0, 0.0, 0.0], ..cube([0.0, 0.0, 0.5 * EDGE + 1e-4]) };
        let down = settings([0.0, 0.0, -G], 5e-6);
        let mut simulation = alone(ready("cube"), &down, (0.4, 0.5), vec![wall], body);
        for _ in 0..20 {
            simulation.advance_by(2000).unwrap();
            let ledger = simulation.ledger();
            assert!(ledger.error() < 1e-3, "{ledger:?}");
        }
        (simulation.bodies().position[0], simulation.wall_loads()[0], simulation.ledger().walls)
    };
    let expected = run(Surface::Plane { point: [0.0; 3], normal: [0.0, 0.0, 1.0] });
    let triangles = |cuts| cut([-0.3, -0.3, 0.0], [[0.6, 0.0, 0.0], [0.0, 0.6, 0.0]], cuts, 3);
    for one_sided in [true, false] {
        let found = run(Surface::Facets(Facets::new(triangles(100), one_sided).unwrap()));
        assert!((found.2 - expected.2).abs() < 1e-9 * expected.2.abs(), "{} {}", found.2, expected.2);
        for k in 0..3 {
            assert!((found.0[k] - expected.0[k]).abs() < 1e-9, "{:?} {:?}", found.0, expected.0);
            assert!((found.1.force[k] - expected.1.force[k]).abs() < 1e-5, "{:?} {:?}", found.1, expected.1);
            assert!(
                (found.1.torque[k] - expected.1.torque[k]).abs() < 1e-6,
                "{:?} {:?}",
                found.1,
                expected.1
            );
        }
    }
}

/// A wall with two sides holds from both.
#[test]
fn two_sides_hold() {
    let triangles = cut([-0.3, -0.3, 0.0], [[0.6, 0.0, 0.0], [0.0, 0.6, 0.0]], 30, 3);
    for up in [false, true] {
        let side = if up { -1.0 } else { 1.0 };
        let down = settings([0.0, 0.0, -side * G], 1e-5);
        let mut simulation = alone(
            ready("cube"),
            &down,
            (0.3, 0.5),
            vec![mesh(triangles.clone())],
            cube([0.0, 0.0, side * 0.03]),
        );
        simulation.advance_by(40_000).unwrap();
        let height = side * simulation.bodies().position[0][2];
        crate::near(height, 0.5 * EDGE - MASS * G / STIFFNESS, 1e-6, "height");
    }
}

/// Behind a wall with one side there is none.
#[test]
fn one_side_is_not_felt_from_behind() {
    let triangles = cut([-0.3, -0.3, 0.0], [[0.6, 0.0, 0.0], [0.0, 0.6, 0.0]], 30, 3);
    let wall = Wall::new("sheet", Surface::Facets(Facets::new(triangles, true).unwrap()));
    let body = NewBody { velocity: [0.3, 0.1, 0.0], ..cube([0.0, 0.0, -0.01]) };
    let mut simulation = alone(ready("cube"), &settings([0.0; 3], 1e-5), (0.3, 0.5), vec![wall], body);
    simulation.advance_by(4000).unwrap();
    assert_eq!(simulation.velocities().next(), Some([0.3, 0.1, 0.0]));
    assert_eq!(simulation.contact_counts(), (0, 0));
}

/// A mesh of many facets takes little memory for each.
#[test]
fn large_meshes_take_little_memory() {
    let count = 100_000;
    let facets = Facets::new(cut([0.0; 3], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], count, 1), false).unwrap();
    let each = facets.bytes() as f64 / facets.corners().len() as f64;
    assert!(each < 400.0, "{each}");
}
