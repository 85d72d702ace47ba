//! A film of a run, drawn from the frames in its folder.
//!
//! It is made after the run, not while it runs: the camera and the range of colours must suit all frames, which nobody knows before the last
//! one. Whatever a run has written can become a film, also if it was stopped, and again with other colours and from elsewhere.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::colors::Colors;
use super::frame::{self, Frame};
use super::{outline, walls};
use crate::io::{VtkError, write_whole};
use crate::picture::{Extent, Image, Palette, Picture, Sight, write_animation};
use crate::run::folder::{FRAMES, SCENE};
use crate::scene::{Drawing, Replaced, SceneError};

/// Frames whose colours become those of the film.
const LOOKED_AT: usize = 6;

/// What a film is like.
#[derive(Debug, Clone, PartialEq)]
pub struct FilmOptions {
    /// Pixels from left to right.
    pub width: usize,
    /// Pixels from top to bottom.
    pub height: usize,
    /// Frames a second.
    pub frames_per_second: u16,
    /// Every so many frames of the run one of the film.
    pub every: usize,
    /// Values of the scene that are other ones for the film, such as `output.color`.
    pub replaced: Vec<Replaced>,
}

impl Default for FilmOptions {
    fn default() -> Self {
        Self { width: 800, height: 600, frames_per_second: 25, every: 1, replaced: Vec::new() }
    }
}

/// Why there is no film.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FilmError {
    /// The folder is not one of a run that has written frames.
    #[error("{}: there is no `{missing}`, expected the folder of a run that has written frames (`output.frames` above zero)", folder.display())]
    NotARun {
        /// The folder.
        folder: PathBuf,
        /// What is not there.
        missing: &'static str,
    },
    /// The copy of the scene cannot be used.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A frame cannot be read.
    #[error("{}: {error}", path.display())]
    Frame {
        /// Its file.
        path: PathBuf,
        /// Why not.
        error: VtkError,
    },
    /// The film cannot be written.
    #[error("{}: cannot write: {error}", path.display())]
    File {
        /// Its file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// Whoever was told about the progress has asked to stop.
    #[error("stopped; no film was written")]
    Stopped,
}

/// A film of the frames of a run.
pub struct Film {
    options: FilmOptions,
    drawing: Drawing,
    frames: Vec<Frame>,
    colors: Colors,
    extent: Extent,
    sight: Sight,
    /// Digits of times after the point.
    digits: usize,
}

impl Film {
    /// Looks at all frames of the folder of a run, to find colours and a camera for all of them.
    pub fn of(folder: &Path, options: FilmOptions) -> Result<Self, FilmError> {
        if let Some(missing) = [SCENE, FRAMES].into_iter().find(|name| !folder.join(name).is_file()) {
            return Err(FilmError::NotARun { folder: folder.to_path_buf(), missing });
        }
        let drawing = Drawing::read(&folder.join(SCENE), &options.replaced)?;
        let frames: Vec<Frame> = frame::list(folder)?.into_iter().step_by(options.every.max(1)).collect();
        let (mut colors, mut extent) = (Colors::new(drawing.color), Extent::default());
        for frame in &frames {
            let (picture, _, names) = frame.read(&drawing)?;
            colors.note(&picture, || names);
            extent = extent.and(picture.extent());
        }
        let interval =
            frames.windows(2).map(|pair| pair[1].time - pair[0].time).fold(f64::INFINITY, f64::min);
        let digits =
            if interval > 0.0 && interval < 1.0 { (-libm::log10(interval)).ceil() as usize } else { 0 };
        let sight = Picture::default().sight(&extent, 1, 1);
        let mut film = Self { options, drawing, frames, colors, extent, sight, digits: digits.min(9) };
        let mut sights = Vec::new();
        for frame in &film.frames {
            sights.push(film.picture(frame)?.sight(&film.extent, film.options.width, film.options.height));
        }
        let both = sights.into_iter().reduce(Sight::and);
        film.sight = both.ok_or(FilmError::NotARun { folder: folder.to_path_buf(), missing: FRAMES })?;
        Ok(film)
    }

    /// Number of frames.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there are no frames, which cannot be.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Simulated time of the first and of the last frame.
    pub fn times(&self) -> [f64; 2] {
        [self.frames[0].time, self.frames[self.frames.len() - 1].time]
    }

    fn picture(&self, frame: &Frame) -> Result<Picture, FilmError> {
        let (mut picture, planes, _) = frame.read(&self.drawing)?;
        self.colors.apply(&mut picture);
        outline(&mut picture, &self.drawing, &self.extent);
        walls::add_planes(&mut picture, &planes, &self.drawing, &self.extent);
        picture.caption = format!("t = {:.*} s", self.digits, frame.time);
        Ok(picture)
    }

    fn image(&self, frame: &Frame) -> Result<Image, FilmError> {
        Ok(self.picture(frame)?.render_from(&self.sight, self.options.width, self.options.height))
    }

    /// Draws all frames into a PNG file that moves (APNG), and tells how many are done.
    pub fn write(
        &self,
        path: &Path,
        mut progress: impl FnMut(usize) -> ControlFlow<()>,
    ) -> Result<(), FilmError> {
        let count = self.frames.len();
        let looked_at = (0..LOOKED_AT.min(count))
            .map(|k| &self.frames[k * (count - 1) / (LOOKED_AT.min(count) - 1).max(1)]);
        let palette =
            Palette::of(&looked_at.map(|frame| self.image(frame)).collect::<Result<Vec<Image>, _>>()?);
        // The writer of files knows errors of files only.
        let mut failed = None;
        let images = self.frames.iter().enumerate().map(|(done, frame)| {
            let image = if progress(done).is_break() { Err(FilmError::Stopped) } else { self.image(frame) };
            image.map_err(|error| {
                failed = Some(error);
                io::Error::other("a frame is missing")
            })
        });
        let speed = self.options.frames_per_second;
        let written = write_whole(path, |writer| write_animation(writer, palette, (count, speed), images));
        match (written, failed) {
            (Ok(()), _) => Ok(()),
            (Err(_), Some(error)) => Err(error),
            (Err(error), None) => Err(FilmError::File { path: path.to_path_buf(), error }),
        }
    }
}
