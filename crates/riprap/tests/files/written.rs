//! Meshes that were written are read again.

use std::fs;

use riprap::io::{read_mesh, write_mesh};
use riprap::mesh::{Mesh, shapes};

use crate::Folder;

#[test]
fn what_is_written_is_read_again() {
    let folder = Folder::new("written");
    let odd = Mesh::new(
        vec![[1e-300, -0.1, 1.0 / 3.0], [1e49, 2.0, -0.0], [5e-324, 1e22, 7.0], [9.0; 3]],
        vec![[0, 1, 2], [2, 1, 0], [1, 1, 1]],
    );
    for mesh in [shapes::sphere(6), shapes::knot(0.3, 40, 12), odd.unwrap()] {
        for name in ["a.ply", "a.obj", "a.PLY"] {
            let path = folder.0.join(name);
            write_mesh(&path, &mesh).unwrap();
            assert_eq!(read_mesh(&path).unwrap(), mesh, "{name}");
        }
    }
    // Single precision keeps the triangles together.
    let mesh = shapes::knot(0.3, 40, 12);
    let path = folder.0.join("a.stl");
    write_mesh(&path, &mesh).unwrap();
    let rounded = read_mesh(&path).unwrap();
    rounded.check_closed().unwrap();
    assert_eq!(rounded.triangles().len(), mesh.triangles().len());
    for triangle in 0..mesh.triangles().len() {
        let expected = mesh.corners(triangle).map(|corner| corner.map(|x| f64::from(x as f32)));
        assert_eq!(rounded.corners(triangle), expected);
    }
    assert_eq!(fs::metadata(&path).unwrap().len(), 84 + 50 * mesh.triangles().len() as u64);
    // The normal of the first triangle has length one and is perpendicular to its edges.
    let bytes = fs::read(&path).unwrap();
    let normal: [f64; 3] = std::array::from_fn(|k| {
        f64::from(f32::from_le_bytes(bytes[84 + 4 * k..88 + 4 * k].try_into().unwrap()))
    });
    let dot = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| a[k] * b[k]).sum::<f64>();
    let [a, b, _] = mesh.corners(0);
    assert!((dot(normal, normal) - 1.0).abs() < 1e-6 && (dot(normal, a) - dot(normal, b)).abs() < 1e-6);
}

#[test]
fn what_cannot_be_written_leaves_nothing() {
    let folder = Folder::new("unwritten");
    let huge = Mesh::new(vec![[1e40, 0.0, 0.0]], vec![[0, 0, 0]]).unwrap();
    for (name, expected) in [
        ("a.stl", "a.stl: cannot write: coordinates beyond 3.4e38 need `.ply` or `.obj`"),
        ("a.off", "a.off: cannot write: expected a name that ends in `.stl`, `.obj` or `.ply`"),
        ("none/a.ply", "none/a.ply: cannot write: No such file"),
    ] {
        let message = write_mesh(&folder.0.join(name), &huge).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 0);
}
