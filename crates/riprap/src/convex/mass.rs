//! Volume, centroid and second moments, summed over simplices that fan out from an inner point.

use crate::vector::{add, add_scaled, cross, dot, scale, sub};

/// Integrals over a body, about its centroid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mass<const D: usize> {
    pub(super) volume: f64,
    pub(super) second_moments: [[f64; D]; D],
}

/// Sums over the simplices spanned by an inner point and the parts of the surface: segments in the plane, triangles in space.
/// Returns the centroid too.
pub(super) fn integrate<const D: usize>(
    inner: [f64; D],
    surface: impl Iterator<Item = [[f64; D]; D]>,
) -> ([f64; D], Mass<D>) {
    let (mut volume, mut first, mut second) = (0.0, [0.0; D], [[0.0; D]; D]);
    for part in surface {
        let arms = part.map(|corner| sub(corner, inner));
        let share = determinant(arms);
        let sum = arms.iter().fold([0.0; D], |sum, &arm| add(sum, arm));
        volume += share;
        first = add_scaled(first, share, sum);
        for i in 0..D {
            for j in 0..D {
                let products: f64 = arms.iter().map(|arm| arm[i] * arm[j]).sum();
                second[i][j] += share * (products + sum[i] * sum[j]);
            }
        }
    }
    // Over a simplex of D + 1 corners, one of them the origin: D! V is the determinant, V (D + 1) times the mean of x is
    // V times the sum of the corners, and V (D + 1)(D + 2) times the mean of x x is what was summed.
    let factorial = if D == 2 { 2.0 } else { 6.0 };
    let arm = scale(first, 1.0 / ((D + 1) as f64 * volume));
    volume /= factorial;
    for i in 0..D {
        for j in 0..D {
            second[i][j] = second[i][j] / (factorial * ((D + 1) * (D + 2)) as f64) - volume * arm[i] * arm[j];
        }
    }
    (add(inner, arm), Mass { volume, second_moments: second })
}

fn determinant<const D: usize>(rows: [[f64; D]; D]) -> f64 {
    if D == 2 {
        rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]
    } else {
        let [a, b, c]: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|k| rows[i][k]));
        dot(a, cross(b, c))
    }
}
