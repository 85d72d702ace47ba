//! OBJ and STL files.

use riprap::inside::{Inside, InsideMethod, Place};
use riprap::io::{read_mesh, read_triangles};

use crate::{CORNERS, CUBE, FACES, Folder, SIDES, tetrahedron};

const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

#[test]
fn every_form_of_obj() {
    let folder = Folder::new("obj");
    for content in [
        TETRAHEDRON.to_string(),
        TETRAHEDRON.replace('\n', "\r\n"),
        // Textures, normals, lines, points, groups, materials, colours and remarks do not matter.
        format!(
            "# a remark\nmtllib a.mtl\no body\nvt 0 0\nvn 0 0 1\n{}usemtl red\nl 1 2 3\np 4\n",
            TETRAHEDRON
                .replace("f 1 3 2", "g side\ns off\nf 1/1/1 3//1 2/1 # down")
                .replace("v 1 0 0", "v 1.0 0e0 -0 0.5 0.5 1")
        ),
        TETRAHEDRON.replace("f 2 3 4", "f -3 -2 -1"),
        TETRAHEDRON.replace("f 2 3 4", "f 2 \\\n 3 \\\n4"),
        // Normals that are not there, in a number that once made a reader of these files fail.
        format!(
            "vn 0 0 1\n{}",
            TETRAHEDRON.replace("f 2 3 4", "f 2//6148914691236517206 3//-9223372036854775808 4")
        ),
    ] {
        assert_eq!(folder.mesh("a.obj", &content), tetrahedron(), "{content}");
    }
    // A remark in an older alphabet.
    let remark = [b"# K\xf6rper\n", TETRAHEDRON.as_bytes()].concat();
    assert_eq!(folder.mesh("a.obj", remark), tetrahedron());
    let vertices = CUBE.map(|[x, y, z]| format!("v {x} {y} {z}\n")).concat();
    let sides =
        SIDES.map(|side| format!("f{}\n", side.map(|vertex| format!(" {}", vertex + 1)).concat())).concat();
    let cube = folder.mesh("cube.obj", vertices + &sides);
    assert_eq!(cube.triangles().len(), 12);
    cube.check_closed().unwrap();
}

#[test]
fn concave_polygons_do_not_reach_beyond_their_edges() {
    let folder = Folder::new("obj-concave");
    // A prism over the letter L, with a vertex in the middle of an edge; its notch is at the upper left.
    let outline = [[2, 2], [1, 2], [1, 1], [0, 1], [0, 0], [1, 0], [2, 0]];
    let count = outline.len();
    let vertices = [0, 1].map(|z| outline.map(|[x, y]| format!("v {x} {y} {z}\n")).concat()).concat();
    let bottom = (1..=count).rev().map(|k| format!(" {k}")).collect::<String>();
    let top = (1..=count).map(|k| format!(" {}", k + count)).collect::<String>();
    let side = |k: usize| {
        let next = (k + 1) % count;
        format!("f {} {} {} {}\n", k + 1, next + 1, next + 1 + count, k + 1 + count)
    };
    let sides = (0..count).map(side).collect::<String>();
    for first in [0, 2, 4] {
        let turned = top.split(' ').skip(1).cycle().skip(first).take(count).collect::<Vec<_>>().join(" ");
        let mesh = folder.mesh("ell.obj", format!("{vertices}f{bottom}\nf {turned}\n{sides}"));
        mesh.check_closed().unwrap();
        let points = [[0.8, 1.4, 1.0], [0.8, 1.4, 0.0], [0.5, 0.5, 1.0], [1.5, 1.5, 0.0], [0.5, 0.5, 0.5]];
        let expected = [Place::Outside, Place::Outside, Place::Boundary, Place::Boundary, Place::Inside];
        for &(method, name, _) in InsideMethod::ALL {
            let mut places = Vec::new();
            Inside::new(&mesh, method).unwrap().classify(&points, 1, &mut places).unwrap();
            assert_eq!(places, expected, "{name} {first}");
        }
    }
}

#[test]
fn equal_vertices_are_one_and_keep_their_numbers() {
    let folder = Folder::new("obj-weld");
    let corner = |vertex: u32| {
        CORNERS[vertex as usize].map(|x| format!(" {}", if x == 0.0 { -x } else { x })).concat()
    };
    let plain = folder.mesh("plain.obj", TETRAHEDRON);
    // The first face as it is; the others with vertices of their own.
    let mut text = TETRAHEDRON.lines().take(5).collect::<Vec<_>>().join("\n");
    for face in &FACES[1..] {
        text += &face.map(|vertex| format!("\nv{}", corner(vertex))).concat();
        text += "\nf -3 -2 -1";
    }
    let split = folder.mesh("split.obj", text);
    assert_eq!(split.vertices().len(), 13);
    assert_eq!(split.triangles(), plain.triangles());
    split.check_closed().unwrap();
}

#[test]
fn bad_objs_are_refused_with_the_line() {
    let folder = Folder::new("obj-bad");
    for (content, expected) in [
        ("", "bad.obj: is empty, expected a mesh"),
        ("v 0 0 0\n", "bad.obj: has no triangles, expected a surface"),
        ("v 0 0 0\nv 1 nan 0\n", "line 2: `y` is `nan`, expected a finite number"),
        ("v 0 0 0\nv 1 0 1e999\n", "line 2: `z` is `1e999`, expected a finite number"),
        ("v 0 0 0\nv 1 one 0\n", "line 2: `y` is `one`, expected a number"),
        ("v 0 0\n", "line 1: a vertex without `z`, expected `v x y z`"),
        (
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n",
            "line 4: corner `4` of a face, expected one of the 3 vertices so far",
        ),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", "line 4: corner `0` of a face"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n", "line 4: corner `-4` of a face"),
        (
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -9223372036854775808/1\n",
            "line 4: corner `-9223372036854775808/1`",
        ),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999\n", "line 4: corner `99999999999999999999`"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 /3\n", "line 4: corner `/3`"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "line 4: a face with 2 corners, expected at least 3"),
        ("v 0 0 0\nf\n", "line 2: a face with 0 corners"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 \\\n", "is cut off: after a `\\`"),
    ] {
        let message = folder.refusal("bad.obj", content);
        assert!(message.contains(expected), "{content}\n{message}\nexpected {expected}");
    }
    assert!(folder.refusal("bad.obj", b"\xff\xfe\x00v").contains("line 1: is not text"));
    assert!(
        folder.refusal("bad.off", "OFF").contains("expected a name that ends in `.stl`, `.obj` or `.ply`")
    );
    assert!(
        read_mesh(&folder.0.join("absent.ply")).unwrap_err().to_string().contains("absent.ply: cannot open")
    );
    assert!(read_mesh(&folder.0).unwrap_err().to_string().contains("is a folder, expected a mesh"));
}

fn facets(faces: &[[u32; 3]]) -> String {
    let vertex = |vertex: u32| {
        let [x, y, z] = CORNERS[vertex as usize];
        format!("  vertex {x} {y:e} {z}\n")
    };
    let facet = |face: &[u32; 3]| {
        format!("facet normal 0 0 0\n outer loop\n{} endloop\nendfacet\n", face.map(vertex).concat())
    };
    faces.iter().map(facet).collect()
}

fn binary(start: &[u8], count: u32) -> Vec<u8> {
    let mut bytes = start.to_vec();
    bytes.resize(80, 0);
    bytes.extend(count.to_le_bytes());
    for face in FACES {
        bytes.extend([0; 12]);
        let corners = face.map(|vertex| CORNERS[vertex as usize]);
        bytes.extend(corners.iter().flatten().flat_map(|&x| (x as f32).to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

#[test]
fn every_form_of_stl() {
    let folder = Folder::new("stl");
    let all = facets(&FACES);
    let (first, second) = (facets(&FACES[..1]), facets(&FACES[1..]));
    let corners = |face: [u32; 3]| face.map(|vertex| CORNERS[vertex as usize]);
    for content in [
        format!("solid body\n{all}endsolid body\n").into_bytes(),
        format!("solid\n{all}endsolid").into_bytes(),
        format!("\n solid body\n{all}endsolid body\n").replace('\n', "\r\n").into_bytes(),
        // All solids of a file.
        format!("solid a\n{first}endsolid a\n\nsolid\n{second}  endsolid\n\n").into_bytes(),
        binary(b"made by a test", 4),
        // Binary files that begin as texts do.
        binary(b"solid body", 4),
        binary(b"solid\n", 4),
        binary(b"solid body\n", 4),
        [binary(b"solid body", 4), b"more".to_vec()].concat(),
        // Texts in capitals, and with a mark at the beginning.
        format!("SOLID BODY\n{}ENDSOLID BODY\n", all.to_ascii_uppercase()).into_bytes(),
        format!("\u{feff}solid body\n{all}endsolid body\n").into_bytes(),
    ] {
        let path = folder.file("a.STL", &content);
        assert_eq!(
            read_triangles(&path).unwrap(),
            FACES.map(corners),
            "{}",
            String::from_utf8_lossy(&content)
        );
        let mesh = read_mesh(&path).unwrap();
        assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (4, 4));
        mesh.check_closed().unwrap();
    }
}

#[test]
fn bad_stls_are_refused_with_line_or_triangle() {
    let folder = Folder::new("stl-bad");
    let all = facets(&FACES);
    for (content, expected) in [
        ("solid a\nendsolid\n".to_string(), "has no triangles"),
        ("what\n".to_string(), "is not an STL file: neither text that begins with `solid`"),
        (format!("solid a\n{all}"), "is cut off after 4 triangles: `endsolid` is missing"),
        (format!("solid a\n{}", &all[..48]), "is cut off after 0 triangles"),
        (
            format!("solid a\n{}endsolid", all.replacen("vertex 1", "vertex nan", 1)),
            "line 6: `vertex nan 0e0 0`, expected `vertex x y z` with three finite numbers",
        ),
        (
            format!("solid a\n{}endsolid", all.replacen("vertex 0 0e0 1", "vertex 0 up 1", 1)),
            "line 13: `vertex 0 up 1`, expected `vertex x y z`",
        ),
        (
            format!("solid a\n{}endsolid", all.replacen("  vertex 0 0e0 0\n", "", 1)),
            "line 7: ends a facet of 2 vertices, expected 3",
        ),
        (
            format!("solid a\n{}endsolid", all.replacen("endfacet\n", "", 1)),
            "line 8: `facet normal 0 0 0`, expected `outer loop`",
        ),
        (format!("solid a\n{all}endsolid\nfacet\n"), "line 31: `facet`, expected `solid`"),
        (format!("solid a\nwhat\n{all}endsolid\n"), "line 2: `what`, expected `facet` or `endsolid`"),
    ] {
        let message = folder.refusal("bad.stl", &content);
        assert!(message.contains(expected), "{content}\n{message}\nexpected {expected}");
    }
    assert_eq!(
        folder.refusal("bad.stl", binary(b"", u32::MAX)),
        "bad.stl: has 4 triangles, expected 4294967295 as its header says: it is cut off, or not an STL file"
    );
    assert!(folder.refusal("bad.stl", &binary(b"", 4)[..283]).contains("has 3 triangles, expected 4"));
    let mut nan = binary(b"", 4);
    nan[84 + 50 + 12 + 16..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(
        folder
            .refusal("bad.stl", nan)
            .contains("triangle 1: `y` of corner 1 is NaN, expected a finite number")
    );
}
