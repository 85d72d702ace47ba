//! Bodies on a mesh that repeats itself in a periodic box: they leave on one side and come in on the other, and are on it all the time.

use riprap::dem::wall::{Facets, Surface, Wall};
use riprap::dem::{Domain, NewBody, Settings, Simulation};
use riprap::shape::{self, Shape};

use crate::{EDGE, G, UPRIGHT, floor, ready, rock, simulation, size_of_cube};

/// Edge of the box.
const BOX: f64 = 0.3;
const STEP: f64 = 2e-5;

/// A floor of two triangles, as large as the box.
fn mesh() -> Wall<3> {
    let corner = |x: f64, y: f64| [x * BOX, y * BOX, 0.0];
    let [a, b, c, d] = [corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)];
    Wall::new("floor", Surface::Facets(Facets::new(vec![[a, b, c], [a, c, d]], false).unwrap()))
}

/// A body that slides, or rolls, over the sides of the box.
fn sliding(floor: Wall<3>, shape: Option<Shape<3>>, size: f64, height: f64) -> Simulation<3> {
    let (min, max) = ([0.0, 0.0, -1.0], [BOX, BOX, 1.0]);
    let settings = Settings {
        gravity: [0.0, 0.0, -G],
        time_step: STEP,
        domain: Domain { min, max, periodic: [true, true, false], ..Domain::default() },
        ..Settings::default()
    };
    let mut simulation = simulation(settings, rock(0.5, 0.2), vec![floor]);
    let place = [0.8 * BOX, 0.7 * BOX, height];
    let body = match shape {
        Some(shape) => NewBody::shaped(simulation.add_shape(shape).unwrap(), place, size, UPRIGHT),
        None => NewBody::ball(place, size),
    };
    simulation.insert(&[body.moving([1.1, 0.9, 0.0])]).unwrap();
    simulation
}

/// A ball rolls on as on a plane. So does a clump, but that it lies on both images of the floor while it passes, which is stiffer.
#[test]
fn balls_and_clumps_pass_the_sides_of_the_box_as_on_a_plane() {
    let clump = shape::from_spheres("peanut", &[([0.0; 3], 1.0), ([0.7, 0.0, 0.0], 0.8)]).unwrap();
    let across = clump.pose.position[0] / clump.size;
    assert!(across > 0.0);
    for (shape, height, tolerance) in
        [(None, 0.02 - 1e-6, 1e-8), (Some(clump.shape), 0.02 / clump.size, 5e-3)]
    {
        let [mut plane, mut meshed] =
            [floor([0.0, 0.0, 1.0]), mesh()].map(|floor| sliding(floor, shape.clone(), 0.02, height));
        let mut jumps = 0;
        let mut before = meshed.bodies().position[0];
        for _ in 0..800 {
            plane.advance_by(50).unwrap();
            meshed.advance_by(50).unwrap();
            let (expected, found) = (plane.bodies().position[0], meshed.bodies().position[0]);
            jumps += (0..2).filter(|&k| (found[k] - before[k]).abs() > 0.5 * BOX).count();
            before = found;
            let off = (0..3).map(|k| {
                let apart = (found[k] - expected[k]).abs();
                if k < 2 { apart.min(BOX - apart) } else { apart }
            });
            assert!(off.fold(0.0, f64::max) < tolerance, "{found:?} {expected:?}");
            assert!((found[2] - expected[2]).abs() < 0.1 * tolerance.max(1e-7), "{found:?} {expected:?}");
        }
        assert!(jumps >= 3, "{jumps}");
        assert!(meshed.ledger().error() < 1e-3, "{:?}", meshed.ledger());
    }
}

/// A cube lies on both images of the floor while it passes, which is stiffer, but never leaves them, and gains nothing.
#[test]
fn a_cube_slides_over_the_sides_of_the_box() {
    let size = size_of_cube(EDGE);
    let height = 0.5 * EDGE - 6e-6;
    let [mut plane, mut meshed] =
        [floor([0.0, 0.0, 1.0]), mesh()].map(|floor| sliding(floor, Some(ready("cube")), size, height));
    let mut damped = 0.0;
    for _ in 0..500 {
        plane.advance_by(100).unwrap();
        meshed.advance_by(100).unwrap();
        let (found, ledger) = (meshed.bodies().position[0], meshed.ledger());
        assert!((found[2] - 0.5 * EDGE).abs() < 5e-5, "{} {found:?}", meshed.time());
        assert!(ledger.error() < 1e-3, "{ledger:?}");
        let terms = ledger.terms();
        let lost = terms.iter().find(|(name, _)| *name == "damping").unwrap().1;
        assert!(lost > damped - 1e-6, "{lost} {damped}");
        damped = lost;
    }
    // It has come to rest where it does on the plane, but for what the stiffer contact changes.
    let (expected, found) = (plane.bodies().position[0], meshed.bodies().position[0]);
    assert!((0..2).all(|k| (found[k] - expected[k]).abs() < 0.01), "{found:?} {expected:?}");
    let ledger = meshed.ledger();
    assert!(ledger.translation + ledger.rotation < 1e-9, "{ledger:?}");
}
