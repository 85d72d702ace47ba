//! What contacts of stones remember from step to step.

use super::press::{Meeting, PressedRegion};
use crate::archive::{Damage, Rest, Section, Values};
use crate::convex::LinkMemory;
use crate::dem::domain::BoxImage;
use crate::dem::law::{MOST_NUMBERS, TURNING};
use crate::dem::wall::WallElement;
use crate::vector::{length, sub};

/// Who touches whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StoneKey {
    /// Id of a body; of two the smaller one.
    pub a: u64,
    /// Its piece.
    pub piece: u16,
    /// What it touches.
    pub b: StonePartner,
}

/// What a piece of a body touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StonePartner {
    /// A piece of another body.
    Body {
        /// Id of the body.
        id: u64,
        /// Its piece.
        piece: u16,
    },
    /// An element of a wall.
    Wall(WallElement),
}

/// What a contact of two pieces remembers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoneMemory<const D: usize> {
    /// The last link, of convex pieces.
    pub link: LinkMemory<D>,
    /// What the law remembers.
    pub numbers: [f64; MOST_NUMBERS],
    /// The overlap that the stored energy belongs to.
    pub overlap: f64,
    /// The radius that twisting acts on.
    pub radius: f64,
    /// Normal of the common plane; zero while there was none.
    pub plane: [f64; D],
    /// The rate at which motion stored energy.
    pub power: f64,
}

/// A common plane that turns by more than this in a step has leapt.
const LEAP: f64 = 0.002;

impl<const D: usize> Default for StoneMemory<D> {
    fn default() -> Self {
        Self {
            link: LinkMemory::default(),
            numbers: [0.0; MOST_NUMBERS],
            overlap: 0.0,
            radius: 0.0,
            plane: [0.0; D],
            power: 0.0,
        }
    }
}

/// All of them, in ascending order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StoneMemories<const D: usize>(pub Vec<(StoneKey, StoneMemory<D>)>);

impl<const D: usize> StoneMemory<D> {
    /// Numbers that are written for each.
    const WORDS: usize = LinkMemory::<D>::WORDS + MOST_NUMBERS + 3 + D;

    /// Notes the common plane of now; returns what is lost if it has leapt, from one way for two bodies to overlap to another that
    /// overlaps less. Bodies that turn by `turned` turn it by no more.
    pub(super) fn turn_plane(
        &mut self,
        normal: [f64; D],
        region: &PressedRegion<D>,
        turned: impl Fn() -> f64,
        time: f64,
        stiffness: f64,
    ) -> f64 {
        if !self.leaps_to(normal, turned) {
            return 0.0;
        }
        let stored = |overlap: f64| 0.5 * stiffness * overlap * overlap;
        stored(self.overlap) + time * self.power - stored(region.energy_overlap)
    }

    /// Notes the common plane of now; whether it has leapt, by more than bodies that turn by `turned` turn it.
    pub(super) fn leaps_to(&mut self, normal: [f64; D], turned: impl Fn() -> f64) -> bool {
        let before = std::mem::replace(&mut self.plane, normal);
        let change = length(sub(normal, before));
        change > LEAP && before != [0.0; D] && change > LEAP + turned()
    }

    /// Notes where a contact is pressed now. Springs of rolling and twisting, of a stiffness times the radius squared, keep their torque
    /// on a larger radius and their angle on a smaller one; returns what they lose. They are the last of so many numbers.
    pub(super) fn fit(&mut self, meeting: &Meeting<'_, D>, stiffness: f64, words: usize) -> f64 {
        let radius = meeting.reduced_radius.unwrap_or(meeting.region.radius);
        self.overlap = meeting.region.energy_overlap;
        let before = std::mem::replace(&mut self.radius, radius);
        // At a point they are not there.
        if before == radius || before == 0.0 {
            return 0.0;
        }
        let (ratio, mut lost) = ((before / radius) * (before / radius), 0.0);
        for spring in &mut self.numbers[words - TURNING..words] {
            let old = *spring;
            if radius > before {
                *spring *= ratio;
            }
            lost += 0.5 * stiffness * (before * before * old * old - radius * radius * *spring * *spring);
        }
        lost
    }

    fn write(&self, values: &mut Values) {
        self.link.write(values);
        values.vector(&self.numbers);
        values.number(self.overlap);
        values.number(self.radius);
        values.vector(&self.plane);
        values.number(self.power);
    }

    fn read(values: &mut Rest<'_>) -> Result<Self, Damage> {
        Ok(Self {
            link: LinkMemory::read(values)?,
            numbers: values.finite_vector()?,
            overlap: values.finite()?,
            radius: values.finite()?,
            plane: values.finite_vector()?,
            power: values.finite()?,
        })
    }
}

impl<const D: usize> StoneMemories<D> {
    /// The same with other numbers of the law for each contact.
    pub(crate) fn refitted(mut self, fit: impl Fn(&StoneKey, &[f64]) -> Vec<f64>) -> Self {
        for (key, memory) in &mut self.0 {
            let numbers = fit(key, &memory.numbers);
            memory.numbers = [0.0; MOST_NUMBERS];
            memory.numbers[..numbers.len()].copy_from_slice(&numbers);
        }
        self
    }
}

impl<const D: usize> Section for StoneMemories<D> {
    const NAME: &'static str = "stone contacts";
    const VERSION: u32 = 1;

    fn write(&self, values: &mut Values) {
        values.word(self.0.len() as u64);
        for (key, memory) in &self.0 {
            values.word(key.a);
            match key.b {
                StonePartner::Body { id, piece } => {
                    values.word(u64::from(key.piece) << 1);
                    values.word(id);
                    values.word(u64::from(piece));
                }
                StonePartner::Wall(WallElement { wall, image, element }) => {
                    values.word(u64::from(key.piece) << 1 | 1);
                    values.word(u64::from(wall) << 16 | u64::from(image.0));
                    values.word(u64::from(element));
                }
            }
            memory.write(values);
        }
    }

    fn read(values: &mut Rest<'_>, _version: u32) -> Result<Self, Damage> {
        let count = values.count(4 + StoneMemory::<D>::WORDS)?;
        let mut all = Vec::with_capacity(count);
        for _ in 0..count {
            let (a, kind) = (values.word()?, values.small::<u32>()?);
            let piece =
                u16::try_from(kind >> 1).map_err(|_| Damage::Impossible("a piece has too large a number"))?;
            let b = if kind & 1 == 0 {
                StonePartner::Body { id: values.word()?, piece: values.small()? }
            } else {
                let place = values.small::<u32>()?;
                let (wall, image) = ((place >> 16) as u16, BoxImage(place as u16));
                StonePartner::Wall(WallElement { wall, image, element: values.small()? })
            };
            all.push((StoneKey { a, piece, b }, StoneMemory::read(values)?));
        }
        if all.is_sorted_by(|one, other| one.0 < other.0) {
            Ok(Self(all))
        } else {
            Err(Damage::Impossible("contacts of stones are not in order, or one is there twice"))
        }
    }
}
