//! `riprap film`: the frames of a run as a moving picture.

use std::io::Write;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;
use riprap::run::{self, FilmError, FilmOptions};
use riprap::scene::Replaced;
use riprap::words::{counted, short};

use crate::run::replaced;
use crate::{Failure, progress, signals, threads};

const EXAMPLES: &str = "\
Examples:
  riprap film hopper-out                                    # hopper-out/film.png, 800 x 600
  riprap film drum-out --out drum.png --width 480 --height 360 --fps 20
  riprap film drum-out --set output.color=speed --set 'output.view=[1, -1, 0.5]'
  riprap run scenes/drum.toml --set output.film=true        # the run makes it at its end

The film is an animated PNG (APNG), which browsers play: drag it into one, or put it on a page as a picture. It has up to 255 colours and one
camera and one range of colours for all frames. It needs the frames of a run (`output.frames`), also of one that was stopped; more
frames make it smoother. Keys of `[output]` and `walls.NAME.draw` may be other ones than in the run.";

/// Draw the frames of a run as a moving picture
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Film {
    /// Folder of a run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// File to write; by default `film.png` in the folder
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Frames a second
    #[arg(long, value_name = "N", default_value_t = FilmOptions::default().frames_per_second, value_parser = clap::value_parser!(u16).range(1..=100))]
    fps: u16,
    /// Take every Nth frame only
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Pixels from left to right
    #[arg(long, value_name = "PIXELS", default_value_t = 800, value_parser = clap::value_parser!(u16).range(16..=8192))]
    width: u16,
    /// Pixels from top to bottom
    #[arg(long, value_name = "PIXELS", default_value_t = 600, value_parser = clap::value_parser!(u16).range(16..=8192))]
    height: u16,
    /// Replace a value of the scene for the film, such as `output.color=radius`; as often as needed
    #[arg(long, value_name = "KEY=VALUE", value_parser = replaced)]
    set: Vec<Replaced>,
    /// Threads; by default as many as there are cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Film {
    pub(crate) fn run(&self, output: &mut Vec<u8>) -> Result<(), Failure> {
        let options = FilmOptions {
            width: usize::from(self.width),
            height: usize::from(self.height),
            frames_per_second: self.fps,
            every: self.every as usize,
            replaced: self.set.clone(),
        };
        let out = self.out.clone().unwrap_or_else(|| self.folder.join(run::FILM));
        if !out.extension().is_some_and(|ending| ending == "png" || ending == "apng") {
            return Err(Failure::input(anyhow!(
                "{}: a film is an animated PNG, expected a name that ends in .png",
                out.display()
            )));
        }
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        threads::on(self.threads.map_or(cores, usize::from), || film(&self.folder, &out, options, output))
    }
}

/// Makes a film of the run in a folder.
pub(crate) fn film(
    folder: &Path,
    out: &Path,
    options: FilmOptions,
    output: &mut Vec<u8>,
) -> Result<(), Failure> {
    let signals = signals::watch();
    let film = run::Film::of(folder, options).map_err(failed)?;
    let bar = progress::bar(film.len() as u64, "frames", false);
    let written = film.write(out, |done| {
        bar.set_position(done as u64);
        if signals.exit_code().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    written.map_err(|error| match (&error, signals.exit_code()) {
        (FilmError::Stopped, Some(exit_code)) => Failure::Stopped { error: error.into(), exit_code },
        _ => failed(error),
    })?;
    let [first, last] = film.times();
    let size = std::fs::metadata(out).map_or(0.0, |file| 1e-6 * file.len() as f64);
    writeln!(
        output,
        "the film from t = {} s to {} s ({}, {} MB) is in {}; open it in a browser",
        short(first),
        short(last),
        counted(film.len() as u64, "frame"),
        short((100.0 * size).ceil() / 100.0),
        out.display()
    )
    .map_err(Failure::run)
}

fn failed(error: FilmError) -> Failure {
    match error {
        FilmError::File { .. } => Failure::run(anyhow!(error)),
        _ => Failure::input(error),
    }
}
