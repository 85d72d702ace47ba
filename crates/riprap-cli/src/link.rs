//! `riprap link`: gap, normal and link of pairs of convex bodies.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, anyhow};
use clap::Args;
use riprap::convex::{self, LinkMethod, Links, PlacedBodies};
use riprap::io::{ConvexBodies, ConvexPairs, LinkFormat, read_convex_pairs, write_links};
use serde::Serialize;

use crate::files::{check_folder, has_ending, same_file};
use crate::{Failure, methods};

/// Shapes about which something is noted at most.
const MOST_NOTES: usize = 10;

const EXAMPLES: &str = r#"Examples:
  riprap link pairs.json
  riprap link pairs.json --out links.csv --json
  riprap link pairs.json --method gjk --repeat 10
  riprap link pairs.json --warm --repeat 10 --threads 2

File in: JSON with `shapes` and `pairs`.
  {"shapes": [{"vertices": [[0,0,0], [1,0,0], [0,1,0], [0,0,1]]}],
   "pairs": [{"a": {"shape": 0, "position": [0,0,0], "rotation": [1,0,0,0]},
              "b": {"shape": 0, "position": [3,0,0], "rotation": [1,0,0,1]}}]}
  A body is turned about the origin of its vertices, which is then put at `position`. A `rotation` is a quaternion
  w, x, y, z of any length; without one the body is not turned. Vertices of two coordinates make polygons, whose rotation
  is an angle in radians. A shape is the convex hull of its vertices; `faces` (lists of vertices from 0, counter-clockwise as
  seen from outside; in the plane edges) are checked to be closed and convex. Shapes and pairs may have a `name`.
File out: `.csv` or `.npy`, a row per pair: gap (negative: overlap along the normal), normal from a to b, point on a,
  point on b, iterations.
JSON: pairs (their number), dimension, method, threads, repeat, warm, seconds, in_contact (gaps of zero or less; bodies
  within 1e-13 of their radius have gap zero), iterations_mean, iterations_within_2 (their share). `gjk` does not tell
  its iterations; they are 0."#;

/// Find gap, normal and shortest link of pairs of convex bodies
#[derive(Args)]
#[command(after_help = format!("{}\n{EXAMPLES}", methods::help(LinkMethod::ALL)))]
pub(crate) struct Link {
    /// File of shapes and pairs in JSON
    file: PathBuf,
    /// Method (listed below)
    #[arg(long, default_value_t = LinkMethod::default().name().to_string())]
    method: String,
    /// Threads to use at most
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Link all pairs so many times and report the best time
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Start each repetition from the links of the one before; the poses are the same, so this is the least it can take
    #[arg(long, requires = "repeat")]
    warm: bool,
    /// File for the links, `.csv` or `.npy`
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Add columns `area` and `cx,cy[,cz]` to a CSV file: the area of a face on a face, and where a force acts
    #[arg(long, requires = "out")]
    contact: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What was found; the fields of `--json`.
#[derive(Serialize)]
struct Report {
    pairs: usize,
    dimension: usize,
    method: &'static str,
    threads: usize,
    repeat: u32,
    warm: bool,
    seconds: f64,
    in_contact: usize,
    iterations_mean: f64,
    iterations_within_2: f64,
}

impl Link {
    /// The command `riprap link FILE --repeat 3 --out OUT`.
    pub(crate) fn of(file: &Path, out: &Path) -> Self {
        Self {
            file: file.to_path_buf(),
            method: LinkMethod::default().name().to_string(),
            threads: 1,
            repeat: 3,
            warm: false,
            out: Some(out.to_path_buf()),
            contact: false,
            json: false,
        }
    }

    /// Threads asked for.
    pub(crate) fn threads(&self) -> usize {
        usize::from(self.threads)
    }

    pub(crate) fn run(&self, output: &mut Vec<u8>) -> Result<(), Failure> {
        let method = LinkMethod::from_name(&self.method).map_err(Failure::input)?;
        let format = self.format()?;
        match read_convex_pairs(&self.file).map_err(Failure::input)? {
            ConvexPairs::Planar(bodies) => self.link(&bodies, method, format, output),
            ConvexPairs::Spatial(bodies) => self.link(&bodies, method, format, output),
        }
    }

    fn link<const D: usize>(
        &self,
        bodies: &ConvexBodies<D>,
        method: LinkMethod,
        format: Option<LinkFormat>,
        output: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        for (index, (shape, given)) in bodies.shapes.iter().zip(&bodies.given).enumerate() {
            let dropped = given - shape.vertices().len();
            if dropped > 0 && index < MOST_NOTES {
                note!(
                    "note: shapes[{index}]: {dropped} of {given} vertices are no corners of its convex hull"
                );
            }
        }
        let placed =
            PlacedBodies { shapes: &bodies.shapes, shape_of: &bodies.shape_of, poses: &bodies.poses };
        let mut links = Links::new(method, usize::from(self.threads));
        let mut found = Vec::new();
        let mut seconds = f64::INFINITY;
        for _ in 0..self.repeat {
            if !self.warm {
                links.forget();
            }
            let start = Instant::now();
            links.find(placed, &bodies.pairs, &mut found).map_err(Failure::input)?;
            seconds = seconds.min(start.elapsed().as_secs_f64());
        }
        if let (Some(path), Some(format)) = (&self.out, format) {
            write_links(path, format, &found)
                .with_context(|| format!("{}: cannot write", path.display()))
                .map_err(Failure::run)?;
        }
        let share = |count: usize| count as f64 / found.len().max(1) as f64;
        let total: u64 = found.iter().map(|link| u64::from(link.iterations)).sum();
        let report = Report {
            pairs: found.len(),
            dimension: D,
            method: method.name(),
            threads: usize::from(self.threads),
            repeat: self.repeat,
            warm: self.warm,
            seconds,
            in_contact: found.iter().filter(|link| link.in_contact()).count(),
            iterations_mean: total as f64 / found.len().max(1) as f64,
            iterations_within_2: share(found.iter().filter(|link| link.iterations <= 2).count()),
        };
        self.print(&report, &found, output).map_err(Failure::run)
    }

    fn print<const D: usize>(
        &self,
        report: &Report,
        links: &[convex::Link<D>],
        output: &mut Vec<u8>,
    ) -> anyhow::Result<()> {
        if self.json {
            serde_json::to_writer(&mut *output, report)?;
            writeln!(output)?;
            return Ok(());
        }
        writeln!(output, "{} pairs in {D}D, {} of them in contact", report.pairs, report.in_contact)?;
        if report.pairs > 0 {
            let per_pair = 1e9 * report.seconds / report.pairs as f64;
            writeln!(
                output,
                "method `{}`: {:.6} s, {per_pair:.0} ns per pair",
                report.method, report.seconds
            )?;
        }
        if report.iterations_mean > 0.0 {
            writeln!(
                output,
                "{:.2} iterations per pair; {:.1} % of the pairs took at most two",
                report.iterations_mean,
                100.0 * report.iterations_within_2
            )?;
        }
        let gaps = links.iter().map(|link| link.gap);
        if let Some((least, largest)) = gaps.clone().reduce(f64::min).zip(gaps.reduce(f64::max)) {
            writeln!(output, "gaps from {least:.6e} to {largest:.6e}")?;
        }
        if let Some(path) = &self.out {
            writeln!(output, "links written to {}", path.display())?;
        }
        Ok(())
    }

    fn format(&self) -> Result<Option<LinkFormat>, Failure> {
        let Some(path) = &self.out else { return Ok(None) };
        let refuse = |reason: &str| Err(Failure::input(anyhow!("{}: {reason}", path.display())));
        check_folder(path)?;
        if same_file(path, &self.file) {
            refuse("is the file of pairs, expected another name for the links")
        } else if has_ending(path, "csv") {
            Ok(Some(LinkFormat::Csv { contact: self.contact }))
        } else if has_ending(path, "npy") && self.contact {
            refuse("an array has no column names; write `.csv` for --contact")
        } else if has_ending(path, "npy") {
            Ok(Some(LinkFormat::Npy))
        } else {
            refuse("expected a name that ends in `.csv` or `.npy`")
        }
    }
}
