//! The normal force of a contact: what a law says of it, and what friction needs to know.

use super::memory::Memory;
use crate::dem::contact::Touch;
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
        step: T,
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
    /// One if the surfaces met within the step, else zero.
    pub(super) met: T,
    /// One if the contact goes on; else what it remembers is forgotten.
    pub(super) holds: T,
    /// Energy lost in the dashpot over the step.
    pub(super) damped: T,
    /// Energy lost where the surfaces leapt together.
    pub(super) snapped: T,
    /// What it remembers from now on.
    pub(super) memory: M,
}

/// One if the surfaces met within the last step, else zero.
#[inline(always)]
pub(super) fn met_now<T: Real, const D: usize>(touch: &Touch<T, D>, step: T) -> T {
    (touch.approach * step).above(touch.overlap, T::all(1.0), T::all(0.0))
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
    /// The energy it loses over a step.
    ///
    /// The speed of approach is foreseen as if the force had stayed what it was; half of what its change does in a step is the speed
    /// at which it really acts.
    #[inline(always)]
    pub(super) fn loss<const D: usize>(&self, touch: &Touch<T, D>, step: T) -> T {
        let changed = T::all(0.5) * step * touch.inverse_mass * (self.push - self.before);
        (self.push - self.elastic) * (touch.approach - changed) * step
    }
}
