//! Wavefront OBJ: lines `v x y z` and `f a b c ...`, with vertices from 1, or counted back from the last one as -1, -2, ...
//!
//! Read here and not by a library, because errors should name the line, vertices keep their numbers, and no file cause a panic.

use std::io::{self, BufRead, Write};

use super::super::columns::shorten;
use super::super::{Problem, for_each_line};
use super::FileSurface;
use crate::error::AXES;
use crate::mesh::Mesh;
use crate::spheres::check_coordinate;

pub(super) fn read(reader: impl BufRead) -> Result<FileSurface, Problem> {
    let mut surface = FileSurface::default();
    let mut statement = String::new();
    for_each_line(reader, |number, line| {
        // A backslash says that the next line goes on with this one.
        if let Some(part) = line.strip_suffix('\\') {
            statement.push_str(part);
            statement.push(' ');
            return Ok(());
        }
        statement.push_str(line);
        let added = add(&mut surface, &statement);
        statement.clear();
        added.map_err(|message| Problem::at(number, message))
    })?;
    if !statement.is_empty() {
        return Err(Problem::whole(
            "is cut off: after a `\\` at the end of a line, the next line is missing",
        ));
    }
    Ok(surface)
}

fn add(surface: &mut FileSurface, statement: &str) -> Result<(), String> {
    let code = statement.split('#').next().unwrap_or_default();
    let mut words = code.split_whitespace();
    match words.next() {
        Some("v") => surface.vertices.push(vertex(words)?),
        Some("f") => {
            let count = surface.vertices.len();
            surface.push_polygon(words.map(|word| corner(word, count)).collect::<Result<_, _>>()?)?;
        }
        // Textures, normals, lines, groups and materials do not matter here.
        _ => {}
    }
    Ok(())
}

/// The position of a vertex; a weight or a colour may follow it.
fn vertex<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<[f64; 3], String> {
    let mut position = [0.0; 3];
    for (coordinate, axis) in position.iter_mut().zip(AXES) {
        let word = words.next().ok_or_else(|| format!("a vertex without `{axis}`, expected `v x y z`"))?;
        let refuse = |reason: &str| format!("`{axis}` is `{}`, {reason}", shorten(word));
        *coordinate = word.parse().map_err(|_| refuse("expected a number"))?;
        check_coordinate(*coordinate).map_err(refuse)?;
    }
    Ok(position)
}

/// The vertex of a corner such as `7`, `7/1`, `7//3` or `7/1/3`.
fn corner(word: &str, count: usize) -> Result<u32, String> {
    let number = word.split('/').next().unwrap_or_default();
    let index = match number.parse::<i64>() {
        Ok(number) if number > 0 => number - 1,
        Ok(number) if number < 0 => number.saturating_add(count as i64),
        _ => -1,
    };
    u32::try_from(index).ok().filter(|&index| (index as usize) < count).ok_or_else(|| {
        format!(
            "corner `{}` of a face, expected one of the {count} vertices so far, which are numbered from 1",
            shorten(word)
        )
    })
}

pub(super) fn write(writer: &mut impl Write, mesh: &Mesh) -> io::Result<()> {
    for [x, y, z] in mesh.vertices() {
        writeln!(writer, "v {x:?} {y:?} {z:?}")?;
    }
    for [a, b, c] in mesh.triangles() {
        writeln!(writer, "f {} {} {}", a + 1, b + 1, c + 1)?;
    }
    Ok(())
}
