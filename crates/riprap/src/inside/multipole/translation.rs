//! Moving expansions from box to box: M2M, M2L and L2L (Muth et al. 2006, eqs 23 to 25) are products of a matrix with columns of
//! coefficients.
//!
//! In units of each level's boxes the matrices depend on nothing but the direction. Mirrored at the middle planes of the axes, a
//! harmonic is the same up to its sign; so directions with positive coordinates suffice: signs are changed before the product and
//! after it. Eight columns are multiplied at a time.

use std::f64::consts::PI;

use super::harmonics::{at, columns, degree_of, shift_irregular, shift_regular, weight};
use crate::lanes::vectors::{Kernel, Vector, run};
use crate::lanes::{Lanes, WIDTH, each};
use crate::number::power;

/// Columns that are multiplied together, in registers.
const REGISTERS: usize = 2;
/// Rows at a time.
const ROWS: usize = 4;
/// How many columns that makes.
const TOGETHER: usize = REGISTERS * WIDTH;

/// A matrix, its rows filled up to a multiple of four.
#[derive(Debug, Clone)]
pub(super) struct Matrix {
    size: usize,
    rows: Vec<f64>,
}

impl Matrix {
    fn new(size: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        // Four rows side by side.
        let mut rows = vec![0.0; size.next_multiple_of(ROWS) * size];
        for row in 0..size {
            for column in 0..size {
                rows[((row / ROWS) * size + column) * ROWS + row % ROWS] = entry(row, column);
            }
        }
        Self { size, rows }
    }

    /// From a son in the octant of the positive axes to its father.
    pub(super) fn to_father(degree: usize) -> Self {
        let (size, moved) = (columns(degree), shift_regular([0.25; 3], degree));
        Self::new(size, |row, column| moved[row * size + column] * power(0.5, degree_of(column) as u32 + 1))
    }

    /// From a father to this son.
    pub(super) fn to_son(degree: usize) -> Self {
        let (size, moved) = (columns(degree), shift_regular([0.25; 3], degree));
        Self::new(size, |row, column| moved[column * size + row] * power(0.5, degree_of(row) as u32))
    }

    /// From a cluster to a box whose middle is in this direction; what comes out, times R, is J.
    pub(super) fn to_box(direction: [u32; 3], degree: usize) -> Self {
        let (size, moved) = (columns(degree), shift_irregular(direction.map(f64::from), degree));
        Self::new(size, |row, column| -weight(column) * moved[column * size + row] / (4.0 * PI))
    }
}

/// The signs that coefficients take when mirrored: bit k of the number stands for axis k.
#[derive(Debug, Clone)]
pub(super) struct Mirrors {
    size: usize,
    signs: Vec<f64>,
}

impl Mirrors {
    pub(super) fn new(degree: usize) -> Self {
        let size = columns(degree);
        let mut signs = vec![1.0; 8 * size];
        for mirror in 0..8 {
            let [x, y, z] = [mirror & 1, mirror >> 1 & 1, mirror >> 2 & 1];
            for n in 0..=degree {
                for m in 0..=n {
                    for part in 0..=usize::from(m > 0) {
                        // x turns an angle phi into pi - phi, y into -phi; z makes cos(theta) negative.
                        let odd = x * (m + part) + y * part + z * (n + m);
                        signs[mirror * size + at(n, m) + part] = if odd % 2 == 0 { 1.0 } else { -1.0 };
                    }
                }
            }
        }
        Self { size, signs }
    }

    pub(super) fn of(&self, mirror: usize) -> &[f64] {
        &self.signs[mirror * self.size..][..self.size]
    }
}

/// A column to be moved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Move {
    pub(super) from: u32,
    pub(super) to: u32,
}

/// Adds to columns of `target` those of `source`, moved in a direction that the mirror makes positive.
pub(super) fn translate(
    matrix: &Matrix,
    signs: &[f64],
    moves: &[Move],
    source: &[f64],
    target: &mut [f64],
    wide: bool,
) {
    run(Translation { matrix, signs, moves, source, target }, wide);
}

struct Translation<'a> {
    matrix: &'a Matrix,
    signs: &'a [f64],
    moves: &'a [Move],
    source: &'a [f64],
    target: &'a mut [f64],
}

impl Kernel for Translation<'_> {
    #[inline(always)]
    fn run<V: Vector>(self) {
        let size = self.matrix.size;
        let zero = [Lanes([0.0; WIDTH]); REGISTERS];
        let mut columns = vec![zero; size];
        let mut results = vec![zero; size.next_multiple_of(ROWS)];
        for moves in self.moves.chunks(TOGETHER) {
            self.gather::<V>(moves, &mut columns);
            let rows = self.matrix.rows.chunks_exact(size * ROWS);
            for (rows, results) in rows.zip(results.chunks_exact_mut(ROWS)) {
                let mut sums = [[V::all(0.0); REGISTERS]; ROWS];
                for (column, factors) in columns.iter().zip(rows.chunks_exact(ROWS)) {
                    let [first, second] = [V::load(&column[0]), V::load(&column[1])];
                    for row in 0..ROWS {
                        let factor = V::all(factors[row]);
                        sums[row][0] = factor.times_plus(first, sums[row][0]);
                        sums[row][1] = factor.times_plus(second, sums[row][1]);
                    }
                }
                for row in 0..ROWS {
                    results[row] = [sums[row][0].stored(), sums[row][1].stored()];
                }
            }
            for (lane, to) in moves.iter().enumerate() {
                let to = &mut self.target[to.to as usize * size..][..size];
                for (index, to) in to.iter_mut().enumerate() {
                    *to += self.signs[index] * results[index][lane / WIDTH].0[lane % WIDTH];
                }
            }
        }
    }
}

impl Translation<'_> {
    /// Puts columns side by side, with their signs.
    #[inline(always)]
    fn gather<V: Vector>(&self, moves: &[Move], columns: &mut [[Lanes; REGISTERS]]) {
        let size = self.matrix.size;
        // Columns that are missing are the first once more; nobody asks for what comes of them.
        let column = |lane: usize| {
            let from = moves.get(lane).unwrap_or(&moves[0]).from as usize;
            &self.source[from * size..][..size]
        };
        for register in 0..REGISTERS {
            let four = each(|lane| column(register * WIDTH + lane));
            let whole = size / WIDTH * WIDTH;
            for index in (0..whole).step_by(WIDTH) {
                let part = |lane: usize| -> &[f64; WIDTH] {
                    four[lane][index..].first_chunk().expect("four numbers are left")
                };
                let numbers: [V; WIDTH] = V::columns([part(0), part(1), part(2), part(3)]);
                for k in 0..WIDTH {
                    let signed = numbers[k] * V::all(self.signs[index + k]);
                    columns[index + k][register] = signed.stored();
                }
            }
            for index in whole..size {
                columns[index][register] = Lanes(each(|lane| self.signs[index] * four[lane][index]));
            }
        }
    }
}
