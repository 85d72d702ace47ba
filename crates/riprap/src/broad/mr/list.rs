//! Doubly linked closed lists of particles.

/// Lists over the rows `0..n`, each closed through a list head of its own.
///
/// The heads have the indices `n`, `n + 1`, ...; each row is in one list at most.
#[derive(Debug, Clone, Default)]
pub(in crate::broad) struct List {
    next: Vec<u32>,
    previous: Vec<u32>,
    rows: usize,
}

impl List {
    /// Puts all rows in order into the first of so many lists.
    pub(in crate::broad) fn reset(&mut self, rows: usize, heads: usize) {
        self.rows = rows;
        for links in [&mut self.next, &mut self.previous] {
            links.clear();
            links.reserve_exact(rows + heads);
        }
        let head = rows as u32;
        self.next.extend((1..=head).chain([0]));
        self.previous.extend([head].into_iter().chain(0..head));
        for head in rows + 1..rows + heads {
            self.next.push(head as u32);
            self.previous.push(head as u32);
        }
    }

    /// Number of rows.
    pub(in crate::broad) fn len(&self) -> usize {
        self.rows
    }

    /// The head of one of the lists.
    pub(in crate::broad) fn head(&self, list: usize) -> u32 {
        u32::try_from(self.rows + list).expect("a number for each list head")
    }

    /// The row (or head) after this one.
    #[inline(always)]
    pub(in crate::broad) fn next(&self, row: u32) -> u32 {
        self.next[row as usize]
    }

    /// The row (or head) before this one.
    #[inline(always)]
    pub(in crate::broad) fn previous(&self, row: u32) -> u32 {
        self.previous[row as usize]
    }

    /// Makes `after` follow `before`.
    #[inline(always)]
    pub(in crate::broad) fn join(&mut self, before: u32, after: u32) {
        self.next[before as usize] = after;
        self.previous[after as usize] = before;
    }

    /// Takes a row from where it is and puts it behind another one, of any list.
    pub(in crate::broad) fn move_behind(&mut self, before: u32, row: u32) {
        self.join(self.previous(row), self.next(row));
        let after = self.next(before);
        self.join(before, row);
        self.join(row, after);
    }

    /// The rows of one list, in order.
    pub(in crate::broad) fn rows(&self, head: u32) -> impl Iterator<Item = u32> {
        let mut row = head;
        std::iter::from_fn(move || {
            row = self.next(row);
            (row != head).then_some(row)
        })
    }

    /// Bytes reserved.
    pub(in crate::broad) fn bytes(&self) -> usize {
        (self.next.capacity() + self.previous.capacity()) * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_closed_both_ways() {
        let mut list = List::default();
        for rows in [0, 1, 5] {
            list.reset(rows, 2);
            let head = list.head(0);
            assert!(list.rows(head).eq(0..rows as u32));
            assert_eq!(list.rows(list.head(1)).count(), 0);
            for row in list.rows(head).chain([head]) {
                assert_eq!(list.previous(list.next(row)), row);
            }
        }
        list.move_behind(list.head(1), 3);
        list.move_behind(list.head(0), 4);
        assert!(list.rows(list.head(0)).eq([4, 0, 1, 2]));
        assert!(list.rows(list.head(1)).eq([3]));
    }
}
