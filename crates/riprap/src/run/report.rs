//! What a run tells: how far it is, what it did, why it ended early.

use std::io;
use std::path::PathBuf;

use thiserror::Error as ThisError;

use super::checkpoint::CheckpointError;
use super::warning::Warning;
use crate::convex::LinkMethod;
use crate::dem::insert::InsertError;
use crate::dem::{Failure, Ledger, LinkCounts, SetupError};
use crate::words::short;

/// Why a run ended early.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum RunError {
    /// The physics went wrong; what is left of it was written to a file.
    #[error("{failure}{}", written.as_ref().map_or(String::new(), |path| format!(
        "\nthe last state is in {} (resume from it with --restart once the scene is corrected), beside it as `.vtp` or `.vtu` for ParaView and as \
         picture", path.display()
    )))]
    Failed {
        /// What went wrong.
        failure: Box<Failure>,
        /// Where the last state is. One with a force that is not a number can be looked at, but no run resumes from it.
        written: Option<PathBuf>,
    },
    /// Whoever was reported to has asked to stop.
    #[error("interrupted after {steps} steps, at t = {} s{}", short(*time), written.as_ref().map_or(String::new(), |path| format!(
        ": checkpoint written to {}; resume with --resume", path.display()
    )))]
    Interrupted {
        /// Steps done.
        steps: u64,
        /// Simulated time.
        time: f64,
        /// The checkpoint to resume from.
        written: Option<PathBuf>,
    },
    /// New bodies could not be inserted.
    #[error(transparent)]
    Insert(#[from] InsertError),
    /// The simulation could not begin.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// Two columns of the time series would have the same name.
    #[error(
        "the series would have the column `{name}` twice, of {first} and of {second}: give one of them another `name` (blanks, commas and \
         quotes become `_` in columns)"
    )]
    Columns {
        /// Name of the columns.
        name: String,
        /// Whose the first is.
        first: String,
        /// Whose the second is.
        second: String,
    },
    /// A file could not be written or read.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Another run writes to the folder.
    #[error("{}: another run is writing there; wait for its end, or name another folder with --out", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// A checkpoint does not fit the scene.
    #[error("{}: {error}", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: Box<CheckpointError>,
    },
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress<'a> {
    /// Steps done.
    pub steps: u64,
    /// Simulated time.
    pub time: f64,
    /// Bodies.
    pub particles: usize,
    /// The energy ledger's error, as of the last look at it.
    pub energy_error: f64,
    /// What is worth a look so far; new ones come last.
    pub warnings: &'a [Warning],
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Steps done in this run.
    pub steps: u64,
    /// Steps since the start of the simulation.
    pub total_steps: u64,
    /// Bodies at the end.
    pub particles: usize,
    /// Bodies inserted since the start of the simulation.
    pub inserted: u64,
    /// Bodies that rain should have brought by the end, and for which there was no room.
    pub waiting: u64,
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
    /// Gaps and contacts, see [`crate::dem::TimeSpent`].
    pub narrow: f64,
    /// See [`crate::dem::TimeSpent`].
    pub force: f64,
    /// See [`crate::dem::TimeSpent`].
    pub motion: f64,
    /// Files, pictures and insertions.
    pub output: f64,
    /// What links of stones took in this run; `None` if all bodies are balls.
    pub link: Option<LinkSummary>,
    /// Bytes per body that the simulation has reserved.
    pub bytes_per_particle: f64,
    /// What is worth a look.
    pub warnings: Vec<Warning>,
}

/// What links of stones took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkSummary {
    /// How they were found.
    pub method: LinkMethod,
    /// Pairs that were looked at, those apart included.
    pub pairs: u64,
    /// Seconds that took, on all threads together.
    pub seconds: f64,
    /// Pairs of stones that touched.
    pub touching: u64,
    /// Rounds that their links took, on average.
    pub iterations_mean: f64,
    /// Share of those that took at most two.
    pub within_2: f64,
}

impl LinkSummary {
    /// What has been counted since `before`.
    pub(super) fn new(method: LinkMethod, before: LinkCounts, now: LinkCounts, seconds: f64) -> Self {
        let touching = now.links - before.links;
        let each = |sum: u64| sum as f64 / touching.max(1) as f64;
        Self {
            method,
            pairs: now.looked_at - before.looked_at,
            seconds,
            touching,
            iterations_mean: each(now.iterations - before.iterations),
            within_2: each(now.within_2 - before.within_2),
        }
    }

    /// Nanoseconds per pair that was looked at.
    pub fn ns_per_pair(&self) -> f64 {
        1e9 * self.seconds / self.pairs.max(1) as f64
    }
}
