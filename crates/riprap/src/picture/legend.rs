//! What the colours of a picture mean, at its right side.

use super::Image;
use super::colors::{BACKGROUND, Encoding, Light, color, mix, named};
use super::text::Letters;

/// What the colours of a picture mean.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Legend {
    /// Values from 0 to 1 are colours from violet to yellow; nothing tells what they mean.
    #[default]
    None,
    /// The same with a bar of the colours, on which some values have numbers.
    Scale {
        /// What the colours show, with its unit.
        title: String,
        /// Values from 0 to 1 and what stands beside the bar there.
        labels: Vec<(f64, String)>,
    },
    /// Whole values from 0 on are colours far apart, each of which has a name.
    Names {
        /// What the colours show.
        title: String,
        /// Values and what they are called.
        names: Vec<(usize, String)>,
    },
}

impl Legend {
    /// The colour of a value.
    pub(super) fn color(&self, value: f64) -> Light {
        match self {
            Self::None | Self::Scale { .. } => color(value),
            Self::Names { .. } => named(value as usize),
        }
    }
}

/// A legend in an image of some size, in pixels.
pub(super) struct Placed<'a> {
    /// Where it begins.
    pub(super) left: f64,
    legend: &'a Legend,
    letters: &'a Letters,
    /// The height of a line of text.
    line: f64,
    height: f64,
    encoding: Encoding,
}

impl<'a> Placed<'a> {
    /// A legend where there is something to tell and room for it.
    pub(super) fn new(
        legend: &'a Legend,
        letters: &'a Letters,
        line: f64,
        [width, height]: [usize; 2],
    ) -> Option<Self> {
        let (title, texts): (&str, Vec<&str>) = match legend {
            Legend::None => return None,
            Legend::Scale { title, labels } => {
                (title, labels.iter().map(|(_, text)| text.as_str()).collect())
            }
            Legend::Names { title, names } => (title, names.iter().map(|(_, text)| text.as_str()).collect()),
        };
        if width < 200 || height < 100 || texts.is_empty() {
            return None;
        }
        let texts = texts.into_iter().map(|text| 1.4 * line + letters.width(text));
        let widest = texts.fold(letters.width(title), f64::max);
        let left = (width as f64 - widest - 0.8 * line).max(0.5 * width as f64);
        Some(Self { left, legend, letters, line, height: height as f64, encoding: Encoding::new() })
    }

    pub(super) fn draw(&self, image: &mut Image) {
        match self.legend {
            Legend::None => {}
            Legend::Scale { title, labels } => {
                let (top, bottom) = (0.25 * self.height, 0.75 * self.height);
                self.letters.write(image, title, [self.left, top - 1.8 * self.line]);
                for y in top as usize..bottom as usize {
                    let share = (y as f64 + 0.5 - top) / (bottom - top);
                    self.fill(image, [self.left, y as f64], [0.8 * self.line, 1.0], color(1.0 - share));
                }
                for (value, text) in labels {
                    let middle = bottom - value.clamp(0.0, 1.0) * (bottom - top);
                    self.fill(
                        image,
                        [self.left + 0.8 * self.line, middle - 1.0],
                        [0.25 * self.line, 2.0],
                        [0.1; 3],
                    );
                    self.letters.write(
                        image,
                        text,
                        [self.left + 1.3 * self.line, middle - self.letters.middle()],
                    );
                }
            }
            Legend::Names { title, names } => {
                let step = (1.5 * self.line).min(0.9 * self.height / (names.len() + 1) as f64);
                let top = 0.5 * (self.height - step * (names.len() + 1) as f64);
                self.letters.write(image, title, [self.left, top]);
                for (row, (value, text)) in names.iter().enumerate() {
                    let y = top + step * (row + 1) as f64;
                    self.letters.write(image, text, [self.left + 1.3 * self.line, y]);
                    let middle = [self.left + 0.4 * self.line, y + self.letters.middle()];
                    self.dot(image, middle, 0.4 * self.line, named(*value));
                }
            }
        }
    }

    /// Fills a rectangle.
    fn fill(&self, image: &mut Image, [left, top]: [f64; 2], [width, height]: [f64; 2], light: Light) {
        let pixel = self.encoding.pixel(light);
        let end = |place: f64, most: usize| (place.max(0.0).round() as usize).min(most);
        for y in end(top, image.height)..end(top + height, image.height) {
            let row = &mut image.pixels[y * image.width..(y + 1) * image.width];
            row[end(left, image.width)..end(left + width, image.width)].fill(pixel);
        }
    }

    /// Fills a disc.
    fn dot(&self, image: &mut Image, [x, y]: [f64; 2], radius: f64, light: Light) {
        let range = |middle: f64, end: usize| {
            ((middle - radius - 1.0).max(0.0) as usize).min(end)
                ..((middle + radius + 2.0).max(0.0) as usize).min(end)
        };
        for row in range(y, image.height) {
            for column in range(x, image.width) {
                let offset = [column as f64 + 0.5 - x, row as f64 + 0.5 - y];
                let cover = (radius + 0.5 - crate::vector::length(offset)).clamp(0.0, 1.0);
                if cover > 0.0 {
                    image.pixels[row * image.width + column] =
                        self.encoding.pixel(mix(BACKGROUND, light, cover as f32));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Ball, Picture};
    use super::*;

    fn picture(legend: Legend) -> Image {
        let ball = |x: f64, value: f64| Ball { center: [x, 0.0, 0.0], radius: 0.5, value };
        Picture { balls: vec![ball(0.0, 0.0), ball(1.0, 1.0)], flat: true, legend, ..Picture::default() }
            .render(400, 300)
    }

    #[test]
    fn names_have_the_colors_of_their_balls() {
        let names = vec![(0, "steel".to_string()), (1, "sand".to_string())];
        let image = picture(Legend::Names { title: "material".to_string(), names });
        for value in [0, 1] {
            let pixel = Encoding::new().pixel(named(value));
            let places: Vec<usize> =
                (0..image.pixels.len()).filter(|&k| image.pixels[k] == pixel).map(|k| k % 400).collect();
            let [left, right] = [places[0..].iter().min(), places.iter().max()].map(|x| *x.unwrap());
            // The ball at the left, the dot at the right of everything, and something between them.
            assert!(left < 250 && right > 300, "{value} {left} {right}");
            let is_empty = |x: usize| !places.iter().any(|place| (x..x + 4).contains(place));
            assert!((left..right).any(is_empty), "{value}");
        }
    }

    #[test]
    fn the_bar_goes_from_the_lowest_color_to_the_highest() {
        let labels = vec![(0.0, "0".to_string()), (1.0, "5".to_string())];
        let image = picture(Legend::Scale { title: "speed, m/s".to_string(), labels });
        let row_of = |value: f64| {
            let pixel = Encoding::new().pixel(color(value));
            (0..300).find(|&y| image.pixels[y * 400 + 300..(y + 1) * 400].contains(&pixel)).unwrap()
        };
        // The middles of the first and of the last of its 150 rows.
        let ends = [1.0 - 0.5 / 150.0, 0.5 / 150.0].map(row_of);
        assert_eq!(ends, [75, 224]);
        assert!(picture(Legend::None).pixels.chunks(400).all(|row| row[395] == [255; 3]));
    }
}
