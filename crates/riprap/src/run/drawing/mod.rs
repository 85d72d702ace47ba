//! The picture of a state.

mod bodies;
mod walls;

use std::io;
use std::path::Path;

use super::frames::in_space;
use crate::dem::{Material, Simulation};
use crate::io::write_whole;
use crate::picture::Picture;
use crate::scene::{Color, Output};
use crate::vector::length;
use crate::words::short;

const WIDTH: usize = 1200;
const HEIGHT: usize = 900;

/// Draws bodies and walls.
pub(super) fn write<const D: usize>(
    path: &Path,
    simulation: &Simulation<D>,
    output: &Output,
) -> io::Result<()> {
    let bodies = simulation.bodies();
    let gravity = simulation.settings().gravity;
    let values: Vec<f64> = match output.color {
        Color::Speed => simulation.velocities().map(length).collect(),
        Color::Radius => bodies.radius.clone(),
        Color::Material => bodies.material.iter().map(|material| f64::from(*material)).collect(),
        Color::Id => bodies.id.iter().map(|id| *id as f64).collect(),
    };
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let share = |value: f64| if high > low { (value - low) / (high - low) } else { 0.5 };
    let mut picture = Picture {
        flat: D == 2,
        up: if length(gravity) > 0.0 { in_space(gravity.map(|g| -g)) } else { [0.0, 0.0, 1.0] },
        view: output.view,
        caption: format!("{}  t = {} s", output.color.name(), short(simulation.time())),
        labels: labels(simulation.materials().list(), output.color, low, high),
        ..Picture::default()
    };
    bodies::add(&mut picture, simulation, |row| share(values[row]));
    walls::add(&mut picture, simulation);
    let image = picture.render(WIDTH, HEIGHT);
    write_whole(path, |writer| image.write_png(writer))
}

/// What stands beside the colours: names of materials, or numbers.
fn labels(materials: &[Material], color: Color, low: f64, high: f64) -> Vec<(f64, String)> {
    if color == Color::Material {
        let share = |index: usize| (index as f64 - low) / (high - low);
        let named =
            materials.iter().enumerate().map(|(index, material)| (share(index), material.name.clone()));
        return named.filter(|(share, _)| (0.0..=1.0).contains(share)).collect();
    }
    [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| (share, short(low + share * (high - low)))).to_vec()
}
