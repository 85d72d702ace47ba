//! Light from many lamps, each with a map of what it shines on.
//!
//! Some lamps close together, above and to the left, cast soft shadows; many weak ones all round, the sky, leave the
//! gaps of a packing darker the deeper they are. The four samples of a pixel take different lamps, so a pixel is lit by
//! all of them at the price of a quarter each.

use std::f64::consts::PI;

use rayon::prelude::*;

use super::bins::Bins;
use super::camera::{Lens, turn};
use super::in_view::InView;
use super::tiles::{SIDE, Sample, Tile};
use super::vector::{Vector3, across, along, cross, dot, scale, unit};
use crate::number::power;

/// Samples of a pixel, and groups of lamps.
const GROUPS: usize = 4;
/// Lamps of the sky, and lamps that cast shadows; whole numbers for each group.
const SKY_LAMPS: usize = 32;
const KEY_LAMPS: usize = 8;
/// To the lamps that cast shadows, before the camera: to the left, from above, from behind it.
const KEY: Vector3 = [-0.5, 0.72, -0.48];
/// The angle within which these lamps are: the larger, the softer the shadows.
const SPREAD: f64 = 0.1;
/// To the middle of the sky.
const ZENITH: Vector3 = [-0.1, 0.62, -0.78];

/// A far lamp, with a map of what is nearest to it.
struct Lamp {
    towards: Vector3,
    /// What a point is multiplied with, and what is added: its column and row in the map, and its distance.
    place: [(Vector3, f64); 3],
    /// Samples along the map's side.
    side: usize,
    /// Tile by tile.
    map: Vec<Nearest>,
    /// The length of a sample.
    blur: f32,
}

/// What a lamp shines on: how far it is, and which body.
struct Nearest {
    depth: f32,
    owner: u32,
}

impl Lamp {
    /// A lamp in this direction, for what is within `reach` of the focus; all else neither casts nor catches shadows.
    fn new(towards: Vector3, bodies: &InView, focus: Vector3, reach: f64, side: usize) -> Self {
        let away = scale(towards, -1.0);
        let up = across([0.0, 1.0, 0.0], away).or_else(|| across([0.0, 0.0, 1.0], away)).unwrap_or([0.0; 3]);
        let axes = [cross(up, towards), up, away];
        let turned = bodies.turned(&axes);
        let [x, y, _] = turn(&axes, focus);
        let half = 0.5 * side as f64;
        let zoom = half / reach;
        let lens = Lens { central: false, zoom, middle: [half - zoom * x, half + zoom * y] };
        let bins = Bins::new([side; 2], turned.around().map(|ball| lens.bounds(ball)));
        let mut map = Vec::with_capacity(bins.tiles() * SIDE * SIDE);
        for tile in 0..bins.tiles() {
            let samples = Tile::new(tile, &bins, &lens, &turned).samples;
            map.extend(samples.into_iter().map(|Sample { depth, owner, .. }| Nearest { depth, owner }));
        }
        let [x, y] = lens.middle;
        let place = [(scale(axes[0], zoom), x), (scale(axes[1], -zoom), y), (axes[2], 0.0)];
        Self { towards, place, side: bins.across * SIDE, map, blur: (1.0 / zoom) as f32 }
    }

    /// How much of the lamp's light falls on a surface: none in a shadow, otherwise the cosine of the angle.
    fn shine(&self, point: Vector3, normal: Vector3, owner: u32) -> f64 {
        let cosine = dot(self.towards, normal);
        if cosine <= 0.0 {
            return 0.0;
        }
        let [x, y, distance] = self.place.map(|(factor, start)| dot(factor, point) + start);
        // A body does not shade the side that it turns to the lamp, so rounding cannot make it spotted; nor does one that goes
        // on in the same plane, which is nearer to the lamp within a sample by as much as the plane is steep.
        let steep = (1.0 - cosine * cosine).max(0.0).sqrt() / cosine;
        let room = 1.5 * self.blur * (steep as f32).clamp(1.0, 8.0);
        let lit = |column: f64, row: f64| {
            let nearest = self.nearest(column, row);
            nearest.is_none_or(|nearest| nearest.owner == owner || nearest.depth + room > distance as f32)
        };
        // The mean over the four samples around, the nearer the more: otherwise edges of shadows would have steps.
        let [column, row] = [(x - 0.5).floor(), (y - 0.5).floor()];
        let [right, down] = [x - 0.5 - column, y - 0.5 - row];
        let share = |right: f64, down: f64, lit: bool| if lit { right * down } else { 0.0 };
        cosine
            * (share(1.0 - right, 1.0 - down, lit(column, row))
                + share(right, 1.0 - down, lit(column + 1.0, row))
                + share(1.0 - right, down, lit(column, row + 1.0))
                + share(right, down, lit(column + 1.0, row + 1.0)))
    }

    /// What is nearest to the lamp at a sample of its map; none outside.
    fn nearest(&self, column: f64, row: f64) -> Option<&Nearest> {
        let inside = 0.0..self.side as f64;
        if !inside.contains(&column) || !inside.contains(&row) {
            return None;
        }
        let (column, row) = (column as usize, row as usize);
        let tile = row / SIDE * (self.side / SIDE) + column / SIDE;
        self.map.get(tile * SIDE * SIDE + row % SIDE * SIDE + column % SIDE)
    }
}

/// All lamps of a picture.
pub(super) struct Lights {
    key: Vec<Lamp>,
    sky: Vec<Lamp>,
}

/// What falls on a surface: from the lamps that cast shadows, and from the sky. A surface that faces them takes one.
pub(super) struct Shine {
    pub(super) key: f32,
    pub(super) sky: f32,
}

impl Lights {
    /// Lamps for what is within `reach` of the focus, with maps of `side` times `side` samples.
    pub(super) fn new(bodies: &InView, focus: Vector3, reach: f64, side: usize) -> Self {
        let around = |middle: Vector3, cap: f64, count: usize, side: usize| -> Vec<Lamp> {
            let middle = unit(middle).unwrap_or([0.0, 1.0, 0.0]);
            let right = across([1.0, 0.0, 0.0], middle).unwrap_or([1.0, 0.0, 0.0]);
            let up = cross(middle, right);
            let lamp = |index: usize| {
                // Rings of one lamp for each group, of equal areas, each turned by the golden angle from the last.
                let height = 1.0 - cap * (index as f64 + 0.5) / count as f64;
                let angle = PI
                    * ((index / GROUPS) as f64 * (3.0 - 5f64.sqrt())
                        + (index % GROUPS) as f64 * 2.0 / GROUPS as f64);
                let width = (1.0 - height * height).sqrt();
                let offset = along(scale(right, width * libm::cos(angle)), width * libm::sin(angle), up);
                Lamp::new(along(offset, height, middle), bodies, focus, reach, side)
            };
            (0..count).into_par_iter().map(lamp).collect()
        };
        Self {
            key: around(KEY, 0.5 * SPREAD * SPREAD, KEY_LAMPS, 3 * side / 2),
            sky: around(ZENITH, 1.0, SKY_LAMPS, side),
        }
    }

    /// The light on a surface of a body, or of none, for one of the four samples of a pixel.
    pub(super) fn shine(&self, group: usize, point: Vector3, normal: Vector3, owner: u32) -> Shine {
        let mean = |lamps: &[Lamp]| {
            let lamps = lamps.iter().skip(group).step_by(GROUPS);
            let count = lamps.len() as f64;
            (lamps.map(|lamp| lamp.shine(point, normal, owner)).sum::<f64>() / count) as f32
        };
        // The mean cosine over half of all directions is a half.
        Shine { key: mean(&self.key), sky: 2.0 * mean(&self.sky) }
    }
}

/// What would fall on a surface if nothing stood in the way.
pub(super) fn unhindered(normal: Vector3) -> Shine {
    let cosine = |direction| unit(direction).map_or(0.0, |direction| dot(direction, normal));
    Shine { key: cosine(KEY).max(0.0) as f32, sky: (0.5 + 0.5 * cosine(ZENITH)) as f32 }
}

/// How bright the key lamps are reflected to the eye, which is at the origin.
pub(super) fn gloss(point: Vector3, normal: Vector3) -> f32 {
    let (Some(key), Some(back)) = (unit(KEY), unit(scale(point, -1.0))) else { return 0.0 };
    unit(along(key, 1.0, back)).map_or(0.0, |half| power(dot(half, normal).max(0.0), 32) as f32)
}

#[cfg(test)]
mod tests {
    use super::super::camera::BallInView;
    use super::super::vector::sub;
    use super::*;

    const BALL: BallInView = BallInView { center: [0.3, -0.2, 4.0], radius: 1.0 };

    fn lights(bodies: &[BallInView]) -> Lights {
        Lights::new(&InView::of_balls(bodies.to_vec()), BALL.center, 5.0, 256)
    }

    #[test]
    fn a_lone_ball_has_light_on_one_side_and_no_spots() {
        let lights = lights(&[BALL]);
        for i in 0..500 {
            let height = 1.0 - f64::from(i) / 250.0;
            let (sin, cos) = (f64::from(i) * 2.4).sin_cos();
            let width = (1.0 - height * height).sqrt();
            let normal = [width * cos, height, width * sin];
            let point = along(BALL.center, BALL.radius, normal);
            let Shine { key, sky } = unhindered(normal);
            let shines: Vec<Shine> = (0..GROUPS).map(|group| lights.shine(group, point, normal, 0)).collect();
            for shine in &shines {
                assert!((shine.key - key).abs() < 0.1 && (shine.sky - sky).abs() < 0.15, "{normal:?}");
            }
            let mean = shines.iter().map(|shine| shine.sky).sum::<f32>() / GROUPS as f32;
            assert!((mean - sky).abs() < 0.03, "{normal:?}");
        }
    }

    #[test]
    fn what_stands_between_takes_the_light() {
        let towards = unit(KEY).unwrap();
        let point = along(BALL.center, BALL.radius, towards);
        let mean = |others: &[Vector3]| {
            let others = others.iter().map(|&center| BallInView { center, radius: 0.9 });
            let lights = lights(&[BALL].into_iter().chain(others).collect::<Vec<BallInView>>());
            let shines = (0..GROUPS).map(|group| lights.shine(group, point, towards, 0));
            let [key, sky] = shines.fold([0.0; 2], |[key, sky], shine| [key + shine.key, sky + shine.sky]);
            [key / GROUPS as f32, sky / GROUPS as f32]
        };
        let before = along(BALL.center, 3.0, towards);
        let [key, sky] = mean(&[]);
        assert!(key > 0.99 && mean(&[along(BALL.center, -3.0, towards)]) == [key, sky]);
        let shaded = mean(&[before]);
        assert!(shaded[0] == 0.0 && shaded[1] < 0.95 * sky, "{shaded:?}");
        let beside = mean(&[sub(before, [0.0, 2.0, 0.0])]);
        assert!(beside[0] == key && beside[1] < sky, "{beside:?}");
    }
}
