//! What is said when a simulation cannot go on: who, where, how much.

use super::failure::Failure;
use super::forces::separation;
use super::simulation::{LONGEST_MOVE, Simulation};
use super::wall;
use crate::broad;
use crate::error::AXES;
use crate::vector::length;

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

    pub(super) fn crushed_by_wall(&self, row: usize, wall: usize, overlap: f64) -> Failure {
        Failure::WallOverlap {
            step: self.steps,
            time: self.time(),
            id: self.bodies.id[row],
            position: self.bodies.position[row].to_vec(),
            wall: self.walls[wall].name.clone(),
            overlap,
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

    /// Refuses walls that pass a good part of a body in one step.
    pub(super) fn check_speed_of_walls(&self) -> Result<(), Failure> {
        let time_step = self.settings.time_step;
        let moving = self.walls.iter().zip(&self.poses).filter(|(wall, _)| !wall.motion.is_empty());
        for (wall, pose) in moving {
            let speed = wall::fastest(std::slice::from_ref(pose), self.extent.0, self.extent.1);
            let share = speed * time_step / self.smallest_radius();
            if share > LONGEST_MOVE {
                let (step, time, wall) = (self.steps, self.time(), wall.name.clone());
                return Err(Failure::WallTooFast { step, time, wall, speed, share, time_step });
            }
        }
        Ok(())
    }

    /// Refuses walls whose nearest image may be further than one box length away.
    pub(super) fn check_places_of_walls(&self) -> Result<(), Failure> {
        for (wall, pose) in self.walls.iter().zip(&self.poses) {
            let wall::Shape::Facets(facets) = &wall.shape else { continue };
            for k in (0..D).filter(|&k| self.settings.periodic[k]) {
                let places = facets.corners.iter().flatten().map(|corner| pose.to_now(*corner)[k]);
                let (low, high) = places
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
                let (min, max) = (self.settings.min[k], self.settings.max[k]);
                if low < 2.0 * min - max || high > 2.0 * max - min {
                    let (step, time, wall) = (self.steps, self.time(), wall.name.clone());
                    return Err(Failure::WallAway { step, time, wall, axis: AXES[k], low, high });
                }
            }
        }
        Ok(())
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
