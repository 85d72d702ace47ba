//! The choice of a method for the particles at hand.

use super::{BruteForce, Levels, Search};
use crate::Spheres;

/// The name that stands for [`choose`].
pub const AUTO: &str = "auto";

/// Particles up to which testing every pair takes less time than any grid.
const FEW: usize = 64;

/// The name of a method that suits these particles: every pair for a few of them, levels for all others.
pub fn choose<const D: usize>(spheres: &Spheres<'_, D>) -> &'static str {
    if spheres.len() <= FEW { <BruteForce as Search<D>>::NAME } else { <Levels<D> as Search<D>>::NAME }
}
