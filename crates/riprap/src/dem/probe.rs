//! Probes: one particle, or a region of space, looked at while a simulation runs.
//!
//! A body belongs to a region by its centre, a contact by its point. Lower faces belong to a region and upper ones do not, so that
//! neighbouring regions count nothing twice. Along periodic axes a region may reach beyond the box: it goes on at the other side.

use super::contact::{ContactRecord, Partner};
use super::insert::Region;
use super::measure::stress;
use super::simulation::Simulation;
use super::spin::Spin;
use crate::vector::{add_scaled, scale};

/// Something that is looked at while a simulation runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe<const D: usize> {
    /// Name, for output.
    pub name: String,
    /// What is looked at.
    pub target: ProbeTarget<D>,
}

/// What a probe looks at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ProbeTarget<const D: usize> {
    /// The particle with this id.
    Particle(u64),
    /// All that is in a region.
    Region(Region<D>),
}

/// Where a particle is and how it moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParticleReading<const D: usize> {
    /// Its centre.
    pub position: [f64; D],
    /// Its velocity.
    pub velocity: [f64; D],
    /// Its spin.
    pub spin: Spin,
}

/// What is in a region.
#[derive(Debug, Clone, PartialEq)]
pub struct RegionReading<const D: usize> {
    /// Number of bodies of each material.
    pub particles: Vec<u64>,
    /// Their mass.
    pub mass: f64,
    /// Their velocity, weighted by mass; `None` if there are no bodies.
    pub velocity: Option<[f64; D]>,
    /// Stress of the contacts over the volume of the region, see [`stress`].
    pub stress: [[f64; D]; D],
}

/// How far from a region, over its extent, the point of a contact with a wall may be: rounding must not decide whether a wall in a
/// face of the region counts.
const ON_FACE: f64 = 1e-9;

impl<const D: usize> Simulation<D> {
    /// A particle; `None` before it comes and after it has left.
    pub fn probe_particle(&self, id: u64) -> Option<ParticleReading<D>> {
        let row = self.bodies.id.iter().position(|other| *other == id)?;
        let (step, gravity) = (self.settings.time_step, self.settings.gravity);
        Some(ParticleReading {
            position: self.bodies.position[row],
            velocity: self.bodies.velocity_now(row, gravity, step),
            spin: self.bodies.spin_now(row, step, &self.shapes),
        })
    }

    /// What is in a region; contacts are those of the last recorded step (see [`Simulation::contacts`]).
    pub fn probe_region(&self, region: &Region<D>) -> RegionReading<D> {
        let mut particles = vec![0; self.materials.len()];
        let (mut mass, mut momentum) = (0.0, [0.0; D]);
        for (row, velocity) in self.velocities().enumerate() {
            if self.is_in(region, self.bodies.position[row], 0.0) {
                let own = 1.0 / self.bodies.inverse_mass(row);
                particles[usize::from(self.bodies.material[row])] += 1;
                mass += own;
                momentum = add_scaled(momentum, own, velocity);
            }
        }
        let tolerance = |record: &ContactRecord<D>| match record.b {
            Partner::Wall(_) => ON_FACE,
            Partner::Body(_) => 0.0,
        };
        let inside = |record: &&ContactRecord<D>| self.is_in(region, record.point, tolerance(record));
        let contacts: Vec<ContactRecord<D>> = self.contacts().iter().filter(inside).copied().collect();
        let volume = (0..D).map(|k| region.max[k] - region.min[k]).product();
        RegionReading {
            particles,
            mass,
            velocity: (mass > 0.0).then(|| scale(momentum, 1.0 / mass)),
            stress: stress(&contacts, volume),
        }
    }

    /// Whether a point or one of its periodic images is in a region, which is larger by this share of its extent.
    fn is_in(&self, region: &Region<D>, point: [f64; D], tolerance: f64) -> bool {
        let lengths = self.settings.domain.periods().lengths;
        (0..D).all(|k| {
            let margin = tolerance * (region.max[k] - region.min[k]);
            let (low, high) = (region.min[k] - margin, region.max[k] + margin);
            let above = point[k] - low;
            let above = if lengths[k].is_finite() { above.rem_euclid(lengths[k]) } else { above };
            (0.0..high - low).contains(&above)
        })
    }
}
