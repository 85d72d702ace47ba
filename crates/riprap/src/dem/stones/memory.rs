//! What contacts of stones remember from step to step.

use super::press::{Meeting, PressedRegion};
use crate::archive::{Damage, Rest, Section, Values};
use crate::convex::{LinkMemory, StillPoints};
use crate::dem::domain::BoxImage;
use crate::dem::law::{MOST_NUMBERS, TURNING};
use crate::dem::wall::WallElement;
use crate::vector::{dot, sub};

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
#[derive(Debug, Clone, PartialEq)]
pub struct StoneMemory<const D: usize> {
    /// The last link, of convex pieces; of others the normal alone. It is zero while there was none.
    pub link: LinkMemory<D>,
    /// The points at which two convex pieces keep still on each other.
    pub still: StillPoints,
    /// What the law remembers.
    pub numbers: [f64; MOST_NUMBERS],
    /// The overlap that the stored energy belongs to.
    pub overlap: f64,
    /// The radius that twisting acts on.
    pub radius: f64,
    /// The rate at which motion stored energy.
    pub power: f32,
}

/// A common plane that turns by more than this in a step has leapt.
const LEAP: f64 = 0.002;

impl<const D: usize> Default for StoneMemory<D> {
    fn default() -> Self {
        Self {
            link: LinkMemory::default(),
            still: StillPoints::default(),
            numbers: [0.0; MOST_NUMBERS],
            overlap: 0.0,
            radius: 0.0,
            power: 0.0,
        }
    }
}

/// All of them, in ascending order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StoneMemories<const D: usize>(pub Vec<(StoneKey, StoneMemory<D>)>);

impl<const D: usize> StoneMemory<D> {
    /// Numbers that are written for each at least.
    const WORDS: usize = LinkMemory::<D>::WORDS + MOST_NUMBERS + 3;

    /// What is lost if the common plane has leapt from the one of this normal, from one way for two bodies to overlap to another that
    /// overlaps less. Bodies that turn by `turned` turn it by no more.
    pub(super) fn lost_in_leap(
        &self,
        before: [f64; D],
        region: &PressedRegion<D>,
        turned: impl Fn() -> f64,
        time: f64,
        stiffness: f64,
    ) -> f64 {
        if !leaps([before, self.link.normal], turned) {
            return 0.0;
        }
        let stored = |overlap: f64| 0.5 * stiffness * overlap * overlap;
        stored(self.overlap) + time * f64::from(self.power) - stored(region.energy_overlap)
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
        values.number(f64::from(self.power));
        self.still.write(values);
    }

    fn read(values: &mut Rest<'_>, version: u32) -> Result<Self, Damage> {
        let (mut link, numbers) = (LinkMemory::read(values)?, values.finite_vector()?);
        if version < 2 {
            // There was room for two more numbers, which no law had.
            values.finite_vector::<2>()?;
        }
        let (overlap, radius) = (values.finite()?, values.finite()?);
        if version < 2 {
            link.normal = values.finite_vector()?;
        }
        let power = values.finite()? as f32;
        // Points that are not known are found.
        let still = if version < 2 { StillPoints::default() } else { StillPoints::read(values)? };
        Ok(Self { link, still, numbers, overlap, radius, power })
    }
}

/// Whether a common plane has leapt, from one normal to another, by more than bodies that turn by `turned` turn it.
pub(super) fn leaps<const D: usize>([before, now]: [[f64; D]; 2], turned: impl Fn() -> f64) -> bool {
    let change = sub(now, before);
    let square = dot(change, change);
    square > LEAP * LEAP && before != [0.0; D] && square.sqrt() > LEAP + turned()
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
    const VERSION: u32 = 2;

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

    fn read(values: &mut Rest<'_>, version: u32) -> Result<Self, Damage> {
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
            all.push((StoneKey { a, piece, b }, StoneMemory::read(values, version)?));
        }
        if all.is_sorted_by(|one, other| one.0 < other.0) {
            Ok(Self(all))
        } else {
            Err(Damage::Impossible("contacts of stones are not in order, or one is there twice"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// There are some for every stone.
    #[test]
    fn contacts_are_small() {
        assert!(size_of::<StoneMemory<3>>() <= 256, "{}", size_of::<StoneMemory<3>>());
    }
}
