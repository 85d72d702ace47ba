//! Frames for ParaView: particles, contacts and walls at one time, and the collections that list them.

use std::fs;
use std::io;
use std::path::Path;

use rustc_hash::FxHashMap;

use super::solids;
use super::surfaces::{self, Extent};
use crate::archive::{Damage, Rest, Section, Values};
use crate::dem::{Partner, Simulation};
use crate::io::{Array, Cells, NameTable, write_collection, write_poly_data};
use crate::vector::add;

pub(super) const PARTICLES: &str = "particles";
pub(super) const CONTACTS: &str = "contacts";
pub(super) const WALLS: &str = "walls";
/// Endings of files of points and lines, and of solid bodies.
pub(super) const POINTS: &str = "vtp";
pub(super) const SOLIDS: &str = "vtu";
pub(super) const PARTICLES_COLLECTION: &str = "particles.pvd";

/// Folders of frames.
pub(super) const KINDS: [&str; 3] = [PARTICLES, CONTACTS, WALLS];

/// The collection of the frames of a folder.
pub(super) fn collection(kind: &str) -> String {
    format!("{kind}.pvd")
}

/// Whether a name is that of a frame of its folder.
pub(super) fn is_one(kind: &str, name: &str) -> bool {
    let number = name.strip_prefix(kind).and_then(|rest| rest.strip_prefix('_')?.split_once('.'));
    number.is_some_and(|(number, ending)| {
        number.len() >= 6
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && [POINTS, SOLIDS].contains(&ending)
    })
}

/// Times of the frames written so far.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FrameTimes(pub Vec<f64>);

impl Section for FrameTimes {
    const NAME: &'static str = "frames";
    const VERSION: u32 = 1;

    fn write(&self, values: &mut Values) {
        values.numbers(&self.0);
    }

    fn read(values: &mut Rest<'_>, _version: u32) -> Result<Self, Damage> {
        values.list(Rest::finite).map(Self)
    }
}

/// Writes a frame and the collections of all so far.
pub(super) fn write<const D: usize>(
    folder: &Path,
    simulation: &Simulation<D>,
    FrameTimes(times): &mut FrameTimes,
    (contacts, inserted): (bool, Extent<D>),
) -> io::Result<()> {
    // The last step may also be an ordinary date.
    if times.last() != Some(&simulation.time()) {
        times.push(simulation.time());
    }
    let number = times.len() - 1;
    let walls = !simulation.walls().is_empty();
    for (name, wanted) in [(PARTICLES, true), (CONTACTS, contacts), (WALLS, walls)] {
        if !wanted {
            continue;
        }
        fs::create_dir_all(folder.join(name))?;
        let ending = if name == PARTICLES { ending(simulation) } else { POINTS };
        let file = |number: usize| format!("{name}/{name}_{number:06}.{ending}");
        let path = folder.join(file(number));
        match name {
            PARTICLES => write_particles(&path, simulation)?,
            CONTACTS => write_contacts(&path, simulation)?,
            _ => write_walls(&path, simulation, inserted)?,
        }
        let files = times.iter().enumerate().map(|(number, time)| (*time, file(number)));
        write_collection(&folder.join(collection(name)), files)?;
    }
    Ok(())
}

/// Whether the last of so many frames is in this folder.
pub(super) fn are_there(folder: &Path, count: usize) -> bool {
    let last = |ending: &str| format!("{PARTICLES}_{:06}.{ending}", count - 1);
    count > 0 && [POINTS, SOLIDS].iter().any(|ending| folder.join(PARTICLES).join(last(ending)).exists())
}

/// Ending of the files of particles: of points if all are balls, else of solid bodies.
pub(super) fn ending<const D: usize>(simulation: &Simulation<D>) -> &'static str {
    if simulation.shapes().only_balls() { POINTS } else { SOLIDS }
}

/// A vector in space.
pub(super) fn in_space<const N: usize>(vector: [f64; N]) -> [f64; 3] {
    std::array::from_fn(|k| if k < N { vector[k] } else { 0.0 })
}

/// Writes the particles, balls as points with a radius; where there are others, all as they are.
pub(super) fn write_particles<const D: usize>(path: &Path, simulation: &Simulation<D>) -> io::Result<()> {
    if ending(simulation) == SOLIDS {
        return solids::write(path, simulation);
    }
    let bodies = simulation.bodies();
    let points: Vec<[f64; 3]> = bodies.position.iter().map(|x| in_space(*x)).collect();
    let rows: Vec<usize> = (0..bodies.len()).collect();
    let arrays = body_arrays(simulation, &rows);
    write_poly_data(path, &points, Cells::Points, &arrays, &[], &[material_names(simulation)])
}

/// What is told of the bodies of some rows.
pub(super) fn body_arrays<const D: usize>(simulation: &Simulation<D>, rows: &[usize]) -> Vec<Array<'static>> {
    let bodies = simulation.bodies();
    let (velocities, spins): (Vec<_>, Vec<_>) =
        (simulation.velocities().collect(), simulation.spins().collect());
    let scalars = |of: &dyn Fn(usize) -> f64| rows.iter().map(|&row| of(row)).collect();
    let vectors = |of: &dyn Fn(usize) -> [f64; 3]| rows.iter().map(|&row| of(row)).collect();
    let integers = |of: &dyn Fn(usize) -> i64| rows.iter().map(|&row| of(row)).collect();
    let mut arrays = vec![
        Array::Scalars("radius", scalars(&|row| bodies.radius[row])),
        Array::Scalars("mass", scalars(&|row| 1.0 / bodies.seen[row].inverse_mass)),
        Array::Vectors("velocity", vectors(&|row| in_space(velocities[row]))),
        Array::Vectors("spin", vectors(&|row| spins[row])),
        Array::Vectors("force", vectors(&|row| in_space(bodies.load[row].force))),
        Array::Integers("id", integers(&|row| bodies.id[row] as i64)),
        Array::Integers("material", integers(&|row| i64::from(bodies.material[row]))),
    ];
    if !bodies.turning.orientation.is_empty() {
        let turns = rows.iter().map(|&row| bodies.turning.orientation[row]).collect();
        arrays.push(Array::Quaternions("orientation", turns));
    }
    arrays
}

/// Names of the materials: `material` is an index among them.
pub(super) fn material_names<const D: usize>(simulation: &Simulation<D>) -> NameTable<'_> {
    let names = simulation.materials().list().iter().map(|material| material.name.as_str()).collect();
    NameTable { name: "materials", names }
}

fn write_contacts<const D: usize>(path: &Path, simulation: &Simulation<D>) -> io::Result<()> {
    let contacts = simulation.contacts();
    let mut points = Vec::with_capacity(2 * contacts.len());
    let positions = simulation.bodies().id.iter().zip(&simulation.bodies().position);
    let position_of: FxHashMap<u64, [f64; D]> = positions.map(|(id, position)| (*id, *position)).collect();
    for contact in contacts {
        let center = position_of[&contact.a];
        points.push(in_space(center));
        points.push(in_space(add(center, contact.branch)));
    }
    let partner = |partner: Partner| match partner {
        Partner::Body(id) => id as i64,
        Partner::Wall(wall) => -1 - i64::from(wall),
    };
    let arrays = [
        Array::Vectors("force", contacts.iter().map(|contact| in_space(contact.force)).collect()),
        Array::Scalars("normal_force", contacts.iter().map(|contact| contact.push).collect()),
        Array::Scalars("overlap", contacts.iter().map(|contact| contact.overlap).collect()),
        Array::Vectors("point", contacts.iter().map(|contact| in_space(contact.point)).collect()),
        Array::Integers("id", contacts.iter().map(|contact| contact.a as i64).collect()),
        Array::Integers("partner", contacts.iter().map(|contact| partner(contact.b)).collect()),
    ];
    write_poly_data(path, &points, Cells::Lines, &[], &arrays, &[wall_names(simulation)])
}

/// Names of the walls: `wall` of a facet is an index among them, and a `partner` of -1 is the first.
fn wall_names<const D: usize>(simulation: &Simulation<D>) -> NameTable<'_> {
    NameTable { name: "walls", names: simulation.walls().iter().map(|wall| wall.name.as_str()).collect() }
}

/// Walls where they are now.
fn write_walls<const D: usize>(
    path: &Path,
    simulation: &Simulation<D>,
    inserted: Extent<D>,
) -> io::Result<()> {
    let (mut points, mut wall_of) = (Vec::new(), Vec::new());
    surfaces::facets(simulation, inserted, |wall, corners| {
        points.extend(corners[..D].iter().map(|corner| in_space(*corner)));
        wall_of.push(wall as i64);
    });
    let cells = if D == 2 { Cells::Lines } else { Cells::Triangles };
    write_poly_data(path, &points, cells, &[], &[Array::Integers("wall", wall_of)], &[wall_names(simulation)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_frames() {
        assert!(is_one(PARTICLES, "particles_000012.vtp") && is_one(WALLS, "walls_1234567.vtp"));
        for other in [
            "particles_12.vtp",
            "particles_000012.csv",
            "particles_mine01.vtp",
            "walls_000001.vtp",
            "particles",
        ] {
            assert!(!is_one(PARTICLES, other), "{other}");
        }
    }
}
