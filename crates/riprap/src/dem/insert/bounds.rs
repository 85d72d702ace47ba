//! What narrows the region of an insertion: a cylinder, a mould.

use std::sync::Arc;

use super::Region;
use crate::dem::body::Shapes;
use crate::dem::stones::PlacedBody;
use crate::dem::wall::{FacetError, Facets};
use crate::inside::{Inside, InsideError, InsideMethod, Place};
use crate::mesh::Mesh;
use crate::shape::Form;
use crate::vector::{add, add_scaled, dot, length, reject, scale, sub};

/// A stone may touch a mould: it is seen smaller by this part.
const SHRUNK: f64 = 1.0 - 1e-9;

/// What narrows a region; nothing by default.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bounds<const D: usize> {
    /// A cylinder.
    pub cylinder: Option<Cylinder<D>>,
    /// The inside of a closed surface; in space only.
    pub mould: Option<Arc<Mould>>,
}

/// An infinite cylinder, in the plane a circle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cylinder<const D: usize> {
    /// A point of the axis.
    pub point: [f64; D],
    /// Direction of the axis, of length one; zero in the plane.
    pub axis: [f64; D],
    /// Radius.
    pub radius: f64,
}

/// The inside of a closed surface.
#[derive(Debug)]
pub struct Mould {
    inside: Inside,
    facets: Facets<3>,
}

impl PartialEq for Mould {
    fn eq(&self, other: &Self) -> bool {
        self.facets == other.facets
    }
}

/// Why a surface is no mould.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MouldError {
    /// It is not closed.
    #[error(transparent)]
    Open(#[from] InsideError),
    /// It has no triangles with an area.
    #[error(transparent)]
    Facets(#[from] FacetError),
}

impl Mould {
    /// The inside of a mesh, which must be closed. Triangles without area are passed over.
    pub fn new(mesh: &Mesh) -> Result<Self, MouldError> {
        let inside = Inside::new(mesh, InsideMethod::Cells)?;
        let mut flat = mesh.degenerate_triangles().peekable();
        let solid = (0..mesh.triangles().len()).filter(|triangle| flat.next_if_eq(triangle).is_none());
        let corners = solid.map(|triangle| mesh.corners(triangle)).collect();
        Ok(Self { inside, facets: Facets::new(corners, false)? })
    }

    /// The box around it.
    pub fn region(&self) -> Region<3> {
        let [min, max] = self.inside.bounds();
        Region { min, max }
    }

    fn contains(&self, point: [f64; 3]) -> bool {
        let mut places = Vec::new();
        let known = self.inside.classify(&[point], 1, &mut places);
        known.is_ok() && places == [Place::Inside]
    }

    /// Whether a ball is inside as a whole.
    fn holds_ball(&self, center: [f64; 3], radius: f64) -> bool {
        let mut near = Vec::new();
        self.facets.near(center, radius, &mut near);
        let clear = |&facet: &u32| {
            let nearest = self.facets.nearest(facet as usize, center);
            nearest.is_none_or(|(on, _)| length(sub(center, on)) >= radius)
        };
        near.iter().all(clear) && self.contains(center)
    }
}

/// A point in space.
fn in_space<const D: usize>(point: [f64; D]) -> [f64; 3] {
    std::array::from_fn(|k| if k < D { point[k] } else { 0.0 })
}

impl<const D: usize> Bounds<D> {
    /// Whether there are none.
    pub fn is_none(&self) -> bool {
        self.cylinder.is_none() && self.mould.is_none()
    }

    pub(super) fn contain(&self, point: [f64; D]) -> bool {
        self.cylinder.is_none_or(|cylinder| cylinder.depth(point) >= 0.0)
            && self.mould.as_ref().is_none_or(|mould| mould.contains(in_space(point)))
    }

    /// Whether a body is within them as a whole.
    pub(super) fn hold(&self, shapes: &Shapes<D>, body: &PlacedBody<D>) -> bool {
        if self.is_none() {
            return true;
        }
        shapes.get(body.shape).pieces.iter().all(|piece| {
            let center = body.pose.place(scale(piece.center, body.size));
            match &piece.form {
                Form::Ball { radius } => {
                    let radius = radius * body.size;
                    self.cylinder.is_none_or(|cylinder| cylinder.depth(center) >= radius)
                        && self.mould.as_ref().is_none_or(|mould| mould.holds_ball(in_space(center), radius))
                }
                Form::Convex(stone) => {
                    let mut vertices = stone.vertices().iter();
                    let place = |vertex: [f64; D]| add_scaled(center, body.size, body.pose.turn(vertex));
                    self.cylinder.is_none_or(|c| vertices.all(|&vertex| c.depth(place(vertex)) >= 0.0))
                        && self.mould.as_ref().is_none_or(|mould| {
                            let local = |point: [f64; 3]| -> [f64; D] {
                                let point = std::array::from_fn(|k| point[k]);
                                scale(body.pose.turn_back(sub(point, center)), 1.0 / body.size)
                            };
                            let reach = stone.radius() * body.size;
                            let planes: Vec<_> = stone
                                .facets()
                                .iter()
                                .map(|facet| (facet.normal, SHRUNK * facet.offset))
                                .collect();
                            let mut near = Vec::new();
                            mould.facets.near(in_space(center), reach, &mut near);
                            let clear = |&facet: &u32| {
                                let corners = &mould.facets.corners()[facet as usize];
                                is_clear(&planes, corners.iter().map(|corner| local(*corner)).collect())
                            };
                            near.iter().all(clear) && mould.contains(in_space(center))
                        })
                }
            }
        })
    }
}

/// Whether nothing of a flat polygon is behind all planes: it is cut by one after the other (Sutherland and Hodgman 1974).
fn is_clear<const D: usize>(planes: &[([f64; D], f64)], mut polygon: Vec<[f64; D]>) -> bool {
    let mut cut = Vec::new();
    for (normal, offset) in planes {
        cut.clear();
        for (k, &here) in polygon.iter().enumerate() {
            let next = polygon[(k + 1) % polygon.len()];
            let [from, to] = [here, next].map(|corner| dot(*normal, corner) - offset);
            if from <= 0.0 {
                cut.push(here);
            }
            if (from <= 0.0) != (to <= 0.0) {
                cut.push(add(here, scale(sub(next, here), from / (from - to))));
            }
        }
        std::mem::swap(&mut polygon, &mut cut);
    }
    polygon.is_empty()
}

impl<const D: usize> Cylinder<D> {
    /// How far a point is inside the surface.
    fn depth(&self, point: [f64; D]) -> f64 {
        self.radius - length(reject(sub(point, self.point), self.axis))
    }
}
