//! Pictures of balls, stones, walls and lines, drawn without any graphics library or hardware.
//!
//! Each body is exact at every sample; four samples make a pixel. Bodies shade each other and the walls. The same
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

mod bar;
mod bins;
mod camera;
mod canvas;
mod colors;
mod fit;
mod hull;
mod image;
mod in_view;
mod light;
mod lines;
mod polygon;
mod stones;
#[cfg(test)]
mod tests;
mod text;
mod tiles;
mod vector;
mod walls;

pub use hull::{Hull, Stone};
pub use image::Image;

use bar::{Bar, dot};
use canvas::{BACKGROUND, Canvas, SAMPLES};
use colors::Encoding;
use fit::Frame;

/// A scene to draw.
///
/// What has a coordinate that is not finite is left out.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Spheres, or discs where the picture is flat.
    pub balls: Vec<Ball>,
    /// What stones look like, at any size; many stones can have the same hull.
    pub hulls: Vec<Hull>,
    /// Convex bodies with flat faces and dark edges; polygons where the picture is flat.
    pub stones: Vec<Stone>,
    /// Walls: light grey, seen from both sides, and bodies are seen through them.
    pub triangles: Vec<[[f64; 3]; 3]>,
    /// Edges of boxes, of the domain, of cylinders.
    pub lines: Vec<[[f64; 3]; 2]>,
    /// Whether to look straight down the z axis and to draw discs and polygons with a rim instead of solid bodies.
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
            hulls: Vec::new(),
            stones: Vec::new(),
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
    /// Walls much larger than the bodies' extent and bodies far away from nearly all others may be cut off. Where values
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
