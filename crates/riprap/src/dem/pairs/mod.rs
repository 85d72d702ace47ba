//! The list of neighbouring bodies and the memory of their contacts.
//!
//! The list comes from a broad phase with a margin and is kept sorted, so that the order in which forces are added depends on
//! the bodies alone: neither on the method nor on its margin nor on the number of threads.

mod forces;

use std::time::Duration;

use super::body::{Bodies, Shapes};
use super::conditions::Conditions;
use super::contact::store::{Kept, Remembered, Store};
use super::contact::{ContactRecord, StepEnergies, StoredEnergy};
use super::domain::Periods;
use super::law::AnyLaw;
use super::parts::{for_each_part, part_rows, part_size};
use crate::broad::{Neighbors, Pair};
use crate::vector::length;
use crate::{Criterion, Error, Spheres};
use forces::{PairPart, PairWork};
pub(crate) use forces::{PairPass, Reaction};

/// Ids of two bodies in contact, the smaller one first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PairKey {
    /// The smaller id.
    pub a: u64,
    /// The larger id.
    pub b: u64,
}

/// Pairs of bodies near each other, and what their contacts remember.
pub(crate) struct PairList<const D: usize> {
    /// The pairs, in ascending order of their rows.
    neighbors: Neighbors<D>,
    /// Those of which at least one is not a ball, in the same order.
    shaped: Vec<Pair>,
    memory: Store,
    parts: Vec<PairPart<D>>,
    /// How far the fastest body may have come since the list was last compared with the bodies.
    moved: f64,
}

/// What a force pass reports.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PairSums {
    pub(crate) energies: StepEnergies,
    pub(crate) crushed: Option<Pair>,
    pub(crate) narrow: Duration,
    pub(crate) force: Duration,
}

impl<const D: usize> PairList<D> {
    /// An empty list, for contacts that remember so many numbers.
    pub(crate) fn new(neighbors: Neighbors<D>, words: usize) -> Self {
        Self { neighbors, shaped: Vec::new(), memory: Store::new(words), parts: Vec::new(), moved: 0.0 }
    }

    /// Makes the list good for the bodies, none of which has moved further than `moved` since the last call. Returns whether
    /// it was rebuilt.
    pub(crate) fn update(
        &mut self,
        bodies: &Bodies<D>,
        criterion: &Criterion<D>,
        moved: f64,
        parallel: bool,
    ) -> Result<bool, Error> {
        self.moved += moved;
        let fits = self.memory.len() == self.neighbors.pairs().len();
        if fits && self.neighbors.stays_good(self.moved) {
            return Ok(false);
        }
        let spheres = Spheres::new(&bodies.position, bodies.bounds())?;
        self.moved = 0.0;
        if self.neighbors.is_good(&spheres, criterion) {
            return Ok(false);
        }
        let kept = self.memory.compact(self.neighbors.pairs());
        self.rebuild(bodies, criterion, kept, parallel)?;
        Ok(true)
    }

    /// Makes a list for the rows as they are and gives it this memory.
    fn rebuild(
        &mut self,
        bodies: &Bodies<D>,
        criterion: &Criterion<D>,
        kept: Kept<Pair>,
        parallel: bool,
    ) -> Result<(), Error> {
        self.moved = 0.0;
        self.neighbors.set_threads(rayon::current_num_threads());
        self.neighbors.rebuild(Spheres::new(&bodies.position, bodies.bounds())?, criterion)?;
        self.neighbors.sort(parallel);
        self.shaped.clear();
        if !bodies.turning.reach.is_empty() {
            let is_ball = |row: u32| bodies.shape[row as usize] == Shapes::<D>::BALL;
            self.neighbors.take_out(|pair| !(is_ball(pair.a) && is_ball(pair.b)), &mut self.shaped);
        }
        self.memory.spread(kept, self.neighbors.pairs());
        self.share_out(bodies.len());
        self.neighbors.trim();
        self.memory.trim();
        Ok(())
    }

    /// Counts each part's pairs.
    fn share_out(&mut self, bodies: usize) {
        let pairs = self.neighbors.pairs();
        let mut start = 0;
        self.parts.resize_with(part_rows(bodies).count(), PairPart::default);
        for (part, rows) in self.parts.iter_mut().zip(part_rows(bodies)) {
            let end = start + pairs[start..].partition_point(|pair| (pair.a as usize) < rows.end);
            part.pairs = end - start;
            start = end;
        }
    }

    /// Notes how far the bodies have come, which the next margin depends on, before their rows change.
    pub(crate) fn note_motion(&mut self, bodies: &Bodies<D>, criterion: &Criterion<D>) -> Result<(), Error> {
        self.neighbors.is_good(&Spheres::new(&bodies.position, bodies.bounds())?, criterion);
        Ok(())
    }

    /// Makes a list for new rows: `new_row` tells where each body is now, if it is still there.
    pub(crate) fn rearrange(
        &mut self,
        bodies: &Bodies<D>,
        criterion: &Criterion<D>,
        new_row: impl Fn(u32) -> Option<u32>,
        passes: &dyn AnyLaw<D>,
        parallel: bool,
    ) -> Result<(), Error> {
        let renamed = |pair: Pair| {
            let (a, b) = (new_row(pair.a)?, new_row(pair.b)?);
            Some((Pair::new(a, b), a > b))
        };
        let kept = self.memory.compact(self.neighbors.pairs());
        let kept = kept.rename(&mut self.memory, renamed, |memory| passes.mirror(memory));
        self.rebuild(bodies, criterion, kept, parallel)
    }

    /// Makes a list with this memory of contacts, whose bodies all have rows.
    pub(crate) fn restore(
        &mut self,
        bodies: &Bodies<D>,
        criterion: &Criterion<D>,
        remembered: &Remembered<PairKey>,
        row_of: impl Fn(u64) -> u32,
        passes: &dyn AnyLaw<D>,
        parallel: bool,
    ) -> Result<(), Error> {
        let mut numbers = remembered.numbers.clone();
        let mut entries = Vec::with_capacity(remembered.len());
        for (key, memory) in remembered.keys.iter().zip(numbers.chunks_exact_mut(remembered.words.max(1))) {
            let (a, b) = (row_of(key.a), row_of(key.b));
            if a > b {
                passes.mirror(memory);
            }
            entries.push((Pair::new(a, b), &*memory));
        }
        let kept = self.memory.fill(entries);
        self.rebuild(bodies, criterion, kept, parallel)
    }

    /// What all contacts remember, by id.
    pub(crate) fn remembered(&self, bodies: &Bodies<D>, passes: &dyn AnyLaw<D>) -> Remembered<PairKey> {
        let (words, mut keys, mut numbers) = (passes.words(), Vec::new(), Vec::new());
        for (pair, memory) in self.memory.entries(self.neighbors.pairs()) {
            let (a, b) = (bodies.id[pair.a as usize], bodies.id[pair.b as usize]);
            keys.push(PairKey { a: a.min(b), b: a.max(b) });
            numbers.extend_from_slice(memory);
            if a > b {
                let first = numbers.len() - words;
                passes.mirror(&mut numbers[first..]);
            }
        }
        Remembered::new(words, &keys, &numbers)
    }

    /// Adds the forces of all contacts to the bodies, and what was applied to `records` if that is asked for.
    pub(crate) fn apply(
        &mut self,
        bodies: &mut Bodies<D>,
        shapes: &Shapes<D>,
        passes: &dyn PairPass<D>,
        conditions: &Conditions<'_, D>,
        parallel: bool,
        records: &mut Vec<ContactRecord<D>>,
    ) -> PairSums {
        let size = part_size(bodies.len());
        let (columns, load) = bodies.split(shapes);
        let work = PairWork {
            size,
            first: 0,
            pairs: self.neighbors.pairs(),
            slots: self.memory.slots(),
            load,
            parts: &mut self.parts,
        };
        for_each_part(work, parallel, &|work| passes.pair_forces(work, &columns, conditions));
        let mut sums = PairSums::default();
        for part in &mut self.parts {
            for reaction in &part.reactions {
                bodies.load[reaction.row as usize] += reaction.load;
            }
            records.append(&mut part.records);
            sums.energies += part.energies;
            sums.crushed = sums.crushed.or(part.crushed);
            sums.narrow += part.narrow;
            sums.force += part.force;
        }
        sums
    }

    /// The contacts and their overlaps.
    pub(crate) fn overlaps<'a>(
        &'a self,
        bodies: &'a Bodies<D>,
        periods: Periods<D>,
    ) -> impl Iterator<Item = (Pair, f64)> + 'a {
        self.memory.entries(self.neighbors.pairs()).map(move |(pair, _)| {
            let (a, b) = (pair.a as usize, pair.b as usize);
            let apart = periods.separation::<true>(bodies.position[a], bodies.position[b]);
            (pair, bodies.radius[a] + bodies.radius[b] - length(apart))
        })
    }

    /// Energy stored in the contacts.
    pub(crate) fn stored(
        &self,
        bodies: &Bodies<D>,
        passes: &dyn AnyLaw<D>,
        conditions: &Conditions<'_, D>,
    ) -> StoredEnergy {
        let energy = |(pair, memory): (Pair, &[f64])| {
            let (a, b) = (pair.a as usize, pair.b as usize);
            let (ra, rb) = (bodies.radius[a], bodies.radius[b]);
            let apart = conditions.periods.separation::<true>(bodies.position[a], bodies.position[b]);
            let coefficients = conditions.materials.of(bodies.material[a], bodies.material[b]);
            passes.stored_parts(coefficients, ra + rb - length(apart), ra * rb / (ra + rb), memory)
        };
        self.memory.entries(self.neighbors.pairs()).map(energy).sum()
    }

    /// Pairs of bodies of which at least one is not a ball, in ascending order of their rows.
    pub(crate) fn shaped(&self) -> &[Pair] {
        &self.shaped
    }

    /// Number of contacts.
    pub(crate) fn touching(&self) -> usize {
        self.memory.touching()
    }

    /// The list.
    pub(crate) fn neighbors(&self) -> &Neighbors<D> {
        &self.neighbors
    }

    /// Bytes reserved.
    pub(crate) fn bytes(&self) -> usize {
        let reactions: usize = self.parts.iter().map(|part| part.reactions.capacity()).sum();
        self.neighbors.bytes() + self.memory.bytes() + size_of::<Reaction<D>>() * reactions
    }
}
