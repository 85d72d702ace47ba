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

use super::harmonics::{columns, gradient_along};
use crate::lanes::vectors::{Kernel, Vector, run};
use crate::lanes::{Lanes, WIDTH};
use crate::vector::{components, cross, sub};

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
            *sum = Lanes((V::of(|lane| sum.0[lane]) + *moment).lanes());
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
