//! Elastic spheres: Hertz (1882) along the normal, Mindlin (1949) without slip across it.
//!
//! `F = 4/3 E a d` and `F = 8 G a s` with the radius `a = sqrt(R d)` of the contact area, and damping as by Tsuji, Tanaka and Ishida
//! (1992), never pulling. Use it where stiffness, sound speed or the duration of impacts matter.
//!
//! The tangential stiffness follows the overlap. A spring that simply became stiffer would create energy (Elata and Berryman
//! 1996), so a growing overlap keeps the tangential force and a shrinking one keeps the spring; what the spring loses
//! either way counts as friction. The contact remembers `a` for that.

use super::normal::{Dashpot, Normal, Pressed, met_now, missing, stays_on};
use super::slider::NOTHING;
use crate::dem::contact::{Span, Touch};
use crate::dem::material::{Coefficients, Given, Material, MaterialError, Stiffness};
use crate::number::Real;

/// Hertz-Mindlin contact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hertz;

/// Slope of the elastic force over stiffness and stretch.
pub(super) const SLOPE: f64 = 1.5;
/// Energy of the elastic force over that of its product with the overlap.
const ENERGY: f64 = 0.4;

/// Stiffness of two elastic spheres, for any law that has it.
pub(super) fn elastic_spheres(
    a: &Material,
    b: &Material,
    given: &Given,
    law: &'static str,
) -> Result<Stiffness, MaterialError> {
    let young = |material: &Material| material.young.ok_or_else(|| missing(material, "young", law));
    let (young_a, young_b) = (young(a)?, young(b)?);
    let compliance = |young: f64, poisson: f64| (1.0 - poisson * poisson) / young;
    let modulus = 1.0 / (compliance(young_a, a.poisson) + compliance(young_b, b.poisson));
    let shear = |young: f64, poisson: f64| 2.0 * (1.0 + poisson) * (2.0 - poisson) / young;
    let shear_modulus = 1.0 / (shear(young_a, a.poisson) + shear(young_b, b.poisson));
    let normal = 4.0 / 3.0 * modulus;
    let damping = 5f64.sqrt() * given.damping_ratio * normal.sqrt();
    Ok(Stiffness { normal, tangential: 8.0 * shear_modulus, damping, ..Stiffness::default() })
}

/// What the elastic force of spheres and its dashpot come to.
pub(super) struct ElasticSpheres<T> {
    pub(super) elastic: T,
    /// Force of the dashpot over the speed of approach.
    pub(super) damping: T,
    pub(super) stretch: T,
    pub(super) root: T,
    pub(super) ratio: T,
    pub(super) met: T,
}

impl<T: Real> ElasticSpheres<T> {
    /// At an overlap of more than zero; `last` is the stretch a step ago, zero where there was none.
    #[inline(always)]
    pub(super) fn new<const D: usize>(
        coefficients: &Coefficients<T>,
        touch: &Touch<T, D>,
        last: T,
        span: Span<T>,
    ) -> Self {
        let stretch = (touch.reduced_radius * touch.overlap.max(T::all(0.0))).sqrt();
        let root = stretch.over(touch.inverse_mass).sqrt();
        Self {
            elastic: coefficients.normal * stretch * touch.overlap,
            damping: coefficients.damping * root,
            stretch,
            root,
            ratio: last.above(T::all(0.0), last.over(stretch.max(T::all(NOTHING))), T::all(1.0)),
            met: last.above(T::all(0.0), T::all(0.0), met_now(touch, span)),
        }
    }

    /// What the two forces were a step ago if only a force of `push` has slowed the bodies down since.
    #[inline(always)]
    pub(super) fn before<const D: usize>(&self, touch: &Touch<T, D>, push: T, span: Span<T>) -> T {
        let Self { elastic, ratio, damping, met, .. } = *self;
        let approach = touch.approach + span.since_last() * touch.inverse_mass * push;
        // The damping grows as the root of the stretch; where that is near one, it is near this.
        let root = T::all(0.5) * (T::all(1.0) + ratio);
        let before = elastic * ratio * ratio * ratio + damping * root * approach;
        met.above(T::all(0.5), T::all(0.0), before)
    }
}

/// Slope of the elastic force of spheres, over the stretch, and the stretch.
pub(super) fn slope(coefficients: &Coefficients, overlap: f64, reduced_radius: f64) -> (f64, f64) {
    (SLOPE * coefficients.normal, (reduced_radius * overlap).sqrt())
}

/// Energy of elastic spheres at an overlap of more than zero, and the stretch.
pub(super) fn stored(coefficients: &Coefficients, overlap: f64, reduced_radius: f64) -> (f64, f64) {
    let overlap = overlap.max(0.0);
    let stretch = (reduced_radius * overlap).sqrt();
    (ENERGY * coefficients.normal * stretch * overlap * overlap, stretch)
}

impl Normal for Hertz {
    type Memory = [f64; 1];
    const NEEDS_RADIUS: bool = true;
    const VARIES: bool = true;

    fn stiffness(a: &Material, b: &Material, given: &Given) -> Result<Stiffness, MaterialError> {
        elastic_spheres(a, b, given, "hertz")
    }

    #[inline(always)]
    fn press<T: Real, const D: usize>(
        coefficients: &Coefficients<T>,
        touch: &Touch<T, D>,
        [last]: [T; 1],
        span: Span<T>,
    ) -> Pressed<T, [T; 1]> {
        let (zero, one) = (T::all(0.0), T::all(1.0));
        let spheres = ElasticSpheres::new(coefficients, touch, last, span);
        let ElasticSpheres { elastic, damping, stretch, root, ratio, .. } = spheres;
        let push = (elastic + damping * touch.approach).max(zero);
        let earlier = |force: T| spheres.before(touch, force, span).max(zero);
        let before = earlier(earlier(push));
        let (damped, damped_later) = Dashpot { elastic, push, before }.loss(touch, span);
        Pressed {
            push,
            grip: push,
            stretch,
            root,
            ratio,
            root_ratio: T::all(0.5) * (one + ratio),
            // At rest it must be zero, so that it can only be told from what the speed was then: about the same.
            grown: Dashpot { elastic, push, before: spheres.before(touch, zero, span) }.grown(),
            stays: stays_on(touch, touch.overlap, span),
            holds: one,
            damped,
            damped_later,
            snapped: zero,
            stored_later: zero,
            memory: [stretch],
        }
    }

    fn stored(
        coefficients: &Coefficients,
        overlap: f64,
        reduced_radius: f64,
        _memory: &[f64; 1],
    ) -> (f64, f64) {
        stored(coefficients, overlap, reduced_radius)
    }

    fn slope(coefficients: &Coefficients, overlap: f64, reduced_radius: f64) -> (f64, f64) {
        slope(coefficients, overlap, reduced_radius)
    }
}
