//! Contact laws: what two surfaces that meet do to each other. One file per law, and one line in the table below.
//!
//! A [`Law`] may pull as well as push, act beyond touch, and remember as many numbers per contact as it likes; the compiler names
//! everything that a new one has to say. The loops over contacts are compiled once per law and chosen once per pass
//! ([`super::passes`]), never per contact.

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

use bridge::Bridge;
use dmt::Dmt;
use hertz::Hertz;
use jkr::Jkr;
use linear::Linear;
pub(crate) use memory::{Memory, TURNING, refit};
use sliding::{Sliding, Turning};

use super::contact::{Kinds, Response, Span, Touch};
use super::material::{Coefficients, Given, Material, MaterialError};
use super::passes::{By, Passes};
use crate::dimension::of_dimension;
use crate::number::Real;

/// A contact law, in `D` dimensions.
pub(crate) trait Law<const D: usize>: Copy + Send + Sync + 'static {
    /// What a contact remembers from step to step.
    type Memory: Memory;
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

    /// Slopes of the normal and of the tangential force at this overlap, for the time step.
    fn slopes(coefficients: &Coefficients, overlap: f64, reduced_radius: f64) -> (f64, f64);

    /// How far apart two surfaces may be and still act on each other.
    fn reach(_coefficients: &Coefficients, _reduced_radius: f64) -> f64 {
        0.0
    }

    /// The memory as seen by the other body.
    fn exchange(memory: &mut Of<Self::Memory, f64>);
}

/// Numbers that a contact remembers at most, under any law.
pub(crate) const MOST_NUMBERS: usize = 12;

/// What a contact remembers, as numbers of type `T`.
pub(crate) type Of<M, T> = <M as Memory>::Of<T>;

/// The table of laws: the kind, its name in scenes, what it is.
macro_rules! laws {
    ($($(#[$meta:meta])* $law:ident $name:literal,)*) => {
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

            /// The loops over contacts, compiled for this law, with or without resistance to rolling and twisting.
            pub(crate) fn passes<const D: usize>(self, turns: bool) -> &'static dyn Passes<D> {
                of_dimension::<Compiled<D>>(&PLANE, &SPACE).0[self as usize][usize::from(turns)]
            }
        }

        static PLANE: Compiled<2> =
            Compiled(&[$([&By::<Sliding<$law>>::NEW, &By::<Turning<$law>>::NEW]),*]);
        static SPACE: Compiled<3> =
            Compiled(&[$([&By::<Sliding<$law>>::NEW, &By::<Turning<$law>>::NEW]),*]);
    };
}

/// The passes of all laws, in the order of the table.
struct Compiled<const D: usize>(&'static [[&'static dyn Passes<D>; 2]]);

laws! {
    /// Linear spring and dashpot.
    Linear "linear",
    /// Hertz's normal and Mindlin's tangential stiffness.
    #[default]
    Hertz "hertz",
    /// Elastic spheres that stick, after Johnson, Kendall and Roberts: soft ones with much adhesion.
    Jkr "jkr",
    /// Elastic spheres that stick, after Derjaguin, Muller and Toporov: hard ones with little adhesion.
    Dmt "dmt",
    /// Elastic spheres held by liquid bridges.
    Bridge "bridge",
}

impl LawKind {
    /// The law of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|law| law.name() == name)
    }
}
