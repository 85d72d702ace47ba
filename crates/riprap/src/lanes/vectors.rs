//! Numbers in a vector register, and kernels compiled for the processor at hand.
//!
//! A [`Kernel`] is written for any [`Vector`] and compiled several times: with [`Lanes`], plain numbers that any processor can
//! work with, and with a register of AVX2, also where AVX-512 offers twice as many of them. The arithmetic, and so the result,
//! is the same everywhere: nothing is reordered, nor fused except by [`Packed::times_plus`].
#![allow(unsafe_code, reason = "instructions that not every processor has")]

use super::{Lanes, SHORT_WIDTH, ShortLanes, WIDTH, each, each_short};
use crate::number::Real;
use crate::vector::components;

/// Numbers side by side in memory.
pub(crate) trait LaneArray: Real {
    /// How many there are.
    const WIDTH: usize;
    /// The number of a lane.
    fn lane(&self, lane: usize) -> f64;
    /// Changes the number of a lane.
    fn set(&mut self, lane: usize, value: f64);
}

impl LaneArray for Lanes {
    const WIDTH: usize = WIDTH;

    #[inline(always)]
    fn lane(&self, lane: usize) -> f64 {
        self.0[lane]
    }

    fn set(&mut self, lane: usize, value: f64) {
        self.0[lane] = value;
    }
}

impl LaneArray for ShortLanes {
    const WIDTH: usize = SHORT_WIDTH;

    #[inline(always)]
    fn lane(&self, lane: usize) -> f64 {
        f64::from(self.0[lane])
    }

    fn set(&mut self, lane: usize, value: f64) {
        self.0[lane] = value as f32;
    }
}

/// Numbers side by side, of either length.
pub(crate) trait Packed: Real {
    /// What they are in memory.
    type Stored: LaneArray;
    /// From memory.
    fn load(stored: &Self::Stored) -> Self;
    /// To memory.
    fn stored(self) -> Self::Stored;
    /// `self * factor + term`, rounded once where the processor can do that and else twice: for kernels whose last digit may depend on it.
    #[inline(always)]
    fn times_plus(self, factor: Self, term: Self) -> Self {
        self * factor + term
    }
    /// A bit for each lane, set if its number has a minus sign.
    fn negative(self) -> u32;
}

/// Four numbers side by side.
pub(crate) trait Vector: Packed<Stored = Lanes> {
    /// Eight short ones in as much room.
    type Short: Packed<Stored = ShortLanes>;
    /// One number per lane.
    fn of(value: impl Fn(usize) -> f64) -> Self;
    /// The numbers.
    #[inline(always)]
    fn lanes(self) -> [f64; WIDTH] {
        self.stored().0
    }
    /// The components of these rows, each component in a vector.
    #[inline(always)]
    fn columns<const N: usize>(rows: [&[f64; N]; WIDTH]) -> [Self; N] {
        components(|k| Self::of(|lane| rows[lane][k]))
    }
}

impl Packed for Lanes {
    type Stored = Self;

    #[inline(always)]
    fn load(stored: &Self) -> Self {
        *stored
    }

    #[inline(always)]
    fn stored(self) -> Self {
        self
    }

    #[inline(always)]
    fn negative(self) -> u32 {
        each(|lane| u32::from(self.0[lane].is_sign_negative()) << lane).iter().sum()
    }
}

impl Packed for ShortLanes {
    type Stored = Self;

    #[inline(always)]
    fn load(stored: &Self) -> Self {
        *stored
    }

    #[inline(always)]
    fn stored(self) -> Self {
        self
    }

    #[inline(always)]
    fn negative(self) -> u32 {
        each_short(|lane| u32::from(self.0[lane].is_sign_negative()) << lane).iter().sum()
    }
}

impl Vector for Lanes {
    type Short = ShortLanes;

    #[inline(always)]
    fn of(value: impl Fn(usize) -> f64) -> Self {
        Self(each(value))
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

    use super::{Kernel, Lanes, Packed, Real, ShortLanes, Vector, WIDTH, components, each};

    /// A register of AVX2. Nobody but the two functions below can name it, so it is used only where the processor has it;
    /// that is why all of its operations are safe.
    #[derive(Debug, Clone, Copy)]
    struct Register(__m256d);

    /// The same with eight short numbers.
    #[derive(Debug, Clone, Copy)]
    struct ShortRegister(__m256);

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

    /// The operations of a register by instructions of the processor, in the order of [`Real`] and [`Packed`].
    macro_rules! register {
        ($register:ident, $lanes:ident, $number:ty, $add:ident, $sub:ident, $mul:ident, $xor:ident, $set:ident, $sqrt:ident, $div:ident,
         $max:ident, $min:ident, $blend:ident, $compare:ident, $load:ident, $store:ident, $fused:ident, $signs:ident) => {
            impl Add for $register {
                type Output = Self;
                #[inline(always)]
                fn add(self, other: Self) -> Self {
                    // SAFETY: see `Register`.
                    Self(unsafe { $add(self.0, other.0) })
                }
            }

            impl Sub for $register {
                type Output = Self;
                #[inline(always)]
                fn sub(self, other: Self) -> Self {
                    // SAFETY: see `Register`.
                    Self(unsafe { $sub(self.0, other.0) })
                }
            }

            impl Mul for $register {
                type Output = Self;
                #[inline(always)]
                fn mul(self, other: Self) -> Self {
                    // SAFETY: see `Register`.
                    Self(unsafe { $mul(self.0, other.0) })
                }
            }

            impl Neg for $register {
                type Output = Self;
                #[inline(always)]
                fn neg(self) -> Self {
                    // SAFETY: see `Register`.
                    Self(unsafe { $xor(self.0, $set(-0.0)) })
                }
            }

            impl Real for $register {
                #[inline(always)]
                fn all(value: f64) -> Self {
                    // SAFETY: see `Register`.
                    Self(unsafe { $set(value as $number) })
                }

                #[inline(always)]
                fn sqrt(self) -> Self {
                    // SAFETY: see `Register`.
                    Self(unsafe { $sqrt(self.0) })
                }

                #[inline(always)]
                fn cbrt(self) -> Self {
                    Self::load(&self.stored().cbrt())
                }

                #[inline(always)]
                fn over(self, divisor: Self) -> Self {
                    // SAFETY: see `Register`.
                    Self(unsafe { $div(self.0, divisor.0) })
                }

                #[inline(always)]
                fn max(self, other: Self) -> Self {
                    // SAFETY: see `Register`.
                    Self(unsafe { $max(self.0, other.0) })
                }

                #[inline(always)]
                fn min(self, other: Self) -> Self {
                    // SAFETY: see `Register`.
                    Self(unsafe { $min(self.0, other.0) })
                }

                #[inline(always)]
                fn above(self, limit: Self, then: Self, otherwise: Self) -> Self {
                    // SAFETY: see `Register`.
                    Self(unsafe { $blend(otherwise.0, then.0, $compare::<_CMP_GT_OQ>(self.0, limit.0)) })
                }
            }

            impl Packed for $register {
                type Stored = $lanes;

                #[inline(always)]
                fn load(stored: &$lanes) -> Self {
                    // SAFETY: see `Register`; the lanes fill one, and are aligned like it.
                    Self(unsafe { $load(stored.0.as_ptr()) })
                }

                #[inline(always)]
                fn stored(self) -> $lanes {
                    let mut stored = $lanes([0.0; <$lanes as super::LaneArray>::WIDTH]);
                    // SAFETY: see `Register`; the lanes fill one, and are aligned like it.
                    unsafe { $store(stored.0.as_mut_ptr(), self.0) };
                    stored
                }

                #[inline(always)]
                fn times_plus(self, factor: Self, term: Self) -> Self {
                    // SAFETY: see `Register`.
                    Self(unsafe { $fused(self.0, factor.0, term.0) })
                }

                #[inline(always)]
                fn negative(self) -> u32 {
                    // SAFETY: see `Register`.
                    unsafe { $signs(self.0) as u32 }
                }
            }
        };
    }

    #[rustfmt::skip]
    register!(
        Register, Lanes, f64, _mm256_add_pd, _mm256_sub_pd, _mm256_mul_pd, _mm256_xor_pd, _mm256_set1_pd, _mm256_sqrt_pd, _mm256_div_pd,
        _mm256_max_pd, _mm256_min_pd, _mm256_blendv_pd, _mm256_cmp_pd, _mm256_load_pd, _mm256_store_pd, _mm256_fmadd_pd, _mm256_movemask_pd
    );
    #[rustfmt::skip]
    register!(
        ShortRegister, ShortLanes, f32, _mm256_add_ps, _mm256_sub_ps, _mm256_mul_ps, _mm256_xor_ps, _mm256_set1_ps, _mm256_sqrt_ps, _mm256_div_ps,
        _mm256_max_ps, _mm256_min_ps, _mm256_blendv_ps, _mm256_cmp_ps, _mm256_load_ps, _mm256_store_ps, _mm256_fmadd_ps, _mm256_movemask_ps
    );

    impl Vector for Register {
        type Short = ShortRegister;

        #[inline(always)]
        fn of(value: impl Fn(usize) -> f64) -> Self {
            let [a, b, c, d] = each(value);
            // SAFETY: see `Register`.
            Self(unsafe { _mm256_setr_pd(a, b, c, d) })
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

    const NUMBERS: [f64; 8] = [1.5, -0.0, 0.0, -3.25, f64::NAN, f64::INFINITY, 1e-41, 7.1];

    /// All operations on all pairs of some vectors, as bits.
    struct Everything<'a>(&'a mut Vec<u64>);

    impl Everything<'_> {
        fn operations<P: Packed>(&mut self, vectors: &[P]) {
            for (a, b) in vectors.iter().flat_map(|a| vectors.iter().map(|b| (*a, *b))) {
                let results =
                    [a + b, a - b, a * b, -a, a.over(b), a.sqrt(), a.max(b), a.min(b), a.above(b, b, a)];
                for result in results {
                    let stored = result.stored();
                    let mut known = 0;
                    for lane in 0..P::Stored::WIDTH {
                        let number = stored.lane(lane);
                        // Which of the bits of a number that is none are set is not promised, nor is its sign.
                        self.0.push(if number.is_nan() { u64::MAX } else { number.to_bits() });
                        known |= u32::from(!number.is_nan()) << lane;
                    }
                    self.0.push(u64::from(result.negative() & known));
                }
            }
        }
    }

    impl Kernel for Everything<'_> {
        fn run<V: Vector>(mut self) {
            let rows = each(|lane| [NUMBERS[lane], NUMBERS[lane + 4], -NUMBERS[lane]]);
            let columns: [V; 3] = V::columns(each(|lane| &rows[lane]));
            let pairs: [V; 2] = V::columns(each(|lane| rows[lane].first_chunk().expect("two of three")));
            let shifted = V::of(|lane| NUMBERS[(lane + 3) % 8]);
            let [a, b, c] = columns;
            self.operations(&[a, b, c, pairs[0], pairs[1], shifted, V::all(2.0)]);
            let mut short = [ShortLanes::all(0.0); 3];
            for lane in 0..SHORT_WIDTH {
                short[0].set(lane, NUMBERS[lane]);
                short[1].set(lane, -NUMBERS[(lane + 3) % 8]);
                short[2].set(lane, NUMBERS[(lane + 5) % 8]);
            }
            let load = |lanes| V::Short::load(lanes);
            self.operations(&[load(&short[0]), load(&short[1]), load(&short[2]), V::Short::all(2.0)]);
        }
    }

    #[test]
    fn registers_do_the_same_as_plain_numbers() {
        let mut plain = Vec::new();
        run(Everything(&mut plain), false);
        assert_eq!(plain.len(), 9 * (7 * 7 * (WIDTH + 1) + 4 * 4 * (SHORT_WIDTH + 1)));
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
