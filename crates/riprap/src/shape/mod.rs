//! Shapes of bodies that move: balls, convex stones, concave bodies and clumps, at unit size.
//!
//! ```text
//! vertices, mesh files, pieces, spheres ─▶ pieces in one frame ─▶ volume, centroid, inertia of their union ─▶ Shape
//! ```
//!
//! The size of a body is the radius of the ball of the same volume (in the plane of the disk of the same area), so every size
//! distribution means the same for all shapes. A [`Shape`] has size one, its centre of mass at the origin and its axes along its
//! principal axes; many bodies share it, each with a size, a place and an orientation of its own.

use crate::convex::Body;

/// A shape at unit size.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape<const D: usize> {
    /// Name, for scenes and messages.
    pub name: String,
    /// Principal moments of inertia over mass and squared size. In the plane only the last one counts.
    pub inertia: [f64; 3],
    /// Distance of the farthest point from the centre of mass: what a search needs to know.
    pub reach: f64,
    /// What it is made of; pieces may touch and overlap.
    pub pieces: Vec<Piece<D>>,
}

/// A part of a shape.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece<const D: usize> {
    /// Where its centre is, that of a ball or the centroid of a convex body.
    pub center: [f64; D],
    /// What it is.
    pub form: Form<D>,
}

/// What a piece can be.
#[derive(Debug, Clone, PartialEq)]
pub enum Form<const D: usize> {
    /// A ball, in the plane a disk.
    Ball {
        /// Its radius.
        radius: f64,
    },
    /// A convex polyhedron, in the plane a polygon.
    Convex(Body<D>),
}

impl<const D: usize> Shape<D> {
    /// The ball, in the plane the disk.
    pub fn ball() -> Self {
        let share = if D == 2 { 0.5 } else { 0.4 };
        let only = Piece { center: [0.0; D], form: Form::Ball { radius: 1.0 } };
        Self { name: "sphere".to_string(), inertia: [share; 3], reach: 1.0, pieces: vec![only] }
    }

    /// Whether it is a ball about its centre: then its orientation does not matter to contacts.
    pub fn is_ball(&self) -> bool {
        matches!(&self.pieces[..], [Piece { center, form: Form::Ball { .. } }] if *center == [0.0; D])
    }
}
