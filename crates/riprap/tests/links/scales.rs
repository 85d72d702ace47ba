//! Bodies with a scale against bodies that were built at their size.

use std::f64::consts::{FRAC_PI_4, PI};

use riprap::Random;
use riprap::convex::{
    Body, Link, LinkMemory, LinkMethod, Polygon, Polyhedron, Pose, ShapeError, Solver, shapes,
};

use super::long::cases;
use super::oracle::{Case, along, direction, dot, length, sub};

type Build<const D: usize> = fn(&[[f64; D]]) -> Result<Body<D>, ShapeError>;

const STEPS: usize = 20;

fn solids(random: &mut Random) -> Vec<Polyhedron> {
    let mut solids =
        vec![shapes::cube(), shapes::cuboid([1.0, 0.7, 0.2]), shapes::tetrahedron(), shapes::fourteen()];
    solids.extend([5, 8, 14, 40, 120].map(|count| shapes::stone(count, [1.0, 0.8, 0.6], random)));
    // Thin ones, and one whose faces are flat but for a few digits.
    solids.push(shapes::stone(8, [1.0, 0.1, 1e-4], random));
    solids.push(shapes::cuboid([1.0, 0.8, 1e-3]));
    let rough = |v: &[f64; 3]| v.map(|x| x + 1e-7 * random.normal());
    solids.push(
        Polyhedron::from_points(&shapes::cube().vertices().iter().map(rough).collect::<Vec<_>>()).unwrap(),
    );
    solids
}

fn flats(random: &mut Random) -> Vec<Polygon> {
    let mut flats = [3, 4, 6, 40].map(shapes::regular_polygon).to_vec();
    flats.extend([4, 7, 30].map(|count| shapes::pebble(count, [1.0, 0.6], random)));
    flats.push(shapes::pebble(9, [1.0, 1e-3], random));
    flats
}

/// Two shapes with a scale each, and the bodies of that size.
struct ScaledPair<const D: usize> {
    shapes: [Body<D>; 2],
    scales: [f64; 2],
    built: [Body<D>; 2],
}

impl<const D: usize> ScaledPair<D> {
    fn new(shapes: &[Body<D>], build: Build<D>, scales: [f64; 2], random: &mut Random) -> Self {
        let points = [0, 1].map(|_| shapes[random.below(shapes.len())].vertices());
        let at_scale = |side: usize, scale: f64| {
            build(&points[side].iter().map(|v| v.map(|x| scale * x)).collect::<Vec<_>>()).unwrap()
        };
        Self {
            shapes: [0, 1].map(|k| at_scale(k, 1.0)),
            scales,
            built: [0, 1].map(|k| at_scale(k, scales[k])),
        }
    }

    fn links(
        &self,
        solver: &mut Solver<D>,
        poses: &[Pose<D>; 2],
        memories: &mut [LinkMemory<D>; 2],
    ) -> [Link<D>; 2] {
        let [memory, other] = memories;
        let poses = poses.each_ref();
        [
            solver.link_scaled(self.shapes.each_ref(), poses, self.scales, memory),
            solver.link(self.built.each_ref(), poses, other),
        ]
    }

    fn size(&self) -> f64 {
        self.built[0].radius().max(self.built[1].radius())
    }
}

/// Turned about the origin in the plane of two axes.
fn turned<const D: usize>(pose: Pose<D>, [i, j]: [usize; 2], angle: f64) -> Pose<D> {
    let (sin, cos) = angle.sin_cos();
    let mut rotation = pose.rotation;
    let (x, y) = (rotation[i], rotation[j]);
    rotation[i] = along(x.map(|x| cos * x), -sin, y);
    rotation[j] = along(y.map(|y| cos * y), sin, x);
    Pose { rotation, ..pose }
}

/// Turned in the plane of each two axes, one after the other.
fn spun<const D: usize>(mut pose: Pose<D>, angles: [f64; 3]) -> Pose<D> {
    let planes: &[[usize; 2]] = if D == 2 { &[[0, 1]] } else { &[[0, 1], [1, 2], [2, 0]] };
    for (plane, angle) in planes.iter().zip(angles) {
        pose = turned(pose, *plane, angle);
    }
    pose
}

/// Where two bodies are while one moves past the other: deep in each other, touching or apart; turned at random, or so that faces
/// and edges lie on each other.
fn path<const D: usize>(bodies: [&Body<D>; 2], random: &mut Random) -> Vec<[Pose<D>; 2]> {
    let (small, size) =
        (bodies[0].radius().min(bodies[1].radius()), bodies[0].radius().max(bodies[1].radius()));
    let angles = |random: &mut Random| [0; 3].map(|_| random.uniform(-PI, PI));
    let a = spun(Pose::at([0.0; D]), angles(random));
    let normal =
        |random: &mut Random| a.turn(bodies[0].facets()[random.below(bodies[0].facets().len())].normal);
    // An eighth of a turn about an axis of its own brings an edge of a box down.
    let tilted = || {
        let own = turned(Pose::at([0.0; D]), [D - 2, D - 1], FRAC_PI_4).rotation;
        let column = |j: usize| a.turn(std::array::from_fn(|k| own[k][j]));
        Pose { rotation: std::array::from_fn(|i| std::array::from_fn(|j| column(j)[i])), ..a }
    };
    let kind = random.below(6);
    let (b, between) = match kind {
        0 => (a, normal(random)),
        1 => (tilted(), normal(random)),
        2 => {
            let middle = along(normal(random), 1.0, normal(random));
            let far = length(middle);
            (a, if far > 0.1 { middle.map(|x| x / far) } else { normal(random) })
        }
        _ => (spun(a, angles(random)), direction(random)),
    };
    let touching = -Case { bodies, poses: [a, b] }.gap_along(between);
    let gap = match random.below(6) {
        0 => -random.uniform(0.0, 0.5) * small,
        1 => -1e-3 * small,
        2 => 1e-9 * random.normal() * size,
        3 => 0.0,
        4 => random.uniform(0.0, 0.1) * small,
        _ => random.uniform(0.0, 2.0) * size,
    };
    let aside: [f64; D] = direction(random);
    let aside = along(aside, -dot(aside, between), between).map(|x| 0.3 * small * x);
    let start = along(aside, touching + gap, between);
    let aligned = kind < 3 && random.below(2) == 0;
    let way: [f64; D] = direction(random);
    let way = if aligned { along(way, -dot(way, between), between) } else { way };
    let spin: [f64; 3] = direction(random);
    (0..STEPS)
        .map(|step| {
            let time = 3e-3 * step as f64;
            let spin = spin.map(|x| if aligned { 0.0 } else { x * time });
            [a, Pose { position: along(start, time * small, way), ..spun(b, spin) }]
        })
        .collect()
}

/// By how much two links differ, in units of the size; infinite if only one has a region of contact.
fn difference<const D: usize>(x: &Link<D>, y: &Link<D>, size: f64) -> f64 {
    let ends = (0..2).map(|k| length(sub(x.points[k], y.points[k])) / size);
    let region = match (&x.patch, &y.patch) {
        (Some(x), Some(y)) => {
            (length(sub(x.center, y.center)) / size).max((x.area - y.area).abs() / size.powi(D as i32 - 1))
        }
        (None, None) => 0.0,
        _ => f64::INFINITY,
    };
    ends.fold(region.max((x.gap - y.gap).abs() / size).max(length(sub(x.normal, y.normal))), f64::max)
}

/// Random pairs, with scales drawn by `scale`, on their paths: by every method, with the last link and without.
fn along_paths<const D: usize>(
    shapes: &[Body<D>],
    build: Build<D>,
    scale: impl Fn(&mut Random) -> f64,
    random: &mut Random,
    mut test: impl FnMut(&ScaledPair<D>, LinkMethod, &[Pose<D>; 2], &mut [LinkMemory<D>; 2]),
) {
    for _ in 0..cases(300) {
        let scales = [scale(random), scale(random)];
        let pair = ScaledPair::new(shapes, build, scales, random);
        let path = path(pair.built.each_ref(), random);
        for (method, ..) in LinkMethod::ALL {
            let mut warm = [LinkMemory::default(); 2];
            for poses in &path {
                test(&pair, *method, poses, &mut [LinkMemory::default(); 2]);
                test(&pair, *method, poses, &mut warm);
            }
        }
    }
}

/// By powers of two nothing is rounded, so that every decision and every bit is the same.
fn same_bits<const D: usize>(shapes: &[Body<D>], build: Build<D>, random: &mut Random) {
    let power = |random: &mut Random| 2f64.powi(random.below(14) as i32 - 7);
    let mut patches = [0usize; 2];
    along_paths(shapes, build, power, random, |pair, method, poses, memories| {
        let [scaled, built] = pair.links(&mut Solver::new(method), poses, memories);
        assert_eq!(scaled, built, "{method:?} {:?}", pair.scales);
        assert_eq!(memories[0], memories[1], "{method:?} {:?}", pair.scales);
        if let Some(patch) = scaled.patch {
            patches[usize::from(patch.area > 0.0)] += 1;
        }
    });
    // Edges, which polygons do not have, and faces.
    assert!((patches[0] > 500 || D == 2) && patches[1] > 500, "{patches:?}");
}

#[test]
fn powers_of_two_change_no_bit() {
    let mut random = Random::new(1);
    same_bits(&solids(&mut random), Polyhedron::from_points, &mut random);
    same_bits(&flats(&mut random), Polygon::from_points, &mut random);
}

/// Rounding may lead to another of many equally good links; then only the gap is compared, and both start anew.
fn same_links<const D: usize>(shapes: &[Body<D>], build: Build<D>, random: &mut Random) {
    let any = |random: &mut Random| 10f64.powf(random.uniform(-2.0, 2.0));
    let (mut all, mut others) = (0usize, 0usize);
    along_paths(shapes, build, any, random, |pair, method, poses, memories| {
        let [scaled, built] = pair.links(&mut Solver::new(method), poses, memories);
        // The referee is good to some ten digits, and now and then takes another way.
        let referee = method == LinkMethod::Gjk;
        let off = (scaled.gap - built.gap).abs() / pair.size();
        assert!(off <= 1e-12 || referee, "{method:?} {:?} {scaled:?} {built:?}", pair.scales);
        all += 1;
        if difference(&scaled, &built, pair.size()) > if referee { 1e-6 } else { 1e-12 } {
            others += 1;
            *memories = [LinkMemory::default(); 2];
        }
    });
    assert!(others * 200 < all, "{others} of {all}");
}

#[test]
fn bodies_of_any_scale_have_the_links_of_those_built_at_their_size() {
    let mut random = Random::new(2);
    same_links(&solids(&mut random), Polyhedron::from_points, &mut random);
    same_links(&flats(&mut random), Polygon::from_points, &mut random);
}
