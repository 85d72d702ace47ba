//! What can be wrong with a mesh.

use thiserror::Error as ThisError;

/// A reason why a mesh was refused; its text names the place and the remedy.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum MeshError {
    /// No triangles.
    #[error("the mesh has no triangles")]
    Empty,
    /// Vertices cannot be joined within a distance that is none.
    #[error("vertices cannot be joined within {value}, expected a length of zero or more")]
    Tolerance {
        /// The distance.
        value: f64,
    },
    /// Too many to be numbered.
    #[error("{count} vertices or triangles are too many: at most {} can be numbered", u32::MAX / 8)]
    TooLarge {
        /// How many there are.
        count: usize,
    },
    /// A coordinate is not a number, or too large.
    #[error("vertex {vertex}: `{axis}` is {value:?}, expected a number between -{largest:e} and {largest:e}")]
    Coordinate {
        /// The vertex.
        vertex: usize,
        /// Name of the axis.
        axis: &'static str,
        /// The offending value.
        value: f64,
        /// The largest that is allowed.
        largest: f64,
    },
    /// A triangle names a vertex that is not there.
    #[error(
        "triangle {triangle}: corner {vertex} is not one of the {count} vertices, which are numbered from 0"
    )]
    UnknownVertex {
        /// The triangle.
        triangle: usize,
        /// The vertex that it names.
        vertex: u32,
        /// Number of vertices.
        count: usize,
    },
    /// An edge is not passed as often in one direction as in the other.
    #[error(
        "the surface is not closed (open edges: {edges}): the edge from vertex {} at {:?} to vertex {} at {:?} is passed {there} times in this direction \
         (first by triangle {triangle}) and {back} times back; close the hole, join vertices that should be one (`--weld`, in scenes `weld`), drop the triangle \
         if there is another like it, or turn it over",
        ends[0], positions[0], ends[1], positions[1]
    )]
    Open {
        /// The vertices at its ends.
        ends: [u32; 2],
        /// Where they are.
        positions: [[f64; 3]; 2],
        /// The first triangle that passes it.
        triangle: usize,
        /// How often it is passed in this direction.
        there: usize,
        /// How often it is passed back.
        back: usize,
        /// How many such edges there are.
        edges: usize,
    },
}
