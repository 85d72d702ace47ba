//! The normal force of a contact: what a law says of it, and what friction needs to know.

use super::memory::Memory;
use super::slider::NOTHING;
use crate::dem::contact::{Span, Touch};
use crate::dem::material::{Coefficients, Given, Material, MaterialError, Stiffness};
use crate::number::Real;

/// How two surfaces push, or hold, each other along their normal. [`super::sliding`] makes a law of it.
///
/// The stiffness across the normal is the coefficient times a *stretch*, which may depend on the overlap, and dampings are theirs times
/// the root of stretch and mass: `1` for the linear law, the radius of the contact area for elastic spheres.
pub(crate) trait Normal: Copy + Send + Sync + 'static {
    /// What it remembers beside the springs of friction.
    type Memory: Memory;
    /// Whether it asks for the reduced radius.
    const NEEDS_RADIUS: bool;
    /// Whether it acts beyond touch, as far as [`Normal::reach`].
    const REACHES: bool = false;
    /// Whether the stretch depends on the overlap.
    const VARIES: bool;

    /// Stiffness and damping of two materials, over the stretch.
    fn stiffness(a: &Material, b: &Material, given: &Given) -> Result<Stiffness, MaterialError>;

    /// The force over a step.
    fn press<T: Real, const D: usize>(
        coefficients: &Coefficients<T>,
        touch: &Touch<T, D>,
        memory: <Self::Memory as Memory>::Of<T>,
        span: Span<T>,
    ) -> Pressed<T, <Self::Memory as Memory>::Of<T>>;

    /// Energy of the normal force, and the stretch.
    fn stored(
        coefficients: &Coefficients,
        overlap: f64,
        reduced_radius: f64,
        memory: &<Self::Memory as Memory>::Of<f64>,
    ) -> (f64, f64);

    /// Slope of the force, over the stretch, and the stretch at this overlap, for the time step.
    fn slope(coefficients: &Coefficients, overlap: f64, reduced_radius: f64) -> (f64, f64);

    /// How far apart two surfaces may be and still act on each other.
    fn reach(_coefficients: &Coefficients, _reduced_radius: f64) -> f64 {
        0.0
    }
}

/// What a normal force is and does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pressed<T, M> {
    /// The force that drives the bodies apart; negative where it holds them together.
    pub(super) push: T,
    /// The force that friction is in proportion to.
    pub(super) grip: T,
    /// See [`Normal`].
    pub(super) stretch: T,
    /// What coefficients of damping are to be multiplied with.
    pub(super) root: T,
    /// The stretch of the step before over that of this one, where it varies.
    pub(super) ratio: T,
    /// The share by which the force has grown since the last moment: one if the surfaces have just met.
    pub(super) grown: T,
    /// Zero if the surfaces are about to part within a step, else one.
    pub(super) stays: T,
    /// One if the contact goes on; else what it remembers is forgotten.
    pub(super) holds: T,
    /// Energy lost in the dashpot over the step.
    pub(super) damped: T,
    /// The part of it after the time of the step.
    pub(super) damped_later: T,
    /// Energy lost where the surfaces leapt together.
    pub(super) snapped: T,
    /// Energy that the overlap says is stored, and that is so only after the moment of the force.
    pub(super) stored_later: T,
    /// What it remembers from now on.
    pub(super) memory: M,
}

/// One if the surfaces met since the last moment, else zero.
#[inline(always)]
pub(super) fn met_now<T: Real, const D: usize>(touch: &Touch<T, D>, span: Span<T>) -> T {
    (touch.approach * span.since_last()).above(touch.overlap, T::all(1.0), T::all(0.0))
}

/// Zero if the surfaces are about to part before the next moment, so far they are from it, else one.
#[inline(always)]
pub(super) fn stays_on<T: Real, const D: usize>(touch: &Touch<T, D>, distance: T, span: Span<T>) -> T {
    (-(touch.approach * span.until_next())).above(distance, T::all(0.0), T::all(1.0))
}

/// How long a force that begins or ends with a jump acts, over the time for which it is worked out, if it is so far from the jump.
///
/// A force acts for half a step before its moment and half a step after. One that was met within the last step has acted since then,
/// for more or less than that; and one that is left before the next moment acts until then.
#[inline(always)]
pub(super) fn acting<T: Real>(approach: T, distance: T, span: Span<T>) -> T {
    let (zero, half) = (T::all(0.0), T::all(0.5));
    let way = (approach * span.since_last()).max(-(approach * span.until_next()));
    way.above(distance, half + distance.max(zero).over(way.max(T::all(NOTHING))), T::all(1.0))
}

/// Energy of a pull that begins or ends with a jump and acts for so long: its work before the moment of the force is half of that over
/// the whole time, and not what the overlap says.
#[inline(always)]
pub(super) fn jump_later<T: Real>(pull: T, acting: T, approach: T, span: Span<T>) -> T {
    let way = approach.max(-approach) * span.before;
    pull * way * (T::all(1.0) - acting)
}

/// The error for a material without a value that a law needs.
pub(super) fn missing(material: &Material, value: &'static str, law: &'static str) -> MaterialError {
    MaterialError::Missing { material: material.name.clone(), value, law }
}

/// A dashpot in parallel to a force.
pub(super) struct Dashpot<T> {
    /// The force without it.
    pub(super) elastic: T,
    /// The force with it.
    pub(super) push: T,
    /// What the force was a step ago, for two bodies alone.
    pub(super) before: T,
}

impl<T: Real> Dashpot<T> {
    /// The share by which the force has grown since the last moment.
    #[inline(always)]
    pub(super) fn grown(&self) -> T {
        let one = T::all(1.0);
        (one - self.before.over(self.push.max(T::all(NOTHING)))).max(-one)
    }

    /// The energy it loses, and the part of it after the moment of the force.
    ///
    /// The speed of approach is foreseen as if the force had stayed what it was: what its change does is missing from it. Before that
    /// moment the bodies were faster by what the force did since, and afterwards they are slower.
    #[inline(always)]
    pub(super) fn loss<const D: usize>(&self, touch: &Touch<T, D>, span: Span<T>) -> (T, T) {
        let Span { before, after, .. } = span;
        let speed = touch.approach - before * touch.inverse_mass * (self.push - self.before);
        let slowing = touch.inverse_mass * self.push;
        let damping = self.push - self.elastic;
        let later = damping * after * (speed - after * slowing);
        (damping * before * (speed + before * slowing) + later, later)
    }
}
