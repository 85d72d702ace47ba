//! `riprap verify` as scripts call it.

mod common;

use std::fs;
use std::process::{Command, Output};

use common::Folder;

fn verify(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_riprap")).arg("verify").args(arguments).output().unwrap()
}

#[test]
fn reports_the_fields_that_scripts_rely_on() {
    let output = verify(&["free-fall", "chung-ooi-1", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let lines = report["cases"].as_array().unwrap();
    assert_eq!((report["passed"].as_u64(), report["failed"].as_u64()), (Some(lines.len() as u64), Some(0)));
    for line in lines {
        for number in ["expected", "ours", "error", "allowed"] {
            assert!(line[number].is_f64(), "{line}");
        }
        assert!(line["name"].is_string() && line["reference"].is_string() && line["pass"] == true);
        assert!(line["error"].as_f64() <= line["allowed"].as_f64(), "{line}");
    }
    // The force that Hertz's theory gives for the limestone spheres of the paper.
    let force = lines.iter().find(|line| line["name"] == "chung-ooi-1: limestone: largest force, N").unwrap();
    assert!((force["ours"].as_f64().unwrap() / 7108.2 - 1.0).abs() < 1e-3);
}

#[test]
fn writes_a_page_that_needs_nothing_else() {
    let folder = Folder::new("verify-page");
    let out = folder.0.join("new/folder");
    let output = verify(&["incline", "slip-to-roll", "--out", out.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(
        table.contains("slip-to-roll") && table.contains("5/7 v") && table.contains("8 of 8 checks passed")
    );
    let page = fs::read_to_string(out.join("verify.html")).unwrap();
    assert_eq!(page.matches("<svg xmlns").count(), 2);
    assert!(page.contains("prefers-color-scheme:dark") && page.contains("width=device-width"));
    for outside in ["<script", "src=", "url(", "@import", "href=\"http"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let json = fs::read_to_string(out.join("verify.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["passed"], 8);
}

#[test]
fn an_unknown_case_is_refused_with_the_nearest_name() {
    let output = verify(&["jansen"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("unknown case `jansen`, did you mean `janssen`?"), "{message}");
    assert!(message.contains("`haff`, `haff-spheres`") && output.stdout.is_empty());
    let message = verify(&["no such thing"]);
    assert!(String::from_utf8_lossy(&message.stderr).contains("`no such thing`; known cases: `free-fall`"));
}

#[test]
fn a_file_in_place_of_the_folder_is_refused_before_anything_runs() {
    let folder = Folder::new("verify-taken");
    let taken = folder.file("taken", "");
    let output = verify(&["free-fall", "--out", taken.to_str().unwrap()]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("--out: cannot make the folder") && output.stdout.is_empty(), "{message}");
}

#[test]
fn lists_all_cases() {
    let output = verify(&["--list"]);
    assert!(output.status.success());
    let list = String::from_utf8(output.stdout).unwrap();
    assert_eq!(list.lines().count(), riprap::verify::CASES.len());
    assert!(list.contains("beverloo") && list.contains("only with --full or by name"));
}
