//! The list of neighbouring bodies, the memory of their contacts, and the forces between them.
//!
//! The list comes from a broad phase with a margin and is kept sorted, so that the order in which forces are added depends on
//! the bodies alone: neither on the method nor on its margin nor on the number of threads.
//!
//! Each part of the bodies works on the pairs whose first body it holds, in two loops: the first tests which of them touch
//! and writes these down without branching, the second works out their forces. A reaction on a body of another part is
//! written down and added afterwards, in the order of the parts.

use std::array::from_fn;
use std::marker::PhantomData;
use std::time::{Duration, Instant};

use super::bodies::{Bodies, View, inertia_share};
use super::contact::{Losses, Touch, respond, stored};
use super::lanes::{Lanes, Real, WIDTH, each};
use super::law::Law;
use super::material::{Coefficients, Table};
use super::parts::{Split, for_each_part, part_rows, part_size};
use super::vector::{add, dot, length, scale, sub};
use super::vectors::{self, Kernel};
use crate::broad::{Neighbors, Pair};
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

/// Pairs that are tested before the forces of those that touch are worked out: enough to be quick, few enough to stay in the
/// cache.
const BLOCK: usize = 1024;

/// A part's share of the work and what came of it.
#[derive(Debug, Clone, Default)]
struct Part<const D: usize, const S: usize> {
    pairs: usize,
    /// Pairs of a block that touch: twice the index, and one more if they did not touch before.
    contacts: Vec<u32>,
    reactions: Vec<Reaction<D, S>>,
    losses: Losses,
    /// The pair that overlaps by more than allowed, if any.
    crushed: Option<Pair>,
    narrow: Duration,
    force: Duration,
}

/// Force and torque on a body of another part.
#[derive(Debug, Clone, Copy)]
struct Reaction<const D: usize, const S: usize> {
    row: u32,
    force: [f64; D],
    torque: [f64; S],
}

/// A contact with its tangential spring, between bodies given by their rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring<const D: usize> {
    /// The bodies.
    pub pair: Pair,
    /// The spring, across the normal.
    pub spring: [f64; D],
}

/// What a force pass reports.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Outcome {
    pub(crate) losses: Losses,
    pub(crate) crushed: Option<Pair>,
    pub(crate) narrow: Duration,
    pub(crate) force: Duration,
}

/// What the forces depend on beside the bodies.
#[derive(Clone, Copy)]
pub(crate) struct Conditions<'a, const D: usize> {
    pub(crate) table: &'a Table,
    pub(crate) lengths: [f64; D],
    pub(crate) step: f64,
    /// Largest overlap over the smaller radius.
    pub(crate) overlap_limit: f64,
    /// Whether wide vector instructions are used where there are any.
    pub(crate) vectors: bool,
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
            part.contacts.resize(BLOCK, 0);
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
        let (columns, force, torque) = bodies.split();
        let work = Work::<D, S> {
            size,
            first: 0,
            pairs: self.neighbors.pairs(),
            touching: &mut self.touching,
            springs: &mut self.springs,
            force,
            torque,
            parts: &mut self.parts,
        };
        if conditions.lengths.iter().any(|length| length.is_finite()) {
            for_each_part(work, parallel, &|work| {
                let forces =
                    Forces::<L, true, D, S> { work, columns: &columns, conditions, law: PhantomData };
                vectors::run(forces, conditions.vectors);
            });
        } else {
            for_each_part(work, parallel, &|work| {
                let forces =
                    Forces::<L, false, D, S> { work, columns: &columns, conditions, law: PhantomData };
                vectors::run(forces, conditions.vectors);
            });
        }
        let mut outcome = Outcome::default();
        for part in &self.parts {
            for reaction in &part.reactions {
                let row = reaction.row as usize;
                bodies.force[row] = sub(bodies.force[row], reaction.force);
                bodies.torque[row] = add(bodies.torque[row], reaction.torque);
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
        let parts: usize = self
            .parts
            .iter()
            .map(|part| {
                4 * part.contacts.capacity() + size_of::<Reaction<D, S>>() * part.reactions.capacity()
            })
            .sum();
        self.neighbors.bytes()
            + self.touching.capacity()
            + size_of::<[f64; D]>() * self.springs.capacity()
            + parts
    }
}

/// The vector from one point in the box to the nearest image of another.
#[inline(always)]
pub(crate) fn separation<const PERIODIC: bool, const D: usize>(
    from: [f64; D],
    to: [f64; D],
    lengths: &[f64; D],
) -> [f64; D] {
    let mut apart = sub(to, from);
    if PERIODIC {
        // The condition is nearly always false; only one branch has to be guessed.
        if (0..D).any(|k| apart[k].abs() > 0.5 * lengths[k]) {
            for k in 0..D {
                if apart[k].abs() > 0.5 * lengths[k] {
                    apart[k] -= lengths[k].copysign(apart[k]);
                }
            }
        }
    }
    apart
}

/// What the parts write, and their pairs.
struct Work<'a, const D: usize, const S: usize> {
    size: usize,
    first: usize,
    pairs: &'a [Pair],
    touching: &'a mut [bool],
    springs: &'a mut [[f64; D]],
    force: &'a mut [[f64; D]],
    torque: &'a mut [[f64; S]],
    parts: &'a mut [Part<D, S>],
}

impl<const D: usize, const S: usize> Split for Work<'_, D, S> {
    fn parts(&self) -> usize {
        self.parts.len()
    }

    fn split(self, parts: usize) -> (Self, Self) {
        let rows = parts * self.size;
        let pairs = self.parts[..parts].iter().map(|part| part.pairs).sum();
        let (pairs_a, pairs_b) = self.pairs.split_at(pairs);
        let (touching_a, touching_b) = self.touching.split_at_mut(pairs);
        let (springs_a, springs_b) = self.springs.split_at_mut(pairs);
        let (force_a, force_b) = self.force.split_at_mut(rows);
        let (torque_a, torque_b) = self.torque.split_at_mut(rows);
        let (parts_a, parts_b) = self.parts.split_at_mut(parts);
        let (size, first) = (self.size, self.first);
        (
            Self {
                size,
                first,
                pairs: pairs_a,
                touching: touching_a,
                springs: springs_a,
                force: force_a,
                torque: torque_a,
                parts: parts_a,
            },
            Self {
                size,
                first: first + rows,
                pairs: pairs_b,
                touching: touching_b,
                springs: springs_b,
                force: force_b,
                torque: torque_b,
                parts: parts_b,
            },
        )
    }
}

/// The forces of a part's contacts.
struct Forces<'a, L, const PERIODIC: bool, const D: usize, const S: usize> {
    work: Work<'a, D, S>,
    columns: &'a View<'a, D, S>,
    conditions: &'a Conditions<'a, D>,
    law: PhantomData<L>,
}

impl<L: Law, const PERIODIC: bool, const D: usize, const S: usize> Kernel for Forces<'_, L, PERIODIC, D, S> {
    #[inline(always)]
    fn run(self) {
        add_forces::<L, PERIODIC, D, S>(self.work, self.columns, self.conditions);
    }
}

#[inline(always)]
fn add_forces<L: Law, const PERIODIC: bool, const D: usize, const S: usize>(
    work: Work<'_, D, S>,
    columns: &View<'_, D, S>,
    conditions: &Conditions<'_, D>,
) {
    let Work { first, pairs, touching, springs, force, torque, parts, .. } = work;
    let part = &mut parts[0];
    (part.narrow, part.force) = (Duration::ZERO, Duration::ZERO);
    part.reactions.clear();
    part.crushed = None;
    let kinds = conditions.table.kinds();
    let mut losses = Losses::default();
    let mut excess = Lanes::all(0.0);
    let blocks = pairs.chunks(BLOCK).zip(touching.chunks_mut(BLOCK)).zip(springs.chunks_mut(BLOCK));
    for ((pairs, touching), springs) in blocks {
        let start = Instant::now();
        let count = find_touching::<PERIODIC, D, S>(
            pairs,
            touching,
            columns,
            &conditions.lengths,
            &mut part.contacts,
        );
        let found = Instant::now();
        part.narrow += found - start;
        for contacts in part.contacts[..count].chunks(WIDTH) {
            // The last few contacts fill up the lanes with copies of one of them.
            let block =
                contacts.try_into().unwrap_or_else(|_| each(|lane| contacts[lane.min(contacts.len() - 1)]));
            let indices = each(|lane| (block[lane] >> 1) as usize);
            let a = each(|lane| pairs[indices[lane]].a as usize);
            let b = each(|lane| pairs[indices[lane]].b as usize);
            let numbers = |column: &[f64], rows: &[usize; WIDTH]| Lanes::of(|lane| column[rows[lane]]);

            let mut apart = sub(across(columns.position, &b), across(columns.position, &a));
            if PERIODIC {
                for k in 0..D {
                    let (edge, half) =
                        (Lanes::all(conditions.lengths[k]), Lanes::all(0.5 * conditions.lengths[k]));
                    apart[k] = apart[k].above(half, apart[k] - edge, apart[k]);
                    apart[k] = (-half).above(apart[k], apart[k] + edge, apart[k]);
                }
            }
            let (ra, rb) = (numbers(columns.radius, &a), numbers(columns.radius, &b));
            let (ma, mb) = (numbers(columns.inverse_mass, &a), numbers(columns.inverse_mass, &b));
            let distance = length(apart);
            let overlap = ra + rb - distance;
            excess = excess.max(overlap - Lanes::all(conditions.overlap_limit) * ra.min(rb));
            let needs_radius = L::VARIES || kinds.rolling;
            let touch = Touch {
                normal: scale(apart, Lanes::all(1.0).over(distance)),
                overlap,
                arm_a: ra - Lanes::all(0.5) * overlap,
                arm_b: rb - Lanes::all(0.5) * overlap,
                velocity: sub(across(columns.velocity, &a), across(columns.velocity, &b)),
                spin_a: across(columns.spin, &a),
                spin_b: across(columns.spin, &b),
                inverse_mass: ma + mb,
                inverse_inertia: if kinds.rolling {
                    (ma.over(ra * ra) + mb.over(rb * rb)) * Lanes::all(1.0 / inertia_share(D))
                } else {
                    Lanes::all(0.0)
                },
                reduced_radius: if needs_radius { (ra * rb).over(ra + rb) } else { Lanes::all(0.0) },
            };
            let coefficients = if conditions.table.materials() == 1 {
                let only = conditions.table.of(0, 0);
                Coefficients::map(|value| Lanes::all(value(only)))
            } else {
                let of =
                    each(|lane| conditions.table.of(columns.material[a[lane]], columns.material[b[lane]]));
                Coefficients::map(|value| Lanes::of(|lane| value(of[lane])))
            };
            for lane in 0..WIDTH {
                if block[lane] & 1 == 1 {
                    springs[indices[lane]] = [0.0; D];
                }
            }
            let spring = if kinds.friction { across(springs, &indices) } else { [Lanes::all(0.0); D] };
            let response =
                respond::<L, Lanes, D, S>(kinds, &coefficients, &touch, spring, Lanes::all(conditions.step));

            for lane in 0..contacts.len() {
                let (a, b) = (a[lane], b[lane]);
                let push = response.force.map(|component| component.0[lane]);
                let torque_b = response.torque_b.map(|component| component.0[lane]);
                // One by one, so that the sum does not depend on how contacts were shared out to the lanes.
                let Losses { damping, friction, rolling } = response.losses;
                losses +=
                    Losses { damping: damping.0[lane], friction: friction.0[lane], rolling: rolling.0[lane] };
                force[a - first] = add(force[a - first], push);
                if kinds.friction {
                    springs[indices[lane]] = response.spring.map(|component| component.0[lane]);
                }
                if kinds.friction || kinds.rolling {
                    torque[a - first] =
                        add(torque[a - first], response.torque_a.map(|component| component.0[lane]));
                }
                if let Some(force) = force.get_mut(b - first) {
                    *force = sub(*force, push);
                    torque[b - first] = add(torque[b - first], torque_b);
                } else {
                    part.reactions.push(Reaction { row: b as u32, force: push, torque: torque_b });
                }
            }
        }
        part.force += found.elapsed();
    }
    part.losses = losses;
    // Written so that an overlap that is not a number counts as too large.
    if !excess.0.iter().all(|excess| *excess <= 0.0) {
        part.crushed = pairs.iter().copied().find(|pair| {
            let (a, b) = (pair.a as usize, pair.b as usize);
            let apart =
                separation::<PERIODIC, D>(columns.position[a], columns.position[b], &conditions.lengths);
            let (ra, rb) = (columns.radius[a], columns.radius[b]);
            ra + rb - length(apart) > conditions.overlap_limit * ra.min(rb)
        });
    }
}

/// Vectors of these rows, one per lane, component by component.
#[inline(always)]
fn across<const N: usize>(column: &[[f64; N]], rows: &[usize; WIDTH]) -> [Lanes; N] {
    let vectors = each(|lane| &column[rows[lane]]);
    from_fn(|k| Lanes::of(|lane| vectors[lane][k]))
}

/// Writes down which pairs touch and returns their number.
#[inline(always)]
fn find_touching<const PERIODIC: bool, const D: usize, const S: usize>(
    pairs: &[Pair],
    touching: &mut [bool],
    columns: &View<'_, D, S>,
    lengths: &[f64; D],
    contacts: &mut [u32],
) -> usize {
    let mut count = 0;
    let contacts = &mut contacts[..pairs.len()];
    for (index, (pair, touching)) in pairs.iter().zip(touching).enumerate() {
        let (a, b) = (pair.a as usize, pair.b as usize);
        let apart = separation::<PERIODIC, D>(columns.position[a], columns.position[b], lengths);
        let reach = columns.radius[a] + columns.radius[b];
        let touches = dot(apart, apart) < reach * reach;
        // The next contact is written over this one unless it touches: less work than a guess whether it does.
        contacts[count] = (index as u32) << 1 | u32::from(!*touching);
        *touching = touches;
        count += usize::from(touches);
    }
    count
}
