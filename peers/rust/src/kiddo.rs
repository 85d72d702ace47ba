//! kiddo: one k-d tree of all centers; each particle asks for centers within its diameter.
//!
//! The larger particle of a pair finds the smaller one, whose center is at most `2 r` away if they touch. This is the
//! best a tree without radii can do for mixed sizes: a query with `r + largest radius` would return most particles.

use kiddo::{ImmutableKdTree, SquaredEuclidean};
use rayon::prelude::*;

use crate::{Input, Pairs};

/// Queries that a thread takes at once.
const CHUNK: usize = 1024;

pub(crate) fn find<const D: usize>(input: &Input<D>, pairs: &mut Pairs) {
    if input.threads == 1 {
        let tree = ImmutableKdTree::<f64, D>::new_from_slice(&input.centers).expect("finite centers");
        query(input, &tree, &order(&tree), pairs);
    } else {
        let tree =
            ImmutableKdTree::<f64, D>::new_from_slice_parallel(&input.centers).expect("finite centers");
        pairs.par_extend(order(&tree).par_chunks(CHUNK).flat_map_iter(|particles| {
            let mut found = Pairs::new();
            query(input, &tree, particles, &mut found);
            found
        }));
    }
}

/// Asked in the order of the tree's leaves, neighbours find each other's paths in the cache.
fn order<const D: usize>(tree: &ImmutableKdTree<f64, D>) -> Vec<(u32, [f64; D])> {
    tree.iter().collect()
}

fn query<const D: usize>(
    input: &Input<D>,
    tree: &ImmutableKdTree<f64, D>,
    particles: &[(u32, [f64; D])],
    pairs: &mut Pairs,
) {
    let mut scratch = tree.create_scratch::<SquaredEuclidean<f64>>();
    for &(a, center) in particles {
        let radius = input.radii[a as usize];
        tree.query(&center)
            .within::<SquaredEuclidean<f64>>((2.0 * radius).powi(2))
            .unsorted()
            .with_scratch(&mut scratch)
            .visit(|found| {
                let (b, other) = (found.item, input.radii[found.item as usize]);
                let smaller = other < radius || (other == radius && b < a);
                if smaller && found.distance <= (radius + other).powi(2) {
                    pairs.push((a, b));
                }
            });
    }
}
