//! How long each method would take, from the count, sizes and extent of the particles, and from a sample that tells how
//! unevenly they are spread.
//!
//! Each method's steps are counted as its file says it takes them, and weighed with what a step costs on a current
//! machine; where columns outgrow the caches, a step that jumps in memory costs several times as much. Good to a
//! factor of two or so, which is enough to choose: the methods differ by far more.

use super::levels::{self, foresight};
use super::{SearchMethod, cells, sample, tree};
use crate::number::power;
use crate::{Criterion, Spheres};

/// The expected time of one method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    /// Name of the method.
    pub method: &'static str,
    /// Expected seconds of a first detection on one thread.
    pub seconds: f64,
}

/// Expected times of all methods that can treat these particles, fastest first.
pub fn predict<const D: usize>(spheres: &Spheres<'_, D>, criterion: &Criterion<D>) -> Vec<Prediction> {
    let workload = Workload::new(spheres, criterion);
    let mut predictions: Vec<Prediction> = SearchMethod::<D>::all()
        .iter()
        .filter(|method| method.periodic || !criterion.is_periodic())
        .map(|method| Prediction {
            method: method.name,
            seconds: 1e-9 * (CALL + workload.count * (method.expected)(&workload)),
        })
        .collect();
    predictions.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    predictions
}

/// A call itself, in nanoseconds.
const CALL: f64 = 300.0;

/// Testing one candidate in turn, and one met by following links.
const TEST: f64 = 1.0;
const LINKED_TEST: f64 = 7.0;

/// Looking up a hashed cell.
const HASHED_CELL: f64 = 8.0;

/// Bytes of particles up to which jumps in memory are cheap; beyond, they get dearer with this power, to a limit.
const CACHE: f64 = 5e5;
const DEARER: f64 = 0.35;
const DEAREST: f64 = 4.0;

/// Particles of the sample, times the square root of their number.
const SAMPLE: f64 = 3.0;

/// How much longer lists of particles in random order take, whose lengths the processor cannot foresee.
const UNFORESEEN: f64 = 2.0;

/// What the processor loses, in nanoseconds, where it cannot foresee how many candidates there are.
const MISSED_BRANCH: f64 = 15.0;

/// What the predictions need to know of the particles.
///
/// It has a function for every method, with the nanoseconds per particle that it takes; the table of methods names them.
pub(super) struct Workload<'a, const D: usize> {
    spheres: Spheres<'a, D>,
    criterion: Criterion<D>,
    count: f64,
    low: [f64; D],
    /// Rows of a sample.
    rows: Vec<usize>,
    volume: f64,
    smallest: f64,
    largest: f64,
    /// How much dearer a jump in memory is than in the cache.
    jump: f64,
}

impl<'a, const D: usize> Workload<'a, D> {
    fn new(spheres: &Spheres<'a, D>, criterion: &Criterion<D>) -> Self {
        let count = spheres.len() as f64;
        let (smallest, largest) = spheres.radius_range().unwrap_or((1.0, 1.0));
        let (low, high) = cells::bounds(spheres.centers()).unwrap_or(([0.0; D], [0.0; D]));
        let extent: [f64; D] = std::array::from_fn(|k| {
            if criterion.lengths[k].is_finite() { criterion.lengths[k] } else { high[k] - low[k] }
        });
        let reach = 2.0 * largest + criterion.margin;
        Self {
            spheres: *spheres,
            criterion: *criterion,
            count,
            low,
            rows: sample::rows(spheres.len(), SAMPLE),
            volume: extent.iter().map(|edge| edge.max(reach)).product(),
            smallest,
            largest,
            jump: libm::pow((count * 8.0 * (D + 1) as f64 / CACHE).max(1.0), DEARER).min(DEAREST),
        }
    }

    /// Every other particle, once per pair.
    pub(super) fn brute_force(&self) -> f64 {
        0.5 * self.count * 0.8 * TEST
    }

    /// A sort, and the particles whose shells around the origin meet.
    pub(super) fn radial_sort(&self) -> f64 {
        let share = sample::meeting_shells(&self.spheres, &self.rows, self.low, self.criterion.margin);
        let candidates = 0.5 * self.count * share;
        let tests = 0.5 * D as f64 * TEST * candidates * self.jump;
        let missed = MISSED_BRANCH * (1.0 - libm::exp(-0.5 * candidates));
        1.4 * libm::log2(self.count.max(2.0)) * self.jump.sqrt() + missed + tests
    }

    /// Cells as wide as the largest particle, but no more of them than particles.
    pub(super) fn linked_cell(&self) -> f64 {
        let widest = self.reach(self.largest);
        let cells = (self.volume / power(widest, D as u32)).min(self.count).max(1.0);
        let widening = libm::pow(self.volume / (cells * power(widest, D as u32)), 1.0 / D as f64);
        let share = sample::sharing_cells(&self.spheres, &self.rows, [widest * widening; D]);
        let candidates = self.neighbors() * self.count * share.max(1.0 / self.count);
        let lookups = 2.0 * self.neighbors() * (cells / self.count);
        let ordered = sample::in_order(&self.spheres, &self.rows, widest * widening);
        let slower = UNFORESEEN + ordered * (1.0 - UNFORESEEN);
        (2.0 + lookups + (6.0 + 1.5 * candidates) * self.jump) * slower
    }

    /// One list for all.
    pub(super) fn mr(&self) -> f64 {
        self.sorted_list(self.count, self.largest)
    }

    /// A list for each group of sizes.
    pub(super) fn mmr(&self) -> f64 {
        let groups = libm::log2(self.largest / self.smallest).floor() + 1.0;
        groups * self.sorted_list(self.count, self.smallest.max(self.largest / libm::exp2(groups)))
    }

    /// Hashed cells: at the smaller levels few particles look into many.
    pub(super) fn hgrid(&self) -> f64 {
        self.hashed_cells(4.0)
    }

    /// Hashed cells: every particle looks into some of each larger level.
    pub(super) fn hgrid_bottom_up(&self) -> f64 {
        self.hashed_cells(12.0)
    }

    /// A sort, and rows at the levels that cost least, or `tree` where the particles are spread too unevenly for that.
    pub(super) fn levels(&self) -> f64 {
        let search = foresight::expected(&self.spheres, &self.criterion);
        levels::SETUP / self.count.max(1.0) + 10.0 + 6.0 * self.jump + search
    }

    /// A halving for each bit of their number.
    pub(super) fn tree(&self) -> f64 {
        tree::expected::<D>(self.count)
    }

    /// Half of the cells around a particle at its own level, and so many at each other level.
    fn hashed_cells(&self, per_level: f64) -> f64 {
        let levels = (libm::log(self.largest / self.smallest) / libm::log(3.0)).ceil().max(1.0);
        let own = 0.5 * (power(3.0, D as u32) + 1.0);
        let accesses = own + per_level * (levels - 1.0);
        (60.0 + HASHED_CELL * accesses) * self.jump + 10.0 * LINKED_TEST * self.jump
    }

    fn reach(&self, radius: f64) -> f64 {
        2.0 * radius + self.criterion.margin
    }

    /// Cells around a particle and its own, half of them counted.
    fn neighbors(&self) -> f64 {
        0.5 * power(3.0, D as u32)
    }

    /// Sorting a list by cells as wide as particles of this radius, and searching them.
    fn sorted_list(&self, count: f64, radius: f64) -> f64 {
        let cells = self.volume / power(self.reach(radius), D as u32);
        let passes = libm::log2(cells.max(2.0));
        10.0 * passes * self.jump
            + 40.0 * self.jump
            + self.neighbors() * count / cells * LINKED_TEST * self.jump.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Random, packing};

    fn best(count: usize, ratio: f64) -> &'static str {
        let mut random = Random::new(4);
        let radii = packing::power_law_radii(count, -3.0, 0.5, ratio, &mut random);
        let edge = packing::edge_for_fraction::<3>(&radii, 0.3);
        let spheres = packing::scattered(radii, [edge; 3], &mut random);
        let predictions = predict(&spheres.view().unwrap(), &Criterion::default());
        assert_eq!(predictions.len(), SearchMethod::<3>::all().len());
        assert!(
            predictions.iter().all(|prediction| prediction.seconds > 0.0 && prediction.seconds.is_finite())
        );
        predictions[0].method
    }

    #[test]
    fn few_particles_are_tested_by_brute_force_and_many_by_levels() {
        assert_eq!(best(1, 1.0), "brute-force");
        assert_eq!(best(20, 10.0), "brute-force");
        for ratio in [1.0, 10.0, 100.0] {
            assert_eq!(best(10_000, ratio), "levels");
        }
    }

    #[test]
    fn only_methods_that_can_do_it_are_predicted() {
        let spheres = packing::lattice([10, 10], [1.0; 2], 0.5);
        let periodic = Criterion { margin: 0.0, lengths: [10.0; 2] };
        let predictions = predict(&spheres.view().unwrap(), &periodic);
        assert!(
            predictions.iter().all(|prediction| !["mr", "mmr", "radial-sort"].contains(&prediction.method))
        );
        assert!(!predict::<2>(&Spheres::new(&[], &[]).unwrap(), &Criterion::default()).is_empty());
    }
}
