//! The numbers that the force of a contact is worked out from, for a pair of materials.

use super::restitution::{SMALLEST, damping_ratio};
use super::{Material, MaterialError, PairValues};

/// What the force of a contact is worked out from. Stiffnesses and dampings are still to be multiplied by what the law makes of
/// the overlap.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Coefficients<T = f64> {
    /// Normal stiffness over stretch.
    pub normal: T,
    /// Tangential stiffness over stretch.
    pub tangential: T,
    /// Normal damping over the root of stretch and reduced mass.
    pub damping: T,
    /// Tangential damping over the root of stretch and reduced mass.
    pub tangential_damping: T,
    /// Largest tangential force over normal force.
    pub friction: T,
    /// Largest torque against rolling over normal force and reduced radius.
    pub rolling: T,
    /// Largest torque against twisting over normal force and reduced radius.
    pub twisting: T,
    /// The damping ratio of a collision.
    pub damping_ratio: T,
    /// Work of adhesion; of a liquid bridge its force over the mean radius.
    pub adhesion: T,
    /// Volume of a liquid bridge times `2 / pi`.
    pub bridge: T,
    /// How far apart surfaces are when their liquid bridge breaks.
    pub rupture: T,
}

/// What is known of a pair before the law is asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Given {
    /// Values for this pair.
    pub values: PairValues,
    /// Damping ratio of a collision with the pair's restitution.
    pub damping_ratio: f64,
}

/// What a law makes of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Stiffness {
    /// Normal stiffness over stretch.
    pub normal: f64,
    /// Tangential stiffness over stretch.
    pub tangential: f64,
    /// Normal damping over the root of stretch and reduced mass.
    pub damping: f64,
    /// See [`Coefficients::adhesion`].
    pub adhesion: f64,
    /// See [`Coefficients::bridge`].
    pub bridge: f64,
    /// See [`Coefficients::rupture`].
    pub rupture: f64,
}

/// Restitution, friction and adhesion of a pair are geometric means, where no value is given.
pub(crate) fn mean(given: Option<f64>, a: f64, b: f64) -> f64 {
    given.unwrap_or((a * b).sqrt())
}

impl Given {
    /// Checks the restitution of a pair.
    pub(crate) fn new(a: &Material, b: &Material, values: &PairValues) -> Result<Self, MaterialError> {
        let restitution = mean(values.restitution, a.restitution, b.restitution);
        if !(SMALLEST..=1.0).contains(&restitution) {
            let (a, b) = (a.name.clone(), b.name.clone());
            return Err(MaterialError::Restitution { a, b, restitution });
        }
        Ok(Self { values: *values, damping_ratio: damping_ratio(restitution) })
    }
}

impl Coefficients {
    /// Those of a contact with this stiffness, in `D` dimensions.
    pub(crate) fn new<const D: usize>(
        a: &Material,
        b: &Material,
        given: &Given,
        stiffness: Stiffness,
    ) -> Result<Self, MaterialError> {
        let Stiffness { normal, tangential, damping, adhesion, bridge, rupture } = stiffness;
        if !normal.is_finite() {
            return Err(MaterialError::BothRigid { a: a.name.clone(), b: b.name.clone() });
        }
        // Sliding moves the surface of a free ball by its translation and its spin: it has this share of the mass.
        let sliding_mass: f64 = if D == 2 { 1.0 / 3.0 } else { 2.0 / 7.0 };
        let Given { values, damping_ratio } = *given;
        Ok(Self {
            normal,
            tangential,
            damping,
            tangential_damping: 2.0 * damping_ratio * (sliding_mass * tangential).sqrt(),
            friction: mean(values.friction, a.friction, b.friction),
            rolling: mean(values.rolling_friction, a.rolling_friction, b.rolling_friction),
            twisting: mean(values.twisting_friction, a.twisting_friction, b.twisting_friction),
            damping_ratio,
            adhesion,
            bridge,
            rupture,
        })
    }
}

/// Stiffnesses act in series, as springs do: 2 k k' / (k + k') of the two values, so that a pair of equal materials has the value
/// given.
pub(crate) fn in_series(a: f64, b: f64) -> f64 {
    if a.is_infinite() {
        b
    } else if b.is_infinite() {
        a
    } else {
        2.0 * a * (b / (a + b))
    }
}

impl Coefficients {
    /// All numbers.
    pub(crate) fn numbers(&self) -> [f64; 11] {
        let Self { normal, tangential, damping, tangential_damping, friction, rolling, twisting, .. } = *self;
        let Self { damping_ratio, adhesion, bridge, rupture, .. } = *self;
        [
            normal,
            tangential,
            damping,
            tangential_damping,
            friction,
            rolling,
            twisting,
            damping_ratio,
            adhesion,
            bridge,
            rupture,
        ]
    }
}

impl<T: Copy> Coefficients<T> {
    /// The same with every value replaced.
    #[inline(always)]
    pub(crate) fn map<U>(values: impl Fn(fn(&Self) -> T) -> U) -> Coefficients<U> {
        Coefficients {
            normal: values(|c| c.normal),
            tangential: values(|c| c.tangential),
            damping: values(|c| c.damping),
            tangential_damping: values(|c| c.tangential_damping),
            friction: values(|c| c.friction),
            rolling: values(|c| c.rolling),
            twisting: values(|c| c.twisting),
            damping_ratio: values(|c| c.damping_ratio),
            adhesion: values(|c| c.adhesion),
            bridge: values(|c| c.bridge),
            rupture: values(|c| c.rupture),
        }
    }
}
