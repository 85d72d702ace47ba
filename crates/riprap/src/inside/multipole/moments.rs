//! The moments of a face: the integral of `n . grad R` over it (Muth et al. 2006, eq 22), exactly.
//!
//! R of degree n is homogeneous, so `n R = y . grad R`, and grad R of degree n is made of R of degree n - 1. Integrated by parts over an edge
//! from a to b, and over a triangle of these and c, with parameters from 0 to 1:
//!
//! ```text
//! n R_n(b)                  =  b . grad R_n (b)
//! (n + 1) integral over ab  =  a . (integral of grad R_n)  +  R_n(b)
//! (n + 2) integral over abc =  c . (integral of grad R_n)  +  integral over ab
//! ```
//!
//! (a recursion as in Gumerov, Kaneko, Duraiswami 2023). Cost: O(p^2) a face, four faces at a time.

use super::clusters::Clusters;
use super::harmonics::{columns, gradient_along};
use super::translation::{Matrix, Mirrors, Move, translate};
use crate::inside::faces::Face;
use crate::inside::units::Units;
use crate::lanes::vectors::{Kernel, Vector, run};
use crate::lanes::{Lanes, WIDTH};
use crate::vector::{components, cross, scale, sub};

/// The moments of all clusters: of those without sons from their faces, of the others from their sons.
pub(super) fn gather_moments(
    tree: &Clusters,
    faces: &[Face],
    units: &Units,
    degree: usize,
    wide: bool,
) -> Vec<f64> {
    let size = columns(degree);
    let mut moments = vec![0.0; tree.all.len() * size];
    let (matrix, mirrors) = (Matrix::to_father(degree), Mirrors::new(degree));
    let mut corners = Vec::new();
    for level in (0..tree.levels.len() - 1).rev() {
        let clusters = tree.levels[level] as usize..tree.levels[level + 1] as usize;
        let (above, below) = moments.split_at_mut(clusters.end * size);
        let width = tree.cube.width(level as u32);
        let mut moves: [Vec<Move>; 8] = Default::default();
        for index in clusters.clone() {
            let cluster = &tree.all[index];
            if cluster.sons().is_empty() {
                let middle = tree.cube.middle(level as u32, cluster.cell);
                let faces = &faces[cluster.first as usize..cluster.last as usize];
                corners.clear();
                corners.extend(faces.iter().map(|face| {
                    face.corners.map(|corner| scale(sub(units.scaled(corner), middle), 1.0 / width))
                }));
                add_moments(&corners, degree, &mut above[index * size..][..size], wide);
            }
            for son in cluster.sons() {
                let cell = tree.all[son].cell;
                let octant = (0..3).map(|k| (cell[k] as usize & 1) << k).sum::<usize>();
                moves[octant].push(Move { from: (son - clusters.end) as u32, to: index as u32 });
            }
        }
        for (octant, moves) in moves.iter().enumerate() {
            let signs = mirrors.of(7 - octant);
            translate(&matrix, signs, moves, below, above, wide);
        }
    }
    moments
}

/// Adds the moments of faces, given by their corners in units of a box from its middle, to a column.
pub(super) fn add_moments(faces: &[[[f64; 3]; 3]], degree: usize, column: &mut [f64], wide: bool) {
    run(Moments { faces, degree, column }, wide);
}

struct Moments<'a> {
    faces: &'a [[[f64; 3]; 3]],
    degree: usize,
    column: &'a mut [f64],
}

impl Kernel for Moments<'_> {
    #[inline(always)]
    fn run<V: Vector>(self) {
        let size = columns(self.degree);
        let zero = Lanes([0.0; WIDTH]);
        let mut sums = vec![zero; size];
        for faces in self.faces.chunks(WIDTH) {
            // Faces that are missing have no area.
            let corner = |corner: usize| -> [V; 3] {
                components(|k| V::of(|lane| faces.get(lane).map_or(0.0, |face| face[corner][k])))
            };
            add::<V>([corner(0), corner(1), corner(2)], self.degree, &mut sums);
        }
        for (sum, total) in sums.iter().zip(self.column) {
            *total += sum.0[0] + sum.0[1] + (sum.0[2] + sum.0[3]);
        }
    }
}

/// Most numbers of a degree.
const WIDEST: usize = 2 * super::bound::HIGHEST + 1;

#[inline(always)]
fn add<V: Vector>([a, b, c]: [[V; 3]; 3], degree: usize, sums: &mut [Lanes]) {
    let normal = cross(sub(b, a), sub(c, a));
    let zero = V::all(0.0);
    // Of the last degree: R at b, its integral over the edge, and that over the triangle.
    let (mut point, mut edge, mut face) = ([zero; WIDEST], [zero; WIDEST], [zero; WIDEST]);
    (point[0], edge[0], face[0]) = (V::all(1.0), V::all(1.0), V::all(0.5));
    let mut raised = [zero; WIDEST];
    for n in 1..=degree {
        let count = 2 * n + 1;
        gradient_along(normal, n, &face, &mut raised);
        for (sum, moment) in sums[n * n..].iter_mut().zip(&raised[..count]) {
            *sum = (V::load(sum) + *moment).stored();
        }
        let over = |divisor: usize| V::all(1.0 / divisor as f64);
        gradient_along(b, n, &point, &mut raised);
        for index in 0..count {
            point[index] = raised[index] * over(n);
        }
        gradient_along(a, n, &edge, &mut raised);
        for index in 0..count {
            edge[index] = (raised[index] + point[index]) * over(n + 1);
        }
        gradient_along(c, n, &face, &mut raised);
        for index in 0..count {
            face[index] = (raised[index] + edge[index]) * over(n + 2);
        }
    }
}
