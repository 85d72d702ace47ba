//! The sorted particles as columns, which a stretch of a search reads forward.

use std::ops::Range;

/// Entries that columns have beyond the last particle, so that a vector may read past it.
pub(super) const PADDING: usize = super::kernel::LANES;

/// The sorted particles as columns.
#[derive(Debug)]
pub(super) struct SortedColumns<const D: usize> {
    /// Fixed-point coordinates.
    pub(super) fixed: [Vec<i32>; D],
    /// Radii in units of the widest reach.
    pub(super) radius: Vec<f32>,
    /// Rows of the input.
    pub(super) row: Vec<u32>,
}

impl<const D: usize> Default for SortedColumns<D> {
    fn default() -> Self {
        Self { fixed: std::array::from_fn(|_| Vec::new()), radius: Vec::new(), row: Vec::new() }
    }
}

impl<const D: usize> SortedColumns<D> {
    /// Makes room for so many particles and the padding.
    pub(super) fn resize(&mut self, count: usize) {
        self.fixed.iter_mut().for_each(|column| column.resize(count + PADDING, 0));
        self.radius.resize(count + PADDING, 0.0);
        self.row.resize(count + PADDING, 0);
    }

    /// Number of particles.
    pub(super) fn len(&self) -> usize {
        self.row.len().saturating_sub(PADDING)
    }

    /// The fixed-point coordinates of a particle.
    #[inline(always)]
    pub(super) fn point(&self, position: usize) -> [i32; D] {
        std::array::from_fn(|k| self.fixed[k][position])
    }

    /// How long all columns are, with the padding.
    pub(super) fn padded_len(&self) -> usize {
        self.fixed.iter().map(Vec::len).fold(self.radius.len().min(self.row.len()), usize::min)
    }

    /// The columns cut into stretches, which cover all particles in order.
    pub(super) fn split(&mut self, stretches: &[Range<usize>]) -> Vec<ColumnsPart<'_, D>> {
        let mut fixed = self.fixed.each_mut().map(|column| &mut column[..]);
        let (mut radius, mut row) = (&mut self.radius[..], &mut self.row[..]);
        let mut parts = Vec::with_capacity(stretches.len());
        for positions in stretches {
            let count = positions.len();
            parts.push(ColumnsPart {
                positions: positions.clone(),
                fixed: fixed.each_mut().map(|column| take_front(column, count)),
                radius: take_front(&mut radius, count),
                row: take_front(&mut row, count),
            });
        }
        parts
    }

    pub(super) fn bytes(&self) -> usize {
        (self.fixed.iter().map(Vec::capacity).sum::<usize>() + self.radius.capacity() + self.row.capacity())
            * 4
    }
}

/// A stretch of the columns, to be filled.
pub(super) struct ColumnsPart<'a, const D: usize> {
    pub(super) positions: Range<usize>,
    pub(super) fixed: [&'a mut [i32]; D],
    pub(super) radius: &'a mut [f32],
    pub(super) row: &'a mut [u32],
}

/// Splits the first entries off a slice.
fn take_front<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (front, back) = std::mem::take(slice).split_at_mut(count);
    *slice = back;
    front
}
