//! Sorting the particles by cell.
//!
//! 1. Count the particles of each bucket, a range of cells with a thousand particles or so.
//! 2. Copy every particle, in fixed point, to its bucket. Input is read forward, and each bucket is written forward.
//! 3. Sort each bucket by cell, within the second-level cache, and copy it to the columns.
//!
//! No step jumps about in far memory, so input in random order costs little more than sorted input. The
//! sort is stable: particles of a cell keep the order of their rows. Threads take equal stretches of the input, then of the
//! buckets, and write to places of their own.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use super::columns::{ColumnsPart, SortedColumns};
use crate::Spheres;
use crate::memory::as_atomic;

/// Particles of a bucket, about.
const BUCKET: usize = 1024;

/// Buckets at most: their ends, which are written to in turn, should stay in the cache.
const MOST_BUCKETS: usize = 1024;

/// Bits that a bucket is sorted by in one pass.
const DIGIT: u32 = 11;

/// Up to so many particles a bucket is sorted by comparison.
const FEW: usize = 256;

/// A particle in fixed point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record<const D: usize> {
    pub(super) fixed: [i32; D],
    /// In units of the widest reach.
    pub(super) radius: f32,
}

/// Fills the columns with the spheres, sorted by cell. There are `cells` cells. `words` is memory for the time of the
/// call.
pub(super) fn sort<const D: usize>(
    spheres: Spheres<'_, D>,
    cells: u64,
    threads: usize,
    words: &mut Vec<u32>,
    columns: &mut SortedColumns<D>,
    record: impl Fn(&[f64; D], f64) -> Record<D> + Sync,
    cell: impl Fn(&Record<D>) -> u32 + Sync,
) {
    let count = spheres.len();
    make_room(words, count * (D + 2));
    columns.resize(count);
    let wanted = (count / BUCKET).clamp(1, MOST_BUCKETS) as u64;
    let shift = cells.div_ceil(wanted).next_power_of_two().trailing_zeros();
    let buckets = (cells >> shift) as usize + 1;
    let begins = distribute(spheres, buckets, threads, as_atomic(words), record, |record| {
        (cell(record) >> shift) as usize
    });
    sort_buckets(&begins, shift, threads, words, columns, &cell);
}

/// Copies the particles to their buckets; returns where each begins, and the end.
fn distribute<const D: usize>(
    spheres: Spheres<'_, D>,
    buckets: usize,
    threads: usize,
    words: &[AtomicU32],
    record: impl Fn(&[f64; D], f64) -> Record<D> + Sync,
    bucket: impl Fn(&Record<D>) -> usize + Sync,
) -> Vec<u32> {
    let stretches = stretches(spheres.len(), threads);
    let records = |range: &Range<usize>| {
        let (centers, radii) = (&spheres.centers()[range.clone()], &spheres.radii()[range.clone()]);
        centers.iter().zip(radii).map(|(center, radius)| record(center, *radius))
    };
    let mut counts: Vec<Vec<u32>> = map(&stretches, threads, |range| {
        let mut counts = vec![0; buckets];
        records(range).for_each(|record| counts[bucket(&record)] += 1);
        counts
    });
    // Counts become the positions where each stretch writes its next particle of each bucket.
    let mut position = 0;
    let mut begins = Vec::with_capacity(buckets + 1);
    for bucket in 0..buckets {
        begins.push(position);
        for counts in &mut counts {
            position += std::mem::replace(&mut counts[bucket], position);
        }
    }
    begins.push(position);
    for_each(stretches.into_iter().zip(counts).collect(), threads, |(range, mut positions)| {
        for (row, record) in range.clone().zip(records(&range)) {
            let position = &mut positions[bucket(&record)];
            write(words, *position as usize, &record, row as u32);
            *position += 1;
        }
    });
    begins
}

#[inline(always)]
fn write<const D: usize>(words: &[AtomicU32], position: usize, record: &Record<D>, row: u32) {
    let words = &words[position * (D + 2)..][..D + 2];
    for k in 0..D {
        words[k].store(record.fixed[k] as u32, Relaxed);
    }
    words[D].store(record.radius.to_bits(), Relaxed);
    words[D + 1].store(row, Relaxed);
}

#[inline(always)]
fn read<const D: usize>(words: &[u32], position: usize) -> (Record<D>, u32) {
    let words = &words[position * (D + 2)..][..D + 2];
    let fixed = std::array::from_fn(|k| words[k] as i32);
    (Record { fixed, radius: f32::from_bits(words[D]) }, words[D + 1])
}

/// Makes a vector at least this long; what it holds is left open.
pub(super) fn make_room(words: &mut Vec<u32>, count: usize) {
    if words.len() < count {
        words.clear();
        words.reserve_exact(count);
        words.resize(count, 0);
    }
}

/// Sorts each bucket by the lower `bits` of the cells and copies it to the columns.
fn sort_buckets<const D: usize>(
    begins: &[u32],
    bits: u32,
    threads: usize,
    words: &[u32],
    columns: &mut SortedColumns<D>,
    cell: &(impl Fn(&Record<D>) -> u32 + Sync),
) {
    // Tasks of as many particles each; several for each thread, because a bucket may have many.
    let tasks = if threads == 1 { 1 } else { 8 * threads };
    let (buckets, count) = (begins.len() - 1, begins[begins.len() - 1] as usize);
    let mut borders: Vec<usize> = vec![0];
    borders.extend(
        (1..tasks)
            .map(|task| begins[..buckets].partition_point(|begin| *begin as usize * tasks < task * count)),
    );
    borders.push(buckets);
    let ranges: Vec<Range<usize>> =
        borders.windows(2).map(|border| border[0]..border[1]).filter(|range| !range.is_empty()).collect();
    let positions: Vec<_> =
        ranges.iter().map(|range| begins[range.start] as usize..begins[range.end] as usize).collect();
    let sort = |(range, part): (Range<usize>, ColumnsPart<'_, D>)| {
        let mut keys = Keys::default();
        let ColumnsPart { positions, fixed, radius, row } = part;
        for bucket in range {
            let begin = begins[bucket] as usize;
            let sorted = keys.sort(begins[bucket + 1] as usize - begin, bits, |index| {
                cell(&read::<D>(words, begin + index).0)
            });
            for (slot, index) in (begin - positions.start..).zip(sorted) {
                let (record, source) = read::<D>(words, begin + index);
                for k in 0..D {
                    fixed[k][slot] = record.fixed[k];
                }
                radius[slot] = record.radius;
                row[slot] = source;
            }
        }
    };
    for_each(ranges.into_iter().zip(columns.split(&positions)).collect(), threads, sort);
}

/// Cells and indices of a bucket, the cell in the upper half of the word.
#[derive(Default)]
struct Keys {
    keys: Vec<u64>,
    spare: Vec<u64>,
}

impl Keys {
    /// Indices `0..count` in the order of the lower `bits` of their cells.
    fn sort(&mut self, count: usize, bits: u32, cell: impl Fn(usize) -> u32) -> impl Iterator<Item = usize> {
        self.keys.clear();
        let mask = (1u64 << bits) - 1;
        self.keys.extend((0..count).map(|index| (u64::from(cell(index)) & mask) << 32 | index as u64));
        if count <= FEW {
            self.keys.sort_unstable();
        } else {
            self.spare.resize(count, 0);
            let passes = bits.div_ceil(DIGIT);
            let digit = bits.div_ceil(passes.max(1));
            for pass in 0..passes {
                radix_pass(&self.keys, &mut self.spare[..count], 32 + pass * digit, digit);
                std::mem::swap(&mut self.keys, &mut self.spare);
                self.keys.truncate(count);
            }
        }
        self.keys.iter().map(|key| *key as u32 as usize)
    }
}

/// Sorts by one digit.
fn radix_pass(keys: &[u64], target: &mut [u64], shift: u32, digit: u32) {
    let mut positions = [0u32; 1 << DIGIT];
    let mask = (1 << digit) - 1;
    let digit_of = |key: u64| (key >> shift) as usize & mask & ((1 << DIGIT) - 1);
    for &key in keys {
        positions[digit_of(key)] += 1;
    }
    let mut position = 0;
    for entry in &mut positions[..=mask] {
        position += std::mem::replace(entry, position);
    }
    for &key in keys {
        let position = &mut positions[digit_of(key)];
        target[*position as usize] = key;
        *position += 1;
    }
}

/// Equal stretches.
pub(super) fn stretches(count: usize, parts: usize) -> Vec<Range<usize>> {
    (0..parts).map(|part| part * count / parts..(part + 1) * count / parts).collect()
}

/// Applies a function to each item: in order on one thread, else on the current pool.
pub(super) fn map<I: Sync, O: Send>(items: &[I], threads: usize, apply: impl Fn(&I) -> O + Sync) -> Vec<O> {
    if threads == 1 { items.iter().map(apply).collect() } else { items.par_iter().map(&apply).collect() }
}

/// Runs the tasks: in order on one thread, else on the current pool.
pub(super) fn for_each<T: Send>(tasks: Vec<T>, threads: usize, run: impl Fn(T) + Sync + Send) {
    if threads == 1 { tasks.into_iter().for_each(run) } else { tasks.into_par_iter().for_each(run) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn sorts_stably_with_any_number_of_threads() {
        let mut random = Random::new(6);
        for (count, cells) in [(0, 5), (1, 1), (1000, 3), (5000, 1 << 20), (50_000, 40_000), (5000, 1 << 31)]
        {
            let keys: Vec<u32> = (0..count).map(|_| random.below(cells) as u32).collect();
            let mut expected: Vec<u32> = (0..count as u32).collect();
            expected.sort_by_key(|row| keys[*row as usize]);
            let centers: Vec<[f64; 2]> = (0..count).map(|row| [f64::from(keys[row]), row as f64]).collect();
            let radii: Vec<f64> = (1..=count).map(|row| row as f64).collect();
            let spheres = Spheres::new(&centers, &radii).unwrap();
            for threads in [1, 2, 3, 8] {
                let (mut words, mut columns) = (Vec::new(), SortedColumns::<2>::default());
                let record = |center: &[f64; 2], radius: f64| Record {
                    fixed: center.map(|x| x as u32 as i32),
                    radius: radius as f32,
                };
                let cell = |record: &Record<2>| record.fixed[0] as u32;
                sort(spheres, cells as u64, threads, &mut words, &mut columns, record, cell);
                assert_eq!(columns.row[..count], expected);
                for (position, &row) in expected.iter().enumerate() {
                    assert_eq!(columns.fixed[0][position] as u32, keys[row as usize]);
                    assert_eq!(columns.fixed[1][position] as u32, row);
                    assert_eq!(columns.radius[position], row as f32 + 1.0);
                }
            }
        }
    }
}
