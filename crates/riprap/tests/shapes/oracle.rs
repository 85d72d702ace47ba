//! Mass by lines: a lattice of random lines through a shape, cut by each piece in closed form. Knows the pieces, nothing else.

use riprap::Random;
use riprap::convex::Pose;
use riprap::shape::{Built, Form, Part, Piece, Shape, from_pieces};

/// Volume of the unit ball.
pub(crate) fn unit_volume(dimension: usize) -> f64 {
    if dimension == 2 { std::f64::consts::PI } else { 4.0 / 3.0 * std::f64::consts::PI }
}

pub(crate) fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    (0..D).map(|k| a[k] * b[k]).sum()
}

pub(crate) fn sub<const D: usize>(a: [f64; D], b: [f64; D]) -> [f64; D] {
    std::array::from_fn(|k| a[k] - b[k])
}

/// Where a line along the last axis is inside a piece.
fn chord<const D: usize>(piece: &Piece<D>, foot: [f64; D]) -> Option<[f64; 2]> {
    let from = sub(foot, piece.center);
    match &piece.form {
        Form::Ball { radius } => {
            let half = (radius * radius - dot(from, from) + from[D - 1] * from[D - 1]).max(0.0).sqrt();
            (half > 0.0).then_some([piece.center[D - 1] - half, piece.center[D - 1] + half])
        }
        Form::Convex(body) => {
            let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
            for facet in body.facets() {
                let (rate, room) = (facet.normal[D - 1], facet.offset - dot(facet.normal, from));
                if rate > 0.0 {
                    high = high.min(room / rate);
                } else if rate < 0.0 {
                    low = low.max(room / rate);
                } else if room < 0.0 {
                    return None;
                }
            }
            (low < high).then_some([low + foot[D - 1], high + foot[D - 1]])
        }
    }
}

/// Checks volume, centre, axes, moments and reach of a shape, to about one part in `1 / tolerance`.
pub(crate) fn check<const D: usize>(shape: &Shape<D>, lines: usize, tolerance: f64) {
    let mut random = Random::new(7);
    let width = 2.0 * shape.reach / lines as f64;
    let weight = width.powi(D as i32 - 1);
    let (mut volume, mut first, mut second) = (0.0, [0.0; D], [[0.0; D]; D]);
    for cell in 0..lines.pow(D as u32 - 1) {
        let mut foot = [0.0; D];
        for k in 0..D - 1 {
            let step = cell / lines.pow(k as u32) % lines;
            foot[k] = -shape.reach + width * (step as f64 + random.uniform(0.0, 1.0));
        }
        let mut chords: Vec<[f64; 2]> = shape.pieces.iter().filter_map(|piece| chord(piece, foot)).collect();
        chords.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let mut reached = f64::NEG_INFINITY;
        for [low, high] in chords {
            let low = low.max(reached);
            if low < high {
                reached = high;
                let m: [f64; 3] = std::array::from_fn(|n| {
                    (high.powi(n as i32 + 1) - low.powi(n as i32 + 1)) / (n + 1) as f64
                });
                volume += weight * m[0];
                for i in 0..D {
                    first[i] += weight * if i == D - 1 { m[1] } else { foot[i] * m[0] };
                    for j in 0..D {
                        second[i][j] += weight
                            * match (i == D - 1, j == D - 1) {
                                (true, true) => m[2],
                                (true, false) => foot[j] * m[1],
                                (false, true) => foot[i] * m[1],
                                (false, false) => foot[i] * foot[j] * m[0],
                            };
                    }
                }
            }
        }
    }
    let unit = unit_volume(D);
    assert!((volume / unit - 1.0).abs() < tolerance, "{}: volume {volume} {unit}", shape.name);
    let scale = shape.reach * shape.reach;
    for i in 0..D {
        assert!((first[i] / unit).abs() < tolerance * shape.reach, "{}: centre {first:?}", shape.name);
        for j in (0..D).filter(|&j| D == 3 && j != i) {
            assert!((second[i][j] / unit).abs() < tolerance * scale, "{}: axes {second:?}", shape.name);
        }
    }
    let trace: f64 = (0..D).map(|k| second[k][k]).sum();
    for k in 0..3 {
        let expected = if D == 2 { trace } else { trace - second[k % D][k % D] } / unit;
        let found = shape.inertia[k];
        assert!((found - expected).abs() < tolerance * scale, "{}: {found} {expected}", shape.name);
    }
}

/// A random rotation.
pub(crate) fn rotation(random: &mut Random) -> [[f64; 3]; 3] {
    Pose::from_quaternion([0.0; 3], std::array::from_fn(|_| random.normal())).unwrap().rotation
}

/// The same by an angle.
pub(crate) fn planar_rotation(random: &mut Random) -> [[f64; 2]; 2] {
    Pose::from_angle([0.0; 2], random.uniform(0.0, 7.0)).unwrap().rotation
}

/// Turns, scales and shifts the whole, and checks that the shape is the same and is where it should be. Axes of equal moments
/// are free, and others may be turned by half a turn, or be in another order.
pub(crate) fn check_moved<const D: usize>(
    parts: &[Part<'_, D>],
    rotation: [[f64; D]; D],
    size: f64,
    position: [f64; D],
    tolerance: f64,
) {
    let whole = from_pieces("whole", parts).unwrap();
    let pose = Pose { position, rotation };
    let again = from_pieces("again", &[Part::Shape { shape: &whole.shape, size, pose }]).unwrap();
    same(&whole, &again, tolerance);
    assert!((again.size / size - 1.0).abs() < tolerance, "size {} {size}", again.size);
    let reach = size * whole.shape.reach;
    assert!((0..D).all(|k| (again.pose.position[k] - position[k]).abs() < tolerance * reach));
}

/// Whether two shapes have the same moments, in any order, and the same reach.
pub(crate) fn same<const D: usize>(a: &Built<D>, b: &Built<D>, tolerance: f64) {
    let sorted = |shape: &Shape<D>| {
        let mut inertia = shape.inertia;
        inertia.sort_by(f64::total_cmp);
        inertia
    };
    let (x, y) = (sorted(&a.shape), sorted(&b.shape));
    assert!((0..3).all(|k| (x[k] / y[k] - 1.0).abs() < tolerance), "{x:?} {y:?}");
    assert!((a.shape.reach / b.shape.reach - 1.0).abs() < tolerance);
    assert_eq!(a.shape.pieces.len(), b.shape.pieces.len());
}
