//! Orders of convergence: half the step must give a quarter of the error, in the motion and in the energy ledger.

use std::f64::consts::TAU;

use super::apparatus::{G, LAWS, floor, power_of, resting_ball, simulation, stepping, stone};
use super::check::{CaseError, Check, Figure, Findings};
use crate::dem::material::restitution::damping_ratio;
use crate::dem::{LawKind, Material, NewBody, Settings, Simulation};
use crate::packing::ball_volume;
use crate::plot::{Curve, Spacing};

const RADIUS: f64 = 0.01;
/// How far an order may be below two.
const ALLOWED: f64 = 0.15;

/// Steps of one run.
const STEPS: [u64; 4] = [200, 400, 800, 1600];

/// A ball that stays in contact with the floor while it swings, started higher or lower than it rests, until this time.
fn swing(
    law: LawKind,
    stone: &Material,
    gravity: [f64; 3],
    lowered: f64,
    end: f64,
    steps: u64,
) -> Result<Simulation<3>, CaseError> {
    let mut ball = resting_ball::<3>(stone, RADIUS, -gravity[2]);
    ball.position[2] -= lowered;
    let settings = Settings { gravity, ..stepping(end / steps as f64) };
    let mut simulation = simulation(law, settings, std::slice::from_ref(stone), vec![floor()], &[ball])?;
    simulation.advance_by(steps)?;
    Ok(simulation)
}

/// A ball on a linear spring under gravity swings as `A exp(-ζ w t) (cos w' t + ζ w/w' sin w' t)` about where it rests; on a tangential
/// spring, pulled by `g`, its velocity is `g (t - (t - sin(w t)/w)/q)` with `q = 1 + m a²/I`, `a` the distance of its centre from the
/// floor. For the Hertz law, which has no closed form here, differences between successive steps stand in for errors.
pub(super) fn integrator() -> Result<Findings, CaseError> {
    let down = [0.0, 0.0, -G];
    let elastic = Material { restitution: 1.0, friction: 0.0, ..stone() };
    let stiffness = 1e6;
    let mass = elastic.density * ball_volume::<3>(RADIUS);
    let frequency = (stiffness / mass).sqrt();
    let depth = mass * G / stiffness;
    let amplitude = 0.5 * depth;
    let (mut checks, mut curves) = (Vec::new(), Vec::new());
    let mut add = |name: &str, formula: &str, errors: Vec<[f64; 2]>| {
        checks.push(Check::at_least(name, formula, [power_of(&errors), 2.0], ALLOWED));
        curves.push(Curve { name: name.into(), points: errors.clone(), marks: errors });
    };

    for restitution in [1.0, 0.5] {
        let material = Material { restitution, ..elastic.clone() };
        let ratio = damping_ratio(restitution);
        let damped = frequency * (1.0 - ratio * ratio).sqrt();
        let end = 1.3 * TAU / frequency;
        let (sine, cosine) = libm::sincos(damped * end);
        let left = libm::exp(-ratio * frequency * end) * (cosine + ratio * frequency / damped * sine);
        let mut errors = Vec::new();
        for steps in STEPS {
            let simulation = swing(LawKind::Linear, &material, down, amplitude, end, steps)?;
            let height = simulation.bodies().position[0][2] - (RADIUS - depth);
            errors.push([end / steps as f64, (height / amplitude + left).abs()]);
        }
        let name = if restitution == 1.0 { "normal spring" } else { "normal spring with dashpot" };
        add(name, "order 2", errors);
    }

    let pull = 0.1 * G;
    let sticky = Material { friction: 10.0, ..elastic.clone() };
    let arm = 1.0 - depth / RADIUS;
    let factor = 1.0 + 2.5 * arm * arm;
    let turning = (factor * 2.0 / 7.0 * stiffness / mass).sqrt();
    let end = 1.3 * TAU / turning;
    let expected = pull * (end - (end - libm::sin(turning * end) / turning) / factor);
    let mut errors = Vec::new();
    for steps in STEPS {
        let simulation = swing(LawKind::Linear, &sticky, [pull, 0.0, -G], 0.0, end, steps)?;
        let found = simulation.velocities().next().unwrap_or([f64::NAN; 3])[0];
        errors.push([end / steps as f64, (found / expected - 1.0).abs()]);
    }
    add("tangential spring", "order 2", errors);

    let hertz = Material { restitution: 0.7, young: Some(1e8), ..elastic };
    let mut heights = Vec::new();
    let end = 2e-3;
    for steps in STEPS {
        let simulation = swing(LawKind::Hertz, &hertz, down, 2e-5, end, steps)?;
        heights.push(simulation.bodies().position[0][2]);
    }
    let differences = heights.windows(2).zip(STEPS);
    let errors =
        differences.map(|(pair, steps)| [end / steps as f64, (pair[0] - pair[1]).abs() / 2e-5]).collect();
    add("Hertz with dashpot", "order 2", errors);

    let figure = Figure {
        across: ("time step, s", Spacing::Logarithmic),
        upward: ("relative error", Spacing::Logarithmic),
        curves,
    };
    Ok(Findings { checks, figure })
}

/// Time steps over the default one.
const SHARES: [f64; 3] = [1.0, 0.5, 0.25];
/// Impacts that differ in where the first and the last moment of contact fall between two steps.
const IMPACTS: u32 = 64;

/// The imbalance after oblique impacts of two spinning balls over the energy they brought, as a root of the mean square; and the
/// largest error of the ledger at any time.
fn imbalance<const D: usize>(law: LawKind, stone: &Material, share: f64) -> Result<[f64; 2], CaseError> {
    let (mut squares, mut largest) = (0.0, 0.0f64);
    let stiffest = {
        let probe = simulation::<D>(
            law,
            stepping(1e-9),
            std::slice::from_ref(stone),
            vec![],
            &[NewBody::ball([0.0; D], RADIUS)],
        )?;
        probe.stiffest().ok_or(CaseError::NotOver { time: 0.0, what: "nothing can touch" })?
    };
    for impact in 0..IMPACTS {
        // Evenly spread over the plane of the two (Roberts 2018): with them at random the order would be, too.
        let spread = |root: f64| (f64::from(impact) * root).fract();
        let step = share * stiffest.step() * (0.9 + 0.1 * spread(0.754_877_666_246_693));
        let gap = 0.3 * step * (0.5 + spread(0.569_840_290_998_053));
        let mut pair = [NewBody::ball([0.0; D], RADIUS), NewBody::ball([0.0; D], RADIUS)];
        for (ball, sign) in pair.iter_mut().zip([1.0, -1.0]) {
            ball.position[0] = -sign * (RADIUS + gap);
            (ball.velocity[0], ball.velocity[1]) = (0.3 * sign, 0.1 * sign);
            ball.spin[2] = 6.0 + 3.0 * sign;
            if D == 3 {
                ball.velocity[2] = -0.05 * sign;
                ball.spin[1] = 5.0;
            }
        }
        let mut impact = simulation::<D>(law, stepping(step), std::slice::from_ref(stone), vec![], &pair)?;
        let mut met = false;
        while !met || !impact.contacts().is_empty() {
            impact.advance()?;
            met |= !impact.contacts().is_empty();
            largest = largest.max(impact.ledger().error());
            if impact.time() > 100.0 * stiffest.collision {
                return Err(CaseError::NotOver { time: impact.time(), what: "the balls have not parted" });
            }
        }
        let ledger = impact.ledger();
        let imbalance = ledger.imbalance() / ledger.inserted;
        squares += imbalance * imbalance;
    }
    Ok([(squares / f64::from(IMPACTS)).sqrt(), largest])
}

/// The lowest order of a law over restitution, friction and rolling friction, and the largest error at the default step.
fn ledger_of<const D: usize>(law: LawKind) -> Result<(Vec<Check>, Curve), CaseError> {
    let mut lowest: Option<(f64, String, Vec<[f64; 2]>)> = None;
    let mut largest = (0.0, String::new());
    for restitution in [0.05, 0.5, 1.0] {
        for (friction, rolling_friction) in [(0.0, 0.0), (0.5, 0.0), (0.5, 0.05)] {
            let density = if D == 2 { 20.0 } else { 2500.0 };
            let material = Material { density, restitution, friction, rolling_friction, ..stone() };
            let (mut errors, mut at_default) = (Vec::new(), 0.0);
            for share in SHARES {
                let [imbalance, error] = imbalance::<D>(law, &material, share)?;
                errors.push([share, imbalance]);
                if share == 1.0 {
                    at_default = error;
                }
            }
            let order = power_of(&errors);
            let which = format!("e {restitution}, μ {friction}, μ_r {rolling_friction}");
            if at_default > largest.0 {
                largest = (at_default, which.clone());
            }
            if lowest.as_ref().is_none_or(|(so_far, ..)| order < *so_far || order.is_nan()) {
                lowest = Some((order, which, errors));
            }
        }
    }
    let (order, which, errors) = lowest.unwrap_or((f64::NAN, String::new(), Vec::new()));
    let name = format!("{}, {D}D", law.name());
    let checks = vec![
        Check::at_least(format!("{name}: lowest of 9 orders ({which})"), "order 2", [order, 2.0], ALLOWED),
        Check::absolute(
            format!("{name}: energy error at any time ({})", largest.1),
            "0, default step",
            [largest.0, 0.0],
            1e-3,
        ),
    ];
    Ok((checks, Curve { name: format!("{name}: {which}"), points: errors.clone(), marks: errors }))
}

/// Oblique impacts of spinning balls, with three steps, all kinds of losses on and off.
pub(super) fn ledger() -> Result<Findings, CaseError> {
    let (mut checks, mut curves) = (Vec::new(), Vec::new());
    for law in LAWS {
        for (found, curve) in [ledger_of::<2>(law)?, ledger_of::<3>(law)?] {
            checks.extend(found);
            curves.push(curve);
        }
    }
    let figure = Figure {
        across: ("time step / default", Spacing::Logarithmic),
        upward: ("imbalance / energy", Spacing::Logarithmic),
        curves,
    };
    Ok(Findings { checks, figure })
}
