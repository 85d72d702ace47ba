//! Files of meshes and points: every form of every format, what is refused and how, and files that were damaged at random.

mod damaged;
mod obj_and_stl;
mod ply;
mod points;
mod written;

use std::fs;
use std::path::PathBuf;

use riprap::io::{read_mesh, read_points};
use riprap::mesh::Mesh;

/// A folder for one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("riprap-files-{test}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, content).unwrap();
        path
    }

    fn mesh(&self, name: &str, content: impl AsRef<[u8]>) -> Mesh {
        read_mesh(&self.file(name, content)).unwrap_or_else(|error| panic!("{error}"))
    }

    /// What is said about a mesh that is refused, without the folder.
    fn refusal(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let error = read_mesh(&self.file(name, content)).expect_err("accepted").to_string();
        error.replace(&format!("{}/", self.0.display()), "")
    }

    fn points(&self, name: &str, content: impl AsRef<[u8]>) -> Vec<[f64; 3]> {
        read_points(&self.file(name, content)).unwrap_or_else(|error| panic!("{error}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The corners of a tetrahedron.
const CORNERS: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// Its faces.
const FACES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

fn tetrahedron() -> Mesh {
    Mesh::new(CORNERS.to_vec(), FACES.to_vec()).unwrap()
}

/// Corners and quadrilaterals of a cube.
const CUBE: [[u32; 3]; 8] =
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
const SIDES: [[u32; 4]; 6] =
    [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];
