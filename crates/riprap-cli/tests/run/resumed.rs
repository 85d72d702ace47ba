//! Runs that stop and go on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::Folder;
use crate::{RAIN, command, errors, files, rain, run};

/// Killed again and again at any moment, the run ends with the same files as an undisturbed one.
#[test]
fn a_run_that_is_killed_fifty_times_leaves_the_same_files() {
    let folder = Folder::new("kill");
    let scene = rain(&folder);
    let (calm, hunted) = (folder.0.join("calm"), folder.0.join("hunted"));
    assert!(run(&["--threads", "1"], &scene, &calm).status.success());
    let mut kills = 0;
    let mut wait = 40;
    while kills < 50 {
        let mut child = command(&["--threads", "1", "--resume"], &scene, &hunted)
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // Times that have nothing to do with those of the checkpoints.
        std::thread::sleep(Duration::from_millis(wait));
        wait = 20 + (wait * 37 + 11) % 83;
        if child.try_wait().unwrap().is_some() {
            // It was done: once more from the start.
            fs::remove_dir_all(&hunted).unwrap();
        } else {
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
        }
    }
    assert!(run(&["--threads", "2", "--resume"], &scene, &hunted).status.success());
    let (calm, hunted) = (files(&calm), files(&hunted));
    assert_eq!(calm.keys().collect::<Vec<_>>(), hunted.keys().collect::<Vec<_>>());
    for (path, bytes) in &calm {
        assert!(hunted[path] == *bytes, "{}", path.display());
    }
}

#[test]
fn a_damaged_checkpoint_is_refused_and_the_one_before_is_taken() {
    let folder = Folder::new("damaged");
    let scene = rain(&folder);
    let out = folder.0.join("out");
    assert!(run(&["--threads", "1"], &scene, &out).status.success());
    let mut checkpoints: Vec<PathBuf> =
        fs::read_dir(out.join("checkpoints")).unwrap().map(|entry| entry.unwrap().path()).collect();
    checkpoints.sort();
    assert_eq!(checkpoints.len(), 2);
    let expected = files(&out);
    for damage in [0, 1] {
        let whole = fs::read(&checkpoints[1]).unwrap();
        let mut damaged = whole.clone();
        if damage == 0 {
            damaged.truncate(whole.len() / 2);
        } else {
            damaged[whole.len() / 2] ^= 4;
        }
        fs::write(&checkpoints[1], damaged).unwrap();
        let output = run(&["--restart", checkpoints[1].to_str().unwrap()], &scene, &out);
        assert!(output.status.success(), "{}", errors(&output));
        assert!(errors(&output).contains("refused"), "{}", errors(&output));
        assert!(errors(&output).contains("resuming from"), "{}", errors(&output));
        assert!(files(&out) == expected);
    }
    for checkpoint in &checkpoints {
        fs::write(checkpoint, "nothing").unwrap();
    }
    let output = run(&["--restart", checkpoints[1].to_str().unwrap()], &scene, &out);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("is not a checkpoint"), "{}", errors(&output));
    // A name that is wrong is not taken for that of an earlier one.
    for missing in ["nowhere".to_string(), checkpoints[1].display().to_string().replace(".state", "x.state")]
    {
        let output = run(&["--restart", &missing], &scene, &folder.0.join("new"));
        assert_eq!(output.status.code(), Some(2), "{}", errors(&output));
        assert!(errors(&output).contains("there is no such file"), "{}", errors(&output));
    }
}

#[test]
fn a_checkpoint_goes_on_with_its_own_scene_and_results_only() {
    let folder = Folder::new("own-scene");
    let scene = rain(&folder);
    let out = folder.0.join("out");
    assert!(run(&["--threads", "1"], &scene, &out).status.success());
    let before = files(&out);
    for (change, expected) in [
        (("[materials.stone]", "[materials.air]\nk_n = 1e5\n[materials.stone]"), "other materials"),
        (("law = \"linear\"", "law = \"hertz\""), "another `law`"),
    ] {
        let text = RAIN.replace(change.0, change.1).replace("k_n = 1e5", "k_n = 1e5\nyoung = 1e7");
        let changed = folder.file("changed.toml", &text);
        let output = run(&["--resume"], &changed, &out);
        assert_eq!(output.status.code(), Some(2), "{}", errors(&output));
        assert!(errors(&output).contains(expected), "{}", errors(&output));
    }
    assert!(files(&out) == before, "nothing may be lost");

    // Into another folder: only what is there is listed, and results of others are not touched.
    let checkpoints = fs::read_dir(out.join("checkpoints")).unwrap().map(|entry| entry.unwrap().path());
    let oldest = checkpoints.min().unwrap();
    let restart = ["--restart", oldest.to_str().unwrap(), "--threads", "1"];
    let other = folder.0.join("other");
    assert!(run(&restart, &scene, &other).status.success());
    let collection = fs::read_to_string(other.join("particles.pvd")).unwrap();
    let listed: Vec<&str> =
        collection.split("file=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(!listed.is_empty() && listed.iter().all(|file| other.join(file).is_file()), "{collection}");
    let output = run(&restart, &scene, &other);
    assert_eq!(output.status.code(), Some(2), "{}", errors(&output));

    // From an older checkpoint of the same folder: the newer one has not happened.
    assert!(run(&[&restart[..], &["--steps", "3"]].concat(), &scene, &out).status.success());
    assert!(run(&["--resume", "--threads", "1"], &scene, &out).status.success());
    // A rate is one since the row before, of which a run that stopped has one more.
    let last = |folder: &Path| {
        let series = fs::read_to_string(folder.join("series.csv")).unwrap();
        let (names, row) = (series.lines().next().unwrap(), series.lines().last().unwrap());
        let values = names.split(',').zip(row.split(',')).filter(|(name, _)| !name.ends_with("_rate"));
        values.map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>()
    };
    assert_eq!(last(&out), last(&other));
}

/// Whether the step becomes shorter or longer, checkpoints stay in the order of time, and their newest is the one to go on from.
#[test]
fn a_run_goes_on_with_stiffer_or_softer_materials() {
    for (stiffness, name) in [("k_n = 1e6", "stiffer"), ("k_n = 1e4", "softer")] {
        let folder = Folder::new(name);
        let scene = rain(&folder);
        let out = folder.0.join("out");
        assert!(run(&["--threads", "1"], &scene, &out).status.success());
        let checkpoints = || {
            let entries = fs::read_dir(out.join("checkpoints")).unwrap();
            let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
            files.sort();
            files
        };
        let oldest = checkpoints().remove(0);
        let changed = folder.file("changed.toml", RAIN.replace("k_n = 1e5", stiffness));
        let restart = ["--restart", oldest.to_str().unwrap(), "--steps", "3"];
        let output = run(&restart, &changed, &out);
        let text = errors(&output);
        assert!(output.status.success() && text.contains("note: the time step was"), "{text}");
        assert!(text.contains("forces are worked out anew"), "{text}");
        let found = checkpoints();
        assert!(!found.is_empty() && (name == "stiffer" || !found.contains(&oldest)), "{found:?}");
        let output = run(&["--resume"], &changed, &out);
        let text = errors(&output);
        assert!(
            output.status.success() && text.contains(&found.last().unwrap().display().to_string()),
            "{text}"
        );
        assert!(!text.contains("time step was"), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_a_checkpoint_and_goes_on_to_the_same_end() {
    let folder = Folder::new("interrupt");
    let scene = rain(&folder);
    let (whole, out) = (folder.0.join("whole"), folder.0.join("out"));
    assert!(run(&["--threads", "1"], &scene, &whole).status.success());
    let mut interrupted = false;
    for turn in 0..100 {
        let child =
            command(&["--threads", "1", "--resume"], &scene, &out).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(300));
        let id = child.id().to_string();
        let (signal, code) = [("-INT", 130), ("-TERM", 143), ("-HUP", 129)][turn % 3];
        let _ = Command::new("kill").args([signal, &id]).status();
        let output = child.wait_with_output().unwrap();
        if output.status.success() {
            break;
        }
        assert_eq!(output.status.code(), Some(code), "{}", errors(&output));
        assert!(errors(&output).contains("resume with --resume"), "{}", errors(&output));
        interrupted = true;
    }
    assert!(interrupted);
    let series = |folder: &Path| fs::read(folder.join("series.csv")).unwrap();
    assert!(series(&whole) == series(&out));
}
