//! A run: a scene, its simulation, and the files that come of it.
//!
//! Everything that a run does besides stepping happens at fixed numbers of steps: insertions, rows of the series, frames,
//! checkpoints. So a run that goes on from a checkpoint does the same things at the same times as one that never stopped, and
//! leaves the same files.

mod changes;
pub mod checkpoint;
mod dates;
mod drawing;
mod folder;
mod forecast;
mod frames;
mod lock;
mod probes;
mod report;
mod resume;
mod series;
mod solids;
mod surfaces;
mod warning;

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::dem::insert::{INTERVAL as INSERTION_INTERVAL, InsertError, Insertion, InsertionMarks};
use crate::dem::{Failure, Ledger, LinkCounts, Simulation, TimeSpent};
use crate::dimension::of_dimension;
use crate::scene::Setup;
pub use changes::ChangedKey;
use checkpoint::Checkpoint;
use dates::Dates;
pub use drawing::{Film, FilmError, FilmOptions};
use folder::create;
pub use folder::{CHECKPOINTS, Contents, FAILED, FILM, FRAMES, PICTURE, SCENE, SERIES, contents};
pub use forecast::{Extents, Forecast, Inserted};
pub use frames::FrameTimes;
pub use lock::lock;
pub use report::{LinkSummary, Progress, RunError, Summary};
pub use resume::SceneChanges;
pub use series::SeriesMark;
pub use warning::Warning;
use warning::Warnings;

/// Checkpoints that are kept.
const KEPT: usize = 2;
/// Longest time between two calls of the progress report.
const REPORT: Duration = Duration::from_millis(100);

/// A run of a scene.
pub struct Run<const D: usize> {
    setup: Setup<D>,
    simulation: Simulation<D>,
    insertions: Vec<Insertion<D>>,
    /// Where they take place.
    inserted: surfaces::Extent<D>,
    folder: Option<PathBuf>,
    /// Nobody else may write to the folder while this is there.
    lock: Option<fs::File>,
    series: series::Series,
    frames: FrameTimes,
    /// Steps at which all that is due has been done, also before a checkpoint from which the run goes on.
    kept: Option<u64>,
    energy_error: f64,
    warnings: Warnings,
    output_time: Duration,
}

type Report<'a> = &'a mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>;
type Advance<const D: usize> = fn(&mut Run<D>, u64, Report<'_>) -> Result<Summary, RunError>;

static IN_PLANE: Advance<2> = Run::go_on;
static IN_SPACE: Advance<3> = Run::go_on;

impl<const D: usize> Run<D> {
    /// The simulation.
    pub fn simulation(&self) -> &Simulation<D> {
        &self.simulation
    }

    /// Advances until this number of steps is done; reports now and then, and stops with a checkpoint if told to.
    pub fn advance_to(
        &mut self,
        end: u64,
        mut report: impl FnMut(&Progress<'_>) -> ControlFlow<()>,
    ) -> Result<Summary, RunError> {
        of_dimension::<Advance<D>>(&IN_PLANE, &IN_SPACE)(self, end, &mut report)
    }

    fn go_on(&mut self, end: u64, report: Report<'_>) -> Result<Summary, RunError> {
        let (start, first) = (Instant::now(), self.simulation.steps());
        let (spent, links) = (self.simulation.time_spent(), self.simulation.links());
        let output_before = self.output_time;
        let (mut particle_steps, mut reported) = (0.0, Instant::now());
        loop {
            let steps = self.simulation.steps();
            let due = self.kept != Some(steps);
            if due {
                self.keep_dates(steps, end)?;
                self.kept = Some(steps);
            }
            if steps >= end {
                self.draw_the_last(due)?;
                break;
            }
            if reported.elapsed() >= REPORT {
                reported = Instant::now();
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
        let ledger = self.simulation.ledger();
        self.energy_error = ledger.error();
        self.warnings.look(&self.simulation, self.energy_error);
        // It is over: there is nothing left to stop.
        let _ = report(&self.progress());
        let seconds = start.elapsed().as_secs_f64();
        Ok(self.summary(first, seconds, particle_steps, (spent, links), output_before, ledger))
    }

    fn summary(
        &mut self,
        first: u64,
        seconds: f64,
        particle_steps: f64,
        (before, links): (TimeSpent, LinkCounts),
        output_before: Duration,
        ledger: Ledger,
    ) -> Summary {
        let spent = self.simulation.time_spent();
        let (contacts, wall_contacts) = self.simulation.contact_counts();
        let particles = self.simulation.bodies().len();
        // What has fallen since the last look is not late.
        let due = self.simulation.time() - INSERTION_INTERVAL as f64 * self.setup.settings.time_step;
        Summary {
            steps: self.simulation.steps() - first,
            total_steps: self.simulation.steps(),
            particles,
            inserted: self.simulation.inserted(),
            waiting: self.insertions.iter().map(|insertion| insertion.waiting(due)).sum(),
            contacts: contacts + wall_contacts,
            seconds,
            particle_steps,
            ledger,
            broad: (spent.broad - before.broad).as_secs_f64(),
            narrow: (spent.narrow - before.narrow).as_secs_f64(),
            force: (spent.force - before.force).as_secs_f64(),
            motion: (spent.motion - before.motion).as_secs_f64(),
            output: (self.output_time - output_before).as_secs_f64(),
            link: (!self.simulation.shapes().only_balls()).then(|| {
                let seconds = (spent.links - before.links).as_secs_f64();
                let method = self.simulation.settings().link;
                LinkSummary::new(method, links, self.simulation.links(), seconds)
            }),
            bytes_per_particle: self.simulation.bytes() as f64 / particles.max(1) as f64,
            warnings: self.warnings.at_the_end(&self.simulation, &self.setup.probes),
        }
    }

    /// What is worth a look so far.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings.0
    }

    fn progress(&self) -> Progress<'_> {
        Progress {
            steps: self.simulation.steps(),
            time: self.simulation.time(),
            particles: self.simulation.bodies().len(),
            energy_error: self.energy_error,
            warnings: &self.warnings.0,
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
            if let Some(dates) = self.dates(interval) {
                next = next.min(dates.after(steps));
            }
        }
        next = next.min(self.looks().map_or(u64::MAX, |looks| looks.after(steps)));
        let time = self.simulation.time();
        if self.insertions.iter().any(|insertion| !insertion.is_over(time)) {
            next = next.min((steps / INSERTION_INTERVAL + 1) * INSERTION_INTERVAL);
        }
        next
    }

    /// When something is to be written; `None` if never.
    fn dates(&self, interval: f64) -> Option<Dates> {
        self.folder.as_ref().and_then(|_| Dates::new(interval, self.setup.settings.time_step))
    }

    /// When energy and overlaps are looked at: with the rows of the series, or as often as they would be by default. Not by the clock, so
    /// that a run stops or warns at the same step on any machine.
    fn looks(&self) -> Option<Dates> {
        let (series, time_step) = (self.setup.output.series, self.setup.settings.time_step);
        Dates::new(series, time_step).or_else(|| Dates::new(self.setup.end / 200.0, time_step))
    }

    /// Looks at energy and overlaps; a failure if a limit is exceeded.
    fn look(&mut self) -> Result<(), RunError> {
        match self.simulation.check_energy() {
            Ok(error) => {
                self.energy_error = error;
                self.warnings.look(&self.simulation, error);
                Ok(())
            }
            Err(failure) => Err(self.failed(failure)),
        }
    }

    /// Does what is due at this number of steps of a run to `end`.
    fn keep_dates(&mut self, steps: u64, end: u64) -> Result<(), RunError> {
        let start = Instant::now();
        if steps.is_multiple_of(INSERTION_INTERVAL) {
            let mut inserted = 0;
            for index in 0..self.insertions.len() {
                match self.insertions[index].run(&mut self.simulation) {
                    Ok(more) => inserted += more,
                    Err(error) if steps == 0 => return Err(error.into()),
                    Err(error) => return Err(self.out_of_room(error)),
                }
            }
            if inserted > 0 && steps > 0 {
                self.simulation.check_step().map_err(|failure| self.failed(failure))?;
            }
        }
        self.simulation.prepare().map_err(|failure| self.failed(failure))?;
        let is_due = |interval: f64| self.dates(interval).is_some_and(|dates| dates.is_due(steps, end));
        let output = &self.setup.output;
        let (series, frame, save) = (is_due(output.series), is_due(output.frames), is_due(output.checkpoint));
        if let Some(folder) = self.folder.clone() {
            if series {
                self.series.row(&self.simulation, &self.setup.probes).map_err(at(&folder.join(SERIES)))?;
            }
            if frame {
                let what = (self.setup.output.contacts, self.inserted);
                frames::write(&folder, &self.simulation, &mut self.frames, what).map_err(at(&folder))?;
            }
            if save {
                self.save_in(&folder)?;
            }
        }
        // After the row, which shows what was wrong.
        if self.looks().is_some_and(|looks| looks.is_due(steps, end)) {
            self.look()?;
        }
        self.output_time += start.elapsed();
        Ok(())
    }

    /// Draws the last state to the folder, also if a run that had come so far was stopped before it could.
    fn draw_the_last(&mut self, is_new: bool) -> Result<(), RunError> {
        let start = Instant::now();
        let picture = self.folder.as_ref().map(|folder| folder.join(PICTURE));
        if let Some(picture) = picture.filter(|path| self.setup.output.picture && (is_new || !path.exists()))
        {
            self.draw(&picture)?;
        }
        self.output_time += start.elapsed();
        Ok(())
    }

    /// Draws the present state.
    pub fn draw(&self, path: &Path) -> Result<(), RunError> {
        drawing::write(path, &self.simulation, &self.setup.drawing).map_err(at(path))
    }

    /// Writes a checkpoint.
    pub fn save(&mut self, path: &Path) -> Result<(), RunError> {
        if let Some(folder) = path.parent() {
            create(folder)?;
        }
        // What the checkpoint counts on must be on the disk before it.
        let series = self.series.sync().map_err(at(path))?;
        let checkpoint = Checkpoint {
            origin: resume::origin(&self.setup),
            state: self.simulation.state(),
            insertions: Some(InsertionMarks(self.insertions.iter().map(Insertion::mark).collect())),
            series,
            frames: self.frames.clone(),
            forms: resume::forms(&self.setup),
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
            let frame = path.with_extension(frames::ending(&self.simulation));
            self.save(path).is_ok()
                && frames::write_particles(&frame, &self.simulation).is_ok()
                && self.draw(&path.with_file_name(PICTURE)).is_ok()
        });
        RunError::Failed { failure: Box::new(failure), written }
    }

    /// Writes what there is when new bodies find no room.
    fn out_of_room(&mut self, error: InsertError) -> RunError {
        if let Some(folder) = self.folder.clone()
            && let Err(unwritten) = self.save(&folder.join(FAILED))
        {
            return unwritten;
        }
        error.into()
    }

    /// Writes a checkpoint when all that is due at this step has been done.
    fn interrupted(&mut self) -> Result<RunError, RunError> {
        let written = self.folder.clone().map(|folder| self.save_in(&folder)).transpose()?;
        let (steps, time) = (self.simulation.steps(), self.simulation.time());
        Ok(RunError::Interrupted { steps, time, written })
    }
}

fn at(path: &Path) -> impl Fn(io::Error) -> RunError + use<> {
    let path = path.to_path_buf();
    move |error| RunError::File { path: path.clone(), error }
}
