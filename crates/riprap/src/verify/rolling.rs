//! Rolling friction as an elastic-plastic spring (Iwashita and Oda 1998; Ai, Chen, Rotter and Ooi 2011, type C): it holds a ball as
//! long as the torque stays below `μ_r N R`, and takes that torque from it when it rolls.

use super::apparatus::{G, between, collision_with_wall, floor, resting_ball, simulation, stepping, stone};
use super::check::{CaseError, Check, Figure, Findings, worst};
use super::tangential::acceleration_on;
use crate::dem::{LawKind, Material, NewBody, Settings};
use crate::plot::{Curve, Spacing};

const RADIUS: f64 = 0.01;

fn rough(rolling_friction: f64) -> Material {
    Material { friction: 0.5, restitution: 0.5, rolling_friction, ..stone() }
}

/// A ball on a slope of 0.1 with rolling friction 0.2 stands still, at any step.
pub(super) fn stands_still() -> Result<Findings, CaseError> {
    let (slope, stone) = (0.1, rough(0.2));
    let cosine = 1.0 / (1.0f64 + slope * slope).sqrt();
    let gravity = [G * slope * cosine, 0.0, -G * cosine];
    let (mut checks, mut curves) = (Vec::new(), Vec::new());
    for share in [0.005, 0.01, 0.02, 0.04] {
        let step = share * collision_with_wall::<3>(&stone, RADIUS);
        let ball = resting_ball::<3>(&stone, RADIUS, G * cosine);
        let settings = Settings { gravity, ..stepping(step) };
        let mut simulation =
            simulation(LawKind::Linear, settings, std::slice::from_ref(&stone), vec![floor()], &[ball])?;
        let mut track = Vec::new();
        let part = (0.01 / step) as u64;
        while simulation.time() < 0.5 {
            simulation.advance_by(part)?;
            // Zero has no place on a logarithmic axis.
            track.push([simulation.time(), simulation.bodies().midstep_velocity[0][0].abs().max(1e-18)]);
        }
        let speed = simulation.bodies().midstep_velocity[0][0].abs();
        checks.push(Check::absolute(
            format!("speed after 0.5 s, step {share} of a collision, m/s"),
            "0: tan < μ_r",
            [speed, 0.0],
            1e-9,
        ));
        curves.push(Curve { name: format!("step {share} of a collision"), points: track, marks: Vec::new() });
    }
    let figure =
        Figure { across: ("time, s", Spacing::Linear), upward: ("speed, m/s", Spacing::Logarithmic), curves };
    Ok(Findings { checks, figure })
}

/// With less rolling friction than the slope, the ball rolls down with `5/7 g (sin - μ_r cos)`.
pub(super) fn rolls_down() -> Result<Findings, CaseError> {
    let slope = 0.1;
    let cosine = 1.0 / (1.0f64 + slope * slope).sqrt();
    let closed_form = |friction: f64| 5.0 / 7.0 * G * cosine * (slope - friction);
    let mut found = Vec::new();
    for friction in [0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07] {
        found.push([friction, acceleration_on(slope, &rough(friction))?]);
    }
    let pair = |[friction, ours]: &[f64; 2]| [*ours, closed_form(*friction)];
    let formula = "5/7 g (sin - μ_r cos)";
    let checks = vec![
        Check::relative("μ_r = 0.05 on tan 0.1, m/s²", formula, pair(&found[5]), 5e-3),
        Check::relative("worst of μ_r = 0 to 0.07, m/s²", formula, worst(found.iter().map(pair)), 5e-3),
    ];
    let line = between(0.0, 0.07, 2).map(|friction| [friction, closed_form(friction)]).collect();
    let curves = vec![
        Curve { name: "closed form".into(), points: line, marks: Vec::new() },
        Curve { name: "ours".into(), points: Vec::new(), marks: found },
    ];
    let figure = Figure {
        across: ("rolling friction", Spacing::Linear),
        upward: ("acceleration, m/s²", Spacing::Linear),
        curves,
    };
    Ok(Findings { checks, figure })
}

/// On a level floor a rolling ball is slowed by `5/7 μ_r g`, comes `v² / (2 a)` far, and stays there.
pub(super) fn decay() -> Result<Findings, CaseError> {
    let (speed, friction) = (0.1, 0.05);
    let stone = rough(friction);
    let deceleration = 5.0 / 7.0 * friction * G;
    let (time, distance) = (speed / deceleration, 0.5 * speed * speed / deceleration);
    let ball = NewBody {
        velocity: [speed, 0.0, 0.0],
        spin: [0.0, speed / RADIUS, 0.0],
        ..resting_ball::<3>(&stone, RADIUS, G)
    };
    let settings = Settings { gravity: [0.0, 0.0, -G], ..stepping(5e-6) };
    let mut simulation = simulation(LawKind::Linear, settings, &[stone], vec![floor()], &[ball])?;
    let mut track = Vec::new();
    let part = (time / 30.0 / 5e-6) as u64;
    let mut half = f64::NAN;
    while simulation.time() < 2.0 * time {
        simulation.advance_by(part)?;
        let velocity = simulation.bodies().midstep_velocity[0][0];
        track.push([simulation.time(), velocity]);
        if half.is_nan() && simulation.time() >= 0.5 * time {
            half = (speed - velocity) / simulation.time();
        }
    }
    let end = simulation.bodies();
    let checks = vec![
        Check::relative("deceleration, m/s²", "5/7 μ_r g", [half, deceleration], 5e-3),
        Check::relative("distance, m", "7 v²/(10 μ_r g)", [end.position[0][0], distance], 0.01),
        Check::absolute("speed at twice the time, m/s", "0", [end.midstep_velocity[0][0].abs(), 0.0], 1e-9),
    ];
    let corners = vec![[0.0, speed], [time, 0.0], [2.0 * time, 0.0]];
    let curves = vec![
        Curve { name: "closed form".into(), points: corners, marks: Vec::new() },
        Curve { name: "ours".into(), points: Vec::new(), marks: track },
    ];
    let figure =
        Figure { across: ("time, s", Spacing::Linear), upward: ("speed, m/s", Spacing::Linear), curves };
    Ok(Findings { checks, figure })
}
