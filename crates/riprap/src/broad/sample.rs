//! Some of the particles, from which follows how unevenly all are spread.

use super::cells::RegularCells;
use crate::vector::{length, sub};
use crate::{Random, Spheres};

/// The rows of a sample of `share` times the square root of so many particles, growing, always the same ones.
pub(super) fn rows(count: usize, share: f64) -> Vec<usize> {
    let mut random = Random::new(1);
    let wanted = (share * (count as f64).sqrt()) as usize;
    let mut rows: Vec<usize> = (0..wanted).map(|_| random.below(count)).collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// Which share of all pairs of so many items are equal, if they are in order.
pub(super) fn share_of_equal_pairs<T: PartialEq>(sorted: &[T]) -> f64 {
    let equal: f64 = sorted.chunk_by(|a, b| a == b).map(|chunk| pairs(chunk.len())).sum();
    equal / pairs(sorted.len()).max(1.0)
}

fn pairs(count: usize) -> f64 {
    0.5 * (count * count.saturating_sub(1)) as f64
}

/// Which share of all pairs of these rows are in the same cell of this width.
pub(super) fn sharing_cells<const D: usize>(
    spheres: &Spheres<'_, D>,
    rows: &[usize],
    width: [f64; D],
) -> f64 {
    let cells = RegularCells::new([0.0; D], width);
    let mut places: Vec<[i64; D]> = rows.iter().map(|&row| cells.of(&spheres.centers()[row])).collect();
    places.sort_unstable();
    share_of_equal_pairs(&places)
}

/// Which share of these rows is near the next row of all: in the same cell of this width or the next but one.
pub(super) fn in_order<const D: usize>(spheres: &Spheres<'_, D>, rows: &[usize], width: f64) -> f64 {
    let centers = spheres.centers();
    let near = |a: &[f64; D], b: &[f64; D]| (0..D).all(|k| (a[k] - b[k]).abs() <= 2.0 * width);
    let next = rows.iter().filter(|&&row| row + 1 < centers.len() && near(&centers[row], &centers[row + 1]));
    next.count() as f64 / rows.len().max(1) as f64
}

/// Which share of all pairs of these rows are in shells around a point that meet, as `radial_sort` looks for them.
pub(super) fn meeting_shells<const D: usize>(
    spheres: &Spheres<'_, D>,
    rows: &[usize],
    origin: [f64; D],
    margin: f64,
) -> f64 {
    let mut shells: Vec<(f64, f64)> = rows
        .iter()
        .map(|&row| {
            let radius = spheres.radii()[row];
            let nearest = length(sub(spheres.centers()[row], origin)) - radius;
            (nearest, nearest + 2.0 * radius + margin)
        })
        .collect();
    shells.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let meeting: usize = shells
        .iter()
        .enumerate()
        .map(|(position, (_, end))| shells[position + 1..].partition_point(|shell| shell.0 <= *end))
        .sum();
    meeting as f64 / pairs(shells.len()).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::{BroadPhase, RadialSort};
    use crate::{Criterion, packing};

    #[test]
    fn shares_of_pairs_are_those_of_all() {
        let mut random = Random::new(8);
        for (edge, radius) in [(1.0, 0.001), (1.0, 0.1), (1e-9, 1e-12)] {
            let spheres = packing::scattered::<3>(vec![radius; 20_000], [edge; 3], &mut random);
            let view = spheres.view().unwrap();
            let work =
                RadialSort::default().find_counted(view, &Criterion::default(), &mut Vec::new()).unwrap();
            let share = work.candidates as f64 / pairs(20_000);
            assert!(
                (meeting_shells(&view, &rows(20_000, 6.0), [0.0; 3], 0.0) / share - 1.0).abs() < 0.2,
                "{edge} {radius}"
            );
            let cells = sharing_cells(&view, &rows(20_000, 6.0), [0.1 * edge; 3]);
            assert!((1e3 * cells - 1.0).abs() < 0.2, "{cells}");
        }
        let ordered = packing::lattice([100, 100], [1.0; 2], 0.5);
        assert!(in_order(&ordered.view().unwrap(), &rows(10_000, 3.0), 1.0) > 0.9);
        let random = packing::scattered::<2>(vec![0.5; 10_000], [100.0; 2], &mut random);
        assert!(in_order(&random.view().unwrap(), &rows(10_000, 3.0), 1.0) < 0.1);
        let none = Spheres::<2>::new(&[], &[]).unwrap();
        assert!(rows(0, 6.0).is_empty());
        assert_eq!(in_order(&none, &[], 1.0), 0.0);
        assert_eq!(sharing_cells(&none, &[], [1.0; 2]), 0.0);
        assert_eq!(meeting_shells(&none, &[], [0.0; 2], 0.0), 0.0);
        assert_eq!(share_of_equal_pairs(&[1, 1, 1, 2]), 0.5);
    }
}
