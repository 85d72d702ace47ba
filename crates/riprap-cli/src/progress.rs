//! How far a long work is.

use std::fmt;
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use riprap::run::Progress;

use riprap::words::{counted, short, span};

/// A bar on standard error, if that is a terminal, with the number of these things done per second.
pub(crate) fn bar(end: u64, things: &str, hidden: bool) -> ProgressBar {
    let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(5) };
    let bar = ProgressBar::with_draw_target(Some(end), target);
    let template = format!("{{bar:30}} {{percent:>3}} %  {{rate}} {things}/s  {{eta}} left  {{msg}}");
    let style = ProgressStyle::with_template(&template).map(|style| {
        style.with_key("rate", |state: &ProgressState, text: &mut dyn fmt::Write| {
            // A bar that cannot be drawn is no reason to stop.
            let _ = write!(text, "{:.0}", state.per_sec());
        })
    });
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// Lines about a run now and then, where there is no terminal for a bar.
pub(crate) struct Log {
    end: u64,
    /// When the last line was written, and the steps done by then.
    last: (Instant, u64),
    interval: Duration,
    wanted: bool,
}

impl Log {
    /// The first line comes soon, the others seldom.
    const FIRST: Duration = Duration::from_secs(10);
    const OTHERS: Duration = Duration::from_secs(60);

    pub(crate) fn new(steps: u64, end: u64) -> Self {
        Self { end, last: (Instant::now(), steps), interval: Self::FIRST, wanted: !stderr().is_terminal() }
    }

    pub(crate) fn tell(&mut self, progress: &Progress<'_>) {
        let (time, steps) = self.last;
        let elapsed = time.elapsed();
        if !self.wanted || elapsed < self.interval {
            return;
        }
        // As fast as since the last line.
        let each = elapsed.as_secs_f64() / (progress.steps - steps).max(1) as f64;
        note!(
            "t = {} s, {:.0} %: {} of {} steps, {}, energy error {:.1e}, {} left",
            short(progress.time),
            100.0 * progress.steps as f64 / self.end.max(1) as f64,
            progress.steps,
            self.end,
            counted(progress.particles as u64, "particle"),
            progress.energy_error,
            span(each * self.end.saturating_sub(progress.steps) as f64)
        );
        (self.last, self.interval) = ((Instant::now(), progress.steps), Self::OTHERS);
    }
}
