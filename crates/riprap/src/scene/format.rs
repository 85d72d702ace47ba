//! The scene file, key by key. What the values mean is checked in `build.rs`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use serde::Deserialize;

use crate::dem::{LawKind, Outside, StiffnessPer};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) title: Option<String>,
    #[serde(default = "three")]
    pub(super) dimension: u8,
    #[serde(default, deserialize_with = "law")]
    pub(super) law: LawKind,
    #[serde(default, with = "StiffnessPerNames")]
    pub(super) stiffness_per: StiffnessPer,
    pub(super) gravity: Option<Vec<f64>>,
    #[serde(default = "one")]
    pub(super) seed: u64,
    pub(super) time: TimeValues,
    #[serde(default)]
    pub(super) domain: DomainValues,
    #[serde(default)]
    pub(super) search: SearchValues,
    #[serde(default)]
    pub(super) limits: LimitValues,
    pub(super) materials: BTreeMap<String, MaterialValues>,
    #[serde(default)]
    pub(super) pairs: Vec<MaterialPairValues>,
    #[serde(default)]
    pub(super) shapes: BTreeMap<String, ShapeValues>,
    #[serde(default)]
    pub(super) walls: Vec<WallValues>,
    #[serde(default)]
    pub(super) insert: Vec<InsertValues>,
    #[serde(default)]
    pub(super) outflow: Vec<OutflowValues>,
    #[serde(default)]
    pub(super) probe: Vec<ProbeValues>,
    #[serde(default)]
    pub(super) output: OutputValues,
}

fn three() -> u8 {
    3
}

fn one() -> u64 {
    1
}

/// A law by its name; an unknown one is told with all that are known.
fn law<'de, T: serde::Deserializer<'de>>(deserializer: T) -> Result<LawKind, T::Error> {
    let name = String::deserialize(deserializer)?;
    LawKind::by_name(&name).ok_or_else(|| {
        let known: Vec<String> = LawKind::ALL.iter().map(|law| format!("`{}`", law.name())).collect();
        serde::de::Error::custom(format!("unknown value `{name}`, expected {}", known.join(" or ")))
    })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TimeValues {
    pub(super) end: f64,
    pub(super) step: Option<f64>,
    pub(super) fraction: Option<f64>,
    #[serde(default)]
    pub(super) force: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DomainValues {
    pub(super) min: Option<Vec<f64>>,
    pub(super) max: Option<Vec<f64>>,
    #[serde(default)]
    pub(super) periodic: Vec<AxisName>,
    #[serde(default, with = "OutsideNames")]
    pub(super) outside: Outside,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum AxisName {
    X,
    Y,
    Z,
}

#[derive(Deserialize)]
#[serde(remote = "Outside", rename_all = "kebab-case")]
enum OutsideNames {
    Stop,
    Remove,
}

#[derive(Deserialize)]
#[serde(remote = "StiffnessPer", rename_all = "kebab-case")]
enum StiffnessPerNames {
    Contact,
    Point,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchValues {
    pub(super) method: Option<String>,
    pub(super) skin: Option<f64>,
    pub(super) link: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LimitValues {
    pub(super) overlap: Option<f64>,
    pub(super) energy: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MaterialValues {
    pub(super) density: Option<f64>,
    pub(super) k_n: Option<f64>,
    pub(super) k_t: Option<f64>,
    pub(super) young: Option<f64>,
    pub(super) poisson: Option<f64>,
    pub(super) restitution: Option<f64>,
    pub(super) friction: Option<f64>,
    pub(super) rolling_friction: Option<f64>,
    pub(super) twisting_friction: Option<f64>,
    pub(super) adhesion: Option<f64>,
    pub(super) surface_tension: Option<f64>,
    pub(super) contact_angle: Option<f64>,
    pub(super) bridge_volume: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MaterialPairValues {
    pub(super) materials: [String; 2],
    pub(super) k_n: Option<f64>,
    pub(super) k_t: Option<f64>,
    pub(super) restitution: Option<f64>,
    pub(super) friction: Option<f64>,
    pub(super) rolling_friction: Option<f64>,
    pub(super) twisting_friction: Option<f64>,
    pub(super) adhesion: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShapeValues {
    pub(super) vertices: Option<Vec<Vec<f64>>>,
    pub(super) file: Option<PathBuf>,
    pub(super) weld: Option<f64>,
    pub(super) pieces: Option<Vec<String>>,
    pub(super) at: Option<Vec<Vec<f64>>>,
    pub(super) rotations: Option<Vec<SpinValue>>,
    pub(super) spheres: Option<Vec<SphereValues>>,
    pub(super) stone: Option<StoneValues>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SphereValues {
    pub(super) center: Vec<f64>,
    pub(super) radius: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoneValues {
    pub(super) vertices: usize,
    pub(super) aspect: Option<Vec<f64>>,
    #[serde(default = "one")]
    pub(super) seed: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CylinderValues {
    pub(super) point: Vec<f64>,
    pub(super) axis: Option<Vec<f64>>,
    pub(super) radius: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ShapeName {
    Plane,
    Box,
    Cylinder,
    Mesh,
    Polyline,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Side {
    Inside,
    Outside,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WallValues {
    pub(super) name: Option<String>,
    pub(super) shape: ShapeName,
    pub(super) material: String,
    pub(super) point: Option<Vec<f64>>,
    pub(super) normal: Option<Vec<f64>>,
    pub(super) min: Option<Vec<f64>>,
    pub(super) max: Option<Vec<f64>>,
    pub(super) axis: Option<Vec<f64>>,
    pub(super) radius: Option<f64>,
    pub(super) side: Option<Side>,
    pub(super) file: Option<PathBuf>,
    pub(super) weld: Option<f64>,
    pub(super) scale: Option<f64>,
    pub(super) offset: Option<Vec<f64>>,
    pub(super) points: Option<Vec<Vec<f64>>>,
    pub(super) closed: Option<bool>,
    pub(super) one_sided: Option<bool>,
    pub(super) center: Option<Vec<f64>>,
    pub(super) until: Option<f64>,
    #[serde(default)]
    pub(super) draw: Draw,
    #[serde(default)]
    pub(super) motion: Vec<PhaseValues>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PhaseValues {
    #[serde(default)]
    pub(super) start: f64,
    pub(super) end: Option<f64>,
    pub(super) velocity: Option<Vec<f64>>,
    pub(super) spin: Option<SpinValue>,
    pub(super) center: Option<Vec<f64>>,
}

/// A spin or a rotation: a number in the plane, several in space.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "expected a number in 2D, a list of numbers in 3D")]
pub(super) enum SpinValue {
    Number(f64),
    Vector(Vec<f64>),
}

impl fmt::Display for SpinValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(value) => write!(f, "{value}"),
            Self::Vector(values) => write!(f, "{values:?}"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum HowName {
    List,
    File,
    Lattice,
    Random,
    Rain,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InsertValues {
    pub(super) name: Option<String>,
    pub(super) how: HowName,
    pub(super) material: Option<String>,
    pub(super) sizes: Option<SizesValues>,
    pub(super) min: Option<Vec<f64>>,
    pub(super) max: Option<Vec<f64>>,
    pub(super) count: Option<u64>,
    pub(super) fraction: Option<f64>,
    pub(super) spacing: Option<f64>,
    pub(super) jitter: Option<f64>,
    pub(super) rate: Option<f64>,
    pub(super) time: Option<f64>,
    pub(super) start: Option<f64>,
    pub(super) end: Option<f64>,
    pub(super) velocity: Option<Vec<f64>>,
    pub(super) random_velocity: Option<f64>,
    pub(super) spin: Option<SpinValue>,
    pub(super) file: Option<PathBuf>,
    pub(super) particles: Option<Vec<ParticleValues>>,
    pub(super) shape: Option<String>,
    pub(super) shapes: Option<Vec<String>>,
    pub(super) rotation: Option<SpinValue>,
    pub(super) within: Option<PathBuf>,
    pub(super) weld: Option<f64>,
    pub(super) cylinder: Option<CylinderValues>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ParticleValues {
    pub(super) position: Vec<f64>,
    pub(super) radius: f64,
    pub(super) velocity: Option<Vec<f64>>,
    pub(super) spin: Option<SpinValue>,
    pub(super) shape: Option<String>,
    pub(super) rotation: Option<SpinValue>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum SizesValues {
    Constant(f64),
    Uniform([f64; 2]),
    PowerLaw { exponent: f64, min: f64, max: f64 },
    LogNormal { median: f64, deviation: f64, min: Option<f64>, max: Option<f64> },
    Sieve(Vec<[f64; 2]>),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OutflowValues {
    pub(super) name: Option<String>,
    pub(super) point: Vec<f64>,
    pub(super) normal: Vec<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProbeValues {
    pub(super) name: Option<String>,
    pub(super) particle: Option<u64>,
    pub(super) min: Option<Vec<f64>>,
    pub(super) max: Option<Vec<f64>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OutputValues {
    pub(super) series: Option<f64>,
    pub(super) frames: Option<f64>,
    pub(super) checkpoint: Option<f64>,
    #[serde(default)]
    pub(super) contacts: bool,
    #[serde(default)]
    pub(super) orientation: bool,
    pub(super) picture: Option<bool>,
    pub(super) view: Option<[f64; 3]>,
    pub(super) color: Option<Color>,
    pub(super) cut: Option<CutValues>,
    #[serde(default)]
    pub(super) film: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CutValues {
    pub(super) point: Vec<f64>,
    pub(super) normal: Vec<f64>,
}

/// How pictures show a wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Draw {
    /// Bodies are seen through it.
    #[default]
    Glass,
    /// It hides what is behind it.
    Solid,
    /// Not at all.
    None,
}

/// What the colours of the picture show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Color {
    /// Speed.
    #[default]
    Speed,
    /// Radius.
    Radius,
    /// Material.
    Material,
    /// Shape.
    Shape,
    /// The order of insertion.
    Id,
}

impl Color {
    /// What it is called in a scene.
    pub fn name(self) -> &'static str {
        match self {
            Self::Speed => "speed",
            Self::Radius => "radius",
            Self::Material => "material",
            Self::Shape => "shape",
            Self::Id => "id",
        }
    }
}
