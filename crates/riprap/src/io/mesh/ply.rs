//! PLY, the polygon file format: a header that lists elements and their properties, then the elements as text or binary.
//!
//! Elements are read one by one, so that memory grows with what is really there and not with what a header claims.

use std::io::{self, BufRead, ErrorKind, Write};

use ply_rs_bw::parser::{ParseError, Parser, Reader};
use ply_rs_bw::ply::{
    ElementDef, Encoding, Header, Property, PropertyAccess, PropertyAccessResult, PropertyType, ScalarType,
};

use super::super::Problem;
use super::super::columns::{enumerate, shorten};
use super::FileSurface;
use crate::error::AXES;
use crate::mesh::Mesh;
use crate::spheres::check_coordinate;

/// Names of the list of a face's corners.
const CORNERS: [&str; 2] = ["vertex_indices", "vertex_index"];

pub(super) fn read(reader: impl BufRead) -> Result<FileSurface, Problem> {
    let mut reader = Reader::new(reader);
    let header = Parser::<Ignored>::new().read_header(&mut reader).map_err(|error| bad_header(&error))?;
    let count = check(&header)?;
    let mut surface = FileSurface::default();
    let mut rows =
        ElementReader { line: reader.line() as u64, encoding: header.encoding, reader: reader.into_inner() };
    for element in header.elements.values() {
        match element.name.as_str() {
            "vertex" => rows.for_each(element, |Vertex(position)| {
                for (axis, value) in AXES.iter().zip(position) {
                    check_coordinate(value).map_err(|reason| format!("`{axis}` is {value}, {reason}"))?;
                }
                surface.vertices.push(position);
                Ok(())
            })?,
            "face" => rows.for_each(element, |PlyFace(corners)| {
                let corners: Result<Vec<u32>, String> =
                    corners.iter().map(|&corner| check_corner(corner, count)).collect();
                surface.push_polygon(corners?)
            })?,
            _ => rows.for_each(element, |Ignored| Ok(()))?,
        }
    }
    rows.check_end()?;
    surface.finish().map_err(Problem::whole)
}

/// Number of vertices that the header claims, after a look at the properties that are needed.
fn check(header: &Header) -> Result<usize, Problem> {
    if let Some(element) = header.elements.values().find(|element| element.properties.is_empty()) {
        return Err(Problem::whole(format!("element `{}` has no properties; drop it", element.name)));
    }
    let vertex = header
        .elements
        .get("vertex")
        .ok_or_else(|| Problem::whole("has no element `vertex` with `x`, `y` and `z`"))?;
    for axis in AXES {
        match vertex.properties.get(axis).map(|property| &property.data_type) {
            Some(PropertyType::Scalar(_)) => {}
            _ => return Err(Problem::whole(format!("its vertices have no number `{axis}`"))),
        }
    }
    if let Some(face) = header.elements.get("face") {
        let kinds = CORNERS.map(|name| face.properties.get(name).map(|property| &property.data_type));
        match kinds[0].or(kinds[1]) {
            Some(PropertyType::List(_, kind)) if !matches!(kind, ScalarType::Float | ScalarType::Double) => {}
            _ => {
                return Err(Problem::whole(
                    "its faces have no list `vertex_indices` or `vertex_index` of whole numbers",
                ));
            }
        }
    }
    Ok(vertex.count)
}

fn check_corner(corner: i64, count: usize) -> Result<u32, String> {
    u32::try_from(corner).ok().filter(|&corner| (corner as usize) < count).ok_or_else(|| {
        format!("corner {corner}, expected one of the {count} vertices, which are numbered from 0")
    })
}

/// The elements behind the header.
struct ElementReader<R> {
    reader: R,
    encoding: Encoding,
    /// Number of the next line of a text.
    line: u64,
}

impl<R: BufRead> ElementReader<R> {
    /// Calls `handle` with each element of a kind.
    fn for_each<E: PropertyAccess>(
        &mut self,
        element: &ElementDef,
        mut handle: impl FnMut(E) -> Result<(), String>,
    ) -> Result<(), Problem> {
        let parser = Parser::<E>::new();
        let mut text = String::new();
        for index in 0..element.count {
            let read = match self.encoding {
                Encoding::Ascii => {
                    self.read_line(&mut text).and_then(|()| parser.read_ascii_element(&text, element))
                }
                Encoding::BinaryLittleEndian => parser.read_little_endian_element(&mut self.reader, element),
                Encoding::BinaryBigEndian => parser.read_big_endian_element(&mut self.reader, element),
            };
            let handled = match read {
                Ok(row) => handle(row),
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                    return Err(Problem::whole(format!(
                        "ends in {} {index}, expected {} as its header says",
                        element.name, element.count
                    )));
                }
                Err(_) if self.encoding == Encoding::Ascii => Err(format!(
                    "`{}`, expected {} as finite numbers",
                    shorten(text.trim()),
                    properties(element)
                )),
                Err(error) => Err(first_line(&error)),
            };
            handled.map_err(|message| {
                let message = format!("{} {index}: {message}", element.name);
                match self.encoding {
                    Encoding::Ascii => Problem::at(self.line - 1, message),
                    _ => Problem::whole(message),
                }
            })?;
        }
        Ok(())
    }

    /// Reads the next line that is not blank.
    fn read_line(&mut self, text: &mut String) -> Result<(), ParseError> {
        text.clear();
        while text.trim().is_empty() {
            text.clear();
            self.line += 1;
            if self.reader.read_line(text)? == 0 {
                return Err(io::Error::from(ErrorKind::UnexpectedEof).into());
            }
        }
        Ok(())
    }

    /// Refuses more than the header says: it may be wrong about what is before it, too.
    fn check_end(mut self) -> Result<(), Problem> {
        loop {
            let rest = self.reader.fill_buf()?;
            if rest.is_empty() {
                return Ok(());
            }
            if !rest.iter().all(u8::is_ascii_whitespace) {
                return Err(Problem::whole("goes on after the elements that its header lists"));
            }
            let length = rest.len();
            self.reader.consume(length);
        }
    }
}

/// What the rows of an element hold, for messages.
fn properties(element: &ElementDef) -> String {
    let names = element.properties.values().map(|property| match property.data_type {
        PropertyType::Scalar(_) => format!("`{}`", property.name),
        PropertyType::List(..) => format!("the length and the entries of `{}`", property.name),
    });
    enumerate(names)
}

fn bad_header(error: &ParseError) -> Problem {
    let message = format!(
        "is not the header of a PLY file: {} (expected `ply`, `format`, `element`, `property` and `end_header` lines)",
        first_line(error)
    );
    Problem { line: error.line().map(|line| line as u64), message }
}

/// What the library says, without the line's number and the text that it quotes.
fn first_line(error: &ParseError) -> String {
    let text = error.to_string();
    let text =
        text.split_once(": ").filter(|_| error.line().is_some()).map_or(text.as_str(), |(_, rest)| rest);
    text.lines().next().unwrap_or_default().trim_end_matches('.').to_string()
}

/// A vertex.
struct Vertex([f64; 3]);

/// The corners of a face.
struct PlyFace(Vec<i64>);

/// What does not matter here.
struct Ignored;

impl PropertyAccess for Vertex {
    fn new() -> Self {
        Self([f64::NAN; 3])
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        let Some(axis) = AXES.iter().position(|axis| *axis == name) else {
            return PropertyAccessResult::Ignored;
        };
        self.0[axis] = match property {
            Property::Float(value) => f64::from(value),
            Property::Double(value) => value,
            Property::Char(value) => f64::from(value),
            Property::UChar(value) => f64::from(value),
            Property::Short(value) => f64::from(value),
            Property::UShort(value) => f64::from(value),
            Property::Int(value) => f64::from(value),
            Property::UInt(value) => f64::from(value),
            _ => return PropertyAccessResult::UnsupportedType,
        };
        PropertyAccessResult::Set
    }
}

impl PropertyAccess for PlyFace {
    fn new() -> Self {
        Self(Vec::new())
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        if !CORNERS.contains(&name) {
            return PropertyAccessResult::Ignored;
        }
        fn whole<T: Into<i64>>(list: Vec<T>) -> Vec<i64> {
            list.into_iter().map(T::into).collect()
        }
        self.0 = match property {
            Property::ListChar(list) => whole(list),
            Property::ListUChar(list) => whole(list),
            Property::ListShort(list) => whole(list),
            Property::ListUShort(list) => whole(list),
            Property::ListInt(list) => whole(list),
            Property::ListUInt(list) => whole(list),
            _ => return PropertyAccessResult::UnsupportedType,
        };
        PropertyAccessResult::Set
    }
}

impl PropertyAccess for Ignored {
    fn new() -> Self {
        Self
    }
}

pub(super) fn write(writer: &mut impl Write, mesh: &Mesh) -> io::Result<()> {
    writeln!(writer, "ply\nformat binary_little_endian 1.0\nelement vertex {}", mesh.vertices().len())?;
    AXES.iter().try_for_each(|axis| writeln!(writer, "property double {axis}"))?;
    writeln!(writer, "element face {}", mesh.triangles().len())?;
    writeln!(writer, "property list uchar int vertex_indices\nend_header")?;
    for coordinate in mesh.vertices().iter().flatten() {
        writer.write_all(&coordinate.to_le_bytes())?;
    }
    for corners in mesh.triangles() {
        writer.write_all(&[3])?;
        corners.iter().try_for_each(|vertex| writer.write_all(&vertex.to_le_bytes()))?;
    }
    Ok(())
}
