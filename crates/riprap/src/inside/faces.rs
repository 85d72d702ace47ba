//! The faces of a mesh as the methods need them, and where segments cross them: signs are never wrong.
//!
//! The sign of a determinant is that of its sum in floating point if the sum is larger than all roundings together; else it is
//! taken from Shewchuk's exact predicates.

use robust::{Coord3D, orient3d};

use crate::mesh::{Mesh, has_area, turn};
use crate::vector::{cross, dot, length, sub};

/// A triangle, and the plane it is in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    pub(super) corners: [[f64; 3]; 3],
    /// Not of length one: the vector product of two edges.
    pub(super) normal: [f64; 3],
    /// Of the plane: `normal . x`.
    pub(super) offset: f64,
    /// What rounding can make of the height of a point in the box of the mesh.
    pub(super) error: f64,
}

/// How a segment from P to R passes a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Crossing {
    /// Not at all.
    None,
    /// P is on the face.
    Boundary,
    /// Through its inside: 1 outwards, -1 inwards.
    Through(i32),
    /// Through an edge or a vertex, or along the plane: another segment must tell.
    Degenerate,
}

/// What a segment tells of the windings at its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// The first end is on a face.
    Boundary,
    /// The winding at the first end is larger by this.
    By(i32),
    /// Nothing: it passes through an edge or a vertex.
    Unknown,
}

impl Change {
    /// What the segment from `p` to `r` tells, if it passes none but these faces.
    #[inline(always)]
    pub(super) fn over<'a>(faces: impl Iterator<Item = &'a Face>, p: [f64; 3], r: [f64; 3]) -> Self {
        let (mut change, mut unknown) = (0, false);
        for face in faces {
            match face.crossing(p, r) {
                Crossing::None => {}
                Crossing::Boundary => return Self::Boundary,
                Crossing::Through(sign) => change += sign,
                // The point may still be on the boundary.
                Crossing::Degenerate => unknown = true,
            }
        }
        if unknown { Self::Unknown } else { Self::By(change) }
    }
}

/// The faces of a mesh that have an area; the others enclose nothing.
pub(super) fn faces_of(mesh: &Mesh) -> Vec<Face> {
    let [low, high] = mesh.bounds();
    let largest = low.iter().chain(&high).map(|x| x.abs()).fold(0.0, f64::max);
    let faces = (0..mesh.triangles().len()).map(|triangle| mesh.corners(triangle)).filter(has_area);
    faces.map(|corners| Face::new(corners, largest)).collect()
}

impl Face {
    fn new(corners: [[f64; 3]; 3], largest: f64) -> Self {
        let [a, b, c] = corners;
        let normal = cross(sub(b, a), sub(c, a));
        // Products of three lengths, each rounded a few times.
        let longest = length(sub(b, a)).max(length(sub(c, a)));
        let error = 1e-14 * longest * longest * (4.0 * largest);
        Self { corners, normal, offset: dot(normal, a), error }
    }

    /// 1 for a point above the plane, where the face looks to, 0 for one in it, -1 for one below.
    #[inline(always)]
    pub(super) fn side(&self, point: [f64; 3]) -> i32 {
        let height = dot(self.normal, point) - self.offset;
        if height > self.error {
            1
        } else if height < -self.error {
            -1
        } else {
            self.exact_side(point)
        }
    }

    #[cold]
    fn exact_side(&self, point: [f64; 3]) -> i32 {
        let [a, b, c] = self.corners;
        -sign(volume(a, b, c, point))
    }

    /// Whether a point in the plane is on the face or its rim ("area signs").
    #[cold]
    fn holds(&self, point: [f64; 3]) -> bool {
        // Seen along an axis along which the face has an area.
        let axis = (0..3).max_by(|&i, &j| self.normal[i].abs().total_cmp(&self.normal[j].abs())).unwrap_or(0);
        let axis = if turn(axis, self.corners) == 0.0 {
            (0..3).find(|&axis| turn(axis, self.corners) != 0.0).unwrap_or(axis)
        } else {
            axis
        };
        let [a, b, c] = self.corners;
        let turns = [[a, b], [b, c], [c, a]].map(|[from, to]| sign(turn(axis, [from, to, point])));
        !(turns.contains(&1) && turns.contains(&-1))
    }

    /// Whether a point is on the face.
    #[inline(always)]
    pub(super) fn touches(&self, point: [f64; 3]) -> bool {
        self.side(point) == 0 && self.holds(point)
    }

    /// How the segment from `p` to `r` passes. `r` must not be on the face.
    #[inline(always)]
    pub(super) fn crossing(&self, p: [f64; 3], r: [f64; 3]) -> Crossing {
        let (side, far_side) = (self.side(p), self.side(r));
        if side * far_side > 0 { Crossing::None } else { self.crossing_of_plane(p, side, r, far_side) }
    }

    /// The segment reaches the plane ("volume signs").
    #[inline(never)]
    pub(super) fn crossing_of_plane(&self, p: [f64; 3], side: i32, r: [f64; 3], far_side: i32) -> Crossing {
        if side == 0 {
            return if self.holds(p) {
                Crossing::Boundary
            } else if far_side == 0 {
                Crossing::Degenerate
            } else {
                Crossing::None
            };
        }
        if far_side == 0 {
            return Crossing::Degenerate;
        }
        let signs = self.volume_signs(p, r);
        if signs.contains(&1) && signs.contains(&-1) {
            Crossing::None
        } else if signs.contains(&0) {
            Crossing::Degenerate
        } else {
            Crossing::Through(far_side)
        }
    }

    /// The signs of the volumes that the segment from `p` to `r` has with the three edges.
    #[inline(always)]
    fn volume_signs(&self, p: [f64; 3], r: [f64; 3]) -> [i32; 3] {
        let way = sub(r, p);
        let [a, b, c] = self.corners.map(|corner| sub(corner, p));
        let size = |v: [f64; 3]| v[0].abs() + v[1].abs() + v[2].abs();
        // Roundings are a few parts of this in 1e16.
        let farthest = size(a).max(size(b)).max(size(c));
        let limit = 1e-14 * size(way) * (farthest * farthest);
        let volumes = [dot(way, cross(a, b)), dot(way, cross(b, c)), dot(way, cross(c, a))];
        if volumes.iter().all(|volume| volume.abs() > limit) {
            return volumes.map(sign);
        }
        let [a, b, c] = self.corners;
        [[a, b], [b, c], [c, a]].map(|[from, to]| sign(volume(p, r, from, to)))
    }
}

fn volume(a: [f64; 3], b: [f64; 3], c: [f64; 3], d: [f64; 3]) -> f64 {
    let coord = |[x, y, z]: [f64; 3]| Coord3D { x, y, z };
    orient3d(coord(a), coord(b), coord(c), coord(d))
}

fn sign(x: f64) -> i32 {
    i32::from(x > 0.0) - i32::from(x < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn face() -> Face {
        Face::new([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], 1.0)
    }

    #[test]
    fn segments_pass_through_beside_and_along() {
        let above = [0.2, 0.3, 1.0];
        for (p, expected) in [
            ([0.2, 0.3, -1.0], Crossing::Through(1)),
            ([0.3, 0.2, -1e-300], Crossing::Through(1)),
            ([0.9, 0.9, -1.0], Crossing::None),
            ([2.0, 2.0, -1.0], Crossing::None),
            ([0.2, 0.3, 0.5], Crossing::None),
            ([0.2, 0.3, 0.0], Crossing::Boundary),
            ([0.5, 0.5, 0.0], Crossing::Boundary),
            ([0.0, 0.0, 0.0], Crossing::Boundary),
            // The next number after a half.
            ([0.5, 0.5f64.next_up(), 0.0], Crossing::None),
        ] {
            assert_eq!(face().crossing(p, above), expected, "{p:?}");
        }
        assert_eq!(face().crossing([0.2, 0.3, 1.0], [0.2, 0.3, -1.0]), Crossing::Through(-1));
        // Through a vertex, through an edge, along the plane.
        assert_eq!(face().crossing([0.0, 0.0, -1.0], [0.0, 0.0, 1.0]), Crossing::Degenerate);
        assert_eq!(face().crossing([0.5, 0.5, -1.0], [0.5, 0.5, 1.0]), Crossing::Degenerate);
        assert_eq!(face().crossing([-1.0, 0.2, 0.0], [2.0, 0.2, 0.0]), Crossing::Degenerate);
    }
}
