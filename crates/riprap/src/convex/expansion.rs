//! The direction in which overlapping bodies overlap least: the expanding polytope (van den Bergen 2001).
//!
//! The differences of points of two overlapping bodies make a convex body around the origin; its surface is closest to the
//! origin where the overlap is least.
//!
//! 1. Start with a tetrahedron of differences of vertices.
//! 2. Take the face closest to the origin, and the difference of vertices that is furthest along its normal.
//! 3. If that is no further than the face, the face is on the surface, and no part of the surface is closer. Else the faces
//!    that see the new point go, and triangles from their rim to it take their place.
//!
//! The least distance of any face is a lower bound, the overlap along each normal that was tried an upper one, so the search
//! ends when the two meet, and what it returns is the overlap along the normal it returns whatever rounding does.
//!
//! In the plane there is nothing to expand: the overlap is least along the normal of an edge of either body.
//!
//! Cost: some ten rounds for bodies of few vertices, some thirty for hundreds.

use super::feature::cross;
use super::simplex::{Simplex, furthest, furthest_anew};
use super::two::Two;
use crate::vector::{dot, length, scale, sub};

/// Most rounds, and faces; each round removes at least one face. Concentric balls need about as many as they have vertices.
const ROUNDS: usize = 4096;
const FACES: usize = 60_000;

/// A triangle of the polytope.
#[derive(Debug, Clone, Copy)]
struct PolytopeFace<const D: usize> {
    corners: [u16; 3],
    /// The face beyond the edge from each corner to the next.
    beyond: [u16; 3],
    normal: [f64; D],
    alive: bool,
}

/// Memory that is used again.
#[derive(Debug, Default, Clone)]
pub(super) struct Expansion<const D: usize> {
    points: Vec<[f64; D]>,
    vertices: Vec<[u32; 2]>,
    faces: Vec<PolytopeFace<D>>,
    /// Of each face from the origin; infinite for faces that are gone or have no area.
    distances: Vec<f64>,
    stack: Vec<u16>,
    rim: Vec<[u16; 3]>,
    fan: Vec<u16>,
}

impl<const D: usize> Expansion<D> {
    /// The unit vector from a to b along which the bodies overlap least. `simplex` is what showed that they overlap.
    /// Returns vertices of a and b that span the contact, too.
    pub(super) fn least_overlap(
        &mut self,
        two: &Two<'_, D>,
        simplex: &Simplex<D>,
        iterations: &mut u32,
    ) -> ([f64; D], [[u32; 2]; 3]) {
        if D == 2 { least_over_edges(two) } else { self.expand(two, simplex, iterations) }
    }

    fn expand(
        &mut self,
        two: &Two<'_, D>,
        simplex: &Simplex<D>,
        iterations: &mut u32,
    ) -> ([f64; D], [[u32; 2]; 3]) {
        self.points.clear();
        self.vertices.clear();
        self.faces.clear();
        self.distances.clear();
        for k in 0..simplex.count {
            self.points.push(simplex.points[k]);
            self.vertices.push(simplex.vertices[k]);
        }
        self.complete(two);
        self.start();
        let tolerance = 1e-14 * two.size();
        let (mut best, mut least) = ([0.0; D], f64::INFINITY);
        best[0] = 1.0;
        let mut corners = [0; 3];
        for _ in 0..ROUNDS {
            *iterations += 1;
            let (mut index, mut distance) = (0, f64::INFINITY);
            for (k, &other) in self.distances.iter().enumerate() {
                if other < distance {
                    (index, distance) = (k, other);
                }
            }
            if least - distance <= tolerance || distance == f64::INFINITY {
                break;
            }
            let face = self.faces[index];
            // Faces look outwards, against the normal from a to b.
            let (vertices, point) = furthest_anew(two, scale(face.normal, -1.0));
            let reach = dot(face.normal, point);
            if reach < least {
                (best, least, corners) = (scale(face.normal, -1.0), reach, face.corners);
            }
            if reach - distance <= tolerance || self.vertices.contains(&vertices) {
                break;
            }
            if self.faces.len() > FACES || !self.grow(index as u16, vertices, point, tolerance) {
                break;
            }
        }
        (best, corners.map(|corner| self.vertices[corner as usize]))
    }

    /// Adds vertices until there are four that are not in one plane.
    fn complete(&mut self, two: &Two<'_, D>) {
        let mut axes = [[0.0; D]; 3];
        for k in 0..3 {
            axes[k][k] = 1.0;
        }
        while self.points.len() < 4 {
            let base = self.points[0];
            let directions: [[f64; D]; 3] = match self.points.len() {
                1 => axes,
                2 => axes.map(|axis| cross(axis, sub(self.points[1], base))),
                _ => [cross(sub(self.points[1], base), sub(self.points[2], base)); 3],
            };
            let mut best = ([0; 2], base, -1.0);
            for direction in directions {
                for direction in [direction, scale(direction, -1.0)] {
                    let (vertices, point) = furthest_anew(two, direction);
                    let off = dot(direction, sub(point, base)).abs() / length(direction);
                    if off > best.2 {
                        best = (vertices, point, off);
                    }
                }
            }
            self.vertices.push(best.0);
            self.points.push(best.1);
        }
    }

    /// The four faces of the tetrahedron.
    fn start(&mut self) {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| self.points[k]);
        if dot(cross(sub(b, a), sub(c, a)), sub(d, a)) > 0.0 {
            self.points.swap(0, 1);
            self.vertices.swap(0, 1);
        }
        let beyond = [[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]];
        for (corners, beyond) in [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]].into_iter().zip(beyond) {
            self.add(corners, beyond);
        }
    }

    #[inline(always)]
    fn add(&mut self, corners: [u16; 3], beyond: [u16; 3]) {
        let [a, b, c] = corners.map(|k| self.points[k as usize]);
        let normal = cross(sub(b, a), sub(c, a));
        let size = length(normal);
        // A face without area has no side, and cannot be the closest.
        let normal = scale(normal, if size > 0.0 { 1.0 / size } else { 0.0 });
        self.faces.push(PolytopeFace { corners, beyond, normal, alive: true });
        self.distances.push(if size > 0.0 { dot(normal, a) } else { f64::INFINITY });
    }

    /// Puts triangles to a new point in the place of the faces that see it. False if rounding has spoilt the polytope.
    fn grow(&mut self, first: u16, vertices: [u32; 2], point: [f64; D], tolerance: f64) -> bool {
        let apex = self.points.len() as u16;
        self.points.push(point);
        self.vertices.push(vertices);
        self.rim.clear();
        self.stack.clear();
        self.stack.push(first);
        self.remove(first);
        while let Some(index) = self.stack.pop() {
            let face = self.faces[index as usize];
            for side in 0..3 {
                let number = face.beyond[side];
                let (other, distance) = (&self.faces[number as usize], self.distances[number as usize]);
                if !other.alive {
                    continue;
                }
                if dot(other.normal, point) > distance + tolerance || distance == f64::INFINITY {
                    self.remove(number);
                    self.stack.push(number);
                } else {
                    self.rim.push([face.corners[side], face.corners[(side + 1) % 3], number]);
                }
            }
        }
        let start = self.faces.len() as u16;
        self.fan.clear();
        self.fan.resize(self.points.len(), u16::MAX);
        for k in 0..self.rim.len() {
            let [from, to, other] = self.rim[k];
            let index = start + k as u16;
            // A rim that passes a corner twice, or an edge that its faces do not share, is not a rim.
            if self.fan[from as usize] != u16::MAX {
                return false;
            }
            self.fan[from as usize] = index;
            let other_face = &mut self.faces[other as usize];
            let Some(side) = (0..3).find(|&side| other_face.corners[side] == to) else { return false };
            other_face.beyond[side] = index;
            self.add([from, to, apex], [other, 0, 0]);
        }
        for index in start..self.faces.len() as u16 {
            let next = self.fan[self.faces[index as usize].corners[1] as usize];
            if next == u16::MAX {
                return false;
            }
            self.faces[index as usize].beyond[1] = next;
            self.faces[next as usize].beyond[2] = index;
        }
        self.rim.len() > 2
    }

    fn remove(&mut self, face: u16) {
        self.faces[face as usize].alive = false;
        self.distances[face as usize] = f64::INFINITY;
    }
}

fn least_over_edges<const D: usize>(two: &Two<'_, D>) -> ([f64; D], [[u32; 2]; 3]) {
    let (mut best, mut least, mut spanned) = ([0.0; D], f64::INFINITY, [[0; 2]; 3]);
    let mut near = [0, 0];
    for facet in 0..two.a.body.facets.len() as u32 {
        let normal = two.a.normal(facet);
        let (vertices, point) = furthest(two, normal, near);
        near = vertices;
        let overlap = -dot(normal, point);
        if overlap < least {
            (best, least, spanned) = (normal, overlap, [vertices; 3]);
        }
    }
    for facet in 0..two.b.body.facets.len() as u32 {
        let normal = scale(two.b.normal(facet), -1.0);
        let (vertices, point) = furthest(two, normal, near);
        near = vertices;
        let overlap = -dot(normal, point);
        if overlap < least {
            (best, least, spanned) = (normal, overlap, [vertices; 3]);
        }
    }
    (best, spanned)
}
