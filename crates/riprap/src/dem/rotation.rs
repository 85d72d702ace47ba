//! How orientations follow spins, and spins angular momenta.
//!
//! The state of a body that turns is its angular momentum, in the axes of the world, and its orientation. Without a torque the first
//! stays as it is, to the bit; the second follows by turns about the principal axes, one after the other and back again, each with
//! the momentum about that axis (the splitting of Dullweber, Leimkuhler and McLachlan 1997). The map is symplectic: the energy keeps
//! to its value within the square of the step, for any inertia and any time. Bodies with two equal moments turn as they do in closed form.

use crate::dem::spin::Spin;
use crate::vector::{cross, dot, scale};

/// An orientation, as a unit quaternion `w, x, y, z`.
pub(crate) type Orientation = [f64; 4];

/// Axes of the body and of the world are the same.
pub(crate) const UPRIGHT: Orientation = [1.0, 0.0, 0.0, 0.0];

/// Squares of half angles below these are given their sine and cosine by series, the smaller ones by shorter ones.
const SMALL: f64 = 0.06 * 0.06;
const TINY: f64 = 1e-5;
/// The square of what is off here is below the last digit.
const ROUNDING: f64 = 1e-8;

/// Cosine, and sine over the angle; the argument is the square of the angle.
#[inline(always)]
fn cosine_and_share(square: f64) -> (f64, f64) {
    if square < TINY {
        (1.0 - square * (0.5 - square * (1.0 / 24.0)), 1.0 - square * (1.0 / 6.0 - square * (1.0 / 120.0)))
    } else if square < SMALL {
        let cosine = 1.0 / 720.0 - square * (1.0 / 40_320.0);
        let share = 1.0 / 5040.0 - square * (1.0 / 362_880.0);
        (
            1.0 - square * (0.5 - square * (1.0 / 24.0 - square * cosine)),
            1.0 - square * (1.0 / 6.0 - square * (1.0 / 120.0 - square * share)),
        )
    } else {
        let angle = square.sqrt();
        (libm::cos(angle), libm::sin(angle) / angle)
    }
}

/// First the second turn, then the first.
#[inline(always)]
pub(crate) fn product([w, x, y, z]: Orientation, [a, b, c, d]: Orientation) -> Orientation {
    [
        w * a - x * b - y * c - z * d,
        w * b + x * a + y * d - z * c,
        w * c + y * a + z * b - x * d,
        w * d + z * a + x * c - y * b,
    ]
}

/// What is longer or shorter than one by rounding only needs no root.
#[inline(always)]
fn normalized(orientation: Orientation) -> Orientation {
    let square = dot(orientation, orientation);
    let inverse = if (square - 1.0).abs() < ROUNDING { 1.5 - 0.5 * square } else { 1.0 / square.sqrt() };
    scale(orientation, inverse)
}

/// The orientation of a ball after a step with this spin: exact for a constant spin.
#[inline]
pub(crate) fn turned(orientation: Orientation, spin: Spin, step: f64) -> Orientation {
    let (cosine, share) = cosine_and_share(0.25 * step * step * dot(spin, spin));
    let [x, y, z] = spin.map(|component| 0.5 * step * share * component);
    normalized(product([cosine, x, y, z], orientation))
}

/// A vector of the body in the axes of the world.
#[inline(always)]
pub(crate) fn rotated([w, x, y, z]: Orientation, vector: [f64; 3]) -> [f64; 3] {
    let axis = [x, y, z];
    let twice = cross(axis, vector).map(|component| 2.0 * component);
    let more = cross(axis, twice);
    std::array::from_fn(|k| vector[k] + w * twice[k] + more[k])
}

/// A vector of the world in the axes of the body.
#[inline(always)]
pub(crate) fn rotated_back([w, x, y, z]: Orientation, vector: [f64; 3]) -> [f64; 3] {
    rotated([w, -x, -y, -z], vector)
}

/// The rows of the matrix that takes vectors of the body to the world.
#[inline(always)]
pub(crate) fn matrix<const D: usize>([w, x, y, z]: Orientation) -> [[f64; D]; D] {
    let rows = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ];
    std::array::from_fn(|i| std::array::from_fn(|j| rows[i][j]))
}

/// Whether a body turns as easily about all axes.
#[inline(always)]
fn is_even(softness: [f64; 3]) -> bool {
    softness[0] == softness[1] && softness[1] == softness[2]
}

/// The spin of a body with this angular momentum: `softness` is the inverse of its principal moments, both over those of the ball of
/// the same mass and size.
#[inline(always)]
pub(crate) fn spin_of(orientation: Orientation, softness: [f64; 3], momentum: Spin) -> Spin {
    if is_even(softness) {
        return scale(momentum, softness[0]);
    }
    let along = rotated_back(orientation, momentum);
    rotated(orientation, std::array::from_fn(|k| softness[k] * along[k]))
}

/// The angular momentum of a body with this spin, see [`spin_of`].
pub(crate) fn momentum_of(orientation: Orientation, softness: [f64; 3], spin: Spin) -> Spin {
    let along = rotated_back(orientation, spin);
    rotated(orientation, std::array::from_fn(|k| along[k] / softness[k]))
}

/// The orientation after a step without torque, see [`spin_of`]. In the plane there is one axis, and no need to go back; and where all
/// axes are alike, the spin stays as it is.
#[inline]
pub(crate) fn turned_freely<const D: usize>(
    orientation: Orientation,
    softness: [f64; 3],
    momentum: Spin,
    step: f64,
) -> Orientation {
    if D == 2 {
        return turned(orientation, [0.0, 0.0, softness[2] * momentum[2]], step);
    }
    if is_even(softness) {
        return turned(orientation, scale(momentum, softness[0]), step);
    }
    let mut along = rotated_back(orientation, momentum);
    if let Some(axis) = (0..3).find(|axis| softness[(axis + 1) % 3] == softness[(axis + 2) % 3]) {
        // A symmetric top: about its axis, and with the axis about the momentum.
        let across = softness[(axis + 1) % 3];
        let half = 0.5 * step * (softness[axis] - across) * along[axis];
        let (cosine, share) = cosine_and_share(half * half);
        let mut turn = [cosine, 0.0, 0.0, 0.0];
        turn[axis + 1] = half * share;
        return turned(product(orientation, turn), scale(momentum, across), step);
    }
    let mut turned = orientation;
    for (axis, time) in [(0, 0.5 * step), (1, 0.5 * step), (2, step), (1, 0.5 * step), (0, 0.5 * step)] {
        let half = 0.5 * time * softness[axis] * along[axis];
        let (cosine, share) = cosine_and_share(half * half);
        let sine = half * share;
        let mut turn = [cosine, 0.0, 0.0, 0.0];
        turn[axis + 1] = sine;
        turned = product(turned, turn);
        // Seen from the body, the momentum turns the other way.
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let (double_cosine, double_sine) = (1.0 - 2.0 * sine * sine, 2.0 * sine * cosine);
        (along[i], along[j]) = (
            double_cosine * along[i] + double_sine * along[j],
            double_cosine * along[j] - double_sine * along[i],
        );
    }
    normalized(turned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_in_a_thousand_steps() {
        let mut orientation = UPRIGHT;
        for _ in 0..1000 {
            orientation = turned(orientation, [0.0, 0.0, std::f64::consts::FRAC_PI_2], 1e-3);
        }
        let half = 0.5f64.sqrt();
        assert!((orientation[0] - half).abs() < 1e-12 && (orientation[3] - half).abs() < 1e-12);
        assert_eq!(turned(UPRIGHT, [0.0; 3], 1.0), UPRIGHT);
    }

    #[test]
    fn series_go_over_into_functions() {
        for angle in [0.0, 1e-9, 0.03, 0.0599999, 0.06, 0.0600001, 1.0, 4.0f64] {
            let (cosine, share) = cosine_and_share(angle * angle);
            assert!((cosine - angle.cos()).abs() < 1e-15, "{angle}");
            assert!((share * angle - angle.sin()).abs() < 1e-15, "{angle}");
        }
    }

    #[test]
    fn spin_and_momentum_go_there_and_back() {
        let orientation = normalized([0.3, -0.5, 0.7, 0.1]);
        let (softness, spin) = ([2.0, 0.7, 0.4], [0.3, -1.0, 2.0]);
        let back = spin_of(orientation, softness, momentum_of(orientation, softness, spin));
        assert!((0..3).all(|k| (back[k] - spin[k]).abs() < 1e-14), "{back:?}");
        let (rows, turned) = (matrix::<3>(orientation), rotated(orientation, spin));
        assert!((0..3).all(|k| (dot(rows[k], spin) - turned[k]).abs() < 1e-15));
    }

    /// The axis of a symmetric top goes round its angular momentum at the rate of momentum over the moment across the axis, at a
    /// constant angle, and turns about itself at a constant rate.
    #[test]
    fn a_symmetric_top_precesses() {
        let (softness, momentum): ([f64; 3], Spin) = ([1.0, 1.0, 0.5], [0.0, 0.0, 3.0]);
        let tilt = 0.4f64;
        let start = [(0.5 * tilt).cos(), (0.5 * tilt).sin(), 0.0, 0.0];
        let steps = 10_000;
        let step = std::f64::consts::TAU / 3.0 / f64::from(steps);
        let mut orientation = start;
        for _ in 0..steps {
            orientation = turned_freely::<3>(orientation, softness, momentum, step);
        }
        let axis = rotated(orientation, [0.0, 0.0, 1.0]);
        let expected = rotated(start, [0.0, 0.0, 1.0]);
        assert!((0..3).all(|k| (axis[k] - expected[k]).abs() < 1e-11), "{axis:?} {expected:?}");
    }

    /// The energy of an uneven body that tumbles comes back, and what it is off by falls with the square of the step.
    #[test]
    fn energy_is_kept_to_second_order() {
        let (softness, momentum) = ([1.4, 1.0, 0.6], [0.01, 2.0, 0.02]);
        let worst = |step: f64| {
            let mut orientation = UPRIGHT;
            let energy = |orientation| dot(momentum, spin_of(orientation, softness, momentum));
            let start = energy(orientation);
            let mut worst = 0.0f64;
            for _ in 0..(100.0 / step) as usize {
                orientation = turned_freely::<3>(orientation, softness, momentum, step);
                worst = worst.max((energy(orientation) / start - 1.0).abs());
            }
            worst
        };
        let (coarse, fine) = (worst(0.02), worst(0.01));
        assert!(coarse < 1e-3 && (coarse / fine - 4.0).abs() < 0.2, "{coarse} {fine}");
    }
}
