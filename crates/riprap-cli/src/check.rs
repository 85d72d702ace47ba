//! `riprap check`: validate scenes without running them.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;
use riprap::scene::{Scene, Setup};

use crate::Failure;
use crate::describe::describe;

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
        let (mut verdicts, mut good) = (Vec::new(), true);
        for path in &self.scenes {
            let verdict = examine(path);
            good &= verdict.is_ok();
            verdicts.push(
                verdict.map_or_else(
                    |error| error.to_string(),
                    |text| format!("{}: good. {text}", path.display()),
                ),
            );
        }
        let verdicts = verdicts.join("\n");
        if good {
            writeln!(output, "{verdicts}").map_err(Failure::run)
        } else {
            Err(Failure::input(anyhow!(verdicts)))
        }
    }
}

/// A description of a scene that can be simulated.
fn examine(path: &Path) -> anyhow::Result<String> {
    fn of<const D: usize>(setup: &Setup<D>) -> anyhow::Result<String> {
        setup.simulation()?;
        Ok(describe(setup))
    }
    match Scene::read(path)? {
        Scene::Planar(setup) => of(&setup),
        Scene::Spatial(setup) => of(&setup),
    }
}
