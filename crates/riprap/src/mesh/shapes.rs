//! Closed surfaces for tests, benchmarks and demonstrations.

use rustc_hash::FxHashMap;

use super::Mesh;
use crate::Random;
use crate::vector::{add, add_scaled, cross, dot, length, scale, sub, unit};

/// The unit sphere of Muth et al. 2006: an octahedron whose triangles are divided in four and their new vertices pushed out to the
/// sphere, `steps` times; `8 * 4^steps` triangles.
pub fn sphere(steps: u32) -> Mesh {
    let mut vertices: Vec<[f64; 3]> = Vec::new();
    for k in 0..3 {
        for sign in [1.0, -1.0] {
            let mut vertex = [0.0; 3];
            vertex[k] = sign;
            vertices.push(vertex);
        }
    }
    // Of the vertices +x, -x, +y, -y, +z, -z one of each axis, in the order that looks outwards.
    let mut triangles: Vec<[u32; 3]> = (0..8u32)
        .map(|octant| {
            let [x, y, z] = [octant & 1, 2 + (octant >> 1 & 1), 4 + (octant >> 2 & 1)];
            if octant.count_ones() % 2 == 0 { [x, y, z] } else { [x, z, y] }
        })
        .collect();
    for _ in 0..steps {
        let mut middles: FxHashMap<[u32; 2], u32> = FxHashMap::default();
        let mut middle = |a: u32, b: u32, vertices: &mut Vec<[f64; 3]>| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                let sum = add(vertices[a as usize], vertices[b as usize]);
                vertices.push(unit(sum).unwrap_or(sum));
                vertices.len() as u32 - 1
            })
        };
        triangles = triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(|[from, to]| middle(from, to, &mut vertices));
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect();
    }
    sound(vertices, triangles)
}

/// A tube of the given radius around a closed curve, given for parameters from 0 to 1: a torus, a knot.
pub fn tube(curve: impl Fn(f64) -> [f64; 3], radius: f64, along: u32, around: u32) -> Mesh {
    let at = |k: u32| curve(f64::from(k % along) / f64::from(along));
    let mut vertices = Vec::new();
    let mut side = [0.0, 0.0, 1.0];
    let mut frames = Vec::new();
    for k in 0..along {
        let tangent = unit(sub(at(k + 1), at(k + along - 1))).unwrap_or([1.0, 0.0, 0.0]);
        // The last direction to the side, made perpendicular: the frame turns as little as it can.
        side = unit(add_scaled(side, -dot(side, tangent), tangent)).unwrap_or([0.0, 1.0, 0.0]);
        frames.push((side, cross(tangent, side)));
    }
    // Whatever the frame has turned by when the curve closes is shared out along it.
    let (first, last) = (frames[0], frames[along as usize - 1]);
    let twist = libm::atan2(dot(last.0, first.1), dot(last.0, first.0));
    for (k, (side, other)) in (0..along).zip(frames) {
        let turn = -twist * f64::from(k) / f64::from(along);
        for j in 0..around {
            let angle = turn + std::f64::consts::TAU * f64::from(j) / f64::from(around);
            let out = add(scale(side, libm::cos(angle)), scale(other, libm::sin(angle)));
            vertices.push(add_scaled(at(k), radius, out));
        }
    }
    let number = |k: u32, j: u32| (k % along) * around + j % around;
    let triangles = (0..along).flat_map(|k| (0..around).map(move |j| (k, j))).flat_map(|(k, j)| {
        let [a, b, c, d] = [number(k, j), number(k + 1, j), number(k + 1, j + 1), number(k, j + 1)];
        [[a, b, c], [a, c, d]].map(|[x, y, z]| [x, z, y])
    });
    let triangles = triangles.collect();
    sound(vertices, triangles)
}

/// A torus about the z axis.
pub fn torus(radius: f64, thickness: f64, along: u32, around: u32) -> Mesh {
    let circle = |t: f64| {
        let angle = std::f64::consts::TAU * t;
        [radius * libm::cos(angle), radius * libm::sin(angle), 0.0]
    };
    tube(circle, thickness, along, around)
}

/// A trefoil knot.
pub fn knot(thickness: f64, along: u32, around: u32) -> Mesh {
    let trefoil = |t: f64| {
        let angle = std::f64::consts::TAU * t;
        [
            libm::sin(angle) + 2.0 * libm::sin(2.0 * angle),
            libm::cos(angle) - 2.0 * libm::cos(2.0 * angle),
            -libm::sin(3.0 * angle),
        ]
    };
    tube(trefoil, thickness, along, around)
}

/// Surfaces within surfaces: each mesh is added as it is.
pub fn together(parts: &[Mesh]) -> Mesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for part in parts {
        let first = vertices.len() as u32;
        vertices.extend_from_slice(&part.vertices);
        triangles.extend(part.triangles.iter().map(|corners| corners.map(|corner| corner + first)));
    }
    sound(vertices, triangles)
}

/// The same surface, scaled about the origin; a negative factor turns it inside out too.
pub fn scaled(mesh: &Mesh, factor: f64) -> Mesh {
    let vertices = mesh.vertices.iter().map(|&vertex| scale(vertex, factor)).collect();
    sound(vertices, mesh.triangles.clone())
}

/// The same surface with its inside out.
pub fn inverted(mesh: &Mesh) -> Mesh {
    let triangles = mesh.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    sound(mesh.vertices.clone(), triangles)
}

/// An open-celled foam: the unit cube without 27 overlapping bubbles, so that struts are left, on a lattice of
/// `resolution` cells along each edge. 31 000 triangles at 23, 117 000 at 40, 470 000 at 80.
pub fn foam(resolution: usize) -> Mesh {
    const BUBBLES_ALONG: usize = 3;
    let mut random = Random::new(2006);
    let mut bubbles = Vec::new();
    for k in 0..BUBBLES_ALONG.pow(3) {
        let cell = [k % BUBBLES_ALONG, k / BUBBLES_ALONG % BUBBLES_ALONG, k / BUBBLES_ALONG.pow(2)];
        bubbles.push(cell.map(|i| (i as f64 + 0.5 + random.uniform(-0.25, 0.25)) / BUBBLES_ALONG as f64));
    }
    let radius = 0.62 / BUBBLES_ALONG as f64;
    // Positive in the solid: outside all bubbles, inside the cube.
    let solid = |point: [f64; 3]| {
        let cube = point.iter().map(|x| x.min(1.0 - x)).fold(f64::INFINITY, f64::min);
        let bubble =
            bubbles.iter().map(|&center| length(sub(point, center))).fold(f64::INFINITY, f64::min) - radius;
        bubble.min(cube)
    };
    level_set(solid, [-0.02; 3], 1.04, resolution)
}

/// The surface on which a function is zero, positive inside, by tetrahedra: each cell of a lattice is divided in six, and each
/// of these has no crossing, a triangle or two. Closed if the function is negative all around.
pub fn level_set(function: impl Fn([f64; 3]) -> f64, low: [f64; 3], width: f64, resolution: usize) -> Mesh {
    let row = resolution + 1;
    let place = |index: usize| {
        let cell = [index % row, index / row % row, index / row / row];
        std::array::from_fn::<f64, 3, _>(|k| low[k] + width * cell[k] as f64 / resolution as f64)
    };
    // A value of zero would put several vertices in one place.
    let values: Vec<f64> = (0..row.pow(3))
        .map(|index| function(place(index)))
        .map(|value| {
            if value.abs() < 1e-6 * width / resolution as f64 {
                -1e-6 * width / resolution as f64
            } else {
                value
            }
        })
        .collect();
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let mut crossings: FxHashMap<[usize; 2], u32> = FxHashMap::default();
    let mut crossing = |a: usize, b: usize| {
        *crossings.entry([a.min(b), a.max(b)]).or_insert_with(|| {
            let (low, high) = (a.min(b), a.max(b));
            let share = values[low] / (values[low] - values[high]);
            vertices.push(add_scaled(place(low), share, sub(place(high), place(low))));
            vertices.len() as u32 - 1
        })
    };
    let steps = [1, row, row * row];
    for index in 0..row.pow(3) {
        if (0..3).any(|k| index / steps[k] % row == resolution) {
            continue;
        }
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            // From one corner of the cell to the opposite one, along the axes in this order.
            let mut corners = [index; 4];
            for k in 0..3 {
                corners[k + 1] = corners[k] + steps[order[k]];
            }
            // An odd order is a mirrored tetrahedron.
            if [[0, 2, 1], [1, 0, 2], [2, 1, 0]].contains(&order) {
                corners.swap(0, 1);
            }
            let (inside, outside): (Vec<usize>, Vec<usize>) = (0..4).partition(|&k| values[corners[k]] > 0.0);
            let mut cut = |i: usize, j: usize| crossing(corners[i], corners[j]);
            // The three others of a corner, in the order in which they turn the same way around it.
            let around = |k: usize| [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]][k];
            match (inside.len(), outside.len()) {
                (1, 3) => {
                    let [a, b, c] = around(inside[0]).map(|other| cut(inside[0], other));
                    triangles.push([a, b, c]);
                }
                (3, 1) => {
                    let [a, b, c] = around(outside[0]).map(|other| cut(outside[0], other));
                    triangles.push([a, c, b]);
                }
                (2, 2) => {
                    let [i, j] = [inside[0], inside[1]];
                    let [_, k, l] = {
                        let mut others = around(i);
                        let at = others.iter().position(|&other| other == j).unwrap_or(0);
                        others.rotate_left(at);
                        others
                    };
                    let [ik, il, jl, jk] = [cut(i, k), cut(i, l), cut(j, l), cut(j, k)];
                    triangles.push([ik, il, jl]);
                    triangles.push([ik, jl, jk]);
                }
                _ => {}
            }
        }
    }
    sound(vertices, triangles)
}

fn sound(vertices: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Mesh {
    Mesh::new(vertices, triangles).expect("a shape that is made here is sound")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the divergence theorem.
    fn volume(mesh: &Mesh) -> f64 {
        let corners = (0..mesh.triangles().len()).map(|triangle| mesh.corners(triangle));
        corners.map(|[a, b, c]| dot(a, cross(b, c)) / 6.0).sum()
    }

    #[test]
    fn shapes_are_closed_and_look_outwards() {
        let ball = 4.0 / 3.0 * std::f64::consts::PI;
        let ring = 2.0 * std::f64::consts::PI.powi(2) * 0.3 * 0.3;
        for (mesh, triangles, expected) in [
            (sphere(0), 8, 4.0 / 3.0),
            (sphere(5), 8192, ball),
            (torus(1.0, 0.3, 120, 60), 14_400, ring),
            (level_set(|p| 1.0 - length(p), [-1.5; 3], 3.0, 40), 19_944, ball),
            (inverted(&scaled(&sphere(5), -2.0)), 8192, 8.0 * ball),
        ] {
            mesh.check_closed().unwrap();
            let (count, volume) = (mesh.triangles().len(), volume(&mesh));
            assert!((count as f64 / f64::from(triangles) - 1.0).abs() < 0.1, "{count}");
            assert!((volume / expected - 1.0).abs() < 0.01, "{volume} {expected}");
        }
        let knot = knot(0.3, 300, 20);
        knot.check_closed().unwrap();
        assert!(volume(&knot) > 0.0);
    }

    #[test]
    fn the_foam_is_a_foam() {
        for (resolution, triangles) in [(23, 28_952), (40, 120_868), (80, 494_124)] {
            let foam = foam(resolution);
            foam.check_closed().unwrap();
            let count = foam.triangles().len();
            assert!((count as f64 / f64::from(triangles) - 1.0).abs() < 0.1, "{resolution}: {count}");
            assert!((0.05..0.5).contains(&volume(&foam)), "{}", volume(&foam));
        }
    }
}
