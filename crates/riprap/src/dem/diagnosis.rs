//! What is said when a simulation cannot go on: who, where, how much.

use super::failure::Failure;
use super::overlap::Deepest;
use super::simulation::Simulation;
use super::step::LONGEST_MOVE;
use crate::error::AXES;
use crate::vector::length;

impl<const D: usize> Simulation<D> {
    /// A contact deeper than the limit.
    pub(super) fn crushed(&self, contact: Deepest, overlap: f64) -> Failure {
        let (step, time, limit) = (self.elapsed.steps, self.time(), self.settings.overlap_limit);
        match contact {
            Deepest::Pair(pair) => {
                let (a, b) = self.ids_of(pair);
                let radius = self.bodies.radius[pair.a as usize].min(self.bodies.radius[pair.b as usize]);
                if self.is_new(contact) {
                    Failure::InsertedOverlap { step, time, a, b, overlap, radius, limit }
                } else {
                    Failure::Overlap { step, time, a, b, overlap, radius, limit }
                }
            }
            Deepest::Wall { row, wall } => {
                let (id, radius) = (self.bodies.id[row], self.bodies.radius[row]);
                let (position, wall) =
                    (self.bodies.position[row].to_vec(), self.walls.list[wall].name.clone());
                if self.is_new(contact) {
                    Failure::InsertedWallOverlap { step, time, id, position, wall, overlap, radius, limit }
                } else {
                    Failure::WallOverlap { step, time, id, position, wall, overlap, radius, limit }
                }
            }
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
