//! The MR linear sort, section 4 of the paper.
//!
//! The list is sorted by the cells of the last call and nobody has moved more than one cell since. Walk along it;
//! a particle that is smaller than the one before it goes back into the sorted part, behind the last particle that
//! is not greater. For the particles that moved by the same offset these positions never go back, so one pointer per
//! offset, 27 in 3D and 9 in 2D, finds all of them by moving forward only.
//!
//! The paper ties each pointer to one offset, which needs the particle's last cell. Here a particle takes the
//! pointer nearest to its position among those at or before it. That never moves the pointers further in all:
//! where it takes the pointer of another offset, that offset finds one further back, left behind where the
//! first one would have started. Last cells need not be kept, and a particle that moved too far betrays itself:
//! when all pointers stand beyond its position, somebody moved more than one cell.

use super::{CellPlace, List, Places};

/// Somebody moved more than one cell; the list holds everybody but is not sorted.
#[derive(Debug, PartialEq)]
pub(super) struct Incoherent;

/// A pointer into the sorted part; `None` for one that still stands at the list head.
type Pointer<const D: usize> = Option<(CellPlace<D>, u32)>;

/// Sorts the first list by place, in linear time if nobody moved more than one cell.
pub(super) fn linear_sort<const D: usize>(
    list: &mut List,
    places: &impl Places<D>,
) -> Result<(), Incoherent> {
    let head = list.head(0);
    let mut storage = [None; 27];
    let pointers: &mut [Pointer<D>] = &mut storage[..3usize.pow(D as u32)];
    let mut last = list.next(head);
    if last == head {
        return Ok(());
    }
    let mut greatest = places.of(last);
    loop {
        let row = list.next(last);
        if row == head {
            return Ok(());
        }
        let place = places.of(row);
        if place >= greatest {
            (last, greatest) = (row, place);
            continue;
        }
        let at_or_before = |pointer: &&mut Pointer<D>| pointer.is_none_or(|(position, _)| position <= place);
        let pointer = pointers.iter_mut().filter(at_or_before).max().ok_or(Incoherent)?;
        // The walk ends at `last` at the latest, which is greater.
        let mut before = pointer.map_or(head, |(_, row)| row);
        while places.of(list.next(before)) <= place {
            before = list.next(before);
        }
        list.move_behind(before, row);
        *pointer = Some((place, row));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{StoredPlaces, quick_sort};
    use super::*;
    use crate::Random;

    /// A list sorted by `places`.
    fn sorted_list<const D: usize>(places: &[CellPlace<D>]) -> List {
        let mut list = List::default();
        list.reset(places.len(), 1);
        quick_sort(&mut list, places.len() as u32, &StoredPlaces(places));
        list
    }

    fn is_sorted<const D: usize>(list: &List, places: &[CellPlace<D>]) -> bool {
        let rows: Vec<_> = list.rows(list.head(0)).collect();
        let mut unique = rows.clone();
        unique.sort_unstable();
        unique.iter().copied().eq(0..places.len() as u32)
            && rows.is_sorted_by_key(|row| places[*row as usize])
    }

    fn coherent_steps<const D: usize>(cells: usize, particles: usize) {
        let mut random = Random::new(7);
        let mut places: Vec<CellPlace<D>> =
            (0..particles).map(|_| std::array::from_fn(|_| random.below(cells) as i32)).collect();
        let mut list = sorted_list(&places);
        for _ in 0..200 {
            for coordinate in places.iter_mut().flatten() {
                *coordinate += random.below(3) as i32 - 1;
            }
            assert_eq!(linear_sort(&mut list, &StoredPlaces(&places)), Ok(()));
            assert!(is_sorted(&list, &places));
        }
    }

    /// However wild the motion, while it stays within one cell the pointers suffice.
    #[test]
    fn never_gives_up_while_nobody_moves_more_than_one_cell() {
        for cells in [1, 3, 6, 20] {
            coherent_steps::<2>(cells, 300);
            coherent_steps::<3>(cells, 300);
        }
    }

    #[test]
    fn notices_jumps_and_keeps_everybody() {
        let mut random = Random::new(8);
        let places: Vec<CellPlace<3>> =
            (0..2000).map(|_| std::array::from_fn(|_| random.below(40) as i32)).collect();
        let mut list = sorted_list(&places);
        let mut moved = places.clone();
        random.shuffle(&mut moved);
        assert_eq!(linear_sort(&mut list, &StoredPlaces(&moved)), Err(Incoherent));
        quick_sort(&mut list, 2000, &StoredPlaces(&moved));
        assert!(is_sorted(&list, &moved));
    }
}
