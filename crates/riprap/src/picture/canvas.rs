//! What each pixel shows: bodies in the light, lines, and walls before them.

use rayon::prelude::*;

use super::bins::Bins;
use super::camera::{Camera, Lens};
use super::colors::{BACKGROUND, Encoding, Light, mix};
use super::in_view::{InView, Seen};
use super::light::{Lights, Shine, gloss, unhindered};
use super::lines::Stroke;
use super::stones::FaceInView;
use super::tiles::{NONE, SIDE, Sample, Tile};
use super::vector::{Vector3, dot, length, scale, sub};
use super::walls::Pane;
use super::{Image, Picture};

const LINE: Light = [0.18, 0.2, 0.23];
const WALL: Light = [0.6, 0.63, 0.67];
/// Samples along the side of a pixel.
pub(super) const SAMPLES: usize = 2;
/// Pixels along the side of a tile.
const PIXELS: usize = SIDE / SAMPLES;
/// The light from the rim of a disc and from the edges of a stone, over that beside them.
const EDGE: f32 = 0.3;

/// Everything of a picture, before the eye.
pub(super) struct Canvas {
    size: [usize; 2],
    lens: Lens,
    focus: Vector3,
    bodies: InView,
    colors: Vec<Light>,
    bins: Bins,
    strokes: Vec<Stroke>,
    stroke_bins: Bins,
    panes: Vec<Pane>,
    pane_bins: Bins,
    /// None where bodies are flat.
    lights: Option<Lights>,
    /// Half of the width of lines, in samples.
    half: f64,
}

impl Canvas {
    /// The picture seen by a camera, with so many pixels across and down.
    pub(super) fn new(picture: &Picture, camera: &Camera, width: usize, height: usize) -> Self {
        let size = [width, height].map(|side| side * SAMPLES);
        let fineness = ((width * height) as f64).sqrt();
        let lens = camera.lens;
        let (bodies, colors) = InView::new(picture, camera);
        let focus = scale(camera.eye, -1.0);
        // Walls fade away before they come to the sides of this box.
        let mut room = [-3.0, 3.0].map(|side| focus.map(|x| x + side));
        room[0][2] = room[0][2].max(0.1 * focus[2]);

        let half = (1.2 * fineness / 1000.0).max(1.0) * SAMPLES as f64 * 0.5;
        let strokes = picture
            .lines
            .iter()
            .filter_map(|line| Stroke::new(line.map(|end| camera.see(end)), &room, &lens, half));
        let strokes: Vec<Stroke> = strokes.collect();
        let panes = picture
            .triangles
            .iter()
            .filter_map(|triangle| Pane::new(triangle.map(|corner| camera.see(corner)), &room, &lens));
        let panes: Vec<Pane> = panes.collect();
        let lights = (!picture.flat).then(|| {
            let (middle, reach) = heart(&bodies, focus);
            let tiles = (0.4 * fineness / SIDE as f64).ceil().clamp(1.0, 12.0) as usize;
            Lights::new(&bodies, middle, reach, tiles * SIDE)
        });
        Self {
            size,
            lens,
            focus,
            bins: Bins::new(size, bodies.around().map(|ball| lens.bounds(ball))),
            stroke_bins: Bins::new(size, strokes.iter().map(|stroke| Some(stroke.bounds()))),
            pane_bins: Bins::new(size, panes.iter().map(|pane| Some(pane.bounds()))),
            bodies,
            colors,
            strokes,
            panes,
            lights,
            half,
        }
    }

    /// Paints all pixels.
    pub(super) fn paint(&self) -> Image {
        let [width, height] = self.size.map(|side| side / SAMPLES);
        let encoding = Encoding::new();
        let mut pixels = vec![[0; 3]; width * height];
        pixels.par_chunks_mut(width * PIXELS).enumerate().for_each(|(index, rows)| {
            for column in 0..self.bins.across {
                let samples = self.tile(index * self.bins.across + column);
                let right = width.min((column + 1) * PIXELS);
                for (row, line) in rows.chunks_mut(width).enumerate() {
                    for (x, pixel) in line[column * PIXELS..right].iter_mut().enumerate() {
                        *pixel = encoding.pixel(mean(&samples, x, row));
                    }
                }
            }
        });
        Image { width, height, pixels }
    }

    /// The light that comes from each sample of a tile.
    fn tile(&self, index: usize) -> Vec<Light> {
        let tile = Tile::new(index, &self.bins, &self.lens, &self.bodies);
        let mut face = None;
        let mut samples: Vec<Light> =
            (0..SIDE * SIDE).map(|sample| self.sample(&tile, sample, &mut face)).collect();
        let strokes = self.stroke_bins.tile(index);
        if !strokes.is_empty() {
            let mut ink = vec![0.0; SIDE * SIDE];
            strokes.iter().for_each(|&item| self.strokes[item as usize].draw(&tile, &self.lens, &mut ink));
            for (light, ink) in samples.iter_mut().zip(ink) {
                *light = mix(*light, LINE, 0.8 * ink);
            }
        }
        for &item in self.pane_bins.tile(index) {
            self.wall(&tile, &self.panes[item as usize], &mut samples);
        }
        samples
    }

    fn sight(&self, tile: &Tile, sample: usize) -> [f64; 2] {
        self.lens.sight(tile.corner[0] + sample % SIDE, tile.corner[1] + sample / SIDE)
    }

    /// The light from the body at a sample, or from behind everything.
    ///
    /// `face` is the last face that was seen: most samples show the same one as those before them.
    fn sample(&self, tile: &Tile, sample: usize, face: &mut Option<FaceInView>) -> Light {
        let seen = tile.samples[sample];
        let Some(body) = (seen.owner != NONE).then(|| self.bodies.body(seen.owner)).flatten() else {
            return BACKGROUND;
        };
        let color = self.colors[seen.owner as usize];
        let sight = self.sight(tile, sample);
        let point = self.lens.point(sight, f64::from(seen.depth));
        let (normal, polish, ink) = match body {
            Seen::Ball(ball) => {
                let radial = sub(point, ball.center);
                let rim = (2.0 * self.half / self.lens.zoom).min(0.2 * ball.radius);
                let inner = ball.radius - rim;
                let in_rim = radial[0] * radial[0] + radial[1] * radial[1] > inner * inner;
                let ink = if self.lights.is_none() && in_rim { 1.0 } else { 0.0 };
                (scale(radial, 1.0 / length(radial)), 0.12, ink)
            }
            Seen::Stone(stone, faces) => {
                let face = match face {
                    Some(last) if last.is_of(seen) => last,
                    other => other.insert(FaceInView::new(&self.lens, (stone, faces), seen, self.half)),
                };
                let place = [0, 1].map(|k| tile.corner[k] as f64 + 0.5);
                let ink = face.ink([place[0] + (sample % SIDE) as f64, place[1] + (sample / SIDE) as f64]);
                // Flat faces would shine all over.
                (face.normal(), 0.04, ink)
            }
        };
        let Some(lights) = &self.lights else {
            return mix(color, color.map(|x| EDGE * x), ink);
        };
        let shine = lights.shine(group(sample), point, normal, seen.owner);
        let gloss = if shine.key > 0.0 { gloss(point, normal) } else { 0.0 };
        let light = brightness(&shine);
        let shaded = color.map(|x| shoulder(x * light + polish * gloss));
        let shaded = mix(shaded, shaded.map(|x| EDGE * x), ink);
        // Farther is paler, as in the air.
        let far = ((point[2] - self.focus[2]) * 0.5 + 0.5).clamp(0.0, 1.0) as f32;
        mix(shaded, BACKGROUND, 0.12 * far * far)
    }

    /// Lays a pane over what is behind it.
    ///
    /// All panes have one colour, so that nearly the same is seen in whichever order they come.
    fn wall(&self, tile: &Tile, pane: &Pane, samples: &mut [Light]) {
        let [least, most] = pane.bounds();
        for row in tile.span(1, least[1], most[1]) {
            for column in pane.span(tile, row) {
                let sample = row * SIDE + column;
                let sight = self.sight(tile, sample);
                let depth = pane.plane.depth(&self.lens, sight);
                let Sample { depth: behind, owner, .. } = tile.samples[sample];
                if depth >= f64::from(behind) {
                    continue;
                }
                let point = self.lens.point(sight, depth);
                let distance = length(sub(point, self.focus));
                let fade = (2.0 - distance).clamp(0.0, 1.0) as f32;
                if fade == 0.0 {
                    continue;
                }
                let mut light = 1.0;
                if let (Some(lights), NONE) = (&self.lights, owner) {
                    let shine = lights.shine(group(sample), point, pane.plane.normal, NONE);
                    light = brightness(&shine) / brightness(&unhindered(pane.plane.normal));
                }
                let slant = 1.0 - dot(self.lens.direction(point), pane.plane.normal).abs() as f32;
                // Bodies stay clear.
                let cover = if owner == NONE { 0.14 + 0.2 * slant * slant * slant } else { 0.03 };
                let cover = cover + 0.5 * (1.0 - cover) * (1.0 - light);
                samples[sample] = mix(samples[sample], WALL.map(|x| x * light), fade * cover);
            }
        }
    }
}

/// How bright a surface is; the rest comes from everywhere.
fn brightness(shine: &Shine) -> f32 {
    0.06 + 0.62 * shine.sky + 0.85 * shine.key
}

/// Brings what is too bright below one, without an edge where that begins.
fn shoulder(light: f32) -> f32 {
    const BEGIN: f32 = 0.7;
    let excess = (light - BEGIN).max(0.0) / (1.0 - BEGIN);
    light.min(BEGIN) + (1.0 - BEGIN) * excess / (1.0 + excess)
}

/// Which of its pixel's samples a sample is.
fn group(sample: usize) -> usize {
    sample / SIDE % SAMPLES * SAMPLES + sample % SAMPLES
}

/// The light of a pixel of a tile.
fn mean(samples: &[Light], column: usize, row: usize) -> Light {
    let mut sum = [0.0; 3];
    for y in row * SAMPLES..(row + 1) * SAMPLES {
        for x in column * SAMPLES..(column + 1) * SAMPLES {
            for k in 0..3 {
                sum[k] += samples[y * SIDE + x][k];
            }
        }
    }
    sum.map(|x| x / (SAMPLES * SAMPLES) as f32)
}

/// The middle and the radius of the bodies that are not far from the focus.
fn heart(bodies: &InView, focus: Vector3) -> (Vector3, f64) {
    let near = || bodies.around().filter(|body| length(sub(body.center, focus)) - body.radius < 1.01);
    let mut corners = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for body in near() {
        for k in 0..3 {
            corners[0][k] = corners[0][k].min(body.center[k] - body.radius);
            corners[1][k] = corners[1][k].max(body.center[k] + body.radius);
        }
    }
    let middle = std::array::from_fn(|k| 0.5 * (corners[0][k] + corners[1][k]));
    let reach = near().map(|body| length(sub(body.center, middle)) + body.radius).fold(0.0, f64::max);
    if reach > 0.0 { (middle, reach) } else { (focus, 1.0) }
}
