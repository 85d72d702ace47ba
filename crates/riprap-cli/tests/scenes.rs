//! Every shipped scene at its own time step: the first part of it, or all of it in the long run (`RIPRAP_LONG=1`). The results stay
//! in `target/tmp/scenes`, where the test command reads them with VTK.

use std::fs;
use std::path::Path;
use std::process::Command;

use riprap::scene::Scene;

/// Whether scenes run to their end.
fn long() -> bool {
    std::env::var_os("RIPRAP_LONG").is_some_and(|value| value != "0")
}

/// Runs this share of a scene, or all of it in the long run.
fn run(name: &str, share: f64) -> serde_json::Value {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name).with_extension("toml");
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scenes").join(name);
    let _ = fs::remove_dir_all(&out);
    let steps = match Scene::read(&scene).unwrap() {
        Scene::Planar(setup) => setup.steps(),
        Scene::Spatial(setup) => setup.steps(),
    };
    let steps = if long() { steps } else { (steps as f64 * share) as u64 };
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
