//! Which body is nearest at each sample, found one square of the picture at a time.
//!
//! A square's samples fit into the cache. Bodies are drawn from the nearest to the farthest, so most of a packing is
//! never looked at: a square is finished when the next body is behind all that it shows.

use super::bins::Bins;
use super::camera::{BallInView, Lens};
use super::in_view::{InView, Seen};

/// Samples along the side of a tile.
pub(super) const SIDE: usize = 64;
/// Owner of a sample that shows no body.
pub(super) const NONE: u32 = u32::MAX;

/// A square of samples, row by row.
pub(super) struct Tile {
    /// The column and the row of its first sample in the picture.
    pub(super) corner: [usize; 2],
    pub(super) samples: Vec<Sample>,
    /// Where the vertices of a stone are, while it is drawn.
    pub(super) places: Vec<[f64; 2]>,
}

/// What is nearest on a line of sight.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    /// How far it is; infinite where there is nothing.
    pub(super) depth: f32,
    /// The index of the body that it belongs to, or `NONE`.
    pub(super) owner: u32,
    /// Which face of a stone it is; 0 of balls.
    pub(super) face: u32,
}

impl Tile {
    /// Tile number `index` of a picture, with those of the bodies that are in its bin.
    pub(super) fn new(index: usize, bins: &Bins, lens: &Lens, bodies: &InView) -> Self {
        let mut tile = Self {
            corner: [index % bins.across * SIDE, index / bins.across * SIDE],
            samples: vec![Sample { depth: f32::INFINITY, owner: NONE, face: 0 }; SIDE * SIDE],
            places: Vec::new(),
        };
        let front = |&item: &u32| (bodies.front(item) as f32, item);
        let mut nearest: Vec<(f32, u32)> = bins.tile(index).iter().map(front).collect();
        nearest.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut farthest = f32::INFINITY;
        let mut drawn = 0;
        for (front, item) in nearest {
            if front > farthest {
                break;
            }
            drawn += match bodies.body(item) {
                Some(Seen::Ball(ball)) => tile.draw_ball(lens, ball, item),
                Some(Seen::Stone(stone, faces)) => tile.draw_stone(lens, stone, faces, item),
                None => 0,
            };
            // Not more often, or looking would take longer than drawing.
            if drawn > 2 * SIDE * SIDE {
                drawn = 0;
                farthest = tile.farthest();
            }
        }
        tile
    }

    fn farthest(&self) -> f32 {
        self.samples.iter().fold(f32::NEG_INFINITY, |farthest, sample| farthest.max(sample.depth))
    }

    /// Draws a ball where nothing is before it, and tells how many samples that took.
    fn draw_ball(&mut self, lens: &Lens, body: &BallInView, item: u32) -> usize {
        let Some([least, most]) = lens.bounds(body) else { return 0 };
        let [columns, rows] = [0, 1].map(|k| self.span(k, least[k], most[k]));
        let BallInView { center: [x, y, z], radius } = *body;
        let squared = x * x + y * y + z * z - radius * radius;
        let front = (z - radius) as f32;
        let step = 1.0 / lens.zoom;
        let drawn = columns.len() * rows.len();
        for row in rows {
            let [first, up] = lens.sight(self.corner[0] + columns.start, self.corner[1] + row);
            let samples = &mut self.samples[row * SIDE + columns.start..row * SIDE + columns.end];
            for (count, sample) in samples.iter_mut().enumerate() {
                if sample.depth <= front {
                    continue;
                }
                let right = first + count as f64 * step;
                // The nearer root of the quadratic for the point of the line of sight that is on the sphere.
                let (room, middle, factor) = if lens.central {
                    let factor = 1.0 + right * right + up * up;
                    let middle = right * x + up * y + z;
                    (middle * middle - factor * squared, middle, factor)
                } else {
                    let offset = [right - x, up - y];
                    (radius * radius - offset[0] * offset[0] - offset[1] * offset[1], z, 1.0)
                };
                if room >= 0.0 {
                    let depth = ((middle - room.sqrt()) / factor) as f32;
                    if depth < sample.depth {
                        *sample = Sample { depth, owner: item, face: 0 };
                    }
                }
            }
        }
        drawn
    }

    /// The columns (0) or rows (1) of the tile whose middles are between two places of the picture.
    pub(super) fn span(&self, axis: usize, least: f64, most: f64) -> std::ops::Range<usize> {
        let place =
            |place: f64| (place - 0.5 - self.corner[axis] as f64).ceil().clamp(0.0, SIDE as f64) as usize;
        let (start, end) = (place(least), place(most));
        start..end.max(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn every_sample_shows_the_nearest_ball_that_its_line_meets() {
        let mut random = Random::new(9);
        let mut body = || BallInView {
            center: [random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(3.0, 5.0)],
            radius: random.uniform(0.01, 0.4),
        };
        let bodies: Vec<BallInView> = (0..60).map(|_| body()).collect();
        for central in [false, true] {
            let zoom = if central { 320.0 } else { 80.0 };
            let lens = Lens { central, zoom, middle: [75.0, 65.0] };
            let bins = Bins::new([150, 130], bodies.iter().map(|body| lens.bounds(body)));
            assert_eq!((bins.across, bins.tiles()), (3, 9));
            let seen = InView::of_balls(bodies.clone());
            for index in 0..9 {
                let tile = Tile::new(index, &bins, &lens, &seen);
                for (sample, Sample { owner, .. }) in tile.samples.iter().enumerate() {
                    let [x, y] = lens.sight(tile.corner[0] + sample % SIDE, tile.corner[1] + sample / SIDE);
                    let meets = |body: &BallInView| {
                        let c = body.center;
                        let (o, d) =
                            if central { ([0.0; 3], [x, y, 1.0]) } else { ([x, y, 0.0], [0.0, 0.0, 1.0]) };
                        let m: [f64; 3] = std::array::from_fn(|k| c[k] - o[k]);
                        let (a, b) = ((0..3).map(|k| d[k] * d[k]), (0..3).map(|k| d[k] * m[k]));
                        let (a, b) = (a.sum::<f64>(), b.sum::<f64>());
                        let c = m.iter().map(|x| x * x).sum::<f64>() - body.radius * body.radius;
                        let room = b * b - a * c;
                        (room >= 0.0).then(|| (b - room.sqrt()) / a)
                    };
                    let depths =
                        bodies.iter().zip(0..).filter_map(|(body, i)| meets(body).map(|depth| (depth, i)));
                    let nearest = depths.min_by(|a, b| a.0.total_cmp(&b.0));
                    let found = (*owner != NONE).then_some(*owner);
                    assert_eq!(found, nearest.map(|nearest| nearest.1), "{central} {index} {sample}");
                }
            }
        }
    }
}
