//! The little of vectors that a picture needs.

pub(super) type Vector3 = [f64; 3];

pub(super) fn sub(a: Vector3, b: Vector3) -> Vector3 {
    std::array::from_fn(|k| a[k] - b[k])
}

pub(super) fn scale(a: Vector3, factor: f64) -> Vector3 {
    a.map(|x| x * factor)
}

/// `a + factor * b`
pub(super) fn along(a: Vector3, factor: f64, b: Vector3) -> Vector3 {
    std::array::from_fn(|k| a[k] + factor * b[k])
}

pub(super) fn dot(a: Vector3, b: Vector3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: Vector3, b: Vector3) -> Vector3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn length(a: Vector3) -> f64 {
    dot(a, a).sqrt()
}

/// The vector with length one, unless it has no direction.
pub(super) fn unit(a: Vector3) -> Option<Vector3> {
    // The largest component first, or squares of tiny and huge ones would be lost.
    let largest = a.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    if !(largest > 0.0 && a.iter().all(|x| x.is_finite())) {
        return None;
    }
    let a = a.map(|x| x / largest);
    Some(scale(a, 1.0 / length(a)))
}

/// The part of a direction across an axis of length one, with length one, unless hardly anything is left.
pub(super) fn across(a: Vector3, axis: Vector3) -> Option<Vector3> {
    let a = unit(a)?;
    let rest = along(a, -dot(a, axis), axis);
    if length(rest) > 1e-6 { unit(rest) } else { None }
}
