//! The same bits, however they are worked out; the same motion, however it is found; and what is refused.

use riprap::Random;
use riprap::convex::LinkMethod;
use riprap::dem::wall::{Phase, Surface, Wall};
use riprap::dem::{Domain, Material, NewBody, Partner, Settings, Simulation};
use riprap::shape::{self, Part, Shape};

use crate::facets::{cut, mesh};
use crate::pairs::random_turn;
use crate::{UPRIGHT, floor, ready, rock, simulation};

/// Stones, balls and clumps thrown about in a box that is periodic along one axis.
fn mixture(change: impl Fn(&mut Settings<3>)) -> Simulation<3> {
    let (spacing, counts) = (0.044, [13, 13, 13]);
    let edge = spacing * 13.0;
    let mut settings = Settings {
        gravity: [0.0, 0.0, -9.81],
        time_step: 1.5e-5,
        domain: Domain {
            min: [0.0, -1.0, -1.0],
            max: [edge, 2.0, 2.0],
            periodic: [true, false, false],
            ..Domain::default()
        },
        ..Settings::default()
    };
    change(&mut settings);
    let side = |point: [f64; 3], normal: [f64; 3]| Surface::Plane { point, normal };
    let walls = vec![
        Wall::new("floor", side([0.0; 3], [0.0, 0.0, 1.0])),
        Wall::new("front", side([0.0; 3], [0.0, 1.0, 0.0])),
        Wall::new("back", side([0.0, edge, 0.0], [0.0, -1.0, 0.0])),
        blade(),
    ];
    let mut simulation = simulation(settings, rock(0.5, 0.4), walls);
    let clump = [([0.0; 3], 1.0), ([1.0, 0.0, 0.0], 0.8), ([0.0, 0.7, 0.4], 0.5)];
    let clump = shape::from_spheres("clump", &clump).unwrap().shape;
    let shapes = [ready("cube"), ready("fourteen"), ready("sphere"), clump]
        .map(|shape| simulation.add_shape(shape).unwrap());
    let mut random = Random::new(3);
    let bodies: Vec<_> = (0..counts.iter().product())
        .map(|k: usize| {
            let place = [k % 13, k / 13 % 13, k / 169].map(|k| spacing * (k as f64 + 0.5));
            let mut body = NewBody::shaped(
                shapes[k % 4],
                place,
                random.uniform(0.010, 0.0135),
                random_turn(&mut random),
            );
            body.velocity = std::array::from_fn(|_| random.uniform(-1.0, 1.0));
            body.spin = std::array::from_fn(|_| random.uniform(-10.0, 10.0));
            body
        })
        .collect();
    simulation.insert(&bodies).unwrap();
    simulation
}

/// A plate above them that comes down and turns.
fn blade() -> Wall<3> {
    let mut wall = mesh(cut([0.1, 0.1, 0.61], [[0.3, 0.0, 0.02], [0.0, 0.3, -0.01]], 80, 1));
    let (velocity, spin, center) = ([0.2, 0.0, -2.5], [0.5, 1.0, 2.0], [0.25, 0.25, 0.6]);
    wall.motion = vec![Phase { start: 0.0, end: 9.0, velocity, spin, center }];
    wall
}

pub(crate) fn on_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

#[test]
fn bits_do_not_depend_on_threads_margins_or_restarts() {
    const STEPS: u64 = 4300;
    let run = |change: fn(&mut Settings<3>)| {
        let mut simulation = mixture(change);
        simulation.advance_by(STEPS).unwrap();
        simulation
    };
    let mut whole = mixture(|_| {});
    let (mut before, mut on_blade) = (whole.links(), 0);
    for _ in 0..STEPS / 100 {
        whole.advance_by(100).unwrap();
        let links = whole.links();
        assert!(links.looked_at >= before.looked_at && links.links >= before.links, "{links:?} {before:?}");
        before = links;
        on_blade += whole.contacts().iter().filter(|contact| contact.b == Partner::Wall(3)).count();
    }
    assert!(before.links > 0 && before.within_2 <= before.links, "{before:?}");
    let (pairs, walls) = whole.contact_counts();
    assert!(pairs > 20 && walls > 8, "{pairs} {walls}");
    assert!(on_blade > 20, "{on_blade}");
    assert!(whole.ledger().error() < 1e-3, "{:?}", whole.ledger());
    let expected = whole.state();
    for threads in [1, 2, 3] {
        assert!(on_threads(threads, || run(|_| {}).state()) == expected, "{threads} threads");
    }
    assert!(run(|settings| settings.skin = Some(0.004)).state() == expected, "another margin");
    let mut first = mixture(|_| {});
    first.advance_by(2700).unwrap();
    let mut second = mixture(|_| {});
    second.restore(first.state()).unwrap();
    second.advance_by(STEPS - 2700).unwrap();
    assert!(second.state() == expected, "resumed");
}

/// Whatever finds the common plane, a cube that falls on another goes the same way.
#[test]
fn all_methods_of_the_common_plane_give_the_same_run() {
    let run = |link: LinkMethod| {
        let settings = Settings { gravity: [0.0, 0.0, -9.81], time_step: 1e-5, link, ..Settings::default() };
        let mut simulation = simulation(settings, rock(0.3, 0.5), vec![floor([0.0, 0.0, 1.0])]);
        let cube = simulation.add_shape(ready("cube")).unwrap();
        let size = crate::size_of_cube(0.05);
        let bodies = [
            NewBody::shaped(cube, [0.0, 0.0, 0.0251], size, UPRIGHT),
            NewBody::shaped(cube, [0.004, 0.003, 0.0762], size, UPRIGHT),
        ];
        simulation.insert(&bodies).unwrap();
        simulation.advance_by(30_000).unwrap();
        assert!(simulation.ledger().error() < 1e-3, "{link:?}: {:?}", simulation.ledger());
        let state = simulation.state();
        let row = state.bodies.id.iter().position(|id| *id == 1).unwrap();
        state.bodies.position[row]
    };
    let expected = run(LinkMethod::ShortestLink);
    for link in [LinkMethod::FastCommonPlane, LinkMethod::CommonPlane] {
        let found = run(link);
        assert!((0..3).all(|k| (found[k] - expected[k]).abs() < 1e-6), "{link:?}: {found:?} {expected:?}");
    }
}

/// Stones so stiff that corners come into contact within a hundred thousandth of their size.
#[test]
fn stiff_stones_that_rock_keep_their_books() {
    let run = |link: LinkMethod| {
        let settings = Settings { gravity: [0.0, 0.0, -9.81], time_step: 2e-7, link, ..Settings::default() };
        let stiff = Material { k_n: Some(1e8), k_t: Some(8e7), ..rock(0.7, 0.5) };
        let mut simulation = simulation(settings, stiff, vec![floor([0.0, 0.0, 1.0])]);
        let cube = simulation.add_shape(ready("cube")).unwrap();
        let size = crate::size_of_cube(0.05);
        let turned = crate::about([1.0, 0.4, 0.0], 4e-4);
        let bodies = [
            NewBody::shaped(cube, [0.0, 0.0, 0.025], size, UPRIGHT),
            NewBody::shaped(cube, [0.004, 0.003, 0.07502], size, turned),
        ];
        simulation.insert(&bodies).unwrap();
        let mut worst = 0.0f64;
        for _ in 0..100 {
            simulation.advance_by(400).unwrap();
            let ledger = simulation.ledger();
            worst = worst.max((ledger.error() * ledger.gravity).abs());
        }
        let ledger = simulation.ledger();
        (worst, ledger.translation + ledger.rotation)
    };
    let (anew, still) = (run(LinkMethod::FastCommonPlane), run(LinkMethod::ShortestLink));
    println!("{anew:?} {still:?}");
    assert!(still.0 < 2.0 * anew.0 + 1e-9 && still.1 < 1e-4, "{still:?} {anew:?}");
}

/// To the bit.
#[test]
fn a_clump_of_one_sphere_is_a_ball() {
    let run = |shape: Shape<3>| {
        let settings = Settings { time_step: 2e-6, force_step: true, ..Settings::default() };
        let mut simulation = simulation(settings, rock(0.6, 0.3), vec![floor([0.0, 0.0, 1.0])]);
        let shape = simulation.add_shape(shape).unwrap();
        let mut body = NewBody::shaped(shape, [0.0, 0.0, 0.021], 0.02, UPRIGHT);
        body.velocity = [0.3, 0.0, -0.5];
        simulation.insert(&[body]).unwrap();
        simulation.advance_by(6000).unwrap();
        (simulation.velocities().next().unwrap(), simulation.spins().next().unwrap())
    };
    let clump = shape::from_pieces("clump", &[Part::Ball { center: [1.0, 2.0, 3.0], radius: 0.3 }]).unwrap();
    let found = run(clump.shape);
    assert!(found == run(ready("sphere")) && found.0[2] > 0.29);
}

/// A body that is not turned by a unit quaternion.
#[test]
fn what_stones_cannot_do_is_refused() {
    let mut simulation = simulation(Settings::default(), rock(0.5, 0.5), vec![floor([0.0, 0.0, 1.0])]);
    let cube = simulation.add_shape(ready("cube")).unwrap();
    let crooked = NewBody::shaped(cube, [0.0, 0.0, 1.0], 0.01, [1.0, 1.0, 0.0, 0.0]);
    assert!(simulation.insert(&[crooked]).unwrap_err().to_string().contains("unit quaternion"));
}
