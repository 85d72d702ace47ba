//! All bodies as they lie before the eye, or before a lamp.

use std::sync::Arc;

use rayon::prelude::*;

use super::Picture;
use super::camera::{Axes, BallInView, Camera, turn};
use super::colors::Light;
use super::hull::{Faces, Hull, Stone};
use super::polygon::Plane;
use super::vector::{Vector3, along};
use super::walls::solid;

/// Nothing smaller, in samples, or some bodies would fall between them.
const LEAST_RADIUS: f64 = 0.75;
/// Solid walls.
const SOLID: Light = [0.42, 0.44, 0.47];

/// Bodies, numbered from 0: balls, then stones.
pub(super) struct InView {
    pub(super) balls: Vec<BallInView>,
    pub(super) stones: Vec<StoneInView>,
    hulls: Arc<[Option<Faces>]>,
}

/// A stone as it lies before the camera.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoneInView {
    /// The ball that holds it.
    pub(super) around: BallInView,
    pub(super) size: f64,
    pub(super) axes: Axes,
    hull: u32,
}

/// A body before the camera.
pub(super) enum Seen<'a> {
    Ball(&'a BallInView),
    Stone(&'a StoneInView, &'a Faces),
}

impl InView {
    /// What can be drawn of a picture, and its colours.
    pub(super) fn new(picture: &Picture, camera: &Camera) -> (Self, Vec<Light>) {
        let least = |center: Vector3| {
            let lens = camera.lens;
            LEAST_RADIUS * if lens.central { center[2] } else { 1.0 } / lens.zoom
        };
        let ball = |ball: &super::Ball| {
            let center = camera.see(ball.center);
            let radius = (ball.radius / camera.size).max(least(center));
            ball.can_be_drawn().then(|| (BallInView { center, radius }, picture.legend.color(ball.value)))
        };
        let walls: Vec<(Hull, Stone)> = picture.solids.iter().flat_map(|wall| solid(wall)).collect();
        let first = picture.hulls.len();
        let hulls = picture.hulls.par_iter().chain(walls.par_iter().map(|(hull, _)| hull)).map(Faces::new);
        let hulls: Arc<[Option<Faces>]> = hulls.collect::<Vec<_>>().into();
        let stone = |stone: &Stone| {
            let center = camera.see(stone.center);
            let reach = stone.reach(hulls.get(stone.hull)?.as_ref().map(|faces| faces.reach))?;
            let radius = (reach / camera.size).max(least(center));
            let axes = stone.axes.map(|axis| turn(&camera.axes, axis));
            let around = BallInView { center, radius };
            let size = stone.size * (radius / reach);
            Some(StoneInView { around, size, axes, hull: stone.hull as u32 })
        };
        let of_picture = |body: &Stone| Some((stone(body)?, picture.legend.color(body.value)));
        let of_wall = |(index, (_, body)): (usize, &(Hull, Stone))| {
            Some((stone(&Stone { hull: first + index, ..*body })?, SOLID))
        };
        let (balls, mut colors): (Vec<_>, Vec<_>) = picture.balls.par_iter().filter_map(ball).unzip();
        let walls = walls.par_iter().enumerate().filter_map(of_wall);
        let (stones, others): (Vec<_>, Vec<_>) =
            picture.stones.par_iter().filter_map(of_picture).chain(walls).unzip();
        colors.extend(others);
        (Self { balls, stones, hulls }, colors)
    }

    /// Balls alone.
    #[cfg(test)]
    pub(super) fn of_balls(balls: Vec<BallInView>) -> Self {
        Self { balls, stones: Vec::new(), hulls: Arc::from([]) }
    }

    /// The same bodies seen along other axes.
    pub(super) fn turned(&self, axes: &Axes) -> Self {
        let ball = |ball: &BallInView| BallInView { center: turn(axes, ball.center), ..*ball };
        let stone = |stone: &StoneInView| StoneInView {
            around: ball(&stone.around),
            axes: stone.axes.map(|axis| turn(axes, axis)),
            ..*stone
        };
        Self {
            balls: self.balls.iter().map(ball).collect(),
            stones: self.stones.iter().map(stone).collect(),
            hulls: Arc::clone(&self.hulls),
        }
    }

    pub(super) fn body(&self, index: u32) -> Option<Seen<'_>> {
        if let Some(ball) = self.balls.get(index as usize) {
            return Some(Seen::Ball(ball));
        }
        let stone = self.stones.get(index as usize - self.balls.len())?;
        Some(Seen::Stone(stone, self.hulls[stone.hull as usize].as_ref()?))
    }

    /// For each body the ball that holds it.
    pub(super) fn around(&self) -> impl Iterator<Item = &BallInView> + Clone {
        self.balls.iter().chain(self.stones.iter().map(|stone| &stone.around))
    }

    /// How far the nearest point of a body may be.
    pub(super) fn front(&self, index: u32) -> f64 {
        let index = index as usize;
        let balls = self.balls.len();
        let around = if index < balls { &self.balls[index] } else { &self.stones[index - balls].around };
        around.center[2] - around.radius
    }
}

impl StoneInView {
    fn direction(&self, [x, y, z]: Vector3) -> Vector3 {
        let [a, b, c] = self.axes;
        std::array::from_fn(|k| x * a[k] + y * b[k] + z * c[k])
    }

    /// Where a point of the hull is.
    pub(super) fn point(&self, point: Vector3) -> Vector3 {
        along(self.around.center, self.size, self.direction(point))
    }

    /// Where a face of the hull is.
    pub(super) fn plane(&self, (normal, offset): (Vector3, f64)) -> Plane {
        let normal = self.direction(normal);
        Plane { normal, offset: super::vector::dot(normal, self.around.center) + self.size * offset }
    }
}
