//! Which facets are near a point: cells over the boxes of the facets, built once, in the frame of the wall.
//!
//! The cells are as wide as facets are on the mean, or wider, until neither there are many more cells than facets nor many facets are
//! in many cells. Cost: the facets of the cells within reach, some of them more than once.

use crate::vector::sub;

/// Lowest and highest corner of a box round some points.
pub(super) fn bounds<'a, const D: usize>(
    points: impl IntoIterator<Item = &'a [f64; D]>,
) -> ([f64; D], [f64; D]) {
    let mut bounds = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
    for point in points {
        for k in 0..D {
            bounds.0[k] = bounds.0[k].min(point[k]);
            bounds.1[k] = bounds.1[k].max(point[k]);
        }
    }
    bounds
}

/// Cells over a box, each with the facets whose boxes reach into it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Grid<const D: usize> {
    low: [f64; D],
    width: f64,
    counts: [usize; D],
    starts: Vec<u32>,
    facets: Vec<u32>,
}

/// Cells per facet at most.
const CELLS_PER_FACET: usize = 8;
/// Entries per facet at most, on average.
const ENTRIES_PER_FACET: usize = 32;

impl<const D: usize> Grid<D> {
    pub(super) fn new(corners: &[[[f64; D]; D]]) -> Self {
        let (low, high) = bounds(corners.iter().flatten());
        let boxes: Vec<_> = corners.iter().map(bounds).collect();
        let extent: [f64; D] = sub(high, low);
        let longest = extent.iter().copied().fold(0.0, f64::max);
        let mean =
            boxes.iter().map(|(low, high)| sub(*high, *low).into_iter().fold(0.0, f64::max)).sum::<f64>()
                / boxes.len() as f64;
        let mut width = mean.max(longest * 1e-3).max(f64::MIN_POSITIVE);
        loop {
            let counts = extent.map(|extent| (extent / width) as usize + 1);
            let grid = Self { low, width, counts, starts: Vec::new(), facets: Vec::new() };
            let cells = counts.iter().try_fold(1usize, |product, count| product.checked_mul(*count));
            let entries: usize = boxes
                .iter()
                .map(|(low, high)| {
                    let (first, last) = (grid.cell(*low), grid.cell(*high));
                    (0..D).map(|k| last[k] - first[k] + 1).product::<usize>()
                })
                .sum();
            let few = cells.is_some_and(|cells| cells <= CELLS_PER_FACET * corners.len() + 64);
            if few && entries <= ENTRIES_PER_FACET * corners.len() {
                return grid.filled(&boxes);
            }
            width *= 2.0;
        }
    }

    fn filled(mut self, boxes: &[([f64; D], [f64; D])]) -> Self {
        let cells = self.counts.iter().product::<usize>();
        let mut starts = vec![0u32; cells + 1];
        for (low, high) in boxes {
            self.for_each_cell(self.cell(*low), self.cell(*high), |cell| starts[cell + 1] += 1);
        }
        for cell in 0..cells {
            starts[cell + 1] += starts[cell];
        }
        let mut next = starts.clone();
        let mut facets = vec![0; starts[cells] as usize];
        for (index, (low, high)) in boxes.iter().enumerate() {
            self.for_each_cell(self.cell(*low), self.cell(*high), |cell| {
                facets[next[cell] as usize] = index as u32;
                next[cell] += 1;
            });
        }
        (self.starts, self.facets) = (starts, facets);
        self
    }

    /// The cell of a point, or the nearest one.
    fn cell(&self, point: [f64; D]) -> [usize; D] {
        // A negative or undefined quotient becomes the first cell.
        std::array::from_fn(|k| (((point[k] - self.low[k]) / self.width) as usize).min(self.counts[k] - 1))
    }

    fn for_each_cell(&self, first: [usize; D], last: [usize; D], mut run: impl FnMut(usize)) {
        let layers = if D == 3 { first[2 % D]..=last[2 % D] } else { 0..=0 };
        for layer in layers {
            for row in first[1]..=last[1] {
                for column in first[0]..=last[0] {
                    run((layer * self.counts[1] + row) * self.counts[0] + column);
                }
            }
        }
    }

    /// Appends the facets of all cells within reach, some of them more than once.
    pub(super) fn near(&self, point: [f64; D], reach: f64, found: &mut Vec<u32>) {
        for k in 0..D {
            let high = self.low[k] + self.width * self.counts[k] as f64;
            if point[k] + reach < self.low[k] || point[k] - reach > high {
                return;
            }
        }
        let (first, last) = (self.cell(point.map(|x| x - reach)), self.cell(point.map(|x| x + reach)));
        self.for_each_cell(first, last, |cell| {
            found.extend_from_slice(&self.facets[self.starts[cell] as usize..self.starts[cell + 1] as usize]);
        });
    }

    pub(super) fn bytes(&self) -> usize {
        (self.starts.capacity() + self.facets.capacity()) * size_of::<u32>()
    }
}
