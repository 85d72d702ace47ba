//! Stones in motion: closed forms, books that close, states that must not change.

mod balls;
mod cylinders;
mod edges;
mod facets;
mod hooks;
mod impacts;
mod inserted;
mod lips;
#[path = "../common/long.rs"]
mod long;
mod meshes;
mod mixtures;
mod pairs;
mod planar;
mod rocking;
mod sameness;
mod seams;
mod sides;
mod vanishing;

use riprap::dem::wall::{Surface, Wall};
use riprap::dem::{LawKind, Material, Materials, NewBody, Settings, Simulation};
use riprap::shape::{self, Shape};

const G: f64 = 9.81;
/// Edge of the cubes, and what they weigh.
const EDGE: f64 = 0.05;
const DENSITY: f64 = 2650.0;
const MASS: f64 = DENSITY * EDGE * EDGE * EDGE;
/// Stiffness of a contact.
const STIFFNESS: f64 = 130e3;

/// Rock with the stiffness of the paper.
fn rock(restitution: f64, friction: f64) -> Material {
    Material {
        name: "rock".into(),
        density: DENSITY,
        k_n: Some(STIFFNESS),
        k_t: Some(102e3),
        restitution,
        friction,
        ..Material::default()
    }
}

fn simulation<const D: usize>(
    settings: Settings<D>,
    material: Material,
    walls: Vec<Wall<D>>,
) -> Simulation<D> {
    Simulation::new(settings, Materials::new(LawKind::Linear, vec![material]).unwrap(), walls).unwrap()
}

fn ready(name: &str) -> Shape<3> {
    shape::by_name::<3>(name).unwrap().shape
}

/// The size of a cube with this edge: the radius of the ball of the same volume.
fn size_of_cube(edge: f64) -> f64 {
    edge * (3.0 / (4.0 * std::f64::consts::PI)).cbrt()
}

fn floor(normal: [f64; 3]) -> Wall<3> {
    Wall::new("floor", Surface::Plane { point: [0.0; 3], normal })
}

/// The turn about an axis by an angle.
fn about(axis: [f64; 3], angle: f64) -> [f64; 4] {
    let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (sine, cosine) = (0.5 * angle).sin_cos();
    [cosine, sine * axis[0] / length, sine * axis[1] / length, sine * axis[2] / length]
}

const UPRIGHT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

fn near(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found / expected - 1.0).abs() < tolerance, "{what}: {found}, expected {expected}");
}

/// A cube of the usual edge in a simulation of its own.
fn with_cube(
    settings: Settings<3>,
    material: Material,
    walls: Vec<Wall<3>>,
    place: impl Fn(NewBody<3>) -> NewBody<3>,
) -> Simulation<3> {
    let mut simulation = simulation(settings, material, walls);
    let cube = simulation.add_shape(ready("cube")).unwrap();
    simulation.insert(&[place(NewBody::shaped(cube, [0.0; 3], size_of_cube(EDGE), UPRIGHT))]).unwrap();
    simulation
}

/// What moves must move less and less: by 12 orders of magnitude, and stay so; the books are looked at on the way. A stone that rocks slowly on
/// two points is hardly damped, and takes its time.
fn come_to_rest<const D: usize>(simulation: &mut Simulation<D>) {
    let (mut most, mut kinetic, mut at_rest) = (0.0f64, f64::INFINITY, 0);
    while simulation.time() < 20.0 && at_rest < 5 {
        simulation.advance_by(4000).unwrap();
        let ledger = simulation.ledger();
        kinetic = ledger.translation + ledger.rotation;
        most = most.max(kinetic);
        at_rest = if kinetic < 1e-12 * most { at_rest + 1 } else { 0 };
        assert!(ledger.error() < 1e-3, "{} s: {} {ledger:?}", simulation.time(), ledger.error());
    }
    assert!(at_rest == 5, "{most} {kinetic}");
}

/// The largest energy error on the way through an impact.
fn worst_error_of_impact(simulation: &mut Simulation<3>) -> f64 {
    let mut worst = 0.0f64;
    for _ in 0..200 {
        simulation.advance_by(100).unwrap();
        worst = worst.max(simulation.ledger().error());
    }
    worst
}

/// Velocity and spin of a cube that has been hit so far from its centre, at this speed and without any loss.
fn after_blow(speed: f64, arm: f64) -> (f64, f64) {
    let inertia = MASS * EDGE * EDGE / 6.0;
    let impulse = 2.0 * speed / (1.0 / MASS + arm * arm / inertia);
    (impulse / MASS - speed, impulse * arm / inertia)
}
