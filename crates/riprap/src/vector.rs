//! Arithmetic of small vectors.

use crate::number::Real;

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

/// Two axes at right angles across a unit vector, with which they are right-handed (Duff et al. 2017, "Building an orthonormal
/// basis, revisited").
#[inline(always)]
pub(crate) fn axes_across([x, y, z]: [f64; 3]) -> [[f64; 3]; 2] {
    let sign = 1f64.copysign(z);
    let a = -1.0 / (sign + z);
    let b = x * y * a;
    [[1.0 + sign * x * x * a, sign * b, -sign * x], [b, sign + y * y * a, -y]]
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

/// What is perpendicular to both, in space.
#[inline(always)]
pub(crate) fn cross<T: Real>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    components(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        a[i] * b[j] - a[j] * b[i]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_vectors_of_any_magnitude() {
        assert_eq!(unit([0.0, 3e-300, 0.0]), Some([0.0, 1.0, 0.0]));
        assert!((length(unit([3e200, 4e200]).unwrap()) - 1.0).abs() < 1e-15);
        assert_eq!(unit([0.0; 3]), None);
        assert_eq!(unit([f64::NAN, 1.0]), None);
    }
}
