//! `riprap new`, `riprap completions` and `riprap manual`.

mod common;

use std::fs;
use std::process::{Command, Output};

use common::Folder;

fn riprap(folder: &Folder, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_riprap")).args(arguments).current_dir(&folder.0).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

#[test]
fn a_new_scene_can_be_run_and_is_never_replaced() {
    let folder = Folder::new("new");
    let new = riprap(&folder, &["new", "heap"]);
    assert!(new.status.success() && said(&new).contains("riprap run heap.toml"), "{}", said(&new));
    let text = fs::read_to_string(folder.0.join("heap.toml")).unwrap();
    assert!(text.contains("title = \"heap\"") && !text.contains("NAME"));
    assert!(riprap(&folder, &["check", "heap.toml"]).status.success());
    let run = riprap(&folder, &["run", "heap.toml", "--steps", "100", "--threads", "1"]);
    assert!(run.status.success(), "{}", said(&run));
    assert!(folder.0.join("heap-out/picture.png").is_file());

    folder.file("mine.toml", "mine");
    let again = riprap(&folder, &["new", "mine.toml"]);
    assert_eq!(again.status.code(), Some(2), "{}", said(&again));
    assert_eq!(fs::read_to_string(folder.0.join("mine.toml")).unwrap(), "mine");
    for bad in ["no/such/folder", "a\"b"] {
        assert_eq!(riprap(&folder, &["new", bad]).status.code(), Some(2), "{bad}");
    }
}

#[test]
fn shells_and_man_know_every_command() {
    let folder = Folder::new("shell");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = said(&riprap(&folder, &["completions", shell]));
        assert!(
            ["overwrite", "contacts", "verify"].iter().all(|word| text.contains(word)),
            "{shell}: {text}"
        );
    }
    let manual = said(&riprap(&folder, &["manual"]));
    for word in [".TH riprap", "riprap\\-run", "\\-\\-overwrite", "\\-\\-measure"] {
        assert!(manual.contains(word), "{word}: {manual}");
    }
}
