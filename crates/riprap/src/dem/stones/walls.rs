//! How pieces of bodies meet walls.
//!
//! The vertices of a stone behind a flat wall are the points at which it presses, and so are those beyond a cylinder that surrounds
//! it. A ball of a clump presses at one point, and so does a stone on a rod.

use super::pieces::{Encounter, Meeter, PlacedPiece};
use super::press::Rounded;
use crate::convex::{Body, ContactPoint, Stand};
use crate::dem::spin::turn;
use crate::dem::wall::{Placement, Surface, Wall};
use crate::shape::Form;
use crate::vector::{add, add_scaled, dot, length, reject, scale, sub};

/// A stone whose centre is nearer to the axis of a cylinder, over its radius, has no side on which it is.
const ON_AXIS: f64 = 1e-3;
/// Rounds in which the nearest point of a rod is sought.
const ROUNDS: usize = 64;

/// A wall in its place, seen from the centre of mass of a body.
#[derive(Clone, Copy)]
pub(super) struct PlacedWall<'a, const D: usize> {
    pub(super) wall: &'a Wall<D>,
    pub(super) placement: &'a Placement<D>,
    /// The centre of mass, seen from the image of the box in which the wall is.
    pub(super) center: [f64; D],
}

impl<const D: usize> PlacedWall<'_, D> {
    /// A point as seen from the wall at the start.
    pub(super) fn seen_at_start(&self, point: [f64; D]) -> [f64; D] {
        self.placement.to_start(add(self.center, point))
    }
}

impl<const D: usize> Meeter<D> {
    /// How a piece and an element of a wall are to each other.
    pub(super) fn meet_wall(
        &mut self,
        piece: &PlacedPiece<'_, D>,
        wall: &PlacedWall<'_, D>,
        element: usize,
    ) -> Encounter<D> {
        self.rounded = None;
        match piece.form {
            Form::Ball { radius } => {
                let (center, radius) = (piece.pose.position, radius * piece.size);
                let Some(near) = wall.wall.surface.nearest(element, wall.seen_at_start(center)) else {
                    return Encounter::Apart(0.0);
                };
                let normal = scale(wall.placement.direction_now(near.normal), -1.0);
                self.round(center, normal, radius, radius - near.distance, radius)
            }
            Form::Convex(body) => match &wall.wall.surface {
                Surface::Cylinder { inside: false, .. } => self.on_rod(piece, wall),
                Surface::Cylinder { .. } => self.in_cylinder(piece, body, wall),
                flat => match flat.nearest(element, wall.seen_at_start(piece.pose.position)) {
                    Some(near) => {
                        let toward = scale(wall.placement.direction_now(near.normal), -1.0);
                        self.on_plane(piece, body, toward, near.distance)
                    }
                    None => Encounter::Apart(0.0),
                },
            },
        }
    }

    /// A stone whose centroid is so far from a plane.
    fn on_plane(
        &mut self,
        piece: &PlacedPiece<'_, D>,
        body: &Body<D>,
        toward: [f64; D],
        distance: f64,
    ) -> Encounter<D> {
        let (local, mut deepest) = (piece.pose.turn_back(toward), f64::NEG_INFINITY);
        self.points.clear();
        self.vertices.clear();
        for (index, &vertex) in body.vertices().iter().enumerate() {
            let depth = piece.size * dot(local, vertex) - distance;
            deepest = deepest.max(depth);
            if depth > 0.0 {
                let position = add_scaled(piece.place(vertex), -0.5 * depth, toward);
                self.points.push(ContactPoint::whole(position, depth, toward));
                self.vertices.push(index as u32);
            }
        }
        self.shared(piece, body, toward, deepest)
    }

    /// A stone in a cylinder. Normals differ across it; that of the contact is the one at the stone's centre. On the axis there is none there, and
    /// their mean is taken, weighed by depth.
    fn in_cylinder(
        &mut self,
        piece: &PlacedPiece<'_, D>,
        body: &Body<D>,
        wall: &PlacedWall<'_, D>,
    ) -> Encounter<D> {
        let (mut deepest, mut sum) = (f64::NEG_INFINITY, [0.0; D]);
        self.points.clear();
        self.vertices.clear();
        for (index, &vertex) in body.vertices().iter().enumerate() {
            let position = piece.place(vertex);
            let Some(near) = wall.wall.surface.nearest(0, wall.seen_at_start(position)) else { continue };
            let depth = -near.distance;
            deepest = deepest.max(depth);
            if depth > 0.0 {
                let direction = scale(wall.placement.direction_now(near.normal), -1.0);
                sum = add_scaled(sum, depth, direction);
                self.points.push(ContactPoint::whole(position, depth, direction));
                self.vertices.push(index as u32);
            }
        }
        let mut normal = scale(sum, 1.0 / length(sum).max(f64::MIN_POSITIVE));
        if let (Surface::Cylinder { axis, radius, .. }, Some(near)) =
            (&wall.wall.surface, wall.wall.surface.nearest(0, wall.seen_at_start(piece.pose.position)))
        {
            let from_axis = radius - near.distance;
            if from_axis > ON_AXIS * radius {
                normal = scale(wall.placement.direction_now(near.normal), -1.0);
                let axis = wall.placement.direction_now(*axis);
                let axis =
                    std::array::from_fn(|k| if D == 2 { f64::from(u8::from(k == 2)) } else { axis[k % D] });
                let along = turn(axis, normal);
                self.rounded = Some(Rounded { center: piece.pose.position, radius: from_axis, axis, along });
            }
        }
        for point in &mut self.points {
            // Along its own radius, about which it has no arm.
            point.position = add_scaled(point.position, -0.5 * point.depth, point.direction);
        }
        self.shared(piece, body, normal, deepest)
    }

    /// Shares the load among the vertices that were found behind a wall, the deepest by so much.
    fn shared(
        &mut self,
        piece: &PlacedPiece<'_, D>,
        body: &Body<D>,
        normal: [f64; D],
        deepest: f64,
    ) -> Encounter<D> {
        if deepest <= 0.0 {
            return Encounter::Apart(-deepest);
        }
        let stand = Stand::new(body, &piece.pose, normal);
        for (point, &vertex) in self.points.iter_mut().zip(&self.vertices) {
            point.share = stand.vertex(vertex);
        }
        Encounter::Touching { normal, reduced_radius: None, with_ball: false, iterations: None }
    }

    /// A stone on a cylinder: the axis and the stone are looked at in turn, each for its point nearest to the other's.
    fn on_rod(&mut self, piece: &PlacedPiece<'_, D>, wall: &PlacedWall<'_, D>) -> Encounter<D> {
        let (Form::Convex(body), Surface::Cylinder { point, axis, radius, .. }) =
            (piece.form, &wall.wall.surface)
        else {
            return Encounter::Apart(0.0);
        };
        let axis = wall.placement.direction_now(*axis);
        let on_axis = sub(wall.placement.to_now(*point), wall.center);
        let foot = |place: [f64; D]| add_scaled(on_axis, dot(sub(place, on_axis), axis), axis);
        let mut from = foot(piece.pose.position);
        let mut found = (scale(axis, 0.0), 0.0);
        for _ in 0..ROUNDS {
            let local = scale(piece.pose.turn_back(sub(from, piece.pose.position)), 1.0 / piece.size);
            let near = body.nearest(local);
            found = (piece.pose.turn(near.normal), piece.size * near.distance);
            let next = foot(add_scaled(from, -found.1, found.0));
            let moved = length(sub(next, from));
            from = next;
            if moved <= 1e-12 * piece.size {
                break;
            }
        }
        let (normal, distance) = found;
        let normal = reject(normal, axis);
        let normal = scale(normal, 1.0 / length(normal));
        let overlap = radius - distance;
        if overlap <= 0.0 {
            return Encounter::Apart(-overlap);
        }
        self.at_one_point(add_scaled(from, -radius, normal), normal, 0.0, overlap);
        Encounter::Touching { normal, reduced_radius: Some(*radius), with_ball: false, iterations: None }
    }
}
