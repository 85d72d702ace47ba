//! H. A. Janssen, *Versuche über Getreidedruck in Silozellen*, Z. VDI 39 (1895) 1045.
//!
//! The walls of a silo carry a fixed share `τ/σ` of the vertical stress by friction, at most `μ K` with `K` the ratio of the stress on
//! the walls to the vertical one. The stress saturates over the depth `λ = A σ / (P τ)` (`A` cross section, `P` its perimeter):
//! `σ(z) = ρ g λ (1 - exp(-z/λ))`.
//!
//! 1. Grains are poured and come to rest.
//! 2. The floor is lowered slowly, so that friction points upwards everywhere, as the theory supposes (Bertho, Giorgiutti-Dauphiné and
//!    Hulin 2003). Round grains also roll along the walls, so that less than `μ` is at work.
//! 3. Means are taken over the rest of the time. The ratio `τ/σ` and the density `ρ` enter the prediction: what is put to the test is
//!    that one ratio serves all depths, and the force on the floor that follows.

use super::{lowered, poured};
use crate::Random;
use crate::dem::wall::{Surface, Wall};
use crate::dem::{LawKind, Material, NewBody, Partner, Settings, Simulation, stress};
use crate::plot::{Curve, Spacing};
use crate::verify::apparatus::{G, between, simulation, stepping, stone};
use crate::verify::check::{CaseError, Check, Figure, Findings};

/// Slices over which stresses are taken.
const SLICES: usize = 10;
/// Moments over which means are taken.
const MOMENTS: u64 = 60;
const FRICTION: f64 = 0.4;
const RADIUS: f64 = 0.005;

/// A silo and its grains.
struct Silo<const D: usize> {
    sides: Vec<Wall<D>>,
    /// Cross section, and its perimeter.
    area: f64,
    perimeter: f64,
    material: Material,
    grains: Vec<NewBody<D>>,
    /// When the floor begins to move, and when all is over.
    start: f64,
    end: f64,
}

/// Sums over some moments.
#[derive(Default)]
struct SiloForces {
    /// Force on the floor, friction of the sides, force of the sides along their normals.
    floor: f64,
    friction: f64,
    normal: f64,
    /// Vertical stress, and friction of the sides, of each slice.
    vertical: [f64; SLICES],
    shear: [f64; SLICES],
}

impl<const D: usize> Silo<D> {
    fn run(self) -> Result<Findings, CaseError> {
        let mut gravity = [0.0; D];
        gravity[D - 1] = -G;
        let mut up = [0.0; D];
        up[D - 1] = 1.0;
        let surface = Surface::Plane { point: [0.0; D], normal: up };
        let mut walls = vec![lowered("floor", surface, self.start, 4.0 * RADIUS)];
        walls.extend(self.sides);
        let probe = simulation::<D>(
            LawKind::Linear,
            stepping(1e-9),
            std::slice::from_ref(&self.material),
            vec![],
            &self.grains,
        )?;
        let step = probe.stiffest().map_or(f64::NAN, |stiffest| 0.03 * stiffest.collision);
        // Grains hit the floor hard when they are poured.
        let settings = Settings { gravity, overlap_limit: 0.5, ..stepping(step) };
        let mut silo = simulation(LawKind::Linear, settings, &[self.material], walls, &self.grains)?;
        let steps = |time: f64| (time / step) as u64;
        // Half of the way is for friction to build up.
        silo.advance_by(steps(0.5 * (self.start + self.end)))?;
        let height = height_of(&silo);
        let density = density_of(&silo, self.area, height);
        let mut sums = SiloForces::default();
        for _ in 0..MOMENTS {
            silo.advance_by(steps(0.5 * (self.end - self.start)) / MOMENTS)?;
            sums.add(&silo, height, self.area);
        }
        sums.findings(&silo, height, density, self.area, self.perimeter)
    }
}

/// Where the floor is.
fn floor_of<const D: usize>(silo: &Simulation<D>) -> f64 {
    silo.placements()[0].to_now([0.0; D])[D - 1]
}

/// How high the grains stand: twice the height of their centre of mass.
fn height_of<const D: usize>(silo: &Simulation<D>) -> f64 {
    let bodies = silo.bodies();
    let mass: f64 = bodies.seen.iter().map(|seen| 1.0 / seen.inverse_mass).sum();
    let moments = bodies.position.iter().zip(&bodies.seen).map(|(x, seen)| x[D - 1] / seen.inverse_mass);
    2.0 * (moments.sum::<f64>() / mass - floor_of(silo))
}

/// Mass over volume, without the ends.
fn density_of<const D: usize>(silo: &Simulation<D>, area: f64, height: f64) -> f64 {
    let (floor, bodies) = (floor_of(silo), silo.bodies());
    let inside = |x: &[f64; D]| (0.2 * height..0.8 * height).contains(&(x[D - 1] - floor));
    let masses = bodies.position.iter().zip(&bodies.seen).filter(|(x, _)| inside(x));
    masses.map(|(_, seen)| 1.0 / seen.inverse_mass).sum::<f64>() / (0.6 * height * area)
}

impl SiloForces {
    fn add<const D: usize>(&mut self, silo: &Simulation<D>, height: f64, area: f64) {
        let floor = floor_of(silo);
        let slice = |z: f64| ((z - floor) / height * SLICES as f64).clamp(0.0, SLICES as f64 - 1.0) as usize;
        let mut records = vec![Vec::new(); SLICES];
        for record in silo.contacts() {
            let slice = slice(record.point[D - 1]);
            records[slice].push(*record);
            match record.b {
                Partner::Wall(0) => self.floor += record.force[D - 1],
                Partner::Wall(_) => {
                    self.friction += record.force[D - 1];
                    self.normal += record.push;
                    self.shear[slice] += record.force[D - 1];
                }
                Partner::Body(_) => {}
            }
        }
        for (sum, records) in self.vertical.iter_mut().zip(&records) {
            *sum += stress(records, area * height / SLICES as f64)[D - 1][D - 1];
        }
    }

    fn findings<const D: usize>(
        &self,
        silo: &Simulation<D>,
        height: f64,
        density: f64,
        area: f64,
        perimeter: f64,
    ) -> Result<Findings, CaseError> {
        let count = MOMENTS as f64;
        let weight: f64 = silo.bodies().seen.iter().map(|seen| G / seen.inverse_mass).sum();
        // The ends are left out: the floor is rough, and the uppermost grains lie loose.
        let middle = 1..SLICES - 2;
        let wall = perimeter * height / SLICES as f64;
        let shear: f64 = self.shear[middle.clone()].iter().sum::<f64>() / wall;
        let vertical: f64 = self.vertical[middle.clone()].iter().sum();
        let ratio = shear / vertical;
        let depth = area / (perimeter * ratio);
        let saturated = density * G * depth;
        let below = |depth_below: f64| saturated * (1.0 - libm::exp(-depth_below / depth));
        let top = height;
        let place = |slice: usize| (slice as f64 + 0.5) * height / SLICES as f64;
        let found: Vec<[f64; 2]> =
            (0..SLICES).map(|slice| [top - place(slice), self.vertical[slice] / count]).collect();
        let difference = |slice: usize| {
            let [depth_below, ours] = found[slice];
            (ours - below(depth_below)).abs() / saturated
        };
        let largest = middle.map(difference).fold(0.0, f64::max);
        let force = self.floor / count;
        let checks = vec![
            Check::relative(
                "floor and friction of the sides / weight",
                "1: equilibrium",
                [(force + self.friction / count) / weight, 1.0],
                0.02,
            ),
            Check::at_least(
                "μ less friction of the sides / their normal force",
                "0: Coulomb's limit",
                [FRICTION - self.friction / self.normal, 0.0],
                0.0,
            ),
            Check::at_least("depth of the column / λ", "2: saturated", [height / depth, 2.0], 0.0),
            Check::relative(
                format!("force on the floor, N (τ/σ = {ratio:.3})"),
                "ρ g λ A (1 - exp(-H/λ))",
                [force, below(height) * area],
                0.15,
            ),
            Check::absolute(
                "stress in the column, largest difference / ρ g λ",
                "1 - exp(-z/λ)",
                [largest, 0.0],
                0.2,
            ),
            Check::relative(
                "weight the floor would carry alone, N",
                "ρ g A H",
                [weight, density * G * area * height],
                0.05,
            ),
        ];
        let line = between(0.0, height, 61).map(|z| [z, below(z)]).collect();
        let hydrostatic = [0.0, 2.0 * depth].map(|z| [z, density * G * z]).to_vec();
        let curves = vec![
            Curve { name: "Janssen".into(), points: line, marks: Vec::new() },
            Curve { name: "vertical stress, ours".into(), points: Vec::new(), marks: found },
            Curve { name: "without friction of the walls".into(), points: hydrostatic, marks: Vec::new() },
        ];
        let figure = Figure {
            across: ("depth, m", Spacing::Linear),
            upward: ("vertical stress", Spacing::Linear),
            curves,
        };
        Ok(Findings { checks, figure })
    }
}

fn grain(stiffness: f64, density: f64) -> Material {
    Material { friction: FRICTION, restitution: 0.3, k_n: Some(stiffness), density, ..stone() }
}

/// Disks between two walls.
pub(in crate::verify) fn janssen_disks() -> Result<Findings, CaseError> {
    let half_width = 8.5 * RADIUS;
    let side = |sign: f64| {
        let surface = Surface::Plane { point: [-sign * half_width, 0.0], normal: [sign, 0.0] };
        Wall::new("side", surface)
    };
    Silo {
        sides: vec![side(1.0), side(-1.0)],
        area: 2.0 * half_width,
        perimeter: 2.0,
        material: grain(1e6, 1000.0),
        grains: poured(600, RADIUS, half_width, &mut Random::new(7)),
        start: 0.6,
        end: 2.0,
    }
    .run()
}

/// Spheres in a cylinder.
pub(in crate::verify) fn janssen_spheres() -> Result<Findings, CaseError> {
    let radius = 9.0 * RADIUS;
    let cylinder = Surface::Cylinder { point: [0.0; 3], axis: [0.0, 0.0, 1.0], radius, inside: true };
    Silo {
        sides: vec![Wall::new("cylinder", cylinder)],
        area: std::f64::consts::PI * radius * radius,
        perimeter: std::f64::consts::TAU * radius,
        material: grain(2e4, 2500.0),
        grains: poured(2500, RADIUS, radius, &mut Random::new(7)),
        start: 0.6,
        end: 2.0,
    }
    .run()
}
