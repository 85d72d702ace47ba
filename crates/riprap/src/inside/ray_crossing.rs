//! Ray crossing (Muth, Of, Eberhard, Steinbach 2006, section 2.2).
//!
//! 1. A point that is not in the box around the body is outside.
//! 2. A segment PR to a random point R well outside the box.
//! 3. For each face: if the segment misses the box around the face, or P and R are on the same side of its plane, they do not
//!    cross. If P is in the plane and, by the signs of three areas, on the face, it is on the boundary. Else the signs of three
//!    volumes tell whether the segment passes through the face; if one is zero it passes through an edge or a vertex.
//! 4. In that case, or if the segment lies in the plane, start again with another R.
//!
//! Signs are exact, so it is never wrong; and each point has random numbers of its own, so its answer depends on nothing else.
//!
//! Cost: O(N) a point. For few points, or as a measure for others.

use super::faces::{Crossing, Face};
use super::method::Place;
use crate::Random;
use crate::vector::{add_scaled, length, sub, unit};

/// Rays after which a point is given up; each is degenerate with a chance of about 1e-15.
const RAYS: u64 = 100;

/// The winding of a body's faces around a point; `None` on the boundary.
pub(super) fn winding(faces: &[Face], bounds: &[[f64; 3]; 2], point: [f64; 3], index: u64) -> Option<i32> {
    let [low, high] = bounds;
    if (0..3).any(|k| point[k] < low[k] || point[k] > high[k]) {
        return Some(0);
    }
    // Also long in terms of the coordinates, so that rounding leaves rays many directions.
    let reach = 4.0 * length(sub(*high, *low)) + length(*low) + length(*high);
    'rays: for ray in 0..RAYS {
        let mut random = Random::new(index.wrapping_mul(RAYS).wrapping_add(ray));
        let direction = unit(std::array::from_fn(|_| random.normal())).unwrap_or([1.0, 0.0, 0.0]);
        let end = add_scaled(point, reach, direction);
        let mut winding = 0;
        let mut degenerate = false;
        for face in faces {
            if misses(face, point, end) {
                continue;
            }
            match face.crossing(point, end) {
                Crossing::None => {}
                Crossing::Boundary => return None,
                Crossing::Through(sign) => winding += sign,
                // The point may still be on the boundary.
                Crossing::Degenerate => degenerate = true,
            }
        }
        if degenerate {
            continue 'rays;
        }
        return Some(winding);
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

/// What a winding tells.
pub(super) fn place(winding: Option<i32>) -> Place {
    match winding {
        None => Place::Boundary,
        Some(0) => Place::Outside,
        Some(_) => Place::Inside,
    }
}
