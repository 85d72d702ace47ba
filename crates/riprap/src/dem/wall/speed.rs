//! How fast a wall moves where it can be touched.
//!
//! While a phase of motion lasts, every point of a wall keeps its distance from the axis about which it turns, so the speed that its own
//! farthest point has by turning is worked out once for each phase. Only motion of the surface as a whole counts: a plane that turns about
//! its normal, or a cylinder about its axis, stays where it is. Other planes, and cylinders that turn across their axis, have no farthest
//! point: there the bodies count, wherever they are.

use super::{Placement, Surface, Wall};
use crate::dem::spin::turn;
use crate::vector::{dot, length, sub};

/// The speed of a wall by turning in the present phase of its motion.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct TurningSpeed {
    /// Index of the phase for which it was worked out; none while the wall is at rest.
    phase: Option<usize>,
    /// That of the point that moves farthest; `None` if there is none.
    farthest: Option<f64>,
}

impl TurningSpeed {
    /// Works it out if another phase has begun.
    pub(super) fn update<const D: usize>(&mut self, wall: &Wall<D>, placement: &Placement<D>, time: f64) {
        let phase = wall.motion.iter().rposition(|phase| phase.start < time && time <= phase.end);
        if phase != self.phase {
            *self = Self { phase, farthest: farthest(&wall.surface, placement) };
        }
    }

    /// How fast a wall moves where it can touch bodies that are all within `reach` of `middle`.
    pub(super) fn fastest<const D: usize>(
        self,
        placement: &Placement<D>,
        (middle, reach): ([f64; D], f64),
    ) -> f64 {
        let spin = dot(placement.spin, placement.spin).sqrt();
        let by_turning = if spin == 0.0 {
            0.0
        } else {
            self.farthest.unwrap_or_else(|| {
                length::<f64, D>(turn(placement.spin, sub(middle, placement.center))) + spin * reach
            })
        };
        length(placement.velocity) + by_turning
    }
}

/// How fast the surface comes nearer to anything by turning: the speed of the point that is farthest from the axis; `None` if there is no such
/// point.
fn farthest<const D: usize>(surface: &Surface<D>, placement: &Placement<D>) -> Option<f64> {
    let speed = |point: [f64; D]| -> f64 {
        length::<f64, D>(turn(placement.spin, sub(placement.to_now(point), placement.center)))
    };
    let fastest = |speed: f64, other: f64| speed.max(other);
    // Whether the wall turns about this direction. In the plane no direction is an axis; that of a circle is zero.
    let about = |direction: [f64; D]| {
        let across: [f64; D] = turn(placement.spin, placement.direction_now(direction));
        length(across) <= 1e-9 * dot(placement.spin, placement.spin).sqrt()
    };
    match surface {
        Surface::Facets(facets) => {
            Some(facets.corners().iter().flatten().map(|corner| speed(*corner)).fold(0.0, fastest))
        }
        // Bodies are inside.
        Surface::Box { min, max } => {
            let corner =
                |bits: usize| std::array::from_fn(|k| if bits >> k & 1 == 1 { max[k] } else { min[k] });
            Some((0..1 << D).map(|bits| speed(corner(bits))).fold(0.0, fastest))
        }
        Surface::Cylinder { point, axis, .. } => about(*axis).then(|| speed(*point)),
        Surface::Plane { normal, .. } => about(*normal).then_some(0.0),
    }
}
