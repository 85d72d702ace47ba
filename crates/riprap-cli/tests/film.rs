//! `riprap film`, and `film = true` in scenes.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use common::Folder;

const SCENE: &str = r#"
[time]
end = 0.1
[materials.sand]
density = 2600
young = 1e6
[[walls]]
shape = "box"
min = [0, 0, 0]
max = [0.1, 0.1, 0.1]
material = "sand"
[[insert]]
how = "random"
material = "sand"
sizes = { constant = 0.01 }
min = [0, 0, 0]
max = [0.1, 0.1, 0.1]
count = 20
[output]
frames = 0.02
"#;

fn riprap(folder: &Folder, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_riprap")).args(arguments).current_dir(&folder.0).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

/// Width, height, and how many frames an animated PNG says that it has.
fn size(path: &Path) -> [u32; 3] {
    let bytes = fs::read(path).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
    let number = |place: usize| u32::from_be_bytes(bytes[place..place + 4].try_into().unwrap());
    let control = bytes.windows(4).position(|word| word == b"acTL").unwrap();
    assert_eq!(bytes.windows(4).filter(|word| word == b"fcTL").count() as u32, number(control + 4));
    [number(16), number(20), number(control + 4)]
}

#[test]
fn a_film_has_every_frame_and_the_same_bytes_for_any_number_of_threads() {
    let folder = Folder::new("film");
    folder.file("sand.toml", SCENE);
    let run = riprap(&folder, &["run", "sand.toml", "--threads", "1", "--set", "output.film=true"]);
    assert!(run.status.success() && said(&run).contains("6 frames"), "{}", said(&run));
    let made = folder.0.join("sand-out/film.png");
    assert_eq!(size(&made), [800, 600, 6]);

    let film = riprap(&folder, &["film", "sand-out", "--out", "again.png", "--threads", "2"]);
    assert!(film.status.success(), "{}", said(&film));
    assert!(fs::read(&made).unwrap() == fs::read(folder.0.join("again.png")).unwrap());

    let small =
        ["film", "sand-out", "--out", "small.png", "--width", "160", "--height", "120", "--every", "2"];
    let film = riprap(&folder, &[&small[..], &["--set", "output.color=id"]].concat());
    assert!(film.status.success() && said(&film).contains("3 frames"), "{}", said(&film));
    assert_eq!(size(&folder.0.join("small.png")), [160, 120, 3]);
    // A film is a result: another run replaces it.
    assert!(riprap(&folder, &["run", "sand.toml", "--overwrite"]).status.success());
    assert!(!made.exists());
}

#[test]
fn folders_without_frames_are_refused_by_name() {
    let folder = Folder::new("no-film");
    folder.file("sand.toml", SCENE.replace("0.02", "0"));
    assert!(riprap(&folder, &["run", "sand.toml"]).status.success());
    for (name, missing) in [("sand-out", "particles.pvd"), (".", "scene.toml"), ("nowhere", "scene.toml")] {
        let refused = riprap(&folder, &["film", name]);
        let text = said(&refused);
        assert_eq!(refused.status.code(), Some(2), "{text}");
        assert!(text.contains(&format!("{name}: there is no `{missing}`")), "{text}");
    }
    let unknown = riprap(&folder, &["film", "sand-out", "--set", "output.color=pink"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(!folder.0.join("sand-out/film.png").exists());
}
