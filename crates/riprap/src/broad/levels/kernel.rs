//! The innermost loop: one particle against a stretch of others.
//!
//! One of the modules with `unsafe`, for vector loads and stores. [`Portable`] does the same without; both
//! give the same pairs in the same order, because what the filter leaves undecided is decided exactly.
#![allow(unsafe_code, reason = "vector loads and stores")]

use std::ops::Range;

use super::frame::{Filter, ROUNDING};
use crate::broad::Pair;

/// Entries that columns have beyond the last particle, so that a vector may read past it.
pub(super) const PADDING: usize = 8;

/// The sorted particles as columns.
#[derive(Debug)]
pub(super) struct Columns<const D: usize> {
    /// Fixed-point coordinates.
    pub(super) fixed: [Vec<i32>; D],
    /// Radii in units of the widest reach.
    pub(super) radius: Vec<f32>,
    /// Rows of the input.
    pub(super) row: Vec<u32>,
}

impl<const D: usize> Default for Columns<D> {
    fn default() -> Self {
        Self { fixed: std::array::from_fn(|_| Vec::new()), radius: Vec::new(), row: Vec::new() }
    }
}

impl<const D: usize> Columns<D> {
    /// Makes room for so many particles and the padding.
    pub(super) fn resize(&mut self, count: usize) {
        self.fixed.iter_mut().for_each(|column| column.resize(count + PADDING, 0));
        self.radius.resize(count + PADDING, 0.0);
        self.row.resize(count + PADDING, 0);
    }

    /// The columns cut into stretches, which cover all particles in order.
    pub(super) fn split(&mut self, stretches: &[Range<usize>]) -> Vec<ColumnsPart<'_, D>> {
        let mut fixed = self.fixed.each_mut().map(|column| &mut column[..]);
        let (mut radius, mut row) = (&mut self.radius[..], &mut self.row[..]);
        let mut parts = Vec::with_capacity(stretches.len());
        for positions in stretches {
            let count = positions.len();
            parts.push(ColumnsPart {
                positions: positions.clone(),
                fixed: fixed.each_mut().map(|column| take_front(column, count)),
                radius: take_front(&mut radius, count),
                row: take_front(&mut row, count),
            });
        }
        parts
    }

    pub(super) fn bytes(&self) -> usize {
        (self.fixed.iter().map(Vec::capacity).sum::<usize>() + self.radius.capacity() + self.row.capacity())
            * 4
    }
}

/// A stretch of the columns, to be filled.
pub(super) struct ColumnsPart<'a, const D: usize> {
    pub(super) positions: Range<usize>,
    pub(super) fixed: [&'a mut [i32]; D],
    pub(super) radius: &'a mut [f32],
    pub(super) row: &'a mut [u32],
}

/// Splits the first entries off a slice.
fn take_front<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (front, back) = std::mem::take(slice).split_at_mut(count);
    *slice = back;
    front
}

/// The particle that looks for contacts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Probe<const D: usize> {
    pub(super) fixed: [i32; D],
    /// Its radius and the margin, in units of the widest reach.
    pub(super) reach: f32,
    pub(super) row: u32,
}

/// A way to test one particle against a stretch of others.
pub(super) trait Kernel {
    /// Appends the pairs of the probe with the particles from `begin` to `end` that touch it; `exact` decides what
    /// the filter cannot.
    fn scan<const D: usize>(
        columns: &Columns<D>,
        filter: &Filter<D>,
        probe: &Probe<D>,
        begin: usize,
        end: usize,
        pairs: &mut Vec<Pair>,
        exact: impl Fn(u32, u32) -> bool,
    );
}

/// Plain Rust.
pub(super) struct Portable;

impl Kernel for Portable {
    #[inline(always)]
    fn scan<const D: usize>(
        columns: &Columns<D>,
        filter: &Filter<D>,
        probe: &Probe<D>,
        begin: usize,
        end: usize,
        pairs: &mut Vec<Pair>,
        exact: impl Fn(u32, u32) -> bool,
    ) {
        for j in begin..end {
            let mut squares = 0.0;
            for k in 0..D {
                let d = columns.fixed[k][j].wrapping_sub(probe.fixed[k]) as f32 * filter.unit[k];
                squares += d * d;
            }
            let reach = probe.reach + columns.radius[j];
            let above = reach * (1.0 + ROUNDING) + filter.slack;
            let below = (reach * (1.0 - ROUNDING) - filter.slack).max(0.0);
            if squares <= above * above && (squares < below * below || exact(probe.row, columns.row[j])) {
                pairs.push(Pair::new(probe.row, columns.row[j]));
            }
        }
    }
}

/// AVX2 and FMA, eight particles at a time. To be used only inside a function compiled for both.
#[cfg(target_arch = "x86_64")]
pub(super) struct Avx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::*;

    /// For each mask of eight lanes the lanes that are set, first ones first.
    static COMPRESS: [[u32; 8]; 256] = {
        let mut table = [[0; 8]; 256];
        let mut mask = 0;
        while mask < 256 {
            let (mut lane, mut position) = (0, 0);
            while lane < 8 {
                if mask >> lane & 1 == 1 {
                    table[mask][position] = lane;
                    position += 1;
                }
                lane += 1;
            }
            mask += 1;
        }
        table
    };

    impl Kernel for Avx2 {
        #[inline(always)]
        fn scan<const D: usize>(
            columns: &Columns<D>,
            filter: &Filter<D>,
            probe: &Probe<D>,
            begin: usize,
            end: usize,
            pairs: &mut Vec<Pair>,
            exact: impl Fn(u32, u32) -> bool,
        ) {
            if begin >= end {
                return;
            }
            // Every load below starts before `end` and reads eight entries.
            assert!(end + PADDING <= columns.row.len() && end + PADDING <= columns.radius.len());
            assert!(columns.fixed.iter().all(|column| end + PADDING <= column.len()));
            pairs.reserve(end - begin + 8);
            // SAFETY: the caller is compiled for AVX2 and FMA and runs only where both are there. Loads stay within
            // the columns by the assertions above. Each of the (end - begin + 7) / 8 rounds stores eight pairs at
            // `length`, which grows by the pairs found, at most eight a round: all within the reserved capacity.
            // `length` counts only pairs that have been written.
            unsafe {
                let mut length = pairs.len();
                let output = pairs.as_mut_ptr().cast::<u32>();
                let own: [__m256i; D] = std::array::from_fn(|k| _mm256_set1_epi32(probe.fixed[k]));
                let unit: [__m256; D] = std::array::from_fn(|k| _mm256_set1_ps(filter.unit[k]));
                let probe_reach = _mm256_set1_ps(probe.reach);
                let row = _mm256_set1_epi32(probe.row as i32);
                let slack = _mm256_set1_ps(filter.slack);
                let mut j = begin;
                while j < end {
                    let mut squares = _mm256_setzero_ps();
                    for k in 0..D {
                        let other = _mm256_loadu_si256(columns.fixed[k].as_ptr().add(j).cast());
                        let d = _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_sub_epi32(other, own[k])), unit[k]);
                        squares = _mm256_fmadd_ps(d, d, squares);
                    }
                    let reach = _mm256_add_ps(probe_reach, _mm256_loadu_ps(columns.radius.as_ptr().add(j)));
                    let above = _mm256_fmadd_ps(reach, _mm256_set1_ps(1.0 + ROUNDING), slack);
                    let below = _mm256_fmsub_ps(reach, _mm256_set1_ps(1.0 - ROUNDING), slack);
                    let below = _mm256_max_ps(below, _mm256_setzero_ps());
                    let lanes = if end - j < 8 { (1u32 << (end - j)) - 1 } else { 0xff };
                    let possible =
                        _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(squares, _mm256_mul_ps(above, above)));
                    let certain =
                        _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(squares, _mm256_mul_ps(below, below)));
                    let mut found = possible as u32 & lanes;
                    let mut doubtful = found & !(certain as u32);
                    while doubtful != 0 {
                        let lane = doubtful.trailing_zeros();
                        doubtful &= doubtful - 1;
                        if !exact(probe.row, columns.row[j + lane as usize]) {
                            found &= !(1 << lane);
                        }
                    }
                    // Most stretches are one round long, with a contact in every other: storing always is faster than
                    // guessing. In longer ones contacts are rare.
                    if found == 0 && j != begin {
                        j += 8;
                        continue;
                    }
                    let rows = _mm256_loadu_si256(columns.row.as_ptr().add(j).cast());
                    let permutation = _mm256_loadu_si256(COMPRESS[found as usize].as_ptr().cast());
                    let rows = _mm256_permutevar8x32_epi32(rows, permutation);
                    let (a, b) = (_mm256_min_epu32(row, rows), _mm256_max_epu32(row, rows));
                    let (even, odd) = (_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
                    let target = output.add(2 * length);
                    _mm256_storeu_si256(target.cast(), _mm256_permute2x128_si256::<0x20>(even, odd));
                    _mm256_storeu_si256(target.add(8).cast(), _mm256_permute2x128_si256::<0x31>(even, odd));
                    length += found.count_ones() as usize;
                    j += 8;
                }
                pairs.set_len(length);
            }
        }
    }
}
