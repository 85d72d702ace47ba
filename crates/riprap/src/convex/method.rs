//! The table of methods: one line each.

use thiserror::Error as ThisError;

use super::body::Body;
use super::common_plane::CommonPlane;
use super::contact::{self, Separated};
use super::expansion::Expansion;
use super::fast_common_plane::FastCommonPlane;
use super::link::Link;
use super::memory::LinkMemory;
use super::pose::Pose;
#[cfg(feature = "referee")]
use super::referee::Referee;
use super::shortest_link::ShortestLink;
use super::two::Two;

/// A way to find the link of two convex bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum LinkMethod {
    /// The shortest link by walking over features.
    #[default]
    ShortestLink,
    /// The best of a few candidate planes.
    FastCommonPlane,
    /// A plane that is turned step by step.
    CommonPlane,
    /// GJK and EPA of the crate `parry`; with the cargo feature `referee` only.
    #[cfg(feature = "referee")]
    Gjk,
}

impl LinkMethod {
    /// Every method of this build, with its name and one line of help.
    pub const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (Self::ShortestLink, "shortest-link", "walks over vertices, edges and faces; exact; for everything"),
        (
            Self::FastCommonPlane,
            "fast-common-plane",
            "the best of the planes that the closest vertices suggest",
        ),
        (Self::CommonPlane, "common-plane", "turns a plane by ever smaller angles, down to 0.01 degrees"),
        #[cfg(feature = "referee")]
        (Self::Gjk, "gjk", "GJK and EPA of the library parry, as a referee"),
    ];

    /// The name by which it is chosen.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(method, ..)| *method == self).map_or("", |(_, name, _)| name)
    }

    /// The method of this name.
    pub fn from_name(name: &str) -> Result<Self, UnknownMethod> {
        match Self::ALL.iter().find(|(_, known, _)| *known == name) {
            Some((method, ..)) => Ok(*method),
            None if name == "gjk" => Err(UnknownMethod::LeftOut { name: "gjk", feature: "referee" }),
            None => Err(UnknownMethod::Name { name: name.to_string() }),
        }
    }
}

/// Why there is no method of a name.
#[derive(Debug, Clone, PartialEq, Eq, ThisError)]
#[non_exhaustive]
pub enum UnknownMethod {
    /// No method has this name.
    #[error("unknown method `{name}`; known methods: {}", names())]
    Name {
        /// The name given.
        name: String,
    },
    /// The method is not in this build.
    #[error("method `{name}` is not in this build: compile `riprap` with its cargo feature `{feature}`")]
    LeftOut {
        /// Name of the method.
        name: &'static str,
        /// The feature that brings it.
        feature: &'static str,
    },
}

/// The names of all methods, for messages.
fn names() -> String {
    LinkMethod::ALL.iter().map(|(_, name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// What a method does, chosen at compile time.
pub(super) trait Way<const D: usize> {
    /// The link of two bodies, of which the first one's centroid is at `origin`.
    fn link(
        two: &Two<'_, D>,
        origin: [f64; D],
        memory: &mut LinkMemory<D>,
        expansion: &mut Expansion<D>,
    ) -> Link<D>;
}

/// Methods for bodies that are apart find the link of bodies in contact by separating them.
impl<M: Separated<D>, const D: usize> Way<D> for M {
    #[inline(always)]
    fn link(
        two: &Two<'_, D>,
        origin: [f64; D],
        memory: &mut LinkMemory<D>,
        expansion: &mut Expansion<D>,
    ) -> Link<D> {
        contact::link::<M, D>(two, origin, memory, expansion)
    }
}

/// Two bodies, where they are, how many times as large as their shapes, and what is known of their last link.
#[inline(always)]
pub(super) fn link_by<W: Way<D>, const D: usize>(
    bodies: [&Body<D>; 2],
    poses: [&Pose<D>; 2],
    scales: [f64; 2],
    memory: &mut LinkMemory<D>,
    expansion: &mut Expansion<D>,
) -> Link<D> {
    W::link(&Two::new(bodies, poses, scales), poses[0].position, memory, expansion)
}

/// Finds links of pairs, one at a time.
///
/// ```
/// use riprap::convex::{LinkMemory, LinkMethod, Pose, Solver, shapes};
///
/// let (cube, stone) = (shapes::cube(), shapes::tetrahedron());
/// let mut solver = Solver::new(LinkMethod::ShortestLink);
/// let mut memory = LinkMemory::default();
/// for step in 0..10 {
///     let there = Pose::at([2.0 - 0.01 * f64::from(step), 0.0, 0.0]);
///     let link = solver.link([&cube, &stone], [&Pose::at([0.0; 3]), &there], &mut memory);
///     assert!(link.gap > 0.0 && link.normal[0] > 0.99);
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Solver<const D: usize> {
    method: LinkMethod,
    expansion: Expansion<D>,
}

impl<const D: usize> Solver<D> {
    /// A solver by this method.
    pub fn new(method: LinkMethod) -> Self {
        Self { method, expansion: Expansion::default() }
    }

    /// The link from the first body to the second. `memory` is that of their last one, or a new one, and is brought up to date.
    pub fn link(
        &mut self,
        bodies: [&Body<D>; 2],
        poses: [&Pose<D>; 2],
        memory: &mut LinkMemory<D>,
    ) -> Link<D> {
        self.link_scaled(bodies, poses, [1.0; 2], memory)
    }

    /// The link of bodies of which each is so many times as large as its shape: finite factors above zero.
    ///
    /// ```
    /// use riprap::convex::{LinkMemory, LinkMethod, Pose, Solver, shapes};
    ///
    /// let (cube, poses) = (shapes::cube(), [Pose::at([0.0; 3]), Pose::at([3.0, 0.0, 0.0])]);
    /// let mut solver = Solver::new(LinkMethod::ShortestLink);
    /// let link = solver.link_scaled([&cube; 2], poses.each_ref(), [2.0, 3.0], &mut LinkMemory::default());
    /// assert!((link.gap - 0.5).abs() < 1e-15);
    /// ```
    pub fn link_scaled(
        &mut self,
        bodies: [&Body<D>; 2],
        poses: [&Pose<D>; 2],
        scales: [f64; 2],
        memory: &mut LinkMemory<D>,
    ) -> Link<D> {
        let expansion = &mut self.expansion;
        match self.method {
            LinkMethod::ShortestLink => link_by::<ShortestLink, D>(bodies, poses, scales, memory, expansion),
            LinkMethod::FastCommonPlane => {
                link_by::<FastCommonPlane, D>(bodies, poses, scales, memory, expansion)
            }
            LinkMethod::CommonPlane => link_by::<CommonPlane, D>(bodies, poses, scales, memory, expansion),
            #[cfg(feature = "referee")]
            LinkMethod::Gjk => link_by::<Referee, D>(bodies, poses, scales, memory, expansion),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LinkMethod, UnknownMethod};

    #[test]
    fn methods_are_found_by_name() {
        for &(method, name, _) in LinkMethod::ALL {
            assert_eq!(LinkMethod::from_name(name), Ok(method));
            assert_eq!(method.name(), name);
        }
        let error = LinkMethod::from_name("plane").unwrap_err().to_string();
        assert!(error.starts_with("unknown method `plane`; known methods: `shortest-link`, "), "{error}");
    }

    #[test]
    fn the_referee_is_there_with_its_feature_only() {
        let error = UnknownMethod::LeftOut { name: "gjk", feature: "referee" };
        assert!(error.to_string().contains("cargo feature `referee`"), "{error}");
        let found = LinkMethod::from_name("gjk");
        assert_eq!(found.is_ok(), cfg!(feature = "referee"));
        assert!(found.is_ok() || found == Err(error));
    }
}
