//! Dates: the numbers of steps at which something is due.
//!
//! The dates of an interval are its multiples, each rounded to a step, so that they keep up with simulated time and the last one of an
//! interval that divides the duration is the end. The last state is always written; a date just before it is left out.

/// The steps nearest to the multiples of an interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Dates {
    /// Steps between two dates, not a whole number.
    every: f64,
}

/// A date this share of the interval before the end is left out.
const JUST_BEFORE: f64 = 0.1;

impl Dates {
    /// Of an interval of time; `None` if it never ends, or is zero.
    pub(super) fn new(interval: f64, time_step: f64) -> Option<Self> {
        let every = (interval / time_step).max(1.0);
        (interval > 0.0 && every < 1e15).then_some(Self { every })
    }

    fn date(self, index: f64) -> u64 {
        (index * self.every).round() as u64
    }

    /// Whether this number of steps is a date.
    pub(super) fn has(self, steps: u64) -> bool {
        self.date((steps as f64 / self.every).round()) == steps
    }

    /// The first date after this number of steps.
    pub(super) fn after(self, steps: u64) -> u64 {
        let index = (steps as f64 / self.every).round();
        let date = self.date(index);
        if date > steps { date } else { self.date(index + 1.0) }
    }

    /// Whether something is to be written at this number of steps of a run that ends after `end` steps: at the start, at dates, at the end.
    pub(super) fn is_due(self, steps: u64, end: u64) -> bool {
        let left = end.saturating_sub(steps);
        // One step before the end is a date of its own only if every step is.
        let just_before =
            left > 0 && self.after(steps) > end && left as f64 <= (JUST_BEFORE * self.every).max(1.0);
        left == 0 || steps == 0 || self.has(steps) && !just_before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(interval: f64, time_step: f64, end: u64) -> Vec<u64> {
        let dates = Dates::new(interval, time_step).unwrap();
        (0..=end).filter(|&steps| dates.is_due(steps, end)).collect()
    }

    /// Whatever the step: fifty intervals to the end are fifty-one dates, all equally far from each other.
    #[test]
    fn an_interval_that_divides_the_duration_ends_with_it() {
        for steps in 100..1500u64 {
            for parts in [1.0, 3.0, 7.0, 50.0] {
                let time_step = 0.7 / (steps as f64 + 0.4);
                let found = written(0.7 / parts, time_step, (0.7 / time_step).round() as u64);
                assert_eq!(found.len() as f64, parts + 1.0, "{steps}: {found:?}");
                let gaps = found.windows(2).map(|pair| (pair[1] - pair[0]) as f64);
                assert!(gaps.into_iter().all(|gap| (gap - steps as f64 / parts).abs() <= 1.5), "{found:?}");
            }
        }
    }

    #[test]
    fn dates_just_before_the_end_are_left_out_and_the_end_is_not() {
        assert_eq!(written(20.0, 1.0, 101), [0, 20, 40, 60, 80, 101]);
        assert_eq!(written(20.0, 1.0, 103), [0, 20, 40, 60, 80, 100, 103]);
        assert_eq!(written(200.0, 1.0, 410), [0, 200, 410]);
        // A third of an interval is no rounding.
        assert_eq!(written(0.03, 0.001, 100), [0, 30, 60, 90, 100]);
        assert_eq!(written(1.0, 1.0, 3), [0, 1, 2, 3]);
        assert_eq!(written(1e-9, 1.0, 3), [0, 1, 2, 3]);
        assert_eq!(written(2.0, 1.0, 5), [0, 2, 5]);
        assert_eq!(written(1e9, 1.0, 5), [0, 5]);
        assert_eq!(written(1e9, 1.0, 1), [0, 1]);
    }

    #[test]
    fn the_next_date_is_the_next_one() {
        for every in [1.0, 1.3, 2.5, 7.9, 20.06] {
            let dates = Dates::new(every, 1.0).unwrap();
            for steps in 0..300 {
                let next = (steps + 1..).find(|&later| dates.has(later)).unwrap();
                assert_eq!(dates.after(steps), next, "{every} {steps}");
            }
        }
        assert_eq!(Dates::new(0.0, 1.0), None);
        assert_eq!(Dates::new(f64::INFINITY, 1.0), None);
    }
}
