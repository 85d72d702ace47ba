//! What `riprap verify` runs by default: every case must hold.

use riprap::verify::{CASES, run};

#[test]
fn all_short_cases_hold() {
    let cases: Vec<_> = CASES.iter().filter(|case| !case.long).collect();
    let report = run(&cases, |_| {});
    assert_eq!(report.failed(), 0, "{}", report.table());
}

#[test]
fn cases_have_names_of_their_own_that_a_page_can_link_to() {
    let mut names: Vec<_> = CASES.iter().map(|case| case.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), CASES.len());
    let plain = |name: &str| {
        name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    assert!(names.iter().all(|name| plain(name)), "{names:?}");
}
