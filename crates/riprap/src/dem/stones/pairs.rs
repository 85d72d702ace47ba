//! Contacts of bodies that are not balls, with each other, with balls and with walls.
//!
//! Of the pairs near each other, hardly any that do not touch come to touch in a step: a pair apart sleeps until the paths of its two
//! bodies together exceed its gap. Which pairs are listed, and when they were last looked at, has no influence on a bit of the
//! result: a contact that begins is found anew, and one that goes on depends on its own memory, which a checkpoint has.

use std::ops::Range;
use std::time::Duration;

use super::Crushed;
use super::context::Context;
use super::forces::Pressings;
use super::memory::{StoneKey, StoneMemory, StonePartner};
use super::piece_pair::{NONE, Opposite, PiecePair, Sleep};
use super::pieces::{Encounter, Meeter, PlacedPiece};
use super::press::Rounded;
use crate::broad::trim;
use crate::convex::{ContactPoint, LinkMethod};
use crate::dem::body::Load;
use crate::dem::clock::Moment;
use crate::dem::contact::{ContactRecord, StepEnergies};
use crate::dem::pairs::Reaction;
use crate::dem::settings::StiffnessPer;
use crate::memory::prefetch;

/// A path is trusted to this share of it.
const CAUTION: f64 = 1.0 - 1e-9;

/// The pairs whose lower row a part holds, and what came of them.
pub(super) struct StonePart<const D: usize> {
    pub(super) pairs: Vec<PiecePair<D>>,
    /// How long each of them sleeps.
    sleeps: Vec<Sleep>,
    pub(super) contacts: Vec<StoneMemory<D>>,
    /// The pair of each contact.
    owners: Vec<u32>,
    pub(super) reactions: Vec<Reaction<D>>,
    pub(super) records: Vec<ContactRecord<D>>,
    pub(super) energies: StepEnergies,
    /// Work of walls on the bodies.
    pub(super) work: f64,
    /// The deepest of the contacts that overlap by more than allowed.
    pub(super) crushed: Option<Crushed>,
    pub(super) narrow: Duration,
    pub(super) force: Duration,
    pub(super) links: LinkCounts,
    meeter: Meeter<D>,
    pub(super) met: Vec<Met<D>>,
    pub(super) points: Vec<ContactPoint<D>>,
    pub(super) pressings: Pressings<D>,
}

/// How many links were sought, and how many rounds they took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LinkCounts {
    /// Links of stones that touch.
    pub links: u64,
    /// Rounds they took.
    pub iterations: u64,
    /// Those that took at most two.
    pub within_2: u64,
    /// Pairs that were looked at.
    pub looked_at: u64,
}

impl std::ops::AddAssign for LinkCounts {
    fn add_assign(&mut self, other: Self) {
        self.links += other.links;
        self.iterations += other.iterations;
        self.within_2 += other.within_2;
        self.looked_at += other.looked_at;
    }
}

/// Two pieces that touch, before their forces are worked out.
#[derive(Debug, Clone)]
pub(super) struct Met<const D: usize> {
    pub(super) pair: u32,
    pub(super) normal: [f64; D],
    /// The normal of the last step; zero if there was none.
    pub(super) normal_before: [f64; D],
    pub(super) reduced_radius: Option<f64>,
    pub(super) with_ball: bool,
    pub(super) points: Range<usize>,
    pub(super) rounded: Option<Rounded<D>>,
    /// From the centre of the first body to that of the second.
    pub(super) branch: [f64; D],
}

/// So many contacts are found before their forces are worked out, so that what is known of them is at hand.
const BLOCK: usize = 32;
/// What is known of a pair is asked for while one so many places before it is looked at.
const AHEAD: usize = 12;

impl<const D: usize> StonePart<D> {
    /// A part without pairs, whose links are found by this method.
    pub(super) fn new(link: LinkMethod) -> Self {
        Self {
            pairs: Vec::new(),
            sleeps: Vec::new(),
            contacts: Vec::new(),
            owners: Vec::new(),
            reactions: Vec::new(),
            records: Vec::new(),
            energies: StepEnergies::default(),
            work: 0.0,
            crushed: None,
            narrow: Duration::ZERO,
            force: Duration::ZERO,
            links: LinkCounts::default(),
            meeter: Meeter::new(link),
            met: Vec::new(),
            points: Vec::new(),
            pressings: Pressings::default(),
        }
    }

    /// Bytes reserved.
    pub(super) fn bytes(&self) -> usize {
        self.pairs.capacity() * size_of::<PiecePair<D>>()
            + self.sleeps.capacity() * size_of::<Sleep>()
            + self.contacts.capacity() * size_of::<StoneMemory<D>>()
            + self.contacts.iter().map(|contact| contact.still.bytes()).sum::<usize>()
            + self.owners.capacity() * size_of::<u32>()
            + self.reactions.capacity() * size_of::<Reaction<D>>()
            + self.records.capacity() * size_of::<ContactRecord<D>>()
            + self.met.capacity() * size_of::<Met<D>>()
            + self.points.capacity() * size_of::<ContactPoint<D>>()
            + self.pressings.bytes()
    }

    /// Adds a pair, with its contact if it has one.
    pub(super) fn push(&mut self, mut pair: PiecePair<D>, sleep: Sleep, contact: Option<StoneMemory<D>>) {
        pair.contact = NONE;
        if let Some(contact) = contact {
            pair.contact = self.contacts.len() as u32;
            make_room(&mut self.contacts);
            self.contacts.push(contact);
            self.owners.push(self.pairs.len() as u32);
        }
        self.pairs.push(pair);
        self.sleeps.push(sleep);
    }

    /// Gives back memory that is not needed until the next list.
    pub(super) fn trim(&mut self) {
        trim(&mut self.pairs);
        trim(&mut self.sleeps);
    }

    /// Forgets all pairs, and begins to count anew.
    pub(super) fn clear(&mut self) {
        self.take_out(|_, _, _| ());
        self.links = LinkCounts::default();
    }

    /// Takes all pairs out, with their contacts.
    pub(super) fn take_out(&mut self, mut each: impl FnMut(PiecePair<D>, Sleep, Option<StoneMemory<D>>)) {
        for (pair, sleep) in self.pairs.drain(..).zip(self.sleeps.drain(..)) {
            each(pair, sleep, self.contacts.get_mut(pair.contact as usize).map(std::mem::take));
        }
        self.contacts.clear();
        self.owners.clear();
    }

    /// The contacts by ids, in no particular order.
    pub(super) fn remembered<'a>(
        &'a self,
        ids: &'a [u64],
    ) -> impl Iterator<Item = (StoneKey, StoneMemory<D>)> + 'a {
        self.contacts().map(|(pair, contact)| {
            let partner = match pair.second {
                Opposite::Body { row, piece } => StonePartner::Body { id: ids[row as usize], piece },
                Opposite::Wall(element) => StonePartner::Wall(element),
            };
            (StoneKey { a: ids[pair.row as usize], piece: pair.piece, b: partner }, contact.clone())
        })
    }

    /// The pairs that touch, and what they remember.
    pub(super) fn contacts(&self) -> impl Iterator<Item = (&PiecePair<D>, &StoneMemory<D>)> {
        self.owners.iter().map(|&owner| &self.pairs[owner as usize]).zip(&self.contacts)
    }

    /// Adds the forces of its contacts to its bodies, the first of which is in row `first`.
    pub(super) fn apply(&mut self, context: &Context<'_, D>, first: usize, load: &mut [Load<D>]) {
        let clock = Moment::now();
        (self.narrow, self.force) = (Duration::ZERO, Duration::ZERO);
        self.energies = StepEnergies::default();
        self.reactions.clear();
        self.records.clear();
        (self.work, self.crushed) = (0.0, None);
        self.meeter.reach = context.conditions.reach;
        self.meeter.solver.facing_only = context.stiffness == StiffnessPer::Point;
        let (mut clock, mut next) = (clock, 0);
        while next < self.pairs.len() {
            next = self.meet(context, next);
            clock = clock.add_to(&mut self.narrow);
            self.press(context, first, load);
            clock = clock.add_to(&mut self.force);
        }
    }

    /// Finds out which of the pairs from this one on touch, and where, until there are enough; returns the next one to look at.
    fn meet(&mut self, context: &Context<'_, D>, from: usize) -> usize {
        let Context { columns, places, conditions, .. } = context;
        self.met.clear();
        self.points.clear();
        let longest = context.longest_path();
        for index in from..self.pairs.len() {
            if !self.sleeps[index].is_over(longest) {
                continue;
            }
            if self.met.len() == BLOCK {
                return index;
            }
            self.ask_for(context, index + AHEAD);
            let pair = &mut self.pairs[index];
            let path = context.path(pair);
            if !self.sleeps[index].is_over(path) {
                continue;
            }
            self.links.looked_at += 1;
            if pair.contact == NONE {
                self.meeter.begun = StoneMemory::default();
            }
            let normal_before =
                self.contacts.get(pair.contact as usize).map_or([0.0; D], |contact| contact.link.normal);
            let a = pair.row as usize;
            let first = PlacedPiece::new(columns, a, pair.piece, &places.rotations[a], [0.0; D]);
            let (encounter, branch) = match pair.second {
                Opposite::Body { row, piece } => {
                    let b = row as usize;
                    let branch =
                        conditions.periods.separation::<true>(columns.position[a], columns.position[b]);
                    let second = PlacedPiece::new(columns, b, piece, &places.rotations[b], branch);
                    let contact = self.contacts.get_mut(pair.contact as usize);
                    (self.meeter.meet(&first, &second, contact, &mut pair.apart), branch)
                }
                Opposite::Wall(element) => {
                    let wall = context.wall(element, columns.position[a]);
                    (self.meeter.meet_wall(&first, &wall, element.element as usize), [0.0; D])
                }
            };
            match encounter {
                Encounter::Apart(gap) => {
                    self.sleeps[index] = Sleep::until(path + CAUTION * gap);
                    if pair.contact != NONE {
                        self.part(index, context);
                    }
                }
                Encounter::Touching { normal, reduced_radius, with_ball, iterations } => {
                    if let Some(iterations) = iterations {
                        self.links += LinkCounts {
                            links: 1,
                            iterations: u64::from(iterations),
                            within_2: u64::from(iterations <= 2),
                            looked_at: 0,
                        };
                    }
                    if pair.contact == NONE {
                        self.sleeps[index] = Sleep::AWAKE;
                        pair.contact = self.contacts.len() as u32;
                        make_room(&mut self.contacts);
                        self.contacts.push(std::mem::take(&mut self.meeter.begun));
                        self.owners.push(index as u32);
                    }
                    self.contacts[pair.contact as usize].link.normal = normal;
                    let start = self.points.len();
                    self.points.extend_from_slice(&self.meeter.points);
                    let points = start..self.points.len();
                    let pair = index as u32;
                    let rounded = self.meeter.rounded.take();
                    self.met.push(Met {
                        pair,
                        normal,
                        normal_before,
                        reduced_radius,
                        with_ball,
                        points,
                        rounded,
                        branch,
                    });
                }
            }
        }
        self.pairs.len()
    }

    /// Asks the memory for what is known of a pair, if it touches.
    #[inline(always)]
    fn ask_for(&self, context: &Context<'_, D>, index: usize) {
        let Some(pair) = self.pairs.get(index).filter(|pair| pair.contact != NONE) else { return };
        prefetch(&self.contacts, pair.contact as usize);
        if let Opposite::Body { row, .. } = pair.second {
            let (row, columns) = (row as usize, &context.columns);
            prefetch(columns.position, row);
            prefetch(columns.radius, row);
            prefetch(columns.seen, row);
            prefetch(&context.places.rotations, row);
        }
    }

    /// Ends the contact of a pair: what its springs still store is lost.
    pub(super) fn part(&mut self, pair: usize, context: &Context<'_, D>) {
        let contact = std::mem::replace(&mut self.pairs[pair].contact, NONE) as usize;
        let memory = self.contacts.swap_remove(contact);
        self.owners.swap_remove(contact);
        if let Some(&moved) = self.owners.get(contact) {
            self.pairs[moved as usize].contact = contact as u32;
        }
        let with_ball = context.has_ball(&self.pairs[pair]);
        let coefficients = context.coefficients(&self.pairs[pair], with_ball);
        let law = context.laws.of_memory(with_ball);
        self.energies.lost.damping += law.left_at_end(coefficients, &memory);
    }
}

/// Room for one more. There are many contacts, and each is large: a vector that doubles would hold twice as many.
#[inline(always)]
fn make_room<T>(all: &mut Vec<T>) {
    if all.len() == all.capacity() {
        all.reserve_exact(16 + all.len() / 32);
    }
}
