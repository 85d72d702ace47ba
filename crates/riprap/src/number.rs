//! Numbers that are worked on one by one, or several at a time.

use std::ops::{Add, Mul, Neg, Sub};

/// A whole power by repeated squaring. The order of the products in `f64::powi` may differ from machine to machine, and with
/// it the last bit.
#[inline]
pub(crate) fn power(mut base: f64, mut exponent: u32) -> f64 {
    let mut product = 1.0;
    loop {
        if exponent % 2 == 1 {
            product *= base;
        }
        exponent /= 2;
        if exponent == 0 {
            return product;
        }
        base *= base;
    }
}

/// A number, or several side by side.
pub(crate) trait Real:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// The same number everywhere.
    fn all(value: f64) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
    /// The cube root.
    fn cbrt(self) -> Self;
    /// Quotient.
    fn over(self, divisor: Self) -> Self;
    /// The larger one.
    fn max(self, other: Self) -> Self;
    /// The smaller one.
    fn min(self, other: Self) -> Self;
    /// Where `self` exceeds `limit`, `then`, elsewhere `otherwise`.
    fn above(self, limit: Self, then: Self, otherwise: Self) -> Self;
}

impl Real for f64 {
    #[inline(always)]
    fn all(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }

    #[inline(always)]
    fn cbrt(self) -> Self {
        libm::cbrt(self)
    }

    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        self / divisor
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    #[inline(always)]
    fn above(self, limit: Self, then: Self, otherwise: Self) -> Self {
        if self > limit { then } else { otherwise }
    }
}

#[cfg(test)]
mod tests {
    use super::power;

    #[test]
    fn whole_powers() {
        for exponent in 0..60 {
            let exact = (1u64 << exponent) as f64;
            assert_eq!((power(2.0, exponent), power(-0.5, exponent).abs()), (exact, 1.0 / exact));
        }
        assert_eq!((power(3.0, 5), power(-3.0, 3), power(0.0, 0)), (243.0, -27.0, 1.0));
        assert_eq!((power(10.0, 400), power(0.1, 400)), (f64::INFINITY, 0.0));
    }
}
