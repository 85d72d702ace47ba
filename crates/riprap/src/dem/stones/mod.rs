//! Contacts of bodies that are not balls: stones, concave bodies and clumps, with each other and with balls.
//!
//! ```text
//! listed pairs ─▶ pieces ─▶ asleep? ─▶ link or nearest point ─▶ points with depths ─▶ Touch ─▶ law ─▶ loads, ContactRecord
//!                             pairs.rs            pieces.rs           press.rs
//! ```

mod clearance;
mod context;
mod facets;
mod forces;
mod mean_distance;
mod memory;
mod pairs;
mod piece_pair;
mod pieces;
mod places;
mod press;
mod walls;

use std::time::Duration;

pub use memory::{StoneKey, StoneMemories, StoneMemory, StonePartner};
pub use pairs::LinkCounts;

use super::body::{Bodies, Load, Shapes};
use super::contact::{ContactRecord, StepEnergies, StoredEnergy};
use super::domain::Jump;
use super::parts::{Split, for_each_part, part_rows, part_size};
use super::settings::StiffnessPer;
use super::wall::Around;
use crate::broad::Pair;
use crate::convex::LinkMethod;
pub(crate) use clearance::{Clearance, PlacedBody};
use context::{Context, coefficients, has_ball};
pub(crate) use context::{StoneLaw, StoneLaws};
use facets::{FacetContact, FacetPart};
use pairs::StonePart;
pub(crate) use piece_pair::Opposite;
use piece_pair::{NONE, PiecePair, Sleep};
use places::Places;

/// Pairs of bodies near each other of which at least one is not a ball, and what their contacts remember.
pub(crate) struct StoneList<const D: usize> {
    link: LinkMethod,
    stiffness: StiffnessPer,
    places: Places<D>,
    parts: Vec<StonePart<D>>,
    /// What is near walls of facets, in the same parts.
    facets: Vec<FacetPart<D>>,
    /// Links sought before the list was last made.
    links: LinkCounts,
}

/// What the parts write.
struct StoneWork<'a, const D: usize> {
    size: usize,
    first: usize,
    load: &'a mut [Load<D>],
    parts: &'a mut [StonePart<D>],
    facets: &'a mut [FacetPart<D>],
}

impl<const D: usize> Split for StoneWork<'_, D> {
    fn parts(&self) -> usize {
        self.parts.len()
    }

    fn split(self, parts: usize) -> (Self, Self) {
        let (size, first, rows) = (self.size, self.first, parts * self.size);
        let (load, load_) = self.load.split_at_mut(rows);
        let (facets, facets_) = self.facets.split_at_mut(parts);
        let (parts, parts_) = self.parts.split_at_mut(parts);
        (
            Self { size, first, load, parts, facets },
            Self { size, first: first + rows, load: load_, parts: parts_, facets: facets_ },
        )
    }
}

/// What a force pass over stones reports.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StoneSums {
    pub(crate) energies: StepEnergies,
    /// Work of walls on the bodies.
    pub(crate) work: f64,
    /// The deepest of the contacts that overlap by more than allowed.
    pub(crate) crushed: Option<Crushed>,
    pub(crate) narrow: Duration,
    pub(crate) force: Duration,
}

/// A contact that overlaps by more than allowed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crushed {
    /// Row of its body.
    pub(crate) row: u32,
    pub(crate) opposite: Opposite,
    /// Depth of its deepest point.
    pub(crate) depth: f64,
    /// The same over the smaller radius.
    pub(crate) relative: f64,
}

impl Crushed {
    /// The deeper of two, the first of those that are as deep.
    pub(crate) fn deeper(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(first), Some(second)) if second.relative > first.relative => other,
            (None, _) => other,
            _ => one,
        }
    }
}

/// Pairs and their contacts, between two lists.
struct Kept<const D: usize> {
    pairs: Vec<(PiecePair<D>, Sleep)>,
    contacts: Vec<StoneMemory<D>>,
    on_facets: Vec<FacetContact<D>>,
}

impl<const D: usize> Default for Kept<D> {
    fn default() -> Self {
        Self { pairs: Vec::new(), contacts: Vec::new(), on_facets: Vec::new() }
    }
}

impl<const D: usize> Kept<D> {
    fn push(&mut self, mut pair: PiecePair<D>, sleep: Sleep, contact: Option<StoneMemory<D>>) {
        pair.contact = if contact.is_some() { self.contacts.len() as u32 } else { NONE };
        self.contacts.extend(contact);
        self.pairs.push((pair, sleep));
    }
}

impl<const D: usize> StoneList<D> {
    /// An empty list.
    pub(crate) fn new(link: LinkMethod, stiffness: StiffnessPer) -> Self {
        Self {
            link,
            stiffness,
            places: Places::default(),
            parts: Vec::new(),
            facets: Vec::new(),
            links: LinkCounts::default(),
        }
    }

    /// Notes how far bodies have come in a step.
    pub(crate) fn note_motion(&mut self, bodies: &Bodies<D>, shapes: &Shapes<D>, step: f64) {
        self.places.note_motion(bodies, shapes, step);
    }

    /// See [`FacetPart::follow`].
    pub(crate) fn follow(&mut self, jumps: &[Jump]) -> bool {
        self.facets.iter_mut().all(|part| part.follow(jumps))
    }

    /// Makes the list one of these pairs, in ascending order, and of what is near the walls. Where bodies have new rows, `new_row` tells
    /// them.
    pub(crate) fn rebuild(
        &mut self,
        pairs: &[Pair],
        bodies: &Bodies<D>,
        shapes: &Shapes<D>,
        (around, margin): (&Around<'_, D>, f64),
        new_row: Option<&dyn Fn(u32) -> Option<u32>>,
    ) {
        let mut kept = Kept::default();
        let places = &self.places;
        for part in &mut self.parts {
            part.take_out(|pair, sleep, contact| {
                let sleep = match pair.second {
                    Opposite::Body { row, .. } => sleep.counted_from(places.path([pair.row, row])),
                    // Walls are listed anew when they have moved.
                    Opposite::Wall(_) => Sleep::AWAKE,
                };
                if let Some(pair) = new_row.map_or(Some(pair), |new_row| pair.renamed(new_row)) {
                    kept.push(pair, sleep, contact);
                }
            });
        }
        let row_now = |row: u32| new_row.map_or(Some(row), |new_row| new_row(row));
        for part in &mut self.facets {
            let known = part.clear().filter_map(|contact| Some((row_now(contact.row)?, contact)));
            kept.on_facets.extend(known.map(|(row, contact)| FacetContact { row, ..contact }));
        }
        self.fill(pairs, bodies, shapes, (around, margin), kept);
    }

    /// Fills the list; what was kept goes on as it was.
    fn fill(
        &mut self,
        pairs: &[Pair],
        bodies: &Bodies<D>,
        shapes: &Shapes<D>,
        (around, margin): (&Around<'_, D>, f64),
        mut kept: Kept<D>,
    ) {
        kept.pairs.sort_unstable_by_key(|(pair, _)| pair.order());
        kept.on_facets.sort_by_key(FacetContact::order);
        self.places.start_again(bodies.len());
        self.links = self.links();
        self.parts.iter_mut().for_each(StonePart::clear);
        self.parts.resize_with(part_rows(bodies.len()).count(), || StonePart::new(self.link));
        self.facets.resize_with(self.parts.len(), FacetPart::default);
        let size = part_size(bodies.len());
        let mut next = 0;
        let mut push = |lower: u32, pair: PiecePair<D>| {
            while kept.pairs.get(next).is_some_and(|(old, _)| old.order() < pair.order()) {
                next += 1;
            }
            let same = kept.pairs.get(next).filter(|(old, _)| old.order() == pair.order()).copied();
            let contact =
                same.and_then(|(old, _)| kept.contacts.get_mut(old.contact as usize)).map(std::mem::take);
            let (pair, sleep) = same.unwrap_or((pair, Sleep::AWAKE));
            self.parts[lower as usize / size].push(pair, sleep, contact);
        };
        let pieces = |row: u32| 0..shapes.get(bodies.shape[row as usize]).pieces.len() as u16;
        for &Pair { a, b } in pairs {
            let [first, second] = if bodies.id[a as usize] < bodies.id[b as usize] { [a, b] } else { [b, a] };
            for i in pieces(first) {
                for piece in pieces(second) {
                    push(a, PiecePair::new(first, i, Opposite::Body { row: second, piece }));
                }
            }
        }
        around.near(bodies, margin, |row, element| {
            if bodies.shape[row as usize] == Shapes::<D>::BALL {
                return;
            }
            if around.walls[usize::from(element.wall)].surface.has_ends() {
                self.facets[row as usize / size].push(row, pieces(row), element);
                return;
            }
            for piece in pieces(row) {
                push(row, PiecePair::new(row, piece, Opposite::Wall(element)));
            }
        });
        self.parts.iter_mut().for_each(StonePart::trim);
        for (part, facets) in self.facets.iter_mut().enumerate() {
            let row = |contact: &FacetContact<D>| contact.row as usize;
            let from = kept.on_facets.partition_point(|contact| row(contact) < part * size);
            let to = kept.on_facets.partition_point(|contact| row(contact) < (part + 1) * size);
            facets.make_ready(&kept.on_facets[from..to]);
        }
    }

    /// Makes the list one of these pairs, with this memory of contacts, whose bodies all have rows.
    pub(crate) fn restore(
        &mut self,
        pairs: &[Pair],
        bodies: &Bodies<D>,
        shapes: &Shapes<D>,
        around: (&Around<'_, D>, f64),
        memories: &StoneMemories<D>,
        row_of: impl Fn(u64) -> u32,
    ) {
        let mut kept = Kept::default();
        for (key, memory) in &memories.0 {
            let (row, piece, memory) = (row_of(key.a), key.piece, memory.clone());
            let second = match key.b {
                StonePartner::Body { id, piece } => Opposite::Body { row: row_of(id), piece },
                StonePartner::Wall(element) => Opposite::Wall(element),
            };
            match second {
                Opposite::Wall(element) if around.0.walls[usize::from(element.wall)].surface.has_ends() => {
                    kept.on_facets.push(FacetContact { row, piece, element, memory });
                }
                _ => kept.push(PiecePair::new(row, piece, second), Sleep::AWAKE, Some(memory)),
            }
        }
        self.facets.iter_mut().for_each(|part| drop(part.clear()));
        self.fill(pairs, bodies, shapes, around, kept);
    }

    /// What all contacts remember.
    pub(crate) fn remembered(&self, bodies: &Bodies<D>) -> StoneMemories<D> {
        let mut all: Vec<_> = self.parts.iter().flat_map(|part| part.remembered(&bodies.id)).collect();
        all.extend(self.facets.iter().flat_map(|part| part.remembered(&bodies.id)));
        all.sort_unstable_by_key(|(key, _)| *key);
        StoneMemories(all)
    }

    /// Adds the forces of all contacts to the bodies, and what was applied to `records` if that is asked for.
    pub(crate) fn apply(
        &mut self,
        bodies: &mut Bodies<D>,
        shapes: &Shapes<D>,
        laws: StoneLaws<'_, D>,
        (around, wall_path): (&Around<'_, D>, f64),
        parallel: bool,
        records: &mut Vec<ContactRecord<D>>,
    ) -> StoneSums {
        self.places.update(bodies, parallel);
        let size = part_size(bodies.len());
        let (columns, load) = bodies.split(shapes);
        let context = Context {
            columns,
            places: &self.places,
            around,
            conditions: &around.conditions,
            wall_path,
            laws,
            stiffness: self.stiffness,
        };
        let work = StoneWork { size, first: 0, load, parts: &mut self.parts, facets: &mut self.facets };
        for_each_part(work, parallel, &|work| {
            work.parts[0].apply(&context, work.first, work.load);
            work.facets[0].apply(&context, work.first, work.load);
        });
        let mut sums = StoneSums::default();
        for part in &mut self.parts {
            for reaction in &part.reactions {
                bodies.load[reaction.row as usize] += reaction.load;
            }
            // Asked for once in many steps: not worth keeping the memory.
            records.append(&mut std::mem::take(&mut part.records));
            sums.energies += part.energies;
            sums.work += part.work;
            sums.crushed = Crushed::deeper(sums.crushed, part.crushed);
            sums.narrow += part.narrow;
            sums.force += part.force;
        }
        for part in &mut self.facets {
            records.append(&mut part.records);
            sums.energies += part.energies;
            sums.work += part.work;
            sums.crushed = Crushed::deeper(sums.crushed, part.crushed);
            sums.narrow += part.time;
        }
        sums
    }

    /// Energy stored in the contacts.
    pub(crate) fn stored(
        &self,
        bodies: &Bodies<D>,
        shapes: &Shapes<D>,
        laws: &StoneLaws<'_, D>,
        around: &Around<'_, D>,
    ) -> StoredEnergy {
        self.energies(bodies, shapes, laws, around).map(|(_, energy)| energy).sum()
    }

    /// Energy stored in the contacts with walls, added up in the order of their keys.
    pub(crate) fn stored_in_walls(
        &self,
        bodies: &Bodies<D>,
        shapes: &Shapes<D>,
        laws: &StoneLaws<'_, D>,
        around: &Around<'_, D>,
    ) -> StoredEnergy {
        let of_walls = self.energies(bodies, shapes, laws, around).filter_map(|(contact, energy)| {
            let ((row, piece), Opposite::Wall(element)) = contact else { return None };
            Some(((bodies.id[row as usize], piece, element), energy))
        });
        let mut energies: Vec<_> = of_walls.collect();
        energies.sort_by_key(|(key, _)| *key);
        energies.into_iter().map(|(_, energy)| energy).sum()
    }

    /// Energy stored in each contact of a row and a piece of its body.
    fn energies(
        &self,
        bodies: &Bodies<D>,
        shapes: &Shapes<D>,
        laws: &StoneLaws<'_, D>,
        around: &Around<'_, D>,
    ) -> impl Iterator<Item = (((u32, u16), Opposite), StoredEnergy)> {
        let material = |row: u32| bodies.material[row as usize];
        let energy = move |(of, opposite, memory): ((u32, u16), Opposite, &StoneMemory<D>)| {
            let other = match opposite {
                Opposite::Body { row, .. } => material(row),
                Opposite::Wall(element) => around.walls[usize::from(element.wall)].material,
            };
            let with_ball = has_ball(shapes, &bodies.shape, of, opposite);
            let coefficients = coefficients(around.conditions.materials, [material(of.0), other], with_ball);
            let law = laws.of_memory(with_ball).law;
            let stored = law.stored_parts(coefficients, memory.overlap, memory.radius, &memory.numbers);
            ((of, opposite), stored)
        };
        self.contacts().map(energy)
    }

    /// All contacts: a row and a piece of its body, what they touch, and what they remember.
    fn contacts(&self) -> impl Iterator<Item = ((u32, u16), Opposite, &StoneMemory<D>)> {
        let pairs = self.parts.iter().flat_map(StonePart::contacts);
        let pairs = pairs.map(|(pair, memory)| ((pair.row, pair.piece), pair.second, memory));
        let facets = self.facets.iter().flat_map(FacetPart::contacts);
        let of = |contact: &FacetContact<D>| (contact.row, contact.piece);
        let facets =
            facets.map(move |contact| (of(contact), Opposite::Wall(contact.element), &contact.memory));
        pairs.chain(facets)
    }

    /// Number of contacts between bodies, and of those with walls.
    pub(crate) fn touching(&self) -> (usize, usize) {
        self.contacts().fold((0, 0), |(pairs, walls), (_, opposite, _)| match opposite {
            Opposite::Body { .. } => (pairs + 1, walls),
            Opposite::Wall(_) => (pairs, walls + 1),
        })
    }

    /// Pairs of pieces that are near each other, or near a wall.
    pub(crate) fn listed(&self) -> usize {
        self.parts.iter().map(|part| part.pairs.len()).sum()
    }

    /// Links sought so far.
    pub(crate) fn links(&self) -> LinkCounts {
        let mut sum = self.links;
        for part in &self.parts {
            sum += part.links;
        }
        sum
    }

    /// Bytes reserved.
    pub(crate) fn bytes(&self) -> usize {
        let facets = self.facets.iter().map(FacetPart::bytes).sum::<usize>();
        self.parts.iter().map(StonePart::bytes).sum::<usize>() + facets + self.places.bytes()
    }
}
