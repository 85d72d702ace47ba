//! `riprap inside` as scripts call it: meshes and points in every format, JSON, files out, and what it says about bad input.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::Folder;
use riprap::io::write_mesh;
use riprap::mesh::{Mesh, shapes};

const METHODS: [&str; 5] = ["cells", "ray-crossing", "ray-tree", "double-layer", "multipole"];

fn inside(mesh: &Path, points: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_riprap"));
    command.arg("inside").arg(mesh).arg(points).args(arguments).output().unwrap()
}

/// Runs with `--json` and returns the object, which must be all that is printed.
fn report(mesh: &Path, points: &Path, arguments: &[&str]) -> serde_json::Value {
    let output = inside(mesh, points, &[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The message on standard error; the exit code must be 2 and nothing may be printed.
fn refusal(mesh: &Path, points: &Path, arguments: &[&str]) -> String {
    let output = inside(mesh, points, arguments);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(output.stdout.is_empty());
    message
}

/// A tetrahedron: a corner of the unit cube.
const CORNER: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
/// Inside, outside, on a face, on an edge, a vertex, outside the box.
const POINTS: &str = "x,y,z\n0.1,0.2,0.3\n0.5,0.5,0.5\n0.25,0.25,0\n0,0,0.5\n1,0,0\n3,0,0\n";
const PLACES: [i8; 6] = [1, -1, 0, 0, 0, -1];

fn corner(folder: &Folder) -> (PathBuf, PathBuf) {
    (folder.file("corner.obj", CORNER), folder.file("points.csv", POINTS))
}

#[test]
fn reports_the_fields_that_scripts_rely_on() {
    let folder = Folder::new("inside-fields");
    let (mesh, points) = corner(&folder);
    for method in METHODS {
        let json = report(&mesh, &points, &["--method", method, "--repeat", "3", "--threads", "2"]);
        assert_eq!((&json["triangles"], &json["points"]), (&4.into(), &6.into()));
        assert_eq!(
            (&json["method"], &json["threads"], &json["repeat"]),
            (&method.into(), &2.into(), &3.into())
        );
        let counts = ["inside", "boundary", "outside"].map(|name| json[name].as_u64().unwrap());
        assert_eq!(counts, [1, 3, 2], "{method}");
        for time in ["setup_seconds", "query_seconds"] {
            assert!((0.0..10.0).contains(&json[time].as_f64().unwrap()), "{json}");
        }
    }
    let json = report(&mesh, &points, &[]);
    assert_eq!((&json["threads"], &json["repeat"]), (&1.into(), &1.into()));
    assert_eq!((&json["closed"], &json["degenerate_triangles"]), (&true.into(), &0.into()));
    let output = inside(&mesh, &points, &[]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("1 of 6 points inside 4 triangles, 3 on the boundary, 2 outside"), "{text}");
    assert!(text.contains("s to set up") && text.contains("ns per point"), "{text}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("read 4 triangles and 6 points"));
}

#[test]
fn writes_one_number_for_each_point() {
    let folder = Folder::new("inside-out");
    let (mesh, points) = corner(&folder);
    let lines = PLACES.map(|place| format!("{place}\n")).concat();
    for method in METHODS {
        let write = |name: &str| {
            let out = folder.0.join(name);
            let output = inside(&mesh, &points, &["--method", method, "--out", out.to_str().unwrap()]);
            assert!(output.status.success());
            assert!(String::from_utf8_lossy(&output.stdout).contains("places written to "));
            fs::read(&out).unwrap()
        };
        assert_eq!(String::from_utf8(write("places.txt")).unwrap(), lines);
        assert_eq!(String::from_utf8(write("places.csv")).unwrap(), format!("place\n{lines}"));
        let array = write("places.npy");
        assert!(array.starts_with(
            b"\x93NUMPY\x01\x00\x76\x00{'descr': '|i1', 'fortran_order': False, 'shape': (6,), }"
        ));
        assert_eq!(array[128..], PLACES.map(|place| place as u8));
    }
    // The two inputs and the three outputs, nothing half-written.
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 5);
}

#[test]
fn writes_windings_and_notes_triangles_without_area() {
    let folder = Folder::new("inside-windings");
    // The lowest triangle is missing, and one without area is too many.
    let open = CORNER.replace("f 1 3 2\n", "f 1 2 2\n");
    let mesh = folder.file("open.obj", open);
    let points = folder.file("points.csv", "x,y,z\n0.2,0.2,0.2\n0.25,0.25,0\n0,0,0.5\n9,9,9\n");
    let [text, table, array] = ["w.txt", "w.csv", "w.npy"].map(|name| folder.0.join(name));
    for out in [&text, &table, &array] {
        let output = inside(&mesh, &points, &["--windings", out.to_str().unwrap()]);
        assert!(String::from_utf8_lossy(&output.stdout).contains("windings written to "));
        let notes = String::from_utf8(output.stderr).unwrap();
        assert!(notes.contains("open.obj: triangles without area are passed over: 1"), "{notes}");
    }
    let lines = fs::read_to_string(&text).unwrap();
    let windings: Vec<f64> = lines.lines().map(|line| line.parse().unwrap()).collect();
    // In the plane of the missing triangle half of the sky is left; a point on an edge has no winding.
    assert!(windings[0] > 0.5 && windings[0] < 0.9, "{windings:?}");
    assert!((windings[1] - 0.5).abs() < 1e-12 && windings[2].is_nan(), "{windings:?}");
    assert!(windings[3].abs() < 1e-2, "{windings:?}");
    assert_eq!(fs::read_to_string(&table).unwrap(), format!("winding\n{lines}"));
    let bytes = fs::read(&array).unwrap();
    assert!(
        bytes.starts_with(
            b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }"
        )
    );
    let numbers = windings.iter().flat_map(|winding| winding.to_le_bytes()).collect::<Vec<_>>();
    assert_eq!(bytes[128..][..16], numbers[..16]);
    let same =
        refusal(&mesh, &points, &["--out", text.to_str().unwrap(), "--windings", text.to_str().unwrap()]);
    assert!(same.contains("w.txt: is for the places already"), "{same}");
}

#[test]
fn reads_every_format() {
    let folder = Folder::new("inside-formats");
    let ball = shapes::sphere(4);
    let points = folder.file("p.csv", "x,y,z\n0,0,0\n0,0,0.5\n0,0,1\n0,0,1.5\n");
    let places = |mesh: &Path, points: &Path| {
        let json = report(mesh, points, &[]);
        ["inside", "boundary", "outside"].map(|name| json[name].as_u64().unwrap())
    };
    for name in ["ball.ply", "ball.stl", "ball.obj"] {
        let mesh = folder.0.join(name);
        write_mesh(&mesh, &ball).unwrap();
        assert_eq!(report(&mesh, &points, &[])["triangles"], ball.triangles().len());
        assert_eq!(places(&mesh, &points), [2, 1, 1], "{name}");
    }
    let mesh = folder.0.join("ball.ply");
    let mut array = b"\x93NUMPY\x01\x00".to_vec();
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n";
    array.extend((header.len() as u16).to_le_bytes());
    array.extend(header.as_bytes());
    array.extend([0.0f64, 0.0, 0.5, 0.0, 2.0, 0.0].iter().flat_map(|x| x.to_le_bytes()));
    for file in [
        folder.file("p.npy", array),
        folder.file("p.txt", "Radius[m] PosX[m] PosY[m] PosZ[m]\n1 0 0 0.5\n1 0 2 0\n"),
        folder.file("p.dump", "ITEM: NUMBER OF ATOMS\n2\nITEM: ATOMS id x y z\n1 0 0 0.5\n2 0 2 0\n"),
    ] {
        assert_eq!(places(&mesh, &file), [1, 0, 1], "{}", file.display());
    }
    // Vertices of a mesh are points: those of the ball are on it, those of a smaller one within.
    let count = ball.vertices().len() as u64;
    assert_eq!(places(&mesh, &mesh), [0, count, 0]);
    let small = folder.0.join("small.obj");
    write_mesh(&small, &shapes::scaled(&ball, 0.5)).unwrap();
    assert_eq!(places(&mesh, &small), [count, 0, 0]);
    let output = inside(&mesh, &folder.file("far.csv", "x,y,z\n90,0,0\n"), &[]);
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("ball.ply: no point is in its box, from [-1.0, ")
    );
    // No points at all.
    assert_eq!(places(&mesh, &folder.file("none.csv", "x,y,z\n")), [0, 0, 0]);
}

#[test]
fn bad_meshes_are_refused() {
    let folder = Folder::new("inside-meshes");
    let (_, points) = corner(&folder);
    let out = folder.0.join("places.txt");
    let refused = |name: &str, content: &str| {
        let arguments = ["--method", "cells", "--out", out.to_str().unwrap()];
        refusal(&folder.file(name, content), &points, &arguments)
    };
    for (name, content, expected) in [
        // The triangle above the edge from (0, 1, 0) to (1, 0, 0) is missing.
        (
            "open.obj",
            CORNER.replace("f 2 3 4\n", ""),
            "open.obj: the surface is not closed (open edges: 3): the edge from vertex 2 at [0.0, 1.0, 0.0] to vertex 1 at [1.0, 0.0, 0.0]",
        ),
        ("flipped.obj", CORNER.replace("f 2 3 4", "f 2 4 3"), "flipped.obj: the surface is not closed"),
        ("empty.obj", "v 0 0 0\n".to_string(), "empty.obj: has no triangles"),
        ("nothing.ply", String::new(), "nothing.ply: is empty, expected a mesh"),
        (
            "nan.obj",
            CORNER.replace("v 1 0 0", "v 1 NaN 0"),
            "nan.obj: line 2: `y` is `NaN`, expected a finite number",
        ),
        (
            "huge.obj",
            CORNER.replace("v 1 0 0", "v 1e60 0 0"),
            "huge.obj: vertex 1: `x` is 1e60, expected a number between",
        ),
        ("corner.obj", CORNER.replace("f 2 3 4", "f 2 3 5"), "corner.obj: line 7: corner `5` of a face"),
        (
            "corner.off",
            CORNER.to_string(),
            "corner.off: expected a name that ends in `.stl`, `.obj` or `.ply`",
        ),
        ("corner.ply", CORNER.to_string(), "corner.ply: line 1: is not the header of a PLY file"),
        ("corner.stl", CORNER.to_string(), "corner.stl: is not an STL file"),
    ] {
        let message = refused(name, &content);
        assert!(message.contains(expected), "{message}\nexpected {expected}");
    }
    assert!(!out.exists());
    assert!(
        refusal(&folder.0.join("absent.stl"), &points, &[]).contains("absent.stl: cannot open: No such file")
    );
    assert!(refusal(&folder.0, &points, &[]).contains("is a folder, expected a mesh"));
    // Windings have a value for open surfaces too, and whoever does not choose is told.
    let open = folder.file("open.obj", CORNER.replace("f 1 3 2\n", ""));
    assert_eq!(report(&open, &points, &["--method", "multipole"])["points"], 6);
    let output = inside(&open, &points, &["--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&json["method"], &json["closed"]), (&"double-layer".into(), &false.into()));
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(
        notes.contains("open.obj: the surface is not closed (open edges: 3): the edge from vertex "),
        "{notes}"
    );
}

#[test]
fn bad_points_are_refused() {
    let folder = Folder::new("inside-points");
    let (mesh, _) = corner(&folder);
    for (name, content, expected) in [
        ("nan.csv", "x,y,z\n0,0,0\n0,nan,0\n", "nan.csv: line 3: `y` is `nan`, expected a finite number"),
        ("planar.csv", "x,y,r\n0,0,1\n", "planar.csv: line 1: no column `z`"),
        ("empty.csv", "", "empty.csv: is empty, expected points"),
        ("prose.txt", "Dear reader\n", "prose.txt: is not a file of points"),
    ] {
        let message = refusal(&mesh, &folder.file(name, content), &[]);
        assert!(message.contains(expected), "{message}\nexpected {expected}");
    }
    assert!(refusal(&mesh, &folder.0.join("absent.csv"), &[]).contains("absent.csv: cannot open"));
    assert!(refusal(&mesh, &folder.0, &[]).contains("is a folder, expected a file of points"));
}

#[test]
fn bad_arguments_are_refused() {
    let folder = Folder::new("inside-arguments");
    let (mesh, points) = corner(&folder);
    let message = refusal(&mesh, &points, &["--method", "winding"]);
    assert!(message.contains("unknown method `winding`; known methods: "), "{message}");
    assert!(METHODS.iter().all(|method| message.contains(&format!("`{method}`"))), "{message}");
    assert!(refusal(&mesh, &points, &["--out", "places.vtp"]).contains("ends in `.txt`, `.csv` or `.npy`"));
    assert!(refusal(&points, &mesh, &[]).contains("corner.obj is: the mesh comes first"));
    assert!(refusal(&mesh, &points, &["--repeat", "0"]).contains("--repeat"));
    assert!(refusal(&mesh, &points, &["--threads", "0"]).contains("--threads"));
    let same = refusal(&mesh, &points, &["--out", points.to_str().unwrap()]);
    assert!(same.contains("is the file of points, expected another name"), "{same}");
    let same = refusal(&mesh, &points, &["--out", mesh.to_str().unwrap()]);
    assert!(same.contains("is the mesh, expected another name"), "{same}");
    assert_eq!(fs::read_to_string(&mesh).unwrap(), CORNER);
    assert_eq!(fs::read_to_string(&points).unwrap(), POINTS);

    let nowhere = folder.0.join("none/places.txt");
    assert!(refusal(&mesh, &points, &["--out", nowhere.to_str().unwrap()]).contains("none`, make it first"));
    assert!(
        refusal(&mesh, &points, &["--tolerance", "0"]).contains("`tolerance` is 0, expected a number above")
    );
    let taken = folder.0.join("places.txt");
    fs::create_dir(&taken).unwrap();
    let output = inside(&mesh, &points, &["--out", taken.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("places.txt: cannot write"));
}

#[test]
fn help_has_methods_and_examples() {
    let output = Command::new(env!("CARGO_BIN_EXE_riprap")).args(["inside", "--help"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(METHODS.iter().all(|method| text.contains(method)), "{text}");
    assert!(text.contains("Examples:") && text.contains("riprap inside body.stl points.csv"), "{text}");
}

/// A point on a seam, where a file has its vertices twice, is on the boundary, and the surface is closed.
#[test]
fn seams_are_closed() {
    let folder = Folder::new("inside-seams");
    let ball = shapes::sphere(3);
    let loose: Vec<[f64; 3]> =
        (0..ball.triangles().len()).flat_map(|triangle| ball.corners(triangle)).collect();
    let triangles = (0..ball.triangles().len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let loose = Mesh::new(loose, triangles).unwrap();
    loose.check_closed().unwrap_err();
    let points = folder.0.join("ball.obj");
    write_mesh(&points, &ball).unwrap();
    for name in ["loose.ply", "loose.obj", "loose.stl"] {
        let mesh = folder.0.join(name);
        write_mesh(&mesh, &loose).unwrap();
        let json = report(&mesh, &folder.file("middle.csv", "x,y,z\n0,0,0\n"), &[]);
        assert_eq!(json["inside"], 1, "{name}");
        if name != "loose.stl" {
            assert_eq!(report(&mesh, &points, &[])["boundary"], ball.vertices().len(), "{name}");
        }
    }
}

/// A tetrahedron whose corners an exporter has rounded in each face in another way.
#[test]
fn seams_that_were_rounded_open_are_welded() {
    let folder = Folder::new("weld");
    let corner = |k: usize, face: usize| {
        let place = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]][k];
        let rounding = 1e-6 * (face as f64 - 1.5);
        format!("vertex {} {} {}\n", place[0] + rounding, place[1] - rounding, place[2])
    };
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let facets: String = faces
        .iter()
        .enumerate()
        .map(|(face, corners)| {
            let corners: String = corners.iter().map(|&k| corner(k, face)).collect();
            format!("facet normal 0 0 1\nouter loop\n{corners}endloop\nendfacet\n")
        })
        .collect();
    let mesh = folder.file("seams.stl", format!("solid a\n{facets}endsolid a\n"));
    let points = folder.file("points.csv", "x,y,z\n0.1,0.1,0.1\n0.9,0.9,0.9\n");
    let run = |weld: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_riprap"))
            .arg("inside")
            .args([&mesh, &points])
            .args(["--method", "cells", "--json"])
            .args(weld)
            .output()
            .unwrap()
    };
    let open = run(&[]);
    let told = String::from_utf8_lossy(&open.stderr).into_owned();
    assert_eq!(open.status.code(), Some(2), "{told}");
    assert!(told.contains("is not closed") && told.contains("--weld"), "{told}");
    assert_eq!(run(&["--weld", "1e-7"]).status.code(), Some(2));
    let welded = run(&["--weld", "1e-5"]);
    assert!(welded.status.success(), "{}", String::from_utf8_lossy(&welded.stderr));
    let report: serde_json::Value = serde_json::from_slice(&welded.stdout).unwrap();
    assert_eq!(
        (&report["inside"], &report["outside"], &report["triangles"]),
        (&1.into(), &1.into(), &4.into())
    );
    // Everything in one place is no surface.
    let none = run(&["--weld", "10"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&none.stderr).contains("no triangles"));
    assert!(
        String::from_utf8_lossy(&run(&["--weld", "-1"]).stderr).contains("expected a length of zero or more")
    );
}
