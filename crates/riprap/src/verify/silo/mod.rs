//! Silos: what the floor carries of a tall column (Janssen 1895), and how fast grains run out (Beverloo, Leniger and van de Velde
//! 1961).

mod beverloo;
mod janssen;

pub(super) use beverloo::beverloo;
pub(super) use janssen::{janssen_disks, janssen_spheres};

use crate::Random;
use crate::dem::NewBody;
use crate::dem::wall::{Phase, Surface, Wall};

/// A wall that begins to move down at this speed at this time.
fn lowered<const D: usize>(name: &str, surface: Surface<D>, start: f64, speed: f64) -> Wall<D> {
    let mut velocity = [0.0; D];
    velocity[D - 1] = -speed;
    let phase = Phase { start, end: f64::INFINITY, velocity, spin: [0.0; 3], center: [0.0; D] };
    Wall { motion: vec![phase], ..Wall::new(name, surface) }
}

/// Grains of radii up to a tenth off the mean, layer by layer on a loose lattice above the floor, within some distance of the axis:
/// equal ones would order themselves along the walls.
fn poured<const D: usize>(
    count: usize,
    radius: f64,
    half_width: f64,
    random: &mut Random,
) -> Vec<NewBody<D>> {
    let spacing = 2.25 * radius;
    let per_row = (2.0 * (half_width - 1.15 * radius) / spacing) as i32 + 1;
    let first = -0.5 * f64::from(per_row - 1) * spacing;
    let mut grains = Vec::with_capacity(count);
    for layer in 0.. {
        for index in 0..per_row.pow(D as u32 - 1) {
            let mut place = [0.0; D];
            let mut rest = index;
            for k in 0..D - 1 {
                place[k] = first + f64::from(rest % per_row) * spacing + random.uniform(-0.02, 0.02) * radius;
                rest /= per_row;
            }
            place[D - 1] = (f64::from(layer) + 0.5) * spacing;
            let from_axis = place[..D - 1].iter().map(|x| x * x).sum::<f64>().sqrt();
            if from_axis + 1.12 * radius > half_width {
                continue;
            }
            if grains.len() == count {
                return grains;
            }
            grains.push(NewBody::ball(place, radius * random.uniform(0.9, 1.1)));
        }
    }
    grains
}
