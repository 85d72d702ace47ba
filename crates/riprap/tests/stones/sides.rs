//! On which side of closed walls bodies are inserted; when rain ends, and how many have come.

use riprap::dem::Simulation;
use riprap::dem::insert::InsertError;
use riprap::inside::{Inside, InsideMethod, Place};
use riprap::io::write_mesh;
use riprap::mesh::{Mesh, shapes};
use riprap::scene::Scene;

use crate::inserted::{Folder, filled};

/// How many centres are inside a mesh.
fn inside(simulation: &Simulation<3>, mesh: &Mesh) -> usize {
    let mut places = Vec::new();
    let mesh = Inside::new(mesh, InsideMethod::Cells).unwrap();
    mesh.classify(&simulation.bodies().position, 1, &mut places).unwrap();
    places.iter().filter(|place| **place == Place::Inside).count()
}

fn moved(mesh: &Mesh, size: f64, by: [f64; 3]) -> Mesh {
    let place = |vertex: &[f64; 3]| std::array::from_fn(|k| size * vertex[k] + by[k]);
    Mesh::new(mesh.vertices().iter().map(place).collect(), mesh.triangles().to_vec()).unwrap()
}

/// A truncated cone, closed at both ends.
fn cone() -> Mesh {
    let count = 40u32;
    let ring = |radius: f64, z: f64| {
        (0..count).map(move |k| {
            let (sine, cosine) = (std::f64::consts::TAU * f64::from(k) / f64::from(count)).sin_cos();
            [radius * cosine, radius * sine, z]
        })
    };
    let mut vertices: Vec<[f64; 3]> = ring(0.02, 0.0).chain(ring(0.05, 0.1)).collect();
    vertices.extend([[0.0, 0.0, 0.0], [0.0, 0.0, 0.1]]);
    let mut triangles = Vec::new();
    for k in 0..count {
        let next = (k + 1) % count;
        triangles.extend([[k, next, count + next], [k, count + next, count + k]]);
        triangles.extend([[2 * count, next, k], [2 * count + 1, count + k, count + next]]);
    }
    let mesh = Mesh::new(vertices, triangles).unwrap();
    mesh.check_closed().unwrap();
    mesh
}

const WALL: &str = "[[walls]]\nname = \"body\"\nshape = \"mesh\"\nmaterial = \"rock\"\n";
const RANDOM: &str = "[[insert]]\nhow = \"random\"\nmaterial = \"rock\"\nsizes = { constant = 0.003 }\n";

#[test]
fn nothing_is_inserted_into_a_closed_wall() {
    let folder = Folder::new("solid");
    let ball = moved(&shapes::sphere(4), 0.03, [0.05; 3]);
    write_mesh(&folder.0.join("ball.ply"), &ball).unwrap();
    let wall = format!("{WALL}file = \"ball.ply\"\n");
    let region = "min = [0, 0, 0]\nmax = [0.1, 0.1, 0.1]\n";
    for kind in ["", "shape = \"cube\"\n"] {
        for how in [
            format!("{RANDOM}{kind}{region}count = 500\n"),
            format!("{RANDOM}{kind}{region}").replace("random", "lattice"),
            format!("{RANDOM}{kind}{region}rate = 1e9\ncount = 300\n").replace("random", "rain"),
        ] {
            let mut setup = folder.scene(&format!("{wall}{how}"));
            let mut simulation = filled(&setup);
            // Rain brings what is due.
            simulation.advance_by(1).unwrap();
            setup.insertions[0].run(&mut simulation).unwrap_or_default();
            assert!(simulation.bodies().len() >= 300, "{how}: {}", simulation.bodies().len());
            assert_eq!(inside(&simulation, &ball), 0, "{how}");
        }
    }
    // Also where the wall has gone by then.
    let moving =
        format!("{wall}motion = [{{ velocity = [0.2, 0, 0] }}]\n{RANDOM}{region}count = 500\ntime = 0.1\n");
    let mut setup = folder.scene(&moving);
    let mut simulation = setup.simulation().unwrap();
    let steps = (0.1 / simulation.settings().time_step).ceil() as u64;
    simulation.advance_by(steps).unwrap();
    setup.insertions[0].run(&mut simulation).unwrap();
    assert_eq!(simulation.bodies().len(), 500);
    let there = moved(&shapes::sphere(4), 0.03, [0.07, 0.05, 0.05]);
    assert_eq!(inside(&simulation, &there), 0);
    assert!(inside(&simulation, &ball) > 0);
    // A share of the volume is of what is left of it.
    let filling = filled(&folder.scene(&format!("{wall}{RANDOM}{region}fraction = 0.1\n")));
    let volume = 1e-3 - 4.0 / 3.0 * std::f64::consts::PI * 0.03f64.powi(3);
    let share = filling.bodies().len() as f64 * riprap::dem::Shapes::<3>::volume(0.003) / volume;
    assert!((share / 0.1 - 1.0).abs() < 0.03, "{share}");
}

#[test]
fn a_closed_container_holds_what_is_inserted() {
    let folder = Folder::new("container");
    let cone = cone();
    write_mesh(&folder.0.join("cone.ply"), &cone).unwrap();
    let wall = format!("{WALL}file = \"cone.ply\"\n");
    let insert = format!("{RANDOM}min = [-0.05, -0.05, 0]\nmax = [0.05, 0.05, 0.1]\ncount = 300\n");
    // Forty per cent of its box: less than half, so the wall has to say it.
    for (side, expected) in [("side = \"inside\"\n", 300), ("side = \"outside\"\n", 0), ("", 0)] {
        let simulation = filled(&folder.scene(&format!("{wall}{side}{insert}")));
        assert_eq!(inside(&simulation, &cone), expected, "{side}");
    }
    // Where most of the region is inside, all are.
    let narrow = insert
        .replace("-0.05, -0.05, 0]", "-0.035, -0.035, 0]")
        .replace("0.05, 0.05, 0.1", "0.035, 0.035, 0.1");
    let simulation = filled(&folder.scene(&format!("{wall}{narrow}")));
    assert_eq!(inside(&simulation, &cone), 300);
    let few = narrow.replace("count = 300", "count = 60");
    // What can be touched from one side only has its bodies there: corners run counter-clockwise as seen from outside.
    let simulation = filled(&folder.scene(&format!("{wall}one_sided = true\n{few}")));
    assert_eq!(inside(&simulation, &cone), 0);
}

#[test]
fn a_closed_polyline_has_a_solid_side() {
    let folder = Folder::new("polyline");
    let text = "dimension = 2\nlaw = \"linear\"\n[time]\nend = 1\n[materials.rock]\nk_n = 1e5\n\
                [[walls]]\nshape = \"polyline\"\nmaterial = \"rock\"\nclosed = true\npoints = [[0.3, 0.3], [0.7, 0.3], [0.5, 0.8]]\n\
                [[insert]]\nhow = \"random\"\nmaterial = \"rock\"\nsizes = { constant = 0.01 }\nmin = [0, 0]\nmax = [1, 1]\ncount = 900\n";
    for (side, expected) in [("", false), ("side = \"inside\"\n", true)] {
        let count = if expected { "count = 90" } else { "count = 900" };
        let text =
            text.replace("closed = true\n", &format!("closed = true\n{side}")).replace("count = 900", count);
        let path = folder.0.join("scene.toml");
        std::fs::write(&path, text).unwrap();
        let Ok(Scene::Planar(setup)) = Scene::read(&path) else { panic!("in the plane") };
        let inside = |[x, y]: [f64; 2]| y > 0.3 && 2.5 * (x - 0.3) > y - 0.3 && 2.5 * (0.7 - x) > y - 0.3;
        let simulation = filled(&setup);
        assert!(simulation.bodies().position.iter().all(|center| inside(*center) == expected));
    }
}

#[test]
fn rain_ends_when_it_ends() {
    let folder = Folder::new("end");
    // A region that has room for a few at a time, so that rain is late.
    let rain = "[[insert]]\nhow = \"rain\"\nmaterial = \"rock\"\nsizes = { constant = 0.01 }\nmin = [0, 0, 0]\nmax = [0.05, 0.05, 0.021]\n\
                rate = 10000\nend = 0.05\nvelocity = [0, 0, -5]\n";
    let setup = folder.scene(rain);
    let (mut simulation, mut insertion) = (setup.simulation().unwrap(), setup.insertions[0].clone());
    let mut at_the_end = None;
    while simulation.time() < 0.3 {
        insertion.run(&mut simulation).unwrap();
        if insertion.is_over(simulation.time()) {
            at_the_end.get_or_insert(simulation.inserted());
        }
        simulation.advance_by(16).unwrap();
    }
    let came = at_the_end.unwrap();
    assert!(came > 20 && came < 500, "{came}");
    assert_eq!(simulation.inserted(), came);
    assert_eq!(insertion.waiting(simulation.time()), 500 - came);
    // With room for all, all that is due comes.
    let setup = folder.scene(&rain.replace("0.021]", "5]").replace("10000", "1000"));
    let (mut simulation, mut insertion) = (setup.simulation().unwrap(), setup.insertions[0].clone());
    while simulation.time() < 0.06 {
        insertion.run(&mut simulation).unwrap();
        simulation.advance_by(16).unwrap();
    }
    assert_eq!((simulation.inserted(), insertion.waiting(1.0)), (50, 0));
}

#[test]
fn a_lack_of_room_is_told_with_how_many_fit() {
    let folder = Folder::new("room");
    let mut setup =
        folder.scene(&format!("{RANDOM}min = [0, 0, 0]\nmax = [0.02, 0.02, 0.02]\ncount = 200\n"));
    let mut simulation = setup.simulation().unwrap();
    let error = setup.insertions[0].run(&mut simulation).unwrap_err();
    let InsertError::NoRoom { placed, asked: 200, .. } = error else { panic!("{error}") };
    assert!(placed > 10, "{placed}");
    assert!(error.to_string().contains(&format!("there is room for {placed} of 200 particles")), "{error}");
}
