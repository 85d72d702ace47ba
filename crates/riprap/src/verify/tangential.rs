//! Friction in closed form: impacts that stick, sliding that becomes rolling, inclines.

use std::f64::consts::PI;

use super::apparatus::{G, between, floor, resting_ball, simulation, stepping, stone, until_apart};
use super::check::{CaseError, Check, Figure, Findings, worst};
use crate::dem::{LawKind, Material, NewBody, Settings};
use crate::plot::{Curve, Spacing};

/// One over the share of the mass that a tangential force at the surface has to move: `1 + m R² / I`.
fn sliding_factor(dimension: usize) -> f64 {
    if dimension == 2 { 3.0 } else { 3.5 }
}

/// Slip after an elastic impact on a plane over that before, without sliding.
fn slip_kept<const D: usize>(tangential_share: f64) -> Result<f64, CaseError> {
    let (radius, speed) = (0.01, 0.05);
    let stiffness = 1e6;
    let stone = Material {
        k_n: Some(stiffness),
        k_t: Some(tangential_share * stiffness),
        restitution: 1.0,
        friction: 1e5,
        // Light enough not to dent the plane: the overlap shortens the arm of the force.
        density: if D == 2 { 20.0 } else { 2500.0 },
        ..stone()
    };
    let mut ball = NewBody::ball([0.0; D], radius);
    ball.position[D - 1] = radius + 1e-9;
    (ball.velocity[0], ball.velocity[D - 1]) = (0.2 * speed, -speed);
    let mut simulation = simulation(LawKind::Linear, stepping(2e-7), &[stone], vec![floor()], &[ball])?;
    until_apart(&mut simulation, 100_000)?;
    let bodies = simulation.bodies();
    // In the plane the last axis is y, and a ball that rolls towards x turns clockwise about z.
    let spin = if D == 2 { -bodies.midstep_spin.get(0)[2] } else { bodies.midstep_spin.get(0)[1] };
    Ok((bodies.midstep_velocity[0][0] - spin * radius) / (0.2 * speed))
}

/// Elastic impacts with so much friction that nothing slides: normal and tangential springs swing on their own, and when the normal
/// one has done half a swing, the tangential one, of which a sphere feels 2/7 of its mass, has changed the slip by the factor
/// `cos(π √(7/2 k_t/k_n))`; for disks it is 3 in place of 7/2 (Schäfer, Dippel, Wolf, J. Phys. I France 6, 1996).
pub(super) fn sticking_impact() -> Result<Findings, CaseError> {
    let closed_form =
        |dimension: usize, share: f64| libm::cos(PI * (sliding_factor(dimension) * share).sqrt());
    let (mut balls, mut disks) = (Vec::new(), Vec::new());
    for share in between(0.1, 1.0, 10) {
        balls.push([share, slip_kept::<3>(share)?]);
        disks.push([share, slip_kept::<2>(share)?]);
    }
    let check = |name: &str, formula: &str, dimension: usize, ours: &[[f64; 2]]| {
        let difference = |[share, found]: &[f64; 2]| (found - closed_form(dimension, *share)).abs();
        let largest = ours.iter().map(difference).fold(0.0, f64::max);
        Check::absolute(name, formula, [largest, 0.0], 5e-3)
    };
    let checks = vec![
        check("spheres, largest difference", "cos(π √(7/2 k_t/k_n))", 3, &balls),
        check("disks, largest difference", "cos(π √(3 k_t/k_n))", 2, &disks),
    ];
    let line = |dimension: usize| {
        let points = between(0.1, 1.0, 91).map(|share| [share, closed_form(dimension, share)]).collect();
        Curve {
            name: format!("{}, closed form", if dimension == 2 { "disks" } else { "spheres" }),
            points,
            marks: Vec::new(),
        }
    };
    let curves = vec![
        line(3),
        Curve { name: "spheres, ours".into(), points: Vec::new(), marks: balls },
        line(2),
        Curve { name: "disks, ours".into(), points: Vec::new(), marks: disks },
    ];
    let figure = Figure {
        across: ("k_t / k_n", Spacing::Linear),
        upward: ("slip after / before", Spacing::Linear),
        curves,
    };
    Ok(Findings { checks, figure })
}

/// What a ball does that is put down sliding.
struct Slide {
    /// When it rolls, how far it has come by then, and its speed in the end.
    measured: [f64; 3],
    /// Time and speed on the way.
    track: Vec<[f64; 2]>,
}

fn slide<const D: usize>(speed: f64, friction: f64) -> Result<Slide, CaseError> {
    let stone =
        Material { friction, restitution: 0.5, density: if D == 2 { 100.0 } else { 2500.0 }, ..stone() };
    let radius = 0.01;
    let mut gravity = [0.0; D];
    gravity[D - 1] = -G;
    let mut ball = resting_ball::<D>(&stone, radius, G);
    ball.velocity[0] = speed;
    let settings = Settings { gravity, ..stepping(1e-5) };
    let mut simulation = simulation(LawKind::Linear, settings, &[stone], vec![floor()], &[ball])?;
    let (mut measured, mut track) = ([f64::NAN; 3], Vec::new());
    let mut last_slip = speed;
    while simulation.time() < 0.1 {
        simulation.advance()?;
        let bodies = simulation.bodies();
        let spin = if D == 2 { -bodies.midstep_spin.get(0)[2] } else { bodies.midstep_spin.get(0)[1] };
        let velocity = bodies.midstep_velocity[0][0];
        let slip = velocity - spin * radius;
        if measured[0].is_nan() && slip < 1e-3 * speed && last_slip >= 1e-3 * speed {
            (measured[0], measured[1]) = (simulation.time(), bodies.position[0][0]);
        }
        last_slip = slip;
        measured[2] = velocity;
        if simulation.steps().is_multiple_of(500) {
            track.push([simulation.time(), velocity / speed]);
        }
    }
    Ok(Slide { measured, track })
}

/// A ball that slides is slowed by `μ g` while its spin grows, until it rolls.
pub(super) fn slip_to_roll() -> Result<Findings, CaseError> {
    let (speed, friction) = (0.5, 0.3);
    let deceleration = friction * G;
    let (balls, disks) = (slide::<3>(speed, friction)?, slide::<2>(speed, friction)?);
    let (mut checks, mut curves) = (Vec::new(), Vec::new());
    for (name, found, dimension, formulas) in [
        ("sphere", balls, 3, ["2 v/(7 μ g)", "12 v²/(49 μ g)", "5/7 v"]),
        ("disk", disks, 2, ["v/(3 μ g)", "5 v²/(18 μ g)", "2/3 v"]),
    ] {
        let time = speed / (sliding_factor(dimension) * deceleration);
        let end = speed - deceleration * time;
        let expected = [time, 0.5 * (speed + end) * time, end];
        let quantities = ["time of slip, s", "distance of slip, m", "speed in the end, m/s"];
        for k in 0..3 {
            checks.push(Check::relative(
                format!("{name}: {}", quantities[k]),
                formulas[k],
                [found.measured[k], expected[k]],
                5e-3,
            ));
        }
        let corners = [[0.0, 1.0], [time, end / speed], [0.1, end / speed]];
        let closed = format!("{name}, closed form");
        curves.push(Curve { name: closed, points: corners.to_vec(), marks: Vec::new() });
        curves.push(Curve { name: format!("{name}, ours"), points: Vec::new(), marks: found.track });
    }
    let figure = Figure {
        across: ("time, s", Spacing::Linear),
        upward: ("speed / first speed", Spacing::Linear),
        curves,
    };
    Ok(Findings { checks, figure })
}

/// Acceleration of a ball on an incline, between 0.1 s and 0.3 s.
pub(super) fn acceleration_on(slope: f64, stone: &Material) -> Result<f64, CaseError> {
    let cosine = 1.0 / (1.0 + slope * slope).sqrt();
    let gravity = [G * slope * cosine, 0.0, -G * cosine];
    let ball = resting_ball::<3>(stone, 0.01, G * cosine);
    let settings = Settings { gravity, ..stepping(1e-5) };
    let mut simulation =
        simulation(LawKind::Linear, settings, std::slice::from_ref(stone), vec![floor()], &[ball])?;
    simulation.advance_by(10_000)?;
    let before = simulation.bodies().midstep_velocity[0][0];
    simulation.advance_by(20_000)?;
    Ok((simulation.bodies().midstep_velocity[0][0] - before) / 0.2)
}

/// A ball rolls down an incline with 5/7 of the pull, as long as friction can turn it: up to `tan = 7/2 μ`. Beyond, it slides.
pub(super) fn incline() -> Result<Findings, CaseError> {
    let friction = 0.2;
    let stone = Material { friction, restitution: 0.5, ..stone() };
    let closed_form = |slope: f64| {
        let cosine = 1.0 / (1.0 + slope * slope).sqrt();
        let rolls = slope < 3.5 * friction;
        G * cosine * if rolls { 5.0 / 7.0 * slope } else { slope - friction }
    };
    let mut found = Vec::new();
    for slope in [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.65, 0.75, 0.8, 0.9, 1.0, 1.1, 1.2] {
        found.push([slope, acceleration_on(slope, &stone)?]);
    }
    let steepest_roll = 3.5 * friction;
    let worst_of = |rolls: bool| {
        let those = found.iter().filter(|[slope, _]| (*slope < steepest_roll) == rolls);
        worst(those.map(|[slope, ours]| [*ours, closed_form(*slope)]))
    };
    let checks = vec![
        Check::relative("rolls, tan < 7/2 μ, worst of 8", "5/7 g sin", worst_of(true), 1e-3),
        Check::relative("slides, tan > 7/2 μ, worst of 6", "g (sin - μ cos)", worst_of(false), 1e-3),
    ];
    let line = between(0.05, 1.2, 116).map(|slope| [slope, closed_form(slope)]).collect();
    let curves = vec![
        Curve { name: "closed form".into(), points: line, marks: Vec::new() },
        Curve { name: "ours".into(), points: Vec::new(), marks: found },
    ];
    let figure = Figure {
        across: ("slope (tangent)", Spacing::Linear),
        upward: ("acceleration, m/s²", Spacing::Linear),
        curves,
    };
    Ok(Findings { checks, figure })
}
