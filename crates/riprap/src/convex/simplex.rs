//! Whether two bodies overlap, and roughly the shortest link if not: the algorithm of Gilbert, Johnson and Keerthi (1988).
//!
//! The differences `q - p` of points q of b and p of a make a convex body too, and the link is its point closest to the
//! origin. It is sought on simplices of differences of vertices:
//!
//! 1. The closest point v of the simplex to the origin, and the smallest face of the simplex that holds it.
//! 2. The difference of vertices that is furthest against v. If it is no further than v, v is the link; else it joins.
//! 3. A full simplex around the origin: the bodies overlap.
//!
//! Cost: a handful of rounds, each with one search for a furthest vertex on either body. It needs vertices only and always
//! ends, so it is what the shortest-link method falls back on where features are too small to be walked on.

use super::feature::cross;
use super::two::Two;
use crate::vector::{add_scaled, dot, length, scale, sub};

/// Up to four differences of vertices.
#[derive(Debug, Clone, Copy)]
pub(super) struct Simplex<const D: usize> {
    pub(super) count: usize,
    /// Differences q - p.
    pub(super) points: [[f64; D]; 4],
    /// Vertices of a and b they are between.
    pub(super) vertices: [[u32; 2]; 4],
    /// Shares of each in the closest point.
    shares: [f64; 4],
}

/// Bodies that overlap or touch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Overlap<const D: usize> {
    /// What shows it: it surrounds the origin, or is as close to it as numbers tell.
    pub(super) simplex: Simplex<D>,
    /// The direction in which they overlap least of those tried, and by how much.
    pub(super) best: [f64; D],
    pub(super) overlap: f64,
}

/// Bodies that are apart, or overlap so little that rounding hides it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Apart<const D: usize> {
    /// Vertices that span the link.
    pub(super) simplex: Simplex<D>,
    /// The difference of its ends.
    pub(super) link: [f64; D],
    /// The direction in which the gap is largest of those tried, and that gap.
    pub(super) best: [f64; D],
    pub(super) gap: f64,
}

const ROUNDS: usize = 64;
/// What rounding can make of nothing, see [`Simplex::surrounds_origin`].
const ROUNDED: f64 = 1e-14;

impl<const D: usize> Simplex<D> {
    #[inline(always)]
    pub(super) fn of(two: &Two<'_, D>, vertices: [[u32; 2]; 4]) -> Self {
        let mut points = [[0.0; D]; 4];
        for k in 0..=D {
            points[k] = two.difference(vertices[k]);
        }
        Self { count: D + 1, points, vertices, shares: [0.0; 4] }
    }

    /// One difference.
    pub(super) fn from(vertices: [u32; 2], point: [f64; D]) -> Self {
        let mut simplex = Self { count: 0, points: [[0.0; D]; 4], vertices: [[0; 2]; 4], shares: [0.0; 4] };
        simplex.push(vertices, point);
        simplex
    }

    /// Whether the origin is inside a full simplex: by `margin`, as a part of the cube of the largest coordinate (its square in the
    /// plane), which must be more than rounding can make of nothing.
    #[inline(always)]
    pub(super) fn surrounds_origin(&self, margin: f64) -> bool {
        if self.count != D + 1 {
            return false;
        }
        let [a, b, c, d] = self.points;
        let mut largest = 0.0;
        for point in [a, b, c, d] {
            for x in point {
                largest = if x.abs() > largest { x.abs() } else { largest };
            }
        }
        if D == 2 {
            let turn = |u: [f64; D], v: [f64; D]| u[0] * v[1] - u[1] * v[0];
            let (turns, least) = ([turn(a, b), turn(b, c), turn(c, a)], margin * largest * largest);
            return turns.iter().all(|&t| t > least) || turns.iter().all(|&t| t < -least);
        }
        // The four tetrahedra with the origin in place of a corner have the sign of the whole.
        let (bc, da) = (cross(b, c), cross(d, a));
        let signs = [dot(bc, d), -dot(da, c), dot(da, b), -dot(bc, a)];
        let least = margin * largest * largest * largest;
        (signs[0] > least && signs[1] > least && signs[2] > least && signs[3] > least)
            || (signs[0] < -least && signs[1] < -least && signs[2] < -least && signs[3] < -least)
    }

    pub(super) fn push(&mut self, vertices: [u32; 2], point: [f64; D]) {
        self.points[self.count] = point;
        self.vertices[self.count] = vertices;
        self.count += 1;
    }

    pub(super) fn has(&self, vertices: [u32; 2]) -> bool {
        self.vertices[..self.count].contains(&vertices)
    }

    /// Keeps these corners, in ascending order, with their shares.
    fn keep(&mut self, corners: &[usize], shares: &[f64]) {
        for (place, (&corner, &share)) in corners.iter().zip(shares).enumerate() {
            self.points[place] = self.points[corner];
            self.vertices[place] = self.vertices[corner];
            self.shares[place] = share;
        }
        self.count = corners.len();
    }

    /// The link's ends on both bodies.
    pub(super) fn ends(&self, two: &Two<'_, D>) -> [[f64; D]; 2] {
        let mut ends = [[0.0; D]; 2];
        for k in 0..self.count {
            let [v, w] = self.vertices[k];
            ends[0] = add_scaled(ends[0], self.shares[k], two.a.vertex(v));
            ends[1] = add_scaled(ends[1], self.shares[k], two.b.vertex(w));
        }
        ends
    }

    /// Reduces the simplex to the smallest face with the point closest to the origin, and returns it; `None` if the origin is
    /// inside.
    pub(super) fn closest(&mut self) -> Option<[f64; D]> {
        match self.count {
            1 => {
                self.shares[0] = 1.0;
                Some(self.points[0])
            }
            2 => Some(self.closest_on_segment([0, 1])),
            3 if D == 2 && self.surrounds_origin(ROUNDED) => None,
            3 => Some(self.closest_on_triangle([0, 1, 2])),
            _ => self.closest_on_tetrahedron(),
        }
    }

    fn closest_on_segment(&mut self, [i, j]: [usize; 2]) -> [f64; D] {
        let (a, b) = (self.points[i], self.points[j]);
        let along = sub(b, a);
        let square = dot(along, along);
        let share = -dot(a, along) / square;
        // Two equal points give no number.
        if share <= 0.0 || share.is_nan() {
            self.keep(&[i], &[1.0]);
            a
        } else if share >= 1.0 {
            self.keep(&[j], &[1.0]);
            b
        } else {
            self.keep(&[i, j], &[1.0 - share, share]);
            let point = add_scaled(a, share, along);
            // Perpendicular, also after rounding.
            add_scaled(point, -dot(point, along) / square, along)
        }
    }

    /// Which region of the triangle the origin is over follows from six products (Ericson 2005, section 5.1.5).
    fn closest_on_triangle(&mut self, [i, j, k]: [usize; 3]) -> [f64; D] {
        let [a, b, c] = [i, j, k].map(|corner| self.points[corner]);
        let (ab, ac) = (sub(b, a), sub(c, a));
        let [d1, d2, d3, d4, d5, d6] =
            [-dot(ab, a), -dot(ac, a), -dot(ab, b), -dot(ac, b), -dot(ab, c), -dot(ac, c)];
        if d1 <= 0.0 && d2 <= 0.0 {
            self.keep(&[i], &[1.0]);
            return a;
        }
        if d3 >= 0.0 && d4 <= d3 {
            self.keep(&[j], &[1.0]);
            return b;
        }
        if d6 >= 0.0 && d5 <= d6 {
            self.keep(&[k], &[1.0]);
            return c;
        }
        let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
        if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
            return self.closest_on_segment([i, j]);
        }
        if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
            return self.closest_on_segment([i, k]);
        }
        if va <= 0.0 && d4 >= d3 && d5 >= d6 {
            return self.closest_on_segment([j, k]);
        }
        // Shares of a triangle without area are rounding, but they must be shares.
        let parts = [va, vb, vc].map(|part| part.max(0.0));
        let sum = parts[0] + parts[1] + parts[2];
        let shares = if sum > 0.0 { parts.map(|part| part / sum) } else { [1.0, 0.0, 0.0] };
        self.keep(&[i, j, k], &shares);
        if D == 2 {
            return [0.0; D];
        }
        let normal = cross(ab, ac);
        scale(normal, dot(normal, a) / dot(normal, normal))
    }

    fn closest_on_tetrahedron(&mut self) -> Option<[f64; D]> {
        if self.surrounds_origin(ROUNDED) {
            return None;
        }
        let mut best: Option<(Self, [f64; D])> = None;
        // The last corner is new, so the face without it has been seen; it may still be the closest by rounding.
        for face in [[0, 1, 3], [1, 2, 3], [0, 2, 3], [0, 1, 2]] {
            let mut candidate = *self;
            let point = candidate.closest_on_triangle(face);
            if best.is_none_or(|(_, other)| dot(point, point) < dot(other, other)) {
                best = Some((candidate, point));
            }
        }
        let (simplex, point) = best?;
        *self = simplex;
        Some(point)
    }
}

/// The vertices that are furthest towards each other along a direction from a to b, and their difference.
#[inline(always)]
pub(super) fn furthest<const D: usize>(
    two: &Two<'_, D>,
    direction: [f64; D],
    near: [u32; 2],
) -> ([u32; 2], [f64; D]) {
    let (toward, back) = (two.a.back(direction), scale(two.b.back(direction), -1.0));
    let vertices = [two.a.body.support(toward, near[0]), two.b.body.support(back, near[1])];
    (vertices, two.difference(vertices))
}

/// The same without vertices to start from.
#[inline(always)]
pub(super) fn furthest_anew<const D: usize>(two: &Two<'_, D>, direction: [f64; D]) -> ([u32; 2], [f64; D]) {
    let (toward, back) = (two.a.back(direction), scale(two.b.back(direction), -1.0));
    let vertices = [two.a.body.support_anew(toward), two.b.body.support_anew(back)];
    (vertices, two.difference(vertices))
}

/// Decides whether two bodies are apart, starting from two vertices.
pub(super) fn relate<const D: usize>(
    two: &Two<'_, D>,
    start: [u32; 2],
    iterations: &mut u32,
) -> Result<Apart<D>, Overlap<D>> {
    let size = two.size();
    let mut simplex = Simplex::from(start, two.difference(start));
    let (mut best, mut most) = ([0.0; D], f64::NEG_INFINITY);
    best[0] = 1.0;
    let mut shortest = f64::INFINITY;
    let mut last = simplex;
    let mut link = simplex.points[0];
    for _ in 0..ROUNDS {
        *iterations += 1;
        let Some(closest) = simplex.closest() else {
            return Err(Overlap { simplex, best, overlap: -most });
        };
        let distance = length(closest);
        if distance <= two.shortest() {
            return Err(Overlap { simplex, best, overlap: -most });
        }
        if distance >= shortest {
            // No progress is rounding.
            break;
        }
        (shortest, link, last) = (distance, closest, simplex);
        let direction = scale(link, 1.0 / distance);
        let (vertices, point) = furthest_anew(two, direction);
        let bound = dot(direction, point);
        if bound > most {
            (best, most) = (direction, bound);
        }
        if distance - bound <= 1e-14 * size || simplex.has(vertices) {
            break;
        }
        simplex.push(vertices, point);
    }
    Ok(Apart { simplex: last, link, best, gap: most })
}
