//! A particle in the tree, and the box around some of them.

/// A particle as a member or a visitor of a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record<const D: usize> {
    /// In a periodic box the image inside of it.
    pub(super) center: [f64; D],
    pub(super) radius: f64,
    pub(super) row: u32,
    /// The largest size of members that a visitor meets; of a member its own size.
    pub(super) size: u32,
}

impl<const D: usize> Record<D> {
    pub(super) fn new(center: [f64; D], radius: f64, row: u32) -> Self {
        Self { center, radius, row, size: size_of_radius(radius) }
    }

    /// As a visitor of smaller sizes only.
    pub(super) fn above(self) -> Self {
        // No radius is so small that its exponent is zero.
        Self { size: self.size - 1, ..self }
    }
}

/// The binary exponent of a radius.
fn size_of_radius(radius: f64) -> u32 {
    (radius.to_bits() >> 52) as u32
}

/// The tight box around the centres of some particles, and their range of sizes.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeBox<const D: usize> {
    pub(super) low: [f64; D],
    pub(super) high: [f64; D],
    pub(super) largest: f64,
    /// The smallest of all sizes.
    pub(super) least: u32,
}

impl<const D: usize> NodeBox<D> {
    pub(super) fn around(members: &[Record<D>]) -> Self {
        let mut bounds =
            Self { low: [f64::INFINITY; D], high: [f64::NEG_INFINITY; D], largest: 0.0, least: u32::MAX };
        for member in members {
            for k in 0..D {
                // Comparisons instead of `min` and `max`, which would also ask for NaN.
                let x = member.center[k];
                bounds.low[k] = if x < bounds.low[k] { x } else { bounds.low[k] };
                bounds.high[k] = if x > bounds.high[k] { x } else { bounds.high[k] };
            }
            bounds.largest = if member.radius > bounds.largest { member.radius } else { bounds.largest };
            bounds.least = bounds.least.min(member.size);
        }
        bounds
    }

    /// The axis along which the box is longest, and how long it is.
    pub(super) fn longest(&self) -> (usize, f64) {
        let mut longest = (0, self.high[0] - self.low[0]);
        for k in 1..D {
            let edge = self.high[k] - self.low[k];
            if edge > longest.1 {
                longest = (k, edge);
            }
        }
        longest
    }
}
