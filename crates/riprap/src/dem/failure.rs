//! Why a simulation cannot go on, and what to change.

use thiserror::Error as ThisError;

use crate::words::short;

/// What went wrong, with the values that show it and the remedy.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum Failure {
    /// Two bodies overlap too much.
    #[error(
        "step {step}, t = {time} s: particles {a} and {b} overlap by {overlap}, {:.1} % of the smaller radius {radius} \
         (limit {:.1} %): contacts are too soft for these speeds and loads (raise `k_n` or `young`); \
         `limits.overlap` changes the limit",
        100.0 * overlap / radius, 100.0 * limit, time = short(*time), overlap = short(*overlap), radius = short(*radius)
    )]
    Overlap {
        /// Steps done.
        step: u64,
        /// Time.
        time: f64,
        /// Number of one body.
        a: u64,
        /// Number of the other.
        b: u64,
        /// Depth of the overlap.
        overlap: f64,
        /// The smaller radius.
        radius: f64,
        /// The limit, over the radius.
        limit: f64,
    },
    /// Two bodies overlap too much as soon as they are there.
    #[error(
        "step {step}, t = {time} s: particles {a} and {b} overlap {} by {overlap}, {:.1} % of the smaller radius {radius} (limit \
         {:.1} %): move them apart or make them smaller; `limits.overlap` changes the limit",
        when_inserted(*step), 100.0 * overlap / radius, 100.0 * limit, time = short(*time), overlap = short(*overlap), radius = short(*radius)
    )]
    InsertedOverlap {
        /// Steps done.
        step: u64,
        /// Time.
        time: f64,
        /// Number of one body.
        a: u64,
        /// Number of the other.
        b: u64,
        /// Depth of the overlap.
        overlap: f64,
        /// The smaller radius.
        radius: f64,
        /// The limit, over the radius.
        limit: f64,
    },
    /// A body overlaps a wall too much.
    #[error(
        "step {step}, t = {time} s: particle {id} at {position:?} overlaps wall `{wall}` by {overlap}, {:.1} % of its \
         radius {radius} (limit {:.1} %): contacts are too soft for these speeds and loads (raise `k_n` or `young`); \
         `limits.overlap` changes the limit",
        100.0 * overlap / radius, 100.0 * limit, time = short(*time), overlap = short(*overlap), radius = short(*radius)
    )]
    WallOverlap {
        /// Steps done.
        step: u64,
        /// Time.
        time: f64,
        /// Number of the body.
        id: u64,
        /// Its centre.
        position: Vec<f64>,
        /// Name of the wall.
        wall: String,
        /// Depth of the overlap.
        overlap: f64,
        /// Radius of the body.
        radius: f64,
        /// The limit, over the radius.
        limit: f64,
    },
    /// A body overlaps a wall too much as soon as it is there.
    #[error(
        "step {step}, t = {time} s: particle {id} at {position:?} overlaps wall `{wall}` {} by {overlap}, {:.1} % of its radius \
         {radius} (limit {:.1} %): it is in or behind the wall; move it to the other side, or make it smaller; \
         `limits.overlap` changes the limit",
        when_inserted(*step), 100.0 * overlap / radius, 100.0 * limit, time = short(*time), overlap = short(*overlap), radius = short(*radius)
    )]
    InsertedWallOverlap {
        /// Steps done.
        step: u64,
        /// Time.
        time: f64,
        /// Number of the body.
        id: u64,
        /// Its centre.
        position: Vec<f64>,
        /// Name of the wall.
        wall: String,
        /// Depth of the overlap.
        overlap: f64,
        /// Radius of the body.
        radius: f64,
        /// The limit, over the radius.
        limit: f64,
    },
    /// The motion of a body is not a number.
    #[error(
        "step {step}, t = {time} s: the force {force:?} or torque {torque:?} on particle {id} at {position:?} makes its motion \
         infinite or not a number: the time step {time_step} is too long for these contacts, or a stiffness, density or \
         radius is beyond reason", time = short(*time), time_step = short(*time_step)
    )]
    NotANumber {
        /// Steps done.
        step: u64,
        /// Time.
        time: f64,
        /// Number of the body.
        id: u64,
        /// Its centre.
        position: Vec<f64>,
        /// The force on it.
        force: Vec<f64>,
        /// The torque on it.
        torque: Vec<f64>,
        /// The time step.
        time_step: f64,
    },
    /// A body moves too far in one step.
    #[error(
        "step {step}, t = {time} s: particle {id} moves at {speed}, {share:.2} smallest radii in one step of {time_step}: \
         it could pass through others; take a shorter `time.step` or look for what makes it so fast", time = short(*time), speed = short(*speed), time_step = short(*time_step)
    )]
    TooFast {
        /// Steps done.
        step: u64,
        /// Time.
        time: f64,
        /// Number of the body.
        id: u64,
        /// Its speed.
        speed: f64,
        /// How far it moves, in smallest radii.
        share: f64,
        /// The time step.
        time_step: f64,
    },
    /// A wall moves too far in one step.
    #[error(
        "step {step}, t = {time} s: wall `{wall}` moves at up to {speed}, {share:.2} smallest radii in one step of \
         {time_step}: it could pass through particles; take a shorter `time.step` or a slower motion", time = short(*time), speed = short(*speed), time_step = short(*time_step)
    )]
    WallTooFast {
        /// Steps done.
        step: u64,
        /// Time.
        time: f64,
        /// Name of the wall.
        wall: String,
        /// Its speed.
        speed: f64,
        /// How far it moves, in smallest radii.
        share: f64,
        /// The time step.
        time_step: f64,
    },
    /// A wall is too far from the periodic box for its images to fill it.
    #[error(
        "step {step}, t = {time} s: wall `{wall}` reaches from {low} to {high} along {axis}, further than one length beyond \
         the periodic box: its images would not be felt; let it stay near the box (`offset`, `motion`) or leave the axis open", time = short(*time), low = short(*low), high = short(*high)
    )]
    WallAway {
        /// Steps done.
        step: u64,
        /// Time.
        time: f64,
        /// Name of the wall.
        wall: String,
        /// The axis.
        axis: &'static str,
        /// Where the wall begins along it.
        low: f64,
        /// Where it ends.
        high: f64,
    },
    /// A body has left the domain.
    #[error(
        "step {step}, t = {time} s: particle {id} at {position:?} has left the domain from {min:?} to {max:?}: close the walls, \
         widen `domain`, add an `outflow`, or set `domain.outside = \"remove\"`", time = short(*time)
    )]
    Outside {
        /// Steps done.
        step: u64,
        /// Time.
        time: f64,
        /// Number of the body.
        id: u64,
        /// Its centre.
        position: Vec<f64>,
        /// Lowest corner of the domain.
        min: Vec<f64>,
        /// Highest corner of the domain.
        max: Vec<f64>,
    },
    /// Energy has come from nowhere, or has got lost.
    #[error(
        "step {step}, t = {time} s: the energy error is {} % of the largest term (limit {} %); the likeliest cause: {cause}; \
         `limits.energy` changes the limit",
        percent(*error), percent(*limit), time = short(*time)
    )]
    Energy {
        /// Steps done.
        step: u64,
        /// Time.
        time: f64,
        /// The energy error.
        error: f64,
        /// The limit.
        limit: f64,
        /// The likeliest cause.
        cause: super::cause::EnergyCause,
    },
    /// The step exceeds the stable limit.
    #[error(
        "time step {time_step} exceeds the stable limit {limit} of the stiffest contact: take a shorter `time.step` (or none, \
         and {suggested} is taken), softer contacts, or set `time.force = true`", time_step = short(*time_step), limit = short(*limit), suggested = short(*suggested)
    )]
    TimeStep {
        /// The time step.
        time_step: f64,
        /// The longest stable one.
        limit: f64,
        /// The one that would be taken by default.
        suggested: f64,
    },
    /// Another process of the same simulation has failed.
    #[error("step {step}: another process of this simulation has failed")]
    Elsewhere {
        /// Steps done.
        step: u64,
    },
    /// A state to be restored is not one of this simulation.
    #[error(transparent)]
    State(#[from] super::state::StateError),
    /// The neighbour search refused.
    #[error("step {step}: neighbour search: {source}")]
    Search {
        /// Steps done.
        step: u64,
        /// Why.
        source: crate::Error,
    },
}

/// A share in percent, with three digits however small it is.
fn percent(share: f64) -> String {
    let value = 100.0 * share;
    if value.abs() < 0.01 && value != 0.0 { format!("{value:.2e}") } else { format!("{value:.2}") }
}

/// When bodies that are only just there were inserted.
pub(super) fn when_inserted(step: u64) -> &'static str {
    if step == 0 { "at the start" } else { "when inserted" }
}
