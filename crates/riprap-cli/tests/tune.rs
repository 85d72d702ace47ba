//! `riprap tune` as scripts call it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn tune(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_riprap")).arg("tune").args(arguments).output().unwrap()
}

/// Runs with `--json` and returns the object.
fn report(arguments: &[&str]) -> serde_json::Value {
    let output = tune(&[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn refusal(arguments: &[&str]) -> String {
    let output = tune(arguments);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(output.stdout.is_empty());
    message
}

/// A path for one test's file, removed at the end of the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("riprap-tune-{}-{name}", std::process::id())))
    }

    fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let scratch = Self::new(name);
        fs::write(&scratch.0, content).unwrap();
        scratch
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

const DISKS: [&str; 8] = ["--power-law", "-3", "--ratio", "20", "--fraction", "0.4", "--dimension", "2"];

#[test]
fn reports_the_fields_that_scripts_rely_on() {
    let report = report(&DISKS);
    assert_eq!(report["levels"], 5);
    let sizes: Vec<f64> = serde_json::from_value(report["cell_sizes"].clone()).unwrap();
    for (size, expected) in sizes.iter().zip([4.0, 7.9, 15.1, 27.2, 40.0]) {
        assert!((size / expected - 1.0).abs() < 0.01, "{sizes:?}");
    }
    assert_eq!(report["per_cell"].as_array().unwrap().len(), 5);
    let number = |field: &str| report[field].as_f64().unwrap();
    assert!((number("work") - number("checks") - 0.2 * number("accesses")).abs() < 1e-12);
    assert!((number("single_level_work") / number("work") / 34.9 - 1.0).abs() < 0.005);
}

#[test]
fn sizes_levels_search_and_k_have_their_effect() {
    let work = |more: &[&str]| report(&[&DISKS, more].concat())["work"].as_f64().unwrap();
    let best = work(&[]);
    for sizes in ["constant", "exponential", "linear"] {
        assert!(work(&["--sizes", sizes]) > best, "{sizes}");
        assert_eq!(report(&[&DISKS[..], &["--sizes", sizes, "--levels", "3"]].concat())["levels"], 3);
    }
    assert!(work(&["--levels", "2"]) > best);
    assert!(work(&["--search", "bottom-up"]) > best);
    assert!(work(&["--k", "0.5"]) > best);
}

#[test]
fn sizes_of_distributions_are_in_units_of_the_smallest_radius() {
    let rest = ["--fraction", "0.5", "--dimension", "3"];
    for distribution in [
        vec!["--uniform", "--ratio", "10"],
        vec!["--log-normal", "-6,0.2878231366242557"],
        vec!["--log-normal", "-6,0.5", "--ratio", "10"],
    ] {
        let report = report(&[&distribution[..], &rest].concat());
        let last = report["cell_sizes"].as_array().unwrap().last().unwrap().as_f64().unwrap();
        assert!((last - 20.0).abs() < 1e-9, "{last}");
    }
}

#[test]
fn reads_radii_of_particles_and_single_columns() {
    let mut npy = b"\x93NUMPY\x01\x00".to_vec();
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }\n";
    npy.extend((header.len() as u16).to_le_bytes());
    npy.extend(header.as_bytes());
    npy.extend([0.5f64, 0.5, 2.0].iter().flat_map(|radius| radius.to_le_bytes()));
    for file in [
        Scratch::with("particles.csv", "x,y,r\n0,0,0.5\n1,0,0.5\n5,0,2\n"),
        Scratch::with("radii.csv", "r\n0.5\n0.5\n2\n"),
        Scratch::with("diameters.txt", "Diameter\n1\n\n1\n4\n"),
        Scratch::with("radii.txt", "0.5\n0.5\n2\n"),
        Scratch::with("radii.npy", npy.clone()),
    ] {
        let report = report(&["--radii", file.name(), "--fraction", "0.3", "--dimension", "2"]);
        assert_eq!((&report["smallest_radius"], &report["largest_radius"]), (&0.5.into(), &2.0.into()));
        assert_eq!(report["cell_sizes"].as_array().unwrap().last().unwrap(), 4.0, "{}", file.name());
    }
}

#[test]
fn prints_a_table_and_draws_all_rules() {
    let drawing = Scratch::new("work.svg");
    let output = tune(&[&DISKS[..], &["--plot", drawing.name()]].concat());
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let svg = fs::read_to_string(&drawing.0).unwrap();
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<polyline").count(), 4);
    for rule in ["optimal", "constant", "exponential", "linear"] {
        assert!(text.contains(rule) && svg.contains(rule), "{rule}");
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

/// Sizes of the units of the sieves, like those of radii drawn from the curve.
#[test]
fn takes_sieve_curves() {
    let report = report(&["--sieve", "0.001:0,0.002:0.3,0.008:1", "--fraction", "0.5", "--dimension", "3"]);
    assert_eq!((&report["smallest_radius"], &report["largest_radius"]), (&0.0005.into(), &0.004.into()));
    assert_eq!(report["cell_sizes"].as_array().unwrap().last().unwrap(), 0.008);
    let sum: f64 = report["share"].as_array().unwrap().iter().map(|share| share.as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-9);
}

/// The last line is what to do: detection without the cells of the hierarchical grid, which are there for comparison.
#[test]
fn the_advice_ends_in_the_fastest_command() {
    let file = Scratch::with("some.csv", "r\n0.5\n0.5\n0.5\n0.5\n0.5\n9\n");
    let rest = ["--fraction", "0.3", "--dimension", "3"];
    for (distribution, grid) in [
        (&["--radii", file.name()][..], "--method hgrid:levels=6.2424\n"),
        (&["--radii", file.name(), "--search", "bottom-up"], "--method hgrid-bottom-up:levels="),
        (&["--sieve", "1:0,1.01:1"], "--method hgrid\n"),
        (&["--uniform", "--ratio", "10"], "level"),
    ] {
        let output = tune(&[distribution, &rest].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(grid), "{text}");
        assert_eq!(text.lines().last(), Some("  riprap contacts PARTICLES"), "{text}");
    }
}

#[test]
fn refusals_name_the_option_the_value_and_the_remedy() {
    let rest = ["--fraction", "0.5", "--dimension", "3"];
    let uniform = ["--uniform", "--ratio", "3"];
    let with = |more: &[&str]| refusal(&[&uniform[..], &rest, more].concat());
    for (message, parts) in [
        (refusal(&rest), ["--radii", "--power-law"]),
        (refusal(&[&["--power-law", "-3"][..], &rest].concat()), ["--ratio", "required"]),
        (
            refusal(&[&["--uniform", "--ratio", "0.5"][..], &rest].concat()),
            ["--ratio is 0.5", "from 1 to 1e9"],
        ),
        (refusal(&[&["--log-normal", "3"][..], &rest].concat()), ["--log-normal", "such as `-6,0.5`"]),
        (refusal(&[&["--log-normal", "0,9"][..], &rest].concat()), ["SIGMA is 9", "at most 2.59"]),
        (
            refusal(&[&uniform[..], &["--fraction", "0", "--dimension", "3"]].concat()),
            ["--fraction is 0", "above 0"],
        ),
        (
            refusal(&[&uniform[..], &["--fraction", "1", "--dimension", "4"]].concat()),
            ["--dimension is 4", "2 or 3"],
        ),
        (refusal(&[&["--sieve", "1:0,2"][..], &rest].concat()), ["--sieve", "such as `0.001:0"]),
        (
            refusal(&[&["--sieve", "1:0,2:0.9"][..], &rest].concat()),
            ["--sieve: PASSING is 0.9", "1 for the largest"],
        ),
        (
            refusal(&[&["--sieve", "1:0,0.5:1"][..], &rest].concat()),
            ["--sieve: SIZE is 0.5", "above the one before"],
        ),
        (
            refusal(&[&["--sieve", "1:0,2:1", "--uniform"][..], &rest].concat()),
            ["--sieve", "cannot be used with"],
        ),
        (with(&["--k", "-1"]), ["--k is -1", "from 0.01 to 100"]),
        (with(&["--levels", "0"]), ["--levels is 0", "from 1 to 100"]),
        (with(&["--plot", "work.png"]), ["work.png", "`.svg`"]),
        (with(&["--sizes", "best"]), ["best", "optimal, constant, exponential, linear"]),
    ] {
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    }
    for (content, part) in [
        ("0.5\nx\n", "line 2: radius is `x`, expected a number"),
        ("r\n1\n-1\n", "line 3: radius is `-1`"),
        ("r\n", "number of radii is 0, expected at least one"),
        ("1\n1e10\n", "ratio is 10000000000"),
        ("", "is empty"),
    ] {
        let file = Scratch::with("bad.txt", content);
        let message = refusal(&[&["--radii", file.name()][..], &rest].concat());
        assert!(message.contains(part) && message.contains(file.name()), "{message}");
    }
}
