//! How unevenly the particles fill their box, from a sample.

use super::frame::FixedFrame;
use super::grid::LevelGrid;
use crate::broad::sample::{rows, share_of_equal_pairs};
use crate::{Criterion, Spheres};

/// How many particles are looked at, times the square root of their number: of n in n cells, evenly spread, some twenty
/// pairs then share a cell.
const SAMPLE: f64 = 6.0;

/// Some of the particles, always the same ones.
pub(super) struct ParticleSample<const D: usize> {
    points: Vec<([i32; D], f64)>,
}

impl<const D: usize> ParticleSample<D> {
    pub(super) fn new(spheres: &Spheres<'_, D>, criterion: &Criterion<D>, frame: &FixedFrame<D>) -> Self {
        let point =
            |row: usize| (frame.fixed(&criterion.bring_near(spheres.centers()[row])), spheres.radii()[row]);
        Self { points: rows(spheres.len(), SAMPLE).into_iter().map(point).collect() }
    }

    /// How probable it is that two particles share a cell.
    pub(super) fn sharing(&self, grid: &LevelGrid<D>) -> f64 {
        self.sharing_between(grid, 0.0, f64::INFINITY)
    }

    /// How probable it is that two particles larger than one radius and up to another share a cell.
    pub(super) fn sharing_between(&self, grid: &LevelGrid<D>, above: f64, up_to: f64) -> f64 {
        let points = self.points.iter().filter(|(_, radius)| above < *radius && *radius <= up_to);
        let mut cells: Vec<u32> = points.map(|(point, _)| grid.cell(point)).collect();
        cells.sort_unstable();
        share_of_equal_pairs(&cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Random, packing};

    /// Evenly spread particles share a cell with one in as many as there are cells; a cluster shares it with all.
    #[test]
    fn sharing_tells_even_from_clustered() {
        let mut random = Random::new(3);
        let mut columns = packing::scattered::<3>(vec![0.001; 10_000], [20.0; 3], &mut random);
        let criterion = Criterion::default();
        let sharing = |columns: &crate::SphereColumns<3>| {
            let spheres = columns.view().unwrap();
            let frame = FixedFrame::new([0.0; 3], [20.0; 3], 0.002, &criterion);
            let grid = LevelGrid::new(&frame, 0.001, 1.0, 1.0, 1e9);
            ParticleSample::new(&spheres, &criterion, &frame).sharing(&grid) * 20f64.powi(3)
        };
        assert!((0.7..1.4).contains(&sharing(&columns)));
        for center in &mut columns.centers[..5000] {
            *center = center.map(|x| 0.5 + 0.02 * x);
        }
        assert!(sharing(&columns) > 1000.0);
    }
}
