//! Impacts of balls that stick: the energy ledger closes in every row, however slow they are.

use std::f64::consts::PI;

use riprap::dem::{LawKind, Material, Settings, Simulation};
use riprap::packing;

use crate::adhesion::{ADHESION, LAWS, RADIUS, TENSION, VOLUME, modulus, sticky};
use crate::{ball, floor, simulation, turning};

/// What a ball of the default radius meets.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Target {
    Ball,
    Wall,
}

/// An impact of a ball that does not turn.
#[derive(Debug, Clone, Copy)]
struct Impact {
    law: LawKind,
    target: Target,
    restitution: f64,
    /// The speed along the normal, over that below which balls stick.
    speed: f64,
    /// The speed across the normal over that along it.
    slant: f64,
    /// Steps until surfaces touch.
    steps: f64,
}

impl Impact {
    /// The speed of approach below which balls stick; `dmt`, which loses nothing, is given that of `jkr`.
    fn sticking_speed<const D: usize>(&self) -> f64 {
        let mass = 2500.0 * packing::ball_volume::<D>(RADIUS);
        let (radius, mass) = match self.target {
            Target::Ball => (0.5 * RADIUS, 0.5 * mass),
            Target::Wall => (RADIUS, mass),
        };
        let cost = match self.law {
            LawKind::Bridge => {
                let slant = |s: f64| (s * s + VOLUME / (PI * radius)).sqrt();
                4.0 * PI * radius * TENSION * (VOLUME.cbrt() - slant(VOLUME.cbrt()) + slant(0.0))
            }
            _ => 7.09 * (ADHESION.powi(5) * radius.powi(4) / modulus().powi(2)).cbrt(),
        };
        (2.0 * cost / mass).sqrt()
    }

    /// The simulation of it at the default step.
    fn simulation<const D: usize>(&self) -> Simulation<D> {
        let speed = self.speed * self.sticking_speed::<D>();
        let friction = if self.slant > 0.0 { 0.4 } else { 0.0 };
        let stone = Material {
            restitution: self.restitution,
            friction,
            rolling_friction: 0.2 * friction,
            ..sticky()
        };
        let make = |time_step: f64, gap: f64| {
            let settings = Settings { time_step, ..Settings::default() };
            let up: [f64; D] = std::array::from_fn(|k| if k == D - 1 { 1.0 } else { 0.0 });
            let walls = if self.target == Target::Wall { vec![floor(up, 0)] } else { vec![] };
            let mut simulation = simulation(self.law, settings, std::slice::from_ref(&stone), walls);
            let mut velocity = up.map(|component| -speed * component);
            velocity[0] = self.slant * speed;
            let mut bodies = vec![ball(up.map(|component| (RADIUS + gap) * component), velocity, RADIUS)];
            if self.target == Target::Ball {
                bodies.push(ball(up.map(|component| -RADIUS * component), [0.0; D], RADIUS));
            }
            simulation.insert(&bodies).unwrap();
            simulation
        };
        let step = make(1e-9, RADIUS).stiffest().unwrap().step();
        make(step, self.steps * step * speed)
    }

    /// The largest energy error in any row until the surfaces have parted, or swung to and fro for a while.
    fn worst<const D: usize>(&self) -> f64 {
        let mut simulation = self.simulation::<D>();
        let (mut worst, mut met) = (0.0f64, false);
        for _ in 0..1500 {
            simulation.advance().unwrap();
            worst = worst.max(simulation.ledger().error());
            let touching = !simulation.contacts().is_empty();
            if met && !touching {
                break;
            }
            met |= touching;
        }
        assert!(met, "{self:?} in {D}D");
        worst
    }
}

/// All impacts of a ball at so many times the sticking speed, slow and fast, at a slant or not, that touch soon after a step, as one ends, or
/// in between.
fn impacts(law: LawKind, target: Target, restitution: f64) -> impl Iterator<Item = Impact> {
    [0.0, 0.7].into_iter().flat_map(move |slant| {
        [0.05, 0.2, 0.5, 0.99, 1.01, 2.0, 5.0].into_iter().flat_map(move |speed| {
            [2.0, 2.0 + 1e-12, 2.2, 2.45, 2.7, 2.95].map(|steps| Impact {
                law,
                target,
                restitution,
                speed,
                slant,
                steps,
            })
        })
    })
}

#[test]
fn impacts_of_any_speed_close_in_every_row() {
    for law in LAWS {
        for target in [Target::Ball, Target::Wall] {
            for restitution in [0.01, 0.1, 0.3, 0.6, 0.9, 1.0] {
                for impact in impacts(law, target, restitution) {
                    let errors = [impact.worst::<2>(), impact.worst::<3>()];
                    assert!(errors.iter().all(|error| *error < 1e-3), "{impact:?}: {errors:?}");
                }
            }
        }
    }
}

/// Two balls that meet at an angle, turning, with everything that loses energy.
#[test]
fn impacts_with_adhesion_close() {
    for law in LAWS {
        for (restitution, speed) in [(0.5, 0.3), (1.0, 0.3), (0.7, 0.02)] {
            let stone = Material { restitution, friction: 0.4, rolling_friction: 0.1, ..sticky() };
            let make = |time_step| {
                let settings = Settings { time_step, ..Settings::default() };
                let mut simulation: Simulation<3> =
                    simulation(law, settings, std::slice::from_ref(&stone), vec![]);
                let mut random = riprap::Random::new(1);
                let bodies = [
                    ball([-1.001 * RADIUS, 0.0, 0.0], [speed, 0.2 * speed, 0.0], RADIUS),
                    ball([1.2 * RADIUS, 0.3 * RADIUS, 0.0], [-speed, 0.0, 0.1 * speed], 1.2 * RADIUS),
                ];
                simulation.insert(&bodies.map(|body| turning(body, &mut random))).unwrap();
                simulation
            };
            let mut simulation = make(make(1e-9).stiffest().unwrap().step());
            let mut worst = 0.0f64;
            for _ in 0..20_000 {
                simulation.advance().unwrap();
                worst = worst.max(simulation.ledger().error());
            }
            assert!(worst < 1e-3, "{law:?} {restitution} {speed}: {worst} {:?}", simulation.ledger());
        }
    }
}

/// Slow balls that meet a floor head on, whose attraction is stronger by far than their speed: they come away as fast as they came,
/// wherever between two steps they touch. In between, what comes and goes is hundreds of times what they have brought along.
#[test]
fn dmt_gives_back_what_it_took() {
    let speed = 0.01;
    let stone = Material { young: Some(5e6), adhesion: Some(1.0), ..sticky() };
    for count in 0..40 {
        let gap = 1e-6 + 2.3e-9 * f64::from(count);
        let make = |time_step| {
            let settings = Settings { time_step, ..Settings::default() };
            let mut simulation: Simulation<3> = simulation(
                LawKind::Dmt,
                settings,
                std::slice::from_ref(&stone),
                vec![floor([0.0, 0.0, 1.0], 0)],
            );
            simulation.insert(&[ball([0.0, 0.0, RADIUS + gap], [0.0, 0.0, -speed], RADIUS)]).unwrap();
            simulation
        };
        let mut simulation = make(make(1e-9).stiffest().unwrap().step());
        for _ in 0..400 {
            simulation.advance().unwrap();
            let ledger = simulation.ledger();
            assert!(ledger.error() < 1e-3, "{gap}: {ledger:?}");
        }
        let velocity = simulation.velocities().next().unwrap()[2];
        assert!((velocity / speed - 1.0).abs() < 1e-4, "{gap}: {velocity}");
        assert!(simulation.ledger().error() < 1e-4, "{gap}: {:?}", simulation.ledger());
    }
}
