//! Where the camera stands so that it sees everything that matters, as large as possible.

use super::camera::{Axes, Camera, Lens, turn};
use super::hull::Faces;
use super::vector::{Vector3, length, sub};
use super::{Picture, Stone};

/// The share of balls at either end of each axis that may be strays.
const STRAYS: f64 = 0.001;
/// Walls up to so many times as large as the balls' extent are shown whole.
const WALLS: f64 = 6.0;
/// The picture's longer side as a slope, for a central lens: some 30 degrees.
const SLOPE: f64 = 0.52;

/// The part of the picture, in samples from its left and its top, that is to be filled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Frame {
    pub(super) least: [f64; 2],
    pub(super) most: [f64; 2],
}

/// How far bodies and walls reach in one picture or in several.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Extent {
    /// Without bodies far away from nearly all others.
    bodies: Option<[Vector3; 2]>,
    walls: Option<[Vector3; 2]>,
}

impl Extent {
    pub(super) fn of(picture: &Picture) -> Self {
        let walls: Vec<(Vector3, f64)> = corners(picture).map(|corner| (corner, 0.0)).collect();
        Self { bodies: bounds(&bodies(picture)), walls: bounds(&walls) }
    }

    /// The lowest and the highest corner of the box around the bodies.
    pub fn bodies(&self) -> Option<[[f64; 3]; 2]> {
        self.bodies
    }

    /// The lowest and the highest corner of the box around all that should be seen: the bodies, and walls that are not much larger.
    pub fn whole(&self) -> Option<[[f64; 3]; 2]> {
        let walls = self.walls.map(|walls| walls.map(|corner| self.near(corner)));
        Self { bodies: self.bodies, walls: None }.and(Self { bodies: walls, walls: None }).bodies
    }

    /// How far both reach.
    pub fn and(self, other: Self) -> Self {
        let both = |a: Option<[Vector3; 2]>, b: Option<[Vector3; 2]>| match (a, b) {
            (Some([low, high]), Some([least, most])) => Some([
                std::array::from_fn(|k| f64::min(low[k], least[k])),
                std::array::from_fn(|k| f64::max(high[k], most[k])),
            ]),
            (a, b) => a.or(b),
        };
        Self { bodies: both(self.bodies, other.bodies), walls: both(self.walls, other.walls) }
    }

    /// Where a corner of a wall should be seen: not too far from the bodies.
    fn near(&self, corner: Vector3) -> Vector3 {
        let Some([least, most]) = self.bodies else { return corner };
        let half = (0..3).map(|k| 0.5 * most[k] - 0.5 * least[k]).fold(0.0, f64::max);
        std::array::from_fn(|k| {
            let middle = 0.5 * most[k] + 0.5 * least[k];
            let offset = (corner[k] - middle) / half;
            middle + offset.signum() * half * shown(offset.abs())
        })
    }
}

/// How a camera has to stand to see everything that should be seen of one picture, or of several.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sight {
    frame: Frame,
    flat: bool,
    axes: Axes,
    focus: Option<Vector3>,
    /// The distance of the farthest point from the focus.
    size: f64,
    /// How far things reach beyond the lines of sight through the focus that are parallel to those along the left, the right, the lower
    /// and the upper side of the frame.
    reach: [[f64; 2]; 2],
}

impl Sight {
    pub(super) fn of(picture: &Picture, extent: &Extent, axes: Axes, frame: Frame) -> Self {
        let flat = picture.flat;
        let focus =
            extent.whole().map(|[least, most]| std::array::from_fn(|k| 0.5 * least[k] + 0.5 * most[k]));
        let empty = if flat { 0.0 } else { f64::NEG_INFINITY };
        let mut sight = Self { frame, flat, axes, focus, size: 0.0, reach: [[empty; 2]; 2] };
        if let Some(focus) = focus {
            let slopes = sight.slopes();
            bodies(picture)
                .into_iter()
                .for_each(|(center, radius)| sight.add(sub(center, focus), radius, slopes));
            corners(picture).for_each(|corner| sight.add(sub(extent.near(corner), focus), 0.0, slopes));
        }
        sight
    }

    /// What sees both; of the same extent, in frames of the same size.
    pub fn and(mut self, other: Self) -> Self {
        self.size = self.size.max(other.size);
        for k in 0..2 {
            for side in 0..2 {
                self.reach[k][side] = self.reach[k][side].max(other.reach[k][side]);
            }
        }
        self
    }

    /// By how much the lines of sight along the sides of the frame rise; not at all where they are parallel.
    fn slopes(&self) -> [f64; 2] {
        let halves = self.frame.halves();
        if self.flat { [0.0; 2] } else { halves.map(|half| half * 0.5 * SLOPE / halves[0].max(halves[1])) }
    }

    /// The lines of sight along a side of the frame rise by `slope`. A ball at (x, z) is within both sides if
    /// |x - eye| <= slope * (z - eye_z) - radius * sqrt(1 + slope^2), which is linear: the extremes over all balls tell
    /// where the eye has to be.
    fn add(&mut self, offset: Vector3, radius: f64, slopes: [f64; 2]) {
        self.size = self.size.max(length(offset) + radius);
        let center = turn(&self.axes, offset);
        for k in 0..2 {
            let inset = radius * (1.0 + slopes[k] * slopes[k]).sqrt() - slopes[k] * center[2];
            let [low, high] = self.reach[k];
            self.reach[k] = [low.max(inset - center[k]), high.max(inset + center[k])];
        }
    }

    /// The camera; none if there is nothing to see.
    pub(super) fn camera(&self) -> Option<Camera> {
        let size = if self.size > 0.0 && self.size.is_finite() { self.size } else { 1.0 };
        let reach = self.reach.map(|sides| sides.map(|side| side / size));
        let [halves, middle] = [self.frame.halves(), self.frame.middle()];
        let [x, y] = reach.map(|[low, high]| 0.5 * (high - low));
        let widest = halves[0].max(halves[1]);
        let (eye, lens) = if self.flat {
            let zooms = [0, 1].map(|k| 2.0 * halves[k] / (reach[k][0] + reach[k][1]));
            let zoom = zooms[0].min(zooms[1]).min(widest * 1e6);
            // The eye keeps clear of everything, which has size one.
            ([x, y, -4.0], Lens { central: false, zoom, middle })
        } else {
            let slopes = self.slopes();
            let distance = |k: usize| 0.5 * (reach[k][0] + reach[k][1]) / slopes[k];
            // Not inside, where there is but a point or a line to see.
            let eye = [x, y, -distance(0).max(distance(1)).max(1.5)];
            (eye, Lens { central: true, zoom: 2.0 * widest / SLOPE, middle })
        };
        Some(Camera { focus: self.focus?, size, axes: self.axes, eye, lens })
    }
}

impl Frame {
    fn halves(&self) -> [f64; 2] {
        std::array::from_fn(|k| 0.5 * (self.most[k] - self.least[k]))
    }

    fn middle(&self) -> [f64; 2] {
        std::array::from_fn(|k| 0.5 * (self.most[k] + self.least[k]))
    }
}

/// Balls, and those around stones, that should be inside the frame.
fn bodies(picture: &Picture) -> Vec<(Vector3, f64)> {
    let balls = picture.balls.iter().filter(|ball| ball.can_be_drawn());
    let mut bodies: Vec<(Vector3, f64)> = balls.map(|ball| (ball.center, ball.radius)).collect();
    let hulls: Vec<Option<f64>> =
        picture.hulls.iter().map(|hull| Faces::new(hull).map(|faces| faces.reach)).collect();
    let reach = |stone: &Stone| Some((stone.center, stone.reach(*hulls.get(stone.hull)?)?));
    bodies.extend(picture.stones.iter().filter_map(reach));
    without_strays(&mut bodies);
    bodies
}

/// Corners of walls and ends of lines.
fn corners(picture: &Picture) -> impl Iterator<Item = Vector3> {
    let solids = picture.solids.iter().flatten().flatten();
    let all = picture.triangles.as_flattened().iter().chain(picture.lines.as_flattened()).chain(solids);
    all.copied().filter(|corner| corner.iter().all(|x| x.is_finite()))
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

    fn camera(picture: &Picture, axes: Axes) -> Option<Camera> {
        Sight::of(picture, &Extent::of(picture), axes, FRAME).camera()
    }

    /// The rectangle of the picture that the balls take.
    fn taken(picture: &Picture, count: usize) -> [[f64; 2]; 2] {
        let camera = camera(picture, axes(picture.up, picture.view, picture.flat)).unwrap();
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
            assert!(most[0] - least[0] > 0.9 / WALLS * (alone[1][0] - alone[0][0]), "{reach}");
        }
    }

    #[test]
    fn one_camera_sees_all_that_several_pictures_show() {
        for flat in [false, true] {
            let [a, mut b] =
                [cloud(200), cloud(300)].map(|balls| Picture { balls, flat, ..Picture::default() });
            b.balls.iter_mut().for_each(|ball| ball.center[0] += 5.0);
            let axes = axes(a.up, a.view, flat);
            let extent = Extent::of(&a).and(Extent::of(&b));
            let [one, other] = [&a, &b].map(|picture| Sight::of(picture, &extent, axes, FRAME));
            let both = Picture { balls: [a.balls, b.balls].concat(), flat, ..Picture::default() };
            assert_eq!(one.and(other), Sight::of(&both, &Extent::of(&both), axes, FRAME));
        }
    }

    #[test]
    fn walls_are_seen_whole_unless_much_larger() {
        assert_eq!(shown(5.9), 5.9);
        assert!((shown(6.0 + 1e-9) - 6.0).abs() < 1e-6);
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
            let camera = |picture: &Picture| camera(&Picture { flat, ..picture.clone() }, axes);
            assert!(camera(&nothing).is_none() && camera(&unseen).is_none());
            let camera = camera(&point).unwrap();
            let place = camera.lens.place(camera.see([1.0; 3]));
            assert!((place[0] - 210.0).abs() < 1e-9 && (place[1] - 170.0).abs() < 1e-9);
        }
    }
}
