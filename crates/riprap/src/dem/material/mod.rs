//! Materials, the law of their contacts, and what two of them do in contact.

mod coefficients;
mod error;
pub mod restitution;

pub use coefficients::Coefficients;
pub(crate) use coefficients::{Given, Stiffness, in_series, mean};
pub use error::MaterialError;

use super::contact::Kinds;
use super::law::LawKind;
use super::passes::Passes;
use restitution::SMALLEST;

/// What a body is made of. Units: SI, or any other consistent ones.
///
/// The linear law uses `k_n` and `k_t`, the Hertz law `young` and `poisson`; the rest serves both.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Name, for pairs and messages.
    pub name: String,
    /// Mass per volume, in 2D per area.
    pub density: f64,
    /// Normal stiffness, force per overlap; infinite for a rigid wall.
    pub k_n: Option<f64>,
    /// Tangential stiffness; by default 2/7 of the normal one.
    pub k_t: Option<f64>,
    /// Young's modulus; infinite for a rigid wall.
    pub young: Option<f64>,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Speed after a collision over the speed before, along the normal.
    pub restitution: f64,
    /// Coulomb's coefficient of friction.
    pub friction: f64,
    /// Largest torque against rolling over normal force and reduced radius.
    pub rolling_friction: f64,
    /// Largest torque against twisting about the normal over normal force and reduced radius; nothing twists in the plane.
    pub twisting_friction: f64,
    /// Work of adhesion, energy per area, for the laws `jkr` and `dmt`.
    pub adhesion: Option<f64>,
    /// Surface tension of the liquid, for the law `bridge`.
    pub surface_tension: Option<f64>,
    /// Angle at which the liquid meets the surface, in radians, for the law `bridge`.
    pub contact_angle: f64,
    /// Volume of a liquid bridge, for the law `bridge`.
    pub bridge_volume: Option<f64>,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            density: 2500.0,
            k_n: None,
            k_t: None,
            young: None,
            poisson: 0.25,
            restitution: 0.8,
            friction: 0.3,
            rolling_friction: 0.0,
            twisting_friction: 0.0,
            adhesion: None,
            surface_tension: None,
            contact_angle: 0.0,
            bridge_volume: None,
        }
    }
}

/// Values for one pair of materials, instead of those that follow from the two.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PairValues {
    /// See [`Material::k_n`].
    pub k_n: Option<f64>,
    /// See [`Material::k_t`].
    pub k_t: Option<f64>,
    /// See [`Material::restitution`].
    pub restitution: Option<f64>,
    /// See [`Material::friction`].
    pub friction: Option<f64>,
    /// See [`Material::rolling_friction`].
    pub rolling_friction: Option<f64>,
    /// See [`Material::twisting_friction`].
    pub twisting_friction: Option<f64>,
    /// See [`Material::adhesion`].
    pub adhesion: Option<f64>,
}

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
            .and_then(|given| self.law.passes::<D>(false).coefficients(first, second, &given));
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

    /// The loops over contacts, compiled for the law.
    pub(crate) fn passes(&self) -> &'static dyn Passes<D> {
        let turns = self.coefficients.iter().any(|pair| pair.rolling > 0.0 || pair.twisting > 0.0);
        self.law.passes(turns)
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

impl PairValues {
    /// Refuses values that no pair has.
    fn check(&self, a: &Material, b: &Material) -> Result<(), MaterialError> {
        for (value, number, low, high, expected) in [
            ("k_n", self.k_n, f64::MIN_POSITIVE, f64::MAX, "a finite number above zero"),
            ("k_t", self.k_t, f64::MIN_POSITIVE, f64::MAX, "a finite number above zero"),
            ("restitution", self.restitution, SMALLEST, 1.0, "a number from 0.01 to 1"),
            ("friction", self.friction, 0.0, 1e6, "a number from 0 to 1e6"),
            ("rolling_friction", self.rolling_friction, 0.0, 1e6, "a number from 0 to 1e6"),
            ("twisting_friction", self.twisting_friction, 0.0, 1e6, "a number from 0 to 1e6"),
            ("adhesion", self.adhesion, 0.0, f64::MAX, "zero or more"),
        ] {
            if let Some(number) = number.filter(|number| !(low..=high).contains(number)) {
                let material = format!("{}` with `{}", a.name, b.name);
                return Err(MaterialError::Value { material, value, number, expected });
            }
        }
        Ok(())
    }
}

impl Material {
    /// Refuses values that no material has.
    fn check(&self) -> Result<(), MaterialError> {
        let wrong = |value: &'static str, number: f64, expected: &'static str| {
            Err(MaterialError::Value { material: self.name.clone(), value, number, expected })
        };
        if !(self.density > 0.0 && self.density.is_finite()) {
            return wrong("density", self.density, "a number above zero");
        }
        for (value, number) in [("k_n", self.k_n), ("k_t", self.k_t), ("young", self.young)] {
            if let Some(number) = number.filter(|number| number.is_nan() || *number <= 0.0) {
                return wrong(value, number, "a number above zero, or infinity for a rigid wall");
            }
        }
        for (value, number, high, expected) in [
            ("poisson", self.poisson, 0.5, "a number from 0 to 0.5"),
            ("restitution", self.restitution, 1.0, "a number from 0 to 1"),
            ("friction", self.friction, 1e6, "a number from 0 to 1e6"),
            ("rolling_friction", self.rolling_friction, 1e6, "a number from 0 to 1e6"),
            ("twisting_friction", self.twisting_friction, 1e6, "a number from 0 to 1e6"),
            ("adhesion", self.adhesion.unwrap_or(0.0), f64::MAX, "zero or more"),
            ("surface_tension", self.surface_tension.unwrap_or(0.0), f64::MAX, "zero or more"),
            (
                "contact_angle",
                self.contact_angle,
                std::f64::consts::FRAC_PI_2,
                "an angle from 0 to a right one",
            ),
            ("bridge_volume", self.bridge_volume.unwrap_or(0.0), f64::MAX, "zero or more"),
        ] {
            if !(0.0..=high).contains(&number) {
                return wrong(value, number, expected);
            }
        }
        Ok(())
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
