//! Laws that pull: pull-off forces, leaps into contact and out of it, what a cycle costs, and which speed sticks.

use std::f64::consts::PI;

use riprap::dem::wall::{Facets, Phase, Surface, Wall};
use riprap::dem::{LawKind, Material, Settings, Simulation};

use crate::{ball, floor, material, on_threads, simulation, turning};

pub(crate) const RADIUS: f64 = 1e-3;
pub(crate) const ADHESION: f64 = 0.5;
pub(crate) const TENSION: f64 = 0.07;
pub(crate) const VOLUME: f64 = 1e-12;
pub(crate) const LAWS: [LawKind; 3] = [LawKind::Jkr, LawKind::Dmt, LawKind::Bridge];

pub(crate) fn sticky() -> Material {
    Material {
        young: Some(1e7),
        restitution: 1.0,
        friction: 0.0,
        adhesion: Some(ADHESION),
        surface_tension: Some(TENSION),
        bridge_volume: Some(VOLUME),
        ..material("sticky")
    }
}

/// Modulus of two of it.
pub(crate) fn modulus() -> f64 {
    1e7 / (2.0 * (1.0 - 0.25 * 0.25))
}

/// Force on a plate at each overlap as it is pressed slowly onto a heavy ball and drawn back again: the way down, and the way up.
fn cycle(law: LawKind) -> (Vec<[f64; 2]>, Vec<[f64; 2]>, f64) {
    let (depth, apart, speed, step) = (4e-6, 1.5e-4, 1e-3, 1e-6);
    let down = (1e-6 + depth) / speed;
    let end = down + (depth + apart) / speed;
    let phase = |start: f64, end: f64, velocity: f64| Phase {
        start,
        end,
        velocity: [0.0, 0.0, velocity],
        spin: [0.0; 3],
        center: [0.0; 3],
    };
    let surface = Surface::Plane { point: [0.0, 0.0, RADIUS + 1e-6], normal: [0.0, 0.0, -1.0] };
    let plate = Wall {
        motion: vec![phase(0.0, down, -speed), phase(down, end, speed)],
        ..Wall::new("plate", surface)
    };
    let settings = Settings { time_step: step, force_step: true, ..Settings::default() };
    let mut simulation = simulation::<3>(law, settings, &[sticky()], vec![plate]);
    // So heavy that it does not move.
    let mut anvil = ball([0.0; 3], [0.0; 3], RADIUS);
    anvil.mass = Some(1e6);
    simulation.insert(&[anvil]).unwrap();
    let (mut there, mut back, mut work) = (Vec::new(), Vec::new(), 0.0);
    while simulation.time() < end - step {
        simulation.advance().unwrap();
        let way = if simulation.time() < down { &mut there } else { &mut back };
        if let Some(contact) = simulation.contacts().first() {
            way.push([contact.overlap, contact.push]);
        }
        work = simulation.ledger().walls;
    }
    assert!(simulation.contacts().is_empty(), "{law:?}: not torn off");
    let ledger = simulation.ledger();
    // Against the force of touch over the depth.
    let scale = 2.0 * PI * ADHESION * RADIUS * depth;
    assert!(ledger.imbalance().abs() < 1e-3 * scale, "{law:?}: {ledger:?}");
    (there, back, work)
}

fn least(way: &[[f64; 2]]) -> f64 {
    way.iter().map(|[_, force]| *force).fold(f64::INFINITY, f64::min)
}

fn near(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found / expected - 1.0).abs() < tolerance, "{what}: {found}, expected {expected}");
}

#[test]
fn jkr_leaps_in_at_touch_and_out_at_its_last_distance() {
    let (there, back, work) = cycle(LawKind::Jkr);
    let pull_off = 1.5 * PI * ADHESION * RADIUS;
    // The first of all acts for more or less than a step.
    near(there[1][1], -8.0 / 9.0 * pull_off, 5e-3, "force at touch");
    assert!(there[0][0] < 2e-9, "it leaps in at touch: {:?}", there[0]);
    near(least(&back), -pull_off, 1e-5, "pull-off force");
    let area = (2.0 * PI * ADHESION * RADIUS * RADIUS / modulus()).cbrt();
    let [.., before, last] = back[..] else { panic!("a way back") };
    near(last[0], -0.75 * 0.25f64.cbrt() * area * area / RADIUS, 1e-3, "last distance");
    // The last of all acts for a part of a step.
    near(before[1], -5.0 / 9.0 * pull_off, 3e-2, "last force");
    let cost = 7.09 * (ADHESION.powi(5) * RADIUS.powi(4) / modulus().powi(2)).cbrt();
    near(work, cost, 2e-3, "work of a cycle");
}

#[test]
fn dmt_pulls_while_surfaces_touch_and_costs_nothing() {
    let (there, back, work) = cycle(LawKind::Dmt);
    let pull_off = 2.0 * PI * ADHESION * RADIUS;
    near(least(&back), -pull_off, 1e-3, "pull-off force");
    near(there[1][1], -pull_off, 1e-3, "force at touch");
    assert!(work.abs() < 1e-3 * pull_off * 4e-6, "the way back gives what the way there took: {work}");
    assert!(back.last().unwrap()[0] < 2e-9);
}

#[test]
fn a_bridge_forms_at_touch_and_breaks_at_its_length() {
    let (there, back, work) = cycle(LawKind::Bridge);
    // A plate has twice the mean radius.
    let most = 2.0 * PI * 2.0 * RADIUS * TENSION;
    near(there[1][1], -most, 2e-2, "force at touch");
    near(least(&back), -most, 1e-3, "pull-off force");
    let length = VOLUME.cbrt();
    near(-back.last().unwrap()[0], length, 1e-3, "rupture distance");
    let slant = |s: f64| (s * s + 2.0 * VOLUME / (PI * 2.0 * RADIUS)).sqrt();
    let middle = back.iter().find(|[overlap, _]| *overlap < -0.5 * length).unwrap();
    near(middle[1], -most * (1.0 + middle[0] / slant(middle[0])), 1e-9, "force half-way");
    near(work, most * (length - slant(length) + slant(0.0)), 1e-3, "work of a cycle");
}

/// Energies of two balls held together: that of attraction, and the elastic one that is left. For `jkr` the latter is what it takes to press
/// a sphere until its contact area is that wide, and to draw it back like a punch of that width (Johnson, Kendall and Roberts 1971).
#[test]
fn energies_of_attraction_and_elasticity_are_known() {
    let radius = 0.5 * RADIUS;
    let slant = |s: f64| (s * s + VOLUME / (PI * radius)).sqrt();
    let area = (2.0 * PI * ADHESION * radius * radius / modulus()).cbrt();
    for overlap in [2e-6f64, 1e-5, 4e-5] {
        let hertz = 8.0 / 15.0 * modulus() * radius.sqrt() * overlap.powf(2.5);
        let most = 4.0 * PI * radius * TENSION;
        let bridge = most * (VOLUME.cbrt() - slant(VOLUME.cbrt()) + slant(0.0) + overlap);
        // By halving: the overlap grows with the area.
        let (mut low, mut high) = (area, RADIUS);
        for _ in 0..100 {
            let a = 0.5 * (low + high);
            let grown = a * a / radius - (2.0 * PI * ADHESION * a / modulus()).sqrt() > overlap;
            (low, high) = if grown { (low, a) } else { (a, high) };
        }
        let held = modulus()
            * (low * overlap * overlap - 2.0 / 3.0 * low.powi(3) * overlap / radius
                + 0.2 * low.powi(5) / (radius * radius));
        let end = 0.05 * 0.25f64.cbrt() * modulus() * area.powi(5) / (radius * radius);
        let cases = [
            (LawKind::Jkr, held, ADHESION * PI * low * low + end),
            (LawKind::Dmt, hertz, 2.0 * PI * ADHESION * radius * overlap),
            (LawKind::Bridge, hertz, bridge),
        ];
        for (law, elastic, attraction) in cases {
            let settings = Settings { time_step: 1e-7, ..Settings::default() };
            let mut simulation: Simulation<3> = simulation(law, settings, &[sticky()], vec![]);
            let place = RADIUS - 0.5 * overlap;
            simulation.insert(&[-place, place].map(|x| ball([x, 0.0, 0.0], [0.0; 3], RADIUS))).unwrap();
            simulation.prepare().unwrap();
            let ledger = simulation.ledger();
            near(ledger.elastic, elastic, 1e-6, law.name());
            near(ledger.attraction, -attraction, 1e-6, law.name());
        }
    }
}

/// Whether a ball sticks to a plane that it meets head on at this speed.
fn sticks(law: LawKind, speed: f64) -> bool {
    let make = |time_step| {
        let settings = Settings { time_step, ..Settings::default() };
        let wall = floor([0.0, 0.0, 1.0], 0);
        let mut simulation: Simulation<3> = simulation(law, settings, &[sticky()], vec![wall]);
        simulation.insert(&[ball([0.0, 0.0, 1.0001 * RADIUS], [0.0, 0.0, -speed], RADIUS)]).unwrap();
        simulation
    };
    let mut simulation = make(0.25 * make(1e-9).stiffest().unwrap().step());
    let mut met = false;
    for _ in 0..400_000 {
        simulation.advance().unwrap();
        met |= !simulation.contacts().is_empty();
        let up = simulation.velocities().next().unwrap()[2];
        if met && simulation.contacts().is_empty() {
            return false;
        }
        // It is on its way back into the contact.
        if met && up < 0.0 && simulation.bodies().position[0][2] < RADIUS && simulation.time() > 5e-3 {
            return true;
        }
    }
    met
}

#[test]
fn balls_stick_below_the_known_speed() {
    let mass = 2500.0 * 4.0 / 3.0 * PI * RADIUS.powi(3);
    let slant = |s: f64| (s * s + 2.0 * VOLUME / (PI * 2.0 * RADIUS)).sqrt();
    let bridge = 2.0 * PI * 2.0 * RADIUS * TENSION * (VOLUME.cbrt() - slant(VOLUME.cbrt()) + slant(0.0));
    let jkr = 7.09 * (ADHESION.powi(5) * RADIUS.powi(4) / modulus().powi(2)).cbrt();
    for (law, cost) in [(LawKind::Jkr, jkr), (LawKind::Bridge, bridge)] {
        let speed = (2.0 * cost / mass).sqrt();
        assert!(sticks(law, 0.99 * speed), "{law:?} below {speed}");
        assert!(!sticks(law, 1.01 * speed), "{law:?} above {speed}");
    }
}

/// Without adhesion the laws are Hertz's, and a slow ball rests on what holds it.
#[test]
fn without_adhesion_they_are_hertz() {
    let after = |law| {
        let stone = Material {
            adhesion: Some(0.0),
            surface_tension: Some(0.0),
            restitution: 0.6,
            friction: 0.3,
            ..sticky()
        };
        let settings = Settings { time_step: 1e-7, ..Settings::default() };
        let mut simulation: Simulation<3> =
            simulation(law, settings, std::slice::from_ref(&stone), vec![floor([0.0, 0.0, 1.0], 0)]);
        simulation.insert(&[ball([0.0, 0.0, 1.0001 * RADIUS], [0.2, 0.0, -0.3], RADIUS)]).unwrap();
        simulation.advance_by(20_000).unwrap();
        let velocity = simulation.velocities().next().unwrap();
        (velocity, simulation.spins().next().unwrap())
    };
    let hertz = after(LawKind::Hertz);
    for law in LAWS {
        let (velocity, spin) = after(law);
        for k in 0..3 {
            assert!((velocity[k] - hertz.0[k]).abs() < 1e-3 * 0.3, "{law:?} {velocity:?} {hertz:?}");
            assert!((spin[k] - hertz.1[k]).abs() < 1e-2 * 300.0, "{law:?} {spin:?} {hertz:?}");
        }
    }
}

/// A ball that rolls and leaps in a drum of forty flat sides: at the edges contacts pass on, are hidden and come to light.
#[test]
fn balls_pass_edges_without_gain() {
    let (radius, sides) = (0.03, 40);
    let corner = |k: u32| {
        let angle = 2.0 * PI * f64::from(k) / f64::from(sides);
        [radius * angle.cos(), radius * angle.sin()]
    };
    let cases = [(0.5, 0.3), (0.5, 2.0), (1.0, 2.0)];
    for (law, (restitution, speed)) in
        LAWS.iter().chain(&[LawKind::Hertz]).flat_map(|law| cases.map(|case| (*law, case)))
    {
        let stone = Material {
            young: Some(1e9),
            restitution,
            friction: 0.4,
            adhesion: Some(200.0),
            surface_tension: Some(70.0),
            bridge_volume: Some(1e-11),
            ..material("sticky")
        };
        let make = |time_step| {
            let facets = (0..sides).map(|k| [corner(k), corner((k + 1) % sides)]).collect();
            let drum = Wall::new("drum", Surface::Facets(Facets::new(facets, false).unwrap()));
            let settings = Settings { time_step, gravity: [0.0, -9.81], ..Settings::default() };
            let mut simulation: Simulation<2> =
                simulation(law, settings, std::slice::from_ref(&stone), vec![drum]);
            simulation.insert(&[ball([0.0, -0.0279], [speed, 0.0], 0.002)]).unwrap();
            simulation
        };
        let mut simulation = make(make(1e-9).stiffest().unwrap().step());
        while simulation.time() < 0.1 {
            simulation.advance_by(20).unwrap();
            assert!(
                simulation.ledger().error() < 1e-3,
                "{law:?} {restitution} {speed}: {:?}",
                simulation.ledger()
            );
        }
    }
}

/// Where one of two surfaces is dry there is no bridge, and the contact is Hertz's to the bit.
#[test]
fn dry_contacts_are_hertz() {
    let after = |law| {
        let stone = Material { restitution: 0.6, friction: 0.3, rolling_friction: 0.1, ..sticky() };
        let dry = Material { name: "dry".to_string(), bridge_volume: Some(0.0), ..stone.clone() };
        let settings = Settings { time_step: 1e-7, gravity: [0.0, 0.0, -9.81], ..Settings::default() };
        let mut simulation: Simulation<3> =
            simulation(law, settings, &[stone, dry], vec![floor([0.0, 0.0, 1.0], 1)]);
        simulation.insert(&[ball([0.0, 0.0, 1.0001 * RADIUS], [0.2, 0.0, -0.3], RADIUS)]).unwrap();
        simulation.advance_by(20_000).unwrap();
        let (position, velocity) = (simulation.bodies().position[0], simulation.velocities().next());
        (position, velocity, simulation.ledger())
    };
    assert_eq!(after(LawKind::Bridge), after(LawKind::Hertz));
}

/// Balls that stick from the start have brought their energy along; nothing has leapt.
#[test]
fn balls_in_contact_from_the_start_close() {
    for law in LAWS {
        let settings = Settings { time_step: 1e-7, ..Settings::default() };
        let mut simulation: Simulation<3> = simulation(law, settings, &[sticky()], vec![]);
        let place = 0.999 * RADIUS;
        simulation.insert(&[-place, place].map(|x| ball([x, 0.0, 0.0], [0.0; 3], RADIUS))).unwrap();
        for _ in 0..5000 {
            simulation.advance().unwrap();
            assert!(simulation.ledger().error() < 1e-3, "{law:?}: {:?}", simulation.ledger());
        }
    }
}

/// Turning balls thrown into a box to whose walls and to each other they stick; some have let go again.
fn powder(law: LawKind, vectors: bool) -> Simulation<3> {
    let stone = Material { restitution: 0.6, friction: 0.4, rolling_friction: 0.1, ..sticky() };
    let edge = 14.0 * RADIUS;
    let settings = Settings { gravity: [0.0, 0.0, -9.81], vectors, ..Settings::default() };
    let make = |time_step| {
        let walls = vec![Wall::new("box", Surface::Box { min: [0.0; 3], max: [edge; 3] })];
        let settings = Settings { time_step, ..settings.clone() };
        let mut simulation = simulation(law, settings, std::slice::from_ref(&stone), walls);
        let mut random = riprap::Random::new(7);
        let bodies: Vec<_> = (0..216)
            .map(|index| {
                let place = [index % 6, index / 6 % 6, index / 36];
                let position = place.map(|k| (2.3 * f64::from(k) + 1.2) * RADIUS);
                let velocity = std::array::from_fn(|_| random.uniform(-0.6, 0.6));
                let radius = random.uniform(0.8, 1.1) * RADIUS;
                turning(ball(position, velocity, radius), &mut random)
            })
            .collect();
        simulation.insert(&bodies).unwrap();
        simulation
    };
    make(make(1e-9).stiffest().unwrap().step())
}

#[test]
fn a_powder_has_the_same_bits_on_any_threads_and_after_a_restart() {
    for law in LAWS {
        let run = |vectors: bool, steps: u64| {
            let mut simulation = powder(law, vectors);
            simulation.advance_by(steps).unwrap();
            simulation
        };
        let whole = run(true, 9000);
        let (pairs, walls) = whole.contact_counts();
        assert!(pairs > 50 && walls > 20, "{law:?}: {pairs} {walls}");
        assert!(whole.ledger().adhesion > 0.0 || law == LawKind::Dmt, "{law:?}: {:?}", whole.ledger());
        assert!(whole.ledger().error() < 1e-3, "{law:?}: {:?}", whole.ledger());
        let expected = whole.state();
        for threads in [1, 2, 3] {
            assert!(on_threads(threads, || run(true, 9000).state()) == expected, "{law:?} {threads} threads");
        }
        assert!(run(false, 9000).state() == expected, "{law:?} without vectors");
        let mut resumed = powder(law, true);
        resumed.restore(run(true, 5000).state()).unwrap();
        resumed.advance_by(4000).unwrap();
        assert!(resumed.state() == expected, "{law:?} resumed");
    }
}
