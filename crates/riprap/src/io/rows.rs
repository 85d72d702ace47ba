//! Rows of a file of particles or points.

use rustc_hash::FxHashMap;

use super::{FileRegion, Particles};
use crate::spheres::check_count;
use crate::{Error, SphereColumns};

/// What the rows of a file are read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowKind {
    /// Coordinates and a size, in the plane or in space.
    Particles,
    /// The same with velocities, spins and names of materials where the columns are there.
    Bodies,
    /// Coordinates in space; sizes are ignored.
    Points,
}

impl RowKind {
    /// Whether rows have a size.
    pub(super) fn has_sizes(self) -> bool {
        self != Self::Points
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Particles | Self::Bodies => "particles",
            Self::Points => "points",
        }
    }

    /// An example of a header.
    pub(super) fn header(self) -> &'static str {
        match self {
            Self::Particles | Self::Bodies => "x,y,z,r",
            Self::Points => "x,y,z",
        }
    }

    /// What columns are expected.
    pub(super) fn columns(self) -> &'static str {
        match self {
            Self::Particles | Self::Bodies => {
                "expected columns `x`, `y`, for 3D also `z`, and one of `r`, `radius`, `d`, `diameter`"
            }
            Self::Points => "expected columns `x`, `y` and `z` (zeros for points in a plane)",
        }
    }

    /// What arrays are expected.
    pub(super) fn array(self) -> &'static str {
        match self {
            Self::Particles | Self::Bodies => {
                "expected float64 or float32 with shape (N, 3) for x y r or (N, 4) for x y z r"
            }
            Self::Points => {
                "expected float64 or float32 with shape (N, 3) for x y z (zeros for points in a plane), or (N, 4), \
                 whose last column is ignored"
            }
        }
    }
}

/// The rows read so far. Columns that a file does not have are empty.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) dimension: usize,
    /// The third coordinate is zero in the plane.
    pub(super) centers: Vec<[f64; 3]>,
    /// Points have none.
    pub(super) radii: Vec<f64>,
    pub(super) velocities: Vec<[f64; 3]>,
    pub(super) spins: Vec<[f64; 3]>,
    pub(super) materials: MaterialNames,
    pub(super) ids: Vec<u64>,
    pub(super) region: Option<FileRegion>,
}

/// The material of each row as an index among the names of the file.
#[derive(Debug, Default)]
pub(super) struct MaterialNames {
    pub(super) rows: Vec<u32>,
    /// Each name once, with the line where it comes first.
    pub(super) names: Vec<(String, u64)>,
    index: FxHashMap<String, u32>,
}

impl MaterialNames {
    pub(super) fn push(&mut self, name: &str, line: u64) {
        let index = match self.index.get(name) {
            Some(index) => *index,
            None => {
                let index = self.names.len() as u32;
                self.names.push((name.to_string(), line));
                self.index.insert(name.to_string(), index);
                index
            }
        };
        self.rows.push(index);
    }
}

impl Rows {
    pub(super) fn new(dimension: usize) -> Self {
        Self { dimension, ..Self::default() }
    }

    /// Adds a row; refuses more particles than can be numbered.
    pub(super) fn push(&mut self, center: [f64; 3], radius: Option<f64>) -> Result<(), Error> {
        self.centers.push(center);
        self.radii.extend(radius);
        check_count(self.radii.len() as u64)
    }

    pub(super) fn into_particles(self) -> Particles {
        let Self { dimension, centers, radii, .. } = self;
        if dimension == 2 {
            let centers = centers.iter().map(|&[x, y, _]| [x, y]).collect();
            Particles::Planar(SphereColumns { centers, radii })
        } else {
            Particles::Spatial(SphereColumns { centers, radii })
        }
    }
}
