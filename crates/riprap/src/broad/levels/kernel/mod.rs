//! The innermost loop: one particle against eight others at a time.
//!
//! One of the modules with `unsafe`, for vector loads. [`Portable`] does the same without; all give the same
//! pairs in the same order, because what the filter leaves undecided is decided exactly.
#![allow(unsafe_code, reason = "vector instructions")]

#[cfg(target_arch = "x86_64")]
mod avx2;
mod rounds;

pub(super) use rounds::{LANES, Rounds};

use std::ops::Range;

use super::columns::Columns;
use super::frame::Filter;
use super::search::Scene;
use crate::broad::{Pair, Tally};
use rounds::{Batch, Round};

/// Which instructions the innermost loop uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Vectors {
    /// The best this machine has.
    #[default]
    Auto,
    /// None.
    None,
}

/// The particle that looks for contacts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Probe<const D: usize> {
    pub(super) fixed: [i32; D],
    /// Its radius and the margin, in units of the widest reach.
    pub(super) reach: f32,
    /// Up to which difference of the squares of distance and reach the filter cannot tell.
    pub(super) doubt: f32,
    pub(super) row: u32,
}

/// What became of the particles of a batch: one bit for each, eight for a round, those of the first round lowest.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Outcome {
    /// May touch the probe.
    possible: u64,
    /// Of these, those that the filter is not sure of.
    doubtful: u64,
}

/// A way to test one particle against others.
pub(super) trait Kernel {
    /// Which particles of a batch may touch the probe.
    fn test<const D: usize>(
        columns: &Columns<D>,
        filter: &Filter<D>,
        probe: &Probe<D>,
        batch: Batch<'_>,
    ) -> Outcome;
}

/// Appends the pairs of the probe with the particles of the rounds that touch it; `exact` decides what the filter
/// cannot.
#[inline(always)]
pub(super) fn scan<K: Kernel, const D: usize>(
    columns: &Columns<D>,
    filter: &Filter<D>,
    probe: &Probe<D>,
    rounds: &Rounds,
    pairs: &mut Vec<Pair>,
    exact: impl Fn(u32, u32) -> bool,
) {
    for batch in rounds.batches() {
        let Outcome { mut possible, doubtful } = K::test(columns, filter, probe, batch);
        if doubtful != 0 {
            possible = settle(columns, probe, batch, possible, doubtful, &exact);
        }
        while possible != 0 {
            pairs.push(Pair::new(probe.row, columns.row[batch.particle(possible.trailing_zeros())]));
            possible &= possible - 1;
        }
    }
}

/// Clears the bits in doubt whose particles do not touch the probe after all.
#[cold]
#[inline(never)]
fn settle<const D: usize>(
    columns: &Columns<D>,
    probe: &Probe<D>,
    batch: Batch<'_>,
    mut possible: u64,
    mut doubtful: u64,
    exact: impl Fn(u32, u32) -> bool,
) -> u64 {
    while doubtful != 0 {
        let bit = doubtful.trailing_zeros();
        doubtful &= doubtful - 1;
        if !exact(probe.row, columns.row[batch.particle(bit)]) {
            possible &= !(1 << bit);
        }
    }
    possible
}

/// Plain Rust.
struct Portable;

impl Kernel for Portable {
    #[inline(always)]
    fn test<const D: usize>(
        columns: &Columns<D>,
        filter: &Filter<D>,
        probe: &Probe<D>,
        batch: Batch<'_>,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        for (number, &Round { begin, lanes }) in batch.rounds().iter().enumerate() {
            for lane in 0..lanes.trailing_ones() {
                let j = (begin + lane) as usize;
                let mut squares = 0.0;
                for k in 0..D {
                    let d = columns.fixed[k][j].wrapping_sub(probe.fixed[k]) as f32 * filter.unit[k];
                    squares += d * d;
                }
                let reach = probe.reach + columns.radius[j];
                let excess = squares - reach * reach;
                let bit = number * LANES + lane as usize;
                outcome.possible |= u64::from(excess <= probe.doubt) << bit;
                outcome.doubtful |= u64::from(excess.abs() <= probe.doubt) << bit;
            }
        }
        outcome
    }
}

/// Searches with the best kernel this machine has, and `vectors` allows.
pub(super) fn search<const D: usize, const DENSE: bool, const IMAGES: bool, T: Tally>(
    scene: &Scene<'_, D>,
    vectors: Vectors,
    positions: Range<usize>,
    pairs: &mut Vec<Pair>,
    tally: &mut T,
) {
    #[cfg(target_arch = "x86_64")]
    {
        if vectors == Vectors::Auto && avx2::is_available() {
            // SAFETY: the processor has just been found to have what the function is compiled for.
            unsafe { avx2::search::<D, DENSE, IMAGES, T>(scene, positions, pairs, tally) };
            return;
        }
    }
    scene.search::<Portable, DENSE, IMAGES, T>(positions, pairs, tally);
}
