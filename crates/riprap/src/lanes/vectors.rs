//! Four numbers in a vector register, and kernels compiled for the processor at hand.
//!
//! A [`Kernel`] is written for any [`Vector`] and compiled several times: with [`Lanes`], plain numbers that any processor can
//! work with, and with a register of AVX2, also where AVX-512 offers twice as many of them. The arithmetic, and so the result,
//! is the same everywhere: nothing is reordered, nor fused except by [`Vector::times_plus`].
#![allow(unsafe_code, reason = "instructions that not every processor has")]

use super::{Lanes, WIDTH, each};
use crate::number::Real;
use crate::vector::components;

/// Four numbers side by side.
pub(crate) trait Vector: Real {
    /// One number per lane.
    fn of(value: impl Fn(usize) -> f64) -> Self;
    /// The numbers.
    fn lanes(self) -> [f64; WIDTH];
    /// `self * factor + term`, rounded once where the processor can do that and else twice: for kernels whose last digit may depend on it.
    #[inline(always)]
    fn times_plus(self, factor: Self, term: Self) -> Self {
        self * factor + term
    }
    /// A bit for each lane, set if its number has a minus sign.
    fn negative(self) -> u32;
    /// The components of these rows, each component in a vector.
    #[inline(always)]
    fn columns<const N: usize>(rows: [&[f64; N]; WIDTH]) -> [Self; N] {
        components(|k| Self::of(|lane| rows[lane][k]))
    }
}

impl Vector for Lanes {
    #[inline(always)]
    fn of(value: impl Fn(usize) -> f64) -> Self {
        Self(each(value))
    }

    #[inline(always)]
    fn lanes(self) -> [f64; WIDTH] {
        self.0
    }

    #[inline(always)]
    fn negative(self) -> u32 {
        let [a, b, c, d] = each(|lane| u32::from(self.0[lane].is_sign_negative()));
        a | b << 1 | c << 2 | d << 3
    }
}

/// A loop worth compiling for vector registers; `run` and what it calls must be inlined, so that they are compiled for them.
pub(crate) trait Kernel {
    /// Does the work.
    fn run<V: Vector>(self);
}

/// Runs a kernel with the widest registers that the processor has, or with plain numbers unless `wide` is set.
pub(crate) fn run(kernel: impl Kernel, wide: bool) {
    #[cfg(target_arch = "x86_64")]
    if wide && avx2::is_there() {
        if std::arch::is_x86_feature_detected!("avx512vl") {
            // SAFETY: the processor has just been found to have it all.
            return unsafe { avx2::run_with_many_registers(kernel) };
        }
        // SAFETY: the processor has just been found to have it all.
        return unsafe { avx2::run(kernel) };
    }
    let _ = wide;
    kernel.run::<Lanes>();
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;
    use std::ops::{Add, Mul, Neg, Sub};

    use super::{Kernel, Real, Vector, WIDTH, components, each};

    /// A register of AVX2. Nobody but the two functions below can name it, so it is used only where the processor has it;
    /// that is why all of its operations are safe.
    #[derive(Debug, Clone, Copy)]
    struct Register(__m256d);

    /// Whether the processor has AVX2 and what comes with it.
    pub(super) fn is_there() -> bool {
        std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("fma")
            && std::arch::is_x86_feature_detected!("popcnt")
    }

    #[target_feature(enable = "avx2,fma,popcnt")]
    pub(super) fn run(kernel: impl Kernel) {
        kernel.run::<Register>();
    }

    #[target_feature(enable = "avx2,fma,popcnt,avx512f,avx512vl")]
    pub(super) fn run_with_many_registers(kernel: impl Kernel) {
        kernel.run::<Register>();
    }

    impl Add for Register {
        type Output = Self;
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: see `Register`.
            Self(unsafe { _mm256_add_pd(self.0, other.0) })
        }
    }

    impl Sub for Register {
        type Output = Self;
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            // SAFETY: see `Register`.
            Self(unsafe { _mm256_sub_pd(self.0, other.0) })
        }
    }

    impl Mul for Register {
        type Output = Self;
        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            // SAFETY: see `Register`.
            Self(unsafe { _mm256_mul_pd(self.0, other.0) })
        }
    }

    impl Neg for Register {
        type Output = Self;
        #[inline(always)]
        fn neg(self) -> Self {
            // SAFETY: see `Register`.
            Self(unsafe { _mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)) })
        }
    }

    impl Real for Register {
        #[inline(always)]
        fn all(value: f64) -> Self {
            // SAFETY: see `Register`.
            Self(unsafe { _mm256_set1_pd(value) })
        }

        #[inline(always)]
        fn sqrt(self) -> Self {
            // SAFETY: see `Register`.
            Self(unsafe { _mm256_sqrt_pd(self.0) })
        }

        #[inline(always)]
        fn over(self, divisor: Self) -> Self {
            // SAFETY: see `Register`.
            Self(unsafe { _mm256_div_pd(self.0, divisor.0) })
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: see `Register`.
            Self(unsafe { _mm256_max_pd(self.0, other.0) })
        }

        #[inline(always)]
        fn min(self, other: Self) -> Self {
            // SAFETY: see `Register`.
            Self(unsafe { _mm256_min_pd(self.0, other.0) })
        }

        #[inline(always)]
        fn above(self, limit: Self, then: Self, otherwise: Self) -> Self {
            // SAFETY: see `Register`.
            Self(unsafe {
                _mm256_blendv_pd(otherwise.0, then.0, _mm256_cmp_pd::<_CMP_GT_OQ>(self.0, limit.0))
            })
        }
    }

    impl Vector for Register {
        #[inline(always)]
        fn of(value: impl Fn(usize) -> f64) -> Self {
            let [a, b, c, d] = each(value);
            // SAFETY: see `Register`.
            Self(unsafe { _mm256_setr_pd(a, b, c, d) })
        }

        #[inline(always)]
        fn lanes(self) -> [f64; WIDTH] {
            let mut lanes = [0.0; WIDTH];
            // SAFETY: see `Register`; there is room for four numbers.
            unsafe { _mm256_storeu_pd(lanes.as_mut_ptr(), self.0) };
            lanes
        }

        #[inline(always)]
        fn times_plus(self, factor: Self, term: Self) -> Self {
            // SAFETY: see `Register`.
            Self(unsafe { _mm256_fmadd_pd(self.0, factor.0, term.0) })
        }

        #[inline(always)]
        fn negative(self) -> u32 {
            // SAFETY: see `Register`.
            unsafe { _mm256_movemask_pd(self.0) as u32 }
        }

        #[inline(always)]
        fn columns<const N: usize>(rows: [&[f64; N]; WIDTH]) -> [Self; N] {
            components(|k| {
                if N % 2 == 1 && k + 1 == N {
                    return Self::of(|lane| rows[lane][k]);
                }
                // Two components at a time: with their rows side by side, then apart.
                let pair = k - k % 2;
                // SAFETY: see `Register`; component `pair + 1` is in the row, too.
                unsafe {
                    let two = |low: usize, high: usize| {
                        let load = |row: usize| _mm_loadu_pd(rows[row][pair..pair + 2].as_ptr());
                        _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(load(low)), load(high))
                    };
                    let (even, odd) = (two(0, 2), two(1, 3));
                    Self(if k % 2 == 0 {
                        _mm256_unpacklo_pd(even, odd)
                    } else {
                        _mm256_unpackhi_pd(even, odd)
                    })
                }
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All operations on all pairs of some numbers, as bits.
    struct Everything<'a>(&'a mut Vec<u64>);

    impl Kernel for Everything<'_> {
        fn run<V: Vector>(self) {
            let numbers = [1.5, -0.0, 0.0, -3.25, f64::NAN, f64::INFINITY, 1e-320, 7.1];
            let rows = each(|lane| [numbers[lane], numbers[lane + 4], -numbers[lane]]);
            let columns: [V; 3] = V::columns(each(|lane| &rows[lane]));
            let pairs: [V; 2] = V::columns(each(|lane| rows[lane].first_chunk().expect("two of three")));
            let shifted = V::of(|lane| numbers[(lane + 3) % 8]);
            for a in columns.into_iter().chain(pairs) {
                for b in [shifted, columns[0], columns[1], V::all(2.0)] {
                    let results =
                        [a + b, a - b, a * b, -a, a.over(b), a.sqrt(), a.max(b), a.min(b), a.above(b, b, a)];
                    for result in results {
                        // Which of the bits of a number that is none are set is not promised.
                        let bits = |x: f64| if x.is_nan() { u64::MAX } else { x.to_bits() };
                        self.0.extend(result.lanes().map(bits));
                        // Nor is the sign of such a number.
                        let known = (result * V::all(0.0) + V::all(1.0)).lanes().map(f64::is_nan);
                        let known =
                            (0..WIDTH).filter(|&lane| !known[lane]).map(|lane| 1 << lane).sum::<u32>();
                        self.0.push(u64::from(result.negative() & known));
                    }
                }
            }
        }
    }

    #[test]
    fn registers_do_the_same_as_plain_numbers() {
        let mut plain = Vec::new();
        run(Everything(&mut plain), false);
        assert_eq!(plain.len(), 5 * 4 * 9 * (WIDTH + 1));
        let mut widest = Vec::new();
        run(Everything(&mut widest), true);
        assert_eq!(plain, widest);
        #[cfg(target_arch = "x86_64")]
        if avx2::is_there() {
            let mut wide = Vec::new();
            // SAFETY: the processor has just been found to have it all.
            unsafe { avx2::run(Everything(&mut wide)) };
            assert_eq!(plain, wide);
        }
    }
}
