//! Elastic spheres that stick (Derjaguin, Muller and Toporov 1975): hard and small ones with little adhesion.
//!
//! Hertz's force less the constant `2 pi w R` while the surfaces touch, with the work of adhesion `w`. It is there from the first
//! moment to the last, without hysteresis; pulling two surfaces apart takes `2 pi w R`. A contact remembers the radius of its area, and
//! for how long the attraction has still to act. Use it where Tabor's number
//! `(R w^2 / (E^2 z^3))^(1/3)`, with the distance `z` of atoms, is below a tenth; above five use `jkr`.

use std::f64::consts::PI;

use super::hertz::{self, ElasticSpheres, elastic_spheres};
use super::normal::{Dashpot, Jump, Normal, Pressed, missing, stays_on};
use crate::dem::contact::{Span, Touch};
use crate::dem::material::{Coefficients, Given, Material, MaterialError, Stiffness, mean};
use crate::number::Real;

/// Hertz's force and a constant attraction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dmt;

/// Work of adhesion of two materials.
pub(super) fn adhesion(
    a: &Material,
    b: &Material,
    given: &Given,
    law: &'static str,
) -> Result<f64, MaterialError> {
    let of = |material: &Material| material.adhesion.ok_or_else(|| missing(material, "adhesion", law));
    match given.values.adhesion {
        Some(value) => Ok(value),
        None => Ok(mean(None, of(a)?, of(b)?)),
    }
}

impl Normal for Dmt {
    type Memory = [f64; 2];
    const NEEDS_RADIUS: bool = true;
    const VARIES: bool = true;

    fn stiffness(a: &Material, b: &Material, given: &Given) -> Result<Stiffness, MaterialError> {
        let adhesion = adhesion(a, b, given, "dmt")?;
        Ok(Stiffness { adhesion, ..elastic_spheres(a, b, given, "dmt")? })
    }

    #[inline(always)]
    fn press<T: Real, const D: usize>(
        coefficients: &Coefficients<T>,
        touch: &Touch<T, D>,
        [last, owed]: [T; 2],
        span: Span<T>,
    ) -> Pressed<T, [T; 2]> {
        let (zero, one) = (T::all(0.0), T::all(1.0));
        let spheres = ElasticSpheres::new(coefficients, touch, last, span);
        let ElasticSpheres { elastic, damping, stretch, root, ratio, .. } = spheres;
        let load = (elastic + damping * touch.approach).max(zero);
        let pull = T::all(2.0 * PI) * coefficients.adhesion * touch.reduced_radius;
        // The attraction begins and ends with a jump.
        let jump = Jump { pull, push: load, distance: touch.overlap };
        let last_overlap = (last * last).over(touch.reduced_radius);
        let acting = jump
            .ends(touch, last_overlap, owed, span)
            .where_true(last.above(zero, one, zero), jump.begins(touch, span));
        let push = load - pull * acting.share;
        let earlier = |load: T| spheres.before(touch, load - pull, span).max(zero);
        let before = last.above(zero, earlier(earlier(load)) - pull, zero);
        let (damped, damped_later) =
            Dashpot { elastic: elastic - pull * acting.share, push, before }.loss(touch, span);
        Pressed {
            push,
            grip: load,
            stretch,
            root,
            ratio,
            root_ratio: T::all(0.5) * (one + ratio),
            grown: Dashpot { elastic, push: load, before: spheres.before(touch, zero, span) }.grown(),
            stays: stays_on(touch, touch.overlap, span),
            holds: one,
            damped,
            damped_later,
            snapped: zero,
            stored_later: acting.later,
            memory: [stretch, acting.owed],
        }
    }

    fn stored(
        coefficients: &Coefficients,
        overlap: f64,
        reduced_radius: f64,
        _memory: &[f64; 2],
    ) -> (f64, f64) {
        let (energy, stretch) = hertz::stored(coefficients, overlap, reduced_radius);
        (energy + Self::attraction(coefficients, overlap, reduced_radius), stretch)
    }

    fn attraction(coefficients: &Coefficients, overlap: f64, reduced_radius: f64) -> f64 {
        -2.0 * PI * coefficients.adhesion * reduced_radius * overlap.max(0.0)
    }

    fn slope(coefficients: &Coefficients, overlap: f64, reduced_radius: f64) -> (f64, f64) {
        hertz::slope(coefficients, overlap, reduced_radius)
    }
}
