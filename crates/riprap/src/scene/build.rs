//! From the keys of a scene file to a simulation: what values mean, and what is wrong with them.

use std::path::Path;

use super::error::{find, in_plain_words, place};
use super::format::{Axis, File, MaterialValues, Pair, Spin};
use super::{Output, Scene, SceneError, Setup, insertions, walls};
use crate::broad;
use crate::dem::insertion::{How, Insertion};
use crate::dem::restitution::SMALLEST;
use crate::dem::time_step::{self, Smallest, Stiffest};
use crate::dem::{LawKind, Material, Outflow, PairValues, Settings, Table};
use crate::error::AXES;
use crate::packing::ball_volume;

/// Reads a scene from the text of its file.
pub(super) fn scene(path: &Path, source: &str) -> Result<Scene, SceneError> {
    let file: File = toml::from_str(source).map_err(|error| SceneError {
        path: path.to_path_buf(),
        // What is missing from the whole file has no place in it.
        place: error.span().filter(|span| *span != (0..0)).map(|span| place(source, span)),
        message: in_plain_words(error.message().trim_end()),
    })?;
    let reader = Reader { path, source, file: &file };
    match file.dimension {
        2 => Ok(Scene::Planar(Box::new(reader.setup()?))),
        3 => Ok(Scene::Spatial(Box::new(reader.setup()?))),
        other => reader.fail("dimension", format!("dimension {other}, expected 2 or 3")),
    }
}

/// A scene file that is being understood.
pub(super) struct Reader<'a> {
    pub(super) path: &'a Path,
    source: &'a str,
    pub(super) file: &'a File,
}

impl Reader<'_> {
    fn setup<const D: usize, const S: usize>(&self) -> Result<Setup<D, S>, SceneError> {
        let materials = self.materials()?;
        let walls = walls::build::<D, S>(self, &materials)?;
        let insertions = insertions::build::<D, S>(self, &materials)?;
        let mut settings = self.settings::<D>()?;
        self.check_periodic(&settings, &walls, &insertions)?;
        let table = self.table(&materials, &walls, &insertions, settings.law, D)?;
        let stiffest = stiffest_contact::<D, S>(&settings, &table, &walls, &insertions);
        settings.time_step = self.time_step(stiffest)?;
        let end = self.positive("time.end", self.file.time.end)?;
        if end / settings.time_step > 1e15 {
            return self.fail(
                "time.end",
                format!("time {end} takes more than 1e15 steps of {:.3e}", settings.time_step),
            );
        }
        let name = self.path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        Ok(Setup {
            path: self.path.to_path_buf(),
            checksum: crc32fast::hash(self.source.as_bytes()),
            title: self.file.title.clone().or(name).unwrap_or_default(),
            end,
            settings,
            materials,
            table,
            walls,
            insertions,
            output: self.output(end)?,
            stiffest,
        })
    }

    fn settings<const D: usize>(&self) -> Result<Settings<D>, SceneError> {
        let mut gravity = [0.0; D];
        gravity[D - 1] = -9.81;
        let domain = &self.file.domain;
        let min = self.corner("domain.min", &domain.min, f64::NEG_INFINITY)?;
        let max = self.corner("domain.max", &domain.max, f64::INFINITY)?;
        if let Some(axis) = (0..D).find(|&k| min[k] >= max[k]) {
            return self.fail(
                "domain.max",
                format!(
                    "is {} along {}, expected more than the {} of `domain.min`",
                    max[axis], AXES[axis], min[axis]
                ),
            );
        }
        let mut periodic = [false; D];
        for (index, axis) in domain.periodic.iter().enumerate() {
            let k = *axis as usize;
            let key = format!("domain.periodic[{index}]");
            if *axis == Axis::Z && D == 2 {
                return self.fail(&key, "there is no axis z in 2D".to_string());
            }
            if !(min[k].is_finite() && max[k].is_finite()) {
                return self
                    .fail(&key, "a periodic axis needs finite `domain.min` and `domain.max`".to_string());
            }
            periodic[k] = true;
        }
        let method = self.method::<D>(periodic.contains(&true))?;
        if let Some(skin) = self.file.search.skin.filter(|skin| !(skin.is_finite() && *skin >= 0.0)) {
            return self.fail("search.skin", format!("is {skin}, expected zero or more"));
        }
        let mut outflows = Vec::new();
        for (index, outflow) in self.file.outflow.iter().enumerate() {
            let key = |name: &str| format!("outflow[{index}].{name}");
            outflows.push(Outflow {
                name: outflow.name.clone().unwrap_or_else(|| format!("outflow{index}")),
                point: self.vector(&key("point"), &outflow.point)?,
                normal: self.direction(&key("normal"), &outflow.normal)?,
            });
        }
        self.check_names("outflow", outflows.iter().map(|outflow| outflow.name.as_str()))?;
        let overlap_limit = self.positive("limits.overlap", self.file.limits.overlap.unwrap_or(0.1))?;
        if overlap_limit > 1.0 {
            return self.fail(
                "limits.overlap",
                format!("is {overlap_limit}, expected a share of the radius up to 1"),
            );
        }
        Ok(Settings {
            law: self.file.law,
            gravity: self
                .file
                .gravity
                .as_ref()
                .map_or(Ok(gravity), |values| self.vector("gravity", values))?,
            force_step: self.file.time.force,
            min,
            max,
            periodic,
            outside: self.file.domain.outside,
            overlap_limit,
            method,
            skin: self.file.search.skin,
            orientation: self.file.output.orientation,
            outflows,
            ..Settings::default()
        })
    }

    /// The search method, which must be able to do what the domain asks for.
    fn method<const D: usize>(&self, periodic: bool) -> Result<String, SceneError> {
        let method = self.file.search.method.clone().unwrap_or_else(|| "levels".to_string());
        if method == broad::AUTO {
            return Ok(method);
        }
        broad::create::<D>(&method).or_else(|error| self.fail("search.method", error.to_string()))?;
        let name = method.split(':').next().unwrap_or_default();
        match broad::SearchMethod::<D>::ALL
            .iter()
            .find(|known| known.name == name && periodic && !known.periodic)
        {
            Some(known) => self.fail("search.method", broad::not_periodic(known.name).to_string()),
            None => Ok(method),
        }
    }

    /// A corner of the domain, whose coordinates may be infinite.
    fn corner<const D: usize>(
        &self,
        key: &str,
        values: &Option<Vec<f64>>,
        open: f64,
    ) -> Result<[f64; D], SceneError> {
        let Some(values) = values else { return Ok([open; D]) };
        let corner: Result<[f64; D], _> = values.as_slice().try_into();
        match corner {
            Ok(corner) if corner.iter().all(|x| !x.is_nan()) => Ok(corner),
            _ => {
                self.fail(key, format!("{values:?}, expected {D} numbers, `inf` or `-inf` where it is open"))
            }
        }
    }

    fn materials(&self) -> Result<Vec<Material>, SceneError> {
        if self.file.materials.is_empty() || self.file.materials.len() > 255 {
            return self
                .fail("materials", format!("{} materials, expected 1 to 255", self.file.materials.len()));
        }
        self.file.materials.iter().map(|(name, values)| self.material(name, values)).collect()
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
        Ok(Material {
            name: name.to_string(),
            density: self.positive(&key("density"), values.density.unwrap_or(usual.density))?,
            k_n: stiff("k_n", values.k_n)?,
            k_t: stiff("k_t", values.k_t)?,
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
        })
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

    fn table<const D: usize, const S: usize>(
        &self,
        materials: &[Material],
        walls: &[crate::dem::wall::Wall<D, S>],
        insertions: &[Insertion<D, S>],
        law: LawKind,
        dimension: usize,
    ) -> Result<Table, SceneError> {
        let mut given = vec![PairValues::default(); materials.len() * materials.len()];
        for (index, pair) in self.file.pairs.iter().enumerate() {
            let key = |name: &str| format!("pairs[{index}].{name}");
            let a = self.material_index(&key("materials"), &pair.materials[0], materials)?;
            let b = self.material_index(&key("materials"), &pair.materials[1], materials)?;
            let values = self.pair(pair, index)?;
            let count = materials.len();
            let (a, b) = (usize::from(a), usize::from(b));
            if given[a * count + b] != PairValues::default() {
                return self.fail(
                    &key("materials"),
                    format!("the pair of `{}` and `{}` is there twice", pair.materials[0], pair.materials[1]),
                );
            }
            (given[a * count + b], given[b * count + a]) = (values, values);
        }
        let of_bodies =
            |index: usize| insertions.iter().any(|insertion| usize::from(insertion.material) == index);
        let of_walls = |index: usize| walls.iter().any(|wall| usize::from(wall.material) == index);
        let meet = |a: usize, b: usize| {
            (of_bodies(a) && (of_bodies(b) || of_walls(b))) || (of_walls(a) && of_bodies(b))
        };
        let table = Table::new(law, materials, dimension, |a, b| given[a * materials.len() + b], meet);
        table.or_else(|message| {
            let named = materials.iter().find(|material| message.contains(&format!("`{}`", material.name)));
            self.fail(
                &named.map_or("materials".to_string(), |material| format!("materials.{}", material.name)),
                message,
            )
        })
    }

    fn pair(&self, pair: &Pair, index: usize) -> Result<PairValues, SceneError> {
        let check = |name: &str, value: Option<f64>, low: f64, high: f64| match value {
            Some(value) if !(low..=high).contains(&value) => self.fail(
                &format!("pairs[{index}].{name}"),
                format!("{name} is {value}, expected a number from {low} to {high}"),
            ),
            value => Ok(value),
        };
        Ok(PairValues {
            k_n: check("k_n", pair.k_n, f64::MIN_POSITIVE, f64::MAX)?,
            k_t: check("k_t", pair.k_t, f64::MIN_POSITIVE, f64::MAX)?,
            restitution: check("restitution", pair.restitution, SMALLEST, 1.0)?,
            friction: check("friction", pair.friction, 0.0, 1e6)?,
            rolling_friction: check("rolling_friction", pair.rolling_friction, 0.0, 1e6)?,
        })
    }

    /// The step given, or a share of the shortest collision.
    fn time_step(&self, stiffest: Option<Stiffest>) -> Result<f64, SceneError> {
        let time = &self.file.time;
        let step = match (time.step, time.fraction, stiffest) {
            (Some(_), Some(_), _) => {
                return self.fail("time.fraction", "there is a `step` too, expected one of them".to_string());
            }
            (Some(step), None, _) => self.positive("time.step", step)?,
            (None, Some(fraction), Some(stiffest)) => {
                self.positive("time.fraction", fraction)? * stiffest.collision
            }
            (None, None, Some(stiffest)) => stiffest.step(),
            (None, _, None) => {
                return self.fail(
                    "time",
                    "no `step`, and none can be derived because no particles are inserted".to_string(),
                );
            }
        };
        match stiffest {
            Some(stiffest) if step > stiffest.limit && !time.force => {
                let key = if time.step.is_some() { "time.step" } else { "time.fraction" };
                let (limit, suggested) = (stiffest.limit, stiffest.step());
                self.fail(
                    key,
                    crate::dem::Failure::TimeStep { time_step: step, limit, suggested }.to_string(),
                )
            }
            _ if !(step.is_normal() && step > 0.0) => self.fail(
                "time",
                format!("the step that follows from the contacts is {step:e}: a stiffness, density or radius is beyond reason"),
            ),
            _ => Ok(step),
        }
    }

    fn output(&self, end: f64) -> Result<Output, SceneError> {
        let values = &self.file.output;
        let interval = |key: &str, value: Option<f64>, usual: f64| match value.unwrap_or(usual) {
            value if value >= 0.0 => Ok(value),
            value => self.fail(
                &format!("output.{key}"),
                format!("{key} is {value}, expected an interval of time, or 0 for none"),
            ),
        };
        Ok(Output {
            series: interval("series", values.series, end / 200.0)?,
            frames: interval("frames", values.frames, end / 50.0)?,
            checkpoint: interval("checkpoint", values.checkpoint, end / 10.0)?,
            contacts: values.contacts,
            picture: values.picture.unwrap_or(true),
            view: values.view,
            color: values.color.unwrap_or_default(),
        })
    }

    /// Refuses walls that a periodic box would cut, and bodies too large for it.
    fn check_periodic<const D: usize, const S: usize>(
        &self,
        settings: &Settings<D>,
        walls: &[crate::dem::wall::Wall<D, S>],
        insertions: &[Insertion<D, S>],
    ) -> Result<(), SceneError> {
        use crate::dem::wall::Shape;
        for (index, wall) in walls.iter().enumerate() {
            for k in (0..D).filter(|&k| settings.periodic[k]) {
                let periodic: [f64; D] = std::array::from_fn(|i| f64::from(u8::from(i == k)));
                let turns = |own: [f64; D]| {
                    wall.motion.iter().any(|phase| !phase.keeps(own) && !phase.keeps(periodic))
                };
                let cut = match &wall.shape {
                    Shape::Plane { normal, .. } => normal[k] != 0.0 || turns(*normal),
                    Shape::Box { .. } => true,
                    Shape::Cylinder { axis, .. } => axis[k].abs() != 1.0 || turns(*axis),
                    Shape::Facets(_) => false,
                };
                if cut {
                    return self.fail(
                        &format!("walls[{index}].shape"),
                        format!("wall `{}` goes across axis {}, which is periodic: leave the axis open, or use walls along it", wall.name, AXES[k]),
                    );
                }
            }
        }
        for (index, insertion) in insertions.iter().enumerate() {
            let largest = match &insertion.how {
                How::Given(bodies) => bodies.iter().map(|body| body.radius).fold(0.0, f64::max),
                How::Lattice { sizes, .. } | How::Random { sizes, .. } | How::Rain { sizes, .. } => {
                    sizes.largest()
                }
            };
            for k in (0..D).filter(|&k| settings.periodic[k]) {
                let length = settings.max[k] - settings.min[k];
                if 4.0 * largest > length {
                    return self.fail(
                        &format!("insert[{index}]"),
                        format!(
                            "particles of radius {largest} are wider than half the periodic box (length {length} along {}): enlarge the domain",
                            AXES[k]
                        ),
                    );
                }
            }
        }
        Ok(())
    }

    /// An error at a key.
    pub(super) fn fail<T>(&self, key: &str, message: String) -> Result<T, SceneError> {
        let place = find(self.source, key).map(|span| place(self.source, span));
        let message = if place.is_some() { message } else { format!("`{key}`: {message}") };
        Err(SceneError { path: self.path.to_path_buf(), place, message })
    }

    pub(super) fn positive(&self, key: &str, value: f64) -> Result<f64, SceneError> {
        if value > 0.0 && value.is_finite() {
            return Ok(value);
        }
        let name = key.rsplit('.').next().unwrap_or(key);
        self.fail(key, format!("{name} is {value}, expected a number above zero"))
    }

    /// A vector with finite components.
    pub(super) fn vector<const D: usize>(&self, key: &str, values: &[f64]) -> Result<[f64; D], SceneError> {
        let vector: Result<[f64; D], _> = values.try_into();
        match vector {
            Ok(vector) if vector.iter().all(|x| x.is_finite() && x.abs() < 1e100) => Ok(vector),
            _ => self.fail(key, format!("{values:?}, expected {D} finite numbers")),
        }
    }

    /// A vector of length one.
    pub(super) fn direction<const D: usize>(
        &self,
        key: &str,
        values: &[f64],
    ) -> Result<[f64; D], SceneError> {
        let vector = self.vector::<D>(key, values)?;
        match crate::vector::unit(vector) {
            Some(unit) => Ok(unit),
            None => {
                self.fail(key, format!("{values:?} has no direction, expected a vector that is not zero"))
            }
        }
    }

    pub(super) fn spin<const S: usize>(
        &self,
        key: &str,
        spin: &Option<Spin>,
    ) -> Result<[f64; S], SceneError> {
        let values = match spin {
            None => return Ok([0.0; S]),
            Some(Spin::Number(value)) => vec![*value],
            Some(Spin::Vector(values)) => values.clone(),
        };
        let vector: Result<[f64; S], _> = values.as_slice().try_into();
        match vector {
            Ok(vector) if vector.iter().all(|x| x.is_finite()) => Ok(vector),
            _ => self.fail(
                key,
                format!(
                    "{values:?}, expected {}",
                    if S == 1 { "a number in 2D" } else { "three finite numbers" }
                ),
            ),
        }
    }

    /// A value that this shape or way needs.
    pub(super) fn needed<'v, T>(
        &self,
        key: &str,
        value: &'v Option<T>,
        by: &str,
    ) -> Result<&'v T, SceneError> {
        match value {
            Some(value) => Ok(value),
            None => {
                let (table, name) = key.rsplit_once('.').unwrap_or(("", key));
                self.fail(table, format!("{by} needs `{name}`"))
            }
        }
    }

    /// Refuses values that have no meaning here.
    pub(super) fn meaningless(
        &self,
        table: &str,
        given: &[(&str, bool)],
        by: &str,
    ) -> Result<(), SceneError> {
        match given.iter().find(|(_, given)| *given) {
            Some((name, _)) => {
                self.fail(&format!("{table}.{name}"), format!("`{name}` has no meaning for {by}"))
            }
            None => Ok(()),
        }
    }

    /// Refuses names that are there twice.
    pub(super) fn check_names<'n>(
        &self,
        table: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> Result<(), SceneError> {
        let mut seen = Vec::new();
        for (index, name) in names.enumerate() {
            if seen.contains(&name) {
                return self
                    .fail(&format!("{table}[{index}].name"), format!("the name `{name}` is there twice"));
            }
            seen.push(name);
        }
        Ok(())
    }
}

/// The stiffest contact among everything that will be inserted.
fn stiffest_contact<const D: usize, const S: usize>(
    settings: &Settings<D>,
    table: &Table,
    walls: &[crate::dem::wall::Wall<D, S>],
    insertions: &[Insertion<D, S>],
) -> Option<Stiffest> {
    let mut smallest: Vec<Option<Smallest>> = vec![None; table.materials()];
    for insertion in insertions {
        let radius = match &insertion.how {
            How::Given(bodies) => bodies.iter().map(|body| body.radius).fold(f64::INFINITY, f64::min),
            How::Lattice { sizes, .. } | How::Random { sizes, .. } | How::Rain { sizes, .. } => {
                sizes.smallest()
            }
        };
        let mass = insertion.density * ball_volume::<D>(radius);
        let known = &mut smallest[usize::from(insertion.material)];
        if radius.is_finite() && known.is_none_or(|known| radius < known.radius) {
            *known = Some(Smallest { radius, mass });
        }
    }
    let walls: Vec<u8> = walls.iter().map(|wall| wall.material).collect();
    time_step::stiffest(settings.law, table, &smallest, &walls, settings.overlap_limit, D)
}
