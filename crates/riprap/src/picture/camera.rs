//! From places in the scene to places in the picture.

use super::bins::Rectangle;
use super::vector::{Vector3, across, along, cross, dot, scale, sub, unit};

/// A ball as it lies before the camera.
#[derive(Debug, Clone, Copy)]
pub(super) struct BallInView {
    /// To the right, upwards, and away from the eye.
    pub(super) center: Vector3,
    pub(super) radius: f64,
}

/// The directions of a picture in the scene: to the right, upwards, and away from the eye.
pub(super) type Axes = [Vector3; 3];

/// The directions of a look from `view`, or, without one, from the front, a little from the right and from above.
pub(super) fn axes(up: Vector3, view: Option<Vector3>, flat: bool) -> Axes {
    if flat {
        let back = [0.0, 0.0, 1.0];
        let up = across(up, back).unwrap_or([0.0, 1.0, 0.0]);
        return [cross(up, back), up, scale(back, -1.0)];
    }
    let up = unit(up).unwrap_or([0.0, 0.0, 1.0]);
    let right = across([1.0, 0.0, 0.0], up).filter(|_| up[0].abs() < 0.9);
    let right = right.or_else(|| across([0.0, 1.0, 0.0], up)).unwrap_or([0.0, 1.0, 0.0]);
    let front = cross(right, up);
    let pleasant = along(along(scale(front, 0.84), 0.5, right), 0.44, up);
    let view = view.and_then(unit).or_else(|| unit(pleasant)).unwrap_or(front);
    // Looking along `up`, what is in front is below.
    let upward = across(up, view).unwrap_or_else(|| scale(front, -dot(view, up).signum()));
    [cross(upward, view), upward, scale(view, -1.0)]
}

/// The components of a vector along some axes.
pub(super) fn turn(axes: &Axes, a: Vector3) -> Vector3 {
    axes.map(|axis| dot(axis, a))
}

/// How places before an eye map to samples, which are counted from the left and from the top.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lens {
    /// Whether all lines of sight meet in the eye, at the origin; otherwise they are parallel.
    pub(super) central: bool,
    /// Samples per unit of length, or per unit of slope for a central lens.
    pub(super) zoom: f64,
    /// The sample straight ahead.
    pub(super) middle: [f64; 2],
}

impl Lens {
    /// Where a point is seen, in samples.
    pub(super) fn place(&self, point: Vector3) -> [f64; 2] {
        let zoom = if self.central { self.zoom / point[2] } else { self.zoom };
        [self.middle[0] + zoom * point[0], self.middle[1] - zoom * point[1]]
    }

    /// The line of sight through a sample: across and up where the lens is parallel, their slopes where it is central.
    pub(super) fn sight(&self, column: usize, row: usize) -> [f64; 2] {
        let [x, y] = self.middle;
        [(column as f64 + 0.5 - x) / self.zoom, (y - row as f64 - 0.5) / self.zoom]
    }

    /// The point at some depth on a line of sight.
    pub(super) fn point(&self, [x, y]: [f64; 2], depth: f64) -> Vector3 {
        if self.central { [x * depth, y * depth, depth] } else { [x, y, depth] }
    }

    /// The direction of the line of sight to a point.
    pub(super) fn direction(&self, point: Vector3) -> Vector3 {
        let ahead = [0.0, 0.0, 1.0];
        if self.central { unit(point).unwrap_or(ahead) } else { ahead }
    }

    /// The smallest rectangle that holds a ball; none where the eye is inside or almost.
    pub(super) fn bounds(&self, body: &BallInView) -> Option<Rectangle> {
        let BallInView { center: [x, y, z], radius } = *body;
        let [[left, right], [low, high]] = if self.central {
            // The slopes of the two lines through the eye that touch the circle.
            let room = z * z - radius * radius;
            if !(z > radius && room > 1e-6 * z * z) {
                return None;
            }
            [x, y].map(|a| {
                let half = radius * (a * a + room).sqrt();
                [(a * z - half) / room, (a * z + half) / room]
            })
        } else {
            [[x - radius, x + radius], [y - radius, y + radius]]
        };
        let [x, y] = self.middle;
        Some([[x + self.zoom * left, y - self.zoom * high], [x + self.zoom * right, y - self.zoom * low]])
    }
}

/// An eye, and what it makes of the scene.
pub(super) struct Camera {
    /// A place in the scene, a length and directions that bring everything to see near the origin and to a size near one.
    pub(super) focus: Vector3,
    pub(super) size: f64,
    pub(super) axes: Axes,
    /// The eye seen from the focus, in these units.
    pub(super) eye: Vector3,
    pub(super) lens: Lens,
}

impl Camera {
    /// The place of a point before the eye.
    pub(super) fn see(&self, point: Vector3) -> Vector3 {
        sub(turn(&self.axes, scale(sub(point, self.focus), 1.0 / self.size)), self.eye)
    }
}

#[cfg(test)]
mod tests {
    use super::super::vector::length;
    use super::*;

    #[test]
    fn axes_are_right_handed_and_upright_from_anywhere() {
        let directions = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-2.0, 0.0, 0.0], [1.0, 2.0, 3.0], [0.0; 3]];
        for up in directions {
            for view in directions.map(Some).into_iter().chain([None, Some([f64::NAN; 3])]) {
                for flat in [false, true] {
                    let [right, upward, away] = axes(up, view, flat);
                    assert!(length(sub(cross(upward, right), away)) < 1e-12, "{up:?} {view:?}");
                    assert!(dot(upward, up) > -1e-12 && dot(right, up).abs() < 1e-12);
                }
            }
        }
        assert_eq!(axes([0.0, 0.0, 1.0], None, true)[..2], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        assert!(axes([0.0, 0.0, 1.0], None, false)[0][0] > 0.8);
    }

    #[test]
    fn bounds_touch_the_ball() {
        let body = BallInView { center: [0.7, -0.4, 2.0], radius: 0.3 };
        for central in [false, true] {
            let lens = Lens { central, zoom: 100.0, middle: [50.0, 40.0] };
            let [least, most] = lens.bounds(&body).unwrap();
            let mut seen = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
            for i in 0..400 {
                for j in 0..200 {
                    let (along, around) = (f64::from(j) * 0.0157, f64::from(i) * 0.0157);
                    let normal = [along.sin() * around.cos(), along.sin() * around.sin(), along.cos()];
                    let place = lens.place(super::along(body.center, body.radius, normal));
                    for k in 0..2 {
                        seen[0][k] = seen[0][k].min(place[k]);
                        seen[1][k] = seen[1][k].max(place[k]);
                    }
                }
            }
            for k in 0..2 {
                assert!((seen[0][k] - least[k]).abs() < 0.01 && (seen[1][k] - most[k]).abs() < 0.01);
            }
        }
        let lens = Lens { central: true, zoom: 100.0, middle: [0.0; 2] };
        assert!(lens.bounds(&BallInView { center: [0.0, 0.0, 1.0], radius: 1.0 }).is_none());
    }
}
