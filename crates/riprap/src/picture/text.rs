//! Short texts in an image: numbers, names, a caption.
//!
//! Letters are five dots wide and seven high; there are small ones only.

use super::Image;

/// Rows of dots from the top, each from the left.
const GLYPHS: [(char, &str); 46] = [
    ('(', "00010 00100 01000 01000 01000 00100 00010"),
    (')', "01000 00100 00010 00010 00010 00100 01000"),
    ('+', "00000 00100 00100 11111 00100 00100 00000"),
    (',', "00000 00000 00000 00000 00110 00100 01000"),
    ('-', "00000 00000 00000 11111 00000 00000 00000"),
    ('.', "00000 00000 00000 00000 00000 01100 01100"),
    ('/', "00001 00001 00010 00100 01000 10000 10000"),
    ('0', "01110 10001 10011 10101 11001 10001 01110"),
    ('1', "00100 01100 00100 00100 00100 00100 01110"),
    ('2', "01110 10001 00001 00110 01000 10000 11111"),
    ('3', "01110 10001 00001 00110 00001 10001 01110"),
    ('4', "00010 00110 01010 10010 11111 00010 00010"),
    ('5', "11111 10000 11110 00001 00001 10001 01110"),
    ('6', "00110 01000 10000 11110 10001 10001 01110"),
    ('7', "11111 00001 00010 00100 01000 01000 01000"),
    ('8', "01110 10001 10001 01110 10001 10001 01110"),
    ('9', "01110 10001 10001 01111 00001 00010 01100"),
    (':', "00000 01100 01100 00000 01100 01100 00000"),
    ('=', "00000 00000 11111 00000 11111 00000 00000"),
    ('_', "00000 00000 00000 00000 00000 00000 11111"),
    ('a', "00000 00000 01110 00001 01111 10001 01111"),
    ('b', "10000 10000 11110 10001 10001 10001 11110"),
    ('c', "00000 00000 01110 10001 10000 10001 01110"),
    ('d', "00001 00001 01111 10001 10001 10001 01111"),
    ('e', "00000 00000 01110 10001 11111 10000 01110"),
    ('f', "00110 01001 01000 11100 01000 01000 01000"),
    ('g', "00000 00000 01111 10001 01111 00001 01110"),
    ('h', "10000 10000 10110 11001 10001 10001 10001"),
    ('i', "00100 00000 01100 00100 00100 00100 01110"),
    ('j', "00010 00000 00110 00010 00010 10010 01100"),
    ('k', "10000 10000 10010 10100 11000 10100 10010"),
    ('l', "01100 00100 00100 00100 00100 00100 01110"),
    ('m', "00000 00000 11010 10101 10101 10101 10101"),
    ('n', "00000 00000 10110 11001 10001 10001 10001"),
    ('o', "00000 00000 01110 10001 10001 10001 01110"),
    ('p', "00000 00000 11110 10001 11110 10000 10000"),
    ('q', "00000 00000 01111 10001 01111 00001 00001"),
    ('r', "00000 00000 10110 11001 10000 10000 10000"),
    ('s', "00000 00000 01111 10000 01110 00001 11110"),
    ('t', "01000 01000 11100 01000 01000 01001 00110"),
    ('u', "00000 00000 10001 10001 10001 10011 01101"),
    ('v', "00000 00000 10001 10001 10001 01010 00100"),
    ('w', "00000 00000 10001 10101 10101 10101 01010"),
    ('x', "00000 00000 10001 01010 00100 01010 10001"),
    ('y', "00000 00000 10001 10001 01111 00001 01110"),
    ('z', "00000 00000 11111 00010 00100 01000 11111"),
];

/// Dots from the left of one letter to the next, and of a line of text.
const ADVANCE: usize = 6;
pub(super) const HEIGHT: usize = 7;
const INK: [u8; 3] = [60; 3];

/// Pixels that a text takes, with dots of so many pixels.
pub(super) fn width(text: &str, dot: usize) -> usize {
    ADVANCE * dot * text.chars().count()
}

/// Writes a text whose upper left corner is here; what is outside of the image is left out, and so are letters that there are
/// none of.
pub(super) fn write(image: &mut Image, text: &str, [left, top]: [usize; 2], dot: usize) {
    for (place, letter) in text.chars().enumerate() {
        let small = letter.to_ascii_lowercase();
        let Some((_, rows)) = GLYPHS.iter().find(|(known, _)| *known == small) else { continue };
        for (row, dots) in rows.split(' ').enumerate() {
            for column in dots.bytes().enumerate().filter(|(_, bit)| *bit == b'1').map(|(column, _)| column) {
                let corner = [left + (ADVANCE * place + column) * dot, top + row * dot];
                for y in corner[1]..(corner[1] + dot).min(image.height) {
                    let end = (corner[0] + dot).min(image.width);
                    image.pixels[y * image.width..][corner[0].min(end)..end].fill(INK);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_five_by_seven_and_in_order() {
        assert!(GLYPHS.is_sorted_by_key(|(letter, _)| *letter));
        for (letter, rows) in GLYPHS {
            let rows: Vec<&str> = rows.split(' ').collect();
            assert!(rows.len() == HEIGHT && rows.iter().all(|row| row.len() == 5), "{letter}");
        }
    }

    #[test]
    fn texts_stay_within_the_image() {
        let mut image = Image { width: 20, height: 10, pixels: vec![[255; 3]; 200] };
        write(&mut image, "1", [0, 0], 1);
        let inked = |image: &Image| image.pixels.iter().filter(|pixel| **pixel == INK).count();
        assert_eq!(inked(&image), 10);
        assert_eq!(image.pixels[2], INK);
        write(&mut image, "8\u{3a9}W", [15, 8], 3);
        write(&mut image, "8", [500, 500], 1);
        assert!(inked(&image) > 10);
    }
}
