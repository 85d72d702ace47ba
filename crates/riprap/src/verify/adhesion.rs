//! Surfaces that hold each other: cycles of pressing together and drawing apart, and the speed up to which a ball sticks.
//!
//! Closed forms are those of Johnson, Kendall and Roberts (1971) with the work of a cycle by Thornton and Ning (1998), of Derjaguin,
//! Muller and Toporov (1975), and for liquid bridges of Rabinovich, Esayanur and Moudgil (2005) with the distance of rupture by Lian,
//! Thornton and Adams (1993).

use std::f64::consts::PI;

use super::apparatus::{between, floor, simulation, stepping, stone};
use super::check::{CaseError, Check, Figure, Findings};
use crate::dem::wall::{Phase, Surface, Wall};
use crate::dem::{LawKind, Ledger, Material, NewBody, Settings};
use crate::packing::ball_volume;
use crate::plot::{Curve, Spacing};

const RADIUS: f64 = 1e-3;
const YOUNG: f64 = 1e7;
/// Work of adhesion.
const ADHESION: f64 = 0.5;
/// Surface tension and volume of a liquid bridge.
const TENSION: f64 = 0.07;
const VOLUME: f64 = 1e-12;
/// How deep the plate is pressed into the ball.
const DEPTH: f64 = 4e-6;

fn sticky() -> Material {
    Material {
        young: Some(YOUNG),
        restitution: 1.0,
        friction: 0.0,
        adhesion: Some(ADHESION),
        surface_tension: Some(TENSION),
        bridge_volume: Some(VOLUME),
        ..stone()
    }
}

/// Modulus of two of it.
fn modulus() -> f64 {
    let poisson = sticky().poisson;
    YOUNG / (2.0 * (1.0 - poisson * poisson))
}

/// Hertz's force of a plate on the ball.
fn hertz(overlap: f64) -> f64 {
    let overlap = overlap.max(0.0);
    4.0 / 3.0 * modulus() * (RADIUS * overlap).sqrt() * overlap
}

/// Energy that two surfaces lose when they leap together and part again.
fn cost_of_jkr() -> f64 {
    let (square, fourth) = (ADHESION * ADHESION, RADIUS * RADIUS * RADIUS * RADIUS);
    7.09 * libm::cbrt(square * square * ADHESION * fourth / (modulus() * modulus()))
}

/// The largest force of a bridge to a plate, which has twice the mean radius; at the distance `s` it is less by the factor `1 - s / h`.
fn most_of_bridge() -> f64 {
    2.0 * PI * 2.0 * RADIUS * TENSION
}

/// The `h` of that factor.
fn slant(distance: f64) -> f64 {
    (distance * distance + 2.0 * VOLUME / (PI * 2.0 * RADIUS)).sqrt()
}

/// Energy that it takes to break a bridge.
fn cost_of_bridge() -> f64 {
    let length = libm::cbrt(VOLUME);
    most_of_bridge() * (length - slant(length) + slant(0.0))
}

/// What a cycle shows: overlaps and forces on the way down and on the way up, and the ledger after it.
struct Cycle {
    there: Vec<[f64; 2]>,
    back: Vec<[f64; 2]>,
    ledger: Ledger,
}

impl Cycle {
    /// The strongest pull on the way up.
    fn pull_off(&self) -> f64 {
        self.back.iter().fold(f64::INFINITY, |least, [_, force]| least.min(*force))
    }

    /// The force at this place on the way down.
    fn force_at(&self, place: usize) -> f64 {
        self.there.get(place).map_or(f64::NAN, |[_, force]| *force)
    }

    /// The last overlap of all.
    fn end(&self) -> f64 {
        self.back.last().map_or(f64::NAN, |[overlap, _]| *overlap)
    }

    /// Force against overlap beside the closed form.
    fn figure(&self, closed_form: Vec<[f64; 2]>) -> Figure {
        let some = |way: &[[f64; 2]]| way.iter().step_by(way.len() / 40 + 1).copied().collect();
        let curves = vec![
            Curve { name: "closed form".into(), points: closed_form, marks: Vec::new() },
            Curve { name: "ours, together".into(), points: Vec::new(), marks: some(&self.there) },
            Curve { name: "ours, apart".into(), points: Vec::new(), marks: some(&self.back) },
        ];
        Figure { across: ("overlap, m", Spacing::Linear), upward: ("force, N", Spacing::Linear), curves }
    }
}

/// A plate is pressed slowly onto a ball that is too heavy to move, and drawn back until it is so far apart.
fn cycle(law: LawKind, apart: f64, speed: f64) -> Result<Cycle, CaseError> {
    let (gap, step) = (1e-6, 1e-6);
    let down = (gap + DEPTH) / speed;
    let end = down + (DEPTH + apart) / speed;
    let phase = |start: f64, end: f64, velocity: f64| Phase {
        start,
        end,
        velocity: [0.0, 0.0, velocity],
        spin: [0.0; 3],
        center: [0.0; 3],
    };
    let surface = Surface::Plane { point: [0.0, 0.0, RADIUS + gap], normal: [0.0, 0.0, -1.0] };
    let plate = Wall {
        motion: vec![phase(0.0, down, -speed), phase(down, end, speed)],
        ..Wall::new("plate", surface)
    };
    let anvil = NewBody { mass: Some(1e6), ..NewBody::ball([0.0; 3], RADIUS) };
    let settings = Settings { force_step: true, ..stepping(step) };
    let mut simulation = simulation::<3>(law, settings, &[sticky()], vec![plate], &[anvil])?;
    let (mut there, mut back) = (Vec::new(), Vec::new());
    while simulation.time() < end - step {
        simulation.advance()?;
        let way = if simulation.time() < down { &mut there } else { &mut back };
        if let Some(contact) = simulation.contacts().first() {
            way.push([contact.overlap, contact.push]);
        }
    }
    if !simulation.contacts().is_empty() {
        return Err(CaseError::NotOver { time: simulation.time(), what: "the plate is not torn off" });
    }
    Ok(Cycle { there, back, ledger: simulation.ledger() })
}

/// Surfaces leap together at touch, hold beyond it, and part with a second leap: both are lost.
pub(super) fn jkr() -> Result<Findings, CaseError> {
    let found = cycle(LawKind::Jkr, 5e-6, 1e-3)?;
    let pull_off = 1.5 * PI * ADHESION * RADIUS;
    let area = libm::cbrt(2.0 * PI * ADHESION * RADIUS * RADIUS / modulus());
    let length = area * area / RADIUS;
    let (end, cost) = (libm::cbrt(0.25), cost_of_jkr());
    let formula = "7.09 (w⁵ R⁴/E²)^(1/3)";
    let checks = vec![
        // The first of all acts for more or less than a step.
        Check::relative("force at touch, N", "-8/9 F_c", [found.force_at(1), -8.0 / 9.0 * pull_off], 5e-3),
        Check::relative("pull-off force F_c, N", "3/2 π w R", [-found.pull_off(), pull_off], 1e-5),
        Check::relative("last distance, m", "3/4 4^(-1/3) a₀²/R", [-found.end(), 0.75 * end * length], 1e-3),
        Check::relative("work of a cycle, J", formula, [found.ledger.walls, cost], 2e-3),
        Check::relative("lost by adhesion, J", formula, [found.ledger.adhesion, cost], 1e-3),
    ];
    let most = 1.5;
    let line = between(end, most, 100).map(|y| {
        let cube = y * y * y;
        let force = modulus() * area * length * (4.0 / 3.0 * cube * cube - 2.0 * cube);
        [length * (cube * y - y), force]
    });
    let figure = found.figure(line.filter(|[overlap, _]| *overlap <= DEPTH).collect());
    Ok(Findings { checks, figure })
}

/// A constant attraction while the surfaces touch: the way back gives what the way there took.
pub(super) fn dmt() -> Result<Findings, CaseError> {
    let found = cycle(LawKind::Dmt, 1e-6, 1e-3)?;
    let pull_off = 2.0 * PI * ADHESION * RADIUS;
    let work = found.ledger.walls / (pull_off * DEPTH);
    let checks = vec![
        // The first of all acts for a part of a step.
        Check::relative("force at touch, N", "-2 π w R", [found.force_at(1), -pull_off], 1e-3),
        Check::relative("pull-off force, N", "2 π w R", [-found.pull_off(), pull_off], 1e-3),
        Check::absolute("work of a cycle over force times depth", "0", [work, 0.0], 1e-3),
        Check::absolute("lost by adhesion, J", "0", [found.ledger.adhesion, 0.0], 0.0),
    ];
    let line = between(0.0, DEPTH, 100).map(|overlap| [overlap, hertz(overlap) - pull_off]).collect();
    Ok(Findings { checks, figure: found.figure(line) })
}

/// A ball that meets a plane head on comes away as fast as it came, wherever between two steps it touches: the attraction is there on the
/// way out as on the way in.
pub(super) fn dmt_impact() -> Result<Findings, CaseError> {
    const SPEED: f64 = 0.02;
    let make = |time_step: f64, gap: f64| {
        let ball = NewBody::ball([0.0, 0.0, RADIUS + gap], RADIUS).moving([0.0, 0.0, -SPEED]);
        simulation::<3>(LawKind::Dmt, stepping(time_step), &[sticky()], vec![floor()], &[ball])
    };
    let step = make(1e-9, 1e-6)?.stiffest().map_or(f64::NAN, |stiffest| stiffest.step());
    let (mut marks, mut farthest) = (Vec::new(), 1.0f64);
    for share in between(0.0, 1.0, 20) {
        let mut simulation = make(step, 1e-6 + share * SPEED * step)?;
        for _ in 0..400 {
            simulation.advance()?;
        }
        if !simulation.contacts().is_empty() {
            return Err(CaseError::NotOver { time: simulation.time(), what: "the ball does not come away" });
        }
        let found = simulation.bodies().midstep_velocity[0][2] / SPEED;
        if (found - 1.0).abs() > (farthest - 1.0).abs() {
            farthest = found;
        }
        marks.push([share, found]);
    }
    let checks = vec![Check::relative("speed after over speed before", "1", [farthest, 1.0], 1e-4)];
    let curves = vec![
        Curve { name: "closed form".into(), points: vec![[0.0, 1.0], [1.0, 1.0]], marks: Vec::new() },
        Curve { name: "ours".into(), points: Vec::new(), marks },
    ];
    let figure = Figure {
        across: ("share of a step before touch", Spacing::Linear),
        upward: ("speed after over speed before", Spacing::Linear),
        curves,
    };
    Ok(Findings { checks, figure })
}

/// A liquid bridge forms at touch and breaks at its length; what breaks it is lost.
pub(super) fn bridge() -> Result<Findings, CaseError> {
    let length = libm::cbrt(VOLUME);
    let found = cycle(LawKind::Bridge, 1.05 * length, 2.5e-3)?;
    let (most, cost) = (most_of_bridge(), cost_of_bridge());
    let closed_form = |overlap: f64| {
        let gap = (-overlap).max(0.0);
        hertz(overlap) - most * (1.0 - gap / slant(gap))
    };
    let [half, force] =
        found.back.iter().copied().find(|[overlap, _]| *overlap < -0.5 * length).unwrap_or([f64::NAN; 2]);
    let capillary = "-2 π r γ (1 - s/√(s² + 2 V/(π r)))";
    let work = "2 π r γ (L - h(L) + h(0)), h(s) = √(s² + 2 V/(π r))";
    let touch = found.there.get(1).map_or(f64::NAN, |[overlap, _]| closed_form(*overlap));
    let checks = vec![
        // The first of all acts for a part of a step.
        Check::relative("force at touch, N", "-2 π r γ and Hertz", [found.force_at(1), touch], 1e-6),
        Check::relative("pull-off force, N", "2 π r γ", [-found.pull_off(), most], 2e-3),
        Check::relative("force half-way, N", capillary, [force, closed_form(half)], 1e-9),
        Check::relative("rupture distance, m", "L = V^(1/3)", [-found.end(), length], 1e-3),
        Check::relative("work of a cycle, J", work, [found.ledger.walls, cost], 1e-3),
        Check::relative("lost by adhesion, J", work, [found.ledger.adhesion, cost], 1e-9),
    ];
    let line = between(-length, DEPTH, 400).map(|overlap| [overlap, closed_form(overlap)]).collect();
    Ok(Findings { checks, figure: found.figure(line) })
}

/// Whether a ball sticks to a plane that it meets head on at this speed.
fn sticks(law: LawKind, speed: f64) -> Result<bool, CaseError> {
    let make = |time_step: f64| {
        let ball = NewBody::ball([0.0, 0.0, 1.0001 * RADIUS], RADIUS).moving([0.0, 0.0, -speed]);
        simulation::<3>(law, stepping(time_step), &[sticky()], vec![floor()], &[ball])
    };
    let step = make(1e-9)?.stiffest().map_or(f64::NAN, |stiffest| stiffest.step());
    let mut simulation = make(0.25 * step)?;
    let (mut met, mut rose) = (false, false);
    for _ in 0..100_000 {
        simulation.advance()?;
        let touching = !simulation.contacts().is_empty();
        if met && !touching {
            return Ok(false);
        }
        met |= touching;
        let up = simulation.bodies().midstep_velocity[0][2];
        // Up once and down again: it has not come away.
        if rose && up < 0.0 {
            return Ok(true);
        }
        rose |= up > 0.0;
    }
    Err(CaseError::NotOver { time: simulation.time(), what: "the ball neither sticks nor comes away" })
}

/// A ball sticks as long as its kinetic energy is below what a cycle loses: `v = √(2 W/m)` (Thornton and Ning 1998).
pub(super) fn sticking() -> Result<Findings, CaseError> {
    const ROUNDS: usize = 9;
    let mass = sticky().density * ball_volume::<3>(RADIUS);
    let (mut checks, mut marks) = (Vec::new(), Vec::new());
    let cases = [("jkr", LawKind::Jkr, cost_of_jkr()), ("bridge", LawKind::Bridge, cost_of_bridge())];
    for (name, law, cost) in cases {
        let expected = (2.0 * cost / mass).sqrt();
        // Between a speed that sticks and one that does not.
        let (mut low, mut high) = (0.5 * expected, 1.5 * expected);
        for speed in [low, high] {
            if sticks(law, speed)? != (speed == low) {
                return Err(CaseError::NotOver { time: 0.0, what: "the speed of sticking is far off" });
            }
        }
        for _ in 0..ROUNDS {
            let middle = 0.5 * (low + high);
            if sticks(law, middle)? {
                low = middle;
            } else {
                high = middle;
            }
        }
        let found = 0.5 * (low + high);
        checks.push(Check::relative(
            format!("largest speed that sticks, {name}, m/s"),
            "√(2 W/m)",
            [found, expected],
            0.01,
        ));
        marks.push([cost, found]);
    }
    let most = 1.2 * cost_of_jkr().max(cost_of_bridge());
    let line = between(0.0, most, 100).map(|cost| [cost, (2.0 * cost / mass).sqrt()]).collect();
    let curves = vec![
        Curve { name: "closed form".into(), points: line, marks: Vec::new() },
        Curve { name: "ours".into(), points: Vec::new(), marks },
    ];
    let figure = Figure {
        across: ("work of a cycle, J", Spacing::Linear),
        upward: ("speed that sticks, m/s", Spacing::Linear),
        curves,
    };
    Ok(Findings { checks, figure })
}
