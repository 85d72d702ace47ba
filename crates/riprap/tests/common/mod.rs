//! Scenes, an oracle that shares no code with the library, and the comparison of pair lists.

#![allow(dead_code, unreachable_pub, reason = "each test file uses its part")]

pub mod long;
pub mod scenes;
pub mod traps;

use riprap::broad::{BroadPhase, Pair};
use riprap::{Criterion, SphereColumns, Spheres};

/// Every method by name, and every option of it that changes the path through the code.
pub const SPECIFICATIONS: &[&str] = &[
    "levels",
    "levels:vectors=none",
    "levels:costs=measured",
    "levels:levels=0.125/0.5/1/30",
    "levels:levels=0.02/0.1/0.7,vectors=none",
    "brute-force",
    "linked-cell",
    "linked-cell:particles-per-cell=0.05",
    "linked-cell:particles-per-cell=20",
    "radial-sort",
    "mr",
    "mr:coordinates=recomputed",
    "mr:search=binary",
    "mr:sort=quick,search=binary,coordinates=recomputed",
    "mmr",
    "mmr:ratio=1.3",
    "mmr:ratio=50",
    "tree",
    "hgrid",
    "hgrid:ratio=1.2",
    "hgrid:levels=0.125/0.5/1/30",
    "hgrid-bottom-up",
    "hgrid-bottom-up:ratio=1.2",
    "hgrid-bottom-up:levels=0.001/0.125/0.75",
];

/// Whether a method of this specification has periodic boundaries.
pub fn is_periodic(specification: &str) -> bool {
    let name = specification.split(':').next().unwrap();
    riprap::broad::SearchMethod::<3>::all().iter().find(|method| method.name == name).unwrap().periodic
}

/// All touching pairs, sorted: per axis the smallest distance to any image, then the closed test.
pub fn oracle<const D: usize>(spheres: &SphereColumns<D>, margin: f64, lengths: [f64; D]) -> Vec<(u32, u32)> {
    let n = spheres.radii.len();
    let mut pairs = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            let mut squares = 0.0;
            for k in 0..D {
                let distance = if lengths[k] == f64::INFINITY {
                    (spheres.centers[i][k] - spheres.centers[j][k]).abs()
                } else {
                    // Points near the box are subtracted as they are, others by their exact remainders; either
                    // way the difference is below three lengths.
                    let length = lengths[k];
                    let near = |i: usize| {
                        (0..D).all(|k| {
                            (-lengths[k]..2.0 * lengths[k]).contains(&spheres.centers[i][k])
                                || lengths[k] == f64::INFINITY
                        })
                    };
                    let place = |i: usize| {
                        let x = spheres.centers[i][k];
                        if near(i) { x } else { x % length + if x % length < 0.0 { length } else { 0.0 } }
                    };
                    let difference = place(i) - place(j);
                    (-3..=3)
                        .map(|image| (difference + f64::from(image) * length).abs())
                        .fold(f64::INFINITY, f64::min)
                };
                squares += distance * distance;
            }
            let reach = spheres.radii[i] + spheres.radii[j] + margin;
            if squares <= reach * reach {
                pairs.push((i as u32, j as u32));
            }
        }
    }
    pairs
}

/// How a list of pairs differs from the true one.
#[derive(Debug, Default, PartialEq)]
pub struct Difference {
    pub missing: Vec<(u32, u32)>,
    pub extra: Vec<(u32, u32)>,
    pub doubled: Vec<(u32, u32)>,
    pub out_of_order: Vec<(u32, u32)>,
}

/// Compares found pairs, in any order, with the sorted true ones.
pub fn compare(found: &[Pair], truth: &[(u32, u32)]) -> Result<(), Difference> {
    let mut found: Vec<_> = found.iter().map(|pair| (pair.a, pair.b)).collect();
    found.sort_unstable();
    let mut difference = Difference::default();
    difference.doubled.extend(found.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]));
    difference.out_of_order.extend(found.iter().filter(|pair| pair.0 >= pair.1));
    found.dedup();
    difference.missing.extend(truth.iter().filter(|pair| found.binary_search(pair).is_err()));
    difference.extra.extend(found.iter().filter(|pair| truth.binary_search(pair).is_err()));
    if difference == Difference::default() { Ok(()) } else { Err(difference) }
}

/// Runs a method twice (the second call meets the state of the first) and compares both results with the truth.
pub fn check<const D: usize>(
    method: &mut dyn BroadPhase<D>,
    spheres: &SphereColumns<D>,
    margin: f64,
    lengths: [f64; D],
) -> Result<(), Difference> {
    check_with(method, spheres, margin, lengths, &oracle(spheres, margin, lengths))
}

/// [`check`] with the truth at hand.
pub fn check_with<const D: usize>(
    method: &mut dyn BroadPhase<D>,
    spheres: &SphereColumns<D>,
    margin: f64,
    lengths: [f64; D],
    truth: &[(u32, u32)],
) -> Result<(), Difference> {
    let criterion = Criterion { margin, lengths };
    let view = Spheres::new(&spheres.centers, &spheres.radii).unwrap();
    let mut pairs = vec![Pair { a: 7, b: 8 }];
    method.find(view, &criterion, &mut pairs).unwrap();
    compare(&pairs, truth)?;
    method.find_counted(view, &criterion, &mut pairs).unwrap();
    compare(&pairs, truth)
}
