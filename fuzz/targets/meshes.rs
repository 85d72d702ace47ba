//! Meshes from STL, OBJ and PLY files: s, o or p as the first byte chooses which. What is read must serve all that is done with meshes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use riprap::dem::wall::Facets;
use riprap::inside::{Inside, InsideMethod};
use riprap::io::{read_mesh, read_points, read_triangles};

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else { return };
    let name = match first {
        b's' => "a.stl",
        b'o' => "a.obj",
        _ => "a.ply",
    };
    let path = riprap_fuzz::file(name, rest);
    let _ = read_points(&path);
    if let Ok(triangles) = read_triangles(&path) {
        let _ = Facets::new(triangles, false);
    }
    let Ok(mesh) = read_mesh(&path) else { return };
    if mesh.triangles().len() > 1000 {
        return;
    }
    let _ = mesh.degenerate_triangles().count();
    if let Ok(inside) = Inside::new(&mesh, InsideMethod::Auto) {
        let mut places = Vec::new();
        inside.classify(mesh.vertices(), 1, &mut places).expect("vertices are finite");
    }
});
