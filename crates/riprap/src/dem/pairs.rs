//! The list of neighbouring bodies and the memory of their contacts.
//!
//! The list comes from a broad phase with a margin and is kept sorted, so that the order in which forces are added depends on
//! the bodies alone: neither on the method nor on its margin nor on the number of threads.

use super::bodies::Bodies;
use super::contact::stored;
use super::forces::{Conditions, Outcome, Part, Reaction, Work, add_forces, separation};
use super::law::Law;
use super::parts::{for_each_part, part_rows, part_size};
use crate::broad::{Neighbors, Pair};
use crate::vector::length;
use crate::{Criterion, Error, Spheres};

/// Pairs of bodies near each other, and what their contacts remember.
pub struct PairList<const D: usize, const S: usize> {
    /// The pairs, in ascending order.
    pub neighbors: Neighbors<D>,
    /// Whether each pair touched at the last step.
    touching: Vec<bool>,
    /// Tangential spring of each pair; means nothing unless it touches.
    springs: Vec<[f64; D]>,
    parts: Vec<Part<D, S>>,
    /// How far the fastest body may have come since the list was last compared with the bodies.
    moved: f64,
}

/// A contact with its tangential spring, between bodies given by their rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring<const D: usize> {
    /// The bodies.
    pub pair: Pair,
    /// The spring, across the normal.
    pub spring: [f64; D],
}

impl<const D: usize, const S: usize> PairList<D, S> {
    /// An empty list.
    pub(crate) fn new(neighbors: Neighbors<D>) -> Self {
        Self { neighbors, touching: Vec::new(), springs: Vec::new(), parts: Vec::new(), moved: 0.0 }
    }

    /// Makes the list good for the bodies, none of which has moved further than `moved` since the last call. Returns whether
    /// it was rebuilt.
    pub(crate) fn update(
        &mut self,
        bodies: &Bodies<D, S>,
        criterion: &Criterion<D>,
        moved: f64,
        parallel: bool,
    ) -> Result<bool, Error> {
        self.moved += moved;
        if self.touching_fits() && self.neighbors.stays_good(self.moved) {
            return Ok(false);
        }
        let spheres = Spheres::new(&bodies.position, &bodies.radius)?;
        self.moved = 0.0;
        if self.neighbors.is_good(&spheres, criterion) {
            return Ok(false);
        }
        let kept = self.compact();
        self.neighbors.rebuild(spheres, criterion)?;
        self.neighbors.sort(parallel);
        self.expand(kept);
        self.share_out(bodies.len());
        self.trim();
        Ok(true)
    }

    /// Whether memory and list belong to each other.
    fn touching_fits(&self) -> bool {
        self.touching.len() == self.neighbors.pairs().len()
    }

    /// Moves the springs of touching pairs to the front and returns the pairs.
    fn compact(&mut self) -> Vec<Pair> {
        let mut kept = Vec::with_capacity(self.touching.iter().filter(|touching| **touching).count());
        for (position, &pair) in self.neighbors.pairs().iter().enumerate() {
            if self.touching.get(position) == Some(&true) {
                self.springs[kept.len()] = self.springs[position];
                kept.push(pair);
            }
        }
        kept
    }

    /// Gives the springs at the front to their pairs in the new list, if they are there.
    fn expand(&mut self, mut kept: Vec<Pair>) {
        let pairs = self.neighbors.pairs();
        let (mut count, mut position) = (0, 0);
        for index in 0..kept.len() {
            position += pairs[position..].iter().take_while(|pair| **pair < kept[index]).count();
            if pairs.get(position) == Some(&kept[index]) {
                kept[count] = kept[index];
                self.springs[count] = self.springs[index];
                count += 1;
            }
        }
        kept.truncate(count);
        // The pairs left are all in the new list, none earlier than before: from the back, none is overwritten before it is
        // moved.
        self.springs.resize(pairs.len().max(kept.len()), [0.0; D]);
        self.touching.clear();
        self.touching.resize(pairs.len(), false);
        let mut position = pairs.len();
        for (index, pair) in kept.iter().enumerate().rev() {
            position -= 1;
            while pairs[position] != *pair {
                position -= 1;
            }
            self.springs[position] = self.springs[index];
            self.touching[position] = true;
        }
        self.springs.truncate(pairs.len());
    }

    /// Counts each part's pairs.
    fn share_out(&mut self, bodies: usize) {
        let pairs = self.neighbors.pairs();
        let mut start = 0;
        self.parts.resize_with(part_rows(bodies).count(), Part::default);
        for (part, rows) in self.parts.iter_mut().zip(part_rows(bodies)) {
            let end = start + pairs[start..].partition_point(|pair| (pair.a as usize) < rows.end);
            part.pairs = end - start;
            start = end;
        }
    }

    /// All contacts and their springs, in ascending order.
    pub fn springs(&self) -> impl Iterator<Item = Spring<D>> {
        let pairs = self.neighbors.pairs().iter().zip(&self.touching).zip(&self.springs);
        pairs
            .filter(|((_, touching), _)| **touching)
            .map(|((pair, _), spring)| Spring { pair: *pair, spring: *spring })
    }

    /// Notes how far the bodies have come, which the next margin depends on, before their rows change.
    pub(crate) fn note_motion(
        &mut self,
        bodies: &Bodies<D, S>,
        criterion: &Criterion<D>,
    ) -> Result<(), Error> {
        self.neighbors.is_good(&Spheres::new(&bodies.position, &bodies.radius)?, criterion);
        Ok(())
    }

    /// Makes a list for new rows, with this memory of the contacts.
    pub(crate) fn remember(
        &mut self,
        bodies: &Bodies<D, S>,
        criterion: &Criterion<D>,
        mut springs: Vec<Spring<D>>,
        parallel: bool,
    ) -> Result<(), Error> {
        springs.sort_unstable_by_key(|spring| spring.pair);
        let kept: Vec<Pair> = springs.iter().map(|spring| spring.pair).collect();
        self.springs.clear();
        self.springs.extend(springs.iter().map(|spring| spring.spring));
        self.touching.clear();
        self.moved = 0.0;
        let spheres = Spheres::new(&bodies.position, &bodies.radius)?;
        self.neighbors.rebuild(spheres, criterion)?;
        self.neighbors.sort(parallel);
        self.expand(kept);
        self.share_out(bodies.len());
        self.trim();
        Ok(())
    }

    /// Gives back memory that vectors have reserved far beyond their need.
    fn trim(&mut self) {
        self.neighbors.trim();
        crate::broad::trim(&mut self.springs);
        crate::broad::trim(&mut self.touching);
    }

    /// Adds the forces of all contacts to the bodies.
    pub(crate) fn apply<L: Law>(
        &mut self,
        bodies: &mut Bodies<D, S>,
        conditions: &Conditions<'_, D>,
        parallel: bool,
    ) -> Outcome {
        let size = part_size(bodies.len());
        let (columns, load) = bodies.split();
        let work = Work::<D, S> {
            size,
            first: 0,
            pairs: self.neighbors.pairs(),
            touching: &mut self.touching,
            springs: &mut self.springs,
            load,
            parts: &mut self.parts,
        };
        if conditions.lengths.iter().any(|length| length.is_finite()) {
            for_each_part(work, parallel, &|work| {
                add_forces::<L, true, D, S>(work, &columns, conditions);
            });
        } else {
            for_each_part(work, parallel, &|work| {
                add_forces::<L, false, D, S>(work, &columns, conditions);
            });
        }
        let mut outcome = Outcome::default();
        for part in &self.parts {
            for reaction in &part.reactions {
                bodies.load[reaction.row as usize] += reaction.load;
            }
            outcome.losses += part.losses;
            outcome.crushed = outcome.crushed.or(part.crushed);
            outcome.narrow += part.narrow;
            outcome.force += part.force;
        }
        outcome
    }

    /// Energy stored in the contacts.
    pub(crate) fn stored<L: Law>(&self, bodies: &Bodies<D, S>, conditions: &Conditions<'_, D>) -> f64 {
        self.springs()
            .map(|Spring { pair, spring }| {
                let (a, b) = (pair.a as usize, pair.b as usize);
                let (ra, rb) = (bodies.radius[a], bodies.radius[b]);
                let apart =
                    separation::<true, D>(bodies.position[a], bodies.position[b], &conditions.lengths);
                let coefficients = conditions.table.of(bodies.material[a], bodies.material[b]);
                let overlap = (ra + rb - length(apart)).max(0.0);
                stored::<L, D>(coefficients, overlap, ra * rb / (ra + rb), spring)
            })
            .sum()
    }

    /// Bytes reserved.
    pub(crate) fn bytes(&self) -> usize {
        let reactions: usize = self.parts.iter().map(|part| part.reactions.capacity()).sum();
        self.neighbors.bytes()
            + self.touching.capacity()
            + size_of::<[f64; D]>() * self.springs.capacity()
            + size_of::<Reaction<D, S>>() * reactions
    }
}
