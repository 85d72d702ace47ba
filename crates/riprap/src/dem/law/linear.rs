//! The linear spring-dashpot of Cundall and Strack (1979).
//!
//! `F = k_n d + c v`: the duration of a collision does not depend on its speed. The cheapest law, and the right one where the
//! stiffness only has to be high enough for overlaps to stay small.

use super::spring_dashpot::Stretch;
use crate::dem::material::{Given, Material, MaterialError, Stiffness, in_series};
use crate::number::Real;

/// Linear spring and dashpot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Linear;

/// Stiffness of the tangential spring over that of the normal one, where none is given.
const TANGENTIAL_SHARE: f64 = 2.0 / 7.0;

impl Stretch for Linear {
    const ENERGY: f64 = 0.5;
    const SLOPE: f64 = 1.0;
    const VARIES: bool = false;
    const STARTS_WITH_A_JUMP: bool = true;

    fn stiffness(a: &Material, b: &Material, given: &Given) -> Result<Stiffness, MaterialError> {
        let k_n = |material: &Material| {
            material.k_n.ok_or_else(|| MaterialError::Missing {
                material: material.name.clone(),
                value: "k_n",
                law: "linear",
            })
        };
        let normal = match given.values.k_n {
            Some(value) => value,
            None => in_series(k_n(a)?, k_n(b)?),
        };
        let share = |material: &Material| material.k_t.or(material.k_n.map(|k_n| TANGENTIAL_SHARE * k_n));
        let tangential = match (given.values.k_t, given.values.k_n, share(a), share(b)) {
            (Some(value), ..) => value,
            (None, None, Some(a), Some(b)) => in_series(a, b),
            _ => TANGENTIAL_SHARE * normal,
        };
        let damping = 2.0 * given.damping_ratio * normal.sqrt();
        Ok(Stiffness { normal, tangential, damping })
    }

    #[inline(always)]
    fn stretch<T: Real>(_overlap: T, _reduced_radius: T) -> T {
        T::all(1.0)
    }

    #[inline(always)]
    fn root<T: Real>(_stretch: T, inverse_mass: T) -> T {
        T::all(1.0).over(inverse_mass.sqrt())
    }
}
