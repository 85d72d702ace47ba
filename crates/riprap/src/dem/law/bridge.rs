//! Elastic spheres held by liquid bridges.
//!
//! Hertz's force, and a capillary one from the moment the surfaces touch until they are too far apart again:
//! `F = 2 pi r g cos(angle) (1 - s / sqrt(s^2 + 2 V / (pi r)))` at the distance `s`, with the harmonic mean radius `r`, the surface
//! tension `g` and the volume `V` of the bridge (Rabinovich, Esayanur and Moudgil 2005); constant where the surfaces overlap. A bridge
//! breaks at the distance `(1 + angle / 2) V^(1/3)` (Lian, Thornton and Adams 1993).
//!
//! No liquid is moved: every bridge has the volume of its materials, as soon as it forms. What forming it loses, all that it takes to
//! break it, is counted when it forms. A contact remembers the radius of its area, or less than zero by its distance, whether there is a bridge,
//! and for how long it has still to pull.

use std::f64::consts::PI;

use super::hertz::{self, ElasticSpheres, elastic_spheres};
use super::normal::{Acting, Dashpot, Jump, Normal, Pressed, missing, stays_on};
use super::slider::NOTHING;
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
    (
        most * (T::all(1.0) - distance.over(here.max(T::all(NOTHING)))),
        most * ((end - slant(end)) - (distance - here)),
    )
}

impl Normal for Bridge {
    type Memory = [f64; 3];
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
        // Where there is no liquid nothing holds.
        let tension = if volume > 0.0 { tension } else { 0.0 };
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
        [last, wet, owed]: [T; 3],
        span: Span<T>,
    ) -> Pressed<T, [T; 3]> {
        let (zero, one, half) = (T::all(0.0), T::all(1.0), T::all(0.5));
        let Touch { overlap, approach, reduced_radius, .. } = *touch;
        let gap = (-overlap).max(zero);
        let touches = overlap.above(zero, one, zero);
        let holds = touches.max(wet.above(half, coefficients.rupture.above(gap, one, zero), zero));
        let new = wet.above(half, zero, holds);
        let spheres = ElasticSpheres::new(coefficients, touch, last, span);
        let ElasticSpheres { elastic, damping, stretch, root, ratio, .. } = spheres;
        let (elastic, damping) = (touches * elastic, touches * damping);
        let load = (elastic + damping * approach).max(zero);
        let (pull, cost) = capillary(coefficients, reduced_radius, gap);
        // The bridge begins and ends with a jump.
        let begins = Jump { pull, push: load, distance: overlap }.begins(touch, span);
        let begins = begins.where_true(new, Acting::throughout());
        let rupture = coefficients.rupture;
        let (at_end, _) = capillary(coefficients, reduced_radius, rupture);
        let last_gap = (-last).max(zero);
        let ends = Jump { pull: at_end, push: load + at_end - pull, distance: rupture - gap };
        let ends = ends.ends(touch, rupture - last_gap, owed, span);
        let ends = Acting::throughout().where_true(touches.max(new), ends);
        let pulls = pull * begins.share;
        let earlier = |load: T| spheres.before(touch, load - pull, span).max(zero);
        let before = new.above(half, zero, earlier(earlier(load)) - pull);
        let (damped, damped_later) =
            Dashpot { elastic: elastic - pulls, push: load - pulls, before }.loss(touch, span);
        Pressed {
            push: holds * (load - pulls + at_end * (one - ends.share)),
            grip: load,
            stretch,
            root,
            ratio,
            root_ratio: T::all(0.5) * (one + ratio),
            grown: Dashpot { elastic, push: load, before: spheres.before(touch, zero, span) }.grown(),
            stays: stays_on(touch, overlap, span),
            holds,
            damped: touches * damped,
            damped_later: touches * damped_later,
            snapped: new * cost,
            stored_later: holds * (begins.later + ends.later),
            memory: [touches * stretch - holds * gap, holds, holds * ends.owed],
        }
    }

    fn stored(
        coefficients: &Coefficients,
        overlap: f64,
        reduced_radius: f64,
        _memory: &[f64; 3],
    ) -> (f64, f64) {
        let (energy, stretch) = hertz::stored(coefficients, overlap, reduced_radius);
        (energy + Self::attraction(coefficients, overlap, reduced_radius), stretch)
    }

    fn attraction(coefficients: &Coefficients, overlap: f64, reduced_radius: f64) -> f64 {
        let (pull, cost) = capillary(coefficients, reduced_radius, (-overlap).max(0.0));
        -cost - pull * overlap.max(0.0)
    }

    fn slope(coefficients: &Coefficients, overlap: f64, reduced_radius: f64) -> (f64, f64) {
        hertz::slope(coefficients, overlap, reduced_radius)
    }

    fn reach(coefficients: &Coefficients, _reduced_radius: f64) -> f64 {
        coefficients.rupture
    }
}
