//! `riprap check`: validate scenes without running them.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use riprap::scene::{Scene, Setup};

use crate::Failure;
use crate::run::describe;

/// Check scenes without running them
#[derive(Args)]
#[command(after_help = "Examples:\n  riprap check scenes/hopper.toml\n  riprap check scenes/*.toml")]
pub(crate) struct Check {
    /// Scenes in TOML
    #[arg(required = true)]
    scenes: Vec<PathBuf>,
}

impl Check {
    pub(crate) fn run(&self, output: &mut Vec<u8>) -> Result<(), Failure> {
        for path in &self.scenes {
            let text = match Scene::read(path).map_err(Failure::input)? {
                Scene::Planar(setup) => examine(&setup),
                Scene::Spatial(setup) => examine(&setup),
            }?;
            writeln!(output, "{}: good. {text}", path.display()).map_err(Failure::run)?;
        }
        Ok(())
    }
}

/// A description of a scene that can be simulated.
fn examine<const D: usize, const S: usize>(setup: &Setup<D, S>) -> Result<String, Failure> {
    setup.simulation().map_err(Failure::input)?;
    Ok(describe(setup))
}
