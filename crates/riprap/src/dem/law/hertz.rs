//! Elastic spheres: Hertz (1882) along the normal, Mindlin (1949) without slip across it.
//!
//! `F = 4/3 E sqrt(R d) d` and `F = 8 G sqrt(R d) s`, with damping as by Tsuji, Tanaka and Ishida (1992). Use it where
//! stiffness, sound speed or the duration of impacts matter.
//!
//! The tangential stiffness follows the overlap. A spring that simply became stiffer would create energy (Elata and Berryman
//! 1996), so a growing overlap keeps the tangential force and a shrinking one keeps the spring; what the spring loses
//! either way counts as friction.

use super::Law;
use crate::number::Real;

/// Hertz-Mindlin contact.
#[derive(Debug, Clone, Copy)]
pub struct Hertz;

impl Law for Hertz {
    const ENERGY: f64 = 0.4;
    const SLOPE: f64 = 1.5;
    const VARIES: bool = true;
    const STARTS_WITH_A_JUMP: bool = false;

    #[inline(always)]
    fn stretch<T: Real>(overlap: T, reduced_radius: T) -> T {
        (reduced_radius * overlap).sqrt()
    }

    #[inline(always)]
    fn root<T: Real>(stretch: T, inverse_mass: T) -> T {
        stretch.over(inverse_mass).sqrt()
    }
}
