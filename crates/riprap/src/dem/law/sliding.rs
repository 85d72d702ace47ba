//! Laws made of a normal force and of what resists sliding, rolling and twisting.
//!
//! 1. Along the normal: what the [`Normal`] says.
//! 2. Across it: a [`Slider`] with Coulomb's limit (Cundall and Strack 1979).
//! 3. In scenes with rolling or twisting friction: a slider each for the relative spin across and about the normal, of the stiffness
//!    `k_t R^2` (Iwashita and Oda 1998), with limits in proportion to the normal force and the reduced radius `R` (Ai, Chen, Rotter
//!    and Ooi 2011, model C).
//!
//! Velocities are those at the time of the overlap. Springs are kept half a step ahead: their value at that time is the mean of those
//! before and after the step, and energy is stored in them to second order in the step.

use std::marker::PhantomData;

use super::memory::TURNING;
use super::normal::{Normal, Pressed};
use super::slider::{Slider, turned_along};
use super::{Law, Of};
use crate::dem::contact::{Kinds, Response, Span, StepEnergies, Touch};
use crate::dem::material::{Coefficients, Given, Material, MaterialError};
use crate::number::Real;
use crate::vector::{add_scaled, components, dot, reject, scale};

/// A normal force and friction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sliding<N>(PhantomData<N>);

/// The same with resistance to rolling and twisting.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rolling<N>(PhantomData<N>);

/// A contact with friction remembers its tangential spring, and what its normal force asks for.
type SlidingMemory<N, const D: usize> = ([f64; D], <N as Normal>::Memory);
/// One with resistance to rolling also the spring of rolling, then that of twisting.
type RollingMemory<N, const D: usize> = (SlidingMemory<N, D>, [f64; TURNING]);

/// What a normal force does.
type PressedBy<N, T> = Pressed<T, Of<<N as Normal>::Memory, T>>;

/// Rolling and twisting are damped at this share of the critical rate (Ai, Chen, Rotter and Ooi 2011).
const TURNING_DAMPING: f64 = 0.3;

/// The moment of inertia against sliding over the mass: the surface of a free ball moves by its translation and its spin.
pub(super) const fn sliding_share(dimension: usize) -> f64 {
    if dimension == 2 { 3.0 } else { 3.5 }
}

/// A spring of a contact whose stiffness has changed by `1 / ratio`, and what it has lost: a stiffer one keeps its force, a softer
/// one its length. The energy is per stiffness.
#[inline(always)]
fn adapted<T: Real, const N: usize>(spring: [T; N], ratio: T) -> ([T; N], T) {
    let kept = scale(spring, ratio.min(T::all(1.0)));
    (kept, T::all(0.5) * (ratio * dot(spring, spring) - dot(kept, kept)))
}

/// Normal force and friction over a step.
#[inline(always)]
fn slide<N: Normal, T: Real, const D: usize>(
    kinds: Kinds,
    coefficients: &Coefficients<T>,
    touch: &Touch<T, D>,
    (spring, memory): Of<SlidingMemory<N, D>, T>,
    span: Span<T>,
) -> (PressedBy<N, T>, Response<T, [T; D], D>) {
    let zero = T::all(0.0);
    let pressed = N::press(coefficients, touch, memory, span);
    let mut energies = StepEnergies::none();
    (energies.lost.damping, energies.later.damping) = (pressed.damped, pressed.damped_later);
    (energies.lost.adhesion, energies.later.stored) = (pressed.snapped, pressed.stored_later);
    let (mut pull, mut next) = ([zero; D], spring);
    if kinds.friction {
        let stiffness = coefficients.tangential * pressed.stretch;
        let mut spring = turned_along(spring, touch.normal);
        if N::VARIES {
            let (kept, lost) = adapted(spring, pressed.ratio);
            (spring, energies.lost.friction) = (kept, stiffness * lost);
        }
        let slider = Slider {
            stiffness,
            damping: coefficients.tangential_damping * pressed.root,
            damping_ratio: pressed.root_ratio,
            limit: coefficients.friction * pressed.grip,
            inverse_mass: touch.inverse_mass * T::all(sliding_share(D)),
            grown: pressed.grown,
            softened: (T::all(1.0) - pressed.ratio).min(zero),
            stays: pressed.stays,
        };
        let slid = slider.resist(spring, touch.slip, span);
        (pull, next) = (slid.force, slid.spring);
        let (lost, later) = (&mut energies.lost, &mut energies.later);
        (lost.damping, lost.friction) = (lost.damping + slid.damped, lost.friction + slid.rubbed);
        // Either the one or the other is zero.
        let slips = slid.rubbed.above(zero, T::all(1.0), zero);
        later.friction = slips * slid.lost_later;
        later.damping = later.damping + (slid.lost_later - later.friction);
        later.stored = later.stored + slid.stored_later;
    }
    let response = Response {
        push: pressed.push,
        pull,
        couple: [zero; 3],
        memory: next,
        energies,
        holds: pressed.holds,
    };
    (pressed, response)
}

/// Torque against rolling or twisting, and the spring after it.
#[inline(always)]
fn resist<N: Normal, T: Real, const K: usize>(
    slider: Slider<T>,
    mut spring: [T; K],
    rate: [T; K],
    ratio: T,
    span: Span<T>,
    energies: &mut StepEnergies<T>,
) -> ([T; K], [T; K]) {
    if N::VARIES {
        let (kept, lost) = adapted(spring, ratio);
        spring = kept;
        energies.lost.friction = energies.lost.friction + slider.stiffness * lost;
    }
    let slid = slider.resist(spring, rate, span);
    let (lost, later) = (&mut energies.lost, &mut energies.later);
    lost.rolling = lost.rolling + slid.damped + slid.rubbed;
    later.rolling = later.rolling + slid.lost_later;
    later.stored = later.stored + slid.stored_later;
    (slid.force, slid.spring)
}

impl<N: Normal, const D: usize> Law<D> for Sliding<N> {
    type Memory = SlidingMemory<N, D>;
    const SPRING: usize = D;
    const TURNING: usize = 0;
    const NEEDS_RADIUS: bool = N::NEEDS_RADIUS;
    const REACHES: bool = N::REACHES;
    const TURNS: bool = false;

    fn coefficients(a: &Material, b: &Material, given: &Given) -> Result<Coefficients, MaterialError> {
        Coefficients::new::<D>(a, b, given, N::stiffness(a, b, given)?)
    }

    #[inline(always)]
    fn respond<T: Real>(
        kinds: Kinds,
        coefficients: &Coefficients<T>,
        touch: &Touch<T, D>,
        memory: Of<Self::Memory, T>,
        span: Span<T>,
    ) -> Response<T, Of<Self::Memory, T>, D> {
        let (pressed, response) = slide::<N, T, D>(kinds, coefficients, touch, memory, span);
        response.remembering(|spring| (spring, pressed.memory))
    }

    fn stored(
        coefficients: &Coefficients,
        overlap: f64,
        reduced_radius: f64,
        (spring, memory): &Of<Self::Memory, f64>,
    ) -> f64 {
        let (energy, stretch) = N::stored(coefficients, overlap, reduced_radius, memory);
        energy + 0.5 * coefficients.tangential * stretch * dot(*spring, *spring)
    }

    fn attraction(coefficients: &Coefficients, overlap: f64, reduced_radius: f64) -> f64 {
        N::attraction(coefficients, overlap, reduced_radius)
    }

    fn slopes(coefficients: &Coefficients, overlap: f64, reduced_radius: f64) -> (f64, f64) {
        let (slope, stretch) = N::slope(coefficients, overlap, reduced_radius);
        (slope * stretch, coefficients.tangential * stretch)
    }

    fn reach(coefficients: &Coefficients, reduced_radius: f64) -> f64 {
        N::reach(coefficients, reduced_radius)
    }

    fn mirror((spring, _): &mut Of<Self::Memory, f64>) {
        *spring = spring.map(|component| -component);
    }
}

impl<N: Normal, const D: usize> Law<D> for Rolling<N> {
    type Memory = RollingMemory<N, D>;
    const SPRING: usize = D;
    const TURNING: usize = TURNING;
    const NEEDS_RADIUS: bool = true;
    const REACHES: bool = N::REACHES;
    const TURNS: bool = true;

    fn coefficients(a: &Material, b: &Material, given: &Given) -> Result<Coefficients, MaterialError> {
        <Sliding<N> as Law<D>>::coefficients(a, b, given)
    }

    #[inline(always)]
    fn respond<T: Real>(
        kinds: Kinds,
        coefficients: &Coefficients<T>,
        touch: &Touch<T, D>,
        (memory, turns): Of<Self::Memory, T>,
        span: Span<T>,
    ) -> Response<T, Of<Self::Memory, T>, D> {
        let (zero, radius) = (T::all(0.0), touch.reduced_radius);
        let (pressed, mut response) = slide::<N, T, D>(kinds, coefficients, touch, memory, span);
        let stiffness = coefficients.tangential * pressed.stretch * radius * radius;
        let inertia = T::all(1.0).over(touch.inverse_inertia);
        let damping = T::all(2.0 * TURNING_DAMPING) * (stiffness * inertia).sqrt();
        let inverse_mass = touch.inverse_inertia;
        let slider = |friction: T| {
            let limit = friction * pressed.grip * radius;
            let Pressed { grown, stays, ratio, .. } = pressed;
            let softened = (T::all(1.0) - ratio).min(zero);
            let damping_ratio = T::all(0.5) * (T::all(1.0) + ratio);
            Slider { stiffness, damping, damping_ratio, limit, inverse_mass, grown, softened, stays }
        };
        let ratio = pressed.ratio;
        let [x, y, z, twist] = turns;
        let (rolling, twist) = if D == 2 {
            let energies = &mut response.energies;
            let ([couple], [z]) = resist::<N, T, 1>(
                slider(coefficients.rolling),
                [z],
                [touch.turning[2]],
                ratio,
                span,
                energies,
            );
            response.couple = [zero, zero, couple];
            ([zero, zero, z], zero)
        } else {
            let normal = components(|k| touch.normal[k]);
            let (spring, rate) = (turned_along([x, y, z], normal), reject(touch.turning, normal));
            let energies = &mut response.energies;
            let (couple, rolling) =
                resist::<N, T, 3>(slider(coefficients.rolling), spring, rate, ratio, span, energies);
            let rate = [dot(touch.turning, normal)];
            let ([about], [twist]) =
                resist::<N, T, 1>(slider(coefficients.twisting), [twist], rate, ratio, span, energies);
            response.couple = add_scaled(couple, about, normal);
            (rolling, twist)
        };
        let [x, y, z] = rolling;
        response.remembering(|spring| ((spring, pressed.memory), [x, y, z, twist]))
    }

    fn stored(
        coefficients: &Coefficients,
        overlap: f64,
        reduced_radius: f64,
        (memory, turns): &Of<Self::Memory, f64>,
    ) -> f64 {
        let (_, stretch) = N::stored(coefficients, overlap, reduced_radius, &memory.1);
        let stiffness = coefficients.tangential * stretch * reduced_radius * reduced_radius;
        <Sliding<N> as Law<D>>::stored(coefficients, overlap, reduced_radius, memory)
            + 0.5 * stiffness * dot(*turns, *turns)
    }

    fn attraction(coefficients: &Coefficients, overlap: f64, reduced_radius: f64) -> f64 {
        N::attraction(coefficients, overlap, reduced_radius)
    }

    fn slopes(coefficients: &Coefficients, overlap: f64, reduced_radius: f64) -> (f64, f64) {
        <Sliding<N> as Law<D>>::slopes(coefficients, overlap, reduced_radius)
    }

    fn reach(coefficients: &Coefficients, reduced_radius: f64) -> f64 {
        N::reach(coefficients, reduced_radius)
    }

    /// Seen from the other side a spin is the opposite, and a twist about the opposite normal the same.
    fn mirror((memory, turns): &mut Of<Self::Memory, f64>) {
        <Sliding<N> as Law<D>>::mirror(memory);
        for component in &mut turns[..3] {
            *component = -*component;
        }
    }
}
