//! Files that appear only when they are complete.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// Writes a file under another name in the same folder and renames it once everything is written.
///
/// After an error or a crash the old file, if any, is still there.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let name =
        path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "not a file name"))?;
    let mut partial_name = std::ffi::OsString::from(".");
    partial_name.push(name);
    partial_name.push(format!(".{}{PARTIAL}", std::process::id()));
    let partial = Partial(path.with_file_name(partial_name));

    let mut writer = BufWriter::with_capacity(1 << 16, File::create(&partial.0)?);
    write(&mut writer)?;
    writer.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    fs::rename(&partial.0, path)
}

/// Ending of files that are not finished.
const PARTIAL: &str = ".partial";

/// Whether a file is one that a crash has kept [`write_whole`] from finishing.
pub(crate) fn is_partial(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with('.') && name.ends_with(PARTIAL)
}

/// Removes what is left of an unfinished file; a finished one has been renamed away.
struct Partial(PathBuf);

impl Drop for Partial {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("riprap-output-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("pairs.csv");
        write_whole(&path, |writer| writer.write_all(b"old")).unwrap();
        let error = write_whole(&path, |writer| {
            writer.write_all(b"new")?;
            Err(io::Error::other("disk full"))
        });
        assert!(error.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
