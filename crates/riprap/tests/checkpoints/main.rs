//! Checkpoints: files of earlier versions are read for ever, and nothing that is wrong with a file goes unnoticed.
//!
//! `vN.state` was written by version N of the format, at step 1000 of `scene.toml`; `v3-account2.state` by a later program, with version 2
//! of the section `account` and with `smallest` and `basis`. Both are what `riprap run scene.toml --steps 1000` leaves in `checkpoints`. The
//! format is taken apart here by hand.

mod stones;

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use riprap::dem::{Material, Materials};
use riprap::run::{Run, RunError, SceneChanges};
use riprap::scene::{Scene, Setup};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checkpoints")
}

fn setup() -> Setup<3> {
    match Scene::read(&folder().join("scene.toml")).unwrap() {
        Scene::Spatial(setup) => *setup,
        Scene::Planar(_) => panic!("the scene is in space"),
    }
}

/// Header and sections of a checkpoint: name, version, values.
type Sections = Vec<(String, u32, Vec<u8>)>;

const HEADER: usize = 36;

fn take_apart(file: &[u8]) -> Sections {
    let (mut at, mut sections) = (HEADER, Vec::new());
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
    while at < file.len() {
        let length = word(at) as usize;
        let name = String::from_utf8(file[at + 4..at + 4 + length].to_vec()).unwrap();
        at += 4 + length;
        let values = u64::from_le_bytes(file[at + 4..at + 12].try_into().unwrap()) as usize;
        sections.push((name, word(at), file[at + 12..at + 12 + values].to_vec()));
        at += 12 + values;
    }
    sections
}

fn put_together(header: &[u8], sections: &Sections) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, version, values) in sections {
        body.extend((name.len() as u32).to_le_bytes());
        body.extend(name.as_bytes());
        body.extend(version.to_le_bytes());
        body.extend((values.len() as u64).to_le_bytes());
        body.extend(values);
    }
    let mut file = header[..24].to_vec();
    file.extend((body.len() as u64).to_le_bytes());
    file.extend(crc32fast::hash(&body).to_le_bytes());
    file.extend(body);
    file
}

/// Resumes from a file with these bytes.
fn resume(bytes: &[u8]) -> Result<Run<3>, String> {
    let path = std::env::temp_dir().join(format!(
        "riprap-checkpoint-{}-{:?}.state",
        std::process::id(),
        std::thread::current().id()
    ));
    fs::write(&path, bytes).unwrap();
    let result = Run::resume(setup(), None, &path);
    fs::remove_file(&path).unwrap();
    match result {
        Ok((run, _)) => Ok(run),
        Err(RunError::Checkpoint { error, .. }) => Err(error.to_string()),
        Err(other) => panic!("{other}"),
    }
}

fn newest() -> Vec<u8> {
    fs::read(folder().join(FILES[FILES.len() - 1])).unwrap()
}

/// The sections of the newest file after a change, as a file with a right checksum.
fn changed(change: impl FnOnce(&mut Sections)) -> Vec<u8> {
    let file = newest();
    let mut sections = take_apart(&file);
    assert_eq!(put_together(&file[..HEADER], &sections), file);
    change(&mut sections);
    put_together(&file[..HEADER], &sections)
}

fn section<'a>(sections: &'a mut Sections, name: &str) -> &'a mut Vec<u8> {
    &mut sections.iter_mut().find(|section| section.0 == name).unwrap().2
}

fn write_word(values: &mut [u8], word: usize, value: u64) {
    values[8 * word..8 * word + 8].copy_from_slice(&value.to_le_bytes());
}

/// What a contact with a wall remembers: the normal, and what the law remembers.
const WALL_NUMBERS: usize = 3 + 8;

/// Checkpoints of all versions so far, the newest last.
const FILES: &[&str] = &["v3.state", "v3-account2.state"];

#[test]
fn every_version_is_read_and_goes_on() {
    for file in FILES {
        let (mut run, changes) = Run::resume(setup(), None, &folder().join(file)).unwrap();
        let simulation = run.simulation();
        assert_eq!(
            changes,
            SceneChanges { scene: false, keys: Vec::new(), contacts: false, time_step: None }
        );
        assert_eq!((simulation.steps(), simulation.bodies().len(), simulation.inserted()), (1000, 93, 93));
        assert!(simulation.bodies().turning.orientation.len() == 93);
        assert!(simulation.ledger().error() < 1e-3, "{:?}", simulation.ledger());
        let (pairs, walls) = simulation.contact_counts();
        assert!(pairs > 10 && walls > 10, "{pairs} {walls}");
        run.advance_to(2500, |_| ControlFlow::Continue(())).unwrap();
        assert!(run.simulation().inserted() > 93 && run.simulation().ledger().error() < 1e-3);
    }
}

/// Sections that an older version did not have have their defaults; those without which there is nothing to read are asked for.
#[test]
fn missing_sections_have_their_defaults() {
    let optional = [
        "turning",
        "contacts",
        "wall contacts",
        "account",
        "outflow",
        "smallest",
        "basis",
        "insertions",
        "series",
        "frames",
    ];
    for name in optional {
        let run = resume(&changed(|sections| sections.retain(|section| section.0 != name)));
        assert!(run.is_ok(), "{name}: {:?}", run.err());
    }
    for name in ["origin", "progress", "bodies"] {
        let run = resume(&changed(|sections| sections.retain(|section| section.0 != name)));
        assert_eq!(run.err(), Some(format!("has no section `{name}`")));
    }
    // Nothing but what must be there: the simulation goes on all the same.
    let mut run =
        resume(&changed(|sections| sections.retain(|section| !optional.contains(&&section.0[..])))).unwrap();
    assert_eq!(run.simulation().bodies().turning.orientation, vec![[1.0, 0.0, 0.0, 0.0]; 93]);
    run.advance_to(1100, |_| ControlFlow::Continue(())).unwrap();
    let run = resume(&changed(|sections| sections.push(("future".into(), 1, vec![1, 2, 3]))));
    assert!(run.err().unwrap().contains("section `future`"));
    let run = resume(&changed(|sections| sections[0].1 = 99));
    assert!(run.err().unwrap().contains("has version 99 of section"));
}

#[test]
fn forged_values_are_refused() {
    let refused = |change: &dyn Fn(&mut Sections)| resume(&changed(change)).err().expect("a refusal");
    // Counts that cannot be, in every section that begins with one.
    for name in ["bodies", "turning", "insertions", "frames", "smallest", "basis"] {
        for count in [u64::MAX, 1 << 60, 1 << 40] {
            let error = refused(&|sections| write_word(section(sections, name), 0, count));
            assert!(error.contains("do not fit its length"), "{name} {count}: {error}");
        }
    }
    for name in ["contacts", "wall contacts"] {
        for (word, value) in [(0, u64::MAX), (0, 9), (1, u64::MAX), (1, 1 << 50)] {
            let error = refused(&|sections| write_word(section(sections, name), word, value));
            assert!(error.contains("is damaged"), "{name} {word} {value}: {error}");
        }
    }
    // Sums of energies that are none: a moment and thirteen sums.
    for word in 0..16 {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let error = refused(&|sections| write_word(section(sections, "account"), word, value.to_bits()));
            assert!(error.contains("section `account`: a number is not finite"), "{error}");
        }
    }
    // Of the first body: an id that is there twice, one never given, a shape, a material, a radius, a mass, a position.
    let body = |word: usize, value: u64| {
        refused(&|sections| write_word(section(sections, "bodies"), 1 + word, value))
    };
    let second = u64::from_le_bytes({
        let mut sections = take_apart(&newest());
        section(&mut sections, "bodies")[8 * 26..8 * 27].try_into().unwrap()
    });
    assert!(body(0, second).contains("is there twice"));
    assert!(body(0, 93).contains("never inserted"));
    assert!(body(1, 1 << 8).contains("material or shape"));
    assert!(body(1, 5).contains("material or shape"));
    assert!(body(1, 1 << 40).contains("is damaged"));
    for value in [0.0, -1.0] {
        assert!(body(2, f64::to_bits(value)).contains("radius"));
        assert!(body(3, f64::to_bits(value)).contains("mass"));
    }
    assert!(body(4, f64::NAN.to_bits()).contains("not finite"));
    // A contact with a body or a wall that is not there, and contacts out of order.
    let contact = |name: &str, word: usize, value: u64| {
        refused(&|sections| write_word(section(sections, name), 2 + word, value))
    };
    assert!(contact("contacts", 0, 1 << 40).contains("not in order"));
    assert!(contact("wall contacts", 0, 83).contains("not in order"));
    let wall_count = |value: u64| {
        refused(&|sections| {
            let values = section(sections, "wall contacts");
            let last = values.len() / 8 - (3 + WALL_NUMBERS);
            write_word(values, last + 1, value);
        })
    };
    assert!(wall_count(7 << 16).contains("wall that the scene does not have"));
    let outflows = refused(&|sections| {
        let values = section(sections, "outflow");
        write_word(values, 2, 0);
        values.truncate(24);
    });
    assert!(outflows.contains("different numbers of outflows"), "{outflows}");
    for word in 0..2 {
        let error = refused(&|sections| write_word(section(sections, "progress"), word, u64::MAX));
        assert!(error.contains("steps or particles"), "{error}");
    }
    // More has left than there was, or a negative mass.
    let strayed =
        |word: usize, value: u64| refused(&|sections| write_word(section(sections, "outflow"), word, value));
    for error in [strayed(0, 94), strayed(0, u64::MAX), strayed(1, (-1.0f64).to_bits()), strayed(3, 94)] {
        assert!(error.contains("have left, of 93 ever inserted"), "{error}");
    }
    assert!(strayed(1, f64::NAN.to_bits()).contains("not finite"));
    let smallest = |word: usize, value: f64| {
        refused(&|sections| write_word(section(sections, "smallest"), 1 + word, value.to_bits()))
    };
    for error in [smallest(0, 0.0), smallest(0, -1.0), smallest(1, 0.0), smallest(1, -1.0)] {
        assert!(error.contains("a radius or mass is not above zero"), "{error}");
    }
    let materials = refused(&|sections| {
        let values = section(sections, "smallest");
        write_word(values, 0, 1);
        values.truncate(24);
    });
    assert!(materials.contains("different numbers of materials"), "{materials}");
    // Of the law: its name, five letters long, whether it resists rolling, and the time step.
    let basis =
        |word: usize, value: u64| refused(&|sections| write_word(section(sections, "basis"), word, value));
    assert!(basis(1, u64::from(b'H')).contains("the law is not known"));
    assert!(basis(6, 0).contains("numbers, expected"));
    assert!(basis(6, 2).contains("flag"));
    for step in [0.0, -1.0] {
        assert!(basis(8, f64::to_bits(step)).contains("the time step is not above zero"));
    }
    let image = wall_count(3);
    assert!(image.contains("wall that the scene does not have"), "{image}");
    let orientation = refused(&|sections| write_word(section(sections, "turning"), 1, 0));
    assert!(orientation.contains("particle"), "{orientation}");
    let flag = refused(&|sections| write_word(section(sections, "progress"), 2, 2));
    assert!(flag.contains("flag"), "{flag}");
}

/// Whatever a word is replaced by, the answer is a refusal or a state that can be advanced, never a panic.
#[test]
fn no_word_makes_it_panic() {
    let sections = take_apart(&newest());
    for (index, (_, _, values)) in sections.iter().enumerate() {
        let words = values.len() / 8;
        for word in (0..words).step_by((words / 40).max(1)) {
            for value in [u64::MAX, 0, 1 << 63, f64::NAN.to_bits(), 1e300f64.to_bits(), 1 << 32] {
                let file = changed(|sections| write_word(&mut sections[index].2, word, value));
                if let Ok(mut run) = resume(&file) {
                    let end = run.simulation().steps().saturating_add(3);
                    let _ = run.advance_to(end, |_| ControlFlow::Continue(()));
                }
            }
        }
    }
}

#[test]
fn damage_and_other_files_are_noticed() {
    let file = newest();
    for length in (0..file.len()).step_by(97) {
        assert!(resume(&file[..length]).is_err());
    }
    for position in (0..file.len()).step_by(131) {
        let mut damaged = file.clone();
        damaged[position] ^= 1 << (position % 8);
        assert!(resume(&damaged).is_err(), "{position}");
    }
    assert_eq!(resume(b"series,1,2,3").err().unwrap(), "is not a checkpoint");
    let mut older = file.clone();
    older[16] = 2;
    assert_eq!(resume(&older).err().unwrap(), "has version 2, expected 3");
    older[16] = 3;
    older[20] = 2;
    assert_eq!(resume(&older).err().unwrap(), "has 2 dimensions, the scene 3");
}

/// A stiffer material takes a shorter step: the run goes on from the same velocities at the same time, and keeps its energy.
#[test]
fn a_run_goes_on_with_other_materials_and_another_step() {
    let file = folder().join(FILES[1]);
    for (stiffer, step) in [(1.0, 1.3e-5), (1.0, 3e-5), (4.0, 1e-5)] {
        let mut changed = setup();
        let list = changed.materials.list().iter().cloned();
        let list = list.map(|grain| Material { young: grain.young.map(|young| stiffer * young), ..grain });
        changed.materials = Materials::new(changed.materials.law(), list.collect()).unwrap();
        changed.settings.time_step = step;
        let before = Run::resume(setup(), None, &file).unwrap().0;
        let (mut run, changes) = Run::resume(changed, None, &file).unwrap();
        assert_eq!((changes.scene, changes.contacts), (false, stiffer != 1.0));
        let (then, now) = changes.time_step.unwrap();
        assert!(then == 2e-5 && now <= step && now > 0.99 * step, "{then} {now}");
        let (old, new) = (before.simulation(), run.simulation());
        assert!((new.time() - old.time()).abs() < 1e-15, "{}", new.time());
        for (one, other) in old.velocities().zip(new.velocities()) {
            assert!((0..3).all(|k| (one[k] - other[k]).abs() < 1e-12));
        }
        run.advance_to((0.05 / now).round() as u64, |_| ControlFlow::Continue(())).unwrap();
        assert!(run.simulation().inserted() > 93);
        assert!(run.simulation().ledger().error() < 1e-3, "{:?}", run.simulation().ledger());
    }
    // A file that does not say how its forces came about goes on with its own step only.
    let mut changed = setup();
    changed.settings.time_step = 1e-5;
    let refusal = Run::resume(changed, None, &folder().join(FILES[0])).map(|_| ()).unwrap_err();
    assert!(refusal.to_string().contains("set `time.step = 2e-5` to go on"), "{refusal}");
}
