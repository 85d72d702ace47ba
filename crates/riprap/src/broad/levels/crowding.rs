//! How unevenly the particles fill their box, from a sample.

use super::frame::FixedFrame;
use super::grid::LevelGrid;
use crate::{Criterion, Random, Spheres};

/// How many particles are looked at, times the square root of their number: of n in n cells, evenly spread, some twenty
/// pairs then share a cell.
const SAMPLE: f64 = 6.0;

/// Some of the particles, always the same ones.
pub(super) struct ParticleSample<const D: usize> {
    points: Vec<[i32; D]>,
}

impl<const D: usize> ParticleSample<D> {
    pub(super) fn new(spheres: &Spheres<'_, D>, criterion: &Criterion<D>, frame: &FixedFrame<D>) -> Self {
        let mut random = Random::new(1);
        let wanted = (SAMPLE * (spheres.len() as f64).sqrt()) as usize;
        let mut rows: Vec<usize> = (0..wanted).map(|_| random.below(spheres.len())).collect();
        rows.sort_unstable();
        rows.dedup();
        let point = |row: usize| frame.fixed(&criterion.bring_near(spheres.centers()[row]));
        Self { points: rows.into_iter().map(point).collect() }
    }

    /// How probable it is that two particles share a cell.
    pub(super) fn sharing(&self, grid: &LevelGrid<D>) -> f64 {
        let mut cells: Vec<u32> = self.points.iter().map(|point| grid.cell(point)).collect();
        cells.sort_unstable();
        let pairs = |count: usize| (count * count.saturating_sub(1)) as f64;
        let shared: f64 = cells.chunk_by(|a, b| a == b).map(|cell| pairs(cell.len())).sum();
        shared / pairs(cells.len()).max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packing;

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
