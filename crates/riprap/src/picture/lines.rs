//! Lines of equal width, hidden by what is before them.

use super::bins::Rectangle;
use super::camera::Lens;
use super::tiles::{SIDE, Tile};
use super::vector::{Vector3, along, sub};
use crate::vector::length;

/// A line in the picture.
pub(super) struct Stroke {
    ends: [[f64; 2]; 2],
    depths: [f64; 2],
    /// Half of the width, in samples.
    half: f64,
}

impl Stroke {
    /// The part of a line before the eye that is within a box; none if there is nothing of it.
    pub(super) fn new(line: [Vector3; 2], room: &[Vector3; 2], lens: &Lens, half: f64) -> Option<Self> {
        let direction = sub(line[1], line[0]);
        let [mut from, mut to] = [0.0, 1.0];
        for k in 0..3 {
            let [a, b] = [room[0][k], room[1][k]].map(|side| (side - line[0][k]) / direction[k]);
            if direction[k] == 0.0 {
                if !(room[0][k]..=room[1][k]).contains(&line[0][k]) {
                    return None;
                }
            } else {
                from = f64::max(from, a.min(b));
                to = f64::min(to, a.max(b));
            }
        }
        let ends = [from, to].map(|share| along(line[0], share, direction));
        (from <= to).then(|| Self {
            ends: ends.map(|end| lens.place(end)),
            depths: ends.map(|end| end[2]),
            half,
        })
    }

    pub(super) fn bounds(&self) -> Rectangle {
        let [a, b] = self.ends;
        let reach = self.half + 1.0;
        [[0, 1].map(|k| a[k].min(b[k]) - reach), [0, 1].map(|k| a[k].max(b[k]) + reach)]
    }

    /// Adds to the share of each sample of a tile that lines cover.
    pub(super) fn draw(&self, tile: &Tile, lens: &Lens, ink: &mut [f32]) {
        let [least, most] = self.bounds();
        let [a, b] = self.ends;
        let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
        let squared = dx * dx + dy * dy;
        let reach = self.half + 0.5;
        for row in tile.span(1, least[1], most[1]) {
            let y = (tile.corner[1] + row) as f64 + 0.5;
            // Where this row crosses the stripe to both sides of the line; NaN, where they are parallel, drops out.
            let x = a[0] + (y - a[1]) * dx / dy;
            let width = (reach + 1.0) * (squared.sqrt() / dy).abs();
            for column in tile.span(0, least[0].max(x - width), most[0].min(x + width)) {
                let offset = [(tile.corner[0] + column) as f64 + 0.5 - a[0], y - a[1]];
                let share = (offset[0] * dx + offset[1] * dy) / squared;
                let share = if share > 0.0 { share.min(1.0) } else { 0.0 };
                let miss = length([offset[0] - share * dx, offset[1] - share * dy]);
                let [near, far] = self.depths;
                let depth = if lens.central {
                    1.0 / (1.0 / near + share * (1.0 / far - 1.0 / near))
                } else {
                    near + share * (far - near)
                };
                let sample = row * SIDE + column;
                if depth <= f64::from(tile.samples[sample].depth) {
                    ink[sample] = ink[sample].max((reach - miss).clamp(0.0, 1.0) as f32);
                }
            }
        }
    }
}
