//! The folder of a run: names of its files, what is in it, and what is removed.

use std::fs;
use std::io;
use std::path::Path;

use super::{RunError, at, checkpoint, frames};

/// Names of files in the folder of a run.
pub const SERIES: &str = "series.csv";
/// Folder of the checkpoints.
pub const CHECKPOINTS: &str = "checkpoints";
/// Picture of the last state.
pub const PICTURE: &str = "picture.png";
/// Film of the frames.
pub const FILM: &str = "film.png";
/// Copy of the scene.
pub const SCENE: &str = "scene.toml";
/// State after a failure.
pub const FAILED: &str = "failed.state";
/// Collection of frames.
pub const FRAMES: &str = frames::PARTICLES_COLLECTION;

pub(super) fn create(folder: &Path) -> Result<(), RunError> {
    fs::create_dir_all(folder).map_err(at(folder))
}

pub(super) fn remove_file(file: &Path) -> Result<(), RunError> {
    unless_missing(fs::remove_file(file), file)
}

/// Removes the results of an earlier run, and nothing else: folders stay if there is more in them.
pub(super) fn remove_results(folder: &Path) -> Result<(), RunError> {
    for name in frames::KINDS {
        remove_file(&folder.join(frames::collection(name)))?;
        remove_those(&folder.join(name), |file| frames::is_one(name, file))?;
    }
    remove_those(&folder.join(CHECKPOINTS), checkpoint::is_one)?;
    remove_file(&folder.join(FILM))?;
    remove_file(&folder.join(PICTURE))
}

/// Removes files of a folder by their names, and the folder if nothing is left.
fn remove_those(folder: &Path, is_one: impl Fn(&str) -> bool) -> Result<(), RunError> {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(&is_one) {
            remove_file(&entry.path())?;
        }
    }
    match fs::remove_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
        removed => unless_missing(removed, folder),
    }
}

/// Removes what an earlier failure has left.
pub(super) fn remove_failed(folder: &Path) -> Result<(), RunError> {
    let state = folder.join(FAILED);
    remove_file(&state)?;
    [frames::POINTS, frames::SOLIDS].iter().try_for_each(|ending| remove_file(&state.with_extension(ending)))
}

/// Removes what a crash has left of unfinished files.
pub(super) fn remove_partial(folder: &Path) -> Result<(), RunError> {
    let inner = frames::KINDS.into_iter().chain([CHECKPOINTS]).map(|name| folder.join(name));
    for folder in inner.chain([folder.to_path_buf()]) {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if crate::io::is_partial(&entry.path()) {
                remove_file(&entry.path())?;
            }
        }
    }
    Ok(())
}

/// What a folder holds that a new run would replace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contents {
    /// Nothing of importance.
    Nothing,
    /// Results of a run.
    Results,
    /// A file or folder of this name, which no run has made.
    Foreign(&'static str),
}

/// Looks at a folder before a run begins there.
pub fn contents(folder: &Path) -> Contents {
    match fs::read_to_string(folder.join(SERIES)) {
        Ok(text) if !super::series::is_one(&text) => Contents::Foreign(SERIES),
        // A run that could not begin leaves the header only.
        Ok(text) if text.lines().count() < 2 && !folder.join(CHECKPOINTS).exists() => Contents::Nothing,
        Ok(_) => Contents::Results,
        Err(_) => {
            [frames::PARTICLES, frames::CONTACTS, frames::WALLS, CHECKPOINTS, SCENE, SERIES, PICTURE, FILM]
                .into_iter()
                .find(|name| folder.join(name).exists())
                .map_or(Contents::Nothing, Contents::Foreign)
        }
    }
}

fn unless_missing(result: io::Result<()>, path: &Path) -> Result<(), RunError> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path)(error)),
        _ => Ok(()),
    }
}
