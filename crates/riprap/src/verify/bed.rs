//! Beds of balls: their weight on the floor, and their stress against the force on walls.

use super::apparatus::{G, LAWS, floor, simulation, stepping, stone};
use super::check::{CaseError, Check, Figure, Findings};
use crate::Random;
use crate::dem::wall::{Phase, Surface, Wall};
use crate::dem::{Domain, LawKind, Material, NewBody, Settings, Simulation, stress};
use crate::plot::{Curve, Spacing};

const RADIUS: f64 = 0.01;

/// Soft and lossy, so that a bed comes to rest soon.
fn soft() -> Material {
    Material { friction: 0.4, restitution: 0.3, k_n: Some(2e4), young: Some(1e7), ..stone() }
}

/// Balls on a loose lattice, each a little off its place, with layers upwards.
fn loose(across: [usize; 2], layers: usize, random: &mut Random) -> Vec<NewBody<3>> {
    let [x, y] = across;
    (0..x * y * layers)
        .map(|index| {
            let place = [index % x, index / x % y, index / x / y];
            NewBody::ball(
                place.map(|k| 2.1 * RADIUS * k as f64 + RADIUS * (1.05 + random.uniform(-0.04, 0.04))),
                RADIUS,
            )
        })
        .collect()
}

/// A box of this width with some periodic axes.
fn periodic(width: [f64; 2], periodic: [bool; 3]) -> Domain<3> {
    Domain {
        min: [0.0, 0.0, f64::NEG_INFINITY],
        max: [width[0], width[1], f64::INFINITY],
        periodic,
        ..Domain::default()
    }
}

/// A bed that has come to rest between periodic sides: the floor carries all of it, and as nothing moves any more, the sum of force
/// times branch is the moment of the weights (virial): `σ_zz V = Σ m g z`.
pub(super) fn weight() -> Result<Findings, CaseError> {
    let (mut checks, mut curves) = (Vec::new(), Vec::new());
    for law in LAWS {
        let side = 4;
        let width = 2.1 * RADIUS * side as f64;
        let settings = Settings {
            gravity: [0.0, 0.0, -G],
            domain: periodic([width, width], [true, true, false]),
            ..stepping(2e-5)
        };
        let balls = loose([side, side], 8, &mut Random::new(3));
        let mut bed = simulation(law, settings, &[soft()], vec![floor()], &balls)?;
        let weights: f64 = bed.bodies().seen.iter().map(|seen| G / seen.inverse_mass).sum();
        let mut track = Vec::new();
        for _ in 0..40 {
            bed.advance_by(3000)?;
            track.push([bed.time(), -bed.wall_loads()[0].force[2] / weights]);
        }
        let moments: f64 = bed
            .bodies()
            .position
            .iter()
            .zip(&bed.bodies().seen)
            .map(|(x, seen)| G * x[2] / seen.inverse_mass)
            .sum();
        let name = |what: &str| format!("{}: {what}", law.name());
        checks.push(Check::relative(
            name("force on the floor, N"),
            "Σ m g",
            [-bed.wall_loads()[0].force[2], weights],
            1e-4,
        ));
        checks.push(Check::relative(
            name("σ_zz V, J"),
            "Σ m g z",
            [stress(bed.contacts(), 1.0)[2][2], moments],
            1e-3,
        ));
        curves.push(Curve { name: name("force on the floor"), points: Vec::new(), marks: track });
    }
    let end = curves[0].marks.last().map_or(1.0, |mark| mark[0]);
    let line = vec![[0.0, 1.0], [end, 1.0]];
    curves.insert(0, Curve { name: "weight".into(), points: line, marks: Vec::new() });
    let figure = Figure {
        across: ("time, s", Spacing::Linear),
        upward: ("force on the floor / weight", Spacing::Linear),
        curves,
    };
    Ok(Findings { checks, figure })
}

/// A box of smooth walls with a lid that comes down until `end`.
fn pressed(law: LawKind, end: f64) -> Result<(Simulation<3>, [f64; 3]), CaseError> {
    let (side, layers) = (5, 8);
    let width = 2.1 * RADIUS * side as f64;
    let height = 2.1 * RADIUS * layers as f64;
    // Smooth walls press along their normals only.
    let smooth = Material { name: "smooth".into(), friction: 0.0, ..soft() };
    let plane = |name: &str, point: [f64; 3], normal: [f64; 3]| Wall {
        material: 1,
        ..Wall::new(name, Surface::Plane { point, normal })
    };
    let speed = 0.27 * height / end;
    let motion = Phase { start: 0.0, end, velocity: [0.0, 0.0, -speed], spin: [0.0; 3], center: [0.0; 3] };
    let walls = vec![
        plane("floor", [0.0; 3], [0.0, 0.0, 1.0]),
        Wall { motion: vec![motion], ..plane("lid", [0.0, 0.0, height], [0.0, 0.0, -1.0]) },
        plane("left", [0.0; 3], [1.0, 0.0, 0.0]),
        plane("right", [width, 0.0, 0.0], [-1.0, 0.0, 0.0]),
    ];
    let settings = Settings {
        domain: periodic([width, width], [false, true, false]),
        overlap_limit: 0.5,
        ..stepping(1e-5)
    };
    let balls = loose([side, side], layers, &mut Random::new(9));
    let bed = simulation(law, settings, &[soft(), smooth], walls, &balls)?;
    Ok((bed, [width, width, height - speed * end]))
}

/// A bed without gravity that a lid presses together between smooth walls: its stress, added up over all contacts by Love (1927) and
/// Weber (1966), is the force on the walls over their area.
pub(super) fn stress_and_wall_force() -> Result<Findings, CaseError> {
    let (mut checks, mut curves) = (Vec::new(), Vec::new());
    for law in LAWS {
        let end = 0.1;
        let (mut bed, [x, y, z]) = pressed(law, end)?;
        let mut track = [Vec::new(), Vec::new()];
        for _ in 0..25 {
            bed.advance_by(1000)?;
            let lid = bed.placements()[1].to_now([0.0, 0.0, 2.1 * RADIUS * 8.0])[2];
            track[0].push([bed.time(), bed.wall_loads()[1].force[2] / (x * y)]);
            track[1].push([bed.time(), stress(bed.contacts(), x * y * lid)[2][2]]);
        }
        let (loads, found) = (bed.wall_loads(), stress(bed.contacts(), x * y * z));
        let name = |what: &str| format!("{}: {what}", law.name());
        let formula = "force on the wall / area";
        let pressures = [
            ("σ_zz against the lid, Pa", found[2][2], loads[1].force[2] / (x * y)),
            ("σ_xx against the side, Pa", found[0][0], loads[3].force[0] / (y * z)),
        ];
        for (what, ours, expected) in pressures {
            checks.push(Check::relative(name(what), formula, [ours, expected], 5e-3));
        }
        checks.push(Check::relative(
            name("force on the floor, N"),
            "force on the lid",
            [-loads[0].force[2], loads[1].force[2]],
            5e-3,
        ));
        let [by_force, by_stress] = track;
        curves.push(Curve { name: name("force on the lid / area"), points: by_force, marks: Vec::new() });
        curves.push(Curve { name: name("σ_zz of all contacts"), points: Vec::new(), marks: by_stress });
    }
    let figure =
        Figure { across: ("time, s", Spacing::Linear), upward: ("stress, Pa", Spacing::Linear), curves };
    Ok(Findings { checks, figure })
}
