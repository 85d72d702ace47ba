//! The eight benchmark impacts of Y. C. Chung and J. Y. Ooi, *Benchmark tests for verifying discrete element modelling codes at
//! particle impact level*, Granular Matter 13 (2011) 643-656, with the Hertz-Mindlin law and the materials of the paper.
//!
//! | test | what | compared with |
//! |---|---|---|
//! | 1, 2 | elastic normal impact of two spheres, and with a rigid plane | Hertz: largest force and overlap, duration |
//! | 3 | normal impact with restitution 0.1 to 1 | the restitution asked for |
//! | 4 | oblique impact with a plane at constant speed, 5 to 85 degrees | see below |
//! | 5 | oblique impact at constant normal velocity | see below |
//! | 6, 7, 8 | impact of spinning spheres: with a plane, an equal sphere, a large one | see below |
//!
//! The paper compares tests 4 to 8 with experiments and finite elements that were published as figures. In their place stand closed
//! forms: where the surfaces slide throughout, Coulomb's impulse `μ (1 + e) m v` gives the tangential velocity and the spin
//! after the impact; at all angles angular momentum about the contact point is kept. What happens between sticking and
//! sliding is shown in the charts and has no verdict here; `sticking-impact` has one for linear springs.

mod normal;
mod oblique;

pub(super) use normal::{restitution, rigid_plane, two_spheres};
pub(super) use oblique::{
    angles, spinning_equal, spinning_on_plane, spinning_unequal, tangential_velocities,
};

use crate::dem::Material;

/// What the paper calls a material.
struct Substance {
    name: &'static str,
    density: f64,
    young: f64,
    poisson: f64,
    /// Of the spheres.
    radius: f64,
}

const GLASS: Substance =
    Substance { name: "glass", density: 2800.0, young: 4.8e10, poisson: 0.20, radius: 0.010 };
const LIMESTONE: Substance =
    Substance { name: "limestone", density: 2500.0, young: 2.0e10, poisson: 0.25, radius: 0.010 };
const ALUMINIUM_ALLOY: Substance =
    Substance { name: "aluminium alloy", density: 2699.0, young: 7.0e10, poisson: 0.30, radius: 0.1 };
const MAGNESIUM_ALLOY: Substance =
    Substance { name: "magnesium alloy", density: 1800.0, young: 4.0e10, poisson: 0.35, radius: 0.1 };
const ALUMINIUM_OXIDE: Substance =
    Substance { name: "aluminium oxide", density: 4000.0, young: 3.8e11, poisson: 0.23, radius: 0.0025 };
const CAST_IRON: Substance =
    Substance { name: "cast iron", density: 7000.0, young: 1.0e11, poisson: 0.25, radius: 0.0025 };
const STEEL: Substance =
    Substance { name: "steel", density: 7850.0, young: 2.08e11, poisson: 0.30, radius: 1e-5 };

impl Substance {
    /// As a material of the simulator.
    fn material(&self, restitution: f64, friction: f64) -> Material {
        Material {
            name: self.name.into(),
            density: self.density,
            young: Some(self.young),
            poisson: self.poisson,
            restitution,
            friction,
            ..Material::default()
        }
    }
}

/// A plane that nothing dents, with the same restitution and friction.
fn rigid(material: &Material) -> Material {
    Material { name: "rigid".into(), young: Some(f64::INFINITY), ..material.clone() }
}

/// Two elastic bodies that meet: reduced mass, radius and modulus, and the speed of approach (Hertz 1882; Johnson 1985, section
/// 11.4).
#[derive(Clone, Copy)]
struct HertzImpact {
    mass: f64,
    radius: f64,
    modulus: f64,
    speed: f64,
}

impl HertzImpact {
    /// `(15 m v² / (16 E √R))^(2/5)`.
    fn depth(&self) -> f64 {
        let ratio = 15.0 * self.mass * self.speed * self.speed / (16.0 * self.modulus * self.radius.sqrt());
        libm::pow(ratio, 0.4)
    }

    /// `4/3 E √R d^(3/2)`.
    fn force(&self, depth: f64) -> f64 {
        4.0 / 3.0 * self.modulus * (self.radius * depth).sqrt() * depth
    }

    /// `4 √π Γ(2/5) / (5 Γ(9/10)) d / v`, which is `2.943 d / v`.
    fn duration(&self) -> f64 {
        let factor = 0.8 * std::f64::consts::PI.sqrt() * libm::tgamma(0.4) / libm::tgamma(0.9);
        factor * self.depth() / self.speed
    }
}
