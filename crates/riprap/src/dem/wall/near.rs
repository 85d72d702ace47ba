//! Which bodies are near which walls, and the memory of their contacts.

use super::contacts::FoundElement;
use super::forces::{Around, WallPart, WallPass, WallWork};
use crate::archive::{Damage, Rest, Values};
use crate::dem::body::{Bodies, Shapes};
use crate::dem::contact::store::{Kept, Remembered, Store};
use crate::dem::contact::{ContactRecord, StepEnergies, StoredEnergy};
use crate::dem::domain::{BoxImage, Jump};
use crate::dem::law::AnyLaw;
use crate::dem::parts::{for_each_part, part_rows, part_size};
use crate::vector::sub;

/// An element of a wall near a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Candidate {
    pub(crate) row: u32,
    pub(crate) wall: u16,
    pub(crate) image: BoxImage,
    pub(crate) element: u32,
}

/// An element of a wall, or of its image in a periodic box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WallElement {
    /// Index of the wall.
    pub wall: u16,
    /// Image of the wall.
    pub image: BoxImage,
    /// Element of the wall.
    pub element: u32,
}

impl<const D: usize> Around<'_, D> {
    /// Calls a function with the row of each body and each element of a wall that may come nearer to the body's centre than it reaches,
    /// in ascending order.
    pub(crate) fn near(&self, bodies: &Bodies<D>, margin: f64, mut found: impl FnMut(u32, WallElement)) {
        let periods = &self.conditions.periods;
        let (images, only_itself) = (periods.images(), [BoxImage::itself(D)]);
        let mut elements = Vec::new();
        for (row, (center, bound)) in bodies.position.iter().zip(bodies.bounds()).enumerate() {
            let reach = bound + (margin + self.conditions.reach);
            for (wall, (surface, placement)) in
                self.walls.iter().map(|wall| &wall.surface).zip(self.placements).enumerate()
            {
                if placement.gone {
                    continue;
                }
                for &image in if surface.has_ends() { &images[..] } else { &only_itself } {
                    let local = placement.to_start(sub(*center, periods.shift(image)));
                    elements.clear();
                    surface.near(local, reach, &mut elements);
                    for &element in &elements {
                        found(row as u32, WallElement { wall: wall as u16, image, element });
                    }
                }
            }
        }
    }
}

/// Id of a body in contact with a wall, and where on the wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct WallKey {
    /// Id of the body.
    pub id: u64,
    /// Index of the wall.
    pub wall: u16,
    /// Image of the wall in a periodic box.
    pub image: BoxImage,
    /// Element of the wall.
    pub element: u32,
}

/// Bodies near walls.
#[derive(Debug, Clone)]
pub(crate) struct WallList<const D: usize> {
    candidates: Vec<Candidate>,
    /// The normal, then what the law remembers.
    memory: Store,
    parts: Vec<WallPart<D>>,
}

/// What a force pass reports.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WallSums {
    pub(crate) energies: StepEnergies,
    /// Work of the walls on the bodies.
    pub(crate) work: f64,
    /// Row and wall of a body that overlaps a wall by more than allowed, and by how much.
    pub(crate) crushed: Option<(u32, u16, f64)>,
}

impl<const D: usize> WallList<D> {
    /// An empty list, for contacts that remember so many numbers beside the normal.
    pub(crate) fn new(words: usize) -> Self {
        Self { candidates: Vec::new(), memory: Store::new(D + words), parts: Vec::new() }
    }

    /// Lists the elements of walls that a body may touch before it and the wall have come nearer by `margin`. Where bodies
    /// have new rows, `new_row` tells them.
    pub(crate) fn rebuild(
        &mut self,
        bodies: &Bodies<D>,
        around: &Around<'_, D>,
        margin: f64,
        new_row: Option<&dyn Fn(u32) -> Option<u32>>,
    ) {
        let mut kept = self.memory.compact(&self.candidates);
        if let Some(new_row) = new_row {
            let renamed = |near: Candidate| Some((Candidate { row: new_row(near.row)?, ..near }, false));
            kept = kept.rename(&mut self.memory, renamed, |_| {});
        }
        self.list(bodies, around, margin, kept);
    }

    /// Lists the elements anew, with this memory of contacts, whose bodies all have rows.
    pub(crate) fn restore(
        &mut self,
        bodies: &Bodies<D>,
        around: &Around<'_, D>,
        margin: f64,
        remembered: &Remembered<WallKey>,
        row_of: impl Fn(u64) -> u32,
    ) {
        let entries = remembered.entries().map(|(key, memory)| {
            let WallKey { id, wall, image, element } = key;
            (Candidate { row: row_of(id), wall, image, element }, memory)
        });
        let kept = self.memory.fill(entries.collect());
        self.list(bodies, around, margin, kept);
    }

    /// Takes the images that bodies have near them after these jumps, of walls that do not go on for ever; returns whether there are such
    /// images. If there are not, some may have been taken, and the list must be made anew.
    pub(crate) fn follow(&mut self, jumps: &[Jump], has_ends: impl Fn(u16) -> bool) -> bool {
        for &jump in jumps {
            let start = self.candidates.partition_point(|near| near.row < jump.row);
            let of_body = self.candidates[start..].iter_mut().take_while(|near| near.row == jump.row);
            for near in of_body.filter(|near| has_ends(near.wall)) {
                let Some(image) = near.image.after(jump) else { return false };
                near.image = image;
            }
        }
        true
    }

    fn list(&mut self, bodies: &Bodies<D>, around: &Around<'_, D>, margin: f64, kept: Kept<Candidate>) {
        self.candidates.clear();
        let candidates = &mut self.candidates;
        around.near(bodies, margin, |row, WallElement { wall, image, element }| {
            if bodies.shape[row as usize] == Shapes::<D>::BALL {
                candidates.push(Candidate { row, wall, image, element });
            }
        });
        self.memory.spread(kept, &self.candidates);
        self.share_out(bodies.len());
    }

    fn share_out(&mut self, bodies: usize) {
        let mut start = 0;
        self.parts.clear();
        for rows in part_rows(bodies) {
            let end = start + self.candidates[start..].partition_point(|near| (near.row as usize) < rows.end);
            self.parts.push(WallPart::new(end - start));
            start = end;
        }
    }

    /// What all contacts remember, by id.
    pub(crate) fn remembered(&self, bodies: &Bodies<D>, passes: &dyn AnyLaw<D>) -> Remembered<WallKey> {
        let (mut keys, mut numbers) = (Vec::new(), Vec::new());
        for (Candidate { row, wall, image, element }, memory) in self.memory.entries(&self.candidates) {
            keys.push(WallKey { id: bodies.id[row as usize], wall, image, element });
            numbers.extend_from_slice(memory);
        }
        Remembered::new(D + passes.words(), &keys, &numbers)
    }

    /// Adds the forces of the walls to the bodies, and what was applied to `records` if that is asked for.
    pub(crate) fn apply(
        &mut self,
        bodies: &mut Bodies<D>,
        shapes: &Shapes<D>,
        passes: &dyn WallPass<D>,
        around: &Around<'_, D>,
        parallel: bool,
        records: &mut Vec<ContactRecord<D>>,
    ) -> WallSums {
        let size = part_size(bodies.len());
        let (columns, load) = bodies.split(shapes);
        let work = WallWork {
            size,
            first: 0,
            candidates: &self.candidates,
            slots: self.memory.slots(),
            load,
            parts: &mut self.parts,
        };
        for_each_part(work, parallel, &|work| passes.wall_forces(work, &columns, around));
        let mut sums = WallSums::default();
        for part in &mut self.parts {
            sums.energies += part.energies;
            sums.work += part.work;
            sums.crushed = sums.crushed.or(part.crushed);
            records.append(&mut part.records);
        }
        sums
    }

    /// Row, wall and overlap of each contact.
    pub(crate) fn overlaps<'a>(
        &'a self,
        bodies: &'a Bodies<D>,
        around: Around<'a, D>,
    ) -> impl Iterator<Item = (usize, usize, f64)> + 'a {
        self.memory.entries(&self.candidates).filter_map(move |(near, _)| {
            let (row, wall) = (near.row as usize, usize::from(near.wall));
            let center = sub(bodies.position[row], around.conditions.periods.shift(near.image));
            let local = around.placements[wall].to_start(center);
            let distance = around.walls[wall].surface.nearest(near.element as usize, local)?.distance;
            Some((row, wall, bodies.radius[row] - distance))
        })
    }

    /// Energy stored in the contacts with walls.
    pub(crate) fn stored(
        &self,
        bodies: &Bodies<D>,
        passes: &dyn AnyLaw<D>,
        around: &Around<'_, D>,
    ) -> StoredEnergy {
        let energy = |(near, memory): (Candidate, &[f64])| {
            let (row, wall) = (near.row as usize, usize::from(near.wall));
            let coefficients =
                around.conditions.materials.of(bodies.material[row], around.walls[wall].material);
            let center = sub(bodies.position[row], around.conditions.periods.shift(near.image));
            let local = around.placements[wall].to_start(center);
            let distance = around.walls[wall].surface.nearest(near.element as usize, local)?.distance;
            let overlap = bodies.radius[row] - distance;
            Some(passes.stored_parts(coefficients, overlap, bodies.radius[row], &memory[D..]))
        };
        self.memory.entries(&self.candidates).filter_map(energy).sum()
    }

    /// Number of contacts.
    pub(crate) fn touching(&self) -> usize {
        self.memory.touching()
    }

    /// Bytes reserved.
    pub(crate) fn bytes(&self) -> usize {
        let parts = self.parts.iter().map(|part| part.found.capacity() * size_of::<FoundElement<D>>());
        self.candidates.capacity() * size_of::<Candidate>() + self.memory.bytes() + parts.sum::<usize>()
    }
}

impl WallKey {
    pub(crate) fn read(values: &mut Rest<'_>) -> Result<Self, Damage> {
        let (id, place, element) = (values.word()?, values.small::<u32>()?, values.small()?);
        Ok(Self { id, wall: (place >> 16) as u16, image: BoxImage(place as u16), element })
    }

    pub(crate) fn write(&self, values: &mut Values) {
        values.word(self.id);
        values.word(u64::from(self.wall) << 16 | u64::from(self.image.0));
        values.word(u64::from(self.element));
    }
}
