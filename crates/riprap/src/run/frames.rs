//! Frames for ParaView: particles, contacts and walls at one time, and the collections that list them.

use std::fs;
use std::io;
use std::path::Path;

use crate::dem::wall::Shape;
use crate::dem::{Other, Simulation};
use crate::io::{Array, Cells, write_collection, write_poly_data};

pub(super) const PARTICLES: &str = "particles";
pub(super) const CONTACTS: &str = "contacts";
pub(super) const WALLS: &str = "walls";
pub(super) const PARTICLES_COLLECTION: &str = "particles.pvd";

/// Writes a frame and the collections of all so far.
pub(super) fn write<const D: usize, const S: usize>(
    folder: &Path,
    simulation: &Simulation<D, S>,
    times: &mut Vec<f64>,
    contacts: bool,
) -> io::Result<()> {
    // The last step may also be an ordinary date.
    if times.last() != Some(&simulation.time()) {
        times.push(simulation.time());
    }
    let number = times.len() - 1;
    let meshes = simulation.walls().iter().any(|wall| matches!(wall.shape, Shape::Facets(_)));
    for (name, wanted) in [(PARTICLES, true), (CONTACTS, contacts), (WALLS, meshes)] {
        if !wanted {
            continue;
        }
        fs::create_dir_all(folder.join(name))?;
        let file = |number: usize| format!("{name}/{name}_{number:06}.vtp");
        let path = folder.join(file(number));
        match name {
            PARTICLES => write_particles(&path, simulation)?,
            CONTACTS => write_contacts(&path, simulation)?,
            _ => write_walls(&path, simulation)?,
        }
        let files = times.iter().enumerate().map(|(number, time)| (*time, file(number)));
        write_collection(&folder.join(format!("{name}.pvd")), files)?;
    }
    Ok(())
}

/// Whether the last of so many frames is in this folder.
pub(super) fn are_there(folder: &Path, count: usize) -> bool {
    count > 0 && folder.join(PARTICLES).join(format!("{PARTICLES}_{:06}.vtp", count - 1)).exists()
}

/// A vector in space.
pub(super) fn in_space<const N: usize>(vector: [f64; N]) -> [f64; 3] {
    std::array::from_fn(|k| if k < N { vector[k] } else { 0.0 })
}

/// A spin in space: that of the plane is about its normal.
fn spin_in_space<const S: usize>(spin: [f64; S]) -> [f64; 3] {
    if S == 1 { [0.0, 0.0, spin[0]] } else { in_space(spin) }
}

pub(super) fn write_particles<const D: usize, const S: usize>(
    path: &Path,
    simulation: &Simulation<D, S>,
) -> io::Result<()> {
    let bodies = simulation.bodies();
    let (gravity, step) = (simulation.settings().gravity, simulation.settings().time_step);
    let rows = || 0..bodies.len();
    let points: Vec<[f64; 3]> = bodies.position.iter().map(|x| in_space(*x)).collect();
    let mut arrays = vec![
        Array::Scalars("radius", bodies.radius.clone()),
        Array::Vectors(
            "velocity",
            rows().map(|row| in_space(bodies.velocity_now(row, gravity, step))).collect(),
        ),
        Array::Vectors("spin", rows().map(|row| spin_in_space(bodies.spin_now(row, step))).collect()),
        Array::Vectors("force", bodies.load.iter().map(|load| in_space(load.force)).collect()),
        Array::Integers("id", bodies.id.iter().map(|id| *id as i32).collect()),
        Array::Integers("material", bodies.material.iter().map(|material| i32::from(*material)).collect()),
    ];
    if !bodies.orientation.is_empty() {
        arrays.push(Array::Quaternions("orientation", &bodies.orientation));
    }
    write_poly_data(path, &points, Cells::Points, &arrays, &[])
}

fn write_contacts<const D: usize, const S: usize>(
    path: &Path,
    simulation: &Simulation<D, S>,
) -> io::Result<()> {
    let bodies = simulation.bodies();
    let contacts = simulation.contact_forces();
    let mut points = Vec::with_capacity(2 * contacts.len());
    for contact in &contacts {
        let center = bodies.position[contact.a as usize];
        points.push(in_space(center));
        points.push(in_space(std::array::from_fn::<f64, D, _>(|k| center[k] + contact.branch[k])));
    }
    let partner = |other: Other| match other {
        Other::Body(row) => bodies.id[row as usize] as i32,
        Other::Wall(wall) => -1 - i32::from(wall),
    };
    let arrays = [
        Array::Vectors("force", contacts.iter().map(|contact| in_space(contact.force)).collect()),
        Array::Scalars("normal_force", contacts.iter().map(|contact| contact.normal).collect()),
        Array::Scalars("overlap", contacts.iter().map(|contact| contact.overlap).collect()),
        Array::Integers("id", contacts.iter().map(|contact| bodies.id[contact.a as usize] as i32).collect()),
        Array::Integers("partner", contacts.iter().map(|contact| partner(contact.b)).collect()),
    ];
    write_poly_data(path, &points, Cells::Lines, &[], &arrays)
}

/// Walls of facets where they are now.
fn write_walls<const D: usize, const S: usize>(path: &Path, simulation: &Simulation<D, S>) -> io::Result<()> {
    let (mut points, mut wall_of) = (Vec::new(), Vec::new());
    for (index, (wall, pose)) in simulation.walls().iter().zip(simulation.poses()).enumerate() {
        if let Shape::Facets(facets) = &wall.shape {
            for corner in facets.corners.iter().flatten() {
                points.push(in_space(pose.to_now(*corner)));
            }
            wall_of.extend(facets.corners.iter().map(|_| index as i32));
        }
    }
    let cells = if D == 2 { Cells::Lines } else { Cells::Triangles };
    write_poly_data(path, &points, cells, &[], &[Array::Integers("wall", wall_of)])
}
