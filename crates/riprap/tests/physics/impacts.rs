//! Impacts with known answers.

use riprap::dem::{LawKind, Material, Settings};

use crate::{ball, floor, material, simulation};

/// Largest overlap and force of two equal spheres that meet head on, or of one that meets a plane, and the duration.
fn elastic_impact(material: &Material, radius: f64, speed: f64, plane: bool) -> (f64, f64, f64) {
    let step = 1e-7 * radius / 0.01;
    let settings = Settings { time_step: step, ..Settings::default() };
    let rigid = Material { young: Some(f64::INFINITY), restitution: 1.0, ..material.clone() };
    let walls = if plane { vec![floor([1.0, 0.0, 0.0], 1)] } else { Vec::new() };
    let mut simulation = simulation(LawKind::Hertz, settings, &[material.clone(), rigid], walls);
    if plane {
        simulation.insert(&[ball([radius, 0.0, 0.0], [-speed, 0.0, 0.0], radius)]).unwrap();
    } else {
        simulation
            .insert(&[
                ball([-radius, 0.0, 0.0], [speed, 0.0, 0.0], radius),
                ball([radius, 0.0, 0.0], [-speed, 0.0, 0.0], radius),
            ])
            .unwrap();
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
    let settings = Settings { time_step: step, ..Settings::default() };
    let mut simulation = simulation(law, settings, std::slice::from_ref(&stone), vec![]);
    simulation
        .insert(&[
            ball([-1.01 * radius, 0.0, 0.0], [0.3, 0.0, 0.0], radius),
            ball([1.01 * radius, 0.0, 0.0], [-0.3, 0.0, 0.0], radius),
        ])
        .unwrap();
    simulation.advance_by(3000).unwrap();
    assert_eq!(simulation.contacts().len(), 0);
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
    let settings = Settings { time_step: 2e-7, ..Settings::default() };
    let mut simulation =
        simulation(law, settings, std::slice::from_ref(&stone), vec![floor([0.0, 0.0, 1.0], 0)]);
    let velocity = [speed * angle.sin(), 0.0, -speed * angle.cos()];
    simulation.insert(&[ball([0.0, 0.0, 1.001 * radius], velocity, radius)]).unwrap();
    simulation.advance_by(8000).unwrap();
    assert_eq!(simulation.contacts().len(), 0, "not over");
    let bodies = simulation.bodies();
    let tangential = bodies.midstep_velocity[0][0] / velocity[0];
    let spin = bodies.midstep_spin.get(0)[1] * radius / (speed * angle.cos());
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

/// The overlap of these two is zero though they touch: nothing may be divided by it.
#[test]
fn bodies_that_just_touch_give_numbers() {
    let apart = [0.013915141080013238, 0.014365543801865908];
    let square: f64 = apart[0] * apart[0] + apart[1] * apart[1];
    assert!(square < 0.02 * 0.02 && square.sqrt() == 0.02);
    for law in [LawKind::Hertz, LawKind::Linear] {
        for speed in [-1.0, 0.0, 1.0] {
            let stone = Material { friction: 0.5, restitution: 0.6, ..material("stone") };
            let settings = Settings { time_step: 1e-6, ..Settings::default() };
            let mut simulation = simulation(law, settings, std::slice::from_ref(&stone), Vec::new());
            simulation.insert(&[ball([0.0; 2], [speed, 0.0], 0.01), ball(apart, [0.0; 2], 0.01)]).unwrap();
            for _ in 0..100 {
                simulation.advance().unwrap();
                let error = simulation.ledger().error();
                assert!(error < 1e-3, "{law:?} {speed}: {error}");
            }
        }
    }
}
