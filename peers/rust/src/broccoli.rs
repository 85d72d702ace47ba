//! broccoli: a 2D tree of bounding boxes with sweep and prune in its nodes.

use broccoli::Tree;
use broccoli::aabb::BBox;
use broccoli_rayon::prelude::*;

use crate::{Input, Pairs};

pub(crate) fn find(input: &Input<2>, pairs: &mut Pairs) {
    let disks = input.centers.iter().zip(&input.radii).enumerate();
    let mut boxes: Vec<_> = disks
        .map(|(a, (&[x, y], r))| BBox::new(broccoli::rect(x - r, x + r, y - r, y + r), a as u32))
        .collect();
    let test = |pairs: &mut Pairs, a: u32, b: u32| {
        if input.touch(a, b) {
            pairs.push((a, b));
        }
    };
    if input.threads == 1 {
        Tree::new(&mut boxes).find_colliding_pairs(|a, b| test(pairs, *a.unpack_inner(), *b.unpack_inner()));
    } else {
        let found = Tree::par_new(&mut boxes).par_find_colliding_pairs_acc_closure(
            Pairs::new(),
            |_| Pairs::new(),
            |all, mut part| all.append(&mut part),
            |pairs, a, b| test(pairs, *a.unpack_inner(), *b.unpack_inner()),
        );
        pairs.extend(found);
    }
}
