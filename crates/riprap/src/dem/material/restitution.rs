//! Damping from a coefficient of restitution, for contacts that never pull.
//!
//! A contact pushes with `F = k d + c d'`, cut off at zero: the bodies part as soon as the dashpot would hold them together
//! (Schwager and Poeschel 2007). With `w^2 = k/m` and the damping ratio `z = c / (2 m w)`, the force vanishes when
//! `d'' = 0`, at the time `t` with `tan(w t sqrt(1 - z^2)) = 2 z sqrt(1 - z^2) / (2 z^2 - 1)`. There the bodies part with
//! the speed `exp(-z w t)` times that of the approach: the restitution.
//!
//! The same ratio serves the Hertz contact `F = K d^(3/2) + c d^(1/4) d'`. With `y = sqrt(4/5) d^(5/4)` as the deflection
//! and a time that runs like `d^(1/4)`, its equation of motion becomes that of the linear contact with
//! `c = sqrt(5) z sqrt(m K)` (Antypov and Elliott 2011), and the force vanishes at the same point.

/// Smallest restitution for which a damping is derived.
pub const SMALLEST: f64 = 0.01;

/// Damping ratio with which a collision has this restitution, from [`SMALLEST`] to 1.
pub fn damping_ratio(restitution: f64) -> f64 {
    let (mut low, mut high) = (0.0, 100.0);
    // The restitution falls as the ratio grows; doubles are used up after some sixty halvings.
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if restitution_of(middle) > restitution {
            low = middle;
        } else {
            high = middle;
        }
    }
    if restitution >= 1.0 { 0.0 } else { 0.5 * (low + high) }
}

/// Restitution of a collision with this damping ratio.
pub fn restitution_of(ratio: f64) -> f64 {
    let root = (1.0 - ratio * ratio).abs().sqrt();
    let (opposite, adjacent) = (2.0 * ratio * root, 2.0 * ratio * ratio - 1.0);
    let time = if root < 1e-6 {
        2.0
    } else if ratio < 1.0 {
        libm::atan2(opposite, adjacent) / root
    } else {
        libm::atanh(opposite / adjacent) / root
    };
    libm::exp(-ratio * time)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The equation of motion in small steps: the linear contact (`power` 1) and the Hertz contact (`power` 1.5).
    fn collide(power: f64, damping: f64) -> f64 {
        let force = |d: f64, v: f64| {
            let d = d.max(0.0);
            (libm::pow(d, power) + damping * libm::pow(d, 0.5 * power - 0.5) * v).max(0.0)
        };
        let (mut d, mut v, step) = (0.0f64, 1.0f64, 1e-5);
        loop {
            let middle = v - 0.5 * step * force(d, v);
            let pushed = force(d + 0.5 * step * v, middle);
            d += step * middle;
            v -= step * pushed;
            if pushed == 0.0 && v < 0.0 {
                return -v;
            }
        }
    }

    #[test]
    fn collisions_have_the_restitution_asked_for() {
        for restitution in [0.05, 0.2, 0.5, 0.8, 0.95, 1.0] {
            let ratio = damping_ratio(restitution);
            assert!((collide(1.0, 2.0 * ratio) - restitution).abs() < 1e-4, "linear {restitution}");
            assert!((collide(1.5, 5f64.sqrt() * ratio) - restitution).abs() < 1e-3, "hertz {restitution}");
        }
    }

    #[test]
    fn the_ratio_falls_steadily_as_restitution_grows() {
        let ratios: Vec<f64> = (1..=100).map(|k| damping_ratio(0.01 * f64::from(k))).collect();
        assert!(ratios.windows(2).all(|pair| pair[0] > pair[1]));
        assert_eq!(ratios[99], 0.0);
    }
}
