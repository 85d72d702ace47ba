//! How far a long work is.

use std::fmt;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

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
