//! Features of a body, and the point of a body that is closest to a point.

use super::body::Body;
use crate::vector::{add_scaled, components, dot, sub};

/// A vertex, edge or face, by its number. Edges of polygons are edges, not facets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyFeature {
    /// A vertex.
    Vertex(u32),
    /// An edge.
    Edge(u32),
    /// A face of a polyhedron.
    Face(u32),
}

/// What rounding can do to the cosine of a right angle.
pub(super) const ROUNDING: f64 = 1e-15;
/// By this part of its size a point may be beyond the end of an edge or face and still count as on it: at the end itself the
/// normal would be that of two close points, which is no good for small gaps.
pub(super) const SLACK: f64 = 1e-14;

impl BodyFeature {
    /// Whether a body has a feature of this number.
    #[inline(always)]
    pub(super) fn is_of<const D: usize>(self, body: &Body<D>) -> bool {
        match self {
            Self::Vertex(vertex) => (vertex as usize) < body.vertices.len(),
            Self::Edge(edge) => (edge as usize) < body.edges.len(),
            Self::Face(face) => (face as usize) < body.facets.len(),
        }
    }

    /// One of its vertices.
    #[inline(always)]
    pub(super) fn some_vertex<const D: usize>(self, body: &Body<D>) -> u32 {
        match self {
            Self::Vertex(vertex) => vertex,
            Self::Edge(edge) => body.edges[edge as usize].ends[0],
            Self::Face(face) => body.corners(face)[0].vertex,
        }
    }
}

/// The vector product, which exists in space only.
#[inline(always)]
pub(super) fn cross<const D: usize>(a: [f64; D], b: [f64; D]) -> [f64; D] {
    assert!(D == 3);
    components(|k| {
        let (i, j) = ((k + 1) % D, (k + 2) % D);
        a[i] * b[j] - a[j] * b[i]
    })
}

/// The nearest point of an edge to a target, as a share of its length, unlimited.
#[inline(always)]
pub(super) fn share_along<const D: usize>(from: [f64; D], along: [f64; D], target: [f64; D]) -> f64 {
    dot(sub(target, from), along) / dot(along, along)
}

impl<const D: usize> Body<D> {
    /// Whether the point of a feature that is closest to a target is closest of the whole body. `normal` is the unit vector
    /// towards the target, and the point is asked for if it matters.
    ///
    /// The body is convex, so the neighbours decide: no edge leads from a vertex towards the target, no face from an edge, and
    /// the point is not beyond an edge of a face.
    #[inline(always)]
    pub(super) fn holds(
        &self,
        feature: BodyFeature,
        normal: [f64; D],
        point: impl FnOnce() -> [f64; D],
    ) -> bool {
        match feature {
            BodyFeature::Vertex(vertex) => {
                self.spokes(vertex).iter().all(|spoke| dot(normal, spoke.direction) <= ROUNDING)
            }
            BodyFeature::Edge(edge) if D == 3 => {
                let [first, second] = self.edges[edge as usize].inward;
                dot(normal, first) <= ROUNDING && dot(normal, second) <= ROUNDING
            }
            BodyFeature::Edge(_) => true,
            BodyFeature::Face(face) => {
                let (point, slack) = (point(), SLACK * self.radius);
                self.corners(face).iter().all(|corner| dot(corner.inward, point) >= corner.offset - slack)
            }
        }
    }

    /// Walks over neighbouring features to the point closest to a target outside (Nezami et al. 2006, section 3.4; 3.6 in the
    /// plane), and returns it with its feature. `point` is the closest one on the feature to start from, and `normal` the
    /// unit vector from it towards the target, which may be known better than the two points tell.
    ///
    /// From a vertex to the edge that leads most directly towards the target, from an edge to the face that does, from a face
    /// over the edge beyond which the target is furthest. The distance falls with every step.
    pub(super) fn walk(
        &self,
        start: BodyFeature,
        start_point: [f64; D],
        target: [f64; D],
        normal: [f64; D],
    ) -> (BodyFeature, [f64; D]) {
        let (mut feature, mut point, mut toward, mut level) = (start, start_point, normal, ROUNDING);
        // The steps are bounded, so that roundings cannot make it go round in circles.
        for _ in 0..8 + self.edges.len() {
            let next = match feature {
                BodyFeature::Vertex(vertex) => self.leave_vertex(vertex, target, toward, level),
                BodyFeature::Edge(edge) if D == 3 => self.leave_edge(edge, target, toward, level),
                BodyFeature::Edge(_) => None,
                BodyFeature::Face(face) => self.leave_face(face, point, target),
            };
            let Some((next_feature, next_point)) = next else { break };
            (feature, point) = (next_feature, next_point);
            toward = sub(target, point);
            level = ROUNDING * toward.iter().map(|x| x.abs()).sum::<f64>();
        }
        (feature, point)
    }

    #[inline(always)]
    fn leave_vertex(
        &self,
        vertex: u32,
        target: [f64; D],
        toward: [f64; D],
        level: f64,
    ) -> Option<(BodyFeature, [f64; D])> {
        let mut best = None;
        let mut steepest = level;
        for spoke in self.spokes(vertex) {
            let slope = dot(toward, spoke.direction);
            if slope > steepest {
                (best, steepest) = (Some(spoke), slope);
            }
        }
        let spoke = best?;
        let here = self.vertex(vertex);
        let along = sub(self.vertex(spoke.vertex), here);
        let share = share_along(here, along, target);
        if share >= 1.0 {
            Some((BodyFeature::Vertex(spoke.vertex), self.vertex(spoke.vertex)))
        } else {
            Some((BodyFeature::Edge(spoke.edge), add_scaled(here, share.max(0.0), along)))
        }
    }

    #[inline(always)]
    fn leave_edge(
        &self,
        edge: u32,
        target: [f64; D],
        toward: [f64; D],
        level: f64,
    ) -> Option<(BodyFeature, [f64; D])> {
        let edge = &self.edges[edge as usize];
        let pulls = edge.inward.map(|inward| dot(toward, inward));
        let chosen = usize::from(pulls[1] > pulls[0]);
        if pulls[chosen] <= level {
            return None;
        }
        let facet = &self.facets[edge.facets[chosen] as usize];
        let height = dot(facet.normal, target) - facet.offset;
        Some((BodyFeature::Face(edge.facets[chosen]), add_scaled(target, -height, facet.normal)))
    }

    /// `point` is in the plane of the face.
    #[inline(always)]
    fn leave_face(&self, face: u32, point: [f64; D], target: [f64; D]) -> Option<(BodyFeature, [f64; D])> {
        let (mut best, mut furthest) = (None, SLACK * self.radius);
        for corner in self.corners(face) {
            let outside = corner.offset - dot(corner.inward, point);
            if outside > furthest {
                (best, furthest) = (Some(corner.edge), outside);
            }
        }
        let number = best?;
        let edge = &self.edges[number as usize];
        let (from, along) = (self.vertex(edge.ends[0]), self.along(edge));
        let share = share_along(from, along, target);
        if share <= 0.0 {
            Some((BodyFeature::Vertex(edge.ends[0]), from))
        } else if share >= 1.0 {
            Some((BodyFeature::Vertex(edge.ends[1]), self.vertex(edge.ends[1])))
        } else {
            Some((BodyFeature::Edge(number), add_scaled(from, share, along)))
        }
    }
}
