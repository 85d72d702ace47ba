//! What experiments share: materials, a floor, a ball at rest, slopes of lines.

use super::check::CaseError;
use crate::dem::wall::{Surface, Wall};
use crate::dem::{LawKind, Material, Materials, NewBody, Settings, Simulation};
use crate::packing::ball_volume;

/// Acceleration of gravity.
pub(super) const G: f64 = 9.81;
/// The laws without adhesion.
pub(super) const LAWS: [LawKind; 2] = [LawKind::Linear, LawKind::Hertz];

/// A material with values for the linear law and for Hertz's.
pub(super) fn stone() -> Material {
    Material {
        name: "stone".into(),
        density: 2500.0,
        k_n: Some(1e6),
        young: Some(1e8),
        ..Material::default()
    }
}

/// A simulation of these bodies.
pub(super) fn simulation<const D: usize>(
    law: LawKind,
    settings: Settings<D>,
    materials: &[Material],
    walls: Vec<Wall<D>>,
    bodies: &[NewBody<D>],
) -> Result<Simulation<D>, CaseError> {
    let mut simulation = Simulation::new(settings, Materials::new(law, materials.to_vec())?, walls)?;
    simulation.insert(bodies)?;
    Ok(simulation)
}

/// Settings with this step and nothing else.
pub(super) fn stepping<const D: usize>(time_step: f64) -> Settings<D> {
    Settings { time_step, ..Settings::default() }
}

/// A plane through the origin, across the last axis, of the first material.
pub(super) fn floor<const D: usize>() -> Wall<D> {
    let mut normal = [0.0; D];
    normal[D - 1] = 1.0;
    Wall::new("floor", Surface::Plane { point: [0.0; D], normal })
}

/// A ball of this material that its weight presses into the floor as deep as linear springs let it.
pub(super) fn resting_ball<const D: usize>(stone: &Material, radius: f64, gravity: f64) -> NewBody<D> {
    let mut position = [0.0; D];
    let stiffness = stone.k_n.unwrap_or(f64::INFINITY);
    position[D - 1] = radius - stone.density * ball_volume::<D>(radius) * gravity / stiffness;
    NewBody::ball(position, radius)
}

/// Duration of a collision of a ball with a wall by linear springs, without damping.
pub(super) fn collision_with_wall<const D: usize>(stone: &Material, radius: f64) -> f64 {
    let mass = stone.density * ball_volume::<D>(radius);
    std::f64::consts::PI * (mass / stone.k_n.unwrap_or(f64::NAN)).sqrt()
}

/// Advances until no contact is left after there was one.
pub(super) fn until_apart<const D: usize>(
    simulation: &mut Simulation<D>,
    most_steps: u64,
) -> Result<(), CaseError> {
    let mut met = false;
    for _ in 0..most_steps {
        simulation.advance()?;
        let touching = !simulation.contacts().is_empty();
        if met && !touching {
            return Ok(());
        }
        met |= touching;
    }
    Err(CaseError::NotOver { time: simulation.time(), what: "the bodies are still in contact, or never met" })
}

/// Row of the body with this id.
pub(super) fn row_of<const D: usize>(simulation: &Simulation<D>, id: u64) -> usize {
    simulation.bodies().id.iter().position(|&found| found == id).unwrap_or(usize::MAX)
}

/// Slope and value at zero of the line through some points with the least squares.
pub(super) fn line_through(points: &[[f64; 2]]) -> (f64, f64) {
    let count = points.len() as f64;
    let mean = |k: usize| points.iter().map(|point| point[k]).sum::<f64>() / count;
    let (x, y) = (mean(0), mean(1));
    let product = |j: usize, k: usize| -> f64 {
        let means = [x, y];
        points.iter().map(|point| (point[j] - means[j]) * (point[k] - means[k])).sum()
    };
    let slope = product(0, 1) / product(0, 0);
    (slope, y - slope * x)
}

/// The power with which `y` grows with `x`.
pub(super) fn power_of(points: &[[f64; 2]]) -> f64 {
    let logarithms: Vec<_> = points.iter().map(|point| point.map(libm::log)).collect();
    line_through(&logarithms).0
}

/// So many numbers from `low` to `high`, for the line of a closed form.
pub(super) fn between(low: f64, high: f64, count: usize) -> impl Iterator<Item = f64> {
    let step = (high - low) / (count - 1) as f64;
    (0..count).map(move |index| low + step * index as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fits_find_what_was_put_in() {
        let line: Vec<_> = between(1.0, 5.0, 9).map(|x| [x, 3.0 * x - 1.0]).collect();
        let (slope, zero) = line_through(&line);
        assert!((slope - 3.0).abs() < 1e-12 && (zero + 1.0).abs() < 1e-12);
        let curve: Vec<_> = between(1.0, 5.0, 9).map(|x| [x, 0.3 * x * x]).collect();
        assert!((power_of(&curve) - 2.0).abs() < 1e-12);
    }
}
