//! Walls as facets, for files: triangles, in the plane segments. Those without end go as far as there is something beside them.

use crate::dem::wall::{Placement, Surface, Wall};
use crate::dem::{Simulation, insert::How, insert::Insertion};
use crate::vector::{add_scaled, axes_across, dot, length, sub};

/// Corners of a circle.
const CORNERS: usize = 96;
/// What infinite walls go beyond the rest, over its longest side.
const BEYOND: f64 = 0.02;
/// Planes farther away than so many times the longest side of what they are drawn for are left out.
const FAR: f64 = 3.0;

/// A box around all that is not infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extent<const D: usize> {
    low: [f64; D],
    high: [f64; D],
}

impl<const D: usize> Extent<D> {
    /// Around nothing.
    pub(super) const NOTHING: Self = Self { low: [f64::INFINITY; D], high: [f64::NEG_INFINITY; D] };

    fn add(&mut self, point: [f64; D]) {
        for k in 0..D {
            if point[k].is_finite() {
                (self.low[k], self.high[k]) = (self.low[k].min(point[k]), self.high[k].max(point[k]));
            }
        }
    }

    /// Of the regions of insertions.
    pub(super) fn of_insertions(insertions: &[Insertion<D>]) -> Self {
        let mut all = Self::NOTHING;
        for insertion in insertions {
            match &insertion.how {
                How::Given(bodies) => bodies.iter().for_each(|body| all.add(body.position)),
                How::Lattice { region, .. } | How::Random { region, .. } | How::Rain { region, .. } => {
                    all.add(region.min);
                    all.add(region.max);
                }
            }
        }
        all
    }

    /// With the bodies and the finite walls of a simulation, and a margin. It follows from the state alone, as files must.
    fn around(mut self, simulation: &Simulation<D>) -> Self {
        let bodies = simulation.bodies();
        for (position, radius) in bodies.position.iter().zip(&bodies.radius) {
            self.add(position.map(|x| x - radius));
            self.add(position.map(|x| x + radius));
        }
        for (wall, placement) in simulation.walls().iter().zip(simulation.placements()) {
            match &wall.surface {
                Surface::Box { min, max } => {
                    (0..1 << D).for_each(|bits| {
                        self.add(placement.to_now(std::array::from_fn(|k| {
                            if bits >> k & 1 == 1 { max[k] } else { min[k] }
                        })));
                    });
                }
                Surface::Facets(facets) => {
                    facets.corners().iter().flatten().for_each(|corner| self.add(placement.to_now(*corner)));
                }
                Surface::Plane { .. } | Surface::Cylinder { .. } => {}
            }
        }
        for k in 0..D {
            if self.low[k] > self.high[k] {
                (self.low[k], self.high[k]) = (-1.0, 1.0);
            }
        }
        self.widened()
    }

    /// A box between two corners.
    pub(super) fn between([low, high]: [[f64; D]; 2]) -> Self {
        Self { low, high }
    }

    /// With a margin.
    fn widened(&self) -> Self {
        let margin = BEYOND * (0..D).map(|k| self.high[k] - self.low[k]).fold(0.0, f64::max);
        Self { low: self.low.map(|x| x - margin), high: self.high.map(|x| x + margin) }
    }

    /// Its lowest and its highest corner.
    pub(super) fn corners(&self) -> [[f64; D]; 2] {
        [self.low, self.high]
    }

    fn middle(&self) -> [f64; D] {
        std::array::from_fn(|k| 0.5 * (self.low[k] + self.high[k]))
    }

    /// More than the distance of any two of its points.
    fn diameter(&self) -> f64 {
        2.0 * length(sub(self.high, self.low))
    }
}

/// The facets of each wall that is there, where it is now; in the plane the first two corners count.
pub(super) fn facets<const D: usize>(
    simulation: &Simulation<D>,
    inserted: Extent<D>,
    mut each: impl FnMut(usize, [[f64; D]; 3]),
) {
    let extent = inserted.around(simulation);
    let walls = simulation.walls().iter().zip(simulation.placements()).enumerate();
    for (index, (wall, placement)) in walls.filter(|(_, (_, placement))| !placement.gone) {
        of_wall(wall, placement, &extent, |corners| each(index, corners));
    }
}

fn of_wall<const D: usize>(
    wall: &Wall<D>,
    placement: &Placement<D>,
    extent: &Extent<D>,
    mut each: impl FnMut([[f64; D]; 3]),
) {
    // Where the world is, seen from the wall at the start.
    let middle = placement.to_start(extent.middle());
    let reach = extent.diameter();
    match &wall.surface {
        Surface::Plane { point, normal } => {
            let foot = add_scaled(middle, -dot(sub(middle, *point), *normal), *normal);
            let corners =
                outline(foot, *normal, reach).into_iter().map(|corner| placement.to_now(corner)).collect();
            polygon(&cut(corners, extent), each);
        }
        Surface::Box { min, max } => {
            for axis in 0..D {
                for side in [min, max].map(|corner| corner[axis]).into_iter().filter(|side| side.is_finite())
                {
                    let (i, j) = ((axis + 1) % D, (axis + 2) % D);
                    let corner = |turn: usize| {
                        let mut at = middle;
                        at[axis] = side;
                        let ends = |k: usize| [min[k].max(middle[k] - reach), max[k].min(middle[k] + reach)];
                        at[i] = ends(i)[usize::from(turn == 1 || turn == 2)];
                        if D == 3 {
                            at[j] = ends(j)[usize::from(turn >= 2)];
                        }
                        placement.to_now(at)
                    };
                    let corners: Vec<_> = (0..if D == 3 { 4 } else { 2 }).map(corner).collect();
                    polygon(&corners, &mut each);
                }
            }
        }
        Surface::Cylinder { point, axis, radius, .. } => {
            let along = if D == 3 { dot(sub(middle, *point), *axis) } else { 0.0 };
            let half = 0.5 * extent_along(placement, extent, *axis);
            let rim = |corner: usize, sign: f64| {
                let angle = std::f64::consts::TAU * (corner % CORNERS) as f64 / CORNERS as f64;
                let (sine, cosine) = libm::sincos(angle);
                let [first, second] = across(*axis);
                let center = add_scaled(*point, along + sign * half, *axis);
                placement.to_now(add_scaled(
                    add_scaled(center, radius * cosine, first),
                    radius * sine,
                    second,
                ))
            };
            for corner in 0..CORNERS {
                let mut corners = vec![rim(corner, -1.0), rim(corner + 1, -1.0)];
                if D == 3 {
                    corners.extend([rim(corner + 1, 1.0), rim(corner, 1.0)]);
                }
                polygon(&corners, &mut each);
            }
        }
        Surface::Facets(facets) => {
            for corners in facets.corners() {
                each(std::array::from_fn(|k| placement.to_now(corners[k % D])));
            }
        }
    }
}

/// The parts of infinite planes, each given by a point and its normal, that are in a box and a little beyond: polygons, in the plane
/// segments. The box grows to planes that are outside, but none for those that are much farther away than it is long.
pub(super) fn planes<const D: usize>(
    planes: &[([f64; D], [f64; D])],
    mut extent: Extent<D>,
) -> Vec<Option<Vec<[f64; D]>>> {
    let middle = extent.middle();
    let far = FAR * (0..D).map(|k| extent.high[k] - extent.low[k]).fold(0.0, f64::max);
    let feet = planes.iter().map(|(point, normal)| {
        let distance = dot(sub(middle, *point), *normal);
        (distance.abs() <= far).then(|| add_scaled(middle, -distance, *normal))
    });
    let feet: Vec<Option<[f64; D]>> = feet.collect();
    feet.iter().flatten().for_each(|foot| extent.add(*foot));
    let (extent, reach) = (extent.widened(), 2.0 * extent.diameter());
    let part = |foot: [f64; D], normal: [f64; D]| cut(outline(foot, normal, reach), &extent);
    feet.into_iter().zip(planes).map(|(foot, (_, normal))| Some(part(foot?, *normal))).collect()
}

/// How long a box is along a direction of the wall.
fn extent_along<const D: usize>(placement: &Placement<D>, extent: &Extent<D>, axis: [f64; D]) -> f64 {
    let now = sub(placement.to_now(axis), placement.to_now([0.0; D]));
    (0..D).map(|k| now[k].abs() * (extent.high[k] - extent.low[k])).sum()
}

/// Two unit vectors across an axis and each other; in the plane those of its axes.
fn across<const D: usize>(axis: [f64; D]) -> [[f64; D]; 2] {
    if D == 2 {
        return [0, 1].map(|k| std::array::from_fn(|i| f64::from(u8::from(i == k))));
    }
    axes_across(std::array::from_fn(|k| axis[k % D])).map(|vector| std::array::from_fn(|k| vector[k]))
}

/// A part of a plane that reaches so far from a point: a square, in the plane a segment.
fn outline<const D: usize>(foot: [f64; D], normal: [f64; D], reach: f64) -> Vec<[f64; D]> {
    if D == 2 {
        let along: [f64; D] = std::array::from_fn(|k| if k == 0 { -normal[1] } else { normal[0] });
        return [-reach, reach].map(|by| add_scaled(foot, by, along)).to_vec();
    }
    let [x, y] = across(normal);
    [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]]
        .map(|[a, b]| add_scaled(add_scaled(foot, a * reach, x), b * reach, y))
        .to_vec()
}

/// What of a polygon or a segment is in a box (Sutherland and Hodgman 1974); all of it if nothing is, so that far planes show.
fn cut<const D: usize>(whole: Vec<[f64; D]>, extent: &Extent<D>) -> Vec<[f64; D]> {
    let mut corners = whole.clone();
    for axis in 0..D {
        for (sign, limit) in [(1.0, extent.high[axis]), (-1.0, -extent.low[axis])] {
            let beyond = |corner: &[f64; D]| sign * corner[axis] - limit;
            let mut inside = Vec::new();
            let edges = if D == 2 { corners.len().saturating_sub(1) } else { corners.len() };
            if D == 2 && corners.first().is_some_and(|corner| beyond(corner) <= 0.0) {
                inside.push(corners[0]);
            }
            for k in 0..edges {
                let (from, to) = (corners[k], corners[(k + 1) % corners.len()]);
                let [start, end] = [beyond(&from), beyond(&to)];
                if (start > 0.0) != (end > 0.0) {
                    inside.push(add_scaled(from, start / (start - end), sub(to, from)));
                }
                if end <= 0.0 {
                    inside.push(to);
                }
            }
            corners = inside;
        }
    }
    if corners.len() < D { whole } else { corners }
}

/// A convex polygon as triangles; in the plane a segment.
fn polygon<const D: usize>(corners: &[[f64; D]], mut each: impl FnMut([[f64; D]; 3])) {
    if D == 2 {
        each([corners[0], corners[1], corners[1]]);
    } else {
        (1..corners.len() - 1).for_each(|k| each([corners[0], corners[k], corners[k + 1]]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_are_cut_to_a_box_that_grows_to_those_nearby() {
        let extent = Extent::between([[0.0; 3], [1.0, 1.0, 0.5]]);
        let floor = ([9.0, 9.0, 0.0], [0.0, 0.0, 1.0]);
        let lid = ([0.0, 0.0, 2.0], [0.0, 0.0, -1.0]);
        let far = ([0.0, 50.0, 0.0], [0.0, 1.0, 0.0]);
        let side = ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
        let found = planes(&[floor, lid, far, side], extent);
        let range = |corners: &[[f64; 3]], k: usize| {
            let places = || corners.iter().map(|corner| corner[k]);
            [places().fold(f64::INFINITY, f64::min), places().fold(f64::NEG_INFINITY, f64::max)]
        };
        let near =
            |found: [f64; 2], expected: [f64; 2]| (0..2).all(|k| (found[k] - expected[k]).abs() < 1e-9);
        let margin = 0.02 * 2.0;
        let [Some(floor), Some(lid), None, Some(side)] = &found[..] else { panic!("{found:?}") };
        assert!(near(range(floor, 0), [-margin, 1.0 + margin]) && near(range(floor, 2), [0.0; 2]));
        assert!(near(range(lid, 2), [2.0; 2]));
        // Up to the lid.
        assert!(near(range(side, 2), [-margin, 2.0 + margin]));
        let flat = planes(&[([0.0, 0.2], [0.0, 1.0])], Extent::between([[0.0; 2], [1.0, 1.0]]));
        let Some(segment) = &flat[0] else { panic!() };
        assert!(
            segment.len() == 2 && near([segment[0][0].min(segment[1][0]), 0.0], [-0.02, 0.0]),
            "{segment:?}"
        );
    }
}
