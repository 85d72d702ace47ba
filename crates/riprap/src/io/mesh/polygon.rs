//! Polygons cut into triangles, all of whose corners are kept: neighbours share every edge, also one with a vertex in its middle.
//!
//! Seen along the axis in which the polygon is widest. If all triangles with its first corner turn the same way as the whole, those are taken,
//! and so it is with every convex polygon. Else ears are cut off one after the other (Meisters 1975): corners whose triangle with their
//! neighbours holds no other corner. Signs are exact, so a polygon that does not cross itself always has an ear.
//!
//! Cost: O(n) for n corners; with ears O(n^2), and therefore for some corners only.

use robust::{Coord, orient2d};

/// Corners at most of a polygon that is not convex.
const MOST: usize = 1000;

/// Appends the triangles of a polygon with these corners to `triangles`.
pub(super) fn cut(
    corners: &[u32],
    vertices: &[[f64; 3]],
    triangles: &mut Vec<[u32; 3]>,
) -> Result<(), String> {
    let flat = seen_flat(corners, vertices);
    let fan = |corner: usize| [0, corner, corner + 1];
    if (1..corners.len() - 1).any(|corner| turn(&flat, fan(corner)) < 0.0) {
        if corners.len() > MOST {
            return Err(format!(
                "a face with {} corners that is not convex, expected at most {MOST}; cut it into triangles",
                corners.len()
            ));
        }
        cut_ears(&flat, |ear| triangles.push(ear.map(|corner| corners[corner])));
    } else {
        triangles.extend((1..corners.len() - 1).map(|corner| fan(corner).map(|corner| corners[corner])));
    }
    Ok(())
}

/// Places of the corners in a plane, in which the polygon is counter-clockwise.
fn seen_flat(corners: &[u32], vertices: &[[f64; 3]]) -> Vec<Coord<f64>> {
    let places: Vec<[f64; 3]> = corners.iter().map(|&corner| vertices[corner as usize]).collect();
    // Twice the area seen along each axis (Newell).
    let mut areas = [0.0; 3];
    for (index, to) in places.iter().enumerate().skip(1) {
        let (from, first) = (places[index - 1], places[0]);
        for k in 0..3 {
            let [i, j] = [(k + 1) % 3, (k + 2) % 3];
            areas[k] += (from[i] - first[i]) * (to[j] - first[j]) - (from[j] - first[j]) * (to[i] - first[i]);
        }
    }
    let widest = (0..3).max_by(|&i, &j| f64::abs(areas[i]).total_cmp(&f64::abs(areas[j]))).unwrap_or(0);
    let [i, j] = if areas[widest] < 0.0 { [2, 1] } else { [1, 2] };
    places.iter().map(|place| Coord { x: place[(widest + i) % 3], y: place[(widest + j) % 3] }).collect()
}

/// Twice the area of a triangle of corners; its sign is exact.
fn turn(flat: &[Coord<f64>], [a, b, c]: [usize; 3]) -> f64 {
    orient2d(flat[a], flat[b], flat[c])
}

/// Cuts ears off until a triangle is left.
fn cut_ears(flat: &[Coord<f64>], mut push: impl FnMut([usize; 3])) {
    let mut left: Vec<usize> = (0..flat.len()).collect();
    while left.len() > 3 {
        let count = left.len();
        let ear_at =
            |place: usize| [(place + count - 1) % count, place, (place + 1) % count].map(|k| left[k]);
        // Where there is no ear, a corner in the middle of an edge; where there is none either, the polygon crosses itself.
        let place = (0..count)
            .find(|&place| is_ear(flat, &left, ear_at(place)))
            .or_else(|| (0..count).find(|&place| turn(flat, ear_at(place)) == 0.0))
            .unwrap_or(0);
        push(ear_at(place));
        left.remove(place);
    }
    push([left[0], left[1], left[2]]);
}

/// Whether the triangle of a corner and its neighbours is a part of the polygon that can be cut off.
fn is_ear(flat: &[Coord<f64>], left: &[usize], [a, b, c]: [usize; 3]) -> bool {
    let is_at = |k: usize, other: usize| flat[k].x == flat[other].x && flat[k].y == flat[other].y;
    turn(flat, [a, b, c]) > 0.0
        && left.iter().all(|&other| {
            // Two corners may be at the same place, as at the ends of a cut to a hole.
            [a, b, c].iter().any(|&corner| is_at(corner, other))
                || [[a, b], [b, c], [c, a]].iter().any(|&[from, to]| turn(flat, [from, to, other]) < 0.0)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    /// The triangles must have the area of the polygon, none of them turned over, and pass its edges once and all others both ways.
    fn check(places: &[[f64; 2]], turned: impl Fn([f64; 2]) -> [f64; 3]) -> Vec<[u32; 3]> {
        let vertices: Vec<[f64; 3]> = places.iter().map(|&place| turned(place)).collect();
        let corners: Vec<u32> = (0..places.len() as u32).collect();
        let mut triangles = Vec::new();
        cut(&corners, &vertices, &mut triangles).unwrap();
        assert_eq!(triangles.len(), places.len() - 2);
        let area = |corners: &[usize]| {
            let next = corners.iter().cycle().skip(1);
            let pairs = corners.iter().zip(next).map(|(&a, &b)| [places[a], places[b]]);
            0.5 * pairs.map(|[a, b]| a[0] * b[1] - a[1] * b[0]).sum::<f64>()
        };
        let all = area(&(0..places.len()).collect::<Vec<_>>());
        let parts: Vec<f64> =
            triangles.iter().map(|corners| area(&corners.map(|corner| corner as usize))).collect();
        assert!((parts.iter().sum::<f64>() - all).abs() < 1e-12 * all.abs());
        assert!(parts.iter().all(|part| part * all.signum() >= -1e-15), "{parts:?}");
        let count = places.len() as u32;
        let mut edges: Vec<[u32; 2]> =
            triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
        for corner in 0..count {
            let edge = [corner, (corner + 1) % count];
            let place = edges.iter().position(|&found| found == edge).expect("an edge of the polygon");
            edges.swap_remove(place);
        }
        assert!(edges.iter().all(|&[a, b]| edges.contains(&[b, a])));
        triangles
    }

    #[test]
    fn letters_combs_and_stars() {
        let planes: [fn([f64; 2]) -> [f64; 3]; 3] =
            [|[x, y]| [x, y, 1.0], |[x, y]| [y, -3.0, x], |[x, y]| [x + y, 0.5 * y, x - y]];
        let ell = vec![[2.0, 2.0], [1.0, 2.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0], [2.0, 0.0]];
        // With corners in the middle of edges.
        let stairs: Vec<[f64; 2]> = vec![
            [0.0, 0.0],
            [1.0, 0.0],
            [2.0, 0.0],
            [2.0, 1.0],
            [1.0, 1.0],
            [1.0, 2.0],
            [0.0, 2.0],
            [0.0, 1.0],
        ];
        let comb: Vec<[f64; 2]> = (0..20)
            .map(|k| [f64::from(k), if k % 2 == 0 { 9.0 } else { 1.0 }])
            .chain([[19.0, 0.0], [0.0, 0.0]])
            .rev()
            .collect();
        let mut random = Random::new(5);
        let mut star = |count: u32| -> Vec<[f64; 2]> {
            let angles = (0..count).map(|k| std::f64::consts::TAU * f64::from(k) / f64::from(count));
            let corner = |angle: f64| [angle.cos(), angle.sin()];
            angles
                .map(|angle| (corner(angle), random.uniform(0.1, 1.0)))
                .map(|([x, y], r)| [r * x, r * y])
                .collect()
        };
        let stars: Vec<Vec<[f64; 2]>> = (0..50).map(|k| star(5 + 3 * k)).collect();
        for turned in planes {
            for polygon in [&ell, &stairs, &comb].into_iter().chain(&stars) {
                for first in 0..polygon.len().min(10) {
                    let mut polygon = polygon.clone();
                    polygon.rotate_left(first);
                    check(&polygon, turned);
                    polygon.reverse();
                    check(&polygon, turned);
                }
            }
        }
    }

    #[test]
    fn convex_ones_are_cut_at_their_first_corner() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        assert_eq!(check(&square, |[x, y]| [x, y, 0.0]), [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn senseless_polygons_come_to_an_end() {
        let vertices = vec![[0.0; 3], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 7.0]];
        let mut random = Random::new(6);
        for count in 3..40 {
            let corners: Vec<u32> = (0..count).map(|_| random.below(5) as u32).collect();
            let mut triangles = Vec::new();
            cut(&corners, &vertices, &mut triangles).unwrap();
            assert_eq!(triangles.len(), count - 2);
        }
        let zigzag: Vec<u32> = (0..5000).map(|k| [0, 1, 2, 3][k % 4]).collect();
        let refusal = cut(&zigzag, &vertices, &mut Vec::new()).unwrap_err();
        assert!(refusal.contains("5000 corners that is not convex"), "{refusal}");
    }
}
