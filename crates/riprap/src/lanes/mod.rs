//! Four numbers side by side.
//!
//! A formula is written once, for any [`Real`]: one number at a time, or with [`Lanes`] four side by side, which compilers turn
//! into vector instructions. Both give the same bits. See `vectors.rs` for registers.

pub(crate) mod vectors;

use std::ops::{Add, Mul, Neg, Sub};

use crate::number::Real;

/// Numbers that are worked on together.
pub(crate) const WIDTH: usize = 4;

/// One value per lane.
#[inline(always)]
pub(crate) fn each<R>(value: impl Fn(usize) -> R) -> [R; WIDTH] {
    [value(0), value(1), value(2), value(3)]
}

/// Four numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(32))]
pub struct Lanes(pub [f64; WIDTH]);

impl Lanes {
    #[inline(always)]
    fn each(self, f: impl Fn(f64) -> f64) -> Self {
        let [a, b, c, d] = self.0;
        Self([f(a), f(b), f(c), f(d)])
    }

    #[inline(always)]
    fn both(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let ([a, b, c, d], [e, g, h, i]) = (self.0, other.0);
        Self([f(a, e), f(b, g), f(c, h), f(d, i)])
    }
}

impl Add for Lanes {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.both(other, |a, b| a + b)
    }
}

impl Sub for Lanes {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.both(other, |a, b| a - b)
    }
}

impl Mul for Lanes {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.both(other, |a, b| a * b)
    }
}

impl Neg for Lanes {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.each(|a| -a)
    }
}

impl Real for Lanes {
    #[inline(always)]
    fn all(value: f64) -> Self {
        Self([value; WIDTH])
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.each(f64::sqrt)
    }

    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        self.both(divisor, |a, b| a / b)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.both(other, Real::max)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.both(other, Real::min)
    }

    #[inline(always)]
    fn above(self, limit: Self, then: Self, otherwise: Self) -> Self {
        Self(each(|lane| if self.0[lane] > limit.0[lane] { then.0[lane] } else { otherwise.0[lane] }))
    }
}
