//! The table of methods, and what is set up for a mesh.

use rayon::prelude::*;
use thiserror::Error as ThisError;

use super::cells::FaceCells;
use super::double_layer::DoubleLayer;
use super::faces::{Face, faces_of};
use super::frame::ScaledFrame;
use super::multipole::{Multipole, MultipoleOptions};
use super::ray_crossing;
use super::ray_tree::RayTree;
use crate::convex::PoseError;
use crate::error::AXES;
use crate::mesh::{Mesh, MeshError};

/// Where a point is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The surface does not wind around it.
    Outside,
    /// On a face, an edge or a vertex.
    Boundary,
    /// The surface winds around it.
    Inside,
}

/// A way to tell whether points are inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InsideMethod {
    /// Boxes if the surface is closed, else solid angles.
    #[default]
    Auto,
    /// Boxes in which all points are on the same side.
    Cells,
    /// Counts how often a ray leaves the body and enters it, face by face.
    RayCrossing,
    /// The same with a hierarchy over the faces.
    RayTree,
    /// The sum of the solid angles of all faces.
    DoubleLayer,
    /// The same by the fast multipole method.
    Multipole,
}

impl InsideMethod {
    /// Every method there is, with its name and one line of help.
    pub const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (
            Self::Auto,
            "auto",
            "cells if the surface is closed; multipole if it is not (double-layer if it is small)",
        ),
        (
            Self::Cells,
            "cells",
            "looks up boxes that are inside or outside as a whole; exact near the surface",
        ),
        (
            Self::RayCrossing,
            "ray-crossing",
            "counts the faces that a random ray passes, asking all of them; exact",
        ),
        (Self::RayTree, "ray-tree", "the same with a hierarchy over the faces; exact"),
        (
            Self::DoubleLayer,
            "double-layer",
            "adds up the solid angles of all faces; also if the surface is not closed",
        ),
        (
            Self::Multipole,
            "multipole",
            "the same by the fast multipole method; also if the surface is not closed",
        ),
    ];

    /// Whether it needs a closed surface.
    pub fn needs_closed(self) -> bool {
        matches!(self, Self::Cells | Self::RayCrossing | Self::RayTree)
    }

    /// The name by which it is chosen.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(method, ..)| *method == self).map_or("", |(_, name, _)| name)
    }

    /// The method of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known, _)| *known == name).map(|(method, ..)| *method)
    }
}

/// Why points were not classified.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum InsideError {
    /// The mesh is not one for the method.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// An option is none.
    #[error("`{name}` is {value}, expected {expected}")]
    Option {
        /// Its name.
        name: &'static str,
        /// The offending value.
        value: f64,
        /// What it must be.
        expected: &'static str,
    },
    /// A body is nowhere.
    #[error(transparent)]
    Pose(#[from] PoseError),
    /// A coordinate is not a number.
    #[error("point {point}: `{axis}` is {value}, expected a finite number")]
    Point {
        /// Zero-based row of the point.
        point: usize,
        /// Name of the axis.
        axis: &'static str,
        /// The offending value.
        value: f64,
    },
}

/// A mesh, set up for any number of points.
///
/// ```
/// use riprap::inside::{Inside, InsideMethod, Place};
/// use riprap::mesh::shapes;
///
/// let sphere = Inside::new(&shapes::sphere(4), InsideMethod::Cells)?;
/// let mut places = Vec::new();
/// sphere.classify(&[[0.0; 3], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]], 1, &mut places)?;
/// assert_eq!(places, [Place::Inside, Place::Outside, Place::Boundary]); // the last one is a vertex
/// # Ok::<(), riprap::inside::InsideError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Inside {
    bounds: [[f64; 3]; 2],
    frame: ScaledFrame,
    /// The box in the coordinates of the frame.
    framed: [[f64; 3]; 2],
    method: InsideMethod,
    open: Option<MeshError>,
    prepared: Prepared,
}

#[derive(Debug, Clone)]
enum Prepared {
    Cells(FaceCells),
    RayCrossing(Vec<Face>),
    RayTree(RayTree),
    DoubleLayer(DoubleLayer),
    Multipole(Box<Multipole>),
}

/// Faces of an open surface up to which all of them are asked for each point.
const FEW: usize = 100;
/// Points that a thread works on before it takes more; and if their order matters, the more the better.
const PART: usize = 4096;
const LARGE_PART: usize = 1 << 17;

impl Inside {
    /// Sets up a mesh for a method. An error if that needs a closed surface and this one is not.
    pub fn new(mesh: &Mesh, method: InsideMethod) -> Result<Self, InsideError> {
        Self::with_options(mesh, method, &MultipoleOptions::default())
    }

    /// Sets up a mesh for a method; the options are for `multipole`.
    pub fn with_options(
        mesh: &Mesh,
        method: InsideMethod,
        options: &MultipoleOptions,
    ) -> Result<Self, InsideError> {
        options.check()?;
        let open = mesh.check_closed().err();
        if let (Some(open), true) = (&open, method.needs_closed()) {
            return Err(open.clone().into());
        }
        let method = match (method, &open) {
            (InsideMethod::Auto, None) => InsideMethod::Cells,
            (InsideMethod::Auto, Some(_)) if mesh.triangles().len() <= FEW => InsideMethod::DoubleLayer,
            (InsideMethod::Auto, Some(_)) => InsideMethod::Multipole,
            (method, _) => method,
        };
        let (bounds, frame) = (mesh.bounds(), ScaledFrame::of(mesh));
        let changed = frame.mesh(mesh);
        let mesh = changed.as_ref().unwrap_or(mesh);
        let prepared = match method {
            InsideMethod::Auto | InsideMethod::Cells => Prepared::Cells(FaceCells::new(mesh)),
            InsideMethod::RayCrossing => Prepared::RayCrossing(faces_of(mesh)),
            InsideMethod::RayTree => Prepared::RayTree(RayTree::new(mesh)),
            InsideMethod::DoubleLayer => Prepared::DoubleLayer(DoubleLayer::new(mesh, open.is_none())),
            InsideMethod::Multipole => {
                Prepared::Multipole(Box::new(Multipole::new(mesh, open.is_none(), options)))
            }
        };
        Ok(Self { bounds, frame, framed: mesh.bounds(), method, open, prepared })
    }

    /// The method that is used: which one `auto` has chosen.
    pub fn method(&self) -> InsideMethod {
        self.method
    }

    /// Why the surface is not closed, if it is not: an edge where that is seen. Windings are no whole numbers then; a point is inside if
    /// its winding rounds to another number than zero.
    pub fn open_edge(&self) -> Option<&MeshError> {
        self.open.as_ref()
    }

    /// The lowest and the highest corner of the box around the surface.
    pub fn bounds(&self) -> [[f64; 3]; 2] {
        self.bounds
    }

    /// The degree of the expansions of `multipole`, and what is wrong at most because they end there. Rounding adds up to 1e-5 next to
    /// faces, or 1e-8 if a tolerance below 0.01 was asked for.
    pub fn expansion(&self) -> Option<(usize, f64)> {
        if let Prepared::Multipole(body) = &self.prepared { Some(body.degree()) } else { None }
    }

    /// Fills `places` with the place of each point, on this number of threads of the
    /// caller's pool at most (0 is taken for 1). It does not change the result.
    pub fn classify(
        &self,
        points: &[[f64; 3]],
        threads: usize,
        places: &mut Vec<Place>,
    ) -> Result<(), InsideError> {
        let place = |winding: Option<i32>| match winding {
            None => Place::Boundary,
            Some(0) => Place::Outside,
            Some(_) => Place::Inside,
        };
        let rounded = |winding: f64| place((!winding.is_nan()).then(|| winding.round() as i32));
        self.each_part(points, threads, places, Place::Outside, |first, points, places| {
            self.fill(first, points, places, place, rounded);
        })
    }

    /// Fills `windings` with how often the surface winds around each point: not a whole number if it is not closed. A point on the
    /// surface has none, which is NaN.
    pub fn windings(
        &self,
        points: &[[f64; 3]],
        threads: usize,
        windings: &mut Vec<f64>,
    ) -> Result<(), InsideError> {
        let number = |winding: Option<i32>| winding.map_or(f64::NAN, f64::from);
        self.each_part(points, threads, windings, 0.0, |first, points, windings| {
            self.fill(first, points, windings, number, |winding| winding);
        })
    }

    /// Fills `results` with what to make of the winding around each point, from the point of this number on: of a count of crossings, which
    /// is none on the surface, or of a sum of angles, which is no number there.
    #[inline(always)]
    fn fill<T>(
        &self,
        first: usize,
        points: &[[f64; 3]],
        results: &mut [T],
        of_count: impl Fn(Option<i32>) -> T,
        of_sum: impl Fn(f64) -> T,
    ) {
        match &self.prepared {
            Prepared::Cells(cells) => {
                for (point, result) in points.iter().zip(results) {
                    *result = of_count(cells.winding(*point));
                }
            }
            Prepared::RayCrossing(faces) => {
                for ((point, result), index) in points.iter().zip(results).zip(first as u64..) {
                    *result = of_count(ray_crossing::winding(faces, &self.framed, *point, index));
                }
            }
            Prepared::RayTree(tree) => {
                for ((point, result), index) in points.iter().zip(results).zip(first as u64..) {
                    *result = of_count(tree.winding(*point, index));
                }
            }
            Prepared::DoubleLayer(layer) => {
                let mut sums = vec![0.0; points.len()];
                layer.windings(points, &mut sums, true);
                results.iter_mut().zip(sums).for_each(|(result, sum)| *result = of_sum(sum));
            }
            Prepared::Multipole(body) => {
                let mut sums = vec![0.0; points.len()];
                body.windings(points, &mut sums);
                results.iter_mut().zip(sums).for_each(|(result, sum)| *result = of_sum(sum));
            }
        }
    }

    /// Checks the points, and has them worked on part by part; each part comes with the number of its first point.
    fn each_part<T: Copy + Send>(
        &self,
        points: &[[f64; 3]],
        threads: usize,
        results: &mut Vec<T>,
        fill: T,
        work: impl Fn(usize, &[[f64; 3]], &mut [T]) + Sync,
    ) -> Result<(), InsideError> {
        let is_odd = |point: &[f64; 3]| !point.iter().all(|x| x.is_finite());
        let any_odd = points.as_flattened().iter().fold(false, |odd, x| odd | !x.is_finite());
        if let Some(point) = any_odd.then(|| points.iter().position(is_odd)).flatten() {
            let k = (0..3).find(|&k| !points[point][k].is_finite()).unwrap_or(0);
            return Err(InsideError::Point { point, axis: AXES[k], value: points[point][k] });
        }
        results.resize(points.len(), fill);
        let size = self.part_size(points.len(), threads);
        let threads = threads.min(points.len().div_ceil(size));
        let part = |(number, (points, results)): (usize, (&[[f64; 3]], &mut [T]))| {
            if self.frame.changes(points) {
                let points: Vec<[f64; 3]> = points.iter().map(|&point| self.frame.point(point)).collect();
                work(number * size, &points, results);
            } else {
                work(number * size, points, results);
            }
        };
        if threads.min(rayon::current_num_threads()) > 1 {
            points.par_chunks(size).zip(results.par_chunks_mut(size)).enumerate().for_each(part);
        } else {
            points.chunks(size).zip(results.chunks_mut(size)).enumerate().for_each(part);
        }
        Ok(())
    }

    /// How many points are worked on at a time: multipoles put those in order, as long as there are enough parts for all threads.
    fn part_size(&self, points: usize, threads: usize) -> usize {
        let most = if matches!(self.prepared, Prepared::Multipole(_)) { LARGE_PART } else { PART };
        (points / threads.max(1).saturating_mul(4)).clamp(PART, most)
    }
}
