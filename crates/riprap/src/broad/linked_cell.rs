//! The linked cell method, as in Leszczynski and Ciesielski 2002, section 2.1 (after Allen and Tildesley 1987).
//!
//! 1. Divide the bounding box (or the periodic box) into cells at least as wide as the largest diameter.
//! 2. Chain the particles of each cell: a header per cell, a link per particle.
//! 3. Test the particles of each cell with each other and with those of half of the cells around it.
//!
//! **Cost** with p particles per cell 4.5 n p tests in 2D and 13.5 n p in 3D, one header per cell and 4 n bytes.
//! **Use** it for particles of similar size that fill their box.

use super::options::check_above;
use super::{Options, Pair, Search, Tally, bytes_of, candidates::Candidates, cells, cells::RegularCells};
use crate::{Criterion, Error, Spheres};

pub(super) const OPTIONS: &[(&str, &str)] = &[("particles-per-cell", "a number above 0, by default 1")];

/// Cells at most, whatever the particles per cell: a gigabyte of headers.
const MOST_CELLS: f64 = (1 << 28) as f64;

/// End of a chain.
const NONE: u32 = u32::MAX;

/// One grid with a chain of particles per cell.
#[derive(Debug, Clone)]
pub struct LinkedCell<const D: usize> {
    /// Mean number of particles per cell to aim at, empty cells included; more when the largest particle
    /// asks for wider cells.
    pub particles_per_cell: f64,
    counts: [usize; D],
    widths: [f64; D],
    header: Vec<u32>,
    next: Vec<u32>,
    near: Vec<[f64; D]>,
}

impl<const D: usize> Default for LinkedCell<D> {
    fn default() -> Self {
        Self::new(1.0)
    }
}

pub(super) fn build<const D: usize>(options: &Options<'_>) -> Result<LinkedCell<D>, Error> {
    Ok(LinkedCell::new(options.number("particles-per-cell", 1.0)?))
}

impl<const D: usize> LinkedCell<D> {
    /// With so many particles per cell.
    pub fn new(particles_per_cell: f64) -> Self {
        Self {
            particles_per_cell,
            counts: [0; D],
            widths: [0.0; D],
            header: Vec::new(),
            next: Vec::new(),
            near: Vec::new(),
        }
    }

    /// Number of cells of the last call.
    pub fn cell_count(&self) -> usize {
        self.counts.iter().product()
    }
}

impl<const D: usize> Search<D> for LinkedCell<D> {
    const NAME: &'static str = "linked-cell";
    const PERIODIC: bool = true;

    fn check_options(&self) -> Result<(), Error> {
        check_above(Self::NAME, "particles-per-cell", self.particles_per_cell, 0.0)
    }

    fn search<const IMAGES: bool, T: Tally>(
        &mut self,
        spheres: Spheres<'_, D>,
        criterion: &Criterion<D>,
        pairs: &mut Vec<Pair>,
        tally: &mut T,
    ) {
        let centers = criterion.bring_all_near(spheres.centers(), &mut self.near);
        let (Some((low, high)), Some((_, largest))) = (cells::bounds(centers), spheres.radius_range()) else {
            (self.counts, self.widths) = ([0; D], [0.0; D]);
            return;
        };

        // The box to divide: the periodic box, or what the particles take up along open axes.
        let periodic = criterion.lengths.map(f64::is_finite);
        let corner: [f64; D] = std::array::from_fn(|k| if periodic[k] { 0.0 } else { low[k] });
        let extent: [f64; D] =
            std::array::from_fn(|k| if periodic[k] { criterion.lengths[k] } else { high[k] - low[k] });
        let width = cells::width_for(2.0 * largest + criterion.margin);
        let most = (centers.len() as f64 / self.particles_per_cell).clamp(1.0, MOST_CELLS);
        let counts = divide(extent, width, most, periodic);
        self.counts = counts;
        self.widths =
            std::array::from_fn(|k| if extent[k] > 0.0 { extent[k] / counts[k] as f64 } else { width });
        let grid = RegularCells::new(corner, self.widths);

        self.header.clear();
        self.header.resize(counts.iter().product(), NONE);
        self.next.clear();
        self.next.resize(centers.len(), NONE);
        for (row, center) in centers.iter().enumerate().rev() {
            let index = grid.of(center);
            let cell: [usize; D] = std::array::from_fn(|k| {
                let (index, count) = (index[k], counts[k] as i64);
                (if periodic[k] { index.rem_euclid(count) } else { index.clamp(0, count - 1) }) as usize
            });
            let header = &mut self.header[flat(cell, counts)];
            self.next[row] = std::mem::replace(header, row as u32);
        }

        let stencil = cells::half_stencil(counts.map(|count| i32::from(count > 1)));
        let chain = |first: u32| {
            std::iter::successors((first != NONE).then_some(first), |&i| {
                let next = self.next[i as usize];
                (next != NONE).then_some(next)
            })
        };
        let candidates = Candidates { centers, radii: spheres.radii(), criterion };
        let mut visited = 0;
        for (home, &first) in self.header.iter().enumerate() {
            visited += 1;
            for i in chain(first) {
                for j in chain(self.next[i as usize]) {
                    candidates.test::<IMAGES, T>(i, j, pairs, tally);
                }
            }
            if first == NONE {
                continue;
            }
            for offset in &stencil {
                let Some(neighbor) = neighbor(unflat(home, counts), offset, counts, periodic) else {
                    continue;
                };
                visited += 1;
                let targets = self.header[flat(neighbor, counts)];
                for i in chain(first) {
                    for j in chain(targets) {
                        candidates.test::<IMAGES, T>(i, j, pairs, tally);
                    }
                }
            }
        }
        tally.cells(visited);
    }

    fn cell_sizes(&self) -> Vec<f64> {
        vec![self.widths.iter().copied().fold(0.0, f64::max)]
    }

    fn scratch_bytes(&self) -> usize {
        bytes_of(&self.header) + bytes_of(&self.next) + bytes_of(&self.near)
    }
}

/// Cells per axis: at least `width` wide, about cubic, at most `most` in all.
///
/// A periodic axis has one cell or three and more: with two, a neighbour would be met from both sides.
fn divide<const D: usize>(extent: [f64; D], width: f64, most: f64, periodic: [bool; D]) -> [usize; D] {
    let with = |width: f64| -> [f64; D] {
        std::array::from_fn(|k| {
            let count = (extent[k] / width).floor().max(1.0);
            if periodic[k] && count < 3.0 { 1.0 } else { count }
        })
    };
    let fits = |width: f64| with(width).iter().product::<f64>() <= most;
    let mut width = width;
    if !fits(width) {
        // The number of cells falls as they grow: bisect between too many and one.
        let (mut narrow, mut wide) = (width, extent.iter().copied().fold(width, f64::max) * 2.0);
        while wide > narrow * (1.0 + 1e-9) {
            let middle = narrow.sqrt() * wide.sqrt();
            if fits(middle) { wide = middle } else { narrow = middle }
        }
        width = wide;
    }
    with(width).map(|count| count as usize)
}

/// The position of a cell in the header array, (z, y, x) order.
fn flat<const D: usize>(cell: [usize; D], counts: [usize; D]) -> usize {
    (0..D).rev().fold(0, |index, k| index * counts[k] + cell[k])
}

/// The inverse of [`flat`].
fn unflat<const D: usize>(mut index: usize, counts: [usize; D]) -> [usize; D] {
    std::array::from_fn(|k| {
        let coordinate = index % counts[k];
        index /= counts[k];
        coordinate
    })
}

/// The cell at an offset of at most one: near along periodic axes, `None` beyond an open border.
fn neighbor<const D: usize>(
    mut cell: [usize; D],
    offset: &[i32; D],
    counts: [usize; D],
    periodic: [bool; D],
) -> Option<[usize; D]> {
    for k in 0..D {
        let (coordinate, count) = (cell[k] as i64 + i64::from(offset[k]), counts[k] as i64);
        if !(0..count).contains(&coordinate) && !periodic[k] {
            return None;
        }
        cell[k] = coordinate.rem_euclid(count) as usize;
    }
    Some(cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divides_into_cells_wide_enough_and_few_enough() {
        assert_eq!(divide([10.0, 5.0], 1.0, 1e9, [false; 2]), [10, 5]);
        assert_eq!(divide([10.0, 10.0], 1.0, 25.0, [false; 2]), [5, 5]);
        assert_eq!(divide([10.0, 0.0, 0.0], 1.0, 4.0, [false; 3]), [4, 1, 1]);
        assert_eq!(divide([2.9, 2.9], 1.0, 1e9, [true, false]), [1, 2]);
        assert_eq!(divide([1e9; 3], 1.0, 1000.0, [false; 3]), [10; 3]);
    }
}
