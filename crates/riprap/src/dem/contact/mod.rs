//! Contacts: how two surfaces meet ([`Touch`]), what the meeting does ([`Response`]), what is remembered of it from step to step
//! ([`store`]) and what can be read afterwards ([`ContactRecord`]).

mod record;
pub(crate) mod store;

pub use record::{ContactRecord, Partner};
pub use store::Remembered;

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
    /// Spin of the first body less that of the second, without twist; zero where no pair has rolling friction.
    pub rolling: [T; 3],
    /// Sum of the inverse masses.
    pub inverse_mass: T,
    /// Sum of the inverse moments of inertia; used for rolling friction only.
    pub inverse_inertia: T,
    /// Reduced radius of curvature; used for rolling friction and by laws that depend on it.
    pub reduced_radius: T,
}

/// What a contact does. The first body feels `-push normal - pull` at the contact point and `-couple`, the second the opposite.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Response<T, M, const D: usize> {
    /// Force along the normal that drives the bodies apart; negative where it holds them together.
    pub push: T,
    /// Force across the normal; counts where any pair has friction.
    pub pull: [T; D],
    /// Torque against rolling; counts where any pair has rolling friction.
    pub couple: [T; 3],
    /// What the contact remembers from now on.
    pub memory: M,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Kinds {
    /// Whether any pair of materials has friction.
    pub friction: bool,
    /// Whether any pair of materials has rolling friction.
    pub rolling: bool,
}
