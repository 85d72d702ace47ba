//! Elastic spheres: Hertz (1882) along the normal, Mindlin (1949) without slip across it.
//!
//! `F = 4/3 E sqrt(R d) d` and `F = 8 G sqrt(R d) s`, with damping as by Tsuji, Tanaka and Ishida (1992). Use it where
//! stiffness, sound speed or the duration of impacts matter.
//!
//! The tangential stiffness follows the overlap. A spring that simply became stiffer would create energy (Elata and Berryman
//! 1996), so a growing overlap keeps the tangential force and a shrinking one keeps the spring; what the spring loses
//! either way counts as friction.

use super::spring_dashpot::Stretch;
use crate::dem::material::{Given, Material, MaterialError, Stiffness};
use crate::number::Real;

/// Hertz-Mindlin contact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hertz;

impl Stretch for Hertz {
    const ENERGY: f64 = 0.4;
    const SLOPE: f64 = 1.5;
    const VARIES: bool = true;
    const STARTS_WITH_A_JUMP: bool = false;

    fn stiffness(a: &Material, b: &Material, given: &Given) -> Result<Stiffness, MaterialError> {
        let young = |material: &Material| {
            material.young.ok_or_else(|| MaterialError::Missing {
                material: material.name.clone(),
                value: "young",
                law: "hertz",
            })
        };
        let (young_a, young_b) = (young(a)?, young(b)?);
        let compliance = |young: f64, poisson: f64| (1.0 - poisson * poisson) / young;
        let modulus = 1.0 / (compliance(young_a, a.poisson) + compliance(young_b, b.poisson));
        let shear = |young: f64, poisson: f64| 2.0 * (1.0 + poisson) * (2.0 - poisson) / young;
        let shear_modulus = 1.0 / (shear(young_a, a.poisson) + shear(young_b, b.poisson));
        let normal = 4.0 / 3.0 * modulus;
        let damping = 5f64.sqrt() * given.damping_ratio * normal.sqrt();
        Ok(Stiffness { normal, tangential: 8.0 * shear_modulus, damping })
    }

    #[inline(always)]
    fn stretch<T: Real>(overlap: T, reduced_radius: T) -> T {
        (reduced_radius * overlap).sqrt()
    }

    #[inline(always)]
    fn root<T: Real>(stretch: T, inverse_mass: T) -> T {
        stretch.over(inverse_mass).sqrt()
    }
}
