//! Numbers of twice as many digits: the unevaluated sum of two (Dekker 1971).

use std::ops::{Add, Mul, Neg, Sub};

use crate::number::Real;

/// The sum of two numbers, of which the second is at most half a unit in the last place of the first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Double {
    high: f64,
    low: f64,
}

impl Double {
    /// `a - b`, all digits of it.
    pub(super) fn differences(a: [f64; 3], b: [f64; 3]) -> [Self; 3] {
        std::array::from_fn(|k| two_sum(a[k], -b[k]))
    }

    /// The nearest number.
    pub(super) fn value(self) -> f64 {
        self.high
    }
}

/// The sum and its rounding.
fn two_sum(a: f64, b: f64) -> Double {
    let high = a + b;
    let part = high - a;
    Double { high, low: (a - (high - part)) + (b - part) }
}

/// The product and its rounding.
fn two_product(a: f64, b: f64) -> Double {
    let high = a * b;
    Double { high, low: a.mul_add(b, -high) }
}

impl Add for Double {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (high, low) = (two_sum(self.high, other.high), two_sum(self.low, other.low));
        let first = two_sum(high.high, high.low + low.high);
        two_sum(first.high, first.low + low.low)
    }
}

impl Neg for Double {
    type Output = Self;
    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Sub for Double {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Double {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let product = two_product(self.high, other.high);
        two_sum(product.high, product.low + (self.high * other.low + self.low * other.high))
    }
}

impl Real for Double {
    fn all(value: f64) -> Self {
        Self { high: value, low: 0.0 }
    }

    fn cbrt(self) -> Self {
        let root = Self::all(libm::cbrt(self.high));
        // One step of Newton's method doubles the digits.
        let slope = Self::all(3.0) * root * root;
        if self.high == 0.0 { self } else { root - (root * root * root - self).over(slope) }
    }

    fn sqrt(self) -> Self {
        if self.high <= 0.0 {
            return Self::all(0.0);
        }
        // One step of Newton's from the rounded root.
        let root = self.high.sqrt();
        let rest = self - two_product(root, root);
        two_sum(root, rest.high / (2.0 * root))
    }

    fn over(self, divisor: Self) -> Self {
        let first = self.high / divisor.high;
        let rest = self - divisor * Self::all(first);
        two_sum(first, rest.high / divisor.high)
    }

    fn max(self, other: Self) -> Self {
        self.above(other, self, other)
    }

    fn min(self, other: Self) -> Self {
        other.above(self, self, other)
    }

    fn above(self, limit: Self, then: Self, otherwise: Self) -> Self {
        if (self - limit).high > 0.0 { then } else { otherwise }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn what_is_taken_apart_can_be_put_together() {
        let mut random = Random::new(1);
        for _ in 0..1000 {
            let [a, b] = [random.uniform(0.1, 9.0), random.uniform(-1e-3, 1e-3)];
            let sum = two_sum(a, b);
            // What is left of the sum without its larger part is the smaller one, to the last digit.
            assert_eq!((sum - Double::all(a)).value(), b);
            let product = sum * sum;
            let root = product.sqrt() - sum;
            assert!(root.value().abs() < 1e-30, "{root:?}");
            let quotient = product.over(sum) - sum;
            assert!(quotient.value().abs() < 1e-30, "{quotient:?}");
            assert!((Real::max(sum, product) - Real::min(sum, product)).value() >= 0.0);
        }
    }
}
