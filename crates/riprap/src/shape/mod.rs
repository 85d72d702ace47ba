//! Shapes of bodies that move: balls, convex stones, concave bodies and clumps, at unit size.
//!
//! ```text
//! vertices, mesh files, pieces, spheres ─▶ pieces in one frame ─▶ volume, centroid, inertia of their union ─▶ Shape
//! ```
//!
//! The size of a body is the radius of the ball of the same volume (in the plane of the disk of the same area), so every size
//! distribution means the same for all shapes. A [`Shape`] has size one, its centre of mass at the origin and its axes along its
//! principal axes; many bodies share it, each with a size, a place and an orientation of its own.
//!
//! | file | what |
//! |---|---|
//! | `build.rs`, `ready.rs` | shapes from vertices, balls and pieces; ready-made ones and random stones |
//! | `surface.rs`, `crossing.rs`, `decomposition.rs` | shapes from closed meshes: what is refused, convex pieces of concave ones |
//! | `union/`, `axes.rs`, `touch.rs` | mass of a union of pieces; principal axes; whether pieces are one body |
//! | `bearing.rs` | with how many pieces a body lies on a plane |

mod axes;
mod bearing;
mod build;
mod crossing;
#[cfg(feature = "decomposition")]
mod decomposition;
mod error;
mod ready;
mod surface;
mod touch;
mod union;

pub use build::{Built, Part, from_pieces, from_spheres, from_vertices};
pub use error::BuildError;
pub use ready::{by_name, pebble, stone};
pub use surface::from_mesh;

use crate::convex::Body;
use crate::vector::{add, length};

/// The volume of the unit ball, in the plane the area of the unit disk.
pub(crate) const fn unit_volume<const D: usize>() -> f64 {
    if D == 2 { std::f64::consts::PI } else { 4.0 / 3.0 * std::f64::consts::PI }
}

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
#[expect(
    clippy::large_enum_variant,
    reason = "shapes are few, and contacts should find bodies without a detour"
)]
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

    /// Whether one of its pieces is a ball.
    pub fn is_round(&self) -> bool {
        self.pieces.iter().any(Piece::is_ball)
    }

    /// Whether one of its pieces has faces.
    pub fn is_faced(&self) -> bool {
        !self.pieces.iter().all(Piece::is_ball)
    }

    /// Whether it is a ball about its centre: then its orientation does not matter to contacts.
    pub fn is_ball(&self) -> bool {
        matches!(&self.pieces[..], [Piece { center, form: Form::Ball { .. } }] if *center == [0.0; D])
    }
}

impl<const D: usize> Shape<D> {
    /// By which a shape is known again: two that differ by more than a billionth of their size mostly have different ones.
    pub(crate) fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        let mut add = |number: f64| hasher.update(&((1e9 * number).round() as i64).to_le_bytes());
        for piece in &self.pieces {
            piece.center.iter().for_each(|x| add(*x));
            match &piece.form {
                Form::Ball { radius } => add(*radius),
                Form::Convex(body) => body.vertices().as_flattened().iter().for_each(|x| add(*x)),
            }
        }
        hasher.finalize()
    }

    /// The vertices of its convex pieces, one piece after the other.
    pub fn vertices(&self) -> impl Iterator<Item = [f64; D]> {
        self.bodies()
            .flat_map(|(center, body)| body.vertices().iter().map(move |&vertex| add(center, vertex)))
    }

    /// The faces of its convex pieces, for drawing: corners counter-clockwise as seen from outside. In the plane, the ends of
    /// edges. Balls have none.
    pub fn faces(&self) -> impl Iterator<Item = Vec<[f64; D]>> {
        self.bodies().flat_map(|(center, body)| {
            (0..body.facets().len() as u32).map(move |facet| {
                let place = |vertex: u32| add(center, body.vertices()[vertex as usize]);
                let corners = body.corners(facet).iter().map(|corner| place(corner.vertex));
                // In the plane facets are edges, in the same order.
                let ends = body.edges()[facet as usize].ends.map(place);
                if D == 2 { ends.to_vec() } else { corners.collect() }
            })
        })
    }

    fn bodies(&self) -> impl Iterator<Item = ([f64; D], &Body<D>)> {
        self.pieces.iter().filter_map(|piece| match &piece.form {
            Form::Ball { .. } => None,
            Form::Convex(body) => Some((piece.center, body)),
        })
    }
}

impl Shape<3> {
    /// The faces of its convex pieces as triangles.
    pub fn triangles(&self) -> Vec<[[f64; 3]; 3]> {
        let fan = |face: Vec<[f64; 3]>| (1..face.len() - 1).map(move |k| [face[0], face[k], face[k + 1]]);
        self.faces().flat_map(fan).collect()
    }
}

impl<const D: usize> Piece<D> {
    /// Whether it is a ball.
    pub fn is_ball(&self) -> bool {
        matches!(self.form, Form::Ball { .. })
    }

    /// Distance of its farthest point from the origin.
    fn reach(&self) -> f64 {
        match &self.form {
            Form::Ball { radius } => length(self.center) + radius,
            Form::Convex(body) => {
                let vertices = body.vertices().iter().map(|&vertex| length(add(self.center, vertex)));
                vertices.fold(0.0, f64::max)
            }
        }
    }
}
