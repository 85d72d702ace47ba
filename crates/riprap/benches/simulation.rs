//! `cargo bench --bench simulation`: what the simulator promises, measured.
//!
//! A settled bed (time per particle-step, two threads against one, memory), and the free cooling of Krijgsman, Ogarko and Luding
//! (2014) with a search in every step: their five levels against one, and the default beside them. Without `--bench` (as in
//! `cargo test`) everything is small.

use std::time::Instant;

use riprap::dem::wall::{Surface, Wall};
use riprap::dem::{Domain, LawKind, Material, Materials, NewBody, Settings, Simulation};
use riprap::{Random, machine, packing};

fn main() {
    let full = std::env::args().any(|argument| argument == "--bench");
    if full {
        println!("machine: {}\ncommand: cargo bench --bench simulation\n", machine::describe());
    }
    for (count, settling, steps) in
        if full { [(10_000, 60_000, 1000), (100_000, 30_000, 200)] } else { [(500, 200, 10); 2] }
    {
        bed(count, settling, steps);
    }
    cooling(if full { 10_000 } else { 500 }, if full { 200 } else { 5 });
}

/// The best of some blocks of steps, in seconds per step.
fn best<const D: usize>(simulation: &mut Simulation<D>, steps: u64) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        simulation.advance_by(steps).expect("sound physics");
        best = best.min(start.elapsed().as_secs_f64());
    }
    best / steps as f64
}

/// A simulation of one material with the linear law.
fn linear<const D: usize>(settings: &Settings<D>, material: &Material, wall: &Wall<D>) -> Simulation<D> {
    let materials = Materials::new(LawKind::Linear, vec![material.clone()]).expect("a sound material");
    Simulation::new(settings.clone(), materials, vec![wall.clone()]).expect("a sound scene")
}

/// On a pool of so many threads.
fn on_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(run)
}

/// Equal spheres that have fallen from a lattice onto a floor, in a box that is periodic sideways. Units of the spheres'
/// diameter, mass and weight.
fn bed(count: usize, settling: u64, steps: u64) {
    let grain = Material {
        density: 6.0 / std::f64::consts::PI,
        k_n: Some(2e5),
        restitution: 0.5,
        friction: 0.5,
        ..Material::default()
    };
    let side = (count as f64).cbrt().round() as usize;
    let length = side as f64 * 1.05;
    let settings = Settings {
        gravity: [0.0, 0.0, -1.0],
        time_step: 1e-4,
        domain: Domain {
            min: [0.0, 0.0, -1.0],
            max: [length, length, 1e3],
            periodic: [true, true, false],
            ..Domain::default()
        },
        ..Settings::default()
    };
    let floor = Wall::new("floor", Surface::Plane { point: [0.0; 3], normal: [0.0, 0.0, 1.0] });
    let mut random = Random::new(1);
    let bodies: Vec<NewBody<3>> = (0..count)
        .map(|index| {
            let place = [index % side, index / side % side, index / side / side].map(|k| k as f64);
            let shift = [random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02)];
            let position =
                [1.05 * place[0] + 0.5 + shift[0], 1.05 * place[1] + 0.5 + shift[1], 1.03 * place[2] + 0.55];
            NewBody { mass: Some(1.0), ..NewBody::ball(position, 0.5) }
        })
        .collect();
    let mut simulation = linear(&settings, &grain, &floor);
    simulation.insert(&bodies).expect("sound bodies");
    simulation.advance_by(settling).expect("sound physics");
    let state = simulation.state();
    drop(simulation);
    let mut times = Vec::new();
    for threads in [1, 2] {
        let mut simulation = linear(&settings, &grain, &floor);
        simulation.restore(state.clone()).expect("the state of such a simulation");
        let (simulation, seconds) = on_threads(threads, || {
            let seconds = best(&mut simulation, steps);
            (simulation, seconds)
        });
        times.push(seconds);
        if threads == 1 {
            let spent = simulation.time_spent();
            let all = spent.broad + spent.narrow + spent.force + spent.motion;
            let share = |part: std::time::Duration| 100.0 * part.as_secs_f64() / all.as_secs_f64();
            println!(
                "bed of {count} after {settling} steps: {:.1} ns per particle-step, {:.2} contacts and {:.2} listed pairs per particle, {} bytes per \
                 particle\n  {:.0} % lists, {:.0} % which touch, {:.0} % forces, {:.0} % motion; energy error {:.1e}",
                1e9 * times[0] / count as f64,
                simulation.contact_counts().0 as f64 / count as f64,
                simulation.listed() as f64 / count as f64,
                simulation.bytes() / count,
                share(spent.broad),
                share(spent.narrow),
                share(spent.force),
                share(spent.motion),
                simulation.ledger().error()
            );
        }
    }
    println!("  two threads: {:.2} times one", times[0] / times[1]);
}

/// Disks of sizes 1 to 20 that fill 40 % of a box with walls, without friction.
fn cooling(count: usize, steps: u64) {
    let disk =
        Material { density: 1.0, k_n: Some(4e5), restitution: 0.9, friction: 0.0, ..Material::default() };
    let mut random = Random::new(1);
    let radii = packing::power_law_radii(count, -3.0, 1.0, 20.0, &mut random);
    let edge = packing::edge_for_fraction::<2>(&radii, 0.4);
    let columns = packing::without_overlap::<2>(radii, edge, &mut random).expect("room for all");
    let bodies: Vec<NewBody<2>> = columns
        .centers
        .iter()
        .zip(&columns.radii)
        .map(|(center, radius)| {
            let velocity = [random.uniform(-5.0, 5.0), random.uniform(-5.0, 5.0)];
            NewBody::ball(*center, *radius).moving(velocity)
        })
        .collect();
    println!("free cooling of {count} disks, one thread:");
    let mut first = None;
    for (name, method, skin) in [
        ("hgrid with one level of 40, in every step", "hgrid:levels=40", Some(0.0)),
        ("hgrid with five levels, in every step", "hgrid:levels=4.01/7.88/15.05/27.2/40", Some(0.0)),
        ("levels in every step", "levels", Some(0.0)),
        ("levels with a list (the default)", "levels", None),
    ] {
        let settings = Settings {
            time_step: 1.2e-4,
            domain: Domain { min: [-1.0; 2], max: [edge + 1.0; 2], ..Domain::default() },
            method: method.to_string(),
            skin,
            ..Settings::default()
        };
        let walls = Wall::new("box", Surface::Box { min: [0.0; 2], max: [edge; 2] });
        let mut simulation = linear(&settings, &disk, &walls);
        simulation.insert(&bodies).expect("sound bodies");
        simulation.advance_by(steps).expect("sound physics");
        let steps = if skin.is_none() { 10 * steps } else { steps };
        let seconds = on_threads(1, || best(&mut simulation, steps));
        let slowest = *first.get_or_insert(seconds);
        println!("  {name}: {:.3} ms per step, {:.1} times the first", 1e3 * seconds, slowest / seconds);
    }
}
