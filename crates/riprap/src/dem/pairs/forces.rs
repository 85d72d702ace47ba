//! The forces between bodies: the loop that most of the time of a simulation goes into.
//!
//! Each part of the bodies works on the listed pairs whose first body it holds, block by block, in two passes. The first tests
//! which of them touch and writes these down without branching; the second works out their forces, four contacts side by
//! side. A reaction on a body of another part is written down and added afterwards, in the order of the parts.
//!
//! A contact reads two places, two records [`Seen`] and its memory, and writes two loads and the memory: some 400 bytes, nearly
//! all of them in the cache because neighbours in space are neighbours in memory. The arithmetic is a good hundred operations,
//! with three square roots and four divisions.

use std::marker::PhantomData;
use std::time::Duration;

use crate::broad::Pair;
use crate::dem::body::{Load, Seen, View};
use crate::dem::clock::Moment;
use crate::dem::conditions::Conditions;
use crate::dem::contact::store::Slots;
use crate::dem::contact::{ContactRecord, Partner, Response, StepEnergies, Touch};
use crate::dem::law::{By, Law, Memory, Of};
use crate::dem::material::Coefficients;
use crate::dem::parts::Split;
use crate::dem::spin::{moment, turn};
use crate::lanes::vectors::{self, Kernel, Vector};
use crate::lanes::{WIDTH, each};
use crate::memory::prefetch;
use crate::vector::{add, add_scaled, components, dot, length, scale, sub};

/// Pairs that are tested before the forces of those that touch are worked out: enough to be quick, few enough for what they
/// need to stay in the cache.
const BLOCK: usize = 256;
/// Contacts at most in a block: all of its pairs and those left over, and copies that fill up the lanes.
const ROOM: usize = BLOCK + 2 * WIDTH;
/// Groups of pairs between asking for a place in memory and reading it.
const AHEAD: usize = 8;

/// A part's share of the pairs and what came of them.
#[derive(Debug, Clone)]
pub(crate) struct PairPart<const D: usize> {
    /// Number of its pairs.
    pub(crate) pairs: usize,
    pub(crate) reactions: Vec<Reaction<D>>,
    pub(crate) records: Vec<ContactRecord<D>>,
    pub(crate) energies: StepEnergies,
    /// The pair that overlaps by more than allowed, if any.
    pub(crate) crushed: Option<Pair>,
    pub(crate) narrow: Duration,
    pub(crate) force: Duration,
}

impl<const D: usize> Default for PairPart<D> {
    fn default() -> Self {
        Self {
            pairs: 0,
            reactions: Vec::new(),
            records: Vec::new(),
            energies: StepEnergies::default(),
            crushed: None,
            narrow: Duration::ZERO,
            force: Duration::ZERO,
        }
    }
}

/// Force and torque on a body of another part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reaction<const D: usize> {
    pub(crate) row: u32,
    pub(crate) load: Load<D>,
}

/// What the parts write, and their pairs.
pub(crate) struct PairWork<'a, const D: usize> {
    /// Bodies per part.
    pub(crate) size: usize,
    /// Row of the first body.
    pub(crate) first: usize,
    pub(crate) pairs: &'a [Pair],
    pub(crate) slots: Slots<'a>,
    pub(crate) load: &'a mut [Load<D>],
    pub(crate) parts: &'a mut [PairPart<D>],
}

impl<const D: usize> Split for PairWork<'_, D> {
    fn parts(&self) -> usize {
        self.parts.len()
    }

    fn split(self, parts: usize) -> (Self, Self) {
        let rows = parts * self.size;
        let pairs = self.parts[..parts].iter().map(|part| part.pairs).sum();
        let (pairs, pairs_) = self.pairs.split_at(pairs);
        let (slots, slots_) = self.slots.split_at(pairs.len());
        let (load, load_) = self.load.split_at_mut(rows);
        let (parts, parts_) = self.parts.split_at_mut(parts);
        let (size, first) = (self.size, self.first);
        (
            Self { size, first, pairs, slots, load, parts },
            Self { size, first: first + rows, pairs: pairs_, slots: slots_, load: load_, parts: parts_ },
        )
    }
}

/// The forces of a part's contacts.
struct Forces<'a, L, const PERIODIC: bool, const D: usize> {
    work: PairWork<'a, D>,
    columns: &'a View<'a, D>,
    conditions: &'a Conditions<'a, D>,
    law: PhantomData<L>,
}

/// The loop over contacts between bodies, compiled for a law.
pub(crate) trait PairPass<const D: usize>: Sync {
    /// Adds the forces of a part's contacts to its bodies.
    fn pair_forces(&self, work: PairWork<'_, D>, columns: &View<'_, D>, conditions: &Conditions<'_, D>);
}

impl<L: Law<D>, const D: usize> PairPass<D> for By<L> {
    fn pair_forces(&self, work: PairWork<'_, D>, columns: &View<'_, D>, conditions: &Conditions<'_, D>) {
        if conditions.periods.any() {
            add_forces::<L, true, D>(work, columns, conditions);
        } else {
            add_forces::<L, false, D>(work, columns, conditions);
        }
    }
}

fn add_forces<L: Law<D>, const PERIODIC: bool, const D: usize>(
    work: PairWork<'_, D>,
    columns: &View<'_, D>,
    conditions: &Conditions<'_, D>,
) {
    let forces = Forces::<L, PERIODIC, D> { work, columns, conditions, law: PhantomData };
    vectors::run(forces, conditions.vectors);
}

impl<L: Law<D>, const PERIODIC: bool, const D: usize> Kernel for Forces<'_, L, PERIODIC, D> {
    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { work, columns, conditions, .. } = self;
        let PairWork { first, pairs, slots, load, parts, .. } = work;
        let Slots { touching, numbers, .. } = slots;
        let part = &mut parts[0];
        (part.narrow, part.force) = (Duration::ZERO, Duration::ZERO);
        part.reactions.clear();
        part.records.clear();
        part.crushed = None;
        let mut energies = StepEnergies::default();
        let mut excess = V::all(0.0);
        // Contacts of a block: twice the index of the pair, and one more if it did not touch before. Those that do not fill
        // all lanes are left for the next block.
        let mut contacts = [0; ROOM];
        let mut left = 0;
        let mut clock = Moment::now();
        for start in (0..pairs.len()).step_by(BLOCK) {
            let end = (start + BLOCK).min(pairs.len());
            let count = find_touching::<L, V, PERIODIC, D>(
                &pairs[start..end],
                &mut touching[start..end],
                start,
                columns,
                conditions,
                &mut contacts,
                left,
            );
            clock = clock.add_to(&mut part.narrow);
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
                let places = each(|lane| indices[lane] * L::Memory::WORDS);
                let memory = L::Memory::gather(numbers, &places, fresh);

                let apart: [V; D] = sub(across(columns.position, &b), across(columns.position, &a));
                let apart = conditions.periods.nearest::<PERIODIC, V>(apart);
                let meeting = meet::<L, V, D>(apart, &a, &b, columns, conditions, &mut excess);
                let Meeting { touch, arms, coefficients } = &meeting;
                let span = conditions.span.all::<V>();
                let response = L::respond::<V>(conditions.kinds, coefficients, touch, memory, span);

                let Response { push, pull, couple, memory, energies: spent, holds } = response;
                let force: [V; D] = sub(scale(touch.normal, -push), pull);
                let (mut torque_a, mut torque_b) = ([V::all(0.0); 3], [V::all(0.0); 3]);
                if conditions.kinds.friction {
                    let turning = moment(touch.normal, pull);
                    torque_a = scale(turning, -arms[0]);
                    torque_b = scale(turning, -arms[1]);
                }
                if L::TURNS {
                    torque_a = sub(torque_a, couple);
                    torque_b = add(torque_b, couple);
                }
                let force: [_; D] = components(|k| force[k].lanes());
                let torque_a: [_; 3] = components(|k| torque_a[k].lanes());
                let torque_b: [_; 3] = components(|k| torque_b[k].lanes());
                let memory = L::Memory::lanes(&memory);
                let (lost, holds) = (spent.lost_by_lane(), holds.lanes());
                let lanes = WIDTH.min(whole - position);
                for lane in 0..WIDTH {
                    if lane >= lanes {
                        break;
                    }
                    let (a, b) = (a[lane], b[lane]);
                    // One by one, so that the sum does not depend on how contacts were shared out to the lanes.
                    energies.lost += lost[lane];
                    L::Memory::write(&memory[lane], &mut numbers[places[lane]..]);
                    if L::REACHES {
                        touching[indices[lane]] = holds[lane] > 0.5;
                    }
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
                if conditions.record {
                    let (push, later) = (push.lanes(), spent.later_by_lane());
                    for lane in (0..lanes).filter(|lane| !L::REACHES || holds[*lane] > 0.5) {
                        energies.later += later[lane];
                        part.records.push(record::<L, PERIODIC, D>(
                            (a[lane], b[lane]),
                            columns,
                            conditions,
                            (&memory[lane], later[lane].stored),
                            push[lane],
                            components(|k| force[k][lane]),
                            [components(|k| torque_a[k][lane]), components(|k| torque_b[k][lane])],
                        ));
                    }
                }
            }
            contacts.copy_within(whole..count, 0);
            left = count - whole;
            clock = clock.add_to(&mut part.force);
        }
        part.energies = energies;
        // Positions are finite, so overlaps are numbers.
        if !excess.lanes().iter().all(|excess| *excess <= 0.0) {
            part.crushed = pairs.iter().copied().find(|pair| {
                let (a, b) = (pair.a as usize, pair.b as usize);
                let apart =
                    conditions.periods.separation::<PERIODIC>(columns.position[a], columns.position[b]);
                let (ra, rb) = (columns.radius[a], columns.radius[b]);
                ra + rb - length(apart) > conditions.overlap_limit * ra.min(rb)
            });
        }
    }
}

/// What was applied to two bodies.
#[cold]
#[inline(never)]
fn record<L: Law<D>, const PERIODIC: bool, const D: usize>(
    (a, b): (usize, usize),
    columns: &View<'_, D>,
    conditions: &Conditions<'_, D>,
    (memory, stored_later): (&Of<L::Memory, f64>, f64),
    push: f64,
    force: [f64; D],
    [torque_a, torque_b]: [[f64; 3]; 2],
) -> ContactRecord<D> {
    let branch = conditions.periods.separation::<PERIODIC>(columns.position[a], columns.position[b]);
    let (ra, rb, distance) = (columns.radius[a], columns.radius[b], length(branch));
    let (overlap, normal) = (ra + rb - distance, scale(branch, 1.0 / distance));
    let coefficients = conditions.materials.of(columns.material[a], columns.material[b]);
    ContactRecord {
        a: columns.id[a],
        b: Partner::Body(columns.id[b]),
        point: add_scaled(columns.position[a], ra - 0.5 * overlap, normal),
        normal,
        branch,
        overlap,
        relative_overlap: overlap / ra.min(rb),
        push,
        force,
        torque_a,
        torque_b,
        energy: L::stored(coefficients, overlap, ra * rb / (ra + rb), memory) - stored_later,
    }
}

/// How balls meet: where and how fast, the distances of the contact points from the centres, and what they are made of.
struct Meeting<V, const D: usize> {
    touch: Touch<V, D>,
    arms: [V; 2],
    coefficients: Coefficients<V>,
}

/// How the balls of these rows meet; also raises `excess` to the largest overlap beyond the limit.
#[inline(always)]
fn meet<L: Law<D>, V: Vector, const D: usize>(
    apart: [V; D],
    a: &[usize; WIDTH],
    b: &[usize; WIDTH],
    columns: &View<'_, D>,
    conditions: &Conditions<'_, D>,
    excess: &mut V,
) -> Meeting<V, D> {
    let Conditions { materials, kinds, overlap_limit, .. } = *conditions;
    let (seen_a, seen_b) = (seen::<V, D>(columns.seen, a), seen::<V, D>(columns.seen, b));
    let (ra, rb) = (seen_a.radius, seen_b.radius);
    let (ma, mb) = (seen_a.inverse_mass, seen_b.inverse_mass);
    let distance = length(apart);
    let overlap = ra + rb - distance;
    *excess = excess.max(overlap - V::all(overlap_limit) * ra.min(rb));
    let arms = [ra - V::all(0.5) * overlap, rb - V::all(0.5) * overlap];
    let normal = scale(apart, V::all(1.0).over(distance));
    let velocity = sub(seen_a.velocity, seen_b.velocity);
    let approach = dot(velocity, normal);
    let touch = Touch {
        normal,
        overlap,
        approach,
        slip: if kinds.friction {
            let spins = add(scale(seen_a.spin, arms[0]), scale(seen_b.spin, arms[1]));
            add(add_scaled(velocity, -approach, normal), turn(spins, normal))
        } else {
            [V::all(0.0); D]
        },
        turning: if L::TURNS { sub(seen_a.spin, seen_b.spin) } else { [V::all(0.0); 3] },
        inverse_mass: ma + mb,
        inverse_inertia: if L::TURNS {
            (ma.over(ra * ra) + mb.over(rb * rb)) * V::all(1.0 / columns.inertia)
        } else {
            V::all(0.0)
        },
        reduced_radius: if L::NEEDS_RADIUS { (ra * rb).over(ra + rb) } else { V::all(0.0) },
    };
    let coefficients = if materials.len() == 1 {
        let only = materials.of(0, 0);
        Coefficients::map(|value| V::all(value(only)))
    } else {
        let of = each(|lane| materials.of(columns.material[a[lane]], columns.material[b[lane]]));
        Coefficients::map(|value| V::of(|lane| value(of[lane])))
    };
    Meeting { touch, arms, coefficients }
}

/// Vectors of these rows, one per lane, component by component.
#[inline(always)]
fn across<V: Vector, const N: usize>(column: &[[f64; N]], rows: &[usize; WIDTH]) -> [V; N] {
    V::columns(each(|lane| &column[rows[lane]]))
}

/// What [`Seen`] holds, one body per lane.
struct SeenLanes<V, const D: usize> {
    velocity: [V; D],
    inverse_mass: V,
    spin: [V; 3],
    radius: V,
}

#[inline(always)]
fn seen<V: Vector, const D: usize>(column: &[Seen<D>], rows: &[usize; WIDTH]) -> SeenLanes<V, D> {
    let records = each(|lane| &column[rows[lane]]);
    SeenLanes {
        velocity: V::columns(each(|lane| &records[lane].velocity)),
        inverse_mass: V::of(|lane| records[lane].inverse_mass),
        spin: if D == 2 {
            [V::all(0.0), V::all(0.0), V::of(|lane| records[lane].spin[2])]
        } else {
            V::columns(each(|lane| &records[lane].spin))
        },
        radius: V::of(|lane| records[lane].radius),
    }
}

/// Adds the pairs of a block that touch to the contacts, of which there are `count`, and returns how many there are then.
/// Contacts are told by the pair's index, which is `first` for the first one.
#[inline(always)]
fn find_touching<L: Law<D>, V: Vector, const PERIODIC: bool, const D: usize>(
    pairs: &[Pair],
    touching: &mut [bool],
    first: usize,
    columns: &View<'_, D>,
    conditions: &Conditions<'_, D>,
    contacts: &mut [u32; ROOM],
    mut count: usize,
) -> usize {
    let periods = &conditions.periods;
    // What a law adds to the distance at which bodies act on each other.
    let beyond = if L::REACHES { conditions.reach } else { 0.0 };
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
        let apart: [V; D] = sub(across(columns.position, &b), across(columns.position, &a));
        let apart = periods.nearest::<PERIODIC, V>(apart);
        let mut reach = V::of(|lane| columns.radius[a[lane]]) + V::of(|lane| columns.radius[b[lane]]);
        if L::REACHES {
            reach = reach + V::all(beyond);
        }
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
        let apart = periods.separation::<PERIODIC>(columns.position[a], columns.position[b]);
        let mut reach = columns.radius[a] + columns.radius[b];
        if L::REACHES {
            reach += beyond;
        }
        note(touching, dot(apart, apart) < reach * reach);
    }
    count
}
