//! Shapes of a scene file: those it gives, and ready-made ones.

use std::any::Any;
use std::collections::BTreeMap;
use std::path::Path;

use super::SceneError;
use super::format::{ShapeValues, StoneValues};
use super::reader::Reader;
use crate::convex::Pose;
use crate::dem::Shapes;
use crate::dem::insert::Kind;
use crate::dimension::of_dimension;
use crate::shape::{
    BuildError, Built, Part, by_name, from_mesh, from_pieces, from_spheres, from_vertices, pebble, stone,
};
use crate::vector::add;

/// Most vertices, spheres or pieces that a shape is made of. Hidden ones do not count against the most that may show.
const MOST_VERTICES: usize = 10_000;
const MOST_PIECES: usize = 2_000;
/// How deep pieces may be pieces of pieces.
const DEEPEST: usize = 32;

/// The shapes that bodies of a scene can have.
pub(super) struct Catalogue<const D: usize> {
    /// Those of the file, by their names.
    given: BTreeMap<String, Built<D>>,
    /// Those that bodies have, in the order in which they were first asked for.
    used: Vec<(String, Kind)>,
    pub(super) table: Shapes<D>,
    /// Those of the table, but for the ball.
    pub(super) built: Vec<Built<D>>,
}

impl<const D: usize> Catalogue<D> {
    /// Builds all shapes of the file.
    pub(super) fn read(reader: &Reader<'_>) -> Result<Self, SceneError> {
        let mut given = BTreeMap::new();
        for name in reader.file.shapes.keys() {
            if by_name::<D>(name).is_ok() {
                let message = format!("there is a ready-made shape `{name}`, expected a name of its own");
                return reader.fail(&format!("shapes.{name}"), message);
            }
            build(reader, name, &mut Vec::new(), &mut given)?;
        }
        Ok(Self { given, used: Vec::new(), table: Shapes::default(), built: Vec::new() })
    }

    /// The shape of this name, which stands at a key.
    pub(super) fn kind(&mut self, reader: &Reader<'_>, key: &str, name: &str) -> Result<Kind, SceneError> {
        if let Some((_, kind)) = self.used.iter().find(|(used, _)| used == name) {
            return Ok(*kind);
        }
        let built = match self.given.get(name) {
            Some(built) => built.clone(),
            None => ready_made(reader, key, name)?,
        };
        let Some(index) = self.table.add(built.shape.clone()) else {
            return reader.fail(key, format!("too many shapes, expected at most {}", u16::MAX));
        };
        let kind = if index == Shapes::<D>::BALL { Kind::BALL } else { Kind::new(index, &built) };
        if index != Shapes::<D>::BALL {
            self.built.push(built);
        }
        self.used.push((name.to_string(), kind));
        Ok(kind)
    }
}

/// A ready-made shape; an unknown one is told with all that are known.
fn ready_made<const D: usize>(reader: &Reader<'_>, key: &str, name: &str) -> Result<Built<D>, SceneError> {
    by_name(name).or_else(|error| match error {
        BuildError::Unknown { known, .. } => {
            let own: Vec<&str> = reader.file.shapes.keys().map(String::as_str).collect();
            let own = if own.is_empty() { String::new() } else { format!("{}, ", own.join(", ")) };
            reader.fail(key, format!("unknown shape `{name}`; known shapes: {own}{known}"))
        }
        other => reader.fail(key, other.to_string()),
    })
}

/// Builds a shape of the file and those that it is made of, unless that has been done. `within` are the shapes that are being built.
fn build<const D: usize>(
    reader: &Reader<'_>,
    name: &str,
    within: &mut Vec<String>,
    given: &mut BTreeMap<String, Built<D>>,
) -> Result<(), SceneError> {
    if given.contains_key(name) {
        return Ok(());
    }
    let values = &reader.file.shapes[name];
    let table = format!("shapes.{name}");
    let ways = [
        ("vertices", values.vertices.is_some()),
        ("file", values.file.is_some()),
        ("pieces", values.pieces.is_some()),
        ("spheres", values.spheres.is_some()),
        ("stone", values.stone.is_some()),
    ];
    let chosen: Vec<&str> = ways.iter().filter(|(_, given)| *given).map(|(way, _)| *way).collect();
    let [way] = chosen[..] else {
        return reader.fail(
            &chosen.get(1).map_or(table.clone(), |second| format!("{table}.{second}")),
            format!(
                "shape `{name}` has {} of the keys `vertices`, `file`, `pieces`, `spheres`, `stone`, expected one",
                chosen.len()
            ),
        );
    };
    if way != "pieces" {
        let meaningless = [("at", values.at.is_some()), ("rotations", values.rotations.is_some())];
        reader.meaningless(&table, &meaningless, &format!("a shape of `{way}`"))?;
    }
    if way != "file" {
        reader.meaningless(&table, &[("weld", values.weld.is_some())], &format!("a shape of `{way}`"))?;
    }
    let key = format!("{table}.{way}");
    let refused = |error: BuildError| reader.fail(&key, format!("shape `{name}`: {error}"));
    let built = match (&values.vertices, &values.file, &values.pieces, &values.spheres, &values.stone) {
        (Some(vertices), ..) => {
            check_count(reader, &key, vertices.len(), MOST_VERTICES)?;
            let vertices = points(reader, &key, vertices)?;
            from_vertices(name, &vertices).or_else(refused)?
        }
        (_, Some(file), ..) => mesh(reader, &key, name, file, values.weld)?,
        (_, _, Some(pieces), ..) => compound(reader, name, values, pieces, within, given)?,
        (_, _, _, Some(spheres), _) => {
            check_count(reader, &key, spheres.len(), MOST_PIECES)?;
            let mut balls = Vec::new();
            for (index, sphere) in spheres.iter().enumerate() {
                let center = reader.vector(&format!("{key}[{index}].center"), &sphere.center)?;
                balls.push((center, reader.positive(&format!("{key}[{index}].radius"), sphere.radius)?));
            }
            from_spheres(name, &balls).or_else(refused)?
        }
        (_, _, _, _, Some(stone)) => random_stone(reader, &key, name, stone)?,
        _ => unreachable!("one way was chosen"),
    };
    given.insert(name.to_string(), built);
    Ok(())
}

fn check_count(reader: &Reader<'_>, key: &str, count: usize, most: usize) -> Result<(), SceneError> {
    if count <= most {
        return Ok(());
    }
    reader.fail(key, format!("{count} of them, expected at most {most}"))
}

fn points<const D: usize>(
    reader: &Reader<'_>,
    key: &str,
    values: &[Vec<f64>],
) -> Result<Vec<[f64; D]>, SceneError> {
    values.iter().enumerate().map(|(index, point)| reader.vector(&format!("{key}[{index}]"), point)).collect()
}

/// The body that a closed mesh encloses.
fn mesh<const D: usize>(
    reader: &Reader<'_>,
    key: &str,
    name: &str,
    file: &Path,
    weld: Option<f64>,
) -> Result<Built<D>, SceneError> {
    if D == 2 {
        return reader
            .fail(key, "a mesh needs three dimensions; in 2D give `vertices` or `pieces`".to_string());
    }
    let mesh = reader.mesh(key, file, weld)?;
    let path = reader.path.parent().unwrap_or(Path::new("")).join(file);
    let built = from_mesh(name, &mesh)
        .or_else(|error| reader.fail(key, format!("shape `{name}`: {}: {error}", path.display())))?;
    let built: Box<dyn Any> = Box::new(built);
    Ok(*built.downcast().expect("three dimensions"))
}

/// Other shapes together, each in its place.
fn compound<const D: usize>(
    reader: &Reader<'_>,
    name: &str,
    values: &ShapeValues,
    pieces: &[String],
    within: &mut Vec<String>,
    given: &mut BTreeMap<String, Built<D>>,
) -> Result<Built<D>, SceneError> {
    let table = format!("shapes.{name}");
    let key = format!("{table}.pieces");
    check_count(reader, &key, pieces.len(), MOST_PIECES)?;
    for (list, count) in
        [("at", values.at.as_ref().map(Vec::len)), ("rotations", values.rotations.as_ref().map(Vec::len))]
    {
        if let Some(count) = count.filter(|count| *count != pieces.len()) {
            let message = format!("{count} of them for {} pieces, expected one for each", pieces.len());
            return reader.fail(&format!("{table}.{list}"), message);
        }
    }
    if within.len() == DEEPEST {
        let message =
            format!("shape `{name}` is a piece of a piece, {DEEPEST} times over: give its pieces themselves");
        return reader.fail(&key, message);
    }
    let mut ready: BTreeMap<&str, Built<D>> = BTreeMap::new();
    within.push(name.to_string());
    for (index, piece) in pieces.iter().enumerate() {
        let key = format!("{key}[{index}]");
        if within.contains(piece) {
            let message =
                format!("shape `{piece}` would be a piece of itself (by {}): take it out", within.join(", "));
            return reader.fail(&key, message);
        }
        if reader.file.shapes.contains_key(piece) {
            build(reader, piece, within, given)?;
        } else {
            ready.insert(piece, ready_made(reader, &key, piece)?);
        }
    }
    within.pop();
    let built: Vec<&Built<D>> =
        pieces.iter().map(|piece| ready.get(piece.as_str()).unwrap_or_else(|| &given[piece])).collect();
    check_count(reader, &key, built.iter().map(|built| built.shape.pieces.len()).sum(), MOST_PIECES)?;
    let mut parts = Vec::new();
    for (index, Built { shape, size, pose, .. }) in built.into_iter().enumerate() {
        let at = match &values.at {
            Some(places) => reader.vector(&format!("{table}.at[{index}]"), &places[index])?,
            None => [0.0; D],
        };
        let turned = match &values.rotations {
            Some(turns) => reader.turn::<D>(&format!("{table}.rotations[{index}]"), &turns[index])?,
            None => Pose::at([0.0; D]),
        };
        let rotation = std::array::from_fn(|i| {
            std::array::from_fn(|j| (0..D).map(|k| turned.rotation[i][k] * pose.rotation[k][j]).sum())
        });
        let position = add(at, turned.turn(pose.position));
        parts.push(Part::Shape { shape, size: *size, pose: Pose { position, rotation } });
    }
    from_pieces(name, &parts).or_else(|error| reader.fail(&key, format!("shape `{name}`: {error}")))
}

type RandomStone<const D: usize> = fn(&str, usize, [f64; D], u64) -> Result<Built<D>, BuildError>;
static PEBBLE: RandomStone<2> = pebble;
static STONE: RandomStone<3> = stone;

fn random_stone<const D: usize>(
    reader: &Reader<'_>,
    key: &str,
    name: &str,
    values: &StoneValues,
) -> Result<Built<D>, SceneError> {
    let aspect = match &values.aspect {
        Some(aspect) => reader.vector(&format!("{key}.aspect"), aspect)?,
        None => [1.0; D],
    };
    let make = of_dimension::<RandomStone<D>>(&PEBBLE, &STONE);
    make(name, values.vertices, aspect, values.seed)
        .or_else(|error| reader.fail(key, format!("shape `{name}`: {error}")))
}
