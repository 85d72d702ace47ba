//! Where a stone is cut by the facets of a surface.
//!
//! A stone touches a facet only if a part of the facet is in the stone. Those parts make up one patch or several: a stone that plugs a hole
//! touches the plate around it in one patch on each side. A patch goes on round the edges of a block, but not across the edge of a hollow,
//! whose sides push each for itself. It is what is pushed out of the stone as a whole.

use std::ops::Range;

use smallvec::SmallVec;

use super::axis::ALIKE;
use super::seen::SeenStone;
use crate::dem::wall::Facets;
use crate::vector::{add_scaled, dot, length, sub};

/// Sections nearer to each other than this, over the radius of the stone, are one.
const TOUCHING: f64 = 1e-6;
/// Facets are in one plane if they are nearer to it than this, over the radius of the stone.
pub(super) const LEVEL: f64 = 1e-3;

/// A facet whose plane cuts a stone.
#[derive(Debug, Clone)]
pub(super) struct CutFacet<const D: usize> {
    pub(super) facet: u32,
    /// Whether the stone is on the side of the facet's normal.
    pub(super) front: bool,
    /// The facet's normal on the stone's side.
    pub(super) normal: [f64; D],
    /// How deep the stone reaches behind its plane.
    pub(super) depth: f64,
    /// The corners of the part that is in the stone, among those of all.
    section: Range<usize>,
    /// Number of the patch; none if the facet is beside the stone.
    pub(super) patch: Option<usize>,
}

/// The facets whose planes cut a stone, and the parts of them that are in it.
#[derive(Debug, Clone)]
pub(super) struct Sections<const D: usize> {
    pub(super) cuts: Vec<CutFacet<D>>,
    corners: Vec<[f64; D]>,
    /// Of each patch the first of its facets, among the cuts.
    pub(super) patches: Vec<usize>,
}

impl<const D: usize> Default for Sections<D> {
    fn default() -> Self {
        Self { cuts: Vec::new(), corners: Vec::new(), patches: Vec::new() }
    }
}

impl<const D: usize> Sections<D> {
    /// Forgets the last stone.
    pub(super) fn clear(&mut self) {
        self.cuts.clear();
        self.corners.clear();
        self.patches.clear();
    }

    /// Looks at a facet; returns how far the stone is away from it if it does not matter to it.
    pub(super) fn look_at(&mut self, stone: &SeenStone<D>, facets: &Facets<D>, facet: u32) -> Option<f64> {
        let index = facet as usize;
        let corners = &facets.corners()[index];
        let (on, _) = facets.foot(index, stone.center);
        let away = length(sub(on, stone.center)) - stone.radius;
        if away > 0.0 {
            return Some(away);
        }
        let [behind, before] = stone.reach(facets, index);
        if behind <= 0.0 || before <= 0.0 {
            return Some(-behind.min(before));
        }
        let front = stone.is_in_front(facets, index);
        if facets.is_one_sided() && !front {
            return Some(0.0);
        }
        let depth = if front { behind } else { before };
        let gaps = stone.planes.iter().map(|&(face, offset)| {
            corners.iter().map(|&corner| dot(face, corner)).fold(f64::INFINITY, f64::min) - offset
        });
        let gap = gaps.fold(f64::NEG_INFINITY, f64::max);
        // Further away than it is deep, none of the stone's vertices is behind it; that may change from either side.
        if gap > depth {
            return Some(0.5 * (gap - depth));
        }
        let start = self.corners.len();
        if gap <= 0.0 {
            self.corners.extend(section(corners, &stone.planes));
        }
        let sign = if front { 1.0 } else { -1.0 };
        self.cuts.push(CutFacet {
            facet,
            front,
            normal: facets.normal(index).map(|x| sign * x),
            depth,
            section: start..self.corners.len(),
            patch: None,
        });
        None
    }

    /// Finds the patches: sections that touch each other, but not in a hollow.
    pub(super) fn find_patches(&mut self, stone: &SeenStone<D>, facets: &Facets<D>) {
        let tolerance = TOUCHING * stone.radius;
        let mut waiting: SmallVec<[usize; 16]> = SmallVec::new();
        for first in 0..self.cuts.len() {
            if self.cuts[first].patch.is_some() || self.cuts[first].section.is_empty() {
                continue;
            }
            let patch = Some(self.patches.len());
            self.patches.push(first);
            self.cuts[first].patch = patch;
            waiting.push(first);
            while let Some(one) = waiting.pop() {
                for other in 0..self.cuts.len() {
                    if self.cuts[other].patch.is_none() && self.touch(facets, one, other, tolerance) {
                        self.cuts[other].patch = patch;
                        waiting.push(other);
                    }
                }
            }
        }
    }

    /// Whether the sections of two facets are parts of one.
    fn touch(&self, facets: &Facets<D>, one: usize, other: usize, tolerance: f64) -> bool {
        let [a, b] = [&self.cuts[one], &self.cuts[other]];
        let sees = |a: &CutFacet<D>, b: &CutFacet<D>| is_in_front_of(facets, b.facet as usize, a);
        if b.section.is_empty() || dot(a.normal, b.normal) < ALIKE && sees(a, b) && sees(b, a) {
            return false;
        }
        let on = |cut: &CutFacet<D>, facet: u32| {
            let is_on =
                |corner: &[f64; D]| length(sub(facets.foot(facet as usize, *corner).0, *corner)) <= tolerance;
            self.corners[cut.section.clone()].iter().any(is_on)
        };
        on(a, b.facet) || on(b, a.facet)
    }

    /// Whether two facets are in one plane, seen from the same side.
    pub(super) fn is_level(
        &self,
        stone: &SeenStone<D>,
        facets: &Facets<D>,
        a: &CutFacet<D>,
        b: &CutFacet<D>,
    ) -> bool {
        let [one, other] = [a, b].map(|cut| facets.corners()[cut.facet as usize][0]);
        dot(a.normal, b.normal) >= ALIKE && dot(sub(one, other), a.normal).abs() <= LEVEL * stone.radius
    }

    /// The facets of a patch, and those beside the stone in a plane of them.
    pub(super) fn around<'a>(
        &'a self,
        stone: &'a SeenStone<D>,
        facets: &'a Facets<D>,
        patch: usize,
    ) -> impl Iterator<Item = &'a CutFacet<D>> {
        self.cuts.iter().filter(move |cut| match cut.patch {
            Some(own) => own == patch,
            None => self.members(patch).any(|member| self.is_level(stone, facets, member, cut)),
        })
    }

    /// The facets of a patch.
    fn members(&self, patch: usize) -> impl Iterator<Item = &CutFacet<D>> {
        self.cuts.iter().filter(move |cut| cut.patch == Some(patch))
    }

    /// How high a patch goes along a direction.
    pub(super) fn height(&self, patch: usize, direction: [f64; D]) -> f64 {
        self.members(patch)
            .flat_map(|cut| &self.corners[cut.section.clone()])
            .map(|corner| dot(*corner, direction))
            .fold(f64::NEG_INFINITY, f64::max)
    }
}

/// Whether more of a facet is in front of another, as the stone sees that one, than behind it.
fn is_in_front_of<const D: usize>(facets: &Facets<D>, facet: usize, other: &CutFacet<D>) -> bool {
    let start = facets.corners()[other.facet as usize][0];
    let heights = || facets.corners()[facet].iter().map(|corner| dot(sub(*corner, start), other.normal));
    heights().fold(0.0, f64::max) > -heights().fold(0.0, f64::min)
}

/// Corners of the part of a facet that is behind all of these planes.
fn section<const D: usize>(facet: &[[f64; D]; D], planes: &[([f64; D], f64)]) -> SmallVec<[[f64; D]; 16]> {
    let mut corners: SmallVec<[[f64; D]; 16]> = SmallVec::from_slice(facet);
    let mut kept: SmallVec<[[f64; D]; 16]> = SmallVec::new();
    for &(normal, offset) in planes {
        kept.clear();
        for (k, &to) in corners.iter().enumerate() {
            let from = corners[(k + corners.len() - 1) % corners.len()];
            let [before, after] = [from, to].map(|corner| offset - dot(normal, corner));
            if (before < 0.0) != (after < 0.0) {
                kept.push(add_scaled(from, before / (before - after), sub(to, from)));
            }
            if after >= 0.0 {
                kept.push(to);
            }
        }
        std::mem::swap(&mut corners, &mut kept);
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUBE: [([f64; 3], f64); 6] = [
        ([1.0, 0.0, 0.0], 1.0),
        ([-1.0, 0.0, 0.0], 1.0),
        ([0.0, 1.0, 0.0], 1.0),
        ([0.0, -1.0, 0.0], 1.0),
        ([0.0, 0.0, 1.0], 1.0),
        ([0.0, 0.0, -1.0], 1.0),
    ];

    #[test]
    fn sections_of_a_cube() {
        let inside = [[0.0, 0.0, 0.5], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]];
        assert_eq!(section(&inside, &CUBE).len(), 3);
        let around = [[-9.0, -9.0, 0.5], [9.0, -9.0, 0.5], [0.0, 9.0, 0.5]];
        let mut corners = section(&around, &CUBE).to_vec();
        corners.sort_by(|one, other| one.partial_cmp(other).unwrap());
        corners.dedup();
        assert_eq!(corners, [[-1.0, -1.0, 0.5], [-1.0, 1.0, 0.5], [1.0, -1.0, 0.5], [1.0, 1.0, 0.5]]);
        // No plane of the cube parts it from this one: its line passes a corner.
        let beside = [[2.2, 0.0, -2.0], [0.0, 2.2, 2.0], [2.2, 2.2, 0.0]];
        assert!(section(&beside, &CUBE).is_empty());
    }

    #[test]
    fn segments_are_cut_as_well() {
        let square = [([1.0, 0.0], 1.0), ([-1.0, 0.0], 1.0), ([0.0, 1.0], 1.0), ([0.0, -1.0], 1.0)];
        let corners = section(&[[-3.0, 0.5], [3.0, 0.5]], &square);
        assert!(
            corners.iter().all(|corner| corner[0].abs() == 1.0 && corner[1] == 0.5) && corners.len() >= 2
        );
        assert!(section(&[[1.8, 0.0], [0.0, 2.4]], &square).is_empty());
    }
}
