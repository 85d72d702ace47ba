//! Concave bodies that hook into each other and hang.

use riprap::dem::wall::{Surface, Wall};
use riprap::dem::{NewBody, Settings, ShapeIndex, Simulation};
use riprap::shape::{self, Built, Part};

use crate::facets::{cut, mesh};
use crate::rocking::{product, quaternion};
use crate::{DENSITY, G, about, near, rock, simulation};

/// The corners of a box.
fn corners(min: [f64; 3], max: [f64; 3]) -> Vec<[f64; 3]> {
    (0..8)
        .map(|bits: usize| std::array::from_fn(|k| if bits >> k & 1 == 1 { max[k] } else { min[k] }))
        .collect()
}

/// A closed link, as of a chain: four bars round a hole, tall along z, flat along y.
fn link() -> Built<3> {
    let bars = [
        corners([-3.0, -0.5, -5.0], [-2.0, 0.5, 5.0]),
        corners([2.0, -0.5, -5.0], [3.0, 0.5, 5.0]),
        corners([-2.0, -0.5, 4.0], [2.0, 0.5, 5.0]),
        corners([-2.0, -0.5, -5.0], [2.0, 0.5, -4.0]),
    ];
    built("link", &bars)
}

/// A bracket with a mouth at its top that is open below to the left, and one at its bottom that is open above to the right: an S of
/// boxes, whose centre of mass is below the one and above the other.
fn bracket() -> Built<3> {
    let upper = [
        ([-1.5, -0.5, 3.0], [-0.7, 0.5, 4.0]),
        ([-1.5, -0.5, 4.0], [2.5, 0.5, 5.0]),
        ([1.5, -0.5, 0.0], [2.5, 0.5, 4.0]),
    ];
    let across = ([-2.5, -0.5, -0.5], [2.5, 0.5, 0.5]);
    let opposite = |(min, max): ([f64; 3], [f64; 3])| (max.map(|x| -x), min.map(|x| -x));
    let bars = upper.into_iter().chain([across]).chain(upper.map(opposite));
    built("bracket", &bars.map(|(min, max)| corners(min, max)).collect::<Vec<_>>())
}

fn built(name: &str, bars: &[Vec<[f64; 3]>]) -> Built<3> {
    let parts: Vec<_> = bars.iter().map(|bar| Part::Hull(bar)).collect();
    shape::from_pieces(name, &parts).unwrap()
}

/// A body of a shape whose own coordinates have their origin here.
fn placed(built: &Built<3>, shape: ShapeIndex, origin: [f64; 3]) -> NewBody<3> {
    let place = std::array::from_fn(|k| origin[k] + UNIT * built.pose.position[k]);
    NewBody::shaped(shape, place, built.size * UNIT, quaternion(&built.pose.rotation))
}

const UNIT: f64 = 0.01;
const STEP: f64 = 1e-5;
/// Looks at a body that hangs and swings.
const COUNT: u32 = 500;

/// Two brackets under a bar, whose top is at the origin: one over it, and across to it one in the lower mouth of the first.
fn hanging(bar: Vec<Wall<3>>) -> Simulation<3> {
    let settings = Settings { gravity: [0.0, 0.0, -G], time_step: STEP, ..Settings::default() };
    let mut simulation = simulation(settings, rock(0.2, 0.5), bar);
    let bracket = bracket();
    let shape = simulation.add_shape(bracket.shape.clone()).unwrap();
    let upper = placed(&bracket, shape, [0.0, 0.0, -4.0 * UNIT + 1e-5]);
    let mut lower = placed(&bracket, shape, [0.0, 0.0, -12.0 * UNIT + 2e-5]);
    lower.orientation = product(about([0.0, 0.0, 1.0], std::f64::consts::FRAC_PI_2), lower.orientation);
    simulation.insert(&[upper, lower]).unwrap();
    simulation
}

/// The bar, as planes cannot make it: five sides of a box of triangles, closed.
fn bar(cuts: usize) -> Wall<3> {
    let (min, max) = ([-0.4 * UNIT, -3.0 * UNIT, -UNIT], [0.4 * UNIT, 3.0 * UNIT, 0.0]);
    let side = |k: usize| -> [f64; 3] { std::array::from_fn(|i| if i == k { max[k] - min[k] } else { 0.0 }) };
    let mut triangles = Vec::new();
    for axis in 0..3 {
        for far in [false, true] {
            let mut corner = min;
            corner[axis] = if far { max[axis] } else { min[axis] };
            let sides = [side((axis + 1) % 3), side((axis + 2) % 3)];
            triangles.extend(cut(corner, sides, cuts, axis as u64));
        }
    }
    mesh(triangles)
}

/// How far the lowest body may come down without letting go.
fn hang(mut simulation: Simulation<3>, what: &str) {
    let start = [-4.0 * UNIT, -12.0 * UNIT];
    let (mut worst, mut pull) = (0.0f64, 0.0);
    for _ in 0..COUNT {
        simulation.advance_by(200).unwrap();
        worst = worst.max(simulation.ledger().error());
        pull += simulation.wall_loads()[0].force[2];
    }
    let bodies = simulation.bodies();
    for (id, place) in bodies.id.iter().zip(&bodies.position) {
        assert!((place[2] - start[*id as usize]).abs() < 0.1 * UNIT, "{what}: {id} {place:?}");
    }
    assert!(worst < 1e-3, "{what}: {worst} {:?}", simulation.ledger());
    let weight: f64 = simulation.bodies().radius.iter().map(|radius| weight_of(*radius)).sum();
    let mean = pull / f64::from(COUNT);
    near(mean, -weight, 0.05, what);
}

fn weight_of(radius: f64) -> f64 {
    G * DENSITY * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3)
}

#[test]
fn brackets_hang_on_a_bar_of_triangles_and_on_each_other() {
    for cuts in [2, 40] {
        hang(hanging(vec![bar(cuts)]), "bar");
    }
}

/// On a rod, which is a cylinder.
#[test]
fn a_bracket_hangs_on_a_rod() {
    let radius = 0.5 * UNIT;
    let rod = Surface::Cylinder { point: [0.0, 0.0, -radius], axis: [0.0, 1.0, 0.0], radius, inside: false };
    hang(hanging(vec![Wall::new("rod", rod)]), "rod");
}

/// A link stands in another, on a floor: what a concave body weighs is borne by its pieces together.
#[test]
fn a_link_lies_on_a_floor_as_on_triangles() {
    let run = |wall: Wall<3>| {
        let settings = Settings { gravity: [0.0, 0.0, -G], time_step: STEP, ..Settings::default() };
        let mut simulation = simulation(settings, rock(0.2, 0.5), vec![wall]);
        let link = link();
        let shape = simulation.add_shape(link.shape.clone()).unwrap();
        let mut body = placed(&link, shape, [0.0, 0.0, 6.0 * UNIT]);
        body.velocity = [0.1, 0.05, 0.0];
        body.spin = [1.0, 0.5, 0.2];
        simulation.insert(&[body]).unwrap();
        simulation.advance_by(60_000).unwrap();
        assert!(simulation.ledger().error() < 1e-3, "{:?}", simulation.ledger());
        simulation.bodies().position[0]
    };
    let plane = Surface::Plane { point: [0.0; 3], normal: [0.0, 0.0, 1.0] };
    let expected = run(Wall::new("floor", plane));
    let found = run(mesh(cut([-0.5, -0.5, 0.0], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], 100, 3)));
    assert!((0..3).all(|k| (found[k] - expected[k]).abs() < 1e-8), "{found:?} {expected:?}");
}
