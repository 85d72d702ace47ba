//! Plain numbers without a header, little end first: three float64 per vertex or point, three uint32 per triangle.

use std::path::Path;

pub(crate) struct Input {
    pub(crate) vertices: Vec<[f64; 3]>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Input {
    pub(crate) fn read(folder: &Path) -> Self {
        Self {
            vertices: read_points(&folder.join("vertices")),
            triangles: numbers(&read(&folder.join("triangles")), u32::from_le_bytes),
        }
    }
}

pub(crate) fn read_points(file: &Path) -> Vec<[f64; 3]> {
    numbers(&read(file), f64::from_le_bytes)
}

/// Three numbers of `N` bytes each.
fn numbers<T, const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> T) -> Vec<[T; 3]> {
    let (numbers, _) = bytes.as_chunks::<N>();
    let (rows, _) = numbers.as_chunks::<3>();
    rows.iter().map(|row| row.map(&number)).collect()
}

pub(crate) fn write_doubles(file: &Path, values: &[f64]) {
    write_bytes(file, &values.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>());
}

pub(crate) fn write_bytes(file: &Path, bytes: &[u8]) {
    std::fs::write(file, bytes).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}

fn read(file: &Path) -> Vec<u8> {
    std::fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
