//! The choice of a method for the particles at hand.

use super::{BruteForce, HGrid, LinkedCell, Search, cells};
use crate::Spheres;

/// The name that stands for [`choose`].
pub const AUTO: &str = "auto";

/// Particles up to which testing every pair takes less time than any grid.
const FEW: usize = 64;

/// Ratio of largest to smallest radius up to which one grid serves all.
const SIMILAR: f64 = 2.0;

/// Cells per particle up to which a box counts as filled.
const FILLED: f64 = 2.0;

/// The name of a method that suits these particles: one grid for similar particles that fill their box, a hierarchy
/// for all others.
pub fn choose<const D: usize>(spheres: &Spheres<'_, D>) -> &'static str {
    let (Some((smallest, largest)), Some((low, high))) =
        (spheres.radius_range(), cells::bounds(spheres.centers()))
    else {
        return <BruteForce as Search<D>>::NAME;
    };
    let cells: f64 = (0..D).map(|k| (high[k] - low[k]) / (2.0 * largest) + 1.0).product();
    if spheres.len() <= FEW {
        <BruteForce as Search<D>>::NAME
    } else if largest <= SIMILAR * smallest && cells <= FILLED * spheres.len() as f64 {
        <LinkedCell<D> as Search<D>>::NAME
    } else {
        <HGrid<D> as Search<D>>::NAME
    }
}
