//! What a run tells: probes, the times of rows and frames, warnings.

use std::fs;
use std::path::Path;

use crate::common::Folder;
use crate::{errors, run};

/// A particle that flies away, and a region that it leaves: columns with its motion, then empty ones. A run that resumes goes on with
/// the same columns; one with other probes begins a new series.
#[test]
fn probes_are_columns_of_the_series() {
    let folder = Folder::new("probes");
    let text = "law = \"linear\"\ndimension = 2\ngravity = [0, 0]\n[time]\nend = 1\nstep = 1e-3\n\
        [domain]\nmin = [0, 0]\nmax = [1, 1]\noutside = \"remove\"\n[materials.clay]\nk_n = 1\n[materials.stone]\nk_n = 1\n\
        [[insert]]\nhow = \"list\"\nmaterial = \"stone\"\nparticles = [{ position = [0.5, 0.5], radius = 0.01, \
        velocity = [1, 0], spin = 3 }]\n[[probe]]\nname = \"one\"\nparticle = 0\n[[probe]]\nname = \"left side\"\n\
        min = [0, 0]\nmax = [0.7, 1]\n[output]\nseries = 0.1\nframes = 0\ncheckpoint = 0.3\npicture = false\n";
    let scene = folder.file("scene.toml", text);
    let out = folder.0.join("out");
    let output = run(&["--threads", "1"], &scene, &out);
    assert!(output.status.success(), "{}", errors(&output));
    let series = fs::read_to_string(out.join("series.csv")).unwrap();
    let header: Vec<&str> = series.lines().next().unwrap().split(',').collect();
    let value = |row: usize, name: &str| {
        let column =
            header.iter().position(|column| *column == name).unwrap_or_else(|| panic!("{name}: {header:?}"));
        let cells: Vec<&str> = series.lines().nth(1 + row).unwrap().split(',').collect();
        assert_eq!(cells.len(), header.len());
        cells[column].parse::<f64>().ok()
    };
    let close = |found: Option<f64>, expected: f64| {
        assert!(found.is_some_and(|found| (found - expected).abs() < 1e-9), "{found:?} {expected}");
    };
    for (name, expected) in [
        ("one_x", 0.6),
        ("one_y", 0.5),
        ("one_vx", 1.0),
        ("one_vy", 0.0),
        ("one_w", 3.0),
        ("left_side_particles", 1.0),
    ] {
        close(value(1, name), expected);
    }
    close(value(1, "left_side_particles_stone"), 1.0);
    close(value(1, "left_side_particles_clay"), 0.0);
    close(value(1, "left_side_vx"), 1.0);
    assert!(value(1, "left_side_mass").unwrap() > 0.0 && value(1, "left_side_stress_xy") == Some(0.0));
    // Out of the region: nothing is there, and what is nothing has no velocity. Out of the domain: no particle.
    close(value(4, "one_x"), 0.9);
    assert_eq!((value(4, "left_side_particles"), value(4, "left_side_vx")), (Some(0.0), None));
    assert!(["one_x", "one_vy", "one_w"].iter().all(|name| value(8, name).is_none()), "{series}");

    let oldest =
        fs::read_dir(out.join("checkpoints")).unwrap().map(|entry| entry.unwrap().path()).min().unwrap();
    let restart = ["--restart", oldest.to_str().unwrap(), "--threads", "1"];
    assert!(run(&restart, &scene, &out).status.success());
    assert_eq!(fs::read_to_string(out.join("series.csv")).unwrap(), series);
    let changed = folder.file("scene.toml", text.replace("left side", "west"));
    assert!(run(&restart, &changed, &out).status.success());
    let anew = fs::read_to_string(out.join("series.csv")).unwrap();
    assert!(anew.contains("west_mass") && anew.lines().count() < series.lines().count(), "{anew}");
}

/// Times of the rows of a run.
fn times(out: &Path) -> Vec<f64> {
    let series = fs::read_to_string(out.join("series.csv")).unwrap();
    series.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap()).collect()
}

/// Times of the frames of a run.
fn frames(out: &Path) -> Vec<f64> {
    let collection = fs::read_to_string(out.join("particles.pvd")).unwrap();
    let times = collection.split("timestep=\"").skip(1);
    times.map(|rest| rest.split('"').next().unwrap().parse().unwrap()).collect()
}

/// Intervals that are no whole number of steps, to the scene's end and to one of the user's: no two rows or frames are a step or two apart,
/// and the last state is there.
#[test]
fn no_frame_or_row_is_just_before_the_last() {
    let folder = Folder::new("dates");
    for (step, steps) in
        [("1.0001e-3", None), ("0.9973e-3", None), ("1e-3", Some("41")), ("1e-3", Some("61"))]
    {
        let text = format!(
            "law = \"linear\"\n[time]\nend = 0.1\nstep = {step}\n[materials.stone]\nk_n = 1\n[[insert]]\nhow = \"list\"\n\
             material = \"stone\"\nparticles = [{{ position = [0, 0, 0], radius = 0.01 }}]\n\
             [output]\nseries = 0.01\nframes = 0.02\ncheckpoint = 0\npicture = false\n"
        );
        let scene = folder.file("scene.toml", text);
        let out = folder.0.join("out");
        let mut arguments = vec!["--overwrite", "--json"];
        arguments.extend(steps.iter().flat_map(|steps| ["--steps", steps]));
        let output = run(&arguments, &scene, &out);
        assert!(output.status.success(), "{}", errors(&output));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let end = report["time"].as_f64().unwrap();
        for (times, interval) in [(times(&out), 0.01), (frames(&out), 0.02)] {
            let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
            assert!(gaps.iter().all(|gap| *gap > 0.8 * interval), "{step} {steps:?}: {times:?}");
            assert!((times.last().unwrap() - end).abs() < 1e-12 && times[0] == 0.0, "{end}: {times:?}");
        }
    }
}

/// Large overlaps and energy that is not kept are told once while running and in the summary, with their cause; a limit stops the run.
#[test]
fn warnings_are_told_once_and_in_the_summary() {
    let folder = Folder::new("warnings");
    let scene = |time: &str, limits: &str, speed: f64| {
        format!(
            "law = \"linear\"\n[time]\nend = 0.2\n{time}\n[limits]\n{limits}\n[materials.stone]\nk_n = 1000\n[[walls]]\n\
             name = \"floor\"\nshape = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmaterial = \"stone\"\n[[insert]]\n\
             how = \"list\"\nmaterial = \"stone\"\nparticles = [{{ position = [0, 0, 0.0101], radius = 0.01, \
             velocity = [0, 0, -{speed:?}] }}]\n[output]\nframes = 0\nseries = 0.001\n"
        )
    };
    let told = |name: &str, text: &str| {
        let path = folder.file(&format!("{name}.toml"), text);
        let output = run(&["--json", "--threads", "1"], &path, &folder.0.join(name));
        assert!(output.status.success(), "{name}: {}", errors(&output));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let warnings: Vec<String> = report["warnings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|text| text.as_str().unwrap().to_string())
            .collect();
        assert_eq!(errors(&output).matches("warning: ").count(), warnings.len(), "{}", errors(&output));
        warnings
    };
    assert_eq!(told("calm", &scene("", "", 0.1)), [""; 0]);
    let soft = told("soft", &scene("", "", 1.0));
    assert_eq!(soft.len(), 1, "{soft:?}");
    assert!(soft[0].starts_with("particle 0 overlaps wall `floor` by 10."), "{soft:?}");
    assert!(soft[0].contains("and later up to 2") && soft[0].contains("raise `k_n`"), "{soft:?}");
    let unstable = "step = 4e-3\nforce = true";
    let wrong = told("unstable", &scene(unstable, "", 0.1));
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(
        wrong[0].starts_with("energy error of ") && wrong[0].contains("times the stable limit"),
        "{wrong:?}"
    );

    // The same in words, for people.
    let path = folder.file("words.toml", scene(unstable, "", 0.1));
    let output = run(&["--threads", "1"], &path, &folder.0.join("words"));
    assert!(String::from_utf8_lossy(&output.stdout).contains("warning: energy error of "));

    let limited = folder.file("limited.toml", scene(unstable, "energy = 0.02", 0.1));
    let out = folder.0.join("limited");
    let output = run(&["--threads", "1"], &limited, &out);
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    assert!(
        errors(&output).contains("of the largest term (limit 2.00 %); the likeliest cause: the time step")
    );
    assert!(out.join("failed.state").is_file());
    // The row that shows it is there, and it is the last.
    let series = fs::read_to_string(out.join("series.csv")).unwrap();
    let column = series.lines().next().unwrap().split(',').position(|name| name == "energy_error").unwrap();
    let energy_errors: Vec<f64> =
        series.lines().skip(1).map(|line| line.split(',').nth(column).unwrap().parse().unwrap()).collect();
    let (last, before) = energy_errors.split_last().unwrap();
    assert!(*last > 0.02 && before.iter().all(|error| *error <= 0.02), "{energy_errors:?}");
    // A limit that is kept stops nothing.
    assert_eq!(told("kept", &scene("", "energy = 0.01", 0.1)), [""; 0]);

    let probe = scene("", "", 0.1) + "[[probe]]\nname = \"none\"\nparticle = 1\n";
    let path = folder.file("probe.toml", &probe);
    let output = run(&["--threads", "1"], &path, &folder.0.join("probe"));
    let words = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(words.contains("warning: probe `none`: no particle 1 was inserted, ids are below 1"), "{words}");
}

/// Columns are told apart by the names that they have in the file.
#[test]
fn columns_of_the_same_name_are_refused() {
    let folder = Folder::new("columns");
    let scene = |wall: &str, first: &str, second: &str| {
        let text = format!(
            "dimension = 2\n[time]\nend = 1\n[materials.stone]\nyoung = 1e7\n[[walls]]\nname = \"{wall}\"\n\
             shape = \"plane\"\npoint = [0, 0]\nnormal = [0, 1]\nmaterial = \"stone\"\n[[insert]]\nhow = \"list\"\n\
             material = \"stone\"\nparticles = [{{ position = [0, 1], radius = 0.1 }}]\n\
             [[probe]]\nname = \"{first}\"\nparticle = 0\n[[probe]]\nname = \"{second}\"\nparticle = 0\n"
        );
        let output = run(&[], &folder.file("scene.toml", text), &folder.0.join("out"));
        assert!(!output.status.success());
        errors(&output)
    };
    let told = scene("floor", "x y,z", "x_y_z");
    assert!(told.contains("`x_y_z_x` twice, of the probe `x y,z` and of the probe `x_y_z`"), "{told}");
    let told = scene("fl oor", "fl_oor_force", "b");
    assert!(told.contains("`fl_oor_force_x` twice, of the wall `fl oor` and of the probe"), "{told}");
    assert!(scene("floor", "", "b").contains("an empty name"));
}
