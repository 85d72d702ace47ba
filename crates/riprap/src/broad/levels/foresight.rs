//! What a search will cost, before it begins.
//!
//! The levels are chosen as if particles were evenly spread. Where they are not, many may share a cell, or many large
//! ones may visit many rows in vain. Before particles are sorted, a sample tells how many share a cell. Afterwards
//! some of them, at equal distances in sorted order, are searched for: whatever makes a search quadratic
//! is some hundred sqrt(n) particles in a row, of which some are met.

use super::cost::{Costs, cheapest_levels};
use super::crowding::ParticleSample;
use super::kernel;
use super::search::SearchInput;
use super::{FixedFrame, Levels, bounds};
use crate::broad::{Pair, Work, tree};
use crate::{Criterion, Spheres};

/// Particles that are searched for, times the square root of their number.
const SAMPLE: f64 = 0.5;

/// Particles below which a look ahead costs more than it saves.
const FEW: usize = 1024;

/// What a contact may cost, in nanoseconds: more than `levels` and `tree` take for one of many.
const PER_PAIR: f64 = 4.0;

/// Cells that a particle looks into, where it shares its own with many: a cluster may fill one or all of those around it.
const CROWDED_CELLS: f64 = 4.0;

/// What the search is expected to cost, in nanoseconds per particle, without the sort.
pub(in crate::broad) fn expected<const D: usize>(spheres: &Spheres<'_, D>, criterion: &Criterion<D>) -> f64 {
    let count = spheres.len() as f64;
    let tree = tree::expected::<D>(count);
    let (low, high, largest) = bounds(spheres, 1);
    let frame = FixedFrame::new(low, high, 2.0 * largest + criterion.margin, criterion);
    if spheres.is_empty() || frame.is_too_wide() {
        return tree;
    }
    let costs = Costs::default();
    let (cost, levels) = cheapest_levels(spheres.radii(), frame.extent, criterion.margin, &costs, 1);
    let mut method = Levels::<D>::default();
    method.lay_out(&frame, &levels, spheres, criterion);
    if method.visits_too_many_rows(&levels, criterion.margin) {
        return tree;
    }
    let sample = ParticleSample::new(spheres, criterion, &frame);
    let (mut crowd, mut finer) = (0.0, 0.0);
    for (grid, level) in method.grids.iter().zip(&levels) {
        let count = level.count as f64;
        crowd += count * count * sample.sharing_between(grid, finer, level.radius);
        finer = level.radius;
    }
    let tests = costs.test * CROWDED_CELLS * crowd / count;
    if tests > tree { tree } else { cost.max(tests) }
}

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
        kernel::search_any::<D, IMAGES, Work>(
            scene,
            kernel::Vectors::Auto,
            position..position + 1,
            &mut pairs,
            &mut work,
        );
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
