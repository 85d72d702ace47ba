//! `riprap contacts` on LAMMPS files: their box, which axes are periodic, and ids.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use common::Folder;

fn contacts(file: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_riprap")).arg("contacts").arg(file).args(arguments).output().unwrap()
}

/// The object of `--json`, and the notes.
fn report(file: &Path, arguments: &[&str]) -> (serde_json::Value, String) {
    let output = contacts(file, &[arguments, &["--json"]].concat());
    let notes = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{notes}");
    (serde_json::from_slice(&output.stdout).unwrap(), notes)
}

fn refusal(file: &Path, arguments: &[&str]) -> String {
    let output = contacts(file, arguments);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    message
}

/// Four spheres in a box from -5 to 5, whose neighbours are through its sides along x and along z.
fn dump(flags: &str) -> String {
    format!(
        "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n4\nITEM: BOX BOUNDS{flags}\n-5 5\n-5 5\n-5 5\n\
         ITEM: ATOMS id type x y z radius\n70 1 -4.8 0 0 0.5\n3 1 4.8 0 0 0.5\n12 1 0 0 -4.8 0.5\n9 1 0 0 4.8 0.5\n"
    )
}

#[test]
fn the_box_of_a_dump_is_periodic_where_the_dump_says_so() {
    let folder = Folder::new("lammps-box");
    for (flags, pairs, periodic) in [
        (" pp pp pp", 2, serde_json::json!([10.0, 10.0, 10.0])),
        (" pp pp ff", 1, serde_json::json!([10.0, 10.0, null])),
        (" ff mm pp", 1, serde_json::json!([null, null, 10.0])),
        (" fs fs ss", 0, serde_json::Value::Null),
        ("", 0, serde_json::Value::Null),
    ] {
        let file = folder.file("a.dump", dump(flags));
        let (found, notes) = report(&file, &[]);
        assert_eq!((&found["pairs"], &found["periodic"]), (&pairs.into(), &periodic), "{flags}: {notes}");
        assert_eq!(found["box_from_file"], if pairs > 0 { true.into() } else { serde_json::Value::Null });
        assert_eq!(notes.contains("as the file says"), pairs > 0, "{notes}");
        assert_eq!(notes.contains("does not say along which axes"), flags.is_empty(), "{notes}");
    }
}

#[test]
fn the_command_line_comes_before_the_file() {
    let folder = Folder::new("lammps-choice");
    let file = folder.file("a.dump", dump(" pp pp pp"));
    for (choice, pairs, from_file) in [
        ("none", 0, serde_json::Value::Null),
        ("inf,inf,10", 1, false.into()),
        ("100,100,100", 0, false.into()),
        ("x", 1, true.into()),
        ("x,z", 2, true.into()),
    ] {
        let (found, notes) = report(&file, &["--periodic", choice]);
        assert_eq!((&found["pairs"], &found["box_from_file"]), (&pairs.into(), &from_file), "{choice}");
        assert!(!notes.contains("note:"), "{notes}");
    }
    let data = folder.file(
        "b.data",
        "title\n\n2 atoms\n-5 5 xlo xhi\n-5 5 ylo yhi\n-5 5 zlo zhi\n0 0 0 xy xz yz\n\nAtoms # sphere\n\n\
         8 1 1.0 2500 -4.8 0 0\n5 1 1.0 2500 4.8 0 0\n",
    );
    let (found, notes) = report(&data, &[]);
    assert!(found["pairs"] == 0 && notes.contains("--periodic x,y,z"), "{notes}");
    assert_eq!(report(&data, &["--periodic", "x,y,z"]).0["pairs"], 1);
    let csv = folder.file("c.csv", "x,y,r\n1,1,0.5\n");
    assert!(refusal(&csv, &["--periodic", "x"]).contains("c.csv: has no box, expected its lengths"));
    let flat = folder.file(
        "d.dump",
        "ITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n0 10\n0 10\n-0.5 0.5\nITEM: ATOMS id x y radius\n1 3 3 0.5\n",
    );
    assert!(refusal(&flat, &["--periodic", "x,z"]).contains("are 2D"));
    assert_eq!(report(&flat, &[]).0["periodic"], serde_json::json!([10.0, 10.0]));
    // The box of a simulation in the plane is as thin as its particles.
    let thin =
        fs::read_to_string(&flat).unwrap().replace("id x y", "id x y z").replace("1 3 3 0.5", "1 3 3 0 0.5");
    let thin = folder.file("e.dump", thin);
    assert!(refusal(&thin, &[]).contains("`--periodic x,y` along z only"));
    assert!(
        refusal(&file, &["--periodic", "none", "--out", "p.csv", "--shift"])
            .contains("--shift needs a periodic box")
    );
}

#[test]
fn ids_are_written_when_asked_for() {
    let folder = Folder::new("lammps-ids");
    let file = folder.file("a.dump", dump(" pp pp pp"));
    let out = folder.0.join("pairs.csv");
    let written = |arguments: &[&str]| {
        let output = contacts(&file, &[arguments, &["--out", out.to_str().unwrap()]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read_to_string(&out).unwrap()
    };
    assert_eq!(written(&[]), "i,j\n0,1\n2,3\n");
    assert_eq!(written(&["--ids"]), "i,j,id_i,id_j\n0,1,70,3\n2,3,12,9\n");
    assert_eq!(written(&["--ids", "--shift"]), "i,j,sx,sy,sz,id_i,id_j\n0,1,-1,0,0,70,3\n2,3,0,0,-1,12,9\n");
    let csv = folder.file("c.csv", "x,y,r\n1,1,0.5\n");
    assert!(refusal(&csv, &["--ids", "--out", "p.csv"]).contains("c.csv: has no ids for --ids"));
    let npy = ["--ids", "--out", "p.npy"];
    assert!(refusal(&file, &npy).contains("write `.csv` for --overlap, --shift and --ids"));
}

#[test]
fn damaged_boxes_and_ids_are_refused() {
    let folder = Folder::new("lammps-bad");
    for (name, content, expected) in [
        (
            "id.dump",
            dump(" pp pp pp").replace("\n12 1", "\n1.5 1"),
            "line 12: `id` is `1.5`, expected a whole number",
        ),
        ("tilt.dump", dump(" xy xz yz pp pp pp"), "line 5: the box is triclinic"),
        (
            "tilt.data",
            "t\n1 atoms\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n0.5 0 0 xy xz yz\nAtoms\n\n1 1 1 1 0 0 0\n"
                .to_string(),
            "line 6: the box is triclinic",
        ),
        (
            "box.data",
            "t\n1 atoms\n0 nan xlo xhi\nAtoms\n\n1 1 1 1 0 0 0\n".to_string(),
            "line 3: `0 nan`, expected the two bounds of the box",
        ),
    ] {
        let message = refusal(&folder.file(name, content), &[]);
        assert!(message.contains(expected), "{name}: {message}");
    }
}
