//! A spring with a dashpot that gives way at a limit: what resists sliding, rolling and twisting.
//!
//! The spring remembers how far two surfaces have slid, rolled or twisted since they touched. Below the limit the contact holds and
//! only the dashpot loses energy; beyond it the contact slips, and the spring keeps its share of the force that is left. For sliding
//! this is the model of Cundall and Strack (1979); for rolling and twisting that of Iwashita and Oda (1998), model C of Ai, Chen,
//! Rotter and Ooi (2011).
//!
//! 1. Half a step ahead of its time, the spring is `s`; over a step at the rate `v` it becomes `s + v dt`, and its mean is `m`.
//! 2. Trial force `k m + c v`; beyond the limit it is cut back to it.
//! 3. The spring becomes `s + v dt` if the contact holds, else its share of `m`.
//!
//! The work `F v dt` of a step is what the spring stores more than before and what is lost: not to some order in the step, but exactly.

use crate::dem::contact::Span;
use crate::number::Real;
use crate::vector::{add, add_scaled, components, dot, length, scale};

/// Lengths and forces below this are as good as none; it only keeps quotients finite.
pub(super) const NOTHING: f64 = 1e-300;

/// A force that has grown by more than this share was not there before.
const JUST_MET: f64 = 0.999;

/// How a contact resists a motion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slider<T> {
    /// Force per way.
    pub(super) stiffness: T,
    /// Force per rate.
    pub(super) damping: T,
    /// That of the step before over it.
    pub(super) damping_ratio: T,
    /// Largest force.
    pub(super) limit: T,
    /// One over the mass, or the moment of inertia, that the force slows down.
    pub(super) inverse_mass: T,
    /// The share by which the force has grown since the last moment: one if the surfaces have just met.
    pub(super) grown: T,
    /// The share of the spring's force that it has lost by becoming softer, negative; else zero.
    pub(super) softened: T,
    /// Zero if the surfaces are about to part, so that what the spring stores is lost; else one.
    pub(super) stays: T,
}

/// What the motion of a step did.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slid<T, const N: usize> {
    pub(super) force: [T; N],
    pub(super) spring: [T; N],
    /// Energy lost in the dashpot of a contact that holds.
    pub(super) damped: T,
    /// Energy lost by one that slips.
    pub(super) rubbed: T,
    /// The part of what is lost after the moment of the force: less than its share, because the force slows the motion down.
    pub(super) lost_later: T,
    /// The part of what the spring stores more than before after that moment.
    pub(super) stored_later: T,
}

impl<T: Real> Slider<T> {
    /// The force against a motion at this rate, foreseen without it, over its time.
    #[inline(always)]
    pub(super) fn resist<const N: usize>(&self, spring: [T; N], rate: [T; N], span: Span<T>) -> Slid<T, N> {
        let Self { stiffness, damping, damping_ratio, limit, inverse_mass, grown, softened, stays } = *self;
        let (zero, half) = (T::all(0.0), T::all(0.5));
        let Span { before, after, later } = span;
        let middle = add_scaled(spring, before, rate);
        let trial = add(scale(middle, stiffness), scale(rate, damping));
        let size = length(trial);
        let share = size.above(limit, limit.over(size.max(T::all(NOTHING))), T::all(1.0));
        let force = scale(trial, share);
        // What the force has grown by since the last moment slows the motion down: the limit's growth if the contact slips, the
        // spring's if it holds, and all of it if it was not there before.
        let slipping = scale(force, grown);
        // All of it must be zero at rest, where others hold against the force.
        let before_damping = damping * damping_ratio;
        let per_rate = (stiffness - before_damping * before_damping * inverse_mass) * span.since_last()
            + (damping - before_damping);
        let holding = add_scaled(scale(rate, per_rate), stiffness * softened, spring);
        let just_met = T::all(JUST_MET);
        let growth =
            components(|k| size.above(limit, slipping[k], grown.above(just_met, force[k], holding[k])));
        let rate = add_scaled(rate, -(before * inverse_mass), growth);
        let uneven = (before * before - after * after) * inverse_mass;
        let way = add_scaled(scale(rate, span.whole()), uneven, force);
        let (held, slipped) = (add(spring, way), scale(middle, share));
        let next = components(|k| stays * size.above(limit, slipped[k], held[k]));
        let stored = half * stiffness * (dot(next, next) - dot(spring, spring));
        let lost = dot(force, way) - stored;
        let lost_later = later * lost - before * after * inverse_mass * dot(force, force);
        Slid {
            force,
            spring: next,
            lost_later,
            stored_later: later * stored,
            damped: size.above(limit, zero, lost),
            rubbed: size.above(limit, lost, zero),
        }
    }
}

/// A spring turned along with the normal of its contact: what points along the new normal is taken off, and the length is kept.
#[inline(always)]
pub(super) fn turned_along<T: Real, const N: usize>(spring: [T; N], normal: [T; N]) -> [T; N] {
    let along = dot(spring, normal);
    let across = add_scaled(spring, -along, normal);
    // To third order in the angle, and at most half as long again, should a normal leap.
    let longer = (T::all(0.5) * along * along).over(dot(across, across).max(T::all(NOTHING)));
    add_scaled(across, longer.min(T::all(0.5)), across)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Between bodies too heavy to be slowed down.
    const SLIDER: Slider<f64> = Slider {
        stiffness: 100.0,
        damping: 0.5,
        damping_ratio: 1.0,
        limit: 2.0,
        inverse_mass: 0.0,
        grown: 0.0,
        softened: 0.0,
        stays: 1.0,
    };

    /// Drawn out at a constant rate a contact holds up to the limit, slips there, and takes what it stored back on the way back.
    #[test]
    fn holds_then_slips_and_every_joule_is_told() {
        let (step, mut spring, mut work, mut stored, mut lost) = (1e-3, [0.0], 0.0, 0.0, 0.0);
        let span = Span::of_step(step);
        let mut forces = Vec::new();
        for count in 0..100 {
            let rate = if count < 60 { [1.0] } else { [-1.0] };
            let slid = SLIDER.resist(spring, rate, span);
            work += slid.force[0] * rate[0] * step;
            stored += 2.0 * slid.stored_later;
            lost += slid.damped + slid.rubbed;
            assert!(slid.damped >= 0.0 && slid.rubbed >= -1e-15, "{slid:?}");
            spring = slid.spring;
            forces.push(slid.force[0]);
        }
        assert!((forces[9] - (100.0 * 0.0095 + 0.5)).abs() < 1e-12);
        assert!(forces[20..60].iter().all(|force| (force - 2.0).abs() < 1e-12));
        assert!(forces.iter().all(|force| force.abs() <= 2.0 + 1e-12));
        assert!(
            (work - stored - lost).abs() < 1e-14 && (stored - 50.0 * spring[0] * spring[0]).abs() < 1e-14
        );
    }

    /// A dashpot alone does not load the spring, however soft it is.
    #[test]
    fn a_soft_spring_stores_no_more_than_its_way() {
        let soft = Slider { stiffness: 1e-9, damping: 1.0, limit: 0.5, ..SLIDER };
        let slid = soft.resist([0.0, 0.0], [3.0, 4.0], Span::of_step(1e-3));
        assert!((length(slid.force) - 0.5).abs() < 1e-15);
        assert!(slid.stored_later <= 0.25e-9 * 25e-6 && slid.rubbed > 0.0);
    }

    #[test]
    fn what_is_stored_when_surfaces_part_is_lost() {
        let slid = Slider { stays: 0.0, ..SLIDER }.resist([0.01], [0.0], Span::of_step(1e-3));
        assert!((slid.damped - 0.5 * 100.0 * 1e-4).abs() < 1e-15 && slid.spring == [0.0]);
    }

    #[test]
    fn springs_turn_with_their_normal() {
        let angle = 1e-3f64;
        let turned = turned_along([2.0, 0.0, 1.0], [angle.sin(), 0.0, angle.cos()]);
        assert!(dot(turned, [angle.sin(), 0.0, angle.cos()]).abs() < 1e-15);
        let turned = turned_along([2.0, 1.0, 0.0], [angle.sin(), 0.0, angle.cos()]);
        assert!((length(turned) / 5f64.sqrt() - 1.0).abs() < 1e-12);
        assert_eq!(turned_along([0.0; 3], [0.0, 0.0, 1.0]), [0.0; 3]);
    }
}
