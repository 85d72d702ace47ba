//! The materials of a simulation, the law of their contacts, and what two of them do in contact.

use super::contact::Kinds;
use super::inserted::Surfaces;
use super::law::LawKind;
use super::material::{Coefficients, Given, Material, MaterialError, PairValues};

/// The materials of a simulation, the law of their contacts, and the coefficients of all pairs.
///
/// The law is that of contacts in which a ball takes part, with its curvature; faces of stones that meet faces or walls follow the
/// linear law. A pair that lacks a value is an error only if bodies of it can meet: two rigid walls never do.
#[derive(Debug, Clone, PartialEq)]
pub struct Materials<const D: usize> {
    law: LawKind,
    list: Vec<Material>,
    /// Of contacts with a ball, and of faces.
    round: PairTable,
    faces: PairTable,
}

/// The coefficients of all pairs of materials, and what they lack.
#[derive(Debug, Clone, PartialEq)]
struct PairTable {
    coefficients: Vec<Coefficients>,
    faults: Vec<Option<MaterialError>>,
}

impl PairTable {
    fn new(pairs: usize) -> Self {
        Self { coefficients: vec![Coefficients::default(); pairs], faults: vec![None; pairs] }
    }

    fn set(&mut self, pair: usize, found: Result<Coefficients, MaterialError>) {
        (self.coefficients[pair], self.faults[pair]) = match found {
            Ok(coefficients) => (coefficients, None),
            Err(fault) => (Coefficients::default(), Some(fault)),
        };
    }

    fn check(&self, pair: usize) -> Result<(), MaterialError> {
        self.faults[pair].clone().map_or(Ok(()), Err)
    }
}

/// Materials at most: a body has one byte for its own.
const MOST: usize = 255;

impl<const D: usize> Materials<D> {
    /// These materials under a law.
    pub fn new(law: LawKind, list: Vec<Material>) -> Result<Self, MaterialError> {
        if list.is_empty() || list.len() > MOST {
            return Err(MaterialError::Count { count: list.len(), most: MOST });
        }
        for material in &list {
            material.check()?;
        }
        let pairs = list.len() * list.len();
        let mut materials = Self { law, list, round: PairTable::new(pairs), faces: PairTable::new(pairs) };
        for a in 0..materials.list.len() {
            for b in 0..materials.list.len() {
                materials.work_out(a, b, &PairValues::default());
            }
        }
        Ok(materials)
    }

    /// Values of one pair of materials, instead of those that follow from the two.
    pub fn set_pair(&mut self, a: u8, b: u8, values: &PairValues) -> Result<(), MaterialError> {
        for index in [a, b] {
            self.check_index(index)?;
        }
        values.check(&self.list[usize::from(a)], &self.list[usize::from(b)])?;
        let (a, b) = (usize::from(a), usize::from(b));
        self.work_out(a, b, values);
        self.work_out(b, a, values);
        Ok(())
    }

    fn work_out(&mut self, a: usize, b: usize, values: &PairValues) {
        let (first, second) = (&self.list[a], &self.list[b]);
        let given = Given::new(first, second, values);
        let of = |law: LawKind| given.clone().and_then(|given| law.coefficients::<D>(first, second, &given));
        let (round, faces) = (of(self.law), of(LawKind::Linear));
        let faces = faces.map_err(|fault| match fault {
            MaterialError::Missing { material, .. } if self.law != LawKind::Linear => {
                MaterialError::Faces { material, law: self.law.name() }
            }
            other => other,
        });
        let pair = a * self.list.len() + b;
        self.round.set(pair, round);
        self.faces.set(pair, faces);
    }

    /// The law.
    pub fn law(&self) -> LawKind {
        self.law
    }

    /// Whether any pair resists rolling or twisting.
    pub(crate) fn turn(&self) -> bool {
        let mut pairs = self.round.coefficients.iter().chain(&self.faces.coefficients);
        pairs.any(|pair| pair.rolling > 0.0 || pair.twisting > 0.0)
    }

    /// Checksum of the coefficients of all pairs; those of faces count where they are known and others.
    pub(crate) fn checksum(&self) -> u32 {
        let known = self.law != LawKind::Linear && self.faces.faults.contains(&None);
        let faces = if known { &self.faces.coefficients[..] } else { &[] };
        let pairs = self.round.coefficients.iter().chain(faces);
        let numbers = pairs.flat_map(|pair| pair.numbers().map(f64::to_le_bytes));
        crc32fast::hash(numbers.collect::<Vec<_>>().as_flattened())
    }

    /// The materials.
    pub fn list(&self) -> &[Material] {
        &self.list
    }

    /// Number of materials.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Never: there is at least one.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Index of the material of this name.
    pub fn find(&self, name: &str) -> Option<u8> {
        self.list.iter().position(|material| material.name == name).map(|index| index as u8)
    }

    /// Refuses an index that no material has.
    pub(crate) fn check_index(&self, index: u8) -> Result<(), MaterialError> {
        if usize::from(index) < self.list.len() {
            Ok(())
        } else {
            Err(MaterialError::Index { index, known: self.list.len() })
        }
    }

    /// Refuses materials that can meet and lack a value. There are bodies with these surfaces, and walls of some materials.
    pub(crate) fn check_meetings(&self, surfaces: &[Surfaces], walls: &[u8]) -> Result<(), MaterialError> {
        for (a, first) in surfaces.iter().enumerate() {
            for (b, second) in surfaces.iter().enumerate() {
                let (round, faced) = (first.round.is_some(), first.faced.is_some());
                let (other_round, other_faced) = (second.round.is_some(), second.faced.is_some());
                if round && (other_round || other_faced) || faced && other_round {
                    self.round.check(self.pair(a as u8, b as u8))?;
                }
                if faced && other_faced && (a != b || first.several_faced) {
                    self.faces.check(self.pair(a as u8, b as u8))?;
                }
            }
            for &wall in walls {
                for pair in [self.pair(a as u8, wall), self.pair(wall, a as u8)] {
                    first.round.map_or(Ok(()), |_| self.round.check(pair))?;
                    first.faced.map_or(Ok(()), |_| self.faces.check(pair))?;
                }
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn pair(&self, a: u8, b: u8) -> usize {
        usize::from(a) * self.list.len() + usize::from(b)
    }

    /// Coefficients of a pair in contacts with a ball.
    #[inline(always)]
    pub fn of(&self, a: u8, b: u8) -> &Coefficients {
        &self.round.coefficients[self.pair(a, b)]
    }

    /// Coefficients of a pair where faces meet faces or walls.
    #[inline(always)]
    pub fn of_faces(&self, a: u8, b: u8) -> &Coefficients {
        &self.faces.coefficients[self.pair(a, b)]
    }

    /// What contacts of bodies and walls of these materials can do.
    pub(crate) fn kinds(&self, bodies: &[u8], walls: &[u8]) -> Kinds {
        let mut kinds = Kinds::default();
        for &a in bodies {
            for &b in bodies.iter().chain(walls) {
                kinds.friction |= self.of(a, b).friction > 0.0 || self.of_faces(a, b).friction > 0.0;
            }
        }
        kinds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dem::inserted::Smallest;

    fn stone(name: &str) -> Material {
        Material { name: name.into(), k_n: Some(1e5), young: Some(1e9), ..Material::default() }
    }

    const SIZE: Option<Smallest> = Some(Smallest { radius: 1.0, mass: 1.0 });
    const BALLS: Surfaces = Surfaces { round: SIZE, largest_round: 1.0, faced: None, several_faced: false };
    const STONES: Surfaces = Surfaces { round: None, largest_round: 0.0, faced: SIZE, several_faced: true };

    fn rigid() -> Material {
        Material { k_n: Some(f64::INFINITY), young: Some(f64::INFINITY), ..stone("rigid") }
    }

    #[test]
    fn equal_materials_keep_their_values_and_rigid_ones_add_nothing() {
        let linear = Materials::<3>::new(LawKind::Linear, vec![stone("a"), rigid()]).unwrap();
        let one = linear.of(0, 0);
        assert_eq!((one.normal, one.friction), (1e5, 0.3));
        assert!((one.tangential / one.normal - 2.0 / 7.0).abs() < 1e-15);
        assert_eq!(linear.of(0, 1).normal, 1e5);
        let hertz = Materials::<3>::new(LawKind::Hertz, vec![stone("a"), rigid()]).unwrap();
        assert!((hertz.of(0, 1).normal / (4.0 / 3.0 * 1e9 / (1.0 - 0.0625)) - 1.0).abs() < 1e-14);
        assert_eq!(hertz.check_meetings(&[BALLS, Surfaces::default()], &[1]), Ok(()));
        let error = hertz.check_meetings(&[BALLS; 2], &[]).unwrap_err();
        assert!(matches!(error, MaterialError::BothRigid { .. }));
    }

    #[test]
    fn names_what_is_missing() {
        let soft = Material { k_n: None, ..stone("soft") };
        let mut materials = Materials::<2>::new(LawKind::Linear, vec![stone("a"), soft]).unwrap();
        let error = materials.check_meetings(&[BALLS, Surfaces::default()], &[1]).unwrap_err();
        assert_eq!(error.to_string(), "material `soft` has no `k_n`, which the `linear` law needs");
        let given = PairValues { k_n: Some(7.0), ..PairValues::default() };
        materials.set_pair(1, 0, &given).unwrap();
        assert_eq!(materials.check_meetings(&[BALLS, Surfaces::default()], &[1]), Ok(()));
        assert_eq!(materials.of(0, 1).normal, 7.0);
        assert!(materials.set_pair(0, 2, &given).is_err());
        for wrong in [
            PairValues { k_n: Some(-1.0), ..given },
            PairValues { k_t: Some(0.0), ..given },
            PairValues { restitution: Some(0.0), ..given },
            PairValues { friction: Some(f64::NAN), ..given },
        ] {
            assert!(
                matches!(materials.set_pair(0, 1, &wrong), Err(MaterialError::Value { .. })),
                "{wrong:?}"
            );
        }
    }

    /// Only what meets has to be known: stones ask balls for their modulus, and other stones and walls for `k_n`.
    #[test]
    fn surfaces_ask_for_what_their_contacts_need() {
        let elastic = Material { k_n: None, ..stone("elastic") };
        let hard = Material { young: None, ..stone("hard") };
        let materials = Materials::<3>::new(LawKind::Jkr, vec![elastic.clone(), hard.clone()]).unwrap();
        let none = Surfaces::default();
        let lone = Surfaces { several_faced: false, ..STONES };
        assert_eq!(materials.check_meetings(&[none, STONES], &[1]), Ok(()));
        let missing = |surfaces: [Surfaces; 2], walls: &[u8]| {
            let materials = Materials::<3>::new(LawKind::Hertz, vec![elastic.clone(), hard.clone()]).unwrap();
            match materials.check_meetings(&surfaces, walls) {
                Ok(()) => String::new(),
                Err(MaterialError::Missing { material, value, .. }) => format!("{material} {value}"),
                Err(MaterialError::Faces { material, law: "hertz" }) => format!("{material} k_n"),
                Err(other) => panic!("{other}"),
            }
        };
        assert_eq!(missing([BALLS, none], &[0]), "");
        assert_eq!(missing([BALLS, STONES], &[]), "hard young");
        assert_eq!(missing([lone, none], &[]), "");
        assert_eq!(missing([STONES, none], &[]), "elastic k_n");
        assert_eq!(missing([lone, none], &[0]), "elastic k_n");
        assert_eq!(missing([lone, lone], &[]), "elastic k_n");
        assert_eq!(missing([none, lone], &[1]), "");
    }

    #[test]
    fn refuses_values_that_no_material_has() {
        for wrong in [
            Material { density: 0.0, ..stone("a") },
            Material { density: f64::NAN, ..stone("a") },
            Material { young: Some(-1.0), ..stone("a") },
            Material { young: Some(f64::NAN), ..stone("a") },
            Material { poisson: 0.6, ..stone("a") },
            Material { k_t: Some(f64::INFINITY), ..stone("a") },
            Material { k_t: Some(f64::NAN), ..stone("a") },
            Material { friction: f64::INFINITY, ..stone("a") },
        ] {
            assert!(matches!(
                Materials::<3>::new(LawKind::Hertz, vec![wrong]),
                Err(MaterialError::Value { .. })
            ));
        }
        assert!(Materials::<3>::new(LawKind::Hertz, vec![]).is_err());
    }

    /// What never meets does not count.
    #[test]
    fn kinds_are_those_of_pairs_that_meet() {
        let smooth = Material { friction: 0.0, ..stone("smooth") };
        let materials = Materials::<3>::new(LawKind::Hertz, vec![smooth, stone("rough")]).unwrap();
        assert!(!materials.kinds(&[0], &[1]).friction);
        assert!(materials.kinds(&[0, 1], &[]).friction);
    }
}
