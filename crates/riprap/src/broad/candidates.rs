//! Pairs to be tested.

use super::{Pair, Tally};
use crate::Criterion;

/// What the test of a pair needs: centres near the box, radii, and the criterion.
pub(super) struct Candidates<'a, const D: usize> {
    pub(super) centers: &'a [[f64; D]],
    pub(super) radii: &'a [f64],
    pub(super) criterion: &'a Criterion<D>,
}

impl<const D: usize> Candidates<'_, D> {
    /// Tests two rows and keeps them if they touch.
    #[inline(always)]
    pub(super) fn test<const IMAGES: bool, T: Tally>(
        &self,
        i: u32,
        j: u32,
        pairs: &mut Vec<Pair>,
        tally: &mut T,
    ) {
        tally.candidates(1);
        let (a, b) = (i as usize, j as usize);
        if self.criterion.touches::<IMAGES>(&self.centers[a], self.radii[a], &self.centers[b], self.radii[b])
        {
            pairs.push(Pair::new(i, j));
        }
    }
}
