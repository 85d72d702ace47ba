//! The point of a body that is nearest to a point.

use super::body::Body;
use super::feature::BodyFeature;
use crate::vector::{dot, length, scale, sub};

/// Where a body is nearest to a point, in the body's coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct NearestPoint<const D: usize> {
    /// Unit vector from the body to the point.
    pub(crate) normal: [f64; D],
    /// Distance of the point from the body; negative inside.
    pub(crate) distance: f64,
}

impl<const D: usize> Body<D> {
    /// Where it is nearest to a point; of points inside, along the facet that is nearest.
    ///
    /// The facet over which the point is highest tells where to start to walk. Cost: a look at all facets.
    pub(crate) fn nearest(&self, target: [f64; D]) -> NearestPoint<D> {
        let (mut highest, mut height) = (0, f64::NEG_INFINITY);
        for (number, facet) in self.facets.iter().enumerate() {
            let over = dot(facet.normal, target) - facet.offset;
            if over > height {
                (highest, height) = (number as u32, over);
            }
        }
        let normal = self.facets[highest as usize].normal;
        if height <= 0.0 {
            return NearestPoint { normal, distance: height };
        }
        let vertex = self.outline(highest)[0];
        let start = self.vertex(vertex);
        let toward = sub(target, start);
        let toward = scale(toward, 1.0 / length(toward));
        let (feature, point) = self.walk(BodyFeature::Vertex(vertex), start, target, toward);
        let from = sub(target, point);
        let distance = length(from);
        match feature {
            // Better known than by the difference of two points.
            BodyFeature::Face(face) => {
                let facet = &self.facets[face as usize];
                NearestPoint { normal: facet.normal, distance: dot(facet.normal, target) - facet.offset }
            }
            _ if distance > 1e-9 * self.radius => {
                NearestPoint { normal: scale(from, 1.0 / distance), distance }
            }
            _ => NearestPoint { normal, distance },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use crate::convex::{Pose, Solver, shapes};
    use crate::vector::{add, add_scaled};

    /// Against the shortest link to a tiny body around the point.
    #[test]
    fn agrees_with_the_link_to_a_tiny_body() {
        let mut random = Random::new(3);
        let (mut outside, tiny) = (0, shapes::tetrahedron());
        for _ in 0..3000 {
            let stone = shapes::stone(4 + random.below(40), [1.0, 0.7, 0.5], &mut random);
            let target: [f64; 3] = std::array::from_fn(|_| random.uniform(-1.0, 1.0));
            let found = stone.nearest(target);
            let inside = stone.facets().iter().all(|facet| dot(facet.normal, target) < facet.offset);
            assert_eq!(found.distance < 0.0, inside);
            if !inside {
                outside += 1;
                let link = Solver::new(Default::default()).link_scaled(
                    [&stone, &tiny],
                    [&Pose::at([0.0; 3]), &Pose::at(target)],
                    [1.0, 1e-9],
                    &mut Default::default(),
                );
                assert!((link.gap - found.distance).abs() < 1e-8, "{} {}", link.gap, found.distance);
                let foot = add_scaled(target, -found.distance, found.normal);
                assert!(length(sub(foot, link.points[0])) < 1e-6 || link.gap < 1e-3);
            }
        }
        assert!(outside > 1000);
    }

    #[test]
    fn edges_and_corners_of_a_square() {
        let square =
            crate::convex::Polygon::from_points(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]).unwrap();
        let at = |x: f64, y: f64| square.nearest(sub(add([x, y], [0.0; 2]), square.centroid()));
        assert_eq!(at(2.0, 0.5), NearestPoint { normal: [1.0, 0.0], distance: 1.0 });
        assert!((at(2.0, 2.0).distance - 2f64.sqrt()).abs() < 1e-15);
        assert_eq!(at(0.9, 0.5).normal, [1.0, 0.0]);
        assert!((at(0.9, 0.5).distance + 0.1).abs() < 1e-15);
    }
}
