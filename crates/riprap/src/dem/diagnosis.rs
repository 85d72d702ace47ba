//! What is said when a simulation cannot go on: who, where, how much.

use super::failure::Failure;
use super::simulation::Simulation;
use super::step::LONGEST_MOVE;
use crate::broad;
use crate::error::AXES;
use crate::vector::length;

impl<const D: usize> Simulation<D> {
    pub(super) fn crushed(&self, pair: broad::Pair) -> Failure {
        let (a, b) = (pair.a as usize, pair.b as usize);
        let apart = self.settings.domain.separation(self.bodies.position[a], self.bodies.position[b]);
        let (ra, rb) = (self.bodies.radius[a], self.bodies.radius[b]);
        Failure::Overlap {
            step: self.elapsed.steps,
            time: self.time(),
            a: self.bodies.id[a].min(self.bodies.id[b]),
            b: self.bodies.id[a].max(self.bodies.id[b]),
            overlap: ra + rb - length(apart),
            radius: ra.min(rb),
            limit: self.settings.overlap_limit,
        }
    }

    pub(super) fn crushed_by_wall(&self, row: usize, wall: usize, overlap: f64) -> Failure {
        Failure::WallOverlap {
            step: self.elapsed.steps,
            time: self.time(),
            id: self.bodies.id[row],
            position: self.bodies.position[row].to_vec(),
            wall: self.walls.list[wall].name.clone(),
            overlap,
            radius: self.bodies.radius[row],
            limit: self.settings.overlap_limit,
        }
    }

    pub(super) fn not_a_number(&self, row: usize) -> Failure {
        Failure::NotANumber {
            step: self.elapsed.steps,
            time: self.time(),
            id: self.bodies.id[row],
            position: self.bodies.position[row].to_vec(),
            force: self.bodies.load[row].force.to_vec(),
            torque: self.bodies.load[row].torque.to_vec(),
            time_step: self.settings.time_step,
        }
    }

    pub(super) fn too_fast(&self) -> Failure {
        let speed = |row: &usize| length(self.bodies.midstep_velocity[*row]);
        let row = (0..self.bodies.len()).max_by(|a, b| speed(a).total_cmp(&speed(b))).unwrap_or(0);
        Failure::TooFast {
            step: self.elapsed.steps,
            time: self.time(),
            id: self.bodies.id[row],
            speed: speed(&row),
            share: speed(&row) * self.settings.time_step / self.inserted.smallest_radius(),
            time_step: self.settings.time_step,
        }
    }

    /// Refuses walls that pass a good part of a body in one step.
    pub(super) fn check_speed_of_walls(&self) -> Result<(), Failure> {
        let (time_step, smallest) = (self.settings.time_step, self.inserted.smallest_radius());
        match self.walls.too_fast(time_step, LONGEST_MOVE * smallest) {
            None => Ok(()),
            Some((wall, speed)) => Err(Failure::WallTooFast {
                step: self.elapsed.steps,
                time: self.time(),
                wall: wall.name.clone(),
                speed,
                share: speed * time_step / smallest,
                time_step,
            }),
        }
    }

    /// Refuses walls whose nearest image may be further than one box length away.
    pub(super) fn check_places_of_walls(&self) -> Result<(), Failure> {
        match self.walls.too_far(&self.settings.domain) {
            None => Ok(()),
            Some((wall, axis, low, high)) => Err(Failure::WallAway {
                step: self.elapsed.steps,
                time: self.time(),
                wall: wall.name.clone(),
                axis: AXES[axis],
                low,
                high,
            }),
        }
    }

    pub(super) fn outside(&self, row: usize) -> Failure {
        Failure::Outside {
            step: self.elapsed.steps,
            time: self.time(),
            id: self.bodies.id[row],
            position: self.bodies.position[row].to_vec(),
            min: self.settings.domain.min.to_vec(),
            max: self.settings.domain.max.to_vec(),
        }
    }
}
