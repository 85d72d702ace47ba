//! The fast multipole method (Muth, Of, Eberhard, Steinbach 2006, section 2.1.2).
//!
//! J is a sum over all faces of a function of the point and the face. From afar it is a series in which the two are apart, and which may end at
//! some degree p:
//!
//! ```text
//! faces ─▶ octree of clusters ─▶ moments of small clusters ─▶ M2M: of their fathers, up to all faces
//!                                                                    │
//! octree of boxes ─▶ which clusters are far (eq 16) ─▶ M2L: local expansion of a box ◀┘ ─▶ L2L: of its sons, down to boxes with few faces near
//!
//! point ─▶ its box ─▶ value of the local expansion + solid angles of the near faces, exactly
//! ```
//!
//! | file | what |
//! |---|---|
//! | `clusters.rs`, `boxes.rs` | the two octrees; which of the one are far from which of the other |
//! | `harmonics.rs`, `moments.rs` | solid harmonics R and S; their exact integrals over faces |
//! | `translation.rs`, `local.rs` | M2M, M2L, L2L as matrices; which of them are needed, level by level |
//! | `expansion.rs`, `near.rs`, `evaluation.rs` | the value of a local expansion; solid angles of near faces; J at a point |
//! | `bound.rs`, `plan.rs`, `choice.rs` | the error; the depth of the trees; the degree |
//! | `options.rs` | what a user may ask for |
//!
//! The boxes belong to the body: they are set up once, for any number of points. They fill a cube around the body, with a wide margin if
//! the surface is not closed. A point outside of the cube is answered by the clusters themselves.
//!
//! Cost: O(N) to set up and O(1) a point, both with large constants. For surfaces that are not closed, and for the values of J; where only
//! inside or outside of a closed surface matters, `cells/` does with less.

mod bound;
mod boxes;
mod choice;
mod clusters;
mod evaluation;
mod expansion;
mod harmonics;
mod local;
mod moments;
mod near;
mod options;
mod plan;
#[cfg(test)]
mod tests;
mod translation;

use super::faces::{Face, faces_of};
use super::units::Units;
use crate::mesh::Mesh;
use choice::chosen;
use clusters::Clusters;
use expansion::{Layout, Row};
use near::NearBlocks;
use plan::DepthPlan;

pub use options::{Degree, MultipoleOptions};
pub use plan::Depth;

/// How many times as wide as the body the cube is if the surface is not closed. J is zero outside of a closed one.
const MARGIN: f64 = 4.0;

/// A box that is not divided, in the list of boxes.
const LEAF: u32 = 1 << 31;

/// The expansions of a body.
#[derive(Debug, Clone)]
pub(super) struct Multipole {
    units: Units,
    plan: DepthPlan,
    /// Of the expansions.
    degree: usize,
    /// What their error is at most.
    error: f64,
    /// What it may be for a point outside of the cube.
    tolerance: f64,
    wide: bool,
    /// The box around a closed surface.
    closed: Option<[[f64; 3]; 2]>,
    tree: Clusters,
    /// In the order of the clusters.
    faces: Vec<Face>,
    blocks: NearBlocks,
    /// The blocks of each cluster that is not taken apart.
    cluster_blocks: Vec<[u32; 2]>,
    /// Moments of each cluster.
    moments: Vec<f64>,
    layout: Layout,
    /// The first of eight sons of each box, or its number among the undivided ones.
    boxes: Vec<u32>,
    /// The same for all boxes of one level, x first: where the search for a point begins.
    starts: Vec<u32>,
    leaves: Vec<Leaf>,
    expansions: Vec<Row>,
    /// Ranges of blocks near each leaf.
    near: Vec<[u32; 2]>,
    /// The faces in them.
    near_faces: Vec<[u32; 2]>,
}

/// A box that is not divided.
#[derive(Debug, Clone, Copy)]
struct Leaf {
    middle: [f64; 3],
    /// One over its width.
    inverse: f64,
    /// Its first range of near blocks; the next leaf has one past the last.
    near: u32,
    /// Near blocks.
    blocks: u32,
}

impl Multipole {
    pub(super) fn new(mesh: &Mesh, is_closed: bool, options: &MultipoleOptions) -> Self {
        let (units, mut faces) = (Units::of(mesh), faces_of(mesh));
        let times = if is_closed { 1.0 } else { MARGIN };
        let tree = Clusters::new(&mut faces, times, |corner| units.scaled(corner));
        let blocks = NearBlocks::new(options, faces.len());
        let (plan, degree, error, moments) = chosen(&tree, &faces, &units, options, blocks.width());
        let mut body = Self {
            units,
            plan,
            degree,
            error,
            tolerance: if error > 0.0 { error.min(options.tolerance) } else { options.tolerance },
            wide: options.vectors,
            closed: is_closed.then(|| mesh.bounds()),
            faces,
            blocks,
            cluster_blocks: vec![[0; 2]; tree.all.len()],
            moments,
            tree,
            layout: Layout::new(degree),
            boxes: vec![0],
            starts: Vec::new(),
            leaves: Vec::new(),
            expansions: Vec::new(),
            near: Vec::new(),
            near_faces: Vec::new(),
        };
        body.list_blocks();
        body.expand();
        body.fill_starts();
        body
    }

    /// The degree of the expansions, and the bound of their error.
    pub(super) fn degree(&self) -> (usize, f64) {
        let outside = if self.closed.is_some() { 0.0 } else { self.tolerance };
        (self.degree, self.error.max(outside))
    }

    /// Blocks of faces, cluster by cluster, so that neighbours in the tree are neighbours in memory.
    fn list_blocks(&mut self) {
        let mut stack = vec![(0usize, 0u32)];
        while let Some((index, level)) = stack.pop() {
            let cluster = &self.tree.all[index];
            if self.plan.rules.is_leaf(cluster) {
                self.cluster_blocks[index] =
                    self.blocks.push(&self.tree, level, cluster, &self.faces, &self.units);
            } else {
                stack.extend(cluster.sons().rev().map(|son| (son, level + 1)));
            }
        }
    }
}
