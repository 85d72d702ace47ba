//! Checkpoints: the sections are random, the header around them is right, so that they are read. The first byte chooses the scene.
#![no_main]

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use riprap::run::Run;
use riprap::scene::{Scene, Setup};

/// Balls and stones, as in the tests of checkpoints.
static SCENES: OnceLock<[Setup<3>; 2]> = OnceLock::new();

fn scenes() -> [Setup<3>; 2] {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/riprap/tests/checkpoints");
    ["scene.toml", "stones.toml"].map(|name| match Scene::read(&folder.join(name)) {
        Ok(Scene::Spatial(setup)) => *setup,
        _ => panic!("{name} is a scene in space"),
    })
}

fuzz_target!(|data: &[u8]| {
    let Some((first, body)) = data.split_first() else { return };
    let setup = SCENES.get_or_init(scenes)[usize::from(*first) % 2].clone();
    let mut file = b"riprap state\r\n\x1a\n".to_vec();
    file.extend(3u32.to_le_bytes());
    file.extend(3u32.to_le_bytes());
    file.extend((body.len() as u64).to_le_bytes());
    file.extend(crc32fast::hash(body).to_le_bytes());
    file.extend(body);
    let path = riprap_fuzz::file("a.state", &file);
    let Ok((mut run, _)) = Run::resume(setup, None, &path) else { return };
    if run.simulation().bodies().len() < 100 {
        let two_more = run.simulation().steps().saturating_add(2);
        let _ = run.advance_to(two_more, |_| ControlFlow::Continue(()));
    }
});
