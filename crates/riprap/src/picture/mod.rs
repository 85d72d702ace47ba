//! Pictures of balls, stones, walls and lines, still and moving, drawn without any graphics library or hardware.
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

mod animation;
mod bins;
mod camera;
mod canvas;
mod colors;
mod fit;
mod hull;
mod image;
mod in_view;
mod legend;
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

pub use animation::{Palette, write_animation};
pub use fit::{Extent, Sight};
pub use hull::{Hull, Stone};
pub use image::Image;
pub use legend::Legend;

use canvas::{Canvas, SAMPLES};
use colors::{BACKGROUND, Encoding};
use fit::Frame;
use legend::Placed;
use text::Letters;

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
    /// Walls that hide what is behind them, each a surface of triangles.
    pub solids: Vec<Vec<[[f64; 3]; 3]>>,
    /// Edges of walls and of the domain.
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
    /// What the colours mean.
    pub legend: Legend,
}

/// A ball in a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ball {
    /// Its middle; z is only what hides what where the picture is flat.
    pub center: [f64; 3],
    /// Above zero, or it is left out.
    pub radius: f64,
    /// Which colour it has, see [`Legend`]. What is beyond 0 to 1 counts as the nearer end, NaN as 0.
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
            solids: Vec::new(),
            lines: Vec::new(),
            flat: false,
            up: [0.0, 0.0, 1.0],
            view: None,
            caption: String::new(),
            legend: Legend::None,
        }
    }
}

impl Picture {
    /// Draws everything as large as possible, on white.
    ///
    /// Walls much larger than the bodies' extent and bodies far away from nearly all others may be cut off.
    pub fn render(&self, width: usize, height: usize) -> Image {
        self.render_from(&self.sight(&self.extent(), width, height), width, height)
    }

    /// How far bodies and walls reach.
    pub fn extent(&self) -> Extent {
        Extent::of(self)
    }

    /// What a picture of this size has to see; for several pictures with one camera take the extent of all.
    pub fn sight(&self, extent: &Extent, width: usize, height: usize) -> Sight {
        let letters = Letters::new(line(width, height));
        let legend = Placed::new(&self.legend, &letters, line(width, height), [width, height]);
        let margin = 0.04 * width.min(height) as f64;
        let right = legend.map_or(width as f64, |legend| legend.left);
        // Below the caption.
        let top = if self.caption.is_empty() {
            margin
        } else {
            margin.max(1.8 * line(width, height)).min(0.3 * height as f64)
        };
        let samples = |place: [f64; 2]| place.map(|x| x * SAMPLES as f64);
        let frame =
            Frame { least: samples([margin, top]), most: samples([right - margin, height as f64 - margin]) };
        Sight::of(self, extent, camera::axes(self.up, self.view, self.flat), frame)
    }

    /// Draws what a camera sees.
    pub fn render_from(&self, sight: &Sight, width: usize, height: usize) -> Image {
        if width == 0 || height == 0 {
            return Image { width, height, pixels: Vec::new() };
        }
        let mut image = match sight.camera() {
            Some(camera) => Canvas::new(self, &camera, width, height).paint(),
            None => {
                let background = Encoding::new().pixel(BACKGROUND);
                Image { width, height, pixels: vec![background; width * height] }
            }
        };
        let line = line(width, height);
        let letters = Letters::new(line);
        if let Some(legend) = Placed::new(&self.legend, &letters, line, [width, height]) {
            legend.draw(&mut image);
        }
        letters.write(&mut image, &self.caption, [0.6 * line, 0.5 * line]);
        image
    }
}

/// The height of a line of text, in pixels.
fn line(width: usize, height: usize) -> f64 {
    (width.min(height) as f64 / 36.0).max(13.0)
}
