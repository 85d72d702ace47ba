//! Scenes in TOML: a simulation is made of each that is read. Files beside it are there: a mesh and particles.
#![no_main]

use std::sync::Once;

use libfuzzer_sys::fuzz_target;
use riprap::scene::Scene;

static BESIDE: Once = Once::new();

fuzz_target!(|data: &[u8]| {
    BESIDE.call_once(|| {
        riprap_fuzz::file("corner.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
        riprap_fuzz::file("two.csv", b"x,y,z,r\n0,0,0,0.1\n1,0,0,0.2\n");
        riprap_fuzz::file("flat.csv", b"x,y,r\n0,0,0.1\n1,0,0.2\n");
    });
    match Scene::read(&riprap_fuzz::file("a.toml", data)) {
        Ok(Scene::Planar(setup)) => drop(setup.simulation()),
        Ok(Scene::Spatial(setup)) => drop(setup.simulation()),
        Err(error) => drop(error.to_string()),
    }
});
