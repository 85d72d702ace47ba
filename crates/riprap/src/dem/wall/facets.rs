//! Surfaces made of facets: triangles in space, segments in the plane.
//!
//! The nearest point of a triangle is found by the regions of its plane (Ericson 2005, "Real-time collision detection", 5.1.5).

use thiserror::Error as ThisError;

use super::enclosed::{Enclosed, front_is_outside};
use super::facet_grid::{Grid, bounds};
use super::seams::Seams;
use crate::vector::{add_scaled, dot, sub, unit};

/// Which part of a facet is nearest; better ones come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// Its inside.
    Face,
    /// An edge of a triangle.
    Edge,
    /// A corner.
    Vertex,
}

/// Why facets make no surface.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum FacetError {
    /// There are none.
    #[error("has no facets")]
    Empty,
    /// A corner is out of range.
    #[error("facet {facet} has a corner that is not a finite number, or beyond 1e100")]
    Corner {
        /// Index of the facet.
        facet: usize,
    },
    /// The corners of a facet are in a line.
    #[error("facet {facet} has no extent: its corners {corners:?} are equal or in a line")]
    Flat {
        /// Index of the facet.
        facet: usize,
        /// Its corners.
        corners: Vec<Vec<f64>>,
    },
}

/// A surface of facets.
#[derive(Debug, Clone, PartialEq)]
pub struct Facets<const D: usize> {
    corners: Vec<[[f64; D]; D]>,
    /// Whether only the side to which a triangle's normal points can be touched: the side from which its corners run
    /// counter-clockwise, for a segment the left one.
    one_sided: bool,
    bodies_inside: Option<bool>,
    normals: Vec<[f64; D]>,
    grid: Grid<D>,
    seams: Seams<D>,
}

/// Where on a facet a point is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spot {
    /// Inside.
    Inside,
    /// On the edge of a triangle from this corner to the next.
    Edge(usize),
    /// At this corner.
    Corner(usize),
}

impl Spot {
    fn feature(self) -> Feature {
        match self {
            Self::Inside => Feature::Face,
            Self::Edge(_) => Feature::Edge,
            Self::Corner(_) => Feature::Vertex,
        }
    }
}

impl<const D: usize> Facets<D> {
    /// Checks the corners; an error names the first facet without extent.
    pub fn new(corners: Vec<[[f64; D]; D]>, one_sided: bool) -> Result<Self, FacetError> {
        let mut normals = Vec::with_capacity(corners.len());
        for (facet, all) in corners.iter().enumerate() {
            if all.iter().flatten().any(|x| !x.is_finite() || x.abs() > 1e100) {
                return Err(FacetError::Corner { facet });
            }
            let flat =
                || FacetError::Flat { facet, corners: all.iter().map(|corner| corner.to_vec()).collect() };
            normals.push(normal(all).ok_or_else(flat)?);
        }
        if corners.is_empty() {
            return Err(FacetError::Empty);
        }
        let grid = Grid::new(&corners);
        let seams = Seams::new(&corners, &normals, &grid);
        Ok(Self { corners, one_sided, bodies_inside: None, normals, grid, seams })
    }

    /// The same surface, if it is closed with bodies on this side of it: none are inserted on the other one.
    pub fn with_bodies_inside(self, inside: bool) -> Self {
        Self { bodies_inside: Some(inside), ..self }
    }

    /// On which side of a closed surface bodies are, as far as that is known: as given, or in front if that is all that can be touched.
    pub(crate) fn bodies_inside(&self) -> Option<bool> {
        self.bodies_inside.or_else(|| self.one_sided.then(|| !front_is_outside(self)))
    }

    /// Whether the facets are closed, so that they have an inside.
    pub fn is_closed(&self) -> bool {
        Enclosed::by(self).is_some()
    }

    /// Corners of each facet.
    pub fn corners(&self) -> &[[[f64; D]; D]] {
        &self.corners
    }

    /// Lowest and highest corner of a box round all facets.
    pub fn bounds(&self) -> ([f64; D], [f64; D]) {
        bounds(self.corners.iter().flatten())
    }

    /// Appends the facets whose boxes come nearer to a point than `reach`, in ascending order.
    pub fn near(&self, point: [f64; D], reach: f64, found: &mut Vec<u32>) {
        let first = found.len();
        self.grid.near(point, reach, found);
        found[first..].sort_unstable();
        let mut end = first;
        for position in first..found.len() {
            if position == first || found[position] != found[end - 1] {
                found[end] = found[position];
                end += 1;
            }
        }
        found.truncate(end);
        let mut kept = first;
        for position in first..found.len() {
            let (low, high) = bounds(&self.corners[found[position] as usize]);
            let gap = |k: usize| (low[k] - point[k]).max(point[k] - high[k]).max(0.0);
            let gap: f64 = (0..D).map(|k| gap(k) * gap(k)).sum();
            if gap <= reach * reach {
                found[kept] = found[position];
                kept += 1;
            }
        }
        found.truncate(kept);
    }

    /// The point of a facet nearest to a point, and where on the facet it is; `None` on the side that cannot be touched.
    pub fn nearest(&self, facet: usize, point: [f64; D]) -> Option<([f64; D], Feature)> {
        let corners = &self.corners[facet];
        if self.one_sided && dot(sub(point, corners[0]), self.normals[facet]) < 0.0 {
            return None;
        }
        let (on, spot) = nearest(corners, point);
        Some((on, spot.feature()))
    }

    /// The point of a facet nearest to a point, from whichever side.
    pub(crate) fn foot(&self, facet: usize, point: [f64; D]) -> ([f64; D], Spot) {
        nearest(&self.corners[facet], point)
    }

    pub(super) fn seams(&self) -> &Seams<D> {
        &self.seams
    }

    /// Whether only one side can be touched.
    pub(crate) fn is_one_sided(&self) -> bool {
        self.one_sided
    }

    /// Whether the surface ends or falls away beyond an edge of a triangle, seen from the front or from behind.
    pub(crate) fn is_open(&self, facet: usize, edge: usize, front: bool) -> bool {
        D == 3 && self.seams.is_open(facet, edge, front)
    }

    /// Whether an edge of a triangle is one of its flat, too.
    pub(crate) fn is_seam(&self, facet: usize, edge: usize) -> bool {
        D == 3 && !self.seams.is_flat(facet, edge)
    }

    /// Whether a corner is one of the outline of its flat, seen from the front or from behind.
    pub(crate) fn is_corner(&self, facet: usize, corner: usize, front: bool) -> bool {
        self.seams.is_corner(facet, corner, front)
    }

    /// Whether the surface rises beyond this spot, seen from the front or from behind, and does not end there.
    pub(crate) fn is_hollow(&self, facet: usize, spot: Spot, front: bool) -> bool {
        match spot {
            Spot::Inside => false,
            Spot::Edge(edge) => self.seams.is_hollow(facet, edge, front),
            Spot::Corner(corner) => {
                self.seams.is_hollow_corner(facet, corner, front)
                    && !self.seams.is_corner(facet, corner, front)
            }
        }
    }

    /// The number of the place at which a corner is, the same for all facets that meet there.
    pub(crate) fn place(&self, facet: usize, corner: usize) -> u32 {
        self.seams.place(facet, corner)
    }

    /// The facets at the ends of an edge of a facet, or at a corner of it.
    pub(crate) fn at(&self, facet: usize, spot: Spot) -> impl Iterator<Item = u32> {
        let corners = match spot {
            Spot::Inside => 0..0,
            Spot::Edge(edge) => edge..edge + 2,
            Spot::Corner(corner) => corner..corner + 1,
        };
        corners.flat_map(move |corner| self.seams.around(self.place(facet, corner % D))).copied()
    }

    /// Bytes reserved.
    pub fn bytes(&self) -> usize {
        let per_facet = size_of::<[[f64; D]; D]>() + size_of::<[f64; D]>();
        self.corners.capacity() * per_facet + self.grid.bytes() + self.seams.bytes()
    }

    /// Unit normal of a facet.
    pub fn normal(&self, facet: usize) -> [f64; D] {
        self.normals[facet]
    }
}

/// The side from which the corners run counter-clockwise; to the left of a segment.
fn normal<const D: usize>(corners: &[[f64; D]; D]) -> Option<[f64; D]> {
    // Directions first, so that the size of the facet does not matter.
    let first = unit(sub(corners[1], corners[0]))?;
    if D == 2 {
        return Some(std::array::from_fn(|k| if k == 0 { -first[1] } else { first[0] }));
    }
    let second = unit(sub(corners[2 % D], corners[0]))?;
    let cross = std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % D, (k + 2) % D);
        first[i] * second[j] - first[j] * second[i]
    });
    if dot(cross, cross) < 1e-24 { None } else { unit(cross) }
}

fn nearest<const D: usize>(corners: &[[f64; D]; D], point: [f64; D]) -> ([f64; D], Spot) {
    if D == 2 {
        let along = sub(corners[1], corners[0]);
        let share = dot(sub(point, corners[0]), along) / dot(along, along);
        return if share <= 0.0 {
            (corners[0], Spot::Corner(0))
        } else if share >= 1.0 {
            (corners[1], Spot::Corner(1))
        } else {
            (add_scaled(corners[0], share, along), Spot::Inside)
        };
    }
    let [a, b, c] = [corners[0], corners[1], corners[2 % D]];
    let (ab, ac) = (sub(b, a), sub(c, a));
    let from_a = sub(point, a);
    let (d1, d2) = (dot(ab, from_a), dot(ac, from_a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (a, Spot::Corner(0));
    }
    let from_b = sub(point, b);
    let (d3, d4) = (dot(ab, from_b), dot(ac, from_b));
    if d3 >= 0.0 && d4 <= d3 {
        return (b, Spot::Corner(1));
    }
    let from_c = sub(point, c);
    let (d5, d6) = (dot(ab, from_c), dot(ac, from_c));
    if d6 >= 0.0 && d5 <= d6 {
        return (c, Spot::Corner(2));
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (add_scaled(a, d1 / (d1 - d3), ab), Spot::Edge(0));
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (add_scaled(a, d2 / (d2 - d6), ac), Spot::Edge(2));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return (add_scaled(b, (d4 - d3) / ((d4 - d3) + (d5 - d6)), sub(c, b)), Spot::Edge(1));
    }
    let sum = va + vb + vc;
    (add_scaled(add_scaled(a, vb / sum, ab), vc / sum, ac), Spot::Inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use crate::vector::length;

    fn random_point(random: &mut Random) -> [f64; 3] {
        std::array::from_fn(|_| random.uniform(-1.0, 1.0))
    }

    /// Points of a fine lattice over the triangle come no nearer than the nearest point, and nearly as near.
    #[test]
    fn the_nearest_point_is_the_nearest() {
        let mut random = Random::new(7);
        let mut seen = [0; 3];
        for _ in 0..300 {
            let corners = std::array::from_fn(|_| random_point(&mut random));
            let point = random_point(&mut random);
            let (found, spot) = nearest(&corners, point);
            seen[spot.feature() as usize] += 1;
            let mut best = f64::INFINITY;
            for i in 0..=100 {
                for j in 0..=100 - i {
                    let (s, t) = (f64::from(i) / 100.0, f64::from(j) / 100.0);
                    let on = add_scaled(
                        add_scaled(corners[0], s, sub(corners[1], corners[0])),
                        t,
                        sub(corners[2], corners[0]),
                    );
                    best = best.min(length(sub(on, point)));
                }
            }
            let distance = length(sub(found, point));
            assert!(distance <= best + 1e-12 && best <= distance + 0.03, "{distance} {best}");
        }
        assert!(seen.iter().all(|count| *count > 20), "{seen:?}");
    }

    #[test]
    fn the_grid_finds_every_facet_within_reach() {
        let mut random = Random::new(8);
        let corners: Vec<[[f64; 3]; 3]> = (0..500)
            .map(|_| {
                let center = random_point(&mut random);
                std::array::from_fn(|_| add_scaled(center, 0.1, random_point(&mut random)))
            })
            .collect();
        let facets = Facets::new(corners, false).unwrap();
        for _ in 0..200 {
            let point = add_scaled([0.0; 3], 1.5, random_point(&mut random));
            let reach = random.uniform(0.0, 0.5);
            let mut found = vec![77];
            facets.near(point, reach, &mut found);
            for index in 0..facets.corners.len() {
                let distance = length(sub(nearest(&facets.corners[index], point).0, point));
                assert!(distance > reach || found[1..].contains(&(index as u32)));
            }
            assert!(found[1..].windows(2).all(|pair| pair[0] < pair[1]));
        }
    }

    #[test]
    fn flat_meshes_slivers_and_single_facets() {
        let flat = |x: f64| [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0]];
        let facets = Facets::new((0..100).map(|k| flat(f64::from(k))).collect(), true).unwrap();
        let mut found = Vec::new();
        facets.near([50.2, 0.2, 0.1], 0.2, &mut found);
        assert_eq!(found, [50]);
        assert!(
            facets.nearest(50, [50.2, 0.2, 0.1]).is_some() && facets.nearest(50, [50.2, 0.2, -0.1]).is_none()
        );
        assert!(Facets::new(vec![[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]], false).is_err());
        assert!(Facets::new(vec![[[0.0, 0.0], [f64::NAN, 0.0]]], false).is_err());
        assert!(Facets::<2>::new(vec![], false).is_err());
        let segment = Facets::new(vec![[[0.0, 0.0], [1.0, 0.0]]], true).unwrap();
        assert_eq!(segment.normal(0), [-0.0, 1.0]);
        assert_eq!(segment.nearest(0, [0.5, 0.5]), Some(([0.5, 0.0], Feature::Face)));
        assert_eq!(segment.nearest(0, [0.5, -0.5]), None);
    }
}
