//! Colours: from values to light, and from light to pixels.

use crate::number::power;

/// Red, green and blue as amounts of light, in which colours can be added and averaged.
pub(super) type Light = [f32; 3];

/// From violet through blue and green to yellow, in equal steps of Oklab (Ottosson 2020): equal differences of value
/// look equally different, lightness rises all the way, also for people with colour blindness. Dark colours are
/// left out, as they would be mistaken for shadow.
const PALETTE: [[f64; 3]; 9] = [
    [0.400, 0.035, -0.165],
    [0.465, -0.014, -0.153],
    [0.525, -0.057, -0.112],
    [0.590, -0.085, -0.062],
    [0.657, -0.113, -0.017],
    [0.718, -0.137, 0.036],
    [0.778, -0.132, 0.095],
    [0.835, -0.089, 0.139],
    [0.900, -0.041, 0.163],
];

/// White paper.
pub(super) const BACKGROUND: Light = [1.0; 3];

/// Colours of names, in Oklab: neighbours in this list are far apart in hue and lightness, also for people with colour blindness.
const NAMED: [[f64; 3]; 8] = [
    [0.560, -0.045, -0.125],
    [0.780, 0.060, 0.140],
    [0.640, -0.125, 0.060],
    [0.600, 0.170, 0.080],
    [0.800, -0.060, -0.075],
    [0.540, 0.120, -0.110],
    [0.890, -0.020, 0.150],
    [0.480, 0.040, 0.070],
];

/// The colour of a name by its number.
pub(super) fn named(number: usize) -> Light {
    let [lightness, a, b] = NAMED[number % NAMED.len()];
    // Those beyond the list are darker.
    let round = (number / NAMED.len()).min(3);
    oklab([lightness * (1.0 - 0.2 * round as f64), a, b])
}

/// The colour of a value from 0 to 1; what is beyond counts as the nearer end, NaN as 0.
pub(super) fn color(value: f64) -> Light {
    let steps = PALETTE.len() - 1;
    let place = if value > 0.0 { value.min(1.0) * steps as f64 } else { 0.0 };
    let step = (place as usize).min(steps - 1);
    let share = place - step as f64;
    oklab(std::array::from_fn(|k| PALETTE[step][k] + share * (PALETTE[step + 1][k] - PALETTE[step][k])))
}

fn oklab([lightness, a, b]: [f64; 3]) -> Light {
    let long = power(lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b, 3);
    let medium = power(lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b, 3);
    let short = power(lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b, 3);
    let rgb = [
        4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short,
        -1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short,
        -0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701_0 * short,
    ];
    rgb.map(|x| x.clamp(0.0, 1.0) as f32)
}

/// `share` of the second colour, the rest of the first.
pub(super) fn mix(first: Light, second: Light, share: f32) -> Light {
    std::array::from_fn(|k| first[k] + share * (second[k] - first[k]))
}

/// Amounts of light as bytes of sRGB.
pub(super) struct Encoding(Vec<u8>);

impl Encoding {
    /// So fine that every byte is met.
    const STEPS: f32 = 8192.0;

    pub(super) fn new() -> Self {
        let byte = |step: usize| {
            let light = step as f64 / f64::from(Self::STEPS);
            let signal = if light <= 0.003_130_8 {
                12.92 * light
            } else {
                1.055 * libm::pow(light, 1.0 / 2.4) - 0.055
            };
            (255.0 * signal).round() as u8
        };
        Self((0..=Self::STEPS as usize).map(byte).collect())
    }

    pub(super) fn pixel(&self, light: Light) -> [u8; 3] {
        light.map(|x| self.0[(x.clamp(0.0, 1.0) * Self::STEPS + 0.5) as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_beyond_the_ends_take_their_colors() {
        assert_eq!(color(-3.0), color(0.0));
        assert_eq!(color(f64::NAN), color(0.0));
        assert_eq!(color(f64::INFINITY), color(1.0));
        assert_ne!(color(0.0), color(1.0));
    }

    #[test]
    fn equal_steps_of_value_are_equal_steps_of_color() {
        let steps = PALETTE.windows(2).map(|pair| {
            let [from, to] = [pair[0], pair[1]];
            assert!(to[0] > from[0]);
            (0..3).map(|k| (to[k] - from[k]).powi(2)).sum::<f64>().sqrt()
        });
        for step in steps {
            assert!((step / 0.085 - 1.0).abs() < 0.1, "{step}");
        }
    }

    #[test]
    fn names_have_colors_of_their_own() {
        let distance = |a: usize, b: usize| {
            let [a, b] = [named(a), named(b)];
            (0..3).map(|k| (a[k] - b[k]).abs()).sum::<f32>()
        };
        for a in 0..16 {
            for b in 0..a {
                assert!(distance(a, b) > 0.05, "{a} {b}");
            }
        }
        assert!(distance(0, 1) > 0.8);
    }

    #[test]
    fn light_is_encoded_as_srgb() {
        let encoding = Encoding::new();
        assert_eq!(encoding.pixel([0.0, 1.0, 0.5]), [0, 255, 188]);
        assert_eq!(encoding.pixel([-1.0, 2.0, f32::NAN]), [0, 255, 0]);
        assert_eq!(encoding.pixel(color(0.0)), [0x3f, 0x30, 0x9e]);
        let mut bytes = encoding.0.clone();
        bytes.dedup();
        assert_eq!(bytes.len(), 256);
    }
}
