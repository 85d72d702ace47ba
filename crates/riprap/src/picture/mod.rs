//! Pictures of balls, walls and lines, drawn without any graphics library or hardware.
//!
//! Each ball is exact at every sample; four samples make a pixel. Balls shade each other and the walls. The same
//! picture gives the same bits on any number of threads.
//!
//! ```
//! use riprap::picture::{Ball, Picture};
//!
//! let ball = |x, value| Ball { center: [x, 0.0, 0.0], radius: 0.5, value };
//! let picture = Picture { balls: vec![ball(0.0, 0.2), ball(1.0, 0.8)], ..Picture::default() };
//! let mut file = Vec::new();
//! picture.render(160, 120).write_png(&mut file)?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod bins;
mod camera;
mod canvas;
mod colors;
mod fit;
mod image;
mod light;
mod lines;
mod text;
mod tiles;
mod vector;
mod walls;

pub use image::Image;

use canvas::{BACKGROUND, Canvas, SAMPLES};
use colors::{Encoding, color};
use fit::Frame;

/// A scene to draw.
///
/// What has a coordinate that is not finite is left out.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Spheres, or discs where the picture is flat.
    pub balls: Vec<Ball>,
    /// Walls: light grey, seen from both sides, and balls are seen through them.
    pub triangles: Vec<[[f64; 3]; 3]>,
    /// Edges of boxes, of the domain, of cylinders.
    pub lines: Vec<[[f64; 3]; 2]>,
    /// Whether to look straight down the z axis and to draw discs with a rim instead of spheres.
    pub flat: bool,
    /// Opposite to gravity; upwards in the picture as far as the direction of the look allows. Where the picture is
    /// flat, only x and y matter, and y is upwards if both are zero.
    pub up: [f64; 3],
    /// The direction from which to look, if not flat; by default from the front, a little from the right and from above.
    pub view: Option<[f64; 3]>,
    /// What stands in the upper left corner.
    pub caption: String,
    /// What stands beside the bar of colours, at these values.
    pub labels: Vec<(f64, String)>,
}

/// A ball in a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ball {
    /// Its middle; z is only what hides what where the picture is flat.
    pub center: [f64; 3],
    /// Above zero, or it is left out.
    pub radius: f64,
    /// From 0 to 1, shown as a colour from violet to yellow; what is beyond counts as the nearer end, NaN as 0.
    pub value: f64,
}

impl Ball {
    fn can_be_drawn(&self) -> bool {
        self.center.iter().all(|x| x.is_finite()) && self.radius > 0.0 && self.radius.is_finite()
    }
}

impl Default for Picture {
    fn default() -> Self {
        Self {
            balls: Vec::new(),
            triangles: Vec::new(),
            lines: Vec::new(),
            flat: false,
            up: [0.0, 0.0, 1.0],
            view: None,
            caption: String::new(),
            labels: Vec::new(),
        }
    }
}

impl Picture {
    /// Draws everything as large as possible, on white.
    ///
    /// Walls much larger than the balls' extent and balls far away from nearly all others may be cut off. Where values
    /// differ, a bar at the right shows the colours from 0, below, to 1.
    pub fn render(&self, width: usize, height: usize) -> Image {
        if width == 0 || height == 0 {
            return Image { width, height, pixels: Vec::new() };
        }
        let bar = Bar::new(self, width, height);
        let margin = 0.04 * width.min(height) as f64;
        let right = bar.as_ref().map_or(width, |bar| bar.text_left) as f64;
        let frame = Frame { least: [margin; 2], most: [right - margin, height as f64 - margin] };
        let samples = |place: [f64; 2]| place.map(|x| x * SAMPLES as f64);
        let frame = Frame { least: samples(frame.least), most: samples(frame.most) };
        let axes = camera::axes(self.up, self.view, self.flat);
        let mut image = match fit::camera(self, axes, frame) {
            Some(camera) => Canvas::new(self, &camera, width, height).paint(),
            None => {
                let background = Encoding::new().pixel(BACKGROUND);
                Image { width, height, pixels: vec![background; width * height] }
            }
        };
        if let Some(bar) = bar {
            bar.draw(&mut image, &self.labels);
        }
        let dot = dot(width, height);
        text::write(&mut image, &self.caption, [4 * dot; 2], dot);
        image
    }
}

/// Pixels in a dot of a letter.
fn dot(width: usize, height: usize) -> usize {
    (width.min(height) / 400).max(1)
}

/// A bar of the colours that values have, in pixels.
struct Bar {
    /// Where the longest text beside it begins.
    text_left: usize,
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
}

impl Bar {
    /// A bar where it tells something and there is room for it.
    fn new(picture: &Picture, width: usize, height: usize) -> Option<Self> {
        let mut values =
            picture.balls.iter().filter(|ball| ball.can_be_drawn()).map(|ball| color(ball.value));
        let first = values.next()?;
        if width < 200 || height < 100 || values.all(|value| value == first) {
            return None;
        }
        let thickness = width.min(height) / 60;
        let right = width - 2 * thickness;
        let left = right - thickness;
        let text = picture.labels.iter().map(|(_, text)| text::width(text, dot(width, height)));
        let text_left = left.saturating_sub(thickness / 2 + text.max().unwrap_or(0)).max(width / 2);
        Some(Self { text_left, left, right, top: height / 4, bottom: height - height / 4 })
    }

    fn draw(&self, image: &mut Image, labels: &[(f64, String)]) {
        let encoding = Encoding::new();
        let dot = dot(image.width, image.height);
        for (value, text) in labels {
            let middle = self.bottom as f64 - value.clamp(0.0, 1.0) * (self.bottom - self.top) as f64;
            let top = (middle as usize).saturating_sub(text::HEIGHT * dot / 2);
            let left = self.left.saturating_sub(2 * dot + text::width(text, dot));
            text::write(image, text, [left, top], dot);
        }
        for row in self.top..self.bottom {
            let share = (row - self.top) as f64 + 0.5;
            let pixel = encoding.pixel(color(1.0 - share / (self.bottom - self.top) as f64));
            image.pixels[row * image.width..][self.left..self.right].fill(pixel);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use crate::packing::scattered;

    const WHITE: [u8; 3] = [255; 3];

    fn ball(center: [f64; 3], radius: f64, value: f64) -> Ball {
        Ball { center, radius, value }
    }

    fn pixel(image: &Image, x: usize, y: usize) -> [u8; 3] {
        image.pixels[y * image.width + x]
    }

    /// Whether a colour is a shade of that of a value: the largest part is, and the order of the parts.
    fn is_shade_of(pixel: [u8; 3], value: f64) -> bool {
        let order = |c: [f64; 3]| [c[0] > c[1], c[1] > c[2], c[0] > c[2]];
        order(pixel.map(f64::from)) == order(color(value).map(f64::from))
    }

    fn cloud(count: usize) -> Picture {
        let mut random = Random::new(4);
        let spheres = scattered::<3>(vec![0.04; count], [1.0; 3], &mut random);
        let balls = spheres.centers.iter().map(|center| ball(*center, 0.04, center[2])).collect();
        let [a, b, c, d] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        let (triangles, lines) = (vec![[a, b, c], [a, c, d]], vec![[a, b], [b, c], [c, d], [d, a]]);
        Picture { balls, triangles, lines, ..Picture::default() }
    }

    #[test]
    fn one_ball_is_in_the_middle_and_the_background_around_it() {
        for scale in [1e-9, 1.0, 1e9] {
            for flat in [false, true] {
                let balls = vec![ball([3.0 * scale, -scale, scale], 0.5 * scale, 0.9)];
                let image = Picture { balls, flat, ..Picture::default() }.render(81, 61);
                assert!(is_shade_of(pixel(&image, 40, 30), 0.9), "{:?}", pixel(&image, 40, 30));
                for corner in [(0, 0), (80, 0), (0, 60), (80, 60), (40, 0), (0, 30)] {
                    assert_eq!(pixel(&image, corner.0, corner.1), WHITE);
                }
                let drawn = image.pixels.iter().filter(|pixel| **pixel != WHITE).count() as f64;
                // A disc with 92 % of the height.
                assert!(
                    (drawn / (0.25 * std::f64::consts::PI * (0.92f64 * 61.0).powi(2)) - 1.0).abs() < 0.1,
                    "{drawn}"
                );
            }
        }
    }

    #[test]
    fn discs_have_the_color_of_their_value_and_a_darker_rim() {
        let picture = Picture { balls: vec![ball([0.0; 3], 1.0, 0.5)], flat: true, ..Picture::default() };
        let image = picture.render(101, 101);
        let plain = Encoding::new().pixel(color(0.5));
        assert_eq!(pixel(&image, 50, 50), plain);
        let rim = (0..50).map(|x| pixel(&image, x, 50)).find(|pixel| pixel.iter().all(|x| *x < 200)).unwrap();
        assert!((0..3).all(|k| rim[k] <= plain[k]) && rim != plain);
    }

    #[test]
    fn the_nearer_ball_hides_the_farther() {
        for view in [[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]] {
            for swapped in [false, true] {
                let mut balls = vec![ball([0.0, -2.0, 0.0], 1.0, 0.0), ball([0.0, 2.0, 0.0], 1.0, 1.0)];
                if swapped {
                    balls.swap(0, 1);
                }
                let image = Picture { balls, view: Some(view), ..Picture::default() }.render(99, 99);
                let nearer = if view[1] < 0.0 { 0.0 } else { 1.0 };
                assert!(is_shade_of(pixel(&image, 49, 49), nearer), "{:?}", pixel(&image, 49, 49));
            }
        }
    }

    #[test]
    fn light_comes_from_above_and_from_the_left() {
        let brightness = |pixel: [u8; 3]| pixel.iter().map(|x| u32::from(*x)).sum::<u32>();
        let front = Some([0.0, -1.0, 0.0]);
        let lone = Picture { balls: vec![ball([0.0; 3], 1.0, 0.5)], view: front, ..Picture::default() };
        let lone = lone.render(101, 101);
        assert!(brightness(pixel(&lone, 35, 35)) > brightness(pixel(&lone, 65, 35)) + 30);
        assert!(brightness(pixel(&lone, 35, 35)) > brightness(pixel(&lone, 50, 70)) + 30);
    }

    #[test]
    fn walls_are_seen_and_seen_through() {
        let wall = [[-9.0, -2.0, -9.0], [9.0, -2.0, -9.0], [0.0, -2.0, 9.0]];
        let front = Some([0.0, -1.0, 0.0]);
        let balls = vec![ball([0.0; 3], 1.0, 0.9)];
        let image =
            Picture { balls, triangles: vec![wall], view: front, ..Picture::default() }.render(99, 99);
        assert!(is_shade_of(pixel(&image, 49, 49), 0.9));
        let bare = pixel(&image, 49, 85);
        assert!(bare != WHITE && bare.iter().all(|x| *x > 150), "{bare:?}");
    }

    #[test]
    fn lines_are_dark_and_hidden_by_balls() {
        let balls = vec![ball([0.0; 3], 1.0, 0.9)];
        let lines = vec![[[-2.0, 0.0, 0.0], [2.0, 0.0, 0.0]]];
        let front = Some([0.0, -1.0, 0.0]);
        let image = Picture { balls, lines, view: front, ..Picture::default() }.render(99, 99);
        assert!(pixel(&image, 10, 49).iter().all(|x| *x < 200));
        assert!(is_shade_of(pixel(&image, 49, 49), 0.9));
    }

    #[test]
    fn the_same_bits_on_any_number_of_threads() {
        let picture = cloud(2000);
        let image = picture.render(161, 123);
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert!(pool.install(|| picture.render(161, 123)) == image);
        }
    }

    #[test]
    fn odd_scenes_and_sizes_give_a_picture() {
        let blank = Picture::default().render(7, 5);
        assert_eq!(blank.pixels, [WHITE; 35]);
        for (width, height) in [(0, 0), (0, 9), (9, 0)] {
            assert!(cloud(10).render(width, height).pixels.is_empty());
        }
        let odd = [f64::NAN, f64::INFINITY, 0.0, 1e-300, -1e9, 1e300];
        for flat in [false, true] {
            for a in odd {
                for b in odd {
                    let balls =
                        vec![ball([a, b, 0.0], 1.0, b), ball([b, 1.0, a], a, 1.0), ball([0.0; 3], b, 0.5)];
                    let triangles = vec![[[a, b, 0.0], [b, 1.0, 2.0], [0.0, a, b]]];
                    let lines = vec![[[a, b, a], [1.0, b, 0.0]]];
                    let picture = Picture {
                        balls,
                        triangles,
                        lines,
                        flat,
                        up: [a, b, 0.0],
                        view: Some([b, 0.0, a]),
                        ..Picture::default()
                    };
                    for (width, height) in [(1, 1), (33, 17), (3, 70)] {
                        assert_eq!(picture.render(width, height).pixels.len(), width * height);
                    }
                }
            }
        }
    }
}
