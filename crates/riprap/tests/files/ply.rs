//! PLY files.

use crate::{CORNERS, CUBE, FACES, Folder, SIDES, tetrahedron};

/// How the elements of a file are written.
#[derive(Clone, Copy)]
enum Encoding {
    Text,
    Little,
    Big,
}

const ENCODINGS: [(Encoding, &str); 3] = [
    (Encoding::Text, "ascii"),
    (Encoding::Little, "binary_little_endian"),
    (Encoding::Big, "binary_big_endian"),
];

/// The bytes of a number of this type.
fn number(encoding: Encoding, kind: &str, value: f64) -> Vec<u8> {
    let bytes = match kind {
        "char" | "int8" => (value as i8).to_le_bytes().to_vec(),
        "uchar" | "uint8" => (value as u8).to_le_bytes().to_vec(),
        "short" | "int16" => (value as i16).to_le_bytes().to_vec(),
        "ushort" | "uint16" => (value as u16).to_le_bytes().to_vec(),
        "int" | "int32" => (value as i32).to_le_bytes().to_vec(),
        "uint" | "uint32" => (value as u32).to_le_bytes().to_vec(),
        "float" | "float32" => (value as f32).to_le_bytes().to_vec(),
        "double" | "float64" => value.to_le_bytes().to_vec(),
        other => panic!("{other}"),
    };
    match encoding {
        Encoding::Text => format!("{value} ").into_bytes(),
        Encoding::Little => bytes,
        Encoding::Big => bytes.into_iter().rev().collect(),
    }
}

/// An element: its name, its properties, and its rows of numbers, in which lists have their lengths before them.
struct Element<'a> {
    name: &'a str,
    /// Types of the properties, two for a list, and their names.
    properties: Vec<(&'a [&'a str], &'a str)>,
    rows: Vec<Vec<f64>>,
}

fn file((encoding, name): (Encoding, &str), elements: &[Element<'_>]) -> Vec<u8> {
    let mut bytes = format!("ply\nformat {name} 1.0\ncomment made by a test\n").into_bytes();
    for element in elements {
        bytes.extend(format!("element {} {}\n", element.name, element.rows.len()).bytes());
        for (kinds, name) in &element.properties {
            let list = if kinds.len() == 2 { "list " } else { "" };
            bytes.extend(format!("property {list}{} {name}\n", kinds.join(" ")).bytes());
        }
    }
    bytes.extend(b"end_header\n");
    for element in elements {
        for row in &element.rows {
            let mut values = row.iter();
            for (kinds, _) in &element.properties {
                let first = *values.next().unwrap();
                bytes.extend(number(encoding, kinds[0], first));
                if let [_, entry] = kinds {
                    values
                        .by_ref()
                        .take(first as usize)
                        .for_each(|&x| bytes.extend(number(encoding, entry, x)));
                }
            }
            if matches!(encoding, Encoding::Text) {
                bytes.push(b'\n');
            }
        }
    }
    bytes
}

fn vertices<'a>(kind: &'a [&'a str]) -> Element<'a> {
    let rows = CORNERS.map(|corner| corner.to_vec()).to_vec();
    Element { name: "vertex", properties: vec![(kind, "x"), (kind, "y"), (kind, "z")], rows }
}

fn faces<'a>(kinds: &'a [&'a str], name: &'a str) -> Element<'a> {
    let rows = FACES.iter().map(|face| [3].iter().chain(face).map(|&x| f64::from(x)).collect()).collect();
    Element { name: "face", properties: vec![(kinds, name)], rows }
}

#[test]
fn every_encoding_and_every_type() {
    let folder = Folder::new("ply-types");
    let whole = [
        "char", "uchar", "short", "ushort", "int", "uint", "int8", "uint8", "int16", "uint16", "int32",
        "uint32",
    ];
    for encoding in ENCODINGS {
        for coordinate in ["float", "double", "float32", "float64", "short"] {
            let content =
                file(encoding, &[vertices(&[coordinate]), faces(&["uchar", "int"], "vertex_indices")]);
            assert_eq!(folder.mesh("a.ply", content), tetrahedron(), "{} {coordinate}", encoding.1);
        }
        for (length, entry) in whole.iter().flat_map(|length| whole.map(|entry| (*length, entry))) {
            let content = file(encoding, &[vertices(&["double"]), faces(&[length, entry], "vertex_index")]);
            assert_eq!(folder.mesh("a.ply", content), tetrahedron(), "{} {length} {entry}", encoding.1);
        }
    }
}

#[test]
fn other_elements_and_properties_are_ignored() {
    let folder = Folder::new("ply-others");
    for encoding in ENCODINGS {
        let mut vertex = vertices(&["float"]);
        vertex.properties.insert(1, (&["uchar", "double"], "weights"));
        vertex.properties.push((&["uchar"], "red"));
        for row in &mut vertex.rows {
            row.splice(1..1, [2.0, 0.5, 0.25]);
            row.push(255.0);
        }
        let mut face = faces(&["uchar", "uint"], "vertex_indices");
        face.properties.push((&["uchar", "float"], "texcoord"));
        face.rows.iter_mut().for_each(|row| row.extend([0.0]));
        let before = Element {
            name: "camera",
            properties: vec![(&["double"], "view"), (&["int", "short"], "list")],
            rows: vec![vec![0.5, 1.0, -3.0], vec![0.25, 0.0]],
        };
        let after = Element { name: "edge", properties: vec![(&["int"], "x")], rows: vec![vec![7.0]] };
        let content = file(encoding, &[before, vertex, face, after]);
        assert_eq!(folder.mesh("a.ply", content), tetrahedron(), "{}", encoding.1);
        // Faces may come first.
        let content = file(encoding, &[faces(&["uchar", "int"], "vertex_indices"), vertices(&["float"])]);
        assert_eq!(folder.mesh("a.ply", content), tetrahedron(), "{}", encoding.1);
    }
    // With the line ends of another system, blank lines, and numbers with exponents.
    let text = String::from_utf8(file(
        ENCODINGS[0],
        &[vertices(&["double"]), faces(&["uchar", "int"], "vertex_indices")],
    ));
    let text = text.unwrap().replace("1 0 0 \n", "+1.0e0 0.0 -0e5\n\n").replace('\n', "\r\n") + "\r\n \r\n";
    assert_eq!(folder.mesh("a.ply", text), tetrahedron());
}

#[test]
fn polygons_become_triangles_and_equal_vertices_one() {
    let folder = Folder::new("ply-polygons");
    for encoding in ENCODINGS {
        let corner = |vertex: u32| CUBE[vertex as usize].map(f64::from).to_vec();
        let properties: Vec<(&[&str], &str)> = vec![(&["float"], "x"), (&["float"], "y"), (&["float"], "z")];
        // Each side has vertices of its own, as files with normals have.
        let rows: Vec<Vec<f64>> = SIDES.iter().flatten().map(|&vertex| corner(vertex)).collect();
        let vertex = Element { name: "vertex", properties, rows };
        let rows = (0..6)
            .map(|side| {
                vec![
                    4.0,
                    4.0 * side as f64,
                    4.0 * side as f64 + 1.0,
                    4.0 * side as f64 + 2.0,
                    4.0 * side as f64 + 3.0,
                ]
            })
            .collect();
        let face = Element { name: "face", properties: vec![(&["uchar", "int"], "vertex_indices")], rows };
        let mesh = folder.mesh("cube.ply", file(encoding, &[vertex, face]));
        assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (24, 12));
        assert_eq!(mesh.triangles()[..2], [[0, 1, 2], [0, 2, 3]]);
        mesh.check_closed().unwrap();
    }
}

#[test]
fn polygons_before_their_vertices_are_cut_when_these_are_known() {
    let folder = Folder::new("ply-order");
    let text = "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\nelement vertex 4\n\
                property float x\nproperty float y\nproperty float z\nend_header\n4 0 1 2 3\n\
                -2 -1 0\n0 0 0\n2 -1 0\n0 2 0\n";
    // An arrow head: the corner at the origin must be one of both triangles.
    assert_eq!(folder.mesh("arrow.ply", text).triangles(), [[3, 0, 1], [1, 2, 3]]);
}

const HEADER: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
                      element face 1\nproperty list uchar int vertex_indices\nend_header\n";
const ROWS: &str = "0 0 0\n1 0 0\n0 1 0\n";

#[test]
fn bad_texts_are_refused_with_line_and_element() {
    let folder = Folder::new("ply-bad");
    let with = |rows: &str, face: &str| format!("{HEADER}{rows}{face}\n");
    let header = |old: &str, new: &str| format!("{}{ROWS}3 0 1 2\n", HEADER.replace(old, new));
    assert_eq!(folder.mesh("good.ply", with(ROWS, "3 0 1 2")).triangles(), [[0, 1, 2]]);
    for (content, expected) in [
        (String::new(), "bad.ply: is empty, expected a mesh"),
        ("solid\n".into(), "bad.ply: line 1: is not the header of a PLY file: Expected magic number 'ply'"),
        ("ply\n".into(), "line 2: is not the header of a PLY file: Unexpected end of file"),
        (header("format ascii 1.0\n", ""), "is not the header of a PLY file: No format line found"),
        (header("ascii 1.0", "text 1.0"), "line 2: is not the header of a PLY file: Couldn't parse line"),
        (header("float x", "quad x"), "line 4: is not the header of a PLY file"),
        (header("vertex 3", "vertex -3"), "line 3: is not the header of a PLY file"),
        (
            header("vertex 3", "vertex 99999999999999999999"),
            "line 3: is not the header of a PLY file: Invalid element",
        ),
        (header("property float z\n", ""), "its vertices have no number `z`"),
        (header("float z", "list uchar float z"), "its vertices have no number `z`"),
        (header("element vertex", "element point"), "has no element `vertex` with `x`, `y` and `z`"),
        (
            header("int vertex_indices", "float vertex_indices"),
            "its faces have no list `vertex_indices` or `vertex_index` of whole",
        ),
        (header("list uchar int vertex_indices", "int vertex_indices"), "its faces have no list"),
        (header("vertex_indices", "corners"), "its faces have no list"),
        (
            header("element face 1\n", "element nothing 4000000000\nelement face 1\n"),
            "element `nothing` has no properties; drop it",
        ),
        (header("face 1", "face 0").replace("3 0 1 2\n", ""), "has no triangles, expected a surface"),
        (header("face 1", "face 0"), "goes on after the elements that its header lists"),
        (
            header("element face 1\nproperty list uchar int vertex_indices\n", "").replace("3 0 1 2\n", ""),
            "has no triangles",
        ),
        (header("vertex 3", "vertex 4"), "ends in face 0, expected 1 as its header says"),
        (header("vertex 3", "vertex 2"), "line 12: face 0: a face with 0 corners"),
        (header("vertex 3", "vertex 4294967295"), "ends in vertex 4, expected 4294967295 as its header says"),
        (header("face 1", "face 18446744073709551615"), "ends in face 1, expected 18446744073709551615"),
        (
            with("0 0 0\n1 0 0\n0 nan 0\n", "3 0 1 2"),
            "line 12: vertex 2: `0 nan 0`, expected `x`, `y`, `z` as finite numbers",
        ),
        (
            with("0 0 0\n1 0\n0 0 0\n", "3 0 1 2"),
            "line 11: vertex 1: `1 0`, expected `x`, `y`, `z` as finite numbers",
        ),
        (
            with("0 0 0\n1e99 0 0\n0 0 0\n", "3 0 1 2"),
            "line 11: vertex 1: `x` is inf, expected a finite number",
        ),
        (
            with(ROWS, "3 0 1 3"),
            "line 13: face 0: corner 3, expected one of the 3 vertices, which are numbered from 0",
        ),
        (with(ROWS, "3 0 1 -1"), "line 13: face 0: corner -1, expected one of the 3 vertices"),
        (with(ROWS, "2 0 1"), "line 13: face 0: a face with 2 corners, expected at least 3"),
        (with(ROWS, "0"), "line 13: face 0: a face with 0 corners, expected at least 3"),
        (
            with(ROWS, "3 0 1"),
            "line 13: face 0: `3 0 1`, expected the length and the entries of `vertex_indices`",
        ),
        (with(ROWS, "4000000000 0 1 2"), "line 13: face 0: `4000000000 0 1 2`, expected the length"),
        (with(ROWS, "-3 0 1 2"), "line 13: face 0: `-3 0 1 2`, expected the length"),
        (with(ROWS, "3 0 1 1.5"), "line 13: face 0: `3 0 1 1.5`, expected the length"),
        (with(ROWS, "3 0 1 2\n3 0 1 2"), "goes on after the elements that its header lists"),
        (with(ROWS, ""), "ends in face 0, expected 1 as its header says"),
    ] {
        let message = folder.refusal("bad.ply", &content);
        assert!(message.contains(expected), "{content}\n{message}\nexpected {expected}");
        assert!(message.starts_with("bad.ply: ") && message.len() < 300, "{message}");
    }
    let mut latin = HEADER.replace("element face", "comment Fl\u{1}che\nelement face").into_bytes();
    latin.iter_mut().filter(|byte| **byte == 1).for_each(|byte| *byte = 0xe4);
    assert!(
        folder
            .refusal("bad.ply", latin)
            .contains("is not the header of a PLY file: stream did not contain valid UTF-8")
    );
    // Long lines are not repeated in full.
    let message = folder.refusal("bad.ply", with(&format!("0 0 {}\n", "z".repeat(100_000)), ""));
    assert!(message.len() < 300, "{message}");
}

#[test]
fn bad_binaries_are_refused_with_the_element() {
    let folder = Folder::new("ply-binary");
    let good = |kind: &'static [&'static str]| {
        let mut all = Vec::new();
        for encoding in &ENCODINGS[1..] {
            all.push((encoding.0, file(*encoding, &[vertices(&["float"]), faces(kind, "vertex_indices")])));
        }
        all
    };
    for (encoding, content) in good(&["uchar", "int"]) {
        let faces_at = content.len() - 4 * 13;
        let vertices_at = faces_at - 4 * 12;
        let changed = |at: usize, bytes: &[u8]| {
            let mut content = content.clone();
            content[at..at + bytes.len()].copy_from_slice(bytes);
            folder.refusal("bad.ply", content)
        };
        for length in 0..content.len() {
            let message = folder.refusal("bad.ply", &content[..length]);
            if length >= vertices_at {
                let place = if length < faces_at {
                    format!("ends in vertex {}, expected 4", (length - vertices_at) / 12)
                } else {
                    format!("ends in face {}, expected 4", (length - faces_at) / 13)
                };
                assert!(message.contains(&place), "{length}: {message}");
            }
        }
        let nan = number(encoding, "float", f64::NAN);
        assert_eq!(
            changed(vertices_at + 16, &nan),
            "bad.ply: vertex 1: `y` is NaN, expected a finite number"
        );
        let corner = |value: f64| changed(faces_at + 14, &number(encoding, "int", value));
        assert!(corner(4.0).contains("face 1: corner 4, expected one of the 4 vertices"), "{}", corner(4.0));
        assert!(corner(-1.0).contains("face 1: corner -1"), "{}", corner(-1.0));
        let more = [&content[..], b"x"].concat();
        assert!(folder.refusal("bad.ply", more).contains("goes on after the elements"));
        // A face of too many corners eats those of the others.
        assert!(changed(faces_at, &[255]).contains("ends in face 0"), "{}", changed(faces_at, &[255]));
        assert!(changed(faces_at, &[2]).contains("face 0: a face with 2 corners"));
    }
    for (encoding, content) in good(&["int", "uchar"]) {
        let faces_at = content.len() - 4 * 7;
        for (length, expected) in [(-3.0, "face 0: List length cannot be negative"), (2e9, "ends in face 0")]
        {
            let mut content = content.clone();
            content[faces_at..faces_at + 4].copy_from_slice(&number(encoding, "int", length));
            let message = folder.refusal("bad.ply", content);
            assert!(message.contains(expected), "{message}");
        }
    }
}
