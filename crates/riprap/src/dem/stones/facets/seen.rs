//! A stone as a wall sees it from where it was at the start.

use super::super::pieces::PlacedPiece;
use super::super::walls::PlacedWall;
use super::axis::SLACK;
use crate::convex::Body;
use crate::dem::wall::Facets;
use crate::vector::{add_scaled, cross, dot, length, scale, sub};

/// A stone whose centre is nearer to a facet's plane than this share of its radius stays on the side from which it came.
const UNDECIDED: f64 = 0.25;
/// A contact tells from which side a stone came to facets whose normals are more alike than this (cosine) to its direction.
const TELLING: f64 = 0.7;

/// A convex piece in the coordinates of a wall at its start; its memory is used again for the next one.
#[derive(Debug, Clone)]
pub(super) struct SeenStone<const D: usize> {
    pub(super) vertices: Vec<[f64; D]>,
    /// The planes of its facets: `normal . x = offset`.
    pub(super) planes: Vec<([f64; D], f64)>,
    pub(super) center: [f64; D],
    pub(super) radius: f64,
    /// Rows of the matrix that turns it from the axes of its shape.
    pub(super) rotation: [[f64; D]; D],
    /// Directions of its contacts in the last step, from the surface to the stone.
    came_from: Vec<[f64; D]>,
}

impl<const D: usize> Default for SeenStone<D> {
    fn default() -> Self {
        Self {
            vertices: Vec::new(),
            planes: Vec::new(),
            center: [0.0; D],
            radius: 0.0,
            rotation: [[0.0; D]; D],
            came_from: Vec::new(),
        }
    }
}

impl<const D: usize> SeenStone<D> {
    /// Looks at a piece that had contacts with these normals, from the stone to the wall.
    pub(super) fn look_at(
        &mut self,
        body: &Body<D>,
        piece: &PlacedPiece<'_, D>,
        wall: &PlacedWall<'_, D>,
        normals: impl Iterator<Item = [f64; D]>,
    ) {
        let PlacedPiece { pose, size, .. } = piece;
        self.center = wall.seen_at_start(pose.position);
        self.radius = size * body.radius();
        self.vertices.clear();
        self.vertices.extend(
            body.vertices()
                .iter()
                .map(|&vertex| wall.seen_at_start(add_scaled(pose.position, *size, pose.turn(vertex)))),
        );
        self.planes.clear();
        self.planes.extend(body.facets().iter().map(|facet| {
            let normal = wall.placement.direction_at_start(pose.turn(facet.normal));
            (normal, dot(normal, self.center) + size * facet.offset)
        }));
        let axes: [[f64; D]; D] = std::array::from_fn(|k| {
            let axis = std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 });
            wall.placement.direction_at_start(pose.turn(axis))
        });
        self.rotation = std::array::from_fn(|i| std::array::from_fn(|k| axes[k][i]));
        self.came_from.clear();
        self.came_from.extend(normals.map(|normal| scale(wall.placement.direction_at_start(normal), -1.0)));
    }

    /// How far it reaches behind the plane of a facet and in front of it.
    pub(super) fn reach(&self, facets: &Facets<D>, facet: usize) -> [f64; 2] {
        let (start, normal) = (facets.corners()[facet][0], facets.normal(facet));
        let heights = self.vertices.iter().map(|&vertex| dot(sub(vertex, start), normal));
        heights.fold([f64::NEG_INFINITY; 2], |[behind, before], height| {
            [behind.max(-height), before.max(height)]
        })
    }

    /// Whether it is in front of a facet: on the side from which it came, or else on which there is more of it.
    pub(super) fn is_in_front(&self, facets: &Facets<D>, facet: usize) -> bool {
        let (start, normal) = (facets.corners()[facet][0], facets.normal(facet));
        if dot(sub(self.center, start), normal).abs() < UNDECIDED * self.radius {
            let along = self.came_from.iter().map(|direction| dot(*direction, normal));
            let most = along.max_by(|one, other| one.abs().total_cmp(&other.abs())).unwrap_or(0.0);
            if most.abs() > TELLING {
                return most > 0.0;
            }
        }
        let [behind, before] = self.reach(facets, facet);
        behind <= before
    }

    /// Whether one of these points, or what is between two of them, is under one of its faces.
    pub(super) fn is_under<'a>(
        &self,
        body: &Body<D>,
        face: usize,
        points: impl Iterator<Item = &'a [f64; D]>,
    ) -> bool {
        let mut points = points;
        let Some(first) = points.next() else { return false };
        let along = points.next().map_or([0.0; D], |second| sub(*second, *first));
        let (normal, outline) = (self.planes[face].0, body.outline(face as u32));
        let vertex = |k: usize| self.vertices[outline[k % outline.len()] as usize];
        // The part of the way from the first to the second that is under the face.
        let (mut low, mut high) = (0.0f64, 1.0f64);
        (0..outline.len()).all(|k| {
            let side = sub(vertex(k + 1), vertex(k));
            let inward = inward(normal, side);
            let height = dot(inward, sub(*first, vertex(k))) + SLACK * self.radius * length(inward);
            let rise = dot(inward, along);
            if rise > 0.0 {
                low = low.max(-height / rise);
            } else if rise < 0.0 {
                high = high.min(-height / rise);
            }
            low <= high && (rise != 0.0 || height >= 0.0)
        })
    }

    /// The vertex that reaches furthest along a direction, and of the facets there the one that looks most along it.
    pub(super) fn facing(&self, body: &Body<D>, direction: [f64; D]) -> (usize, usize) {
        let (mut deepest, mut furthest) = (0, f64::NEG_INFINITY);
        for (index, &vertex) in self.vertices.iter().enumerate() {
            let along = dot(vertex, direction);
            if along > furthest {
                (deepest, furthest) = (index, along);
            }
        }
        let (mut facing, mut most) = (0, f64::NEG_INFINITY);
        for spoke in body.spokes(deepest as u32) {
            for facet in body.edges()[spoke.edge as usize].facets {
                let along = dot(self.planes[facet as usize].0, direction);
                if along > most {
                    (facing, most) = (facet as usize, along);
                }
            }
        }
        (deepest, facing)
    }
}

/// Into a face of a stone from one of its sides; along the face in the plane.
pub(super) fn inward<const D: usize>(normal: [f64; D], side: [f64; D]) -> [f64; D] {
    if D == 2 {
        return side;
    }
    let in_space = |vector: [f64; D]| -> [f64; 3] { std::array::from_fn(|k| vector[k % D]) };
    let found = cross(in_space(normal), in_space(side));
    std::array::from_fn(|k| found[k])
}
