//! Moving pictures: PNG files with several frames (APNG), which browsers play, of at most 255 colours.
//!
//! A frame holds only the rectangle in which something has changed, and there only the pixels that have: the rest is transparent. With few
//! colours this compresses to a tenth of what whole frames would take.

use std::io;

use super::Image;

/// Bits of each part of a colour that tell colours apart.
const BITS: u32 = 6;
/// The colour that lets the frame before be seen.
const CLEAR: u8 = u8::MAX;
const WHITE: [u8; 3] = [u8::MAX; 3];

/// The colours of a moving picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Palette {
    colors: Vec<[u8; 3]>,
    /// For each colour in so many bits the nearest of the palette; none if nobody has asked yet.
    nearest: Vec<Option<u8>>,
}

/// How often a colour occurs.
#[derive(Debug, Clone, Copy)]
struct Entry {
    color: [u8; 3],
    count: u64,
}

impl Palette {
    /// Colours for images like these: white, and the means of groups of similar colours (median cut, Heckbert 1982).
    pub fn of(images: &[Image]) -> Self {
        let mut counts = vec![0; 1 << (3 * BITS)];
        for pixel in images.iter().flat_map(|image| &image.pixels).filter(|pixel| **pixel != WHITE) {
            counts[cell(*pixel)] += 1;
        }
        let entries = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let entries: Vec<Entry> =
            entries.map(|(cell, &count)| Entry { color: color_of(cell), count }).collect();
        let mut groups = vec![entries];
        while groups.len() < usize::from(CLEAR) - 1 {
            let widest = |group: &Vec<Entry>| {
                let (_, width) = longest(group);
                let count: u64 = group.iter().map(|entry| entry.count).sum();
                // Wide groups count more than frequent ones, or rare colours would be lost.
                u64::from(width) * u64::from(width) * (count as f64).sqrt() as u64
            };
            let Some(index) = (0..groups.len()).max_by_key(|&k| (widest(&groups[k]), usize::MAX - k)) else {
                break;
            };
            let (axis, width) = longest(&groups[index]);
            if width == 0 {
                break;
            }
            let mut group = groups.swap_remove(index);
            group.sort_by_key(|entry| (entry.color[axis], entry.color));
            let half = group.iter().map(|entry| entry.count).sum::<u64>() / 2;
            let mut sum = 0;
            let end = group.iter().position(|entry| {
                sum += entry.count;
                sum > half
            });
            let rest = group.split_off(end.unwrap_or(0).clamp(1, group.len() - 1));
            groups.extend([group, rest]);
        }
        let mut colors: Vec<[u8; 3]> = groups.iter().filter_map(|group| mean(group)).collect();
        colors.push(WHITE);
        Self { colors, nearest: vec![None; 1 << (3 * BITS)] }
    }

    /// The number of the colour nearest to that of a pixel.
    fn index(&mut self, pixel: [u8; 3]) -> u8 {
        let white = self.colors.len() - 1;
        if pixel == WHITE {
            return white as u8;
        }
        let cell = cell(pixel);
        if let Some(index) = self.nearest[cell] {
            return index;
        }
        let color = color_of(cell);
        // Eyes tell greens apart best.
        let distance = |other: &[u8; 3]| -> u32 {
            (0..3).map(|k| [2, 4, 3][k] * u32::from(color[k].abs_diff(other[k])).pow(2)).sum()
        };
        let index = (0..self.colors.len()).min_by_key(|&k| distance(&self.colors[k])).unwrap_or(white) as u8;
        self.nearest[cell] = Some(index);
        index
    }
}

fn cell(pixel: [u8; 3]) -> usize {
    pixel.iter().fold(0, |cell, part| cell << BITS | usize::from(*part >> (8 - BITS)))
}

/// The colour in the middle of a cell.
fn color_of(cell: usize) -> [u8; 3] {
    let part =
        |shift: u32| ((cell >> (shift * BITS)) as u8 & ((1 << BITS) - 1)) << (8 - BITS) | 1 << (7 - BITS);
    [part(2), part(1), part(0)]
}

/// The part in which the colours of a group differ most, and by how much.
fn longest(group: &[Entry]) -> (usize, u8) {
    let width = |k: usize| {
        let parts = || group.iter().map(|entry| entry.color[k]);
        parts().max().unwrap_or(0) - parts().min().unwrap_or(0)
    };
    (0..3).map(|k| (k, width(k))).max_by_key(|(k, width)| (*width, 3 - k)).unwrap_or((0, 0))
}

fn mean(group: &[Entry]) -> Option<[u8; 3]> {
    let count: u64 = group.iter().map(|entry| entry.count).sum();
    let sum = |k: usize| group.iter().map(|entry| entry.count * u64::from(entry.color[k])).sum::<u64>();
    (count > 0).then(|| std::array::from_fn(|k| (sum(k) / count) as u8))
}

/// Writes so many images, all of one size, as a moving picture of so many frames a second, which begins again after a pause.
pub fn write_animation(
    writer: impl io::Write,
    mut palette: Palette,
    (count, frames_per_second): (usize, u16),
    images: impl Iterator<Item = io::Result<Image>>,
) -> io::Result<()> {
    let mut images = images.peekable();
    let Some(Ok(first)) = images.peek() else {
        return images.next().map_or_else(|| Err(io::Error::other("no frames")), |frame| frame.map(|_| ()));
    };
    let [width, height] = [first.width, first.height];
    let side = |length: usize| u32::try_from(length).map_err(io::Error::other);
    let mut encoder = png::Encoder::new(writer, side(width)?, side(height)?);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let mut colors = palette.colors.clone();
    colors.resize(usize::from(CLEAR) + 1, WHITE);
    let mut opacity = vec![u8::MAX; usize::from(CLEAR)];
    opacity.push(0);
    encoder.set_palette(colors.as_flattened().to_vec());
    encoder.set_trns(opacity);
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    encoder.set_animated(side(count)?, 0)?;
    encoder.set_blend_op(png::BlendOp::Over)?;
    encoder.set_dispose_op(png::DisposeOp::None)?;
    encoder.set_frame_delay(1, frames_per_second)?;
    let mut writer = encoder.write_header()?;
    let mut shown = vec![CLEAR; width * height];
    for (number, image) in images.enumerate() {
        let image = image?;
        if [image.width, image.height] != [width, height] {
            return Err(io::Error::other("frames of different sizes"));
        }
        let new: Vec<u8> = image.pixels.iter().map(|pixel| palette.index(*pixel)).collect();
        let [left, right, top, bottom] = changed(&shown, &new, width);
        if number > 0 {
            writer.set_frame_dimension(side(right - left)?, side(bottom - top)?)?;
            writer.set_frame_position(side(left)?, side(top)?)?;
        }
        if number + 1 == count {
            writer.set_frame_delay(3 * frames_per_second, 2 * frames_per_second)?;
        }
        let rows = (top..bottom).map(|row| row * width + left..row * width + right);
        let part: Vec<u8> = rows
            .flat_map(|row| new[row.clone()].iter().zip(&shown[row]))
            .map(|(new, shown)| if new == shown { CLEAR } else { *new })
            .collect();
        writer.write_image_data(&part)?;
        shown = new;
    }
    Ok(writer.finish()?)
}

/// The least rectangle that holds all that differs, as its first and last column and row; of equal images the first pixel.
fn changed(before: &[u8], after: &[u8], width: usize) -> [usize; 4] {
    let mut range = [usize::MAX, 0, usize::MAX, 0];
    for (place, _) in before.iter().zip(after).enumerate().filter(|(_, (before, after))| before != after) {
        let [x, y] = [place % width, place / width];
        range = [range[0].min(x), range[1].max(x + 1), range[2].min(y), range[3].max(y + 1)];
    }
    if range[1] == 0 { [0, 1, 0, 1] } else { range }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A red square that moves over a grey ramp.
    fn frame(place: usize) -> Image {
        let pixel = |k: usize| {
            let (x, y) = (k % 40, k / 40);
            if (place..place + 8).contains(&x) && (5..13).contains(&y) {
                [230, 20, 30]
            } else if y < 3 {
                WHITE
            } else {
                [(4 * x + 20) as u8; 3]
            }
        };
        Image { width: 40, height: 20, pixels: (0..800).map(pixel).collect() }
    }

    #[test]
    fn frames_read_back_are_what_was_drawn() {
        let frames: Vec<Image> = [2, 3, 3, 9].map(frame).to_vec();
        let palette = Palette::of(&frames);
        let mut file = Vec::new();
        write_animation(&mut file, palette, (4, 20), frames.iter().cloned().map(Ok)).unwrap();

        let mut decoder = png::Decoder::new(io::Cursor::new(file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        assert_eq!(reader.info().animation_control().unwrap().num_frames, 4);
        let mut shown = vec![[0; 3]; 800];
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        for (number, frame) in frames.iter().enumerate() {
            let size = reader.next_frame(&mut bytes).unwrap();
            let control = *reader.info().frame_control().unwrap();
            assert_eq!(control.delay_num * 20 / control.delay_den, if number == 3 { 30 } else { 1 });
            // Of the second frame on only what has changed.
            assert!(number == 0 || control.width * control.height <= 14 * 8);
            for (k, pixel) in bytes[..(size.width * size.height * 4) as usize].chunks(4).enumerate() {
                let [x, y] = [k as u32 % control.width, k as u32 / control.width];
                if pixel[3] > 0 {
                    shown[((control.y_offset + y) * 40 + control.x_offset + x) as usize]
                        .copy_from_slice(&pixel[..3]);
                }
            }
            for (shown, drawn) in shown.iter().zip(&frame.pixels) {
                assert!((0..3).all(|k| shown[k].abs_diff(drawn[k]) <= 3), "{number} {shown:?} {drawn:?}");
                assert_eq!(*shown == WHITE, *drawn == WHITE);
            }
        }
    }

    #[test]
    fn few_colors_stand_for_many() {
        let pixels = (0..1 << 16).map(|k: u32| [(k >> 8) as u8, k as u8, (k >> 4) as u8]).collect();
        let image = Image { width: 256, height: 256, pixels };
        let mut palette = Palette::of(std::slice::from_ref(&image));
        assert_eq!(palette.colors.len(), 255);
        let error: f64 = image
            .pixels
            .iter()
            .map(|pixel| {
                let index = palette.index(*pixel);
                let shown = palette.colors[usize::from(index)];
                (0..3).map(|k| f64::from(pixel[k].abs_diff(shown[k]))).fold(0.0, f64::max)
            })
            .sum();
        // Of 255 colours spread evenly over these, 16 by 16 apart, the mean would be some 10.
        assert!(error / 65536.0 < 20.0, "{}", error / 65536.0);
    }

    #[test]
    fn no_frames_and_frames_of_other_sizes_are_refused() {
        let palette = Palette::of(&[frame(0)]);
        let write = |frames: Vec<Image>| {
            write_animation(Vec::new(), palette.clone(), (2, 20), frames.into_iter().map(Ok)).is_err()
        };
        assert!(write(vec![]));
        assert!(write(vec![frame(0), Image { width: 20, height: 40, ..frame(1) }]));
        assert!(!write(vec![frame(0), frame(1)]));
    }
}
