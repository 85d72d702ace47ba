//! Scene files: `scenes/good/*.toml` can be read, `scenes/bad/*.toml` are refused with the message that stands in them after `#>`.

use std::fs;
use std::path::{Path, PathBuf};

use riprap::scene::Scene;

fn scenes(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenes").join(folder);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

#[test]
fn good_scenes_are_read() {
    for path in scenes("good") {
        match Scene::read(&path).unwrap_or_else(|error| panic!("{error}")) {
            Scene::Planar(setup) => assert!(setup.simulation().is_ok() && setup.steps() > 0),
            Scene::Spatial(setup) => assert!(setup.simulation().is_ok() && setup.steps() > 0),
        }
    }
}

/// The message without the folder in which the file happens to be.
fn message(path: &Path) -> String {
    let folder = format!("{}/", path.parent().unwrap().display());
    Scene::read(path)
        .map(|_| panic!("{} was accepted", path.display()))
        .unwrap_err()
        .to_string()
        .replace(&folder, "")
}

#[test]
fn bad_scenes_are_refused_with_the_message_in_the_file() {
    for path in scenes("bad") {
        let source = fs::read_to_string(&path).unwrap();
        let expected: Vec<&str> = source.lines().filter_map(|line| line.strip_prefix("#> ")).collect();
        assert!(!expected.is_empty(), "{}: no expected message", path.display());
        assert_eq!(message(&path), expected.join("\n"), "{}", path.display());
    }
}

#[test]
fn files_that_are_no_scenes_are_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(Scene::read(&folder.join("nothing.toml")).is_err());
    assert!(Scene::read(folder).unwrap_err().to_string().contains("is a folder"));
    let path = std::env::temp_dir().join(format!("riprap-scene-{}.toml", std::process::id()));
    fs::write(&path, [0xff, 0xfe, 0x00]).unwrap();
    assert!(Scene::read(&path).unwrap_err().to_string().contains("is not text"));
    fs::remove_file(&path).unwrap();
}

#[test]
fn the_scene_of_the_readme_is_good() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let text = fs::read_to_string(readme).unwrap();
    let scene = text.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let path = std::env::temp_dir().join(format!("riprap-readme-{}.toml", std::process::id()));
    fs::write(&path, scene).unwrap();
    let result = Scene::read(&path);
    fs::remove_file(&path).unwrap();
    result.unwrap_or_else(|error| panic!("{error}"));
}
