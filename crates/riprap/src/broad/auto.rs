//! The choice of a method for the particles at hand.

use super::{Levels, Search, predict};
use crate::{Criterion, Spheres};

/// The name that stands for the method expected to be fastest.
pub const AUTO: &str = "auto";

/// The name of the method that is expected to take the least time for these particles.
pub fn choose<const D: usize>(spheres: &Spheres<'_, D>, criterion: &Criterion<D>) -> &'static str {
    predict(spheres, criterion).first().map_or(<Levels<D> as Search<D>>::NAME, |prediction| prediction.method)
}
