//! What can be measured of a simulation: contact forces, coordination, stress.

use super::forces::separation;
use super::law::{Hertz, Law, Linear};
use super::material::{Coefficients, LawKind};
use super::simulation::Simulation;
use crate::packing::ball_volume;
use crate::vector::{add, add_scaled, dot, length, scale, sub};

/// One contact and its force.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactForce<const D: usize> {
    /// Row of the first body.
    pub a: u32,
    /// The other body's row, or the wall's index.
    pub b: Other,
    /// From the first centre to the second, or to the contact point on the wall.
    pub branch: [f64; D],
    /// Depth of the overlap.
    pub overlap: f64,
    /// Overlap over the smaller radius.
    pub relative_overlap: f64,
    /// Size of the normal force.
    pub normal: f64,
    /// Force on the first body: normal force and that of the tangential spring.
    pub force: [f64; D],
}

/// What a body touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Other {
    /// The body of this row.
    Body(u32),
    /// The wall with this index.
    Wall(u16),
}

/// Numbers that describe a state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measures<const D: usize> {
    /// Contacts between bodies.
    pub contacts: usize,
    /// Contacts with walls.
    pub wall_contacts: usize,
    /// Contacts per body, those with walls included.
    pub coordination: f64,
    /// Largest overlap over the smaller radius.
    pub max_overlap: f64,
    /// Share of the volume that bodies fill.
    pub volume_fraction: f64,
    /// Stress of the contacts between bodies (Love and Weber): sum of force times branch over volume, positive in compression.
    pub stress: [[f64; D]; D],
}

impl<const D: usize, const S: usize> Simulation<D, S> {
    /// All contacts with their forces: between bodies, then with walls.
    pub fn contact_forces(&self) -> Vec<ContactForce<D>> {
        match self.settings().law {
            LawKind::Linear => self.forces_of::<Linear>(),
            LawKind::Hertz => self.forces_of::<Hertz>(),
        }
    }

    fn forces_of<L: Law>(&self) -> Vec<ContactForce<D>> {
        let bodies = self.bodies();
        let mut forces = Vec::new();
        for contact in self.contacts() {
            let (a, b) = (contact.pair.a as usize, contact.pair.b as usize);
            let (ra, rb) = (bodies.radius[a], bodies.radius[b]);
            let branch = separation::<true, D>(bodies.position[a], bodies.position[b], &self.lengths());
            let distance = length(branch);
            let towards = scale(branch, 1.0 / distance);
            let state = Pressed {
                overlap: ra + rb - distance,
                reduced_radius: ra * rb / (ra + rb),
                inverse_mass: bodies.inverse_mass(a) + bodies.inverse_mass(b),
                approach: dot(sub(bodies.seen[a].velocity, bodies.seen[b].velocity), towards),
            };
            let coefficients = self.table().of(bodies.material[a], bodies.material[b]);
            let (normal, force) = force_of::<L, D>(coefficients, &state, towards, contact.spring);
            forces.push(ContactForce {
                a: a as u32,
                b: Other::Body(b as u32),
                branch,
                overlap: state.overlap,
                relative_overlap: state.overlap / ra.min(rb),
                normal,
                force,
            });
        }
        for contact in self.wall_contacts() {
            let (row, wall) = (contact.row as usize, usize::from(contact.wall));
            let Some(distance) = self.distance_from_wall(&contact) else { continue };
            let radius = bodies.radius[row];
            let towards = scale(contact.normal, -1.0);
            let branch = scale(towards, distance);
            let surface = self.poses()[wall].velocity_at(add(bodies.position[row], branch));
            let state = Pressed {
                overlap: radius - distance,
                reduced_radius: radius,
                inverse_mass: bodies.inverse_mass(row),
                approach: dot(sub(bodies.seen[row].velocity, surface), towards),
            };
            let coefficients = self.table().of(bodies.material[row], self.walls()[wall].material);
            let (normal, force) = force_of::<L, D>(coefficients, &state, towards, contact.spring);
            forces.push(ContactForce {
                a: contact.row,
                b: Other::Wall(contact.wall),
                branch,
                overlap: state.overlap,
                relative_overlap: state.overlap / radius,
                normal,
                force,
            });
        }
        forces
    }

    /// Measures the present state.
    pub fn measures(&self) -> Measures<D> {
        let bodies = self.bodies();
        let forces = self.contact_forces();
        let volume = self.volume();
        let mut stress = [[0.0; D]; D];
        let mut wall_contacts = 0;
        for contact in &forces {
            if matches!(contact.b, Other::Wall(_)) {
                wall_contacts += 1;
                continue;
            }
            for i in 0..D {
                // The force on the first body points away from the second where it is compressed.
                stress[i] = add_scaled(stress[i], -contact.force[i] / volume, contact.branch);
            }
        }
        let contacts = forces.len() - wall_contacts;
        let solid: f64 = bodies.radius.iter().map(|radius| ball_volume::<D>(*radius)).sum();
        Measures {
            contacts,
            wall_contacts,
            coordination: (2 * contacts + wall_contacts) as f64 / bodies.len().max(1) as f64,
            max_overlap: forces.iter().map(|contact| contact.relative_overlap).fold(0.0, f64::max),
            volume_fraction: if volume > 0.0 { solid / volume } else { 0.0 },
            stress: if volume > 0.0 { stress } else { [[0.0; D]; D] },
        }
    }

    /// Volume of the domain, with the extent of the bodies along open axes.
    pub fn volume(&self) -> f64 {
        let (bodies, settings) = (self.bodies(), self.settings());
        (0..D)
            .map(|k| {
                let extent = settings.max[k] - settings.min[k];
                if extent.is_finite() {
                    return extent;
                }
                let spheres = || bodies.position.iter().zip(&bodies.radius);
                let high = spheres().map(|(x, r)| x[k] + r).fold(f64::NEG_INFINITY, f64::max);
                let low = spheres().map(|(x, r)| x[k] - r).fold(f64::INFINITY, f64::min);
                (high - low).max(0.0)
            })
            .product()
    }
}

/// How a contact is pressed together.
struct Pressed {
    overlap: f64,
    reduced_radius: f64,
    inverse_mass: f64,
    approach: f64,
}

/// Size of the normal force, and the force on the first body.
fn force_of<L: Law, const D: usize>(
    coefficients: &Coefficients,
    state: &Pressed,
    towards: [f64; D],
    spring: [f64; D],
) -> (f64, [f64; D]) {
    let stretch = L::stretch(state.overlap.max(0.0), state.reduced_radius);
    let elastic = coefficients.normal * stretch * state.overlap;
    let damping = coefficients.damping * L::root(stretch, state.inverse_mass) * state.approach;
    let normal = (elastic + damping).max(0.0);
    let force = add_scaled(scale(towards, -normal), -coefficients.tangential * stretch, spring);
    (normal, force)
}
