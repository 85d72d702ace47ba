//! The cells of one level.

use super::frame::FixedFrame;
use crate::broad::cells;

/// The cells of one level, numbered row by row: `base + (z ny + y) row_length + x`.
///
/// A row ends with a cell that is always empty, so that the three cells around any cell of a row are neighbours in number
/// too, and nothing of the next row.
#[derive(Debug, Clone, Copy)]
pub(super) struct LevelGrid<const D: usize> {
    /// Particles of up to this radius live here.
    pub(super) radius: f64,
    /// The same in units of the widest reach.
    pub(super) limit: f32,
    /// Width of a cell along each axis.
    pub(super) width: [f64; D],
    density: [f64; D],
    pub(super) counts: [u32; D],
    cells_per_turn: [u64; D],
    pub(super) base: u32,
    pub(super) row_length: u32,
}

impl<const D: usize> LevelGrid<D> {
    /// Cells for particles of up to this radius, at least `width` wide, `length` times longer than wide, and at most
    /// `most` in number.
    pub(super) fn new(frame: &FixedFrame<D>, radius: f64, width: f64, length: f64, most: f64) -> Self {
        let mut wanted = width;
        let counts_for = |wanted: f64| -> [f64; D] {
            std::array::from_fn(|k| {
                let wanted = if k == 0 { wanted * length } else { wanted };
                let count = (frame.extent[k] / wanted).floor().max(1.0);
                // With two cells around a periodic axis a neighbour would be met from both sides: one serves as well.
                if frame.periodic[k] && count < 3.0 { 1.0 } else { count }
            })
        };
        let total = |counts: [f64; D]| (counts[0] + 1.0) * counts[1..].iter().product::<f64>();
        while total(counts_for(wanted)) > most {
            wanted *= 1.25;
        }
        let counts = counts_for(wanted);
        let width: [f64; D] = std::array::from_fn(|k| frame.extent[k] / counts[k]);
        let counts = counts.map(|count| count as u32);
        Self {
            radius,
            limit: frame.normalize(radius),
            width,
            density: width.map(|width| 1.0 / width),
            counts,
            cells_per_turn: std::array::from_fn(|k| frame.cells_per_turn(k, counts[k])),
            base: 1,
            row_length: counts[0] + 1,
        }
    }

    /// The width that cells for particles of up to this radius must have.
    pub(super) fn least_width(frame: &FixedFrame<D>, radius: f64, margin: f64) -> f64 {
        // Fixed point may bring two particles closer to each other than they are, or take them apart.
        cells::width_for(2.0 * radius + margin) + frame.blur()
    }

    /// Number of cells, the empty ones at the ends of rows included.
    pub(super) fn cell_count(&self) -> u64 {
        u64::from(self.row_length) * self.counts[1..].iter().map(|&count| u64::from(count)).product::<u64>()
    }

    /// The number of the cell of a point.
    #[inline(always)]
    pub(super) fn cell(&self, fixed: &[i32; D]) -> u32 {
        let mut row = 0;
        for k in (1..D).rev() {
            row = row * self.counts[k] + self.index(k, fixed);
        }
        self.base + row * self.row_length + self.index(0, fixed)
    }

    /// The cell of a point along an axis.
    #[inline(always)]
    fn index(&self, k: usize, fixed: &[i32; D]) -> u32 {
        ((u64::from(fixed[k] as u32) * self.cells_per_turn[k]) >> 32) as u32
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
