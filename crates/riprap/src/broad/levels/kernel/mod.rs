//! The innermost loop: particles against stretches of others, eight at a time.
//!
//! The search plans some hundred rounds, the kernel tests them, and the pairs are written. Each of these three loops has
//! the registers for itself, and no test waits for a guess of how many pairs there will be.
//!
//! One of the modules with `unsafe`, for vector loads. [`Portable`] does the same without; both give the same
//! pairs in the same order, because what the filter leaves undecided is decided exactly.
#![allow(unsafe_code, reason = "vector instructions")]

#[cfg(target_arch = "x86_64")]
mod avx2;
mod plan;

pub(super) use plan::{LANES, TestPlan};

use std::ops::Range;

use super::columns::SortedColumns;
use super::frame::Filter;
use super::search::SearchInput;
use crate::broad::{Pair, Tally};
use plan::Probe;

/// Which instructions the innermost loop uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Vectors {
    /// The best this machine has.
    #[default]
    Auto,
    /// None.
    None,
}

/// Which particles may touch a probe: a byte for each of its rounds, a bit for each of their particles.
type Touching = [u8; 8];

/// A way to test particles against others.
pub(super) trait TestKernel {
    /// Which particles may touch each probe of a plan; calls `doubt` for those probes where the filter cannot tell.
    fn test<const D: usize>(
        columns: &SortedColumns<D>,
        filter: &Filter<D>,
        plan: &TestPlan,
        touching: &mut Vec<Touching>,
        doubt: impl FnMut(&Probe, &mut Touching),
    );
}

/// Appends the pairs of a plan that touch; `exact` decides what the filter cannot.
#[inline(always)]
pub(super) fn carry_out<K: TestKernel, const D: usize>(
    columns: &SortedColumns<D>,
    filter: &Filter<D>,
    plan: &TestPlan,
    touching: &mut Vec<Touching>,
    pairs: &mut Vec<Pair>,
    exact: impl Fn(u32, u32) -> bool,
) {
    K::test(columns, filter, plan, touching, |probe, touching| {
        let row = columns.row[probe.position as usize];
        let bits = u64::from_le_bytes(*touching);
        let kept = bits_of(bits).filter(|bit| exact(row, columns.row[plan.particle(probe, *bit)]));
        *touching = kept.fold(0, |bits, bit| bits | 1u64 << bit).to_le_bytes();
    });
    write_pairs(columns, plan, touching, pairs);
}

/// The bits that are set, lowest first.
#[inline(always)]
fn bits_of(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

/// Appends the pairs that were found.
#[inline(never)]
fn write_pairs<const D: usize>(
    columns: &SortedColumns<D>,
    plan: &TestPlan,
    touching: &[Touching],
    pairs: &mut Vec<Pair>,
) {
    let rows = &columns.row[..];
    for (probe, touching) in plan.probes().iter().zip(touching) {
        let row = rows[probe.position as usize];
        for bit in bits_of(u64::from_le_bytes(*touching)) {
            pairs.push(Pair::new(row, rows[plan.particle(probe, bit)]));
        }
    }
}

/// Plain Rust.
struct Portable;

impl TestKernel for Portable {
    fn test<const D: usize>(
        columns: &SortedColumns<D>,
        filter: &Filter<D>,
        plan: &TestPlan,
        touching: &mut Vec<Touching>,
        mut doubt: impl FnMut(&Probe, &mut Touching),
    ) {
        touching.clear();
        for probe in plan.probes() {
            let i = probe.position as usize;
            let mut bytes = Touching::default();
            let mut doubtful = false;
            for (number, round) in plan.rounds(probe).iter().enumerate() {
                let tested = if number == 0 { u32::from(probe.first_lanes) } else { u32::MAX };
                let lanes = round.lanes & tested;
                for lane in (0..LANES as u32).filter(|lane| lanes >> lane & 1 == 1) {
                    let j = (round.begin + lane) as usize;
                    let mut squares = 0.0;
                    for k in 0..D {
                        let column = &columns.fixed[k];
                        let d = column[j].wrapping_sub(column[i]) as f32 * filter.unit[k];
                        squares += d * d;
                    }
                    let reach = columns.radius[i] + filter.margin + columns.radius[j];
                    let excess = squares - reach * reach;
                    bytes[number] |= u8::from(excess <= probe.doubt) << lane;
                    doubtful |= excess.abs() <= probe.doubt;
                }
            }
            if doubtful {
                doubt(probe, &mut bytes);
            }
            touching.push(bytes);
        }
    }
}

/// As [`search`], whichever the table is.
pub(super) fn search_any<const D: usize, const IMAGES: bool, T: Tally>(
    scene: &SearchInput<'_, D>,
    vectors: Vectors,
    positions: Range<usize>,
    pairs: &mut Vec<Pair>,
    tally: &mut T,
) {
    if scene.table.is_dense() {
        search::<D, true, IMAGES, T>(scene, vectors, positions, pairs, tally);
    } else {
        search::<D, false, IMAGES, T>(scene, vectors, positions, pairs, tally);
    }
}

/// Searches with the best kernel this machine has, and `vectors` allows.
fn search<const D: usize, const DENSE: bool, const IMAGES: bool, T: Tally>(
    scene: &SearchInput<'_, D>,
    vectors: Vectors,
    positions: Range<usize>,
    pairs: &mut Vec<Pair>,
    tally: &mut T,
) {
    #[cfg(target_arch = "x86_64")]
    if vectors == Vectors::Auto && avx2::is_available() {
        // SAFETY: the processor has just been found to have what the function is compiled for.
        unsafe { avx2::search::<D, DENSE, IMAGES, T>(scene, positions, pairs, tally) };
        return;
    }
    scene.search::<Portable, DENSE, IMAGES, T>(positions, pairs, tally);
}
