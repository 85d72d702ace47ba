//! `--sweep`: runs with several values of a key, and the table of what came of them.

use std::fs;
use std::path::Path;

use crate::common::Folder;
use crate::{errors, files, rain, run};

/// The table as rows of fields, by the names of its columns.
fn table(out: &Path) -> Vec<Vec<(String, String)>> {
    let text = fs::read_to_string(out.join("sweep.csv")).unwrap();
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let row = |line: &str| {
        let fields: Vec<String> = fields(line);
        assert_eq!(fields.len(), header.len(), "{text}");
        header.iter().map(ToString::to_string).zip(fields).collect()
    };
    lines.map(row).collect()
}

fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for character in line.chars() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            other => fields.last_mut().unwrap().push(other),
        }
    }
    fields
}

fn field<'a>(row: &'a [(String, String)], name: &str) -> &'a str {
    row.iter().find(|(column, _)| column == name).map(|(_, value)| value.as_str()).unwrap()
}

const FIRST: &str = "materials.stone.friction=0.1,0.4";
const SECOND: &str = "insert.0.sizes={ constant = 0.005 },{ uniform = [0.004, 0.006] }";

#[test]
fn a_sweep_runs_every_combination_and_writes_a_table() {
    let folder = Folder::new("sweep");
    let scene = rain(&folder);
    let out = folder.0.join("out");
    let short = ["--threads", "1", "--set", "time.end=0.05"];
    let sweep = [&short[..], &["--sweep", FIRST, "--sweep", SECOND]].concat();
    let output = run(&[&sweep[..], &["--json"]].concat(), &scene, &out);
    assert!(output.status.success(), "{}", errors(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((report["failed"].as_u64(), report["runs"].as_array().unwrap().len()), (Some(0), 4));
    assert_eq!(report["runs"][2]["values"]["materials.stone.friction"], 0.4);
    assert!(report["runs"][2]["energy_error"].is_number());

    let rows = table(&out);
    assert_eq!(rows.len(), 4);
    let friction: Vec<&str> = rows.iter().map(|row| field(row, "materials.stone.friction")).collect();
    assert_eq!(friction, ["0.1", "0.1", "0.4", "0.4"]);
    for row in &rows {
        // What is in the table is what is in the folder, and what a run alone would have written.
        let there = out.join(field(row, "folder"));
        let series = fs::read_to_string(there.join("series.csv")).unwrap();
        let last = series.lines().last().unwrap();
        let time = last.split(',').next().unwrap();
        assert_eq!(field(row, "time"), time);
        assert!(field(row, "error").is_empty() && field(row, "inserted") != "0");
        let alone = folder.0.join("alone");
        let set = |key: &str| format!("{key}={}", field(row, key));
        let (one, two) = (set("materials.stone.friction"), set("insert.0.sizes"));
        let output =
            run(&[&short[..], &["--set", &one, "--set", &two, "--overwrite"]].concat(), &scene, &alone);
        assert!(output.status.success(), "{}", errors(&output));
        assert_eq!(files(&there), files(&alone));
    }
    // Once more would replace results; resuming it does nothing again.
    let again = run(&sweep, &scene, &out);
    assert_eq!(again.status.code(), Some(2), "{}", errors(&again));
    assert!(errors(&again).contains("--resume"), "{}", errors(&again));
    let before = files(&out);
    fs::remove_dir_all(out.join(field(&rows[3], "folder"))).unwrap();
    let resumed = run(&[&sweep[..], &["--resume"]].concat(), &scene, &out);
    assert!(resumed.status.success(), "{}", errors(&resumed));
    assert_eq!(files(&out), before);
}

#[test]
fn a_run_that_fails_does_not_stop_a_sweep() {
    let folder = Folder::new("sweep-failed");
    let scene = rain(&folder);
    let out = folder.0.join("out");
    let sweep = ["--threads", "1", "--sweep", "limits.overlap=1e-9,0.5"];
    let output = run(&sweep, &scene, &out);
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    assert!(errors(&output).contains("1 of 2 runs failed"), "{}", errors(&output));
    let rows = table(&out);
    assert!(field(&rows[0], "error").contains("overlap") && field(&rows[1], "error").is_empty(), "{rows:?}");
    assert_eq!(field(&rows[1], "folder"), "limits.overlap=0.5");
}

#[test]
fn sweeps_that_make_no_sense_are_refused_before_anything_runs() {
    let folder = Folder::new("sweep-refused");
    let scene = rain(&folder);
    let out = folder.0.join("out");
    for (arguments, expected) in [
        (&["--sweep", "time.end"][..], "expected KEY=V1,V2"),
        (&["--sweep", "time.end=1,,2"], "a value is empty"),
        (&["--sweep", "time.end=1,2,1"], "`1` is there twice"),
        (&["--sweep", "time.end=1,2", "--sweep", "time.end=3"], "`time.end` is there twice"),
        (&["--sweep", "time.end=0.1,soon"], "expected a number"),
        (&["--sweep", "walls.floor.until=1,2"], "there is no `floor`"),
        (&["--sweep", "title=a/b,a_b"], "would write to one folder"),
        (&["--sweep", "time.end=1", "--restart", "x"], "cannot be used with"),
    ] {
        let output = run(arguments, &scene, &out);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", errors(&output));
        assert!(errors(&output).contains(expected), "{arguments:?}: {}", errors(&output));
        assert!(!out.exists());
    }
}

#[test]
fn nothing_of_another_run_or_sweep_is_lost() {
    let folder = Folder::new("sweep-kept");
    let scene = rain(&folder);
    let short = ["--threads", "1", "--set", "time.end=0.002"];
    let with = |more: &[&str], out: &str| run(&[&short[..], more].concat(), &scene, &folder.0.join(out));
    let refused = |more: &[&str], out: &str, part: &str| {
        let before = files(&folder.0.join(out));
        let output = with(more, out);
        assert_eq!(output.status.code(), Some(2), "{}", errors(&output));
        assert!(errors(&output).contains(part), "{}", errors(&output));
        assert_eq!(files(&folder.0.join(out)), before);
    };
    assert!(with(&[], "one").status.success());
    refused(&["--sweep", "seed=1,2"], "one", "holds the results of a run, not of a sweep");
    assert!(with(&["--sweep", "seed=1,2"], "many").status.success());
    refused(&[], "many", "holds the results of a sweep");
    refused(&["--sweep", "seed=3,4"], "many", "a run that is not in this sweep");
    refused(&["--sweep", "seed=3,4", "--resume"], "many", "a run that is not in this sweep");
    let output = with(&["--sweep", "seed=1,2,3", "--resume"], "many");
    assert!(output.status.success(), "{}", errors(&output));
    assert_eq!(table(&folder.0.join("many")).len(), 3);
    // Somebody else's table of the same name.
    fs::create_dir(folder.0.join("foreign")).unwrap();
    fs::write(folder.0.join("foreign/series.csv"), "mine\n").unwrap();
    refused(&[], "foreign", "there is a `series.csv` that no run has made");
}

#[test]
fn a_run_whose_end_is_behind_is_refused() {
    let folder = Folder::new("behind");
    let (scene, out) = (rain(&folder), folder.0.join("out"));
    assert!(run(&["--set", "time.end=0.01"], &scene, &out).status.success());
    let output = run(&["--set", "time.end=0.005", "--resume"], &scene, &out);
    assert_eq!(output.status.code(), Some(2), "{}", errors(&output));
    assert!(
        errors(&output).contains("`time.end` is 0.005 s, and the checkpoint is of t = 0.0"),
        "{}",
        errors(&output)
    );
    let output = run(&["--set", "time.end=1e-9"], &scene, &folder.0.join("none"));
    assert_eq!(output.status.code(), Some(2), "{}", errors(&output));
    assert!(errors(&output).contains("less than half a step"), "{}", errors(&output));
}
