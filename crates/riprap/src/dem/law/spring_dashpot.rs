//! Springs and dashpots: what the linear law and that of Hertz and Mindlin have in common.
//!
//! Both have the form `F = k d + c v` along the normal and `F = k' s + c' v` across it (`d` overlap, `s` tangential spring, `v`
//! speed), where the stiffnesses grow in proportion to a stretch and the dampings to its root. The linear law has the stretch 1,
//! the Hertz law `sqrt(R d)`.
//!
//! 1. Along the normal: spring and dashpot, never pulling.
//! 2. Across it: a spring that remembers how far the surfaces have slid since they touched, a dashpot, and Coulomb's limit.
//! 3. Rolling: a torque against the relative spin, in proportion to the normal force.
//!
//! Velocities are those at the time of the overlap. The spring is kept half a step ahead: its value at that time is the
//! mean of those before and after the step, and energy is stored in it to second order in the step.

use super::Law;
use crate::dem::contact::{Kinds, Losses, Response, Touch};
use crate::dem::material::{Coefficients, Given, Material, MaterialError, Stiffness};
use crate::number::Real;
use crate::vector::{add, add_scaled, components, dot, length, reject, scale};

/// How stiffness and damping depend on the overlap.
pub(super) trait Stretch: Copy + Send + Sync + 'static {
    /// Elastic energy of a contact over `k d^2`.
    const ENERGY: f64;
    /// Slope of the elastic force over `k`.
    const SLOPE: f64;
    /// Whether the stiffness depends on the overlap.
    const VARIES: bool;
    /// Whether the damping force is there from the first moment of a contact.
    const STARTS_WITH_A_JUMP: bool;
    /// Stiffness and damping of two materials, over the stretch.
    fn stiffness(a: &Material, b: &Material, given: &Given) -> Result<Stiffness, MaterialError>;
    /// What the coefficients of stiffness are to be multiplied with, at this overlap and reduced radius.
    fn stretch<T: Real>(overlap: T, reduced_radius: T) -> T;
    /// What the coefficients of damping are to be multiplied with: the root of stretch over inverse mass.
    fn root<T: Real>(stretch: T, inverse_mass: T) -> T;
}

/// Lengths and forces below this are as good as none; it only keeps quotients finite.
const NOTHING: f64 = 1e-300;

/// The force of a contact over a step.
#[inline(always)]
fn respond<L: Stretch, T: Real, const D: usize>(
    kinds: Kinds,
    coefficients: &Coefficients<T>,
    touch: &Touch<T, D>,
    spring: [T; D],
    step: T,
) -> Response<T, [T; D], D> {
    let Touch { normal, overlap, approach, .. } = *touch;
    let (zero, half) = (T::all(0.0), T::all(0.5));

    let stretch = L::stretch(overlap, touch.reduced_radius);
    let root = L::root(stretch, touch.inverse_mass);
    let elastic = coefficients.normal * stretch * overlap;
    let mut damping = coefficients.damping * root;
    if L::STARTS_WITH_A_JUMP {
        // A force acts from half a step before its time to half a step after. A dashpot that was met within the last step
        // has acted since then, for more or less than that.
        let way = approach * step;
        damping = damping * way.above(overlap, half + overlap.over(way), T::all(1.0));
    }
    let push = (elastic + damping * approach).max(zero);
    // The mean over the step of a speed that the contact itself slows down while the force grows with the overlap.
    let slowed = T::all(1.0)
        - T::all(0.5 * L::SLOPE) * coefficients.normal * stretch * touch.inverse_mass * step * step;
    let losses =
        Losses { damping: (push - elastic) * approach * slowed * step, friction: zero, rolling: zero };

    let mut response = Response { push, pull: [zero; D], couple: [zero; 3], memory: spring, losses };
    if kinds.friction {
        let slip = touch.slip;
        let stiffness = coefficients.tangential * stretch;
        let mut old = reject(spring, normal);
        if L::VARIES {
            let before = (overlap - approach * step).max(zero);
            let ratio = before.over(overlap.max(T::all(NOTHING))).sqrt();
            let stored = half * stiffness * ratio * dot(old, old);
            old = scale(old, approach.above(zero, ratio, T::all(1.0)));
            response.losses.friction = stored - half * stiffness * dot(old, old);
        }
        let damping = coefficients.tangential_damping * root;
        let trial = add(scale(old, stiffness), scale(slip, half * stiffness * step + damping));
        let limit = coefficients.friction * push;
        let size = length(trial);
        let pull = scale(trial, size.above(limit, limit.over(size.max(T::all(NOTHING))), T::all(1.0)));
        let (slid, stuck) =
            (scale(pull, T::all(1.0).over(stiffness.max(T::all(NOTHING)))), add_scaled(old, step, slip));
        response.memory = components(|k| size.above(limit, slid[k], stuck[k]));
        let rubbed = dot(pull, slip) * step - half * stiffness * (dot(slid, slid) - dot(old, old));
        response.losses.friction = response.losses.friction + size.above(limit, rubbed, zero);
        let damped = damping * dot(slip, slip) * step;
        response.losses.damping = response.losses.damping + size.above(limit, zero, damped);
        response.pull = pull;
    }
    if kinds.rolling {
        let speed = length(touch.rolling);
        // Not more than would stop the rolling within two steps, so that a body at rest stays at rest.
        let limit = coefficients.rolling * push * touch.reduced_radius;
        let stop = half * speed.over((touch.inverse_inertia * step).max(T::all(NOTHING)));
        let size = limit.min(stop);
        response.couple = scale(touch.rolling, size.over(speed.max(T::all(NOTHING))));
        response.losses.rolling = size * speed * step;
    }
    response
}

/// A contact remembers its tangential spring.
impl<L: Stretch, const D: usize> Law<D> for L {
    type Memory = [f64; D];
    const NEEDS_RADIUS: bool = L::VARIES;

    fn coefficients(a: &Material, b: &Material, given: &Given) -> Result<Coefficients, MaterialError> {
        Coefficients::new::<D>(a, b, given, L::stiffness(a, b, given)?)
    }

    #[inline(always)]
    fn respond<T: Real>(
        kinds: Kinds,
        coefficients: &Coefficients<T>,
        touch: &Touch<T, D>,
        memory: [T; D],
        step: T,
    ) -> Response<T, [T; D], D> {
        respond::<L, T, D>(kinds, coefficients, touch, memory, step)
    }

    fn stored(coefficients: &Coefficients, overlap: f64, reduced_radius: f64, spring: &[f64; D]) -> f64 {
        let stretch = L::stretch(overlap, reduced_radius);
        L::ENERGY * coefficients.normal * stretch * overlap * overlap
            + 0.5 * coefficients.tangential * stretch * dot(*spring, *spring)
    }

    fn slopes(coefficients: &Coefficients, overlap: f64, reduced_radius: f64) -> (f64, f64) {
        let stretch = L::stretch(overlap, reduced_radius);
        (L::SLOPE * coefficients.normal * stretch, coefficients.tangential * stretch)
    }

    fn exchange(spring: &mut [f64; D]) {
        *spring = spring.map(|component| -component);
    }
}
