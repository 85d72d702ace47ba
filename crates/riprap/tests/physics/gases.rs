//! What many bodies keep and lose.

use riprap::Random;
use riprap::dem::{Domain, LawKind, Ledger, Material, NewBody, Settings, Simulation};
use riprap::packing;

use crate::{ball, gas, material, simulation};

#[test]
fn momentum_is_kept_to_rounding() {
    for law in [LawKind::Linear, LawKind::Hertz] {
        let stone = Material { friction: 0.5, rolling_friction: 0.01, ..material("stone") };
        let mut simulation = gas::<3>(law, 300, 0.3, &stone, 5e-6, 1);
        // Angular momentum is defined without a periodic box only.
        let before = simulation.momentum().0;
        simulation.advance_by(5000).unwrap();
        assert!(simulation.ledger().friction > 0.0);
        let after = simulation.momentum().0;
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
        let settings = Settings { time_step: 2e-6, ..Settings::default() };
        let mut simulation = simulation(law, settings, std::slice::from_ref(&stone), vec![]);
        // Eight balls that fly at each other off centre.
        let bodies: Vec<_> = (0..8)
            .map(|k| {
                let corner: [f64; 3] =
                    std::array::from_fn(|axis| if k >> axis & 1 == 1 { 0.012 } else { -0.0125 });
                let velocity =
                    [-10.0 * corner[0] + 1.5 * corner[1], -11.0 * corner[1], -9.0 * corner[2] + corner[0]];
                NewBody { spin: [5.0, -3.0, f64::from(k)], ..ball(corner, velocity, 0.01) }
            })
            .collect();
        simulation.insert(&bodies).unwrap();
        simulation.advance().unwrap();
        let before = simulation.momentum().1;
        simulation.advance_by(60_000).unwrap();
        assert!(simulation.ledger().friction > 0.0);
        let after = simulation.momentum().1;
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
        let mut simulation = gas::<2>(law, 400, 0.6, &stone, 2e-6, 2);
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
    let light = Material { friction: 0.0, restitution, k_n: Some(6e4), density: 20.0, ..material("stone") };
    let mut random = Random::new(5);
    let edge = packing::edge_for_fraction::<2>(&vec![radius; count], fraction);
    let columns = packing::without_overlap::<2>(vec![radius; count], edge, &mut random).unwrap();
    let settings = Settings {
        overlap_limit: 0.3,
        time_step: 1e-5,
        domain: Domain::periodic([0.0; 2], [edge; 2]),
        ..Settings::default()
    };
    let mut simulation = simulation(LawKind::Linear, settings, &[light], vec![]);
    // Velocities of a Maxwell distribution, from sums of uniform numbers.
    let normal = |random: &mut Random| (0..12).map(|_| random.uniform(-0.5, 0.5)).sum::<f64>();
    let bodies: Vec<_> = columns
        .centers
        .iter()
        .map(|center| ball(*center, [normal(&mut random), normal(&mut random)], radius))
        .collect();
    simulation.insert(&bodies).unwrap();
    simulation.advance().unwrap();
    let energy = |simulation: &Simulation<2>| simulation.ledger().translation;
    let start = energy(&simulation);
    let mass = 1.0 / simulation.bodies().seen[0].inverse_mass;
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
