//! The table of methods, and what is set up for a mesh.

use rayon::prelude::*;
use thiserror::Error as ThisError;

use super::cells::Cells;
use super::double_layer;
use super::faces::{Face, faces_of};
use super::ray_crossing::{place, winding};
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
pub enum Method {
    /// Boxes in which all points are on the same side.
    #[default]
    Cells,
    /// Counts how often a ray leaves the body and enters it, face by face.
    RayCrossing,
    /// The sum of the solid angles of all faces.
    DoubleLayer,
}

impl Method {
    /// Every method there is, with its name and one line of help.
    pub const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (
            Self::Cells,
            "cells",
            "looks up boxes that are inside or outside as a whole; exact near the surface",
        ),
        (
            Self::RayCrossing,
            "ray-crossing",
            "counts the faces that a random ray passes; exact; for comparison",
        ),
        (
            Self::DoubleLayer,
            "double-layer",
            "adds up the solid angles of all faces; for surfaces that are not closed too",
        ),
    ];

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
/// use riprap::inside::{Inside, Method, Place};
/// use riprap::mesh::shapes;
///
/// let sphere = Inside::new(&shapes::sphere(4), Method::Cells)?;
/// let mut places = Vec::new();
/// sphere.classify(&[[0.0; 3], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]], 1, &mut places)?;
/// assert_eq!(places, [Place::Inside, Place::Outside, Place::Boundary]); // the last one is a vertex
/// # Ok::<(), riprap::inside::InsideError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Inside {
    bounds: [[f64; 3]; 2],
    prepared: Prepared,
}

#[derive(Debug, Clone)]
enum Prepared {
    Cells(Cells),
    RayCrossing(Vec<Face>),
    DoubleLayer(Vec<Face>),
}

/// Points that a thread works on before it takes more.
const PART: usize = 4096;

impl Inside {
    /// Sets up a mesh for a method. All but `double-layer` need a closed one.
    pub fn new(mesh: &Mesh, method: Method) -> Result<Self, InsideError> {
        if method != Method::DoubleLayer {
            mesh.check_closed()?;
        }
        let prepared = match method {
            Method::Cells => Prepared::Cells(Cells::new(mesh)),
            Method::RayCrossing => Prepared::RayCrossing(faces_of(mesh)),
            Method::DoubleLayer => Prepared::DoubleLayer(faces_of(mesh)),
        };
        Ok(Self { bounds: mesh.bounds(), prepared })
    }

    /// Fills `places` with the place of each point, on so many threads at most. Their number does not change the result.
    pub fn classify(
        &self,
        points: &[[f64; 3]],
        threads: usize,
        places: &mut Vec<Place>,
    ) -> Result<(), InsideError> {
        if let Some(point) = points.iter().position(|point| !point.iter().all(|x| x.is_finite())) {
            let k = (0..3).find(|&k| !points[point][k].is_finite()).unwrap_or(0);
            return Err(InsideError::Point { point, axis: AXES[k], value: points[point][k] });
        }
        places.resize(points.len(), Place::Outside);
        let part = |(number, (points, places)): (usize, (&[[f64; 3]], &mut [Place]))| {
            for (index, (point, place)) in points.iter().zip(places).enumerate() {
                *place = self.place(*point, (number * PART + index) as u64);
            }
        };
        let threads = threads.min(points.len().div_ceil(PART));
        match (threads > 1)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok())
            .flatten()
        {
            Some(pool) => pool.install(|| {
                points.par_chunks(PART).zip(places.par_chunks_mut(PART)).enumerate().for_each(part);
            }),
            None => points.chunks(PART).zip(places.chunks_mut(PART)).enumerate().for_each(part),
        }
        Ok(())
    }

    /// The place of a finite point; its number chooses its random rays.
    #[inline(always)]
    fn place(&self, point: [f64; 3], index: u64) -> Place {
        match &self.prepared {
            Prepared::Cells(cells) => place(cells.winding(point)),
            Prepared::RayCrossing(faces) => place(winding(faces, &self.bounds, point, index)),
            Prepared::DoubleLayer(faces) => {
                if faces.iter().any(|face| face.touches(point)) {
                    return Place::Boundary;
                }
                match double_layer::functional(faces, point) {
                    Some(value) => place(Some(value.round() as i32)),
                    None => place(winding(faces, &self.bounds, point, index)),
                }
            }
        }
    }
}
