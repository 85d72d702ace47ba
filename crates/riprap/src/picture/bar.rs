//! The bar of colours beside a picture.

use super::colors::{Encoding, color};
use super::{Image, Picture, text};

/// Pixels in a dot of a letter.
pub(super) fn dot(width: usize, height: usize) -> usize {
    (width.min(height) / 400).max(1)
}

/// A bar of the colours that values have, in pixels.
pub(super) struct Bar {
    /// Where the longest text beside it begins.
    pub(super) text_left: usize,
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
}

impl Bar {
    /// A bar where it tells something and there is room for it.
    pub(super) fn new(picture: &Picture, width: usize, height: usize) -> Option<Self> {
        let balls = picture.balls.iter().filter(|ball| ball.can_be_drawn()).map(|ball| ball.value);
        let mut values = balls.chain(picture.stones.iter().map(|stone| stone.value)).map(color);
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

    pub(super) fn draw(&self, image: &mut Image, labels: &[(f64, String)]) {
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
