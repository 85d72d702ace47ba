//! `cargo bench --bench levels`: what `levels` promises, measured.
//!
//! The flat curve (time per particle whatever the ratio of sizes), two threads against one, scratch memory, and a
//! Verlet list against detections from scratch. Without `--bench` (as in `cargo test`) everything is small.
//! `cargo bench --bench levels -- --plot FILE.svg` draws the flat curve.

use std::time::Instant;

use riprap::broad::{BroadPhase, Levels, Neighbors, Pair};
use riprap::plot::{Axis, Chart, Curve, Spacing, Width};
use riprap::{Criterion, Random, SphereColumns, machine, packing};

fn main() {
    let full = std::env::args().any(|argument| argument == "--bench");
    let count = if full { 1_000_000 } else { 2_000 };
    if full {
        println!("machine: {}\ncommand: cargo bench --bench levels\n", machine::describe());
    }
    let times = flat_curve(count);
    let plot = std::env::args().skip_while(|argument| argument != "--plot").nth(1);
    if let Some(path) = plot {
        std::fs::write(&path, draw(count, &times)).expect("a file that can be written");
    }
    limits(count);
    threads(count);
    neighbors(count, if full { 200 } else { 20 });
}

/// Radii with f(r) ~ r^-3 between 1 and `ratio`, at random places in random order, filling 30 % of a cube.
fn spheres(count: usize, ratio: f64) -> SphereColumns<3> {
    let mut random = Random::new(1);
    let radii = packing::power_law_radii(count, -3.0, 1.0, ratio, &mut random);
    let edge = packing::edge_for_fraction::<3>(&radii, 0.3);
    packing::scattered(radii, [edge; 3], &mut random)
}

/// The best time of some detections in seconds, and the number of pairs.
fn best_time(method: &mut Levels<3>, spheres: &SphereColumns<3>) -> (f64, usize) {
    let spheres = spheres.view().expect("sound spheres");
    let mut pairs = Vec::new();
    let mut best = f64::INFINITY;
    for _ in 0..10 {
        let start = Instant::now();
        method.find(spheres, &Criterion::default(), &mut pairs).expect("an open domain");
        best = best.min(start.elapsed().as_secs_f64());
    }
    (best, pairs.len())
}

/// Krijgsman, Ogarko and Luding claim that the work does not grow with the ratio of sizes; here the seconds.
fn flat_curve(count: usize) -> Vec<[f64; 2]> {
    println!(
        "| largest/smallest radius | ns per particle | to ratio 1 | candidates/p | rows/p | levels | scratch bytes/p |"
    );
    println!("|---:|---:|---:|---:|---:|---|---:|");
    let mut times: Vec<[f64; 2]> = Vec::new();
    for ratio in [1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0] {
        let spheres = spheres(count, ratio);
        let mut method = Levels::<3>::default();
        let (seconds, _) = best_time(&mut method, &spheres);
        let work = method
            .find_counted(spheres.view().expect("sound spheres"), &Criterion::default(), &mut Vec::new())
            .expect("an open domain");
        let [time, candidates, rows, bytes] =
            [1e9 * seconds, work.candidates as f64, work.cells as f64, method.scratch_bytes() as f64]
                .map(|value| value / count as f64);
        times.push([ratio, time]);
        let levels: Vec<String> =
            BroadPhase::cell_sizes(&method).iter().map(|size| format!("{size:.1}")).collect();
        println!(
            "| {ratio} | {time:.0} | {:.2} | {candidates:.1} | {rows:.2} | {} | {bytes:.1} |",
            time / times[0][1],
            levels.join(", ")
        );
    }
    println!();
    times
}

fn draw(count: usize, times: &[[f64; 2]]) -> String {
    let first = times[0][1];
    let level = |name: &str, factor: f64| Curve {
        name: name.into(),
        points: times.iter().map(|[ratio, _]| [*ratio, factor * first]).collect(),
        marks: Vec::new(),
    };
    let measured = Curve { name: "measured".into(), points: times.to_vec(), marks: times.to_vec() };
    let chart = Chart {
        title: &format!("levels: {count} spheres, f(r) ~ r^-3, volume fraction 0.3, one thread"),
        across: Axis { label: "largest radius / smallest radius", spacing: Spacing::Logarithmic },
        upward: Axis { label: "nanoseconds per particle", spacing: Spacing::FromZero },
        curves: vec![measured, level("1.5 times that of equal spheres", 1.5), level("1.1 times", 1.1)],
        width: Width::Page,
    };
    chart.svg()
}

/// How far equal spheres that fill 60 % of space are from what memory and arithmetic allow.
fn limits(count: usize) {
    let mut random = Random::new(1);
    let radii = vec![0.5; count];
    let edge = packing::edge_for_fraction::<3>(&radii, 0.6);
    let spheres = packing::scattered(radii, [edge; 3], &mut random);
    let mut method = Levels::<3>::default();
    let (seconds, pairs) = best_time(&mut method, &spheres);
    let view = spheres.view().expect("sound spheres");
    let work = method.find_counted(view, &Criterion::default(), &mut Vec::new()).expect("an open domain");
    let [time, tests, pairs] =
        [1e9 * seconds, work.candidates as f64, pairs as f64].map(|value| value / count as f64);
    // Center and radius are read for the bounds, to count and to distribute, the radius once more for the levels; the
    // particle of 20 bytes is written to its bucket and read from there, written to the columns, read for the table
    // and for the search; pairs are written.
    let bytes = 3.0 * 32.0 + 8.0 + 5.0 * 20.0 + 8.0 * pairs;
    let bandwidth = bandwidth(count);
    println!("Equal spheres, volume fraction 0.6: {time:.0} ns per particle, {pairs:.2} pairs.");
    println!("| | per particle | at the limit | of the time |");
    println!("|---|---:|---:|---:|");
    for (name, amount, limit) in [("bytes moved", bytes, bytes / bandwidth), ("tests", tests, 0.5 * tests)] {
        println!("| {name} | {amount:.0} | {limit:.0} ns | {:.0} % |", 100.0 * limit / time);
    }
    println!("Limits: {bandwidth:.1} bytes per ns (copying, reads and writes counted), 0.5 ns per test.\n");
}

/// Bytes per nanosecond that copying moves, read and written.
fn bandwidth(count: usize) -> f64 {
    let source = vec![1u64; 16 * count];
    let mut target = vec![0u64; 16 * count];
    let times = (0..5).map(|_| {
        let start = Instant::now();
        target.copy_from_slice(std::hint::black_box(&source));
        std::hint::black_box(&mut target);
        start.elapsed().as_secs_f64()
    });
    16.0 * source.len() as f64 / (1e9 * times.fold(f64::INFINITY, f64::min))
}

/// The same pairs in less time.
fn threads(count: usize) {
    println!("| largest/smallest radius | one thread, ns per particle | two threads | speed-up |");
    println!("|---:|---:|---:|---:|");
    for ratio in [1.0, 10.0, 100.0] {
        let spheres = spheres(count, ratio);
        let times = [1, 2].map(|threads| best_time(&mut Levels::<3>::new(None, threads), &spheres));
        assert_eq!(times[0].1, times[1].1);
        let [one, two] = times.map(|time| 1e9 * time.0 / count as f64);
        println!("| {ratio} | {one:.0} | {two:.0} | {:.2} |", one / two);
    }
    println!();
}

/// Particles that drift up to a thousandth of a radius along each axis per step: all contacts in every step.
fn neighbors(count: usize, steps: usize) {
    let mut random = Random::new(7);
    let mut spheres = spheres(count, 1.0);
    let velocities: Vec<[f64; 3]> =
        spheres.centers.iter().map(|_| std::array::from_fn(|_| random.uniform(-1e-3, 1e-3))).collect();
    let mut list = Neighbors::<3>::new(Box::new(Levels::default()));
    let mut kept = Neighbors::<3>::new(Box::new(Levels::default()));
    let mut method = Levels::<3>::default();
    let (mut listed, mut found): (Vec<Pair>, Vec<Pair>) = (Vec::new(), Vec::new());
    let (mut update, mut with_list, mut from_scratch) = (0.0, 0.0, 0.0);
    let seconds = |start: Instant| start.elapsed().as_secs_f64();
    for step in 0..steps {
        for (center, velocity) in spheres.centers.iter_mut().zip(&velocities) {
            (0..3).for_each(|k| center[k] += velocity[k]);
        }
        let view = spheres.view().expect("sound spheres");
        let start = Instant::now();
        kept.update(view, &Criterion::default()).expect("an open domain");
        update += seconds(start);
        let start = Instant::now();
        list.touching(view, &Criterion::default(), &mut listed).expect("an open domain");
        with_list += seconds(start);
        // Detections cost the same in every step: a few stand for all.
        if step % 10 == 0 {
            let start = Instant::now();
            method.find(view, &Criterion::default(), &mut found).expect("an open domain");
            from_scratch += 10.0 * seconds(start);
            assert_eq!(listed.len(), found.len());
        }
    }
    println!(
        "{steps} steps of {count} particles: {from_scratch:.2} s from scratch, {with_list:.2} s with a list ({:.1} times faster), \
         {update:.2} s to keep the list only ({:.1} times); {} rebuilds",
        from_scratch / with_list,
        from_scratch / update,
        list.rebuilds()
    );
}
