//! What can be measured of a simulation: coordination, overlap, stress.

use super::body::Shapes;
use super::contact::{ContactRecord, Partner};
use super::simulation::Simulation;
use crate::vector::{add_scaled, length};

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
    /// Size of the largest force of a contact.
    pub max_force: f64,
    /// Share of the volume that bodies fill.
    pub volume_fraction: f64,
    /// Stress of all contacts (Love and Weber), see [`stress`].
    pub stress: [[f64; D]; D],
}

/// Stress of these contacts over a volume (Love and Weber): the sum of force times branch, positive in compression. Those with
/// walls count from the centre of the body to the wall, so that the stress of a bed at rest is what presses on its walls.
pub fn stress<const D: usize>(records: &[ContactRecord<D>], volume: f64) -> [[f64; D]; D] {
    let mut stress = [[0.0; D]; D];
    if volume > 0.0 {
        for record in records {
            for i in 0..D {
                // The force on the first body points away from the second where it is compressed.
                stress[i] = add_scaled(stress[i], -record.force[i] / volume, record.branch);
            }
        }
    }
    stress
}

impl<const D: usize> Simulation<D> {
    /// Measures the state of the last recorded step; without a record, as just after a restart, there are no contacts in it.
    pub fn measures(&self) -> Measures<D> {
        let (bodies, records) = (self.bodies(), self.contacts());
        let volume = self.volume();
        let wall_contacts = records.iter().filter(|record| matches!(record.b, Partner::Wall(_))).count();
        let contacts = records.len() - wall_contacts;
        let solid: f64 = bodies.radius.iter().map(|radius| Shapes::<D>::volume(*radius)).sum();
        let largest = |value: fn(&ContactRecord<D>) -> f64| records.iter().map(value).fold(0.0, f64::max);
        Measures {
            contacts,
            wall_contacts,
            coordination: (2 * contacts + wall_contacts) as f64 / bodies.len().max(1) as f64,
            max_overlap: largest(|record| record.relative_overlap),
            max_force: largest(|record| length(record.force)),
            volume_fraction: if volume > 0.0 { solid / volume } else { 0.0 },
            stress: stress(records, volume),
        }
    }

    /// Volume of the domain, with the extent of the bodies along open axes.
    pub fn volume(&self) -> f64 {
        let (bodies, domain) = (self.bodies(), &self.settings().domain);
        (0..D)
            .map(|k| {
                let extent = domain.max[k] - domain.min[k];
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
