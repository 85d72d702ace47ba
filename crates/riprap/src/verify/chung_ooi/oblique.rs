//! Tests 4 to 8: oblique impacts and impacts of spinning spheres.

use super::{ALUMINIUM_ALLOY, ALUMINIUM_OXIDE, HertzImpact, STEEL, Substance, rigid};
use crate::dem::{LawKind, NewBody};
use crate::packing::ball_volume;
use crate::plot::{Curve, Spacing};
use crate::verify::apparatus::{between, floor, row_of, simulation, stepping, until_apart};
use crate::verify::check::{CaseError, Check, Figure, Findings, worst};

/// Steps per collision.
const STEPS: f64 = 2000.0;
/// Impacts with more slip than this share of the least that slides throughout are compared with sliding: in between, the
/// tangential spring shows.
const MARGIN: f64 = 1.1;

/// What a sphere meets.
#[derive(Clone, Copy, PartialEq)]
enum Obstacle {
    /// A rigid plane.
    Plane,
    /// An equal sphere that moves and turns as its mirror image.
    Equal,
    /// A sphere at rest, five times as large, of a matter a thousand times as heavy and stiff.
    Heavy,
}

/// How spheres meet.
struct Encounter {
    substance: &'static Substance,
    restitution: f64,
    friction: f64,
    target: Obstacle,
}

/// Motion along the surface: velocity, and spin times radius.
#[derive(Clone, Copy)]
struct SurfaceMotion {
    velocity: f64,
    spin: f64,
}

impl SurfaceMotion {
    /// Speed of the surface of the sphere over the other one at rest.
    fn slip(self) -> f64 {
        self.velocity - self.spin
    }
}

impl Encounter {
    /// The reduced mass over that of the sphere.
    fn reduced_share(&self) -> f64 {
        match self.target {
            Obstacle::Plane => 1.0,
            Obstacle::Equal => 0.5,
            // Radius five times, density a thousand times.
            Obstacle::Heavy => 125e3 / (125e3 + 1.0),
        }
    }

    /// The change of tangential velocity by Coulomb's impulse, for spheres of which each approaches the other at this speed.
    fn coulomb(&self, approach: f64) -> f64 {
        let meeting = if self.target == Obstacle::Equal { 2.0 * approach } else { approach };
        self.friction * (1.0 + self.restitution) * self.reduced_share() * meeting
    }

    /// The least slip of a surface that is not used up by the impulse: an impulse changes the slip of a sphere by 7/2 of what it
    /// changes its velocity by.
    fn sliding_from(&self, approach: f64) -> f64 {
        3.5 * self.coulomb(approach)
    }

    /// Motion along the surface after an impact, and the speed along the normal over that before.
    fn collide(&self, approach: f64, before: SurfaceMotion) -> Result<(SurfaceMotion, f64), CaseError> {
        let Substance { radius, density, young, poisson, .. } = *self.substance;
        let duration = HertzImpact {
            mass: self.reduced_share() * density * ball_volume::<3>(radius),
            radius: radius * if self.target == Obstacle::Equal { 0.5 } else { 1.0 },
            modulus: young / (1.0 - poisson * poisson)
                * if self.target == Obstacle::Equal { 0.5 } else { 1.0 },
            speed: approach * if self.target == Obstacle::Equal { 2.0 } else { 1.0 },
        }
        .duration();
        let step = duration / STEPS;
        let gap = 0.5 * approach * step;
        let material = self.substance.material(self.restitution, self.friction);
        let moving = |body: NewBody<3>, sign: f64| NewBody {
            spin: [0.0, before.spin / radius, 0.0],
            ..body.moving([sign * before.velocity, 0.0, -sign * approach])
        };
        let first = moving(NewBody::ball([0.0, 0.0, radius + gap], radius), 1.0);
        let mut other = rigid(&material);
        let (walls, bodies) = match self.target {
            Obstacle::Plane => {
                let mut plane = floor();
                plane.material = 1;
                (vec![plane], vec![first])
            }
            Obstacle::Equal => {
                (vec![], vec![first, moving(NewBody::ball([0.0, 0.0, -radius - gap], radius), -1.0)])
            }
            Obstacle::Heavy => {
                other.density = 1e3 * density;
                other.young = Some(1e3 * young);
                let mut second = NewBody::ball([0.0, 0.0, -5.0 * radius - gap], 5.0 * radius);
                second.material = 1;
                (vec![], vec![first, second])
            }
        };
        let mut simulation = simulation(LawKind::Hertz, stepping(step), &[material, other], walls, &bodies)?;
        until_apart(&mut simulation, (20.0 * STEPS) as u64)?;
        let row = row_of(&simulation, 0);
        let bodies = simulation.bodies();
        let velocity = bodies.midstep_velocity[row];
        let after = SurfaceMotion { velocity: velocity[0], spin: bodies.midstep_spin.get(row)[1] * radius };
        Ok((after, velocity[2].abs() / approach))
    }

    /// Does some impacts: where the surfaces slide throughout, velocity and spin are those of Coulomb's impulse, and everywhere
    /// angular momentum about the contact point is kept.
    fn impacts(
        &self,
        across: &'static str,
        place: impl Fn(f64, SurfaceMotion) -> f64,
        impacts: &[(f64, SurfaceMotion)],
        allowed: f64,
    ) -> Result<Findings, CaseError> {
        let (mut velocities, mut spins, mut moments, mut normals) = (vec![], vec![], vec![], vec![]);
        let (mut ours, mut closed) = ([vec![], vec![]], [vec![], vec![]]);
        for &(approach, before) in impacts {
            let (after, normal) = self.collide(approach, before)?;
            let (impulse, x) = (self.coulomb(approach), place(approach, before));
            let gained = (after.spin - before.spin) / approach;
            let lost = (before.velocity - after.velocity) / approach;
            ours[0].push([x, lost]);
            ours[1].push([x, gained]);
            normals.push([normal, self.normal_after()]);
            moments.push([0.4 * gained, lost]);
            if before.slip() > self.sliding_from(approach) {
                closed[0].push([x, impulse / approach]);
                closed[1].push([x, 2.5 * impulse / approach]);
            }
            if before.slip() > MARGIN * self.sliding_from(approach) {
                velocities.push([lost, impulse / approach]);
                spins.push([gained, 2.5 * impulse / approach]);
            }
        }
        let formula = match self.target {
            Obstacle::Plane => "μ (1+e) v",
            Obstacle::Equal => "μ (1+e) v, v of each",
            Obstacle::Heavy => "μ (1+e) v M/(m+M)",
        };
        let sliding = velocities.len();
        let worst_of = |what: &str| format!("{what}, worst of {sliding} that slide");
        let checks = vec![
            Check::relative(worst_of("tangential velocity lost / v"), formula, worst(velocities), allowed),
            Check::relative(worst_of("spin gained R/v"), format!("5/2 {formula}"), worst(spins), allowed),
            Check::relative(
                format!("angular momentum at the contact, worst of {}", impacts.len()),
                "2/5 R Δω = -Δv",
                worst(moments),
                allowed,
            ),
            Check::relative(
                format!("normal velocity after / before, worst of {}", impacts.len()),
                if self.target == Obstacle::Heavy { "(e M - m)/(M + m)" } else { "e" },
                worst(normals),
                5e-3,
            ),
        ];
        let [lost, gained] = ours;
        let [lost_by_theory, gained_by_theory] = closed;
        let curve = |name: &str, points, marks| Curve { name: name.into(), points, marks };
        let curves = vec![
            curve("tangential velocity lost / v, sliding", lost_by_theory, Vec::new()),
            curve("the same, ours", Vec::new(), lost),
            curve("spin gained R / v, sliding", gained_by_theory, Vec::new()),
            curve("the same, ours", Vec::new(), gained),
        ];
        let figure = Figure {
            across: (across, Spacing::Linear),
            upward: ("over normal velocity", Spacing::Linear),
            curves,
        };
        Ok(Findings { checks, figure })
    }

    /// Speed of the sphere along the normal after the impact over that before.
    fn normal_after(&self) -> f64 {
        match self.target {
            Obstacle::Plane | Obstacle::Equal => self.restitution,
            Obstacle::Heavy => (1.0 + self.restitution) * self.reduced_share() - 1.0,
        }
    }
}

/// Test 4: 3.9 m/s at 5 to 85 degrees to the normal.
pub(in crate::verify) fn angles() -> Result<Findings, CaseError> {
    let encounter = Encounter {
        substance: &ALUMINIUM_OXIDE,
        restitution: 0.98,
        friction: 0.092,
        target: Obstacle::Plane,
    };
    let impacts: Vec<_> = between(5.0, 85.0, 17)
        .map(|degrees: f64| {
            let (sine, cosine) = libm::sincos(degrees.to_radians());
            (3.9 * cosine, SurfaceMotion { velocity: 3.9 * sine, spin: 0.0 })
        })
        .collect();
    let place = |approach: f64, before: SurfaceMotion| libm::atan2(before.velocity, approach).to_degrees();
    // The contact is nearer to the centre than the radius by the overlap, half a percent of it.
    encounter.impacts("angle of impact, degrees", place, &impacts, 0.01)
}

/// Test 5: 5 m/s along the normal, and up to five times as much along the plane.
pub(in crate::verify) fn tangential_velocities() -> Result<Findings, CaseError> {
    let encounter = Encounter { substance: &STEEL, restitution: 1.0, friction: 0.3, target: Obstacle::Plane };
    let impacts: Vec<_> = between(0.25, 5.0, 20)
        .map(|ratio| (5.0, SurfaceMotion { velocity: 5.0 * ratio, spin: 0.0 }))
        .collect();
    let place = |approach: f64, before: SurfaceMotion| before.velocity / approach;
    encounter.impacts("tangential over normal velocity", place, &impacts, 0.01)
}

/// Tests 6 to 8: 0.2 m/s along the normal, and a spin.
fn spinning(target: Obstacle) -> Result<Findings, CaseError> {
    let encounter = Encounter { substance: &ALUMINIUM_ALLOY, restitution: 0.5, friction: 0.4, target };
    let impacts: Vec<_> = between(0.25, 5.0, 20)
        .map(|ratio| (0.2, SurfaceMotion { velocity: 0.0, spin: -0.2 * ratio }))
        .collect();
    let place = |approach: f64, before: SurfaceMotion| -before.spin / approach;
    encounter.impacts("spin times radius over normal velocity", place, &impacts, 2e-3)
}

/// Test 6: a spinning sphere meets a rigid plane.
pub(in crate::verify) fn spinning_on_plane() -> Result<Findings, CaseError> {
    spinning(Obstacle::Plane)
}

/// Test 7: two equal spheres that spin in the same sense.
pub(in crate::verify) fn spinning_equal() -> Result<Findings, CaseError> {
    spinning(Obstacle::Equal)
}

/// Test 8: a spinning sphere meets a large and heavy one at rest.
pub(in crate::verify) fn spinning_unequal() -> Result<Findings, CaseError> {
    spinning(Obstacle::Heavy)
}
