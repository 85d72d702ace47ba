//! Ray crossing with a hierarchy over the faces: boxes around halves of halves of them. A segment that misses a box misses all faces in it.
//!
//! The same rays as in `ray_crossing.rs`, the same exact signs and so the same answers.
//!
//! Cost: O(N log N) to set up; about O(log N) a point, and one for each face that the ray passes. For comparison with the paper's form.

use super::faces::{Change, Face, faces_of};
use super::ray_crossing::by_rays;
use crate::mesh::Mesh;

/// Faces in a box that is not divided.
const FEW: usize = 4;

/// A hierarchy over the faces of a closed mesh.
#[derive(Debug, Clone)]
pub(super) struct RayTree {
    faces: Vec<Face>,
    bounds: [[f64; 3]; 2],
    nodes: Vec<TreeNode>,
}

/// A box around some of the faces.
#[derive(Debug, Clone, Copy)]
struct TreeNode {
    low: [f64; 3],
    high: [f64; 3],
    /// Its faces.
    first: u32,
    last: u32,
    /// The node after it and those within it; the next one is its first half.
    skip: u32,
}

impl RayTree {
    pub(super) fn new(mesh: &Mesh) -> Self {
        let mut tree = Self { faces: faces_of(mesh), bounds: mesh.bounds(), nodes: Vec::new() };
        // Roundings of a segment's way through a box are smaller than this.
        let margin = 1e-14 * tree.bounds.as_flattened().iter().fold(0.0f64, |far, x| far.max(x.abs()));
        if !tree.faces.is_empty() {
            tree.divide(0, tree.faces.len(), margin);
        }
        tree
    }

    fn divide(&mut self, first: usize, last: usize, margin: f64) {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for corner in self.faces[first..last].iter().flat_map(|face| face.corners) {
            for k in 0..3 {
                low[k] = low[k].min(corner[k] - margin);
                high[k] = high[k].max(corner[k] + margin);
            }
        }
        let number = self.nodes.len();
        self.nodes.push(TreeNode { low, high, first: first as u32, last: last as u32, skip: 0 });
        if last - first > FEW {
            let longest =
                (0..3).max_by(|&i, &j| (high[i] - low[i]).total_cmp(&(high[j] - low[j]))).unwrap_or(0);
            let middle = (last - first) / 2;
            let place = |face: &Face| face.corners.iter().map(|corner| corner[longest]).sum::<f64>();
            self.faces[first..last].select_nth_unstable_by(middle, |a, b| place(a).total_cmp(&place(b)));
            self.divide(first, first + middle, margin);
            self.divide(first + middle, last, margin);
        }
        self.nodes[number].skip = self.nodes.len() as u32;
    }

    /// The winding around a point; `None` on the boundary.
    pub(super) fn winding(&self, point: [f64; 3], index: u64) -> Option<i32> {
        by_rays(&self.bounds, point, index, |end| {
            let boxes =
                Along { tree: self, point, inverse: [0, 1, 2].map(|k| 1.0 / (end[k] - point[k])), next: 0 };
            Change::over(boxes.flatten(), point, end)
        })
    }
}

/// The faces of all undivided boxes that a segment meets.
struct Along<'a> {
    tree: &'a RayTree,
    point: [f64; 3],
    /// One over the segment.
    inverse: [f64; 3],
    next: usize,
}

impl<'a> Iterator for Along<'a> {
    type Item = &'a [Face];

    fn next(&mut self) -> Option<&'a [Face]> {
        while let Some(node) = self.tree.nodes.get(self.next) {
            if !self.meets(node) {
                self.next = node.skip as usize;
                continue;
            }
            self.next += 1;
            if node.skip as usize == self.next {
                return Some(&self.tree.faces[node.first as usize..node.last as usize]);
            }
        }
        None
    }
}

impl Along<'_> {
    /// Whether the segment meets a box, or all but does.
    #[inline(always)]
    fn meets(&self, node: &TreeNode) -> bool {
        // Parts of the segment between the planes of the box. A segment along them has parts that are no numbers or without end,
        // and those change nothing.
        let (mut begin, mut end) = (0.0f64, 1.0f64);
        for k in 0..3 {
            let low = (node.low[k] - self.point[k]) * self.inverse[k];
            let high = (node.high[k] - self.point[k]) * self.inverse[k];
            begin = begin.max(low.min(high));
            end = end.min(low.max(high));
        }
        begin <= end * (1.0 + 1e-12)
    }
}
