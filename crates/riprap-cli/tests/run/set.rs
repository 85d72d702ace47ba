//! Values of scenes that are replaced on the command line.

use std::fs;

use crate::common::Folder;
use crate::{errors, rain, run};

#[test]
fn values_are_replaced_and_kept_with_the_results() {
    let folder = Folder::new("set");
    let scene = rain(&folder);
    let out = folder.0.join("out");
    let set = ["--threads", "1", "--set", "time.end=0.05", "--set", "insert.0.rate=1000", "--json"];
    let output = run(&set, &scene, &out);
    assert!(output.status.success(), "{}", errors(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let inserted = report["inserted"].as_u64().unwrap();
    assert!((40..=50).contains(&inserted), "{inserted}");
    let copy = fs::read_to_string(out.join("scene.toml")).unwrap();
    assert!(copy.contains("end = 0.05\n") && copy.contains("rate = 1000\n"), "{copy}");
    // The same again is the same scene; another one is told.
    let again = run(&[&set[..], &["--resume", "--steps", "1"]].concat(), &scene, &out);
    assert!(again.status.success() && !errors(&again).contains("has changed"), "{}", errors(&again));
    let other = run(&["--threads", "1", "--resume", "--steps", "1"], &scene, &out);
    assert!(errors(&other).contains("`time.end` was 0.05, is 0.3"), "{}", errors(&other));
}

#[test]
fn values_that_cannot_be_set_are_refused() {
    let folder = Folder::new("unset");
    let scene = rain(&folder);
    for (set, expected) in [
        ("walls.floor.until=1", "there is no `floor`, only: plate"),
        ("time.end", "expected KEY=VALUE"),
        ("time.end=soon", "expected a number"),
        ("time.begin=1", "begin"),
    ] {
        let output = run(&["--set", set], &scene, &folder.0.join("out"));
        assert_eq!(output.status.code(), Some(2), "{}", errors(&output));
        assert!(errors(&output).contains(expected), "{}", errors(&output));
    }
    assert!(!folder.0.join("out").exists());
}
