//! Every command in the documents is run, or at least known to the program with all of its options.
//!
//! Blocks of shell commands are run line by line, those of a document one after the other in one folder, in which the shipped scenes are
//! and what `riprap demo` leaves. What takes long is cut short: see [`shortened`].

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::Folder;
use riprap::io::write_mesh;
use riprap::mesh::shapes;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All documents with their texts.
fn documents() -> Vec<(PathBuf, String)> {
    let root = root();
    let mut folders = vec![root.join("docs"), root.join("docs/decisions")];
    let mut found: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "ARCHITECTURE.md"]
        .map(|name| root.join(name))
        .to_vec();
    while let Some(folder) = folders.pop() {
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        found.extend(files.filter(|file| file.extension().is_some_and(|ending| ending == "md")));
    }
    found.sort();
    found.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// The lines of all blocks of shell commands.
fn commands(text: &str) -> Vec<&str> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
        } else if inside && !line.trim().is_empty() {
            found.push(line);
        }
    }
    found
}

/// The same command, on less work; `None` if it is not for the test to run.
fn shortened(line: &str) -> Option<String> {
    // A comment at the end must not swallow what is added.
    let command = line.split_once(" #").map_or(line, |(command, _)| command).trim();
    if command.starts_with("cargo run --release -- ") {
        return shortened(&command.replace("cargo run --release -- ", "riprap "));
    }
    let words: Vec<&str> = command.split_whitespace().collect();
    Some(match words[..] {
        // They build and test the program, or search for faults in it for a given time.
        ["cargo" | "./test" | "fuzz/run", ..] => return None,
        // It has a test of its own, and its files are there.
        ["riprap", "demo", ..] => format!("{command} --help"),
        // One case stands for all, which `cargo test` runs elsewhere.
        ["riprap", "verify", ..]
            if words[2..].iter().all(|word| word.starts_with("--") || !is_case(word)) =>
        {
            format!("{command} free-fall")
        }
        ["riprap", "run", ..] if !words.contains(&"--steps") => format!("{command} --steps 20"),
        _ => command.to_string(),
    })
}

fn is_case(word: &str) -> bool {
    riprap::verify::CASES.iter().any(|case| case.name == word)
}

/// What `riprap demo` leaves, smaller.
fn leave_demo(folder: &Folder) {
    fs::create_dir_all(folder.0.join("riprap-demo")).unwrap();
    let mut rows = String::from("x,y,z,r\n");
    for i in 0..1000 {
        let place = |k: i32| f64::from(i / 10i32.pow(k as u32) % 10) * 14.6;
        rows += &format!("{},{},{},{}\n", place(0), place(1), place(2), if i % 7 == 0 { 9.0 } else { 6.0 });
    }
    folder.file("riprap-demo/spheres.csv", rows);
    let stones = r#"{"shapes": [{"vertices": [[0,0,0], [1,0,0], [0,1,0], [0,0,1]]}], "pairs": [
        {"a": {"shape": 0, "position": [0,0,0]}, "b": {"shape": 0, "position": [3,0,0], "rotation": [1,0,0,1]}}]}"#;
    folder.file("riprap-demo/stones.json", stones);
    write_mesh(&folder.0.join("riprap-demo/knot.stl"), &shapes::knot(0.3, 60, 10)).unwrap();
    folder.file("riprap-demo/points.csv", "x,y,z\n0,0,0\n1,2,0.5\n");
}

#[test]
fn every_block_of_commands_runs() {
    let program = Path::new(env!("CARGO_BIN_EXE_riprap")).parent().unwrap();
    let search = std::env::join_paths(
        std::iter::once(program.to_path_buf())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    )
    .unwrap();
    let (mut failed, mut count) = (Vec::new(), 0);
    for (index, (path, text)) in documents().into_iter().enumerate() {
        let folder = Folder::new(&format!("documents-{index}"));
        let lines = commands(&text);
        if lines.is_empty() {
            continue;
        }
        leave_demo(&folder);
        std::os::unix::fs::symlink(root().join("scenes"), folder.0.join("scenes")).unwrap();
        for line in lines {
            let Some(command) = shortened(line) else { continue };
            let shell = ["-c", &command];
            let output =
                Command::new("sh").args(shell).current_dir(&folder.0).env("PATH", &search).output().unwrap();
            count += 1;
            if !output.status.success() {
                let told = String::from_utf8_lossy(&output.stderr).into_owned();
                failed.push(format!("{}: {line}\n(as `{command}`)\n{told}", path.display()));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(count > 20, "{count}");
}

/// The help of each command.
fn helps() -> BTreeMap<String, String> {
    let help = |arguments: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_riprap")).args(arguments).arg("--help").output().unwrap();
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let all = help(&[]);
    let listed =
        all.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = listed
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !["", "help"].contains(name));
    names.map(|name| (name.to_string(), help(&[name]))).collect()
}

/// What is wrong with a command that is shown: that it is not known, or one of its options.
fn unknown(command: &str, helps: &BTreeMap<String, String>) -> Option<String> {
    let mut words = command.split_whitespace().skip(1);
    let name = words.next()?;
    // Options of the program itself, and a dependency in a manifest.
    if name.starts_with("--") || name == "=" {
        return None;
    }
    let Some(help) = helps.get(name) else { return Some(format!("no command `{name}`")) };
    // What comes behind a pipe or another command is not for this one.
    let own = words.take_while(|word| !["|", "&&", ">", "#"].contains(word));
    let mut options =
        own.filter(|word| word.starts_with("--")).map(|word| word.split('=').next().unwrap_or(word));
    let known =
        |option: &str| help.split(|c: char| c != '-' && !c.is_alphanumeric()).any(|word| word == option);
    let missing = options.find(|option| !known(option));
    missing.map(|option| format!("no option `{option}` of `riprap {name}`"))
}

#[test]
fn every_command_that_is_shown_is_known_with_its_options() {
    let helps = helps();
    let (mut failed, mut count) = (Vec::new(), 0);
    let mut check = |place: String, command: &str| {
        count += 1;
        failed.extend(unknown(command, &helps).map(|reason| format!("{place}: `{command}`: {reason}")));
    };
    for (path, text) in documents() {
        for part in text.split('`').filter(|part| part.starts_with("riprap ") && !part.contains('\n')) {
            check(path.display().to_string(), part);
        }
    }
    for (name, help) in &helps {
        for line in help.lines().map(str::trim).filter(|line| line.starts_with("riprap ")) {
            check(format!("help of {name}"), line);
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(count > 60, "{count}");
    // The test itself would see it.
    assert_eq!(unknown("riprap dig", &helps).unwrap(), "no command `dig`");
    assert_eq!(unknown("riprap run x --deep", &helps).unwrap(), "no option `--deep` of `riprap run`");
    assert_eq!(unknown("riprap run x --out y --set a=1", &helps), None);
}
