//! Lattices and random packings: the inputs of the papers, of the tests and of the benchmarks.

pub use crate::spheres::ball_volume;

use crate::broad::{HierarchicalGrid, LevelSizes};
use crate::{Criterion, Random, SphereColumns};

/// Equal spheres on a rectangular lattice, x running fastest, the first one at the origin.
pub fn lattice<const D: usize>(counts: [usize; D], spacing: [f64; D], radius: f64) -> SphereColumns<D> {
    let total = counts.iter().product();
    let centers = (0..total)
        .map(|mut index| {
            std::array::from_fn(|k| {
                let step = index % counts[k];
                index /= counts[k];
                step as f64 * spacing[k]
            })
        })
        .collect();
    SphereColumns { centers, radii: vec![radius; total] }
}

/// Spheres with these radii at independent, uniformly random places in the box `[0, length)`.
pub fn scattered<const D: usize>(
    radii: Vec<f64>,
    lengths: [f64; D],
    random: &mut Random,
) -> SphereColumns<D> {
    let centers = radii.iter().map(|_| lengths.map(|length| random.uniform(0.0, length))).collect();
    SphereColumns { centers, radii }
}

/// Spheres with these radii at random places in a cube, none overlapping and none beyond its walls, in the order of
/// the radii; `None` when no room is found for one of them.
///
/// The largest come first, each at the first free place of many random ones (random sequential addition), which
/// fills up to a third of the space with equal spheres and more with unequal ones.
pub fn without_overlap<const D: usize>(
    radii: Vec<f64>,
    length: f64,
    random: &mut Random,
) -> Option<SphereColumns<D>> {
    const TRIES: usize = 100_000;
    if !radii.iter().all(|radius| *radius > 0.0 && 2.0 * radius <= length && length.is_finite()) {
        return None;
    }
    let mut by_size: Vec<usize> = (0..radii.len()).collect();
    by_size.sort_by(|&i, &j| radii[j].total_cmp(&radii[i]));
    // Levels are added as they are needed, but only above those that are there.
    let range = by_size.last().map(|&last| (radii[last], radii[by_size[0]]));
    let sizes = LevelSizes::default().sizes(range);
    let mut grid = HierarchicalGrid::<D>::new(Criterion::default(), &sizes).ok()?;
    let mut centers = vec![[0.0; D]; radii.len()];
    let mut touching = Vec::new();
    for index in by_size {
        let radius = radii[index];
        let free = (0..TRIES).find_map(|_| {
            let center = std::array::from_fn(|_| random.uniform(radius, length - radius));
            grid.find_touching(center, radius, &mut touching).ok()?;
            touching.is_empty().then_some(center)
        })?;
        grid.insert(free, radius).ok()?;
        centers[index] = free;
    }
    Some(SphereColumns { centers, radii })
}

/// Radii with the density f(r) ~ r^exponent between `smallest` and `ratio * smallest`, in random order.
///
/// They are quantiles of the distribution, so that even few of them have its moments. In 3D the exponent -4
/// spreads the volume evenly over the logarithm of the size (the grading curve of eq. 36 in the MR paper).
pub fn power_law_radii(
    count: usize,
    exponent: f64,
    smallest: f64,
    ratio: f64,
    random: &mut Random,
) -> Vec<f64> {
    let power = exponent + 1.0;
    let rise = libm::pow(ratio, power) - 1.0;
    let mut radii: Vec<f64> = (0..count)
        .map(|i| {
            let share = (i as f64 + 0.5) / count as f64;
            let factor = if power.abs() < 1e-9 {
                libm::pow(ratio, share)
            } else {
                libm::pow(1.0 + share * rise, 1.0 / power)
            };
            smallest * factor
        })
        .collect();
    random.shuffle(&mut radii);
    radii
}

/// The edge of a cube (square) that spheres (disks) with these radii fill to this fraction.
pub fn edge_for_fraction<const D: usize>(radii: &[f64], fraction: f64) -> f64 {
    let volume: f64 = radii.iter().map(|radius| ball_volume::<D>(*radius)).sum();
    libm::pow(volume / fraction, 1.0 / D as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::{BroadPhase, BruteForce};

    #[test]
    fn lattice_runs_along_x_first() {
        let packing = lattice([2, 2], [1.0, 3.0], 0.5);
        assert_eq!(packing.centers, [[0.0, 0.0], [1.0, 0.0], [0.0, 3.0], [1.0, 3.0]]);
    }

    #[test]
    fn power_law_radii_have_the_moments_of_the_distribution() {
        let mut random = Random::new(1);
        for (exponent, mean) in [(0.0, 5.5), (-2.0, 10.0 / 9.0 * 10f64.ln()), (-3.0, 20.0 / 11.0)] {
            let radii = power_law_radii(100_000, exponent, 1.0, 10.0, &mut random);
            assert!((radii.iter().sum::<f64>() / 1e5 / mean - 1.0).abs() < 1e-4, "{exponent}");
        }
    }

    #[test]
    fn packing_without_overlap_has_none_and_stays_inside() {
        let mut random = Random::new(2);
        let radii = power_law_radii(2000, -4.0, 1.0, 32.0, &mut random);
        let length = edge_for_fraction::<3>(&radii, 0.5);
        let packing = without_overlap::<3>(radii.clone(), length, &mut random).expect("room for all");
        assert_eq!(packing.radii, radii);
        let mut pairs = Vec::new();
        BruteForce.find(packing.view().unwrap(), &Criterion::default(), &mut pairs).unwrap();
        assert!(pairs.is_empty());
        for (center, radius) in packing.centers.iter().zip(&radii) {
            assert!(center.iter().all(|x| (*radius..=length - radius).contains(x)));
        }
    }

    #[test]
    fn gives_up_where_there_is_no_room() {
        for radii in [vec![1.0; 2], vec![2.0], vec![0.0, 1.0], vec![f64::NAN]] {
            assert!(without_overlap::<2>(radii, 2.5, &mut Random::new(3)).is_none());
        }
    }
}
