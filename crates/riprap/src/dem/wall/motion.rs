//! Prescribed motion of a wall, in phases.

use crate::dem::spin::{Spin, turn};
use crate::vector::{add, add_scaled, dot, scale, sub, unit};

/// Motion of a wall between two times: a velocity, and a spin about a centre that moves along.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Phase<const D: usize> {
    /// When it starts.
    pub start: f64,
    /// When it ends; may be infinite.
    pub end: f64,
    /// Velocity.
    pub velocity: [f64; D],
    /// Spin in radians per time; in the plane only the last component may differ from zero.
    pub spin: Spin,
    /// Centre of the spin when the phase starts.
    pub center: [f64; D],
}

impl<const D: usize> Phase<D> {
    /// Whether a unit vector stays as it is while the wall turns.
    pub(crate) fn keeps(&self, direction: [f64; D]) -> bool {
        unit(self.spin).is_none_or(|axis| {
            let across: [f64; D] = turn(axis, direction);
            dot(across, across) < 1e-24
        })
    }
}

/// Where a wall is and how it moves, as seen from where it was at the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement<const D: usize> {
    /// Images of the unit vectors.
    pub rotation: [[f64; D]; D],
    /// Image of the origin.
    pub origin: [f64; D],
    /// Velocity of the centre of the spin.
    pub velocity: [f64; D],
    /// Spin.
    pub spin: Spin,
    /// Centre of the spin.
    pub center: [f64; D],
    /// Whether the wall is no longer there.
    pub gone: bool,
}

impl<const D: usize> Placement<D> {
    /// A wall that has not moved.
    pub fn still() -> Self {
        Self {
            rotation: std::array::from_fn(|i| std::array::from_fn(|k| f64::from(u8::from(i == k)))),
            origin: [0.0; D],
            velocity: [0.0; D],
            spin: [0.0; 3],
            center: [0.0; D],
            gone: false,
        }
    }

    /// After these phases, which follow each other in time, at some time.
    pub fn at(phases: &[Phase<D>], time: f64) -> Self {
        let mut placement = Self::still();
        for phase in phases.iter().filter(|phase| phase.start < time) {
            let duration = time.min(phase.end) - phase.start;
            let turned = rotation(scale(phase.spin, duration));
            let center = add_scaled(phase.center, duration, phase.velocity);
            placement.origin = add(center, apply(&turned, sub(placement.origin, phase.center)));
            placement.rotation = placement.rotation.map(|axis| apply(&turned, axis));
            // At its end a wall has still moved in the step that is over.
            if time <= phase.end {
                (placement.velocity, placement.spin, placement.center) = (phase.velocity, phase.spin, center);
            }
        }
        placement
    }

    /// A point or direction of the wall as it was at the start, for one of now.
    pub fn to_start(&self, point: [f64; D]) -> [f64; D] {
        let from = sub(point, self.origin);
        std::array::from_fn(|k| dot(self.rotation[k], from))
    }

    /// How a direction of now pointed at the start.
    pub fn direction_at_start(&self, direction: [f64; D]) -> [f64; D] {
        std::array::from_fn(|k| dot(self.rotation[k], direction))
    }

    /// Where a point of the start is now.
    pub fn to_now(&self, point: [f64; D]) -> [f64; D] {
        add(self.origin, self.direction_now(point))
    }

    /// How a direction of the start points now.
    pub fn direction_now(&self, direction: [f64; D]) -> [f64; D] {
        apply(&self.rotation, direction)
    }

    /// How an axis of turns of the start points now; in the plane there is but one.
    pub(crate) fn turn_now(&self, turn: [f64; 3]) -> [f64; 3] {
        if D == 2 {
            return turn;
        }
        let now = self.direction_now(std::array::from_fn(|k| turn[k]));
        std::array::from_fn(|k| now[k % D])
    }

    /// Velocity of the wall at a point of now.
    #[inline(always)]
    pub fn velocity_at(&self, point: [f64; D]) -> [f64; D] {
        add(self.velocity, turn(self.spin, sub(point, self.center)))
    }
}

/// A vector given by its components along these axes.
fn apply<const D: usize>(axes: &[[f64; D]; D], components: [f64; D]) -> [f64; D] {
    let mut sum = [0.0; D];
    for (axis, component) in axes.iter().zip(components) {
        sum = add_scaled(sum, component, *axis);
    }
    sum
}

/// Images of the unit vectors after a turn by this angle, or about this vector by its length (Rodrigues).
fn rotation<const D: usize>(turn_by: Spin) -> [[f64; D]; D] {
    let angle = dot(turn_by, turn_by).sqrt();
    let Some(axis) = unit(turn_by) else { return Placement::<D>::still().rotation };
    let (sine, cosine) = libm::sincos(angle);
    std::array::from_fn(|i| {
        let e: [f64; D] = std::array::from_fn(|k| f64::from(u8::from(i == k)));
        let across: [f64; D] = turn(axis, e);
        let along = if D == 3 { axis[i % 3] } else { 0.0 };
        std::array::from_fn(|k| {
            let axis_k = if D == 3 { axis[k % 3] } else { 0.0 };
            cosine * e[k] + sine * across[k] + (1.0 - cosine) * along * axis_k
        })
    })
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    #[test]
    fn phases_follow_each_other() {
        let phases = [
            Phase { start: 1.0, end: 2.0, velocity: [1.0, 0.0, 0.0], spin: [0.0; 3], center: [0.0; 3] },
            Phase {
                start: 2.0,
                end: 3.0,
                velocity: [0.0; 3],
                spin: [0.0, 0.0, FRAC_PI_2],
                center: [1.0, 0.0, 0.0],
            },
        ];
        let at = |time| Placement::at(&phases, time);
        assert_eq!(at(0.5).to_now([1.0, 0.0, 0.0]), [1.0, 0.0, 0.0]);
        assert_eq!(at(1.5).to_now([1.0, 0.0, 0.0]), [1.5, 0.0, 0.0]);
        assert_eq!(at(1.5).velocity_at([7.0; 3]), [1.0, 0.0, 0.0]);
        let end = at(9.0);
        for (found, expected) in end.to_now([1.0, 0.0, 0.0]).iter().zip([1.0, 1.0, 0.0]) {
            assert!((found - expected).abs() < 1e-15);
        }
        for (found, expected) in end.to_start(end.to_now([0.3, 0.4, 0.5])).iter().zip([0.3, 0.4, 0.5]) {
            assert!((found - expected).abs() < 1e-15);
        }
        assert_eq!(end.velocity_at([3.0; 3]), [0.0; 3]);
    }

    #[test]
    fn the_velocity_is_the_change_of_position() {
        let phase = Phase {
            start: 0.0,
            end: f64::INFINITY,
            velocity: [0.1, -0.2, 0.3],
            spin: [0.5, 1.0, -0.7],
            center: [1.0, 2.0, 3.0],
        };
        let (point, dt) = ([0.3, -0.4, 0.8], 1e-6);
        let now = Placement::at(&[phase], 0.8);
        let change = sub(
            Placement::at(&[phase], 0.8 + dt).to_now(point),
            Placement::at(&[phase], 0.8 - dt).to_now(point),
        );
        for (found, expected) in now.velocity_at(now.to_now(point)).iter().zip(scale(change, 0.5 / dt)) {
            assert!((found - expected).abs() < 1e-8);
        }
        let flat =
            Phase { start: 0.0, end: 9.0, velocity: [0.0; 2], spin: [0.0, 0.0, FRAC_PI_2], center: [0.0; 2] };
        let quarter = Placement::at(&[flat], 1.0).to_now([1.0, 0.0]);
        assert!(quarter[0].abs() < 1e-15 && (quarter[1] - 1.0).abs() < 1e-15);
    }
}
