//! Contacts of stones in checkpoints: `stones-vN.state` was written at step 12 000 of `stones.toml` with version N of the section.

use std::fs;
use std::ops::ControlFlow;

use riprap::run::Run;
use riprap::scene::{Scene, Setup};

use crate::{HEADER, folder, put_together, section, take_apart, write_word};

const FILES: &[&str] = &["stones-v1.state", "stones-v2.state"];

fn setup() -> Setup<3> {
    match Scene::read(&folder().join("stones.toml")).unwrap() {
        Scene::Spatial(setup) => *setup,
        Scene::Planar(_) => panic!("the scene is in space"),
    }
}

#[test]
fn every_version_is_read_and_goes_on() {
    for file in FILES {
        let (mut run, _) = Run::resume(setup(), None, &folder().join(file)).unwrap();
        let (pairs, walls) = run.simulation().contact_counts();
        assert!((run.simulation().steps(), run.simulation().bodies().len()) == (12_000, 10), "{file}");
        assert!(pairs > 2 && walls > 2, "{file}: {pairs} {walls}");
        run.advance_to(20_000, |_| ControlFlow::Continue(())).unwrap();
        let ledger = run.simulation().ledger();
        assert!(ledger.error() < 1e-3 && ledger.translation < 1e-3, "{file}: {ledger:?}");
    }
}

/// Whatever is in the place of a number: it is refused, or the simulation goes on or says why it cannot.
#[test]
fn forged_contacts_do_no_harm() {
    let file = fs::read(folder().join(FILES[FILES.len() - 1])).unwrap();
    let words = section(&mut take_apart(&file), "stone contacts").len() / 8;
    let (mut taken, mut refused) = (0, 0);
    for word in 0..words {
        for value in [0, 1, 1 << 17, 3 << 32 | 0xffff_ffff, 1 << 40, u64::MAX, 1e300f64.to_bits()] {
            let mut sections = take_apart(&file);
            write_word(section(&mut sections, "stone contacts"), word, value);
            let path =
                std::env::temp_dir().join(format!("riprap-forged-stones-{}.state", std::process::id()));
            fs::write(&path, put_together(&file[..HEADER], &sections)).unwrap();
            match Run::resume(setup(), None, &path) {
                Ok((mut run, _)) => {
                    taken += 1;
                    let _ = run.advance_to(12_002, |_| ControlFlow::Continue(()));
                }
                Err(_) => refused += 1,
            }
            fs::remove_file(&path).unwrap();
        }
    }
    assert!(taken > words && refused > words, "{taken} {refused}");
}
