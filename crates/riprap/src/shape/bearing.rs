//! How many springs carry a body that lies on a plane: for the time step.
//!
//! A plane touches a body from outside along the facets of its hull. Pieces that reach nearly as far there are pressed at the same time.
//!
//! Cost: facets of the hull, times pieces and their vertices.

use super::build::hull;
use super::{Form, Shape};
use crate::convex::Body;
use crate::vector::{components, dot};

/// What reaches less far than the rest by less than this part of the size touches as soon as the body is pressed.
const NEARLY: f64 = 0.01;

impl<const D: usize> Shape<D> {
    /// Most springs at once between the body and a plane: one for each ball and convex piece, or for each of its vertices.
    pub(crate) fn bearing(&self, per_point: bool) -> usize {
        if self.pieces.len() == 1 && !per_point {
            return 1;
        }
        let points: Vec<[f64; D]> = self.points().collect();
        // The axes of a shape are the principal ones: that of a flat shape, which has no hull, is one of them.
        let axes = (0..2 * D).map(|k| {
            let sign = if k < D { 1.0 } else { -1.0 };
            components(|i| if i == k % D { sign } else { 0.0 })
        });
        let hull = hull(&points).ok();
        let facets = hull.iter().flat_map(Body::facets).map(|facet| facet.normal);
        axes.chain(facets).map(|direction| self.bearing_along(direction, per_point)).max().unwrap_or(1)
    }

    /// Vertices of convex pieces and centres of balls.
    fn points(&self) -> impl Iterator<Item = [f64; D]> + '_ {
        self.pieces.iter().flat_map(|piece| {
            let vertices: &[[f64; D]] = match &piece.form {
                Form::Ball { .. } => &[],
                Form::Convex(body) => body.vertices(),
            };
            let center = vertices.is_empty().then_some(piece.center);
            let placed = vertices.iter().map(|vertex| components(|k| piece.center[k] + vertex[k]));
            center.into_iter().chain(placed)
        })
    }

    fn bearing_along(&self, direction: [f64; D], per_point: bool) -> usize {
        let heights = |form: &Form<D>, center: [f64; D], each: &mut dyn FnMut(f64)| {
            let height = dot(center, direction);
            match form {
                Form::Ball { radius } => each(height + radius),
                Form::Convex(body) => {
                    body.vertices().iter().for_each(|vertex| each(height + dot(*vertex, direction)));
                }
            }
        };
        let mut top = f64::NEG_INFINITY;
        for piece in &self.pieces {
            heights(&piece.form, piece.center, &mut |height| top = top.max(height));
        }
        let level = top - NEARLY * self.reach;
        let mut count = 0;
        for piece in &self.pieces {
            let mut points = 0;
            heights(&piece.form, piece.center, &mut |height| points += usize::from(height >= level));
            count += if per_point { points } else { points.min(1) };
        }
        count.max(1)
    }
}

#[cfg(test)]
mod tests {
    use crate::shape::{self, Part};

    #[test]
    fn plates_of_balls_bear_on_all_and_stones_on_one() {
        let grid = |count: i32| {
            let at = |k: i32| [f64::from(k % count), f64::from(k / count), 0.0];
            let balls: Vec<_> = (0..count * count).map(|k| (at(k), 0.6)).collect();
            shape::from_spheres("plate", &balls).unwrap().shape
        };
        for count in [2, 3, 7] {
            assert_eq!(grid(count).bearing(false), (count * count) as usize);
        }
        let ready = |name: &str| shape::by_name::<3>(name).unwrap().shape;
        assert_eq!(ready("cube").bearing(false), 1);
        assert_eq!(ready("cube").bearing(true), 4);
        assert_eq!(ready("tetrahedron").bearing(true), 3);
        // One large ball between two small ones, which a plane touches with two at most.
        let dumbbell = [([0.0; 3], 1.0), ([1.5, 0.0, 0.0], 0.5), ([-1.5, 0.0, 0.0], 0.5)];
        let pieces = dumbbell.map(|(center, radius)| Part::Ball { center, radius });
        let found = shape::from_pieces("dumbbell", &pieces).unwrap().shape.bearing(false);
        assert!((1..=2).contains(&found), "{found}");
    }
}
