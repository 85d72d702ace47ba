//! Numbers as people read them, for messages.

/// A number in four digits, without an exponent where it is neither large nor small.
pub fn short(value: f64) -> String {
    if !value.is_finite() {
        return format!("{value}");
    }
    if value != 0.0 && !(1e-3..1e5).contains(&value.abs()) {
        let text = format!("{value:.3e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{exponent}", mantissa.trim_end_matches('0').trim_end_matches('.'));
    }
    let (mut digits, mut scaled) = (0, value.abs());
    while scaled < 1000.0 && digits < 7 {
        (digits, scaled) = (digits + 1, 10.0 * scaled);
    }
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

/// A number of things, of one or of several.
pub fn counted(count: u64, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// A time in seconds, minutes or hours.
pub fn span(seconds: f64) -> String {
    match seconds {
        ..90.0 => format!("{seconds:.0} s"),
        ..5400.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_times_and_things() {
        for (value, text) in [
            (0.0, "0"),
            (0.6, "0.6"),
            (1.0, "1"),
            (-12.345_678, "-12.35"),
            (123_456.0, "1.235e5"),
            (99_999.0, "99999"),
            (0.001, "0.001"),
            (0.006, "0.006"),
            (0.000_123_4, "1.234e-4"),
            (1e-5, "1e-5"),
            (1e-3 * 1.234_56, "0.001235"),
            (800.0, "800"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(short(value), text);
        }
        assert_eq!((counted(1, "wall"), counted(0, "wall")), ("1 wall".to_string(), "0 walls".to_string()));
        assert_eq!([3.2, 200.0, 7200.0].map(span), ["3 s", "3 min", "2.0 h"]);
    }
}
