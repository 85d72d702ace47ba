//! `riprap run` and `riprap check` as users call them.

#[path = "../common/mod.rs"]
mod common;
mod hardship;
mod kept;
#[path = "../../../riprap/tests/common/long.rs"]
mod long;
mod resumed;
mod set;
mod stones;
mod sweep;
mod told;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::Folder;

fn command(arguments: &[&str], scene: &Path, out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_riprap"));
    command.arg("run").arg(scene).arg("--out").arg(out).args(arguments);
    command
}

fn run(arguments: &[&str], scene: &Path, out: &Path) -> Output {
    command(arguments, scene, out).output().unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Every file of a folder with its bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().to_path_buf(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Rain on a tilted plate above an outflow, in a periodic box: everything that a restart has to remember.
const RAIN: &str = r#"
title = "Rain on a moving plate"
law = "linear"

[time]
end = 0.3

[domain]
min = [0, 0, -1]
max = [0.1, 0.1, 0.4]
periodic = ["x", "y"]

[materials.stone]
k_n = 1e5
friction = 0.4
rolling_friction = 0.01

[[walls]]
name = "plate"
shape = "mesh"
file = "plate.obj"
material = "stone"
motion = [{ start = 0.05, velocity = [0, 0, 0.1], spin = [0, 0.5, 0] }]

[[insert]]
how = "rain"
material = "stone"
sizes = { uniform = [0.004, 0.006] }
min = [0, 0, 0.1]
max = [0.1, 0.1, 0.3]
rate = 2000

[[outflow]]
name = "below"
point = [0, 0, -0.1]
normal = [0, 0, 1]

[[probe]]
name = "above the plate"
min = [0.05, 0, 0]
max = [0.12, 0.1, 0.1]

[output]
frames = 0.05
series = 0.01
checkpoint = 0.01
contacts = true
orientation = true
"#;

const PLATE: &str = "v 0.01 0 0\nv 0.09 0 0.01\nv 0.09 0.1 0.01\nv 0.01 0.1 0\nf 1 2 3 4\n";

fn rain(folder: &Folder) -> PathBuf {
    folder.file("plate.obj", PLATE);
    folder.file("rain.toml", RAIN)
}

#[test]
fn a_run_writes_what_it_says_and_reports_json() {
    let folder = Folder::new("json");
    let scene = rain(&folder);
    let out = folder.0.join("out");
    let output = run(&["--json", "--threads", "1"], &scene, &out);
    assert!(output.status.success(), "{}", errors(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for field in ["steps", "particles", "seconds", "particle_steps_per_second", "contacts", "energy_error"] {
        assert!(report[field].is_number(), "{field}: {report}");
    }
    for field in [
        "translation",
        "rotation",
        "elastic",
        "attraction",
        "gravity",
        "damping",
        "friction",
        "rolling",
        "walls",
        "inserted",
        "removed",
    ] {
        assert!(report["energy"][field].is_number(), "{field}: {report}");
    }
    let shares = ["broad", "narrow", "force", "motion", "output"]
        .map(|field| report["time_share"][field].as_f64().unwrap());
    assert!(
        shares.iter().all(|share| (0.0..=1.0).contains(share)) && shares.iter().sum::<f64>() <= 1.01,
        "{shares:?}"
    );
    assert!(report["energy_error"].as_f64().unwrap() < 1e-3, "{report}");
    assert!(
        report["particles"].as_u64().unwrap() > 100 && report["contacts"].as_u64().unwrap() > 5,
        "{report}"
    );
    assert!(report["energy"]["removed"].as_f64().unwrap() > 0.0, "nothing flowed out: {report}");

    let series = fs::read_to_string(out.join("series.csv")).unwrap();
    let mut lines = series.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    for name in [
        "time",
        "coordination",
        "stress_zz",
        "energy_friction",
        "plate_force_z",
        "plate_torque_y",
        "below_mass_rate",
        "max_force",
        "above_the_plate_particles",
        "above_the_plate_particles_stone",
        "above_the_plate_mass",
        "above_the_plate_vz",
        "above_the_plate_stress_zz",
    ] {
        assert!(header.contains(&name), "{name} is not in {header:?}");
    }
    assert_eq!(lines.clone().count(), 31);
    for line in lines {
        // A region without particles has no mean velocity.
        let sound = |(name, value): (&&str, &str)| {
            value.parse::<f64>().is_ok_and(f64::is_finite) || name.contains("_v") && value.is_empty()
        };
        assert_eq!(line.split(',').count(), header.len());
        assert!(header.iter().zip(line.split(',')).all(sound), "{line}");
    }
    for file in [
        "particles.pvd",
        "contacts.pvd",
        "walls.pvd",
        "picture.png",
        "scene.toml",
        "particles/particles_000006.vtp",
    ] {
        assert!(out.join(file).is_file(), "{file}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_files() {
    let folder = Folder::new("threads");
    let scene = rain(&folder);
    let outs = ["1", "2", "3"].map(|threads| {
        let out = folder.0.join(threads);
        assert!(run(&["--threads", threads], &scene, &out).status.success());
        files(&out)
    });
    assert!(outs[0].len() > 20);
    assert!(outs[0] == outs[1] && outs[0] == outs[2]);
}

#[test]
fn results_are_not_replaced_without_being_told() {
    let folder = Folder::new("replace");
    let scene = rain(&folder);
    let out = folder.0.join("out");
    assert!(run(&["--steps", "10"], &scene, &out).status.success());
    let output = run(&["--steps", "10"], &scene, &out);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("--overwrite"), "{}", errors(&output));
    fs::write(out.join("failed.state"), "of an earlier run").unwrap();
    assert!(run(&["--steps", "10", "--overwrite"], &scene, &out).status.success());
    assert!(!out.join("failed.state").exists());

    // What no run has made is never replaced.
    let own = folder.0.join("own");
    fs::create_dir_all(own.join("walls")).unwrap();
    fs::write(own.join("walls/mine.obj"), PLATE).unwrap();
    for arguments in [&["--steps", "10"][..], &["--steps", "10", "--overwrite"]] {
        let output = run(arguments, &scene, &own);
        assert_eq!(output.status.code(), Some(2));
        assert!(errors(&output).contains("`walls` that no run has made"), "{}", errors(&output));
    }
    assert!(own.join("walls/mine.obj").is_file());
}

/// Scenes that fail while they run: what is said, and that a state is left.
#[test]
fn failures_are_explained_and_leave_a_state() {
    let folder = Folder::new("failures");
    let scene = |change: &str, insert: &str| {
        format!(
            "law = \"linear\"\n[time]\nend = 1\nstep = 1e-5\nforce = true\n{change}\n[materials.stone]\nk_n = 1000\n\
             [[walls]]\nname = \"floor\"\nshape = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmaterial = \"stone\"\n\
             [[insert]]\nhow = \"list\"\nmaterial = \"stone\"\nparticles = [{insert}]\n"
        )
    };
    let ball = |x: f64, z: f64, speed: f64| {
        format!("{{ position = [{x}, 0.0, {z}], radius = 0.01, velocity = [{speed:e}, 0.0, 0.0] }},")
    };
    let cases = [
        (
            "overlap",
            scene("", &(ball(0.0, 0.1, 0.0) + &ball(0.012, 0.1, 0.0))),
            "particles 0 and 1 overlap at the start by 0.008",
        ),
        ("wall", scene("", &ball(0.0, -0.5, 0.0)), "overlaps wall `floor` at the start"),
        ("soft", scene("", &(ball(0.0, 0.1, 10.0) + &ball(0.021, 0.1, 0.0))), "contacts are too soft"),
        ("fast", scene("", &ball(0.0, 0.1, 2e3)), "smallest radii in one step"),
        (
            "infinite",
            scene("", &(ball(0.0, 0.1, 0.0) + &ball(0.0199, 0.1, 0.0))).replace("k_n = 1000", "k_n = 1e300"),
            "infinite or not a number",
        ),
        (
            "same",
            scene("", &(ball(0.0, 0.1, 0.0) + &ball(0.0, 0.1, 0.0))),
            "particles 0 and 1 overlap at the start by 0.02",
        ),
        (
            "outside",
            scene("[domain]\nmin = [-0.1, -0.1, -0.1]\nmax = [0.1, 0.1, 0.2]", &ball(0.09, 0.1, 3.0)),
            "has left the domain",
        ),
    ];
    for (name, text, expected) in cases {
        let path = folder.file(&format!("{name}.toml"), &text);
        let out = folder.0.join(name);
        let output = run(&["--threads", "1"], &path, &out);
        assert_eq!(output.status.code(), Some(1), "{name}: {}", errors(&output));
        assert!(errors(&output).contains(expected), "{name}: {}", errors(&output));
        assert!(errors(&output).contains("the last state is in"), "{name}: {}", errors(&output));
        assert!(out.join("failed.state").is_file() && out.join("failed.vtp").is_file(), "{name}");
    }
    // Too long a step is refused before anything is written.
    let path = folder
        .file("step.toml", scene("", &ball(0.0, 0.1, 0.0)).replace("step = 1e-5\nforce = true", "step = 1"));
    let output = run(&[], &path, &folder.0.join("step"));
    assert_eq!(output.status.code(), Some(2));
    assert!(
        errors(&output).contains("exceeds the stable limit") && errors(&output).contains("^"),
        "{}",
        errors(&output)
    );
    assert!(!folder.0.join("step").exists());
    // Particles beyond the domain can be let go.
    let text = scene(
        "[domain]\nmin = [-0.1, -0.1, -0.1]\nmax = [0.1, 0.1, 0.2]\noutside = \"remove\"",
        &(ball(0.09, 0.1, 3.0) + &ball(0.0, 0.011, 0.0)),
    );
    let path = folder.file("remove.toml", text.replace("end = 1", "end = 0.1"));
    let output = run(&["--json"], &path, &folder.0.join("remove"));
    assert!(output.status.success(), "{}", errors(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["particles"], 1);
    assert!(report["energy_error"].as_f64().unwrap() < 1e-3, "{report}");
}

#[test]
fn check_says_what_it_found() {
    let folder = Folder::new("check");
    let scene = rain(&folder);
    let check =
        |scene: &Path| Command::new(env!("CARGO_BIN_EXE_riprap")).arg("check").arg(scene).output().unwrap();
    let output = check(&scene);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("good. Rain on a moving plate: 3D, 1 wall,"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.contains("insertion `insert0`: 0 particles at the start, ") && text.contains(" later"),
        "{text}"
    );
    assert!(text.contains("wall `plate`: 2 triangles from [0.01, 0, 0] to [0.09, 0.1, 0.01]"), "{text}");

    // A mesh in millimetres, and particles that do not fit.
    folder.file("large.obj", "v 10 0 0\nv 90 0 10\nv 90 100 10\nv 10 100 0\nf 1 2 3 4\n");
    let random = "how = \"random\"\ncount = 500";
    let odd = [
        (
            "large.toml",
            RAIN.replace("plate.obj", "large.obj")
                .replace("periodic = [\"x\", \"y\"]", "outside = \"remove\""),
            true,
            "times as large",
        ),
        (
            "no-room.toml",
            RAIN.replace("how = \"rain\"", random)
                .replace("rate = 2000", "")
                .replace("[0.004, 0.006]", "[0.02, 0.024]"),
            false,
            "no-room.toml: insertion `insert0`: there is room for ",
        ),
    ];
    for (name, text, good, expected) in odd {
        let output = check(&folder.file(name, text));
        let told = errors(&output) + &String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(if good { 0 } else { 2 }), "{told}");
        assert!(told.contains(expected), "{told}");
        let scene = folder.0.join(name);
        let json = Command::new(env!("CARGO_BIN_EXE_riprap"))
            .arg("check")
            .arg(scene)
            .arg("--json")
            .output()
            .unwrap();
        let found: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
        assert_eq!(
            (&found[0]["good"], json.status.success()),
            (&serde_json::Value::Bool(good), good),
            "{found}"
        );
        if good {
            for field in ["particles", "later", "step", "steps", "bytes", "seconds_estimated"] {
                assert!(found[0][field].is_number(), "{field}: {found}");
            }
            assert_eq!(found[0]["warnings"].as_array().unwrap().len(), 1, "{found}");
        } else {
            assert!(found[0]["error"].as_str().unwrap().contains("there is room for"), "{found}");
        }
    }

    let bad = folder.file("bad.toml", RAIN.replace("k_n = 1e5", "k_n = 1e5\nkt = 3"));
    let worse = folder.file("worse.toml", "time = 3\n");
    let mut all = Command::new(env!("CARGO_BIN_EXE_riprap"));
    let output = all.arg("check").args([&bad, &scene, &worse]).output().unwrap();
    assert!(errors(&output).contains("rain.toml: good"), "{}", errors(&output));
    assert!(errors(&output).contains("worse.toml:1:8"), "{}", errors(&output));
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("bad.toml:15:1: unknown field `kt`"), "{}", errors(&output));
}
