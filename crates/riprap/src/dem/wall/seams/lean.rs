//! How one facet leans to another at an edge.

use super::{DOWN, FLAT, LEVEL, UP};
use crate::vector::{dot, length, reject, scale, sub, unit};

/// How the surface goes on from an edge of a triangle to a point.
pub(super) fn lean_at<const D: usize>(
    facets: &[[[f64; D]; D]],
    normals: &[[f64; D]],
    facet: usize,
    edge: usize,
    apex: [f64; D],
) -> u8 {
    let corners = &facets[facet];
    let (from, to, third) = (corners[edge], corners[(edge + 1) % D], corners[(edge + 2) % D]);
    let Some(along) = unit(sub(to, from)) else { return 0 };
    let inward = reject(sub(third, from), along);
    let outward = scale(inward, -1.0 / length(inward));
    lean(reject(sub(apex, from), along), normals[facet], outward)
}

/// How a facet that goes on this way is to one with this normal, which ends this way.
pub(super) fn lean<const D: usize>(on: [f64; D], normal: [f64; D], outward: [f64; D]) -> u8 {
    let (rise, run) = (dot(on, normal), dot(on, outward));
    match () {
        () if rise.abs() > LEVEL * run.abs() => {
            if rise > 0.0 {
                UP
            } else {
                DOWN
            }
        }
        () if run > 0.0 => FLAT,
        // One that is folded back onto it.
        () => 0,
    }
}
