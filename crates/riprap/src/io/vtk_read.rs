//! Reads back what `vtk.rs` and `vtu.rs` have written: arrays by their names.

use std::io;
use std::ops::Range;
use std::path::Path;

use thiserror::Error;

/// Why a file of ours could not be read back.
#[derive(Debug, Error)]
pub enum VtkError {
    /// The file could not be read.
    #[error("cannot read: {0}")]
    Unreadable(#[from] io::Error),
    /// It has another structure, or ends too early.
    #[error("is not a file that riprap has written, or is damaged")]
    Damaged,
    /// It lacks an array, or this is of another kind or length.
    #[error("the array `{name}` is missing or damaged")]
    Array {
        /// Its name.
        name: String,
    },
}

/// A `.vtp` or `.vtu` file.
pub struct VtkFile {
    bytes: Vec<u8>,
    /// Names of the arrays, their types, and where their values are.
    arrays: Vec<(String, String, Range<usize>)>,
}

impl VtkFile {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, VtkError> {
        Self::new(std::fs::read(path)?)
    }

    fn new(bytes: Vec<u8>) -> Result<Self, VtkError> {
        const BEGIN: &[u8] = b"<AppendedData encoding=\"raw\">\n  _";
        let begin = bytes.windows(BEGIN.len()).position(|window| window == BEGIN).ok_or(VtkError::Damaged)?;
        let data = begin + BEGIN.len();
        let head = std::str::from_utf8(&bytes[..begin]).map_err(|_| VtkError::Damaged)?;
        let tags = head
            .lines()
            .filter(|line| line.trim_start().starts_with(['<']) && line.contains("format=\"appended\""));
        let array = |tag: &str| {
            let offset: usize = attribute(tag, "offset")?.parse().ok()?;
            let start = data.checked_add(offset)?.checked_add(8)?;
            let length = bytes.get(start - 8..start)?.try_into().map(u64::from_le_bytes).ok()?;
            let end = start.checked_add(usize::try_from(length).ok()?)?;
            bytes.get(start..end)?;
            Some((attribute(tag, "Name")?, attribute(tag, "type")?, start..end))
        };
        let arrays = tags.map(|tag| array(tag).ok_or(VtkError::Damaged)).collect::<Result<_, _>>()?;
        Ok(Self { bytes, arrays })
    }

    /// Whether it has an array of this name.
    pub fn has(&self, name: &str) -> bool {
        self.arrays.iter().any(|(known, _, _)| known == name)
    }

    fn values<const B: usize, T>(
        &self,
        name: &str,
        kind: &str,
        value: fn([u8; B]) -> T,
    ) -> Result<Vec<T>, VtkError> {
        let missing = || VtkError::Array { name: name.to_string() };
        let found = self.arrays.iter().find(|(known, is, _)| known == name && is == kind);
        let (chunks, rest) = self.bytes[found.ok_or_else(missing)?.2.clone()].as_chunks::<B>();
        if rest.is_empty() { Ok(chunks.iter().map(|chunk| value(*chunk)).collect()) } else { Err(missing()) }
    }

    /// Numbers, one after the other.
    pub fn numbers(&self, name: &str) -> Result<Vec<f64>, VtkError> {
        self.values(name, "Float64", f64::from_le_bytes)
    }

    /// Vectors of three numbers.
    pub fn vectors(&self, name: &str) -> Result<Vec<[f64; 3]>, VtkError> {
        let numbers = self.numbers(name)?;
        match numbers.as_chunks::<3>() {
            (vectors, []) => Ok(vectors.to_vec()),
            _ => Err(VtkError::Array { name: name.to_string() }),
        }
    }

    /// Whole numbers from zero on.
    pub fn indices(&self, name: &str) -> Result<Vec<usize>, VtkError> {
        let integers = self.values(name, "Int64", i64::from_le_bytes)?;
        let indices: Result<_, _> = integers.into_iter().map(usize::try_from).collect();
        indices.map_err(|_| VtkError::Array { name: name.to_string() })
    }

    /// A table of names.
    pub fn names(&self, name: &str) -> Result<Vec<String>, VtkError> {
        let bytes = self.values(name, "String", |[byte]: [u8; 1]| byte)?;
        let text = String::from_utf8(bytes).map_err(|_| VtkError::Array { name: name.to_string() })?;
        Ok(text.split_terminator('\0').map(String::from).collect())
    }
}

/// Reads a collection: times and names of files.
pub fn read_collection(path: &Path) -> Result<Vec<(f64, String)>, VtkError> {
    let text = std::fs::read_to_string(path)?;
    let sets = text.lines().filter(|line| line.trim_start().starts_with("<DataSet "));
    let set = |tag: &str| Some((attribute(tag, "timestep")?.parse().ok()?, attribute(tag, "file")?));
    sets.map(|tag| set(tag).ok_or(VtkError::Damaged)).collect()
}

/// The value of an attribute of a tag.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    let (value, _) = rest.split_once('"')?;
    let plain = value.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    Some(plain.replace("&amp;", "&"))
}

#[cfg(test)]
mod tests {
    use super::super::vtk::{Array, Cells, NameTable, write_collection, write_poly_data};
    use super::*;

    fn written() -> Vec<u8> {
        let folder = std::env::temp_dir().join(format!(
            "riprap-vtk-{}-{:?}",
            std::process::id(),
            std::thread::current().id()
        ));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("file.vtp");
        let points = [[1.0, 2.0, 3.0], [f64::MIN_POSITIVE, -0.0, 1e300]];
        let arrays = [Array::Scalars("radius", vec![0.5, 0.25]), Array::Integers("material", vec![1, 0])];
        let tables = [NameTable { name: "materials", names: vec!["a & \"b\"", "c"] }];
        write_poly_data(&path, &points, Cells::Points, &arrays, &[], &tables).unwrap();
        let collection = folder.join("file.pvd");
        let files = [(0.0, "a<1>.vtp".to_string()), (0.1, "b.vtp".to_string())];
        write_collection(&collection, files.clone().into_iter()).unwrap();
        assert_eq!(read_collection(&collection).unwrap(), files);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        bytes
    }

    #[test]
    fn arrays_and_names_are_read_back() {
        let file = VtkFile::new(written()).unwrap();
        assert_eq!(file.vectors("points").unwrap(), [[1.0, 2.0, 3.0], [f64::MIN_POSITIVE, -0.0, 1e300]]);
        assert_eq!(file.numbers("radius").unwrap(), [0.5, 0.25]);
        assert_eq!(file.indices("material").unwrap(), [1, 0]);
        assert_eq!(file.names("materials").unwrap(), ["a & \"b\"", "c"]);
        assert!(file.has("radius") && !file.has("orientation"));
        assert!(file.numbers("material").is_err() && file.vectors("radius").is_err());
        assert_eq!(file.numbers("mass").unwrap_err().to_string(), "the array `mass` is missing or damaged");
    }

    #[test]
    fn damaged_files_are_refused_or_read_but_never_panic() {
        let good = written();
        for length in 0..good.len() {
            if let Ok(file) = VtkFile::new(good[..length].to_vec()) {
                let _ = (file.vectors("points"), file.numbers("radius"), file.names("materials"));
            }
        }
        for place in 0..good.len() {
            let mut bad = good.clone();
            bad[place] ^= 0xff;
            if let Ok(file) = VtkFile::new(bad) {
                let _ = (file.vectors("points"), file.indices("material"), file.names("materials"));
            }
        }
    }
}
