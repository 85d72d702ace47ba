//! Where bodies are.

use thiserror::Error as ThisError;

use super::body::Body;
use super::leaning::{Owner, SeenBody};
use super::region::Frame;
use crate::error::AXES;
use crate::vector::{add, add_scaled, components, cross, dot, scale, sub};

/// Where a body is: the position of its centroid, and how its coordinates are turned. (Of a mesh, the position of the origin of its
/// coordinates: see [`PlacedMesh`](crate::inside::PlacedMesh).)
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose<const D: usize> {
    /// Position of the centroid.
    pub position: [f64; D],
    /// Rows of the rotation matrix.
    pub rotation: [[f64; D]; D],
}

/// What can be wrong with a pose.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum PoseError {
    /// A coordinate is not a number, or too large.
    #[error("position: `{axis}` is {value:?}, expected a number between -1e60 and 1e60")]
    Position {
        /// Name of the axis.
        axis: &'static str,
        /// The offending value.
        value: f64,
    },
    /// The quaternion has no direction.
    #[error(
        "rotation is {value:?}, expected a quaternion [w, x, y, z] of finite numbers that are not all zero"
    )]
    Quaternion {
        /// The offending value.
        value: [f64; 4],
    },
    /// The rows are not those of a rotation.
    #[error("rotation is {rows:?}, expected rows of length one at right angles, which are not mirrored")]
    Rotation {
        /// The offending rows.
        rows: [[f64; 3]; 3],
    },
    /// The angle is not a number.
    #[error("rotation is {value}, expected an angle in radians")]
    Angle {
        /// The offending value.
        value: f64,
    },
}

impl<const D: usize> Pose<D> {
    /// A body that is not turned.
    pub fn at(position: [f64; D]) -> Self {
        Self { position, rotation: components(|i| components(|j| if i == j { 1.0 } else { 0.0 })) }
    }

    /// Where the centroid is when this is the pose of the coordinates the body was made from.
    pub fn of_frame(self, body: &Body<D>) -> Self {
        Self { position: add(self.position, apply(&self.rotation, body.centroid())), ..self }
    }

    /// Takes a vector from the body's coordinates to those of the world.
    #[inline(always)]
    pub fn turn(&self, vector: [f64; D]) -> [f64; D] {
        apply(&self.rotation, vector)
    }

    /// Takes a vector from the coordinates of the world to those of the body.
    #[inline(always)]
    pub fn turn_back(&self, vector: [f64; D]) -> [f64; D] {
        apply_inverse(&self.rotation, vector)
    }

    /// Takes a point from the body's coordinates to those of the world.
    #[inline(always)]
    pub fn place(&self, point: [f64; D]) -> [f64; D] {
        add(self.position, self.turn(point))
    }

    fn check(self) -> Result<Self, PoseError> {
        match (0..D).find(|&k| self.position[k].is_nan() || self.position[k].abs() > 1e60) {
            Some(k) => Err(PoseError::Position { axis: AXES[k], value: self.position[k] }),
            None => Ok(self),
        }
    }
}

impl Pose<3> {
    /// Refuses a position that is no number, and rows that are not those of a rotation.
    pub(crate) fn check_all(self) -> Result<Self, PoseError> {
        let [x, y, z] = self.rotation;
        let volume = dot(cross(x, y), z);
        let excess = [dot(x, x) - 1.0, dot(y, y) - 1.0, dot(z, z) - 1.0, volume - 1.0];
        // What is not a number is not small either.
        if excess.iter().all(|excess| excess.abs() < 1e-6) {
            self.check()
        } else {
            Err(PoseError::Rotation { rows: self.rotation })
        }
    }

    /// From a quaternion `w, x, y, z` of any length but zero.
    ///
    /// ```
    /// use riprap::convex::{Polyhedron, Pose};
    ///
    /// let wedge = Polyhedron::from_points(&[[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]])?;
    /// let turned = Pose::from_quaternion([2.0, 0.0, 0.0], [1.0, 0.0, 0.0, 1.0])?;
    /// // That puts the centroid there; to put the origin of the vertices there, and turn about it:
    /// let framed = turned.of_frame(&wedge);
    /// # let back = framed.place(wedge.centroid().map(|x| -x));
    /// # assert!((back[0] - 2.0).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_quaternion(position: [f64; 3], quaternion: [f64; 4]) -> Result<Self, PoseError> {
        let [w, x, y, z] =
            crate::vector::unit(quaternion).ok_or(PoseError::Quaternion { value: quaternion })?;
        let rotation = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ];
        Self { position, rotation }.check()
    }
}

impl Pose<2> {
    /// From an angle in radians, counter-clockwise.
    pub fn from_angle(position: [f64; 2], angle: f64) -> Result<Self, PoseError> {
        if !angle.is_finite() {
            return Err(PoseError::Angle { value: angle });
        }
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        Self { position, rotation: [[cos, -sin], [sin, cos]] }.check()
    }
}

/// A body as one of a pair, in coordinates with the axes of the world and the first body's centroid as their origin.
#[derive(Debug, Clone, Copy)]
pub(super) struct PosedBody<'a, const D: usize> {
    pub(super) body: &'a Body<D>,
    pub(super) rotation: &'a [[f64; D]; D],
    /// Where its centroid is.
    pub(super) offset: [f64; D],
    /// How many times as large it is as the body.
    pub(super) scale: f64,
}

impl<'a, const D: usize> PosedBody<'a, D> {
    /// Takes a point from the body's coordinates to those of the pair.
    #[inline(always)]
    pub(super) fn place(&self, point: [f64; D]) -> [f64; D] {
        add_scaled(self.offset, self.scale, self.turn(point))
    }

    /// Takes a direction from the body's coordinates to those of the pair.
    #[inline(always)]
    pub(super) fn turn(&self, direction: [f64; D]) -> [f64; D] {
        apply(self.rotation, direction)
    }

    /// Takes a point from the coordinates of the pair to those of the body.
    #[inline(always)]
    pub(super) fn local(&self, point: [f64; D]) -> [f64; D] {
        self.local_vector(sub(point, self.offset))
    }

    /// Takes a difference of points from the coordinates of the pair to those of the body.
    #[inline(always)]
    pub(super) fn local_vector(&self, vector: [f64; D]) -> [f64; D] {
        scale(self.back(vector), 1.0 / self.scale)
    }

    /// Takes a direction from the coordinates of the pair to those of the body.
    #[inline(always)]
    pub(super) fn back(&self, direction: [f64; D]) -> [f64; D] {
        apply_inverse(self.rotation, direction)
    }

    /// The body as one that looks at the other sees it in a frame.
    #[inline(always)]
    pub(super) fn seen(&self, frame: &Frame, owner: Owner) -> SeenBody<'a, D> {
        SeenBody::new(self.body, frame, owner, |direction| self.back(direction))
    }

    /// Where a vertex is.
    #[inline(always)]
    pub(super) fn vertex(&self, vertex: u32) -> [f64; D] {
        self.place(self.body.vertex(vertex))
    }

    /// Where the first vertex of an edge is.
    #[inline(always)]
    pub(super) fn start_of(&self, edge: u32) -> [f64; D] {
        self.vertex(self.body.edges[edge as usize].ends[0])
    }

    /// Where a facet looks.
    #[inline(always)]
    pub(super) fn normal(&self, facet: u32) -> [f64; D] {
        self.turn(self.body.facets[facet as usize].normal)
    }

    /// The vector along an edge.
    #[inline(always)]
    pub(super) fn along(&self, edge: u32) -> [f64; D] {
        scale(self.turn(self.body.along(&self.body.edges[edge as usize])), self.scale)
    }

    /// How far a facet is from the centroid.
    #[inline(always)]
    pub(super) fn facet_distance(&self, facet: u32) -> f64 {
        self.scale * self.body.facets[facet as usize].offset
    }

    /// The radius of the body at its scale.
    #[inline(always)]
    pub(super) fn radius(&self) -> f64 {
        self.scale * self.body.radius
    }
}

#[inline(always)]
fn apply<const D: usize>(rows: &[[f64; D]; D], vector: [f64; D]) -> [f64; D] {
    components(|i| dot(rows[i], vector))
}

/// The inverse of a rotation is its transpose.
#[inline(always)]
fn apply_inverse<const D: usize>(rows: &[[f64; D]; D], vector: [f64; D]) -> [f64; D] {
    components(|i| {
        let mut sum = rows[0][i] * vector[0];
        for k in 1..D {
            sum += rows[k][i] * vector[k];
        }
        sum
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_about_z() {
        let pose = Pose::from_quaternion([1.0, 2.0, 3.0], [1.0, 0.0, 0.0, 1.0]).unwrap();
        let placed = pose.place([1.0, 0.0, 0.0]);
        assert!((0..3).all(|k| (placed[k] - [1.0, 3.0, 3.0][k]).abs() < 1e-15));
        let flat = Pose::from_angle([1.0, 2.0], std::f64::consts::FRAC_PI_2).unwrap();
        assert!((flat.place([1.0, 0.0])[1] - 3.0).abs() < 1e-15);
    }

    #[test]
    fn there_and_back() {
        let pose = Pose::from_quaternion([1.0, -2.0, 0.5], [0.3, 0.1, -0.7, 0.2]).unwrap();
        let body = crate::convex::shapes::cube();
        let point = [0.3, 0.4, -0.5];
        for scale in [1.0, 0.3, 20.0] {
            let side = PosedBody { body: &body, rotation: &pose.rotation, offset: pose.position, scale };
            assert_eq!(side.place(point), add_scaled(pose.position, scale, pose.turn(point)));
            let back = side.local(side.place(point));
            let error = 1e-15 * (1.0 + 1.0 / scale);
            assert!((0..3).all(|k| (back[k] - point[k]).abs() < error), "{scale} {back:?}");
        }
    }

    #[test]
    fn senseless_poses_are_refused() {
        assert!(Pose::from_quaternion([0.0; 3], [0.0; 4]).unwrap_err().to_string().contains("not all zero"));
        assert!(
            Pose::from_quaternion([0.0, f64::NAN, 0.0], [1.0, 0.0, 0.0, 0.0])
                .unwrap_err()
                .to_string()
                .contains("`y`")
        );
        assert!(Pose::from_angle([0.0; 2], f64::INFINITY).is_err());
    }
}
