//! `cargo bench --bench levels`: what `levels` promises, measured.
//!
//! The flat curve (time per particle whatever the ratio of sizes), two threads against one, scratch memory, and a
//! Verlet list against detections from scratch. Without `--bench` (as in `cargo test`) everything is small.

use std::time::Instant;

use riprap::broad::{BroadPhase, Levels, Neighbors, Pair};
use riprap::{Criterion, Random, SphereColumns, machine, packing};

fn main() {
    let full = std::env::args().any(|argument| argument == "--bench");
    let count = if full { 1_000_000 } else { 2_000 };
    if full {
        println!("machine: {}\ncommand: cargo bench --bench levels\n", machine::describe());
    }
    flat_curve(count);
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
fn flat_curve(count: usize) {
    println!(
        "| largest/smallest radius | ns per particle | to ratio 1 | candidates/p | rows/p | levels | scratch bytes/p |"
    );
    println!("|---:|---:|---:|---:|---:|---|---:|");
    let mut first = None;
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
        let first = *first.get_or_insert(time);
        let levels: Vec<String> =
            BroadPhase::cell_sizes(&method).iter().map(|size| format!("{size:.1}")).collect();
        println!(
            "| {ratio} | {time:.0} | {:.2} | {candidates:.1} | {rows:.2} | {} | {bytes:.1} |",
            time / first,
            levels.join(", ")
        );
    }
    println!();
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
    let mut method = Levels::<3>::default();
    let (mut listed, mut found): (Vec<Pair>, Vec<Pair>) = (Vec::new(), Vec::new());
    let (mut update, mut with_list, mut from_scratch) = (0.0, 0.0, 0.0);
    for step in 0..steps {
        for (center, velocity) in spheres.centers.iter_mut().zip(&velocities) {
            (0..3).for_each(|k| center[k] += velocity[k]);
        }
        let view = spheres.view().expect("sound spheres");
        let start = Instant::now();
        list.update(view, &Criterion::default()).expect("an open domain");
        update += start.elapsed().as_secs_f64();
        list.touching(view, &mut listed);
        with_list += start.elapsed().as_secs_f64();
        // Detections cost the same in every step: a few stand for all.
        if step % 10 == 0 {
            let start = Instant::now();
            method.find(view, &Criterion::default(), &mut found).expect("an open domain");
            from_scratch += 10.0 * start.elapsed().as_secs_f64();
            assert_eq!(listed.len(), found.len());
        }
    }
    println!(
        "{steps} steps of {count} particles: {from_scratch:.2} s from scratch, {with_list:.2} s with a list ({:.1} times faster), \
         of which {update:.2} s to keep the list ({:.1} times); {} rebuilds",
        from_scratch / with_list,
        from_scratch / update,
        list.rebuilds()
    );
}
