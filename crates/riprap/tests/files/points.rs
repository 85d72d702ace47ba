//! Files of points.

use riprap::io::read_points;

use crate::{CORNERS, FACES, Folder};

/// A NumPy file of float64.
fn npy(shape: &str, values: &[f64]) -> Vec<u8> {
    let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    bytes
}

#[test]
fn every_format() {
    let folder = Folder::new("points");
    let expected = [[1.0, 2.0, 3.0], [-4.0, 5.5, 0.0]];
    for (name, content) in [
        ("a.csv", b"x,y,z\n1,2,3\n-4,5.5,0\n".to_vec()),
        // Sizes are not looked at, whatever they are.
        ("b.csv", b"id,Z,Y,X,r,r\n1,3,2,1,-1,0\n2,0,5.5,-4,none,\n".to_vec()),
        ("c.txt", b"x y z\n1 2 3\n-4 5.5 0\n".to_vec()),
        ("d.txt", b"Radius[m] PosX[m] PosY[m] PosZ[m]\n0 1 2 3\n0 -4 5.5 0\n".to_vec()),
        ("e.dump", b"ITEM: NUMBER OF ATOMS\n2\nITEM: ATOMS id x y z\n1 1 2 3\n2 -4 5.5 0\n".to_vec()),
        ("f.data", b"t\n2 atoms\nAtoms # sphere\n\n1 1 1 1 1 2 3\n2 1 1 1 -4 5.5 0\n".to_vec()),
        ("g.npy", npy("(2, 3)", &[1.0, 2.0, 3.0, -4.0, 5.5, 0.0])),
        ("h.npy", npy("(2, 4)", &[1.0, 2.0, 3.0, f64::NAN, -4.0, 5.5, 0.0, -1.0])),
        ("i.obj", b"v 1 2 3\nv -4 5.5 0\n".to_vec()),
        (
            "j.ply",
            b"ply\nformat ascii 1.0\nelement vertex 2\nproperty double x\nproperty double y\nproperty double z\n\
              end_header\n1 2 3\n-4 5.5 0\n"
                .to_vec(),
        ),
    ] {
        assert_eq!(folder.points(name, content), expected, "{name}");
    }
    assert!(folder.points("none.csv", "x,y,z\n").is_empty());
    assert!(folder.points("none.npy", npy("(0, 3)", &[])).is_empty());
}

/// All vertices of a file in its order, the same ones too; corners of STL files once.
#[test]
fn vertices_of_meshes() {
    let folder = Folder::new("points-meshes");
    let text = "v 1 0 0\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n";
    assert_eq!(folder.points("a.obj", text), [[1.0, 0.0, 0.0], [0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let mut text = "solid\n".to_string();
    for face in FACES {
        let vertices = face
            .map(|vertex| format!("vertex {}\n", CORNERS[vertex as usize].map(|x| x.to_string()).join(" ")));
        text += &format!("facet normal 0 0 0\nouter loop\n{}endloop\nendfacet\n", vertices.concat());
    }
    assert_eq!(folder.points("a.stl", text + "endsolid\n"), [CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3]]);
    assert!(folder.points("none.stl", "solid\nendsolid\n").is_empty());
}

#[test]
fn bad_points_are_refused_with_the_remedy() {
    let folder = Folder::new("points-bad");
    for (name, content, expected) in [
        ("a.csv", b"".to_vec(), "is empty, expected points"),
        (
            "a.csv",
            b"x,y\n1,2\n".to_vec(),
            "line 1: no column `z` among `x`, `y`; expected columns `x`, `y` and `z` (zeros for points in a plane)",
        ),
        ("a.csv", b"1,2,3\n".to_vec(), "(the first line must be a header)"),
        ("a.csv", b"x,y,z\n1,2,3\n1,NaN,3\n".to_vec(), "line 3: `y` is `NaN`, expected a finite number"),
        ("a.csv", b"x,y,z\n1,2\n".to_vec(), "line 2: 2 columns, expected 3"),
        ("a.csv", b" \n".to_vec(), "is empty, expected a header such as `x,y,z`"),
        (
            "a.txt",
            b"1 2 3\n".to_vec(),
            "is not a file of points: expected a CSV or text file with a header such as `x,y,z`",
        ),
        (
            "a.npy",
            npy("(1, 2)", &[1.0, 2.0]),
            "its shape is [1, 2]; expected float64 or float32 with shape (N, 3) for x y z (zeros",
        ),
        ("a.npy", npy("(1, 3)", &[1.0, f64::INFINITY, 0.0]), "row 0: `y` is inf, expected a finite number"),
        ("a.npy", npy("(99999999999, 3)", &[1.0; 3]), "ends in row 1, expected 99999999999 rows"),
        (
            "a.dump",
            b"ITEM: NUMBER OF ATOMS\n1\nITEM: ATOMS x y radius\n1 2 3\n".to_vec(),
            "line 3: no column `z`",
        ),
        ("a.obj", b"v 0 0\n".to_vec(), "line 1: a vertex without `z`"),
        ("a.ply", b"ply\n".to_vec(), "is not the header of a PLY file"),
    ] {
        let message = read_points(&folder.file(name, content)).unwrap_err().to_string();
        assert!(message.contains(expected) && message.contains(name), "{message}\nexpected {expected}");
    }
    assert!(
        read_points(&folder.0).unwrap_err().to_string().contains("is a folder, expected a file of points")
    );
}
