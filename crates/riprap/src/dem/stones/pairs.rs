//! Contacts of bodies that are not balls, with each other, with balls and with walls.
//!
//! Of the pairs near each other, hardly any that do not touch come to touch in a step: a pair apart sleeps until the paths of its two
//! bodies together exceed its gap. Which pairs are listed, and when they were last looked at, has no influence on a bit of the
//! result: a contact that begins is found anew, and one that goes on depends on its own memory, which a checkpoint has.

use std::ops::Range;
use std::time::Duration;

use super::context::{Context, member};
use super::memory::{StoneKey, StoneMemory, StonePartner};
use super::piece_pair::{NONE, Opposite, PiecePair};
use super::pieces::{Encounter, Meeter, PlacedPiece};
use super::press::{Meeting, Pressed, PressedRegion, Pressing};
use crate::broad::trim;
use crate::convex::{ContactPoint, LinkMemory, LinkMethod};
use crate::dem::body::Load;
use crate::dem::clock::Moment;
use crate::dem::contact::{ContactRecord, Partner, StepEnergies};
use crate::dem::pairs::Reaction;
use crate::dem::settings::StiffnessPer;
use crate::dem::spin::moment;
use crate::vector::{add, dot, length, scale, sub};

/// A path is trusted to this share of it.
const CAUTION: f64 = 1.0 - 1e-9;

/// The pairs whose lower row a part holds, and what came of them.
pub(super) struct StonePart<const D: usize> {
    pub(super) pairs: Vec<PiecePair<D>>,
    pub(super) contacts: Vec<StoneMemory<D>>,
    /// The pair of each contact.
    owners: Vec<u32>,
    pub(super) reactions: Vec<Reaction<D>>,
    pub(super) records: Vec<ContactRecord<D>>,
    pub(super) energies: StepEnergies,
    /// Work of walls on the bodies.
    pub(super) work: f64,
    /// Whether a contact overlaps by more than allowed.
    pub(super) crushed: bool,
    pub(super) narrow: Duration,
    pub(super) force: Duration,
    pub(super) links: LinkCounts,
    meeter: Meeter<D>,
    met: Vec<Met<D>>,
    points: Vec<ContactPoint<D>>,
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
struct Met<const D: usize> {
    pair: u32,
    normal: [f64; D],
    reduced_radius: Option<f64>,
    with_ball: bool,
    points: Range<usize>,
    /// From the centre of the first body to that of the second.
    branch: [f64; D],
}

/// So many contacts are found before their forces are worked out, so that what is known of them is at hand.
const BLOCK: usize = 32;

impl<const D: usize> StonePart<D> {
    /// A part without pairs, whose links are found by this method.
    pub(super) fn new(link: LinkMethod) -> Self {
        Self {
            pairs: Vec::new(),
            contacts: Vec::new(),
            owners: Vec::new(),
            reactions: Vec::new(),
            records: Vec::new(),
            energies: StepEnergies::default(),
            work: 0.0,
            crushed: false,
            narrow: Duration::ZERO,
            force: Duration::ZERO,
            links: LinkCounts::default(),
            meeter: Meeter::new(link),
            met: Vec::new(),
            points: Vec::new(),
        }
    }

    /// Bytes reserved.
    pub(super) fn bytes(&self) -> usize {
        self.pairs.capacity() * size_of::<PiecePair<D>>()
            + self.contacts.capacity() * size_of::<StoneMemory<D>>()
            + self.owners.capacity() * size_of::<u32>()
            + self.reactions.capacity() * size_of::<Reaction<D>>()
            + self.records.capacity() * size_of::<ContactRecord<D>>()
            + self.met.capacity() * size_of::<Met<D>>()
            + self.points.capacity() * size_of::<ContactPoint<D>>()
    }

    /// Adds a pair, with its contact if it has one.
    pub(super) fn push(&mut self, mut pair: PiecePair<D>, contact: Option<StoneMemory<D>>) {
        pair.contact = NONE;
        if let Some(contact) = contact {
            pair.contact = self.contacts.len() as u32;
            make_room(&mut self.contacts);
            self.contacts.push(contact);
            self.owners.push(self.pairs.len() as u32);
        }
        self.pairs.push(pair);
    }

    /// Gives back memory that is not needed until the next list.
    pub(super) fn trim(&mut self) {
        trim(&mut self.pairs);
    }

    /// Forgets all pairs, and begins to count anew.
    pub(super) fn clear(&mut self) {
        self.take_out(|_, _| ());
        self.links = LinkCounts::default();
    }

    /// Takes all pairs out, with their contacts.
    pub(super) fn take_out(&mut self, mut each: impl FnMut(PiecePair<D>, Option<StoneMemory<D>>)) {
        for pair in self.pairs.drain(..) {
            each(pair, self.contacts.get(pair.contact as usize).copied());
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
            (StoneKey { a: ids[pair.row as usize], piece: pair.piece, b: partner }, *contact)
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
        (self.work, self.crushed) = (0.0, false);
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
        for index in from..self.pairs.len() {
            if self.met.len() == BLOCK {
                return index;
            }
            let pair = &mut self.pairs[index];
            let path = context.path(pair);
            if pair.contact == NONE && !pair.is_awake(path) {
                continue;
            }
            self.links.looked_at += 1;
            if pair.contact == NONE {
                self.meeter.begun = LinkMemory::default();
            }
            let a = pair.row as usize;
            let first = PlacedPiece::new(columns, a, pair.piece, &places.rotations[a], [0.0; D]);
            let (encounter, branch) = match pair.second {
                Opposite::Body { row, piece } => {
                    let b = row as usize;
                    let branch =
                        conditions.periods.separation::<true>(columns.position[a], columns.position[b]);
                    let second = PlacedPiece::new(columns, b, piece, &places.rotations[b], branch);
                    let contact =
                        self.contacts.get_mut(pair.contact as usize).map(|contact| &mut contact.link);
                    (self.meeter.meet(&first, &second, contact, &mut pair.apart), branch)
                }
                Opposite::Wall(element) => {
                    let wall = context.wall(element, columns.position[a]);
                    (self.meeter.meet_wall(&first, &wall, element.element as usize), [0.0; D])
                }
            };
            match encounter {
                Encounter::Apart(gap) => {
                    pair.sleep_until(path + CAUTION * gap);
                    if pair.contact != NONE {
                        self.part(index, context);
                    }
                }
                Encounter::Touching { normal, reduced_radius, with_ball, iterations } => {
                    if reduced_radius.is_none() {
                        self.links += LinkCounts {
                            links: 1,
                            iterations: u64::from(iterations),
                            within_2: u64::from(iterations <= 2),
                            looked_at: 0,
                        };
                    }
                    if pair.contact == NONE {
                        pair.contact = self.contacts.len() as u32;
                        make_room(&mut self.contacts);
                        self.contacts.push(StoneMemory { link: self.meeter.begun, ..StoneMemory::default() });
                        self.owners.push(index as u32);
                    }
                    let start = self.points.len();
                    self.points.extend_from_slice(&self.meeter.points);
                    let points = start..self.points.len();
                    let pair = index as u32;
                    self.met.push(Met { pair, normal, reduced_radius, with_ball, points, branch });
                }
            }
        }
        self.pairs.len()
    }

    /// Ends the contact of a pair: what its springs still store is lost.
    fn part(&mut self, pair: usize, context: &Context<'_, D>) {
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

    /// Works out the forces of the contacts that were found.
    fn press(&mut self, context: &Context<'_, D>, first: usize, load: &mut [Load<D>]) {
        let Context { columns, places, conditions, laws, stiffness, .. } = context;
        let mut ended = Vec::new();
        let met = std::mem::take(&mut self.met);
        for Met { pair: index, normal, reduced_radius, with_ball, points, branch } in &met {
            let pair = self.pairs[*index as usize];
            let a = pair.row as usize;
            let coefficients = context.coefficients(&pair, *with_ball);
            let points = &self.points[points.clone()];
            let region = PressedRegion::new(points, *normal, *stiffness);
            let deepest = points.iter().map(|point| point.depth).fold(f64::NEG_INFINITY, f64::max);
            let (opposite, smaller) = match pair.second {
                Opposite::Body { row, .. } => {
                    let b = row as usize;
                    (member(columns, places, b, *branch), columns.radius[a].min(columns.radius[b]))
                }
                Opposite::Wall(element) => {
                    (context.member_wall(element, columns.position[a]), columns.radius[a])
                }
            };
            if deepest > conditions.overlap_limit * smaller {
                self.crushed = true;
            }
            let first_member = member(columns, places, a, [0.0; D]);
            let (reduced_radius, with_ball) = (*reduced_radius, *with_ball);
            let meeting = Meeting { region, points, reduced_radius, with_ball };
            let memory = &mut self.contacts[pair.contact as usize];
            let span = &conditions.span;
            let members = [&first_member, &opposite];
            if reduced_radius.is_none() {
                let turned =
                    || members.map(|member| length(member.spin)).iter().sum::<f64>() * span.since_last();
                self.energies.lost.damping +=
                    memory.turn_plane(*normal, &region, turned, span.since_last(), coefficients.normal);
            }
            self.energies.lost.rolling += memory.fit(&meeting, coefficients.tangential, laws.flat.words);
            let law = meeting.law(laws);
            memory.numbers[law.words..].fill(0.0);
            let pressing = Pressing { law, kinds: conditions.kinds, span: *span };
            let pressed = pressing.respond(&meeting, members, coefficients, &mut memory.numbers);
            let Pressed { push, force, couple, energies, holds, power } = pressed;
            memory.power = power;
            self.energies += energies;
            let torque_a = add(couple, moment(region.center, force));
            let mut torque_b = sub(scale(couple, -1.0), moment(sub(region.center, *branch), force));
            if a.wrapping_sub(first) < load.len() {
                load[a - first] += Load { force, torque: torque_a };
            } else {
                self.reactions.push(Reaction { row: pair.row, load: Load { force, torque: torque_a } });
            }
            let partner = match pair.second {
                Opposite::Body { row, .. } => {
                    let reaction = Load { force: scale(force, -1.0), torque: torque_b };
                    match load.get_mut((row as usize).wrapping_sub(first)) {
                        Some(load) => *load += reaction,
                        None => self.reactions.push(Reaction { row, load: reaction }),
                    }
                    Partner::Body(columns.id[row as usize])
                }
                Opposite::Wall(element) => {
                    let surface = opposite.velocity_at(region.center);
                    let power = dot(force, surface) + dot(couple, opposite.spin);
                    self.work += power * conditions.span.whole();
                    let middle = context.middle(element, columns.position[a]);
                    torque_b = sub(scale(couple, -1.0), moment(sub(region.center, middle), force));
                    Partner::Wall(element.wall)
                }
            };
            if !holds {
                ended.push(*index as usize);
            } else if conditions.record {
                let law = laws.of_memory(with_ball).law;
                let stored = law.stored(coefficients, memory.overlap, memory.radius, &memory.numbers);
                let branch = if let Partner::Wall(_) = partner { region.center } else { *branch };
                self.records.push(ContactRecord {
                    a: columns.id[a],
                    b: partner,
                    point: add(columns.position[a], region.center),
                    normal: region.normal,
                    branch,
                    overlap: deepest,
                    relative_overlap: deepest / smaller,
                    push,
                    force,
                    torque_a,
                    torque_b,
                    energy: stored - energies.later.stored,
                });
            }
        }
        for pair in ended {
            self.part(pair, context);
        }
        self.met = met;
    }
}

/// Room for one more. There are many contacts, and each is large: a vector that doubles would hold twice as many.
#[inline(always)]
fn make_room<T>(all: &mut Vec<T>) {
    if all.len() == all.capacity() {
        all.reserve_exact(16 + all.len() / 8);
    }
}
