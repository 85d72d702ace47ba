//! A run: a scene, its simulation, and the files that come of it.
//!
//! Everything that a run does besides stepping happens at fixed numbers of steps: insertions, rows of the series, frames,
//! checkpoints. So a run that goes on from a checkpoint does the same things at the same times as one that never stopped, and
//! leaves the same files.

pub mod checkpoint;
mod drawing;
mod folder;
mod frames;
mod report;
mod series;

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::Random;
use crate::dem::insertion::{Insertion, NoRoom};
use crate::dem::{Failure, LawKind, Ledger, Simulation, TimeSpent};
use crate::scene::Setup;
use checkpoint::Checkpoint;
pub use folder::{CHECKPOINTS, Contents, FAILED, FRAMES, PICTURE, SCENE, SERIES, contents};
use folder::{FAILED_FRAME, create, remove_failed, remove_file, remove_folder, remove_partial};
pub use report::{Progress, RunError, Summary};

/// Steps between two looks whether something is to be inserted.
const INSERT: u64 = 16;
/// Checkpoints that are kept.
const KEPT: usize = 2;
/// Longest time between two calls of the progress report.
const REPORT: Duration = Duration::from_millis(100);

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
            remove_file(&folder.join(PICTURE))?;
            remove_failed(folder)?;
            remove_partial(folder)?;
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
        let (then, now) = (found.time_step, setup.settings.time_step);
        if then != now {
            return Err(refused(format!(
                "was written with a time step of {then:e}, the scene has {now:e}: set `time.step = {then:e}` to go on"
            )));
        }
        if found.nature != nature(&setup) {
            return Err(refused("was written with another `law` or other materials".to_string()));
        }
        let same = found.scene == setup.checksum;
        let steps = found.state.steps;
        simulation.restore(found.state).map_err(|failure| refused(failure.to_string()))?;
        let mut insertions = std::mem::take(&mut setup.insertions);
        for (insertion, (seed, done)) in insertions.iter_mut().zip(&found.insertions) {
            (insertion.random, insertion.done) = (Random::new(*seed), *done);
        }
        // Frames of another folder are not this one's.
        let here = folder.is_some_and(|folder| frames::are_there(folder, found.frames.len()));
        let mut run = Self {
            series: series::Series::default(),
            frames: if here { found.frames } else { Vec::new() },
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
            if file != folder.join(FAILED) {
                remove_failed(folder)?;
            }
            remove_partial(folder)?;
            // What came after this checkpoint has not happened.
            for newer in checkpoint::in_folder(&folder.join(CHECKPOINTS)) {
                if newer.file_name() > Some(checkpoint::file_name(steps).as_ref()) {
                    remove_file(&newer)?;
                }
            }
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

    /// Goes on until so many steps are done; reports now and then, and stops with a checkpoint if told to.
    pub fn advance_to(
        &mut self,
        end: u64,
        mut report: impl FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Summary, RunError> {
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
            if reported.elapsed() >= REPORT {
                reported = Instant::now();
                self.energy_error = self.simulation.ledger().error();
                if report(&self.progress()).is_break() {
                    return Err(self.interrupted()?);
                }
            }
            let next = self.next_date(steps).min(end).min(steps + self.steps_between_reports(start, first));
            let done = self.simulation.advance_by(next - steps);
            particle_steps +=
                (self.simulation.steps() - steps) as f64 * self.simulation.bodies().len() as f64;
            done.map_err(|failure| self.failed(failure))?;
        }
        // It is over: there is nothing left to stop.
        let _ = report(&self.progress());
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
        // What has fallen since the last look is not late.
        let due = self.simulation.time() - INSERT as f64 * self.setup.settings.time_step;
        Summary {
            steps: self.simulation.steps() - first,
            total_steps: self.simulation.steps(),
            particles,
            inserted: u64::from(self.simulation.inserted()),
            waiting: self.insertions.iter().map(|insertion| insertion.waiting(due)).sum(),
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
            for index in 0..self.insertions.len() {
                match self.insertions[index].run(&mut self.simulation) {
                    Ok(more) => inserted += more,
                    Err(no_room) if steps == 0 => return Err(no_room.into()),
                    Err(no_room) => return Err(self.out_of_room(no_room)),
                }
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
                self.save_in(&folder)?;
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
        drawing::write(path, &self.simulation, &self.setup.materials, &self.setup.output).map_err(at(path))
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
            time_step: self.setup.settings.time_step,
            nature: nature(&self.setup),
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

    /// Writes a checkpoint to the folder of a run and removes the oldest ones; returns its name.
    fn save_in(&mut self, folder: &Path) -> Result<PathBuf, RunError> {
        let path = folder.join(CHECKPOINTS).join(checkpoint::file_name(self.simulation.steps()));
        self.save(&path)?;
        for old in checkpoint::in_folder(&folder.join(CHECKPOINTS)).iter().skip(KEPT) {
            fs::remove_file(old).map_err(at(old))?;
        }
        Ok(path)
    }

    /// Writes what is left after a failure.
    fn failed(&mut self, failure: Failure) -> RunError {
        let written = self.folder.clone().map(|folder| folder.join(FAILED)).filter(|path| {
            let frame = path.with_extension(FAILED_FRAME);
            self.save(path).is_ok()
                && frames::write_particles(&frame, &self.simulation).is_ok()
                && self.draw(&path.with_file_name(PICTURE)).is_ok()
        });
        RunError::Failed { failure: Box::new(failure), written }
    }

    /// Writes what there is when new bodies find no room.
    fn out_of_room(&mut self, no_room: NoRoom) -> RunError {
        if let Some(folder) = self.folder.clone()
            && let Err(error) = self.save(&folder.join(FAILED))
        {
            return error;
        }
        no_room.into()
    }

    /// Writes a checkpoint when all that is due at this step has been done.
    fn interrupted(&mut self) -> Result<RunError, RunError> {
        let written = self.folder.clone().map(|folder| self.save_in(&folder)).transpose()?;
        let (steps, time) = (self.simulation.steps(), self.simulation.time());
        Ok(RunError::Interrupted { steps, time, written })
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

fn at(path: &Path) -> impl Fn(io::Error) -> RunError + use<> {
    let path = path.to_path_buf();
    move |error| RunError::File { path: path.clone(), error }
}

/// A checksum of what the memory of contacts and the indices of materials mean.
fn nature<const D: usize, const S: usize>(setup: &Setup<D, S>) -> u32 {
    let names = setup.materials.iter().map(|material| material.name.as_str());
    let text: Vec<&str> =
        names.chain([if setup.settings.law == LawKind::Linear { "" } else { "hertz" }]).collect();
    crc32fast::hash(text.join("\n").as_bytes())
}
