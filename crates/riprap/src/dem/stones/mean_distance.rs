//! How far from the centre of its load a contact presses on the mean, which twisting has to overcome.

use smallvec::SmallVec;

use crate::convex::ContactPoint;
use crate::vector::{axes_across, dot};

/// The mean distance of the region between some points from a place inside, seen along a normal.
///
/// That of a triangle with a corner at the place is two thirds of that of the opposite side, whose is found by Simpson's rule on its
/// halves: within 1e-4 for a square.
pub(super) fn mean_distance<const D: usize>(
    points: &[ContactPoint<D>],
    normal: [f64; D],
    center: [f64; D],
) -> f64 {
    let [x, y] = axes_across(std::array::from_fn(|k| normal[k]));
    if let [p, q] = points {
        // A line through the place.
        let distance = |point: &ContactPoint<D>| {
            let from: [f64; 3] = std::array::from_fn(|k| point.position[k] - center[k]);
            let (x, y) = (dot(x, from), dot(y, from));
            x * x + y * y
        };
        return 0.5 * distance(p).max(distance(q)).sqrt();
    }
    let mut corners: SmallVec<[Corner; 8]> = SmallVec::new();
    corners.extend(points.iter().map(|point| {
        let from: [f64; 3] = std::array::from_fn(|k| point.position[k] - center[k]);
        Corner::new(dot(x, from), dot(y, from))
    }));
    corners.sort_unstable_by(|p, q| p.angle.total_cmp(&q.angle));
    let (mut area, mut sum, mut longest) = (0.0, 0.0, 0.0f64);
    let mut p = corners[corners.len() - 1];
    for &q in &corners {
        let part = (0.5 * (p.x * q.y - p.y * q.x)).max(0.0);
        let at = |share: f64| {
            let (x, y) = (p.x + share * (q.x - p.x), p.y + share * (q.y - p.y));
            (x * x + y * y).sqrt()
        };
        let mean = (p.distance + 4.0 * at(0.25) + 2.0 * at(0.5) + 4.0 * at(0.75) + q.distance) / 12.0;
        area += part;
        sum += part * 2.0 / 3.0 * mean;
        longest = longest.max(q.distance);
        p = q;
    }
    // A line: half of the way to its ends.
    if area > 1e-9 * longest * longest { sum / area } else { 0.5 * longest }
}

/// A corner of the region, seen from the place.
#[derive(Clone, Copy)]
struct Corner {
    x: f64,
    y: f64,
    distance: f64,
    /// Grows with the angle, from -2 to 2.
    angle: f64,
}

impl Corner {
    #[inline(always)]
    fn new(x: f64, y: f64) -> Self {
        let share = x / (x.abs() + y.abs()).max(f64::MIN_POSITIVE);
        let angle = if y < 0.0 { share - 1.0 } else { 1.0 - share };
        Self { x, y, distance: (x * x + y * y).sqrt(), angle }
    }
}
