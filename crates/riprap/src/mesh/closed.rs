//! Whether a surface is closed.

use super::{Mesh, MeshError};

/// Sorts the edges by the vertex they leave and compares each list with that of the edges that come back: no table of edges is
/// needed, and the first triangle that is at fault is named.
pub(super) fn check(mesh: &Mesh) -> Result<(), MeshError> {
    let count = mesh.vertices.len();
    // Edges by their lower vertex: the higher one, and whether they run upwards.
    let mut first = vec![0u32; count + 1];
    let edges =
        |corners: &[u32; 3]| [[corners[0], corners[1]], [corners[1], corners[2]], [corners[2], corners[0]]];
    for [from, to] in mesh.triangles.iter().flat_map(edges) {
        first[from.min(to) as usize + 1] += 1;
    }
    for vertex in 0..count {
        first[vertex + 1] += first[vertex];
    }
    let mut sorted = vec![0u32; 3 * mesh.triangles.len()];
    let mut free = first.clone();
    for [from, to] in mesh.triangles.iter().flat_map(edges) {
        let place = &mut free[from.min(to) as usize];
        sorted[*place as usize] = from.max(to) << 1 | u32::from(from < to);
        *place += 1;
    }
    let (mut fault, mut edges) = (None, 0);
    for low in 0..count {
        let there = &mut sorted[first[low] as usize..first[low + 1] as usize];
        there.sort_unstable();
        for group in there.chunk_by(|a, b| a >> 1 == b >> 1) {
            let high = group[0] >> 1;
            let up = group.iter().filter(|&&edge| edge & 1 == 1).count();
            let down = group.len() - up;
            // A triangle that has a vertex twice passes an edge from it to itself, which is none.
            if up != down && high != low as u32 {
                let ends = if up > down { [low as u32, high] } else { [high, low as u32] };
                fault.get_or_insert((ends, up.max(down), up.min(down)));
                edges += 1;
            }
        }
    }
    fault.map_or(Ok(()), |(ends, there, back)| Err(open(mesh, ends, there, back, edges)))
}

fn open(mesh: &Mesh, ends: [u32; 2], there: usize, back: usize, edges: usize) -> MeshError {
    let passes = |corners: &[u32; 3]| (0..3).any(|k| [corners[k], corners[(k + 1) % 3]] == ends);
    let triangle = mesh.triangles.iter().position(passes).unwrap_or(0);
    let positions = ends.map(|end| mesh.vertices[end as usize]);
    MeshError::Open { ends, positions, triangle, there, back, edges }
}
