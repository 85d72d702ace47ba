//! Materials of a scene file, and their pairs.

use super::SceneError;
use super::format::{MaterialPairValues, MaterialValues};
use super::reader::Reader;
use crate::dem::material::restitution::SMALLEST;
use crate::dem::time_step::Surfaces;
use crate::dem::{LawKind, Material, Materials, PairValues};

impl Reader<'_> {
    /// The materials and their pairs, under the scene's law.
    pub(super) fn materials<const D: usize>(&self) -> Result<Materials<D>, SceneError> {
        let list: Result<Vec<Material>, SceneError> =
            self.file.materials.iter().map(|(name, values)| self.material(name, values)).collect();
        let mut materials = Materials::new(self.file.law, list?)
            .or_else(|error| self.fail("materials", error.to_string()))?;
        let mut known: Vec<[u8; 2]> = Vec::new();
        for (index, pair) in self.file.pairs.iter().enumerate() {
            let key = format!("pairs[{index}].materials");
            let a = self.material_index(&key, &pair.materials[0], materials.list())?;
            let b = self.material_index(&key, &pair.materials[1], materials.list())?;
            let values = self.pair(pair, index)?;
            let pair_of = [a.min(b), a.max(b)];
            if known.contains(&pair_of) {
                let [first, second] = &pair.materials;
                return self.fail(&key, format!("the pair of `{first}` and `{second}` is there twice"));
            }
            known.push(pair_of);
            materials.set_pair(a, b, &values).or_else(|error| self.fail(&key, error.to_string()))?;
        }
        Ok(materials)
    }

    fn material(&self, name: &str, values: &MaterialValues) -> Result<Material, SceneError> {
        let usual = Material::default();
        let key = |value: &str| format!("materials.{name}.{value}");
        let stiff = |what: &str, value: Option<f64>| match value {
            Some(value) if value > 0.0 => Ok(Some(value)),
            Some(value) => self.fail(
                &key(what),
                format!("{what} is {value}, expected a number above zero, or `inf` for a rigid wall"),
            ),
            None => Ok(None),
        };
        let within = |what: &str, value: Option<f64>, usual: f64, low: f64, high: f64| {
            let value = value.unwrap_or(usual);
            if (low..=high).contains(&value) {
                Ok(value)
            } else {
                self.fail(&key(what), format!("{what} is {value}, expected a number from {low} to {high}"))
            }
        };
        let optional = |what: &str, value: Option<f64>| match value {
            Some(value) if value.is_finite() && value >= 0.0 => Ok(Some(value)),
            Some(value) => {
                self.fail(&key(what), format!("{what} is {value}, expected a finite number, zero or more"))
            }
            None => Ok(None),
        };
        for (what, given, laws) in [
            ("adhesion", values.adhesion, &[LawKind::Jkr, LawKind::Dmt][..]),
            ("surface_tension", values.surface_tension, &[LawKind::Bridge]),
            ("contact_angle", values.contact_angle, &[LawKind::Bridge]),
            ("bridge_volume", values.bridge_volume, &[LawKind::Bridge]),
        ] {
            if given.is_some() {
                self.check_law(&key(what), what, laws)?;
            }
        }
        Ok(Material {
            name: name.to_string(),
            density: self.positive(&key("density"), values.density.unwrap_or(usual.density))?,
            k_n: stiff("k_n", values.k_n)?,
            k_t: values.k_t.map(|k_t| self.positive(&key("k_t"), k_t)).transpose()?,
            young: stiff("young", values.young)?,
            poisson: within("poisson", values.poisson, usual.poisson, 0.0, 0.5)?,
            restitution: within("restitution", values.restitution, usual.restitution, SMALLEST, 1.0)?,
            friction: within("friction", values.friction, usual.friction, 0.0, 1e6)?,
            rolling_friction: within(
                "rolling_friction",
                values.rolling_friction,
                usual.rolling_friction,
                0.0,
                1e6,
            )?,
            twisting_friction: within(
                "twisting_friction",
                values.twisting_friction,
                usual.twisting_friction,
                0.0,
                1e6,
            )?,
            adhesion: optional("adhesion", values.adhesion)?,
            surface_tension: optional("surface_tension", values.surface_tension)?,
            contact_angle: within("contact_angle", values.contact_angle, 0.0, 0.0, 90.0)?.to_radians(),
            bridge_volume: optional("bridge_volume", values.bridge_volume)?,
        })
    }

    /// Refuses a value that the scene's law does not use: it would silently do nothing.
    fn check_law(&self, key: &str, what: &str, laws: &[LawKind]) -> Result<(), SceneError> {
        if laws.contains(&self.file.law) {
            return Ok(());
        }
        let names: Vec<String> = laws.iter().map(|law| format!("`law = \"{}\"`", law.name())).collect();
        let law = self.file.law.name();
        self.fail(key, format!("{what} is of no use to the law `{law}`, expected {}", names.join(" or ")))
    }

    /// Index of a material by its name.
    pub(super) fn material_index(
        &self,
        key: &str,
        name: &str,
        materials: &[Material],
    ) -> Result<u8, SceneError> {
        match materials.iter().position(|material| material.name == name) {
            Some(index) => Ok(index as u8),
            None => {
                let known: Vec<String> =
                    materials.iter().map(|material| format!("`{}`", material.name)).collect();
                self.fail(key, format!("unknown material `{name}`; known materials: {}", known.join(", ")))
            }
        }
    }

    /// Refuses pairs of materials that can meet and lack a value.
    pub(super) fn check_meetings<const D: usize>(
        &self,
        materials: &Materials<D>,
        surfaces: &[Surfaces],
        walls: &[u8],
    ) -> Result<(), SceneError> {
        materials.check_meetings(surfaces, walls).or_else(|error| {
            let key = error.material().map(|material| format!("materials.{material}"));
            self.fail(&key.unwrap_or("materials".to_string()), error.to_string())
        })
    }

    fn pair(&self, pair: &MaterialPairValues, index: usize) -> Result<PairValues, SceneError> {
        let check = |name: &str, value: Option<f64>, low: f64, high: f64| match value {
            Some(value) if !(low..=high).contains(&value) => self.fail(
                &format!("pairs[{index}].{name}"),
                format!("{name} is {value}, expected a number from {low} to {high}"),
            ),
            value => Ok(value),
        };
        if pair.adhesion.is_some() {
            self.check_law(&format!("pairs[{index}].adhesion"), "adhesion", &[LawKind::Jkr, LawKind::Dmt])?;
        }
        Ok(PairValues {
            k_n: check("k_n", pair.k_n, f64::MIN_POSITIVE, f64::MAX)?,
            k_t: check("k_t", pair.k_t, f64::MIN_POSITIVE, f64::MAX)?,
            restitution: check("restitution", pair.restitution, SMALLEST, 1.0)?,
            friction: check("friction", pair.friction, 0.0, 1e6)?,
            rolling_friction: check("rolling_friction", pair.rolling_friction, 0.0, 1e6)?,
            twisting_friction: check("twisting_friction", pair.twisting_friction, 0.0, 1e6)?,
            adhesion: check("adhesion", pair.adhesion, 0.0, f64::MAX)?,
        })
    }
}
