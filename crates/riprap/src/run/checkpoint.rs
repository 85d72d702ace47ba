//! Checkpoints: all that a run needs to resume, to the last bit.
//!
//! A file of sections (see `archive.rs`), each written and read by whoever owns the data: the run itself, the simulation, insertions,
//! series, frames. It appears under its name only when it is complete and on the disk. Nothing in a file is trusted: what it
//! holds is checked against the scene before it is used.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error as ThisError;

use super::frames::FrameTimes;
use super::series::SeriesMark;
use crate::archive::{Archive, ArchiveError, Damage, Rest, Section, Sections, Values};
use crate::dem::insert::InsertionMarks;
use crate::dem::{Failure, State, StateError};
use crate::io::write_whole;

const ENDING: &str = "state";

/// A state of the simulation and of everything around it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Checkpoint<const D: usize> {
    /// The scene that it belongs to.
    pub origin: Origin,
    /// The simulation.
    pub state: State<D>,
    /// How far the insertions are; without it they begin anew.
    pub insertions: Option<InsertionMarks>,
    /// How far the time series is.
    pub series: SeriesMark,
    /// Times of the frames.
    pub frames: FrameTimes,
    /// What its shapes are like; of a file that does not say, nothing.
    pub forms: ShapeForms,
}

/// The checksum of each shape of a scene.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ShapeForms(pub Vec<u32>);

impl Section for ShapeForms {
    const NAME: &'static str = "shapes";
    const VERSION: u32 = 1;

    fn write(&self, values: &mut Values) {
        values.list(&self.0, |values, form| values.word(u64::from(*form)));
    }

    fn read(values: &mut Rest<'_>, _version: u32) -> Result<Self, Damage> {
        values.list(Rest::small).map(Self)
    }
}

/// What a checkpoint knows of its scene.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Origin {
    /// Checksum of the scene file.
    pub scene: u32,
    /// Time step, by which time follows from the number of steps.
    pub time_step: f64,
    /// Checksum of the law and the names of materials and shapes.
    pub nature: u32,
}

/// Why a checkpoint cannot be resumed from.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum CheckpointError {
    /// It cannot be read.
    #[error("cannot read: {0}")]
    Read(io::Error),
    /// It is incomplete, damaged or of another kind.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// Its state is not one of the scene.
    #[error(transparent)]
    State(#[from] StateError),
    /// The insertions differ.
    #[error("has {found} insertions, the scene {expected}")]
    Insertions {
        /// Those of the file.
        found: usize,
        /// Those of the scene.
        expected: usize,
    },
    /// The time steps differ.
    #[error(
        "was written by an earlier version with a time step of {then:e}, the scene has {now:e}: set `time.step = {then:e}` to go on, or \
         start anew"
    )]
    TimeStep {
        /// That of the file.
        then: f64,
        /// That of the scene.
        now: f64,
    },
    /// The law, the materials or the shapes differ.
    #[error("was written with another `law`, other materials or other shapes")]
    Nature,
    /// A shape of this name is another one.
    #[error(
        "was written when the shape `{name}` was another one: bodies cannot change theirs; take the old one, or start anew"
    )]
    Shape {
        /// Its name.
        name: String,
    },
    /// The simulation refused it.
    #[error(transparent)]
    Refused(#[from] Failure),
}

/// The file for a number of steps.
pub fn file_name(steps: u64) -> String {
    format!("step_{steps:012}.{ENDING}")
}

/// Whether a name is that of a checkpoint.
pub(super) fn is_one(name: &str) -> bool {
    name.starts_with("step_") && name.ends_with(&format!(".{ENDING}"))
}

/// Checkpoints in a folder, the newest first.
pub fn in_folder(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(is_one))
        .collect();
    files.sort_unstable_by(|a, b| b.cmp(a));
    files
}

/// Writes a checkpoint.
pub fn write<const D: usize>(path: &Path, checkpoint: &Checkpoint<D>) -> io::Result<()> {
    let bytes = checkpoint.bytes();
    write_whole(path, |writer| writer.write_all(&bytes))?;
    // The new name is safe only when the folder is on the disk too.
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Reads a checkpoint; refuses one that is incomplete, damaged or of another kind.
pub fn read<const D: usize>(path: &Path) -> Result<Checkpoint<D>, CheckpointError> {
    let bytes = fs::read(path).map_err(CheckpointError::Read)?;
    Ok(Checkpoint::parse(&bytes)?)
}

impl<const D: usize> Checkpoint<D> {
    fn bytes(&self) -> Vec<u8> {
        let mut archive = Archive::new(D);
        archive.add(&self.origin);
        self.state.add_to(&mut archive);
        if let Some(insertions) = &self.insertions {
            archive.add(insertions);
        }
        archive.add(&self.series);
        archive.add(&self.frames);
        archive.add(&self.forms);
        archive.finish()
    }

    fn parse(bytes: &[u8]) -> Result<Self, ArchiveError> {
        let own = [Origin::NAME, InsertionMarks::NAME, SeriesMark::NAME, FrameTimes::NAME, ShapeForms::NAME];
        let known = [&State::<D>::SECTIONS[..], &own].concat();
        let sections = Sections::parse(bytes, D, &known)?;
        Ok(Self {
            origin: sections.need()?,
            state: State::find_in(&sections)?,
            insertions: sections.find()?,
            series: sections.find_or_default()?,
            frames: sections.find_or_default()?,
            forms: sections.find_or_default()?,
        })
    }
}

impl Section for Origin {
    const NAME: &'static str = "origin";
    const VERSION: u32 = 1;

    fn write(&self, values: &mut Values) {
        values.word(u64::from(self.scene));
        values.number(self.time_step);
        values.word(u64::from(self.nature));
    }

    fn read(values: &mut Rest<'_>, _version: u32) -> Result<Self, Damage> {
        Ok(Self { scene: values.small()?, time_step: values.finite()?, nature: values.small()? })
    }
}
