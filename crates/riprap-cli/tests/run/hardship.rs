//! Runs that are killed, whose checkpoints are damaged, and whose disk is full. Some of each; ten times as many with `RIPRAP_LONG=1`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use riprap::Random;

use crate::common::Folder;
use crate::long::cases;
use crate::stones::heap;
use crate::{command, errors, files, rain, run};

/// The checkpoints of a run, the newest last.
fn checkpoints(out: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(out.join("checkpoints")).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    // What a kill has left unfinished begins with a dot.
    found.retain(|path| path.extension().is_some_and(|ending| ending == "state"));
    found.sort();
    found
}

/// Cuts a file off, changes a bit of it, or empties it.
fn damage(path: &Path, random: &mut Random) {
    let mut bytes = fs::read(path).unwrap();
    match random.below(3) {
        0 => bytes.truncate(random.below(bytes.len())),
        1 => {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }
        _ => bytes.clear(),
    }
    fs::write(path, bytes).unwrap();
}

fn assert_same(calm: &Path, other: &Path) {
    let (calm, other) = (files(calm), files(other));
    assert_eq!(calm.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (path, bytes) in &calm {
        assert!(other[path] == *bytes, "{}", path.display());
    }
}

/// Killed at random moments, often with its newest checkpoint damaged, a run of balls or of stones ends with the bits of an undisturbed one.
#[test]
fn killed_and_damaged_runs_end_with_the_same_bits() {
    let mut random = Random::new(7);
    for (name, make) in [("balls", rain as fn(&Folder) -> PathBuf), ("stones", heap)] {
        let folder = Folder::new(&format!("hardship-{name}"));
        let scene = make(&folder);
        let (calm, hunted) = (folder.0.join("calm"), folder.0.join("hunted"));
        let start = Instant::now();
        assert!(run(&["--threads", "1"], &scene, &calm).status.success());
        // Kills are spread over the whole run, however fast the machine is.
        let whole = start.elapsed().as_millis() as usize;
        let (mut kills, mut damaged) = (0, 0);
        while kills < cases(8) {
            let mut child = command(&["--threads", "1", "--resume"], &scene, &hunted)
                .stderr(Stdio::null())
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_millis(5 + random.below(whole / 2) as u64));
            if let Some(status) = child.try_wait().unwrap() {
                assert!(status.success(), "{name}: {status}");
                assert_same(&calm, &hunted);
                fs::remove_dir_all(&hunted).unwrap();
                continue;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
            let there = checkpoints(&hunted);
            if there.len() == 2 && random.below(2) == 0 {
                damage(&there[1], &mut random);
                damaged += 1;
            }
        }
        let output = run(&["--threads", "2", "--resume"], &scene, &hunted);
        assert!(output.status.success(), "{name}: {}", errors(&output));
        assert_same(&calm, &hunted);
        println!("{name}: {kills} kills, {damaged} damaged checkpoints");
    }
}

/// Whatever is wrong with a checkpoint, it is refused by its name and the one before is taken; alone it is an error.
#[test]
fn a_damaged_checkpoint_is_always_noticed() {
    let folder = Folder::new("hardship-damage");
    let scene = heap(&folder);
    let out = folder.0.join("out");
    assert!(run(&["--threads", "1"], &scene, &out).status.success());
    let [old, new] = checkpoints(&out).try_into().unwrap();
    let (old_bytes, whole) = (fs::read(&old).unwrap(), fs::read(&new).unwrap());
    let mut random = Random::new(11);
    for case in 0..cases(20) {
        damage(&new, &mut random);
        if fs::read(&new).unwrap() == whole {
            continue;
        }
        let alone = case % 2 == 0;
        if alone {
            fs::remove_file(&old).unwrap();
        }
        let output = run(&["--threads", "1", "--resume", "--steps", "0"], &scene, &out);
        let told = errors(&output);
        let name = new.file_name().unwrap().to_str().unwrap();
        assert!(told.contains(name), "{told}");
        if alone {
            assert_eq!(output.status.code(), Some(2), "{told}");
            assert!(told.contains("no good checkpoint"), "{told}");
        } else {
            assert!(output.status.success() && told.contains("resuming from"), "{told}");
            assert!(told.contains(old.file_name().unwrap().to_str().unwrap()), "{told}");
        }
        fs::write(&old, &old_bytes).unwrap();
        fs::write(&new, &whole).unwrap();
    }
}

/// A disk that is full stops a run with a message; when there is room again it goes on to the same bits.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_loses_nothing() {
    let folder = Folder::new("hardship-full");
    let scene = rain(&folder);
    let calm = folder.0.join("calm");
    assert!(run(&["--threads", "1"], &scene, &calm).status.success());
    let whole: usize = files(&calm).values().map(Vec::len).sum();
    let mut random = Random::new(13);
    let disk = folder.0.join("disk");
    fs::create_dir(&disk).unwrap();
    for case in 0..cases(2) {
        // A small file system of its own, which nobody else sees and which is gone at the end.
        let script = "mount -t tmpfs -o size=${KILOBYTES}k none disk || exit 77\n\
             \"$PROGRAM\" run rain.toml --threads 1 --out disk/out 2>full.txt; echo $? >code.txt\n\
             mount -o remount,size=200m disk || exit 77\n\
             \"$PROGRAM\" run rain.toml --threads 1 --out disk/out --resume || exit 1\n\
             cp -r disk/out copy\n";
        let kilobytes = 8 + random.below(whole * 3 / 4) / 1024;
        let output = Command::new("unshare")
            .args(["--map-root-user", "--mount", "sh", "-c", script])
            .current_dir(&folder.0)
            .env("PROGRAM", env!("CARGO_BIN_EXE_riprap"))
            .env("KILOBYTES", kilobytes.to_string())
            .output();
        let made =
            output.as_ref().is_ok_and(|output| folder.0.join("code.txt").exists() || output.status.success());
        let (Ok(output), true) = (output, made) else {
            println!("no file system can be mounted here: a full disk was NOT tried");
            return;
        };
        let told = fs::read_to_string(folder.0.join("full.txt")).unwrap();
        assert_eq!(fs::read_to_string(folder.0.join("code.txt")).unwrap(), "1\n", "{kilobytes}: {told}");
        assert!(told.contains("No space left on device") && told.contains("disk/out"), "{kilobytes}: {told}");
        assert!(output.status.success(), "{case}, {kilobytes}: {}", errors(&output));
        assert_same(&calm, &folder.0.join("copy"));
        fs::remove_dir_all(folder.0.join("copy")).unwrap();
    }
}
