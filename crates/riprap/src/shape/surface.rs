//! Shapes from closed meshes.
//!
//! ```text
//! Mesh ─▶ closed? one part? not inside out, flat, or through itself? ─▶ convex? ─ yes ─▶ its hull
//!                                                                         └ no ─▶ convex pieces (decomposition.rs) ─▶ their union
//! ```

use rustc_hash::FxHashMap;

use super::build::from_body;
use super::crossing::crossing;
use super::{BuildError, Built};
use crate::convex::Polyhedron;
use crate::mesh::Mesh;
use crate::vector::{cross, dot, length, sub};

/// A mesh is convex if no corner is farther in front of a triangle next to it than this part of the size, and its hull has no
/// larger part of the volume besides.
const CONVEX: f64 = 1e-6;
/// A mesh that encloses less than this part of the cube around it is flat.
const THINNEST: f64 = 1e-9;

/// The body that a closed mesh encloses; a concave one is divided into convex pieces, which fill its dents by as much as
/// [`Built::growth`] says.
pub fn from_mesh(name: &str, mesh: &Mesh) -> Result<Built<3>, BuildError> {
    let size = check(mesh)?;
    let volume = volume(mesh);
    let used: Vec<[f64; 3]> = used_vertices(mesh);
    let hull = Polyhedron::from_points(&used)?;
    let ratio = hull.volume() / volume;
    if ratio < 1.0 - CONVEX {
        return Err(BuildError::Doubled { times: 1.0 / ratio });
    }
    if ratio - 1.0 <= CONVEX && is_locally_convex(mesh, CONVEX * size) {
        return from_body(name, hull);
    }
    #[cfg(feature = "decomposition")]
    return super::decomposition::divided(name, mesh, volume);
    #[cfg(not(feature = "decomposition"))]
    return Err(BuildError::Concave { ratio });
}

/// Refuses a surface that does not enclose one body; gives its largest extent.
fn check(mesh: &Mesh) -> Result<f64, BuildError> {
    mesh.check_closed()?;
    let [low, high] = mesh.bounds();
    let size = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
    let (volume, enclosing) = (volume(mesh), size * size * size);
    // Also what is not a number, and zero of zero.
    if volume.abs().partial_cmp(&(THINNEST * enclosing)) != Some(std::cmp::Ordering::Greater) {
        return Err(BuildError::Flat { volume, enclosing });
    }
    let (count, triangles) = parts(mesh);
    if count > 1 {
        return Err(BuildError::Parts { count, triangles });
    }
    if volume < 0.0 {
        return Err(BuildError::InsideOut { volume });
    }
    if let Some(triangles) = crossing(mesh) {
        return Err(BuildError::Crossing { triangles, near: mesh.corners(triangles[0])[0] });
    }
    Ok(size)
}

/// What a mesh encloses, about one of its corners.
fn volume(mesh: &Mesh) -> f64 {
    let origin = mesh.corners(0)[0];
    let corners = (0..mesh.triangles().len()).map(|triangle| mesh.corners(triangle).map(|c| sub(c, origin)));
    corners.map(|[a, b, c]| dot(a, cross(b, c)) / 6.0).sum()
}

fn used_vertices(mesh: &Mesh) -> Vec<[f64; 3]> {
    let mut used: Vec<u32> = mesh.triangles().as_flattened().to_vec();
    used.sort_unstable();
    used.dedup();
    used.into_iter().map(|vertex| mesh.vertices()[vertex as usize]).collect()
}

/// The number of parts that share no vertex, and triangles of the first two.
fn parts(mesh: &Mesh) -> (usize, [usize; 2]) {
    let mut parent: Vec<u32> = (0..mesh.vertices().len() as u32).collect();
    let root = |parent: &mut [u32], mut vertex: u32| {
        while parent[vertex as usize] != vertex {
            parent[vertex as usize] = parent[parent[vertex as usize] as usize];
            vertex = parent[vertex as usize];
        }
        vertex
    };
    for &[a, b, c] in mesh.triangles() {
        for other in [b, c] {
            let [low, high] = [a, other].map(|vertex| root(&mut parent, vertex));
            parent[low.max(high) as usize] = low.min(high);
        }
    }
    let mut roots: Vec<(u32, usize)> =
        mesh.triangles().iter().enumerate().map(|(k, corners)| (root(&mut parent, corners[0]), k)).collect();
    roots.sort_unstable();
    roots.dedup_by_key(|(root, _)| *root);
    (roots.len(), [roots[0].1, roots.last().map_or(0, |(_, triangle)| *triangle)])
}

/// Whether no corner is in front of a triangle that it shares an edge with.
fn is_locally_convex(mesh: &Mesh, tolerance: f64) -> bool {
    let mut opposite: FxHashMap<[u32; 2], u32> = FxHashMap::default();
    for &[a, b, c] in mesh.triangles() {
        opposite.extend([([a, b], c), ([b, c], a), ([c, a], b)]);
    }
    mesh.triangles().iter().all(|&[a, b, c]| {
        let [p, q, r] = [a, b, c].map(|vertex| mesh.vertices()[vertex as usize]);
        let normal = cross(sub(q, p), sub(r, p));
        [[b, a], [c, b], [a, c]].iter().all(|edge| {
            opposite.get(edge).is_none_or(|&other| {
                dot(normal, sub(mesh.vertices()[other as usize], p)) <= tolerance * length(normal)
            })
        })
    })
}
