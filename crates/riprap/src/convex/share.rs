//! How the stiffness of a contact is shared among the corners of what two bodies have in common.
//!
//! A contact is as stiff as one spring however many corners it has, and no corner may pull. So each corner has a share of the spring
//! that does not depend on depths: that of all slopes up to a limit, the lean, for which it would be the deepest if the bodies leaned
//! so much more. In the picture of slopes a corner has a cell, with a side for each edge that begins at it (the subgradients of the
//! depth, which is concave), and its share is what the cell and the disk of all slopes up to the lean have in common:
//!
//! ```text
//!    the region          the slopes
//!    2 ──── 1                . 2 | 1 .
//!    │      │               .    |    .         level faces: shares as the exterior angles
//!    │      │               .----q----.         q, the slope of the depth, outside: edges whose borders cross the disk share,
//!    3 ──── 0                . 3 | 0 .              else the deepest corner has all
//! ```
//!
//! Where a corner is cut off by another edge, its share is parted between the two that come of it, and a body that turns from a face
//! to an edge to a vertex gives shares over little by little: forces have a potential that knows no leaps. Only turns change shares,
//! so that they come with a couple and no force.

use super::leaning::Owner;
use crate::vector::{add_scaled, scale};

/// A slope over the axes across a normal, or a direction across it.
pub(super) type Flat = [f64; 2];

/// How much of the stiffness of a contact is at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The share, between zero and one.
    pub part: f64,
    /// How it grows as the first body turns about the axes of the world; in the plane about the last one.
    pub turn: [f64; 3],
}

impl Share {
    /// All of it, whatever turns.
    pub const WHOLE: Self = Self { part: 1.0, turn: [0.0; 3] };
    /// Nothing of it.
    pub(super) const NONE: Self = Self { part: 0.0, turn: [0.0; 3] };
}

/// What a cell and the disk of slopes have in common, side by side.
pub(super) struct Cell {
    lean: f64,
    /// Whether the middle of the disk is not in the cell; whether nothing of it is.
    beside: bool,
    beyond: bool,
    /// Whether a side is in the disk.
    crossed: bool,
    /// Twice the area between the sides and the middle of the disk.
    area: f64,
    /// How the area grows as the first body turns about the axes of the frame, and as the second one turns back.
    turns: [[f64; 3]; 2],
    /// A number of the complex plane whose angle is that of all arcs in the cell together: the product of the places where its border
    /// comes into the disk, and of those where it goes out, mirrored; over the lean.
    arcs: Flat,
}

/// A side of a cell, on the line of points whose part along `inward` is `level`.
#[derive(Debug, Clone, Copy)]
pub(super) struct CellSide {
    /// Unit vector into the cell.
    pub(super) inward: Flat,
    pub(super) level: f64,
    /// The body whose edge it is of.
    pub(super) owner: Owner,
    /// The slope of the other body there, as a height along the normal.
    pub(super) other: Flat,
}

#[inline(always)]
fn complex_product([a, b]: Flat, [c, d]: Flat) -> Flat {
    [a * c - b * d, a * d + b * c]
}

impl Cell {
    #[inline(always)]
    pub(super) fn new(lean: f64) -> Self {
        let (beside, beyond, crossed) = (false, false, false);
        Self { lean, beside, beyond, crossed, area: 0.0, turns: [[0.0; 3]; 2], arcs: [1.0, 0.0] }
    }

    /// Adds a side. `range` tells from where to where it goes, along the direction a quarter turn ahead of `inward`.
    #[inline(always)]
    pub(super) fn side(&mut self, side: &CellSide, range: impl FnOnce() -> [f64; 2]) {
        let CellSide { inward, level, owner, other } = *side;
        self.beside |= level > 0.0;
        let square = self.lean * self.lean - level * level;
        // A facet that is seen edge on has no level.
        if level.is_nan() || square <= 0.0 {
            self.beyond |= level > 0.0;
            return;
        }
        let half = square.sqrt();
        let [low, high] = range();
        let [low, high] = [low.max(-half), high.min(half)];
        if low >= high {
            return;
        }
        let ([x, y], inverse) = (inward, 1.0 / self.lean);
        let at = |along: f64| [level * x - along * y, level * y + along * x];
        let reduced = |along: f64| at(along).map(|part| part * inverse);
        if high == half {
            self.arcs = complex_product(self.arcs, reduced(high));
        }
        if low == -half {
            let [u, v] = reduced(low);
            self.arcs = complex_product(self.arcs, [u, -v]);
        }
        let length = high - low;
        self.crossed = true;
        self.area -= level * length;
        let middle = at(0.5 * (low + high));
        // How far a turn moves the side, by the slope of the body that turns.
        let moved = |[u, v]: Flat| {
            let lean_inward = u * x + v * y;
            [y + lean_inward * v, -x - lean_inward * u, u * y - v * x]
        };
        let slopes = match owner {
            Owner::First => [[other[0] + middle[0], other[1] + middle[1]], other],
            Owner::Second => [other, [other[0] - middle[0], other[1] - middle[1]]],
        };
        for (turn, slope) in self.turns.iter_mut().zip(slopes) {
            *turn = add_scaled(*turn, -length, moved(slope));
        }
    }

    /// The share and how it grows as the first body turns about the axes of the frame, and as the second one turns back.
    #[inline(always)]
    pub(super) fn share(&self) -> (f64, [[f64; 3]; 2]) {
        if self.beyond || !self.crossed {
            return (f64::from(u8::from(!self.beside)), [[0.0; 3]; 2]);
        }
        let square = self.lean * self.lean;
        let angle = libm::atan2(self.arcs[1], self.arcs[0]);
        // Of a cell that is but a line there is none, up to roundings.
        let arcs = if angle < -1e-9 { angle + std::f64::consts::TAU } else { angle.max(0.0) };
        let (area, inverse) = (0.5 * (self.area + arcs * square), 1.0 / (std::f64::consts::PI * square));
        ((area * inverse).clamp(0.0, 1.0), self.turns.map(|turn| scale(turn, inverse)))
    }
}

/// The shares of the two ends of what two edges in the plane have in common, of given slopes along it.
///
/// The slopes are along the direction that is a quarter turn ahead of the normal.
#[inline(always)]
pub(crate) fn ends([first, second]: [f64; 2], lean: f64) -> [Share; 2] {
    let slope = first - second;
    let steeper = if first.abs() > second.abs() { first } else { second };
    let (part, turn) = if slope.abs() < lean {
        // A turn of the first body lowers what is ahead.
        (0.5 + 0.5 * slope / lean, -0.5 * (1.0 + steeper * steeper) / lean)
    } else {
        (f64::from(u8::from(slope > 0.0)), 0.0)
    };
    [Share { part: 1.0 - part, turn: [0.0, 0.0, -turn] }, Share { part, turn: [0.0, 0.0, turn] }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::stand::Stand;
    use crate::convex::{Body, Pose, shapes};
    use crate::random::Random;
    use crate::vector::dot;

    const UP: [f64; 3] = [0.0, 0.0, 1.0];

    fn bodies() -> Vec<Body<3>> {
        let mut random = Random::new(8);
        let mut cloud = |count: usize| {
            let points: Vec<[f64; 3]> =
                (0..count).map(|_| std::array::from_fn(|_| random.normal())).collect();
            Body::<3>::from_points(&points).unwrap()
        };
        let clouds = [cloud(12), cloud(40), cloud(300)];
        let mut bodies = vec![shapes::tetrahedron(), shapes::pyramid(), shapes::cube(), shapes::fourteen()];
        bodies.extend(clouds);
        bodies
    }

    /// A pose in which a body leans by some angle over one of its facets, which looks up.
    fn leaning(body: &Body<3>, facet: usize, angle: f64, random: &mut Random) -> Pose<3> {
        let normal = body.facets[facet].normal;
        let [x, y] = crate::vector::axes_across(normal);
        let turn = random.uniform(0.0, std::f64::consts::TAU);
        let aside = add_scaled(scale(x, turn.cos()), turn.sin(), y);
        let up = add_scaled(scale(normal, angle.cos()), angle.sin(), aside);
        let [u, v] = crate::vector::axes_across(up);
        Pose { position: [0.0; 3], rotation: [u, v, up] }
    }

    fn body_on_plane(body: &Body<3>, pose: &Pose<3>, normal: [f64; 3], mut each: impl FnMut(u32, Share)) {
        let stand = Stand::new(body, pose, normal);
        (0..body.vertices.len() as u32).for_each(|vertex| each(vertex, stand.vertex(vertex)));
    }

    /// The deepest vertex for each of many slopes takes a share.
    #[test]
    fn shares_are_those_of_slopes() {
        let mut random = Random::new(5);
        let bodies = bodies();
        for trial in 0..300 {
            let body = &bodies[trial % bodies.len()];
            let facet = random.below(body.facets.len());
            let angle = body.lean * random.uniform(0.0, 1.2);
            let pose = leaning(body, facet, angle, &mut random);
            let all_vertices: Vec<u32> = (0..body.vertices.len() as u32).collect();
            let (mut counts, mut all) = (vec![0.0; body.vertices.len()], 0.0);
            const GRID: usize = 400;
            for i in 0..GRID * GRID {
                let place = |i: usize| body.lean * ((2 * i + 1) as f64 / GRID as f64 - 1.0);
                let [p, q] = [place(i % GRID), place(i / GRID)];
                if p * p + q * q < body.lean * body.lean {
                    let height = |vertex: &u32| dot(pose.turn(body.vertex(*vertex)), [-p, -q, 1.0]);
                    let top = all_vertices.iter().max_by(|v, w| height(v).total_cmp(&height(w))).unwrap();
                    counts[*top as usize] += 1.0;
                    all += 1.0;
                }
            }
            let mut sum = 0.0;
            body_on_plane(body, &pose, UP, |vertex, share| {
                let expected = counts[vertex as usize] / all;
                assert!((share.part - expected).abs() < 3e-3, "{trial}: {share:?} {expected}");
                sum += share.part;
            });
            assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        }
    }

    /// Shares change with turns as they say.
    #[test]
    fn shares_turn_as_they_say() {
        let mut random = Random::new(6);
        let bodies = bodies();
        for trial in 0..2000 {
            let body = &bodies[trial % bodies.len()];
            let facet = random.below(body.facets.len());
            let angle = body.lean * random.uniform(0.01, 1.2);
            let pose = leaning(body, facet, angle, &mut random);
            let axis: [f64; 3] = std::array::from_fn(|_| random.normal());
            let shares = |turned: f64| {
                // Columns of the matrix are where the axes of the body are.
                let mut rotation = pose.rotation;
                for column in 0..3 {
                    let at: [f64; 3] = std::array::from_fn(|row| pose.rotation[row][column]);
                    let moved = add_scaled(at, turned, crate::vector::cross(axis, at));
                    let length = dot(moved, moved).sqrt();
                    for row in 0..3 {
                        rotation[row][column] = moved[row] / length;
                    }
                }
                let mut shares = Vec::new();
                let pose = Pose { position: [0.0; 3], rotation };
                body_on_plane(body, &pose, UP, |_, share| shares.push(share));
                shares
            };
            let (less, here, more) = (shares(-1e-6), shares(0.0), shares(1e-6));
            // Where a ray just touches the limit, shares change like the root of the slope.
            for ((less, here), more) in less.iter().zip(&here).zip(&more) {
                let (expected, found) = ((more.part - less.part) / 2e-6, dot(here.turn, axis));
                assert!((expected - found).abs() < 2e-3 / body.lean, "{trial} {angle}: {found} {expected}");
            }
        }
    }

    #[test]
    fn ends_of_edges_in_the_plane_share_by_slope() {
        let [low, high] = ends([0.0, 0.0], 0.3);
        assert_eq!((low.part, high.part), (0.5, 0.5));
        let [low, high] = ends([0.1, -0.05], 0.3);
        assert!((low.part - 0.25).abs() < 1e-15 && (high.part - 0.75).abs() < 1e-15);
        assert_eq!(ends([0.4, 0.0], 0.3).map(|share| share.part), [0.0, 1.0]);
        let part = |angle: f64| ends([angle.tan(), 0.02], 0.3)[1].part;
        // A turn against the clock lowers what is ahead of the normal by a quarter turn.
        let found = ends([0.1f64.tan(), 0.02], 0.3)[1].turn[2];
        assert!((found + (part(0.1 + 1e-6) - part(0.1 - 1e-6)) / 2e-6).abs() < 1e-6);
    }
}
