//! Quick sort of a linked list, section 3 of the paper.
//!
//! The pivot is the middle *cell* between the least and the greatest one (eqs 8 to 14), so each step halves the
//! number of cells in between: there is no bad input, and at most 93 steps lead from 2^93 cells to one.

use super::{CellPlace, List, Places};

/// Least and greatest place of a stretch of the list.
type Range<const D: usize> = Option<(CellPlace<D>, CellPlace<D>)>;

/// Sorts one list by place; particles of the same cell keep their order.
pub(in crate::broad) fn quick_sort<const D: usize>(list: &mut List, head: u32, places: &impl Places<D>) {
    let (mut range, mut low, mut high) = (None, [i32::MAX; D], [i32::MIN; D]);
    for row in list.rows(head) {
        let place = places.of(row);
        extend(&mut range, place);
        for k in 0..D {
            low[k] = low[k].min(place[k]);
            high[k] = high[k].max(place[k]);
        }
    }
    let bounds =
        Bounds { low, counts: std::array::from_fn(|k| (i64::from(high[k]) - i64::from(low[k]) + 1) as u64) };
    sort_between(list, head, head, range, &bounds, places);
}

/// Sorts what lies between two members of the list, both exclusive.
fn sort_between<const D: usize>(
    list: &mut List,
    before: u32,
    after: u32,
    range: Range<D>,
    bounds: &Bounds<D>,
    places: &impl Places<D>,
) {
    let Some((least, greatest)) = range else { return };
    if least == greatest {
        return;
    }
    let pivot = bounds.middle(least, greatest);
    // Both parts are chained up in one pass; `before` stays in front of the lower one.
    let (mut lower_end, mut lower_range) = (before, None);
    let (mut upper_begin, mut upper_end, mut upper_range) = (None, before, None);
    let mut row = list.next(before);
    while row != after {
        let following = list.next(row);
        let place = places.of(row);
        if place <= pivot {
            extend(&mut lower_range, place);
            list.join(lower_end, row);
            lower_end = row;
        } else {
            extend(&mut upper_range, place);
            if upper_begin.is_none() {
                upper_begin = Some(row);
            } else {
                list.join(upper_end, row);
            }
            upper_end = row;
        }
        row = following;
    }
    let upper_begin = upper_begin.expect("the greatest place is above the pivot");
    list.join(lower_end, upper_begin);
    list.join(upper_end, after);
    sort_between(list, before, upper_begin, lower_range, bounds, places);
    sort_between(list, lower_end, after, upper_range, bounds, places);
}

fn extend<const D: usize>(range: &mut Range<D>, place: CellPlace<D>) {
    *range = Some(match *range {
        None => (place, place),
        Some((least, greatest)) => (least.min(place), greatest.max(place)),
    });
}

/// The corner of all places and the number of cells along each axis.
struct Bounds<const D: usize> {
    low: CellPlace<D>,
    counts: [u64; D],
}

impl<const D: usize> Bounds<D> {
    /// The cell halfway between two cells in (z, y, x) order: both are read as numbers of `D` digits, the digit
    /// of an axis having the number of cells as its base, added digit by digit with carry (eq. 13) and halved
    /// from the top (eq. 14).
    fn middle(&self, least: CellPlace<D>, greatest: CellPlace<D>) -> CellPlace<D> {
        let mut sum = [0; D];
        let mut carry = 0;
        for k in (0..D).rev() {
            let digits = [least, greatest].map(|place| (i64::from(place[k]) - i64::from(self.low[k])) as u64);
            sum[k] = digits[0] + digits[1] + carry;
            if k > 0 {
                carry = sum[k] / self.counts[k];
                sum[k] %= self.counts[k];
            }
        }
        let mut remainder = 0;
        std::array::from_fn(|k| {
            let digit = sum[k] + if k > 0 { remainder * self.counts[k] } else { 0 };
            remainder = digit % 2;
            (i64::from(self.low[k]) + (digit / 2) as i64) as i32
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::StoredPlaces;
    use super::*;
    use crate::Random;

    /// Figure 7 of the paper: 5 cells in x, 6 in y, from (z 0, y 2, x 2) to (z 3, y 2, x 1).
    #[test]
    fn middle_cell_of_the_papers_example() {
        let bounds = Bounds { low: [0; 3], counts: [4, 6, 5] };
        assert_eq!(bounds.middle([0, 2, 2], [3, 2, 1]), [1, 5, 1]);
        let shifted = Bounds { low: [-7, -8, -9], counts: [4, 6, 5] };
        assert_eq!(shifted.middle([-7, -6, -7], [-4, -6, -8]), [-6, -3, -8]);
    }

    #[test]
    fn middle_cell_halves_the_cells_in_between() {
        let counts = [7u64, 4, 5];
        let bounds = Bounds { low: [0; 3], counts };
        let number = |place: CellPlace<3>| {
            (place[0] as u64 * counts[1] + place[1] as u64) * counts[2] + place[2] as u64
        };
        let place = |n: u64| [(n / 20) as i32, (n / 5 % 4) as i32, (n % 5) as i32];
        for least in 0..140 {
            for greatest in least..140 {
                assert_eq!(number(bounds.middle(place(least), place(greatest))), (least + greatest) / 2);
            }
        }
    }

    #[test]
    fn sorts_stably() {
        let mut random = Random::new(3);
        for rows in [0usize, 1, 2, 100, 1000] {
            let places: Vec<CellPlace<2>> =
                (0..rows).map(|_| [random.below(9) as i32 - 4, random.below(7) as i32]).collect();
            let mut list = List::default();
            list.reset(rows, 1);
            quick_sort(&mut list, rows as u32, &StoredPlaces(&places));
            let mut expected: Vec<u32> = (0..rows as u32).collect();
            expected.sort_by_key(|row| places[*row as usize]);
            assert!(list.rows(rows as u32).eq(expected));
        }
    }
}
