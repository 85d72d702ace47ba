//! `riprap contacts` as scripts call it: files in every format, JSON, and what it says about bad input.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use common::Folder;

fn contacts(file: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_riprap")).arg("contacts").arg(file).args(arguments).output().unwrap()
}

/// Runs with `--json` and returns the object.
fn report(file: &Path, arguments: &[&str]) -> serde_json::Value {
    let output = contacts(file, &[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Runs and returns the message on standard error; the exit code must be 2 and nothing may be printed.
fn refusal(file: &Path, arguments: &[&str]) -> String {
    let output = contacts(file, arguments);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(output.stdout.is_empty());
    message
}

/// A NumPy file of float64 with this shape.
fn npy(shape: &str, values: &[f64]) -> Vec<u8> {
    npy_with(&format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n"), values)
}

fn npy_with(header: &str, values: &[f64]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    bytes
}

/// Three spheres in a row of which the first two touch, in every format.
#[test]
fn reads_every_format() {
    let folder = Folder::new("formats");
    let files = [
        folder.file("a.csv", "x,y,z,r\n0,0,0,0.5\n1,0,0,0.5\n5,0,0,0.5\n"),
        folder.file("b.csv", "\u{feff}id,Diameter,X,Y,Z,name\r\n1,1,0,0,0,\"a, b\"\r\n2,1,1,0,0,c\r\n3,1,5,0,0,d\r\n"),
        folder.file("c.csv", "# x, y, z, radius\n0, 0, 0, 0.5\n1, 0, 0, 0.5\n5, 0, 0, 5e-1"),
        folder.file("d.csv", "x,y,d\n0,0,1\n1,0,1\n5,0,1\n"),
        folder.file("e.npy", npy("(3, 4)", &[0.0, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.5, 5.0, 0.0, 0.0, 0.5])),
        folder.file("f.npy", npy("(3, 3)", &[0.0, 0.0, 0.5, 1.0, 0.0, 0.5, 5.0, 0.0, 0.5])),
        folder.file(
            "fortran.npy",
            npy_with(
                "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 4), }\n",
                &[0.0, 1.0, 5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5],
            ),
        ),
        folder.file("single.npy", {
            let mut bytes = npy_with("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 3), }\n", &[]);
            let values = [0.0, 0.0, 0.5, 1.0, 0.0, 0.5, 5.0, 0.0, 0.5f32];
            bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            bytes
        }),
        folder.file("g.txt", "Radius[m] PosX[m] PosY[m] PosZ[m]\n0.5 0 0 0\n0.5 1 0 0\n\n0.5 5 0 0\n"),
        folder.file(
            "h.dump",
            "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n\
             ITEM: ATOMS id x y z xu yu zu radius\n1 3 3 3 3 3 3 1\n\
             ITEM: TIMESTEP\n10\nITEM: NUMBER OF ATOMS\n3\nITEM: BOX BOUNDS pp pp pp\n0 10\n0 9\n0 9\n\
             ITEM: ATOMS id type xs ys zs radius\n1 1 0 0 0 0.5\n7 1 0.1 0 0 0.5\n2 1 0.5 0 0 0.5\n",
        ),
        folder.file(
            "i.data",
            "LAMMPS data file via write_data, version 2, radius\n\n3 atoms\n1 atom types\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nAtoms # sphere\n\n\
             1 1 1.0 2500 0 0 0 0 0 0\n2 1 1.0 2500 1 0 0 0 0 0\n3 1 1.0 2500 5 0 0 0 0 0\n\nBond Coeffs\n\n\
             1 0 0 0 0 0 0\n",
        ),
    ];
    for file in files {
        let report = report(&file, &[]);
        assert_eq!((&report["n"], &report["pairs"]), (&3.into(), &1.into()), "{}", file.display());
        let planar = ["d.csv", "f.npy", "single.npy"].iter().any(|name| file.ends_with(name));
        assert_eq!(report["dimension"], if planar { 2 } else { 3 });
    }
}

#[test]
fn reports_the_fields_that_scripts_rely_on() {
    let folder = Folder::new("fields");
    let mut rows = String::from("x,y,r\n");
    (0..100).for_each(|i| rows += &format!("{},{},{}\n", i % 10, i / 10, if i == 37 { 2.0 } else { 0.5 }));
    let file = folder.file("p.csv", rows);
    for method in
        ["auto", "tree", "hgrid", "hgrid-bottom-up", "mmr", "mr", "linked-cell", "radial-sort", "brute-force"]
    {
        let report = report(&file, &["--method", method, "--repeat", "2", "--count", "--threads", "2"]);
        // 180 edges of the lattice; the large one meets all within 2.5, 4 of which touched it before.
        assert_eq!(report["pairs"], 196, "{method}");
        assert!(report["seconds"].as_f64().unwrap() > 0.0);
        assert!(report["candidates"].as_u64().unwrap() >= 196);
        assert!(report["cells"].is_u64() && report["levels"].is_u64());
        if method != "auto" {
            assert_eq!(report["method"], method);
            assert_eq!(report["threads"], if ["levels", "tree"].contains(&method) { 2 } else { 1 });
        }
    }
    assert!(report(&file, &[]).get("candidates").is_none());
}

#[test]
fn writes_sorted_pairs_with_the_columns_asked_for() {
    let folder = Folder::new("pairs");
    let file = folder.file("p.csv", "x,y,r\n9.75,1,0.5\n5,1,0.5\n0.5,1,0.5\n4.25,1,0.5\n");
    let out = folder.0.join("pairs.csv");
    let name = out.to_str().unwrap();
    let run = |arguments: &[&str]| {
        assert!(contacts(&file, &[&["--out", name], arguments].concat()).status.success());
        fs::read_to_string(&out).unwrap()
    };
    assert_eq!(run(&[]), "i,j\n1,3\n");
    assert_eq!(run(&["--periodic", "10,inf"]), "i,j\n0,2\n1,3\n");
    assert_eq!(
        run(&["--periodic", "10,inf", "--overlap", "--shift"]),
        "i,j,overlap,sx,sy\n0,2,0.25,1,0\n1,3,0.25,0,0\n"
    );
    assert_eq!(run(&["--margin", "3.25", "--overlap"]), "i,j,overlap\n1,3,0.25\n2,3,-2.75\n");
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 2);

    let out = folder.0.join("pairs.npy");
    assert!(contacts(&file, &["--out", out.to_str().unwrap()]).status.success());
    let bytes = fs::read(&out).unwrap();
    assert_eq!(bytes.len(), 128 + 8);
    assert!(bytes.starts_with(
        b"\x93NUMPY\x01\x00\x76\x00{'descr': '<u4', 'fortran_order': False, 'shape': (1, 2), }"
    ));
    assert_eq!(bytes[127..], [b'\n', 1, 0, 0, 0, 3, 0, 0, 0]);
}

#[test]
fn bad_files_are_refused_with_file_line_and_value() {
    let folder = Folder::new("bad");
    let cases: &[(&str, &[u8], &str)] = &[
        ("empty.csv", b"", "is empty, expected particles"),
        ("empty.npy", b"", "is empty, expected particles"),
        (
            "names.csv",
            b"a,b,r\n1,2,3\n",
            "line 1: no column `x` among `a`, `b`, `r`; expected columns `x`, `y`",
        ),
        ("size.csv", b"x,y,z,mass\n1,2,3,4\n", "line 1: no column for the radius among `x`"),
        ("twice.csv", b"x,y,x,r\n1,2,3,4\n", "line 1: column `x` appears twice"),
        ("noheader.csv", b"1,2,3,4\n5,6,7,8\n", "(the first line must be a header)"),
        ("semicolon.csv", b"x;y;r\n1;2;3\n", "(separate columns by commas)"),
        ("density.data", b"t\n1 atoms\nAtoms\n\n1 1 1 -0.5 0 0 0\n", "line 5: `density` is `-0.5`"),
        ("atoms.data", b"t\n1 atoms\n", "has no section `Atoms`"),
        ("ragged.csv", b"x,y,r\n1,2,3\n4,5\n", "line 3: 2 columns, expected 3 as in the header"),
        ("long.csv", b"x,y,r\n1,2,3\n4,5,6,7\n", "line 3: 4 columns, expected 3 as in the header"),
        ("text.csv", b"x,y,r\n1,2,3\n4,five,6\n", "line 3: `y` is `five`, expected a number"),
        ("nothing.csv", b"x,y,r\n1,,3\n", "line 2: `y` is ``, expected a number"),
        ("nan.csv", b"x,y,r\n1,NaN,3\n", "line 2: `y` is `NaN`, expected a finite number"),
        ("inf.csv", b"x,y,r\n1,2,inf\n", "line 2: `r` is `inf`, expected a finite number"),
        ("zero.csv", b"x,y,r\n1,2,0\n", "line 2: `r` is `0`, expected a size above zero"),
        ("negative.csv", b"x,y,d\n1,2,3\n1,2,-3\n", "line 3: `d` is `-3`, expected a size above zero"),
        ("huge.csv", b"x,y,r\n1e200,2,3\n", "line 2: `x` is `1e200`, expected a magnitude of at most 1e150"),
        ("binary.csv", b"x,y,r\n1,\xff\xfe,3\n", "line 2: `y` is `"),
        ("quote.csv", b"x,y,r\n1,\"2,3\n4,5,6\n", "line 2: a quote is not closed in its line"),
        ("crlf.csv", b"x,y,r\r\n\r\n1,2,3\r\n1,2,q\r\n", "line 4: `r` is `q`"),
        (
            "share.dump",
            b"ITEM: NUMBER OF ATOMS\n1\nITEM: ATOMS xs ys radius\n1 2 3\n",
            "`BOX BOUNDS` are missing",
        ),
        (
            "bounds.dump",
            b"ITEM: BOX BOUNDS pp pp pp\n0 junk 10\n",
            "line 2: `0 junk 10`, expected the two bounds",
        ),
        (
            "cut.dump",
            b"ITEM: NUMBER OF ATOMS\n1\nITEM: ATOMS x y radius\n1 2 3\nITEM: TIMESTEP\n7\n",
            "is cut off in the header of its last snapshot",
        ),
        ("ragged.txt", b"Radius[m] PosX[m] PosY[m] PosZ[m]\n1 2 3\n", "line 2: 3 columns, expected 4"),
        ("names.txt", b"Radius[m] PosX[m]\n1 2\n", "line 1: no column `y`"),
        ("what.bin", b"\x00\x01\x02 nothing\n", "is not text: unpack"),
        ("prose.txt", b"Dear reader\nwhat is this?\n", "is not a file of particles"),
        (
            "count.dump",
            b"ITEM: NUMBER OF ATOMS\n2\nITEM: ATOMS x y radius\n1 2 3\n",
            "has 1 atoms, expected 2",
        ),
        (
            "radius.dump",
            b"ITEM: NUMBER OF ATOMS\n1\nITEM: ATOMS x y\n1 2\n",
            "line 3: no column for the radius",
        ),
        ("style.data", b"t\n1 atoms\nAtoms # atomic\n\n1 1 0 0 0\n", "line 3: atom style `atomic`"),
        ("short.data", b"t\n1 atoms\nAtoms\n\n1 1 0 0 0\n", "line 5: 5 columns, expected"),
        ("count.data", b"t\n2 atoms\nAtoms\n\n1 1 1 1 0 0 0\n", "has 1 atoms, expected 2"),
        (
            "units.txt",
            b"Radius[mm] PosX[m] PosY[m] PosZ[m]\n1 0 0 0\n",
            "`PosX[m]` and `Radius[mm]` have different units",
        ),
        ("magic.npy", b"x,y,r\n1,2,3\n", "is not a NumPy array"),
        ("cut.npy", b"\x93NUMPY\x01\x00\x76", "is cut off in its header"),
    ];
    for (name, content, expected) in cases {
        let message = refusal(&folder.file(name, content), &[]);
        assert!(message.contains(expected), "{name}: {message}");
        assert!(message.contains(name), "{message}");
    }
    let arrays = [
        ("rows.npy", npy("(2, 3)", &[1.0; 5]), "ends in row 1, expected 2 rows"),
        ("more.npy", npy("(1, 3)", &[1.0; 4]), "goes on after the 1 rows"),
        (
            "shape.npy",
            npy("(3,)", &[1.0; 3]),
            "its shape is [3]; expected float64 or float32 with shape (N, 3)",
        ),
        ("wide.npy", npy("(1, 5)", &[1.0; 5]), "its shape is [1, 5]"),
        (
            "many.npy",
            npy("(4294967296, 4)", &[1.0; 4]),
            "4294967296 particles are too many: at most 4294967295",
        ),
        ("nan.npy", npy("(1, 4)", &[0.0, f64::NAN, 0.0, 1.0]), "row 0: `y` is NaN, expected a finite number"),
        (
            "zero.npy",
            npy("(2, 3)", &[0.0, 0.0, 1.0, 0.0, 0.0, 0.0]),
            "row 1: `r` is 0, expected a size above zero",
        ),
        (
            "integers.npy",
            npy_with("{'descr': '<i8', 'fortran_order': False, 'shape': (1, 4), }\n", &[1.0; 4]),
            "`.astype('float64')`",
        ),
        (
            "fortran.npy",
            npy_with("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 4), }\n", &[1.0; 7]),
            "ends in row 1, expected 2 rows",
        ),
    ];
    for (name, content, expected) in arrays {
        let message = refusal(&folder.file(name, content), &[]);
        assert!(message.contains(expected) && message.contains(name), "{name}: {message}");
    }
    assert!(refusal(&folder.0.join("missing.csv"), &[]).contains("missing.csv: cannot open: No such file"));
    assert!(refusal(&folder.0, &[]).contains("is a folder"));
}

#[test]
fn bad_arguments_are_refused_with_the_remedy() {
    let folder = Folder::new("arguments");
    let file = folder.file("p.csv", "x,y,r\n1,1,0.5\n2,1,0.5\n");
    let out = folder.0.join("pairs.txt");
    for (arguments, expected) in [
        (&["--method", "grid"][..], "unknown method `grid`; known methods: `auto`, `levels`, "),
        (&["--method", "mr:sort=bubble"], "expected `linear` or `quick`"),
        (
            &["--method", "mr", "--periodic", "9,9"],
            "no periodic boundaries; these have: `levels`, `tree`, `hgrid`",
        ),
        (&["--periodic", "9,9,9"], "--periodic has 3 lengths, but the particles of"),
        (&["--periodic", "9,-1"], "length -1 along y"),
        (&["--periodic", "1.9,9"], "exceeds half the periodic box"),
        (&["--margin", "-1"], "margin is -1, expected a finite number of zero or more"),
        (&["--margin", "nan"], "margin is NaN"),
        (&["--repeat", "0"], "--repeat"),
        (&["--threads", "0"], "--threads"),
        (&["--out", out.to_str().unwrap()], "expected a name that ends in `.csv` or `.npy`"),
        (&["--out", file.to_str().unwrap()], "is the file of particles"),
        (&["--periodic", "9,open"], "`inf` for an open axis"),
        (&["--method", "hgrid:levels=1,2"], "several values separated by slashes"),
        (&["--out", "p.npy", "--overlap"], "write `.csv` for --overlap"),
    ] {
        let message = refusal(&file, arguments);
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
    assert!(!out.exists());
}

#[test]
fn an_output_that_cannot_be_written_is_a_failed_run() {
    let folder = Folder::new("unwritable");
    let file = folder.file("p.csv", "x,y,r\n1,1,0.5\n2,1,0.5\n");
    let output = contacts(&file, &["--out", folder.0.join("none/pairs.csv").to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("none`, make it first"));
    let taken = folder.0.join("folder.csv");
    fs::create_dir(&taken).unwrap();
    let output = contacts(&file, &["--out", taken.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write"));
}

#[test]
fn explains_its_choice() {
    let folder = Folder::new("explain");
    let file = folder.file("p.csv", "x,y,r\n1,1,0.5\n2,1,0.5\n");
    let output = contacts(&file, &["--explain", "--measure"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines();
    assert!(lines.next().unwrap().contains("expected     measured"), "{text}");
    assert!(lines.next().unwrap().starts_with("brute-force"), "{text}");
    assert!(text.contains("method `brute-force`"), "{text}");
}

#[test]
fn no_particles_have_no_pairs() {
    let folder = Folder::new("none");
    let file = folder.file("p.csv", "x,y,r\n");
    assert_eq!(report(&file, &[])["pairs"], 0);
    assert_eq!(report(&folder.file("p.npy", npy("(0, 4)", &[])), &[])["n"], 0);
}

fn ends_with(file: &fs::DirEntry, ending: &str) -> bool {
    file.path().extension().is_some_and(|found| found == ending)
}

/// A billion pairs and more do not end in an abort.
#[cfg(target_os = "linux")]
#[test]
fn more_pairs_than_memory_holds_are_refused() {
    let folder = Folder::new("memory");
    let mut rows = String::from("x,y,z,r\n");
    (0..60_000).for_each(|i| rows += &format!("{},0,0,{}\n", i, if i < 50_000 { 1e6 } else { 0.1 }));
    let file = folder.file("pile.csv", rows);
    let limited = |name: &str| {
        let line = format!("ulimit -v 3000000; exec '{}' contacts {name}", env!("CARGO_BIN_EXE_riprap"));
        Command::new("sh").args(["-c", &line]).current_dir(&folder.0).output().unwrap()
    };
    let output = limited("pile.csv");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("pairs among 60000 particles need some") && told.contains("same unit"), "{told}");
    // As many that hardly touch are no reason to stop.
    let text = fs::read_to_string(&file).unwrap().replace(",1000000\n", ",0.6\n");
    folder.file("row.csv", text);
    let output = limited("row.csv");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn demo_simulates_compares_all_methods_and_writes_particles_that_can_be_read() {
    let folder = Folder::new("demo");
    let out = folder.0.join("demo");
    let output =
        Command::new(env!("CARGO_BIN_EXE_riprap")).args(["demo", "--out"]).arg(&out).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert!(text.contains("All methods found the same pairs."), "{text}");
    let row = text.lines().find(|line| line.starts_with("brute-force")).unwrap();
    let pairs: u64 = row.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert_eq!(report(&out.join("spheres.csv"), &[])["pairs"], pairs);
    let errors = text.lines().filter_map(|line| line.strip_prefix("energy error: "));
    let errors: Vec<f64> = errors.map(|line| line.split(' ').next().unwrap().parse().unwrap()).collect();
    assert!(errors.len() == 2 && errors.iter().all(|error| *error < 1e-3), "{text}");
    assert_eq!(text.matches("particle-steps per second").count(), 2, "{text}");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!told.contains("warning: ") && !told.contains("note: Ctrl-C"), "{told}");
    for file in ["demo.toml", "heap/picture.png", "mixture.toml", "mixture/picture.png", "mixture/film.png"] {
        assert!(out.join(file).is_file(), "{file}");
    }
    // One is of balls, the other of stones, too.
    assert!(out.join("heap/particles").read_dir().unwrap().all(|file| ends_with(&file.unwrap(), "vtp")));
    assert!(out.join("mixture/particles").read_dir().unwrap().all(|file| ends_with(&file.unwrap(), "vtu")));
}
