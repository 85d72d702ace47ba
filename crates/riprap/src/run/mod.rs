//! A run: a scene, its simulation, and the files that come of it.
//!
//! Everything that a run does besides stepping happens at fixed numbers of steps: insertions, rows of the series, frames,
//! checkpoints. So a run that goes on from a checkpoint does the same things at the same times as one that never stopped, and
//! leaves the same files.

pub mod checkpoint;
mod drawing;
mod frames;
mod series;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use thiserror::Error as ThisError;

use crate::Random;
use crate::dem::insertion::{Insertion, NoRoom};
use crate::dem::{Failure, Ledger, Simulation, TimeSpent};
use crate::scene::Setup;
use checkpoint::Checkpoint;

/// Steps between two looks whether something is to be inserted.
const INSERT: u64 = 16;
/// Checkpoints that are kept.
const KEPT: usize = 2;
/// Longest time between two calls of the progress report.
const REPORT: Duration = Duration::from_millis(100);

/// Why a run ended early.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum RunError {
    /// The physics went wrong; what is left of it was written to a file.
    #[error("{failure}{}", written.as_ref().map_or(String::new(), |path| format!("\nthe last good state is in {}", path.display())))]
    Failed {
        /// What went wrong.
        failure: Box<Failure>,
        /// Where the last good state is.
        written: Option<PathBuf>,
    },
    /// There was no room for new bodies.
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
    /// The search was refused.
    #[error(transparent)]
    Search(#[from] crate::Error),
    /// A file could not be written or read.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A checkpoint does not fit the scene.
    #[error("{}: {message}", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// Why not.
        message: String,
    },
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Steps done.
    pub steps: u64,
    /// Simulated time.
    pub time: f64,
    /// Bodies.
    pub particles: usize,
    /// The energy ledger's error, as of the last look at it.
    pub energy_error: f64,
}

/// What came of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// Steps done in this run.
    pub steps: u64,
    /// Steps since the start of the simulation.
    pub total_steps: u64,
    /// Bodies at the end.
    pub particles: usize,
    /// Contacts at the end, those with walls included.
    pub contacts: usize,
    /// Seconds of the clock.
    pub seconds: f64,
    /// Steps times bodies, added up.
    pub particle_steps: f64,
    /// The energies at the end.
    pub ledger: Ledger,
    /// Seconds by what they were spent on.
    pub broad: f64,
    /// See [`TimeSpent`].
    pub narrow: f64,
    /// See [`TimeSpent`].
    pub force: f64,
    /// See [`TimeSpent`].
    pub motion: f64,
    /// Files, pictures and insertions.
    pub output: f64,
    /// Bytes per body that the simulation has reserved.
    pub bytes_per_particle: f64,
}

/// A run of a scene.
pub struct Run<const D: usize, const S: usize> {
    setup: Setup<D, S>,
    simulation: Simulation<D, S>,
    insertions: Vec<Insertion<D, S>>,
    folder: Option<PathBuf>,
    series: series::Series,
    frames: Vec<f64>,
    /// Steps at which this run began: what is due then has been done if it goes on from a checkpoint.
    resumed: Option<u64>,
    energy_error: f64,
    output_time: Duration,
}

impl<const D: usize, const S: usize> Run<D, S> {
    /// A run from the start, which writes to this folder if there is one.
    pub fn new(mut setup: Setup<D, S>, folder: Option<&Path>) -> Result<Self, RunError> {
        let simulation = setup.simulation()?;
        let insertions = std::mem::take(&mut setup.insertions);
        let mut run = Self {
            series: series::Series::default(),
            frames: Vec::new(),
            resumed: None,
            energy_error: 0.0,
            output_time: Duration::ZERO,
            folder: folder.map(Path::to_path_buf),
            setup,
            simulation,
            insertions,
        };
        if let Some(folder) = folder {
            create(folder)?;
            for name in [frames::PARTICLES, frames::CONTACTS, frames::WALLS, CHECKPOINTS] {
                remove_folder(&folder.join(name))?;
            }
            run.write_file(SCENE, |path| fs::copy(&run.setup.path, path).map(|_| ()))?;
            run.series.begin(&run.simulation, &folder.join(SERIES)).map_err(at(&folder.join(SERIES)))?;
        }
        Ok(run)
    }

    /// A run that goes on from a checkpoint. Returns the run and whether the scene is still the same.
    pub fn resume(
        mut setup: Setup<D, S>,
        folder: Option<&Path>,
        file: &Path,
    ) -> Result<(Self, bool), RunError> {
        let refused = |message: String| RunError::Checkpoint { path: file.to_path_buf(), message };
        let found: Checkpoint<D, S> = checkpoint::read(file).map_err(|error| refused(error.message))?;
        let mut simulation = setup.simulation()?;
        simulation.check(&found.state).map_err(refused)?;
        if found.insertions.len() != setup.insertions.len() {
            return Err(refused(format!(
                "has {} insertions, the scene {}",
                found.insertions.len(),
                setup.insertions.len()
            )));
        }
        let same = found.scene == setup.checksum;
        let steps = found.state.steps;
        simulation.restore(found.state).map_err(|failure| refused(failure.to_string()))?;
        let mut insertions = std::mem::take(&mut setup.insertions);
        for (insertion, (seed, done)) in insertions.iter_mut().zip(&found.insertions) {
            (insertion.random, insertion.done) = (Random::new(*seed), *done);
        }
        let mut run = Self {
            series: series::Series::default(),
            frames: found.frames,
            resumed: Some(steps),
            energy_error: simulation.ledger().error(),
            output_time: Duration::ZERO,
            folder: folder.map(Path::to_path_buf),
            setup,
            simulation,
            insertions,
        };
        if let Some(folder) = folder {
            create(folder)?;
            run.write_file(SCENE, |path| fs::copy(&run.setup.path, path).map(|_| ()))?;
            let path = folder.join(SERIES);
            run.series.resume(&run.simulation, &path, found.series, found.last_row).map_err(at(&path))?;
        }
        Ok((run, same))
    }

    /// The simulation.
    pub fn simulation(&self) -> &Simulation<D, S> {
        &self.simulation
    }

    /// Goes on until so many steps are done; reports now and then.
    pub fn advance_to(&mut self, end: u64, mut report: impl FnMut(&Progress)) -> Result<Summary, RunError> {
        let (start, first) = (Instant::now(), self.simulation.steps());
        let spent = self.simulation.time_spent();
        let output_before = self.output_time;
        let (mut particle_steps, mut reported) = (0.0, Instant::now());
        loop {
            let steps = self.simulation.steps();
            if self.resumed != Some(steps) {
                self.keep_dates(steps, steps >= end)?;
            }
            if steps >= end {
                break;
            }
            let next = self.next_date(steps).min(end).min(steps + self.steps_between_reports(start, first));
            let done = self.simulation.advance_by(next - steps);
            particle_steps +=
                (self.simulation.steps() - steps) as f64 * self.simulation.bodies().len() as f64;
            done.map_err(|failure| self.failed(failure))?;
            if reported.elapsed() >= REPORT {
                reported = Instant::now();
                report(&self.progress());
            }
        }
        report(&self.progress());
        let ledger = self.simulation.ledger();
        let seconds = start.elapsed().as_secs_f64();
        Ok(self.summary(first, seconds, particle_steps, spent, output_before, ledger))
    }

    fn summary(
        &mut self,
        first: u64,
        seconds: f64,
        particle_steps: f64,
        before: TimeSpent,
        output_before: Duration,
        ledger: Ledger,
    ) -> Summary {
        let spent = self.simulation.time_spent();
        let contacts = self.simulation.contacts().count() + self.simulation.wall_contacts().count();
        let particles = self.simulation.bodies().len();
        Summary {
            steps: self.simulation.steps() - first,
            total_steps: self.simulation.steps(),
            particles,
            contacts,
            seconds,
            particle_steps,
            ledger,
            broad: (spent.broad - before.broad).as_secs_f64(),
            narrow: (spent.narrow - before.narrow).as_secs_f64(),
            force: (spent.force - before.force).as_secs_f64(),
            motion: (spent.motion - before.motion).as_secs_f64(),
            output: (self.output_time - output_before).as_secs_f64(),
            bytes_per_particle: self.simulation.bytes() as f64 / particles.max(1) as f64,
        }
    }

    fn progress(&self) -> Progress {
        Progress {
            steps: self.simulation.steps(),
            time: self.simulation.time(),
            particles: self.simulation.bodies().len(),
            energy_error: self.energy_error,
        }
    }

    /// Steps that take about as long as a report may wait.
    fn steps_between_reports(&self, start: Instant, first: u64) -> u64 {
        let done = self.simulation.steps() - first;
        let each = start.elapsed().as_secs_f64() / done.max(1) as f64;
        (REPORT.as_secs_f64() / each.max(1e-9)).clamp(1.0, 1e6) as u64
    }

    /// The next number of steps at which something is due.
    fn next_date(&self, steps: u64) -> u64 {
        let output = &self.setup.output;
        let mut next = u64::MAX;
        for interval in [output.series, output.frames, output.checkpoint] {
            if let Some(every) = self.every(interval) {
                next = next.min((steps / every + 1) * every);
            }
        }
        let time = self.simulation.time();
        if self.insertions.iter().any(|insertion| !insertion.is_over(time)) {
            next = next.min((steps / INSERT + 1) * INSERT);
        }
        next
    }

    /// An interval of time in steps; `None` if it never ends.
    fn every(&self, interval: f64) -> Option<u64> {
        let steps = (interval / self.setup.settings.time_step).round();
        (self.folder.is_some() && interval > 0.0 && steps < 1e15).then_some(steps.max(1.0) as u64)
    }

    /// Does what is due at this number of steps.
    fn keep_dates(&mut self, steps: u64, last: bool) -> Result<(), RunError> {
        let start = Instant::now();
        if steps.is_multiple_of(INSERT) {
            let mut inserted = 0;
            for insertion in &mut self.insertions {
                inserted += insertion.run(&mut self.simulation)?;
            }
            if inserted > 0 && steps > 0 {
                self.simulation.check_step().map_err(|failure| self.failed(failure))?;
            }
        }
        self.simulation.prepare().map_err(|failure| self.failed(failure))?;
        let is_due = |every: Option<u64>| every.is_some_and(|every| last || steps.is_multiple_of(every));
        let (series, frame, save) = (
            is_due(self.every(self.setup.output.series)),
            is_due(self.every(self.setup.output.frames)),
            is_due(self.every(self.setup.output.checkpoint)),
        );
        if let Some(folder) = self.folder.clone() {
            if series {
                self.energy_error = self.series.row(&self.simulation).map_err(at(&folder.join(SERIES)))?;
            }
            if frame {
                frames::write(&folder, &self.simulation, &mut self.frames, self.setup.output.contacts)
                    .map_err(at(&folder))?;
            }
            if save {
                self.save(&folder.join(CHECKPOINTS).join(checkpoint::file_name(steps)))?;
                for old in checkpoint::in_folder(&folder.join(CHECKPOINTS)).iter().skip(KEPT) {
                    fs::remove_file(old).map_err(at(old))?;
                }
            }
            if last && self.setup.output.picture {
                self.draw(&folder.join(PICTURE))?;
            }
        }
        self.output_time += start.elapsed();
        Ok(())
    }

    /// Draws the present state.
    pub fn draw(&self, path: &Path) -> Result<(), RunError> {
        drawing::write(path, &self.simulation, &self.setup.output).map_err(at(path))
    }

    /// Writes a checkpoint.
    pub fn save(&mut self, path: &Path) -> Result<(), RunError> {
        if let Some(folder) = path.parent() {
            create(folder)?;
        }
        // What the checkpoint counts on must be on the disk before it.
        let series = self.series.sync().map_err(at(path))?;
        let checkpoint = Checkpoint {
            scene: self.setup.checksum,
            state: self.simulation.state(),
            insertions: self
                .insertions
                .iter()
                .map(|insertion| (insertion.random.seed_to_go_on(), insertion.done))
                .collect(),
            series,
            last_row: self.series.last_row(),
            frames: self.frames.clone(),
        };
        checkpoint::write(path, &checkpoint).map_err(at(path))
    }

    /// Writes what is left after a failure.
    fn failed(&mut self, failure: Failure) -> RunError {
        let written = self.folder.clone().map(|folder| folder.join(FAILED)).filter(|path| {
            let frame = path.with_extension("vtp");
            self.save(path).is_ok() && frames::write_particles(&frame, &self.simulation).is_ok()
        });
        RunError::Failed { failure: Box::new(failure), written }
    }

    fn write_file(&self, name: &str, write: impl FnOnce(&Path) -> io::Result<()>) -> Result<(), RunError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let path = folder.join(name);
        // Running the copy of a scene in its own folder must not empty it.
        if path
            .canonicalize()
            .is_ok_and(|path| self.setup.path.canonicalize().is_ok_and(|scene| scene == path))
        {
            return Ok(());
        }
        write(&path).map_err(at(&path))
    }
}

/// Names of files in the folder of a run.
pub const SERIES: &str = "series.csv";
/// Folder of the checkpoints.
pub const CHECKPOINTS: &str = "checkpoints";
/// Picture of the last state.
pub const PICTURE: &str = "picture.png";
/// Copy of the scene.
pub const SCENE: &str = "scene.toml";
/// State after a failure.
pub const FAILED: &str = "failed.state";
/// Collection of frames.
pub const FRAMES: &str = frames::PARTICLES_COLLECTION;

fn at(path: &Path) -> impl Fn(io::Error) -> RunError + use<> {
    let path = path.to_path_buf();
    move |error| RunError::File { path: path.clone(), error }
}

fn create(folder: &Path) -> Result<(), RunError> {
    fs::create_dir_all(folder).map_err(at(folder))
}

fn remove_folder(folder: &Path) -> Result<(), RunError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(folder)(error)),
        _ => Ok(()),
    }
}
