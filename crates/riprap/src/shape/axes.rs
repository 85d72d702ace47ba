//! Principal axes of symmetric matrices, by Jacobi's rotations (1846).
//!
//! 1. For each two axes, turn about the third by the smaller of the angles that make their product zero.
//! 2. Until all products are small against the trace.
//!
//! A matrix that is diagonal already is not turned, nor are axes of equal moments. Cost: some hundred products.

/// Products below this part of the trace are zero.
const SMALL: f64 = 1e-11;
/// Six rounds are more than enough; convergence is quadratic.
const ROUNDS: usize = 30;

/// The eigenvalues of a symmetric matrix, and a rotation whose columns are its eigenvectors, turned as little as may be.
pub(super) fn principal(mut matrix: [[f64; 3]; 3]) -> ([f64; 3], [[f64; 3]; 3]) {
    let mut axes = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 }));
    let trace: f64 = (0..3).map(|k| matrix[k][k].abs()).sum();
    let mut limit = SMALL * trace;
    for _ in 0..ROUNDS {
        let mut turned = false;
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            if matrix[i][j].abs() > limit {
                turn(&mut matrix, &mut axes, i, j);
                turned = true;
            }
        }
        if !turned {
            break;
        }
        // What has to be turned is turned all the way.
        limit = 1e-17 * trace;
    }
    ([matrix[0][0], matrix[1][1], matrix[2][2]], axes)
}

/// Turns in the plane of two axes, so that their product is zero.
fn turn(matrix: &mut [[f64; 3]; 3], axes: &mut [[f64; 3]; 3], i: usize, j: usize) {
    let ratio = (matrix[j][j] - matrix[i][i]) / (2.0 * matrix[i][j]);
    let tangent = ratio.signum() / (ratio.abs() + (ratio * ratio + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    for row in matrix.iter_mut().chain(axes.iter_mut()) {
        (row[i], row[j]) = (cosine * row[i] - sine * row[j], sine * row[i] + cosine * row[j]);
    }
    for k in 0..3 {
        let (x, y) = (matrix[i][k], matrix[j][k]);
        (matrix[i][k], matrix[j][k]) = (cosine * x - sine * y, sine * x + cosine * y);
    }
    (matrix[i][j], matrix[j][i]) = (0.0, 0.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    const IDENTITY: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    fn determinant(m: &[[f64; 3]; 3]) -> f64 {
        crate::vector::dot(m[0], crate::vector::cross(m[1], m[2]))
    }

    #[test]
    fn axes_and_values_give_the_matrix_back() {
        let mut random = Random::new(1);
        for case in 0..1000 {
            let mut matrix = [[0.0; 3]; 3];
            for i in 0..3 {
                for j in 0..=i {
                    matrix[i][j] = random.normal() * if case % 2 == 0 || i == j { 1.0 } else { 1e-6 };
                    matrix[j][i] = matrix[i][j];
                }
            }
            let (values, axes) = principal(matrix);
            for i in 0..3 {
                for j in 0..3 {
                    let back: f64 = (0..3).map(|k| axes[i][k] * values[k] * axes[j][k]).sum();
                    assert!((back - matrix[i][j]).abs() < 1e-14, "{case}: {back} {}", matrix[i][j]);
                    let product: f64 = (0..3).map(|k| axes[k][i] * axes[k][j]).sum();
                    assert!((product - IDENTITY[i][j]).abs() < 1e-14);
                }
            }
            assert!((determinant(&axes) - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn what_is_diagonal_or_degenerate_is_not_turned() {
        for diagonal in [[3.0, 1.0, 2.0], [1.0, 1.0, 2.0], [2.0; 3], [0.0; 3]] {
            let noise = 1e-13 * diagonal[0];
            let matrix =
                [[diagonal[0], noise, -noise], [noise, diagonal[1], noise], [-noise, noise, diagonal[2]]];
            assert_eq!(principal(matrix), (diagonal, IDENTITY));
        }
    }

    #[test]
    fn a_small_turn_is_undone_by_a_small_turn() {
        let matrix = [[1.0, 1e-4, 0.0], [1e-4, 2.0, 0.0], [0.0, 0.0, 1.5]];
        let (values, axes) = principal(matrix);
        assert!((0..3).all(|k| axes[k][k] > 0.999_999 && (values[k] - [1.0, 2.0, 1.5][k]).abs() < 1e-7));
    }
}
