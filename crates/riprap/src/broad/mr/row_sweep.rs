//! The MR linear search, section 5 of the paper.
//!
//! Contactors and targets are lists sorted by place. Around each contactor the neighbouring cells form rows that
//! are contiguous in the list of targets. As the contactor advances, begin and end of each row advance too and
//! never go back, so the pointers of one row walk through the targets once.

use super::{CellPlace, List, Places};
use crate::broad::{Tally, cells};

/// Visits every contactor with every target in its own or a neighbouring cell.
///
/// When both lists are the same one, each two particles meet once: the contactor's own row starts behind it, and of
/// the other rows only those ahead count, 4 in 3D and 1 in 2D. Otherwise all 9 (3) rows count.
pub(in crate::broad) fn sweep<const D: usize, T: Tally>(
    list: &List,
    contactors: u32,
    targets: u32,
    places: &impl Places<D>,
    tally: &mut T,
    mut visit: impl FnMut(u32, u32, &mut T),
) {
    let same = contactors == targets;
    let rows = if same { rows_ahead::<D>() } else { all_rows::<D>() };
    let mut storage = [(list.next(targets), list.next(targets)); 9];
    let pointers = &mut storage[..rows.len()];
    let mut last = None;
    let mut i = list.next(contactors);
    while i != contactors {
        let place = places.of(i);
        tally.cells(rows.len());
        if same {
            tally.cells(1);
            let end = row_end(place);
            let mut j = list.next(i);
            while j != targets && places.of(j) <= end {
                visit(i, j, tally);
                j = list.next(j);
            }
        }
        if last != Some(place) {
            last = Some(place);
            for (row, (begin, end)) in rows.iter().zip(pointers.iter_mut()) {
                let center: CellPlace<D> = std::array::from_fn(|k| place[k] + row[k]);
                let (first, last) = (row_begin(center), row_end(center));
                while *begin != targets && places.of(*begin) < first {
                    *begin = list.next(*begin);
                }
                while *end != targets && places.of(*end) <= last {
                    *end = list.next(*end);
                }
            }
        }
        for &(begin, end) in &*pointers {
            let mut j = begin;
            while j != end {
                visit(i, j, tally);
                j = list.next(j);
            }
        }
        i = list.next(i);
    }
}

/// The first of the three cells around this one in its row.
pub(super) fn row_begin<const D: usize>(mut place: CellPlace<D>) -> CellPlace<D> {
    place[D - 1] -= 1;
    place
}

/// The last of the three cells around this one in its row.
pub(super) fn row_end<const D: usize>(mut place: CellPlace<D>) -> CellPlace<D> {
    place[D - 1] += 1;
    place
}

/// Offsets of the rows around a cell, in order.
fn all_rows<const D: usize>() -> Vec<CellPlace<D>> {
    let mut reach = [1; D];
    reach[0] = 0;
    let mut rows = cells::offsets::<D>(reach);
    rows.iter_mut().for_each(|row| row.reverse());
    rows
}

/// Offsets of the rows that come later than a cell's own.
pub(super) fn rows_ahead<const D: usize>() -> Vec<CellPlace<D>> {
    all_rows().into_iter().filter(|row| *row > [0; D]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contact_mask_has_the_papers_rows() {
        assert_eq!(rows_ahead::<2>(), [[1, 0]]);
        assert_eq!(rows_ahead::<3>(), [[0, 1, 0], [1, -1, 0], [1, 0, 0], [1, 1, 0]]);
        assert_eq!(all_rows::<3>().len(), 9);
    }
}
