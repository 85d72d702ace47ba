//! How long the tests run.

#![allow(dead_code, reason = "each test file uses its part")]

/// Whether this is the long run, `RIPRAP_LONG=1`.
pub(crate) fn long() -> bool {
    std::env::var_os("RIPRAP_LONG").is_some_and(|value| value != "0")
}

/// So many random cases, or ten times as many in the long run.
pub(crate) fn cases(count: usize) -> usize {
    if long() { 10 * count } else { count }
}
