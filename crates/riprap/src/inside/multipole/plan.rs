//! How deep the trees are, and the degree of the expansions: weighed without working out any of them.

use super::bound::{Bound, Errors, HIGHEST};
use super::boxes::{BoxLevel, Divided, Rules};
use super::clusters::{Clusters, FEWEST};
use super::harmonics::columns;
use crate::number::power;

/// How deep the trees of boxes are.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Depth {
    /// Chosen for the body alone, for many points.
    #[default]
    PreChosen,
    /// Chosen for this many points, set-up included.
    WellChosen {
        /// How many.
        points: usize,
    },
    /// Boxes are divided down to clusters of so many faces.
    Faces(usize),
}

/// Points per face for which a depth is chosen in advance, and their number at most.
const POINTS_PER_FACE: usize = 128;
const MOST_POINTS: usize = 8_000_000;
/// Clusters of this part of all faces are the largest that can be far from a box.
const FIRST: usize = 32;

// What the parts of the work take, in nanoseconds.
const PER_PRODUCT: f64 = 0.055;
const PER_PAIR: f64 = 140.0;
const PER_BOX: f64 = 1200.0;
const PER_BLOCK: f64 = 10.0;
const PER_COEFFICIENT: f64 = 0.7;
const PER_POINT: f64 = 130.0;

/// What a depth leads to.
#[derive(Debug, Clone, Copy)]
pub(super) struct DepthPlan {
    pub(super) rules: Rules,
    boxes: usize,
    pairs: usize,
    /// Of faces near a point in the body's box, on average.
    blocks: f64,
}

impl DepthPlan {
    /// The plan for a body whose expansions have about this degree, and blocks so many faces.
    pub(super) fn new(tree: &Clusters, separation: f64, depth: Depth, degree: usize, width: usize) -> Self {
        let all = tree.all[0].faces();
        let of = |leaf: usize, most: f64| Self::count(tree, Rules { separation, leaf }, width, degree, most);
        let points = match depth {
            Depth::Faces(leaf) => return of(leaf, f64::INFINITY),
            Depth::PreChosen => (POINTS_PER_FACE * all).min(MOST_POINTS),
            Depth::WellChosen { points } => points,
        } as f64;
        // Deeper and deeper, until the boxes alone take longer than all did.
        let mut best = of(all, f64::INFINITY);
        let mut leaf = all / FIRST;
        while leaf >= FEWEST {
            let least = best.cost(points, degree);
            let plan = of(leaf, least);
            let cost = plan.cost(points, degree);
            if cost < least {
                best = plan;
            }
            if plan.boxes_cost(degree) > least {
                break;
            }
            leaf /= 2;
        }
        best
    }

    /// Whether any cluster is far from any box.
    pub(super) fn has_far(&self) -> bool {
        self.pairs > 0
    }

    /// The time for the boxes and so many points.
    fn cost(&self, points: f64, degree: usize) -> f64 {
        let size = columns(degree) as f64;
        self.boxes_cost(degree) + points * (PER_POINT + PER_COEFFICIENT * size + PER_BLOCK * self.blocks)
    }

    /// The time for the boxes.
    fn boxes_cost(&self, degree: usize) -> f64 {
        let size = columns(degree) as f64;
        let product = PER_PRODUCT * size * size;
        self.pairs as f64 * (PER_PAIR + product) + self.boxes as f64 * (PER_BOX + product)
    }

    /// Divides boxes as the method will, and counts, until the boxes take too long.
    fn count(tree: &Clusters, rules: Rules, width: usize, degree: usize, most: f64) -> Self {
        let mut plan = Self { rules, boxes: 1, pairs: 0, blocks: 0.0 };
        // Of a box in terms of the body's, where most points are taken to be.
        let mut volume = power(tree.times, 3);
        let (mut level, mut divided) = (BoxLevel::root(), Divided::default());
        while level.count() > 0 && plan.boxes_cost(degree) <= most {
            rules.divide(tree, &level, 0..level.count(), &mut divided, |_, _, _| plan.pairs += 1);
            for &leaf in &divided.leaves {
                let near = level.near(leaf as usize).iter();
                let blocks = near.map(|&cluster| tree.all[cluster as usize].faces().div_ceil(width));
                plan.blocks += volume * blocks.sum::<usize>() as f64;
            }
            plan.boxes += divided.sons.count();
            divided.take(&mut level);
            volume /= 8.0;
        }
        plan
    }

    /// The largest error in any box, for each degree that the bound knows.
    pub(super) fn errors(&self, tree: &Clusters, bound: &impl Bound) -> Vec<f64> {
        let (mut level, mut divided) = (BoxLevel::root(), Divided::default());
        let mut errors: Vec<Errors> = vec![[0.0; HIGHEST + 1]];
        let mut largest = vec![0.0f64; bound.degrees()];
        while level.count() > 0 {
            let mut sons: Vec<Errors> = Vec::new();
            self.rules.divide(tree, &level, 0..level.count(), &mut divided, |pair, cluster, distance| {
                sons.resize(sons.len().max(pair.place as usize + 1), [0.0; HIGHEST + 1]);
                let sum = &mut sons[pair.place as usize];
                bound.add(pair.cluster as usize, cluster, pair.cell, distance, sum);
            });
            sons.resize(divided.sons.count(), [0.0; HIGHEST + 1]);
            for (eight, &father) in sons.chunks_exact_mut(8).zip(&divided.fathers) {
                for son in eight {
                    for (error, of_father) in son.iter_mut().zip(&errors[father as usize]) {
                        *error += of_father;
                    }
                }
            }
            for &leaf in &divided.leaves {
                for (largest, error) in largest.iter_mut().zip(&errors[leaf as usize]) {
                    *largest = largest.max(*error);
                }
            }
            errors = sons;
            divided.take(&mut level);
        }
        largest
    }
}
