//! Insertions of a scene file.

use std::path::Path;
use std::sync::Arc;

use super::SceneError;
use super::format::{HowName, InsertValues, ParticleValues, SizesValues};
use super::particle_file;
use super::reader::Reader;
use super::shapes::Catalogue;
use crate::Random;
use crate::dem::insert::{Amount, Bounds, Cylinder, How, Insertion, Kind, Mould, Region, Sizes};
use crate::dem::{Material, NewBody, Shapes};
use crate::error::AXES;
use crate::spheres::check_radius;
use crate::words::short;

/// Most bodies that one insertion may ask for.
const MOST: u64 = 20_000_000;

pub(super) fn build<const D: usize>(
    reader: &Reader<'_>,
    materials: &[Material],
    catalogue: &mut Catalogue<D>,
) -> Result<Vec<Insertion<D>>, SceneError> {
    let mut insertions = Vec::new();
    for (index, values) in reader.file.insert.iter().enumerate() {
        let table = format!("insert[{index}]");
        let key = |name: &str| format!("{table}.{name}");
        let material = match &values.material {
            Some(name) => Some(reader.material_index(&key("material"), name, materials)?),
            None => None,
        };
        let random_velocity = values.random_velocity.unwrap_or(0.0);
        if !(random_velocity.is_finite() && random_velocity >= 0.0) {
            return reader
                .fail(&key("random_velocity"), format!("is {random_velocity}, expected zero or more"));
        }
        let mut insertion = Insertion {
            name: values.name.clone().unwrap_or_else(|| format!("insert{index}")),
            how: How::Given(Vec::new()),
            material: material.unwrap_or_default(),
            velocity: values
                .velocity
                .as_ref()
                .map_or(Ok([0.0; D]), |velocity| reader.vector(&key("velocity"), velocity))?,
            random_velocity,
            spin: reader.spin::<D>(&key("spin"), &values.spin)?,
            kinds: kinds(reader, &table, values, catalogue)?,
            rotation: match &values.rotation {
                Some(rotation) => Some(reader.rotation::<D>(&key("rotation"), rotation)?),
                None => None,
            },
            bounds: bounds(reader, &table, values)?,
            random: Random::new(
                reader.file.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(index as u64),
            ),
            done: 0,
        };
        if values.how != HowName::File {
            reader.needed(&key("material"), &values.material, "an insertion")?;
        }
        insertion.how = how::<D>(reader, &table, values, &mut insertion, (materials, catalogue))?;
        insertions.push(insertion);
    }
    reader.check_names("insert", insertions.iter().map(|insertion| insertion.name.as_str()))?;
    Ok(insertions)
}

fn how<const D: usize>(
    reader: &Reader<'_>,
    table: &str,
    values: &InsertValues,
    insertion: &mut Insertion<D>,
    (materials, catalogue): (&[Material], &mut Catalogue<D>),
) -> Result<How<D>, SceneError> {
    let key = |name: &str| format!("{table}.{name}");
    let (name, uses): (&str, &[&str]) = match values.how {
        HowName::List => ("a list", &["particles"]),
        HowName::File => ("a file", &["file"]),
        HowName::Lattice => {
            ("a lattice", &["sizes", "min", "max", "within", "cylinder", "spacing", "jitter"])
        }
        HowName::Random => {
            ("random places", &["sizes", "min", "max", "within", "cylinder", "count", "fraction", "time"])
        }
        HowName::Rain => {
            ("rain", &["sizes", "min", "max", "within", "cylinder", "rate", "start", "end", "count"])
        }
    };
    let given = [
        ("particles", values.particles.is_some()),
        ("file", values.file.is_some()),
        ("sizes", values.sizes.is_some()),
        ("min", values.min.is_some()),
        ("max", values.max.is_some()),
        ("count", values.count.is_some()),
        ("fraction", values.fraction.is_some()),
        ("spacing", values.spacing.is_some()),
        ("jitter", values.jitter.is_some()),
        ("rate", values.rate.is_some()),
        ("time", values.time.is_some()),
        ("start", values.start.is_some()),
        ("end", values.end.is_some()),
        ("within", values.within.is_some()),
        ("cylinder", values.cylinder.is_some()),
    ];
    let meaningless: Vec<_> = given.into_iter().filter(|(name, _)| !uses.contains(name)).collect();
    reader.meaningless(table, &meaningless, name)?;
    let zero_or_more = |name: &str, value: f64| match value {
        value if value >= 0.0 => Ok(value),
        value => reader.fail(&key(name), format!("{name} is {value}, expected zero or more")),
    };
    match values.how {
        HowName::List => list(reader, table, values, insertion, catalogue),
        HowName::File => particle_file::bodies(reader, table, values, insertion, materials),
        HowName::Lattice => {
            let (region, sizes) =
                (region(reader, table, values, insertion, name)?, sizes::<D>(reader, table, values, name)?);
            let jitter = zero_or_more("jitter", values.jitter.unwrap_or(0.0))?;
            let [low, high] = insertion.extent(&catalogue.table, sizes.largest());
            let widest = (0..D).map(|k| low[k] + high[k]).fold(0.0, f64::max);
            let usual = widest + 2.0 * jitter;
            let spacing = reader.positive(&key("spacing"), values.spacing.unwrap_or(usual))?;
            let places =
                (0..D).map(|k| ((region.max[k] - region.min[k]) / spacing).ceil().max(1.0)).product::<f64>();
            if places > MOST as f64 {
                return reader.fail(&key("spacing"), format!("{places:.1e} places, expected at most {MOST}"));
            }
            Ok(How::Lattice { region, sizes, spacing: [spacing; D], jitter })
        }
        HowName::Random => {
            let (region, sizes) =
                (region(reader, table, values, insertion, name)?, sizes::<D>(reader, table, values, name)?);
            let amount = match (values.count, values.fraction) {
                (Some(count), None) if (1..=MOST).contains(&count) => Amount::Count(count),
                (Some(count), None) => {
                    return reader.fail(&key("count"), format!("count is {count}, expected 1 to {MOST}"));
                }
                (None, Some(fraction)) if fraction > 0.0 && fraction < densest(D) => {
                    let volume: f64 = (0..D).map(|k| region.max[k] - region.min[k]).product();
                    let most = fraction * volume / Shapes::<D>::volume(sizes.smallest());
                    if most > MOST as f64 {
                        return reader.fail(
                            &key("fraction"),
                            format!("up to {most:.1e} particles, expected at most {MOST}"),
                        );
                    }
                    Amount::Fraction(fraction)
                }
                (None, Some(fraction)) => {
                    return reader.fail(
                        &key("fraction"),
                        format!("fraction is {fraction}, expected a share above 0 and below {}: random places do not fill more", densest(D)),
                    );
                }
                _ => return reader.fail(table, "expected either `count` or `fraction`".to_string()),
            };
            fits(reader, table, &region, insertion.extent(&catalogue.table, sizes.smallest()), insertion)?;
            Ok(How::Random { region, sizes, amount, time: zero_or_more("time", values.time.unwrap_or(0.0))? })
        }
        HowName::Rain => {
            let (region, sizes) =
                (region(reader, table, values, insertion, name)?, sizes::<D>(reader, table, values, name)?);
            // The first particle without room keeps all others waiting.
            fits(reader, table, &region, insertion.extent(&catalogue.table, sizes.largest()), insertion)?;
            Ok(How::Rain {
                region,
                sizes,
                rate: reader.positive(&key("rate"), *reader.needed(&key("rate"), &values.rate, name)?)?,
                start: zero_or_more("start", values.start.unwrap_or(0.0))?,
                end: zero_or_more("end", values.end.unwrap_or(f64::INFINITY))?,
                most: values.count.unwrap_or(MOST).min(MOST),
            })
        }
    }
}

/// The shapes of an insertion.
fn kinds<const D: usize>(
    reader: &Reader<'_>,
    table: &str,
    values: &InsertValues,
    catalogue: &mut Catalogue<D>,
) -> Result<Vec<Kind>, SceneError> {
    match (&values.shape, &values.shapes) {
        (Some(_), Some(_)) => reader
            .fail(&format!("{table}.shapes"), "there is a `shape` too, expected one of them".to_string()),
        (Some(name), None) => Ok(vec![catalogue.kind(reader, &format!("{table}.shape"), name)?]),
        (None, Some(names)) if names.is_empty() => {
            reader.fail(&format!("{table}.shapes"), "no shapes, expected at least one".to_string())
        }
        (None, Some(names)) => {
            let key = |index: usize| format!("{table}.shapes[{index}]");
            names.iter().enumerate().map(|(k, name)| catalogue.kind(reader, &key(k), name)).collect()
        }
        (None, None) => Ok(Vec::new()),
    }
}

/// What narrows the region of an insertion.
fn bounds<const D: usize>(
    reader: &Reader<'_>,
    table: &str,
    values: &InsertValues,
) -> Result<Bounds<D>, SceneError> {
    let cylinder = match &values.cylinder {
        Some(cylinder) => {
            let key = |name: &str| format!("{table}.cylinder.{name}");
            let axis = match &cylinder.axis {
                Some(_) if D == 2 => {
                    return reader
                        .fail(&key("axis"), "`axis` has no meaning in 2D, where it is a circle".to_string());
                }
                None if D == 2 => [0.0; D],
                axis => reader.direction(&key("axis"), reader.needed(&key("axis"), axis, "a cylinder")?)?,
            };
            Some(Cylinder {
                point: reader.vector(&key("point"), &cylinder.point)?,
                axis,
                radius: reader.positive(&key("radius"), cylinder.radius)?,
            })
        }
        None => None,
    };
    let mould = match &values.within {
        Some(file) => {
            let key = format!("{table}.within");
            if D == 2 {
                return reader.fail(
                    &key,
                    "a mould needs three dimensions; in 2D take a `cylinder`, a circle there".to_string(),
                );
            }
            let path = reader.path.parent().unwrap_or(Path::new("")).join(file);
            let mesh = reader.mesh(&key, file, values.weld)?;
            let mould = Mould::new(&mesh)
                .or_else(|error| reader.fail(&key, format!("{}: {error}", path.display())))?;
            Some(Arc::new(mould))
        }
        None => {
            let given = [("weld", values.weld.is_some())];
            reader.meaningless(table, &given, "an insertion without `within`")?;
            None
        }
    };
    Ok(Bounds { cylinder, mould })
}

fn list<const D: usize>(
    reader: &Reader<'_>,
    table: &str,
    values: &InsertValues,
    insertion: &Insertion<D>,
    catalogue: &mut Catalogue<D>,
) -> Result<How<D>, SceneError> {
    let particles = reader.needed(&format!("{table}.particles"), &values.particles, "a list")?;
    let mut bodies = Vec::new();
    for (index, particle) in particles.iter().enumerate() {
        bodies.push(listed(
            reader,
            &format!("{table}.particles[{index}]"),
            particle,
            (index, insertion),
            catalogue,
        )?);
    }
    Ok(How::Given(bodies))
}

/// A particle of a list. What it does not say is that of the insertion.
fn listed<const D: usize>(
    reader: &Reader<'_>,
    table: &str,
    particle: &ParticleValues,
    (index, insertion): (usize, &Insertion<D>),
    catalogue: &mut Catalogue<D>,
) -> Result<NewBody<D>, SceneError> {
    let key = |name: &str| format!("{table}.{name}");
    let kind = match &particle.shape {
        Some(name) => catalogue.kind(reader, &key("shape"), name)?,
        None if insertion.kinds.is_empty() => Kind::BALL,
        None => insertion.kinds[index % insertion.kinds.len()],
    };
    let rotation = match &particle.rotation {
        Some(rotation) => reader.rotation::<D>(&key("rotation"), rotation)?,
        None => insertion.rotation.unwrap_or(Kind::BALL.axes),
    };
    let radius = reader.positive(&key("radius"), particle.radius)?;
    let position = reader.vector(&key("position"), &particle.position)?;
    let velocity = particle.velocity.as_ref();
    Ok(NewBody {
        velocity: velocity
            .map_or(Ok(insertion.velocity), |velocity| reader.vector(&key("velocity"), velocity))?,
        spin: if particle.spin.is_some() {
            reader.spin::<D>(&key("spin"), &particle.spin)?
        } else {
            insertion.spin
        },
        material: insertion.material,
        ..NewBody::shaped(kind.shape, position, radius, kind.orientation(rotation))
    })
}

/// The box of an insertion; without corners that of its mould.
fn region<const D: usize>(
    reader: &Reader<'_>,
    table: &str,
    values: &InsertValues,
    insertion: &Insertion<D>,
    name: &str,
) -> Result<Region<D>, SceneError> {
    if let (Some(mould), None, None) = (&insertion.bounds.mould, &values.min, &values.max) {
        let Region { min, max } = mould.region();
        return Ok(Region { min: std::array::from_fn(|k| min[k]), max: std::array::from_fn(|k| max[k]) });
    }
    let key = |name: &str| format!("{table}.{name}");
    let min = reader.needed(&key("min"), &values.min, name)?;
    let max = reader.needed(&key("max"), &values.max, name)?;
    reader.region(table, min, max)
}

/// Refuses particles that do not fit into their region, wherever they are. Of stones that are turned at random that is not known.
fn fits<const D: usize>(
    reader: &Reader<'_>,
    table: &str,
    region: &Region<D>,
    [low, high]: [[f64; D]; 2],
    insertion: &Insertion<D>,
) -> Result<(), SceneError> {
    if !insertion.kinds.is_empty() && insertion.rotation.is_none() {
        return Ok(());
    }
    for k in 0..D {
        let (needed, side) = (low[k] + high[k], region.max[k] - region.min[k]);
        if needed > side {
            let message = format!(
                "a particle is {} wide along {}, where the region has {}; are sizes radii in metres?",
                short(needed),
                AXES[k],
                short(side)
            );
            return reader.fail(&format!("{table}.sizes"), message);
        }
    }
    Ok(())
}

/// What spheres or disks at random places cannot fill, whatever their sizes.
fn densest(dimension: usize) -> f64 {
    if dimension == 2 { 0.9 } else { 0.7 }
}

fn sizes<const D: usize>(
    reader: &Reader<'_>,
    table: &str,
    values: &InsertValues,
    name: &str,
) -> Result<Sizes, SceneError> {
    let key = format!("{table}.sizes");
    let sizes = match reader.needed(&key, &values.sizes, name)?.clone() {
        SizesValues::Constant(radius) => Sizes::Constant(radius),
        SizesValues::Uniform([min, max]) => Sizes::Uniform(min, max),
        SizesValues::PowerLaw { exponent, min, max } => Sizes::PowerLaw { exponent, min, max },
        SizesValues::LogNormal { median, deviation, min, max } => Sizes::LogNormal {
            median,
            deviation,
            // Three deviations hold all but 0.3 % of the radii.
            min: min.unwrap_or(median * libm::exp(-3.0 * deviation)),
            max: max.unwrap_or(median * libm::exp(3.0 * deviation)),
        },
        SizesValues::Sieve(sieves) => Sizes::Sieve(sieves.iter().map(|[d, share]| (*d, *share)).collect()),
    };
    if let Err(error) = sizes.check() {
        return reader.fail(&key, error.to_string());
    }
    for radius in [sizes.smallest(), sizes.largest()] {
        if let Err(reason) = check_radius(radius) {
            return reader.fail(&key, format!("a radius is {radius:e}, {reason}"));
        }
    }
    Ok(sizes)
}
