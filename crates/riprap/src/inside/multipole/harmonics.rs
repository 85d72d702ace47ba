//! Regular and irregular solid harmonics R and S (Muth et al. 2006, eqs 14 and 15), and how they move.
//!
//! `1 / |x - y|` is the sum of `conj(S(y)) R(x)` over all degrees n and orders m, for x closer to the origin than y (eq 13). For
//! negative orders `R_n^-m = (-1)^m conj(R_n^m)` and the same for S; with the equal signs of eqs 14 and 15 the sum is the same,
//! but eqs 23 to 25 would not hold.
//!
//! A real function needs orders m >= 0 only. All harmonics up to degree p are a column of `(p + 1)^2` real numbers: for each degree
//! the order 0, then real and imaginary parts of orders 1 to n. In terms of such columns
//!
//! - `R(a + u) = A(a) R(u)` with a lower triangular matrix A ([`shift_regular`]): M2M (eq 23) is A, and L2L (eq 25) its transpose;
//! - `S(a + u) = B(a) R(u)` ([`shift_irregular`]): M2L (eq 24) is the transpose of B.

use crate::number::Real;

/// Numbers in a column of all degrees up to this one.
pub(super) const fn columns(degree: usize) -> usize {
    (degree + 1) * (degree + 1)
}

/// Where the real part of order `m > 0` is, before its imaginary part; or order 0.
#[inline(always)]
pub(super) const fn at(n: usize, m: usize) -> usize {
    n * n + if m == 0 { 0 } else { 2 * m - 1 }
}

/// The degree of each number of a column.
pub(super) fn degree_of(index: usize) -> usize {
    index.isqrt()
}

/// How often a number of a column counts in a sum over all orders: those of order `m > 0` stand for `-m` too.
pub(super) fn weight(index: usize) -> f64 {
    if index == at(degree_of(index), 0) { 1.0 } else { 2.0 }
}

/// What the squares of moments of degree n and order m are multiplied by in their norm: `(n - m)! (n + m)!`, for both signs of m.
pub(super) fn norm_weights(degree: usize) -> Vec<f64> {
    let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
    (0..columns(degree))
        .map(|index| {
            let n = degree_of(index);
            let m = (index - n * n).div_ceil(2);
            weight(index) * factorial(n - m) * factorial(n + m)
        })
        .collect()
}

/// A complex number.
type Complex = [f64; 2];

/// All regular harmonics up to a degree.
pub(super) fn regular([x, y, z]: [f64; 3], degree: usize) -> Vec<f64> {
    let square = x * x + y * y + z * z;
    let step = |n: usize, m: usize| 1.0 / ((n * n - m * m) as f64);
    by_recurrence(
        degree,
        [1.0, 0.0],
        |m, [re, im]| [x * re - y * im, x * im + y * re].map(|part| part / (2 * m) as f64),
        |n, m, one, two| ((2 * n - 1) as f64 * z * one - square * two) * step(n, m),
    )
}

/// All irregular harmonics up to a degree; not at the origin.
pub(super) fn irregular([x, y, z]: [f64; 3], degree: usize) -> Vec<f64> {
    let inverse = 1.0 / (x * x + y * y + z * z);
    by_recurrence(
        degree,
        [inverse.sqrt(), 0.0],
        |m, [re, im]| [x * re - y * im, x * im + y * re].map(|part| (2 * m - 1) as f64 * part * inverse),
        |n, m, one, two| {
            let before = ((n - 1) * (n - 1) - m * m) as f64;
            ((2 * n - 1) as f64 * z * one - before * two) * inverse
        },
    )
}

/// Harmonics from the first one, by the step to the next order and degree, and by that from the last two degrees `n - 1` and `n - 2`
/// to the degree `n`.
fn by_recurrence(
    degree: usize,
    first: Complex,
    next_order: impl Fn(usize, Complex) -> Complex,
    next_degree: impl Fn(usize, usize, f64, f64) -> f64,
) -> Vec<f64> {
    let mut all = vec![0.0; columns(degree)];
    let mut diagonal = first;
    for m in 0..=degree {
        if m > 0 {
            diagonal = next_order(m, diagonal);
        }
        for part in 0..=usize::from(m > 0) {
            let (mut two, mut one) = (0.0, diagonal[part]);
            all[at(m, m) + part] = one;
            for n in m + 1..=degree {
                (two, one) = (one, next_degree(n, m, one, two));
                all[at(n, m) + part] = one;
            }
        }
    }
    all
}

/// The harmonic of any order, also a negative one; zero beyond those there are.
fn of_order(column: &[f64], n: usize, m: isize) -> Complex {
    let order = m.unsigned_abs();
    if order > n {
        return [0.0, 0.0];
    }
    let first = at(n, order);
    let [re, im] = if order == 0 { [column[first], 0.0] } else { [column[first], column[first + 1]] };
    match (m < 0, order % 2) {
        (false, _) => [re, im],
        (true, 0) => [re, -im],
        (true, _) => [-re, im],
    }
}

/// The matrix A of `R(a + u) = A R(u)`, row by row.
pub(super) fn shift_regular(a: [f64; 3], degree: usize) -> Vec<f64> {
    let column = regular(a, degree);
    matrix(degree, |n, m, s, t| {
        let Some(rest) = n.checked_sub(s) else { return [[0.0; 2]; 2] };
        // With R_s^t(u) and with its conjugate, as which R_s^-t(u) comes.
        let sign = if t % 2 == 0 { 1.0 } else { -1.0 };
        let minus = of_order(&column, rest, m as isize - t as isize);
        let plus = of_order(&column, rest, m as isize + t as isize).map(|part| sign * part);
        [minus, plus]
    })
}

/// The matrix B of `S(a + u) = B R(u)` for `u` shorter than `a`, row by row.
pub(super) fn shift_irregular(a: [f64; 3], degree: usize) -> Vec<f64> {
    let column = irregular(a, 2 * degree);
    matrix(degree, |n, m, s, t| {
        let (sign, order) = (if s % 2 == 0 { 1.0 } else { -1.0 }, if t % 2 == 0 { 1.0 } else { -1.0 });
        let minus = of_order(&column, n + s, m as isize - t as isize).map(|part| sign * order * part);
        let plus = of_order(&column, n + s, m as isize + t as isize).map(|part| sign * part);
        [minus, plus]
    })
}

/// A matrix between columns, from the two complex factors that a harmonic `n, m` has with R_s^t and with its conjugate.
fn matrix(degree: usize, factors: impl Fn(usize, usize, usize, usize) -> [Complex; 2]) -> Vec<f64> {
    let size = columns(degree);
    let mut matrix = vec![0.0; size * size];
    for n in 0..=degree {
        for m in 0..=n {
            for s in 0..=degree {
                for t in 0..=s {
                    let [direct, conjugate] = factors(n, m, s, t);
                    let (row, column) = (at(n, m), at(s, t));
                    // (re + i im) direct + (re - i im) conjugate
                    let re =
                        if t == 0 { direct } else { [direct[0] + conjugate[0], direct[1] + conjugate[1]] };
                    let im = [conjugate[1] - direct[1], direct[0] - conjugate[0]];
                    for part in 0..=usize::from(m > 0) {
                        matrix[(row + part) * size + column] = re[part];
                        if t > 0 {
                            matrix[(row + part) * size + column + 1] = im[part];
                        }
                    }
                }
            }
        }
    }
    matrix
}

/// `v . grad R` of degree `n`, from the harmonics of degree `n - 1`: `raised` and `lower` hold those of one degree, from order 0.
///
/// It also makes R itself, since `v . grad R_n (v) = n R_n (v)`.
#[inline(always)]
pub(super) fn gradient_along<V: Real>([x, y, z]: [V; 3], n: usize, lower: &[V], raised: &mut [V]) {
    let half = V::all(0.5);
    let (hx, hy) = (half * x, half * y);
    // R of degree n - 1: real and imaginary part of an order, zero beyond.
    let zero = V::all(0.0);
    let part = |m: usize| -> [V; 2] {
        if m >= n {
            [zero, zero]
        } else if m == 0 {
            [lower[0], zero]
        } else {
            [lower[2 * m - 1], lower[2 * m]]
        }
    };
    // d/dz R_n^m = R_n-1^m, (d/dx + i d/dy) R_n^m = -R_n-1^m+1, (d/dx - i d/dy) R_n^m = R_n-1^m-1.
    let [up_re, up_im] = part(1);
    raised[0] = z * part(0)[0] - (x * up_re + y * up_im);
    for m in 1..=n {
        let ([re, im], [up_re, up_im], [down_re, down_im]) = (part(m), part(m + 1), part(m - 1));
        raised[2 * m - 1] = z * re - (hx * up_re + hy * up_im) + (hx * down_re - hy * down_im);
        raised[2 * m] = z * im - (hx * up_im - hy * up_re) + (hx * down_im + hy * down_re);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use crate::vector::{add, length, sub, unit};

    const DEGREE: usize = 14;

    fn random_point(random: &mut Random, radius: f64) -> [f64; 3] {
        let direction = unit(std::array::from_fn(|_| random.normal())).unwrap();
        direction.map(|x| radius * x)
    }

    fn product(matrix: &[f64], column: &[f64]) -> Vec<f64> {
        matrix.chunks(column.len()).map(|row| row.iter().zip(column).map(|(a, b)| a * b).sum()).collect()
    }

    fn assert_close(found: &[f64], expected: &[f64], error: f64) {
        for (index, (a, b)) in found.iter().zip(expected).enumerate() {
            let scale = expected.iter().skip(degree_of(index).pow(2)).take(2 * degree_of(index) + 1);
            let scale = scale.fold(0.0f64, |largest, x| largest.max(x.abs()));
            assert!((a - b).abs() <= error * scale, "{index}: {a} {b}");
        }
    }

    #[test]
    fn the_kernel_is_the_sum_of_products() {
        let mut random = Random::new(1);
        for _ in 0..100 {
            let (x, y) = (random_point(&mut random, 0.3), random_point(&mut random, 1.0));
            let (near, far) = (regular(x, 30), irregular(y, 30));
            let sum: f64 = (0..near.len()).map(|index| weight(index) * near[index] * far[index]).sum();
            assert!((sum * length(sub(x, y)) - 1.0).abs() < 1e-14, "{sum}");
        }
    }

    #[test]
    fn the_first_ones_are_as_written() {
        let [x, y, z] = [0.3, -0.7, 0.4];
        let (found, square) = (regular([x, y, z], 2), x * x + y * y + z * z);
        let expected = [
            1.0,
            z,
            x / 2.0,
            y / 2.0,
            (3.0 * z * z - square) / 4.0,
            x * z / 2.0,
            y * z / 2.0,
            (x * x - y * y) / 8.0,
            x * y / 4.0,
        ];
        assert_close(&found, &expected, 1e-15);
    }

    #[test]
    fn harmonics_move_by_their_matrices() {
        let mut random = Random::new(2);
        for _ in 0..20 {
            let (a, u) = (random_point(&mut random, 1.0), random_point(&mut random, 0.7));
            let moved = product(&shift_regular(a, DEGREE), &regular(u, DEGREE));
            assert_close(&moved, &regular(add(a, u), DEGREE), 1e-6);
            // An infinite sum, and slowest for the highest degrees.
            let u = u.map(|x| 0.03 * x);
            let moved = product(&shift_irregular(a, DEGREE), &regular(u, DEGREE));
            assert_close(&moved[..columns(4)], &irregular(add(a, u), 4), 1e-12);
        }
    }

    #[test]
    fn gradients_are_those_of_differences() {
        let mut random = Random::new(3);
        for _ in 0..20 {
            let (a, v) = (random_point(&mut random, 1.0), random_point(&mut random, 1.0));
            let step = 1e-5;
            let column = regular(a, 8);
            let beside = |sign: f64| regular(add(a, v.map(|x| sign * step * x)), 8);
            let (ahead, behind) = (beside(1.0), beside(-1.0));
            for n in 1..=8 {
                let mut along = vec![0.0; 2 * n + 1];
                gradient_along(v, n, &column[(n - 1) * (n - 1)..n * n], &mut along);
                let range = n * n..(n + 1) * (n + 1);
                let differences: Vec<f64> =
                    range.clone().map(|k| (ahead[k] - behind[k]) / (2.0 * step)).collect();
                let size = along.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
                for (x, y) in along.iter().zip(&differences) {
                    assert!((x - y).abs() < 1e-7 * size.max(1e-9), "{n}: {x} {y}");
                }
                let mut itself = vec![0.0; 2 * n + 1];
                gradient_along(a, n, &column[(n - 1) * (n - 1)..n * n], &mut itself);
                for (x, y) in itself.iter().zip(&column[range]) {
                    assert!((x - n as f64 * y).abs() < 1e-12, "{n}: {x} {y}");
                }
            }
        }
    }
}
