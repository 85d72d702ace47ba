//! Materials, and what two of them do in contact.

use super::contact::Kinds;
use super::restitution::{SMALLEST, damping_ratio};

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
    /// Rolling torque over normal force and reduced radius.
    pub rolling_friction: f64,
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
}

/// The contact laws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LawKind {
    /// Linear spring and dashpot.
    Linear,
    /// Hertz's normal and Mindlin's tangential stiffness.
    #[default]
    Hertz,
}

/// What the force of a contact is worked out from. Stiffnesses and dampings are still to be multiplied by the law's
/// stretch (see [`super::law::Law`]).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Coefficients<T = f64> {
    /// Normal stiffness over stretch.
    pub normal: T,
    /// Tangential stiffness over stretch.
    pub tangential: T,
    /// Normal damping over the root of stretch and reduced mass.
    pub damping: T,
    /// Tangential damping over the root of stretch and reduced mass.
    pub tangential_damping: T,
    /// Largest tangential force over normal force.
    pub friction: T,
    /// Rolling torque over normal force and reduced radius.
    pub rolling: T,
    /// The damping ratio of a collision.
    pub damping_ratio: T,
}

/// Stiffness of the tangential spring over that of the normal one, where none is given.
const TANGENTIAL_SHARE: f64 = 2.0 / 7.0;

impl Coefficients {
    /// For a contact between two materials, in `dimension` dimensions.
    ///
    /// Stiffnesses act in series, as springs do: 2 k k' / (k + k') of the two values, so that a pair of equal materials has
    /// the value given. Restitution and friction are geometric means.
    pub fn new(
        law: LawKind,
        a: &Material,
        b: &Material,
        given: &PairValues,
        dimension: usize,
    ) -> Result<Self, String> {
        let mean = |given: Option<f64>, a: f64, b: f64| given.unwrap_or((a * b).sqrt());
        let restitution = mean(given.restitution, a.restitution, b.restitution);
        if !(SMALLEST..=1.0).contains(&restitution) {
            return Err(format!(
                "restitution of `{}` and `{}` is {restitution}, expected {SMALLEST} to 1",
                a.name, b.name
            ));
        }
        let damping_ratio = damping_ratio(restitution);
        let (normal, tangential, damping) = match law {
            LawKind::Linear => {
                let normal = match (given.k_n, a.k_n, b.k_n) {
                    (Some(value), ..) => value,
                    (None, Some(a), Some(b)) => in_series(a, b),
                    _ => return Err(missing("k_n", "linear", a, b, a.k_n.is_none())),
                };
                let share =
                    |material: &Material| material.k_t.or(material.k_n.map(|k_n| TANGENTIAL_SHARE * k_n));
                let tangential = match (given.k_t, given.k_n, share(a), share(b)) {
                    (Some(value), ..) => value,
                    (None, None, Some(a), Some(b)) => in_series(a, b),
                    _ => TANGENTIAL_SHARE * normal,
                };
                (normal, tangential, 2.0 * damping_ratio * normal.sqrt())
            }
            LawKind::Hertz => {
                let (Some(young_a), Some(young_b)) = (a.young, b.young) else {
                    return Err(missing("young", "hertz", a, b, a.young.is_none()));
                };
                let compliance = |young: f64, poisson: f64| (1.0 - poisson * poisson) / young;
                let modulus = 1.0 / (compliance(young_a, a.poisson) + compliance(young_b, b.poisson));
                let shear = |young: f64, poisson: f64| 2.0 * (1.0 + poisson) * (2.0 - poisson) / young;
                let shear_modulus = 1.0 / (shear(young_a, a.poisson) + shear(young_b, b.poisson));
                let normal = 4.0 / 3.0 * modulus;
                (normal, 8.0 * shear_modulus, 5f64.sqrt() * damping_ratio * normal.sqrt())
            }
        };
        if !normal.is_finite() {
            return Err(format!(
                "`{}` and `{}` are both rigid, expected a finite stiffness of one of them",
                a.name, b.name
            ));
        }
        // Sliding moves the surface of a free ball by its translation and its spin: it has this share of the mass.
        let sliding_mass = if dimension == 2 { 1.0 / 3.0 } else { 2.0 / 7.0 };
        Ok(Self {
            normal,
            tangential,
            damping,
            tangential_damping: 2.0 * damping_ratio * (sliding_mass * tangential).sqrt(),
            friction: mean(given.friction, a.friction, b.friction),
            rolling: mean(given.rolling_friction, a.rolling_friction, b.rolling_friction),
            damping_ratio,
        })
    }
}

fn in_series(a: f64, b: f64) -> f64 {
    if a.is_infinite() {
        b
    } else if b.is_infinite() {
        a
    } else {
        2.0 * a * (b / (a + b))
    }
}

fn missing(value: &str, law: &str, a: &Material, b: &Material, first: bool) -> String {
    let name = if first { &a.name } else { &b.name };
    format!("material `{name}` has no `{value}`, which the `{law}` law needs")
}

impl<T: Copy> Coefficients<T> {
    /// The same with every value replaced.
    #[inline(always)]
    pub(crate) fn map<U>(values: impl Fn(fn(&Self) -> T) -> U) -> Coefficients<U> {
        Coefficients {
            normal: values(|c| c.normal),
            tangential: values(|c| c.tangential),
            damping: values(|c| c.damping),
            tangential_damping: values(|c| c.tangential_damping),
            friction: values(|c| c.friction),
            rolling: values(|c| c.rolling),
            damping_ratio: values(|c| c.damping_ratio),
        }
    }
}

/// The coefficients of all pairs of materials.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    materials: usize,
    coefficients: Vec<Coefficients>,
    kinds: Kinds,
}

impl Table {
    /// For these materials; `given` says what is known of a pair.
    pub fn new(
        law: LawKind,
        materials: &[Material],
        dimension: usize,
        given: impl Fn(usize, usize) -> PairValues,
        meet: impl Fn(usize, usize) -> bool,
    ) -> Result<Self, String> {
        let mut coefficients = Vec::new();
        for (i, a) in materials.iter().enumerate() {
            for (j, b) in materials.iter().enumerate() {
                coefficients.push(if meet(i, j) {
                    Coefficients::new(law, a, b, &given(i, j), dimension)?
                } else {
                    Coefficients::default()
                });
            }
        }
        let kinds = Kinds {
            friction: coefficients.iter().any(|pair| pair.friction > 0.0),
            rolling: coefficients.iter().any(|pair| pair.rolling > 0.0),
        };
        Ok(Self { materials: materials.len(), coefficients, kinds })
    }

    /// Those of a pair.
    #[inline(always)]
    pub fn of(&self, a: u8, b: u8) -> &Coefficients {
        &self.coefficients[usize::from(a) * self.materials + usize::from(b)]
    }

    /// What contacts can do.
    pub fn kinds(&self) -> Kinds {
        self.kinds
    }

    /// Number of materials.
    pub fn materials(&self) -> usize {
        self.materials
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stone(name: &str) -> Material {
        Material { name: name.into(), k_n: Some(1e5), young: Some(1e9), ..Material::default() }
    }

    #[test]
    fn equal_materials_keep_their_values_and_rigid_ones_add_nothing() {
        let one =
            Coefficients::new(LawKind::Linear, &stone("a"), &stone("a"), &PairValues::default(), 3).unwrap();
        assert_eq!((one.normal, one.friction), (1e5, 0.3));
        assert!((one.tangential / one.normal - 2.0 / 7.0).abs() < 1e-15);
        let rigid = Material { k_n: Some(f64::INFINITY), young: Some(f64::INFINITY), ..stone("rigid") };
        let wall =
            Coefficients::new(LawKind::Linear, &stone("a"), &rigid, &PairValues::default(), 3).unwrap();
        assert_eq!(wall.normal, 1e5);
        let hertz =
            Coefficients::new(LawKind::Hertz, &stone("a"), &rigid, &PairValues::default(), 3).unwrap();
        assert!((hertz.normal / (4.0 / 3.0 * 1e9 / (1.0 - 0.0625)) - 1.0).abs() < 1e-14);
        assert!(Coefficients::new(LawKind::Hertz, &rigid, &rigid, &PairValues::default(), 3).is_err());
    }

    #[test]
    fn names_what_is_missing() {
        let soft = Material { k_n: None, ..stone("soft") };
        let error =
            Coefficients::new(LawKind::Linear, &stone("a"), &soft, &PairValues::default(), 2).unwrap_err();
        assert_eq!(error, "material `soft` has no `k_n`, which the `linear` law needs");
        let given = PairValues { k_n: Some(7.0), ..PairValues::default() };
        assert_eq!(Coefficients::new(LawKind::Linear, &stone("a"), &soft, &given, 2).unwrap().normal, 7.0);
    }
}
