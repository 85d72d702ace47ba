//! What is reported is what was applied.

use std::collections::HashMap;

use riprap::dem::wall::{Facets, Phase, Surface, Wall};
use riprap::dem::{
    ContactRecord, Domain, LawKind, Load, Material, NewBody, Partner, Settings, Simulation, stress,
};

use crate::{G, ball, floor, material, resting, simulation, turning};

/// A stone with what every law asks for.
fn stone_of(adhesion: f64) -> Material {
    let (adhesion, bridge_volume) = (Some(adhesion), Some(1e-12));
    Material { adhesion, surface_tension: adhesion, bridge_volume, ..material("stone") }
}

/// Sum of what the records say was done to each body.
fn loads<const D: usize>(records: &[ContactRecord<D>]) -> HashMap<u64, Load<D>> {
    let mut loads: HashMap<u64, Load<D>> = HashMap::new();
    for record in records {
        let load = Load { force: record.force, torque: record.torque_a };
        *loads.entry(record.a).or_insert(Load::NONE) += load;
        if let Partner::Body(b) = record.b {
            let load = Load { force: record.force.map(|x| -x), torque: record.torque_b };
            *loads.entry(b).or_insert(Load::NONE) += load;
        }
    }
    loads
}

fn assert_records_add_up<const D: usize>(simulation: &Simulation<D>, at_least: usize) {
    let (loads, bodies) = (loads(simulation.contacts()), simulation.bodies());
    assert!(simulation.contacts().len() >= at_least, "{}", simulation.contacts().len());
    let (pairs, walls) = simulation.contact_counts();
    assert_eq!(simulation.contacts().len(), pairs + walls);
    let largest = |vector: &[f64]| vector.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
    let scale = bodies.load.iter().map(|load| largest(&load.force)).fold(0.0, f64::max);
    for (id, load) in bodies.id.iter().zip(&bodies.load) {
        let told = loads.get(id).copied().unwrap_or(Load::NONE);
        for k in 0..D {
            assert!((told.force[k] - load.force[k]).abs() < 1e-12 * scale, "{id}: {told:?} {load:?}");
        }
        for k in 0..3 {
            assert!((told.torque[k] - load.torque[k]).abs() < 1e-12 * scale, "{id}: {told:?} {load:?}");
        }
    }
    let stored: f64 = simulation.contacts().iter().map(|record| record.energy).sum();
    let ledger = simulation.ledger();
    let whole = ledger.elastic + ledger.attraction;
    assert!((stored / whole - 1.0).abs() < 1e-12, "{stored} {whole}");
}

/// A crystal whose bodies overlap their neighbours and turn at random, in a periodic box: contacts across parts and images.
fn crystal<const D: usize>(law: LawKind, side: usize) -> Simulation<D> {
    let stone = Material { friction: 0.5, rolling_friction: 0.02, ..stone_of(0.1) };
    let spacing = 0.0198;
    let domain = Domain::periodic([0.0; D], [side as f64 * spacing; D]);
    let settings = Settings { time_step: 2e-6, domain, overlap_limit: 0.5, ..Settings::default() };
    let mut simulation = simulation(law, settings, &[stone], vec![]);
    let mut random = riprap::Random::new(6);
    let bodies: Vec<_> = (0..side.pow(D as u32))
        .map(|mut index| {
            let position = std::array::from_fn(|_| {
                let place = index % side;
                index /= side;
                place as f64 * spacing + random.uniform(0.0, 1e-4)
            });
            let velocity = std::array::from_fn(|_| random.uniform(-0.1, 0.1));
            turning(ball(position, velocity, 0.01), &mut random)
        })
        .collect();
    simulation.insert(&bodies).unwrap();
    simulation
}

#[test]
fn the_records_of_a_body_add_up_to_its_load() {
    for &law in LawKind::ALL {
        let mut disks = crystal::<2>(law, 40);
        disks.advance_by(20).unwrap();
        assert_records_add_up(&disks, 3000);
        let mut balls = crystal::<3>(law, 12);
        balls.advance_by(20).unwrap();
        assert_records_add_up(&balls, 5000);
    }
}

/// Balls between a floor and a lid that presses them together and then stands still.
pub(crate) fn pressed(law: LawKind) -> Simulation<3> {
    let stone =
        Material { friction: 0.3, restitution: 0.3, young: Some(1e7), k_n: Some(1e5), ..stone_of(0.1) };
    let (radius, side) = (0.01, 6);
    let length = 2.1 * radius * f64::from(side);
    let domain = Domain {
        min: [0.0, 0.0, f64::NEG_INFINITY],
        max: [length, length, f64::INFINITY],
        periodic: [true, true, false],
        ..Domain::default()
    };
    let settings = Settings { time_step: 5e-6, domain, overlap_limit: 0.5, ..Settings::default() };
    let height = 0.3;
    let end = 0.15;
    let motion =
        vec![Phase { start: 0.0, end, velocity: [0.0, 0.0, -0.98], spin: [0.0; 3], center: [0.0; 3] }];
    let lid = Surface::Plane { point: [0.0, 0.0, height], normal: [0.0, 0.0, -1.0] };
    let walls = vec![floor([0.0, 0.0, 1.0], 0), Wall { motion, ..Wall::new("lid", lid) }];
    let mut simulation = simulation(law, settings, &[stone], walls);
    let mut random = riprap::Random::new(9);
    let bodies: Vec<_> = (0..side * side * 10)
        .map(|index| {
            let place = [index % side, index / side % side, index / side / side].map(f64::from);
            let mut position = place.map(|k| 2.1 * radius * k + 1.05 * radius);
            for x in &mut position {
                *x += random.uniform(-0.04, 0.04) * radius;
            }
            ball(position, [0.0; 3], radius)
        })
        .collect();
    simulation.insert(&bodies).unwrap();
    simulation.advance_by(50_000).unwrap();
    simulation
}

#[test]
fn the_stress_of_a_pressed_bed_is_the_force_on_its_walls() {
    for &law in LawKind::ALL {
        let simulation = pressed(law);
        assert_records_add_up(&simulation, 600);
        let loads = simulation.wall_loads();
        let area = simulation.settings().domain.max[0].powi(2);
        let pressure = 0.5 * (loads[1].force[2] - loads[0].force[2]) / area;
        assert!(pressure > 100.0 && (loads[0].force[2] / -loads[1].force[2] - 1.0).abs() < 0.01, "{loads:?}");
        let lid = simulation.placements()[1].to_now([0.0, 0.0, 0.3])[2];
        let found = stress(simulation.contacts(), area * lid)[2][2];
        assert!((found / pressure - 1.0).abs() < 0.01, "{law:?}: {found} {pressure}");
        // The bed as a whole takes the extent of its balls, which overlap floor and lid.
        let over = simulation.measures().stress[2][2] * simulation.volume() / (area * lid);
        assert!((over / found - 1.0).abs() < 1e-12, "{law:?}: {over} {found}");
        let strongest = simulation.measures().max_force;
        assert!(strongest > pressure * 4.0 * 0.01 * 0.01 && strongest < loads[1].force[2]);
    }
}

#[test]
fn a_ball_at_rest_presses_with_its_weight() {
    let stone = Material { friction: 0.5, restitution: 0.5, ..stone_of(0.0) };
    for &law in LawKind::ALL {
        let mut simulation = resting(law, &stone, [0.0, 0.0, -G], floor([0.0, 0.0, 1.0], 0), 1e-5);
        simulation.advance_by(100).unwrap();
        let weight = G / simulation.bodies().seen[0].inverse_mass;
        let [record] = simulation.contacts() else { panic!("{:?}", simulation.contacts()) };
        assert_eq!((record.a, record.b, record.normal), (0, Partner::Wall(0), [-0.0, -0.0, -1.0]));
        assert!((record.push / weight - 1.0).abs() < 1e-9, "{law:?}: {record:?}");
        assert!((simulation.wall_loads()[0].force[2] / -weight - 1.0).abs() < 1e-9);
        assert!(record.point[2].abs() < 1e-12 && (record.branch[2] + 0.01).abs() < 1e-4);
    }
}

/// The same two balls, with first and second exchanged.
#[test]
fn exchange_of_first_and_second_negates_the_force_to_the_bit() {
    let stone = Material { friction: 0.4, rolling_friction: 0.05, restitution: 0.7, ..stone_of(0.1) };
    for &law in LawKind::ALL {
        let pair = [
            NewBody { spin: [3.0, -20.0, 7.0], ..ball([0.0, 0.001, 0.002], [0.2, -0.03, 0.01], 0.01) },
            NewBody { spin: [-8.0, 5.0, 12.0], ..ball([0.0165, 0.002, 0.0], [-0.1, 0.02, 0.05], 0.007) },
        ];
        let run = |bodies: [NewBody<3>; 2]| {
            let settings = Settings { time_step: 2e-6, ..Settings::default() };
            let mut simulation = simulation(law, settings, std::slice::from_ref(&stone), vec![]);
            simulation.insert(&bodies).unwrap();
            simulation.advance_by(20).unwrap();
            let [record] = simulation.contacts() else { panic!("no contact") };
            assert!(record.overlap > 0.0 && record.torque_a != [0.0; 3]);
            *record
        };
        let (one, other) = (run(pair), run([pair[1], pair[0]]));
        assert_eq!((one.a, one.b, other.a, other.b), (0, Partner::Body(1), 0, Partner::Body(1)));
        assert_eq!(one.force, other.force.map(|x| -x), "{law:?}");
        assert_eq!(one.normal, other.normal.map(|x| -x));
        assert_eq!((one.torque_a, one.torque_b), (other.torque_b, other.torque_a));
        assert_eq!((one.overlap, one.push, one.energy), (other.overlap, other.push, other.energy));
    }
}

/// A ball that touches the image of a turning plate feels what one feels that touches the plate itself, and so does the plate.
#[test]
fn an_image_of_a_turning_mesh_acts_like_the_mesh() {
    let stone = Material { friction: 0.5, restitution: 0.5, ..material("stone") };
    let run = |x: f64| {
        let corner = |x: f64, y: f64| [x, y, 0.0];
        let (a, b, c, d) = (corner(-0.1, -0.1), corner(0.1, -0.1), corner(0.1, 0.1), corner(-0.1, 0.1));
        let plate = Facets::new(vec![[a, b, c], [a, c, d]], false).unwrap();
        let motion = vec![Phase {
            start: 0.0,
            end: f64::INFINITY,
            velocity: [0.0; 3],
            spin: [0.0, 0.0, 2.0],
            center: [0.0; 3],
        }];
        let plate = Wall { motion, ..Wall::new("plate", Surface::Facets(plate)) };
        let domain = Domain {
            min: [-0.25, f64::NEG_INFINITY, f64::NEG_INFINITY],
            max: [0.25, f64::INFINITY, f64::INFINITY],
            periodic: [true, false, false],
            ..Domain::default()
        };
        let settings = Settings { gravity: [0.0, 0.0, -G], time_step: 1e-5, domain, ..Settings::default() };
        let mut simulation = simulation(LawKind::Hertz, settings, std::slice::from_ref(&stone), vec![plate]);
        simulation.insert(&[ball([x, 0.0, 0.00999], [0.0; 3], 0.01)]).unwrap();
        simulation.advance_by(300).unwrap();
        let [record] = simulation.contacts() else { panic!("{:?}", simulation.contacts()) };
        assert_eq!(simulation.wall_loads()[0].torque, record.torque_b);
        (simulation.wall_loads()[0], record.force)
    };
    // Home, and where only the image of the plate, one length away, can be touched: half of it is beyond the border.
    let (home, force) = run(0.08);
    let expected = force[0] * 0.0 - force[1] * 0.08;
    assert!((home.torque[2] / expected - 1.0).abs() < 0.01, "{home:?} {force:?}");
    assert!(force[1] > 0.0, "the plate turns and drags the ball along: {force:?}");
    let shifted = run(0.08 - 0.5);
    for k in 0..3 {
        assert!((shifted.1[k] - force[k]).abs() < 1e-9 * force[2], "{shifted:?} {force:?}");
        assert!((shifted.0.torque[k] - home.torque[k]).abs() < 1e-9 * force[2], "{shifted:?} {home:?}");
    }
}
