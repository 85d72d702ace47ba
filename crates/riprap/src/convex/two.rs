//! Two bodies, and a link between them.

use super::body::Body;
use super::feature::BodyFeature;
use super::pose::{Pose, PosedBody};
use crate::vector::{scale, sub};

/// Two bodies, in coordinates with the axes of the world and the first body's centroid as their origin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Two<'a, const D: usize> {
    pub(super) a: PosedBody<'a, D>,
    pub(super) b: PosedBody<'a, D>,
}

impl<'a, const D: usize> Two<'a, D> {
    #[inline(always)]
    pub(super) fn new(bodies: [&'a Body<D>; 2], poses: [&'a Pose<D>; 2], scales: [f64; 2]) -> Self {
        let ([a, b], [pose_a, pose_b]) = (bodies, poses);
        let offset = sub(pose_b.position, pose_a.position);
        Self {
            a: PosedBody { body: a, rotation: &pose_a.rotation, offset: [0.0; D], scale: scales[0] },
            b: PosedBody { body: b, rotation: &pose_b.rotation, offset, scale: scales[1] },
        }
    }

    /// The size that tolerances refer to.
    #[inline(always)]
    pub(super) fn size(&self) -> f64 {
        let (a, b) = (self.a.radius(), self.b.radius());
        if a > b { a } else { b }
    }

    /// The radius of the smaller body.
    #[inline(always)]
    pub(super) fn smaller_radius(&self) -> f64 {
        self.a.radius().min(self.b.radius())
    }

    /// From the centroid of the first to that of the second.
    #[inline(always)]
    pub(super) fn between(&self) -> [f64; D] {
        self.b.offset
    }

    /// A link that is shorter has no direction, and one on the wrong side of a face is none. Bodies this close touch.
    #[inline(always)]
    pub(super) fn shortest(&self) -> f64 {
        1e-13 * self.size()
    }

    /// Whether facets of the one and of the other body are of the same flats as others.
    pub(super) fn is_same_flats(&self, one: [u32; 2], other: [u32; 2]) -> bool {
        let same = |body: &Body<D>, one: u32, other: u32| {
            body.facets[one as usize].outline == body.facets[other as usize].outline
        };
        same(self.a.body, one[0], other[0]) && same(self.b.body, one[1], other[1])
    }

    /// A vertex of each feature.
    #[inline(always)]
    pub(super) fn some_vertices(&self, features: [BodyFeature; 2]) -> [u32; 2] {
        [features[0].some_vertex(self.a.body), features[1].some_vertex(self.b.body)]
    }

    /// The difference of two vertices.
    #[inline(always)]
    pub(super) fn difference(&self, [v, w]: [u32; 2]) -> [f64; D] {
        sub(self.b.vertex(w), self.a.vertex(v))
    }

    /// A point on each feature.
    pub(super) fn some_points(&self, features: [BodyFeature; 2]) -> [[f64; D]; 2] {
        let [v, w] = self.some_vertices(features);
        [self.a.vertex(v), self.b.vertex(w)]
    }

    /// The smallest features that have all these vertices, at most four.
    pub(super) fn features_of(&self, vertices: &[[u32; 2]]) -> [BodyFeature; 2] {
        let mut sides = [[0; 4]; 2];
        for (k, pair) in vertices.iter().enumerate() {
            (sides[0][k], sides[1][k]) = (pair[0], pair[1]);
        }
        [
            self.a.body.feature_of(&sides[0][..vertices.len()]),
            self.b.body.feature_of(&sides[1][..vertices.len()]),
        ]
    }
}

impl<const D: usize> Body<D> {
    /// The smallest feature that has all these vertices, or the first of them if there is none.
    fn feature_of(&self, vertices: &[u32]) -> BodyFeature {
        let first = vertices[0];
        let Some(&second) = vertices.iter().find(|&&vertex| vertex != first) else {
            return BodyFeature::Vertex(first);
        };
        let on_edge = vertices.iter().all(|&vertex| vertex == first || vertex == second);
        for spoke in self.spokes(first) {
            if on_edge && spoke.vertex == second {
                return BodyFeature::Edge(spoke.edge);
            }
        }
        if D == 3 {
            for spoke in self.spokes(first) {
                for facet in self.edges[spoke.edge as usize].facets {
                    let has =
                        |vertex: &u32| self.corners(facet).iter().any(|corner| corner.vertex == *vertex);
                    if vertices.iter().all(has) {
                        return BodyFeature::Face(facet);
                    }
                }
            }
        }
        BodyFeature::Vertex(first)
    }
}

/// A link between two bodies, in the coordinates of [`Two`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FoundLink<const D: usize> {
    pub(super) points: [[f64; D]; 2],
    /// Unit vector from the first to the second.
    pub(super) normal: [f64; D],
    pub(super) gap: f64,
    pub(super) features: [BodyFeature; 2],
}

impl<const D: usize> FoundLink<D> {
    /// With the bodies exchanged.
    pub(super) fn exchanged(self) -> Self {
        let ([p, q], [a, b]) = (self.points, self.features);
        Self { points: [q, p], features: [b, a], normal: scale(self.normal, -1.0), ..self }
    }
}
