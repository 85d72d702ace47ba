//! Vertices that are almost at the same place become one.
//!
//! 1. Space is divided into cubes as wide as the tolerance.
//! 2. Vertices are taken in their order. One that has a kept vertex within the tolerance, in its cube or the 26 around it, becomes that one (the
//!    first of several); else it is kept.
//!
//! Kept vertices are farther from each other than the tolerance, so a cube holds few of them. Cost: O(n).

use rustc_hash::FxHashMap;

use crate::vector::{dot, sub};

/// The vertex that each one becomes.
pub(super) fn first_within(vertices: &[[f64; 3]], tolerance: f64) -> Vec<u32> {
    let mut kept: FxHashMap<[u64; 3], Vec<u32>> = FxHashMap::default();
    let cube = |position: [f64; 3]| position.map(|x| (x / tolerance).floor());
    let mut becomes = Vec::with_capacity(vertices.len());
    for (number, &position) in vertices.iter().enumerate() {
        let here = cube(position);
        let around = (0..27usize).map(|place| {
            let offset = [place % 3, place / 3 % 3, place / 9].map(|step| step as f64 - 1.0);
            std::array::from_fn(|k| key(here[k] + offset[k]))
        });
        let near = around.filter_map(|cube: [u64; 3]| kept.get(&cube)).flatten().copied();
        let within = near.filter(|&other| {
            let apart = sub(vertices[other as usize], position);
            dot(apart, apart) <= tolerance * tolerance
        });
        becomes.push(within.min().unwrap_or_else(|| {
            kept.entry(here.map(key)).or_default().push(number as u32);
            number as u32
        }));
    }
    becomes
}

/// The same for zero and minus zero.
fn key(x: f64) -> u64 {
    (x + 0.0).to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use crate::vector::length;

    #[test]
    fn kept_vertices_are_apart_and_the_others_are_near_theirs() {
        let mut random = Random::new(3);
        let vertices: Vec<[f64; 3]> =
            (0..2000).map(|_| std::array::from_fn(|_| random.uniform(-1.0, 1.0))).collect();
        for tolerance in [1e-9, 0.05, 0.2, 3.0] {
            let becomes = first_within(&vertices, tolerance);
            let apart = |a: usize, b: usize| length(sub(vertices[a], vertices[b]));
            let kept: Vec<usize> =
                (0..vertices.len()).filter(|&number| becomes[number] as usize == number).collect();
            for (index, &a) in kept.iter().enumerate() {
                assert!(kept[..index].iter().all(|&b| apart(a, b) > tolerance));
            }
            for (number, &first) in becomes.iter().enumerate() {
                // As the definition says, looking at all.
                let expected =
                    kept.iter().copied().find(|&other| other <= number && apart(other, number) <= tolerance);
                assert_eq!(expected, Some(first as usize));
            }
        }
    }

    #[test]
    fn places_far_from_the_origin_and_signs_of_zero_do_not_matter() {
        let vertices = [[0.0, 0.0, 1e30], [-0.0, 1e-9, 1e30], [0.0, 0.0, -1e30]];
        assert_eq!(first_within(&vertices, 1e-6), [0, 0, 2]);
    }
}
