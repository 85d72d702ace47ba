//! How orientations follow spins.

use crate::dem::spin::Spin;
use crate::vector::dot;

/// The orientation after a step with this spin: exact for a constant spin.
pub(crate) fn turned(orientation: [f64; 4], spin: Spin, step: f64) -> [f64; 4] {
    let half = 0.5 * step * dot(spin, spin).sqrt();
    // The sine over its argument, which is one at zero.
    let share = 0.5 * step * if half > 1e-8 { libm::sin(half) / half } else { 1.0 };
    let (w, [x, y, z]) = (libm::cos(half), spin.map(|component| component * share));
    let [a, b, c, d] = orientation;
    let product = [
        w * a - x * b - y * c - z * d,
        w * b + x * a + y * d - z * c,
        w * c + y * a + z * b - x * d,
        w * d + z * a + x * c - y * b,
    ];
    let norm = dot(product, product).sqrt();
    product.map(|component| component / norm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_in_a_thousand_steps() {
        let mut orientation = [1.0, 0.0, 0.0, 0.0];
        for _ in 0..1000 {
            orientation = turned(orientation, [0.0, 0.0, std::f64::consts::FRAC_PI_2], 1e-3);
        }
        let half = 0.5f64.sqrt();
        assert!((orientation[0] - half).abs() < 1e-12 && (orientation[3] - half).abs() < 1e-12);
        assert_eq!(turned([1.0, 0.0, 0.0, 0.0], [0.0; 3], 1.0), [1.0, 0.0, 0.0, 0.0]);
    }
}
