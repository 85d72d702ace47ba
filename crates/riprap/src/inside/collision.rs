//! Collision of two bodies (Muth, Of, Eberhard, Steinbach 2006, section 2): the nodes of each that are inside the other.
//!
//! 1. Are the boxes around the two bodies apart, seen in the coordinates of either? Then nothing collides.
//! 2. The nodes of one body in the box of the other are classified, in the other's own coordinates: what was set up for it serves any pose.

use super::{Inside, InsideError, Place};
use crate::convex::Pose;
use crate::mesh::Mesh;
use crate::vector::{add, dot, scale, sub};

/// A body somewhere: its surface, what was set up for that same surface, and its pose. The position of the pose is where the origin of the
/// mesh's coordinates is, about which it is turned.
#[derive(Debug, Clone, Copy)]
pub struct PlacedMesh<'a> {
    /// Its surface.
    pub mesh: &'a Mesh,
    /// Set up for that surface.
    pub inside: &'a Inside,
    /// Where the origin of its coordinates is, and how they are turned.
    pub pose: Pose<3>,
}

/// A node of one body that is not outside of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Penetrating {
    /// The number of the vertex in its mesh.
    pub vertex: u32,
    /// Inside, or on the boundary.
    pub place: Place,
}

/// The nodes of two bodies that are inside the other, by their numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Collision {
    /// Of the first body, in the second.
    pub first: Vec<Penetrating>,
    /// Of the second body, in the first.
    pub second: Vec<Penetrating>,
}

impl Collision {
    /// Whether no node of either body is inside the other.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty() && self.second.is_empty()
    }
}

/// The nodes of each body that are inside the other or on its boundary.
///
/// Bodies may overlap without a node of one inside the other: two crossed beams. Finer meshes find that sooner.
///
/// ```
/// use riprap::convex::Pose;
/// use riprap::inside::{Inside, InsideMethod, PlacedMesh, Place, collide};
/// use riprap::mesh::shapes;
///
/// let mesh = shapes::sphere(3);
/// let inside = Inside::new(&mesh, InsideMethod::Auto)?;
/// let ball = |x: f64| PlacedMesh { mesh: &mesh, inside: &inside, pose: Pose::at([x, 0.0, 0.0]) };
/// let collision = collide(&ball(0.0), &ball(1.95), 1)?;
/// // The vertex (1, 0, 0) of the first ball, and the four around it.
/// assert_eq!(collision.first.len(), 5);
/// assert!(collision.first.iter().all(|node| node.place == Place::Inside));
/// assert!(collide(&ball(0.0), &ball(2.1), 1)?.is_empty());
/// # Ok::<(), riprap::inside::InsideError>(())
/// ```
pub fn collide(a: &PlacedMesh, b: &PlacedMesh, threads: usize) -> Result<Collision, InsideError> {
    a.pose.check_all()?;
    b.pose.check_all()?;
    if apart(a, b) || apart(b, a) {
        return Ok(Collision::default());
    }
    Ok(Collision { first: nodes_inside(a, b, threads)?, second: nodes_inside(b, a, threads)? })
}

/// Takes a point from one body's coordinates to the other's.
fn carried(point: [f64; 3], from: &Pose<3>, to: &Pose<3>) -> [f64; 3] {
    let offset = sub(from.place(point), to.position);
    let [x, y, z] = to.rotation;
    add(add(scale(x, offset[0]), scale(y, offset[1])), scale(z, offset[2]))
}

/// Whether the box of one body, turned, misses that of the other.
fn apart(a: &PlacedMesh, b: &PlacedMesh) -> bool {
    let [low, high] = a.inside.bounds();
    let middle = carried(scale(add(low, high), 0.5), &a.pose, &b.pose);
    let half = scale(sub(high, low), 0.5);
    let [b_low, b_high] = b.inside.bounds();
    (0..3).any(|k| {
        // An axis of the second body, in the coordinates of the first.
        let axis =
            [0, 1, 2].map(|i| (0..3).map(|j| b.pose.rotation[j][k] * a.pose.rotation[j][i]).sum::<f64>());
        let reach = dot(axis.map(f64::abs), half) * (1.0 + 1e-12) + 1e-12 * middle[k].abs();
        middle[k] + reach < b_low[k] || middle[k] - reach > b_high[k]
    })
}

fn nodes_inside(a: &PlacedMesh, b: &PlacedMesh, threads: usize) -> Result<Vec<Penetrating>, InsideError> {
    let mut is_node = vec![false; a.mesh.vertices().len()];
    for &vertex in a.mesh.triangles().as_flattened() {
        is_node[vertex as usize] = true;
    }
    let [low, high] = b.inside.bounds();
    let (mut vertices, mut points) = (Vec::new(), Vec::new());
    for ((&vertex, is_node), number) in a.mesh.vertices().iter().zip(is_node).zip(0..) {
        let point = carried(vertex, &a.pose, &b.pose);
        if is_node && (0..3).all(|k| point[k] >= low[k] && point[k] <= high[k]) {
            vertices.push(number);
            points.push(point);
        }
    }
    let mut places = Vec::new();
    b.inside.classify(&points, threads, &mut places)?;
    let nodes = vertices.into_iter().zip(places).filter(|(_, place)| *place != Place::Outside);
    Ok(nodes.map(|(vertex, place)| Penetrating { vertex, place }).collect())
}
