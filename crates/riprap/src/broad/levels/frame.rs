//! Fixed-point coordinates and the filter that tests with them.
//!
//! Each axis is divided into 2^31 units (2^32 for a periodic box). The difference of two coordinates is then an exact
//! integer, wherever they are, and on a periodic axis the overflow of that subtraction is the nearest image. As a 32-bit
//! float it has a relative error of 2^-24, eight of them fit a vector, and a particle takes 20 bytes instead of 36.
//!
//! The filter compares the square of this distance with that of the pair's reach, both in units of the widest reach.
//! Each coordinate is off by less than one unit and each rounding by less than 2^-23 of the result. Where the squares
//! differ by more than these can do ([`Filter::doubt`]), the filter is right; what lies between, one candidate in many
//! thousands, is tested in double precision.

use crate::Criterion;

/// Relative error of a square: some thirty roundings.
const ROUNDING: f32 = 1.0 / (1 << 18) as f32;

/// Beside this, a double has room for nothing but whole numbers.
const WHOLE: f64 = (3u64 << 51) as f64;

/// How much wider than the particles' box an open axis is, so that none lies at its end.
const MARGIN: f64 = 1.0 + 1.0 / (1u64 << 29) as f64;

/// Reaches along an axis at most: beyond that, fixed-point units would be as large as particles.
const MOST_REACHES: f64 = (1u64 << 30) as f64;

/// Where the particles are and how coarse their fixed-point coordinates are.
#[derive(Debug, Clone, Copy)]
pub(super) struct FixedFrame<const D: usize> {
    /// Lower corner of the box.
    pub(super) low: [f64; D],
    /// Extent of the fixed-point coordinates; on an open axis a little more than that of the particles.
    pub(super) extent: [f64; D],
    pub(super) periodic: [bool; D],
    /// Units per length.
    scale: [f64; D],
    /// The widest reach of a pair, the filter's unit of length.
    pub(super) reach: f64,
    per_reach: f64,
}

/// The numbers the filter needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Filter<const D: usize> {
    /// Length of a fixed-point unit.
    pub(super) unit: [f32; D],
    /// Absolute error of a distance.
    slack: f32,
    /// The criterion's margin, in units of the widest reach.
    pub(super) margin: f32,
}

impl<const D: usize> Filter<D> {
    /// Up to which difference of the squares of distance and reach the filter cannot tell, for pairs of up to this reach.
    ///
    /// A pair whose true distance is its reach R has a computed one of R ± slack, so their squares differ by up to
    /// 2 R slack + slack².
    #[inline(always)]
    pub(super) fn doubt(&self, reach: f32) -> f32 {
        reach * reach * ROUNDING + (2.0 * reach + self.slack) * self.slack
    }
}

impl<const D: usize> FixedFrame<D> {
    pub(super) fn new(low: [f64; D], high: [f64; D], reach: f64, criterion: &Criterion<D>) -> Self {
        let periodic = criterion.lengths.map(f64::is_finite);
        // A box without extent, or one much smaller than a particle, needs no finer units.
        let extent = std::array::from_fn(|k| {
            if periodic[k] { criterion.lengths[k] } else { f64::max(high[k] - low[k], reach * 1e-3) * MARGIN }
        });
        let scale = std::array::from_fn(|k| libm::scalbn(1.0, if periodic[k] { 32 } else { 31 }) / extent[k]);
        let low = std::array::from_fn(|k| if periodic[k] { 0.0 } else { low[k] });
        Self { low, extent, periodic, scale, reach, per_reach: 1.0 / reach }
    }

    /// Whether particles are too far apart for fixed point.
    pub(super) fn is_too_wide(&self) -> bool {
        self.extent.iter().any(|extent| extent / self.reach > MOST_REACHES)
    }

    /// The fixed-point coordinates of a point near the box; on a periodic axis their overflow wraps it.
    #[inline(always)]
    pub(super) fn fixed(&self, x: &[f64; D]) -> [i32; D] {
        // The last bits of a sum with 1.5 * 2^52 count whole numbers, negative ones too.
        std::array::from_fn(|k| ((x[k] - self.low[k]) * self.scale[k] + WHOLE).to_bits() as i32)
    }

    /// How many cells of an axis are in 2^32 units, if it has so many in all.
    ///
    /// Cells then divide the units evenly: a coordinate times this, divided by 2^32 and rounded down, is its cell.
    pub(super) fn cells_per_turn(&self, k: usize, count: u32) -> u64 {
        u64::from(count) << if self.periodic[k] { 0 } else { 1 }
    }

    /// The point, relative to the lower corner, that fixed-point coordinates stand for.
    #[inline(always)]
    pub(super) fn point(&self, fixed: [i32; D]) -> [f64; D] {
        std::array::from_fn(|k| f64::from(fixed[k] as u32) / self.scale[k])
    }

    /// How far a fixed-point point is from the true one at most, along any axis.
    pub(super) fn blur(&self) -> f64 {
        self.scale.iter().map(|scale| 2.0 / scale).fold(0.0, f64::max)
    }

    /// A length in units of the widest reach.
    #[inline(always)]
    pub(super) fn normalize(&self, length: f64) -> f32 {
        (length * self.per_reach) as f32
    }

    pub(super) fn filter(&self, margin: f64) -> Filter<D> {
        let unit = self.scale.map(|scale| (1.0 / (scale * self.reach)) as f32);
        Filter { unit, slack: 1.1 * unit.iter().sum::<f32>(), margin: self.normalize(margin) }
    }
}
