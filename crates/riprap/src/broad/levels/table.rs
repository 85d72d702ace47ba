//! Where each cell begins among the sorted particles.

use std::ops::Range;

use super::sort::{for_each, make_room, stretches};
use crate::broad::bytes_of;

/// Cells per particle up to which each has an entry of its own.
const DENSE: u64 = 5;

/// Cells per particle up to which each has a bit of its own.
const RANKED: u64 = 96;

/// Words of a group: 64 bits, and the rank of the first of them.
const GROUP: usize = 3;

/// The position of the first particle of each cell.
///
/// With few cells per particle each has an entry of its own. With many, only those with particles have one, and a bit for
/// each cell says which they are: the rank of the bit is the number of the entry. Where cells are so many that the bits
/// would take more memory than the particles, a bit stands for 2^shift cells in a row, and the cell is found
/// among their particles by bisection.
#[derive(Debug, Default)]
pub(super) struct CellTable {
    /// Entries, then groups of bits.
    words: Vec<u32>,
    /// Where the groups begin; there are none in a dense table.
    groups: usize,
    shift: u32,
}

impl CellTable {
    /// Whether each cell has an entry of its own.
    pub(super) fn is_dense(&self) -> bool {
        self.groups == 0
    }

    /// The table's memory, free for another use until it is filled again.
    pub(super) fn words(&mut self) -> &mut Vec<u32> {
        &mut self.words
    }

    /// Fills the table for so many sorted particles, of which `cell_at` gives the cells.
    pub(super) fn fill(
        &mut self,
        count: usize,
        cells: u64,
        threads: usize,
        cell_at: impl Fn(usize) -> u32 + Sync,
    ) {
        self.shift = 0;
        if cells <= (DENSE * count as u64).max(64) {
            self.groups = 0;
            self.fill_dense(count, cells as usize + 3, threads, cell_at);
        } else {
            while cells >> self.shift > RANKED * (count as u64).max(1) {
                self.shift += 1;
            }
            self.groups = count + 1;
            // A bit after the last one is asked for, too.
            self.fill_ranked(count, ((cells >> self.shift) as usize + 1) / 64 + 1, threads, cell_at);
        }
    }

    fn fill_dense(
        &mut self,
        count: usize,
        entries: usize,
        threads: usize,
        cell_at: impl Fn(usize) -> u32 + Sync,
    ) {
        make_room(&mut self.words, entries);
        // The particles of a cell set the entry of the next; each part ends with the last entry its particles set.
        let parts = parts(count, entries, threads, |position| cell_at(position) as usize + 1);
        let starts = split(&mut self.words, &parts, |part| part.entries.len());
        let fill = |(part, starts): (&TablePart, &mut [u32])| {
            starts.fill(0);
            for position in part.positions.clone() {
                starts[cell_at(position) as usize + 1 - part.entries.start] = position as u32 + 1;
            }
            let mut start = part.positions.start as u32;
            for entry in starts {
                start = start.max(*entry);
                *entry = start;
            }
        };
        for_each(parts.iter().zip(starts).collect(), threads, fill);
    }

    fn fill_ranked(
        &mut self,
        count: usize,
        groups: usize,
        threads: usize,
        cell_at: impl Fn(usize) -> u32 + Sync,
    ) {
        make_room(&mut self.words, self.groups + groups * GROUP);
        let bit_at = |position: usize| (cell_at(position) >> self.shift) as usize;
        // Each part numbers its entries from its first position on, where there is room for all that it may have.
        let parts = parts(count, groups, threads, |position| bit_at(position) / 64);
        let (starts, groups) = self.words.split_at_mut(self.groups);
        starts[count] = count as u32;
        let starts = split(starts, &parts, |part| part.positions.len());
        let groups = split(groups, &parts, |part| part.entries.len() * GROUP);
        let fill = |(part, (starts, groups)): (&TablePart, (&mut [u32], &mut [u32]))| {
            groups.fill(0);
            let (mut rank, mut last) = (0, usize::MAX);
            for position in part.positions.clone() {
                let bit = bit_at(position) - part.entries.start * 64;
                groups[bit / 64 * GROUP + bit / 32 % 2] |= 1 << (bit % 32);
                // The entry of the next bit is written until there is one.
                starts[rank] = position as u32;
                rank += usize::from(bit != last);
                last = bit;
            }
            if let Some(next) = starts.get_mut(rank) {
                *next = part.positions.end as u32;
            }
            let mut rank = part.positions.start as u32;
            for group in groups.chunks_exact_mut(GROUP) {
                group[2] = rank;
                rank += group[0].count_ones() + group[1].count_ones();
            }
        };
        for_each(parts.iter().zip(starts.into_iter().zip(groups)).collect(), threads, fill);
    }

    /// The position of the first particle in this cell or a later one.
    #[inline(always)]
    pub(super) fn start<const DENSE: bool>(&self, cell: u32, cell_at: impl Fn(usize) -> u32) -> usize {
        if DENSE {
            return self.words[cell as usize] as usize;
        }
        let bit = cell >> self.shift;
        let mut low = self.ranked(bit);
        if self.shift == 0 {
            return low;
        }
        let mut high = self.ranked(bit + 1);
        while low < high {
            let middle = low.midpoint(high);
            if cell_at(middle) < cell { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// As [`CellTable::start`], whichever the table is.
    pub(super) fn any_start(&self, cell: u32, cell_at: impl Fn(usize) -> u32) -> usize {
        if self.is_dense() { self.start::<true>(cell, cell_at) } else { self.start::<false>(cell, cell_at) }
    }

    #[inline(always)]
    fn ranked(&self, bit: u32) -> usize {
        let group = &self.words[self.groups + bit as usize / 64 * GROUP..][..GROUP];
        let bits = u64::from(group[0]) | u64::from(group[1]) << 32;
        let before = bits & !(u64::MAX << (bit % 64));
        self.words[(group[2] + before.count_ones()) as usize] as usize
    }

    pub(super) fn bytes(&self) -> usize {
        bytes_of(&self.words)
    }
}

/// Positions, and the entries that their particles fill.
struct TablePart {
    positions: Range<usize>,
    entries: Range<usize>,
}

/// Cuts the positions into parts that share no entry, and the entries between them.
fn parts(count: usize, entries: usize, threads: usize, entry_at: impl Fn(usize) -> usize) -> Vec<TablePart> {
    let mut parts: Vec<TablePart> = Vec::new();
    let (mut position, mut entry) = (0, 0);
    for range in stretches(count, threads) {
        let mut end = range.end.max(position);
        while end > position && end < count && entry_at(end) == entry_at(end - 1) {
            end += 1;
        }
        let last = if end == count {
            entries
        } else if end > position {
            entry_at(end - 1) + 1
        } else {
            entry
        };
        parts.push(TablePart { positions: position..end, entries: entry..last });
        (position, entry) = (end, last);
    }
    parts
}

/// Cuts the words into one piece for each part.
fn split<'a>(
    mut words: &'a mut [u32],
    parts: &[TablePart],
    length: impl Fn(&TablePart) -> usize,
) -> Vec<&'a mut [u32]> {
    parts
        .iter()
        .map(|part| {
            let (piece, rest) = std::mem::take(&mut words).split_at_mut(length(part));
            words = rest;
            piece
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn finds_the_first_particle_of_every_cell() {
        let mut random = Random::new(9);
        for (count, cells) in
            [(0, 10), (0, 1000), (100, 50), (100, 299), (100, 5000), (3, 1000), (100, 100_000)]
        {
            let mut cell_at: Vec<u32> = (0..count).map(|_| random.below(cells) as u32).collect();
            cell_at.sort_unstable();
            let mut table = CellTable::default();
            for threads in [1, 2, 3, 8] {
                table.fill(count, cells as u64, threads, |position| cell_at[position]);
                for cell in 0..=cells as u32 {
                    let expected = cell_at.partition_point(|other| *other < cell);
                    assert_eq!(table.any_start(cell, |position| cell_at[position]), expected);
                }
            }
        }
    }
}
