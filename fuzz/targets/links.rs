//! Pairs of convex bodies in JSON.
#![no_main]

use libfuzzer_sys::fuzz_target;
use riprap::io::read_convex_pairs;

fuzz_target!(|data: &[u8]| {
    let _ = read_convex_pairs(&riprap_fuzz::file("a.json", data));
});
