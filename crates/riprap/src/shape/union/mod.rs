//! Volume, first and second moments of the union of balls and convex bodies: what pieces share counts once.
//!
//! 1. In the plane: horizontal lines through all ends and crossings of outlines divide it into slabs. In a slab no two outlines
//!    cross, so one line through its middle tells which of them bound the union, and these are integrated in closed form
//!    (`slabs.rs`).
//! 2. In space: the sections at fixed height are such unions. Between the heights at which a vertex, the end of a ball or of a
//!    curve on which two surfaces meet, or a point of three surfaces lies on the union's surface (`heights.rs`) they change smoothly,
//!    and are integrated by Gauss's rules (`sections.rs`).
//!
//! Which outlines bound a slab is read from the order of points on a line. There are no special cases: pieces may touch in faces,
//! coincide, or overlap by a rounding, and an error of the order costs no more than the rounding that caused it.
//!
//! Exact to rounding for polygons, disks and polyhedra, and better than 1e-11 for balls in space. Cost: the square of the
//! number of outlines per section; some sections per vertex, 21 per panel between two heights if there are balls.

mod heights;
mod pieces;
mod sections;
mod side;
mod slabs;

use super::Piece;
use crate::dimension::of_dimension;
use crate::vector::{add, scale, sub};

/// Integrals over a region, about a given point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Integrals<const D: usize> {
    pub(super) volume: f64,
    /// Of `x_i`.
    pub(super) first: [f64; D],
    /// Of `x_i x_j`.
    pub(super) second: [[f64; D]; D],
}

/// Volume of a region, its centroid, and its second moments about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct UnionMass<const D: usize> {
    pub(super) volume: f64,
    pub(super) centroid: [f64; D],
    pub(super) second_moments: [[f64; D]; D],
}

type Integrate<const D: usize> = fn(&[Piece<D>]) -> Integrals<D>;
static IN_PLANE: Integrate<2> = slabs::integrals;
static IN_SPACE: Integrate<3> = sections::integrals;

/// The mass properties of the union of pieces, of which there must be one at least.
pub(super) fn mass<const D: usize>(pieces: &[Piece<D>]) -> UnionMass<D> {
    if let [only] = pieces {
        return only.mass();
    }
    let (low, high) = pieces::bounds(pieces);
    // About the middle, so that nothing cancels but what must.
    let middle = scale(add(low, high), 0.5);
    let centered: Vec<Piece<D>> = pieces
        .iter()
        .map(|piece| Piece { center: sub(piece.center, middle), form: piece.form.clone() })
        .collect();
    let Integrals { volume, first, mut second } =
        of_dimension::<Integrate<D>>(&IN_PLANE, &IN_SPACE)(&centered);
    let arm = scale(first, 1.0 / volume);
    for i in 0..D {
        for j in 0..D {
            second[i][j] -= volume * arm[i] * arm[j];
        }
    }
    UnionMass { volume, centroid: add(middle, arm), second_moments: second }
}
