//! Where each cell begins among the sorted particles.

use super::order::Order;
use crate::tune::rows::DENSE;

/// Cells per particle up to which each has a bit of its own.
const RANKED: u64 = 96;

/// The position of the first particle of each cell.
///
/// With few cells per particle each has an entry of its own. With many, only those with particles have one, and a bit for
/// each cell says which they are: the rank of the bit is the number of the entry. Where cells are so many that the bits
/// would take more memory than the particles, a bit stands for 2^shift cells in a row, and the cell is found
/// among their particles by bisection.
#[derive(Debug, Default)]
pub(super) struct Table {
    starts: Vec<u32>,
    groups: Vec<Group>,
    shift: u32,
}

/// 64 bits and the rank of the first of them.
#[derive(Debug, Clone, Copy, Default)]
struct Group {
    bits: [u32; 2],
    rank: u32,
}

impl Table {
    /// Whether each cell has an entry of its own.
    pub(super) fn is_dense(&self) -> bool {
        self.groups.is_empty()
    }

    pub(super) fn fill(&mut self, order: &Order, cells: u64, _threads: usize) {
        let count = order.len();
        self.shift = 0;
        self.groups.clear();
        self.starts.clear();
        if cells <= (DENSE as u64 * count as u64).max(64) {
            let entries = cells as usize + 3;
            self.starts.resize(entries, 0);
            for position in 0..count {
                self.starts[order.cell(position) as usize + 1] = position as u32 + 1;
            }
            let mut start = 0;
            for entry in &mut self.starts {
                start = start.max(*entry);
                *entry = start;
            }
            return;
        }
        while cells >> self.shift > RANKED * count as u64 {
            self.shift += 1;
        }
        self.groups.resize(((cells >> self.shift) as usize + 3) / 64 + 1, Group::default());
        self.starts.resize(count + 1, 0);
        let mut rank = 0;
        let mut last = u32::MAX;
        for position in 0..count {
            let chunk = order.cell(position) >> self.shift;
            self.groups[chunk as usize / 64].bits[chunk as usize / 32 % 2] |= 1 << (chunk % 32);
            // The entry of the next chunk is written until there is one.
            self.starts[rank] = position as u32;
            rank += usize::from(chunk != last);
            last = chunk;
        }
        self.starts[rank] = count as u32;
        let mut rank = 0;
        for group in &mut self.groups {
            group.rank = rank;
            rank += group.bits[0].count_ones() + group.bits[1].count_ones();
        }
    }

    /// The position of the first particle in this cell or a later one.
    #[inline(always)]
    pub(super) fn start<const DENSE: bool>(&self, order: &Order, cell: u32) -> usize {
        if DENSE {
            return self.starts[cell as usize] as usize;
        }
        let chunk = cell >> self.shift;
        let low = self.ranked(chunk);
        if self.shift == 0 {
            return low;
        }
        let (mut low, mut high) = (low, self.ranked(chunk + 1));
        while low < high {
            let middle = low.midpoint(high);
            if order.cell(middle) < cell { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// As [`Table::start`], whichever the table is.
    pub(super) fn any_start(&self, order: &Order, cell: u32) -> usize {
        if self.is_dense() { self.start::<true>(order, cell) } else { self.start::<false>(order, cell) }
    }

    #[inline(always)]
    fn ranked(&self, chunk: u32) -> usize {
        let Group { bits, rank } = self.groups[chunk as usize / 64];
        let bits = u64::from(bits[0]) | u64::from(bits[1]) << 32;
        let before = bits & !(u64::MAX << (chunk % 64));
        self.starts[(rank + before.count_ones()) as usize] as usize
    }

    pub(super) fn bytes(&self) -> usize {
        self.starts.capacity() * size_of::<u32>() + self.groups.capacity() * size_of::<Group>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn finds_the_first_particle_of_every_cell() {
        let mut random = Random::new(9);
        for (count, cells) in [(0, 10), (100, 50), (100, 299), (100, 5000), (100, 100_000)] {
            let mut keys: Vec<u32> = (0..count).map(|_| random.below(cells) as u32).collect();
            let mut order = Order::default();
            order.sort(count, cells as u64, 1, |row| keys[row]);
            keys.sort_unstable();
            let mut table = Table::default();
            for threads in [1, 3] {
                table.fill(&order, cells as u64, threads);
                for cell in 0..cells as u32 + 2 {
                    let expected = keys.partition_point(|key| *key < cell);
                    assert_eq!(table.any_start(&order, cell), expected);
                }
            }
        }
    }
}
