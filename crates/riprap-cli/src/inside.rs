//! `riprap inside`: whether points are inside a surface.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use clap::Args;
use riprap::inside::{self, Depth, InsideError, InsideMethod, MultipoleOptions, Place};
use riprap::io::{ColumnFormat, read_mesh, read_points, write_places, write_windings};
use riprap::mesh::Mesh;
use serde::Serialize;

use crate::files::{check_folder, has_ending, same_file};
use crate::{Failure, methods, progress};

const EXAMPLES: &str = "\
Examples:
  riprap inside body.stl points.csv
  riprap inside body.ply points.npy --out places.npy --json
  riprap inside body.obj other.obj --threads 2             # which vertices of the other one are inside?
  riprap inside body.stl points.csv --weld 1e-6             # join vertices that an exporter has rounded apart
  riprap inside body.stl points.csv --method ray-crossing --repeat 10
  riprap inside scan.ply points.npy --windings windings.npy  # of a surface with holes: how far it surrounds each point

Mesh: STL (text or binary), OBJ or PLY (text or binary). Vertices at exactly the same place are one, with --weld those within a distance. A surface is closed if
  triangles pass each edge as often in one direction as in the other. If it is not, `auto` says so with an edge and adds
  up solid angles, as `double-layer` and `multipole` do: a point is inside if the surface winds around it at least half
  a time. The other methods refuse it.
Points: CSV or text with a header that names x, y and z; NumPy float64 or float32 N x 3 (a fourth column is ignored); LAMMPS
  `dump custom` and `data`; or the vertices of a mesh in their order (of an STL file, where each comes first).
Files out: a row per point, in their order. --out: 1 inside, 0 on the boundary, -1 outside. --windings: how often the surface
  winds around the point, NaN on the boundary. `.txt` has the numbers alone, `.csv` a header `place` or `winding` above
  them, `.npy` is an array of int8 or float64.
JSON: triangles, degenerate_triangles (without area), closed, points, method (the one that was used), threads, repeat,
  inside, boundary, outside (numbers of points), setup_seconds and query_seconds (best of --repeat; from the mesh in
  memory to ready, and from points to places).";

/// Tell which points are inside a surface of triangles
#[derive(Args)]
#[command(after_help = format!("{}\n{EXAMPLES}", methods::help(InsideMethod::ALL)))]
pub(crate) struct Inside {
    /// File of triangles, `.stl`, `.obj` or `.ply`
    mesh: PathBuf,
    /// File of points, `.csv`, `.npy`, text with a header, LAMMPS or a mesh
    points: PathBuf,
    /// Method (listed below)
    #[arg(long, default_value_t = InsideMethod::default().name().to_string())]
    method: String,
    /// Join vertices within this distance, which closes seams that were rounded open
    #[arg(long, value_name = "LENGTH", allow_negative_numbers = true)]
    weld: Option<f64>,
    /// Largest error of winding numbers by `multipole`
    #[arg(long, value_name = "T", default_value_t = MultipoleOptions::default().tolerance)]
    tolerance: f64,
    /// Threads to use at most
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Do it so many times and report the best times
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// File for the places, `.txt`, `.csv` or `.npy`
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// File for the winding numbers, `.txt`, `.csv` or `.npy`
    #[arg(long, value_name = "FILE")]
    windings: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What was found, point by point.
#[derive(Default)]
struct Found {
    places: Vec<Place>,
    /// Only if they are to be written.
    windings: Vec<f64>,
}

/// What was found in all; the fields of `--json`.
#[derive(Serialize)]
struct Report {
    triangles: usize,
    degenerate_triangles: usize,
    closed: bool,
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
    /// As if these files were given, and nothing else.
    pub(crate) fn of(mesh: &Path, points: &Path, out: &Path) -> Self {
        Self {
            mesh: mesh.to_path_buf(),
            points: points.to_path_buf(),
            method: InsideMethod::default().name().to_string(),
            weld: None,
            tolerance: MultipoleOptions::default().tolerance,
            threads: 1,
            repeat: 1,
            out: Some(out.to_path_buf()),
            windings: None,
            json: false,
        }
    }

    /// Threads asked for.
    pub(crate) fn threads(&self) -> usize {
        usize::from(self.threads)
    }

    pub(crate) fn run(&self, output: &mut Vec<u8>) -> Result<(), Failure> {
        let method = methods::found(InsideMethod::from_name(&self.method), &self.method, InsideMethod::ALL)?;
        let out = self.out.as_deref().map(|path| self.format(path)).transpose()?;
        let windings = self.windings.as_deref().map(|path| self.format(path)).transpose()?;
        if let (Some(out), Some(windings)) = (&self.out, &self.windings)
            && (out == windings || same_file(out, windings))
        {
            let reason = "is for the places already, expected another name for the windings";
            return Err(Failure::input(anyhow!("{}: {reason}", windings.display())));
        }
        let is_mesh = |path: &Path| ["stl", "obj", "ply"].iter().any(|ending| has_ending(path, ending));
        if !is_mesh(&self.mesh) && is_mesh(&self.points) {
            let (first, second) = (self.mesh.display(), self.points.display());
            return Err(Failure::input(anyhow!(
                "{first}: is not a mesh, but {second} is: the mesh comes first"
            )));
        }
        let start = Instant::now();
        let mut mesh = read_mesh(&self.mesh).map_err(Failure::input)?;
        if let Some(weld) = self.weld {
            let named = |error| anyhow::Error::new(error).context(self.mesh.display().to_string());
            mesh = mesh.welded_within(weld).map_err(named).map_err(Failure::input)?;
        }
        let points = read_points(&self.points).map_err(Failure::input)?;
        note!(
            "read {} triangles and {} points in {:.3} s",
            mesh.triangles().len(),
            points.len(),
            start.elapsed().as_secs_f64()
        );
        let mut found = Found::default();
        let report = self.classify(&mesh, &points, method, &mut found)?;
        let unwritten = |path: &Path| format!("{}: cannot write", path.display());
        if let (Some(path), Some(format)) = (&self.out, out) {
            write_places(path, format, &found.places)
                .with_context(|| unwritten(path))
                .map_err(Failure::run)?;
        }
        if let (Some(path), Some(format)) = (&self.windings, windings) {
            write_windings(path, format, &found.windings)
                .with_context(|| unwritten(path))
                .map_err(Failure::run)?;
        }
        self.print(&report, output).map_err(Failure::run)
    }

    fn classify(
        &self,
        mesh: &Mesh,
        points: &[[f64; 3]],
        method: InsideMethod,
        found: &mut Found,
    ) -> Result<Report, Failure> {
        let in_file = |path: &Path| {
            let path = path.display().to_string();
            move |error: InsideError| match error {
                InsideError::Option { .. } => Failure::input(error),
                error => Failure::input(anyhow::Error::new(error).context(path)),
            }
        };
        let degenerate_triangles = mesh.degenerate_triangles().count();
        if degenerate_triangles > 0 {
            self.note(&format!("triangles without area are passed over: {degenerate_triangles}"));
        }
        let [low, high] = mesh.bounds();
        let is_far = |point: &[f64; 3]| (0..3).any(|k| point[k] < low[k] || point[k] > high[k]);
        if !points.is_empty() && points.iter().all(is_far) {
            self.note(&format!(
                "no point is in its box, from {low:?} to {high:?}; are units and places those of the mesh?"
            ));
        }
        let (mut setup_seconds, mut query_seconds) = (f64::INFINITY, f64::INFINITY);
        let depth = Depth::WellChosen { points: points.len() };
        let options = MultipoleOptions { depth, tolerance: self.tolerance, ..MultipoleOptions::default() };
        let threads = usize::from(self.threads);
        let (mut used, mut closed) = (method, true);
        for repetition in 0..self.repeat {
            let start = Instant::now();
            let inside = inside::Inside::with_options(mesh, method, &options).map_err(in_file(&self.mesh))?;
            setup_seconds = setup_seconds.min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            classify_shown(&inside, points, threads, &mut found.places).map_err(in_file(&self.points))?;
            query_seconds = query_seconds.min(start.elapsed().as_secs_f64());
            if let (0, Some(open)) = (repetition, inside.open_edge()) {
                self.note(&format!("{open}; until then points are inside that it surrounds by half"));
            }
            (used, closed) = (inside.method(), inside.open_edge().is_none());
            if self.windings.is_some() && repetition + 1 == self.repeat {
                inside.windings(points, threads, &mut found.windings).map_err(in_file(&self.points))?;
            }
        }
        let count = |wanted: Place| found.places.iter().filter(|&&place| place == wanted).count();
        Ok(Report {
            triangles: mesh.triangles().len(),
            degenerate_triangles,
            closed,
            points: points.len(),
            method: used.name(),
            threads,
            repeat: self.repeat,
            inside: count(Place::Inside),
            boundary: count(Place::Boundary),
            outside: count(Place::Outside),
            setup_seconds,
            query_seconds,
        })
    }

    /// Something worth knowing of the mesh.
    fn note(&self, text: &str) {
        note!("note: {}: {text}", self.mesh.display());
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
        if let Some(path) = &self.windings {
            writeln!(output, "windings written to {}", path.display())?;
        }
        Ok(())
    }

    /// The format of a file out, which must not be one of those in.
    fn format(&self, path: &Path) -> Result<ColumnFormat, Failure> {
        let refuse = |reason: &str| Err(Failure::input(anyhow!("{}: {reason}", path.display())));
        check_folder(path)?;
        if same_file(path, &self.mesh) {
            refuse("is the mesh, expected another name for the results")
        } else if same_file(path, &self.points) {
            refuse("is the file of points, expected another name for the results")
        } else if has_ending(path, "txt") {
            Ok(ColumnFormat::Text)
        } else if has_ending(path, "csv") {
            Ok(ColumnFormat::Csv)
        } else if has_ending(path, "npy") {
            Ok(ColumnFormat::Npy)
        } else {
            refuse("expected a name that ends in `.txt`, `.csv` or `.npy`")
        }
    }
}

/// Points that are classified before a bar moves for the first time, and how long it may then stand still.
const FIRST_PORTION: usize = 1024;
const STANDSTILL: Duration = Duration::from_millis(300);

/// Classifies all points at once; where somebody is watching, portion by portion, so that a bar can move.
fn classify_shown(
    inside: &inside::Inside,
    points: &[[f64; 3]],
    threads: usize,
    places: &mut Vec<Place>,
) -> Result<(), InsideError> {
    if !std::io::stderr().is_terminal() {
        return inside.classify(points, threads, places);
    }
    places.clear();
    let bar = progress::bar(points.len() as u64, "points", false);
    let (mut rest, mut size, mut portion) = (points, FIRST_PORTION, Vec::new());
    while !rest.is_empty() {
        let (now, later) = rest.split_at(size.min(rest.len()));
        let start = Instant::now();
        inside.classify(now, threads, &mut portion)?;
        places.extend_from_slice(&portion);
        bar.inc(now.len() as u64);
        size *= if start.elapsed() < STANDSTILL / 2 { 2 } else { 1 };
        rest = later;
    }
    bar.finish_and_clear();
    Ok(())
}
