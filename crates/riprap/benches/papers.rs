//! `cargo bench`: every method on the packings of the papers, as tables.
//!
//! Times are the best of up to 10 detections with one instance of the method, as nanoseconds per particle; methods that
//! would take minutes are left out. All methods of a table must find the same number of pairs. Without `--bench` (as in
//! `cargo test`) the packings are small and only the counts are checked.

use std::time::Instant;

use riprap::broad::{SearchMethod, create};
use riprap::{Criterion, Random, SphereColumns, machine, packing};

/// Seconds after which a measurement is not repeated.
const PATIENCE: f64 = 0.5;

/// A method that takes more nanoseconds per particle is left out of larger packings: it does not fit their sizes.
const TOO_SLOW: f64 = 4_000.0;

/// Particles up to which brute force takes part.
const FEW: usize = 10_000;

fn main() {
    let full = std::env::args().any(|argument| argument == "--bench");
    if full {
        println!("machine: {}\ncommand: cargo bench\n", machine::describe());
    }
    example_1(full);
    examples_2_to_4(full);
    mmr_pack(full);
    radial::<2>(full);
    radial::<3>(full);
}

/// Equal spheres touching on a cubic lattice: time in proportion to their number.
fn example_1(full: bool) {
    let edges: &[usize] = if full { &[20, 32, 50, 80, 100] } else { &[5, 8] };
    let mut table = Table::new("MR example I: cubic lattice at spacing d, ns per particle");
    for &edge in edges {
        table.measure(&format!("n = {}", edge.pow(3)), &packing::lattice([edge; 3], [1.0; 3], 0.5));
    }
    if full {
        table.print("n");
    }
}

/// Lattices whose spacing grows along one, two and three axes: time and memory whatever the density.
fn examples_2_to_4(full: bool) {
    let (edge, spacings): (usize, &[f64]) =
        if full { (50, &[1.0, 2.0, 5.0, 20.0, 50.0, 100.0, 200.0]) } else { (5, &[1.0, 200.0]) };
    for (name, spread) in [
        ("II: spacing s in x, 2d in y and z", [true, false, false]),
        ("III: spacing s in x and y, 2d in z", [true, true, false]),
        ("IV: spacing s in x, y and z", [true; 3]),
    ] {
        let mut table = Table::new(&format!("MR example {name}, n = {}, ns per particle", edge.pow(3)));
        for &spacing in spacings {
            let spacings = spread.map(|spread| if spread { spacing } else { 2.0 });
            table.measure(&format!("s = {spacing} d"), &packing::lattice([edge; 3], spacings, 0.5));
        }
        if full {
            table.print("s");
        }
    }
}

/// Spheres of diameters 1/32 to 1 with the grading curve of eq. 36, filling half of a cube without overlap.
fn mmr_pack(full: bool) {
    let counts: &[usize] = if full { &[8_000, 64_000, 512_000] } else { &[500] };
    let mut table = Table::new("MMR pack: diameters 1/32 to 1, volume fraction 0.5, ns per particle");
    for &count in counts {
        let mut random = Random::new(36);
        let radii = packing::power_law_radii(count, -4.0, 0.5 / 32.0, 32.0, &mut random);
        let edge = packing::edge_for_fraction::<3>(&radii, 0.5);
        let spheres =
            packing::without_overlap::<3>(radii, edge, &mut random).expect("half of the cube is free");
        table.measure(&format!("n = {count}"), &spheres);
    }
    if full {
        table.print("n");
    }
}

/// Random particles with 100 per unit area or 1000 per unit volume; A, B and C have diameters in three ranges.
fn radial<const D: usize>(full: bool) {
    let counts: &[usize] = if full { &[1_000, 10_000, 100_000] } else { &[200] };
    for (name, low, high) in [("A", 0.05, 0.1), ("B", 0.02, 0.05), ("C", 0.005, 0.02)] {
        let mut table =
            Table::new(&format!("radial {name}, {D}D: diameters {low} to {high}, ns per particle"));
        for &count in counts {
            let mut random = Random::new(2002);
            let radii = (0..count).map(|_| 0.5 * random.uniform(low, high)).collect();
            let density = if D == 2 { 100.0 } else { 1000.0 };
            let edge = (count as f64 / density).powf(1.0 / D as f64);
            table.measure(&format!("n = {count}"), &packing::scattered::<D>(radii, [edge; D], &mut random));
        }
        if full {
            table.print("n");
        }
    }
}

/// The methods of a table: all of them, and the variants that the papers compare.
fn specifications() -> Vec<String> {
    let variants = [
        "mr:coordinates=recomputed",
        "mr:sort=quick",
        "mr:sort=quick,search=binary",
        "linked-cell:particles-per-cell=5",
        "linked-cell:particles-per-cell=10",
    ];
    let mut all: Vec<String> =
        SearchMethod::<3>::all().iter().map(|method| method.name.to_string()).collect();
    all.extend(variants.map(String::from));
    all.sort();
    all
}

/// Times of all methods on a series of packings.
struct Table {
    title: String,
    headings: Vec<String>,
    rows: Vec<Row>,
}

struct Row {
    specification: String,
    /// Nanoseconds per particle of each packing, or nothing where the method is left out.
    times: Vec<Option<f64>>,
    bytes_per_particle: Vec<f64>,
}

impl Table {
    fn new(title: &str) -> Self {
        let rows = specifications()
            .into_iter()
            .map(|specification| Row { specification, times: Vec::new(), bytes_per_particle: Vec::new() })
            .collect();
        Self { title: title.to_string(), headings: Vec::new(), rows }
    }

    /// Adds a column: every method on this packing.
    fn measure<const D: usize>(&mut self, heading: &str, spheres: &SphereColumns<D>) {
        let mut counts = Vec::new();
        let n = spheres.radii.len();
        for row in &mut self.rows {
            let too_slow = row.times.last().is_some_and(|time| time.is_none_or(|time| time > TOO_SLOW));
            if if row.specification == "brute-force" { n > FEW } else { too_slow } {
                row.times.push(None);
                continue;
            }
            let (seconds, pairs, bytes) = best_time(&row.specification, spheres);
            row.times.push(Some(1e9 * seconds / n as f64));
            row.bytes_per_particle.push(bytes as f64 / n as f64);
            counts.push((row.specification.clone(), pairs));
        }
        assert!(counts.iter().all(|count| count.1 == counts[0].1), "{} {heading}: {counts:?}", self.title);
        self.headings.push(format!("{heading}, {:.2} pairs/p", counts[0].1 as f64 / n as f64));
    }

    fn print(&self, spread: &str) {
        println!("{}\n", self.title);
        println!(
            "| method | {} | slowest/fastest over all {spread} | scratch bytes/p |",
            self.headings.join(" | ")
        );
        println!("|---|{}", "---:|".repeat(self.headings.len() + 2));
        for row in &self.rows {
            let times: Vec<f64> = row.times.iter().copied().flatten().collect();
            let texts: Vec<String> = row
                .times
                .iter()
                .map(|time| time.map_or("-".to_string(), |time| format!("{time:.0}")))
                .collect();
            let [(least, most), (least_bytes, most_bytes)] =
                [&times, &row.bytes_per_particle].map(|values| {
                    (
                        values.iter().copied().fold(f64::INFINITY, f64::min),
                        values.iter().copied().fold(0.0, f64::max),
                    )
                });
            println!(
                "| {} | {} | {:.2} | {least_bytes:.1} to {most_bytes:.1} |",
                row.specification,
                texts.join(" | "),
                most / least
            );
        }
        println!();
    }
}

/// Best time in seconds, number of pairs and bytes of scratch memory.
fn best_time<const D: usize>(specification: &str, spheres: &SphereColumns<D>) -> (f64, usize, usize) {
    let mut method = create::<D>(specification).expect("a known method");
    let spheres = spheres.view().expect("a sound packing");
    let mut pairs = Vec::new();
    let mut best = f64::INFINITY;
    let mut total = 0.0;
    for _ in 0..10 {
        let start = Instant::now();
        method.find(spheres, &Criterion::default(), &mut pairs).expect("an open domain");
        let seconds = start.elapsed().as_secs_f64();
        best = best.min(seconds);
        total += seconds;
        if total > PATIENCE {
            break;
        }
    }
    (best, pairs.len(), method.scratch_bytes())
}
