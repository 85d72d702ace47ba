//! `riprap tune`: the hierarchical grid's cost model and its best cell sizes.

mod table;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::{ArgGroup, Args, ValueEnum};
use riprap::Error;
use riprap::io::{read_radii, write_whole};
use riprap::plot::{Axis, Chart, Curve, Spacing, Width};
use riprap::tune::{Direction, Estimate, Model, Parameters, RadiusDistribution, Rule};
use serde::Serialize;

use crate::Failure;
use crate::files::has_ending;
use table::digits;

/// Levels that a drawing shows at most.
const MOST_LEVELS: usize = 64;

const EXAMPLES: &str = "\
Examples:
  riprap tune --radii particles.csv --fraction 0.6 --dimension 3
  riprap tune --power-law -3 --ratio 100 --fraction 0.7 --dimension 3 --plot work.svg
  riprap tune --log-normal -6,0.5 --fraction 0.4 --dimension 2 --search bottom-up --json
  riprap tune --uniform --ratio 10 --fraction 0.6 --dimension 3 --sizes exponential --levels 3
  riprap tune --sieve 0.001:0,0.002:0.3,0.008:1 --fraction 0.6 --dimension 3

The model is that of Krijgsman, Ogarko and Luding (2014): particles at random places, work counted in tests of one
pair. Work, checks and accesses are per particle. Cell sizes are in units of the smallest radius, with --radii in
those of the file, with --sieve in those of its diameters. The last line is the fastest command for contacts, which is
not the hierarchical grid: these cell sizes are for those who use one. Files of radii: any file of particles that `riprap contacts` reads, or one column of radii as text,
CSV (`r`, `radius`, `d` or `diameter` as header) or NumPy float64 or float32.
JSON: levels, cell_sizes, work, checks, accesses, per_cell, share, single_level_work, sizes, search, dimension, fraction, k,
  smallest_radius, largest_radius.";

/// Predict the work of a hierarchical grid and find its best cell sizes
#[derive(Args)]
#[command(after_help = EXAMPLES)]
#[command(group(ArgGroup::new("distribution").required(true).args(["radii", "power_law", "log_normal", "uniform", "sieve"])))]
pub(crate) struct Tune {
    /// File with the radii of the particles
    #[arg(long, value_name = "FILE")]
    radii: Option<PathBuf>,
    /// Radii with a density in proportion to r^A, from 1 to the ratio W
    #[arg(long, value_name = "A", allow_negative_numbers = true, requires = "ratio")]
    power_law: Option<f64>,
    /// Radii whose logarithm has this mean and standard deviation, cut off at 4 deviations or to the ratio W
    #[arg(long, value_name = "MU,SIGMA", value_parser = parse_log_normal, allow_hyphen_values = true)]
    log_normal: Option<LogNormal>,
    /// Radii equally likely from 1 to the ratio W
    #[arg(long, requires = "ratio")]
    uniform: bool,
    /// Grading curve: diameters of sieves and the share of the mass that passes each, from 0 to 1; between two sieves the
    /// mass is spread evenly over the logarithm of the diameter, as with `sizes = { sieve = ... }` in scenes
    #[arg(long, value_name = "SIZE:PASSING,...", value_parser = parse_sieve, allow_hyphen_values = true)]
    sieve: Option<Sieves>,
    /// Largest radius over the smallest
    #[arg(long, value_name = "W", allow_negative_numbers = true, conflicts_with_all = ["radii", "sieve"])]
    ratio: Option<f64>,
    /// Share of space that the particles fill
    #[arg(long, value_name = "NU", allow_negative_numbers = true)]
    fraction: f64,
    /// 2 or 3
    #[arg(long, value_name = "D")]
    dimension: usize,
    /// Time to look into a cell, in units of the time to test a pair
    #[arg(long, default_value_t = 0.2, allow_negative_numbers = true)]
    k: f64,
    /// Which levels a particle searches beside its own
    #[arg(long, value_enum, default_value_t = Search::TopDown)]
    search: Search,
    /// How cell sizes are chosen
    #[arg(long, value_enum, default_value_t = Choice::Optimal)]
    sizes: Choice,
    /// Number of levels; by default the best
    #[arg(long, value_name = "L")]
    levels: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Draw the work against the number of levels, for all four rules
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

#[derive(Clone, Copy)]
struct LogNormal {
    mean: f64,
    deviation: f64,
}

/// Diameters, each with the share of the mass that passes.
#[derive(Clone)]
struct Sieves(Vec<(f64, f64)>);

#[derive(Clone, Copy, ValueEnum)]
enum Search {
    /// Those of smaller particles (method `hgrid`)
    TopDown,
    /// Those of larger particles (method `hgrid-bottom-up`)
    BottomUp,
}

#[derive(Clone, Copy, ValueEnum)]
enum Choice {
    /// With the least work
    Optimal,
    /// As many particles per cell at each level
    Constant,
    /// A fixed ratio of successive sizes
    Exponential,
    /// A fixed difference of successive sizes
    Linear,
}

/// The fields of `--json`.
#[derive(Serialize)]
struct Report<'a> {
    levels: usize,
    cell_sizes: Vec<f64>,
    work: f64,
    checks: f64,
    accesses: f64,
    per_cell: Vec<f64>,
    share: Vec<f64>,
    single_level_work: f64,
    sizes: &'a str,
    search: &'a str,
    dimension: usize,
    fraction: f64,
    k: f64,
    smallest_radius: f64,
    largest_radius: f64,
}

impl Tune {
    pub(crate) fn run(&self, output: &mut Vec<u8>) -> Result<(), Failure> {
        self.check()?;
        let sizes = self.distribution()?;
        let model = Model::new(&sizes, self.parameters()).map_err(name_option)?;
        let chosen = match self.levels {
            Some(levels) => model.estimate(&model.cell_sizes(self.rule(), levels)),
            None => model.best(self.rule()),
        };
        if let Some(levels) = self.levels.filter(|levels| *levels > chosen.levels.len()) {
            note!("note: {} of the {levels} levels suffice, more would not help", chosen.levels.len());
        }
        if self.json {
            self.write_json(&model, &chosen, output).map_err(Failure::run)?;
        } else {
            self.write_table(&model, &chosen, output).map_err(Failure::run)?;
        }
        if let Some(path) = &self.plot {
            self.draw(&model, path).map_err(Failure::run)?;
            note!("plot written to {}", path.display());
        }
        Ok(())
    }

    /// Refuses what can be refused before a large file is read for nothing.
    fn check(&self) -> Result<(), Failure> {
        let most = self.rule().most_levels();
        if let Some(levels) = self.levels.filter(|levels| !(1..=most).contains(levels)) {
            let rule = self.rule().name();
            return Err(Failure::input(anyhow!(
                "--levels is {levels}, expected a number from 1 to {most} with `--sizes {rule}`"
            )));
        }
        if let Some(path) = self.plot.as_ref().filter(|path| !has_ending(path, "svg")) {
            return Err(Failure::input(anyhow!(
                "--plot is {}, expected a name that ends in `.svg`",
                path.display()
            )));
        }
        let one = RadiusDistribution::uniform(1.0).map_err(Failure::input)?;
        Model::new(&one, self.parameters()).map(|_| ()).map_err(name_option)
    }

    fn parameters(&self) -> Parameters {
        let direction = match self.search {
            Search::TopDown => Direction::TopDown,
            Search::BottomUp => Direction::BottomUp,
        };
        Parameters { dimension: self.dimension, fraction: self.fraction, access_cost: self.k, direction }
    }

    fn distribution(&self) -> Result<RadiusDistribution, Failure> {
        if let Some(Sieves(sieves)) = &self.sieve {
            return RadiusDistribution::sieve(sieves, self.dimension).map_err(name_option);
        }
        match (&self.radii, self.power_law, self.log_normal, self.ratio) {
            (Some(path), ..) => {
                let radii = read_radii(path).map_err(Failure::input)?;
                RadiusDistribution::list(&radii).map_err(|error| {
                    Failure::input(anyhow::Error::new(error).context(path.display().to_string()))
                })
            }
            (_, Some(exponent), _, Some(ratio)) => {
                RadiusDistribution::power_law(exponent, ratio).map_err(name_option)
            }
            (_, _, Some(LogNormal { mean, deviation }), Some(ratio)) => {
                RadiusDistribution::log_normal_within(mean, deviation, ratio).map_err(name_option)
            }
            (_, _, Some(LogNormal { mean, deviation }), None) => {
                RadiusDistribution::log_normal(mean, deviation).map_err(name_option)
            }
            (.., ratio) => RadiusDistribution::uniform(ratio.unwrap_or(f64::NAN)).map_err(name_option),
        }
    }

    fn rule(&self) -> Rule {
        match self.sizes {
            Choice::Optimal => Rule::Optimal,
            Choice::Constant => Rule::Constant,
            Choice::Exponential => Rule::Exponential,
            Choice::Linear => Rule::Linear,
        }
    }

    fn search_name(&self) -> &'static str {
        match self.search {
            Search::TopDown => "top-down",
            Search::BottomUp => "bottom-up",
        }
    }

    /// What cell sizes are shown in: the unit of the file or the sieves, or the smallest radius.
    fn unit(&self, model: &Model<'_>) -> f64 {
        if self.radii.is_some() || self.sieve.is_some() { 1.0 } else { model.sizes().smallest() }
    }

    fn write_json(&self, model: &Model<'_>, chosen: &Estimate, output: &mut Vec<u8>) -> anyhow::Result<()> {
        let unit = self.unit(model);
        let report = Report {
            levels: chosen.levels.len(),
            cell_sizes: chosen.levels.iter().map(|level| level.cell_size / unit).collect(),
            work: chosen.work,
            checks: chosen.checks,
            accesses: chosen.accesses,
            per_cell: chosen.levels.iter().map(|level| level.per_cell).collect(),
            share: chosen.levels.iter().map(|level| level.share).collect(),
            single_level_work: single_level(model),
            sizes: self.rule().name(),
            search: self.search_name(),
            dimension: self.dimension,
            fraction: self.fraction,
            k: self.k,
            smallest_radius: model.sizes().smallest() / unit,
            largest_radius: model.sizes().largest() / unit,
        };
        serde_json::to_writer(&mut *output, &report)?;
        writeln!(output)?;
        Ok(())
    }

    fn draw(&self, model: &Model<'_>, path: &std::path::Path) -> anyhow::Result<()> {
        let best = Rule::ALL.map(|rule| model.best(rule));
        let widest = best.iter().map(|best| best.levels.len()).max().unwrap_or(1);
        let most = (widest * 4 / 3).clamp(20, MOST_LEVELS);
        let curve = |(&rule, best): (&Rule, &Estimate)| {
            let work = work_by_levels(model, rule, best, most);
            let levels = best.levels.len();
            let unit = if levels == 1 { "level" } else { "levels" };
            let minimum = [levels as f64, best.work];
            Curve {
                name: format!("{}: {:.2} at {levels} {unit}", rule.name(), best.work),
                marks: if levels <= work.len() { vec![minimum] } else { Vec::new() },
                points: (1..).zip(work).map(|(levels, work)| [f64::from(levels), work]).collect(),
            }
        };
        let curves = Rule::ALL.iter().zip(&best).map(curve).collect();
        let title = format!(
            "Work per particle: radii 1 to {}, fraction {}, {}D, {}, K = {}",
            digits(model.sizes().largest() / model.sizes().smallest()),
            self.fraction,
            self.dimension,
            self.search_name(),
            self.k
        );
        let chart = Chart {
            title: &title,
            across: Axis { label: "number of levels", spacing: Spacing::Logarithmic },
            upward: Axis { label: "work per particle (tests of a pair)", spacing: Spacing::Logarithmic },
            curves,
            width: Width::Page,
        };
        write_whole(path, |writer| writer.write_all(chart.svg().as_bytes()))
            .with_context(|| format!("{}: cannot write", path.display()))
    }
}

/// The work of a rule with 1, 2, ... levels.
fn work_by_levels(model: &Model<'_>, rule: Rule, best: &Estimate, most: usize) -> Vec<f64> {
    (1..=most)
        .map(|levels| {
            // The optimum with more levels than are best is the best.
            if rule == Rule::Optimal && levels >= best.levels.len() {
                best.work
            } else {
                model.work(&model.cell_sizes(rule, levels))
            }
        })
        .collect()
}

fn single_level(model: &Model<'_>) -> f64 {
    model.work(&[2.0 * model.sizes().largest()])
}

/// The failure for a parameter out of range, by the name of its option.
fn name_option(error: Error) -> Failure {
    Failure::input(match error {
        Error::Parameter { parameter, value, expected } => {
            let option = match parameter {
                "exponent" => "--power-law",
                "mean" => "--log-normal: MU",
                "deviation" => "--log-normal: SIGMA",
                "access cost" => "--k",
                "ratio" => "--ratio",
                "number of sieves" => "--sieve: number of sieves",
                "sieve size" => "--sieve: SIZE",
                "passing share" => "--sieve: PASSING",
                "fraction" => "--fraction",
                "dimension" => "--dimension",
                other => other,
            };
            anyhow!("{option} is {value}, expected {expected}")
        }
        other => other.into(),
    })
}

fn parse_log_normal(text: &str) -> Result<LogNormal, String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[mean, deviation]) => Ok(LogNormal { mean, deviation }),
        _ => Err("expected the mean and the standard deviation of ln r, such as `-6,0.5`".to_string()),
    }
}

fn parse_sieve(text: &str) -> Result<Sieves, String> {
    let sieve = |sieve: &str| {
        let (size, passing) = sieve.split_once(':')?;
        Some((size.trim().parse().ok()?, passing.trim().parse().ok()?))
    };
    let sieves: Option<Vec<(f64, f64)>> = text.split(',').map(sieve).collect();
    sieves.map(Sieves).ok_or_else(|| {
        "expected diameters and the shares that pass, such as `0.001:0,0.002:0.3,0.008:1`".to_string()
    })
}
