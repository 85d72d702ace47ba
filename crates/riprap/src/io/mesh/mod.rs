//! Triangle meshes: STL (text or binary) and OBJ.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::FileError;

/// Largest mesh file, in bytes.
const LARGEST_FILE: u64 = 2 << 30;

/// Reads the triangles of a mesh; the format follows from the ending `.stl` or `.obj`.
pub fn read_triangles(path: &Path) -> Result<Vec<[[f64; 3]; 3]>, FileError> {
    let failed = |message: String| FileError { path: path.to_path_buf(), line: None, message };
    let file = File::open(path).map_err(|error| failed(format!("cannot open: {error}")))?;
    let size = file.metadata().map_err(|error| failed(format!("cannot read: {error}")))?;
    if size.is_dir() || size.len() > LARGEST_FILE {
        return Err(failed(format!("expected a mesh file of at most {LARGEST_FILE} bytes")));
    }
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
    let triangles = match ending.as_deref() {
        Some("stl") => {
            let triangles = stl_io::create_stl_reader(&mut reader)
                .map_err(|error| failed(format!("is not an STL file: {error}")))?;
            // The count in the header of a binary file is not trusted: memory grows with what is really there.
            triangles
                .enumerate()
                .map(|(index, triangle)| {
                    let triangle = triangle.map_err(|error| failed(format!("triangle {index}: {error}")))?;
                    Ok(triangle.vertices.map(|vertex| [0, 1, 2].map(|k| f64::from(vertex[k]))))
                })
                .collect::<Result<Vec<_>, FileError>>()?
        }
        Some("obj") => read_obj(&mut reader).map_err(failed)?,
        _ => return Err(failed("expected a name that ends in `.stl` or `.obj`".to_string())),
    };
    if triangles.is_empty() {
        return Err(failed("has no triangles".to_string()));
    }
    Ok(triangles)
}

fn read_obj(reader: &mut BufReader<File>) -> Result<Vec<[[f64; 3]; 3]>, String> {
    let options = tobj::LoadOptions { triangulate: true, single_index: true, ..tobj::LoadOptions::default() };
    // Materials and textures do not matter here.
    let (models, _) = tobj::load_obj_buf(reader, &options, |_| Ok(Default::default()))
        .map_err(|error| format!("is not an OBJ file: {error}"))?;
    let mut triangles = Vec::new();
    for model in &models {
        let mesh = &model.mesh;
        for corners in mesh.indices.chunks_exact(3) {
            let mut triangle = [[0.0; 3]; 3];
            for (corner, &index) in triangle.iter_mut().zip(corners) {
                let first = 3 * index as usize;
                let values = mesh.positions.get(first..first + 3).ok_or_else(|| {
                    format!("object `{}` refers to vertex {index}, which is not there", model.name)
                })?;
                *corner = std::array::from_fn(|k| values[k]);
            }
            triangles.push(triangle);
        }
    }
    Ok(triangles)
}
