//! Whether a surface passes through itself.
//!
//! 1. Sort the triangles by where they begin along x; each meets those that begin before it ends, if their boxes overlap.
//! 2. Two triangles cross if an edge of one passes through the inside of the other, by exact signs. Those that share a vertex are
//!    compared too, but for the edges that end there.
//!
//! Surfaces that only touch themselves do not cross. Cost: O(n^(5/3)) for n triangles of about the same size.

use robust::{Coord3D, orient3d};

use crate::mesh::Mesh;

/// Two triangles that cross, if there are any.
pub(super) fn crossing(mesh: &Mesh) -> Option<[usize; 2]> {
    let boxes: Vec<[[f64; 3]; 2]> = (0..mesh.triangles().len())
        .map(|triangle| {
            let corners = mesh.corners(triangle);
            let over = |pick: fn(f64, f64) -> f64| {
                std::array::from_fn(|k| pick(pick(corners[0][k], corners[1][k]), corners[2][k]))
            };
            [over(f64::min), over(f64::max)]
        })
        .collect();
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by(|&i, &j| boxes[i][0][0].total_cmp(&boxes[j][0][0]));
    for (place, &i) in order.iter().enumerate() {
        let reached = order[place + 1..].iter().take_while(|&&j| boxes[j][0][0] <= boxes[i][1][0]);
        for &j in reached {
            let beside = (1..3).any(|k| boxes[i][1][k] < boxes[j][0][k] || boxes[j][1][k] < boxes[i][0][k]);
            if !beside && (pierces(mesh, i, j) || pierces(mesh, j, i)) {
                return Some([i.min(j), i.max(j)]);
            }
        }
    }
    None
}

/// Whether an edge of the first triangle passes through the inside of the second.
fn pierces(mesh: &Mesh, i: usize, j: usize) -> bool {
    let (edges, face) = (mesh.triangles()[i], mesh.triangles()[j]);
    let [a, b, c] = mesh.corners(j);
    (0..3).any(|k| {
        let ends = [edges[k], edges[(k + 1) % 3]];
        if ends.iter().any(|end| face.contains(end)) {
            return false;
        }
        let [p, q] = ends.map(|end| mesh.vertices()[end as usize]);
        let sides = [side(a, b, c, p), side(a, b, c, q)];
        if sides[0] * sides[1] >= 0 {
            return false;
        }
        let turns = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)];
        turns == [1; 3] || turns == [-1; 3]
    })
}

/// The sign of the volume of a tetrahedron.
fn side(a: [f64; 3], b: [f64; 3], c: [f64; 3], d: [f64; 3]) -> i32 {
    let coord = |[x, y, z]: [f64; 3]| Coord3D { x, y, z };
    let volume = orient3d(coord(a), coord(b), coord(c), coord(d));
    i32::from(volume > 0.0) - i32::from(volume < 0.0)
}
