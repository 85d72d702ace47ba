//! The table of the shapes that bodies can have.

use crate::shape::{Piece, Shape};
use crate::spheres::ball_volume;

/// Index of a shape in the table of [`Shapes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ShapeIndex(pub u16);

/// The table of shapes; the first one is the ball.
#[derive(Debug, Clone, PartialEq)]
pub struct Shapes<const D: usize> {
    table: Vec<Shape<D>>,
    /// The moment of inertia of a ball over the principal moments of each shape.
    softness: Vec<[f64; 3]>,
    /// Most springs of each on a plane: of its pieces, and of their points.
    bearing: Vec<[usize; 2]>,
}

impl<const D: usize> Default for Shapes<D> {
    fn default() -> Self {
        Self { table: vec![Shape::ball()], softness: vec![[1.0; 3]], bearing: vec![[1; 2]] }
    }
}

impl<const D: usize> Shapes<D> {
    /// The ball, which every table has.
    pub const BALL: ShapeIndex = ShapeIndex(0);

    /// Adds a shape; one that is a ball is the ball. `None` if there are more than can be numbered.
    pub fn add(&mut self, shape: Shape<D>) -> Option<ShapeIndex> {
        if shape.is_ball() {
            return Some(Self::BALL);
        }
        let index = u16::try_from(self.table.len()).ok()?;
        let ball = self.ball_inertia();
        self.softness.push(evened(shape.inertia.map(|moment| ball / moment)));
        self.bearing.push([false, true].map(|per_point| shape.bearing(per_point)));
        self.table.push(shape);
        Some(ShapeIndex(index))
    }

    /// A shape, if it is in the table.
    pub fn find(&self, index: ShapeIndex) -> Option<&Shape<D>> {
        self.table.get(usize::from(index.0))
    }

    /// Number of shapes.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Never: there is always the ball.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Whether there are none but the ball.
    #[inline(always)]
    pub fn only_balls(&self) -> bool {
        self.table.len() == 1
    }

    /// A shape of the table.
    #[inline(always)]
    pub(crate) fn get(&self, index: ShapeIndex) -> &Shape<D> {
        &self.table[usize::from(index.0)]
    }

    /// A piece of a shape of the table.
    #[inline(always)]
    pub(crate) fn piece(&self, index: ShapeIndex, piece: u16) -> &Piece<D> {
        &self.get(index).pieces[usize::from(piece)]
    }

    /// The inverse of a shape's principal moments, over that of the ball of the same mass and size.
    #[inline(always)]
    pub(crate) fn softness(&self, index: ShapeIndex) -> [f64; 3] {
        self.softness[usize::from(index.0)]
    }

    /// How much shorter a stable step is with these shapes than with balls.
    ///
    /// A force at the farthest point moves it as if the body had `1 / (1 + m R^2 / I)` of its mass. Some five springs press on a body in a
    /// heap of stones, against twelve balls on a ball; on one of many pieces as many as it lies on, from two sides.
    pub(crate) fn share_of_step(&self, per_point: bool) -> f64 {
        let springs = 5usize.max(2 * self.bearing(per_point)) as f64;
        let softest = |softness: &[f64; 3]| softness.iter().copied().fold(0.0, f64::max);
        let levers = self.table.iter().zip(&self.softness).skip(1);
        let lever = levers
            .map(|(shape, softness)| shape.reach * shape.reach * softest(softness) / self.ball_inertia())
            .fold(0.0, f64::max);
        (12.0 / springs / (1.0 + lever)).sqrt().min(1.0)
    }

    /// Most springs between one of these bodies and a plane, one per point or per piece.
    pub(crate) fn bearing(&self, per_point: bool) -> usize {
        self.bearing.iter().map(|springs| springs[usize::from(per_point)]).max().unwrap_or(1)
    }

    /// Moment of inertia of a ball over mass and squared radius.
    #[inline(always)]
    pub(crate) fn ball_inertia(&self) -> f64 {
        self.table[0].inertia[2]
    }

    /// Volume of a body of this size, whatever its shape; in the plane its area.
    pub fn volume(size: f64) -> f64 {
        ball_volume::<D>(size)
    }
}

/// Those of a cube or a tetrahedron are the same but for roundings; bodies whose are turn in a simpler way.
fn evened(softness: [f64; 3]) -> [f64; 3] {
    let [least, most] = [f64::min, f64::max].map(|of| softness.into_iter().reduce(of).unwrap_or(1.0));
    if most - least < 1e-13 * most { [most; 3] } else { softness }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moments of many points in a ball and in a disk.
    #[test]
    fn inertia_of_balls_and_disks() {
        let steps = 60;
        let at = |k: i32| f64::from(2 * k - steps) / f64::from(steps);
        let (mut solid, mut flat) = ([0.0, 0.0], [0.0, 0.0]);
        for x in (0..=steps).map(at) {
            for y in (0..=steps).map(at) {
                let square = x * x + y * y;
                if square <= 1.0 {
                    flat = [flat[0] + 1.0, flat[1] + square];
                }
                let layers = (0..=steps).map(at).filter(|z| square + z * z <= 1.0).count() as f64;
                solid = [solid[0] + layers, solid[1] + layers * square];
            }
        }
        assert!((solid[1] / solid[0] - Shapes::<3>::default().ball_inertia()).abs() < 0.01);
        assert!((flat[1] / flat[0] - Shapes::<2>::default().ball_inertia()).abs() < 0.01);
        assert_eq!(Shapes::<3>::default().find(ShapeIndex(1)), None);
    }

    #[test]
    fn a_clump_of_one_sphere_is_a_ball() {
        let mut shapes = Shapes::<3>::default();
        let named = Shape { name: "grain".into(), ..Shape::ball() };
        assert_eq!(shapes.add(named), Some(Shapes::<3>::BALL));
        assert!(shapes.only_balls());
    }
}
