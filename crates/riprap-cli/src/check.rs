//! `riprap check`: what scenes will do, and what is wrong with them.

use std::fmt::Write as _;
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;
use clap::Args;
use riprap::run::Forecast;
use riprap::scene::{Replaced, Scene, Setup};
use serde::Serialize;

use crate::describe::describe;
use crate::run::replaced;
use crate::{Failure, threads};
use riprap::words::{counted, short, span};

/// How long the first steps of a scene may take.
const PATIENCE: Duration = Duration::from_millis(500);

const EXAMPLES: &str = "\
Examples:
  riprap check scenes/hopper.toml
  riprap check scenes/*.toml
  riprap check scenes/drum.toml --set time.end=10 --json

The first steps of each scene are done, without files: what would stop a run at once is found here, and how long it takes is estimated.
JSON: a list with scene, good, error, particles, later (those that come after the start, null if not known), step, steps, bytes,
  seconds_estimated, warnings.";

/// Say what scenes will do, and find what is wrong with them
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    /// Scenes in TOML
    #[arg(required = true)]
    scenes: Vec<PathBuf>,
    /// Replace a value of the scenes, such as `time.end=0.5`; as often as needed
    #[arg(long, value_name = "KEY=VALUE", value_parser = replaced)]
    set: Vec<Replaced>,
    /// Print one JSON list
    #[arg(long)]
    json: bool,
}

/// What is said of a scene in `--json`.
#[derive(Serialize)]
struct Verdict<'a> {
    scene: &'a Path,
    good: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(flatten)]
    found: Option<Found>,
}

#[derive(Serialize)]
struct Found {
    particles: usize,
    later: Option<u64>,
    step: f64,
    steps: u64,
    bytes: usize,
    seconds_estimated: f64,
    warnings: Vec<String>,
    #[serde(skip)]
    text: String,
}

impl Check {
    pub(crate) fn run(&self, output: &mut Vec<u8>) -> Result<(), Failure> {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let verdicts: Vec<Verdict<'_>> = threads::on(cores, || {
            Ok(self.scenes.iter().map(|scene| Verdict::new(scene, &self.set)).collect())
        })?;
        let good = verdicts.iter().all(|verdict| verdict.good);
        if self.json {
            serde_json::to_writer(&mut *output, &verdicts).map_err(Failure::run)?;
            writeln!(output).map_err(Failure::run)?;
            let bad = verdicts.iter().filter(|verdict| !verdict.good).count() as u64;
            return if good {
                Ok(())
            } else {
                Err(Failure::Refused(anyhow!("{} cannot be run", counted(bad, "scene"))))
            };
        }
        let text: Vec<String> = verdicts.iter().map(Verdict::text).collect();
        let text = text.join("\n");
        if good {
            writeln!(output, "{text}").map_err(Failure::run)
        } else {
            Err(Failure::input(anyhow!(text)))
        }
    }
}

impl<'a> Verdict<'a> {
    fn new(scene: &'a Path, replaced: &[Replaced]) -> Self {
        match examine(scene, replaced) {
            Ok(found) => Self { scene, good: true, error: None, found: Some(found) },
            Err(error) => Self { scene, good: false, error: Some(format!("{error:#}")), found: None },
        }
    }

    fn text(&self) -> String {
        match (&self.found, &self.error) {
            (Some(found), _) => format!("{}: good. {}", self.scene.display(), found.text),
            (None, error) => error.clone().unwrap_or_default(),
        }
    }
}

/// What a scene will do.
fn examine(path: &Path, replaced: &[Replaced]) -> anyhow::Result<Found> {
    match Scene::read_with(path, replaced)? {
        Scene::Planar(setup) => foresee(*setup),
        Scene::Spatial(setup) => foresee(*setup),
    }
    .map_err(|error| {
        // Errors in a scene name it themselves.
        error.context(path.display().to_string())
    })
}

fn foresee<const D: usize>(setup: Setup<D>) -> anyhow::Result<Found> {
    let (mut text, step, steps) = (describe(&setup), setup.settings.time_step, setup.steps());
    let forecast = Forecast::new(setup, PATIENCE)?;
    for mesh in &forecast.meshes {
        let corner = |corner: &[f64]| corner.iter().map(|x| short(*x)).collect::<Vec<_>>().join(", ");
        let facets = counted(mesh.facets as u64, if D == 2 { "segment" } else { "triangle" });
        write!(
            text,
            "\n  wall `{}`: {facets} from [{}] to [{}]",
            mesh.name,
            corner(&mesh.low),
            corner(&mesh.high)
        )?;
    }
    for insertion in &forecast.insertions {
        write!(
            text,
            "\n  insertion `{}`: {} at the start",
            insertion.name,
            counted(insertion.at_start, "particle")
        )?;
        match insertion.later {
            Some(0) => {}
            Some(later) => write!(text, ", {later} later")?,
            None => write!(text, ", more later")?,
        }
    }
    write!(
        text,
        "\n  {} and {:.0} MB at the start; about {}, if all steps take as long as the first ones (more as particles come together)",
        counted(forecast.particles as u64, "particle"),
        forecast.bytes as f64 / 1e6,
        span(forecast.seconds)
    )?;
    for warning in &forecast.warnings {
        write!(text, "\n  warning: {warning}")?;
    }
    let later = forecast.insertions.iter().map(|insertion| insertion.later).sum();
    let Forecast { particles, bytes, seconds, warnings, .. } = forecast;
    Ok(Found { particles, later, step, steps, bytes, seconds_estimated: seconds, warnings, text })
}
