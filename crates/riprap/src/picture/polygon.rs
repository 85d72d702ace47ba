//! Flat pieces of a surface: which samples they cover, and how far they are there.

use super::camera::Lens;
use super::vector::Vector3;

/// The plane of a flat piece before the eye: `normal . x = offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Plane {
    pub(super) normal: Vector3,
    /// The distance from the origin along the normal.
    pub(super) offset: f64,
}

impl Plane {
    /// Whether the normal points to the side where the eye is.
    pub(super) fn faces_the_eye(&self, lens: &Lens) -> bool {
        if lens.central { self.offset < 0.0 } else { self.normal[2] < 0.0 }
    }

    /// How far the plane is on a line of sight.
    pub(super) fn depth(&self, lens: &Lens, [x, y]: [f64; 2]) -> f64 {
        let [a, b, c] = self.normal;
        if lens.central { self.offset / (a * x + b * y + c) } else { (self.offset - a * x - b * y) / c }
    }
}

/// Where the line at height `y` enters a convex polygon and where it leaves it; nowhere is from infinity to minus infinity.
///
/// A crossing of an edge is the same number for both polygons that share it, so that each sample belongs to one of them
/// and no seam is seen.
pub(super) fn crossings(corners: impl Iterator<Item = [f64; 2]> + Clone, y: f64) -> [f64; 2] {
    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
    for (a, b) in corners.clone().zip(corners.cycle().skip(1)) {
        let (low, high) = if (a[1], a[0]) < (b[1], b[0]) { (a, b) } else { (b, a) };
        if low[1] <= y && y < high[1] {
            let x = low[0] + (y - low[1]) * ((high[0] - low[0]) / (high[1] - low[1]));
            range = [range[0].min(x), range[1].max(x)];
        }
    }
    range
}
