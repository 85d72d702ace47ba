//! Ray crossing (Muth, Of, Eberhard, Steinbach 2006, section 2.2).
//!
//! 1. A point that is not in the box around the body is outside.
//! 2. A segment PR to a random point R well outside the box.
//! 3. For each face: if the segment misses the box around the face, or P and R are on the same side of its plane, they do not
//!    cross (the ratio r of eq 28 is not between 0 and 1). If P is in the plane (r = 0) and, by the signs of three areas, on the
//!    face, it is on the boundary. Else the signs of three volumes tell whether the segment passes through the face, in the
//!    point I of eq 29; if one is zero it passes through an edge or a vertex.
//! 4. In that case, or if the segment lies in the plane, start again with another R.
//!
//! Signs are exact, so it is never wrong; and each point has random numbers of its own, so its answer depends on nothing else.
//!
//! Cost: O(N) a point. For few points, or as a measure for others; `ray_tree.rs` asks fewer faces.

use super::faces::{Change, Face};
use crate::Random;
use crate::vector::{add_scaled, length, sub, unit};

/// Rays after which a point is given up; each is degenerate with a chance of about 1e-15.
const RAYS: u64 = 100;

/// The winding of a body's faces around a point; `None` on the boundary.
pub(super) fn winding(faces: &[Face], bounds: &[[f64; 3]; 2], point: [f64; 3], index: u64) -> Option<i32> {
    by_rays(bounds, point, index, |end| {
        Change::over(faces.iter().filter(|face| !misses(face, point, end)), point, end)
    })
}

/// The winding around a point, by the change along the segment from it to the end of a random ray.
pub(super) fn by_rays(
    bounds: &[[f64; 3]; 2],
    point: [f64; 3],
    index: u64,
    change: impl Fn([f64; 3]) -> Change,
) -> Option<i32> {
    let [low, high] = bounds;
    if (0..3).any(|k| point[k] < low[k] || point[k] > high[k]) {
        return Some(0);
    }
    // Also long in terms of the coordinates, so that rounding leaves rays many directions.
    let reach = 4.0 * length(sub(*high, *low)) + length(*low) + length(*high);
    for ray in 0..RAYS {
        let mut random = Random::new(index.wrapping_mul(RAYS).wrapping_add(ray));
        let direction = unit(std::array::from_fn(|_| random.normal())).unwrap_or([1.0, 0.0, 0.0]);
        match change(add_scaled(point, reach, direction)) {
            Change::Boundary => return None,
            Change::By(winding) => return Some(winding),
            Change::Unknown => {}
        }
    }
    unreachable!("a hundred random rays through edges")
}

/// Whether the box of a segment misses that of a face.
#[inline(always)]
fn misses(face: &Face, p: [f64; 3], r: [f64; 3]) -> bool {
    let [a, b, c] = face.corners;
    (0..3).any(|k| {
        let (low, high) = (a[k].min(b[k]).min(c[k]), a[k].max(b[k]).max(c[k]));
        low > p[k].max(r[k]) || high < p[k].min(r[k])
    })
}
