//! Settles the same stones in one box with us and with rapier, then times steps of all sides in turns:
//! `peers-solids COUNT EDGE SECONDS FILE`.
//!
//! The bed as we settled it goes to FILE, for programs that would not settle it in a day. One line is printed about each side.
//! Then every line `SIDE STEPS` of the input is answered by the seconds that these steps took. So whoever asks can take turns
//! between sides, also with other programs, and what disturbs one disturbs all.

mod bed;
mod rapier;
mod riprap;

use std::io::BufRead;
use std::time::Instant;

use ::riprap::convex::LinkMethod;
use bed::{Bed, Start};
use serde_json::json;

/// A simulation of the stones.
trait Side {
    fn advance(&mut self, steps: u64);

    /// Where the stones are.
    fn bed(&self) -> Bed;

    /// Kinetic energy of all of them.
    fn kinetic(&self) -> f64;

    /// Seconds simulated by a step.
    fn time_step(&self) -> f64;
}

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [count, edge, seconds, file] = &arguments[..] else {
        panic!("usage: peers-solids COUNT EDGE SECONDS FILE");
    };
    let start = Start::new(number(count), number(edge));
    let settled = riprap::settle(&start, number(seconds));
    let resumed = |link| Box::new(riprap::Riprap::resume(&start, &settled, link)) as Box<dyn Side + Send>;
    let mut sides = vec![
        ("shortest-link", resumed(LinkMethod::ShortestLink)),
        ("fast-common-plane", resumed(LinkMethod::FastCommonPlane)),
        ("common-plane", resumed(LinkMethod::CommonPlane)),
    ];
    std::fs::write(file, sides[0].1.bed().to_json()).unwrap_or_else(|error| panic!("{file}: {error}"));
    for (name, tuning) in rapier::TUNINGS {
        sides.push((name, Box::new(rapier::Rapier::settle(&start, tuning))));
    }
    for (name, side) in &sides {
        let rest = side.bed().at_rest();
        println!(
            "{}",
            json!({
                "side": name, "time_step": side.time_step(), "kinetic": side.kinetic(), "touching": rest.touching,
                "overlap": rest.overlap, "wall_overlap": rest.wall_overlap, "lost": rest.lost, "height": rest.height,
            })
        );
    }
    println!("ready");
    // Only the steps that are timed have to do with one thread.
    let single = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("text");
        let (name, steps) = line.split_once(' ').expect("SIDE STEPS");
        let side = sides.iter_mut().find(|(known, _)| *known == name);
        let (_, side) = side.unwrap_or_else(|| panic!("no side `{name}`"));
        let steps = number(steps);
        println!("{}", single.install(|| timed(side.as_mut(), steps)));
    }
}

fn timed(side: &mut (dyn Side + Send), steps: u64) -> f64 {
    let start = Instant::now();
    side.advance(steps);
    start.elapsed().as_secs_f64()
}

fn number<T: std::str::FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is no number here"))
}
