//! `cargo bench --bench slm`: the shortest link beside the conventional common plane in the two large scenes of its paper (Nezami,
//! Hashash, Zhao and Ghaboussi 2006, figure 16 and table I).
//!
//! The shipped scenes run as they are. At the start of the flow, and of each phase of the bucket, the links of all near pairs are
//! sought in 1000 successive steps by every method, each from its last links: R is how many times faster than `common-plane` that
//! is. As in the paper only the common plane counts, not where on it the force acts. Larger runs are measured from a checkpoint of `riprap run`:
//!
//! `cargo bench --bench slm -- SCENE CHECKPOINT STEPS`
//!
//! Without `--bench` (as in `cargo test`) everything is small.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use riprap::broad::{BroadPhase, Levels, Pair};
use riprap::convex::{Link, LinkMemory, LinkMethod, Polyhedron, Pose, Solver};
use riprap::run::Run;
use riprap::scene::{Scene, Setup};
use riprap::shape::{Form, Piece};
use riprap::{Criterion, Spheres, machine};

const METHODS: [LinkMethod; 3] =
    [LinkMethod::ShortestLink, LinkMethod::FastCommonPlane, LinkMethod::CommonPlane];
/// Near pairs are listed anew after so many steps.
const LIST: u64 = 25;
/// Bodies are looked at so many pairs before their links are sought.
const AHEAD: usize = 8;
/// The paper's scenes, and when their phases begin, in seconds.
const SCENES: [(&str, &[(&str, f64)]); 2] = [
    ("particle-flow", &[("flow", 1.0)]),
    ("soil-tool", &[("translation", 1.5), ("rotation", 2.0), ("lifting", 2.8)]),
];

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let full = std::env::args().any(|argument| argument == "--bench");
    if full {
        println!("machine: {}\ncommand: cargo bench --bench slm\n", machine::describe());
        println!(
            "| scene | stones | phase | method | ns per pair | R | R of contacts | iterations of contacts | within two |"
        );
        println!("|---|---:|---|---|---:|---:|---:|---:|---:|");
    }
    if let [scene, checkpoint, steps] = &arguments[..] {
        let steps = steps.parse().expect("a number of steps");
        let resumed = Run::resume(spatial(Path::new(scene)), None, Path::new(checkpoint));
        let (mut run, _) = resumed.expect("a checkpoint of this scene");
        let at = format!("from {:.2} s", run.simulation().time());
        measure(&mut run, steps, (scene, &at));
        return;
    }
    for (name, phases) in SCENES {
        let path =
            PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name).with_extension("toml");
        let mut run = Run::new(spatial(&path), None).expect("a sound scene");
        for &(phase, time) in phases {
            let begin = (time / run.simulation().settings().time_step).round() as u64;
            let small = run.simulation().steps() + 10;
            advance(&mut run, if full { begin } else { small });
            measure(&mut run, if full { 1000 } else { 3 }, (name, phase));
        }
    }
}

fn spatial(path: &Path) -> Setup<3> {
    match Scene::read(path) {
        Ok(Scene::Spatial(setup)) => *setup,
        Ok(Scene::Planar(_)) => panic!("{}: a scene in space", path.display()),
        Err(error) => panic!("{error}"),
    }
}

fn advance(run: &mut Run<3>, end: u64) {
    run.advance_to(end, |_| ControlFlow::Continue(())).expect("sound physics");
}

/// A stone in its place.
struct Placed<'a> {
    body: &'a Polyhedron,
    pose: Pose<3>,
    size: f64,
}

/// Stones of a run, in the order of these ids.
fn placed<'a>(run: &'a Run<3>, ids: &[u64]) -> Vec<Placed<'a>> {
    let (bodies, shapes) = (run.simulation().bodies(), run.simulation().shapes());
    let mut rows: Vec<(u64, usize)> = bodies.id.iter().copied().zip(0..).collect();
    rows.sort_unstable();
    let row = |id: &u64| rows[rows.binary_search_by_key(id, |&(id, _)| id).expect("none is lost")].1;
    let place = |row: usize| {
        let [Piece { center, form: Form::Convex(body) }] =
            &shapes.find(bodies.shape[row]).expect("a shape").pieces[..]
        else {
            panic!("a scene of convex stones");
        };
        let (position, size) = (bodies.position[row], bodies.radius[row]);
        let mut pose = Pose::from_quaternion(position, bodies.turning.orientation[row]).expect("a pose");
        pose.position = pose.place(center.map(|x| size * x));
        Placed { body, pose, size }
    };
    ids.iter().map(|id| place(row(id))).collect()
}

/// Pairs whose bounding spheres touch, or may do so in the next steps.
fn near(stones: &[Placed<'_>], run: &Run<3>) -> Vec<Pair> {
    let centers: Vec<_> = stones.iter().map(|stone| stone.pose.position).collect();
    let radii: Vec<_> = stones.iter().map(|stone| stone.size * stone.body.radius()).collect();
    let fastest = run
        .simulation()
        .velocities()
        .map(|v| v.iter().map(|x| x * x).sum::<f64>().sqrt())
        .fold(0.0, f64::max);
    let margin = 2.0 * fastest * LIST as f64 * run.simulation().settings().time_step;
    let smallest = radii.iter().copied().fold(f64::INFINITY, f64::min);
    let criterion = Criterion { margin: margin.min(0.2 * smallest), ..Criterion::default() };
    let mut pairs = Vec::new();
    let spheres = Spheres::new(&centers, &radii).expect("sound bodies");
    Levels::<3>::default().find(spheres, &criterion, &mut pairs).expect("sound bodies");
    pairs
}

/// What a method took for its links.
#[derive(Clone, Copy, Default)]
struct Count {
    time: Duration,
    links: u64,
    iterations: u64,
    within_2: u64,
}

impl Count {
    fn add(&mut self, link: &Link<3>) {
        self.links += 1;
        self.iterations += u64::from(link.iterations);
        self.within_2 += u64::from(link.iterations <= 2);
    }
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.time += other.time;
        self.links += other.links;
        self.iterations += other.iterations;
        self.within_2 += other.within_2;
    }
}

/// Near pairs, and what each method found out about them.
#[derive(Default)]
struct Pairs {
    pairs: Vec<Pair>,
    memories: [Vec<LinkMemory<3>>; METHODS.len()],
    counts: [Count; METHODS.len()],
}

impl Pairs {
    /// Other pairs, without links.
    fn begin(&mut self, pairs: Vec<Pair>) {
        self.memories.iter_mut().for_each(|all| *all = vec![LinkMemory::default(); pairs.len()]);
        self.pairs = pairs;
    }

    /// Links them by every method.
    fn link(&mut self, stones: &[Placed<'_>], counted: bool) {
        for ((method, memories), count) in METHODS.iter().zip(&mut self.memories).zip(&mut self.counts) {
            let (mut solver, mut found) = (Solver::new(*method), Count::default());
            // The region of a contact is no part of the common plane.
            solver.regions = false;
            let start = Instant::now();
            for (k, (&pair, memory)) in self.pairs.iter().zip(memories).enumerate() {
                if let Some(next) = self.pairs.get(k + AHEAD) {
                    // The simulation asks for bodies before their turn comes, too.
                    let Placed { pose, size, .. } = &stones[next.b as usize];
                    black_box((pose.position[0], pose.rotation[2][2], *size));
                }
                // Taken as it comes, as in a simulation: a million links would not stay at hand.
                found.add(black_box(&find(&mut solver, stones, pair, memory)));
            }
            found.time = start.elapsed();
            if counted {
                *count += found;
            }
        }
    }
}

fn find(solver: &mut Solver<3>, stones: &[Placed<'_>], pair: Pair, memory: &mut LinkMemory<3>) -> Link<3> {
    let [a, b] = [pair.a, pair.b].map(|row| &stones[row as usize]);
    solver.link_scaled([a.body, b.body], [&a.pose, &b.pose], [a.size, b.size], memory)
}

/// Measures the next steps of a run. The first links of a list do not count.
fn measure(run: &mut Run<3>, steps: u64, (scene, phase): (&str, &str)) {
    let first = run.simulation().steps();
    let (mut apart, mut touching) = (Pairs::default(), Pairs::default());
    let mut ids = Vec::new();
    for step in 0..steps {
        let begins = step % LIST == 0;
        if begins {
            // Neighbours in space are neighbours in memory, as they are in the simulation.
            ids.clone_from(&run.simulation().bodies().id);
        }
        let stones = placed(run, &ids);
        if begins {
            let mut solver = Solver::new(LinkMethod::ShortestLink);
            let (there, here) = near(&stones, run)
                .into_iter()
                .partition(|&pair| find(&mut solver, &stones, pair, &mut LinkMemory::default()).in_contact());
            touching.begin(there);
            apart.begin(here);
        }
        apart.link(&stones, !begins);
        touching.link(&stones, !begins);
        drop(stones);
        advance(run, first + step + 1);
    }
    let stones = run.simulation().bodies().len();
    let reference = METHODS.len() - 1;
    for (k, method) in METHODS.iter().enumerate() {
        let time = |of: [&Pairs; 2], k: usize| {
            of.iter().map(|pairs| pairs.counts[k].time.as_secs_f64()).sum::<f64>()
        };
        let ratio = |of: [&Pairs; 2]| time(of, reference) / time(of, k);
        let both = [&apart, &touching];
        let links: u64 = both.iter().map(|pairs| pairs.counts[k].links).sum();
        let touch = touching.counts[k];
        println!(
            "| {scene} | {stones} | {phase} | `{}` | {:.0} | {:.1} | {:.1} | {:.2} | {:.2} % |",
            method.name(),
            1e9 * time(both, k) / links as f64,
            ratio(both),
            ratio([&Pairs::default(), &touching]),
            touch.iterations as f64 / touch.links as f64,
            100.0 * touch.within_2 as f64 / touch.links as f64,
        );
    }
}
