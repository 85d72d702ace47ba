//! The linear spring-dashpot of Cundall and Strack (1979).
//!
//! `F = k_n d + c v`: the duration of a collision does not depend on its speed. The cheapest law, and the right one where the
//! stiffness only has to be high enough for overlaps to stay small.

use super::spring_dashpot::{self, Stretch};
use super::{Law, Of};
use crate::dem::contact::{Kinds, Response, Touch};
use crate::dem::material::{Coefficients, Given, Material, MaterialError, Stiffness, in_series};
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

    #[inline(always)]
    fn stretch<T: Real>(_overlap: T, _reduced_radius: T) -> T {
        T::all(1.0)
    }

    #[inline(always)]
    fn root<T: Real>(_stretch: T, inverse_mass: T) -> T {
        T::all(1.0).over(inverse_mass.sqrt())
    }
}

impl<const D: usize> Law<D> for Linear {
    type Memory = [f64; D];
    const NEEDS_RADIUS: bool = false;

    fn coefficients(a: &Material, b: &Material, given: &Given) -> Result<Coefficients, MaterialError> {
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
        Coefficients::new::<D>(a, b, given, Stiffness { normal, tangential, damping })
    }

    #[inline(always)]
    fn respond<T: Real>(
        kinds: Kinds,
        coefficients: &Coefficients<T>,
        touch: &Touch<T, D>,
        memory: Of<[f64; D], T>,
        step: T,
    ) -> Response<T, Of<[f64; D], T>, D> {
        spring_dashpot::respond::<Self, T, D>(kinds, coefficients, touch, memory, step)
    }

    fn stored(coefficients: &Coefficients, overlap: f64, reduced_radius: f64, memory: &[f64; D]) -> f64 {
        spring_dashpot::stored::<Self, D>(coefficients, overlap, reduced_radius, *memory)
    }

    fn slopes(coefficients: &Coefficients, overlap: f64, reduced_radius: f64) -> (f64, f64) {
        spring_dashpot::slopes::<Self>(coefficients, overlap, reduced_radius)
    }

    fn exchange(memory: &mut [f64; D]) {
        *memory = memory.map(|component| -component);
    }
}
