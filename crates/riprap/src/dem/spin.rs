//! Spins and torques. They have three components also in the plane, where only the last one, about the axis that points at the
//! reader, is ever different from zero; the formulas leave the others out.

use crate::number::Real;
use crate::vector::{add_scaled, components, dot, reject};

/// A spin in radians per time, or a torque.
pub type Spin = [f64; 3];

/// `spin + factor other`, leaving out what is zero in the plane.
#[inline(always)]
pub(crate) fn add_scaled_spin<const D: usize>(spin: Spin, factor: f64, other: Spin) -> Spin {
    if D == 2 { [0.0, 0.0, spin[2] + factor * other[2]] } else { add_scaled(spin, factor, other) }
}

/// The square of a spin, leaving out what is zero in the plane.
#[inline(always)]
pub(crate) fn square_of_spin<const D: usize>(spin: Spin) -> f64 {
    if D == 2 { spin[2] * spin[2] } else { dot(spin, spin) }
}

/// The velocity that a spin gives to the end of an arm.
#[inline(always)]
pub(crate) fn turn<T: Real, const D: usize>(spin: [T; 3], arm: [T; D]) -> [T; D] {
    if D == 2 {
        components(|k| if k == 0 { -spin[2] * arm[1] } else { spin[2] * arm[0] })
    } else {
        components(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            spin[i] * arm[j] - spin[j] * arm[i]
        })
    }
}

/// The torque of a force at the end of an arm.
#[inline(always)]
pub(crate) fn moment<T: Real, const D: usize>(arm: [T; D], force: [T; D]) -> [T; 3] {
    if D == 2 {
        let zero = T::all(0.0);
        [zero, zero, arm[0] * force[1] - arm[1] * force[0]]
    } else {
        components(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            arm[i] * force[j] - arm[j] * force[i]
        })
    }
}

/// The part of a spin that rolls over a contact with this normal, without the part that twists about it.
#[inline(always)]
pub(crate) fn rolling_part<T: Real, const D: usize>(spin: [T; 3], normal: [T; D]) -> [T; 3] {
    if D == 2 { spin } else { reject(spin, components(|k| normal[k])) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spin_turns_counter_clockwise_and_torque_does_its_work() {
        assert_eq!(turn([0.0, 0.0, 2.0], [1.0, 0.0]), [0.0, 2.0]);
        assert_eq!(turn([0.0, 0.0, 2.0], [1.0, 0.0, 0.0]), [0.0, 2.0, 0.0]);
        let (spin, arm, force) = ([0.3, -0.5, 0.7], [1.0, 2.0, -3.0], [0.2, 0.4, 0.9]);
        let power = dot(turn::<f64, 3>(spin, arm), force);
        assert!((power - dot(spin, moment::<f64, 3>(arm, force))).abs() < 1e-15);
        assert_eq!(moment::<f64, 2>([1.0, 0.0], [0.0, 3.0]), [0.0, 0.0, 3.0]);
    }

    #[test]
    fn spins_of_the_plane_are_those_of_space() {
        let (spin, other) = ([0.0, 0.0, 1.5], [0.0, 0.0, -0.3]);
        assert_eq!(add_scaled_spin::<2>(spin, 0.7, other), add_scaled_spin::<3>(spin, 0.7, other));
        assert_eq!(square_of_spin::<2>(spin), square_of_spin::<3>(spin));
    }

    #[test]
    fn twist_is_not_rolling() {
        assert_eq!(rolling_part([1.0, 2.0, 3.0], [0.0, 0.0, 1.0]), [1.0, 2.0, 0.0]);
        assert_eq!(rolling_part::<f64, 2>([0.0, 0.0, 5.0], [0.0, 1.0]), [0.0, 0.0, 5.0]);
    }
}
