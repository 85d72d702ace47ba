//! Times one crate on one file of convex pairs: `peers-convex PEER MODE FILE REPEAT OUT`.
//!
//! Prints the time per query, the best of REPEAT runs over all steps and pairs, and how far points and normals are from
//! belonging together; writes the gaps of the last run to OUT. With the mode `warm`, a peer keeps what it likes of a
//! pair from one step to the next, and the first step, which has nothing to start from, is not timed. With `cold` it
//! keeps nothing of a pair.

mod cases;
mod parry;
mod riprap;

use std::time::{Duration, Instant};

use cases::Cases;

/// What a query finds, in the frame of the world.
struct Contact {
    /// Distance of the bodies, or depth of their overlap below zero; not a number if the peer finds nothing.
    gap: f64,
    /// From the first body to the second.
    normal: [f64; 3],
    /// One on each body.
    points: [[f64; 3]; 2],
}

impl Contact {
    /// How far the points are from lying along the normal at the distance of the gap.
    fn deviation(&self) -> f64 {
        let [p, q] = &self.points;
        (0..3).map(|k| (q[k] - p[k] - self.gap * self.normal[k]).abs()).fold(0.0, f64::max)
    }
}

trait Peer {
    /// What is kept of a pair for the next step.
    type Memory: Default + Clone;

    /// Makes the shapes, and all poses as the library has them.
    fn new(cases: &Cases) -> Self;

    fn query(&mut self, step: usize, pair: usize, memory: &mut Self::Memory) -> Contact;
}

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [peer, mode, file, repeat, out] = &arguments[..] else {
        panic!("usage: peers-convex PEER MODE FILE REPEAT OUT");
    };
    let warm = match mode.as_str() {
        "warm" => true,
        "cold" => false,
        _ => panic!("no mode `{mode}`, expected warm or cold"),
    };
    let cases = Cases::read(file);
    let repeat = repeat.parse().expect("a number");
    let Times { best, gaps, deviation } = match peer.as_str() {
        "riprap" => time::<riprap::Riprap>(&cases, warm, repeat),
        "parry3d-f64" => time::<parry::Parry>(&cases, warm, repeat),
        _ => panic!("no peer `{peer}`"),
    };
    let bytes: Vec<u8> = gaps.iter().flat_map(|gap| gap.to_le_bytes()).collect();
    std::fs::write(out, bytes).unwrap_or_else(|error| panic!("{out}: {error}"));
    println!("{{\"seconds\": {best}, \"points\": {deviation}}}");
}

struct Times {
    /// Seconds per query.
    best: f64,
    gaps: Vec<f64>,
    deviation: f64,
}

fn time<P: Peer>(cases: &Cases, warm: bool, repeat: usize) -> Times {
    let mut peer = P::new(cases);
    let (mut best, mut deviation) = (Duration::MAX, 0.0_f64);
    let mut gaps = Vec::new();
    let mut contacts = Vec::with_capacity(cases.pairs);
    let skipped = usize::from(warm);
    for _ in 0..repeat {
        let mut memories = vec![P::Memory::default(); cases.pairs];
        let mut spent = Duration::ZERO;
        gaps.clear();
        for step in 0..cases.steps {
            let start = Instant::now();
            contacts.clear();
            for (pair, memory) in memories.iter_mut().enumerate() {
                let memory = if warm { memory } else { &mut P::Memory::default() };
                contacts.push(peer.query(step, pair, memory));
            }
            let elapsed = start.elapsed();
            if step >= skipped {
                spent += elapsed;
            }
            gaps.extend(contacts.iter().map(|contact| contact.gap));
            deviation = contacts.iter().map(Contact::deviation).fold(deviation, f64::max);
        }
        best = best.min(spent);
    }
    let queries = (cases.steps - skipped) * cases.pairs;
    Times { best: best.as_secs_f64() / queries as f64, gaps, deviation }
}
