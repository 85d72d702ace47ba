//! Numbers that are worked on one by one, or several at a time.

use std::ops::{Add, Mul, Neg, Sub};

/// A number, or several side by side.
pub(crate) trait Real:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// The same number everywhere.
    fn all(value: f64) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
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
