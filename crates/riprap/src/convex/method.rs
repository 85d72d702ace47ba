//! The table of methods: one line each.

use thiserror::Error as ThisError;

use super::body::Body;
use super::common_plane::CommonPlane;
use super::contact::{self, RestingLink, Separated};
use super::expansion::Expansion;
use super::fast_common_plane::FastCommonPlane;
use super::link::Link;
use super::manifold::{self, ContactPoints};
use super::memory::{ApartMemory, LinkMemory};
use super::patch;
use super::pose::Pose;
#[cfg(feature = "referee")]
use super::referee::Referee;
use super::shortest_link::ShortestLink;
use super::still::StillPoints;
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
    /// Whether it looks for the region in which bodies in contact rest on each other.
    const LOOKS_FOR_PATCHES: bool;
    /// Whether the points of bodies that keep still are taken from what is known of them.
    const KEEPS: bool = false;

    /// The link of two bodies.
    fn find(two: &Two<'_, D>, memory: &mut LinkMemory<D>, expansion: &mut Expansion<D>) -> RestingLink<D>;

    /// The link of two bodies that were apart, if they certainly still are.
    fn find_apart(
        two: &Two<'_, D>,
        memory: &mut LinkMemory<D>,
        expansion: &mut Expansion<D>,
    ) -> Option<RestingLink<D>>;
}

/// Methods for bodies that are apart find the link of bodies in contact by separating them.
impl<M: Separated<D>, const D: usize> Way<D> for M {
    const LOOKS_FOR_PATCHES: bool = true;
    const KEEPS: bool = <M as Separated<D>>::KEEPS;

    #[inline(always)]
    fn find(two: &Two<'_, D>, memory: &mut LinkMemory<D>, expansion: &mut Expansion<D>) -> RestingLink<D> {
        contact::find_link::<M, D>(two, memory, expansion)
    }

    #[inline(always)]
    fn find_apart(
        two: &Two<'_, D>,
        memory: &mut LinkMemory<D>,
        _: &mut Expansion<D>,
    ) -> Option<RestingLink<D>> {
        contact::find_apart::<M, D>(two, memory, &mut 0)
    }
}

/// The link of two bodies, of which the first one's centroid is at `origin`, if wanted with the region that they rest on.
#[inline(always)]
pub(super) fn link_by<W: Way<D>, const D: usize>(
    two: &Two<'_, D>,
    origin: [f64; D],
    memory: &mut LinkMemory<D>,
    expansion: &mut Expansion<D>,
    regions: bool,
) -> Link<D> {
    let mut resting = W::find(two, memory, expansion);
    if W::LOOKS_FOR_PATCHES && regions && memory.is_contact() {
        resting.patch = patch::resting(two, &mut resting.found);
    }
    resting.at(origin)
}

/// Calls a function with the type of a method.
macro_rules! by_method {
    ($method:expr, $function:ident($($argument:expr),*)) => {
        match $method {
            LinkMethod::ShortestLink => $function::<ShortestLink, D>($($argument),*),
            LinkMethod::FastCommonPlane => $function::<FastCommonPlane, D>($($argument),*),
            LinkMethod::CommonPlane => $function::<CommonPlane, D>($($argument),*),
            #[cfg(feature = "referee")]
            LinkMethod::Gjk => $function::<Referee, D>($($argument),*),
        }
    };
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
    /// Whether the region on which bodies in contact rest is sought, too ([`Link::patch`]); it is by default. Where only the common
    /// plane is wanted, links of contacts take half of the time without it.
    pub regions: bool,
    /// Whether points are sought on the two facing faces only, and not on those beside them that share in the load.
    pub(crate) facing_only: bool,
}

impl<const D: usize> Solver<D> {
    /// A solver by this method.
    pub fn new(method: LinkMethod) -> Self {
        Self { method, expansion: Expansion::default(), regions: true, facing_only: false }
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
        let two = Two::new(bodies, poses, scales);
        by_method!(self.method, link_by(&two, poses[0].position, memory, &mut self.expansion, self.regions))
    }

    /// The gap between bodies that were apart at their last link and certainly still are: by more than a billionth of their size, so
    /// that it does not depend on what the last link was.
    #[inline]
    pub(crate) fn gap(
        &mut self,
        bodies: [&Body<D>; 2],
        poses: [&Pose<D>; 2],
        scales: [f64; 2],
        memory: &mut ApartMemory<D>,
    ) -> Option<f64> {
        let two = Two::new(bodies, poses, scales);
        let mut last = memory.expanded();
        let gap = by_method!(self.method, gap_by(&two, &mut last, &mut self.expansion));
        *memory = ApartMemory::of(&last);
        gap
    }

    /// The link and, if the bodies overlap, the points at which they press on each other, all as seen from the first one's centroid. The link of
    /// bodies that keep still takes no iteration.
    #[inline]
    pub(crate) fn touch(
        &mut self,
        bodies: [&Body<D>; 2],
        poses: [&Pose<D>; 2],
        scales: [f64; 2],
        (memory, still): (&mut LinkMemory<D>, &mut StillPoints),
        points: &mut ContactPoints<D>,
    ) -> Link<D> {
        let two = Two::new(bodies, poses, scales);
        if self.method == LinkMethod::CommonPlane && memory.is_new() {
            // From the line of centroids it may stop at a plane along which bodies overlap that do not touch.
            link_by::<ShortestLink, D>(&two, [0.0; D], memory, &mut self.expansion, false);
        }
        let of = (memory, still);
        by_method!(self.method, touch_by(&two, of, &mut self.expansion, points, self.facing_only))
    }
}

/// How far bodies are apart at least to be certainly apart, over their size.
const CERTAINLY: f64 = 1e-9;

fn gap_by<W: Way<D>, const D: usize>(
    two: &Two<'_, D>,
    memory: &mut LinkMemory<D>,
    expansion: &mut Expansion<D>,
) -> Option<f64> {
    let link = W::find_apart(two, memory, expansion)?;
    Some(link.found.gap).filter(|gap| *gap > CERTAINLY * two.size())
}

fn touch_by<W: Way<D>, const D: usize>(
    two: &Two<'_, D>,
    (memory, still): (&mut LinkMemory<D>, &mut StillPoints),
    expansion: &mut Expansion<D>,
    points: &mut ContactPoints<D>,
    facing_only: bool,
) -> Link<D> {
    if W::KEEPS
        && still.is_still()
        && let Some(link) = contact::still_link(two, memory)
        && still.find(two, &link.found, points)
    {
        return link.at([0.0; D]);
    }
    let link = W::find(two, memory, expansion);
    points.clear();
    if link.found.gap < 0.0 {
        manifold::find(two, &link.found, facing_only, points);
        if W::KEEPS {
            still.note(two, points);
        }
    }
    link.at([0.0; D])
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
