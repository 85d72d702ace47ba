//! Scenes: simulations described in TOML files.
//!
//! `format.rs` says which keys there are, the other files what their values mean. Errors name file, line and column.

mod build;
mod drawing;
mod error;
mod format;
mod insertions;
mod materials;
mod particle_file;
mod periodic;
mod probes;
mod reader;
mod replaced;
mod shapes;
mod walls;

pub use drawing::Drawing;
pub use error::{SceneError, TextPlace};
pub use format::{Color, Draw};
pub use replaced::Replaced;

use std::path::{Path, PathBuf};

use crate::dem::insert::Insertion;
use crate::dem::time_step::Stiffest;
use crate::dem::wall::Wall;
use crate::dem::{Materials, Probe, Settings, SetupError, Simulation};
use crate::shape::Built;

/// A scene, in the plane or in space.
#[derive(Debug, Clone)]
pub enum Scene {
    /// Disks in the plane.
    Planar(Box<Setup<2>>),
    /// Spheres in space.
    Spatial(Box<Setup<3>>),
}

/// Everything that a simulation starts from.
#[derive(Debug, Clone)]
pub struct Setup<const D: usize> {
    /// Name of the file.
    pub path: PathBuf,
    /// Text of the scene, with all values that were replaced.
    pub source: String,
    /// Checksum of the text, by which a checkpoint knows its scene.
    pub checksum: u32,
    /// Title; the name of the file if none is given.
    pub title: String,
    /// When the simulation ends.
    pub end: f64,
    /// Settings of the simulation.
    pub settings: Settings<D>,
    /// The materials, and the law of their contacts.
    pub materials: Materials<D>,
    /// The shapes that bodies have besides balls.
    pub shapes: Vec<Built<D>>,
    /// The walls.
    pub walls: Vec<Wall<D>>,
    /// Where bodies come from.
    pub insertions: Vec<Insertion<D>>,
    /// What is looked at for the time series.
    pub probes: Vec<Probe<D>>,
    /// What is written.
    pub output: Output,
    /// How pictures of it are drawn.
    pub drawing: Drawing,
    /// The stiffest contact that bodies can have.
    pub stiffest: Option<Stiffest>,
}

/// What a run writes. Intervals are in simulated time; zero or infinity for none.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// Interval of rows in the time series.
    pub series: f64,
    /// Interval of frames for ParaView.
    pub frames: f64,
    /// Interval of checkpoints.
    pub checkpoint: f64,
    /// Whether frames come with the network of contacts.
    pub contacts: bool,
    /// Whether a picture of the last state is drawn.
    pub picture: bool,
    /// Whether the program makes a film of the frames at the end.
    pub film: bool,
}

impl Scene {
    /// Reads and checks a scene file and the files that it names.
    pub fn read(path: &Path) -> Result<Self, SceneError> {
        Self::read_with(path, &[])
    }

    /// The same after some values have been replaced. Lines and columns in errors are those of the text with the new values.
    pub fn read_with(path: &Path, replaced: &[Replaced]) -> Result<Self, SceneError> {
        let whole = |message: String| SceneError { path: path.to_path_buf(), place: None, message };
        let source = source(path)?;
        if replaced.is_empty() {
            return build::scene(path, &source);
        }
        build::scene(path, &replaced::with(&source, replaced).map_err(whole)?)
    }

    /// Title and number of dimensions.
    pub fn title(&self) -> (&str, usize) {
        match self {
            Self::Planar(setup) => (&setup.title, 2),
            Self::Spatial(setup) => (&setup.title, 3),
        }
    }
}

/// The text of a scene file.
fn source(path: &Path) -> Result<String, SceneError> {
    let whole = |message: String| SceneError { path: path.to_path_buf(), place: None, message };
    let length = std::fs::metadata(path).map_err(|error| whole(format!("cannot open: {error}")))?;
    if length.is_dir() {
        return Err(whole("is a folder, expected a scene file".to_string()));
    }
    if length.len() > LARGEST_FILE {
        return Err(whole(format!(
            "has {} bytes, expected a scene of at most {LARGEST_FILE}: put particles into a file of their own",
            length.len()
        )));
    }
    let bytes = std::fs::read(path).map_err(|error| whole(format!("cannot read: {error}")))?;
    String::from_utf8(bytes).map_err(|_| whole("is not text, expected a scene in TOML".to_string()))
}

/// Largest scene file, in bytes.
const LARGEST_FILE: u64 = 64 << 20;

impl<const D: usize> Setup<D> {
    /// A simulation without bodies yet.
    pub fn simulation(&self) -> Result<Simulation<D>, SetupError> {
        let mut simulation =
            Simulation::new(self.settings.clone(), self.materials.clone(), self.walls.clone())?;
        for built in &self.shapes {
            // Whoever made the list has seen to it that they can be numbered.
            let _ = simulation.add_shape(built.shape.clone());
        }
        Ok(simulation)
    }

    /// Steps until the end.
    pub fn steps(&self) -> u64 {
        (self.end / self.settings.time_step).round() as u64
    }
}
