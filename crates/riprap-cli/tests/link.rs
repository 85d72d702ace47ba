//! `riprap link` as scripts call it: links of every method, JSON, and what it says about bad input.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use common::Folder;

const CUBE: &str = "[[0,0,0],[1,0,0],[0,1,0],[1,1,0],[0,0,1],[1,0,1],[0,1,1],[1,1,1]]";

fn link(file: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_riprap")).arg("link").arg(file).args(arguments).output().unwrap()
}

fn report(file: &Path, arguments: &[&str]) -> serde_json::Value {
    let output = link(file, &[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn refusal(file: &Path, arguments: &[&str]) -> String {
    let output = link(file, arguments);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(output.stdout.is_empty());
    message
}

/// A document with cubes and these pairs.
fn cubes(pairs: &str) -> String {
    format!("{{\"shapes\": [{{\"vertices\": {CUBE}}}],\n\"pairs\": [{pairs}]}}")
}

fn pair(b: &str) -> String {
    format!(r#"{{"a": {{"shape": 0, "position": [0,0,0], "rotation": [1,0,0,0]}}, "b": {b}}}"#)
}

fn rows(path: &Path) -> Vec<Vec<f64>> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().skip(1).map(|line| line.split(',').map(|value| value.parse().unwrap()).collect()).collect()
}

#[test]
fn links_of_cubes_by_every_method() {
    let folder = Folder::new("link-cubes");
    let pairs = [
        pair(r#"{"shape": 0, "position": [3,0.25,0], "rotation": [1,0,0,0]}"#),
        pair(r#"{"shape": 0, "position": [0.9,0.25,0], "rotation": [2,0,0,0]}"#),
        pair(r#"{"shape": 0, "position": [0,0,5]}"#),
    ];
    let file = folder.file("pairs.json", cubes(&pairs.join(",")));
    for (method, tolerance) in
        [("shortest-link", 1e-12), ("fast-common-plane", 1e-12), ("gjk", 1e-9), ("common-plane", 2e-2)]
    {
        let out = folder.0.join("links.csv");
        let json = report(&file, &["--method", method, "--out", out.to_str().unwrap(), "--repeat", "2"]);
        assert_eq!((json["pairs"].as_u64(), json["method"].as_str()), (Some(3), Some(method)));
        assert!(json["seconds"].as_f64().unwrap() > 0.0);
        assert_eq!((json["dimension"].as_u64(), json["in_contact"].as_u64()), (Some(3), Some(1)));
        let within = json["iterations_within_2"].as_f64().unwrap();
        assert!(json["iterations_mean"].is_f64() && (0.0..=1.0).contains(&within));
        let text = fs::read_to_string(&out).unwrap();
        assert!(text.starts_with("gap,nx,ny,nz,ax,ay,az,bx,by,bz,iterations\n"), "{text}");
        let rows = rows(&out);
        for (row, (gap, normal)) in
            rows.iter().zip([(2.0, [1.0, 0.0, 0.0]), (-0.1, [1.0, 0.0, 0.0]), (4.0, [0.0, 0.0, 1.0])])
        {
            assert!((row[0] - gap).abs() < tolerance, "{method} {row:?}");
            assert!((0..3).all(|k| (row[1 + k] - normal[k]).abs() < tolerance.sqrt()), "{method} {row:?}");
            if tolerance < 1e-2 {
                assert!((0..3).all(|k| (row[7 + k] - row[4 + k] - gap * normal[k]).abs() < 1e-6), "{row:?}");
            }
        }
    }
    // The same rows as an array, with the last links kept, and on two threads.
    let out = folder.0.join("links.npy");
    report(&file, &["--warm", "--repeat", "3", "--threads", "2", "--out", out.to_str().unwrap()]);
    let bytes = fs::read(&out).unwrap();
    assert!(bytes.starts_with(b"\x93NUMPY") && bytes.len() == 128 + 3 * 11 * 8);
    assert!(
        String::from_utf8_lossy(&bytes[..128])
            .contains("'descr': '<f8', 'fortran_order': False, 'shape': (3, 11)")
    );
    let text = String::from_utf8(link(&file, &[]).stdout).unwrap();
    assert!(text.contains("3 pairs in 3D, 1 of them in contact"), "{text}");
}

#[test]
fn polygons_and_faces() {
    let folder = Folder::new("link-planar");
    let square =
        r#"{"vertices": [[0,0],[1,0],[1,1],[0,1]], "faces": [[0,1],[1,2],[2,3],[3,0]], "name": "square"}"#;
    let places = [
        r#"{"shape": 0, "position": [3,0], "rotation": 0}"#,
        r#"{"shape": 0, "position": [3,0], "rotation": 1.5707963267948966}"#,
        r#"{"shape": 0, "position": [3,0], "rotation": [0.7071067811865476, 0, 0, 0.7071067811865476]}"#,
    ];
    let pairs: Vec<String> =
        places.iter().map(|b| format!(r#"{{"a": {{"shape": 0, "position": [0,0]}}, "b": {b}}}"#)).collect();
    let text = format!("{{\"shapes\": [{square}], \"pairs\": [{}]}}", pairs.join(","));
    let file = folder.file("squares.json", text);
    let out = folder.0.join("links.csv");
    assert_eq!(report(&file, &["--out", out.to_str().unwrap()])["dimension"], 2);
    // A quarter turn about its corner brings the second square closer by its width.
    let gaps: Vec<f64> = rows(&out).iter().map(|row| row[0]).collect();
    assert!(
        gaps.iter().zip([2.0, 1.0, 1.0]).all(|(gap, expected)| (gap - expected).abs() < 1e-15),
        "{gaps:?}"
    );

    let faces = "[[0,2,1],[0,1,3],[1,2,3],[2,0,3]]";
    let shape = format!(r#"{{"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "faces": {faces}}}"#);
    let place = r#"{"shape": 0, "position": [0,0,2]}"#;
    let text = format!(
        r#"{{"shapes": [{shape}], "pairs": [{{"a": {place}, "b": {place}, "name": "p"}}], "comment": "mine"}}"#
    );
    let file = folder.file("faces.json", text);
    assert_eq!(report(&file, &[])["in_contact"], 1);
}

#[test]
fn a_box_on_a_box_has_a_region_of_contact() {
    let folder = Folder::new("link-patch");
    // On top, beside, and touching at half a face.
    let places = ["[0,0,1]", "[1,0,0]", "[0.5,0,0.999]"]
        .map(|at| pair(&format!(r#"{{"shape": 0, "position": {at}}}"#)));
    let file = folder.file("boxes.json", cubes(&places.join(",")));
    let out = folder.0.join("links.csv");
    let json = report(&file, &["--out", out.to_str().unwrap(), "--contact"]);
    assert_eq!(json["in_contact"], 3);
    assert!(fs::read_to_string(&out).unwrap().lines().next().unwrap().ends_with(",iterations,area,cx,cy,cz"));
    let expected = [[1.0, 0.5, 0.5, 1.0], [1.0, 1.0, 0.5, 0.5], [0.5, 0.75, 0.5, 0.9995]];
    for (row, expected) in rows(&out).iter().zip(expected) {
        assert!((0..4).all(|k| (row[11 + k] - expected[k]).abs() < 1e-12), "{row:?}");
        // The link is in the middle of the region.
        let middle: Vec<f64> = (0..3).map(|k| 0.5 * (row[4 + k] + row[7 + k])).collect();
        assert!((0..3).all(|k| (middle[k] - expected[1 + k]).abs() < 1e-12), "{row:?}");
    }
    assert!(refusal(&file, &["--out", "links.npy", "--contact"]).contains("`.csv` for --contact"));
}

#[test]
fn vertices_inside_the_hull_are_noted() {
    let folder = Folder::new("link-inside");
    let text = cubes("").replace("[1,1,1]]", "[1,1,1],[0.5,0.5,0.5],[0,0,0.5]]");
    let output = link(&folder.file("inside.json", text), &[]);
    let notes = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && notes.contains("shapes[0]: 2 of 10 vertices"), "{notes}");
}

#[test]
fn no_pairs_are_no_links() {
    let folder = Folder::new("link-none");
    let file = folder.file("none.json", r#"{"shapes": [], "pairs": []}"#);
    let json = report(&file, &[]);
    assert_eq!((json["pairs"].as_u64(), json["iterations_mean"].as_f64()), (Some(0), Some(0.0)));
}

#[test]
fn bad_files_are_refused_with_the_place() {
    let folder = Folder::new("link-bad");
    let there = r#"{"shape": 0, "position": [3,0,0]}"#;
    let shape = |vertices: &str| {
        format!(r#"{{"shapes": [{{"vertices": {vertices}}}], "pairs": [{{"a": {there}, "b": {there}}}]}}"#)
    };
    let faces =
        |faces: &str| format!(r#"{{"shapes": [{{"vertices": {CUBE}, "faces": {faces}}}], "pairs": []}}"#);
    let dented = r#"{"shapes": [{"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1],[0.2,0.2,0.2]],
        "faces": [[0,2,1],[0,1,3],[2,0,3],[1,2,4],[2,3,4],[3,1,4]]}], "pairs": []}"#;
    for (text, parts) in [
        (String::new(), vec!["expected a JSON object"]),
        ("{".to_string(), vec!["the file ends within an object", "line 1"]),
        ("[1, 2".to_string(), vec!["expected a JSON object"]),
        ("x,y,z\n1,2,3".to_string(), vec!["expected a JSON object"]),
        (r#"{"shapes": [], "Pairs": []}"#.to_string(), vec!["unknown field `Pairs`, expected"]),
        (r#"{"shapes": [], "pairs": []} {}"#.to_string(), vec!["trailing characters"]),
        (r#"{"shapes": []}"#.to_string(), vec!["missing field `pairs`"]),
        (shape("[[0,0,0],[1,0,0],[0,1,0]]"), vec!["shapes[0]: 3 vertices are too few", "at least 4"]),
        (shape("[[0,0,0],[1,0,0],[0,1,0],[1,1,0]]"), vec!["shapes[0]: the body has no volume"]),
        (
            shape("[[0,0,0],[1,0,0],[0,1,0],[0,1]]"),
            vec!["shapes[0].vertices[3] has 2 coordinates, expected 3"],
        ),
        (shape("[[0],[1],[2],[3]]"), vec!["shapes[0].vertices[0] has 1 coordinates"]),
        (shape("[[0,0,0],[1,0,0],[0,1,0],[0,0,1e99]]"), vec!["vertex 3: `z`", "1e60"]),
        (
            shape("[[0,0,0],[1,0,0],[0,1,0],[0,0,NaN]]"),
            vec!["shapes[0].vertices[3][2]: NaN and infinity", "line 1"],
        ),
        (
            shape("[[0,0,0],[1,0,0],[0,1,0],[0,0,\"1\"]]"),
            vec!["shapes[0].vertices[3][2]", "expected a number", "line 1"],
        ),
        (faces("[[0,1]]"), vec!["shapes[0]: face 0: has 2 vertices"]),
        (faces("[[0,1,2]]"), vec!["shapes[0]: face 0: its edge from vertex 0 to vertex 1 has no other face"]),
        (faces("[[0,1,9]]"), vec!["face 0: names vertex 9"]),
        (faces("[[0,1,-1]]"), vec!["shapes[0].faces[0][2]", "a whole number of zero or more"]),
        (dented.to_string(), vec!["shapes[0]: not convex: vertex"]),
        (
            cubes(&pair(r#"{"shape": 1, "position": [0,0,0]}"#)),
            vec!["pairs[0].b.shape is 1, but there are 1 shapes"],
        ),
        (cubes(&pair(r#"{"shape": 0, "position": [0,0]}"#)), vec!["pairs[0].b.position has 2 coordinates"]),
        (
            cubes(&pair(r#"{"shape": 0, "position": [0,0,0], "rotation": [0,0,0,0]}"#)),
            vec!["pairs[0].b: rotation is [0.0, 0.0, 0.0, 0.0]", "not all zero"],
        ),
        (
            cubes(&pair(r#"{"shape": 0, "position": [0,0,0], "rotation": [1,0,0]}"#)),
            vec!["pairs[0].b: rotation has 3 numbers"],
        ),
        (cubes(&pair(r#"{"shape": 0, "position": [0,0,0], "rotation": 1}"#)), vec!["expected a quaternion"]),
        (cubes(&pair(r#"{"shape": 0, "position": [0,0,0], "rotation": "x"}"#)), vec!["quaternion", "line 2"]),
        (cubes(&pair(r#"{"shape": 0, "position": [0,1e99,0]}"#)), vec!["pairs[0].b: position: `y`"]),
        (
            cubes(&pair(r#"{"shape": 0, "place": [0,0,0]}"#)),
            vec!["pairs[0].b", "unknown field `place`", "line 2"],
        ),
        (cubes(&pair(r#"{"shape": 0}"#)), vec!["pairs[0].b: missing field `position`", "line 2"]),
        (cubes("3"), vec!["pairs[0]", "a pair with `a` and `b`"]),
        (cubes(r#"{"a": {"shape": 0, "position": [0,0,0]}}"#), vec!["pairs[0]: missing field `b`", "line 2"]),
    ] {
        let file = folder.file("bad.json", &text);
        let message = refusal(&file, &["--out", folder.0.join("links.csv").to_str().unwrap()]);
        assert!(message.contains("bad.json"), "{message}");
        for part in parts {
            assert!(message.contains(part), "{text}\n{message}\nexpected {part}");
        }
        assert!(!folder.0.join("links.csv").exists());
    }
    assert!(refusal(&folder.0.join("absent.json"), &[]).contains("cannot open"));
    assert!(refusal(&folder.0, &[]).contains("is a folder"));
}

#[test]
fn bad_arguments_are_refused() {
    let folder = Folder::new("link-arguments");
    let file = folder.file("pairs.json", cubes(&pair(r#"{"shape": 0, "position": [3,0,0]}"#)));
    assert!(refusal(&file, &["--method", "sat"]).contains("`shortest-link`, `fast-common-plane`"));
    assert!(refusal(&file, &["--out", "links.txt"]).contains("`.csv` or `.npy`"));
    assert!(refusal(&file, &["--repeat", "0"]).contains("0"));
    assert!(refusal(&file, &["--warm"]).contains("--repeat"));
    assert!(refusal(&file, &["--threads", "65535"]).contains("1024"));
    let before = fs::read(&file).unwrap();
    assert!(refusal(&file, &["--out", file.to_str().unwrap()]).contains("is the file of pairs"));
    assert_eq!(fs::read(&file).unwrap(), before);
    let nowhere = folder.0.join("absent/links.csv");
    assert!(refusal(&file, &["--out", nowhere.to_str().unwrap()]).contains("absent`, make it first"));
}
