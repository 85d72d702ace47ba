//! Stones on walls made of facets: as on planes, wherever the facets were cut, and at their edges.

use riprap::Random;
use riprap::dem::wall::{Facets, Surface, Wall};
use riprap::dem::{NewBody, Settings, Simulation};
use riprap::shape::{self, Part, Shape};

use crate::{EDGE, G, MASS, STIFFNESS, UPRIGHT, about, floor, ready, rock, simulation, size_of_cube};

/// A wall of triangles that can be touched from both sides.
pub(crate) fn mesh(triangles: Vec<[[f64; 3]; 3]>) -> Wall<3> {
    Wall::new("mesh", Surface::Facets(Facets::new(triangles, false).unwrap()))
}

/// A parallelogram cut at random into so many triangles, at least: each of three corners and a point inside, or of a corner and the halves of
/// the opposite side, where the neighbour's side is not cut.
pub(crate) fn cut(corner: [f64; 3], sides: [[f64; 3]; 2], count: usize, seed: u64) -> Vec<[[f64; 3]; 3]> {
    let at = |s: f64, t: f64| -> [f64; 3] {
        std::array::from_fn(|k| corner[k] + s * sides[0][k] + t * sides[1][k])
    };
    let mut triangles = vec![[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]];
    let mut random = Random::new(seed);
    let area = |[a, b, c]: &[[f64; 2]; 3]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    while triangles.len() < count {
        // The largest of some, so that none becomes a sliver.
        let choices = [(); 4].map(|()| random.below(triangles.len()));
        let largest =
            choices.into_iter().max_by(|&i, &j| area(&triangles[i]).total_cmp(&area(&triangles[j])));
        let [a, b, c] = triangles.swap_remove(largest.unwrap());
        let share = random.uniform(0.3, 0.7);
        let between = |p: [f64; 2], q: [f64; 2], share: f64| [0, 1].map(|k| p[k] + share * (q[k] - p[k]));
        if random.below(2) == 0 {
            let inside = between(between(a, b, share), c, random.uniform(0.2, 0.5));
            triangles.extend([[a, b, inside], [b, c, inside], [c, a, inside]]);
        } else {
            let on_side = between(a, b, share);
            triangles.extend([[a, on_side, c], [on_side, b, c]]);
        }
    }
    triangles.into_iter().map(|triangle| triangle.map(|[s, t]| at(s, t))).collect()
}

/// A floor of side 0.6 about the origin, cut into triangles.
fn cut_floor(count: usize, seed: u64) -> Wall<3> {
    mesh(cut([-0.3, -0.3, 0.0], [[0.6, 0.0, 0.0], [0.0, 0.6, 0.0]], count, seed))
}

/// The floors that must all be the same: a plane, and cuts of it.
fn floors() -> Vec<Wall<3>> {
    let cuts = [(2, 0), (200, 1), (200, 2), (1500, 3)];
    let cuts = cuts.map(|(count, seed)| cut_floor(count, seed));
    std::iter::once(floor([0.0, 0.0, 1.0])).chain(cuts).collect()
}

/// A body on a wall, with nothing else.
pub(crate) fn alone(
    shape: Shape<3>,
    settings: &Settings<3>,
    (restitution, friction): (f64, f64),
    walls: Vec<Wall<3>>,
    body: NewBody<3>,
) -> Simulation<3> {
    let mut simulation = simulation(settings.clone(), rock(restitution, friction), walls);
    let shape = simulation.add_shape(shape).unwrap();
    simulation.insert(&[NewBody { shape, ..body }]).unwrap();
    simulation
}

pub(crate) fn settings(gravity: [f64; 3], time_step: f64) -> Settings<3> {
    Settings { gravity, time_step, force_step: true, ..Settings::default() }
}

pub(crate) fn cube(position: [f64; 3]) -> NewBody<3> {
    NewBody { orientation: UPRIGHT, ..NewBody::ball(position, size_of_cube(EDGE)) }
}

/// Where a body is, how it moves and the books, after some steps on each floor; they must agree with the plane's.
fn agree(
    what: &str,
    shape: Shape<3>,
    settings: &Settings<3>,
    values: (f64, f64),
    body: NewBody<3>,
    steps: u64,
) {
    let run = |wall: Wall<3>| {
        let mut simulation = alone(shape.clone(), settings, values, vec![wall], body);
        let (mut worst, mut trace) = (0.0f64, Vec::new());
        for _ in 0..20 {
            simulation.advance_by(steps / 20).unwrap();
            worst = worst.max(simulation.ledger().error());
            trace.push((simulation.velocities().next().unwrap(), simulation.spins().next().unwrap()));
        }
        assert!(worst < 1e-3, "{what}: {worst} {:?}", simulation.ledger());
        (simulation.bodies().position[0], trace, simulation.wall_loads()[0])
    };
    let mut runs = floors().into_iter().map(run);
    let expected = runs.next().unwrap();
    let fastest =
        expected.1.iter().flat_map(|(velocity, _)| *velocity).fold(1e-3, |a: f64, b| a.max(b.abs()));
    for (k, found) in runs.enumerate() {
        let moved = (0..3).map(|k| (found.0[k] - expected.0[k]).abs()).fold(0.0, f64::max);
        let speed = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| (a[k] - b[k]).abs()).fold(0.0, f64::max);
        let traces = found.1.iter().zip(&expected.1);
        let worst = traces.map(|(a, b)| speed(a.0, b.0).max(EDGE * speed(a.1, b.1))).fold(0.0, f64::max);
        println!("{what} {k}: {moved:.1e} {worst:.1e}");
        assert!(
            moved < 1e-9 * EDGE.max(0.1) && worst < 1e-9 * fastest.max(1.0),
            "{what} {k}: {moved} {worst}"
        );
        let force = speed(found.2.force, expected.2.force);
        assert!(force < 1e-6 * MASS * G, "{what} {k}: {:?} {:?}", found.2, expected.2);
    }
}

#[test]
fn rest_and_rocking_are_as_on_a_plane() {
    let down = settings([0.0, 0.0, -G], 5e-6);
    let flat = cube([0.013, -0.021, 0.5 * EDGE + 1e-4]);
    agree("rest", ready("cube"), &down, (0.3, 0.7), flat, 40_000);
    let tilted = NewBody { orientation: about([0.3, 1.0, 0.2], 0.05), position: [0.01, 0.0, 0.0265], ..flat };
    agree("rocking", ready("cube"), &down, (0.5, 0.7), tilted, 40_000);
    let tumbling =
        NewBody { velocity: [0.4, 0.3, 0.0], spin: [3.0, -4.0, 4.0], position: [0.0, 0.0, 0.06], ..flat };
    agree("tumbling", ready("fourteen"), &down, (0.4, 0.5), tumbling, 100_000);
}

#[test]
fn sliding_is_as_on_a_plane() {
    let friction = 35f64.to_radians().tan();
    for angle in [34.0f64, 36.0] {
        let (sine, cosine) = angle.to_radians().sin_cos();
        let slope = settings([G * sine, 0.3 * G * sine, -G * cosine], 5e-6);
        let depth = MASS * G * cosine / STIFFNESS;
        agree(
            "slope",
            ready("cube"),
            &slope,
            (0.3, friction),
            cube([-0.1, -0.02, 0.5 * EDGE - depth]),
            60_000,
        );
    }
}

#[test]
fn impacts_are_as_on_a_plane() {
    let free = settings([0.0; 3], 2e-6);
    let falling = |height: f64, orientation: [f64; 4]| NewBody {
        velocity: [0.02, 0.01, -0.01],
        orientation,
        ..cube([0.003, 0.002, height])
    };
    let height = 0.5 * EDGE * (0.5f64.cos() + 0.5f64.sin());
    agree(
        "edge",
        ready("cube"),
        &free,
        (1.0, 0.3),
        falling(height + 1e-6, about([1.0, 0.0, 0.0], 0.5)),
        20_000,
    );
    let norm = (1.0f64 + 0.16 + 0.0625).sqrt();
    let corner = [1.0 / norm, 0.4 / norm, 0.25 / norm, 0.0];
    agree("corner", ready("cube"), &free, (1.0, 0.3), falling(0.0433, corner), 200_000);
}

/// A clump, and a ball in two pieces, of which one is inside the other.
#[test]
fn clumps_move_as_on_a_plane() {
    let clump = [([0.0; 3], 1.0), ([1.0, 0.0, 0.0], 0.8), ([0.0, 0.7, 0.4], 0.5)];
    let clump = shape::from_spheres("clump", &clump).unwrap().shape;
    let body = NewBody { velocity: [0.5, 0.2, -0.3], spin: [1.0, 2.0, 3.0], ..cube([0.0, 0.0, 0.06]) };
    agree("clump", clump, &settings([0.0, 0.0, -G], 5e-6), (0.4, 0.5), body, 60_000);
}

#[test]
fn a_ball_in_pieces_rolls_as_a_ball() {
    let run = |shape: Shape<3>| {
        let body = NewBody { velocity: [0.5, 0.2, -0.3], ..cube([0.0, 0.0, 0.04]) };
        let floor = cut_floor(200, 1);
        let mut simulation = alone(shape, &settings([0.0, 0.0, -G], 5e-6), (0.4, 0.5), vec![floor], body);
        simulation.advance_by(60_000).unwrap();
        assert!(simulation.ledger().error() < 1e-3);
        (simulation.bodies().position[0], simulation.spins().next().unwrap())
    };
    let ball = |radius: f64| Part::Ball { center: [0.0; 3], radius };
    let inside = Part::Ball { center: [0.1, 0.0, 0.0], radius: 0.5 };
    let (expected, found) =
        (run(ready("sphere")), run(shape::from_pieces("two", &[ball(1.0), inside]).unwrap().shape));
    for k in 0..3 {
        assert!((found.0[k] - expected.0[k]).abs() < 1e-9, "{found:?} {expected:?}");
        assert!((found.1[k] - expected.1[k]).abs() < 1e-6, "{found:?} {expected:?}");
    }
}
