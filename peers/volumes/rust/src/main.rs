//! Points and closed meshes: writes them for all sides, and times the Rust crates.
//!
//! - `peers-volumes write MESH FOLDER` writes a mesh, `sphere-STEPS` or `foam-RESOLUTION`, and its sets of points.
//! - `peers-volumes reference FOLDER SECONDS SET...` writes exact answers, for as many points as can be asked in that time.
//! - `peers-volumes PEER FOLDER SECONDS SET...` sets up the mesh for a peer, asks for the points of each set, prints the
//!   times and writes the answers beside the set.
//! - `peers-volumes methods` prints the names of our methods, which are peers too.
//!
//! Answers are a byte per point, see [`Answer`]; winding numbers, if the peer has them, a float64.

mod files;
mod inputs;
mod parry;
mod riprap;
mod times;

use std::path::Path;

use ::riprap::inside::InsideMethod;

use files::{Input, read_points, write_bytes, write_doubles};
use times::{Measured, Times, measure, reference};

/// Where a point is, as it is written to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Answer {
    Outside = 0,
    Boundary = 1,
    Inside = 2,
    /// It would have taken too long.
    NotAsked = 3,
}

trait Peer {
    /// The mesh as the library has it, before anything is set up for points.
    type Mesh;
    /// All that is set up for points.
    type Prepared;
    /// What the library tells of all points.
    type Found: Default;

    fn mesh(&self, input: &Input) -> Self::Mesh;

    fn set_up(&self, mesh: Self::Mesh) -> Self::Prepared;

    /// Finds the place of each point; memory of the last call is used again.
    fn query(&self, prepared: &Self::Prepared, points: &[[f64; 3]], found: &mut Self::Found);

    fn answers(found: &Self::Found) -> Vec<Answer>;

    /// How often the surface winds around each point, not rounded, if the peer tells.
    fn windings(&self, _prepared: &Self::Prepared, _points: &[[f64; 3]]) -> Option<Vec<f64>> {
        None
    }
}

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    match &arguments[..] {
        ["methods"] => InsideMethod::ALL.iter().for_each(|(_, name, _)| println!("{name}")),
        ["write", mesh, folder] => inputs::write(mesh, Path::new(folder)),
        [peer, folder, seconds, sets @ ..] => {
            let folder = Path::new(folder);
            let seconds = seconds.parse().expect("seconds");
            match *peer {
                "reference" => {
                    let peer = riprap::Riprap::new("ray-crossing");
                    let input = Input::read(folder);
                    for set in sets {
                        let answers = reference(&peer, &input, &read_points(&folder.join(set)), seconds);
                        write_answers(&folder.join(format!("{set}.reference")), &answers);
                    }
                }
                "parry3d-f64" => run(&parry::Parry, peer, folder, seconds, sets),
                _ => run(&riprap::Riprap::new(peer), peer, folder, seconds, sets),
            }
        }
        _ => {
            panic!("usage: peers-volumes methods | write MESH FOLDER | reference|PEER FOLDER SECONDS SET...")
        }
    }
}

fn run<P: Peer>(peer: &P, name: &str, folder: &Path, seconds: f64, sets: &[&str]) {
    let input = Input::read(folder);
    let lines = sets.iter().map(|set| {
        let points = read_points(&folder.join(set));
        let Measured { times, answers, windings } = measure(peer, &input, &points, seconds);
        write_answers(&folder.join(format!("{set}.{name}")), &answers);
        let Times { set_up, query, total, asked } = times;
        let mut line = format!(
            "\"{set}\": {{\"set_up\": {set_up:e}, \"query\": {query:e}, \"total\": {total:e}, \"asked\": {asked}"
        );
        if let Some((windings, spent)) = windings {
            write_doubles(&folder.join(format!("{set}.{name}.windings")), &windings);
            line += &format!(", \"windings\": {spent:e}");
        }
        line + "}"
    });
    println!("{{{}}}", lines.collect::<Vec<_>>().join(", "));
}

fn write_answers(file: &Path, answers: &[Answer]) {
    write_bytes(file, &answers.iter().map(|&answer| answer as u8).collect::<Vec<_>>());
}
