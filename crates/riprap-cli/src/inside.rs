//! `riprap inside`: whether points are inside a surface.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, anyhow};
use clap::Args;
use riprap::inside::{self, Depth, InsideError, Method, MultipoleOptions, Place};
use riprap::io::{PlaceFormat, read_mesh, read_points, write_places};
use riprap::mesh::Mesh;
use serde::Serialize;

use crate::contacts::{has_ending, same_file};
use crate::{Failure, methods};

const EXAMPLES: &str = "\
Examples:
  riprap inside body.stl points.csv
  riprap inside body.ply points.npy --out places.npy --json
  riprap inside body.obj other.obj --threads 2             # which vertices of the other one are inside?
  riprap inside body.stl points.csv --method ray-crossing --repeat 10

Mesh: STL (text or binary), OBJ or PLY (text or binary). Vertices at the same place are one. The surface must be closed:
  an edge that its triangles do not pass as often in one direction as in the other is named. `auto`, `double-layer` and
  `multipole` take open surfaces too: a point is inside if the surface winds around it at least half a time.
Points: CSV or text with columns x, y and z; NumPy float64 N x 3 (a fourth column is ignored); LAMMPS `dump custom`
  and `data`; or the vertices of a mesh.
File out: a row per point, in their order: 1 inside, 0 on the boundary, -1 outside. `.txt` has the numbers alone, `.csv`
  a header `place` above them, `.npy` is an array of int8.
JSON: triangles, points, method (the one that was used), threads, repeat, inside, boundary, outside (numbers of points), setup_seconds and
  query_seconds (best of --repeat; from the mesh in memory to ready, and from points to places).";

/// Tell which points are inside a closed surface
#[derive(Args)]
#[command(after_help = format!("{}\n{EXAMPLES}", methods::help(Method::ALL)))]
pub(crate) struct Inside {
    /// File of triangles, `.stl`, `.obj` or `.ply`
    mesh: PathBuf,
    /// File of points
    points: PathBuf,
    /// Method (listed below)
    #[arg(long, default_value_t = Method::default().name().to_string())]
    method: String,
    /// Threads to use at most
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Set up and classify so many times and report the best times
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// File for the places, `.txt`, `.csv` or `.npy`
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What was found; the fields of `--json`.
#[derive(Serialize)]
struct Report {
    triangles: usize,
    points: usize,
    method: &'static str,
    threads: usize,
    repeat: u32,
    inside: usize,
    boundary: usize,
    outside: usize,
    setup_seconds: f64,
    query_seconds: f64,
}

impl Inside {
    pub(crate) fn run(&self, output: &mut Vec<u8>) -> Result<(), Failure> {
        let method = methods::found(Method::from_name(&self.method), &self.method, Method::ALL)?;
        let format = self.format()?;
        let start = Instant::now();
        let mesh = read_mesh(&self.mesh).map_err(Failure::input)?;
        let points = read_points(&self.points).map_err(Failure::input)?;
        eprintln!(
            "read {} triangles and {} points in {:.3} s",
            mesh.triangles().len(),
            points.len(),
            start.elapsed().as_secs_f64()
        );
        let mut places = Vec::new();
        let report = self.classify(&mesh, &points, method, &mut places)?;
        if let (Some(path), Some(format)) = (&self.out, format) {
            write_places(path, format, &places)
                .with_context(|| format!("{}: cannot write", path.display()))
                .map_err(Failure::run)?;
        }
        self.print(&report, output).map_err(Failure::run)
    }

    fn classify(
        &self,
        mesh: &Mesh,
        points: &[[f64; 3]],
        method: Method,
        places: &mut Vec<Place>,
    ) -> Result<Report, Failure> {
        let in_file = |path: &Path| {
            let path = path.display().to_string();
            move |error: InsideError| Failure::input(anyhow::Error::new(error).context(path))
        };
        let (mut setup_seconds, mut query_seconds) = (f64::INFINITY, f64::INFINITY);
        let depth = Depth::WellChosen { points: points.len() };
        let options = MultipoleOptions { depth, ..MultipoleOptions::default() };
        let mut used = method;
        for repetition in 0..self.repeat {
            let start = Instant::now();
            let inside = inside::Inside::with_options(mesh, method, &options).map_err(in_file(&self.mesh))?;
            setup_seconds = setup_seconds.min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            inside.classify(points, usize::from(self.threads), places).map_err(in_file(&self.points))?;
            query_seconds = query_seconds.min(start.elapsed().as_secs_f64());
            if let (0, Some(open)) = (repetition, inside.open_edge()) {
                eprintln!("note: {}: {open}; windings are rounded", self.mesh.display());
            }
            used = inside.method();
        }
        let count = |wanted: Place| places.iter().filter(|&&place| place == wanted).count();
        Ok(Report {
            triangles: mesh.triangles().len(),
            points: points.len(),
            method: used.name(),
            threads: usize::from(self.threads),
            repeat: self.repeat,
            inside: count(Place::Inside),
            boundary: count(Place::Boundary),
            outside: count(Place::Outside),
            setup_seconds,
            query_seconds,
        })
    }

    fn print(&self, report: &Report, output: &mut Vec<u8>) -> anyhow::Result<()> {
        if self.json {
            serde_json::to_writer(&mut *output, report)?;
            writeln!(output)?;
            return Ok(());
        }
        writeln!(
            output,
            "{} of {} points inside {} triangles, {} on the boundary, {} outside",
            report.inside, report.points, report.triangles, report.boundary, report.outside
        )?;
        let per_point = 1e9 * report.query_seconds / report.points.max(1) as f64;
        writeln!(
            output,
            "method `{}`: {:.6} s to set up, {:.6} s for the points, {per_point:.0} ns per point",
            report.method, report.setup_seconds, report.query_seconds
        )?;
        if let Some(path) = &self.out {
            writeln!(output, "places written to {}", path.display())?;
        }
        Ok(())
    }

    fn format(&self) -> Result<Option<PlaceFormat>, Failure> {
        let Some(path) = &self.out else { return Ok(None) };
        let refuse = |reason: &str| Err(Failure::input(anyhow!("{}: {reason}", path.display())));
        if same_file(path, &self.mesh) {
            refuse("is the mesh, expected another name for the places")
        } else if same_file(path, &self.points) {
            refuse("is the file of points, expected another name for the places")
        } else if has_ending(path, "txt") {
            Ok(Some(PlaceFormat::Text))
        } else if has_ending(path, "csv") {
            Ok(Some(PlaceFormat::Csv))
        } else if has_ending(path, "npy") {
            Ok(Some(PlaceFormat::Npy))
        } else {
            refuse("expected a name that ends in `.txt`, `.csv` or `.npy`")
        }
    }
}
