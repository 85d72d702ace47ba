//! A stone as a wall sees it from where it was at the start.

use super::super::pieces::PlacedPiece;
use super::super::walls::PlacedWall;
use crate::convex::Body;
use crate::vector::{add_scaled, dot};

/// A convex piece in the coordinates of a wall at its start; its memory is used again for the next one.
#[derive(Debug, Clone)]
pub(super) struct SeenStone<const D: usize> {
    pub(super) vertices: Vec<[f64; D]>,
    /// The planes of its facets: `normal . x = offset`.
    pub(super) planes: Vec<([f64; D], f64)>,
    pub(super) center: [f64; D],
    pub(super) radius: f64,
}

impl<const D: usize> Default for SeenStone<D> {
    fn default() -> Self {
        Self { vertices: Vec::new(), planes: Vec::new(), center: [0.0; D], radius: 0.0 }
    }
}

impl<const D: usize> SeenStone<D> {
    /// Looks at a piece.
    pub(super) fn look_at(&mut self, body: &Body<D>, piece: &PlacedPiece<'_, D>, wall: &PlacedWall<'_, D>) {
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
