//! Where bodies are while their contacts are worked out, and how far they have come.

use rayon::prelude::*;

use crate::dem::body::{Bodies, Shapes};
use crate::dem::rotation::matrix;
use crate::vector::{dot, length};

/// Bodies that a thread works on before it takes more.
const PART: usize = 512;

/// Where bodies are, and how far any point of each may have come since the pairs were listed.
#[derive(Debug, Clone, Default)]
pub(super) struct Places<const D: usize> {
    /// Rows of the rotation that takes the axes of each body to where they are.
    pub(super) rotations: Vec<[[f64; D]; D]>,
    pub(super) paths: Vec<f64>,
    /// The longest of these.
    pub(super) longest: f64,
}

impl<const D: usize> Places<D> {
    /// Adds the way of a step.
    pub(super) fn note_motion(&mut self, bodies: &Bodies<D>, shapes: &Shapes<D>, step: f64) {
        self.paths.resize(bodies.len(), 0.0);
        for (row, path) in self.paths.iter_mut().enumerate() {
            let momentum = bodies.midstep_spin.get(row);
            let softest = shapes.softness(bodies.shape[row]).into_iter().fold(0.0, f64::max);
            let by_turning = bodies.turning.reach[row] * softest * dot(momentum, momentum).sqrt();
            *path += step * (length(bodies.midstep_velocity[row]) + by_turning);
            self.longest = self.longest.max(*path);
        }
    }

    /// Counts the ways of so many bodies anew.
    pub(super) fn start_again(&mut self, bodies: usize) {
        self.paths.clear();
        self.paths.resize(bodies, 0.0);
        self.longest = 0.0;
    }

    /// Brings the rotations up to date.
    pub(super) fn update(&mut self, bodies: &Bodies<D>, parallel: bool) {
        self.rotations.resize(bodies.len(), [[0.0; D]; D]);
        let turn = |(row, rotation): (usize, &mut [[f64; D]; D])| {
            *rotation = matrix::<D>(bodies.turning.orientation[row]);
        };
        if parallel && bodies.len() > PART {
            self.rotations.par_iter_mut().enumerate().with_min_len(PART).for_each(turn);
        } else {
            self.rotations.iter_mut().enumerate().for_each(turn);
        }
    }

    /// Bytes reserved.
    pub(super) fn bytes(&self) -> usize {
        self.rotations.capacity() * size_of::<[[f64; D]; D]>() + self.paths.capacity() * size_of::<f64>()
    }

    /// How far two bodies may have come nearer to each other since the pairs were listed.
    #[inline(always)]
    pub(super) fn path(&self, [a, b]: [u32; 2]) -> f64 {
        self.paths[a as usize] + self.paths[b as usize]
    }
}
