//! What can be wrong with the input of a shape.

use thiserror::Error as ThisError;

use crate::convex::ShapeError;
use crate::mesh::MeshError;

/// A reason why a shape was refused; its text names the value and the remedy.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum BuildError {
    /// Vertices do not make a convex body.
    #[error("{0}")]
    Vertices(#[from] ShapeError),
    /// A piece is no convex body.
    #[error("piece {piece}: {reason}")]
    Piece {
        /// Zero-based number of the piece.
        piece: usize,
        /// Why not.
        reason: ShapeError,
    },
    /// The rows are not those of a rotation.
    #[error(
        "piece {piece}: rotation is {rows:?}, expected rows of length one at right angles, which are not mirrored"
    )]
    Rotation {
        /// Zero-based number of the piece.
        piece: usize,
        /// The offending rows, one after the other.
        rows: Vec<f64>,
    },
    /// A radius or size is no length.
    #[error("piece {piece}: `{key}` is {value:?}, expected a number above 1e-60 and at most 1e60")]
    Length {
        /// Zero-based number of the piece.
        piece: usize,
        /// What it is.
        key: &'static str,
        /// The offending value.
        value: f64,
    },
    /// A coordinate is not a number, or too large.
    #[error("piece {piece}: `{axis}` is {value:?}, expected a number between -1e60 and 1e60")]
    Center {
        /// Zero-based number of the piece.
        piece: usize,
        /// Name of the axis.
        axis: &'static str,
        /// The offending value.
        value: f64,
    },
    /// No pieces.
    #[error("the shape has no pieces, expected at least one")]
    Empty,
    /// Too many pieces.
    #[error("the shape has {count} pieces that show, expected at most {most}; use fewer, larger ones")]
    TooMany {
        /// How many there are.
        count: usize,
        /// The most that are allowed.
        most: usize,
    },
    /// Pieces do not hold together.
    #[error(
        "pieces {pieces:?} are apart from piece {from} and what touches it, by {gap:?}; let them touch, or make them a shape of \
         their own"
    )]
    Apart {
        /// Zero-based numbers of the pieces, of many only the first.
        pieces: Vec<usize>,
        /// A piece that they are apart from.
        from: usize,
        /// How far.
        gap: f64,
    },
    /// The surface is open.
    #[error("{0}")]
    Mesh(#[from] MeshError),
    /// The surface looks inwards.
    #[error(
        "the surface is inside out (it encloses {volume:?}): list the corners of triangles counter-clockwise as seen from outside"
    )]
    InsideOut {
        /// What it encloses.
        volume: f64,
    },
    /// The surface encloses more than its hull.
    #[error(
        "the surface encloses {times:?} times the volume of its hull: is every face listed once, and no part of it inside another?"
    )]
    Doubled {
        /// How many times the volume of the hull.
        times: f64,
    },
    /// The surface encloses next to nothing.
    #[error(
        "the surface is flat: it encloses {volume:?}, within a box of {enclosing:?}; give it a thickness"
    )]
    Flat {
        /// What it encloses.
        volume: f64,
        /// The volume of the cube around it.
        enclosing: f64,
    },
    /// The surface has several parts.
    #[error(
        "the surface has {count} parts that share no vertex (the triangles {triangles:?} are in different ones); make each a shape \
         of its own, or a piece of one shape"
    )]
    Parts {
        /// How many there are.
        count: usize,
        /// A triangle of each of two.
        triangles: [usize; 2],
    },
    /// The surface passes through itself.
    #[error(
        "the surface passes through itself: triangles {} and {} cross near {near:?}; cut it there",
        triangles[0], triangles[1]
    )]
    Crossing {
        /// The triangles.
        triangles: [usize; 2],
        /// A corner of the first.
        near: [f64; 3],
    },
    /// A concave body, and no decomposition.
    #[error(
        "the body is not convex (its hull has {ratio:?} times its volume), and this program was built without the cargo feature \
         `decomposition`; build it with that, or give convex pieces"
    )]
    Concave {
        /// Volume of the hull over that of the body.
        ratio: f64,
    },
    /// The decomposition failed.
    #[error("the body could not be divided into convex pieces: {reason}; give convex pieces instead")]
    Undivided {
        /// Why not.
        reason: String,
    },
    /// No ready-made shape has this name.
    #[error("unknown shape `{name}`; known shapes: {known}")]
    Unknown {
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A number of vertices that makes no stone.
    #[error("`vertices` is {value}, expected a whole number from {least} to {most}")]
    Count {
        /// The offending value.
        value: usize,
        /// The fewest.
        least: usize,
        /// The most.
        most: usize,
    },
    /// Diameters that make no stone.
    #[error("`aspect` is {value:?}, expected numbers above zero, none above a million times another")]
    Aspect {
        /// The offending value.
        value: Vec<f64>,
    },
}
