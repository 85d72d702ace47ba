//! NumPy arrays as `inputs.py` writes them: version 1, float64, rows of equal length.

/// The number of columns, and all values row by row.
pub(crate) fn read(file: &str) -> (usize, Vec<f64>) {
    let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert!(bytes.starts_with(b"\x93NUMPY\x01"), "{file}: not an array of version 1");
    let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = String::from_utf8_lossy(&bytes[10..start]);
    // {'descr': '<f8', 'fortran_order': False, 'shape': (100000, 4), }
    assert!(header.contains("'<f8'") && header.contains("False"), "{file}: not rows of float64");
    let (_, shape) = header.split_once("(").expect("a shape");
    let columns = shape.split([',', ')']).nth(1).and_then(|text| text.trim().parse().ok());
    let values =
        bytes[start..].chunks_exact(8).map(|value| f64::from_le_bytes(value.try_into().expect("8 bytes")));
    (columns.expect("a number of columns"), values.collect())
}
