//! Which shapes an insertion brings, and how they are turned.

use crate::Random;
use crate::dem::body::{NewBody, ShapeIndex, Shapes};
use crate::dem::rotation::{UPRIGHT, product};
use crate::shape::{Built, Form};
use crate::vector::{add, components, unit};

/// A shape that an insertion brings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kind {
    /// The shape.
    pub shape: ShapeIndex,
    /// How its principal axes are turned in the coordinates that it was made from, see [`Built::orientation`].
    pub axes: [f64; 4],
}

impl Kind {
    /// The ball.
    pub const BALL: Self = Self { shape: Shapes::<3>::BALL, axes: UPRIGHT };

    /// A shape that has this index in the simulation.
    pub fn new<const D: usize>(shape: ShapeIndex, built: &Built<D>) -> Self {
        Self { shape, axes: built.orientation() }
    }

    /// The orientation of a body whose own coordinates are turned so, by a unit quaternion.
    pub fn orientation(&self, rotation: [f64; 4]) -> [f64; 4] {
        if self.axes == UPRIGHT { rotation } else { product(rotation, self.axes) }
    }
}

/// A body that looks for a place: what it is, and how it is turned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Homeless {
    pub(super) radius: f64,
    pub(super) shape: ShapeIndex,
    pub(super) orientation: [f64; 4],
}

impl Homeless {
    /// The body at a place.
    pub(super) fn at<const D: usize>(&self, position: [f64; D]) -> NewBody<D> {
        NewBody::shaped(self.shape, position, self.radius, self.orientation)
    }

    /// How far it reaches from its centre of mass down and up along each axis.
    pub(super) fn extent<const D: usize>(&self, shapes: &Shapes<D>) -> [[f64; D]; 2] {
        if self.shape == Shapes::<D>::BALL {
            return [[self.radius; D]; 2];
        }
        let rotation = crate::dem::rotation::matrix::<D>(self.orientation);
        let along = |k: usize, point: [f64; D]| crate::vector::dot(rotation[k], point);
        let mut extent = [[0.0f64; D]; 2];
        for piece in &shapes.get(self.shape).pieces {
            for k in 0..D {
                let mut note = |point: [f64; D], margin: f64| {
                    let place = along(k, point);
                    extent[0][k] = extent[0][k].max(margin - place);
                    extent[1][k] = extent[1][k].max(margin + place);
                };
                match &piece.form {
                    Form::Ball { radius } => note(piece.center, *radius),
                    Form::Convex(body) => {
                        body.vertices().iter().for_each(|vertex| note(add(piece.center, *vertex), 0.0));
                    }
                }
            }
        }
        extent.map(|reach| reach.map(|reach| reach * self.radius))
    }
}

/// A rotation of which all are equally likely: a random direction in four dimensions (Muller 1959), in the plane a random angle.
pub(super) fn any_rotation<const D: usize>(random: &mut Random) -> [f64; 4] {
    if D == 2 {
        let (sine, cosine) = libm::sincos(random.uniform(0.0, std::f64::consts::PI));
        return [cosine, 0.0, 0.0, sine];
    }
    let numbers = [random.normal(), random.normal(), random.normal(), random.normal()];
    // Four zeros come up once in the age of the universe.
    unit(numbers).unwrap_or(components(|k| UPRIGHT[k]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dem::rotation::rotated;

    /// The mean of the turned axes is zero, and their squares are a third each: no direction is preferred.
    #[test]
    fn rotations_prefer_no_direction() {
        let mut random = Random::new(1);
        let (mut first, mut second, count) = ([0.0; 3], [[0.0; 3]; 3], 40_000);
        for _ in 0..count {
            let turned = rotated(any_rotation::<3>(&mut random), [0.6, 0.0, 0.8]);
            for i in 0..3 {
                first[i] += turned[i] / f64::from(count);
                (0..3).for_each(|j| second[i][j] += turned[i] * turned[j] / f64::from(count));
            }
        }
        for i in 0..3 {
            assert!(first[i].abs() < 0.01, "{first:?}");
            for j in 0..3 {
                let expected = if i == j { 1.0 / 3.0 } else { 0.0 };
                assert!((second[i][j] - expected).abs() < 0.01, "{second:?}");
            }
        }
        let planar = any_rotation::<2>(&mut random);
        assert!(
            planar[1..3] == [0.0; 2] && (planar[0] * planar[0] + planar[3] * planar[3] - 1.0).abs() < 1e-15
        );
    }
}
