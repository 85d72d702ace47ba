//! Short texts in an image: numbers, names, a caption.

use ab_glyph::{Font, FontRef, GlyphId, PxScaleFont, ScaleFont, point};

use super::Image;

/// Inter, see `font/README.md`.
const FONT: &[u8] = include_bytes!("font/inter.ttf");
const INK: u8 = 40;

/// Letters of one size.
pub(super) struct Letters(Option<PxScaleFont<FontRef<'static>>>);

impl Letters {
    /// Letters for lines of so many pixels.
    pub(super) fn new(height: f64) -> Self {
        // The font is a constant, and a test reads it.
        Self(FontRef::try_from_slice(FONT).ok().map(|font| font.into_scaled(height as f32)))
    }

    /// Pixels that a text takes from left to right.
    pub(super) fn width(&self, text: &str) -> f64 {
        let Some(font) = &self.0 else { return 0.0 };
        text.chars().map(|letter| f64::from(font.h_advance(font.glyph_id(letter)))).sum()
    }

    /// Pixels from the top of a line to the middle of its small letters and digits.
    pub(super) fn middle(&self) -> f64 {
        self.0.as_ref().map_or(0.0, |font| f64::from(0.63 * font.ascent()))
    }

    /// Writes a line of text whose upper left corner is here; what is outside of the image is left out.
    pub(super) fn write(&self, image: &mut Image, text: &str, [left, top]: [f64; 2]) {
        let Some(font) = &self.0 else { return };
        let mut place = point(left as f32, top as f32 + font.ascent());
        for letter in text.chars() {
            let id = font.glyph_id(letter);
            // The font's sign for a letter that it does not have tells nothing.
            if id != GlyphId(0) {
                let glyph = id.with_scale_and_position(font.scale(), place);
                if let Some(outline) = font.outline_glyph(glyph) {
                    let corner = outline.px_bounds().min;
                    outline.draw(|x, y, cover| {
                        blend(image, corner.x + x as f32, corner.y + y as f32, cover);
                    });
                }
            }
            place.x += font.h_advance(id);
        }
    }
}

/// Lays ink over a pixel of the image, if it is one.
fn blend(image: &mut Image, x: f32, y: f32, cover: f32) {
    let inside = |place: f32, end: usize| place >= 0.0 && (place as usize) < end;
    if inside(x, image.width) && inside(y, image.height) {
        let pixel = &mut image.pixels[y as usize * image.width + x as usize];
        let cover = cover.clamp(0.0, 1.0);
        *pixel =
            pixel.map(|byte| (f32::from(byte) + cover * (f32::from(INK) - f32::from(byte))).round() as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paper(width: usize, height: usize) -> Image {
        Image { width, height, pixels: vec![[255; 3]; width * height] }
    }

    fn inked(image: &Image) -> Vec<[usize; 2]> {
        let places = image.pixels.iter().enumerate().filter(|(_, pixel)| pixel[0] < 250);
        places.map(|(index, _)| [index % image.width, index / image.width]).collect()
    }

    #[test]
    fn letters_are_where_their_line_is() {
        let letters = Letters::new(24.0);
        let mut image = paper(200, 60);
        letters.write(&mut image, "t = 0.6 s", [10.0, 20.0]);
        let inked = inked(&image);
        let range = |k: usize| {
            let places = || inked.iter().map(|place| place[k]);
            [places().min().unwrap(), places().max().unwrap()]
        };
        let ([left, right], [top, bottom]) = (range(0), range(1));
        let end = 10.0 + letters.width("t = 0.6 s");
        assert!(
            (10..13).contains(&left) && (right as f64) < end && right as f64 > end - 3.0,
            "{left} {right}"
        );
        assert!(top > 20 && bottom < 44, "{top} {bottom}");
        assert!(image.pixels.contains(&[INK; 3]));
    }

    #[test]
    fn digits_are_equally_wide_and_all_letters_are_there() {
        let letters = Letters::new(20.0);
        let width = letters.width("0");
        assert!(width > 8.0 && ('1'..='9').all(|digit| letters.width(&digit.to_string()) == width));
        let known = (' '..='~').chain("\u{b5}\u{b2}\u{b3}\u{b0}\u{d7}\u{e4}\u{e9}\u{2212}".chars());
        let font = letters.0.unwrap();
        for letter in known {
            assert_ne!(font.glyph_id(letter), GlyphId(0), "{letter}");
        }
    }

    #[test]
    fn texts_stay_within_the_image() {
        let mut image = paper(20, 10);
        let letters = Letters::new(14.0);
        letters.write(&mut image, "8\u{3a9}W\u{4e00}", [-5.0, -6.0]);
        letters.write(&mut image, "8\u{3a9}W\u{4e00}", [15.0, 8.0]);
        letters.write(&mut image, "8", [500.0, 500.0]);
        assert!(!inked(&image).is_empty());
    }
}
