//! `cargo bench --bench traps`: every method on particles that are hard for some of them, and how far `auto` is from the best.
//!
//! The time of `auto` has that of the choice in it. Without `--bench` (as in `cargo test`) there are only some particles.
//! `cargo bench --bench traps -- --count N` takes another number of them.

#[path = "../tests/common/traps.rs"]
mod traps;

use std::time::Instant;

use riprap::broad::{AUTO, Pair, SearchMethod, choose, create};
use riprap::{Criterion, Spheres, machine};

/// Detections of which the fastest counts, and the seconds that they may take in all before two are enough: a single one may
/// have been interrupted by another program.
const REPEATS: usize = 9;
const LONG: f64 = 0.5;

fn main() {
    let full = std::env::args().any(|argument| argument == "--bench");
    let given = std::env::args().skip_while(|argument| argument != "--count").nth(1);
    let count = match given {
        Some(count) => count.parse().expect("--count takes a number of particles"),
        None if full => 50_000,
        None => 300,
    };
    if full {
        println!("machine: {}\ncommand: cargo bench --bench traps\n", machine::describe());
    }
    families::<2>(count);
    families::<3>(count);
}

fn families<const D: usize>(count: usize) {
    let methods: Vec<&str> = SearchMethod::<D>::all()
        .iter()
        .map(|method| method.name)
        .filter(|name| count <= 1000 || *name != "brute-force")
        .collect();
    println!("{count} particles in {D}D, ns per particle on one thread\n");
    println!("| particles | pairs | {} | `{AUTO}` | takes | to the best |", methods.join(" | "));
    println!("|---|{}", "---:|".repeat(methods.len() + 4));
    for family in traps::all::<D>(count) {
        let spheres = family.spheres.view().expect("sound spheres");
        let criterion = Criterion::default();
        let mut found: Option<usize> = None;
        let mut time = |name: Option<&str>| {
            let mut pairs = Vec::new();
            let seconds = best_time(&spheres, &criterion, name, &mut pairs);
            assert_eq!(*found.get_or_insert(pairs.len()), pairs.len(), "{name:?} on {}", family.name);
            1e9 * seconds / spheres.len() as f64
        };
        let times: Vec<f64> = methods.iter().map(|name| time(Some(name))).collect();
        let auto = time(None);
        let best = times.iter().copied().fold(f64::INFINITY, f64::min);
        let cells: Vec<String> = times.iter().map(|time| format!("{time:.0}")).collect();
        println!(
            "| {} | {:.2} | {} | {auto:.0} | {} | {:.2} |",
            family.name,
            found.unwrap_or(0) as f64 / spheres.len() as f64,
            cells.join(" | "),
            choose(&spheres, &criterion),
            auto / best
        );
    }
    println!();
}

/// The least seconds of some first detections by a method, or by the one that is chosen each time.
fn best_time<const D: usize>(
    spheres: &Spheres<'_, D>,
    criterion: &Criterion<D>,
    name: Option<&str>,
    pairs: &mut Vec<Pair>,
) -> f64 {
    let (mut best, mut all) = (f64::INFINITY, 0.0);
    for repeat in 1..=REPEATS {
        let start = Instant::now();
        let name = name.unwrap_or_else(|| choose(spheres, criterion));
        let mut method = create::<D>(name).expect("a method of the table");
        method.find(*spheres, criterion, pairs).expect("an open domain");
        let seconds = start.elapsed().as_secs_f64();
        best = best.min(seconds);
        all += seconds;
        if repeat > 1 && all > LONG {
            break;
        }
    }
    best
}
