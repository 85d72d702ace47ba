//! What is kept of a link for the next one.

use super::body::Body;
use super::feature::BodyFeature;
use crate::archive::{Damage, Rest, Values};
use crate::vector::unit;

/// How two bodies were to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkState {
    /// Never looked at.
    New,
    /// Not in contact.
    Apart,
    /// In contact.
    Contact,
}

/// What is kept of the last link of two bodies; a new one knows nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkMemory<const D: usize> {
    pub(super) state: LinkState,
    /// Features on which it ended.
    pub(super) features: [BodyFeature; 2],
    /// Its normal.
    pub(crate) normal: [f64; D],
    /// Vertices whose differences surrounded the origin, which shows that the bodies overlapped; none if they just touched, or if one has
    /// too large a number.
    simplex: Option<[[u16; 2]; 4]>,
    /// The least overlap when it was last sought, less what the bodies have moved since: about what it must be at least.
    pub(super) least: f64,
    /// From the centroid of the first body to that of the second, of bodies in contact.
    pub(super) between: [f64; D],
}

impl<const D: usize> Default for LinkMemory<D> {
    fn default() -> Self {
        Self {
            state: LinkState::New,
            features: [BodyFeature::Vertex(0); 2],
            normal: [0.0; D],
            simplex: None,
            least: 0.0,
            between: [0.0; D],
        }
    }
}

impl<const D: usize> LinkMemory<D> {
    /// Vertices whose differences surrounded the origin, if they are known.
    #[inline(always)]
    pub(super) fn simplex(&self) -> Option<[[u32; 2]; 4]> {
        self.simplex.map(|simplex| simplex.map(|pair| pair.map(u32::from)))
    }

    /// Notes such vertices.
    pub(super) fn set_simplex(&mut self, simplex: Option<[[u32; 2]; 4]>) {
        let small = |simplex: &[[u32; 2]; 4]| simplex.iter().flatten().all(|&v| v <= u32::from(u16::MAX));
        self.simplex = simplex.filter(small).map(|simplex| simplex.map(|pair| pair.map(|v| v as u16)));
    }

    /// Whether the bodies were never linked.
    pub(super) fn is_new(&self) -> bool {
        self.state == LinkState::New
    }

    /// Whether the bodies were in contact.
    pub(crate) fn is_contact(&self) -> bool {
        self.state == LinkState::Contact
    }

    /// Whether the two bodies have what is remembered. A caller may have given others in their place.
    #[inline(always)]
    pub(super) fn fits(&self, a: &Body<D>, b: &Body<D>) -> bool {
        let [first, second] = self.features;
        let known = |pair: &[u16; 2]| {
            usize::from(pair[0]) < a.vertices.len() && usize::from(pair[1]) < b.vertices.len()
        };
        let contact = || self.simplex.is_none_or(|simplex| simplex.iter().all(known));
        first.is_of(a) && second.is_of(b) && (self.state == LinkState::Apart || contact())
    }
}

/// What is kept of the link of bodies that are apart: little, because there are many of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ApartMemory<const D: usize> {
    /// Features on which it ended, two bits for the kind and the others for the number of each.
    features: [u32; 2],
    /// About its normal.
    normal: PackedDirection<D>,
}

/// A direction to about four digits: in space where it meets an octahedron that is unfolded to a square (Meyer et al. 2010, "On floating-point
/// normal vectors"), in the plane its two components.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PackedDirection<const D: usize>([i16; 2]);

impl<const D: usize> PackedDirection<D> {
    const LONGEST: f64 = i16::MAX as f64;

    fn new(direction: [f64; D]) -> Self {
        let size = direction.iter().map(|x| x.abs()).sum::<f64>().max(f64::MIN_POSITIVE);
        let [mut u, mut v] = [direction[0] / size, direction[1] / size];
        if D == 3 && direction[2] < 0.0 {
            [u, v] = unfold([u, v]);
        }
        Self([u, v].map(|x| (x * Self::LONGEST).round() as i16))
    }

    fn direction(self) -> [f64; D] {
        let [mut u, mut v] = self.0.map(|x| f64::from(x) / Self::LONGEST);
        let w = 1.0 - u.abs() - v.abs();
        if D == 3 && w < 0.0 {
            [u, v] = unfold([u, v]);
        }
        unit(std::array::from_fn(|k| [u, v, w][k])).unwrap_or([0.0; D])
    }
}

/// From a lower face of the octahedron to the corner of the square next to the upper one, and back.
fn unfold([u, v]: [f64; 2]) -> [f64; 2] {
    [(1.0 - v.abs()).copysign(u), (1.0 - u.abs()).copysign(v)]
}

/// Stands for the features of bodies that were never linked.
const UNKNOWN: u32 = u32::MAX;
/// Where the kind of a feature begins.
const KIND: u32 = 30;

impl<const D: usize> Default for ApartMemory<D> {
    fn default() -> Self {
        Self { features: [UNKNOWN; 2], normal: PackedDirection([0; 2]) }
    }
}

impl<const D: usize> ApartMemory<D> {
    /// What is left of a link. Features of a number that is too large are forgotten.
    pub(crate) fn of(link: &LinkMemory<D>) -> Self {
        let packed = link.features.map(|feature| {
            let (kind, number) = match feature {
                BodyFeature::Vertex(number) => (0, number),
                BodyFeature::Edge(number) => (1, number),
                BodyFeature::Face(number) => (2, number),
            };
            if number >> KIND == 0 { kind << KIND | number } else { UNKNOWN }
        });
        if link.state == LinkState::New || packed.contains(&UNKNOWN) {
            return Self::default();
        }
        Self { features: packed, normal: PackedDirection::new(link.normal) }
    }

    /// As the memory of a link of bodies that are apart.
    pub(super) fn expanded(&self) -> LinkMemory<D> {
        if self.features[0] == UNKNOWN {
            return LinkMemory::default();
        }
        let features = self.features.map(|packed| {
            let number = packed & ((1 << KIND) - 1);
            match packed >> KIND {
                0 => BodyFeature::Vertex(number),
                1 => BodyFeature::Edge(number),
                _ => BodyFeature::Face(number),
            }
        });
        let normal = self.normal.direction();
        LinkMemory { state: LinkState::Apart, features, normal, ..LinkMemory::default() }
    }
}

impl<const D: usize> LinkMemory<D> {
    /// Words that are written of it.
    pub(crate) const WORDS: usize = 1 + 2 + D + 4 + 1 + D;

    /// Writes it to a file.
    pub(crate) fn write(&self, values: &mut Values) {
        let state = match self.state {
            LinkState::New => 0,
            LinkState::Apart => 1,
            LinkState::Contact => 2,
        };
        values.word(state << 1 | u64::from(self.simplex.is_some()));
        for feature in self.features {
            let (kind, number) = match feature {
                BodyFeature::Vertex(number) => (0u64, number),
                BodyFeature::Edge(number) => (1, number),
                BodyFeature::Face(number) => (2, number),
            };
            values.word(kind << 32 | u64::from(number));
        }
        values.vector(&self.normal);
        for [a, b] in self.simplex.unwrap_or_default() {
            values.word(u64::from(a) << 32 | u64::from(b));
        }
        values.number(self.least);
        values.vector(&self.between);
    }

    /// Reads what [`LinkMemory::write`] has written. Whether two bodies have what it names is looked at when it is used.
    pub(crate) fn read(values: &mut Rest<'_>) -> Result<Self, Damage> {
        let kind = values.word()?;
        let state = match kind >> 1 {
            0 => LinkState::New,
            1 => LinkState::Apart,
            2 => LinkState::Contact,
            _ => return Err(Damage::Impossible("a link is neither new, apart nor in contact")),
        };
        let mut feature = || {
            let word = values.word()?;
            match (word >> 32, word as u32) {
                (0, number) => Ok(BodyFeature::Vertex(number)),
                (1, number) => Ok(BodyFeature::Edge(number)),
                (2, number) if D == 3 => Ok(BodyFeature::Face(number)),
                _ => Err(Damage::Impossible("a link ends on no vertex, edge or face")),
            }
        };
        let features = [feature()?, feature()?];
        let normal = values.finite_vector()?;
        let mut simplex = [[0; 2]; 4];
        for pair in &mut simplex {
            let word = values.word()?;
            let vertex =
                |v: u64| u16::try_from(v).map_err(|_| Damage::Impossible("a vertex has too large a number"));
            *pair = [vertex(word >> 32)?, vertex(word & 0xffff_ffff)?];
        }
        let simplex = Some(simplex).filter(|_| kind & 1 == 1);
        Ok(Self {
            state,
            features,
            normal,
            simplex,
            least: values.finite()?,
            between: values.finite_vector()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_of_bodies_apart_is_what_was_there() {
        let features = [BodyFeature::Edge(17), BodyFeature::Face(3)];
        let normal = [0.0, 0.0, 1.0];
        let link = LinkMemory { state: LinkState::Apart, features, normal, ..LinkMemory::default() };
        assert_eq!(ApartMemory::of(&link).expanded(), link);
        let contact =
            LinkMemory { state: LinkState::Contact, least: 1.0, simplex: Some([[1; 2]; 4]), ..link };
        assert_eq!(ApartMemory::of(&contact).expanded(), link);
        assert_eq!(ApartMemory::<3>::of(&LinkMemory::default()).expanded(), LinkMemory::default());
        let many =
            LinkMemory { features: [BodyFeature::Vertex(u32::MAX - 1), BodyFeature::Vertex(1)], ..link };
        assert_eq!(ApartMemory::of(&many).expanded(), LinkMemory::default());
    }

    #[test]
    fn directions_are_kept_to_four_digits() {
        let mut random = crate::Random::new(1);
        for _ in 0..1000 {
            let direction = unit::<3>(std::array::from_fn(|_| random.normal())).unwrap();
            let found = PackedDirection::new(direction).direction();
            assert!((0..3).all(|k| (found[k] - direction[k]).abs() < 1e-4), "{direction:?} {found:?}");
            let direction = unit::<2>(std::array::from_fn(|_| random.normal())).unwrap();
            let found = PackedDirection::new(direction).direction();
            assert!((0..2).all(|k| (found[k] - direction[k]).abs() < 1e-4), "{direction:?} {found:?}");
        }
        for axis in 0..6 {
            let along = |k: usize| if k == axis % 3 { [1.0, -1.0][axis / 3] } else { 0.0 };
            let direction = std::array::from_fn(along);
            assert_eq!(PackedDirection::<3>::new(direction).direction(), direction);
        }
    }
}
