//! Pixels, and PNG files of them.

use std::io;

/// Rows of pixels from the top, each from the left; red, green and blue as screens show them (sRGB).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// `width * height` of them.
    pub pixels: Vec<[u8; 3]>,
}

impl Image {
    /// Writes the image as PNG; one without pixels cannot be, and gives an error.
    pub fn write_png(&self, writer: impl io::Write) -> io::Result<()> {
        let side = |length: usize| u32::try_from(length).map_err(io::Error::other);
        let mut encoder = png::Encoder::new(writer, side(self.width)?, side(self.height)?);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.pixels.as_flattened())?;
        Ok(writer.finish()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn png_gives_the_pixels_back() {
        let pixels: Vec<[u8; 3]> = (0..=u8::MAX).flat_map(|i| [[i, 255 - i, 7], [i / 2, i, i]]).collect();
        let image = Image { width: 32, height: 16, pixels };
        let mut file = Vec::new();
        image.write_png(&mut file).unwrap();

        let mut reader = png::Decoder::new(io::Cursor::new(file)).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!((info.width, info.height, info.color_type), (32, 16, png::ColorType::Rgb));
        assert_eq!(bytes, image.pixels.as_flattened());
    }

    #[test]
    fn without_pixels_there_is_no_file() {
        assert!(Image { width: 0, height: 3, pixels: vec![] }.write_png(Vec::new()).is_err());
        assert!(Image { width: 2, height: 2, pixels: vec![[0; 3]] }.write_png(Vec::new()).is_err());
    }
}
