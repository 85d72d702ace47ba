//! Known solutions: impacts, sliding, rolling, conservation, cooling.

mod gases;
mod impacts;
mod rolling;
mod sameness;
mod walls;

use riprap::Random;
use riprap::dem::wall::{Shape, Wall};
use riprap::dem::{LawKind, Material, NewBody, PairValues, Settings, Simulation, Table};
use riprap::packing;

const G: f64 = 9.81;

fn material(name: &str) -> Material {
    Material { name: name.into(), density: 2500.0, k_n: Some(1e6), young: Some(1e8), ..Material::default() }
}

fn ball<const D: usize, const S: usize>(
    position: [f64; D],
    velocity: [f64; D],
    radius: f64,
    material: &Material,
) -> NewBody<D, S> {
    let mass = material.density * packing::ball_volume::<D>(radius);
    NewBody { position, velocity, spin: [0.0; S], radius, mass, material: 0 }
}

fn simulation<const D: usize, const S: usize>(
    settings: Settings<D>,
    materials: &[Material],
    walls: Vec<Wall<D, S>>,
) -> Simulation<D, S> {
    let table = Table::new(settings.law, materials, D, |_, _| PairValues::default(), |a, b| a == 0 || b == 0)
        .unwrap();
    Simulation::new(settings, table, walls).unwrap()
}

fn floor<const S: usize, const D: usize>(normal: [f64; D], material: u8) -> Wall<D, S> {
    let shape = Shape::Plane { point: [0.0; D], normal };
    Wall { name: "floor".into(), shape, material, motion: Vec::new(), center: [0.0; D] }
}

fn gas<const D: usize, const S: usize>(
    law: LawKind,
    count: usize,
    fraction: f64,
    stone: &Material,
    step: f64,
    seed: u64,
) -> Simulation<D, S> {
    let mut random = Random::new(seed);
    let radii = packing::power_law_radii(count, -2.0, 0.005, 2.0, &mut random);
    let edge = packing::edge_for_fraction::<D>(&radii, fraction);
    let columns = packing::without_overlap::<D>(radii, edge, &mut random).unwrap();
    let settings = Settings {
        law,
        time_step: step,
        min: [0.0; D],
        max: [edge; D],
        periodic: [true; D],
        ..Settings::default()
    };
    let mut simulation = simulation::<D, S>(settings, std::slice::from_ref(stone), vec![]);
    let bodies: Vec<_> = columns
        .centers
        .iter()
        .zip(&columns.radii)
        .map(|(center, radius)| {
            let velocity = std::array::from_fn(|_| random.uniform(-0.3, 0.3));
            NewBody {
                spin: std::array::from_fn(|_| random.uniform(-20.0, 20.0)),
                ..ball(*center, velocity, *radius, stone)
            }
        })
        .collect();
    simulation.insert(&bodies);
    simulation
}

/// A ball at rest on the floor of its own accord: as deep as its weight pushes it.
fn resting<const D: usize, const S: usize>(
    law: LawKind,
    stone: &Material,
    gravity: [f64; D],
    floor: Wall<D, S>,
    step: f64,
) -> Simulation<D, S> {
    let settings = Settings { law, time_step: step, gravity, ..Settings::default() };
    let mut simulation = simulation::<D, S>(settings, std::slice::from_ref(stone), vec![floor]);
    let radius = 0.01;
    let weight = stone.density * packing::ball_volume::<D>(radius) * gravity[D - 1].abs();
    let modulus = stone.young.unwrap() / (2.0 * (1.0 - stone.poisson * stone.poisson));
    let depth = match law {
        LawKind::Linear => weight / stone.k_n.unwrap(),
        LawKind::Hertz => (0.75 * weight / (modulus * radius.sqrt())).powf(2.0 / 3.0),
    };
    let mut position = [0.0; D];
    position[D - 1] = radius - depth;
    simulation.insert(&[ball(position, [0.0; D], radius, stone)]);
    simulation
}
