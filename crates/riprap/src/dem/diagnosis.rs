//! What is said when a simulation cannot go on: who, where, how much.

use super::failure::Failure;
use super::forces::separation;
use super::simulation::Simulation;
use super::vector::length;
use crate::broad;

impl<const D: usize, const S: usize> Simulation<D, S> {
    pub(super) fn crushed(&self, pair: broad::Pair) -> Failure {
        let (a, b) = (pair.a as usize, pair.b as usize);
        let apart = separation::<true, D>(self.bodies.position[a], self.bodies.position[b], &self.lengths());
        let (ra, rb) = (self.bodies.radius[a], self.bodies.radius[b]);
        Failure::Overlap {
            step: self.steps,
            time: self.time(),
            a: self.bodies.id[a].min(self.bodies.id[b]),
            b: self.bodies.id[a].max(self.bodies.id[b]),
            overlap: ra + rb - length(apart),
            radius: ra.min(rb),
            limit: self.settings.overlap_limit,
        }
    }

    pub(super) fn crushed_by_wall(&self, row: usize, wall: usize) -> Failure {
        Failure::WallOverlap {
            step: self.steps,
            time: self.time(),
            id: self.bodies.id[row],
            position: self.bodies.position[row].to_vec(),
            wall: self.walls[wall].name.clone(),
            radius: self.bodies.radius[row],
            limit: self.settings.overlap_limit,
        }
    }

    pub(super) fn not_a_number(&self, row: usize) -> Failure {
        Failure::NotANumber {
            step: self.steps,
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
            step: self.steps,
            time: self.time(),
            id: self.bodies.id[row],
            speed: speed(&row),
            share: speed(&row) * self.settings.time_step / self.smallest_radius(),
            time_step: self.settings.time_step,
        }
    }

    pub(super) fn outside(&self, row: usize) -> Failure {
        Failure::Outside {
            step: self.steps,
            time: self.time(),
            id: self.bodies.id[row],
            position: self.bodies.position[row].to_vec(),
            min: self.settings.min.to_vec(),
            max: self.settings.max.to_vec(),
        }
    }
}
