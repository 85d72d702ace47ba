//! Scenes with stones: what a run says of them, what it writes, and that it resumes to the same bits.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::Folder;
use crate::{errors, files, run};

/// Stones, a concave body from a file, clumps and balls that rain into a box; one wall leaves.
const HEAP: &str = r#"
title = "Heap"
law = "linear"
stiffness_per = "point"

[time]
end = 0.12

[domain]
min = [-1, -1, -1]
max = [1, 1, 1]

[search]
link = "fast-common-plane"

[materials.rock]
k_n = 2e4
friction = 0.5
restitution = 0.4

[shapes.pebble]
stone = { vertices = 12, aspect = [1, 0.8, 0.6], seed = 4 }

[shapes.angle]
file = "angle.obj"

[shapes.pair]
spheres = [{ center = [0, 0, 0], radius = 1 }, { center = [1, 0, 0], radius = 0.7 }]

[[walls]]
name = "floor"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
material = "rock"

[[walls]]
name = "left"
shape = "plane"
point = [0, 0, 0]
normal = [1, 0, 0]
material = "rock"

[[walls]]
name = "right"
shape = "plane"
point = [0.08, 0, 0]
normal = [-1, 0, 0]
material = "rock"
motion = [{ start = 0.06, velocity = [1, 0, 0] }]

[[insert]]
how = "rain"
material = "rock"
shapes = ["pebble", "angle", "pair", "sphere", "cube"]
sizes = { uniform = [0.006, 0.008] }
min = [0, 0, 0.01]
max = [0.08, 0.08, 0.08]
velocity = [0, 0, -0.5]
rate = 800
count = 60

[output]
frames = 0.02
series = 0.005
checkpoint = 0.01
contacts = true
"#;

/// Two bars in the shape of an L.
const ANGLE: &str = "v 0 0 0\nv 3 0 0\nv 3 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\nv 0 0 1\nv 3 0 1\nv 3 1 1\nv 1 1 1\nv 1 3 1\nv 0 3 1\n\
    f 6 5 4 3 2 1\nf 7 8 9 10 11 12\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n";

pub(crate) fn heap(folder: &Folder) -> PathBuf {
    folder.file("angle.obj", ANGLE);
    folder.file("heap.toml", HEAP)
}

fn column(out: &Path, name: &str) -> Vec<f64> {
    let series = fs::read_to_string(out.join("series.csv")).unwrap();
    let place = series.lines().next().unwrap().split(',').position(|column| column == name).unwrap();
    series.lines().skip(1).map(|line| line.split(',').nth(place).unwrap().parse().unwrap()).collect()
}

#[test]
fn a_run_with_stones_tells_of_links_and_writes_solid_bodies() {
    let folder = Folder::new("stones");
    let (scene, out) = (heap(&folder), folder.0.join("out"));
    let output = run(&["--json", "--threads", "1"], &scene, &out);
    assert!(output.status.success(), "{}", errors(&output));
    let told = errors(&output);
    assert!(told.contains("shape `angle`: ") && told.contains("cut from a concave mesh"), "{told}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["particles"], &report["inserted"]), (&60.into(), &60.into()), "{report}");
    assert_eq!(report["link"]["method"], "fast-common-plane");
    let number = |field: &str| report["link"][field].as_f64().unwrap();
    assert!(number("ns_per_pair") > 1.0 && number("pairs") > 1000.0, "{report}");
    assert!(number("iterations_mean") > 0.0 && (0.5..=1.0).contains(&number("within_2")), "{report}");
    assert!(column(&out, "energy_error").iter().all(|error| *error < 1e-3));
    assert!(column(&out, "floor_force_z").last().unwrap() < &0.0);

    let collection = fs::read_to_string(out.join("particles.pvd")).unwrap();
    assert_eq!(collection.matches("file=\"particles/particles_0000").count(), 7, "{collection}");
    assert_eq!(collection.matches(".vtu").count(), 7, "{collection}");
    let last = fs::read(out.join("particles/particles_000006.vtu")).unwrap();
    let head = String::from_utf8_lossy(&last[..4000]).into_owned();
    for name in ["faces", "id", "velocity", "spin", "force", "material", "shape", "mass", "orientation"] {
        assert!(head.contains(&format!("Name=\"{name}\"")), "{name}: {head}");
    }
    assert!(out.join("contacts/contacts_000006.vtp").is_file() && out.join("picture.png").is_file());

    // Without `--json`, in words.
    let output = run(&["--threads", "1", "--steps", "10"], &scene, &folder.0.join("words"));
    let words = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(words.contains("links of stones by `fast-common-plane`: "), "{words}");
    // And of balls alone, nothing.
    let balls = folder.file(
        "balls.toml",
        HEAP.replace("\"pebble\", \"angle\", \"pair\", \"sphere\", \"cube\"", "\"sphere\""),
    );
    let output = run(&["--json", "--steps", "10"], &balls, &folder.0.join("balls"));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report.get("link").is_none(), "{report}");
    assert!(folder.0.join("balls/particles/particles_000000.vtp").is_file());
}

#[test]
fn stones_give_the_same_files_on_any_threads_and_after_a_restart() {
    let folder = Folder::new("stones-again");
    let scene = heap(&folder);
    let [whole, shared, resumed] = ["whole", "shared", "resumed"].map(|name| folder.0.join(name));
    assert!(run(&["--threads", "1"], &scene, &whole).status.success());
    assert!(run(&["--threads", "3"], &scene, &shared).status.success());
    for arguments in [&["--steps", "777"][..], &["--steps", "1000"], &[]] {
        let output = run(&[&["--threads", "2", "--resume"], arguments].concat(), &scene, &resumed);
        assert!(output.status.success(), "{}", errors(&output));
    }
    let whole = files(&whole);
    assert!(whole.len() > 15 && whole == files(&shared));
    // A stop leaves a frame, so later ones have other numbers.
    let resumed = files(&resumed);
    for folder in ["particles", "contacts", "picture.png"] {
        let last = |files: &BTreeMap<PathBuf, Vec<u8>>| {
            files.iter().rfind(|(path, _)| path.starts_with(folder)).map(|(_, bytes)| bytes.clone()).unwrap()
        };
        assert!(last(&whole) == last(&resumed), "{folder}");
    }
    // A checkpoint of other shapes is refused.
    let other = folder.file("other.toml", HEAP.replace("pebble", "gravel"));
    let output =
        run(&["--restart", folder.0.join("whole").to_str().unwrap()], &other, &folder.0.join("other"));
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("other shapes"), "{}", errors(&output));
    let changed = folder.file("changed.toml", HEAP.replace("vertices = 12", "vertices = 13"));
    let output =
        run(&["--restart", folder.0.join("whole").to_str().unwrap()], &changed, &folder.0.join("other"));
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("the shape `pebble` was another one"), "{}", errors(&output));
}

#[test]
fn check_tells_the_shapes_of_a_scene() {
    let folder = Folder::new("stones-checked");
    let output = Command::new(env!("CARGO_BIN_EXE_riprap")).arg("check").arg(heap(&folder)).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", errors(&output));
    for shape in [
        "`pebble`: 1 convex piece with 12 vertices",
        "`pair`: 2 spheres",
        "`cube`: 1 convex piece with 8 vertices",
    ] {
        assert!(text.contains(shape), "{text}");
    }
}

/// After a failure the last state is there as it was.
#[test]
fn a_failure_leaves_solid_bodies() {
    let folder = Folder::new("stones-failed");
    let text = "law = \"linear\"\n[time]\nend = 1\n[materials.rock]\nk_n = 1e5\n[[insert]]\nhow = \"list\"\nmaterial = \"rock\"\n\
        shape = \"cube\"\nparticles = [{ position = [0, 0, 0], radius = 0.01 }, { position = [0.005, 0, 0], radius = 0.01 }]\n";
    let out = folder.0.join("out");
    let output = run(&[], &folder.file("overlap.toml", text), &out);
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    assert!(errors(&output).contains("particles 0 and 1 overlap at the start"), "{}", errors(&output));
    assert!(out.join("failed.vtu").is_file() && out.join("failed.state").is_file());
}
