//! The points at which a stone presses on a facet.
//!
//! Vertices of the stone on the facet; corners of the surface's outline on the face of the stone that looks at it; edges of that face
//! across edges at which the surface ends or falls away. Edges and corners inside a flat give none, so points do not depend on how a
//! surface was cut.

use super::axis::{FacetAxis, SIMILAR, TINY};
use super::hollow::Sunk;
use super::seen::{SeenStone, inward};
use crate::convex::{Body, ContactPoint};
use crate::dem::wall::Facets;
use crate::vector::{add, add_scaled, cross, dot, length, scale, sub};

/// What a point is: the same one is found from several facets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PointOf {
    /// A vertex of the stone.
    Vertex(u32),
    /// A corner of the surface.
    Corner(u32),
    /// An edge of the stone's face, by its number, across an edge of the surface, by the places of its ends.
    Crossing(u32, [u32; 2]),
    /// What is left where there is no other.
    Middle,
}

/// A point in the coordinates of the wall at its start.
#[derive(Debug, Clone, Copy)]
pub(super) struct FoundPoint<const D: usize> {
    pub(super) of: PointOf,
    pub(super) point: ContactPoint<D>,
    /// The facet it was found on, its normal towards the stone, and the edge of it that a crossing is at.
    pub(super) on: (u32, [f64; D], usize),
}

/// Points push at most this much more across the normal than along it.
const STEEPEST: f64 = 2.0;
/// Faces that look less along a direction than this (cosine) have no depth along it.
const EDGE_ON: f64 = 0.05;

/// A stone, and which of its facets looks at a surface.
pub(super) struct Facing<'a, const D: usize> {
    pub(super) stone: &'a SeenStone<D>,
    pub(super) body: &'a Body<D>,
    /// From the surface to the stone.
    pub(super) axis: [f64; D],
    deepest: usize,
    pub(super) facing: usize,
}

impl<'a, const D: usize> Facing<'a, D> {
    pub(super) fn new(stone: &'a SeenStone<D>, body: &'a Body<D>, axis: [f64; D]) -> Self {
        let (deepest, facing) = stone.facing(body, scale(axis, -1.0));
        Self { stone, body, axis, deepest, facing }
    }

    pub(super) fn outline(&self) -> &'a [u32] {
        self.body.outline(self.facing as u32)
    }

    /// Adds the points on a facet, one of those that are pressed, that are not there yet.
    pub(super) fn add_points(
        &self,
        facets: &Facets<D>,
        pressed: &[(usize, FacetAxis<D>)],
        entry: &FacetAxis<D>,
        points: &mut Vec<FoundPoint<D>>,
    ) {
        // A little deeper, it is the direction of the contact that is not quite that of the facet.
        let deepest = entry.overlap / SIMILAR;
        let mut add = |of: PointOf, point: ContactPoint<D>, edge: usize| {
            if point.depth <= 0.0 || point.depth > deepest {
                return;
            }
            keep(points, FoundPoint { of, point, on: (entry.facet, entry.normal, edge) });
        };
        self.vertices(facets, pressed, entry, &mut add);
        if entry.beside {
            return;
        }
        let facet = entry.facet as usize;
        for corner in (0..D).filter(|&corner| facets.is_corner(facet, corner, entry.front)) {
            if let Some(point) = self.under_face(facets.corners()[facet][corner]) {
                add(PointOf::Corner(facets.place(facet, corner)), point, corner);
            }
        }
        for edge in (0..D).filter(|&edge| facets.is_open(facet, edge, entry.front)) {
            self.crossings(facets, entry, edge, &mut add);
        }
    }

    /// Vertices of the stone on the facet: all of them, or those of the face that looks at it.
    fn vertices(
        &self,
        facets: &Facets<D>,
        pressed: &[(usize, FacetAxis<D>)],
        entry: &FacetAxis<D>,
        add: &mut impl FnMut(PointOf, ContactPoint<D>, usize),
    ) {
        let (facet, axis) = (entry.facet as usize, if entry.face { entry.normal } else { self.axis });
        let tilt = dot(entry.normal, axis);
        if tilt < EDGE_ON {
            return;
        }
        let direction = scale(entry.normal, -1.0 / tilt);
        let start = facets.corners()[facet][0];
        let mut look_at = |vertex: u32| {
            let place = self.stone.vertices[vertex as usize];
            let depth = -dot(entry.normal, sub(place, start)) / tilt;
            if depth <= 0.0 {
                return;
            }
            let above = add_scaled(place, depth, axis);
            let (on, spot) = facets.foot(facet, above);
            let beyond = length(sub(on, above));
            // Beyond an edge in a hollow it may be behind both surfaces.
            let is_on = beyond <= TINY * self.stone.radius
                || facets.is_hollow(facet, spot, entry.front)
                    && Sunk { vertex: place, depth, beyond, spot }.is_behind_both(
                        (self.stone, facets),
                        pressed,
                        entry,
                    );
            if is_on {
                let position = add_scaled(place, 0.5 * depth, axis);
                add(PointOf::Vertex(vertex), ContactPoint::whole(position, depth, direction), 0);
            }
        };
        if entry.face {
            (0..self.stone.vertices.len() as u32).for_each(&mut look_at);
        } else {
            self.outline().iter().copied().for_each(&mut look_at);
        }
    }

    /// A point of the surface under the face of the stone that looks at it.
    fn under_face(&self, point: [f64; D]) -> Option<ContactPoint<D>> {
        let (face, offset) = self.stone.planes[self.facing];
        let tilt = -dot(face, self.axis);
        if tilt < EDGE_ON {
            return None;
        }
        let depth = (offset - dot(face, point)) / tilt;
        let on_face = add_scaled(point, -depth, self.axis);
        let outline = self.outline();
        let tolerance = TINY * self.stone.radius;
        let vertex = |k: usize| self.stone.vertices[outline[k % outline.len()] as usize];
        let inside = (0..outline.len()).all(|k| {
            let (from, along) = (vertex(k), sub(vertex(k + 1), vertex(k)));
            let inward = inward(face, along);
            dot(inward, sub(on_face, from)) >= -tolerance * length(inward)
        });
        let direction = gentle(scale(face, 1.0 / tilt), self.axis);
        let position = add_scaled(point, -0.5 * depth, self.axis);
        (depth > 0.0 && inside).then(|| ContactPoint::whole(position, depth, direction))
    }

    /// Where edges of the face that looks at the surface cross an edge of a triangle.
    fn crossings(
        &self,
        facets: &Facets<D>,
        entry: &FacetAxis<D>,
        edge: usize,
        add: &mut impl FnMut(PointOf, ContactPoint<D>, usize),
    ) {
        let facet = entry.facet as usize;
        let ends = [edge, (edge + 1) % D];
        let [from, to] = ends.map(|corner| facets.corners()[facet][corner]);
        let along = sub(to, from);
        let places = ends.map(|corner| facets.place(facet, corner));
        let key = [places[0].min(places[1]), places[0].max(places[1])];
        // Corners of the outline are points themselves; at others one of the two edges has the crossing.
        let corner = ends.map(|corner| facets.is_corner(facet, corner, entry.front));
        let outline = self.outline();
        let vertex = |k: usize| self.stone.vertices[outline[k % outline.len()] as usize];
        for k in 0..outline.len() {
            let (start, side) = (vertex(k), sub(vertex(k + 1), vertex(k)));
            let upright = across(along, side);
            let crossing = dot(self.axis, upright);
            if crossing.abs() <= 1e-9 * length(along) * length(side) {
                continue;
            }
            let between = sub(start, from);
            let share = dot(self.axis, across(between, side)) / crossing;
            let own = dot(self.axis, across(between, along)) / crossing;
            let low = if corner[0] { TINY } else { 0.0 };
            let inside = share >= low && (if corner[1] { share <= 1.0 - TINY } else { share < 1.0 });
            if !inside || own <= TINY || own >= 1.0 - TINY {
                continue;
            }
            let (below, above) = (add_scaled(start, own, side), add_scaled(from, share, along));
            let depth = dot(self.axis, sub(above, below));
            let direction = gentle(scale(upright, -1.0 / crossing), self.axis);
            let position = scale(add_scaled(above, 1.0, below), 0.5);
            add(PointOf::Crossing(k as u32, key), ContactPoint::whole(position, depth, direction), edge);
        }
    }

    /// The one point that is left where there are no others, on the facet that the stone overlaps most.
    pub(super) fn middle(&self, facets: &Facets<D>, entry: &FacetAxis<D>) -> Option<ContactPoint<D>> {
        let facet = entry.facet as usize;
        let vertex = self.stone.vertices[self.deepest];
        if entry.face {
            let (on, _) = facets.foot(facet, add_scaled(vertex, entry.overlap, entry.normal));
            return self.under_face(on);
        }
        let corners = &facets.corners()[facet];
        let height = |corner: &[f64; D]| dot(*corner, self.axis);
        let top = corners.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
        let tolerance = TINY * self.stone.radius;
        let mut highest = corners.iter().filter(|corner| height(corner) >= top - tolerance);
        let first = *highest.next()?;
        let place = match highest.next() {
            None => first,
            Some(&second) => {
                let along = sub(second, first);
                let share = self.share_along(first, along, vertex);
                add_scaled(first, share.clamp(0.0, 1.0), along)
            }
        };
        let position = add_scaled(place, -0.5 * entry.overlap, self.axis);
        Some(ContactPoint::whole(position, entry.overlap, scale(self.axis, -1.0)))
    }

    /// Where on an edge of the surface the stone is deepest: at its deepest vertex, or across the edge that begins there.
    fn share_along(&self, first: [f64; D], along: [f64; D], vertex: [f64; D]) -> f64 {
        let tolerance = TINY * self.stone.radius;
        let level = dot(vertex, self.axis) + tolerance;
        let other = self
            .body
            .spokes(self.deepest as u32)
            .iter()
            .map(|spoke| self.stone.vertices[spoke.vertex as usize])
            .find(|place| D == 3 && dot(*place, self.axis) <= level);
        let nearest = dot(sub(vertex, first), along) / dot(along, along);
        let Some(other) = other else { return nearest };
        let side = sub(other, vertex);
        let crossing = dot(self.axis, across(along, side));
        if crossing.abs() <= 1e-9 * length(along) * length(side) {
            return nearest;
        }
        dot(self.axis, across(sub(vertex, first), side)) / crossing
    }
}

/// A direction that is one along the normal, against `axis`; the normal if it is too steep to say anything.
fn gentle<const D: usize>(direction: [f64; D], axis: [f64; D]) -> [f64; D] {
    let aside = add(direction, axis);
    if length(aside) <= STEEPEST { direction } else { scale(axis, -1.0) }
}

/// What is perpendicular to both; of no use in the plane.
fn across<const D: usize>(a: [f64; D], b: [f64; D]) -> [f64; D] {
    let in_space = |vector: [f64; D]| -> [f64; 3] { std::array::from_fn(|k| vector[k % D]) };
    let found = cross(in_space(a), in_space(b));
    std::array::from_fn(|k| found[k])
}

/// Adds a point. One that is there already, found from another facet, is behind both sides of a hollow, and as deep as behind the further one.
fn keep<const D: usize>(points: &mut Vec<FoundPoint<D>>, found: FoundPoint<D>) {
    match points.iter_mut().find(|other| other.of == found.of) {
        None => points.push(found),
        Some(other) if other.point.depth < found.point.depth => *other = found,
        Some(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behind_two_sides_of_a_hollow_a_vertex_is_as_deep_as_behind_the_further_one() {
        let found = |facet: u32, depth: f64| {
            let (position, direction) = ([0.0; 3], [0.0, 0.0, -1.0]);
            let point = ContactPoint::whole(position, depth, direction);
            FoundPoint { of: PointOf::Vertex(2), point, on: (facet, [0.0, 0.0, 1.0], 0) }
        };
        for (first, second) in [(1e-7, 3e-4), (3e-4, 1e-7)] {
            let mut points = Vec::new();
            keep(&mut points, found(0, first));
            keep(&mut points, found(1, second));
            assert_eq!(points.len(), 1);
            assert_eq!(points[0].point.depth, 3e-4);
        }
    }
}
