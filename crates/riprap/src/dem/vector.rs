//! Arithmetic of small vectors: positions and forces have `D` components, spins and torques `S`.
//!
//! In space (`D` = 3) a spin has three components, in the plane (`D` = 2) one, about the axis that points at the reader.

use super::lanes::Real;

/// One component after the other. Unlike `std::array::from_fn` it is always inlined, which kernels depend on.
#[inline(always)]
pub(crate) fn components<T: Copy, const N: usize>(component: impl Fn(usize) -> T) -> [T; N] {
    let mut all = [component(0); N];
    for k in 1..N {
        all[k] = component(k);
    }
    all
}

#[inline(always)]
pub(crate) fn add<T: Real, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
    components(|k| a[k] + b[k])
}

#[inline(always)]
pub(crate) fn sub<T: Real, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
    components(|k| a[k] - b[k])
}

#[inline(always)]
pub(crate) fn scale<T: Real, const N: usize>(a: [T; N], factor: T) -> [T; N] {
    components(|k| a[k] * factor)
}

/// `a + factor b`
#[inline(always)]
pub(crate) fn add_scaled<T: Real, const N: usize>(a: [T; N], factor: T, b: [T; N]) -> [T; N] {
    components(|k| a[k] + factor * b[k])
}

#[inline(always)]
pub(crate) fn dot<T: Real, const N: usize>(a: [T; N], b: [T; N]) -> T {
    let mut sum = a[0] * b[0];
    for k in 1..N {
        sum = sum + a[k] * b[k];
    }
    sum
}

#[inline(always)]
pub(crate) fn length<T: Real, const N: usize>(a: [T; N]) -> T {
    dot(a, a).sqrt()
}

/// The vector of length one in this direction; `None` for a vector without one.
pub(crate) fn unit<const N: usize>(a: [f64; N]) -> Option<[f64; N]> {
    // Scaled first, so that squares neither overflow nor vanish.
    let largest = a.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
    if largest == 0.0 || !a.iter().all(|x| x.is_finite()) {
        return None;
    }
    let scaled = a.map(|x| x / largest);
    Some(scale(scaled, 1.0 / length(scaled)))
}

/// What is left of `a` without its part along the unit vector `n`.
#[inline(always)]
pub(crate) fn reject<T: Real, const N: usize>(a: [T; N], n: [T; N]) -> [T; N] {
    add_scaled(a, -dot(a, n), n)
}

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

    #[test]
    fn unit_vectors_of_any_magnitude() {
        assert_eq!(unit([0.0, 3e-300, 0.0]), Some([0.0, 1.0, 0.0]));
        assert!((length(unit([3e200, 4e200]).unwrap()) - 1.0).abs() < 1e-15);
        assert_eq!(unit([0.0; 3]), None);
        assert_eq!(unit([f64::NAN, 1.0]), None);
    }
}
