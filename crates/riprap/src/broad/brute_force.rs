//! Brute force: every pair.
//!
//! 1. Test each particle with every later one.
//!
//! **Cost** n (n - 1) / 2 tests, no memory. **Use** it to check the other methods, and for some dozens of
//! particles.

use super::{Options, Pair, Search, Tally};
use crate::{Criterion, Error, Spheres};

pub(super) const OPTIONS: &[(&str, &str)] = &[];

/// Tests every pair.
#[derive(Debug, Clone, Copy, Default)]
pub struct BruteForce;

pub(super) fn build(_: &Options<'_>) -> Result<BruteForce, Error> {
    Ok(BruteForce)
}

impl<const D: usize> Search<D> for BruteForce {
    const NAME: &'static str = "brute-force";
    const PERIODIC: bool = true;

    fn search<const IMAGES: bool, T: Tally>(
        &mut self,
        spheres: Spheres<'_, D>,
        criterion: &Criterion<D>,
        pairs: &mut Vec<Pair>,
        tally: &mut T,
    ) {
        let mut near = Vec::new();
        let centers = criterion.bring_all_near(spheres.centers(), &mut near);
        let radii = spheres.radii();
        for i in 0..centers.len() {
            tally.candidates(centers.len() - i - 1);
            for j in i + 1..centers.len() {
                if criterion.touches::<IMAGES>(&centers[i], radii[i], &centers[j], radii[j]) {
                    pairs.push(Pair { a: i as u32, b: j as u32 });
                }
            }
        }
    }

    fn cell_sizes(&self) -> Vec<f64> {
        Vec::new()
    }

    fn scratch_bytes(&self) -> usize {
        0
    }
}
