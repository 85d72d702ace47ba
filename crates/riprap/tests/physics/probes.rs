//! What probes tell is what is there.

use riprap::dem::insert::Region;
use riprap::dem::{Domain, LawKind, NewBody, Outside, Settings, Simulation, stress};
use riprap::packing::ball_volume;

use crate::records::pressed;
use crate::{G, floor, material, resting, simulation};

const MASS: f64 = 2500.0;

/// Balls of two materials, of which the second moves: ids 0 and 1 in the left half of a box, 2 in the right one.
fn three() -> Simulation<2> {
    let domain = Domain { outside: Outside::Remove, ..Domain::periodic([0.0; 2], [1.0; 2]) };
    let domain = Domain { periodic: [true, false], ..domain };
    let settings = Settings { time_step: 1e-4, domain, ..Settings::default() };
    let mut simulation =
        simulation(LawKind::Linear, settings, &[material("stone"), material("glass")], vec![]);
    let at = |x: f64, y: f64| NewBody::ball([x, y], 0.01);
    simulation
        .insert(&[
            at(0.05, 0.5),
            NewBody { material: 1, spin: [0.0, 0.0, 3.0], ..at(0.25, 0.5).moving([1.0, -2.0]) },
            NewBody { material: 1, radius: 0.02, ..at(0.95, 0.5) },
        ])
        .unwrap();
    simulation
}

#[test]
fn regions_count_weigh_and_average_by_mass() {
    let simulation = three();
    let at = |min: [f64; 2], max: [f64; 2]| simulation.probe_region(&Region { min, max });
    let mass = MASS * ball_volume::<2>(0.01);
    let all = at([0.0; 2], [1.0; 2]);
    assert_eq!(all.particles, [1, 2]);
    assert!((all.mass / (6.0 * mass) - 1.0).abs() < 1e-12);
    let velocity = all.velocity.unwrap();
    assert!((velocity[0] - 1.0 / 6.0).abs() < 1e-12 && (velocity[1] + 2.0 / 6.0).abs() < 1e-12);
    // Lower faces belong to a region, upper ones do not.
    assert_eq!(at([0.05, 0.5], [0.25, 0.6]).particles, [1, 0]);
    assert_eq!(at([0.25, 0.4], [0.5, 0.5]).particles, [0, 0]);
    assert_eq!(at([0.3, 0.0], [0.5, 1.0]).velocity, None);
    // Across the seam of the periodic box, given from either side.
    assert_eq!(at([0.9, 0.0], [1.1, 1.0]).particles, [1, 1]);
    assert_eq!(at([-0.1, 0.0], [0.1, 1.0]).particles, [1, 1]);
    assert_eq!(at([0.9, 1.0], [1.1, 2.0]).particles, [0, 0]);
}

#[test]
fn a_particle_is_followed_until_it_leaves() {
    let mut simulation = three();
    simulation.advance_by(1000).unwrap();
    let found = simulation.probe_particle(1).unwrap();
    for (found, expected) in [(found.position, [0.35, 0.3]), (found.velocity, [1.0, -2.0])] {
        assert!((0..2).all(|k| (found[k] - expected[k]).abs() < 1e-9), "{found:?} {expected:?}");
    }
    assert_eq!(found.spin, [0.0, 0.0, 3.0]);
    assert_eq!(simulation.probe_particle(3), None);
    simulation.advance_by(2000).unwrap();
    assert_eq!(simulation.probe_particle(1), None);
    assert!(simulation.probe_particle(2).is_some());
}

/// A region around everything has the stress of all contacts, those with the floor in its face included; two halves add up to it.
#[test]
fn the_stress_of_a_region_is_that_of_its_contacts() {
    let simulation = pressed(LawKind::Hertz);
    let length = simulation.settings().domain.max[0];
    let lid = simulation.placements()[1].to_now([0.0, 0.0, 0.3])[2];
    let of = |low: f64, high: f64| {
        simulation.probe_region(&Region { min: [0.0, 0.0, low], max: [length, length, high] }).stress
    };
    let (all, lower, upper) = (of(0.0, lid), of(0.0, 0.3 * lid), of(0.3 * lid, lid));
    let expected = stress(simulation.contacts(), length * length * lid);
    let scale = expected[2][2];
    assert!(scale > 100.0);
    for k in 0..9 {
        let [all, lower, upper, expected] =
            [all, lower, upper, expected].map(|stress| stress.as_flattened()[k]);
        assert!((all - expected).abs() < 1e-9 * scale, "{all} {expected}");
        assert!((0.3 * lower + 0.7 * upper - all).abs() < 1e-9 * scale, "{lower} {upper} {all}");
    }
    // A third of the bed and the whole bear the same load, as far as a few layers of balls tell.
    assert!((lower[2][2] / scale - 1.0).abs() < 0.2, "{} {scale}", lower[2][2]);
}

/// One ball on the floor: its weight times its radius over the volume, positive because it is pressed.
#[test]
fn the_stress_under_a_ball_is_its_weight_times_its_radius() {
    let mut simulation =
        resting(LawKind::Hertz, &material("stone"), [0.0, 0.0, -G], floor([0.0, 0.0, 1.0], 0), 1e-5);
    simulation.advance_by(10).unwrap();
    let found = simulation.probe_region(&Region { min: [-0.01, -0.01, 0.0], max: [0.01, 0.01, 0.03] });
    let expected = found.mass * G * 0.01 / (0.02 * 0.02 * 0.03);
    assert!((found.stress[2][2] / expected - 1.0).abs() < 1e-3, "{found:?} {expected}");
    assert!(found.stress[0][0].abs() < 1e-9 * expected);
    let above = simulation.probe_region(&Region { min: [-0.01, -0.01, 0.001], max: [0.01, 0.01, 0.03] });
    assert_eq!((above.particles, above.stress), (vec![1], [[0.0; 3]; 3]));
}
