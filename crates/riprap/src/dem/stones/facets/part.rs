//! The facets near the bodies of a part, which of them are touched, and what came of it.

use std::ops::Range;
use std::time::Duration;

use super::super::context::Context;
use super::super::memory::{StoneKey, StoneMemory, StonePartner};
use super::super::pieces::PlacedPiece;
use super::super::walls::PlacedWall;
use super::gather::Gatherer;
use super::hand_over::match_up;
use super::press::Pressure;
use crate::convex::{Body, ContactPoint, Share};
use crate::dem::body::Load;
use crate::dem::clock::Moment;
use crate::dem::contact::{ContactRecord, StepEnergies};
use crate::dem::domain::BoxImage;
use crate::dem::wall::{Candidate, Facets, FoundElement, NearBall, Surface, WallElement, find_contacts};
use crate::shape::Form;
use crate::vector::{add, add_scaled, dot, scale, sub};

/// A path is trusted to this share of it.
const CAUTION: f64 = 1.0 - 1e-9;
/// A piece whose centre is nearer to a facet's plane than this share of its radius stays on the side where it was.
const UNDECIDED: f64 = 0.25;

/// A piece of a body and the facets of a wall near it.
#[derive(Debug, Clone)]
struct NearFacets {
    row: u32,
    wall: u16,
    image: BoxImage,
    piece: u16,
    /// Among the elements of the part, and among its wakes.
    elements: Range<u32>,
    first_wake: u32,
    /// The least of its wakes.
    wake: f64,
}

impl NearFacets {
    fn order(&self) -> (u32, u16, BoxImage, u16) {
        (self.row, self.wall, self.image, self.piece)
    }
}

/// A contact of a piece with facets.
#[derive(Debug, Clone, Copy)]
pub(in crate::dem::stones) struct FacetContact<const D: usize> {
    pub(in crate::dem::stones) row: u32,
    pub(in crate::dem::stones) piece: u16,
    /// The first facet that it is with.
    pub(in crate::dem::stones) element: WallElement,
    pub(in crate::dem::stones) memory: StoneMemory<D>,
}

impl<const D: usize> FacetContact<D> {
    /// What contacts are sorted by.
    pub(in crate::dem::stones) fn order(&self) -> (u32, u16, BoxImage, u16, u32) {
        (self.row, self.element.wall, self.element.image, self.piece, self.element.element)
    }
}

/// The pieces of a part near facets.
pub(in crate::dem::stones) struct FacetPart<const D: usize> {
    near: Vec<NearFacets>,
    elements: Vec<u32>,
    /// Path from which on each facet has to be looked at again, for each piece.
    wakes: Vec<f64>,
    /// In ascending order.
    contacts: Vec<FacetContact<D>>,
    last: Vec<FacetContact<D>>,
    pub(in crate::dem::stones) records: Vec<ContactRecord<D>>,
    pub(in crate::dem::stones) energies: StepEnergies,
    /// Work of walls on the bodies.
    pub(in crate::dem::stones) work: f64,
    /// Whether a contact overlaps by more than allowed.
    pub(in crate::dem::stones) crushed: bool,
    pub(in crate::dem::stones) time: Duration,
    scratch: Scratch<D>,
}

/// Memory that is used again for every piece.
struct Scratch<const D: usize> {
    gatherer: Gatherer<D>,
    candidates: Vec<Candidate>,
    found: Vec<FoundElement<D>>,
    met: Vec<MetFacets<D>>,
    points: Vec<ContactPoint<D>>,
    remembered: Vec<(u32, StoneMemory<D>)>,
    directions: Vec<[f64; D]>,
    matched: Vec<Option<usize>>,
}

/// A piece and facets that touch, as seen from the centre of the body.
#[derive(Debug, Clone)]
pub(super) struct MetFacets<const D: usize> {
    pub(super) element: WallElement,
    /// From the piece to the wall.
    pub(super) normal: [f64; D],
    pub(super) reduced_radius: Option<f64>,
    pub(super) points: Range<usize>,
}

impl<const D: usize> Default for FacetPart<D> {
    fn default() -> Self {
        Self {
            near: Vec::new(),
            elements: Vec::new(),
            wakes: Vec::new(),
            contacts: Vec::new(),
            last: Vec::new(),
            records: Vec::new(),
            energies: StepEnergies::default(),
            work: 0.0,
            crushed: false,
            time: Duration::ZERO,
            scratch: Scratch {
                gatherer: Gatherer::default(),
                candidates: Vec::new(),
                found: Vec::new(),
                met: Vec::new(),
                points: Vec::new(),
                remembered: Vec::new(),
                directions: Vec::new(),
                matched: Vec::new(),
            },
        }
    }
}

impl<const D: usize> FacetPart<D> {
    /// Forgets which facets are near; returns the contacts.
    pub(in crate::dem::stones) fn clear(&mut self) -> std::vec::Drain<'_, FacetContact<D>> {
        self.near.clear();
        self.elements.clear();
        self.wakes.clear();
        self.contacts.drain(..)
    }

    /// Adds a facet near the pieces of a body; they come in ascending order.
    pub(in crate::dem::stones) fn push(&mut self, row: u32, pieces: Range<u16>, element: WallElement) {
        let WallElement { wall, image, element } = element;
        let end = self.elements.len() as u32 + 1;
        self.elements.push(element);
        let same = |near: &NearFacets| (near.row, near.wall, near.image) == (row, wall, image);
        if self.near.last().is_some_and(same) {
            for near in self.near.iter_mut().rev().take(pieces.len()) {
                near.elements.end = end;
            }
            return;
        }
        for piece in pieces {
            let elements = end - 1..end;
            let wake = f64::NEG_INFINITY;
            self.near.push(NearFacets { row, wall, image, piece, elements, first_wake: 0, wake });
        }
    }

    /// Makes ready for steps after all facets were added; `contacts`, in ascending order, go on.
    pub(in crate::dem::stones) fn make_ready(&mut self, contacts: &[FacetContact<D>]) {
        let mut wakes = 0;
        for near in &mut self.near {
            near.first_wake = wakes;
            wakes += near.elements.end - near.elements.start;
        }
        self.wakes.resize(wakes as usize, f64::NEG_INFINITY);
        let known = |contact: &FacetContact<D>| {
            let (row, wall, image, piece, _) = contact.order();
            self.near.binary_search_by_key(&(row, wall, image, piece), NearFacets::order).is_ok()
        };
        self.contacts.clear();
        self.contacts.extend(contacts.iter().filter(|contact| known(contact)));
    }

    /// What its contacts remember, by ids.
    pub(in crate::dem::stones) fn remembered<'a>(
        &'a self,
        ids: &'a [u64],
    ) -> impl Iterator<Item = (StoneKey, StoneMemory<D>)> + 'a {
        self.contacts.iter().map(|contact| {
            let FacetContact { row, piece, element, memory } = *contact;
            (StoneKey { a: ids[row as usize], piece, b: StonePartner::Wall(element) }, memory)
        })
    }

    pub(in crate::dem::stones) fn contacts(&self) -> &[FacetContact<D>] {
        &self.contacts
    }

    /// Bytes reserved.
    pub(in crate::dem::stones) fn bytes(&self) -> usize {
        self.near.capacity() * size_of::<NearFacets>()
            + self.elements.capacity() * size_of::<u32>()
            + self.wakes.capacity() * size_of::<f64>()
            + (self.contacts.capacity() + self.last.capacity()) * size_of::<FacetContact<D>>()
    }

    /// Adds the forces of its contacts to its bodies, the first of which is in row `first`.
    pub(in crate::dem::stones) fn apply(
        &mut self,
        context: &Context<'_, D>,
        first: usize,
        load: &mut [Load<D>],
    ) {
        let clock = Moment::now();
        self.time = Duration::ZERO;
        let Self { near, elements, wakes, contacts, last, records, scratch, .. } = self;
        records.clear();
        std::mem::swap(contacts, last);
        contacts.clear();
        let mut sums = Pressure::new(context, records);
        let mut next = 0;
        for near in near {
            let start = next;
            while last.get(next).is_some_and(|contact| contact.order() <= with_last(near.order())) {
                next += 1;
            }
            let path = context.places.paths[near.row as usize] + context.wall_path;
            if start == next && path < near.wake {
                continue;
            }
            let elements = &elements[near.elements.start as usize..near.elements.end as usize];
            let wakes = &mut wakes[near.first_wake as usize..][..elements.len()];
            scratch.remembered.clear();
            scratch
                .remembered
                .extend(last[start..next].iter().map(|contact| (contact.element.element, contact.memory)));
            near.wake = scratch.meet(context, near, elements, wakes, path);
            scratch.directions.clear();
            scratch.directions.extend(scratch.met.iter().map(|met| met.normal));
            match_up(&scratch.directions, &scratch.remembered, &mut scratch.matched);
            let row = near.row as usize;
            let begun = contacts.len();
            for (met, matched) in scratch.met.iter().zip(&scratch.matched) {
                let before = matched.map(|index| scratch.remembered[index].1);
                let points = &scratch.points[met.points.clone()];
                let (pressed, memory) = sums.press(row, met, points, before);
                load[row - first] += pressed;
                if let Some(memory) = memory {
                    contacts.push(FacetContact {
                        row: near.row,
                        piece: near.piece,
                        element: met.element,
                        memory,
                    });
                }
            }
            contacts[begun..].sort_unstable_by_key(FacetContact::order);
            for (index, (_, memory)) in scratch.remembered.iter().enumerate() {
                if !scratch.matched.contains(&Some(index)) {
                    sums.end((row, near.piece), near.wall, memory);
                }
            }
        }
        (self.energies, self.work, self.crushed) = (sums.energies, sums.work, sums.crushed);
        clock.add_to(&mut self.time);
    }
}

/// What the last of the contacts of a piece could have as its order.
fn with_last((row, wall, image, piece): (u32, u16, BoxImage, u16)) -> (u32, u16, BoxImage, u16, u32) {
    (row, wall, image, piece, u32::MAX)
}

impl<const D: usize> Scratch<D> {
    /// Finds the contacts of a piece; returns the path until which it certainly has none.
    fn meet(
        &mut self,
        context: &Context<'_, D>,
        near: &NearFacets,
        elements: &[u32],
        wakes: &mut [f64],
        path: f64,
    ) -> f64 {
        self.met.clear();
        self.points.clear();
        let row = near.row as usize;
        let rotation = &context.places.rotations[row];
        let piece = PlacedPiece::new(&context.columns, row, near.piece, rotation, [0.0; D]);
        let element = WallElement { wall: near.wall, image: near.image, element: 0 };
        let wall = context.wall(element, context.columns.position[row]);
        let Surface::Facets(facets) = &wall.wall.surface else { return f64::INFINITY };
        match piece.form {
            Form::Ball { radius } => {
                self.meet_ball(context, near, elements, (&piece, radius * piece.size));
            }
            Form::Convex(body) => {
                self.gatherer.stone.look_at(body, &piece, &wall);
                self.gatherer.clear();
                for (&facet, wake) in elements.iter().zip(&mut *wakes) {
                    if path < *wake {
                        continue;
                    }
                    *wake = match self.side(facets, facet, &wall) {
                        Ok(front) => match self.gatherer.look_at(body, facets, facet, front) {
                            Some(gap) => path + CAUTION * gap,
                            None => f64::NEG_INFINITY,
                        },
                        Err(behind) => path + CAUTION * behind,
                    };
                }
                self.meet_stone(element, (body, facets, elements), &wall);
                return wakes.iter().copied().fold(f64::INFINITY, f64::min);
            }
        }
        f64::NEG_INFINITY
    }

    /// From which side a stone sees a facet: from where its centre is, or was when the contact began. `Err` tells how far it is behind a
    /// facet that has one side only.
    fn side(&self, facets: &Facets<D>, facet: u32, wall: &PlacedWall<'_, D>) -> Result<bool, f64> {
        let facet = facet as usize;
        let (stone, normal) = (&self.gatherer.stone, facets.normal(facet));
        let height = dot(sub(stone.center, facets.corners()[facet][0]), normal);
        let mut front = height >= 0.0;
        if height.abs() < UNDECIDED * stone.radius && !self.remembered.is_empty() {
            let now = wall.placement.direction_now(normal);
            let along = self.remembered.iter().map(|(_, memory)| -dot(memory.plane, now));
            let most = along.max_by(|one, other| one.abs().total_cmp(&other.abs())).unwrap_or(0.0);
            if most.abs() > 0.7 {
                front = most > 0.0;
            }
        }
        if facets.is_one_sided() && !front { Err(height.abs()) } else { Ok(front) }
    }

    /// The contacts of a stone with the facets that were looked at.
    fn meet_stone(
        &mut self,
        element: WallElement,
        (body, facets, elements): (&Body<D>, &Facets<D>, &[u32]),
        wall: &PlacedWall<'_, D>,
    ) {
        self.gatherer.gather(body, facets, elements);
        for contact in &self.gatherer.contacts {
            let start = self.points.len();
            self.points.extend(self.gatherer.points[contact.points.clone()].iter().map(|point| {
                ContactPoint {
                    position: sub(wall.placement.to_now(point.position), wall.center),
                    depth: point.depth,
                    direction: wall.placement.direction_now(point.direction),
                    share: point.share,
                }
            }));
            self.met.push(MetFacets {
                element: WallElement { element: contact.facet, ..element },
                normal: scale(wall.placement.direction_now(contact.axis), -1.0),
                reduced_radius: None,
                points: start..self.points.len(),
            });
        }
    }

    /// The contacts of a ball, as of one that is a body of its own.
    fn meet_ball(
        &mut self,
        context: &Context<'_, D>,
        near: &NearFacets,
        elements: &[u32],
        (piece, radius): (&PlacedPiece<'_, D>, f64),
    ) {
        let NearFacets { row, wall, image, .. } = *near;
        self.candidates.clear();
        self.candidates.extend(elements.iter().map(|&element| Candidate { row, wall, image, element }));
        let around = context.around;
        let (surface, placement) = (&around.walls[usize::from(wall)], &around.placements[usize::from(wall)]);
        let center = add(context.columns.position[row as usize], piece.pose.position);
        let ball = NearBall { center, radius, reach: context.conditions.reach };
        let periods = &context.conditions.periods;
        find_contacts(&self.candidates, surface, placement, &ball, periods, &mut self.found);
        for found in &self.found {
            let normal = scale(found.near.normal, -1.0);
            let overlap = radius - found.near.distance;
            let position = add_scaled(piece.pose.position, radius - 0.5 * overlap, normal);
            let start = self.points.len();
            self.points.push(ContactPoint {
                position,
                depth: overlap,
                direction: normal,
                share: Share::WHOLE,
            });
            self.met.push(MetFacets {
                element: WallElement { wall, image, element: elements[found.candidate] },
                normal,
                reduced_radius: Some(radius),
                points: start..start + 1,
            });
        }
    }
}
