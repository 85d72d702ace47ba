//! What is in the folder of a run is not lost: not to another run, not to `--overwrite`, not to a crash.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::Folder;
use crate::{RAIN, command, errors, files, rain, run};

/// Waits until a file is there.
fn wait_for(path: &Path) {
    let start = Instant::now();
    while !path.exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "{} never came", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn two_runs_do_not_write_to_one_folder() {
    let folder = Folder::new("lock");
    rain(&folder);
    let scene = folder.file("long.toml", RAIN.replace("end = 0.3", "end = 300"));
    let out = folder.0.join("out");
    let mut first = command(&["--threads", "1"], &scene, &out).stderr(Stdio::null()).spawn().unwrap();
    wait_for(&out.join("checkpoints"));
    for how in ["--overwrite", "--resume"] {
        let second = run(&["--threads", "1", how], &scene, &out);
        assert_eq!(second.status.code(), Some(2), "{}", errors(&second));
        assert!(errors(&second).contains("another run is writing there"), "{}", errors(&second));
    }
    assert!(first.try_wait().unwrap().is_none(), "the first one goes on");
    first.kill().unwrap();
    first.wait().unwrap();
    let series = fs::read_to_string(out.join("series.csv")).unwrap();
    assert!(series.lines().count() > 1 && !series.contains('\0'));
    let next = run(&["--threads", "1", "--resume", "--steps", "3"], &scene, &out);
    assert!(next.status.success(), "{}", errors(&next));
}

#[test]
fn overwriting_removes_what_a_run_has_written_and_nothing_else() {
    let folder = Folder::new("overwrite");
    let scene = rain(&folder);
    let out = folder.0.join("out");
    assert!(run(&["--threads", "1"], &scene, &out).status.success());
    let all = files(&out);
    let own = [
        "particles/mine.txt",
        "particles/particles_1.vtp",
        "checkpoints/step_of_mine.txt",
        "notes.md",
        "walls/deep/a.vtp",
    ];
    for name in own {
        fs::create_dir_all(out.join(name).parent().unwrap()).unwrap();
        fs::write(out.join(name), name).unwrap();
    }
    // A shorter run without contacts: nothing of the first one is left.
    let text = RAIN.replace("end = 0.3", "end = 0.1").replace("contacts = true", "contacts = false");
    let shorter = folder.file("shorter.toml", &text);
    let output = run(&["--threads", "1", "--overwrite"], &shorter, &out);
    assert!(output.status.success(), "{}", errors(&output));
    let now = files(&out);
    for name in own {
        assert_eq!(now.get(Path::new(name)).map(Vec::as_slice), Some(name.as_bytes()), "{name}");
    }
    let is_of_contacts = |path: &&std::path::PathBuf| path.to_string_lossy().contains("contacts");
    assert!(all.keys().any(|path| is_of_contacts(&path)) && !now.keys().any(|path| is_of_contacts(&path)));
    assert!(!out.join("particles/particles_000005.vtp").exists());
    let pvd = String::from_utf8(now[Path::new("particles.pvd")].clone()).unwrap();
    assert_eq!(pvd.matches("<DataSet").count(), 3, "{pvd}");
}

#[test]
fn a_picture_that_is_missing_is_drawn_when_a_run_goes_on() {
    let folder = Folder::new("picture");
    let scene = rain(&folder);
    let out = folder.0.join("out");
    assert!(run(&["--threads", "1"], &scene, &out).status.success());
    let before = files(&out);
    fs::remove_file(out.join("picture.png")).unwrap();
    let output = run(&["--threads", "1", "--resume"], &scene, &out);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(files(&out) == before);
}

#[test]
fn a_series_that_is_shorter_than_recorded_keeps_its_rows() {
    let folder = Folder::new("short-series");
    let scene = rain(&folder);
    let out = folder.0.join("out");
    assert!(run(&["--threads", "1", "--steps", "40000"], &scene, &out).status.success());
    let path = out.join("series.csv");
    let whole = fs::read_to_string(&path).unwrap();
    let rows = whole.lines().count();
    assert!(rows > 6);
    let kept: String = whole.lines().take(rows - 3).map(|row| format!("{row}\n")).collect();
    // A row that was not written to its end; zeros, as some file systems leave them after a crash.
    for end in [&whole[kept.len()..kept.len() + 20], "\0\0\0\0\0\0\0\0"] {
        fs::write(&path, format!("{kept}{end}")).unwrap();
        let output = run(&["--threads", "1", "--resume", "--steps", "0"], &scene, &out);
        assert!(output.status.success(), "{}", errors(&output));
        let now = fs::read_to_string(&path).unwrap();
        assert!(now.starts_with(&kept) && now.ends_with('\n') && !now.contains('\0'), "{now}");
        assert!(now.lines().count() <= rows);
    }
    // With other columns it is set aside.
    let before = fs::read(&path).unwrap();
    let probe = "[[probe]]\nname = \"one\"\nparticle = 0\n[output]";
    let other = folder.file("other.toml", RAIN.replace("[output]", probe));
    let output = run(&["--threads", "1", "--resume", "--steps", "0"], &other, &out);
    assert!(output.status.success(), "{}", errors(&output));
    assert_eq!(fs::read(out.join("series.1.csv")).unwrap(), before);
    assert!(fs::read_to_string(&path).unwrap().lines().next().unwrap().contains("one_x"));
}

#[test]
fn what_has_changed_in_a_scene_is_named() {
    let folder = Folder::new("changes");
    let scene = rain(&folder);
    let out = folder.0.join("out");
    assert!(run(&["--threads", "1", "--steps", "3000"], &scene, &out).status.success());
    let text = RAIN.replace("friction = 0.4\n", "friction = 0.3\n").replace("rate = 2000", "rate = 1000");
    let changed = folder.file("changed.toml", text.replace("title = \"Rain on a moving plate\"\n", ""));
    let newest =
        fs::read_dir(out.join("checkpoints")).unwrap().map(|entry| entry.unwrap().path()).max().unwrap();
    let restart = ["--threads", "1", "--steps", "1", "--restart", newest.to_str().unwrap()];
    for (arguments, to) in
        [(&restart[..], "elsewhere"), (&["--threads", "1", "--resume", "--steps", "1"], "out")]
    {
        let output = run(arguments, &changed, &folder.0.join(to));
        let told = errors(&output);
        assert!(output.status.success(), "{told}");
        for expected in [
            "`materials.stone.friction` was 0.4, is 0.3",
            "`insert.0.rate` was 2000, is 1000",
            "`title` was \"Rain on a moving plate\", is not there",
        ] {
            assert!(told.contains(expected), "{told}");
        }
        assert_eq!(told.matches("` was ").count(), 3, "{told}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn notes_that_cannot_be_written_stop_nothing() {
    let folder = Folder::new("full");
    let scene = rain(&folder);
    let out = folder.0.join("out");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let status = command(&["--threads", "1", "--steps", "100"], &scene, &out).stderr(full).status().unwrap();
    assert!(status.success());
    assert!(out.join("series.csv").exists());
}

/// As under `nohup`: a terminal that is closed does not stop the run.
#[cfg(target_os = "linux")]
#[test]
fn signals_that_are_to_be_ignored_are() {
    let folder = Folder::new("nohup");
    let scene = rain(&folder);
    let out = folder.0.join("out");
    let mut child = Command::new("sh")
        .args([
            "-c",
            "trap '' HUP; exec \"$0\" run \"$1\" --out \"$2\" --threads 1",
            env!("CARGO_BIN_EXE_riprap"),
        ])
        .args([&scene, &out])
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_for(&out.join("checkpoints"));
    assert!(Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap().success());
    assert!(child.wait().unwrap().success());
    assert!(out.join("picture.png").exists());
}
