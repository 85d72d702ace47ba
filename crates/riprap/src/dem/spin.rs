//! Spins and torques: in space (`D` = 3) they have three components, in the plane (`D` = 2) one, about the axis that points
//! at the reader.

use crate::number::Real;
use crate::vector::{components, reject};

/// The velocity that a spin gives to the end of an arm.
#[inline(always)]
pub(crate) fn turn<T: Real, const D: usize, const S: usize>(spin: [T; S], arm: [T; D]) -> [T; D] {
    if D == 2 {
        components(|k| if k == 0 { -spin[0] * arm[1] } else { spin[0] * arm[0] })
    } else {
        components(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            spin[i] * arm[j] - spin[j] * arm[i]
        })
    }
}

/// The torque of a force at the end of an arm.
#[inline(always)]
pub(crate) fn moment<T: Real, const D: usize, const S: usize>(arm: [T; D], force: [T; D]) -> [T; S] {
    if D == 2 {
        [arm[0] * force[1] - arm[1] * force[0]; S]
    } else {
        components(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            arm[i] * force[j] - arm[j] * force[i]
        })
    }
}

/// The part of a spin that rolls over a contact with this normal, without the part that twists about it.
#[inline(always)]
pub(crate) fn rolling_part<T: Real, const D: usize, const S: usize>(spin: [T; S], normal: [T; D]) -> [T; S] {
    if D == 2 {
        spin
    } else {
        let normal = components(|k| normal[k]);
        reject(spin, normal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::dot;

    #[test]
    fn a_spin_turns_counter_clockwise_and_torque_does_its_work() {
        assert_eq!(turn([2.0], [1.0, 0.0]), [0.0, 2.0]);
        assert_eq!(turn([0.0, 0.0, 2.0], [1.0, 0.0, 0.0]), [0.0, 2.0, 0.0]);
        let (spin, arm, force) = ([0.3, -0.5, 0.7], [1.0, 2.0, -3.0], [0.2, 0.4, 0.9]);
        let power = dot(turn::<f64, 3, 3>(spin, arm), force);
        assert!((power - dot(spin, moment::<f64, 3, 3>(arm, force))).abs() < 1e-15);
        assert_eq!(moment::<f64, 2, 1>([1.0, 0.0], [0.0, 3.0]), [3.0]);
    }

    #[test]
    fn twist_is_not_rolling() {
        assert_eq!(rolling_part([1.0, 2.0, 3.0], [0.0, 0.0, 1.0]), [1.0, 2.0, 0.0]);
        assert_eq!(rolling_part::<f64, 2, 1>([5.0], [0.0, 1.0]), [5.0]);
    }
}
