//! Files that were damaged at random: they are read or refused, without a panic and without more memory than they are large.

use std::fs;

use riprap::Random;
use riprap::io::{read_mesh, read_points, write_mesh};
use riprap::mesh::shapes;

use crate::Folder;

/// Files of each kind.
const FILES: usize = 3000;

/// Replaces, removes, repeats or inserts bytes; numbers in texts become other numbers.
fn damage(content: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = content.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
        match random.below(7) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, random.bits() as u8),
            2 => {
                bytes.drain(at..(at + random.below(9)).min(bytes.len()));
            }
            3 => {
                let part = bytes[at..(at + random.below(60)).min(bytes.len())].to_vec();
                bytes.splice(at..at, part);
            }
            4 => {
                let number = [&b"4294967295"[..], b"-1", b"99999999999999999999", b"nan", b"1e999", b"0"]
                    [random.below(6)];
                let digit = bytes.iter().skip(at).position(u8::is_ascii_digit);
                if let Some(digit) = digit {
                    bytes.splice(at + digit..at + digit + 1, number.iter().copied());
                }
            }
            5 => bytes.iter_mut().skip(at).take(4).for_each(|byte| *byte = 0xff),
            _ => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = random.bits() as u8),
        }
    }
    bytes
}

/// The most memory that this process has ever asked for, in bytes, where the system tells it.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmPeak:"))?;
    Some(1024 * line.split_whitespace().nth(1)?.parse::<u64>().ok()?)
}

#[test]
fn damaged_files_are_read_or_refused() {
    let folder = Folder::new("damaged");
    let mesh = shapes::sphere(1);
    let mut files: Vec<(&str, Vec<u8>)> = Vec::new();
    for name in ["a.ply", "a.stl", "a.obj"] {
        let path = folder.0.join(name);
        write_mesh(&path, &mesh).unwrap();
        files.push((name, fs::read(&path).unwrap()));
    }
    let vertices: String = mesh.vertices().iter().map(|[x, y, z]| format!("{x} {y} {z}\n")).collect();
    let faces: String = mesh.triangles().iter().map(|[a, b, c]| format!("3 {a} {b} {c}\n")).collect();
    let header = format!(
        "ply\nformat ascii 1.0\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\n\
         element face {}\nproperty list uint int vertex_indices\nend_header\n",
        mesh.vertices().len(),
        mesh.triangles().len()
    );
    files.push(("text.ply", (header + &vertices + &faces).into_bytes()));
    let facets: String = (0..mesh.triangles().len())
        .map(|triangle| {
            let corners = mesh.corners(triangle).map(|[x, y, z]| format!("vertex {x} {y} {z}\n")).concat();
            format!("facet normal 0 0 1\nouter loop\n{corners}endloop\nendfacet\n")
        })
        .collect();
    files.push(("text.stl", format!("solid ball\n{facets}endsolid ball\n").into_bytes()));

    let before = peak();
    let mut random = Random::new(20);
    for (name, content) in &files {
        let (mut read, mut refused) = (0, 0);
        for _ in 0..FILES {
            let path = folder.file(name, damage(content, &mut random));
            match read_mesh(&path) {
                Ok(mesh) => {
                    read += 1;
                    assert!(mesh.triangles().iter().flatten().all(|&v| (v as usize) < mesh.vertices().len()));
                    assert!(mesh.vertices().iter().flatten().all(|x| x.is_finite()));
                }
                Err(error) => {
                    refused += 1;
                    assert!(error.to_string().len() < 1000, "{error}");
                }
            }
            let _ = read_points(&path);
            // Writing over a file makes some systems wait for the disk.
            fs::remove_file(&path).unwrap();
        }
        assert!(read > 10 && refused > 10, "{name}: {read} read, {refused} refused");
    }
    check_memory(before);
}

#[test]
fn claims_of_headers_take_no_memory() {
    let folder = Folder::new("claims");
    let before = peak();
    let claims = ["4294967295", "68719476736", "9223372036854775807", "18446744073709551615"];
    for claim in claims {
        for format in ["ascii", "binary_little_endian", "binary_big_endian"] {
            let header = format!(
                "ply\nformat {format} 1.0\nelement vertex {claim}\nproperty float x\nproperty float y\nproperty float z\n\
                 element face {claim}\nproperty list uint int vertex_indices\n"
            );
            let message = folder.refusal("a.ply", format!("{header}end_header\n0 0 0\n"));
            assert!(message.contains("ends in vertex "), "{message}");
            // Elements without properties would be there at once, in any number.
            let nothing = format!("{header}element nothing {claim}\nend_header\n");
            assert!(folder.refusal("a.ply", nothing).contains("has no properties"));
        }
        let mut list = format!(
            "ply\nformat binary_little_endian 1.0\nelement face 1\nproperty list uint double other\n\
             property list uint int vertex_indices\nelement vertex {claim}\nproperty float x\nproperty float y\n\
             property float z\nend_header\n"
        )
        .into_bytes();
        list.extend([0xff; 4]);
        assert!(folder.refusal("a.ply", list).contains("ends in face 0, expected 1"));
    }
    let mut stl = vec![0; 80];
    stl.extend([0xff; 100]);
    assert!(folder.refusal("a.stl", stl).contains("expected 4294967295"));
    check_memory(before);
}

/// Threads of other tests take some address space; what the headers claim is several times as much and more.
fn check_memory(before: Option<u64>) {
    if let (Some(before), Some(after)) = (before, peak()) {
        assert!(after - before < 8 << 30, "{} MiB", (after - before) >> 20);
    }
}
