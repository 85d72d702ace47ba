//! Contact laws: what two surfaces that meet do to each other. One file per law, and one line in the table below.
//!
//! A [`Law`] may pull as well as push, act beyond touch, and remember as many numbers per contact as it likes; the compiler names
//! everything that a new one has to say. The loops over contacts are compiled once per law and chosen once per pass
//! ([`super::passes`]), never per contact.

mod hertz;
mod linear;
mod spring_dashpot;
#[cfg(test)]
mod sticky;

use hertz::Hertz;
use linear::Linear;

use super::contact::{Kinds, Response, Touch};
use super::material::{Coefficients, Given, Material, MaterialError};
use super::passes::{By, Passes};
use crate::dimension::of_dimension;
use crate::lanes::WIDTH;
use crate::lanes::vectors::Vector;
use crate::number::Real;
use crate::vector::components;

/// A contact law, in `D` dimensions.
pub(crate) trait Law<const D: usize>: Copy + Send + Sync + 'static {
    /// What a contact remembers from step to step.
    type Memory: Memory;
    /// Whether it asks for the reduced radius.
    const NEEDS_RADIUS: bool;
    /// Whether it acts beyond touch, as far as [`Law::reach`].
    const REACHES: bool = false;

    /// The numbers that its force is worked out from, for two materials.
    fn coefficients(a: &Material, b: &Material, given: &Given) -> Result<Coefficients, MaterialError>;

    /// The force of a contact over a step.
    fn respond<T: Real>(
        kinds: Kinds,
        coefficients: &Coefficients<T>,
        touch: &Touch<T, D>,
        memory: Of<Self::Memory, T>,
        step: T,
    ) -> Response<T, Of<Self::Memory, T>, D>;

    /// Energy stored in a contact.
    fn stored(coefficients: &Coefficients, overlap: f64, reduced_radius: f64, memory: &Self::Memory) -> f64;

    /// Slopes of the normal and of the tangential force at this overlap, for the time step.
    fn slopes(coefficients: &Coefficients, overlap: f64, reduced_radius: f64) -> (f64, f64);

    /// How far apart two surfaces may be and still act on each other.
    fn reach(_coefficients: &Coefficients, _reduced_radius: f64) -> f64 {
        0.0
    }

    /// The memory as seen by the other body.
    fn exchange(memory: &mut Self::Memory);
}

/// What a contact remembers: some numbers.
pub(crate) trait Memory: Copy + Send + Sync + 'static {
    /// How many.
    const WORDS: usize;
    /// The same for contacts side by side.
    type Side<T: Real>: Copy;

    /// Memories in a column of numbers.
    fn view(numbers: &mut [f64]) -> &mut [Self];
    /// One memory, from its numbers.
    fn from_numbers(numbers: &[f64]) -> Self;
    /// Those of these contacts side by side; zero in lanes where `fresh` is one.
    fn gather<V: Vector>(column: &[Self], rows: &[usize; WIDTH], fresh: V) -> Self::Side<V>;
    /// Those of all lanes.
    fn lanes<V: Vector>(side: &Self::Side<V>) -> [Self; WIDTH];
    /// As a plain formula wants it.
    fn plain(self) -> Self::Side<f64>;
    /// As a plain formula gives it.
    fn from_plain(plain: Self::Side<f64>) -> Self;
}

/// Numbers of a memory, of type `T`.
pub(crate) type Of<M, T> = <M as Memory>::Side<T>;

impl<const N: usize> Memory for [f64; N] {
    const WORDS: usize = N;
    type Side<T: Real> = [T; N];

    #[inline(always)]
    fn view(numbers: &mut [f64]) -> &mut [Self] {
        numbers.as_chunks_mut().0
    }

    fn from_numbers(numbers: &[f64]) -> Self {
        components(|k| numbers[k])
    }

    #[inline(always)]
    fn gather<V: Vector>(column: &[Self], rows: &[usize; WIDTH], fresh: V) -> [V; N] {
        let kept: [V; N] = V::columns([0, 1, 2, 3].map(|lane: usize| &column[rows[lane]]));
        components(|k| fresh.above(V::all(0.5), V::all(0.0), kept[k]))
    }

    #[inline(always)]
    fn lanes<V: Vector>(side: &[V; N]) -> [Self; WIDTH] {
        let lanes: [[f64; WIDTH]; N] = components(|k| side[k].lanes());
        components(|lane| components(|k| lanes[k][lane]))
    }

    #[inline(always)]
    fn plain(self) -> [f64; N] {
        self
    }

    #[inline(always)]
    fn from_plain(plain: [f64; N]) -> Self {
        plain
    }
}

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

            /// The loops over contacts, compiled for this law.
            pub(crate) fn passes<const D: usize>(self) -> &'static dyn Passes<D> {
                of_dimension::<Compiled<D>>(&PLANE, &SPACE).0[self as usize]
            }
        }

        static PLANE: Compiled<2> = Compiled(&[$(&By::<$law>::NEW),*]);
        static SPACE: Compiled<3> = Compiled(&[$(&By::<$law>::NEW),*]);
    };
}

/// The passes of all laws, in the order of the table.
struct Compiled<const D: usize>(&'static [&'static dyn Passes<D>]);

laws! {
    /// Linear spring and dashpot.
    Linear "linear",
    /// Hertz's normal and Mindlin's tangential stiffness.
    #[default]
    Hertz "hertz",
}

impl LawKind {
    /// The law of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|law| law.name() == name)
    }
}
