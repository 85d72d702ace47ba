//! Every shipped scene at its own time step: the first part of it, or all of it in the long run (`RIPRAP_LONG=1`). The results stay
//! in `target/tmp/scenes`, where the test command reads them with VTK.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use riprap::dem::wall::Placement;
use riprap::scene::Scene;

/// Whether scenes run to their end.
fn long() -> bool {
    std::env::var_os("RIPRAP_LONG").is_some_and(|value| value != "0")
}

/// Runs this share of a scene, or all of it in the long run.
fn run(name: &str, share: f64) -> serde_json::Value {
    let scene = shipped(name);
    simulate(name, &scene, if long() { 1.0 } else { share })
}

/// Runs a sister of a scene to its end, in which some text is replaced so that it takes seconds; in the long run the scene itself.
fn run_sister(name: &str, changes: &[(&str, &str)]) -> serde_json::Value {
    let scene = shipped(name);
    if long() {
        return simulate(name, &scene, 1.0);
    }
    let mut text = fs::read_to_string(&scene).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "`{from}` is not in {name}");
        text = text.replace(from, to);
    }
    // Files are beside the scene, not beside its sister.
    text = text.replace("file = \"", &format!("file = \"{}/", scene.parent().unwrap().display()));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sisters");
    fs::create_dir_all(&folder).unwrap();
    let sister = folder.join(name).with_extension("toml");
    fs::write(&sister, text).unwrap();
    simulate(name, &sister, 1.0)
}

fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name).with_extension("toml")
}

/// A column of the series.
fn column(name: &str, column: &str) -> Vec<f64> {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scenes").join(name);
    let series = fs::read_to_string(out.join("series.csv")).unwrap();
    let place = series.lines().next().unwrap().split(',').position(|found| found == column).unwrap();
    series.lines().skip(1).map(|row| row.split(',').nth(place).unwrap().parse().unwrap()).collect()
}

/// The last row of a column of the series.
fn last(name: &str, of: &str) -> f64 {
    *column(name, of).last().unwrap()
}

/// Runs a share of a scene.
fn simulate(name: &str, scene: &Path, share: f64) -> serde_json::Value {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scenes").join(name);
    let _ = fs::remove_dir_all(&out);
    let steps = match Scene::read(scene).unwrap() {
        Scene::Planar(setup) => setup.steps(),
        Scene::Spatial(setup) => setup.steps(),
    };
    let steps = (steps as f64 * share) as u64;
    let output = Command::new(env!("CARGO_BIN_EXE_riprap"))
        .arg("run")
        .arg(scene)
        .arg("--out")
        .arg(&out)
        .args(["--threads", "1", "--json", "--steps", &steps.to_string()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let series = fs::read_to_string(out.join("series.csv")).unwrap();
    let column = series.lines().next().unwrap().split(',').position(|name| name == "energy_error").unwrap();
    for line in series.lines().skip(1) {
        let error: f64 = line.split(',').nth(column).unwrap().parse().unwrap();
        assert!(error < 1e-3, "{name}: energy error {error} in {line}");
    }
    assert!(report["energy_error"].as_f64().unwrap() < 1e-3, "{report}");
    assert_eq!(report["steps"], steps);
    assert!(report["contacts"].as_u64().unwrap() > 0, "nothing touches: {report}");
    report
}

#[test]
fn settling() {
    let report = run("settling", 0.1);
    let translation = report["energy"]["translation"].as_f64().unwrap();
    assert!(!long() || translation < 1e-4, "not at rest: {report}");
}

#[test]
fn hopper() {
    let report = run("hopper", 0.08);
    let removed = report["energy"]["removed"].as_f64().unwrap();
    assert!(!long() || removed > 0.0, "nothing flowed out: {report}");
}

#[test]
fn drum() {
    let report = run("drum", 0.06);
    let walls = report["energy"]["walls"].as_f64().unwrap();
    assert!(!long() || walls > 0.0, "the drum does no work: {report}");
}

#[test]
fn cooling() {
    let report = run("cooling", 1.0);
    let [now, start] = ["translation", "inserted"].map(|term| report["energy"][term].as_f64().unwrap());
    assert!(now < 0.6 * start, "{report}");
}

#[test]
fn chute() {
    let report = run("chute", 0.15);
    let gravity = report["energy"]["gravity"].as_f64().unwrap();
    assert!(gravity < if long() { -0.1 } else { 0.0 }, "nothing flows: {report}");
}

#[test]
fn penetration() {
    let report = run("penetration", 0.1);
    assert!(
        !long()
            || report["energy"]["translation"].as_f64().unwrap()
                < 0.01 * report["energy"]["inserted"].as_f64().unwrap()
    );
}

#[test]
fn mixing() {
    let report = run("mixing", 0.05);
    let walls = report["energy"]["walls"].as_f64().unwrap();
    assert!(!long() || walls > 0.0, "the blade does no work: {report}");
}

/// No stone is lost, and stones flow out where the walls were.
#[test]
fn particle_flow() {
    let sister = [
        ("count = 500", "count = 40"),
        ("0.30", "0.12"),
        ("0.8]", "0.6]"),
        ("end = 2.5", "end = 0.8"),
        ("until = 1.0", "until = 0.4"),
    ];
    let report = run_sister("particle-flow", &sister);
    assert_eq!(report["particles"], report["inserted"], "{report}");
    assert!(last("particle-flow", "box_particles") < 0.6 * report["particles"].as_f64().unwrap(), "{report}");
}

#[test]
fn drum_of_cubes() {
    let sister =
        [("fraction = 0.22", "fraction = 0.05"), ("end = 2.5", "end = 0.4"), ("start = 0.5", "start = 0.15")];
    let report = run_sister("drum-of-cubes", &sister);
    assert_eq!(report["particles"], report["inserted"], "{report}");
    assert!(report["energy"]["walls"].as_f64().unwrap() > 0.0, "the drum does no work: {report}");
}

#[test]
fn mixed() {
    let sister = [
        ("count = 150", "count = 40"),
        ("count = 200", "count = 40"),
        ("end = 1.2", "end = 0.6"),
        ("start = 0.2", "start = 0.1"),
    ];
    let report = run_sister("mixed", &sister);
    let inserted = report["inserted"].as_u64().unwrap();
    assert!(report["particles"] == inserted && inserted == if long() { 350 } else { 80 }, "{report}");
}

/// The plate presses, and stones press back.
#[test]
fn ballast() {
    let sister = [
        ("count = 220", "count = 46"),
        ("0.3, ", "0.15, "),
        ("1.0]", "0.6]"),
        ("end = 1.6\n", "end = 0.7\n"),
        (
            "start = 0.6, end = 1.0, velocity = [0, 0, -1.9]",
            "start = 0.4, end = 0.5, velocity = [0, 0, -3.4]",
        ),
        (
            "start = 1.0, end = 1.3, velocity = [0, 0, -0.05]",
            "start = 0.5, end = 0.65, velocity = [0, 0, -0.3]",
        ),
        ("start = 1.4, end = 1.6", "start = 0.65, end = 0.7"),
    ];
    let report = run_sister("ballast", &sister);
    assert_eq!(report["particles"], report["inserted"], "{report}");
    assert!(report["energy"]["walls"].as_f64().unwrap() > 0.0, "the plate does no work: {report}");
}

/// The bucket is pushed into the pile, which resists, and lifts what it has taken.
#[test]
fn soil_tool() {
    let sister = [
        ("count = 800", "count = 160"),
        ("-0.3, 0]", "-0.2, 0]"),
        ("0.3, 0]", "0.2, 0]"),
        ("0.3, 0.45]", "0.2, 0.45]"),
        ("[0.4, ", "[0.2, "),
        ("until = 0.7", "until = 0.3"),
        ("offset = [0.62", "offset = [0.4"),
        ("center = [0.82", "center = [0.6"),
        // Twice as fast, and smooth.
        ("0.7002 # as rock", "0.06"),
        ("-0.3125", "-0.625"),
        ("1.031331", "2.062662"),
        ("0.2571429", "0.5142858"),
        ("start = 1.5, end = 2.0", "start = 0.5, end = 0.75"),
        ("start = 2.0, end = 2.3", "start = 0.75, end = 0.9"),
        ("start = 2.3, end = 2.8", "start = 0.9, end = 1.15"),
        ("start = 2.8, end = 3.1", "start = 1.15, end = 1.3"),
        ("start = 3.1, end = 3.5", "start = 1.3, end = 1.5"),
        ("end = 3.5", "end = 1.5"),
    ];
    let report = run_sister("soil-tool", &sister);
    assert_eq!(report["particles"], report["inserted"], "{report}");
    assert!(report["energy"]["walls"].as_f64().unwrap() > 0.0, "the bucket does no work: {report}");
    assert!(column("soil-tool", "bucket_force_x").iter().any(|&force| force > 10.0), "nothing resists");
    assert!(last("soil-tool", "bucket_force_z") < -0.1, "the bucket is empty");
}

/// Table I of the paper: 0.25 m along the bin, 65 degrees, 0.18 m upwards.
#[test]
fn the_bucket_moves_as_in_the_paper() {
    let Scene::Spatial(setup) = Scene::read(&shipped("soil-tool")).unwrap() else { panic!("in space") };
    let bucket = setup.walls.iter().find(|wall| wall.name == "bucket").unwrap();
    let start = bucket.motion[0].start;
    // A tenth of the paper's times.
    for (seconds, along, degrees, up) in [
        (5.0, 0.25 * 5.0 / 8.0, 0.0, 0.0),
        (8.0, 0.25, 65.0 * 3.0 / 11.0, 0.0),
        (13.0, 0.25, 65.0 * 8.0 / 11.0, 0.0),
        (16.0, 0.25, 65.0, 0.18 * 3.0 / 7.0),
        (20.0, 0.25, 65.0, 0.18),
    ] {
        let place = Placement::at(&bucket.motion, start + 0.1 * seconds);
        let hinge = place.to_now(bucket.center);
        let expected = [bucket.center[0] - along, bucket.center[1], bucket.center[2] + up];
        assert!(
            (0..3).all(|k| (hinge[k] - expected[k]).abs() < 1e-6),
            "{seconds} s: {hinge:?}, not {expected:?}"
        );
        let lip = place.direction_now([-1.0, 0.0, 0.0]);
        assert!((lip[2].atan2(-lip[0]).to_degrees() - degrees).abs() < 1e-4, "{seconds} s: {lip:?}");
    }
}

/// No bracket lets go, and the bar bears them.
#[test]
fn brackets() {
    let report = run_sister("brackets", &[("end = 2\n", "end = 0.4\n")]);
    assert_eq!(report["particles"], 9);
    for (chain, place) in [("two_z", -0.12), ("three_z", -0.20), ("four_z", -0.28)] {
        let heights = column("brackets", chain);
        assert!(heights.iter().all(|&z| z > place - 0.005), "{chain} lets go: {heights:?}");
        let end = *heights.last().unwrap();
        assert!(end < place + 0.005, "{chain} does not hang: {end}");
    }
    // Nine brackets of 17.6 cubic centimetres. What swings pulls a little more or less than it weighs.
    let pull = column("brackets", "bar_force_z");
    let late = &pull[pull.len() / 2..];
    let (mean, weight) = (late.iter().sum::<f64>() / late.len() as f64, 9.0 * 17.59e-6 * 7800.0 * 9.81);
    assert!((mean / -weight - 1.0).abs() < 0.05, "{mean} instead of {weight}");
}
