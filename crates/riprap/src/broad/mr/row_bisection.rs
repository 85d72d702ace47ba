//! The baseline of the paper: rows found by bisection.
//!
//! As [`super::row_sweep`] within one list, but begin and end of each row are looked up among all particles, which
//! costs O(log n) each and an array of the list's order.

use super::row_sweep::{row_begin, row_end, rows_ahead};
use super::{CellPlace, List, Places};
use crate::broad::Tally;

/// Visits each two particles in the same or neighbouring cells once; `order` is scratch.
pub(super) fn visit<const D: usize, T: Tally>(
    list: &List,
    order: &mut Vec<u32>,
    places: &impl Places<D>,
    tally: &mut T,
    mut visit: impl FnMut(u32, u32, &mut T),
) {
    order.clear();
    order.reserve_exact(list.len());
    order.extend(list.rows(list.head(0)));
    let rows = rows_ahead::<D>();
    for (position, &i) in order.iter().enumerate() {
        let place = places.of(i);
        tally.cells(rows.len() + 1);
        let later = &order[position + 1..];
        let mut visit_row = |begin: usize, last: CellPlace<D>| {
            let row = &later[begin..];
            for &j in &row[..row.partition_point(|&j| places.of(j) <= last)] {
                visit(i, j, tally);
            }
        };
        visit_row(0, row_end(place));
        for row in &rows {
            let center: CellPlace<D> = std::array::from_fn(|k| place[k] + row[k]);
            let first = row_begin(center);
            visit_row(later.partition_point(|&j| places.of(j) < first), row_end(center));
        }
    }
}
