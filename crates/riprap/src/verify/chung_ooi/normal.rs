//! Tests 1 to 3: normal impacts.

use super::{
    ALUMINIUM_ALLOY, ALUMINIUM_OXIDE, CAST_IRON, GLASS, HertzImpact, LIMESTONE, MAGNESIUM_ALLOY, Substance,
    rigid,
};
use crate::dem::{LawKind, NewBody};
use crate::packing::ball_volume;
use crate::plot::{Curve, Spacing};
use crate::verify::apparatus::{between, floor, simulation, stepping};
use crate::verify::check::{CaseError, Check, Figure, Findings, worst};

/// Steps per collision.
const STEPS: f64 = 4000.0;

/// What a sphere meets.
#[derive(Clone, Copy, PartialEq)]
enum Target {
    /// An equal sphere that comes towards it.
    Sphere,
    /// A rigid plane at rest.
    Plane,
}

/// The impact by theory, of spheres that move at this speed.
fn theory(substance: &Substance, speed: f64, target: Target) -> HertzImpact {
    let mass = substance.density * ball_volume::<3>(substance.radius);
    let modulus = substance.young / (1.0 - substance.poisson * substance.poisson);
    match target {
        Target::Plane => HertzImpact { mass, radius: substance.radius, modulus, speed },
        Target::Sphere => HertzImpact {
            mass: 0.5 * mass,
            radius: 0.5 * substance.radius,
            modulus: 0.5 * modulus,
            speed: 2.0 * speed,
        },
    }
}

/// Overlap and force in every step of an impact, the length of a step, and the speed after it over that before.
fn collide(
    substance: &Substance,
    speed: f64,
    target: Target,
    restitution: f64,
) -> Result<(Vec<[f64; 2]>, f64, f64), CaseError> {
    let step = theory(substance, speed, target).duration() / STEPS;
    let (radius, gap) = (substance.radius, 0.5 * speed * step);
    let material = substance.material(restitution, 0.0);
    let above = NewBody::ball([0.0, 0.0, radius + gap], radius).moving([0.0, 0.0, -speed]);
    let below = NewBody::ball([0.0, 0.0, -radius - gap], radius).moving([0.0, 0.0, speed]);
    let (walls, bodies) = match target {
        Target::Sphere => (vec![], vec![above, below]),
        Target::Plane => {
            let mut plane = floor();
            plane.material = 1;
            (vec![plane], vec![above])
        }
    };
    let plane = rigid(&material);
    let mut simulation = simulation(LawKind::Hertz, stepping(step), &[material, plane], walls, &bodies)?;
    let mut course = Vec::new();
    loop {
        simulation.advance()?;
        match simulation.contacts().first() {
            Some(record) => course.push([record.overlap, record.push]),
            None if !course.is_empty() => break,
            None => {}
        }
        if simulation.steps() as f64 > 20.0 * STEPS {
            return Err(CaseError::NotOver { time: simulation.time(), what: "the bodies have not parted" });
        }
    }
    let after = simulation.bodies().midstep_velocity[0][2].abs();
    Ok((course, step, after / speed))
}

fn elastic(substances: [&Substance; 2], speed: f64, target: Target) -> Result<Findings, CaseError> {
    let (mut checks, mut curves) = (Vec::new(), Vec::new());
    for substance in substances {
        let theory = theory(substance, speed, target);
        let (course, step, _) = collide(substance, speed, target, 1.0)?;
        let largest = |k: usize| course.iter().map(|row| row[k]).fold(0.0, f64::max);
        let name = |what: &str| format!("{}: {what}", substance.name);
        checks.push(Check::relative(
            name("largest force, N"),
            "4/3 E √R d^(3/2)",
            [largest(1), theory.force(theory.depth())],
            1e-3,
        ));
        checks.push(Check::relative(
            name("largest overlap, m"),
            "(15 m v² / 16 E √R)^(2/5)",
            [largest(0), theory.depth()],
            1e-3,
        ));
        checks.push(Check::relative(
            name("duration, s"),
            "2.943 d/v",
            [course.len() as f64 * step, theory.duration()],
            2e-3,
        ));
        let micrometers = |[overlap, force]: [f64; 2]| [1e6 * overlap, force];
        let line = between(0.0, theory.depth(), 41).map(|overlap| [overlap, theory.force(overlap)]);
        let marks = course.iter().copied().step_by(course.len() / 24);
        curves.push(Curve {
            name: format!("{}, Hertz", substance.name),
            points: line.map(micrometers).collect(),
            marks: Vec::new(),
        });
        curves.push(Curve {
            name: format!("{}, ours", substance.name),
            points: Vec::new(),
            marks: marks.map(micrometers).collect(),
        });
    }
    let figure =
        Figure { across: ("overlap, µm", Spacing::Linear), upward: ("force, N", Spacing::Linear), curves };
    Ok(Findings { checks, figure })
}

/// Test 1: two equal spheres meet at 10 m/s each.
pub(in crate::verify) fn two_spheres() -> Result<Findings, CaseError> {
    elastic([&GLASS, &LIMESTONE], 10.0, Target::Sphere)
}

/// Test 2: a sphere meets a rigid plane at 0.2 m/s.
pub(in crate::verify) fn rigid_plane() -> Result<Findings, CaseError> {
    elastic([&ALUMINIUM_ALLOY, &MAGNESIUM_ALLOY], 0.2, Target::Plane)
}

/// Test 3: a sphere meets a rigid plane at 3.9 m/s, with different restitution.
pub(in crate::verify) fn restitution() -> Result<Findings, CaseError> {
    let mut checks = Vec::new();
    let ends = vec![[0.0, 0.0], [1.0, 1.0]];
    let mut curves = vec![Curve { name: "as asked".into(), points: ends, marks: Vec::new() }];
    for substance in [&ALUMINIUM_OXIDE, &CAST_IRON] {
        let mut found = Vec::new();
        for restitution in between(0.1, 1.0, 10) {
            let (_, _, ours) = collide(substance, 3.9, Target::Plane, restitution)?;
            found.push([restitution, ours]);
        }
        checks.push(Check::relative(
            format!("{}: worst of e = 0.1 to 1", substance.name),
            "v'/v = e",
            worst(found.iter().map(|[asked, ours]| [*ours, *asked])),
            2e-3,
        ));
        curves.push(Curve { name: format!("{}, ours", substance.name), points: Vec::new(), marks: found });
    }
    let figure = Figure {
        across: ("restitution asked for", Spacing::Linear),
        upward: ("speed after over speed before", Spacing::Linear),
        curves,
    };
    Ok(Findings { checks, figure })
}
