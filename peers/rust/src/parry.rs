//! parry: a bounding volume hierarchy of the spheres' boxes, traversed against itself.
//!
//! Only the traversal uses threads; parry builds a tree with one.

/// Both precisions have the same code, but types of their own.
macro_rules! self_pairs {
    ($module:ident, $library:ident, $down:expr, $up:expr) => {
        pub(crate) mod $module {
            use rayon::prelude::*;
            use $library::bounding_volume::Aabb;
            use $library::math::Vector;
            use $library::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

            use crate::{Input, Pairs};

            pub(crate) fn find(input: &Input<3>, pairs: &mut Pairs) {
                let boxes = input.centers.iter().zip(&input.radii).map(|(center, radius)| {
                    let low = center.map(|x| $down(x - radius));
                    let high = center.map(|x| $up(x + radius));
                    Aabb::new(Vector::from_array(low), Vector::from_array(high))
                });
                let tree = Bvh::from_iter(BvhBuildStrategy::Binned, boxes.enumerate());
                if input.threads == 1 {
                    tree.traverse_bvtt_single_tree::<false>(&mut BvhWorkspace::default(), &mut |a, b| {
                        if input.touch(a, b) {
                            pairs.push((a, b));
                        }
                    });
                } else {
                    let candidates = tree.traverse_bvtt_single_tree_parallel::<false>();
                    pairs.par_extend(candidates.into_par_iter().filter(|&(a, b)| input.touch(a, b)));
                }
            }
        }
    };
}

self_pairs!(double, parry3d_f64, |x: f64| x, |x: f64| x);
// Rounded outwards, so that no contact is lost.
self_pairs!(single, parry3d, |x: f64| (x as f32).next_down(), |x: f64| (x as f32).next_up());
