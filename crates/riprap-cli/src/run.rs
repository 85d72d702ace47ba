//! `riprap run`: simulate a scene.

use std::io::Write;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;
use indicatif::ProgressBar;
use riprap::run::{
    self, ChangedKey, Contents, FilmOptions, Progress, Run as SceneRun, RunError, SceneChanges, Warning,
    checkpoint,
};
use riprap::scene::{Replaced, Scene, Setup};

use crate::describe::describe;
use crate::progress::{self, Log};
use crate::report::Report;
use crate::sweep::{self, Swept};
use crate::{Failure, signals, threads};
use riprap::words::short;

const EXAMPLES: &str = "\
Examples:
  riprap run scenes/settling.toml
  riprap run scenes/drum.toml --out drum --threads 2
  riprap run scenes/hopper.toml --steps 1000 --json
  riprap run scenes/drum.toml --set time.end=0.5 --set materials.small.friction=0.2 --out smooth
  riprap run scenes/drum.toml --sweep materials.small.friction=0.1,0.3,0.5 --set time.end=1 --out sweep   # table in sweep/sweep.csv
  riprap run scenes/drum.toml --out drum --resume                  # resume after a crash
  riprap run scenes/drum.toml --out drum --restart drum/checkpoints/step_000000020000.state

Files out: `particles.pvd` (of points, or of solid bodies where not all are balls; and `contacts.pvd`, `walls.pvd`) for ParaView, `series.csv` with energies, stress, forces on walls
  and flow, `checkpoints/`, `picture.png` of the last state, `film.png` with `output.film = true`, `scene.toml` (a copy; meshes stay where they are). After a failure
  `failed.state` and `failed.vtp` or `.vtu`.
JSON: steps, particles, seconds, particle_steps_per_second, contacts (those with walls too), energy, energy_error, time_share
  (broad, narrow, force, motion, output), with stones link (method, ns_per_pair, iterations_mean, within_2), and time, time_step, total_steps, inserted, removed, waiting (rain without room),
  threads, bytes_per_particle, warnings (large overlaps, energy not kept), out.
Ctrl-C (or SIGTERM, SIGHUP) writes a checkpoint and stops with exit code 130 (143, 129); a second one stops at once.
Results are the same, bit for bit, for any number of threads and after a restart.";

/// Simulate a scene
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Run {
    /// Scene in TOML
    scene: PathBuf,
    /// Folder for the results; by default the name of the scene with `-out`
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace a value of the scene, such as `walls.lid.friction=0.3` or `insert.0.count=500`; as often as needed
    #[arg(long, value_name = "KEY=VALUE", value_parser = replaced)]
    set: Vec<Replaced>,
    /// Run the scene once for each of these values, each in a folder of its own; with several such keys once for each combination
    #[arg(long, value_name = "KEY=V1,V2,...", value_parser = sweep::swept, conflicts_with = "restart")]
    pub(crate) sweep: Vec<Swept>,
    /// Threads; by default as many as there are cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Number of steps to do from here on, instead of all until the end of the scene
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// Resume from a checkpoint, or from the newest good one of a folder
    #[arg(long, value_name = "FILE")]
    restart: Option<PathBuf>,
    /// Resume from the newest good checkpoint of the folder for the results, or start if there is none
    #[arg(long, conflicts_with = "restart")]
    pub(crate) resume: bool,
    /// Replace the results of an earlier run
    #[arg(long, conflicts_with = "resume")]
    pub(crate) overwrite: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

impl Run {
    /// A run of this scene that replaces what is in the folder.
    pub(crate) fn of(scene: &Path, out: &Path) -> Self {
        Self {
            scene: scene.to_path_buf(),
            out: Some(out.to_path_buf()),
            set: Vec::new(),
            sweep: Vec::new(),
            threads: None,
            steps: None,
            restart: None,
            resume: false,
            overwrite: true,
            json: false,
        }
    }

    pub(crate) fn run(&self, output: &mut Vec<u8>) -> Result<(), Failure> {
        if !self.sweep.is_empty() {
            return sweep::run(self, output);
        }
        let report = self.run_one(&[], self.folder())?;
        self.tell(&report, output)
    }

    /// Runs the scene with these values beside those of `--set`.
    pub(crate) fn run_one(&self, values: &[Replaced], folder: PathBuf) -> Result<Report, Failure> {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        threads::on(self.threads.map_or(cores, usize::from), || match self.read(values)? {
            Scene::Planar(setup) => self.simulate(*setup, folder),
            Scene::Spatial(setup) => self.simulate(*setup, folder),
        })
    }

    /// Reads the scene with these values beside those of `--set`.
    pub(crate) fn read(&self, values: &[Replaced]) -> Result<Scene, Failure> {
        Scene::read_with(&self.scene, &[&self.set, values].concat()).map_err(Failure::input)
    }

    fn simulate<const D: usize>(&self, setup: Setup<D>, folder: PathBuf) -> Result<Report, Failure> {
        self.check_folder(&folder)?;
        note!("{}", describe(&setup));
        note!("writing to {}", folder.display());
        let (threads, duration, film) = (rayon::current_num_threads(), setup.end, setup.output.film);
        let mut run = self.begin(setup, &folder)?;
        let time_step = run.simulation().settings().time_step;
        let last = (duration / time_step).round() as u64;
        let begin = run.simulation().steps();
        if self.steps.is_none() && begin > last {
            return Err(Failure::input(anyhow!(
                "{}: `time.end` is {} s, and the checkpoint is of t = {} s; raise `time.end`, resume from an earlier checkpoint, or say how \
                 many more steps with --steps",
                self.scene.display(),
                short(duration),
                short(run.simulation().time())
            )));
        }
        let end = self.steps.map_or(last, |steps| run.simulation().steps().saturating_add(steps));
        let bar = progress::bar(end, "steps", self.json);
        let (signals, mut log) = (signals::watch(), Log::new(run.simulation().steps(), end));
        let mut told = 0;
        let result = run.advance_to(end, |progress| {
            tell(&bar, progress.warnings, &mut told);
            show(&bar, progress);
            log.tell(progress);
            if signals.exit_code().is_some() {
                bar.suspend(|| note!("stopping with a checkpoint; a second signal stops at once"));
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        tell(&bar, run.warnings(), &mut told);
        bar.finish_and_clear();
        let summary = result.map_err(|error| match (&error, signals.exit_code()) {
            (RunError::Interrupted { .. }, Some(exit_code)) => {
                Failure::Stopped { error: error.into(), exit_code }
            }
            _ => Failure::run(error),
        })?;
        if film && summary.total_steps >= last {
            let mut told = Vec::new();
            crate::film::film(&folder, &folder.join(run::FILM), FilmOptions::default(), &mut told)?;
            note!("{}", String::from_utf8_lossy(&told).trim_end());
        }
        Ok(Report::new(&summary, time_step, threads, &folder))
    }

    /// Prints what came of a run.
    fn tell(&self, report: &Report, output: &mut Vec<u8>) -> Result<(), Failure> {
        if self.json {
            serde_json::to_writer(&mut *output, report).map_err(Failure::run)?;
            writeln!(output).map_err(Failure::run)
        } else {
            report.print(output).map_err(Failure::run)
        }
    }

    /// Where results go.
    pub(crate) fn folder(&self) -> PathBuf {
        let named = || {
            let stem = self.scene.file_stem().unwrap_or_default().to_string_lossy();
            PathBuf::from(format!("{stem}-out"))
        };
        self.out.clone().unwrap_or_else(named)
    }

    /// Refuses to replace results without being told to.
    pub(crate) fn check_folder(&self, folder: &Path) -> Result<(), Failure> {
        if folder.join(sweep::TABLE).exists() {
            return Err(Failure::input(anyhow!(
                "{}: holds the results of a sweep; name another folder with --out",
                folder.display()
            )));
        }
        let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let goes_on =
            self.resume || self.restart.as_ref().is_some_and(|file| whole(file).starts_with(whole(folder)));
        match run::contents(folder) {
            Contents::Results if !goes_on && !self.overwrite => Err(Failure::input(anyhow!(
                "{}: holds the results of an earlier run; resume it with --resume, replace them with --overwrite, or name another \
                 folder with --out",
                folder.display()
            ))),
            Contents::Foreign(name) if !goes_on => Err(Failure::input(anyhow!(
                "{}: there is a `{name}` that no run has made and that this one would replace; name another folder with --out",
                folder.display()
            ))),
            _ => Ok(()),
        }
    }

    /// A new run, or one that goes on.
    fn begin<const D: usize>(&self, setup: Setup<D>, folder: &Path) -> Result<SceneRun<D>, Failure> {
        let candidates = match &self.restart {
            Some(path) => candidates(path),
            None if self.resume => checkpoint::in_folder(&folder.join(run::CHECKPOINTS)),
            None => Vec::new(),
        };
        if let Some(path) = self.restart.as_deref().filter(|path| !path.exists()) {
            return Err(Failure::input(anyhow!("{}: there is no such file or folder", path.display())));
        }
        let mut reasons = Vec::new();
        for file in &candidates {
            match SceneRun::resume(setup.clone(), Some(folder), file) {
                Ok((run, changes)) => {
                    note!("resuming from {} (step {})", file.display(), run.simulation().steps());
                    tell_changes(&changes);
                    return Ok(run);
                }
                Err(error @ RunError::Checkpoint { .. }) => {
                    note!("note: refused: {error}");
                    reasons.push(error.to_string());
                }
                Err(error) => return Err(not_begun(error)),
            }
        }
        match &self.restart {
            Some(path) if candidates.is_empty() => {
                Err(Failure::input(anyhow!("{}: no checkpoint there", path.display())))
            }
            _ if !reasons.is_empty() => Err(Failure::input(anyhow!(
                "no good checkpoint: {}; {}",
                reasons.join("; "),
                if self.resume { "start anew with --overwrite" } else { "name another one with --restart" }
            ))),
            _ => SceneRun::new(setup, Some(folder)).map_err(not_begun),
        }
    }
}

/// A value of a scene, from the command line.
pub(crate) fn replaced(text: &str) -> Result<Replaced, String> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE, such as time.end=0.5")?;
    Ok(Replaced { key: key.trim().to_string(), value: value.to_string() })
}

/// Why a run could not begin.
fn not_begun(error: RunError) -> Failure {
    match error {
        RunError::Setup(_) | RunError::Columns { .. } | RunError::Busy { .. } => Failure::input(error),
        _ => Failure::run(error),
    }
}

/// Changed keys that are told one by one.
const MOST_CHANGES: usize = 12;

/// Tells what is no longer as it was when the checkpoint was written.
fn tell_changes(changes: &SceneChanges) {
    if changes.scene {
        note!("note: the scene has changed since that checkpoint was written");
    }
    let or_none = |value: &Option<String>| value.clone().unwrap_or_else(|| "not there".to_string());
    for ChangedKey { key, then, now } in changes.keys.iter().take(MOST_CHANGES) {
        note!("note:   `{key}` was {}, is {}", or_none(then), or_none(now));
    }
    if changes.keys.len() > MOST_CHANGES {
        note!("note:   and {} more", changes.keys.len() - MOST_CHANGES);
    }
    if changes.contacts {
        note!(
            "note: materials are stiffer, softer, smoother or rougher than then: forces are worked out anew, and what that does to the \
             energy of contacts counts as inserted"
        );
    }
    if let Some((then, now)) = changes.time_step {
        note!("note: the time step was {then:e} s and is {now:e} s from here on; steps are counted anew");
    }
}

/// A checkpoint and those before it, or all of a folder; the newest first.
fn candidates(path: &Path) -> Vec<PathBuf> {
    if path.is_dir() {
        let inner = checkpoint::in_folder(&path.join(run::CHECKPOINTS));
        return if inner.is_empty() { checkpoint::in_folder(path) } else { inner };
    }
    let mut files = vec![path.to_path_buf()];
    let folder = path.parent().unwrap_or(Path::new(""));
    files.extend(checkpoint::in_folder(folder).into_iter().filter(|other| other.as_path() < path));
    files
}

/// Tells the warnings that have not been told yet.
fn tell(bar: &ProgressBar, warnings: &[Warning], told: &mut usize) {
    for warning in &warnings[*told..] {
        bar.suspend(|| note!("warning: {warning}"));
    }
    *told = warnings.len();
}

fn show(bar: &ProgressBar, progress: &Progress<'_>) {
    bar.set_position(progress.steps);
    bar.set_message(format!(
        "t = {} s  {} particles  energy error {:.1e}",
        short(progress.time),
        progress.particles,
        progress.energy_error
    ));
}
