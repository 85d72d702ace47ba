//! Contact laws: what two surfaces that meet do to each other. One file per law, and one line in the table below.
//!
//! A [`Law`] may pull as well as push, act beyond touch, and remember as many numbers per contact as it likes; the compiler names
//! everything that a new one has to say. The loops over contacts are compiled once per law and chosen once per pass
//! (`passes.rs`), never per contact.

mod any_law;
mod bridge;
mod dmt;
mod hertz;
mod jkr;
mod linear;
mod memory;
mod normal;
mod slider;
mod sliding;
#[cfg(test)]
mod sticky;

pub(crate) use any_law::{AnyLaw, Asked, By};
use bridge::Bridge;
use dmt::Dmt;
use hertz::Hertz;
use jkr::Jkr;
use linear::Linear;
pub(crate) use memory::{Memory, MemoryParts, TURNING};
use sliding::{Rolling, Sliding};

use super::contact::{Kinds, Response, Span, Touch};
use super::material::{Coefficients, Given, Material, MaterialError};
use crate::number::Real;

/// A contact law, in `D` dimensions.
pub(crate) trait Law<const D: usize>: Copy + Send + Sync + 'static {
    /// What a contact remembers from step to step: the tangential spring, what the law asks for, springs of rolling and twisting.
    type Memory: Memory;
    /// Numbers of the tangential spring.
    const SPRING: usize;
    /// Numbers of the springs of rolling and twisting.
    const TURNING: usize;
    /// Whether it asks for the reduced radius.
    const NEEDS_RADIUS: bool;
    /// Whether it acts beyond touch, as far as [`Law::reach`].
    const REACHES: bool = false;
    /// Whether it resists rolling and twisting.
    const TURNS: bool;

    /// The numbers that its force is worked out from, for two materials.
    fn coefficients(a: &Material, b: &Material, given: &Given) -> Result<Coefficients, MaterialError>;

    /// The force of a contact over a step.
    fn respond<T: Real>(
        kinds: Kinds,
        coefficients: &Coefficients<T>,
        touch: &Touch<T, D>,
        memory: Of<Self::Memory, T>,
        span: Span<T>,
    ) -> Response<T, Of<Self::Memory, T>, D>;

    /// Energy stored in a contact.
    fn stored(
        coefficients: &Coefficients,
        overlap: f64,
        reduced_radius: f64,
        memory: &Of<Self::Memory, f64>,
    ) -> f64;

    /// The part of it that attraction has: zero or less.
    fn attraction(_coefficients: &Coefficients, _overlap: f64, _reduced_radius: f64) -> f64 {
        0.0
    }

    /// Slopes of the normal and of the tangential force at this overlap, for the time step.
    fn slopes(coefficients: &Coefficients, overlap: f64, reduced_radius: f64) -> (f64, f64);

    /// How far apart two surfaces may be and still act on each other.
    fn reach(_coefficients: &Coefficients, _reduced_radius: f64) -> f64 {
        0.0
    }

    /// The memory as seen by the other body.
    fn mirror(memory: &mut Of<Self::Memory, f64>);
}

/// Numbers that a contact remembers at most, under any law.
pub(crate) const MOST_NUMBERS: usize = 10;

/// What a contact remembers, as numbers of type `T`.
pub(crate) type Of<M, T> = <M as Memory>::Of<T>;

/// The table of laws: the kind, its name in scenes, and two laws: without and with resistance to rolling and twisting.
macro_rules! laws {
    ($($(#[$meta:meta])* $law:ident $name:literal: $plain:ty, $turning:ty;)*) => {
        /// The contact laws.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub enum LawKind {
            $($(#[$meta])* $law,)*
        }

        impl LawKind {
            /// All laws.
            pub const ALL: &'static [Self] = &[$(Self::$law),*];

            /// Name in scenes.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$law => $name,)*
                }
            }

            /// See [`Law::coefficients`].
            pub(crate) fn coefficients<const D: usize>(
                self,
                a: &Material,
                b: &Material,
                given: &Given,
            ) -> Result<Coefficients, MaterialError> {
                match self {
                    $(Self::$law => <$plain as Law<D>>::coefficients(a, b, given),)*
                }
            }

            /// What `M` makes of this law, with or without resistance to rolling and twisting.
            pub(crate) fn made<M: OfLaw<D>, const D: usize>(self, turns: bool) -> M::Made {
                match (self, turns) {
                    $((Self::$law, false) => M::make::<$plain>(), (Self::$law, true) => M::make::<$turning>(),)*
                }
            }
        }
    };
}

/// Something that is made of any law.
pub(crate) trait OfLaw<const D: usize> {
    /// What is made.
    type Made;

    /// Makes it of this law.
    fn make<L: Law<D>>() -> Self::Made;
}

laws! {
    /// Linear spring and dashpot.
    Linear "linear": Sliding<Linear>, Rolling<Linear>;
    /// Hertz's normal and Mindlin's tangential stiffness.
    #[default]
    Hertz "hertz": Sliding<Hertz>, Rolling<Hertz>;
    /// Elastic spheres that stick, after Johnson, Kendall and Roberts: soft ones with much adhesion.
    Jkr "jkr": Sliding<Jkr>, Rolling<Jkr>;
    /// Elastic spheres that stick, after Derjaguin, Muller and Toporov: hard ones with little adhesion.
    Dmt "dmt": Sliding<Dmt>, Rolling<Dmt>;
    /// Elastic spheres held by liquid bridges.
    Bridge "bridge": Sliding<Bridge>, Rolling<Bridge>;
}

impl LawKind {
    /// Whether surfaces hold each other.
    pub fn sticks(self) -> bool {
        matches!(self, Self::Jkr | Self::Dmt | Self::Bridge)
    }

    /// The law of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|law| law.name() == name)
    }
}
