//! The forces between bodies: the loop that most of the time of a simulation goes into.
//!
//! Each part of the bodies works on the listed pairs whose first body it holds, block by block, in two passes. The first tests
//! which of them touch and writes these down without branching; the second works out their forces, four contacts side by
//! side. A reaction on a body of another part is written down and added afterwards, in the order of the parts.
//!
//! A contact reads two places, two records [`Seen`] and its spring, and writes two loads and the spring: some 400 bytes, nearly
//! all of them in the cache because neighbours in space are neighbours in memory. The arithmetic is a good hundred operations,
//! with three square roots and four divisions.

use std::marker::PhantomData;
use std::time::{Duration, Instant};

use super::bodies::{Load, Seen, View, inertia_share};
use super::contact::{Losses, Touch, respond};
use super::law::Law;
use super::material::{Coefficients, Table};
use super::parts::Split;
use crate::broad::Pair;
use crate::lanes::vectors::{self, Kernel, Vector};
use crate::lanes::{WIDTH, each};
use crate::memory::prefetch;
use crate::vector::{components, dot, length, scale, sub};

/// Pairs that are tested before the forces of those that touch are worked out: enough to be quick, few enough for what they
/// need to stay in the cache.
const BLOCK: usize = 256;
/// Contacts at most in a block: all of its pairs and those left over, and copies that fill up the lanes.
const ROOM: usize = BLOCK + 2 * WIDTH;
/// Groups of pairs between asking for a place in memory and reading it.
const AHEAD: usize = 8;

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

/// What a force pass reports.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Outcome {
    pub(crate) losses: Losses,
    pub(crate) crushed: Option<Pair>,
    pub(crate) narrow: Duration,
    pub(crate) force: Duration,
}

/// A part's share of the work and what came of it.
#[derive(Debug, Clone)]
pub(super) struct Part<const D: usize, const S: usize> {
    /// Number of its pairs.
    pub(super) pairs: usize,
    pub(super) reactions: Vec<Reaction<D, S>>,
    pub(super) losses: Losses,
    /// The pair that overlaps by more than allowed, if any.
    pub(super) crushed: Option<Pair>,
    pub(super) narrow: Duration,
    pub(super) force: Duration,
}

impl<const D: usize, const S: usize> Default for Part<D, S> {
    fn default() -> Self {
        Self {
            pairs: 0,
            reactions: Vec::new(),
            losses: Losses::default(),
            crushed: None,
            narrow: Duration::ZERO,
            force: Duration::ZERO,
        }
    }
}

/// Force and torque on a body of another part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reaction<const D: usize, const S: usize> {
    pub(super) row: u32,
    pub(super) load: Load<D, S>,
}

/// What the parts write, and their pairs.
pub(super) struct Work<'a, const D: usize, const S: usize> {
    /// Bodies per part.
    pub(super) size: usize,
    /// Row of the first body.
    pub(super) first: usize,
    pub(super) pairs: &'a [Pair],
    pub(super) touching: &'a mut [bool],
    pub(super) springs: &'a mut [[f64; D]],
    pub(super) load: &'a mut [Load<D, S>],
    pub(super) parts: &'a mut [Part<D, S>],
}

impl<const D: usize, const S: usize> Split for Work<'_, D, S> {
    fn parts(&self) -> usize {
        self.parts.len()
    }

    fn split(self, parts: usize) -> (Self, Self) {
        let rows = parts * self.size;
        let pairs = self.parts[..parts].iter().map(|part| part.pairs).sum();
        let (pairs, pairs_) = self.pairs.split_at(pairs);
        let (touching, touching_) = self.touching.split_at_mut(pairs.len());
        let (springs, springs_) = self.springs.split_at_mut(pairs.len());
        let (load, load_) = self.load.split_at_mut(rows);
        let (parts, parts_) = self.parts.split_at_mut(parts);
        let (size, first) = (self.size, self.first);
        (
            Self { size, first, pairs, touching, springs, load, parts },
            Self {
                size,
                first: first + rows,
                pairs: pairs_,
                touching: touching_,
                springs: springs_,
                load: load_,
                parts: parts_,
            },
        )
    }
}

/// The forces of a part's contacts.
pub(super) struct Forces<'a, L, const PERIODIC: bool, const D: usize, const S: usize> {
    work: Work<'a, D, S>,
    columns: &'a View<'a, D, S>,
    conditions: &'a Conditions<'a, D>,
    law: PhantomData<L>,
}

/// Adds the forces of a part's contacts to its bodies.
pub(super) fn add_forces<L: Law, const PERIODIC: bool, const D: usize, const S: usize>(
    work: Work<'_, D, S>,
    columns: &View<'_, D, S>,
    conditions: &Conditions<'_, D>,
) {
    let forces = Forces::<L, PERIODIC, D, S> { work, columns, conditions, law: PhantomData };
    vectors::run(forces, conditions.vectors);
}

impl<L: Law, const PERIODIC: bool, const D: usize, const S: usize> Kernel for Forces<'_, L, PERIODIC, D, S> {
    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { work, columns, conditions, .. } = self;
        let Work { first, pairs, touching, springs, load, parts, .. } = work;
        let part = &mut parts[0];
        (part.narrow, part.force) = (Duration::ZERO, Duration::ZERO);
        part.reactions.clear();
        part.crushed = None;
        let mut losses = Losses::default();
        let mut excess = V::all(0.0);
        // Contacts of a block: twice the index of the pair, and one more if it did not touch before. Those that do not fill
        // all lanes are left for the next block.
        let mut contacts = [0; ROOM];
        let mut left = 0;
        for start in (0..pairs.len()).step_by(BLOCK) {
            let end = (start + BLOCK).min(pairs.len());
            let begun = Instant::now();
            let count = find_touching::<V, PERIODIC, D, S>(
                &pairs[start..end],
                &mut touching[start..end],
                start,
                columns,
                &conditions.lengths,
                &mut contacts,
                left,
            );
            let found = Instant::now();
            part.narrow += found - begun;
            let whole = if end == pairs.len() { count } else { count - count % WIDTH };
            // The last contacts fill up the lanes with copies of one of them.
            let last = contacts[count.max(1) - 1];
            contacts[count..count + WIDTH].fill(last);
            for position in (0..whole).step_by(WIDTH) {
                let contacts = each(|lane| contacts[position + lane]);
                let indices = each(|lane| (contacts[lane] >> 1) as usize);
                let a = each(|lane| pairs[indices[lane]].a as usize);
                let b = each(|lane| pairs[indices[lane]].b as usize);
                let fresh = V::of(|lane| f64::from(contacts[lane] & 1));
                let kept: [V; D] = across(springs, &indices);
                let spring = components(|k| fresh.above(V::all(0.5), V::all(0.0), kept[k]));

                let mut apart: [V; D] = sub(across(columns.position, &b), across(columns.position, &a));
                if PERIODIC {
                    apart = to_nearest_image(apart, &conditions.lengths);
                }
                let (touch, coefficients) =
                    touch::<L, V, D, S>(apart, &a, &b, columns, conditions, &mut excess);
                let step = V::all(conditions.step);
                let kinds = conditions.table.kinds();
                let response = respond::<L, V, D, S>(kinds, &coefficients, &touch, spring, step);

                let force: [_; D] = components(|k| response.force[k].lanes());
                let torque_a: [_; S] = components(|k| response.torque_a[k].lanes());
                let torque_b: [_; S] = components(|k| response.torque_b[k].lanes());
                let spring: [_; D] = components(|k| response.spring[k].lanes());
                let (damping, friction, rolling) = (
                    response.losses.damping.lanes(),
                    response.losses.friction.lanes(),
                    response.losses.rolling.lanes(),
                );
                for lane in 0..WIDTH {
                    if lane >= whole - position {
                        break;
                    }
                    let (a, b) = (a[lane], b[lane]);
                    // One by one, so that the sum does not depend on how contacts were shared out to the lanes.
                    losses +=
                        Losses { damping: damping[lane], friction: friction[lane], rolling: rolling[lane] };
                    springs[indices[lane]] = components(|k| spring[k][lane]);
                    load[a - first] += Load {
                        force: components(|k| force[k][lane]),
                        torque: components(|k| torque_a[k][lane]),
                    };
                    let reaction = Load {
                        force: components(|k| -force[k][lane]),
                        torque: components(|k| torque_b[k][lane]),
                    };
                    match load.get_mut(b - first) {
                        Some(load) => *load += reaction,
                        None => part.reactions.push(Reaction { row: b as u32, load: reaction }),
                    }
                }
            }
            contacts.copy_within(whole..count, 0);
            left = count - whole;
            part.force += found.elapsed();
        }
        part.losses = losses;
        // Positions are finite, so overlaps are numbers.
        if !excess.lanes().iter().all(|excess| *excess <= 0.0) {
            part.crushed = pairs.iter().copied().find(|pair| {
                let (a, b) = (pair.a as usize, pair.b as usize);
                let apart =
                    separation::<PERIODIC, D>(columns.position[a], columns.position[b], &conditions.lengths);
                let (ra, rb) = (columns.radius[a], columns.radius[b]);
                ra + rb - length(apart) > conditions.overlap_limit * ra.min(rb)
            });
        }
    }
}

/// Where the bodies of these rows touch and what they are made of; also raises `excess` to the largest overlap beyond the
/// limit.
#[inline(always)]
fn touch<L: Law, V: Vector, const D: usize, const S: usize>(
    apart: [V; D],
    a: &[usize; WIDTH],
    b: &[usize; WIDTH],
    columns: &View<'_, D, S>,
    conditions: &Conditions<'_, D>,
    excess: &mut V,
) -> (Touch<V, D, S>, Coefficients<V>) {
    let Conditions { table, overlap_limit, .. } = *conditions;
    let (seen_a, seen_b) = (seen::<V, D, S>(columns.seen, a), seen::<V, D, S>(columns.seen, b));
    let (ra, rb) = (seen_a.radius, seen_b.radius);
    let (ma, mb) = (seen_a.inverse_mass, seen_b.inverse_mass);
    let distance = length(apart);
    let overlap = ra + rb - distance;
    *excess = excess.max(overlap - V::all(overlap_limit) * ra.min(rb));
    let rolling = table.kinds().rolling;
    let touch = Touch {
        normal: scale(apart, V::all(1.0).over(distance)),
        overlap,
        arm_a: ra - V::all(0.5) * overlap,
        arm_b: rb - V::all(0.5) * overlap,
        velocity: sub(seen_a.velocity, seen_b.velocity),
        spin_a: seen_a.spin,
        spin_b: seen_b.spin,
        inverse_mass: ma + mb,
        inverse_inertia: if rolling {
            (ma.over(ra * ra) + mb.over(rb * rb)) * V::all(1.0 / inertia_share(D))
        } else {
            V::all(0.0)
        },
        reduced_radius: if L::VARIES || rolling { (ra * rb).over(ra + rb) } else { V::all(0.0) },
    };
    let coefficients = if table.materials() == 1 {
        let only = table.of(0, 0);
        Coefficients::map(|value| V::all(value(only)))
    } else {
        let of = each(|lane| table.of(columns.material[a[lane]], columns.material[b[lane]]));
        Coefficients::map(|value| V::of(|lane| value(of[lane])))
    };
    (touch, coefficients)
}

/// Vectors of these rows, one per lane, component by component.
#[inline(always)]
fn across<V: Vector, const N: usize>(column: &[[f64; N]], rows: &[usize; WIDTH]) -> [V; N] {
    V::columns(each(|lane| &column[rows[lane]]))
}

/// What [`Seen`] holds, one body per lane.
struct SeenLanes<V, const D: usize, const S: usize> {
    velocity: [V; D],
    inverse_mass: V,
    spin: [V; S],
    radius: V,
}

#[inline(always)]
fn seen<V: Vector, const D: usize, const S: usize>(
    column: &[Seen<D, S>],
    rows: &[usize; WIDTH],
) -> SeenLanes<V, D, S> {
    let records = each(|lane| &column[rows[lane]]);
    SeenLanes {
        velocity: V::columns(each(|lane| &records[lane].velocity)),
        inverse_mass: V::of(|lane| records[lane].inverse_mass),
        spin: V::columns(each(|lane| &records[lane].spin)),
        radius: V::of(|lane| records[lane].radius),
    }
}

/// Vectors to the nearest images in a periodic box.
#[inline(always)]
fn to_nearest_image<V: Vector, const D: usize>(apart: [V; D], lengths: &[f64; D]) -> [V; D] {
    components(|k| {
        let (edge, half) = (V::all(lengths[k]), V::all(0.5 * lengths[k]));
        let lowered = apart[k].above(half, apart[k] - edge, apart[k]);
        (-half).above(lowered, lowered + edge, lowered)
    })
}

/// Adds the pairs of a block that touch to the contacts, of which there are `count`, and returns how many there are then.
/// Contacts are told by the pair's index, which is `first` for the first one.
#[inline(always)]
fn find_touching<V: Vector, const PERIODIC: bool, const D: usize, const S: usize>(
    pairs: &[Pair],
    touching: &mut [bool],
    first: usize,
    columns: &View<'_, D, S>,
    lengths: &[f64; D],
    contacts: &mut [u32; ROOM],
    mut count: usize,
) -> usize {
    let mut index = first as u32;
    // The next contact is written over this one unless it touches: less work than a guess whether it does.
    let mut note = |touched: &mut bool, touches: bool| {
        contacts[count] = index << 1 | u32::from(!*touched);
        *touched = touches;
        count += usize::from(touches);
        index += 1;
    };
    let ((groups, rest), (touching, touching_rest)) =
        (pairs.as_chunks::<WIDTH>(), touching.as_chunks_mut::<WIDTH>());
    for (position, (group, touching)) in groups.iter().zip(touching).enumerate() {
        for ahead in groups.get(position + AHEAD).into_iter().flatten() {
            prefetch(columns.position, ahead.b as usize);
        }
        let (a, b) = (each(|lane| group[lane].a as usize), each(|lane| group[lane].b as usize));
        let mut apart: [V; D] = sub(across(columns.position, &b), across(columns.position, &a));
        if PERIODIC {
            apart = to_nearest_image(apart, lengths);
        }
        let reach = V::of(|lane| columns.radius[a[lane]]) + V::of(|lane| columns.radius[b[lane]]);
        for row in b {
            prefetch(columns.seen, row);
        }
        let (square, limit): (_, [_; WIDTH]) = (dot(apart, apart).lanes(), (reach * reach).lanes());
        for lane in 0..WIDTH {
            note(&mut touching[lane], square[lane] < limit[lane]);
        }
    }
    for (pair, touching) in rest.iter().zip(touching_rest) {
        let (a, b) = (pair.a as usize, pair.b as usize);
        let apart = separation::<PERIODIC, D>(columns.position[a], columns.position[b], lengths);
        let reach = columns.radius[a] + columns.radius[b];
        note(touching, dot(apart, apart) < reach * reach);
    }
    count
}

/// The vector from one point in the box to the nearest image of another.
#[inline(always)]
pub(crate) fn separation<const PERIODIC: bool, const D: usize>(
    from: [f64; D],
    to: [f64; D],
    lengths: &[f64; D],
) -> [f64; D] {
    let apart = sub(to, from);
    if !PERIODIC {
        return apart;
    }
    components(|k| {
        if apart[k].abs() > 0.5 * lengths[k] { apart[k] - lengths[k].copysign(apart[k]) } else { apart[k] }
    })
}
