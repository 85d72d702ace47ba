//! Pairs of convex bodies in JSON, and their links out.
//!
//! ```json
//! {"shapes": [{"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}],
//!  "pairs": [{"a": {"shape": 0, "position": [0, 0, 0], "rotation": [1, 0, 0, 0]},
//!             "b": {"shape": 0, "position": [2, 0, 0], "rotation": [1, 0, 0, 1]}}]}
//! ```
//!
//! Vertices with two coordinates make polygons; rotations in the plane are angles in radians, or quaternions about z.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use serde::Deserialize;

use super::{FileError, Problem, npy, write_whole};
use crate::broad::Pair;
use crate::convex::{Body, Link, Polygon, Polyhedron, Pose, ShapeError};
use crate::error::AXES;

/// Bodies of a file and the pairs to be linked; how many dimensions they have follows from their vertices.
#[derive(Debug, Clone, PartialEq)]
pub enum ConvexPairs {
    /// Polygons.
    Planar(ConvexBodies<2>),
    /// Polyhedra.
    Spatial(ConvexBodies<3>),
}

/// Convex bodies in their places, two for each pair.
#[derive(Debug, Clone, PartialEq)]
pub struct ConvexBodies<const D: usize> {
    /// Shapes.
    pub shapes: Vec<Body<D>>,
    /// How many vertices each shape was given; those that are not corners of its hull were dropped.
    pub given: Vec<usize>,
    /// The shape of each body.
    pub shape_of: Vec<u32>,
    /// The pose of each body.
    pub poses: Vec<Pose<D>>,
    /// The pairs, in the order of the file.
    pub pairs: Vec<Pair>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `shapes` and `pairs`")]
struct Document {
    shapes: Vec<GivenShape>,
    pairs: Vec<DocumentPair>,
    #[serde(rename = "comment")]
    _comment: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a shape with `vertices`")]
struct GivenShape {
    vertices: Vec<Vec<f64>>,
    faces: Option<Vec<Vec<usize>>>,
    // For people, here and below; not read.
    #[serde(rename = "name")]
    _name: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a pair with `a` and `b`")]
struct DocumentPair {
    a: GivenBody,
    b: GivenBody,
    #[serde(rename = "name")]
    _name: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a body with `shape`, `position` and `rotation`")]
struct GivenBody {
    shape: usize,
    position: Vec<f64>,
    rotation: Option<Rotation>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a quaternion [w, x, y, z], or in the plane an angle in radians")]
enum Rotation {
    Angle(f64),
    Numbers(Vec<f64>),
}

/// Reads pairs of convex bodies.
pub fn read_convex_pairs(path: &Path) -> Result<ConvexPairs, FileError> {
    read(path).map_err(|problem| problem.in_file(path))
}

fn read(path: &Path) -> Result<ConvexPairs, Problem> {
    let file = File::open(path).map_err(|error| Problem::whole(format!("cannot open: {error}")))?;
    if file.metadata()?.is_dir() {
        return Err(Problem::whole("is a folder, expected a file of convex pairs in JSON"));
    }
    let mut text = Vec::new();
    BufReader::with_capacity(1 << 16, file).read_to_end(&mut text)?;
    let document = parse(&text)?;
    let dimension = document.shapes.first().and_then(|shape| shape.vertices.first()).map_or(3, Vec::len);
    match dimension {
        2 => Ok(ConvexPairs::Planar(bodies(
            &document,
            Polygon::from_points,
            Polygon::from_faces,
            |position, rotation| {
                Pose::from_angle(position, angle(rotation)?).map_err(|error| error.to_string())
            },
        )?)),
        3 => Ok(ConvexPairs::Spatial(bodies(
            &document,
            Polyhedron::from_points,
            Polyhedron::from_faces,
            |position, rotation| {
                Pose::from_quaternion(position, quaternion(rotation)?).map_err(|error| error.to_string())
            },
        )?)),
        other => Err(Problem::whole(format!(
            "shapes[0].vertices[0] has {other} coordinates, expected 2 in the plane or 3 in space"
        ))),
    }
}

fn parse(text: &[u8]) -> Result<Document, Problem> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let document = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        explain(text, error.into_inner(), &path)
    })?;
    reader.end().map_err(|error| explain(text, error, "."))?;
    Ok(document)
}

/// Says what is wrong with JSON in words of the format, with the place by its keys and in the text.
fn explain(text: &[u8], error: serde_json::Error, path: &str) -> Problem {
    let whole = error.to_string();
    let mut message =
        whole.rsplit_once(" at line ").map_or(whole.as_str(), |(message, _)| message).to_string();
    for (word, plain) in [
        ("usize", "a whole number of zero or more"),
        ("f64", "a number"),
        ("a sequence", "a list"),
        ("invalid type: sequence", "invalid type: list"),
        ("invalid type: map", "invalid type: object"),
        ("EOF while parsing", "the file ends within"),
    ] {
        message = message.replace(word, plain);
    }
    let line = text.split(|&byte| byte == b'\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
    let rest = &line[error.column().saturating_sub(1).min(line.len())..];
    if [&b"N"[..], b"I", b"-I"].iter().any(|start| rest.starts_with(start)) {
        message = "NaN and infinity are not numbers of JSON; every number must be finite".to_string();
    } else if !text.trim_ascii_start().starts_with(b"{") {
        message = "expected a JSON object with `shapes` and `pairs`".to_string();
    }
    let message = if path == "." { message } else { format!("{path}: {message}") };
    match error.line() {
        0 => Problem::whole(message),
        line => Problem::at(line as u64, format!("{message} (column {})", error.column())),
    }
}

fn bodies<const D: usize>(
    document: &Document,
    from_points: impl Fn(&[[f64; D]]) -> Result<Body<D>, ShapeError>,
    from_faces: impl Fn(&[[f64; D]], &[Vec<usize>]) -> Result<Body<D>, ShapeError>,
    pose: impl Fn([f64; D], Option<&Rotation>) -> Result<Pose<D>, String>,
) -> Result<ConvexBodies<D>, Problem> {
    let (mut shapes, mut given) = (Vec::with_capacity(document.shapes.len()), Vec::new());
    for (index, shape) in document.shapes.iter().enumerate() {
        let mut vertices: Vec<[f64; D]> = Vec::with_capacity(shape.vertices.len());
        for (vertex, point) in shape.vertices.iter().enumerate() {
            vertices.push(vector(point).map_err(|given| {
                Problem::whole(format!(
                    "shapes[{index}].vertices[{vertex}] has {given} coordinates, expected {D}"
                ))
            })?);
        }
        let body = match &shape.faces {
            Some(faces) if !faces.is_empty() => from_faces(&vertices, faces),
            _ => from_points(&vertices),
        };
        let body = body.map_err(|error| Problem::whole(format!("shapes[{index}]: {error}")))?;
        given.push(vertices.len());
        shapes.push(body);
    }
    let mut bodies =
        ConvexBodies { shapes, given, shape_of: Vec::new(), poses: Vec::new(), pairs: Vec::new() };
    for (index, pair) in document.pairs.iter().enumerate() {
        for (side, place) in [("a", &pair.a), ("b", &pair.b)] {
            let key = format!("pairs[{index}].{side}");
            let count = bodies.shapes.len();
            let shape = bodies.shapes.get(place.shape).ok_or_else(|| {
                Problem::whole(format!(
                    "{key}.shape is {}, but there are {count} shapes, numbered from 0",
                    place.shape
                ))
            })?;
            let position = vector(&place.position).map_err(|given| {
                Problem::whole(format!("{key}.position has {given} coordinates, expected {D}"))
            })?;
            let pose = pose(position, place.rotation.as_ref())
                .map_err(|message| Problem::whole(format!("{key}: {message}")))?;
            bodies.poses.push(pose.of_frame(shape));
            bodies.shape_of.push(place.shape as u32);
        }
        let b = u32::try_from(bodies.poses.len() - 1)
            .map_err(|_| Problem::whole(format!("has more than {} pairs", u32::MAX / 2)))?;
        bodies.pairs.push(Pair { a: b - 1, b });
    }
    Ok(bodies)
}

fn vector<const D: usize>(values: &[f64]) -> Result<[f64; D], usize> {
    values.try_into().map_err(|_| values.len())
}

fn quaternion(rotation: Option<&Rotation>) -> Result<[f64; 4], String> {
    match rotation {
        None => Ok([1.0, 0.0, 0.0, 0.0]),
        Some(Rotation::Numbers(numbers)) => vector(numbers)
            .map_err(|given| format!("rotation has {given} numbers, expected a quaternion [w, x, y, z]")),
        Some(Rotation::Angle(angle)) => {
            Err(format!("rotation is {angle}, expected a quaternion [w, x, y, z] for a body in space"))
        }
    }
}

fn angle(rotation: Option<&Rotation>) -> Result<f64, String> {
    match rotation {
        None => Ok(0.0),
        Some(Rotation::Angle(angle)) => Ok(*angle),
        Some(Rotation::Numbers(numbers)) => match numbers[..] {
            [angle] => Ok(angle),
            [w, 0.0, 0.0, z] if w != 0.0 || z != 0.0 => Ok(2.0 * libm::atan2(z, w)),
            _ => Err(format!(
                "rotation is {numbers:?}, expected an angle in radians for a body in the plane, or a quaternion [w, 0, 0, z]"
            )),
        },
    }
}

/// The format of a file of links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkFormat {
    /// A header and a line per pair: gap, normal, point on a, point on b, iterations.
    Csv {
        /// Adds `area` and `cx,cy[,cz]`: the area of a face on a face, else 0, and where a force acts.
        contact: bool,
    },
    /// The same columns as a NumPy array of float64.
    Npy,
}

/// Writes links in the order given.
pub fn write_links<const D: usize>(path: &Path, format: LinkFormat, links: &[Link<D>]) -> io::Result<()> {
    let row = |link: &Link<D>| {
        let [p, q] = link.points;
        let mut row = vec![link.gap];
        row.extend(link.normal.iter().chain(&p).chain(&q));
        row.push(f64::from(link.iterations));
        row
    };
    write_whole(path, |writer| match format {
        LinkFormat::Npy => npy::write_rows(writer, links.len(), 3 * D + 2, links.iter().flat_map(row)),
        LinkFormat::Csv { contact } => {
            write!(writer, "gap")?;
            for name in ["n", "a", "b"] {
                AXES[..D].iter().try_for_each(|axis| write!(writer, ",{name}{axis}"))?;
            }
            write!(writer, ",iterations")?;
            if contact {
                write!(writer, ",area")?;
                AXES[..D].iter().try_for_each(|axis| write!(writer, ",c{axis}"))?;
            }
            writeln!(writer)?;
            for link in links {
                // With exponents where they are shorter; the iterations are a whole number.
                let mut values: Vec<String> = row(link).iter().map(|value| format!("{value:?}")).collect();
                values[3 * D + 1] = link.iterations.to_string();
                if contact {
                    values.push(format!("{:?}", link.patch.map_or(0.0, |patch| patch.area)));
                    values.extend(link.contact_point().iter().map(|x| format!("{x:?}")));
                }
                writeln!(writer, "{}", values.join(","))?;
            }
            Ok(())
        }
    })
}
