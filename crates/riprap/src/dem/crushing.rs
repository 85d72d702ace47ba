//! Overlaps that are large: noticed once above [`LARGE_OVERLAP`], refused above the limit of the settings.
//!
//! Forces look at every contact anyway and say whether one is deeper than a watched limit. Only then all contacts are looked at again for
//! the deepest one: the first time because it is worth a warning, later because the simulation has to stop.

use super::conditions::Conditions;
use super::failure::Failure;
use super::overlap::{DeepOverlap, Deepest, LARGE_OVERLAP, Overlapped};
use super::simulation::Simulation;
use super::stones::{Crushed, Opposite};
use super::wall::WallElement;
use crate::broad;

impl<const D: usize> Simulation<D> {
    /// The first overlap above [`LARGE_OVERLAP`] since the simulation began or was restored.
    pub fn deep_overlap(&self) -> Option<&DeepOverlap> {
        self.deep_overlap.as_ref()
    }

    /// The overlap over the smaller radius that forces have to look out for.
    pub(super) fn watched_overlap(&self) -> f64 {
        let limit = self.settings.overlap_limit;
        if self.deep_overlap.is_some() { limit } else { limit.min(LARGE_OVERLAP) }
    }

    /// Looks for the deepest contact, of stones this one; refuses it if it is beyond the limit, and notes the first one worth a warning.
    pub(super) fn examine_overlaps(&mut self, stones: Option<Crushed>) -> Result<(), Failure> {
        let Some((deepest, overlap, relative)) = self.deepest(stones) else { return Ok(()) };
        if relative > self.settings.overlap_limit {
            return Err(self.crushed(deepest, overlap));
        }
        if relative > LARGE_OVERLAP && self.deep_overlap.is_none() {
            let (id, other) = match deepest {
                Deepest::Pair(pair) => {
                    let (a, b) = self.ids_of(pair);
                    (a, Overlapped::Body(b))
                }
                Deepest::Wall { row, wall } => {
                    (self.bodies.id[row], Overlapped::Wall(self.walls.list[wall].name.clone()))
                }
            };
            let (step, time, inserted) = (self.elapsed.steps, self.time(), self.is_new(deepest));
            self.deep_overlap = Some(DeepOverlap { step, time, id, other, relative, inserted });
        }
        Ok(())
    }

    /// The contact with the largest overlap over the smaller radius; also the overlap itself. That of stones is known.
    fn deepest(&self, stones: Option<Crushed>) -> Option<(Deepest, f64, f64)> {
        let bodies = &self.bodies;
        let conditions = Conditions::new(&self.settings, &self.materials, &self.inserted);
        let pairs = self.pairs.overlaps(bodies, conditions.periods).map(|(pair, overlap)| {
            let radius = bodies.radius[pair.a as usize].min(bodies.radius[pair.b as usize]);
            (Deepest::Pair(pair), overlap, overlap / radius)
        });
        let walls = self
            .walls
            .overlaps(bodies, conditions)
            .map(|(row, wall, overlap)| (Deepest::Wall { row, wall }, overlap, overlap / bodies.radius[row]));
        let stones = stones.map(|Crushed { row, opposite, depth, relative }| {
            let contact = match opposite {
                Opposite::Body { row: other, .. } => Deepest::Pair(broad::Pair::new(row, other)),
                Opposite::Wall(WallElement { wall, .. }) => {
                    Deepest::Wall { row: row as usize, wall: usize::from(wall) }
                }
            };
            (contact, depth, relative)
        });
        pairs.chain(stones).chain(walls).max_by(|one, other| one.2.total_cmp(&other.2))
    }

    /// Ids of two bodies, the smaller one first.
    pub(super) fn ids_of(&self, pair: broad::Pair) -> (u64, u64) {
        let (a, b) = (self.bodies.id[pair.a as usize], self.bodies.id[pair.b as usize]);
        (a.min(b), a.max(b))
    }

    /// Whether one of the two has not been looked at before.
    pub(super) fn is_new(&self, contact: Deepest) -> bool {
        let newest = match contact {
            Deepest::Pair(pair) => self.ids_of(pair).1,
            Deepest::Wall { row, .. } => self.bodies.id[row],
        };
        newest >= self.settled
    }
}
