//! From the keys of a scene file to a simulation: what values mean, and what is wrong with them.

use std::path::Path;

use super::error::{in_plain_words, place};
use super::format::{AxisName, File};
use super::reader::Reader;
use super::shapes::Catalogue;
use super::{Output, Scene, SceneError, Setup, insertions, walls};
use crate::broad;
use crate::convex::LinkMethod;
use crate::dem::time_step::{self, Stiffest, Surfaces};
use crate::dem::{Domain, Failure, Outflow, Settings};
use crate::error::AXES;
use crate::words::short;

/// Reads a scene from the text of its file.
pub(super) fn scene(path: &Path, source: &str) -> Result<Scene, SceneError> {
    let file = parsed(path, source)?;
    let reader = Reader { path, source, file: &file };
    match file.dimension {
        2 => Ok(Scene::Planar(Box::new(reader.setup()?))),
        3 => Ok(Scene::Spatial(Box::new(reader.setup()?))),
        other => reader.fail("dimension", format!("dimension {other}, expected 2 or 3")),
    }
}

/// The keys of a scene.
pub(super) fn parsed(path: &Path, source: &str) -> Result<File, SceneError> {
    toml::from_str(source).map_err(|error| SceneError {
        path: path.to_path_buf(),
        // What is missing from the whole file has no place in it.
        place: error.span().filter(|span| *span != (0..0)).map(|span| place(source, span)),
        message: in_plain_words(error.message().trim_end()),
    })
}

impl Reader<'_> {
    fn setup<const D: usize>(&self) -> Result<Setup<D>, SceneError> {
        let materials = self.materials::<D>()?;
        let walls = walls::build::<D>(self, materials.list())?;
        let mut catalogue = Catalogue::read(self)?;
        let insertions = insertions::build::<D>(self, materials.list(), &mut catalogue)?;
        let mut settings = self.settings::<D>()?;
        self.check_periodic(&settings.domain, &walls, &insertions, &catalogue.table)?;
        let mut surfaces = vec![Surfaces::default(); materials.len()];
        for insertion in &insertions {
            insertion.note_surfaces(&catalogue.table, &materials, &mut surfaces);
        }
        let of_walls: Vec<u8> = walls.iter().map(|wall| wall.material).collect();
        self.check_meetings(&materials, &surfaces, &of_walls)?;
        let probes = self.probes(&settings)?;
        let stiffest = time_step::stiffest(&materials, &surfaces, &of_walls, settings.overlap_limit);
        let stiffest = stiffest.map(|found| found.of_shapes(&catalogue.table, settings.stiffness_per));
        settings.time_step = self.time_step(stiffest)?;
        let end = self.positive("time.end", self.file.time.end)?;
        if end / settings.time_step > 1e15 {
            return self.fail(
                "time.end",
                format!("time {end} takes more than 1e15 steps of {}", short(settings.time_step)),
            );
        }
        if end < 0.5 * settings.time_step {
            return self.fail(
                "time.end",
                format!(
                    "time {} is less than half a step of {}, expected at least a step",
                    short(end),
                    short(settings.time_step)
                ),
            );
        }
        let name = self.path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let setup = Setup {
            path: self.path.to_path_buf(),
            source: self.source.to_string(),
            checksum: crc32fast::hash(self.source.as_bytes()),
            title: self.file.title.clone().or(name).unwrap_or_default(),
            end,
            settings,
            materials,
            shapes: std::mem::take(&mut catalogue.built),
            walls,
            insertions,
            probes,
            output: self.output(end)?,
            drawing: self.drawing::<D>()?,
            stiffest,
        };
        if !setup.shapes.is_empty() {
            setup.simulation().or_else(|error| self.fail("walls", error.to_string()))?;
        }
        Ok(setup)
    }

    pub(super) fn settings<const D: usize>(&self) -> Result<Settings<D>, SceneError> {
        let mut gravity = [0.0; D];
        gravity[D - 1] = -9.81;
        let corners = &self.file.domain;
        let min = self.corner("domain.min", &corners.min, f64::NEG_INFINITY)?;
        let max = self.corner("domain.max", &corners.max, f64::INFINITY)?;
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
        for (index, axis) in corners.periodic.iter().enumerate() {
            let k = *axis as usize;
            let key = format!("domain.periodic[{index}]");
            if *axis == AxisName::Z && D == 2 {
                return self.fail(&key, "there is no axis z in 2D".to_string());
            }
            if !(min[k].is_finite() && max[k].is_finite()) {
                return self
                    .fail(&key, "a periodic axis needs finite `domain.min` and `domain.max`".to_string());
            }
            periodic[k] = true;
        }
        let domain = Domain { min, max, periodic, outside: self.file.domain.outside };
        domain.criterion(0.0).check_values().or_else(|error| self.fail("domain.max", error.to_string()))?;
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
        let overlap_limit = self.file.limits.overlap.unwrap_or(Settings::<D>::default().overlap_limit);
        let overlap_limit = self.positive("limits.overlap", overlap_limit)?;
        if overlap_limit > 1.0 {
            return self.fail(
                "limits.overlap",
                format!("is {overlap_limit}, expected a share of the radius up to 1"),
            );
        }
        let energy_limit = self.file.limits.energy;
        if let Some(limit) = energy_limit {
            self.positive("limits.energy", limit)?;
        }
        Ok(Settings {
            gravity: self
                .file
                .gravity
                .as_ref()
                .map_or(Ok(gravity), |values| self.vector("gravity", values))?,
            force_step: self.file.time.force,
            domain,
            overlap_limit,
            energy_limit,
            method,
            skin: self.file.search.skin,
            link: self.link()?,
            stiffness_per: self.file.stiffness_per,
            orientation: self.file.output.orientation,
            outflows,
            ..Settings::default()
        })
    }

    /// How the common plane of two stones is found.
    fn link(&self) -> Result<LinkMethod, SceneError> {
        let name = self.file.search.link.as_deref();
        name.map_or(Ok(LinkMethod::default()), LinkMethod::from_name)
            .or_else(|error| self.fail("search.link", error.to_string()))
    }

    /// The search method, which must be able to do what the domain asks for.
    fn method<const D: usize>(&self, periodic: bool) -> Result<String, SceneError> {
        let method = self.file.search.method.clone().unwrap_or_else(|| "levels".to_string());
        if method == broad::AUTO {
            return Ok(method);
        }
        broad::create::<D>(&method).or_else(|error| self.fail("search.method", error.to_string()))?;
        let name = method.split(':').next().unwrap_or_default();
        match broad::SearchMethod::<D>::all()
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
                let why = if self.file.insert.is_empty() {
                    "no particles are inserted"
                } else {
                    "no contact of what is inserted has a stiffness: give a `step`, or `k_n` to its material"
                };
                return self.fail("time", format!("no `step`, and none can be derived because {why}"));
            }
        };
        match stiffest {
            Some(stiffest) if step > stiffest.limit && !time.force => {
                let key = if time.step.is_some() { "time.step" } else { "time.fraction" };
                let (limit, suggested) = (stiffest.limit, stiffest.step());
                self.fail(
                    key,
                    Failure::TimeStep { time_step: step, limit, suggested }.to_string(),
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
        if values.film && values.frames == Some(0.0) {
            return self.fail(
                "output.film",
                "a film is made of frames, and `frames` is 0: give an interval".to_string(),
            );
        }
        Ok(Output {
            series: interval("series", values.series, end / 200.0)?,
            frames: interval("frames", values.frames, end / if values.film { 100.0 } else { 50.0 })?,
            checkpoint: interval("checkpoint", values.checkpoint, end / 10.0)?,
            contacts: values.contacts,
            picture: values.picture.unwrap_or(true),
            film: values.film,
        })
    }
}
