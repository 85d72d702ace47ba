//! What pictures show.

use super::colors::color;
use super::hull::tests::cube;
use super::stones::tests::UPRIGHT;
use super::*;
use crate::Random;
use crate::packing::scattered;

pub(super) const WHITE: [u8; 3] = [255; 3];

pub(super) fn ball(center: [f64; 3], radius: f64, value: f64) -> Ball {
    Ball { center, radius, value }
}

pub(super) fn pixel(image: &Image, x: usize, y: usize) -> [u8; 3] {
    image.pixels[y * image.width + x]
}

pub(super) fn brightness(pixel: [u8; 3]) -> u32 {
    pixel.iter().map(|x| u32::from(*x)).sum()
}

/// Whether a colour is a shade of that of a value: the largest part is, and the order of the parts.
pub(super) fn is_shade_of(pixel: [u8; 3], value: f64) -> bool {
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
    let image = Picture { balls, triangles: vec![wall], view: front, ..Picture::default() }.render(99, 99);
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
    let mut picture = cloud(2000);
    let mut random = Random::new(8);
    picture.hulls = vec![cube()];
    picture.stones = (0..500)
        .map(|_| {
            let center = std::array::from_fn(|_| random.uniform(0.0, 1.0));
            let (sine, cosine) = random.uniform(0.0, 6.0).sin_cos();
            let axes = [[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]];
            Stone { hull: 0, center, size: 0.03, axes, value: center[0] }
        })
        .collect();
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
                let axes = [[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, 1.0]];
                let stones = vec![
                    Stone { hull: 0, center: [b, 0.0, a], size: a, axes: UPRIGHT, value: a },
                    Stone { hull: 0, center: [0.0, a, 0.0], size: 1.0, axes, value: b },
                    Stone { hull: 1, center: [0.0; 3], size: b, axes: UPRIGHT, value: 0.0 },
                ];
                let odd_hull = Hull { points: vec![[a, b, 0.0]; 8], ..cube() };
                let picture = Picture {
                    balls,
                    hulls: vec![cube(), odd_hull],
                    stones,
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
