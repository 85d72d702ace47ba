//! Particles, points and radii from CSV, NumPy, text and LAMMPS files. The first byte chooses the ending: c for CSV, n for NumPy, t for the rest.
#![no_main]

use libfuzzer_sys::fuzz_target;
use riprap::io::{read_moving_particles, read_particle_file, read_points, read_radii};

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else { return };
    let name = match first {
        b'c' => "a.csv",
        b'n' => "a.npy",
        _ => "a.txt",
    };
    let path = riprap_fuzz::file(name, rest);
    if let Ok(file) = read_particle_file(&path) {
        assert!(file.ids.is_none_or(|ids| !ids.is_empty()));
    }
    let _ = read_moving_particles(&path);
    let _ = read_points(&path);
    let _ = read_radii(&path);
});
