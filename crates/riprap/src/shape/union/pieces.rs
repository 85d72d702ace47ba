//! What an integration asks of a piece.

use super::UnionMass;
use crate::number::power;
use crate::shape::{Form, Piece, unit_volume};
use crate::vector::{add, dot, length, sub};

impl<const D: usize> Piece<D> {
    /// How far a point is outside; if it is inside, minus the distance from the surface. Of points next to edges and corners, a
    /// lower bound.
    pub(crate) fn height_of(&self, point: [f64; D]) -> f64 {
        let local = sub(point, self.center);
        match &self.form {
            Form::Ball { radius } => length(local) - radius,
            Form::Convex(body) => {
                let heights = body.facets().iter().map(|facet| dot(facet.normal, local) - facet.offset);
                heights.fold(f64::NEG_INFINITY, f64::max)
            }
        }
    }

    /// Distance from the centre to the farthest point.
    pub(crate) fn radius(&self) -> f64 {
        match &self.form {
            Form::Ball { radius } => *radius,
            Form::Convex(body) => body.radius(),
        }
    }

    /// The lowest and the highest corner of the box around it.
    pub(crate) fn bounds(&self) -> ([f64; D], [f64; D]) {
        match &self.form {
            Form::Ball { radius } => (self.center.map(|x| x - radius), self.center.map(|x| x + radius)),
            Form::Convex(body) => {
                let (mut low, mut high) = (self.center, self.center);
                for &vertex in body.vertices() {
                    (low, high) = around((low, high), add(self.center, vertex));
                }
                (low, high)
            }
        }
    }

    /// Volume, centroid and second moments.
    pub(super) fn mass(&self) -> UnionMass<D> {
        let (volume, second_moments) = match &self.form {
            Form::Convex(body) => (body.volume(), body.second_moments()),
            Form::Ball { radius } => {
                let volume = unit_volume::<D>() * power(*radius, D as u32);
                let moment = volume * radius * radius / (D + 2) as f64;
                let row = |i| std::array::from_fn(|j| if i == j { moment } else { 0.0 });
                (volume, std::array::from_fn(row))
            }
        };
        UnionMass { volume, centroid: self.center, second_moments }
    }
}

/// The box around a box and a point.
fn around<const D: usize>((low, high): ([f64; D], [f64; D]), point: [f64; D]) -> ([f64; D], [f64; D]) {
    (std::array::from_fn(|k| low[k].min(point[k])), std::array::from_fn(|k| high[k].max(point[k])))
}

/// The lowest and the highest corner of the box around all of them.
pub(super) fn bounds<const D: usize>(pieces: &[Piece<D>]) -> ([f64; D], [f64; D]) {
    let empty = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
    pieces.iter().fold(empty, |all, piece| {
        let (low, high) = piece.bounds();
        around(around(all, low), high)
    })
}
