//! `riprap contacts`: all overlapping pairs of a file of particles.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, anyhow};
use clap::Args;
use riprap::broad::{self, BroadPhase, Pair, Work};
use riprap::io::{PairFormat, ParticleFile, Particles, read_particle_file, write_pairs};
use riprap::{Criterion, SphereColumns, Spheres};
use serde::Serialize;

use crate::Failure;
use crate::files::{check_folder, has_ending, same_file};
use crate::memory::check_pairs;
use crate::periodic::{BoxChoice, periodic_lengths};

/// Seconds up to which `--measure` tries a method.
const LONGEST_MEASUREMENT: f64 = 60.0;

const EXAMPLES: &str = "\
Examples:
  riprap contacts particles.csv --out pairs.csv
  riprap contacts particles.npy --margin 0.001 --out pairs.npy --json
  riprap contacts dump.lammpstrj --out pairs.csv --ids
  riprap contacts atoms.data --periodic x,y --out pairs.csv --overlap --shift
  riprap contacts particles.csv --method mr:sort=quick,search=binary --repeat 10 --count
  riprap contacts particles.csv --method auto --explain --measure

Files in: CSV with a header `x,y[,z]` and `r`, `radius`, `d` or `diameter`; NumPy float64 or float32 (x y r or x y z r);
  text with a header such as `Radius[m] PosX[m] PosY[m] PosZ[m]`; LAMMPS `dump custom` and `data`.
  The box of a LAMMPS dump is used along the axes that it calls periodic (`ITEM: BOX BOUNDS pp pp ff`), unless --periodic says
  otherwise; data files do not say which axes are periodic, so name them: --periodic x,y.
Files out: `.csv` or `.npy`, pairs i < j of zero-based rows, sorted.
JSON: n, dimension, method, threads, pairs (their number), seconds, levels and cell_sizes of the grid, and with --count
  candidates and cells (rows of cells for `levels`, `mr` and `mmr`, looks at the box of a node for `tree`), and where the box is
  periodic: periodic (its lengths, null for an open axis) and box_from_file.";

/// Find all overlapping pairs of particles, each exactly once
#[derive(Args)]
#[command(after_help = format!("{}\n{EXAMPLES}", methods_help()))]
pub(crate) struct Contacts {
    /// File of particles
    file: PathBuf,
    /// Method, with options after a colon (listed below)
    #[arg(long, default_value = broad::AUTO)]
    method: String,
    /// Threads to use at most
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Report pairs with a gap of up to this length too
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    margin: f64,
    /// Edge lengths of a periodic box, `inf` for an open axis; or axes along which the box of the file is periodic, such as `x,y`; or `none`
    #[arg(long, value_name = "LX,LY[,LZ]", allow_negative_numbers = true)]
    periodic: Option<BoxChoice>,
    /// Detect so many times, with the same instance of the method, and report the best time
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Count tested candidates and visited cells, in a run of its own
    #[arg(long)]
    count: bool,
    /// File for the pairs, `.csv` or `.npy`
    #[arg(long, value_name = "PAIRS")]
    out: Option<PathBuf>,
    /// Add a column `overlap` to a CSV file of pairs (negative for a gap)
    #[arg(long, requires = "out")]
    overlap: bool,
    /// Add columns `sx,sy[,sz]`: box lengths from j to its image next to i
    #[arg(long, requires = "out")]
    shift: bool,
    /// Add columns `id_i,id_j` to a CSV file of pairs: the ids that a LAMMPS file gives to its atoms
    #[arg(long, requires = "out")]
    ids: bool,
    /// Print what each method is expected to take, before the result
    #[arg(long, conflicts_with = "json")]
    explain: bool,
    /// With --explain: measure each method too, if it is expected to take less than a minute
    #[arg(long, requires = "explain")]
    measure: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What a detection gave; the fields of `--json`.
#[derive(Serialize)]
struct Report {
    n: usize,
    dimension: usize,
    method: String,
    threads: usize,
    pairs: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    periodic: Option<Vec<Option<f64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    box_from_file: Option<bool>,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    candidates: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<u64>,
    levels: usize,
    cell_sizes: Vec<f64>,
}

impl Contacts {
    /// Threads asked for.
    pub(crate) fn threads(&self) -> usize {
        usize::from(self.threads)
    }

    pub(crate) fn run(&self, output: &mut Vec<u8>) -> Result<(), Failure> {
        self.check_out()?;
        self.check_margin()?;
        let start = Instant::now();
        let file = read_particle_file(&self.file).map_err(Failure::input)?;
        let read_seconds = start.elapsed().as_secs_f64();
        if self.ids && file.ids.is_none() {
            let path = self.file.display();
            return Err(Failure::input(anyhow!(
                "{path}: has no ids for --ids, expected a LAMMPS dump with a column `id` or a data file"
            )));
        }
        match &file.particles {
            Particles::Planar(disks) => self.detect(&file, disks, read_seconds, output),
            Particles::Spatial(spheres) => self.detect(&file, spheres, read_seconds, output),
        }
    }

    fn detect<const D: usize>(
        &self,
        file: &ParticleFile,
        columns: &SphereColumns<D>,
        read_seconds: f64,
        output: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let lengths = periodic_lengths(self.periodic.as_ref(), file.region.as_ref(), &self.file)?;
        let criterion = Criterion { margin: self.margin, lengths };
        let from_file =
            criterion.is_periodic().then_some(!matches!(self.periodic, Some(BoxChoice::Lengths(_))));
        if self.shift && from_file.is_none() {
            return Err(Failure::input(anyhow!(
                "--shift needs a periodic box: give its lengths with --periodic"
            )));
        }
        let in_file = |error: riprap::Error| {
            let hint = match error {
                riprap::Error::WiderThanHalfBox { .. } if self.periodic.is_none() => {
                    " (the box is that of the file: `--periodic none` leaves it open, `--periodic x,y` along z only)"
                }
                _ => "",
            };
            Failure::input(anyhow!("{}: {error}{hint}", self.file.display()))
        };
        let spheres = columns.view().map_err(in_file)?;
        check_pairs(&spheres, &criterion)?;
        let name =
            if self.method == broad::AUTO { broad::choose(&spheres, &criterion) } else { &self.method };
        let mut method = broad::create::<D>(name).map_err(Failure::input)?;
        if self.explain {
            criterion.check(&spheres).map_err(in_file)?;
            self.explain(&spheres, &criterion, output)?;
        }
        note!("read {} particles in {D}D in {read_seconds:.3} s; searching with `{name}`", spheres.len());
        let threads = method.set_threads(usize::from(self.threads));
        if threads < usize::from(self.threads) {
            note!("note: `{name}` runs on {threads} thread{}", if threads == 1 { "" } else { "s" });
        }

        let mut pairs = Vec::new();
        let mut seconds = f64::INFINITY;
        for _ in 0..self.repeat {
            let start = Instant::now();
            let spheres = columns.view().map_err(Failure::input)?;
            method.find(spheres, &criterion, &mut pairs).map_err(in_file)?;
            seconds = seconds.min(start.elapsed().as_secs_f64());
        }
        let work = if self.count { Some(count(&mut *method, columns, &criterion)?) } else { None };

        if let Some(path) = &self.out {
            pairs.sort_unstable();
            write_pairs(path, self.format(file.ids.as_deref()), &pairs, &spheres, &criterion)
                .with_context(|| format!("{}: cannot write", path.display()))
                .map_err(Failure::run)?;
        }
        let cell_sizes = method.cell_sizes();
        let report = Report {
            n: spheres.len(),
            dimension: D,
            method: name.to_string(),
            threads,
            pairs: pairs.len(),
            periodic: from_file.map(|_| lengths.map(|length| length.is_finite().then_some(length)).to_vec()),
            box_from_file: from_file,
            seconds,
            candidates: work.map(|work| work.candidates),
            cells: work.map(|work| work.cells),
            levels: cell_sizes.len(),
            cell_sizes,
        };
        self.print(&report, output).map_err(Failure::run)
    }

    /// The table of predictions, and of measured times where asked for.
    fn explain<const D: usize>(
        &self,
        spheres: &Spheres<'_, D>,
        criterion: &Criterion<D>,
        output: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let mut table = format!("{:16} {:>12}", "method", "expected");
        if self.measure {
            table += &format!(" {:>12}", "measured");
        }
        table += "  what it does\n";
        for prediction in broad::predict(spheres, criterion) {
            table += &format!("{:16} {:>9.3} ms", prediction.method, 1e3 * prediction.seconds);
            if self.measure {
                let time = if prediction.seconds < LONGEST_MEASUREMENT {
                    let seconds =
                        first_detection(prediction.method, spheres, criterion).map_err(Failure::input)?;
                    format!("{:.3} ms", 1e3 * seconds)
                } else {
                    "-".to_string()
                };
                table += &format!(" {time:>12}");
            }
            let help = broad::SearchMethod::<D>::all().iter().find(|method| method.name == prediction.method);
            table += &format!("  {}\n", help.map_or("", |method| method.help));
        }
        writeln!(output, "{table}").map_err(Failure::run)
    }

    fn print(&self, report: &Report, output: &mut Vec<u8>) -> anyhow::Result<()> {
        if self.json {
            serde_json::to_writer(&mut *output, report)?;
            writeln!(output)?;
            return Ok(());
        }
        let per_particle = 1e9 * report.seconds / report.n.max(1) as f64;
        writeln!(output, "{} pairs among {} particles in {}D", report.pairs, report.n, report.dimension)?;
        writeln!(
            output,
            "method `{}`: {:.6} s, {per_particle:.0} ns per particle",
            report.method, report.seconds
        )?;
        if !report.cell_sizes.is_empty() {
            let sizes: Vec<_> = report.cell_sizes.iter().map(|size| format!("{size:.4}")).collect();
            writeln!(output, "cell sizes: {}", sizes.join(", "))?;
        }
        if let (Some(candidates), Some(cells)) = (report.candidates, report.cells) {
            writeln!(output, "{candidates} candidates tested, {cells} cells visited")?;
        }
        if let Some(path) = &self.out {
            writeln!(output, "pairs written to {}", path.display())?;
        }
        Ok(())
    }

    /// How pairs are written.
    fn format<'a>(&self, ids: Option<&'a [u64]>) -> PairFormat<'a> {
        match &self.out {
            Some(path) if has_ending(path, "npy") => PairFormat::Npy,
            _ => PairFormat::Csv { overlap: self.overlap, shift: self.shift, ids: ids.filter(|_| self.ids) },
        }
    }

    /// Refuses a file for pairs that cannot be written, before a large file is read for nothing.
    fn check_out(&self) -> Result<(), Failure> {
        let Some(path) = &self.out else { return Ok(()) };
        let refuse = |reason: &str| Err(Failure::input(anyhow!("{}: {reason}", path.display())));
        check_folder(path)?;
        if same_file(path, &self.file) {
            return refuse("is the file of particles, expected another name for the pairs");
        }
        if has_ending(path, "csv") {
            Ok(())
        } else if !has_ending(path, "npy") {
            refuse("expected a name that ends in `.csv` or `.npy`")
        } else if self.overlap || self.shift || self.ids {
            refuse("a NumPy file holds i and j only; write `.csv` for --overlap, --shift and --ids")
        } else {
            Ok(())
        }
    }

    /// Refuses a senseless margin before a large file is read for nothing.
    fn check_margin(&self) -> Result<(), Failure> {
        let criterion = Criterion::<2> { margin: self.margin, ..Criterion::default() };
        let none = Spheres::new(&[], &[]).map_err(Failure::input)?;
        criterion.check(&none).map_err(Failure::input)
    }
}

/// The best time of two detections by a new instance of a method, in seconds: memory is laid out in the first.
fn first_detection<const D: usize>(
    method: &str,
    spheres: &Spheres<'_, D>,
    criterion: &Criterion<D>,
) -> Result<f64, riprap::Error> {
    let mut best = f64::INFINITY;
    let mut pairs = Vec::new();
    for _ in 0..2 {
        let mut method = broad::create::<D>(method)?;
        let start = Instant::now();
        method.find(*spheres, criterion, &mut pairs)?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}

fn count<const D: usize>(
    method: &mut dyn BroadPhase<D>,
    columns: &SphereColumns<D>,
    criterion: &Criterion<D>,
) -> Result<Work, Failure> {
    let mut pairs: Vec<Pair> = Vec::new();
    columns
        .view()
        .and_then(|spheres| method.find_counted(spheres, criterion, &mut pairs))
        .map_err(Failure::input)
}

/// The table of methods, for the help.
fn methods_help() -> String {
    let mut text =
        format!("Methods:\n  {:16} the one expected to be fastest for these particles\n", broad::AUTO);
    for method in broad::SearchMethod::<3>::all() {
        text += &format!("  {:16} {}\n", method.name, method.help);
        for (option, values) in method.options {
            text += &format!("  {:18} {option}=... {values}\n", "");
        }
    }
    text += &format!("  Periodic boxes: {}\n", broad::periodic_names().replace('`', ""));
    text
}
