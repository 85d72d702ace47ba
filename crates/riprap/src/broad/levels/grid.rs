//! The cells of one level.

use super::frame::Frame;
use crate::broad::cells;

/// The cells of one level, numbered row by row: `base + (z ny + y) row_length + x`.
///
/// A row ends with a cell that is always empty, so that the three cells around any cell of a row are neighbours in number
/// too, and nothing of the next row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid<const D: usize> {
    /// Particles of up to this radius live here.
    pub(super) radius: f64,
    /// Width of a cell along each axis.
    pub(super) width: [f64; D],
    density: [f64; D],
    periodic: [bool; D],
    pub(super) counts: [u32; D],
    /// Whether the cells are wider than they need be, because there would have been too many.
    pub(super) widened: bool,
    pub(super) base: u32,
    pub(super) row_length: u32,
}

impl<const D: usize> Grid<D> {
    /// Cells for particles of up to this radius, at least `width` wide and at most `most` in number.
    pub(super) fn new(frame: &Frame<D>, radius: f64, width: f64, margin: f64, most: f64) -> Self {
        let mut wanted = cells::width_for(2.0 * radius + margin).max(width);
        let counts_for = |wanted: f64| -> [f64; D] {
            std::array::from_fn(|k| {
                let count = (frame.extent[k] / wanted).floor();
                if frame.periodic[k] {
                    // With two cells a neighbour would be met from both sides: one serves as well.
                    if count < 3.0 { 1.0 } else { count }
                } else {
                    count + 1.0
                }
            })
        };
        let total = |counts: [f64; D]| (counts[0] + 1.0) * counts[1..].iter().product::<f64>();
        let mut widened = false;
        while total(counts_for(wanted)) > most {
            wanted *= 1.25;
            widened = true;
        }
        let counts = counts_for(wanted);
        let width =
            std::array::from_fn(|k| if frame.periodic[k] { frame.extent[k] / counts[k] } else { wanted });
        let counts = counts.map(|count| count as u32);
        Self {
            radius,
            width,
            density: width.map(|width| 1.0 / width),
            periodic: frame.periodic,
            counts,
            widened,
            base: 1,
            row_length: counts[0] + 1,
        }
    }

    /// Number of cells, the empty ones at the ends of rows included.
    pub(super) fn cell_count(&self) -> u64 {
        u64::from(self.row_length) * self.counts[1..].iter().map(|&count| u64::from(count)).product::<u64>()
    }

    /// The number of the cell of a point relative to the lower corner.
    #[inline(always)]
    pub(super) fn cell(&self, point: &[f64; D]) -> u32 {
        let index = |k: usize| {
            let index = cells::round_down(point[k] * self.density[k]) as i32;
            let count = self.counts[k] as i32;
            if (0..count).contains(&index) {
                index as u32
            } else if self.periodic[k] {
                index.rem_euclid(count) as u32
            } else {
                index.clamp(0, count - 1) as u32
            }
        };
        let mut row = 0;
        for k in (1..D).rev() {
            row = row * self.counts[k] + index(k);
        }
        self.base + row * self.row_length + index(0)
    }

    /// First and last cell along an axis that meet the stretch of this half-length around a coordinate.
    ///
    /// On a periodic axis the indices are still to be wrapped; the stretch is then cut to one turn.
    #[inline(always)]
    pub(super) fn span(&self, k: usize, center: f64, half: f64, periodic: bool) -> (i32, i32) {
        let low = ((center - half) * self.density[k]).floor();
        let high = ((center + half) * self.density[k]).floor();
        let last = f64::from(self.counts[k] - 1);
        if periodic {
            let low = low as i32;
            (low, (high as i32).min(low + last as i32))
        } else {
            (low.clamp(0.0, last) as i32, high.clamp(0.0, last) as i32)
        }
    }
}
