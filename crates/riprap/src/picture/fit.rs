//! Where the camera stands so that it sees everything that matters, as large as possible.

use super::Picture;
use super::camera::{Axes, Camera, Lens, turn};
use super::hull::Faces;
use super::vector::{Vector3, length, scale, sub};

/// The share of balls at either end of each axis that may be strays.
const STRAYS: f64 = 0.001;
/// Walls up to so many times as large as the balls' extent are shown whole.
const WALLS: f64 = 3.0;
/// The picture's longer side as a slope, for a central lens: some 30 degrees.
const SLOPE: f64 = 0.52;

/// The part of the picture, in samples from its left and its top, that is to be filled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) least: [f64; 2],
    pub(super) most: [f64; 2],
}

/// A camera that sees what is in the picture inside the frame; none if there is nothing to see.
pub(super) fn camera(picture: &Picture, axes: Axes, frame: Frame) -> Option<Camera> {
    let seen = seen(picture);
    let [least, most] = bounds(&seen)?;
    let focus = std::array::from_fn(|k| 0.5 * least[k] + 0.5 * most[k]);
    let size = seen.iter().map(|(center, radius)| length(sub(*center, focus)) + radius).fold(0.0, f64::max);
    let size = if size > 0.0 && size.is_finite() { size } else { 1.0 };

    let halves: [f64; 2] = std::array::from_fn(|k| 0.5 * (frame.most[k] - frame.least[k]));
    let middle = std::array::from_fn(|k| 0.5 * (frame.most[k] + frame.least[k]));
    let near = seen
        .iter()
        .map(|(center, radius)| (turn(&axes, scale(sub(*center, focus), 1.0 / size)), radius / size));
    if picture.flat {
        // Distances from the middle to the four sides; the eye keeps clear of everything, which has size one.
        let mut reach = [[0.0f64; 2]; 2];
        for (center, radius) in near {
            for k in 0..2 {
                reach[k] = [reach[k][0].max(radius - center[k]), reach[k][1].max(radius + center[k])];
            }
        }
        let zooms = [0, 1].map(|k| 2.0 * halves[k] / (reach[k][0] + reach[k][1]));
        let zoom = zooms[0].min(zooms[1]).min(halves[0].max(halves[1]) * 1e6);
        let [x, y] = reach.map(|[low, high]| 0.5 * (high - low));
        return Some(Camera {
            focus,
            size,
            axes,
            eye: [x, y, -4.0],
            lens: Lens { central: false, zoom, middle },
        });
    }

    // The lines of sight along a side of the frame rise by `slope`. A ball at (x, z) is within both sides if
    // |x - eye| <= slope * (z - eye_z) - radius * sqrt(1 + slope^2), which is linear: the extremes over all balls tell
    // where the eye has to be.
    let zoom = 2.0 * halves[0].max(halves[1]) / SLOPE;
    let slopes = halves.map(|half| half / zoom);
    let mut reach = [[f64::NEG_INFINITY; 2]; 2];
    for (center, radius) in near {
        for k in 0..2 {
            let inset = radius * (1.0 + slopes[k] * slopes[k]).sqrt() - slopes[k] * center[2];
            reach[k] = [reach[k][0].max(inset - center[k]), reach[k][1].max(inset + center[k])];
        }
    }
    let distance = |k: usize| 0.5 * (reach[k][0] + reach[k][1]) / slopes[k];
    let [x, y] = reach.map(|[low, high]| 0.5 * (high - low));
    // Not inside, where there is but a point or a line to see.
    let eye = [x, y, -distance(0).max(distance(1)).max(1.5)];
    Some(Camera { focus, size, axes, eye, lens: Lens { central: true, zoom, middle } })
}

/// Balls, those around stones, and points, as balls without size, that should be inside the frame.
fn seen(picture: &Picture) -> Vec<(Vector3, f64)> {
    let balls = picture.balls.iter().filter(|ball| ball.can_be_drawn());
    let mut seen: Vec<(Vector3, f64)> = balls.map(|ball| (ball.center, ball.radius)).collect();
    let hulls: Vec<Option<Faces>> = picture.hulls.iter().map(Faces::new).collect();
    let stones = picture.stones.iter();
    seen.extend(stones.filter_map(|stone| Some((stone.center, stone.reach(&hulls)?))));
    without_strays(&mut seen);
    let corners = picture.triangles.as_flattened().iter().chain(picture.lines.as_flattened());
    let corners = corners.filter(|corner| corner.iter().all(|x| x.is_finite()));
    let Some([least, most]) = bounds(&seen) else {
        return corners.map(|corner| (*corner, 0.0)).collect();
    };
    let half = (0..3).map(|k| 0.5 * most[k] - 0.5 * least[k]).fold(0.0, f64::max);
    seen.extend(corners.map(|corner| {
        let place = |k: usize| {
            let middle = 0.5 * most[k] + 0.5 * least[k];
            let offset = (corner[k] - middle) / half;
            middle + offset.signum() * half * shown(offset.abs())
        };
        ([place(0), place(1), place(2)], 0.0)
    }));
    seen
}

/// Of a wall that reaches so many times as far as the balls, how far it should be seen.
///
/// All of it, unless it is much larger; of an endless one, no more than the balls take. In between, the larger it is, the
/// less has to be seen, so that a sequence of pictures has no jumps.
fn shown(reach: f64) -> f64 {
    if reach <= WALLS { reach } else { 1.0 + (WALLS - 1.0) * WALLS / reach }
}

/// Removes balls far away from nearly all others.
fn without_strays(balls: &mut Vec<(Vector3, f64)>) {
    let strays = (STRAYS * balls.len() as f64) as usize;
    if strays == 0 {
        return;
    }
    let mut places = Vec::with_capacity(balls.len());
    let ranges: [[f64; 2]; 3] = std::array::from_fn(|k| {
        places.clear();
        places.extend(balls.iter().map(|(center, _)| center[k]));
        let last = places.len() - 1;
        [strays, last - strays].map(|rank| *places.select_nth_unstable_by(rank, f64::total_cmp).1)
    });
    // Those just outside belong to the others.
    let room = 0.25 * ranges.iter().map(|[low, high]| high - low).fold(0.0, f64::max);
    balls.retain(|(center, radius)| {
        (0..3).all(|k| (ranges[k][0] - room - radius..=ranges[k][1] + room + radius).contains(&center[k]))
    });
}

/// The least box around some balls.
fn bounds(balls: &[(Vector3, f64)]) -> Option<[Vector3; 2]> {
    let corners =
        balls.iter().map(|(center, radius)| [center.map(|x| x - radius), center.map(|x| x + radius)]);
    corners.reduce(|[least, most], [low, high]| {
        [std::array::from_fn(|k| least[k].min(low[k])), std::array::from_fn(|k| most[k].max(high[k]))]
    })
}

#[cfg(test)]
mod tests {
    use super::super::camera::{BallInView, axes};
    use super::super::{Ball, Picture};
    use super::*;
    use crate::Random;

    const FRAME: Frame = Frame { least: [10.0, 20.0], most: [410.0, 320.0] };

    fn cloud(count: usize) -> Vec<Ball> {
        let mut random = Random::new(3);
        let mut ball = || Ball {
            center: std::array::from_fn(|k| random.uniform(0.0, [4.0, 2.0, 1.0][k])),
            radius: random.uniform(0.01, 0.2),
            value: 0.0,
        };
        (0..count).map(|_| ball()).collect()
    }

    /// The rectangle of the picture that the balls take.
    fn taken(picture: &Picture, count: usize) -> [[f64; 2]; 2] {
        let camera = camera(picture, axes(picture.up, picture.view, picture.flat), FRAME).unwrap();
        let mut taken = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        for ball in &picture.balls[..count] {
            let body = BallInView { center: camera.see(ball.center), radius: ball.radius / camera.size };
            let [least, most] = camera.lens.bounds(&body).unwrap();
            for k in 0..2 {
                taken[0][k] = taken[0][k].min(least[k]);
                taken[1][k] = taken[1][k].max(most[k]);
            }
        }
        taken
    }

    #[test]
    fn balls_fill_the_frame_at_any_scale() {
        for flat in [false, true] {
            for scale in [1e-9, 1.0, 1e9, 1e100] {
                let mut balls = cloud(200);
                for ball in &mut balls {
                    ball.center = ball.center.map(|x| (x - 7.0) * scale);
                    ball.radius *= scale;
                }
                let picture = Picture { balls, flat, ..Picture::default() };
                let [least, most] = taken(&picture, 200);
                let gaps = [0, 1].map(|k| [least[k] - FRAME.least[k], FRAME.most[k] - most[k]]);
                assert!(gaps.as_flattened().iter().all(|gap| *gap > -1e-6), "{flat} {scale} {gaps:?}");
                let widest = gaps.map(|[low, high]| low + high);
                assert!(widest[0].min(widest[1]) < 1.0, "{flat} {scale} {gaps:?}");
            }
        }
    }

    #[test]
    fn strays_and_endless_walls_leave_the_balls_large() {
        let mut picture = Picture { balls: cloud(3000), ..Picture::default() };
        let alone = taken(&picture, 3000);
        picture.balls.push(Ball { center: [1e5, -1e7, 3.0], radius: 1.0, value: 0.0 });
        assert_eq!(taken(&picture, 3000), alone);
        for reach in [10.0, 1e3, 1e300] {
            let [a, b, c] = [[-reach, -reach, 0.0], [reach, -reach, 0.0], [0.0, reach, 0.0]];
            picture.triangles = vec![[a, b, c]];
            let [least, most] = taken(&picture, 3000);
            assert!(most[0] - least[0] > 0.3 * (alone[1][0] - alone[0][0]), "{reach}");
        }
    }

    #[test]
    fn walls_are_seen_whole_unless_much_larger() {
        assert_eq!(shown(2.9), 2.9);
        assert!((shown(3.0 + 1e-9) - 3.0).abs() < 1e-6);
        assert!(shown(1e6) < 1.3 && shown(f64::INFINITY) >= 1.0);
    }

    #[test]
    fn anything_else_gives_some_camera_or_none() {
        let nothing = Picture::default();
        let nan = Ball { center: [f64::NAN; 3], radius: 1.0, value: 0.0 };
        let unseen =
            Picture { balls: vec![nan], triangles: vec![[[f64::INFINITY; 3]; 3]], ..Picture::default() };
        let point = Picture { lines: vec![[[1.0; 3]; 2]], ..Picture::default() };
        for flat in [false, true] {
            let axes = axes([0.0; 3], None, flat);
            let camera = |picture: &Picture| camera(&Picture { flat, ..picture.clone() }, axes, FRAME);
            assert!(camera(&nothing).is_none() && camera(&unseen).is_none());
            let camera = camera(&point).unwrap();
            let place = camera.lens.place(camera.see([1.0; 3]));
            assert!((place[0] - 210.0).abs() < 1e-9 && (place[1] - 170.0).abs() < 1e-9);
        }
    }
}
