//! Elastic spheres held by liquid bridges.
//!
//! Hertz's force, and a capillary one from the moment the surfaces touch until they are too far apart again:
//! `F = 2 pi r g cos(angle) (1 - s / sqrt(s^2 + 2 V / (pi r)))` at the distance `s`, with the harmonic mean radius `r`, the surface
//! tension `g` and the volume `V` of the bridge (Rabinovich, Esayanur and Moudgil 2005); constant where the surfaces overlap. A bridge
//! breaks at the distance `(1 + angle / 2) V^(1/3)` (Lian, Thornton and Adams 1993).
//!
//! No liquid is moved: every bridge has the volume of its materials, as soon as it forms. What forming it loses, all that it takes to
//! break it, is counted when it forms. A contact remembers the radius of its area, and whether there is a bridge.

use std::f64::consts::PI;

use super::hertz::{self, ElasticSpheres, elastic_spheres};
use super::normal::{Dashpot, Normal, Pressed, acting, jump_later, missing, stays_on};
use crate::dem::contact::{Span, Touch};
use crate::dem::material::{Coefficients, Given, Material, MaterialError, Stiffness, mean};
use crate::number::Real;

/// Hertz's force and a liquid bridge.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bridge;

/// The capillary force at a distance, and the energy that it takes from there to break the bridge.
#[inline(always)]
fn capillary<T: Real>(coefficients: &Coefficients<T>, radius: T, distance: T) -> (T, T) {
    let mean_radius = T::all(2.0) * radius;
    let most = coefficients.adhesion * mean_radius;
    let width = coefficients.bridge.over(mean_radius);
    let slant = |distance: T| (distance * distance + width).sqrt();
    let (here, end) = (slant(distance), coefficients.rupture);
    (most * (T::all(1.0) - distance.over(here)), most * ((end - slant(end)) - (distance - here)))
}

impl Normal for Bridge {
    type Memory = [f64; 2];
    const NEEDS_RADIUS: bool = true;
    const REACHES: bool = true;
    const VARIES: bool = true;

    fn stiffness(a: &Material, b: &Material, given: &Given) -> Result<Stiffness, MaterialError> {
        let value = |name: &'static str, of: fn(&Material) -> Option<f64>| {
            let need = |material: &Material| of(material).ok_or_else(|| missing(material, name, "bridge"));
            Ok::<f64, MaterialError>(mean(None, need(a)?, need(b)?))
        };
        let tension = value("surface_tension", |material| material.surface_tension)?;
        let volume = value("bridge_volume", |material| material.bridge_volume)?;
        let angle = 0.5 * (a.contact_angle + b.contact_angle);
        Ok(Stiffness {
            adhesion: 2.0 * PI * tension * libm::cos(angle),
            bridge: 2.0 / PI * volume,
            rupture: (1.0 + 0.5 * angle) * libm::cbrt(volume),
            ..elastic_spheres(a, b, given, "bridge")?
        })
    }

    #[inline(always)]
    fn press<T: Real, const D: usize>(
        coefficients: &Coefficients<T>,
        touch: &Touch<T, D>,
        [last, wet]: [T; 2],
        span: Span<T>,
    ) -> Pressed<T, [T; 2]> {
        let (zero, one, half) = (T::all(0.0), T::all(1.0), T::all(0.5));
        let Touch { overlap, approach, reduced_radius, .. } = *touch;
        let gap = (-overlap).max(zero);
        let touches = overlap.above(zero, one, zero);
        let holds = wet.above(half, coefficients.rupture.above(gap, one, zero), touches);
        let new = wet.above(half, zero, holds);
        let spheres = ElasticSpheres::new(coefficients, touch, last, span);
        let ElasticSpheres { elastic, damping, stretch, root, ratio, .. } = spheres;
        let (elastic, damping) = (touches * elastic, touches * damping);
        let load = (elastic + damping * approach).max(zero);
        let earlier = |force: T| spheres.before(touch, force, span).max(zero);
        let (pull, cost) = capillary(coefficients, reduced_radius, gap);
        // The bridge begins and ends with a jump.
        let begins = new.above(half, acting(approach, overlap, span), one);
        let (at_end, _) = capillary(coefficients, reduced_radius, coefficients.rupture);
        let leaving = acting(approach, coefficients.rupture - gap, span);
        let ends = approach.above(zero, one, touches.above(half, one, leaving));
        let (damped, damped_later) =
            Dashpot { elastic, push: load, before: earlier(earlier(load)) }.loss(touch, span);
        Pressed {
            push: holds * (load - pull * begins + at_end * (one - ends)),
            grip: load,
            stretch,
            root,
            ratio,
            grown: Dashpot { elastic, push: load, before: spheres.before(touch, zero, span) }.grown(),
            stays: stays_on(touch, overlap, span),
            holds,
            damped: touches * damped,
            damped_later: touches * damped_later,
            snapped: new * cost,
            stored_later: holds
                * (jump_later(pull, begins, approach, span) + jump_later(at_end, ends, approach, span)),
            memory: [touches * stretch, holds],
        }
    }

    fn stored(
        coefficients: &Coefficients,
        overlap: f64,
        reduced_radius: f64,
        _memory: &[f64; 2],
    ) -> (f64, f64) {
        let (energy, stretch) = hertz::stored(coefficients, overlap, reduced_radius);
        let (pull, cost) = capillary(coefficients, reduced_radius, (-overlap).max(0.0));
        (energy - cost - pull * overlap.max(0.0), stretch)
    }

    fn slope(coefficients: &Coefficients, overlap: f64, reduced_radius: f64) -> (f64, f64) {
        hertz::slope(coefficients, overlap, reduced_radius)
    }

    fn reach(coefficients: &Coefficients, _reduced_radius: f64) -> f64 {
        coefficients.rupture
    }
}
