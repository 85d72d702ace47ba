//! The linear spring-dashpot of Cundall and Strack (1979).
//!
//! `F = k_n d + c v`: the duration of a collision does not depend on its speed. The cheapest law, and the right one where the
//! stiffness only has to be high enough for overlaps to stay small.

use super::Law;
use crate::number::Real;

/// Linear spring and dashpot.
#[derive(Debug, Clone, Copy)]
pub struct Linear;

impl Law for Linear {
    const ENERGY: f64 = 0.5;
    const SLOPE: f64 = 1.0;
    const VARIES: bool = false;
    const STARTS_WITH_A_JUMP: bool = true;

    #[inline(always)]
    fn stretch<T: Real>(_overlap: T, _reduced_radius: T) -> T {
        T::all(1.0)
    }

    #[inline(always)]
    fn root<T: Real>(_stretch: T, inverse_mass: T) -> T {
        T::all(1.0).over(inverse_mass.sqrt())
    }
}
