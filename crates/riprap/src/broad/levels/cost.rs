//! The cost of `levels` by rows, and the levels for which it is least.
//!
//! The model of Krijgsman, Ogarko and Luding 2014 counts cells; `levels` visits rows of cells instead, and a candidate
//! in a row costs a twentieth of a row. With n_h particles per volume and cells of width w_h at level h, a particle
//!
//! - visits 5 rows at its own level (2 in 2D) with 13.5 (4.5) cells' worth of candidates,
//! - and at each finer level j the rows and cells that its ball of radius R = r + r_j + margin meets: for a ball in a
//!   random place πR²/w² + 4R/w + 1 rows and 4/3πR³/w³ + 3πR²/w² + 6R/w + 1 cells (in 2D 2R/w + 1 and
//!   πR²/w² + 4R/w + 1).
//!
//! Where particles are so few that most cells would be empty, `levels` makes cells longer, and then wider, and so does
//! the model.
//!
//! The sums over particles need only the sums of r^0 to r^3 in each level. They are exact, because limits between levels
//! are taken where a histogram of the radii has them anyway.

use std::f64::consts::PI;

use super::sort::map;
use super::{FILLED, LONGEST};
use crate::number::power;

/// What the steps of `levels` cost, in nanoseconds.
///
/// The default is typical of current machines; [`measured`](super::measured) gives those of this one. It is not
/// the default, because the levels, and with them the order of the pairs, would then differ from run to run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Costs {
    /// Testing one candidate.
    pub test: f64,
    /// Visiting one row of a particle's own level.
    pub row: f64,
    /// Visiting one row of a finer level: its chord is worked out, and how long it is cannot be guessed.
    pub finer_row: f64,
    /// One cell's entry in the table.
    pub cell: f64,
}

impl Default for Costs {
    fn default() -> Self {
        Self { test: 0.4, row: 6.0, finer_row: 45.0, cell: 2.0 }
    }
}

/// Radii within so many bins, a factor of 1.2 or so, share a level without further thought.
const SIMILAR: usize = 4;

/// Limits between levels that are tried.
const LIMITS: usize = 48;

/// Another level must save this share of the cost.
const WORTHWHILE: f64 = 0.02;

/// Particles that share a level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SizeClass {
    /// The largest radius.
    pub(super) radius: f64,
    /// How many there are.
    pub(super) count: usize,
}

/// The levels that cost least, finest first; the last has the largest of all radii.
///
/// `extent` are the edges of the box around the particles. With more than one thread the current pool helps to count;
/// the result does not depend on it.
pub(super) fn best_levels<const D: usize>(
    radii: &[f64],
    extent: [f64; D],
    margin: f64,
    costs: &Costs,
    threads: usize,
) -> Vec<SizeClass> {
    let Some((smallest, largest)) = range(radii, threads) else { return Vec::new() };
    if are_similar(smallest, largest) {
        return vec![SizeClass { radius: largest, count: radii.len() }];
    }
    cheapest_levels(radii, extent, margin, costs, threads).1
}

/// As [`best_levels`], and what the search costs with them, in nanoseconds per particle.
pub(super) fn cheapest_levels<const D: usize>(
    radii: &[f64],
    extent: [f64; D],
    margin: f64,
    costs: &Costs,
    threads: usize,
) -> (f64, Vec<SizeClass>) {
    let Some(model) = CostModel::<D>::new(radii, extent, margin, *costs, threads) else {
        return (0.0, Vec::new());
    };
    let (cost, ends) = model.best();
    let mut below = 0;
    let levels = ends.into_iter().map(|bin| {
        let up_to = model.sums[bin][0] as usize;
        let count = up_to - std::mem::replace(&mut below, up_to);
        SizeClass { radius: model.upper(bin).min(model.largest), count }
    });
    (cost, levels.collect())
}

/// The smallest and the largest radius.
fn range(radii: &[f64], threads: usize) -> Option<(f64, f64)> {
    let parts: Vec<&[f64]> = radii.chunks(PART).collect();
    let ranges = map(&parts, threads, |part| {
        let mut lanes = [(f64::INFINITY, 0.0); 8];
        let (eights, rest) = part.as_chunks::<8>();
        for eight in eights {
            for (lane, &radius) in lanes.iter_mut().zip(eight) {
                *lane = widen(*lane, (radius, radius));
            }
        }
        rest.iter().map(|&radius| (radius, radius)).chain(lanes).reduce(widen)
    });
    ranges.into_iter().flatten().reduce(widen)
}

/// The range around two ranges. Comparisons instead of `min` and `max`, which would also ask for NaN.
#[inline(always)]
fn widen(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (if b.0 < a.0 { b.0 } else { a.0 }, if b.1 > a.1 { b.1 } else { a.1 })
}

/// Whether radii share a level without further thought.
fn are_similar(smallest: f64, largest: f64) -> bool {
    (largest.to_bits() >> LOWER_BITS) - (smallest.to_bits() >> LOWER_BITS) < SIMILAR as u64
}

/// Sums of powers of the radii up to the end of each bin of a histogram, and what is needed to turn them into a cost.
struct CostModel<const D: usize> {
    /// The bits of the radii in bin 0, without the lower ones.
    first: u64,
    /// Sums of r^0 to r^3 over all bins up to and including each.
    sums: Vec<[f64; 4]>,
    largest: f64,
    volume: f64,
    margin: f64,
    costs: Costs,
}

/// Radii that are summed up in one go.
const PART: usize = 1 << 15;

/// Bits of a number that do not matter for its bin: 16 bins an octave remain.
const LOWER_BITS: u32 = 48;

impl<const D: usize> CostModel<D> {
    /// `None` without particles.
    fn new(radii: &[f64], extent: [f64; D], margin: f64, costs: Costs, threads: usize) -> Option<Self> {
        let (smallest, largest) = range(radii, threads)?;
        let first = smallest.to_bits() >> LOWER_BITS;
        let bins = ((largest.to_bits() >> LOWER_BITS) - first) as usize + 1;
        // Always the same parts, so that sums round in the same way for any number of threads.
        let parts: Vec<&[f64]> = radii.chunks(PART).collect();
        let partial = map(&parts, threads, |part| {
            let mut sums = vec![[0.0; 4]; bins];
            for &radius in *part {
                let bin = &mut sums[((radius.to_bits() >> LOWER_BITS) - first) as usize];
                let square = radius * radius;
                bin[0] += 1.0;
                bin[1] += radius;
                bin[2] += square;
                bin[3] += square * radius;
            }
            sums
        });
        let mut sums = vec![[0.0; 4]; bins];
        for part in partial {
            for (sum, part) in sums.iter_mut().zip(part) {
                *sum = std::array::from_fn(|power| sum[power] + part[power]);
            }
        }
        for bin in 1..sums.len() {
            sums[bin] = std::array::from_fn(|power| sums[bin][power] + sums[bin - 1][power]);
        }
        // A box flatter than the largest particle is as wide as that.
        let volume = extent.iter().map(|edge| edge.max(2.0 * largest + margin)).product();
        Some(Self { first, sums, largest, volume, margin, costs })
    }

    /// The least cost and the bins with which its levels end.
    fn best(&self) -> (f64, Vec<usize>) {
        let mut chosen = vec![self.bins() - 1];
        let mut least = self.cost(&chosen);
        if self.bins() <= SIMILAR {
            return (least, chosen);
        }
        let limits = self.limits();
        // Insert the limit that saves most, as long as one does; then let each of them move.
        loop {
            let tried = limits.iter().filter(|limit| !chosen.contains(limit)).map(|&limit| {
                let mut levels = chosen.clone();
                levels.insert(levels.partition_point(|other| *other < limit), limit);
                (self.cost(&levels), levels)
            });
            match tried.min_by(|a, b| a.0.total_cmp(&b.0)) {
                Some((cost, levels)) if cost < (1.0 - WORTHWHILE) * least => (least, chosen) = (cost, levels),
                _ => return (least, chosen),
            }
            for position in 0..chosen.len() - 1 {
                for &limit in &limits {
                    let mut levels = chosen.clone();
                    levels[position] = limit;
                    if levels.is_sorted_by(|a, b| a < b) {
                        let cost = self.cost(&levels);
                        if cost < least {
                            (least, chosen) = (cost, levels);
                        }
                    }
                }
            }
        }
    }

    fn bins(&self) -> usize {
        self.sums.len()
    }

    /// The largest radius of a bin.
    fn upper(&self, bin: usize) -> f64 {
        f64::from_bits(((self.first + bin as u64 + 1) << LOWER_BITS) - 1)
    }

    /// Bins at whose ends a level may end: not too many, and none where nothing changes.
    fn limits(&self) -> Vec<usize> {
        let step = self.bins().div_ceil(LIMITS);
        let mut limits: Vec<usize> = (step - 1..self.bins() - 1).step_by(step).collect();
        limits.retain(|&bin| self.sums[bin][0] > 0.0);
        limits.dedup_by_key(|bin| self.sums[*bin][0] as u64);
        limits
    }

    /// Nanoseconds per particle when levels end with these bins.
    fn cost(&self, ends: &[usize]) -> f64 {
        let count = self.sums[self.bins() - 1][0];
        let level_sums = |level: usize| -> [f64; 4] {
            let before = if level == 0 { [0.0; 4] } else { self.sums[ends[level - 1]] };
            std::array::from_fn(|power| self.sums[ends[level]][power] - before[power])
        };
        let mut cost = 0.0;
        for level in 0..ends.len() {
            let sums = level_sums(level);
            let cells = self.cells(&sums, ends[level]);
            let (own_rows, own_cells) = if D == 3 { (5.0, 13.5) } else { (2.0, 4.5) };
            cost += self.costs.cell * self.volume / cells.volume;
            cost += sums[0] * (own_rows * self.costs.row + own_cells * cells.particles * self.costs.test);
            for finer in 0..level {
                let cells = self.cells(&level_sums(finer), ends[finer]);
                let width = cells.width;
                // Sums of the powers of R = r + shift, over the particles of this level, in cells.
                let shift = self.upper(ends[finer]) + self.margin;
                let [n, r, rr, rrr] = sums;
                let first = (r + n * shift) / width;
                let second = (rr + 2.0 * r * shift + n * shift * shift) / (width * width);
                let third = (rrr + 3.0 * rr * shift + 3.0 * r * shift * shift + n * power(shift, 3))
                    / power(width, 3);
                let (rows, cubes) = if D == 3 {
                    (
                        PI * second + 4.0 * first + n,
                        4.0 / 3.0 * PI * third + 3.0 * PI * second + 6.0 * first + n,
                    )
                } else {
                    (2.0 * first + n, PI * second + 4.0 * first + n)
                };
                // A chord ends in cells that may be longer than wide.
                let covered = cubes + rows * (cells.length - 1.0);
                cost +=
                    self.costs.finer_row * rows + self.costs.test * covered * cells.particles / cells.length;
            }
        }
        cost / count
    }

    /// The cells of a level with these particles, which ends with this bin.
    fn cells(&self, sums: &[f64; 4], end: usize) -> LevelCells {
        let width = 2.0 * self.upper(end) + self.margin;
        let least = power(width, D as u32);
        let room = (FILLED * self.volume / (sums[0].max(1.0) * least)).max(1.0);
        let volume = room * least;
        let width = width * libm::pow((room / LONGEST).max(1.0), 1.0 / D as f64);
        LevelCells { width, length: room.min(LONGEST), volume, particles: sums[0] * volume / self.volume }
    }
}

/// The cells of a level.
struct LevelCells {
    width: f64,
    /// How many times longer than wide they are.
    length: f64,
    volume: f64,
    /// How many particles of the level each of them has.
    particles: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Random, packing};

    fn levels(radii: &[f64], fraction: f64) -> Vec<f64> {
        let edge = packing::edge_for_fraction::<3>(radii, fraction);
        let levels = best_levels(radii, [edge; 3], 0.0, &Costs::default(), 1);
        assert_eq!(levels.iter().map(|level| level.count).sum::<usize>(), radii.len());
        for (index, level) in levels.iter().enumerate() {
            let below = if index == 0 { 0.0 } else { levels[index - 1].radius };
            assert_eq!(level.count, radii.iter().filter(|r| (below..=level.radius).contains(r)).count());
        }
        levels.into_iter().map(|level| level.radius).collect()
    }

    #[test]
    fn similar_radii_share_one_level() {
        assert_eq!(levels(&[1.0; 100], 0.3), [1.0]);
        assert_eq!(best_levels::<2>(&[], [1.0; 2], 0.0, &Costs::default(), 1), []);
    }

    #[test]
    fn levels_grow_and_end_with_the_largest_radius() {
        let mut random = Random::new(1);
        for ratio in [2.0, 10.0, 100.0, 1000.0] {
            let radii = packing::power_law_radii(100_000, -3.0, 1.0, ratio, &mut random);
            let levels = levels(&radii, 0.3);
            let largest = radii.iter().copied().fold(0.0, f64::max);
            assert!(levels.is_sorted_by(|a, b| a < b) && *levels.last().unwrap() == largest);
            assert!(levels.len() >= if ratio < 10.0 { 1 } else { 2 }, "{ratio}: {levels:?}");
        }
    }

    /// The search finds nothing worse than the best of all pairs and triples of limits.
    #[test]
    fn the_choice_is_as_good_as_trying_all() {
        let mut random = Random::new(2);
        for ratio in [10.0, 100.0] {
            let radii = packing::power_law_radii(20_000, -3.0, 1.0, ratio, &mut random);
            let edge = packing::edge_for_fraction::<3>(&radii, 0.3);
            let model = CostModel::<3>::new(&radii, [edge; 3], 0.0, Costs::default(), 1).unwrap();
            let last = model.bins() - 1;
            let mut least = model.cost(&[last]);
            for &a in &model.limits() {
                least = least.min(model.cost(&[a, last]));
                for &b in model.limits().iter().filter(|b| **b > a) {
                    least = least.min(model.cost(&[a, b, last]));
                }
            }
            let chosen: Vec<usize> = levels(&radii, 0.3)
                .iter()
                .map(|radius| (0..=last).find(|&bin| model.upper(bin) >= *radius).unwrap())
                .collect();
            assert!(model.cost(&chosen) <= 1.03 * least, "{chosen:?}");
        }
    }
}
