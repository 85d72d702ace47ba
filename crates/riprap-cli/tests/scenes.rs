//! Every shipped scene, from beginning to end at its own time step. The results stay in `target/tmp/scenes`, where the test
//! command reads them with VTK.

use std::fs;
use std::path::Path;
use std::process::Command;

fn run(name: &str) -> serde_json::Value {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scenes").join(name);
    let _ = fs::remove_dir_all(&out);
    let output = Command::new(env!("CARGO_BIN_EXE_riprap"))
        .arg("run")
        .arg(scenes.join(name).with_extension("toml"))
        .arg("--out")
        .arg(&out)
        .args(["--threads", "1", "--json"])
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
    report
}

#[test]
fn settling() {
    let report = run("settling");
    assert!(report["energy"]["translation"].as_f64().unwrap() < 1e-4, "not at rest: {report}");
}

#[test]
fn hopper() {
    let report = run("hopper");
    assert!(report["energy"]["removed"].as_f64().unwrap() > 0.0, "nothing flowed out: {report}");
}

#[test]
fn drum() {
    let report = run("drum");
    assert!(report["energy"]["walls"].as_f64().unwrap() > 0.0, "the drum does no work: {report}");
}

#[test]
fn cooling() {
    let report = run("cooling");
    let [now, start] = ["translation", "inserted"].map(|term| report["energy"][term].as_f64().unwrap());
    assert!(now < 0.6 * start, "{report}");
}

#[test]
fn chute() {
    let report = run("chute");
    assert!(report["energy"]["gravity"].as_f64().unwrap() < -0.1, "nothing flows: {report}");
}

#[test]
fn penetration() {
    let report = run("penetration");
    assert!(
        report["energy"]["translation"].as_f64().unwrap()
            < 0.01 * report["energy"]["inserted"].as_f64().unwrap()
    );
}

#[test]
fn mixing() {
    let report = run("mixing");
    assert!(report["energy"]["walls"].as_f64().unwrap() > 0.0, "the blade does no work: {report}");
}
