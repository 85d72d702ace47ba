//! What can be wrong with a convex body.

use thiserror::Error as ThisError;

/// A reason why a body was refused; its text names the vertex or face, and what was expected.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum ShapeError {
    /// A coordinate is not a number, or too large.
    #[error("vertex {vertex}: `{axis}` is {value:?}, expected a number between -1e60 and 1e60")]
    Coordinate {
        /// Zero-based number of the vertex.
        vertex: usize,
        /// Name of the axis.
        axis: &'static str,
        /// The offending value.
        value: f64,
    },
    /// Too few points to have a volume.
    #[error("{given} vertices are too few: a convex body in {dimension}D needs at least {}", dimension + 1)]
    TooFew {
        /// Number of vertices given.
        given: usize,
        /// Dimension of the space.
        dimension: usize,
    },
    /// More points than can be numbered.
    #[error("{given} vertices are too many: at most {most} can be numbered")]
    TooMany {
        /// Number of vertices given.
        given: usize,
        /// The most that are allowed.
        most: usize,
    },
    /// All points are on one point, line or plane.
    #[error(
        "the body has no volume: its vertices are within {thickness:?} of one {flat}, less than 1e-9 of its size {size:?}; give it a thickness"
    )]
    Flat {
        /// Distance between the two closest planes that hold all points.
        thickness: f64,
        /// What the points are on.
        flat: &'static str,
        /// Largest extent.
        size: f64,
    },
    /// A face names a vertex that does not exist.
    #[error("face {face}: names vertex {vertex}, but there are {count}, numbered from 0")]
    UnknownVertex {
        /// Zero-based number of the face.
        face: usize,
        /// The vertex named.
        vertex: usize,
        /// Number of vertices.
        count: usize,
    },
    /// A face has too few vertices, or one of them twice.
    #[error("face {face}: {problem}")]
    Face {
        /// Zero-based number of the face.
        face: usize,
        /// What is wrong.
        problem: String,
    },
    /// An edge does not have a face on either side.
    #[error(
        "face {face}: its edge from vertex {from} to vertex {to} {problem}; each edge belongs to two faces, which name it in \
         opposite directions; merge vertices that are equal, or leave out the faces to take the convex hull"
    )]
    Open {
        /// Zero-based number of the face.
        face: usize,
        /// Where the edge starts.
        from: usize,
        /// Where it ends.
        to: usize,
        /// What is wrong.
        problem: &'static str,
    },
    /// A vertex belongs to no face.
    #[error("vertex {vertex} belongs to no face: remove it, or leave out the faces to take the convex hull")]
    Unused {
        /// Zero-based number of the vertex.
        vertex: usize,
    },
    /// The faces are listed clockwise.
    #[error(
        "face 0 looks inwards, as all faces do: list the vertices of faces counter-clockwise as seen from outside"
    )]
    InsideOut,
    /// The faces are not the surface of the hull.
    #[error(
        "the faces enclose {enclosed:?}, the hull of the vertices {hull:?}: some faces are without area or missing; leave out the \
         faces to take the convex hull"
    )]
    Hollow {
        /// What the faces enclose.
        enclosed: f64,
        /// The volume of the hull, or its area in the plane.
        hull: f64,
    },
    /// The body is too small for products of its lengths.
    #[error("the body is {size:?} wide, less than 1e-60: use other units")]
    TooSmall {
        /// Largest extent.
        size: f64,
    },
    /// A vertex is in front of a face.
    #[error(
        "not convex: vertex {vertex} is {distance:?} in front of face {face}, more than 1e-6 of the size {size:?}; divide the \
         body into convex ones, or leave out the faces to take the convex hull"
    )]
    NotConvex {
        /// Zero-based number of the face.
        face: usize,
        /// Zero-based number of the vertex.
        vertex: usize,
        /// How far it is in front.
        distance: f64,
        /// Largest extent of the body.
        size: f64,
    },
}
