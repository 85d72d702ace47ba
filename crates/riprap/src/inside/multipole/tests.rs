//! Moments and translations against direct sums.

use super::bound::{Bound, HIGHEST, NormBound};
use super::clusters::Cluster;
use super::harmonics::{columns, irregular, norm_weights, regular, weight};
use super::moments::add_moments;
use super::translation::{Matrix, Mirrors, Move, translate};
use crate::Random;
use crate::vector::{add, cross, dot, length, scale, sub};

const DEGREE: usize = 22;

/// Faces around the middle of a box of width one.
fn faces(random: &mut Random) -> Vec<[[f64; 3]; 3]> {
    let mut point = || std::array::from_fn(|_| random.uniform(-0.4, 0.4));
    (0..7).map(|_| [point(), point(), point()]).collect()
}

fn moments(faces: &[[[f64; 3]; 3]], degree: usize) -> Vec<f64> {
    let mut column = vec![0.0; columns(degree)];
    add_moments(faces, degree, &mut column, true);
    column
}

/// The sum of the solid angles over 4 pi, by the formula of van Oosterom and Strackee.
fn direct(faces: &[[[f64; 3]; 3]], point: [f64; 3]) -> f64 {
    let angle = |face: &[[f64; 3]; 3]| {
        let [a, b, c] = face.map(|corner| sub(corner, point));
        let [la, lb, lc] = [length(a), length(b), length(c)];
        let below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
        2.0 * dot(a, cross(b, c)).atan2(below)
    };
    faces.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

/// The field of moments at a point (eq 22 with eq 13).
fn far_field(moments: &[f64], point: [f64; 3], degree: usize) -> f64 {
    let terms = irregular(point, degree).into_iter().zip(moments).enumerate();
    -terms.map(|(k, (s, moment))| weight(k) * s * moment).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

/// The value of a local expansion (eq 20).
fn value(local: &[f64], point: [f64; 3], degree: usize) -> f64 {
    regular(point, degree).iter().zip(local).map(|(r, coefficient)| r * coefficient).sum()
}

fn moved(matrix: &Matrix, mirror: usize, source: &[f64]) -> Vec<f64> {
    let mut target = vec![0.0; source.len()];
    let mirrors = Mirrors::new(DEGREE);
    // More than one and less than a whole number of registers.
    let moves = [Move { from: 0, to: 0 }; 3];
    translate(matrix, mirrors.of(mirror), &moves, source, &mut target, true);
    target.iter().map(|x| x / 3.0).collect()
}

#[test]
fn moments_make_the_field_of_the_faces() {
    let mut random = Random::new(1);
    for _ in 0..50 {
        let faces = faces(&mut random);
        let point = [random.uniform(1.5, 3.0), random.uniform(-3.0, 3.0), random.uniform(-3.0, 3.0)];
        let (found, expected) = (far_field(&moments(&faces, DEGREE), point, DEGREE), direct(&faces, point));
        assert!((found - expected).abs() < 1e-8, "{found} {expected}");
        // One face at a time, or four, or with plain numbers: the same.
        let mut plain = vec![0.0; columns(DEGREE)];
        for face in faces.chunks(1) {
            add_moments(face, DEGREE, &mut plain, false);
        }
        for (a, b) in plain.iter().zip(moments(&faces, DEGREE)) {
            assert!((a - b).abs() < 1e-15, "{a} {b}");
        }
    }
}

/// M2M.
#[test]
fn fathers_have_the_moments_of_their_sons() {
    let mut random = Random::new(2);
    let matrix = Matrix::to_father(DEGREE);
    for octant in 0..8 {
        let in_son = faces(&mut random);
        let offset = [0, 1, 2].map(|k| if octant >> k & 1 == 1 { 0.25 } else { -0.25 });
        // Half as wide, in units of the father.
        let in_father: Vec<_> =
            in_son.iter().map(|face| face.map(|corner| add(offset, scale(corner, 0.5)))).collect();
        let found = moved(&matrix, 7 - octant, &moments(&in_son, DEGREE));
        for (a, b) in found.iter().zip(moments(&in_father, DEGREE)) {
            assert!((a - b).abs() < 1e-13, "{octant}: {a} {b}");
        }
    }
}

/// M2L.
#[test]
fn local_expansions_are_the_field_of_far_faces() {
    let mut random = Random::new(3);
    for _ in 0..40 {
        let mut direction: [i32; 3] = std::array::from_fn(|_| random.below(9) as i32 - 4);
        direction[random.below(3)] = if random.below(2) == 0 { -4 } else { 4 };
        let mirror = (0..3).map(|k| usize::from(direction[k] < 0) << k).sum();
        let faces = faces(&mut random);
        let matrix = Matrix::to_box(direction.map(i32::unsigned_abs), DEGREE);
        let local = moved(&matrix, mirror, &moments(&faces, DEGREE));
        for _ in 0..5 {
            let point = std::array::from_fn(|_| random.uniform(-0.5, 0.5));
            let (found, expected) =
                (value(&local, point, DEGREE), direct(&faces, add(point, direction.map(f64::from))));
            assert!((found - expected).abs() < 1e-10, "{direction:?}: {found} {expected}");
        }
    }
}

/// L2L.
#[test]
fn sons_have_the_expansion_of_their_father() {
    let mut random = Random::new(4);
    let matrix = Matrix::to_son(DEGREE);
    for octant in 0..8 {
        let father: Vec<f64> = (0..columns(DEGREE)).map(|_| random.normal()).collect();
        let son = moved(&matrix, 7 - octant, &father);
        let offset = [0, 1, 2].map(|k| if octant >> k & 1 == 1 { 0.25 } else { -0.25 });
        for _ in 0..5 {
            let point = std::array::from_fn(|_| random.uniform(-0.5, 0.5));
            let expected = value(&father, add(offset, scale(point, 0.5)), DEGREE);
            let found = value(&son, point, DEGREE);
            assert!(
                (found - expected).abs() < 1e-12 * expected.abs().max(1.0),
                "{octant}: {found} {expected}"
            );
        }
    }
}

/// A small face in a corner of its box, seen from the nearest corner of another box on the same diagonal: there all terms of the series
/// have one sign, and the bound by norms leaves nothing to spare.
#[test]
fn the_bound_by_norms_is_hardly_larger_than_the_error() {
    const KNOWN: usize = 12;
    let around = [[1.0, -1.0, 0.0], [0.0, 1.0, -1.0], [-1.0, 0.0, 1.0]];
    let face = around.map(|corner| add([0.45; 3], scale(corner, 0.01)));
    let (cell, corner) = ([2u32; 3], [-0.5; 3]);
    let exact = direct(&[face], add(corner, cell.map(f64::from)));

    let (column, weights) = (moments(&[face], KNOWN), norm_weights(KNOWN));
    let radius = face.map(length).into_iter().fold(0.0, f64::max);
    let area = 0.5 * length(cross(sub(face[1], face[0]), sub(face[2], face[0])));
    let mut norms = vec![area * radius.powi(KNOWN as i32)];
    norms.extend((1..=KNOWN).map(|n| {
        let squares = (n * n..columns(n)).map(|k| weights[k] * column[k] * column[k]);
        squares.sum::<f64>().sqrt()
    }));
    let mut cluster = Cluster::new([0; 3], 0, 1);
    (cluster.radius, cluster.area) = (radius, area);
    let mut bounds = [0.0; HIGHEST + 1];
    NormBound::new(KNOWN, &norms).add(0, &cluster, cell, 0.0, &mut bounds);
    for degree in 1..KNOWN {
        let mut local = vec![0.0; columns(degree)];
        let (matrix, mirrors) = (Matrix::to_box(cell, degree), Mirrors::new(degree));
        let moves = [Move { from: 0, to: 0 }];
        translate(&matrix, mirrors.of(0), &moves, &moments(&[face], degree), &mut local, true);
        let error = (value(&local, corner, degree) - exact).abs();
        assert!(error <= bounds[degree], "{degree}: {error:e} {:e}", bounds[degree]);
        assert!(bounds[degree] <= 1.1 * error, "{degree}: {error:e} {:e}", bounds[degree]);
    }
}

/// The order in which a box keeps its coefficients changes nothing of the value.
#[test]
fn a_stored_expansion_has_the_value_of_its_coefficients() {
    let mut random = Random::new(5);
    for degree in 1..=14 {
        let layout = super::expansion::Layout::new(degree);
        let local: Vec<f64> = (0..columns(degree)).map(|_| random.normal()).collect();
        let mut rows = Vec::new();
        layout.store(&local, &mut rows);
        for _ in 0..5 {
            let point = std::array::from_fn(|_| random.uniform(-0.5, 0.5));
            let (found, expected) =
                (layout.value::<crate::lanes::Lanes>(&rows, point), value(&local, point, degree));
            assert!((found - expected).abs() < 1e-13, "{degree}: {found} {expected}");
        }
    }
}
