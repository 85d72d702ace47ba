//! The facets near the bodies of a part, which of them are touched, and what came of it.

use std::ops::Range;
use std::time::Duration;

use super::super::Crushed;
use super::super::context::Context;
use super::super::memory::{StoneKey, StoneMemory, StonePartner};
use super::meet::FacetMeeter;
use super::near::NearFacets;
use super::press::Pressure;
use crate::dem::body::Load;
use crate::dem::clock::Moment;
use crate::dem::contact::{ContactRecord, StepEnergies};
use crate::dem::domain::{BoxImage, Jump};
use crate::dem::wall::WallElement;

/// A contact of a piece with facets.
#[derive(Debug, Clone)]
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
    /// The deepest of the contacts that overlap by more than allowed.
    pub(in crate::dem::stones) crushed: Option<Crushed>,
    pub(in crate::dem::stones) time: Duration,
    meeter: FacetMeeter<D>,
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
            crushed: None,
            time: Duration::ZERO,
            meeter: FacetMeeter::default(),
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

    /// Takes the images that bodies have near them after these jumps; returns whether there are such images. If there are not, some may
    /// have been taken, and the list must be made anew.
    pub(in crate::dem::stones) fn follow(&mut self, jumps: &[Jump]) -> bool {
        for &jump in jumps {
            let start = self.near.partition_point(|near| near.row < jump.row);
            for near in self.near[start..].iter_mut().take_while(|near| near.row == jump.row) {
                let Some(image) = near.image.after(jump) else { return false };
                near.image = image;
            }
            let start = self.contacts.partition_point(|contact| contact.row < jump.row);
            for contact in self.contacts[start..].iter_mut().take_while(|contact| contact.row == jump.row) {
                let Some(image) = contact.element.image.after(jump) else { return false };
                contact.element.image = image;
            }
        }
        true
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
        self.contacts.extend(contacts.iter().filter(|contact| known(contact)).cloned());
    }

    /// What its contacts remember, by ids.
    pub(in crate::dem::stones) fn remembered<'a>(
        &'a self,
        ids: &'a [u64],
    ) -> impl Iterator<Item = (StoneKey, StoneMemory<D>)> + 'a {
        self.contacts.iter().map(|contact| {
            let FacetContact { row, piece, element, memory } = contact.clone();
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
        let Self { near, elements, wakes, contacts, last, records, meeter, .. } = self;
        records.clear();
        std::mem::swap(contacts, last);
        contacts.clear();
        let mut sums = Pressure::new(context, records);
        let mut next = 0;
        for near in near {
            let start = next;
            while last.get(next).is_some_and(|contact| contact.order() <= near.last_order()) {
                next += 1;
            }
            let path = context.places.paths[near.row as usize] + context.wall_path;
            if start == next && path < near.wake {
                continue;
            }
            let elements = &elements[near.elements.start as usize..near.elements.end as usize];
            let wakes = &mut wakes[near.first_wake as usize..][..elements.len()];
            let memories = last[start..next].iter().map(|contact| contact.memory.clone());
            near.wake = meeter.meet(context, near, (elements, wakes), path, memories);
            let (row, begun) = (near.row as usize, contacts.len());
            for (met, points, before) in meeter.contacts() {
                let (pressed, memory) = sums.press(row, met, points, before);
                load[row - first] += pressed;
                contacts.extend(memory.map(|memory| FacetContact {
                    row: near.row,
                    piece: near.piece,
                    element: met.element,
                    memory,
                }));
            }
            contacts[begun..].sort_unstable_by_key(FacetContact::order);
            for memory in meeter.ended() {
                sums.end((row, near.piece), near.wall, memory);
            }
        }
        (self.energies, self.work, self.crushed) = (sums.energies, sums.work, sums.crushed);
        clock.add_to(&mut self.time);
    }
}
