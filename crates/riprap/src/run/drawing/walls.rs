//! Walls as triangles and lines.

use crate::dem::Simulation;
use crate::dem::wall::{Placement, Surface};
use crate::picture::Picture;
use crate::run::frames::in_space;
use crate::vector::length;

/// Corners of a circle that stands for a cylinder.
const CORNERS: usize = 96;

/// Adds all walls that have not vanished.
pub(super) fn add<const D: usize>(picture: &mut Picture, simulation: &Simulation<D>) {
    let walls = simulation.walls().iter().zip(simulation.placements());
    for (wall, placement) in walls.filter(|(_, placement)| !placement.gone) {
        add_wall(picture, &wall.surface, placement, simulation);
    }
}

fn add_wall<const D: usize>(
    picture: &mut Picture,
    surface: &Surface<D>,
    placement: &Placement<D>,
    simulation: &Simulation<D>,
) {
    let now = |point: [f64; D]| in_space(placement.to_now(point));
    match surface {
        Surface::Plane { point, normal } if D == 2 => {
            let along: [f64; D] = std::array::from_fn(|k| if k == 0 { -normal[1] } else { normal[0] });
            let reach = surroundings(simulation).1;
            let end = |sign: f64| std::array::from_fn(|k| point[k] + sign * reach * along[k]);
            picture.lines.push([now(end(-1.0)), now(end(1.0))]);
        }
        // As much of an infinite plane as there are bodies beside it.
        Surface::Plane { point, normal } => {
            let (middle, reach) = surroundings(simulation);
            let middle = placement.to_start(middle);
            let above: f64 = (0..D).map(|k| (middle[k] - point[k]) * normal[k]).sum();
            let (first, second) = across(*normal);
            let corner = |turn: usize| {
                let (a, b) = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)][turn % 4];
                now(std::array::from_fn(|k| {
                    middle[k] - above * normal[k] + 0.6 * reach * (a * first[k] + b * second[k])
                }))
            };
            picture.lines.extend((0..4).map(|turn| [corner(turn), corner(turn + 1)]));
        }
        Surface::Box { min, max } => {
            for edge in 0..1 << D {
                for k in (0..D).filter(|k| edge >> k & 1 == 0) {
                    let corner = |bits: usize| {
                        std::array::from_fn(|k| if bits >> k & 1 == 1 { max[k] } else { min[k] })
                    };
                    picture.lines.push([now(corner(edge)), now(corner(edge | 1 << k))]);
                }
            }
        }
        Surface::Cylinder { point, axis, radius, .. } => {
            let (first, second) = across(*axis);
            let on = |corner: usize, along: f64| -> [f64; D] {
                let angle = std::f64::consts::TAU * corner as f64 / CORNERS as f64;
                let (sine, cosine) = libm::sincos(angle);
                std::array::from_fn(|k| {
                    point[k] + along * axis[k] + radius * (cosine * first[k] + sine * second[k])
                })
            };
            let bodies = simulation.bodies();
            let along = |x: &[f64; D]| (0..D).map(|k| (x[k] - point[k]) * axis[k]).sum::<f64>();
            let (low, high) = bodies
                .position
                .iter()
                .map(along)
                .fold((0.0f64, 0.0f64), |(low, high), x| (low.min(x), high.max(x)));
            for corner in 0..CORNERS {
                picture.lines.push([now(on(corner, low)), now(on(corner + 1, low))]);
                if D == 3 {
                    picture.lines.push([now(on(corner, high)), now(on(corner + 1, high))]);
                }
            }
        }
        Surface::Facets(facets) => {
            for corners in facets.corners() {
                let corner = |k: usize| now(corners[k % D]);
                if D == 2 {
                    picture.lines.push([corner(0), corner(1)]);
                } else {
                    picture.triangles.push([corner(0), corner(1), corner(2)]);
                }
            }
        }
    }
}

/// Two unit vectors across an axis and each other; in the plane those of the axes.
fn across<const D: usize>(axis: [f64; D]) -> ([f64; D], [f64; D]) {
    if D == 2 {
        let unit = |k: usize| std::array::from_fn(|i| f64::from(u8::from(i == k)));
        return (unit(0), unit(1));
    }
    let smallest = (0..D).min_by(|&i, &j| axis[i].abs().total_cmp(&axis[j].abs())).unwrap_or(0);
    let start: [f64; D] =
        std::array::from_fn(|k| f64::from(u8::from(k == smallest)) - axis[k] * axis[smallest]);
    let first = start.map(|x| x / length(start));
    let second = std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % D, (k + 2) % D);
        axis[i] * first[j] - axis[j] * first[i]
    });
    (first, second)
}

/// The middle of all bodies, and how far they are from each other, roughly.
fn surroundings<const D: usize>(simulation: &Simulation<D>) -> ([f64; D], f64) {
    let bodies = simulation.bodies();
    let (mut low, mut high) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
    for x in &bodies.position {
        for k in 0..D {
            (low[k], high[k]) = (low[k].min(x[k]), high[k].max(x[k]));
        }
    }
    if bodies.is_empty() {
        return ([0.0; D], 1.0);
    }
    let largest = bodies.radius.iter().copied().fold(0.0, f64::max);
    let extent = (0..D).map(|k| high[k] - low[k]).fold(2.0 * largest, f64::max);
    (std::array::from_fn(|k| 0.5 * (low[k] + high[k])), extent)
}
