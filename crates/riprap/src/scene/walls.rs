//! Walls of a scene file.

use super::SceneError;
use super::format::{PhaseValues, ShapeName, Side, WallValues};
use super::reader::Reader;
use crate::dem::Material;
use crate::dem::wall::{Facets, Phase, Placement, Surface, Wall};
use crate::io::read_triangles;

pub(super) fn build<const D: usize>(
    reader: &Reader<'_>,
    materials: &[Material],
) -> Result<Vec<Wall<D>>, SceneError> {
    let mut walls = Vec::new();
    for (index, values) in reader.file.walls.iter().enumerate() {
        let table = format!("walls[{index}]");
        let surface = surface::<D>(reader, &table, values)?;
        let center = match &values.center {
            Some(center) => reader.vector(&format!("{table}.center"), center)?,
            None => surface.middle(),
        };
        walls.push(Wall {
            name: values.name.clone().unwrap_or_else(|| format!("wall{index}")),
            material: reader.material_index(&format!("{table}.material"), &values.material, materials)?,
            motion: motion(reader, &table, &values.motion, center)?,
            until: match values.until {
                Some(until) => reader.positive(&format!("{table}.until"), until)?,
                None => f64::INFINITY,
            },
            surface,
            center,
        });
    }
    reader.check_names("walls", walls.iter().map(|wall| wall.name.as_str()))?;
    Ok(walls)
}

fn surface<const D: usize>(
    reader: &Reader<'_>,
    table: &str,
    values: &WallValues,
) -> Result<Surface<D>, SceneError> {
    let key = |name: &str| format!("{table}.{name}");
    let name = match values.shape {
        ShapeName::Plane => "a plane",
        ShapeName::Box => "a box",
        ShapeName::Cylinder => "a cylinder",
        ShapeName::Mesh => "a mesh",
        ShapeName::Polyline => "a polyline",
    };
    let uses: &[&str] = match values.shape {
        ShapeName::Plane => &["point", "normal"],
        ShapeName::Box => &["min", "max"],
        ShapeName::Cylinder if D == 2 => &["point", "radius", "side"],
        ShapeName::Cylinder => &["point", "axis", "radius", "side"],
        ShapeName::Mesh => &["file", "weld", "scale", "offset", "one_sided", "side"],
        ShapeName::Polyline => &["points", "closed", "one_sided", "side"],
    };
    let given = [
        ("point", values.point.is_some()),
        ("normal", values.normal.is_some()),
        ("min", values.min.is_some()),
        ("max", values.max.is_some()),
        ("axis", values.axis.is_some()),
        ("radius", values.radius.is_some()),
        ("side", values.side.is_some()),
        ("file", values.file.is_some()),
        ("weld", values.weld.is_some()),
        ("scale", values.scale.is_some()),
        ("offset", values.offset.is_some()),
        ("points", values.points.is_some()),
        ("closed", values.closed.is_some()),
        ("one_sided", values.one_sided.is_some()),
    ];
    let meaningless: Vec<_> = given.into_iter().filter(|(name, _)| !uses.contains(name)).collect();
    reader.meaningless(table, &meaningless, name)?;
    let vector = |name_of: &str, value: &Option<Vec<f64>>| {
        reader.vector::<D>(&key(name_of), reader.needed(&key(name_of), value, name)?)
    };
    match values.shape {
        ShapeName::Plane => Ok(Surface::Plane {
            point: vector("point", &values.point)?,
            normal: reader.direction(&key("normal"), reader.needed(&key("normal"), &values.normal, name)?)?,
        }),
        ShapeName::Box => {
            let (min, max) = (vector("min", &values.min)?, vector("max", &values.max)?);
            if (0..D).any(|k| min[k] >= max[k]) {
                return reader
                    .fail(&key("max"), format!("{max:?}, expected more than {min:?} along every axis"));
            }
            Ok(Surface::Box { min, max })
        }
        ShapeName::Cylinder => Ok(Surface::Cylinder {
            point: vector("point", &values.point)?,
            axis: if D == 2 {
                [0.0; D]
            } else {
                reader.direction(&key("axis"), reader.needed(&key("axis"), &values.axis, name)?)?
            },
            radius: reader.positive(&key("radius"), *reader.needed(&key("radius"), &values.radius, name)?)?,
            inside: values.side.unwrap_or(Side::Inside) == Side::Inside,
        }),
        ShapeName::Mesh => mesh(reader, table, values),
        ShapeName::Polyline => polyline(reader, table, values),
    }
}

fn mesh<const D: usize>(
    reader: &Reader<'_>,
    table: &str,
    values: &WallValues,
) -> Result<Surface<D>, SceneError> {
    let key = |name: &str| format!("{table}.{name}");
    if D == 2 {
        return reader
            .fail(&key("shape"), "a mesh needs three dimensions; in 2D take a `polyline`".to_string());
    }
    let file = reader.needed(&key("file"), &values.file, "a mesh")?;
    let path = reader.path.parent().unwrap_or(std::path::Path::new("")).join(file);
    let scale = reader.positive(&key("scale"), values.scale.unwrap_or(1.0))?;
    let offset: [f64; D] = match &values.offset {
        Some(offset) => reader.vector(&key("offset"), offset)?,
        None => [0.0; D],
    };
    let triangles = match values.weld {
        None => read_triangles(&path).or_else(|error| reader.fail(&key("file"), error.to_string()))?,
        weld => {
            let mesh = reader.mesh(&key("file"), file, weld)?;
            (0..mesh.triangles().len()).map(|triangle| mesh.corners(triangle)).collect()
        }
    };
    let placed = |corner: [f64; 3]| std::array::from_fn(|k| corner[k % 3] * scale + offset[k]);
    let corners = triangles.iter().map(|triangle| std::array::from_fn(|k| placed(triangle[k % 3]))).collect();
    let facets = Facets::new(corners, values.one_sided.unwrap_or(false))
        .or_else(|error| reader.fail(&key("file"), format!("{}: {error}", path.display())))?;
    with_side(reader, table, values, facets)
}

fn polyline<const D: usize>(
    reader: &Reader<'_>,
    table: &str,
    values: &WallValues,
) -> Result<Surface<D>, SceneError> {
    let key = |name: &str| format!("{table}.{name}");
    if D == 3 {
        return reader
            .fail(&key("shape"), "a polyline needs two dimensions; in 3D take a `mesh`".to_string());
    }
    let given = reader.needed(&key("points"), &values.points, "a polyline")?;
    let mut points: Vec<[f64; D]> = Vec::new();
    for (index, point) in given.iter().enumerate() {
        points.push(reader.vector(&format!("{table}.points[{index}]"), point)?);
    }
    if values.closed.unwrap_or(false) && !points.is_empty() {
        points.push(points[0]);
    }
    if points.len() < 2 {
        return reader.fail(&key("points"), format!("{} points, expected at least 2", points.len()));
    }
    let corners = points.windows(2).map(|pair| std::array::from_fn(|k| pair[k % 2])).collect();
    let facets = Facets::new(corners, values.one_sided.unwrap_or(false))
        .or_else(|error| reader.fail(&key("points"), error.to_string()))?;
    with_side(reader, table, values, facets)
}

/// The surface, with the side of it on which particles are inserted.
fn with_side<const D: usize>(
    reader: &Reader<'_>,
    table: &str,
    values: &WallValues,
    facets: Facets<D>,
) -> Result<Surface<D>, SceneError> {
    let Some(side) = values.side else { return Ok(Surface::Facets(facets)) };
    if !facets.is_closed() {
        let message = "the wall is not closed, so it has no inside; leave `side` out, or close it";
        return reader.fail(&format!("{table}.side"), message.to_string());
    }
    Ok(Surface::Facets(facets.with_bodies_inside(side == Side::Inside)))
}

fn motion<const D: usize>(
    reader: &Reader<'_>,
    table: &str,
    phases: &[PhaseValues],
    center: [f64; D],
) -> Result<Vec<Phase<D>>, SceneError> {
    let mut motion: Vec<Phase<D>> = Vec::new();
    for (index, values) in phases.iter().enumerate() {
        let key = |name: &str| format!("{table}.motion[{index}].{name}");
        let end = values.end.unwrap_or(f64::INFINITY);
        let previous = motion.last().map_or(0.0, |phase| phase.end);
        if !(values.start >= previous && values.start < end) {
            return reader.fail(
                &format!("{table}.motion[{index}]"),
                format!(
                    "from {} to {end}, expected phases that follow each other, this one from {previous} on",
                    values.start
                ),
            );
        }
        motion.push(Phase {
            start: values.start,
            end,
            velocity: values
                .velocity
                .as_ref()
                .map_or(Ok([0.0; D]), |velocity| reader.vector(&key("velocity"), velocity))?,
            spin: reader.spin::<D>(&key("spin"), &values.spin)?,
            center: match &values.center {
                Some(center) => reader.vector(&key("center"), center)?,
                None => Placement::at(&motion, values.start).to_now(center),
            },
        });
    }
    Ok(motion)
}
