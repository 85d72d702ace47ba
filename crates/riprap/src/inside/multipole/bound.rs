//! The error of expansions that end at a degree p, and the degree for a wanted error.
//!
//! Eq 27 of Muth et al. 2006 sums the bound of eq 26 over all far faces, as if they were all turned towards the point and as near as they may
//! be. [`PaperBound`] is that, for each pair of a box and a cluster with its own radius, distance and area.
//!
//! [`NormBound`] knows more of a cluster: the norms of its moments. Let `mu_s` be the root of the sum of `(s - m)! (s + m)! |M_s^m|^2` over all
//! orders m. By the addition theorem the part of degree s of the cluster's field is at most `mu_s / D^(s+1)` at the distance D, and the part of
//! degree n of its local expansion at most `(n+s choose s) mu_s r^n / D^(n+s+1)` within the radius r. What is left out is all degrees `s > p` of
//! the first kind, and `n > p` of the second. Both bounds hold; this one is closer to the error.

use std::f64::consts::PI;

use super::boxes::{FARTHEST, HALF_DIAGONAL};
use super::clusters::Cluster;
use crate::number::power;

/// Degrees at most.
pub(super) const HIGHEST: usize = 30;

/// One error for each degree.
pub(super) type Errors = [f64; HIGHEST + 1];

/// Eq 26 for many distances.
pub(super) struct PaperBound {
    nearest: f64,
    table: Vec<Errors>,
}

impl PaperBound {
    /// Distances in the table are in steps of this; larger ones count as the last.
    const STEP: f64 = 1.0 / 32.0;
    const DISTANCES: usize = 256;

    /// For pairs whose distance is more than the parameter `d`.
    pub(super) fn new(separation: f64) -> Self {
        let distance = |index: usize| separation + Self::STEP * index as f64;
        Self { nearest: separation, table: (0..Self::DISTANCES).map(|k| eq_26(distance(k))).collect() }
    }
}

/// What eq 26 makes of the error of J for each degree, for an area and a radius of one.
fn eq_26(d: f64) -> Errors {
    let first = (1.0 + PI) / (4.0 * PI) / (d - 1.0);
    let mut power = 1.0 / (d * d);
    std::array::from_fn(|degree| {
        let error = first * (degree as f64 + 1.0 + d / (d - 1.0)) * power;
        power /= d;
        error
    })
}

/// A bound of the error that the expansion of a cluster makes in a box.
pub(super) trait Bound {
    /// Adds the errors of a pair; the distance is that of eq 16, less one.
    fn add(&self, index: usize, cluster: &Cluster, cell: [u32; 3], distance: f64, sum: &mut Errors);
    /// Degrees of which it knows the error.
    fn degrees(&self) -> usize;
}

impl Bound for PaperBound {
    #[inline(always)]
    fn add(&self, _: usize, cluster: &Cluster, _: [u32; 3], distance: f64, sum: &mut Errors) {
        let index = (((distance - self.nearest) / Self::STEP) as usize).min(Self::DISTANCES - 1);
        let radius = cluster.radius.max(HALF_DIAGONAL);
        let share = cluster.area / (radius * radius);
        for (sum, error) in sum.iter_mut().zip(&self.table[index]) {
            *sum += share * error;
        }
    }

    fn degrees(&self) -> usize {
        HIGHEST + 1
    }
}

/// What the field of a cluster lacks at a distance from its middle, in widths of its box, if its moments end at a degree: a degree s has at
/// most `s area radius^(s-1) / distance^(s+1)`.
pub(super) fn field_error(cluster: &Cluster, distance: f64, degree: usize) -> f64 {
    let ratio = cluster.radius / distance;
    if ratio >= 1.0 {
        return f64::INFINITY;
    }
    let rest = 1.0 / (1.0 - ratio);
    let sum = power(ratio, degree as u32) * rest * (degree as f64 + rest);
    cluster.area * sum / (4.0 * PI * distance * distance)
}

/// The bound by the norms of moments up to a degree.
pub(super) struct NormBound<'a> {
    /// The degree up to which they are known.
    known: usize,
    /// Norms of each cluster, of all degrees.
    norms: &'a [f64],
    /// For each square of a distance, in widths of boxes: what each norm adds to the error of each degree, norm by norm.
    shares: Vec<Vec<f64>>,
    /// The same for all that is beyond the known degrees, and the distance from the cluster to the nearest point of the box.
    tails: Vec<[f64; 2]>,
}

impl<'a> NormBound<'a> {
    /// Squares of distances, all that there are.
    const SQUARES: usize = 3 * (FARTHEST as usize - 1).pow(2) + 1;

    pub(super) fn new(known: usize, norms: &'a [f64]) -> Self {
        let distances = (0..Self::SQUARES).map(|square| (square as f64).sqrt());
        let shares = distances.clone().map(|distance| shares(distance, known)).collect();
        let tail = |distance: f64| {
            let reach = (distance - HALF_DIAGONAL).max(f64::MIN_POSITIVE);
            [1.0 / power(reach, known as u32 + 2) / (4.0 * PI), reach]
        };
        Self { known, norms, shares, tails: distances.map(tail).collect() }
    }
}

/// What the norm of each degree `s` adds to the error of each degree `p` below the known ones, for all p of an s after the other.
fn shares(distance: f64, known: usize) -> Vec<f64> {
    let mut shares = vec![0.0; known * (known + 1)];
    // Nearer pairs are not far from each other by eq 16.
    if distance <= 2.0 * HALF_DIAGONAL {
        return shares;
    }
    for p in 0..known {
        for s in 1..=known {
            let share = if s > p {
                1.0 / power(distance - HALF_DIAGONAL, s as u32 + 1)
            } else {
                let ratio = HALF_DIAGONAL / distance;
                let mut term = 1.0 / power(distance, s as u32 + 1);
                let mut sum = 0.0;
                for n in 1..400 {
                    term *= ratio * (n + s) as f64 / n as f64;
                    if n > p {
                        sum += term;
                        if term < 1e-18 * sum {
                            break;
                        }
                    }
                }
                sum
            };
            shares[s * known + p] = share / (4.0 * PI);
        }
    }
    shares
}

impl Bound for NormBound<'_> {
    #[inline(always)]
    fn add(&self, index: usize, cluster: &Cluster, cell: [u32; 3], _: f64, sum: &mut Errors) {
        let mut square = 0;
        for k in 0..3 {
            let step = cell[k].abs_diff(cluster.cell[k]) as usize;
            square += step * step;
        }
        let count = self.known + 1;
        let norms = &self.norms[index * count..][..count];
        // All degrees beyond the known ones, by the radial moment of the last.
        let [factor, reach] = self.tails[square];
        let ratio = cluster.radius / reach;
        let rest = 1.0 / (1.0 - ratio);
        let tail = norms[0] * factor * rest * (count as f64 + ratio * rest);
        let sum = &mut sum[..self.known];
        for sum in sum.iter_mut() {
            *sum += tail;
        }
        for (shares, norm) in self.shares[square].chunks_exact(self.known).zip(norms).skip(1) {
            for (sum, share) in sum.iter_mut().zip(shares) {
                *sum += share * norm;
            }
        }
    }

    fn degrees(&self) -> usize {
        self.known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equation_26_as_printed() {
        // (1 + pi) / (4 pi) / (d - 1) (p + 1 + d / (d - 1)) / d^(p + 2) for d = 2, p = 3 and for d = 3, p = 0.
        assert!((eq_26(2.0)[3] - 0.329_577_471_5 * 6.0 / 32.0).abs() < 1e-9);
        assert!((eq_26(3.0)[0] - 0.329_577_471_5 / 2.0 * 2.5 / 9.0).abs() < 1e-9);
    }
}
