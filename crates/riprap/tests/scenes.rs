//! Scene files: `scenes/good/*.toml` can be read, `scenes/bad/*.toml` are refused with the message that stands in them after `#>`.

use std::fs;
use std::path::{Path, PathBuf};

use riprap::dem::NewBody;
use riprap::dem::insert::How;
use riprap::scene::{Scene, Setup};

fn scenes(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenes").join(folder);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

#[test]
fn good_scenes_are_read() {
    for path in scenes("good") {
        match Scene::read(&path).unwrap_or_else(|error| panic!("{error}")) {
            Scene::Planar(setup) => assert!(setup.simulation().is_ok() && setup.steps() > 0),
            Scene::Spatial(setup) => assert!(setup.simulation().is_ok() && setup.steps() > 0),
        }
    }
}

/// The message without the folder in which the file happens to be.
fn message(path: &Path) -> String {
    let folder = format!("{}/", path.parent().unwrap().display());
    Scene::read(path)
        .map(|_| panic!("{} was accepted", path.display()))
        .unwrap_err()
        .to_string()
        .replace(&folder, "")
}

#[test]
fn bad_scenes_are_refused_with_the_message_in_the_file() {
    for path in scenes("bad") {
        let source = fs::read_to_string(&path).unwrap();
        let expected: Vec<&str> = source.lines().filter_map(|line| line.strip_prefix("#> ")).collect();
        assert!(!expected.is_empty(), "{}: no expected message", path.display());
        assert_eq!(message(&path), expected.join("\n"), "{}", path.display());
    }
}

#[test]
fn files_that_are_no_scenes_are_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(Scene::read(&folder.join("nothing.toml")).is_err());
    assert!(Scene::read(folder).unwrap_err().to_string().contains("is a folder"));
    let path = std::env::temp_dir().join(format!("riprap-scene-{}.toml", std::process::id()));
    fs::write(&path, [0xff, 0xfe, 0x00]).unwrap();
    assert!(Scene::read(&path).unwrap_err().to_string().contains("is not text"));
    fs::remove_file(&path).unwrap();
}

#[test]
fn the_scene_of_the_readme_is_good() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let text = fs::read_to_string(readme).unwrap();
    let scene = text.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let path = std::env::temp_dir().join(format!("riprap-readme-{}.toml", std::process::id()));
    fs::write(&path, scene).unwrap();
    let result = Scene::read(&path);
    fs::remove_file(&path).unwrap();
    result.unwrap_or_else(|error| panic!("{error}"));
}

/// A scene of two materials, the second much stiffer, with this insertion and a file of particles beside it.
fn with_file(name: &str, content: &str, insert: &str) -> Scene {
    let folder = std::env::temp_dir().join(format!("riprap-particles-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(name), content).unwrap();
    let dimension = if content.contains(['z', 'Z']) { 3 } else { 2 };
    let scene = format!(
        "dimension = {dimension}\n[time]\nend = 1\n[materials.clay]\nyoung = 1e6\n[materials.glass]\nyoung = 1e10\n\
         [[insert]]\nhow = \"file\"\nfile = \"{name}\"\n{insert}\n"
    );
    fs::write(folder.join("scene.toml"), scene).unwrap();
    let scene = Scene::read(&folder.join("scene.toml"));
    fs::remove_dir_all(&folder).unwrap();
    scene.unwrap_or_else(|error| panic!("{error}"))
}

fn bodies<const D: usize>(setup: &Setup<D>) -> &[NewBody<D>] {
    match &setup.insertions[0].how {
        How::Given(bodies) => bodies,
        other => panic!("{other:?}"),
    }
}

/// Motion and materials are read from every format that names its columns.
#[test]
fn files_say_how_particles_move_and_of_what_they_are() {
    let csv =
        "x,y,z,r,vx,vy,vz,wx,wy,wz,material\n0,0,0,0.1,1,2,3,4,5,6,glass\n1,0,0,0.2,-1,0,0,0,0,7,clay\n";
    let text = "Radius[m] PosX[m] PosY[m] PosZ[m] VelX[m/s] VelY[m/s] VelZ[m/s] OmegaX[1/s] OmegaY[1/s] OmegaZ[1/s] Material\n\
        0.1 0 0 0 1 2 3 4 5 6 glass\n0.2 1 0 0 -1 0 0 0 0 7 clay\n";
    let dump = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS ff ff ff\n0 1\n0 1\n0 1\n\
        ITEM: ATOMS id type material radius x y z vx vy vz omegax omegay omegaz\n\
        1 1 glass 0.1 0 0 0 1 2 3 4 5 6\n2 1 clay 0.2 1 0 0 -1 0 0 0 0 7\n";
    let (clay, glass) = (0, 1);
    let expected = [
        NewBody {
            velocity: [1.0, 2.0, 3.0],
            spin: [4.0, 5.0, 6.0],
            material: glass,
            ..NewBody::ball([0.0; 3], 0.1)
        },
        NewBody {
            velocity: [-1.0, 0.0, 0.0],
            spin: [0.0, 0.0, 7.0],
            material: clay,
            ..NewBody::ball([1.0, 0.0, 0.0], 0.2)
        },
    ];
    for (name, content) in [("a.csv", csv), ("a.txt", text), ("a.dump", dump)] {
        // The file comes before what the insertion says.
        for insert in ["", "material = \"clay\"\nvelocity = [9, 9, 9]\nspin = [9, 9, 9]"] {
            let Scene::Spatial(setup) = with_file(name, content, insert) else { panic!("{name}") };
            assert_eq!(bodies(&setup), expected, "{name}");
        }
    }
    let flat = "x,y,r,vx,vy,w,material\n0,0,0.1,1,2,3,\n0.5,0,0.1,0,0,-1,glass\n";
    let Scene::Planar(setup) = with_file("b.csv", flat, "material = \"clay\"") else {
        panic!("in the plane")
    };
    let [first, second] = bodies(&setup) else { panic!("two") };
    assert_eq!((first.velocity, first.spin, first.material), ([1.0, 2.0], [0.0, 0.0, 3.0], clay));
    assert_eq!((second.spin, second.material), ([0.0, 0.0, -1.0], glass));

    // Without columns, the values of the insertion.
    let plain = "material = \"glass\"\nvelocity = [1, 0, 0]\nspin = [0, 0, 2]";
    let Scene::Spatial(setup) = with_file("c.csv", "x,y,z,r\n0,0,0,1\n", plain) else { panic!("in space") };
    let [only] = bodies(&setup) else { panic!("one") };
    assert_eq!((only.velocity, only.spin, only.material), ([1.0, 0.0, 0.0], [0.0, 0.0, 2.0], glass));
}

/// Random velocities are added to those of the file.
#[test]
fn random_velocities_are_added_to_those_of_a_file() {
    let file = "x,y,z,r,vx,vy,vz\n0,0,0,1,5,0,0\n3,0,0,1,-5,0,0\n";
    let Scene::Spatial(setup) = with_file("d.csv", file, "material = \"clay\"\nrandom_velocity = 0.1") else {
        panic!("in space")
    };
    for (body, expected) in bodies(&setup).iter().zip([5.0, -5.0]) {
        let change = (body.velocity[0] - expected).abs();
        assert!(change > 0.0 && change <= 0.1 && body.velocity[1] != 0.0, "{body:?}");
    }
}

/// The time step follows from every material that a file brings.
#[test]
fn the_stiffest_material_of_a_file_decides_the_step() {
    let step = |material: &str| {
        let file = format!("x,y,z,r,material\n0,0,0,0.1,clay\n1,0,0,0.1,{material}\n2,0,0,0.1,clay\n");
        match with_file(&format!("{material}.csv"), &file, "material = \"clay\"") {
            Scene::Spatial(setup) => setup.settings.time_step,
            Scene::Planar(_) => panic!("in space"),
        }
    };
    // A hundred times: the root of the ratio of the moduli.
    let ratio = step("clay") / step("glass");
    assert!((ratio / 100.0 - 1.0).abs() < 1e-6, "{ratio}");
}
