//! Known solutions: impacts, sliding, rolling, conservation, cooling.

mod adhesion;
mod changes;
mod gases;
mod impacts;
mod ledger;
#[path = "../common/long.rs"]
mod long;
mod overlaps;
mod probes;
mod processes;
mod records;
mod refused;
mod rolling;
mod sameness;
mod sticky_impacts;
mod walls;

use riprap::Random;
use riprap::dem::wall::{Surface, Wall};
use riprap::dem::{Domain, LawKind, Material, Materials, NewBody, Settings, Simulation};
use riprap::packing;

const G: f64 = 9.81;

fn material(name: &str) -> Material {
    Material { name: name.into(), density: 2500.0, k_n: Some(1e6), young: Some(1e8), ..Material::default() }
}

fn ball<const D: usize>(position: [f64; D], velocity: [f64; D], radius: f64) -> NewBody<D> {
    NewBody::ball(position, radius).moving(velocity)
}

/// The same body with a random spin.
fn turning<const D: usize>(mut body: NewBody<D>, random: &mut Random) -> NewBody<D> {
    for k in if D == 2 { 2..3 } else { 0..3 } {
        body.spin[k] = random.uniform(-20.0, 20.0);
    }
    body
}

fn simulation<const D: usize>(
    law: LawKind,
    settings: Settings<D>,
    materials: &[Material],
    walls: Vec<Wall<D>>,
) -> Simulation<D> {
    Simulation::new(settings, Materials::new(law, materials.to_vec()).unwrap(), walls).unwrap()
}

fn floor<const D: usize>(normal: [f64; D], material: u8) -> Wall<D> {
    Wall { material, ..Wall::new("floor", Surface::Plane { point: [0.0; D], normal }) }
}

/// On a pool of so many threads.
fn on_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

fn gas<const D: usize>(
    law: LawKind,
    count: usize,
    fraction: f64,
    stone: &Material,
    step: f64,
    seed: u64,
) -> Simulation<D> {
    let mut random = Random::new(seed);
    let radii = packing::power_law_radii(count, -2.0, 0.005, 2.0, &mut random);
    let edge = packing::edge_for_fraction::<D>(&radii, fraction);
    let columns = packing::without_overlap::<D>(radii, edge, &mut random).unwrap();
    let domain = Domain::periodic([0.0; D], [edge; D]);
    let settings = Settings { time_step: step, domain, ..Settings::default() };
    let mut simulation = simulation::<D>(law, settings, std::slice::from_ref(stone), vec![]);
    let bodies: Vec<_> = columns
        .centers
        .iter()
        .zip(&columns.radii)
        .map(|(center, radius)| {
            let velocity = std::array::from_fn(|_| random.uniform(-0.3, 0.3));
            turning(ball(*center, velocity, *radius), &mut random)
        })
        .collect();
    simulation.insert(&bodies).unwrap();
    simulation
}

/// A ball at rest on the floor of its own accord: as deep as its weight pushes it.
fn resting<const D: usize>(
    law: LawKind,
    stone: &Material,
    gravity: [f64; D],
    floor: Wall<D>,
    step: f64,
) -> Simulation<D> {
    let settings = Settings { time_step: step, gravity, ..Settings::default() };
    let mut simulation = simulation::<D>(law, settings, std::slice::from_ref(stone), vec![floor]);
    let radius = 0.01;
    let weight = stone.density * packing::ball_volume::<D>(radius) * gravity[D - 1].abs();
    let modulus = stone.young.unwrap() / (2.0 * (1.0 - stone.poisson * stone.poisson));
    let depth = match law {
        LawKind::Linear => weight / stone.k_n.unwrap(),
        _ => (0.75 * weight / (modulus * radius.sqrt())).powf(2.0 / 3.0),
    };
    let mut position = [0.0; D];
    position[D - 1] = radius - depth;
    simulation.insert(&[ball(position, [0.0; D], radius)]).unwrap();
    simulation
}
