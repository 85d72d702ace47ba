//! Links of many pairs at once, each from its last one.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::body::Body;
use super::common_plane::CommonPlane;
use super::expansion::Expansion;
use super::fast_common_plane::FastCommonPlane;
use super::link::Link;
use super::memory::LinkMemory;
use super::method::{LinkMethod, Way, link_by};
use super::pose::Pose;
#[cfg(feature = "referee")]
use super::referee::Referee;
use super::shortest_link::ShortestLink;
use super::two::Two;
use crate::Error;
use crate::broad::Pair;
use crate::vector::dot;

/// Pairs that a thread works on before it takes more.
const PART: usize = 256;

/// Bodies in their places: which shape each has, and its pose.
#[derive(Debug, Clone, Copy)]
pub struct PlacedBodies<'a, const D: usize> {
    /// Shapes, each for any number of bodies.
    pub shapes: &'a [Body<D>],
    /// The shape of each body.
    pub shape_of: &'a [u32],
    /// The pose of each body.
    pub poses: &'a [Pose<D>],
}

impl<const D: usize> PlacedBodies<'_, D> {
    #[inline(always)]
    fn body(&self, index: u32) -> &Body<D> {
        &self.shapes[self.shape_of[index as usize] as usize]
    }

    fn check(&self, pairs: &[Pair]) -> Result<(), Error> {
        let parameter =
            |parameter, value: usize, expected| Error::Parameter { parameter, value: value as f64, expected };
        let bodies = self.poses.len();
        if self.shape_of.len() != bodies {
            return Err(parameter("number of shapes of bodies", self.shape_of.len(), "as many as poses"));
        }
        if let Some(&shape) = self.shape_of.iter().find(|&&shape| shape as usize >= self.shapes.len()) {
            return Err(parameter("shape of a body", shape as usize, "one of the shapes"));
        }
        let sound = |x: &f64| x.abs() <= 1e60;
        if let Some(value) = self.poses.iter().flat_map(|pose| &pose.position).find(|x| !sound(x)) {
            let expected = "finite, up to 1e60";
            return Err(Error::Parameter { parameter: "coordinate in a pose", value: *value, expected });
        }
        // Rows of a rotation are perpendicular and of length one.
        let off = |pose: &Pose<D>| {
            let rows = &pose.rotation;
            let entries = (0..D).flat_map(|i| (0..=i).map(move |j| (i, j)));
            entries.map(|(i, j)| (dot(rows[i], rows[j]) - f64::from(u8::from(i == j))).abs()).sum::<f64>()
        };
        if let Some(pose) = self.poses.iter().find(|pose| off(pose).is_nan() || off(pose) > 1e-6) {
            return Err(Error::Parameter {
                parameter: "length or angle of the rows of a rotation, off by",
                value: off(pose),
                expected: "at most 1e-6",
            });
        }
        let known = |pair: &&Pair| pair.a as usize >= bodies || pair.b as usize >= bodies;
        if let Some(pair) = pairs.iter().find(known) {
            return Err(parameter("body of a pair", pair.a.max(pair.b) as usize, "one of the bodies"));
        }
        Ok(())
    }
}

/// Finds the links of pairs, and remembers each for the next time.
///
/// ```
/// use riprap::broad::Pair;
/// use riprap::convex::{Links, LinkMethod, PlacedBodies, Pose, shapes};
///
/// let shapes = [shapes::cube(), shapes::tetrahedron()];
/// let shape_of = [0, 1, 0];
/// let poses = [0.0, 1.2, 2.4].map(|x| Pose::at([x, 0.0, 0.0]));
/// let pairs = [Pair { a: 0, b: 1 }, Pair { a: 1, b: 2 }];
/// let mut links = Links::new(LinkMethod::ShortestLink, 2);
/// let mut found = Vec::new();
/// links.find(PlacedBodies { shapes: &shapes, shape_of: &shape_of, poses: &poses }, &pairs, &mut found)?;
/// assert_eq!(found.len(), 2);
/// # Ok::<(), riprap::Error>(())
/// ```
#[derive(Debug)]
pub struct Links<const D: usize> {
    method: LinkMethod,
    threads: usize,
    pairs: Vec<Pair>,
    memories: Vec<LinkMemory<D>>,
}

impl<const D: usize> Links<D> {
    /// Links by a method, on this number of threads of the caller's pool at most. It does not change a bit of the result.
    pub fn new(method: LinkMethod, threads: usize) -> Self {
        Self { method, threads: threads.max(1), pairs: Vec::new(), memories: Vec::new() }
    }

    /// Fills `links` with the links of the pairs, in their order. Pairs of the last call start from their last link; others
    /// are forgotten.
    pub fn find(
        &mut self,
        placed: PlacedBodies<'_, D>,
        pairs: &[Pair],
        links: &mut Vec<Link<D>>,
    ) -> Result<(), Error> {
        placed.check(pairs)?;
        self.remember(pairs);
        match self.method {
            LinkMethod::ShortestLink => self.fill::<ShortestLink>(&placed, links),
            LinkMethod::FastCommonPlane => self.fill::<FastCommonPlane>(&placed, links),
            LinkMethod::CommonPlane => self.fill::<CommonPlane>(&placed, links),
            #[cfg(feature = "referee")]
            LinkMethod::Gjk => self.fill::<Referee>(&placed, links),
        }
        Ok(())
    }

    /// Forgets all links.
    pub fn forget(&mut self) {
        self.pairs.clear();
        self.memories.clear();
    }

    /// Brings memories into the order of the pairs. While a list of neighbours is kept, they are the same as before.
    fn remember(&mut self, pairs: &[Pair]) {
        if self.pairs == pairs {
            return;
        }
        let old: FxHashMap<Pair, LinkMemory<D>> = self.pairs.drain(..).zip(self.memories.drain(..)).collect();
        self.pairs.extend_from_slice(pairs);
        self.memories.extend(pairs.iter().map(|pair| old.get(pair).copied().unwrap_or_default()));
    }

    fn fill<W: Way<D>>(&mut self, placed: &PlacedBodies<'_, D>, links: &mut Vec<Link<D>>) {
        let blank = Link { gap: 0.0, normal: [0.0; D], points: [[0.0; D]; 2], iterations: 0, patch: None };
        // What is in the buffer already is written over.
        links.resize(self.pairs.len(), blank);
        let part = |((pairs, memories), links): ((&[Pair], &mut [LinkMemory<D>]), &mut [Link<D>])| {
            let mut expansion = Expansion::default();
            for ((pair, memory), link) in pairs.iter().zip(memories).zip(links) {
                let bodies = [placed.body(pair.a), placed.body(pair.b)];
                let poses = [&placed.poses[pair.a as usize], &placed.poses[pair.b as usize]];
                let two = Two::new(bodies, poses, [1.0; 2]);
                *link = link_by::<W, D>(&two, poses[0].position, memory, &mut expansion, true);
            }
        };
        let memories = &mut self.memories;
        if self.threads.min(rayon::current_num_threads()) > 1 && self.pairs.len() > PART {
            let memories = memories.par_chunks_mut(PART);
            self.pairs.par_chunks(PART).zip(memories).zip(links.par_chunks_mut(PART)).for_each(part);
        } else {
            part(((&self.pairs, memories), links));
        }
    }
}
