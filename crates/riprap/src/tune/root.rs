//! Where an increasing function passes zero.

/// The end, from above, of an interval of at most `tolerance` in which an increasing function passes zero, given an
/// interval where it does. The function may jump.
///
/// ITP (Oliveira and Takahashi 2020): as sure as bisection, as fast as the secant where the function is smooth.
pub(super) fn find_root(
    mut function: impl FnMut(f64) -> f64,
    mut low: f64,
    mut high: f64,
    tolerance: f64,
) -> f64 {
    let (mut at_low, mut at_high) = (function(low), function(high));
    if at_low >= 0.0 {
        return low;
    }
    let bisections = libm::log2((high - low) / tolerance).ceil().max(0.0) as i32;
    let truncation = 0.2 / (high - low);
    for step in 0..=bisections {
        if high - low <= tolerance {
            break;
        }
        let middle = 0.5 * (low + high);
        // An overflow at either end is no line to follow.
        let weight = at_high / (at_high - at_low);
        let secant = if weight.is_finite() { high - weight * (high - low) } else { middle };
        let sign = (middle - secant).signum();
        let shift = (truncation * (high - low) * (high - low)).min((middle - secant).abs());
        let radius = libm::scalbn(0.5 * tolerance, bisections + 1 - step) - 0.5 * (high - low);
        let truncated = secant + sign * shift.max(0.0);
        let point =
            if (truncated - middle).abs() <= radius { truncated } else { middle - sign * radius.max(0.0) };
        let value = function(point);
        if value >= 0.0 {
            (high, at_high) = (point, value);
        } else {
            (low, at_low) = (point, value);
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_roots_and_jumps_in_few_steps() {
        let mut steps = 0;
        let root = find_root(
            |x| {
                steps += 1;
                x.exp() - 2.0
            },
            -3.0,
            9.0,
            1e-12,
        );
        assert!((root - 2f64.ln()).abs() < 2e-12, "{root}");
        assert!(steps < 25, "{steps}");
        let jump = find_root(|x| if x < 0.3 { -1e-9 } else { 1e30 }, 0.0, 1.0, 1e-12);
        assert!((0.3..0.3 + 2e-12).contains(&jump), "{jump}");
        assert_eq!(find_root(|x| x + 1.0, 0.0, 1.0, 1e-12), 0.0);
    }
}
