//! STL: triangles with single precision, as text or binary.

use std::io::{self, Cursor, Error, ErrorKind, Read, Write};

use super::super::Problem;
use super::super::columns::shorten;
use crate::error::AXES;
use crate::mesh::Mesh;
use crate::vector::{cross, sub, unit};

type Triangle = [[f64; 3]; 3];

/// What text files begin with. Some binary ones do too.
const SOLID: &[u8] = b"solid";
/// Bytes among which a text has a word that binary files have not.
const BEGIN: usize = 1024;

/// Bytes of a binary file before its triangles, and of each triangle.
const HEADER: usize = 84;
const TRIANGLE: usize = 50;

pub(super) fn read(mut reader: impl Read) -> Result<Vec<Triangle>, Problem> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    if is_text(&bytes) { read_text(&bytes) } else { read_binary(bytes) }
}

fn is_text(bytes: &[u8]) -> bool {
    let text = without_mark(bytes).trim_ascii_start();
    let begin = text[..text.len().min(BEGIN)].to_ascii_lowercase();
    let has = |word: &[u8]| begin.windows(word.len()).any(|there| there == word);
    let is_exact = claimed_count(bytes).is_some_and(|count| bytes.len() == HEADER + TRIANGLE * count);
    begin.starts_with(SOLID) && !is_exact && (has(b"facet") || has(b"endsolid") || !fits(bytes))
}

/// Without the mark of the order of bytes that some editors write.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// The number of triangles that a binary file claims to have.
fn claimed_count(bytes: &[u8]) -> Option<usize> {
    let count = bytes.get(HEADER - 4..HEADER)?;
    Some(u32::from_le_bytes(count.try_into().ok()?) as usize)
}

/// Whether a binary file has the triangles that it claims to have.
fn fits(bytes: &[u8]) -> bool {
    claimed_count(bytes).is_some_and(|count| count <= (bytes.len() - HEADER) / TRIANGLE)
}

/// Reads a text of any number of solids. Not by the library: it stops after the first, and names no lines.
fn read_text(bytes: &[u8]) -> Result<Vec<Triangle>, Problem> {
    let mut triangles = Vec::new();
    // The corners of a facet that has begun, and the solid that has.
    let (mut facet, mut in_solid): (Option<Vec<[f64; 3]>>, bool) = (None, false);
    for (line, number) in without_mark(bytes).split(|&byte| byte == b'\n').zip(1..) {
        let line = String::from_utf8_lossy(line);
        let mut words = line.split_whitespace();
        let Some(word) = words.next() else { continue };
        let problem =
            |expected: &str| Problem::at(number, format!("`{}`, expected {expected}", shorten(line.trim())));
        match (word.to_ascii_lowercase().as_str(), &mut facet) {
            ("solid", None) if !in_solid => in_solid = true,
            ("endsolid", None) if in_solid => in_solid = false,
            ("facet", None) if in_solid => facet = Some(Vec::new()),
            ("outer" | "endloop", Some(_)) => {}
            ("vertex", Some(corners)) => corners
                .push(vertex(words).ok_or_else(|| problem("`vertex x y z` with three finite numbers"))?),
            ("endfacet", Some(corners)) => {
                let corners = corners.as_slice().try_into().map_err(|_| {
                    Problem::at(number, format!("ends a facet of {} vertices, expected 3", corners.len()))
                })?;
                triangles.push(corners);
                facet = None;
            }
            (_, Some(_)) => return Err(problem("`outer loop`, `vertex`, `endloop` or `endfacet`")),
            (_, None) if in_solid => return Err(problem("`facet` or `endsolid`")),
            (_, None) => return Err(problem("`solid`")),
        }
    }
    if in_solid {
        return Err(Problem::whole(format!(
            "is cut off after {} triangles: `endsolid` is missing",
            triangles.len()
        )));
    }
    Ok(triangles)
}

/// Three finite numbers and no more.
fn vertex<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<[f64; 3]> {
    let mut number = || words.next()?.parse::<f64>().ok().filter(|x| x.is_finite());
    let position = [number()?, number()?, number()?];
    words.next().is_none().then_some(position)
}

fn read_binary(mut bytes: Vec<u8>) -> Result<Vec<Triangle>, Problem> {
    let claimed = claimed_count(&bytes).ok_or_else(|| {
        Problem::whole(
            "is not an STL file: neither text that begins with `solid` nor long enough to be binary",
        )
    })?;
    if !fits(&bytes) {
        let there = (bytes.len() - HEADER) / TRIANGLE;
        return Err(Problem::whole(format!(
            "has {there} triangles, expected {claimed} as its header says: it is cut off, or not an STL file"
        )));
    }
    // The library takes for text what begins with `solid`.
    bytes[..SOLID.len()].fill(b' ');
    let mut cursor = Cursor::new(bytes);
    let solid = stl_io::create_stl_reader(&mut cursor)
        .map_err(|error| Problem::whole(format!("is not an STL file: {error}")))?;
    let mut triangles = Vec::new();
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
    Ok(triangles)
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
