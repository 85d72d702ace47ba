//! The octree of the evaluation boxes: which clusters each of them sees from afar, and which faces are near it.
//!
//! A box and a cluster of the same level are far from each other if the distance of their middles is more than `d + 1` times the larger
//! of their radii (Muth et al. 2006, eq 16). A box is divided as long as one of the clusters near it has sons.

use super::clusters::{Cluster, Clusters};

/// Half of the diagonal of a box of width one.
pub(super) const HALF_DIAGONAL: f64 = 0.866_025_403_784_438_6;

/// Boxes and clusters farther apart than this along an axis are not taken for far: then faces are very large, and few.
pub(super) const FARTHEST: u32 = 16;

/// A box, and a cluster that is far from it, of the same level.
#[derive(Debug, Clone, Copy)]
pub(super) struct FarPair {
    /// The number of the box in its level, and where it is.
    pub(super) place: u32,
    pub(super) cell: [u32; 3],
    pub(super) cluster: u32,
}

/// The boxes of one level.
#[derive(Debug, Clone)]
pub(super) struct BoxLevel {
    /// Where they are.
    pub(super) cells: Vec<[u32; 3]>,
    /// The first cluster near each box in `near`, and one past the last.
    firsts: Vec<u32>,
    near: Vec<u32>,
}

impl Default for BoxLevel {
    fn default() -> Self {
        Self { cells: Vec::new(), firsts: vec![0], near: Vec::new() }
    }
}

impl BoxLevel {
    /// The box that holds all, with the cluster of all faces near it.
    pub(super) fn root() -> Self {
        Self { cells: vec![[0; 3]], firsts: vec![0, 1], near: vec![0] }
    }

    /// The number of boxes.
    pub(super) fn count(&self) -> usize {
        self.cells.len()
    }

    /// The clusters near a box.
    pub(super) fn near(&self, place: usize) -> &[u32] {
        &self.near[self.firsts[place] as usize..self.firsts[place + 1] as usize]
    }
}

/// What comes of the boxes of a level.
#[derive(Debug, Clone, Default)]
pub(super) struct Divided {
    /// Eight sons of each divided box.
    pub(super) sons: BoxLevel,
    /// The divided boxes.
    pub(super) fathers: Vec<u32>,
    /// The others.
    pub(super) leaves: Vec<u32>,
}

impl Divided {
    /// Makes room for those of the next level; what was there comes back.
    pub(super) fn take(&mut self, level: &mut BoxLevel) {
        std::mem::swap(&mut self.sons, level);
        self.clear();
    }

    fn clear(&mut self) {
        self.sons.cells.clear();
        self.sons.firsts.truncate(1);
        self.sons.near.clear();
        self.fathers.clear();
        self.leaves.clear();
    }
}

/// What decides how boxes are divided.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// The parameter `d` of eq 16.
    pub(super) separation: f64,
    /// Clusters of so many faces are not taken apart.
    pub(super) leaf: usize,
}

impl Rules {
    /// Whether a cluster is taken as a whole.
    pub(super) fn is_leaf(&self, cluster: &Cluster) -> bool {
        cluster.faces() <= self.leaf || cluster.sons().is_empty()
    }

    /// The distance of a box and a cluster in units of the larger radius, less one; `None` if they are not far.
    #[inline(always)]
    fn distance(&self, cell: [u32; 3], cluster: &Cluster) -> Option<f64> {
        let (mut square, mut longest) = (0.0, 0);
        for k in 0..3 {
            let step = cell[k].abs_diff(cluster.cell[k]);
            longest = longest.max(step);
            square += f64::from(step) * f64::from(step);
        }
        let radius = cluster.radius.max(HALF_DIAGONAL);
        let limit = (self.separation + 1.0) * radius;
        (square > limit * limit && longest < FARTHEST).then(|| square.sqrt() / radius - 1.0)
    }

    /// Divides some boxes of a level, one after the other. Their sons are appended to `next`, and for each eight of them the box that they
    /// came of to `fathers`; `far` is told of each pair of a son and a cluster that are far, with their distance. Boxes that are not divided
    /// are appended to `leaves`.
    pub(super) fn divide(
        &self,
        tree: &Clusters,
        level: &BoxLevel,
        places: std::ops::Range<usize>,
        divided: &mut Divided,
        mut far: impl FnMut(FarPair, &Cluster, f64),
    ) {
        let next = &mut divided.sons;
        for place in places {
            let near = level.near(place);
            if near.iter().all(|&cluster| self.is_leaf(&tree.all[cluster as usize])) {
                divided.leaves.push(place as u32);
                continue;
            }
            divided.fathers.push(place as u32);
            for octant in 0..8 {
                let son = next.cells.len() as u32;
                let cell = [0, 1, 2].map(|k| 2 * level.cells[place][k] + (octant >> k & 1));
                for &index in near {
                    let cluster = &tree.all[index as usize];
                    if self.is_leaf(cluster) {
                        next.near.push(index);
                        continue;
                    }
                    for index in cluster.sons() {
                        let cluster = &tree.all[index];
                        match self.distance(cell, cluster) {
                            Some(distance) => {
                                far(FarPair { place: son, cell, cluster: index as u32 }, cluster, distance);
                            }
                            None => next.near.push(index as u32),
                        }
                    }
                }
                next.cells.push(cell);
                next.firsts.push(next.near.len() as u32);
            }
        }
    }
}
