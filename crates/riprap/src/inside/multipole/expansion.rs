//! The value of a local expansion at a point (Muth et al. 2006, eq 20): the sum of coefficients times R.
//!
//! R of degree n and order m is a polynomial in z and the square of the distance, times `(x + i y)^m`. The polynomials of four orders
//! follow from the last two degrees at a time; scaled so that their highest coefficient is one, that is
//! `next = z last - beta r^2 (the one before)`. Coefficients are stored in that order and with these factors.

use super::harmonics::at;
use crate::lanes::vectors::Vector;
use crate::lanes::{Lanes, WIDTH};

/// The factors that all expansions of a degree share.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    degree: usize,
    /// For four orders after the other and each degree: beta, and one where the degree is the order.
    steps: Vec<[Lanes; 2]>,
    /// What each coefficient of a column is multiplied by, and where it goes; a row is two times four numbers.
    places: Vec<(usize, f64)>,
}

/// Real and imaginary coefficients of four orders of a degree.
pub(super) type Row = [Lanes; 2];

impl Layout {
    pub(super) fn new(degree: usize) -> Self {
        let mut steps = Vec::new();
        let mut places = vec![(0, 0.0); (degree + 1) * (degree + 1)];
        for first in (0..=degree).step_by(WIDTH) {
            for n in first..=degree {
                let mut step = [Lanes([0.0; WIDTH]); 2];
                for m in (first..first + WIDTH).take_while(|&m| m <= n) {
                    if n >= m + 2 {
                        let [one, two] = [(2 * n - 1) as f64, (2 * n - 3) as f64];
                        step[0].0[m - first] = ((n - 1) * (n - 1) - m * m) as f64 / (one * two);
                    }
                    step[1].0[m - first] = f64::from(u8::from(n == m));
                    // The highest coefficient of R.
                    let mut leading = 1.0;
                    for order in 1..=m {
                        leading /= (2 * order) as f64;
                    }
                    for n in m + 1..=n {
                        leading *= (2 * n - 1) as f64 / (n * n - m * m) as f64;
                    }
                    for part in 0..=usize::from(m > 0) {
                        places[at(n, m) + part] = (8 * steps.len() + 4 * part + m - first, leading);
                    }
                }
                steps.push(step);
            }
        }
        Self { degree, steps, places }
    }

    /// Rows of an expansion.
    pub(super) fn rows(&self) -> usize {
        self.steps.len()
    }

    /// Appends an expansion with these coefficients.
    pub(super) fn store(&self, column: &[f64], rows: &mut Vec<Row>) {
        let first = rows.len();
        rows.resize(first + self.rows(), [Lanes([0.0; WIDTH]); 2]);
        for (&coefficient, &(place, factor)) in column.iter().zip(&self.places) {
            rows[first + place / 8][place / 4 % 2].0[place % 4] = factor * coefficient;
        }
    }

    /// The sum of an expansion at a point, in units of its box from its middle.
    #[inline(always)]
    pub(super) fn value<V: Vector>(&self, rows: &[Row], [x, y, z]: [f64; 3]) -> f64 {
        let minus_square = V::all(-(x * x + y * y + z * z));
        let height = V::all(z);
        // Powers of x + i y, of four orders at a time.
        let two = [x * x - y * y, 2.0 * x * y];
        let three = [x * two[0] - y * two[1], x * two[1] + y * two[0]];
        let four = [V::all(two[0] * two[0] - two[1] * two[1]), V::all(2.0 * two[0] * two[1])];
        let mut powers =
            [V::of(|lane| [1.0, x, two[0], three[0]][lane]), V::of(|lane| [0.0, y, two[1], three[1]][lane])];
        let mut sum = V::all(0.0);
        let mut row = 0;
        for first in (0..=self.degree).step_by(WIDTH) {
            let zero = V::all(0.0);
            let (mut one, mut two, mut re, mut im) = (zero, zero, zero, zero);
            for _ in first..=self.degree {
                let ([beta, begin], [a, b]) = (&self.steps[row], &rows[row]);
                let next =
                    (V::load(beta) * minus_square).times_plus(two, one.times_plus(height, V::load(begin)));
                (two, one) = (one, next);
                re = V::load(a).times_plus(next, re);
                im = V::load(b).times_plus(next, im);
                row += 1;
            }
            sum = sum + re * powers[0] + im * powers[1];
            powers = [powers[0] * four[0] - powers[1] * four[1], powers[0] * four[1] + powers[1] * four[0]];
        }
        let lanes = sum.lanes();
        (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
    }
}
