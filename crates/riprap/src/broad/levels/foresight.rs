//! What a search would cost, from a sample of the sorted particles.
//!
//! The levels are chosen as if particles were evenly spread. Where they are not, many may share a cell, or many large
//! ones may visit many rows in vain. Some particles at equal distances in sorted order tell: whatever makes
//! a search quadratic is some hundred sqrt(n) particles in a row, of which some are in the sample.

use super::cost::Costs;
use super::kernel;
use super::search::SearchInput;
use crate::broad::{Pair, Tally, Work, tree};

/// Particles of the sample, times the square root of their number.
const SAMPLE: f64 = 0.5;

/// Particles below which a look ahead costs more than it saves.
const FEW: usize = 1024;

/// What a contact may cost, in nanoseconds: more than `levels` and `tree` take for one of many.
const PER_PAIR: f64 = 4.0;

/// Whether the search is expected to take longer than [`tree`] would.
pub(super) fn is_slow<const D: usize, const IMAGES: bool>(scene: &SearchInput<'_, D>) -> bool {
    let count = scene.spheres.len();
    if count < FEW {
        return false;
    }
    let samples = SAMPLE * (count as f64).sqrt();
    let allowed = tree::expected::<D>(count as f64);
    let costs = Costs::default();
    let own_rows = if D == 3 { 5.0 } else { 2.0 };
    let mut pairs: Vec<Pair> = Vec::new();
    let (mut work, mut seen, mut met) = (Work::default(), 0.0, 0.0);
    let step = (count as f64 / samples) as usize;
    for position in (step / 2..count).step_by(step) {
        kernel::search_any::<D, IMAGES, Work>(scene, kernel::Vectors::Auto, position..position + 1, &mut pairs, &mut work);
        seen += 1.0;
        met += pairs.len() as f64;
        pairs.clear();
        let rows = (work.cells as f64 - own_rows * seen).max(0.0);
        let cost = costs.test * work.candidates as f64 + costs.finer_row * rows - PER_PAIR * met;
        // Not even without those that are still to come.
        if cost > allowed * samples {
            return true;
        }
    }
    false
}
