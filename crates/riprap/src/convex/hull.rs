//! Convex hulls: monotone chain (Andrew 1979) in the plane, quickhull (Barber, Dobkin, Huhdanpaa 1996) in space.
//!
//! Quickhull in space:
//!
//! 1. Four points far apart make a tetrahedron. Every other point goes to one face that it is in front of, or is dropped.
//! 2. Take a face with points in front, and of these the furthest. The faces that see it are connected; they go, and
//!    triangles from their rim to the point take their place and share their points out among them.
//! 3. Until no face has points in front.
//!
//! Which side of a face a point is on is decided exactly (Shewchuk's predicates), so the result is closed and convex for any
//! input, also for plates, needles, lattices and points in one plane.
//!
//! Cost: O(n log n) for points in general position.

use robust::{Coord, Coord3D, orient2d, orient3d};

use crate::vector::{cross, dot, sub};

/// The corners of the hull of points in the plane, counter-clockwise. Points on its edges are left out. Less than three if
/// all points are on a line.
pub(super) fn in_plane(points: &[[f64; 2]]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&i, &j| points[i].partial_cmp(&points[j]).expect("coordinates are numbers"));
    order.dedup_by_key(|i| points[*i].map(f64::to_bits));
    let coord = |i: usize| Coord { x: points[i][0], y: points[i][1] };
    let turns_left = |a, b, c| orient2d(coord(a), coord(b), coord(c)) > 0.0;
    let mut hull: Vec<usize> = Vec::new();
    let mut append = |order: &mut dyn Iterator<Item = usize>| {
        let start = hull.len();
        for point in order {
            while hull.len() >= start + 2 && !turns_left(hull[hull.len() - 2], hull[hull.len() - 1], point) {
                hull.pop();
            }
            hull.push(point);
        }
        // The last point is the first one of the other half.
        hull.pop();
    };
    append(&mut order.iter().copied());
    append(&mut order.iter().rev().copied());
    hull
}

/// A triangle of the hull in the making.
struct HullFace {
    corners: [usize; 3],
    /// The face beyond the edge from each corner to the next.
    beyond: [usize; 3],
    /// Points in front of it.
    front: Vec<usize>,
    alive: bool,
}

/// The triangles of the hull of points in space, counter-clockwise as seen from outside. `None` if all are in one plane.
pub(super) fn in_space(points: &[[f64; 3]]) -> Option<Vec<[usize; 3]>> {
    let first = tetrahedron(points)?;
    let sees = |corners: &[usize; 3], point: usize| {
        let [a, b, c, d] = [corners[0], corners[1], corners[2], point].map(|i| {
            let [x, y, z] = points[i];
            Coord3D { x, y, z }
        });
        // Positive is behind a face that is counter-clockwise from outside.
        orient3d(a, b, c, d) < 0.0
    };
    let mut faces: Vec<HullFace> = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]
        .iter()
        .zip([[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]])
        .map(|(corners, beyond)| HullFace {
            corners: corners.map(|k| first[k]),
            beyond,
            front: Vec::new(),
            alive: true,
        })
        .collect();
    for point in 0..points.len() {
        if let Some(face) = faces.iter_mut().find(|face| sees(&face.corners, point)) {
            face.front.push(point);
        }
    }

    let mut waiting: Vec<usize> = (0..faces.len()).collect();
    let (mut seen, mut rim, mut stack) = (Vec::new(), Vec::new(), Vec::new());
    let mut fan = vec![0; points.len()];
    while let Some(index) = waiting.pop() {
        if !faces[index].alive || faces[index].front.is_empty() {
            continue;
        }
        let point = furthest(points, &faces[index]);
        // The faces that see the point, and the rim of what they cover: edges as the seen faces have them.
        seen.clear();
        rim.clear();
        stack.push(index);
        faces[index].alive = false;
        while let Some(face) = stack.pop() {
            seen.push(face);
            for side in 0..3 {
                let other = faces[face].beyond[side];
                let corners = faces[face].corners;
                if faces[other].alive && sees(&faces[other].corners, point) {
                    faces[other].alive = false;
                    stack.push(other);
                } else if faces[other].alive {
                    rim.push((corners[side], corners[(side + 1) % 3], other));
                }
            }
        }
        let start = faces.len();
        for (k, &(from, to, other)) in rim.iter().enumerate() {
            fan[from] = start + k;
            let side =
                (0..3).find(|&side| faces[other].corners[side] == to).expect("the face shares the edge");
            faces[other].beyond[side] = start + k;
            let beyond = [other, usize::MAX, usize::MAX];
            faces.push(HullFace { corners: [from, to, point], beyond, front: Vec::new(), alive: true });
        }
        for k in start..faces.len() {
            let next = fan[faces[k].corners[1]];
            faces[k].beyond[1] = next;
            faces[next].beyond[2] = k;
        }
        for &face in &seen {
            for other in std::mem::take(&mut faces[face].front) {
                let front = faces[start..].iter_mut().find(|face| sees(&face.corners, other));
                if let Some(face) = front {
                    face.front.push(other);
                }
            }
        }
        waiting.extend(start..faces.len());
    }
    Some(faces.iter().filter(|face| face.alive).map(|face| face.corners).collect())
}

/// Four points that are not in one plane, the first three counter-clockwise as seen from outside.
fn tetrahedron(points: &[[f64; 3]]) -> Option<[usize; 4]> {
    let furthest = |measure: &dyn Fn([f64; 3]) -> f64| {
        let measures = points.iter().map(|&point| measure(point));
        measures.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
    };
    let a = furthest(&|p| p[0])?;
    let b = furthest(&|p| dot(sub(p, points[a]), sub(p, points[a])))?;
    let along = sub(points[b], points[a]);
    let c = furthest(&|p| {
        let across = cross(along, sub(p, points[a]));
        dot(across, across)
    })?;
    let normal = cross(along, sub(points[c], points[a]));
    let d = furthest(&|p| dot(normal, sub(p, points[a])).abs())?;
    let coord = |i: usize| Coord3D { x: points[i][0], y: points[i][1], z: points[i][2] };
    let volume = orient3d(coord(a), coord(b), coord(c), coord(d));
    if volume == 0.0 {
        None
    } else if volume > 0.0 {
        Some([a, b, c, d])
    } else {
        Some([a, c, b, d])
    }
}

/// The point in front of a face that is furthest from it.
fn furthest(points: &[[f64; 3]], face: &HullFace) -> usize {
    let [a, b, c] = face.corners.map(|i| points[i]);
    let normal = cross(sub(b, a), sub(c, a));
    let height = |&i: &usize| dot(normal, sub(points[i], a));
    face.front
        .iter()
        .copied()
        .max_by(|i, j| height(i).total_cmp(&height(j)))
        .expect("there are points in front")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    /// Closed, and no point in front of any face: by exact predicates on every face and point.
    fn check(points: &[[f64; 3]]) {
        let faces = in_space(points).expect("has a volume");
        let edges: std::collections::HashSet<_> =
            faces.iter().flat_map(|f| [(f[0], f[1]), (f[1], f[2]), (f[2], f[0])]).collect();
        assert_eq!(edges.len(), 3 * faces.len());
        assert!(edges.iter().all(|&(a, b)| edges.contains(&(b, a))));
        let coord = |i: usize| Coord3D { x: points[i][0], y: points[i][1], z: points[i][2] };
        for face in &faces {
            for point in 0..points.len() {
                assert!(orient3d(coord(face[0]), coord(face[1]), coord(face[2]), coord(point)) >= 0.0);
            }
        }
    }

    #[test]
    fn no_point_is_outside_whatever_the_points() {
        let mut random = Random::new(7);
        for round in 0..300 {
            let count = 4 + random.below(60);
            for stretch in [[1.0, 1.0, 1.0], [1.0, 1.0, 1e-3], [1.0, 1e-4, 1e-4], [1.0, 1.0, 1e-12]] {
                let points: Vec<[f64; 3]> =
                    (0..count).map(|_| stretch.map(|s| s * random.uniform(-1.0, 1.0))).collect();
                check(&points);
            }
            // Lattices have many points in one plane; noisy corners have nearly flat faces.
            let mut lattice: Vec<[f64; 3]> =
                (0..count).map(|_| std::array::from_fn(|_| random.below(4) as f64)).collect();
            lattice.extend([[0.0; 3], [3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 3.0]]);
            check(&lattice);
            let noise = [1e-16, 1e-13, 1e-9, 1e-6][round % 4];
            let corner = |r: &mut Random| r.below(2) as f64 + noise * r.uniform(-1.0, 1.0);
            let noisy: Vec<[f64; 3]> =
                (0..count + 60).map(|_| std::array::from_fn(|_| corner(&mut random))).collect();
            check(&noisy);
        }
    }

    #[test]
    fn flat_points_have_no_hull_in_space() {
        let plane: Vec<[f64; 3]> = (0..20).map(|i| [f64::from(i % 5), f64::from(i / 5), 2.0]).collect();
        assert!(in_space(&plane).is_none());
        assert!(in_space(&[[1.0; 3]; 5]).is_none());
    }

    #[test]
    fn the_hull_of_a_lattice_in_the_plane_is_its_four_corners() {
        let points: Vec<[f64; 2]> = (0..25).map(|i| [f64::from(i % 5), f64::from(i / 5)]).collect();
        assert_eq!(in_plane(&points), [0, 4, 24, 20]);
        assert!(in_plane(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]).len() < 3);
        assert!(in_plane(&[[0.0, 0.0]; 4]).len() < 3);
    }
}
