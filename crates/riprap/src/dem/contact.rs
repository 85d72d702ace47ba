//! The force of one contact point, whatever the bodies are.
//!
//! 1. Along the normal: spring and dashpot, never pulling.
//! 2. Across it: a spring that remembers how far the surfaces have slid since they touched, a dashpot, and Coulomb's limit.
//! 3. Rolling: a torque against the relative spin, in proportion to the normal force.
//!
//! Velocities are those at the time of the overlap. The spring is kept half a step ahead: its value at that time is the
//! mean of those before and after the step, and energy is stored in it to second order in the step.

use super::law::Law;
use super::material::Coefficients;
use super::spin::{moment, rolling_part, turn};
use crate::number::Real;
use crate::vector::{add, add_scaled, components, dot, length, reject, scale, sub};

/// Where two bodies touch and how they move there.
#[derive(Debug, Clone, Copy)]
pub struct Touch<T, const D: usize, const S: usize> {
    /// Unit vector from the first body to the second.
    pub normal: [T; D],
    /// Depth of the overlap.
    pub overlap: T,
    /// Distance from the first centre to the contact point.
    pub arm_a: T,
    /// Distance from the second centre to the contact point.
    pub arm_b: T,
    /// Velocity of the first centre less that of the second.
    pub velocity: [T; D],
    /// Spin of the first body.
    pub spin_a: [T; S],
    /// Spin of the second body.
    pub spin_b: [T; S],
    /// Sum of the inverse masses.
    pub inverse_mass: T,
    /// Sum of the inverse moments of inertia; used for rolling friction only.
    pub inverse_inertia: T,
    /// Reduced radius of curvature; used for rolling friction and by laws that depend on it.
    pub reduced_radius: T,
}

/// What a contact does.
#[derive(Debug, Clone, Copy)]
pub struct Response<T, const D: usize, const S: usize> {
    /// Force on the first body; the second feels the opposite.
    pub force: [T; D],
    /// Torque on the first body about its centre.
    pub torque_a: [T; S],
    /// Torque on the second body about its centre.
    pub torque_b: [T; S],
    /// The tangential spring from now on.
    pub spring: [T; D],
    /// Energy lost in this step.
    pub losses: Losses<T>,
}

/// Energy that contacts have turned into heat.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Losses<T = f64> {
    /// By dashpots.
    pub damping: T,
    /// By sliding.
    pub friction: T,
    /// By rolling.
    pub rolling: T,
}

impl std::ops::AddAssign for Losses {
    fn add_assign(&mut self, other: Self) {
        self.damping += other.damping;
        self.friction += other.friction;
        self.rolling += other.rolling;
    }
}

/// What contacts can do beside pushing, so that they need not be asked one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kinds {
    /// Whether any pair of materials has friction.
    pub friction: bool,
    /// Whether any pair of materials has rolling friction.
    pub rolling: bool,
}

/// Lengths and forces below this are as good as none; it only keeps quotients finite.
const NOTHING: f64 = 1e-300;

/// The force of a contact over a step.
#[inline(always)]
pub fn respond<L: Law, T: Real, const D: usize, const S: usize>(
    kinds: Kinds,
    coefficients: &Coefficients<T>,
    touch: &Touch<T, D, S>,
    spring: [T; D],
    step: T,
) -> Response<T, D, S> {
    let Touch { normal, overlap, .. } = *touch;
    let (zero, half) = (T::all(0.0), T::all(0.5));
    let mut losses = Losses { damping: zero, friction: zero, rolling: zero };

    let stretch = L::stretch(overlap, touch.reduced_radius);
    let root = L::root(stretch, touch.inverse_mass);
    let approach = dot(touch.velocity, normal);
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
    losses.damping = (push - elastic) * approach * slowed * step;

    let mut response =
        Response { force: scale(normal, -push), torque_a: [zero; S], torque_b: [zero; S], spring, losses };
    if kinds.friction {
        let spins = add(scale(touch.spin_a, touch.arm_a), scale(touch.spin_b, touch.arm_b));
        let slip = add(add_scaled(touch.velocity, -approach, normal), turn(spins, normal));
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
        response.spring = components(|k| size.above(limit, slid[k], stuck[k]));
        let rubbed = dot(pull, slip) * step - half * stiffness * (dot(slid, slid) - dot(old, old));
        response.losses.friction = response.losses.friction + size.above(limit, rubbed, zero);
        let damped = damping * dot(slip, slip) * step;
        response.losses.damping = response.losses.damping + size.above(limit, zero, damped);
        response.force = sub(response.force, pull);
        let turning = moment(normal, pull);
        response.torque_a = scale(turning, -touch.arm_a);
        response.torque_b = scale(turning, -touch.arm_b);
    }
    if kinds.rolling {
        let rolling = rolling_part(sub(touch.spin_a, touch.spin_b), normal);
        let speed = length(rolling);
        // Not more than would stop the rolling within two steps, so that a body at rest stays at rest.
        let limit = coefficients.rolling * push * touch.reduced_radius;
        let stop = half * speed.over((touch.inverse_inertia * step).max(T::all(NOTHING)));
        let size = limit.min(stop);
        let torque = scale(rolling, size.over(speed.max(T::all(NOTHING))));
        response.torque_a = sub(response.torque_a, torque);
        response.torque_b = add(response.torque_b, torque);
        response.losses.rolling = size * speed * step;
    }
    response
}

/// Energy stored in a contact.
pub fn stored<L: Law, const D: usize>(
    coefficients: &Coefficients,
    overlap: f64,
    reduced_radius: f64,
    spring: [f64; D],
) -> f64 {
    let stretch = L::stretch(overlap, reduced_radius);
    L::ENERGY * coefficients.normal * stretch * overlap * overlap
        + 0.5 * coefficients.tangential * stretch * dot(spring, spring)
}
