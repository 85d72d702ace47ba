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

    /// The part of the energy of the normal force that attraction has: zero or less.
    fn attraction(_coefficients: &Coefficients, _overlap: f64, _reduced_radius: f64) -> f64 {
        0.0
    }

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
    /// The root of the step before over that of this one.
    pub(super) root_ratio: T,
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

/// How long a force that begins with a jump acts, over the time for which it is worked out, if the surfaces overlap so far: one that was
/// met within the last step has acted since then, and acts for half a step more.
#[inline(always)]
pub(super) fn since_met<T: Real>(approach: T, overlap: T, span: Span<T>) -> T {
    let (one, way) = (T::all(1.0), approach * span.since_last());
    way.above(overlap, T::all(0.5) + overlap.max(T::all(0.0)).over(way.max(T::all(NOTHING))), one)
}

/// A pull that begins or ends with a jump, so far from it.
///
/// Over two steps in which the overlap grows from `d` to `d'` the force between them does the work `F (d' - d) / 2`. The pull `p` of a
/// step next to the jump is therefore multiplied with such a share that this is its work on the way on which it is there; `d'`
/// follows from the force itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Jump<T> {
    pub(super) pull: T,
    /// What else drives the bodies apart.
    pub(super) push: T,
    /// How far the surfaces are from the jump.
    pub(super) distance: T,
}

/// What a [`Jump`] comes to in a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Acting<T> {
    /// How long the pull acts, over the time for which it is worked out.
    pub(super) share: T,
    /// Energy that the overlap says is stored by it, and that is so only after the moment of the force.
    pub(super) later: T,
    /// How much longer it will have to act should the surfaces, against what is foreseen, not be past the jump at the next moment.
    pub(super) owed: T,
}

impl<T: Real> Acting<T> {
    /// Of a step that is not next to a jump.
    #[inline(always)]
    pub(super) fn throughout() -> Self {
        Self { share: T::all(1.0), later: T::all(0.0), owed: T::all(0.0) }
    }

    /// This where `condition` exceeds a half, else the other.
    #[inline(always)]
    pub(super) fn where_true(self, condition: T, other: Self) -> Self {
        let choose = |one: T, other: T| condition.above(T::all(0.5), one, other);
        Self {
            share: choose(self.share, other.share),
            later: choose(self.later, other.later),
            owed: choose(self.owed, other.owed),
        }
    }
}

/// A pull acts for no more than so many steps at once, and for no less than none.
const LONGEST: f64 = 2.0;
/// Surfaces have met since the last moment if they are no further from the jump than so many times the way that their speed tells: by
/// rounding, or as others push them, they may have come a little more. Those beyond were put there.
const FARTHEST: f64 = 1.1;

impl<T: Real> Jump<T> {
    /// Ways that pull and push move the bodies over a step.
    #[inline(always)]
    fn moved<const D: usize>(&self, touch: &Touch<T, D>, span: Span<T>) -> (T, T) {
        let per_force = span.until_next() * span.until_next() * touch.inverse_mass;
        (per_force * self.pull, per_force * self.push)
    }

    /// For surfaces that have met since the last moment.
    #[inline(always)]
    pub(super) fn begins<const D: usize>(&self, touch: &Touch<T, D>, span: Span<T>) -> Acting<T> {
        let (zero, half, two) = (T::all(0.0), T::all(0.5), T::all(2.0));
        let ((pulled, pushed), distance) = (self.moved(touch, span), self.distance);
        let way = touch.approach * span.since_last();
        // The root of `share (d' - d) = distance + d'`.
        let (linear, constant) = (two * way - pushed - pulled, two * distance + way - pushed);
        let root = (linear * linear + T::all(4.0) * pulled * constant).max(zero).sqrt();
        let share = (two * constant).over((linear + root).max(T::all(NOTHING)));
        let share = share.max(zero).min(T::all(LONGEST));
        let met = Acting { share, later: self.pull * (half * share * way - distance), owed: zero };
        let near = T::all(FARTHEST) * way;
        met.where_true(near.above(distance, T::all(1.0), zero), Acting::throughout())
    }

    /// For surfaces that were so far from the jump a step ago, and had this share still to act.
    #[inline(always)]
    pub(super) fn ends<const D: usize>(
        &self,
        touch: &Touch<T, D>,
        last_distance: T,
        owed: T,
        span: Span<T>,
    ) -> Acting<T> {
        let (zero, half, one, two) = (T::all(0.0), T::all(0.5), T::all(1.0), T::all(2.0));
        let ((pulled, pushed), distance) = (self.moved(touch, span), self.distance);
        let limited = |share: T| share.max(zero).min(T::all(LONGEST));
        let way = distance - last_distance;
        // What is owed, as a way: the share times half the way of the last two steps.
        let debt = owed * (way - half * (pulled * (one - owed) - pushed));
        let later = |share: T| -(self.pull * (debt + half * (one - share) * way));

        let ahead = way + half * (pulled - pushed);
        let paid = debt.over(ahead.above(zero, ahead.max(T::all(NOTHING)), ahead.min(T::all(-NOTHING))));
        let stay = limited(one + paid);
        let stays = Acting { share: stay, later: later(stay), owed: zero };

        // The root of `share (d - d') = d + distance`, less the debt.
        let (linear, constant) = (pushed - two * way, two * distance - way - two * debt);
        let root = (linear * linear - T::all(4.0) * pulled * constant).max(zero).sqrt();
        let leave = limited((two * constant).over((linear + root).max(T::all(NOTHING))));
        let ahead = (way + half * (pulled * leave - pushed)).min(T::all(-NOTHING));
        let owed = (one - leave + debt.over(ahead)).max(-one).min(one);
        let leaves = Acting { share: leave, later: later(leave), owed };
        let next = distance + way + pulled - pushed;
        stays.where_true(next.above(zero, one, zero), leaves)
    }
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
