//! Numbers side by side: four of eight bytes, or eight of four.
//!
//! A formula is written once, for any [`Real`]: one number at a time, or with [`Lanes`] four side by side, which compilers turn
//! into vector instructions. Both give the same bits. See `vectors.rs` for registers.

pub(crate) mod vectors;

use std::ops::{Add, Mul, Neg, Sub};

use crate::number::Real;

/// Numbers of eight bytes that are worked on together.
pub(crate) const WIDTH: usize = 4;
/// Numbers of four bytes that are.
pub(crate) const SHORT_WIDTH: usize = 8;

/// One value per lane.
#[inline(always)]
pub(crate) fn each<R>(value: impl Fn(usize) -> R) -> [R; WIDTH] {
    [value(0), value(1), value(2), value(3)]
}

/// One value per lane of short numbers.
#[inline(always)]
fn each_short<R>(value: impl Fn(usize) -> R) -> [R; SHORT_WIDTH] {
    [value(0), value(1), value(2), value(3), value(4), value(5), value(6), value(7)]
}

/// Four numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(32))]
pub(crate) struct Lanes(pub(crate) [f64; WIDTH]);

/// Eight short numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(32))]
pub(crate) struct ShortLanes(pub(crate) [f32; SHORT_WIDTH]);

/// Lane by lane, all that [`Real`] asks for.
macro_rules! lane_by_lane {
    ($lanes:ident, $number:ty, $each:ident) => {
        impl $lanes {
            #[inline(always)]
            fn both(self, other: Self, f: impl Fn($number, $number) -> $number) -> Self {
                Self($each(|lane| f(self.0[lane], other.0[lane])))
            }
        }

        impl Add for $lanes {
            type Output = Self;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.both(other, |a, b| a + b)
            }
        }

        impl Sub for $lanes {
            type Output = Self;
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.both(other, |a, b| a - b)
            }
        }

        impl Mul for $lanes {
            type Output = Self;
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self.both(other, |a, b| a * b)
            }
        }

        impl Neg for $lanes {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                Self($each(|lane| -self.0[lane]))
            }
        }

        impl Real for $lanes {
            #[inline(always)]
            fn all(value: f64) -> Self {
                Self($each(|_| value as $number))
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                Self($each(|lane| self.0[lane].sqrt()))
            }

            #[inline(always)]
            fn cbrt(self) -> Self {
                Self($each(|lane| libm::cbrt(f64::from(self.0[lane])) as $number))
            }

            #[inline(always)]
            fn over(self, divisor: Self) -> Self {
                self.both(divisor, |a, b| a / b)
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                self.both(other, |a, b| if a > b { a } else { b })
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                self.both(other, |a, b| if a < b { a } else { b })
            }

            #[inline(always)]
            fn above(self, limit: Self, then: Self, otherwise: Self) -> Self {
                Self($each(
                    |lane| if self.0[lane] > limit.0[lane] { then.0[lane] } else { otherwise.0[lane] },
                ))
            }
        }
    };
}

lane_by_lane!(Lanes, f64, each);
lane_by_lane!(ShortLanes, f32, each_short);
