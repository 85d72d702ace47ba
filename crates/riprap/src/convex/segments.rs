//! The shortest link between two segments in a plane (Nezami et al. 2006, appendix A).

use crate::vector::{add_scaled, dot, sub};

/// Shares of the lengths of AB and CD at which the shortest link ends; `None` if the segments intersect.
///
/// If they do not, it is the shortest of the links AC, BC, AD, BD and of the perpendiculars from each end to the other segment.
pub(super) fn shortest_link([a, b]: [[f64; 2]; 2], [c, d]: [[f64; 2]; 2]) -> Option<[f64; 2]> {
    let (ab, cd) = (sub(b, a), sub(d, c));
    let turn = |u: [f64; 2], v: [f64; 2]| u[0] * v[1] - u[1] * v[0];
    let across = turn(ab, cd);
    if across != 0.0 {
        let shares = [turn(sub(c, a), cd) / across, turn(sub(c, a), ab) / across];
        if shares.iter().all(|share| (0.0..=1.0).contains(share)) {
            return None;
        }
    }
    // A perpendicular that misses the other segment is replaced by the link to its nearer end.
    let foot = |point: [f64; 2], from: [f64; 2], along: [f64; 2]| {
        let square = dot(along, along);
        if square > 0.0 { (dot(sub(point, from), along) / square).clamp(0.0, 1.0) } else { 0.0 }
    };
    let candidates =
        [[0.0, foot(a, c, cd)], [1.0, foot(b, c, cd)], [foot(c, a, ab), 0.0], [foot(d, a, ab), 1.0]];
    let square = |shares: &[f64; 2]| {
        let link = sub(add_scaled(c, shares[1], cd), add_scaled(a, shares[0], ab));
        dot(link, link)
    };
    candidates.into_iter().min_by(|x, y| square(x).total_cmp(&square(y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossing_segments_have_none() {
        assert_eq!(shortest_link([[0.0, 0.0], [2.0, 2.0]], [[0.0, 2.0], [2.0, 0.0]]), None);
        assert_eq!(shortest_link([[0.0, 0.0], [2.0, 0.0]], [[1.0, 0.0], [1.0, 5.0]]), None);
    }

    #[test]
    fn ends_and_perpendiculars() {
        // From end B to end C; from the inside of AB to end C; from end A to the inside of CD.
        assert_eq!(shortest_link([[0.0, 0.0], [1.0, 0.0]], [[2.0, 1.0], [3.0, 1.0]]), Some([1.0, 0.0]));
        assert_eq!(shortest_link([[0.0, 0.0], [4.0, 0.0]], [[1.0, 1.0], [1.0, 2.0]]), Some([0.25, 0.0]));
        assert_eq!(shortest_link([[0.0, 1.0], [0.0, 2.0]], [[-1.0, 0.0], [1.0, 0.0]]), Some([0.0, 0.5]));
    }
}
