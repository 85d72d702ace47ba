//! STL: triangles with single precision, as text or binary.

use std::io::{self, Cursor, Error, ErrorKind, Read, Write};

use super::super::Problem;
use crate::error::AXES;
use crate::mesh::Mesh;
use crate::vector::{cross, sub, unit};

type Triangle = [[f64; 3]; 3];

/// What text files begin with. Some binary ones do too.
const SOLID: &[u8] = b"solid";

/// Bytes of a binary file before its triangles, and of each triangle.
const HEADER: usize = 84;
const TRIANGLE: usize = 50;

pub(super) fn read(mut reader: impl Read) -> Result<Vec<Triangle>, Problem> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    let mut triangles = Vec::new();
    let text = bytes.trim_ascii_start();
    let claimed = claimed_count(&bytes);
    if text.starts_with(SOLID) && claimed.is_none_or(|count| bytes.len() != HEADER + TRIANGLE * count) {
        read_text(text, &mut triangles)?;
        return Ok(triangles);
    }
    let claimed = claimed.ok_or_else(|| {
        Problem::whole(
            "is not an STL file: neither text that begins with `solid` nor long enough to be binary",
        )
    })?;
    let there = (bytes.len() - HEADER) / TRIANGLE;
    if claimed > there {
        return Err(Problem::whole(format!(
            "has {there} triangles, expected {claimed} as its header says: it is cut off, or not an STL file"
        )));
    }
    // The library takes for text what begins with this.
    bytes[..SOLID.len()].fill(b' ');
    read_solid(bytes, &mut triangles)?;
    Ok(triangles)
}

/// The number of triangles that a binary file claims to have.
fn claimed_count(bytes: &[u8]) -> Option<usize> {
    let count = bytes.get(HEADER - 4..HEADER)?;
    Some(u32::from_le_bytes(count.try_into().ok()?) as usize)
}

/// Reads a text, solid by solid: the library stops after the first one.
fn read_text(bytes: &[u8], triangles: &mut Vec<Triangle>) -> Result<(), Problem> {
    let mut rest = bytes;
    while !rest.is_empty() {
        let mut length = 0;
        for line in rest.split_inclusive(|&byte| byte == b'\n') {
            length += line.len();
            if line.trim_ascii_start().starts_with(b"endsolid") {
                break;
            }
        }
        let (solid, after) = rest.split_at(length);
        let body = solid.strip_prefix(SOLID).ok_or_else(|| {
            Problem::whole(format!("triangle {}: expected `solid` after `endsolid`", triangles.len()))
        })?;
        // A solid without a name has no space there, which the library insists on.
        read_solid([SOLID, b" ", body].concat(), triangles)?;
        rest = after.trim_ascii_start();
    }
    Ok(())
}

fn read_solid(bytes: Vec<u8>, triangles: &mut Vec<Triangle>) -> Result<(), Problem> {
    let mut cursor = Cursor::new(bytes);
    let solid = stl_io::create_stl_reader(&mut cursor)
        .map_err(|error| Problem::whole(format!("is not an STL file: {error}")))?;
    for triangle in solid {
        let index = triangles.len();
        let triangle = triangle.map_err(|error| Problem::whole(format!("triangle {index}: {error}")))?;
        let corners = triangle.vertices.map(|vertex| [0, 1, 2].map(|k| f64::from(vertex[k])));
        for (corner, position) in corners.iter().enumerate() {
            if let Some(k) = position.iter().position(|x| !x.is_finite()) {
                return Err(Problem::whole(format!(
                    "triangle {index}: `{}` of corner {corner} is {}, expected a finite number",
                    AXES[k], position[k]
                )));
            }
        }
        triangles.push(corners);
    }
    Ok(())
}

pub(super) fn write(writer: &mut impl Write, mesh: &Mesh) -> io::Result<()> {
    if mesh.vertices().iter().flatten().any(|x| x.abs() > f64::from(f32::MAX)) {
        return Err(Error::new(ErrorKind::InvalidInput, "coordinates beyond 3.4e38 need `.ply` or `.obj`"));
    }
    let single = |x: [f64; 3]| stl_io::Vector::new(x.map(|x| x as f32));
    let triangles = (0..mesh.triangles().len()).map(|triangle| {
        let corners = mesh.corners(triangle);
        let normal = cross(sub(corners[1], corners[0]), sub(corners[2], corners[0]));
        stl_io::Triangle { normal: single(unit(normal).unwrap_or_default()), vertices: corners.map(single) }
    });
    stl_io::write_stl(writer, triangles)
}
