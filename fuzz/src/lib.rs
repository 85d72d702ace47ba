//! What the targets share: readers of riprap read files, so the bytes are put into one.

use std::fs;
use std::path::PathBuf;

/// A file of this name with these bytes, in a folder of this process.
pub fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("riprap-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for temporary files");
    let path = folder.join(name);
    fs::write(&path, bytes).expect("a temporary file can be written");
    path
}
