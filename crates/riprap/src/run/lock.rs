//! The lock on the folder of a run: two runs that write to one folder would ruin each other's files.

use std::fs::{File, TryLockError};
use std::path::Path;

use super::{RunError, at};

/// The file that is locked. It stays where it is: to remove it would let two others lock one each.
const LOCK: &str = ".lock";

/// Locks a folder until the result is dropped or the program ends, however that ends.
pub fn lock(folder: &Path) -> Result<File, RunError> {
    let path = folder.join(LOCK);
    let file = File::create(&path).map_err(at(&path))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(RunError::Busy { folder: folder.to_path_buf() }),
        // There are file systems without locks, on which nobody can be kept out.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}
