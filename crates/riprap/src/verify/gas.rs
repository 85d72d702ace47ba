//! Gases: momentum and angular momentum, and Haff's law of cooling.

use std::f64::consts::PI;

use super::apparatus::{LAWS, between, simulation, stepping, stone};
use super::check::{CaseError, Check, Figure, Findings};
use crate::Random;
use crate::dem::{Domain, LawKind, Material, NewBody, Settings, Simulation};
use crate::packing;
use crate::plot::{Curve, Spacing};
use crate::vector::length;

/// Places for balls of these radii that fill a periodic box to this fraction, and the edge of the box.
fn places<const D: usize>(
    radii: Vec<f64>,
    fraction: f64,
    random: &mut Random,
) -> Result<(Vec<NewBody<D>>, f64), CaseError> {
    let (bodies, edge) = (radii.len(), packing::edge_for_fraction::<D>(&radii, fraction));
    let columns = packing::without_overlap::<D>(radii, edge, random).ok_or(CaseError::Room { bodies })?;
    let balls = columns.centers.iter().zip(&columns.radii);
    Ok((balls.map(|(center, radius)| NewBody::ball(*center, *radius)).collect(), edge))
}

/// Balls with friction, rolling friction and spins: forces come in pairs, so momentum is kept to rounding. Angular momentum, which is
/// defined without a periodic box only, is that of eight balls that fly at each other off centre.
pub(super) fn momentum() -> Result<Findings, CaseError> {
    let stone = Material { friction: 0.5, rolling_friction: 0.02, ..stone() };
    let (mut checks, mut curves) = (Vec::new(), Vec::new());
    for law in LAWS {
        let mut random = Random::new(1);
        let radii = packing::power_law_radii(200, -2.0, 0.005, 2.0, &mut random);
        let (mut balls, edge) = places::<3>(radii, 0.3, &mut random)?;
        for ball in &mut balls {
            ball.velocity = [0; 3].map(|_| random.uniform(-0.3, 0.3));
            ball.spin = [0; 3].map(|_| random.uniform(-20.0, 20.0));
        }
        let settings = Settings { domain: Domain::periodic([0.0; 3], [edge; 3]), ..stepping(5e-6) };
        let mut gas = simulation(law, settings, std::slice::from_ref(&stone), vec![], &balls)?;
        let before = gas.momentum().0;
        let scale: f64 = gas.bodies().seen.iter().map(|seen| length(seen.velocity) / seen.inverse_mass).sum();
        let change = |gas: &Simulation<3>| {
            let now = gas.momentum().0;
            length([0, 1, 2].map(|k| now[k] - before[k])) / scale
        };
        let mut track = Vec::new();
        for _ in 0..20 {
            gas.advance_by(200)?;
            track.push([gas.time(), change(&gas).max(1e-20)]);
        }
        checks.push(Check::absolute(
            format!("{}: change of momentum / sum of m v", law.name()),
            "0",
            [change(&gas), 0.0],
            1e-12,
        ));
        let name = format!("momentum, {}", law.name());
        curves.push(Curve { name, points: track, marks: Vec::new() });

        let mut cluster = eight_balls(law, &stone)?;
        cluster.advance()?;
        let before = cluster.momentum().1;
        let mut track = Vec::new();
        let change = |cluster: &Simulation<3>| {
            let now = cluster.momentum().1;
            length([0, 1, 2].map(|k| now[k] - before[k])) / length(before)
        };
        for _ in 0..20 {
            cluster.advance_by(2000)?;
            track.push([cluster.time(), change(&cluster).max(1e-20)]);
        }
        checks.push(Check::at_least(
            format!("{}: energy lost by sliding / inserted", law.name()),
            "something has happened",
            [cluster.ledger().friction / cluster.ledger().inserted, 1e-4],
            0.0,
        ));
        checks.push(Check::absolute(
            format!("{}: change of angular momentum, share", law.name()),
            "0",
            [change(&cluster), 0.0],
            1e-9,
        ));
        let name = format!("angular momentum, {}", law.name());
        curves.push(Curve { name, points: track, marks: Vec::new() });
    }
    let figure = Figure {
        across: ("time, s", Spacing::Linear),
        upward: ("change, relative", Spacing::Logarithmic),
        curves,
    };
    Ok(Findings { checks, figure })
}

fn eight_balls(law: LawKind, stone: &Material) -> Result<Simulation<3>, CaseError> {
    let balls: Vec<_> = (0..8)
        .map(|k| {
            let corner = [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { 0.012 } else { -0.0125 });
            let [x, y, z] = corner;
            let velocity = [-10.0 * x + 1.5 * y, -11.0 * y, -9.0 * z + x];
            NewBody { spin: [5.0, -3.0, f64::from(k)], ..NewBody::ball(corner, 0.01).moving(velocity) }
        })
        .collect();
    simulation(law, stepping(2e-6), std::slice::from_ref(stone), vec![], &balls)
}

/// A gas of equal smooth balls that cools.
struct Cooling {
    count: usize,
    fraction: f64,
    restitution: f64,
    /// Collisions per ball at the first rate.
    collisions: f64,
}

impl Cooling {
    /// Rate of collisions of a ball in a gas of this number density and thermal speed `√(T/m)`: Enskog's, with the pair correlation
    /// at contact of Henderson (disks) and Carnahan and Starling (spheres).
    fn rate<const D: usize>(&self, radius: f64, density: f64, thermal: f64) -> f64 {
        let (diameter, fraction) = (2.0 * radius, self.fraction);
        let empty = 1.0 - fraction;
        if D == 2 {
            let contact = (1.0 - 7.0 / 16.0 * fraction) / (empty * empty);
            2.0 * PI.sqrt() * diameter * density * contact * thermal
        } else {
            let contact = (1.0 - 0.5 * fraction) / (empty * empty * empty);
            4.0 * PI.sqrt() * diameter * diameter * density * contact * thermal
        }
    }

    /// Each collision takes `(1 - e²) T / 2` from each of two balls that have `D T / 2`, so the energy falls as `1 / (1 + t/τ)²` with
    /// `1/τ = (1 - e²) rate / (2 D)` (Haff 1983), as long as the gas stays homogeneous.
    fn run<const D: usize>(&self) -> Result<Findings, CaseError> {
        let (radius, thermal) = (0.005, 1.0);
        let mut random = Random::new(5);
        let (mut balls, edge) = places::<D>(vec![radius; self.count], self.fraction, &mut random)?;
        for ball in &mut balls {
            for k in 0..D {
                ball.velocity[k] = thermal * random.normal();
            }
        }
        let density = self.count as f64 / libm::pow(edge, D as f64);
        let rate = self.rate::<D>(radius, density, thermal);
        // A collision takes a two-hundredth of the time between two, and fifty steps.
        let contact = 0.005 / rate;
        let mass = 20.0 * packing::ball_volume::<D>(radius);
        let stiffness = 0.5 * mass * (PI / contact) * (PI / contact);
        let stone = Material {
            density: 20.0,
            friction: 0.0,
            restitution: self.restitution,
            k_n: Some(stiffness),
            ..stone()
        };
        let domain = Domain::periodic([0.0; D], [edge; D]);
        let settings = Settings { domain, overlap_limit: 1.0, ..stepping(contact / 50.0) };
        let mut gas = simulation(LawKind::Linear, settings, &[stone], vec![], &balls)?;
        gas.advance()?;
        let start = gas.ledger().translation;
        // The temperature is that of the velocities drawn, not of the distribution.
        let thermal = (2.0 * start / (D as f64 * mass * self.count as f64)).sqrt();
        let rate = self.rate::<D>(radius, density, thermal);
        let inverse_time = rate * (1.0 - self.restitution * self.restitution) / (2.0 * D as f64);
        let closed_form = |time: f64| {
            let slowed = 1.0 + time * inverse_time;
            1.0 / (slowed * slowed)
        };
        let end = self.collisions / rate;
        let part = (end / 20.0 / gas.settings().time_step) as u64;
        let mut track = Vec::new();
        while gas.time() < end {
            gas.advance_by(part)?;
            track.push([gas.time(), gas.ledger().translation / start]);
        }
        let [time, energy] = track[track.len() - 1];
        let formula = "E/E₀ = 1/(1 + t/τ)²";
        // From √(E₀/E) = 1 + t/τ.
        let slope = track.iter().map(|[time, energy]| ((1.0 / energy).sqrt() - 1.0) / time);
        let mean = slope.sum::<f64>() / track.len() as f64;
        let checks = vec![
            Check::relative("energy left in the end", formula, [energy, closed_form(time)], 0.05),
            Check::relative(
                "1/τ, mean over the run, 1/s",
                format!("(1-e²) f/{}, f: Enskog", 2 * D),
                [mean, inverse_time],
                0.05,
            ),
            Check::absolute("energy error of the ledger", "0", [gas.ledger().error(), 0.0], 1e-3),
        ];
        let line = between(0.0, time, 61).map(|time| [time, closed_form(time)]).collect();
        let curves = vec![
            Curve { name: "Haff".into(), points: line, marks: Vec::new() },
            Curve { name: "ours".into(), points: Vec::new(), marks: track },
        ];
        let figure = Figure {
            across: ("time, s", Spacing::Linear),
            upward: ("energy / first energy", Spacing::Logarithmic),
            curves,
        };
        Ok(Findings { checks, figure })
    }
}

/// A short run of disks.
pub(super) fn cooling_disks() -> Result<Findings, CaseError> {
    Cooling { count: 1600, fraction: 0.1, restitution: 0.95, collisions: 24.0 }.run::<2>()
}

/// A longer run of spheres.
pub(super) fn cooling_spheres() -> Result<Findings, CaseError> {
    Cooling { count: 3000, fraction: 0.05, restitution: 0.9, collisions: 20.0 }.run::<3>()
}
