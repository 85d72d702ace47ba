//! Sorting by cell.
//!
//! Each particle becomes one word, its cell above its row, and the words are sorted by cell with a radix sort that
//! starts at the lowest digit: stable, so particles of a cell keep the order of their rows, and every pass reads and
//! writes forward. Threads take equal stretches of the words and write to places of their own.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

/// Bits per digit: two passes for a million cells, and the write positions of a pass fit the first-level cache.
const DIGIT: u32 = 11;

/// Words of cell and row, sorted by cell.
#[derive(Debug, Default)]
pub(super) struct Order {
    words: Vec<AtomicU64>,
    spare: Vec<AtomicU64>,
}

/// The cell of a word.
#[inline(always)]
pub(super) fn cell_of(word: u64) -> u32 {
    (word >> 32) as u32
}

impl Order {
    /// Sorts `0..count` by the cell that `cell` gives for each, all below `cells`.
    pub(super) fn sort(
        &mut self,
        count: usize,
        cells: u64,
        threads: usize,
        cell: impl Fn(usize) -> u32 + Sync,
    ) {
        for words in [&mut self.words, &mut self.spare] {
            words.resize_with(count, AtomicU64::default);
        }
        let stretches = stretches(count, threads);
        let sorted: Vec<bool> = map(&stretches, threads, |range| {
            let mut greatest = 0;
            let mut sorted = true;
            for row in range.clone() {
                let cell = cell(row);
                sorted &= cell >= greatest;
                greatest = cell;
                self.words[row].store(u64::from(cell) << 32 | row as u64, Relaxed);
            }
            sorted
        });
        let borders = stretches
            .iter()
            .filter(|range| range.start > 0 && !range.is_empty())
            .all(|range| cell_of(self.word(range.start)) >= cell_of(self.word(range.start - 1)));
        if sorted.iter().all(|sorted| *sorted) && borders {
            return;
        }
        let bits = 64 - cells.leading_zeros();
        let passes = bits.div_ceil(DIGIT);
        let digit = bits.div_ceil(passes);
        for pass in 0..passes {
            self.pass(&stretches, 32 + pass * digit, digit, threads);
            std::mem::swap(&mut self.words, &mut self.spare);
        }
    }

    /// Sorts by one digit.
    fn pass(&self, stretches: &[Range<usize>], shift: u32, digit: u32, threads: usize) {
        let buckets = 1usize << digit;
        let bucket = |word: u64| (word >> shift) as usize & (buckets - 1);
        let counts: Vec<Vec<u32>> = map(stretches, threads, |range| {
            let mut counts = vec![0u32; buckets];
            for word in &self.words[range.clone()] {
                counts[bucket(word.load(Relaxed))] += 1;
            }
            counts
        });
        // Where each stretch writes its first word of each bucket.
        let mut position = 0;
        let mut positions = vec![vec![0u32; buckets]; stretches.len()];
        for bucket in 0..buckets {
            for (positions, counts) in positions.iter_mut().zip(&counts) {
                positions[bucket] = position;
                position += counts[bucket];
            }
        }
        let tasks: Vec<_> = stretches.iter().cloned().zip(positions).collect();
        map(&tasks, threads, |(range, positions)| {
            let mut positions = positions.clone();
            for word in &self.words[range.clone()] {
                let word = word.load(Relaxed);
                let position = &mut positions[bucket(word)];
                self.spare[*position as usize].store(word, Relaxed);
                *position += 1;
            }
        });
    }

    /// Number of particles.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The word at a position.
    #[inline(always)]
    pub(super) fn word(&self, position: usize) -> u64 {
        self.words[position].load(Relaxed)
    }

    /// The row at a position.
    #[inline(always)]
    pub(super) fn row(&self, position: usize) -> u32 {
        self.word(position) as u32
    }

    /// The cell at a position.
    #[inline(always)]
    pub(super) fn cell(&self, position: usize) -> u32 {
        cell_of(self.word(position))
    }

    pub(super) fn bytes(&self) -> usize {
        (self.words.capacity() + self.spare.capacity()) * size_of::<u64>()
    }
}

/// Equal stretches, one per thread.
pub(super) fn stretches(count: usize, parts: usize) -> Vec<Range<usize>> {
    (0..parts).map(|part| part * count / parts..(part + 1) * count / parts).collect()
}

/// Applies a function to each item: in order on one thread, else on the current pool.
pub(crate) fn map<I: Sync, O: Send>(items: &[I], threads: usize, apply: impl Fn(&I) -> O + Sync) -> Vec<O> {
    if threads == 1 { items.iter().map(apply).collect() } else { items.par_iter().map(&apply).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn sorts_stably_with_any_number_of_threads() {
        let mut random = Random::new(6);
        for (count, cells) in [(0, 5), (1, 1), (1000, 3), (5000, 1 << 20), (5000, 1 << 31)] {
            let keys: Vec<u32> = (0..count).map(|_| random.below(cells) as u32).collect();
            let mut expected: Vec<u32> = (0..count as u32).collect();
            expected.sort_by_key(|row| keys[*row as usize]);
            for threads in [1, 2, 3, 8] {
                let mut order = Order::default();
                order.sort(count, cells as u64, threads, |row| keys[row]);
                assert!((0..count).map(|position| order.row(position)).eq(expected.iter().copied()));
                // Sorted input takes the short way.
                order.sort(count, cells as u64, threads, |row| keys[expected[row] as usize]);
                assert!((0..count).map(|position| order.row(position)).eq(0..count as u32));
            }
        }
    }
}
