//! Contacts: how two surfaces meet ([`Touch`]), what the meeting does ([`Response`]), what is remembered of it from step to step
//! ([`store`]) and what can be read afterwards ([`ContactRecord`]).

mod record;
pub(crate) mod store;

pub use record::{ContactRecord, Partner};
pub use store::Remembered;

use crate::lanes::vectors::Vector;
use crate::lanes::{WIDTH, each};
use crate::number::Real;
use crate::vector::components;

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

impl<const D: usize> Touch<f64, D> {
    /// What the speed of surfaces this far from where they touch is against each other at most: a sum of components, without a root.
    #[inline(always)]
    pub(crate) fn speed(&self, arm: f64) -> f64 {
        let sum = |components: &[f64]| components.iter().map(|x| x.abs()).sum::<f64>();
        self.approach.abs() + sum(&self.slip) + arm * sum(&self.turning)
    }
}

/// How long a force acts: from some time before the moment it is worked out for until some time after, half a step each.
///
/// At the start of a simulation there is no time before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Span<T> {
    pub(crate) before: T,
    pub(crate) after: T,
    /// The share of the time after in the whole.
    pub(crate) later: T,
}

impl<T: Real> Span<T> {
    /// The whole time.
    #[inline(always)]
    pub(crate) fn whole(&self) -> T {
        self.before + self.after
    }

    /// Time since the moment before.
    #[inline(always)]
    pub(crate) fn since_last(&self) -> T {
        self.before + self.before
    }

    /// Time to the next moment.
    #[inline(always)]
    pub(crate) fn until_next(&self) -> T {
        self.after + self.after
    }
}

impl Span<f64> {
    /// That of a step of this length.
    pub(crate) fn of_step(step: f64) -> Self {
        Self { before: 0.5 * step, after: 0.5 * step, later: 0.5 }
    }

    /// That of the first half of the first step of this length.
    pub(crate) fn of_start(step: f64) -> Self {
        Self { before: 0.0, after: 0.5 * step, later: 1.0 }
    }

    /// The same for all of several numbers.
    #[inline(always)]
    pub(crate) fn all<T: Real>(&self) -> Span<T> {
        Span { before: T::all(self.before), after: T::all(self.after), later: T::all(self.later) }
    }
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

impl<const D: usize> Response<f64, (), D> {
    /// Of a contact that does nothing.
    pub(crate) const NONE: Self = Self {
        push: 0.0,
        pull: [0.0; D],
        couple: [0.0; 3],
        memory: (),
        energies: StepEnergies {
            lost: Losses { damping: 0.0, friction: 0.0, rolling: 0.0, adhesion: 0.0 },
            later: LaterEnergies { damping: 0.0, friction: 0.0, rolling: 0.0, stored: 0.0 },
        },
        holds: 1.0,
    };
}

impl<V: Vector, const D: usize> Response<V, (), D> {
    /// Those of each lane.
    #[inline(always)]
    pub(crate) fn by_lane(&self) -> [Response<f64, (), D>; WIDTH] {
        let (push, holds) = (self.push.lanes(), self.holds.lanes());
        let (pull, couple) = (self.pull.map(Vector::lanes), self.couple.map(Vector::lanes));
        let (lost, later) = (self.energies.lost_by_lane(), self.energies.later_by_lane());
        each(|lane| Response {
            push: push[lane],
            pull: components(|k| pull[k][lane]),
            couple: components(|k| couple[k][lane]),
            memory: (),
            energies: StepEnergies { lost: lost[lane], later: later[lane] },
            holds: holds[lane],
        })
    }
}

impl<V: Vector, const D: usize> Touch<V, D> {
    /// Those of each lane, side by side.
    #[inline(always)]
    pub(crate) fn side_by_side(lanes: [&Touch<f64, D>; WIDTH]) -> Self {
        Touch {
            normal: V::columns(each(|lane| &lanes[lane].normal)),
            overlap: V::of(|lane| lanes[lane].overlap),
            approach: V::of(|lane| lanes[lane].approach),
            slip: V::columns(each(|lane| &lanes[lane].slip)),
            turning: V::columns(each(|lane| &lanes[lane].turning)),
            inverse_mass: V::of(|lane| lanes[lane].inverse_mass),
            inverse_inertia: V::of(|lane| lanes[lane].inverse_inertia),
            reduced_radius: V::of(|lane| lanes[lane].reduced_radius),
        }
    }
}

/// Energy that contacts have turned into heat.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Losses<T = f64> {
    /// By dashpots.
    pub damping: T,
    /// By sliding, and by springs whose stiffness has changed.
    pub friction: T,
    /// By rolling and twisting.
    pub rolling: T,
    /// Where surfaces leapt together, to be paid back when they part.
    pub adhesion: T,
}

impl std::ops::AddAssign for Losses {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        self.damping += other.damping;
        self.friction += other.friction;
        self.rolling += other.rolling;
        self.adhesion += other.adhesion;
    }
}

/// The part of a step's energies that belongs to the half step after its time: forces act from half a step before to half a step after.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LaterEnergies<T = f64> {
    /// Lost in dashpots.
    pub damping: T,
    /// Lost by sliding.
    pub friction: T,
    /// Lost by rolling and twisting.
    pub rolling: T,
    /// Put into springs.
    pub stored: T,
}

impl std::ops::AddAssign for LaterEnergies {
    fn add_assign(&mut self, other: Self) {
        self.damping += other.damping;
        self.friction += other.friction;
        self.rolling += other.rolling;
        self.stored += other.stored;
    }
}

/// Energy stored in contacts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct StoredEnergy {
    /// In springs.
    pub(crate) elastic: f64,
    /// In the attraction of surfaces: zero or less.
    pub(crate) attraction: f64,
}

impl StoredEnergy {
    /// Both together.
    pub(crate) fn total(self) -> f64 {
        self.elastic + self.attraction
    }
}

impl std::ops::Add for StoredEnergy {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { elastic: self.elastic + other.elastic, attraction: self.attraction + other.attraction }
    }
}

impl std::iter::Sum for StoredEnergy {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| sum + one)
    }
}

/// What became of the work of contacts in one step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct StepEnergies<T = f64> {
    /// Lost over the whole step.
    pub(crate) lost: Losses<T>,
    /// The part of the half step after its time; of steps that are recorded.
    pub(crate) later: LaterEnergies<T>,
}

impl<T: Real> StepEnergies<T> {
    /// Nothing.
    #[inline(always)]
    pub(crate) fn none() -> Self {
        let zero = T::all(0.0);
        Self {
            lost: Losses { damping: zero, friction: zero, rolling: zero, adhesion: zero },
            later: LaterEnergies { damping: zero, friction: zero, rolling: zero, stored: zero },
        }
    }
}

impl<V: Vector> StepEnergies<V> {
    /// What was lost in each lane.
    #[inline(always)]
    pub(crate) fn lost_by_lane(&self) -> [Losses; WIDTH] {
        let Losses { damping, friction, rolling, adhesion } = self.lost;
        let all = [damping, friction, rolling, adhesion].map(Vector::lanes);
        each(|lane| Losses {
            damping: all[0][lane],
            friction: all[1][lane],
            rolling: all[2][lane],
            adhesion: all[3][lane],
        })
    }

    /// The later part in each lane.
    #[inline(always)]
    pub(crate) fn later_by_lane(&self) -> [LaterEnergies; WIDTH] {
        let LaterEnergies { damping, friction, rolling, stored } = self.later;
        let all = [damping, friction, rolling, stored].map(Vector::lanes);
        each(|lane| LaterEnergies {
            damping: all[0][lane],
            friction: all[1][lane],
            rolling: all[2][lane],
            stored: all[3][lane],
        })
    }
}

impl std::ops::AddAssign for StepEnergies {
    fn add_assign(&mut self, other: Self) {
        self.lost += other.lost;
        self.later += other.later;
    }
}

/// What contacts can do beside pushing, so that they need not be asked one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Kinds {
    /// Whether any pair of materials has friction.
    pub friction: bool,
}
