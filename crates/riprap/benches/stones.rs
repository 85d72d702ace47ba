//! `cargo bench --bench stones`: stones at rest, measured.
//!
//! Settled heaps of the four shapes of the shortest-link paper (Nezami, Hashash, Zhao and Ghaboussi 2006) in a box: time per step, two
//! threads against one, memory, and the three methods of the common plane beside each other. Without `--bench` (as in `cargo test`)
//! everything is small.

use std::time::Instant;

use riprap::convex::LinkMethod;
use riprap::dem::wall::{Surface, Wall};
use riprap::dem::{LawKind, Material, Materials, NewBody, Settings, Simulation, State};
use riprap::{Random, machine, shape};

fn main() {
    let full = std::env::args().any(|argument| argument == "--bench");
    if full {
        println!("machine: {}\ncommand: cargo bench --bench stones\n", machine::describe());
    }
    let heaps =
        if full { [(500, 0.30, 100_000, 500), (4000, 0.60, 85_000, 60)] } else { [(30, 0.13, 200, 5); 2] };
    for (count, edge, settling, steps) in heaps {
        heap(count, edge, settling, steps);
    }
}

/// Rock with the stiffness and friction of the paper.
fn rock() -> Material {
    Material {
        name: "rock".into(),
        density: 2650.0,
        k_n: Some(130e3),
        k_t: Some(102e3),
        restitution: 0.3,
        friction: 0.7,
        ..Material::default()
    }
}

/// Stones on a lattice in a box, about to fall.
fn stones(count: usize, edge: f64, link: LinkMethod) -> Simulation<3> {
    let settings = Settings { gravity: [0.0, 0.0, -9.81], time_step: 2e-5, link, ..Settings::default() };
    let container = Wall::new("box", Surface::Box { min: [0.0; 3], max: [edge, edge, 9.0] });
    let materials = Materials::new(LawKind::Linear, vec![rock()]).expect("a sound material");
    let mut simulation = Simulation::new(settings, materials, vec![container]).expect("a sound scene");
    let shapes = ["tetrahedron", "pyramid", "cube", "fourteen"].map(|name| {
        let shape = shape::by_name::<3>(name).expect("a shape of this name").shape;
        simulation.add_shape(shape).expect("room for a shape")
    });
    let (mut random, across) = (Random::new(11), (edge / 0.06) as usize);
    let bodies: Vec<_> = (0..count)
        .map(|k| {
            let place = [k % across, k / across % across, k / (across * across)];
            let size = random.uniform(0.010, 0.0155);
            let turn: [f64; 4] = std::array::from_fn(|_| random.normal());
            let length = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
            NewBody::shaped(
                shapes[k % 4],
                place.map(|k| 0.03 + 0.06 * k as f64),
                size,
                turn.map(|x| x / length),
            )
        })
        .collect();
    simulation.insert(&bodies).expect("sound bodies");
    simulation
}

/// Milliseconds per step, the best of some blocks, on so many threads, and the simulation after them.
fn measured(
    (count, edge): (usize, f64),
    state: &State<3>,
    link: LinkMethod,
    (threads, steps): (usize, u64),
) -> (f64, Simulation<3>) {
    let mut simulation = stones(count, edge, link);
    simulation.restore(state.clone()).expect("the state of such a simulation");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let best = pool.install(|| {
        let mut best = f64::INFINITY;
        for _ in 0..6 {
            let start = Instant::now();
            simulation.advance_by(steps).expect("sound physics");
            best = best.min(start.elapsed().as_secs_f64());
        }
        best
    });
    (1e3 * best / steps as f64, simulation)
}

fn heap(count: usize, edge: f64, settling: u64, steps: u64) {
    let mut simulation = stones(count, edge, LinkMethod::ShortestLink);
    simulation.advance_by(settling).expect("sound physics");
    let state = simulation.state();
    drop(simulation);
    let mut first = None;
    println!("heap of {count} stones after {settling} steps:");
    for (link, threads) in [
        (LinkMethod::ShortestLink, 1),
        (LinkMethod::ShortestLink, 2),
        (LinkMethod::FastCommonPlane, 1),
        (LinkMethod::CommonPlane, 1),
    ] {
        let (time, simulation) = measured((count, edge), &state, link, (threads, steps));
        let whole = *first.get_or_insert(time);
        let links = simulation.links();
        println!(
            "  {:<18} {threads} thread{}: {time:.3} ms per step, {:.2} times the first; {:.1} % of {} links within two rounds",
            link.name(),
            if threads == 1 { " " } else { "s" },
            whole / time,
            100.0 * links.within_2 as f64 / links.links.max(1) as f64,
            links.links
        );
        if threads == 1 && link == LinkMethod::ShortestLink {
            let (pairs, walls) = simulation.contact_counts();
            let ledger = simulation.ledger();
            println!(
                "    {:.2} contacts, {:.2} with walls and {:.1} listed pairs per stone, {} bytes per stone; kinetic energy {:.1e} J, energy error {:.1e}",
                pairs as f64 / count as f64,
                walls as f64 / count as f64,
                simulation.listed() as f64 / count as f64,
                simulation.bytes() / count,
                ledger.translation + ledger.rotation,
                ledger.error()
            );
        }
    }
}
