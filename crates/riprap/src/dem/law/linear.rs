//! The linear spring-dashpot of Cundall and Strack (1979).
//!
//! `F = k_n d + c v`, never pulling: the duration of a collision does not depend on its speed. The cheapest law, and the right one
//! where the stiffness only has to be high enough for overlaps to stay small. The contact remembers its force, for the ledger.

use super::normal::{Dashpot, Normal, Pressed, missing, since_met, stays_on};
use crate::dem::contact::{Span, Touch};
use crate::dem::material::{Coefficients, Given, Material, MaterialError, Stiffness, in_series};
use crate::number::Real;

/// Linear spring and dashpot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Linear;

/// Stiffness of the tangential spring over that of the normal one, where none is given.
const TANGENTIAL_SHARE: f64 = 2.0 / 7.0;

impl Normal for Linear {
    type Memory = [f64; 1];
    const NEEDS_RADIUS: bool = false;
    const VARIES: bool = false;

    fn stiffness(a: &Material, b: &Material, given: &Given) -> Result<Stiffness, MaterialError> {
        let k_n = |material: &Material| material.k_n.ok_or_else(|| missing(material, "k_n", "linear"));
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
        Ok(Stiffness { normal, tangential, damping, ..Stiffness::default() })
    }

    #[inline(always)]
    fn press<T: Real, const D: usize>(
        coefficients: &Coefficients<T>,
        touch: &Touch<T, D>,
        [before]: [T; 1],
        span: Span<T>,
    ) -> Pressed<T, [T; 1]> {
        let Touch { overlap, approach, inverse_mass, .. } = *touch;
        let (zero, one) = (T::all(0.0), T::all(1.0));
        // The dashpot begins with a jump; it never ends with one, because it never pulls.
        let share = since_met(approach, overlap, span);
        let root = share.over(inverse_mass.sqrt());
        // The same a step ago, if only this contact has slowed the bodies down.
        let middle = approach + span.before * inverse_mass * before;
        let (way, first) = (middle * span.since_last(), middle + span.since_last() * inverse_mass * before);
        let last_share = since_met(first, overlap - way, span);
        let (elastic, damping) = (coefficients.normal * overlap, coefficients.damping * root);
        let push = (elastic + damping * approach).max(zero);
        let dashpot = Dashpot { elastic, push, before };
        let (damped, damped_later) = dashpot.loss(touch, span);
        Pressed {
            push,
            grip: push,
            stretch: one,
            root,
            ratio: one,
            root_ratio: last_share.over(share),
            grown: dashpot.grown(),
            stays: stays_on(touch, overlap, span),
            holds: one,
            damped,
            damped_later,
            snapped: zero,
            stored_later: zero,
            memory: [push],
        }
    }

    fn stored(
        coefficients: &Coefficients,
        overlap: f64,
        _reduced_radius: f64,
        _memory: &[f64; 1],
    ) -> (f64, f64) {
        let overlap = overlap.max(0.0);
        (0.5 * coefficients.normal * overlap * overlap, 1.0)
    }

    fn slope(coefficients: &Coefficients, _overlap: f64, _reduced_radius: f64) -> (f64, f64) {
        (coefficients.normal, 1.0)
    }
}
