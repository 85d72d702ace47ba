//! Contacts: how two surfaces meet ([`Touch`]), what the meeting does ([`Response`]), what is remembered of it from step to step
//! ([`store`]) and what can be read afterwards ([`ContactRecord`]).

mod record;
pub(crate) mod store;

pub use record::{ContactRecord, Partner};
pub use store::Remembered;

use crate::lanes::vectors::Vector;
use crate::lanes::{WIDTH, each};
use crate::number::Real;

/// Where two bodies touch and how their surfaces move there.
///
/// Whatever bodies are, a law needs no more than this: arms and inertia are the caller's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Touch<T, const D: usize> {
    /// Unit vector from the first body to the second.
    pub normal: [T; D],
    /// Depth of the overlap; negative where a law reaches beyond touch.
    pub overlap: T,
    /// Speed at which the surfaces approach each other along the normal.
    pub approach: T,
    /// Velocity of the first surface over the second, across the normal; zero where no pair has friction.
    pub slip: [T; D],
    /// Spin of the first body less that of the second; zero where nothing resists rolling and twisting.
    pub turning: [T; 3],
    /// Sum of the inverse masses.
    pub inverse_mass: T,
    /// Sum of the inverse moments of inertia; used where something resists rolling and twisting.
    pub inverse_inertia: T,
    /// Reduced radius of curvature; used by laws that ask for it.
    pub reduced_radius: T,
}

/// What a contact does. The first body feels `-push normal - pull` at the contact point and `-couple`, the second the opposite.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Response<T, M, const D: usize> {
    /// Force along the normal that drives the bodies apart; negative where it holds them together.
    pub push: T,
    /// Force across the normal; counts where any pair has friction.
    pub pull: [T; D],
    /// Torque against rolling and twisting; counts where something resists them.
    pub couple: [T; 3],
    /// What the contact remembers from now on.
    pub memory: M,
    /// What became of its work.
    pub energies: StepEnergies<T>,
    /// One if the contact goes on, else zero; asked of laws that reach beyond touch.
    pub holds: T,
}

impl<T, M, const D: usize> Response<T, M, D> {
    /// The same with another memory.
    #[inline(always)]
    pub(crate) fn remembering<N>(self, memory: impl FnOnce(M) -> N) -> Response<T, N, D> {
        let Self { push, pull, couple, memory: own, energies, holds } = self;
        Response { push, pull, couple, memory: memory(own), energies, holds }
    }
}

/// Energy that contacts have turned into heat.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Losses {
    /// By dashpots.
    pub damping: f64,
    /// By sliding.
    pub friction: f64,
    /// By rolling and twisting.
    pub rolling: f64,
    /// Where surfaces leapt together, to be paid back when they part.
    pub adhesion: f64,
}

/// What became of the work of contacts in one step, which lasts from half a step before its time to half a step after.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepEnergies<T = f64> {
    /// Lost in dashpots over the step.
    pub damping: T,
    /// Lost by sliding over the step.
    pub friction: T,
    /// Lost by rolling and twisting over the step.
    pub rolling: T,
    /// Put into springs over the step.
    pub stored: T,
    /// Lost by springs whose stiffness has changed, before the time of the step. Counts as friction.
    pub stiffening: T,
    /// Lost by surfaces that leapt together, before the time of the step.
    pub adhesion: T,
}

impl<T: Copy> StepEnergies<T> {
    /// Nothing.
    #[inline(always)]
    pub(crate) fn none() -> Self
    where
        T: Real,
    {
        let zero = T::all(0.0);
        Self { damping: zero, friction: zero, rolling: zero, stored: zero, stiffening: zero, adhesion: zero }
    }

    /// Those of each lane.
    #[inline(always)]
    pub(crate) fn lanes(&self) -> [StepEnergies; WIDTH]
    where
        T: Vector,
    {
        let Self { damping, friction, rolling, stored, stiffening, adhesion } = *self;
        let all = [damping, friction, rolling, stored, stiffening, adhesion].map(Vector::lanes);
        each(|lane| StepEnergies {
            damping: all[0][lane],
            friction: all[1][lane],
            rolling: all[2][lane],
            stored: all[3][lane],
            stiffening: all[4][lane],
            adhesion: all[5][lane],
        })
    }
}

impl StepEnergies {
    /// The energy stored in contacts now, if it is this at the end of the step.
    pub(crate) fn stored_now(&self, stored: f64) -> f64 {
        stored - 0.5 * self.stored
    }
}

impl std::ops::AddAssign for StepEnergies {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        self.damping += other.damping;
        self.friction += other.friction;
        self.rolling += other.rolling;
        self.stored += other.stored;
        self.stiffening += other.stiffening;
        self.adhesion += other.adhesion;
    }
}

impl std::ops::AddAssign<StepEnergies> for Losses {
    fn add_assign(&mut self, step: StepEnergies) {
        self.damping += step.damping;
        self.friction += step.friction + step.stiffening;
        self.rolling += step.rolling;
        self.adhesion += step.adhesion;
    }
}

/// What contacts can do beside pushing, so that they need not be asked one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Kinds {
    /// Whether any pair of materials has friction.
    pub friction: bool,
}
