//! `riprap demo`: two small simulations with pictures and a film, all search methods side by side, links of convex stones, and points in a
//! knot.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, anyhow};
use clap::Args;
use riprap::broad::{self, Pair, SearchMethod, Work};
use riprap::convex::{self, shapes};
use riprap::io::{write_mesh, write_whole};
use riprap::mesh;
use riprap::run::FilmOptions;
use riprap::{Criterion, Random, SphereColumns, machine, packing};

use crate::Failure;
use crate::film::film;
use crate::inside::Inside;
use crate::link::Link;
use crate::run::Run;

const PARTICLES: usize = 10_000;
const RATIO: f64 = 20.0;
const FRACTION: f64 = 0.4;
const STONES: usize = 10_000;
const POINTS: usize = 100_000;
/// Small, so that it takes a second or two.
const FILM: FilmOptions =
    FilmOptions { width: 480, height: 360, frames_per_second: 16, every: 1, replaced: Vec::new() };
/// Scenes, each with the folder of its results: a heap of grains on a turning table, and balls that rain on stones of all kinds.
const SCENES: [(&str, &str, &str); 2] = [
    ("demo.toml", "heap", include_str!("heap.toml")),
    ("mixture.toml", "mixture", include_str!("mixture.toml")),
];

/// Simulate and draw heaps of grains and of stones, with a film, compare all search methods, link convex stones, and tell which points are inside a knot
#[derive(Args)]
#[command(
    after_help = "Examples:\n  riprap demo\n  riprap demo --out somewhere && riprap contacts somewhere/spheres.csv"
)]
pub(crate) struct Demo {
    /// Folder for the results
    #[arg(long, value_name = "DIR", default_value = "riprap-demo")]
    out: PathBuf,
}

/// One line of the table.
struct Row {
    name: &'static str,
    help: &'static str,
    pairs: Vec<Pair>,
    work: Work,
    seconds: f64,
}

impl Demo {
    pub(crate) fn run(&self, output: &mut Vec<u8>) -> Result<(), Failure> {
        let written = |error: std::io::Error| {
            Failure::run(anyhow::Error::new(error).context(format!("{}: cannot write", self.out.display())))
        };
        fs::create_dir_all(&self.out).map_err(written)?;
        for (scene, results, text) in SCENES {
            let scene = self.out.join(scene);
            fs::write(&scene, text).map_err(written)?;
            Run::of(&scene, &self.out.join(results)).run(output)?;
            writeln!(output).map_err(Failure::run)?;
        }
        note!("drawing a film ...");
        let stones = self.out.join(SCENES[1].1);
        film(&stones, &stones.join(riprap::run::FILM), FILM, output)?;
        writeln!(output).map_err(Failure::run)?;
        let spheres = spheres();
        note!("comparing {} search methods on {PARTICLES} spheres ...", SearchMethod::<3>::all().len());
        let rows = measure(&spheres).map_err(Failure::run)?;
        print(&rows, output).map_err(Failure::run)?;
        if rows.iter().any(|row| row.pairs != rows[0].pairs) {
            return Err(Failure::run(anyhow!("the methods do not agree; please report this")));
        }
        let file = self.out.join("spheres.csv");
        write(&file, &spheres).map_err(Failure::run)?;
        writeln!(output, "\nAll methods found the same pairs. (/p: per particle)\n").map_err(Failure::run)?;

        let stones = self.out.join("stones.json");
        write_stones(&stones).map_err(Failure::run)?;
        Link::of(&stones, &self.out.join("links.csv")).run(output)?;

        let (knot, points) = (self.out.join("knot.stl"), self.out.join("points.csv"));
        write_mesh(&knot, &mesh::shapes::knot(0.3, 400, 40)).map_err(Failure::run)?;
        write_points(&points).map_err(Failure::run)?;
        writeln!(output).map_err(Failure::run)?;
        Inside::of(&knot, &points, &self.out.join("places.csv")).run(output)?;
        writeln!(output, "\nNext:").map_err(Failure::run)?;
        for (command, why) in [
            (
                format!("riprap run {}", self.out.join(SCENES[1].0).display()),
                "change the scene, then run it yourself",
            ),
            (
                format!("riprap film {}", self.out.join(SCENES[0].1).display()),
                "draw a film of the other one; --set output.color=speed",
            ),
            (
                format!("riprap contacts {} --out pairs.csv", file.display()),
                "find all contacts of a file of particles",
            ),
            (
                format!("riprap link {} --method gjk", stones.display()),
                "gap, normal and closest points of convex bodies, here by another method",
            ),
            (
                format!("riprap inside {} {} --method multipole", knot.display(), points.display()),
                "which points are inside a mesh, here by another method",
            ),
            ("riprap run --help".to_string(), "what a run writes, how to restart it"),
        ] {
            writeln!(output, "  {command:60} # {why}").map_err(Failure::run)?;
        }
        Ok(())
    }
}

/// Radii with as much volume in the small ones as in the large ones, at random places.
fn spheres() -> SphereColumns<3> {
    let mut random = Random::new(2014);
    let radii = packing::power_law_radii(PARTICLES, -3.0, 1.0, RATIO, &mut random);
    let edge = packing::edge_for_fraction::<3>(&radii, FRACTION);
    packing::scattered(radii, [edge; 3], &mut random)
}

fn measure(spheres: &SphereColumns<3>) -> Result<Vec<Row>, riprap::Error> {
    let spheres = spheres.view()?;
    let criterion = Criterion::default();
    let mut rows = Vec::new();
    for method in SearchMethod::<3>::all() {
        let mut search = broad::create::<3>(method.name)?;
        let mut pairs = Vec::new();
        let mut seconds = f64::INFINITY;
        for _ in 0..3 {
            let start = Instant::now();
            search.find(spheres, &criterion, &mut pairs)?;
            seconds = seconds.min(start.elapsed().as_secs_f64());
        }
        let work = search.find_counted(spheres, &criterion, &mut pairs)?;
        pairs.sort_unstable();
        rows.push(Row { name: method.name, help: method.help, pairs, work, seconds });
    }
    Ok(rows)
}

fn print(rows: &[Row], output: &mut Vec<u8>) -> std::io::Result<()> {
    let slowest = rows.iter().map(|row| row.seconds).fold(0.0, f64::max);
    writeln!(
        output,
        "{PARTICLES} spheres, radii 1 to {RATIO} with equal volume per size, filling {:.0} % of a cube\n{}, one thread, best of 3\n",
        100.0 * FRACTION,
        machine::describe()
    )?;
    let header = ["method", "pairs", "candidates", "cells", "time", "speed-up"];
    writeln!(
        output,
        "{:16} {:>7} {:>11} {:>9} {:>10} {:>9}  what it does",
        header[0], header[1], header[2], header[3], header[4], header[5]
    )?;
    let per_particle = |count: u64| format!("{:.1}/p", count as f64 / PARTICLES as f64);
    for row in rows {
        writeln!(
            output,
            "{:16} {:>7} {:>11} {:>9} {:>7.2} ms {:>8.1}x  {}",
            row.name,
            row.pairs.len(),
            per_particle(row.work.candidates),
            per_particle(row.work.cells),
            1e3 * row.seconds,
            slowest / row.seconds,
            row.help
        )?;
    }
    Ok(())
}

fn write(path: &Path, spheres: &SphereColumns<3>) -> anyhow::Result<()> {
    write_whole(path, |writer| {
        writeln!(writer, "x,y,z,r")?;
        for (center, radius) in spheres.centers.iter().zip(&spheres.radii) {
            writeln!(writer, "{},{},{},{radius}", center[0], center[1], center[2])?;
        }
        Ok(())
    })
    .with_context(|| format!("{}: cannot write", path.display()))
}

/// Points at random in and around the knot.
fn write_points(path: &Path) -> anyhow::Result<()> {
    let mut random = Random::new(2007);
    write_whole(path, |writer| {
        writeln!(writer, "x,y,z")?;
        for _ in 0..POINTS {
            let [x, y, z] = [3.5, 3.5, 1.5].map(|far| random.uniform(-far, far));
            writeln!(writer, "{x},{y},{z}")?;
        }
        Ok(())
    })
    .with_context(|| format!("{}: cannot write", path.display()))
}

/// Pairs of stones of four to sixty vertices that overlap, touch nearly or are apart.
fn write_stones(path: &Path) -> anyhow::Result<()> {
    let mut random = Random::new(2006);
    let mut bodies = vec![shapes::tetrahedron(), shapes::pyramid(), shapes::cube(), shapes::fourteen()];
    bodies.extend([12, 24, 60].map(|vertices| shapes::stone(vertices, [1.0, 0.8, 0.7], &mut random)));
    let vertices = |body: &convex::Polyhedron| serde_json::json!({ "vertices": body.vertices() });
    let shapes: Vec<_> = bodies.iter().map(vertices).collect();
    let pairs: Vec<_> = (0..STONES)
        .map(|_| {
            let mut place = |position: [f64; 3]| {
                let rotation: [f64; 4] = std::array::from_fn(|_| random.normal());
                serde_json::json!({ "shape": random.below(bodies.len()), "position": position, "rotation": rotation })
            };
            let a = place([0.0; 3]);
            let b = place([0.9, 0.1, 0.2]);
            serde_json::json!({ "a": a, "b": b })
        })
        .collect();
    let document = serde_json::json!({ "shapes": shapes, "pairs": pairs });
    write_whole(path, |writer| serde_json::to_writer(writer, &document).map_err(std::io::Error::from))
        .with_context(|| format!("{}: cannot write", path.display()))
}
