//! Eight particles at a time, with AVX2 and FMA.

use std::arch::x86_64::*;
use std::ops::Range;

use super::{Batch, Kernel, LANES, Outcome, Probe};
use crate::broad::levels::columns::Columns;
use crate::broad::levels::frame::Filter;
use crate::broad::levels::search::Scene;
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
    scene: &Scene<'_, D>,
    positions: Range<usize>,
    pairs: &mut Vec<Pair>,
    tally: &mut T,
) {
    scene.search::<Avx2, DENSE, IMAGES, T>(positions, pairs, tally);
}

/// To be used only inside [`search`].
struct Avx2;

impl Kernel for Avx2 {
    #[inline(always)]
    fn test<const D: usize>(
        columns: &Columns<D>,
        filter: &Filter<D>,
        probe: &Probe<D>,
        batch: Batch<'_>,
    ) -> Outcome {
        // Every load below starts before the limit and reads eight entries.
        assert!(batch.limit() + LANES <= columns.padded_len());
        let mut outcome = Outcome::default();
        // SAFETY: the caller is compiled for these instructions and runs only where they are there. Loads stay within
        // the columns, all as long as the assertion says.
        unsafe {
            let own: [__m256i; D] = std::array::from_fn(|k| _mm256_set1_epi32(probe.fixed[k]));
            let unit: [__m256; D] = std::array::from_fn(|k| _mm256_set1_ps(filter.unit[k]));
            let probe_reach = _mm256_set1_ps(probe.reach);
            let (doubt, minus_doubt) = (_mm256_set1_ps(probe.doubt), _mm256_set1_ps(-probe.doubt));
            for (number, round) in batch.rounds().iter().enumerate() {
                let j = round.begin as usize;
                let mut squares = _mm256_setzero_ps();
                for k in 0..D {
                    let other = _mm256_loadu_si256(columns.fixed[k].as_ptr().add(j).cast());
                    let d = _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_sub_epi32(other, own[k])), unit[k]);
                    squares = _mm256_fmadd_ps(d, d, squares);
                }
                let reach = _mm256_add_ps(probe_reach, _mm256_loadu_ps(columns.radius.as_ptr().add(j)));
                let excess = _mm256_fnmadd_ps(reach, reach, squares);
                let possible = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(excess, doubt));
                let certain = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(excess, minus_doubt));
                let possible = possible as u32 & round.lanes;
                let doubtful = possible & !(certain as u32);
                outcome.possible |= u64::from(possible) << (number * LANES);
                outcome.doubtful |= u64::from(doubtful) << (number * LANES);
            }
        }
        outcome
    }
}
