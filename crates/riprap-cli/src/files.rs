//! Names of files on the command line.

use std::path::Path;

use anyhow::anyhow;

use crate::Failure;

/// Refuses a file out whose folder is not there, before any work is done for it.
pub(crate) fn check_folder(path: &Path) -> Result<(), Failure> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => Err(Failure::input(anyhow!(
            "{}: there is no folder `{}`, make it first",
            path.display(),
            folder.display()
        ))),
        _ => Ok(()),
    }
}

/// Whether two names are of one file that exists.
pub(crate) fn same_file(path: &Path, other: &Path) -> bool {
    path.canonicalize().is_ok_and(|path| other.canonicalize().is_ok_and(|other| other == path))
}

/// Whether a file name ends so, in capitals or not.
pub(crate) fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().and_then(|found| found.to_str()).is_some_and(|found| found.eq_ignore_ascii_case(ending))
}
