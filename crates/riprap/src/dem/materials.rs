//! The materials of a simulation, the law of their contacts, and what two of them do in contact.

use super::contact::Kinds;
use super::law::LawKind;
use super::material::{Coefficients, Given, Material, MaterialError, PairValues};

/// The materials of a simulation, the law of their contacts, and the coefficients of all pairs.
///
/// A pair that lacks a value is an error only if bodies of it can meet: two rigid walls never do.
#[derive(Debug, Clone, PartialEq)]
pub struct Materials<const D: usize> {
    law: LawKind,
    list: Vec<Material>,
    coefficients: Vec<Coefficients>,
    faults: Vec<Option<MaterialError>>,
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
        let mut materials =
            Self { law, list, coefficients: vec![Coefficients::default(); pairs], faults: vec![None; pairs] };
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
        let found = Given::new(first, second, values)
            .and_then(|given| self.law.coefficients::<D>(first, second, &given));
        let pair = a * self.list.len() + b;
        (self.coefficients[pair], self.faults[pair]) = match found {
            Ok(coefficients) => (coefficients, None),
            Err(fault) => (Coefficients::default(), Some(fault)),
        };
    }

    /// The law.
    pub fn law(&self) -> LawKind {
        self.law
    }

    /// Whether any pair resists rolling or twisting.
    pub(crate) fn turn(&self) -> bool {
        self.coefficients.iter().any(|pair| pair.rolling > 0.0 || pair.twisting > 0.0)
    }

    /// Checksum of the coefficients of all pairs.
    pub(crate) fn checksum(&self) -> u32 {
        let numbers = self.coefficients.iter().flat_map(|pair| pair.numbers().map(f64::to_le_bytes));
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

    /// Refuses two materials that are to meet and lack a value.
    pub(crate) fn check_pair(&self, a: u8, b: u8) -> Result<(), MaterialError> {
        match &self.faults[usize::from(a) * self.list.len() + usize::from(b)] {
            None => Ok(()),
            Some(fault) => Err(fault.clone()),
        }
    }

    /// Coefficients of a pair.
    #[inline(always)]
    pub fn of(&self, a: u8, b: u8) -> &Coefficients {
        &self.coefficients[usize::from(a) * self.list.len() + usize::from(b)]
    }

    /// What contacts of bodies and walls of these materials can do.
    pub(crate) fn kinds(&self, bodies: &[u8], walls: &[u8]) -> Kinds {
        let mut kinds = Kinds::default();
        for &a in bodies {
            for &b in bodies.iter().chain(walls) {
                let pair = self.of(a, b);
                kinds.friction |= pair.friction > 0.0;
            }
        }
        kinds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stone(name: &str) -> Material {
        Material { name: name.into(), k_n: Some(1e5), young: Some(1e9), ..Material::default() }
    }

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
        assert!(hertz.check_pair(0, 1).is_ok());
        assert!(matches!(hertz.check_pair(1, 1), Err(MaterialError::BothRigid { .. })));
    }

    #[test]
    fn names_what_is_missing() {
        let soft = Material { k_n: None, ..stone("soft") };
        let mut materials = Materials::<2>::new(LawKind::Linear, vec![stone("a"), soft]).unwrap();
        let error = materials.check_pair(0, 1).unwrap_err();
        assert_eq!(error.to_string(), "material `soft` has no `k_n`, which the `linear` law needs");
        let given = PairValues { k_n: Some(7.0), ..PairValues::default() };
        materials.set_pair(1, 0, &given).unwrap();
        assert_eq!(materials.check_pair(0, 1), Ok(()));
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
