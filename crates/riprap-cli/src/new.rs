//! `riprap new`: a scene to begin with.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;

use crate::Failure;

const TEMPLATE: &str = include_str!("new.toml");

/// Write a commented scene to begin with
#[derive(Args)]
#[command(after_help = "Examples:\n  riprap new heap\n  riprap new heap && riprap run heap.toml")]
pub(crate) struct New {
    /// Name of the scene; `.toml` is added
    name: PathBuf,
}

impl New {
    pub(crate) fn run(&self, output: &mut Vec<u8>) -> Result<(), Failure> {
        let file = if self.name.extension().is_some_and(|ending| ending == "toml") {
            self.name.clone()
        } else {
            let mut name = self.name.clone().into_os_string();
            name.push(".toml");
            PathBuf::from(name)
        };
        let stem = file.file_stem().and_then(|stem| stem.to_str());
        let stem = stem.filter(|stem| !stem.chars().any(|c| c.is_control() || "\"\\".contains(c)));
        let Some(stem) = stem else {
            return Err(Failure::input(anyhow!("{}: not a name for a scene", self.name.display())));
        };
        let written = OpenOptions::new().write(true).create_new(true).open(&file);
        written
            .and_then(|mut file| file.write_all(TEMPLATE.replace("NAME", stem).as_bytes()))
            .map_err(|error| Failure::input(anyhow!("{}: {error}; nothing was written", file.display())))?;
        writeln!(output, "{} is written; run it with: riprap run {}", file.display(), file.display())
            .map_err(Failure::run)
    }
}
