//! Normal impacts: free fall and bounces, restitution, the linear impact.

use std::f64::consts::PI;

use super::apparatus::{G, LAWS, between, floor, simulation, stepping, stone, until_apart};
use super::check::{CaseError, Check, Figure, Findings, worst};
use crate::dem::{LawKind, Material, NewBody, Settings, Simulation};
use crate::packing::ball_volume;
use crate::plot::{Curve, Spacing};

/// A ball that is let go falls by `g t^2 / 2`, which central differences do without error, and comes up to `e^(2 n)` of its height
/// after `n` bounces. Gravity pushes the ball on while it is in contact, so the heights are right to the share that weight has of
/// the force of the impact.
pub(super) fn free_fall() -> Result<Findings, CaseError> {
    const BOUNCES: usize = 4;
    let (height, radius, restitution) = (0.1, 0.01, 0.8);
    let stone = Material { k_n: Some(1e7), restitution, ..stone() };
    let settings = Settings { gravity: [0.0, 0.0, -G], ..stepping(2e-6) };
    let ball = NewBody::ball([0.0, 0.0, radius + height], radius);
    let mut simulation = simulation(LawKind::Linear, settings, &[stone], vec![floor()], &[ball])?;
    let above = |simulation: &Simulation<3>| simulation.bodies().position[0][2] - radius;

    let mut track = vec![[0.0, height]];
    while simulation.steps() < 50_000 {
        simulation.advance_by(2000)?;
        track.push([simulation.time(), above(&simulation)]);
    }
    let time = simulation.time();
    let mut checks = vec![Check::relative(
        "height after 0.1 s",
        "h - g t²/2",
        [above(&simulation), height - 0.5 * G * time * time],
        1e-10,
    )];
    let mut heights = Vec::new();
    let (mut highest, mut down) = (0.0f64, true);
    while heights.len() < BOUNCES {
        simulation.advance_by(10)?;
        let now = above(&simulation);
        let rising = simulation.bodies().midstep_velocity[0][2] > 0.0;
        if down && rising {
            (down, highest) = (false, 0.0);
        } else if !down && !rising {
            down = true;
            heights.push(highest.max(now));
        }
        highest = highest.max(now);
        if simulation.steps().is_multiple_of(2000) {
            track.push([simulation.time(), now]);
        }
        if simulation.time() > 3.0 {
            return Err(CaseError::NotOver { time: 3.0, what: "the ball has not bounced often enough" });
        }
    }
    let mut share = 1.0;
    let mut peaks = Vec::new();
    let fall = (2.0 * height / G).sqrt();
    let (mut speed_share, mut time) = (1.0, fall);
    for (bounce, found) in heights.iter().enumerate() {
        share *= restitution * restitution;
        speed_share *= restitution;
        peaks.push([time + speed_share * fall, share * height]);
        time += 2.0 * speed_share * fall;
        checks.push(Check::relative(
            format!("height after bounce {}", bounce + 1),
            format!("h e^{}", 2 * (bounce + 1)),
            [*found, share * height],
            5e-3,
        ));
    }
    let curves = vec![
        Curve { name: "height, ours".into(), points: track, marks: Vec::new() },
        Curve { name: "peaks, closed form".into(), points: Vec::new(), marks: peaks },
    ];
    let figure =
        Figure { across: ("time, s", Spacing::Linear), upward: ("height, m", Spacing::Linear), curves };
    Ok(Findings { checks, figure })
}

/// Speed of two equal balls after they meet head on, over that before.
fn rebound(law: LawKind, restitution: f64) -> Result<f64, CaseError> {
    let stone = Material { restitution, friction: 0.0, ..stone() };
    let (radius, speed) = (0.01, 0.3);
    // Half a percent of the collision: at the default of two, restitution below 0.1 is off by some percent of itself.
    let step = 1e-6;
    let pair = [
        NewBody::ball([-1.01 * radius, 0.0, 0.0], radius).moving([speed, 0.0, 0.0]),
        NewBody::ball([1.01 * radius, 0.0, 0.0], radius).moving([-speed, 0.0, 0.0]),
    ];
    let mut simulation = simulation(law, stepping(step), &[stone], vec![], &pair)?;
    until_apart(&mut simulation, 20_000)?;
    Ok(simulation.bodies().midstep_velocity[0][0].abs() / speed)
}

/// The damping is derived from the restitution asked for; it must come out again.
pub(super) fn restitution() -> Result<Findings, CaseError> {
    let asked = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
    let (mut checks, mut curves) = (Vec::new(), Vec::new());
    let ends = [[0.0, 0.0], [1.0, 1.0]];
    curves.push(Curve { name: "as asked".into(), points: ends.to_vec(), marks: Vec::new() });
    for law in LAWS {
        let mut found = Vec::new();
        for restitution in asked {
            found.push([restitution, rebound(law, restitution)?]);
        }
        let name = format!("{}, worst of e = 0.05 to 1", law.name());
        checks.push(Check::relative(
            name,
            "v'/v = e",
            worst(found.iter().map(|[e, ours]| [*ours, *e])),
            5e-3,
        ));
        curves.push(Curve { name: format!("{}, ours", law.name()), points: Vec::new(), marks: found });
    }
    let figure = Figure {
        across: ("restitution asked for", Spacing::Linear),
        upward: ("speed after over speed before", Spacing::Linear),
        curves,
    };
    Ok(Findings { checks, figure })
}

/// With linear springs and without damping the overlap is half a swing of an oscillator of the reduced mass `m/2`: it lasts
/// `π √(m / 2k)`, is at most `v √(m / 2k)` deep, and the force is `k` times that.
pub(super) fn linear() -> Result<Findings, CaseError> {
    let (radius, speed) = (0.01, 0.5);
    let stone = Material { restitution: 1.0, friction: 0.0, ..stone() };
    let stiffness = stone.k_n.unwrap_or(f64::NAN);
    let root = (0.5 * stone.density * ball_volume::<3>(radius) / stiffness).sqrt();
    let step = 1e-3 * root;
    let pair = [
        NewBody::ball([-radius - 1e-9, 0.0, 0.0], radius).moving([speed, 0.0, 0.0]),
        NewBody::ball([radius + 1e-9, 0.0, 0.0], radius).moving([-speed, 0.0, 0.0]),
    ];
    let mut simulation = simulation(LawKind::Linear, stepping(step), &[stone], vec![], &pair)?;
    let (mut ours, mut touched) = (Vec::new(), Vec::new());
    while touched.is_empty() || !simulation.contacts().is_empty() {
        simulation.advance()?;
        if let Some(record) = simulation.contacts().first() {
            touched.push([simulation.time(), record.overlap, record.push]);
            if touched.len() % 100 == 1 {
                ours.push([simulation.time(), record.push]);
            }
        }
        if simulation.time() > 10.0 * PI * root {
            return Err(CaseError::NotOver { time: simulation.time(), what: "the balls have not parted" });
        }
    }
    let largest = |k: usize| touched.iter().map(|row| row[k]).fold(0.0, f64::max);
    let first = touched[0][0];
    let duration = simulation.time() - first;
    let depth = 2.0 * speed * root;
    let checks = vec![
        Check::relative("duration", "π √(m/2k)", [duration, PI * root], 2e-3),
        Check::relative("largest overlap", "2 v √(m/2k)", [largest(1), depth], 1e-4),
        Check::relative("largest force", "2 v √(k m/2)", [largest(2), stiffness * depth], 1e-4),
    ];
    let theory = between(0.0, PI, 61).map(|phase| [phase * root, stiffness * depth * libm::sin(phase)]);
    let curves = vec![
        Curve { name: "closed form".into(), points: theory.collect(), marks: Vec::new() },
        Curve {
            name: "ours".into(),
            points: Vec::new(),
            marks: ours.iter().map(|[time, force]| [time - first, *force]).collect(),
        },
    ];
    let figure =
        Figure { across: ("time, s", Spacing::Linear), upward: ("force, N", Spacing::Linear), curves };
    Ok(Findings { checks, figure })
}
