//! The double layer potential (Muth, Of, Eberhard, Steinbach 2006, section 2.1.1): J is the sum of the solid angles under which the
//! faces are seen, over 4 pi: a whole number, 0 outside.
//!
//! The solid angle of a triangle with the vectors a, b, c to its corners is twice the argument of the complex number
//! `|a| |b| |c| + (a.b) |c| + (b.c) |a| + (c.a) |b|  +  i a.(b x c)` (van Oosterom, Strackee 1983). The arguments of a product add up:
//! so the numbers are multiplied, and each time the product passes the negative real axis a turn is counted. One arc tangent at the
//! end takes the place of one a face.
//!
//! Meshes that are not closed have a J too, which is not a whole number: it is rounded. Next to an edge the angles of the two faces
//! there are lost in rounding, though not their sum; there the signs of a ray crossing take its place.
//!
//! Cost: O(N) a point, some 40 operations a face.

use super::faces::Face;
use crate::vector::{dot, length, sub};

/// Seen from closer to an edge than this part of its length, the solid angle of a face is rounding.
const CLOSE: f64 = 1e-10;

/// J of the faces around a point that is on none of them; `None` if it is so close to an edge that it cannot be told.
pub(super) fn functional(faces: &[Face], point: [f64; 3]) -> Option<f64> {
    // Product of unit complex numbers, and how often it has gone round.
    let (mut re, mut im, mut turns) = (1.0f64, 0.0f64, 0i64);
    for face in faces {
        let [a, b, c] = face.corners.map(|corner| sub(corner, point));
        let [la, lb, lc] = [length(a), length(b), length(c)];
        let x = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
        // The volume a.(b x c), with the right sign also where it is next to nothing: there the angle is 2 pi or -2 pi.
        let y = -face.height(point);
        let size = (x * x + y * y).sqrt();
        if size <= CLOSE * la * lb * lc {
            return None;
        }
        let (x, y) = (x / size, y / size);
        let (next_re, next_im) = (re * x - im * y, re * y + im * x);
        // Both factors have arguments between -pi and pi. If those have the same sign and that of the product the other, it has
        // passed the negative real axis.
        if im >= 0.0 && y >= 0.0 && next_im < 0.0 {
            turns += 1;
        } else if im < 0.0 && y < 0.0 && next_im >= 0.0 {
            turns -= 1;
        }
        (re, im) = (next_re, next_im);
    }
    // Twice the argument, over 4 pi.
    Some(libm::atan2(im, re) / std::f64::consts::TAU + turns as f64)
}
