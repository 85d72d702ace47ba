//! Times one crate on one input: `peers PEER FILE THREADS REPEAT SECONDS`.
//!
//! Prints the best of up to REPEAT detections, fewer if they take more than SECONDS together. A detection goes from
//! columns in memory to the finished list of touching pairs; only the list's memory is kept for the next one.

mod broccoli;
mod kiddo;
mod npy;
mod parry;
mod zelll;

use std::time::Instant;

/// Touching pairs, each once, in any order.
type Pairs = Vec<(u32, u32)>;

/// The input of one detection; `threads` may be used.
struct Input<const D: usize> {
    centers: Vec<[f64; D]>,
    radii: Vec<f64>,
    threads: usize,
}

impl<const D: usize> Input<D> {
    /// From rows of coordinates and a radius.
    fn new(values: &[f64], threads: usize) -> Self {
        let rows = values.chunks_exact(D + 1);
        let centers = rows.clone().map(|row| row[..D].try_into().expect("D coordinates")).collect();
        Self { centers, radii: rows.map(|row| row[D]).collect(), threads }
    }

    /// The test all sides apply to their candidates.
    fn touch(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        let square: f64 = (0..D).map(|k| (self.centers[a][k] - self.centers[b][k]).powi(2)).sum();
        square <= (self.radii[a] + self.radii[b]).powi(2)
    }

    fn largest_radius(&self) -> f64 {
        self.radii.iter().copied().fold(0.0, f64::max)
    }
}

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [peer, file, threads, repeat, seconds] = &arguments[..] else {
        panic!("usage: peers PEER FILE THREADS REPEAT SECONDS");
    };
    let threads = threads.parse().expect("a number of threads");
    let (repeat, seconds) = (repeat.parse().expect("a number"), seconds.parse().expect("seconds"));
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().expect("the first pool");

    let (columns, values) = npy::read(file);
    let (best, pairs) = match columns {
        4 => {
            let input = Input::new(&values, threads);
            let find = match peer.as_str() {
                "parry3d-f64" => parry::double::find,
                "parry3d" => parry::single::find,
                "kiddo" => kiddo::find,
                "zelll" => zelll::find,
                _ => panic!("no peer `{peer}` in 3D"),
            };
            time(&input, find, repeat, seconds)
        }
        3 => {
            let input = Input::new(&values, threads);
            let find = match peer.as_str() {
                "broccoli" => broccoli::find,
                "kiddo" => kiddo::find,
                "zelll" => zelll::find,
                _ => panic!("no peer `{peer}` in 2D"),
            };
            time(&input, find, repeat, seconds)
        }
        _ => panic!("{columns} columns, expected x y r or x y z r"),
    };
    println!("{{\"seconds\": {best}, \"pairs\": {pairs}}}");
}

fn time<const D: usize>(
    input: &Input<D>,
    find: fn(&Input<D>, &mut Pairs),
    repeat: usize,
    seconds: f64,
) -> (f64, usize) {
    let (mut best, mut spent) = (f64::INFINITY, 0.0);
    let mut pairs = Pairs::new();
    for _ in 0..repeat {
        let start = Instant::now();
        pairs.clear();
        find(input, &mut pairs);
        let elapsed = start.elapsed().as_secs_f64();
        best = best.min(elapsed);
        spent += elapsed;
        if spent > seconds {
            break;
        }
    }
    (best, pairs.len())
}
