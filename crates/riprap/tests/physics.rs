//! Known solutions: impacts, sliding, rolling, conservation, cooling.

use riprap::Random;
use riprap::dem::wall::{Facets, Phase, Shape, Wall};
use riprap::dem::{
    LawKind, Ledger, Material, NewBody, PairValues, Settings, Simulation, Table, inertia_share,
};
use riprap::packing;

const G: f64 = 9.81;

fn material(name: &str) -> Material {
    Material { name: name.into(), density: 2500.0, k_n: Some(1e6), young: Some(1e8), ..Material::default() }
}

fn ball<const D: usize, const S: usize>(
    position: [f64; D],
    velocity: [f64; D],
    radius: f64,
    material: &Material,
) -> NewBody<D, S> {
    let mass = material.density * packing::ball_volume::<D>(radius);
    NewBody { position, velocity, spin: [0.0; S], radius, mass, material: 0 }
}

fn simulation<const D: usize, const S: usize>(
    settings: Settings<D>,
    materials: &[Material],
    walls: Vec<Wall<D, S>>,
) -> Simulation<D, S> {
    let table = Table::new(settings.law, materials, D, |_, _| PairValues::default(), |a, b| a == 0 || b == 0)
        .unwrap();
    Simulation::new(settings, table, walls).unwrap()
}

fn floor<const S: usize, const D: usize>(normal: [f64; D], material: u8) -> Wall<D, S> {
    let shape = Shape::Plane { point: [0.0; D], normal };
    Wall { name: "floor".into(), shape, material, motion: Vec::new(), center: [0.0; D] }
}

/// Largest overlap and force of two equal spheres that meet head on, or of one that meets a plane, and the duration.
fn elastic_impact(material: &Material, radius: f64, speed: f64, plane: bool) -> (f64, f64, f64) {
    let step = 1e-7 * radius / 0.01;
    let settings = Settings::<3> { law: LawKind::Hertz, time_step: step, ..Settings::default() };
    let rigid = Material { young: Some(f64::INFINITY), restitution: 1.0, ..material.clone() };
    let walls = if plane { vec![floor([1.0, 0.0, 0.0], 1)] } else { Vec::new() };
    let mut simulation = simulation::<3, 3>(settings, &[material.clone(), rigid], walls);
    if plane {
        simulation.insert(&[ball([radius, 0.0, 0.0], [-speed, 0.0, 0.0], radius, material)]);
    } else {
        simulation.insert(&[
            ball([-radius, 0.0, 0.0], [speed, 0.0, 0.0], radius, material),
            ball([radius, 0.0, 0.0], [-speed, 0.0, 0.0], radius, material),
        ]);
    }
    let (mut deepest, mut strongest) = (0.0f64, 0.0f64);
    for count in 0.. {
        simulation.advance().unwrap();
        let bodies = simulation.bodies();
        let overlap = if plane {
            radius - bodies.position[0][0]
        } else {
            2.0 * radius - (bodies.position[1][0] - bodies.position[0][0]).abs()
        };
        deepest = deepest.max(overlap);
        strongest = strongest.max(bodies.load[0].force[0].abs());
        if overlap < 0.0 {
            return (deepest, strongest, f64::from(count) * step);
        }
    }
    unreachable!()
}

#[test]
fn elastic_hertz_impacts_have_the_peak_and_duration_of_theory() {
    let limestone = Material {
        density: 2500.0,
        young: Some(2e10),
        poisson: 0.25,
        restitution: 1.0,
        ..material("limestone")
    };
    let (overlap, force, _) = elastic_impact(&limestone, 0.01, 10.0, false);
    assert!((force / 7108.2 - 1.0).abs() < 1e-4, "{force}");
    assert!((overlap / 368.3e-6 - 1.0).abs() < 2e-4, "{overlap}");

    let aluminium = Material {
        density: 2699.0,
        young: Some(7e10),
        poisson: 0.3,
        restitution: 1.0,
        ..material("aluminium")
    };
    let (overlap, force, duration) = elastic_impact(&aluminium, 0.1, 0.2, true);
    assert!((force / 11_369.9 - 1.0).abs() < 1e-3, "{force}");
    assert!((overlap / 49.72e-6 - 1.0).abs() < 1e-3, "{overlap}");
    assert!((duration / 0.7316e-3 - 1.0).abs() < 5e-3, "{duration}");
}

/// Speed along the normal after an impact of two spheres, over that before.
fn restitution(law: LawKind, asked: f64) -> f64 {
    let stone = Material { restitution: asked, friction: 0.0, ..material("stone") };
    let radius = 0.01;
    let step = if law == LawKind::Linear { 5e-6 } else { 2e-6 };
    let settings = Settings::<3> { law, time_step: step, ..Settings::default() };
    let mut simulation = simulation::<3, 3>(settings, std::slice::from_ref(&stone), vec![]);
    simulation.insert(&[
        ball([-1.01 * radius, 0.0, 0.0], [0.3, 0.0, 0.0], radius, &stone),
        ball([1.01 * radius, 0.0, 0.0], [-0.3, 0.0, 0.0], radius, &stone),
    ]);
    simulation.advance_by(3000).unwrap();
    assert_eq!(simulation.contacts().count(), 0);
    simulation.bodies().midstep_velocity[0][0].abs() / 0.3
}

#[test]
fn restitution_comes_out_as_asked() {
    for law in [LawKind::Linear, LawKind::Hertz] {
        for asked in [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0] {
            let found = restitution(law, asked);
            assert!((found / asked - 1.0).abs() < 5e-3, "{law:?} {asked}: {found}");
        }
    }
}

/// A sphere that hits a plane at an angle to its normal: tangential restitution and spin.
fn oblique(law: LawKind, angle: f64, friction: f64, restitution: f64) -> (f64, f64, f64) {
    let (radius, speed) = (0.01, 0.5);
    let stone = Material { restitution, friction, young: Some(1e9), k_n: Some(2e6), ..material("stone") };
    let settings = Settings::<3> { law, time_step: 2e-7, ..Settings::default() };
    let mut simulation =
        simulation::<3, 3>(settings, std::slice::from_ref(&stone), vec![floor([0.0, 0.0, 1.0], 0)]);
    let velocity = [speed * angle.sin(), 0.0, -speed * angle.cos()];
    simulation.insert(&[ball([0.0, 0.0, 1.001 * radius], velocity, radius, &stone)]);
    simulation.advance_by(8000).unwrap();
    assert_eq!(simulation.wall_contacts().count(), 0, "not over");
    let bodies = simulation.bodies();
    let tangential = bodies.midstep_velocity[0][0] / velocity[0];
    let spin = bodies.midstep_spin[0][1] * radius / (speed * angle.cos());
    (tangential, spin, simulation.ledger().error())
}

#[test]
fn oblique_impacts_that_slide_throughout_follow_coulomb() {
    let (friction, restitution) = (0.1, 0.8);
    for law in [LawKind::Linear, LawKind::Hertz] {
        for degrees in [45.0f64, 60.0, 75.0, 85.0] {
            let angle = degrees.to_radians();
            let (tangential, spin, error) = oblique(law, angle, friction, restitution);
            let expected = 1.0 - friction * (1.0 + restitution) / angle.tan();
            assert!((tangential - expected).abs() < 2e-3, "{law:?} {degrees}: {tangential} {expected}");
            // The paper's spin is about the axis that rolls backwards.
            let expected = 2.5 * friction * (1.0 + restitution);
            assert!((spin / expected - 1.0).abs() < 5e-3, "{law:?} {degrees}: {spin} {expected}");
            assert!(error < 1e-3, "{law:?} {degrees}: energy error {error}");
        }
        // Nearly head on, the surfaces stick and the impact is not that of sliding.
        let (tangential, ..) = oblique(law, 5f64.to_radians(), friction, restitution);
        assert!(tangential > 1.0 - friction * (1.0 + restitution) / 5f64.to_radians().tan() + 0.1);
    }
}

#[test]
fn spheres_that_roll_on_each_other_keep_rolling() {
    let stone = Material { friction: 0.5, restitution: 0.9, ..material("stone") };
    let radius = 0.01;
    for law in [LawKind::Linear, LawKind::Hertz] {
        let settings = Settings::<3> { law, time_step: 1e-6, ..Settings::default() };
        let mut simulation = simulation::<3, 3>(settings, std::slice::from_ref(&stone), vec![]);
        let mut pair = [
            ball([-1.001 * radius, 0.0, 0.0], [0.2, 0.0, 0.0], radius, &stone),
            ball([1.001 * radius, 0.0, 0.0], [-0.2, 0.0, 0.0], radius, &stone),
        ];
        // Like two wheels in gear.
        pair[0].spin = [0.0, 0.0, 30.0];
        pair[1].spin = [0.0, 0.0, -30.0];
        simulation.insert(&pair);
        for _ in 0..3000 {
            simulation.advance().unwrap();
            for velocity in &simulation.bodies().midstep_velocity {
                assert!(velocity[1].abs() < 1e-12 && velocity[2].abs() < 1e-12, "{law:?} {velocity:?}");
            }
        }
        assert!(simulation.bodies().midstep_velocity[0][0].abs() > 0.1);
        for spin in &simulation.bodies().midstep_spin {
            assert!((spin[2].abs() - 30.0).abs() < 1e-9, "{spin:?}");
        }
    }
}

/// A ball at rest on the floor of its own accord: as deep as its weight pushes it.
fn resting<const D: usize, const S: usize>(
    law: LawKind,
    stone: &Material,
    gravity: [f64; D],
    floor: Wall<D, S>,
    step: f64,
) -> Simulation<D, S> {
    let settings = Settings { law, time_step: step, gravity, ..Settings::default() };
    let mut simulation = simulation::<D, S>(settings, std::slice::from_ref(stone), vec![floor]);
    let radius = 0.01;
    let weight = stone.density * packing::ball_volume::<D>(radius) * gravity[D - 1].abs();
    let modulus = stone.young.unwrap() / (2.0 * (1.0 - stone.poisson * stone.poisson));
    let depth = match law {
        LawKind::Linear => weight / stone.k_n.unwrap(),
        LawKind::Hertz => (0.75 * weight / (modulus * radius.sqrt())).powf(2.0 / 3.0),
    };
    let mut position = [0.0; D];
    position[D - 1] = radius - depth;
    simulation.insert(&[ball(position, [0.0; D], radius, stone)]);
    simulation
}

#[test]
fn rolling_friction_slows_a_spin_at_a_constant_rate() {
    let stone = Material { friction: 0.0, rolling_friction: 0.02, ..material("stone") };
    for law in [LawKind::Linear, LawKind::Hertz] {
        let floor = floor::<3, 3>([0.0, 0.0, 1.0], 0);
        let mut simulation = resting(law, &stone, [0.0, 0.0, -G], floor, 1e-5);
        let mut state = simulation.state();
        state.bodies.midstep_spin[0] = [0.0, 20.0, 0.0];
        state.bodies.seen[0].spin = [0.0, 20.0, 0.0];
        simulation.restore(state).unwrap();
        let time = 0.2;
        simulation.advance_by((time / 1e-5) as u64).unwrap();
        let expected = 20.0 - 5.0 * 0.02 * G * time / (2.0 * 0.01);
        let found = simulation.bodies().midstep_spin[0][1];
        assert!((found / expected - 1.0).abs() < 2e-3, "{law:?} {found} {expected}");
        simulation.advance_by(80_000).unwrap();
        assert!(simulation.bodies().midstep_spin[0][1].abs() < 1e-3);
    }
}

#[test]
fn a_sliding_ball_ends_up_rolling_at_five_sevenths() {
    let stone = Material { friction: 0.3, ..material("stone") };
    for law in [LawKind::Linear, LawKind::Hertz] {
        let mut simulation = resting(law, &stone, [0.0, 0.0, -G], floor::<3, 3>([0.0, 0.0, 1.0], 0), 1e-5);
        let mut state = simulation.state();
        state.bodies.midstep_velocity[0][0] = 0.5;
        state.bodies.seen[0].velocity[0] = 0.5;
        state.account.inserted = 0.5 * 0.25 / state.bodies.inverse_mass(0);
        simulation.restore(state).unwrap();
        simulation.advance_by(20_000).unwrap();
        let bodies = simulation.bodies();
        let speed = bodies.midstep_velocity[0][0];
        assert!((speed / (0.5 * 5.0 / 7.0) - 1.0).abs() < 1e-3, "{law:?} {speed}");
        assert!((bodies.midstep_spin[0][1] * 0.01 / speed - 1.0).abs() < 1e-3);
        assert!(simulation.ledger().error() < 1e-3, "{:?}", simulation.ledger());
    }
}

#[test]
fn a_disk_that_slides_ends_up_rolling_at_two_thirds() {
    let stone = Material { friction: 0.3, density: 100.0, ..material("stone") };
    let mut simulation = resting(LawKind::Linear, &stone, [0.0, -G], floor::<1, 2>([0.0, 1.0], 0), 1e-5);
    let mut state = simulation.state();
    state.bodies.midstep_velocity[0][0] = 0.5;
    state.bodies.seen[0].velocity[0] = 0.5;
    simulation.restore(state).unwrap();
    simulation.advance_by(20_000).unwrap();
    let speed = simulation.bodies().midstep_velocity[0][0];
    assert!((speed / (0.5 * 2.0 / 3.0) - 1.0).abs() < 1e-3, "{speed}");
}

/// Speed and spin of a ball after half a second on an incline, and the rate of its acceleration. Rolling friction beyond the
/// slope keeps it from rolling.
fn on_incline(degrees: f64, friction: f64, rolling_friction: f64) -> f64 {
    let angle = degrees.to_radians();
    let stone = Material { friction, rolling_friction, ..material("stone") };
    let gravity = [G * angle.sin(), 0.0, -G * angle.cos()];
    let mut simulation = resting(LawKind::Linear, &stone, gravity, floor::<3, 3>([0.0, 0.0, 1.0], 0), 1e-5);
    simulation.advance_by(50_000).unwrap();
    simulation.bodies().midstep_velocity[0][0]
}

#[test]
fn a_ball_sticks_on_an_incline_below_the_angle_of_friction_and_rolls_or_slides_above() {
    // Held by friction and rolling friction, it creeps no faster than rounding.
    assert!(on_incline(10.0, 0.5, 0.3).abs() < 1e-4, "{}", on_incline(10.0, 0.5, 0.3));
    // Free to roll: 5/7 of the slope's pull.
    let rolled = on_incline(10.0, 0.5, 0.0) / (0.5 * G * 10f64.to_radians().sin());
    assert!((rolled / (5.0 / 7.0) - 1.0).abs() < 1e-3, "{rolled}");
    // Too steep for rolling without sliding (tan > 7/2 mu).
    let angle = 40f64.to_radians();
    let slid = on_incline(40.0, 0.1, 0.0) / (0.5 * G);
    assert!((slid / (angle.sin() - 0.1 * angle.cos()) - 1.0).abs() < 1e-3, "{slid}");
}

/// A block of balls glued by friction rests on an incline: a tetrahedron of three below and one above cannot roll.
#[test]
fn a_pile_that_cannot_roll_sticks_below_the_angle_of_friction() {
    for (degrees, sticks) in [(15.0f64, true), (35.0, false)] {
        let angle = degrees.to_radians();
        let stone = Material { friction: 0.5, rolling_friction: 0.6, ..material("stone") };
        let settings = Settings::<2> {
            law: LawKind::Linear,
            time_step: 2e-6,
            gravity: [G * angle.sin(), -G * angle.cos()],
            ..Settings::default()
        };
        let mut simulation =
            simulation::<2, 1>(settings, std::slice::from_ref(&stone), vec![floor::<1, 2>([0.0, 1.0], 0)]);
        simulation.insert(&[ball([0.0, 0.0099], [0.0; 2], 0.01, &stone)]);
        simulation.advance_by(100_000).unwrap();
        let speed = simulation.bodies().midstep_velocity[0][0];
        assert_eq!(speed.abs() < 1e-3, sticks, "{degrees}: {speed}");
    }
}

fn gas<const D: usize, const S: usize>(
    law: LawKind,
    count: usize,
    fraction: f64,
    stone: &Material,
    step: f64,
    seed: u64,
) -> Simulation<D, S> {
    let mut random = Random::new(seed);
    let radii = packing::power_law_radii(count, -2.0, 0.005, 2.0, &mut random);
    let edge = packing::edge_for_fraction::<D>(&radii, fraction);
    let columns = packing::without_overlap::<D>(radii, edge, &mut random).unwrap();
    let settings = Settings {
        law,
        time_step: step,
        min: [0.0; D],
        max: [edge; D],
        periodic: [true; D],
        ..Settings::default()
    };
    let mut simulation = simulation::<D, S>(settings, std::slice::from_ref(stone), vec![]);
    let bodies: Vec<_> = columns
        .centers
        .iter()
        .zip(&columns.radii)
        .map(|(center, radius)| {
            let velocity = std::array::from_fn(|_| random.uniform(-0.3, 0.3));
            NewBody {
                spin: std::array::from_fn(|_| random.uniform(-20.0, 20.0)),
                ..ball(*center, velocity, *radius, stone)
            }
        })
        .collect();
    simulation.insert(&bodies);
    simulation
}

#[test]
fn momentum_is_kept_to_rounding() {
    for law in [LawKind::Linear, LawKind::Hertz] {
        let stone = Material { friction: 0.5, rolling_friction: 0.01, ..material("stone") };
        let mut simulation = gas::<3, 3>(law, 300, 0.3, &stone, 5e-6, 1);
        // Angular momentum is defined without a periodic box only.
        let before = simulation.bodies().momentum([0.0; 3], 0.0).0;
        simulation.advance_by(5000).unwrap();
        assert!(simulation.ledger().friction > 0.0);
        let after = simulation.bodies().momentum([0.0; 3], 5e-6).0;
        let scale: f64 = simulation.bodies().seen.iter().map(|seen| 0.3 / seen.inverse_mass).sum();
        for k in 0..3 {
            assert!((after[k] - before[k]).abs() < 1e-12 * scale, "{law:?} {before:?} {after:?}");
        }
    }
}

#[test]
fn angular_momentum_is_kept_to_rounding() {
    for law in [LawKind::Linear, LawKind::Hertz] {
        let stone = Material { friction: 0.4, rolling_friction: 0.02, ..material("stone") };
        let settings = Settings::<3> { law, time_step: 2e-6, ..Settings::default() };
        let mut simulation = simulation::<3, 3>(settings, std::slice::from_ref(&stone), vec![]);
        // Eight balls that fly at each other off centre.
        let bodies: Vec<_> = (0..8)
            .map(|k| {
                let corner: [f64; 3] =
                    std::array::from_fn(|axis| if k >> axis & 1 == 1 { 0.012 } else { -0.0125 });
                let velocity =
                    [-10.0 * corner[0] + 1.5 * corner[1], -11.0 * corner[1], -9.0 * corner[2] + corner[0]];
                NewBody { spin: [5.0, -3.0, f64::from(k)], ..ball(corner, velocity, 0.01, &stone) }
            })
            .collect();
        simulation.insert(&bodies);
        simulation.advance().unwrap();
        let before = simulation.bodies().momentum([0.0; 3], 2e-6).1;
        simulation.advance_by(60_000).unwrap();
        assert!(simulation.ledger().friction > 0.0);
        let after = simulation.bodies().momentum([0.0; 3], 2e-6).1;
        let scale = before.iter().map(|x| x.abs()).sum::<f64>();
        for k in 0..3 {
            assert!((after[k] - before[k]).abs() < 1e-9 * scale, "{law:?} {before:?} {after:?}");
        }
    }
}

#[test]
fn energy_never_grows_where_it_can_only_be_lost() {
    for law in [LawKind::Linear, LawKind::Hertz] {
        let stone = Material {
            friction: 0.5,
            rolling_friction: 0.01,
            restitution: 0.7,
            density: 20.0,
            ..material("stone")
        };
        let mut simulation = gas::<2, 1>(law, 400, 0.6, &stone, 2e-6, 2);
        simulation.advance().unwrap();
        let total = |ledger: Ledger| ledger.translation + ledger.rotation + ledger.elastic;
        let start = total(simulation.ledger());
        let mut last = start;
        for _ in 0..200 {
            simulation.advance_by(50).unwrap();
            let ledger = simulation.ledger();
            assert!(total(ledger) < last + 1e-5 * start, "{law:?} {} {last}", total(ledger));
            assert!(ledger.error() < 1e-3, "{law:?} {}", ledger.error());
            last = total(ledger);
        }
        assert!(last < 0.7 * start);
    }
}

/// Haff (1983): the energy of a cooling gas falls as 1 / (1 + t / t_0)^2, with the rate of collisions at the start (Enskog) in t_0.
#[test]
fn a_cooling_gas_follows_haff() {
    let (count, fraction, restitution) = (3000, 0.1, 0.95);
    let radius = 0.005;
    let stone = Material { friction: 0.0, restitution, k_n: Some(6e4), ..material("stone") };
    let mut random = Random::new(5);
    let edge = packing::edge_for_fraction::<2>(&vec![radius; count], fraction);
    let columns = packing::without_overlap::<2>(vec![radius; count], edge, &mut random).unwrap();
    let settings = Settings::<2> {
        law: LawKind::Linear,
        overlap_limit: 0.3,
        time_step: 1e-5,
        max: [edge; 2],
        min: [0.0; 2],
        periodic: [true; 2],
        ..Settings::default()
    };
    let mut simulation = simulation::<2, 1>(settings, &[Material { density: 20.0, ..stone.clone() }], vec![]);
    // Velocities of a Maxwell distribution, from sums of uniform numbers.
    let normal = |random: &mut Random| (0..12).map(|_| random.uniform(-0.5, 0.5)).sum::<f64>();
    let light = Material { density: 20.0, ..stone };
    let bodies: Vec<_> = columns
        .centers
        .iter()
        .map(|center| ball(*center, [normal(&mut random), normal(&mut random)], radius, &light))
        .collect();
    simulation.insert(&bodies);
    simulation.advance().unwrap();
    let energy = |simulation: &Simulation<2, 1>| simulation.bodies().kinetic([0.0; 2], 1e-5).0;
    let start = energy(&simulation);
    let mass = 1.0 / simulation.bodies().inverse_mass(0);
    // Temperature over mass, and Enskog's rate of collisions of a disk.
    let temperature = start / (count as f64 * mass);
    let density = count as f64 / (edge * edge);
    let contact_value = (1.0 - 7.0 / 16.0 * fraction) / (1.0 - fraction).powi(2);
    let rate = 2.0 * (2.0 * radius) * density * contact_value * (std::f64::consts::PI * temperature).sqrt();
    // A collision takes (1 - e^2) T, and each disk has the energy T.
    let inverse_time = rate * (1.0 - restitution * restitution) / 4.0;
    for _ in 0..5 {
        simulation.advance_by(20_000).unwrap();
        let expected = start / (1.0 + simulation.time() * inverse_time).powi(2);
        let found = energy(&simulation);
        assert!((found / expected - 1.0).abs() < 0.05, "t {} {found} {expected}", simulation.time());
    }
    assert!(energy(&simulation) < 0.5 * start);
    assert!(simulation.ledger().error() < 1e-3);
}

/// The same gas by every method of the search, with and without a margin, on several threads, with and without wide vectors:
/// the same bits.
#[test]
fn results_do_not_depend_on_the_search_its_margin_threads_or_vectors() {
    let stone = Material { friction: 0.5, rolling_friction: 0.01, ..material("stone") };
    let run = |change: &dyn Fn(&mut Settings<3>)| {
        let template = gas::<3, 3>(LawKind::Hertz, 3000, 0.4, &stone, 1e-5, 3);
        let mut settings = template.settings().clone();
        change(&mut settings);
        let mut simulation = simulation::<3, 3>(settings, std::slice::from_ref(&stone), vec![]);
        simulation.restore(template.state()).unwrap();
        simulation.advance_by(1500).unwrap();
        simulation.state()
    };
    let expected = run(&|_| {});
    assert!(expected.springs.len() > 100);
    for method in ["hgrid", "linked-cell", "hgrid-bottom-up"] {
        assert!(run(&|settings| settings.method = method.into()) == expected, "{method}");
    }
    assert!(run(&|settings| settings.skin = Some(0.0)) == expected);
    for threads in [2, 3] {
        assert!(run(&|settings| settings.threads = threads) == expected, "{threads} threads");
    }
    assert!(run(&|settings| settings.vectors = false) == expected);
}

#[test]
fn a_run_goes_on_from_a_state_as_if_it_had_not_stopped() {
    let stone = Material { friction: 0.5, density: 20.0, ..material("stone") };
    let mut simulation = gas::<2, 1>(LawKind::Hertz, 2000, 0.6, &stone, 1e-5, 4);
    simulation.advance_by(1234).unwrap();
    let state = simulation.state();
    simulation.advance_by(1000).unwrap();
    let mut other = gas::<2, 1>(LawKind::Hertz, 2000, 0.6, &stone, 1e-5, 4);
    other.restore(state).unwrap();
    other.advance_by(1000).unwrap();
    assert!(other.state() == simulation.state());
}

/// A ball that rolls over a floor of many small triangles moves as on a plane.
#[test]
fn a_ball_feels_nothing_where_it_rolls_over_edges() {
    let stone = Material { friction: 0.5, restitution: 0.5, ..material("stone") };
    let run = |shape: Shape<3>| {
        let wall: Wall<3, 3> =
            Wall { name: "floor".into(), shape, material: 0, motion: Vec::new(), center: [0.0; 3] };
        let mut simulation = resting(LawKind::Hertz, &stone, [0.0, 0.0, -G], wall, 2e-6);
        let mut state = simulation.state();
        state.bodies.midstep_velocity[0] = [0.3, 0.05, 0.0];
        state.bodies.seen[0].velocity = [0.3, 0.05, 0.0];
        simulation.restore(state).unwrap();
        simulation.advance_by(100_000).unwrap();
        (simulation.bodies().position[0], simulation.bodies().midstep_spin[0])
    };
    let plane = run(Shape::Plane { point: [0.0; 3], normal: [0.0, 0.0, 1.0] });
    for width in [0.0007, 0.013] {
        let mut triangles = Vec::new();
        let count = (0.12 / width) as i32;
        for i in -3..count {
            for j in -(0.03 / width) as i32..(0.04 / width) as i32 {
                let corner = |i: i32, j: i32| [f64::from(i) * width, f64::from(j) * width, 0.0];
                let (a, b, c, d) = (corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1));
                triangles.push([a, b, c]);
                triangles.push([a, c, d]);
            }
        }
        let mesh = run(Shape::Facets(Facets::new(triangles, true).unwrap()));
        for k in 0..3 {
            assert!((mesh.0[k] - plane.0[k]).abs() < 1e-9, "{width}: {mesh:?} {plane:?}");
            assert!((mesh.1[k] - plane.1[k]).abs() < 1e-6, "{width}: {mesh:?} {plane:?}");
        }
    }
}

/// A plate that lifts a ball does the work that the ball gains; the ball's weight is the force on it.
#[test]
fn walls_in_motion_do_work_and_feel_the_load() {
    let stone = Material { friction: 0.5, restitution: 0.5, ..material("stone") };
    let motion = vec![
        Phase { start: 0.1, end: 0.3, velocity: [0.0, 0.0, 0.2], spin: [0.0; 3], center: [0.0; 3] },
        Phase { start: 0.4, end: 0.5, velocity: [0.0; 3], spin: [0.0, 0.0, 1.0], center: [0.0; 3] },
    ];
    let plate = Wall { motion, ..floor::<3, 3>([0.0, 0.0, 1.0], 0) };
    let mut simulation = resting(LawKind::Linear, &stone, [0.0, 0.0, -G], plate, 5e-6);
    simulation.advance_by(140_000).unwrap();
    let ledger = simulation.ledger();
    let weight = G / simulation.bodies().inverse_mass(0);
    assert!((ledger.gravity / (weight * 0.04) - 1.0).abs() < 1e-3, "{ledger:?}");
    assert!(ledger.error() < 1e-3, "{ledger:?}");
    assert!((simulation.loads()[0].force[2] / -weight - 1.0).abs() < 1e-3);
    assert!(simulation.loads()[0].torque.iter().all(|torque| torque.abs() < 1e-3 * weight * 0.01));
    assert!((simulation.bodies().position[0][2] - 0.05).abs() < 1e-5);
}

#[test]
fn inertia_of_disks_and_spheres() {
    assert_eq!((inertia_share(2), inertia_share(3)), (0.5, 0.4));
}

/// Nearly every listed pair touches: one disk at the edge is just too small, so that a contact is left over from the first block of
/// pairs and the next block is full. Compared with the same in plain numbers.
#[test]
fn a_compressed_crystal_is_held_by_all_of_its_contacts() {
    let stone = Material { friction: 0.3, ..material("stone") };
    for count in [7usize, 40] {
        let run = |vectors: bool| {
            let settings = Settings::<2> {
                time_step: 1e-5,
                skin: Some(1e-4),
                vectors,
                overlap_limit: 0.5,
                ..Settings::default()
            };
            let mut simulation = simulation::<2, 1>(settings, std::slice::from_ref(&stone), Vec::new());
            let place = |index: usize| [index % count, index / count].map(|k| k as f64 * 0.0199);
            let radius = |index: usize| if index == 5 { 0.00988 } else { 0.01 };
            let bodies: Vec<_> =
                (0..count * count).map(|index| ball(place(index), [0.0; 2], radius(index), &stone)).collect();
            simulation.insert(&bodies);
            simulation.advance_by(2).unwrap();
            assert_eq!(simulation.contacts().count(), 2 * count * (count - 1) - 3);
            let momentum = simulation.bodies().momentum([0.0; 2], 1e-5).0;
            assert!(momentum.iter().all(|component| component.abs() < 1e-9), "{momentum:?}");
            simulation.state()
        };
        assert_eq!(run(true), run(false));
    }
}

/// The overlap of these two is zero though they touch: nothing may be divided by it.
#[test]
fn bodies_that_just_touch_give_numbers() {
    let apart = [0.013915141080013238, 0.014365543801865908];
    let square: f64 = apart[0] * apart[0] + apart[1] * apart[1];
    assert!(square < 0.02 * 0.02 && square.sqrt() == 0.02);
    for law in [LawKind::Hertz, LawKind::Linear] {
        for speed in [-1.0, 0.0, 1.0] {
            let stone = Material { friction: 0.5, restitution: 0.6, ..material("stone") };
            let settings = Settings::<2> { law, time_step: 1e-6, ..Settings::default() };
            let mut simulation = simulation::<2, 1>(settings, std::slice::from_ref(&stone), Vec::new());
            simulation
                .insert(&[ball([0.0; 2], [speed, 0.0], 0.01, &stone), ball(apart, [0.0; 2], 0.01, &stone)]);
            for _ in 0..100 {
                simulation.advance().unwrap();
                let error = simulation.ledger().error();
                assert!(error < 1e-3, "{law:?} {speed}: {error}");
            }
        }
    }
}

/// A tangential spring much stiffer than the normal one shortens the stable step; with the default step energy does not grow.
#[test]
fn stiff_tangential_springs_count_for_the_stable_step() {
    let limit = |k_t: f64| {
        let stone = Material { k_t: Some(k_t), friction: 0.5, restitution: 1.0, ..material("stone") };
        let settings = Settings::<3> { law: LawKind::Linear, ..Settings::default() };
        let mut simulation = simulation::<3, 3>(settings, std::slice::from_ref(&stone), Vec::new());
        simulation.insert(&[ball([0.0; 3], [0.0; 3], 0.01, &stone)]);
        simulation.stiffest().unwrap()
    };
    let (soft, stiff) = (limit(2e5), limit(1e8));
    assert!((soft.limit / stiff.limit / 350f64.sqrt() - 1.0).abs() < 1e-12);
    assert_eq!(soft.collision, stiff.collision);
    assert!(soft.step() == 0.02 * soft.collision && stiff.step() < 0.26 * stiff.limit);
}

/// Walls that outrun the particles, or whose images no longer fill a periodic box, are refused.
#[test]
fn walls_that_could_miss_particles_are_refused() {
    let stone = material("stone");
    let run = |velocity: [f64; 2], offset: f64, periodic: bool| {
        let corners = vec![[[offset, 0.0], [offset + 1.0, 0.0]]];
        let shape = Shape::Facets(Facets::new(corners, false).unwrap());
        let motion = vec![Phase { start: 0.0, end: 1.0, velocity, spin: [0.0], center: [0.0; 2] }];
        let plate = Wall { name: "plate".into(), shape, material: 0, motion, center: [0.0; 2] };
        let settings = Settings::<2> {
            time_step: 1e-5,
            min: [0.0; 2],
            max: [1.0, 10.0],
            periodic: [periodic, false],
            ..Settings::default()
        };
        let mut simulation = simulation::<2, 1>(settings, std::slice::from_ref(&stone), vec![plate]);
        simulation.insert(&[ball([0.5, 0.02], [0.0; 2], 0.01, &stone)]);
        simulation.advance_by(2000).map_err(|failure| failure.to_string())
    };
    assert_eq!(run([0.0; 2], 0.0, true), Ok(()));
    assert_eq!(run([10.0, 0.0], 0.0, true), Ok(()));
    assert!(run([60.0, 0.0], 0.0, true).unwrap_err().contains("its images would not be felt"));
    assert!(run([0.0; 2], 2.5, true).unwrap_err().contains("its images would not be felt"));
    assert_eq!(run([60.0, 0.0], 0.0, false), Ok(()));
    assert!(run([0.0, 1e3], 0.0, false).unwrap_err().contains("wall `plate` moves at up to"));
}
