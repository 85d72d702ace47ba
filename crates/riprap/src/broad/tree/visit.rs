//! Which particles can reach which boxes and each other.
//!
//! Without images the arithmetic is that of [`Criterion::touches`], and each step of it, rounding included, never falls where
//! the exact value grows: a box is at most as far as the particles in it. With images, coordinates are those inside the
//! periodic box, which rounding has moved by up to `slack`: what may touch is tested again where it was given.

use super::record::{NodeBox, Record};
use crate::{Criterion, Spheres};

/// The rounding errors of coordinates in a periodic box, and of differences of such, in units of the box length.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// What decides whether particles touch.
#[derive(Clone, Copy)]
pub(super) struct Contact<'a, const D: usize, const IMAGES: bool> {
    spheres: Spheres<'a, D>,
    criterion: &'a Criterion<D>,
    margin: f64,
}

impl<'a, const D: usize, const IMAGES: bool> Contact<'a, D, IMAGES> {
    pub(super) fn new(spheres: Spheres<'a, D>, criterion: &'a Criterion<D>) -> Self {
        let lengths = criterion.lengths.iter().filter(|length| length.is_finite());
        let slack = ROUNDING * lengths.copied().fold(0.0, f64::max);
        Self { spheres, criterion, margin: criterion.margin + slack }
    }

    /// Whether a member is so wide that its neighbours in a box of this extent are contacts rather than not.
    pub(super) fn fills(&self, radius: f64, extent: f64) -> bool {
        2.0 * radius + self.margin >= extent
    }

    /// Whether the visitor may touch members of this box that it is to meet.
    #[inline(always)]
    pub(super) fn reaches(&self, visitor: &Record<D>, bounds: &NodeBox<D>) -> bool {
        // Members of the visitor's size or smaller ones are less than twice as large.
        let met = if bounds.largest < 2.0 * visitor.radius { bounds.largest } else { 2.0 * visitor.radius };
        let reach = visitor.radius + met + self.margin;
        let mut squares = 0.0;
        for k in 0..D {
            let (x, low, high) = (visitor.center[k], bounds.low[k], bounds.high[k]);
            let (below, above) = (low - x, x - high);
            let mut gap = if below > above { below } else { above };
            gap = if gap > 0.0 { gap } else { 0.0 };
            if IMAGES {
                let length = self.criterion.lengths[k];
                gap = gap.min(x + length - high).min(low + length - x);
            }
            squares += gap * gap;
        }
        visitor.size >= bounds.least && squares <= reach * reach
    }

    /// Whether two particles touch, or may do so if there are images.
    #[inline(always)]
    pub(super) fn near(&self, a: &[f64; D], a_radius: f64, b: &[f64; D], b_radius: f64) -> bool {
        let reach = a_radius + b_radius + self.margin;
        let mut squares = 0.0;
        for k in 0..D {
            let mut gap = b[k] - a[k];
            if IMAGES {
                gap = gap.abs();
                gap = gap.min(self.criterion.lengths[k] - gap);
            }
            squares += gap * gap;
        }
        squares <= reach * reach
    }

    /// Whether two particles that are near do touch.
    #[inline(always)]
    pub(super) fn touch(&self, a: u32, b: u32) -> bool {
        if !IMAGES {
            return true;
        }
        let (centers, radii) = (self.spheres.centers(), self.spheres.radii());
        let (a, b) = (a as usize, b as usize);
        let [xa, xb] = [a, b].map(|row| self.criterion.bring_near(centers[row]));
        self.criterion.touches::<IMAGES>(&xa, radii[a], &xb, radii[b])
    }
}
