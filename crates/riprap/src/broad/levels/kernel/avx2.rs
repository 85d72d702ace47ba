//! Eight particles at a time, with AVX2 and FMA.

use std::arch::x86_64::*;
use std::ops::Range;

use super::plan::{Probe, TestPlan};
use super::{LANES, TestKernel, Touching};
use crate::broad::levels::columns::SortedColumns;
use crate::broad::levels::frame::Filter;
use crate::broad::levels::search::SearchInput;
use crate::broad::{Pair, Tally};

/// Whether this machine has what [`search`] is compiled for.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("popcnt")
}

#[target_feature(enable = "avx2,fma,bmi1,popcnt")]
pub(super) fn search<const D: usize, const DENSE: bool, const IMAGES: bool, T: Tally>(
    scene: &SearchInput<'_, D>,
    positions: Range<usize>,
    pairs: &mut Vec<Pair>,
    tally: &mut T,
) {
    scene.search::<Avx2, DENSE, IMAGES, T>(positions, pairs, tally);
}

/// To be used only inside [`search`].
struct Avx2;

impl TestKernel for Avx2 {
    #[inline(always)]
    fn test<const D: usize>(
        columns: &SortedColumns<D>,
        filter: &Filter<D>,
        plan: &TestPlan,
        touching: &mut Vec<Touching>,
        doubt: impl FnMut(&Probe, &mut Touching),
    ) {
        // SAFETY: only `search` uses this kernel, and it is compiled for the same instructions.
        unsafe { test(columns, filter, plan, touching, doubt) };
    }
}

#[inline(never)]
#[target_feature(enable = "avx2,fma,bmi1,popcnt")]
fn test<const D: usize>(
    columns: &SortedColumns<D>,
    filter: &Filter<D>,
    plan: &TestPlan,
    touching: &mut Vec<Touching>,
    mut doubt: impl FnMut(&Probe, &mut Touching),
) {
    // Every load below starts before the limit and reads at most eight entries.
    assert!(plan.limit() + LANES <= columns.padded_len());
    let unit: [__m256; D] = std::array::from_fn(|k| _mm256_set1_ps(filter.unit[k]));
    let margin = _mm256_set1_ps(filter.margin);
    touching.clear();
    touching.resize(plan.probes().len(), Touching::default());
    // Bytes are written where they stay: read back as a word at once, they would have to wait for each other.
    for (probe, bytes) in plan.probes().iter().zip(touching) {
        let mut doubtful = 0;
        // SAFETY: all particles of a plan are before its limit, so loads stay within the columns, all of which are as
        // long as the assertion says.
        unsafe {
            let i = probe.position as usize;
            let own: [__m256i; D] =
                std::array::from_fn(|k| _mm256_set1_epi32(*columns.fixed[k].as_ptr().add(i)));
            let own_reach = _mm256_add_ps(_mm256_set1_ps(*columns.radius.as_ptr().add(i)), margin);
            let (above, below) = (_mm256_set1_ps(probe.doubt), _mm256_set1_ps(-probe.doubt));
            let mut tested = u32::from(probe.first_lanes);
            for (byte, round) in bytes.iter_mut().zip(plan.rounds(probe)) {
                let j = round.begin as usize;
                let mut squares = _mm256_setzero_ps();
                for k in 0..D {
                    let other = _mm256_loadu_si256(columns.fixed[k].as_ptr().add(j).cast());
                    let d = _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_sub_epi32(other, own[k])), unit[k]);
                    squares = if k == 0 { _mm256_mul_ps(d, d) } else { _mm256_fmadd_ps(d, d, squares) };
                }
                let reach = _mm256_add_ps(own_reach, _mm256_loadu_ps(columns.radius.as_ptr().add(j)));
                let excess = _mm256_fnmadd_ps(reach, reach, squares);
                let possible = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(excess, above)) as u32;
                let certain = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(excess, below)) as u32;
                let possible = possible & round.lanes & tested;
                tested = u32::MAX;
                *byte = possible as u8;
                doubtful |= possible & !certain;
            }
        }
        if doubtful != 0 {
            doubt(probe, bytes);
        }
    }
}
