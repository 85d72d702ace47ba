//! Where each cell begins among the sorted particles.

use std::ops::Range;

use rayon::prelude::*;

use super::order::{Order, stretches};
use crate::tune::rows::DENSE;

/// The position of the first particle of each cell, or of each group of 2^shift cells where there are many more cells
/// than particles. Within a group the cell is found by bisection, so memory is O(n) whatever the volume.
#[derive(Debug, Default)]
pub(super) struct Table {
    starts: Vec<u32>,
    shift: u32,
}

impl Table {
    /// Whether each cell has an entry of its own.
    pub(super) fn is_dense(&self) -> bool {
        self.shift == 0
    }

    pub(super) fn fill(&mut self, order: &Order, cells: u64, threads: usize) {
        let most = (DENSE as u64 * order.len() as u64).max(64);
        self.shift = 0;
        while cells >> self.shift > most {
            self.shift += 1;
        }
        let entries = (cells >> self.shift) as usize + 3;
        self.starts.clear();
        self.starts.reserve_exact(entries);
        self.starts.resize(entries, order.len() as u32);
        // Each stretch of particles fills the entries behind those of the last one, up to its own last cell.
        let entry = |position: usize| (order.cell(position) >> self.shift) as usize;
        let mut rest = &mut self.starts[..];
        let mut filled = 0;
        let mut parts = Vec::new();
        for range in stretches(order.len(), threads).into_iter().filter(|range| !range.is_empty()) {
            let end = entry(range.end - 1) + 1;
            let (part, behind) = rest.split_at_mut(end - filled);
            parts.push((range, filled, part));
            (rest, filled) = (behind, end);
        }
        let fill = |(range, first, part): (Range<usize>, usize, &mut [u32])| {
            let mut next = first;
            for position in range {
                let entry = entry(position);
                while next <= entry {
                    part[next - first] = position as u32;
                    next += 1;
                }
            }
        };
        if threads == 1 { parts.into_iter().for_each(fill) } else { parts.into_par_iter().for_each(fill) }
    }

    /// The position of the first particle in this cell or a later one.
    #[inline(always)]
    pub(super) fn start<const DENSE: bool>(&self, order: &Order, cell: u32) -> usize {
        if DENSE {
            return self.starts[cell as usize] as usize;
        }
        let entry = (cell >> self.shift) as usize;
        let (mut low, mut high) = (self.starts[entry] as usize, self.starts[entry + 1] as usize);
        while low < high {
            let middle = low.midpoint(high);
            if order.cell(middle) < cell { low = middle + 1 } else { high = middle }
        }
        low
    }

    pub(super) fn bytes(&self) -> usize {
        self.starts.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn finds_the_first_particle_of_every_cell() {
        let mut random = Random::new(9);
        for (count, cells) in [(0, 10), (100, 50), (100, 299), (100, 100_000)] {
            let mut keys: Vec<u32> = (0..count).map(|_| random.below(cells) as u32).collect();
            let mut order = Order::default();
            order.sort(count, cells as u64, 1, |row| keys[row]);
            keys.sort_unstable();
            let mut table = Table::default();
            for threads in [1, 3] {
                table.fill(&order, cells as u64, threads);
                for cell in 0..cells as u32 + 2 {
                    let expected = keys.partition_point(|key| *key < cell);
                    assert_eq!(table.start::<false>(&order, cell), expected);
                    if table.is_dense() {
                        assert_eq!(table.start::<true>(&order, cell), expected);
                    }
                }
            }
        }
    }
}
