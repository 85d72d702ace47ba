//! Signals that ask the program to end. A run leaves a checkpoint first; a second signal ends the program at once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

#[cfg(unix)]
use signal_hook::consts::SIGHUP;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

#[cfg(unix)]
const WATCHED: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];
#[cfg(not(unix))]
const WATCHED: [i32; 2] = [SIGINT, SIGTERM];

/// Exit codes say by which signal a program has ended.
const EXIT_CODE: i32 = 128;

/// The last signal that came; all runs of the program share it.
pub(crate) struct Signals(Arc<AtomicUsize>);

impl Signals {
    /// The exit code after the signal that came, if one did.
    pub(crate) fn exit_code(&self) -> Option<u8> {
        let signal = self.0.load(Ordering::Relaxed);
        (signal > 0).then_some(EXIT_CODE as u8 + signal as u8)
    }
}

/// Watches for signals from now on.
pub(crate) fn watch() -> &'static Signals {
    static SIGNALS: OnceLock<Signals> = OnceLock::new();
    SIGNALS.get_or_init(|| {
        let (last, again) = (Arc::<AtomicUsize>::default(), Arc::<AtomicBool>::default());
        for signal in WATCHED.into_iter().filter(|&signal| !is_ignored(signal)) {
            // In this order: the first signal finds that there was none before.
            let watched = flag::register_conditional_shutdown(signal, EXIT_CODE + signal, Arc::clone(&again))
                .and_then(|_| flag::register(signal, Arc::clone(&again)))
                .and_then(|_| flag::register_usize(signal, Arc::clone(&last), signal as usize));
            if let Err(error) = watched {
                note!("note: signal {signal} will end the program without a checkpoint: {error}");
            }
        }
        Signals(last)
    })
}

/// Whether whoever started the program wants this signal to be ignored, as `nohup` does; known on Linux only.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}
