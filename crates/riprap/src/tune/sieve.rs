//! The radii that a grading curve stands for: shares of the mass that pass sieves.
//!
//! Between two sieves the mass is spread evenly over the logarithm of the size, as where bodies are inserted, so that
//! numbers are in proportion to `r^(-1 - dimension)`.

/// Radii of a grading curve.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GradingCurve {
    /// Between each sieve and the next.
    pieces: Vec<Piece>,
    dimension: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Piece {
    /// Radii at both ends.
    from: f64,
    to: f64,
    /// Share of the mass per unit of ln r.
    mass: f64,
}

impl GradingCurve {
    /// From diameters and the share of the mass that passes each, both ascending, for bodies of this dimension.
    pub(super) fn new(sieves: &[(f64, f64)], dimension: usize) -> Self {
        let piece = |pair: &[(f64, f64)]| {
            let ((low, below), (high, above)) = (pair[0], pair[1]);
            Piece { from: 0.5 * low, to: 0.5 * high, mass: (above - below) / libm::log(high / low) }
        };
        let pieces = sieves.windows(2).map(piece).filter(|piece| piece.mass > 0.0).collect();
        Self { pieces, dimension: dimension as f64 }
    }

    pub(super) fn smallest(&self) -> f64 {
        self.pieces.first().map_or(0.0, |piece| piece.from)
    }

    pub(super) fn largest(&self) -> f64 {
        self.pieces.last().map_or(0.0, |piece| piece.to)
    }

    /// The integral of r^power times a multiple of the density, over radii up to this one.
    pub(super) fn integral(&self, power: usize, radius: f64) -> f64 {
        // In units of the smallest radius, so that no power is too small or too large for a number.
        let unit = self.smallest();
        let exponent = power as f64 - self.dimension;
        let part = |piece: &Piece| {
            let (from, to) = (piece.from / unit, radius.clamp(piece.from, piece.to) / unit);
            let octaves = libm::log(to / from);
            if exponent == 0.0 {
                piece.mass * octaves
            } else {
                piece.mass * libm::pow(from, exponent) * libm::expm1(exponent * octaves) / exponent
            }
        };
        let sum: f64 = self.pieces.iter().map(part).sum();
        sum * libm::pow(unit, power as f64)
    }

    /// The density at a radius, per unit of ln r, as the same multiple as in [`GradingCurve::integral`].
    pub(super) fn per_log(&self, radius: f64) -> f64 {
        let piece = self.pieces.iter().find(|piece| (piece.from..=piece.to).contains(&radius));
        piece.map_or(0.0, |piece| piece.mass * libm::pow(radius / self.smallest(), -self.dimension))
    }

    /// The largest radius that there is and that is not above this one.
    pub(super) fn snap(&self, radius: f64) -> f64 {
        let piece = self.pieces.iter().rev().find(|piece| piece.from <= radius);
        piece.map_or(self.smallest(), |piece| radius.min(piece.to))
    }
}
