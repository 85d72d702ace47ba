//! Stones of scenes: how they stand, and that they come without overlap, where they should.

use std::fs;
use std::path::PathBuf;

use riprap::convex::{LinkMemory, LinkMethod, Pose, Solver};
use riprap::dem::{Bodies, NewBody, Shapes, Simulation};
use riprap::inside::{Inside, InsideMethod, Place};
use riprap::io::write_mesh;
use riprap::mesh::shapes::{scaled, torus};
use riprap::scene::{Scene, Setup};
use riprap::shape::{self, Form};

use crate::size_of_cube;

/// A folder that is gone at the end.
pub(super) struct Folder(pub(super) PathBuf);

impl Folder {
    pub(super) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("riprap-inserted-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// The scene of this text, in space.
    pub(super) fn scene(&self, text: &str) -> Setup<3> {
        let path = self.0.join("scene.toml");
        let start = "law = \"linear\"\n[time]\nend = 1\n[materials.rock]\nk_n = 1e5\n";
        fs::write(&path, format!("{start}{text}")).unwrap();
        match Scene::read(&path).unwrap_or_else(|error| panic!("{error}")) {
            Scene::Spatial(setup) => *setup,
            Scene::Planar(_) => panic!("in space"),
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A simulation with all that comes at the start.
pub(super) fn filled<const D: usize>(setup: &Setup<D>) -> Simulation<D> {
    let mut simulation = setup.simulation().unwrap();
    for insertion in &mut setup.insertions.clone() {
        insertion.run(&mut simulation).unwrap();
    }
    simulation
}

/// Convex pieces of a body in their places; balls as a point and a radius.
enum Solid {
    Stone { vertices: Vec<[f64; 3]> },
    Ball { center: [f64; 3], radius: f64 },
}

fn turned(pose: &Pose<3>, size: f64, point: [f64; 3]) -> [f64; 3] {
    pose.place(point.map(|x| x * size))
}

fn solids(bodies: &Bodies<3>, table: &Shapes<3>, row: usize) -> Vec<Solid> {
    let orientation = bodies.turning.orientation.get(row).copied().unwrap_or([1.0, 0.0, 0.0, 0.0]);
    let pose = Pose::from_quaternion(bodies.position[row], orientation).unwrap();
    let size = bodies.radius[row];
    let shape = table.find(bodies.shape[row]).unwrap();
    shape
        .pieces
        .iter()
        .map(|piece| match &piece.form {
            Form::Ball { radius } => {
                Solid::Ball { center: turned(&pose, size, piece.center), radius: radius * size }
            }
            Form::Convex(body) => Solid::Stone {
                vertices: body
                    .vertices()
                    .iter()
                    .map(|vertex| turned(&pose, size, std::array::from_fn(|k| vertex[k] + piece.center[k])))
                    .collect(),
            },
        })
        .collect()
}

/// The distance of two solids, by bodies that are made anew; balls are polyhedra of many corners within them.
fn gap(a: &Solid, b: &Solid) -> f64 {
    let [a, b] = [a, b].map(|solid| match solid {
        Solid::Stone { vertices } => riprap::convex::Polyhedron::from_points(vertices).unwrap(),
        Solid::Ball { center, radius } => {
            let ball = riprap::mesh::shapes::sphere(3);
            let place = |vertex: &[f64; 3]| std::array::from_fn(|k| center[k] + radius * vertex[k]);
            let points: Vec<[f64; 3]> = ball.vertices().iter().map(place).collect();
            riprap::convex::Polyhedron::from_points(&points).unwrap()
        }
    });
    let poses = [Pose::at(a.centroid()), Pose::at(b.centroid())];
    Solver::new(LinkMethod::ShortestLink).link([&a, &b], poses.each_ref(), &mut LinkMemory::default()).gap
}

/// Checks that no two bodies overlap; returns how many pairs do whose balls around them overlap.
fn check_clear(simulation: &Simulation<3>) -> usize {
    let (bodies, table) = (simulation.bodies(), simulation.shapes());
    let all: Vec<Vec<Solid>> = (0..bodies.len()).map(|row| solids(bodies, table, row)).collect();
    let reach = |row: usize| bodies.radius[row] * table.find(bodies.shape[row]).unwrap().reach;
    let mut near = 0;
    for i in 0..bodies.len() {
        for j in 0..i {
            let apart: f64 = (0..3).map(|k| (bodies.position[i][k] - bodies.position[j][k]).powi(2)).sum();
            if apart.sqrt() < reach(i) + reach(j) {
                near += 1;
                let gap = all[i]
                    .iter()
                    .flat_map(|one| all[j].iter().map(move |other| gap(one, other)))
                    .fold(f64::INFINITY, f64::min);
                assert!(gap > -1e-9 * reach(i), "{i} and {j} overlap by {}", -gap);
            }
        }
    }
    near
}

/// The extent of each body along each axis.
fn extents(simulation: &Simulation<3>) -> Vec<[[f64; 3]; 2]> {
    let (bodies, table) = (simulation.bodies(), simulation.shapes());
    let of = |row: usize| {
        let mut extent = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        let mut note = |point: [f64; 3], radius: f64| {
            for k in 0..3 {
                extent[0][k] = extent[0][k].min(point[k] - radius);
                extent[1][k] = extent[1][k].max(point[k] + radius);
            }
        };
        for solid in solids(bodies, table, row) {
            match solid {
                Solid::Ball { center, radius } => note(center, radius),
                Solid::Stone { vertices } => vertices.into_iter().for_each(|vertex| note(vertex, 0.0)),
            }
        }
        extent
    };
    (0..bodies.len()).map(of).collect()
}

const FOUR: &str = r#"
[shapes.bar]
vertices = [[0, 0, 0], [4, 0, 0], [0, 1, 0], [4, 1, 0], [0, 0, 1], [4, 0, 1], [0, 1, 1], [4, 1, 1]]
[shapes.hook]
pieces = ["bar", "bar"]
rotations = [[1, 0, 0, 0], [1, 0, 0, 1]]
[shapes.clump]
spheres = [{ center = [0, 0, 0], radius = 1 }, { center = [1.5, 0, 0], radius = 0.8 }]
[[walls]]
shape = "plane"
point = [0, 0, 0.01]
normal = [0, 0.6, 0.8]
material = "rock"
[[insert]]
how = "random"
material = "rock"
shapes = ["bar", "hook", "clump", "sphere"]
sizes = { uniform = [0.008, 0.012] }
min = [0, 0, 0]
max = [0.14, 0.14, 0.14]
"#;

#[test]
fn random_places_are_clear_of_bodies_and_walls_as_they_are() {
    let folder = Folder::new("random");
    let setup = folder.scene(&format!("{FOUR}\ncount = 122\n"));
    let simulation = filled(&setup);
    let bodies = simulation.bodies();
    // Equal parts by number; the table begins with the ball.
    let counts = [1, 2, 3, 0].map(|shape| bodies.shape.iter().filter(|found| found.0 == shape).count());
    assert_eq!(counts, [31, 31, 30, 30]);
    let near = check_clear(&simulation);
    assert!(near > 30, "{near}: balls around the bodies would have done");
    for (row, [low, high]) in extents(&simulation).into_iter().enumerate() {
        assert!((0..3).all(|k| low[k] >= -1e-12 && high[k] <= 0.14 + 1e-12), "{row}: {low:?} {high:?}");
        for solid in solids(bodies, simulation.shapes(), row) {
            let height = |point: [f64; 3]| 0.6 * point[1] + 0.8 * (point[2] - 0.01);
            match solid {
                Solid::Ball { center, radius } => assert!(height(center) >= radius),
                Solid::Stone { vertices } => {
                    assert!(vertices.into_iter().all(|vertex| height(vertex) >= 0.0));
                }
            }
        }
    }
    // Reproducible, by the seed of the scene.
    assert_eq!(filled(&setup).state(), simulation.state());
    let other =
        folder.scene(&format!("{FOUR}\ncount = 122\n").replace("[shapes.bar]", "[search]\n[shapes.bar]"));
    assert_eq!(filled(&other).state(), simulation.state());
    let path = folder.0.join("scene.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("seed = 2\n{text}")).unwrap();
    let Ok(Scene::Spatial(other)) = Scene::read(&path) else { panic!("in space") };
    assert_ne!(filled(&other).bodies().position, bodies.position);
}

/// Cubes that stand side by side need no more room than they take.
#[test]
fn cubes_fill_a_box_on_a_lattice() {
    let folder = Folder::new("lattice");
    let insert = |rotation: &str| {
        format!(
            "[[walls]]\nshape = \"box\"\nmin = [0, 0, 0]\nmax = [0.1, 0.1, 0.1]\nmaterial = \"rock\"\n\
             [[insert]]\nhow = \"lattice\"\nmaterial = \"rock\"\nshape = \"cube\"\nsizes = {{ constant = {} }}\n\
             min = [0, 0, 0]\nmax = [0.1, 0.1, 0.1]\n{rotation}\n",
            size_of_cube(0.02)
        )
    };
    let simulation = filled(&folder.scene(&insert("rotation = [2, 0, 0, 0]")));
    assert_eq!(simulation.bodies().len(), 125);
    check_clear(&simulation);
    // Turned at random each needs the ball around it: 0.02 sqrt(3) wide.
    let simulation = filled(&folder.scene(&insert("")));
    assert_eq!(simulation.bodies().len(), 8);
    check_clear(&simulation);
}

/// A lattice on which nothing fits would be a scene in which nothing happens.
#[test]
fn lattices_without_a_place_are_refused() {
    let folder = Folder::new("no-place");
    let lattice =
        "[[insert]]\nhow = \"lattice\"\nmaterial = \"rock\"\nshape = \"cube\"\nrotation = [1, 0, 0, 0]\n";
    let refused = |insertions: &str| {
        let setup = folder.scene(insertions);
        let mut simulation = setup.simulation().unwrap();
        let mut insertions = setup.insertions.iter();
        insertions.find_map(|one| one.clone().run(&mut simulation).err()).unwrap().to_string()
    };
    let sizes = format!("sizes = {{ constant = {} }}", size_of_cube(0.02));
    let jittered = format!("{lattice}{sizes}\nmin = [0, 0, 0]\nmax = [0.1, 0.1, 0.05]\njitter = 0.03\n");
    let message = refused(&jittered);
    assert!(message.contains("needs 0.08 with its `jitter`, the region has 0.05"), "{message}");
    let twice = format!("{lattice}{sizes}\nmin = [0, 0, 0]\nmax = [0.1, 0.1, 0.1]\n").repeat(2);
    let message = refused(&twice);
    assert!(message.contains("other particles are in all of them"), "{message}");
}

/// Stones rain between others, where balls around them would find no room; and balls between stones.
#[test]
fn rain_falls_between_stones() {
    let folder = Folder::new("rain");
    let setup = folder.scene(
        r#"
[shapes.plate]
vertices = [[0, 0, 0], [9, 0, 0], [0, 9, 0], [9, 9, 0], [0, 0, 1], [9, 0, 1], [0, 9, 1], [9, 9, 1]]
[[insert]]
how = "list"
material = "rock"
shape = "plate"
particles = [{ position = [0.05, 0.05, 0.05], radius = 0.025 }]
[[insert]]
how = "rain"
material = "rock"
shapes = ["sphere", "tetrahedron"]
sizes = { constant = 0.006 }
min = [0, 0, 0]
max = [0.1, 0.1, 0.1]
rate = 1e6
count = 60
"#,
    );
    let mut simulation = setup.simulation().unwrap();
    let mut insertions = setup.insertions.clone();
    while simulation.bodies().len() < 61 {
        for insertion in &mut insertions {
            insertion.run(&mut simulation).unwrap();
        }
        simulation.advance_by(1).unwrap();
        assert!(simulation.steps() < 3000, "{} of 60 have come", simulation.bodies().len() - 1);
    }
    assert!(simulation.measures().max_overlap < 1e-3, "{}", simulation.measures().max_overlap);
    assert!(check_clear(&simulation) >= 40);
}

/// A mould and a cylinder hold balls and stones as a whole.
#[test]
fn moulds_and_cylinders_hold_whole_bodies() {
    let folder = Folder::new("mould");
    let ring = scaled(&torus(1.0, 0.5, 48, 24), 0.1);
    write_mesh(&folder.0.join("ring.ply"), &ring).unwrap();
    let inside = Inside::new(&ring, InsideMethod::Cells).unwrap();
    for (shape, count) in [("cube", 150), ("sphere", 150)] {
        let simulation = filled(&folder.scene(&format!(
            "[[insert]]\nhow = \"random\"\nmaterial = \"rock\"\nshape = \"{shape}\"\nsizes = {{ constant = 0.008 }}\n\
             within = \"ring.ply\"\ncount = {count}\n"
        )));
        assert_eq!(simulation.bodies().len(), count);
        let mut points = Vec::new();
        for row in 0..count {
            for solid in solids(simulation.bodies(), simulation.shapes(), row) {
                match solid {
                    // Points all over its surface: of a body that reaches out, some would be outside.
                    Solid::Stone { vertices } => {
                        for a in &vertices {
                            for b in &vertices {
                                let between = |t: f64| std::array::from_fn(|k| a[k] + t * (b[k] - a[k]));
                                points.extend((0..=8).map(|t| between(f64::from(t) / 8.0)));
                            }
                        }
                    }
                    Solid::Ball { center, radius } => {
                        let ball = riprap::mesh::shapes::sphere(3);
                        let place =
                            |v: &[f64; 3]| std::array::from_fn(|k| center[k] + 0.9999 * radius * v[k]);
                        points.extend(ball.vertices().iter().map(place));
                    }
                }
            }
        }
        let mut places = Vec::new();
        inside.classify(&points, 1, &mut places).unwrap();
        assert!(places.iter().all(|place| *place == Place::Inside), "{shape}");
    }
    // As many as fill a share of the mould, not of the box around it.
    let filling = filled(&folder.scene(
        "[[insert]]\nhow = \"random\"\nmaterial = \"rock\"\nsizes = { constant = 0.006 }\nwithin = \"ring.ply\"\nfraction = 0.2\n",
    ));
    let volume = 2.0 * std::f64::consts::PI.powi(2) * 0.1 * 0.05 * 0.05;
    let share = filling.bodies().len() as f64 * Shapes::<3>::volume(0.006) / volume;
    assert!((share / 0.2 - 1.0).abs() < 0.03, "{share}");

    for shape in ["fourteen", "sphere"] {
        let simulation = filled(&folder.scene(&format!(
            "[[insert]]\nhow = \"random\"\nmaterial = \"rock\"\nshape = \"{shape}\"\nsizes = {{ constant = 0.008 }}\n\
             min = [0, 0, 0]\nmax = [0.1, 0.1, 0.1]\ncylinder = {{ point = [0.05, 0, 0.05], axis = [0, 2, 0], radius = 0.04 }}\ncount = 40\n"
        )));
        let mut farthest = 0.0f64;
        for row in 0..40 {
            for solid in solids(simulation.bodies(), simulation.shapes(), row) {
                let from_axis = |point: [f64; 3]| (point[0] - 0.05).hypot(point[2] - 0.05);
                farthest = farthest.max(match solid {
                    Solid::Ball { center, radius } => from_axis(center) + radius,
                    Solid::Stone { vertices } => vertices.into_iter().map(from_axis).fold(0.0, f64::max),
                });
            }
        }
        assert!(farthest < 0.04 + 1e-12 && farthest > 0.035, "{shape}: {farthest}");
    }
}

/// Bodies of a list stand as their shapes were given, or turned from there; their places are those of the centre of mass.
#[test]
fn listed_stones_stand_as_they_were_given() {
    let folder = Folder::new("list");
    let wedge = [[1.0, 2.0, 3.0], [4.0, 2.5, 3.0], [1.5, 4.0, 2.0], [1.0, 2.2, 5.0], [2.0, 3.0, 4.5]];
    let built = shape::from_vertices("wedge", &wedge).unwrap();
    let setup = folder.scene(&format!(
        "[shapes.wedge]\nvertices = {wedge:?}\n[[insert]]\nhow = \"list\"\nmaterial = \"rock\"\nshape = \"wedge\"\nparticles = [\n\
         {{ position = [0, 0, 0], radius = {size} }},\n\
         {{ position = [0, 0, 9], radius = {size}, rotation = [1, 0, 0, 1] }},\n\
         {{ position = [0, 9, 0], radius = {size}, shape = \"cube\" }}]\n",
        size = built.size
    ));
    let simulation = filled(&setup);
    let center = built.pose.position;
    for (row, expected) in [
        (0, wedge.map(|v| std::array::from_fn(|k| v[k] - center[k]))),
        // A quarter turn about z.
        (1, wedge.map(|v| [center[1] - v[1], v[0] - center[0], 9.0 + v[2] - center[2]])),
    ] {
        let found = solids(simulation.bodies(), simulation.shapes(), row);
        let Solid::Stone { vertices } = &found[0] else { panic!("a stone") };
        for corner in expected {
            let near = |v: &&[f64; 3]| (0..3).all(|k| (v[k] - corner[k]).abs() < 1e-12);
            assert!(vertices.iter().any(|v| near(&v)), "{corner:?} is not among {vertices:?}");
        }
    }
    let edge = built.size / size_of_cube(1.0);
    let [low, high] = extents(&simulation)[2];
    assert!((0..3).all(|k| (high[k] - low[k] - edge).abs() < 1e-12), "{low:?} {high:?} {edge}");
}

/// Rows of a file are of the shape of the insertion, turned at random unless that says how.
#[test]
fn particles_of_files_have_the_shape_of_the_insertion() {
    let folder = Folder::new("file");
    fs::write(folder.0.join("two.csv"), "x,y,z,r\n0,0,0,0.01\n1,0,0,0.02\n").unwrap();
    let insert = "[[insert]]\nhow = \"file\"\nmaterial = \"rock\"\nfile = \"two.csv\"\nshape = \"cube\"\n";
    let bodies: Vec<NewBody<3>> = match &folder.scene(insert).insertions[0].how {
        riprap::dem::insert::How::Given(bodies) => bodies.clone(),
        other => panic!("{other:?}"),
    };
    assert!(bodies.iter().all(|body| body.shape.0 == 1) && bodies[0].orientation != bodies[1].orientation);
    let fixed = filled(&folder.scene(&format!("{insert}rotation = [1, 0, 0, 0]\n")));
    let [low, high] = extents(&fixed)[1];
    assert!((high[2] - low[2] - 0.02 / size_of_cube(1.0)).abs() < 1e-12);
}

/// In the plane: polygons in a circle.
#[test]
fn polygons_find_room_in_the_plane() {
    let folder = Folder::new("plane");
    let path = folder.0.join("scene.toml");
    let text = r#"
dimension = 2
law = "linear"
[time]
end = 1
[materials.rock]
k_n = 1e5
[shapes.kite]
vertices = [[0, 0], [1, 1], [0, 3], [-1, 1]]
[shapes.pebble]
stone = { vertices = 9, aspect = [1, 0.6], seed = 3 }
[[insert]]
how = "random"
material = "rock"
shapes = ["kite", "pebble", "square"]
sizes = { constant = 0.05 }
min = [-1, -1]
max = [1, 1]
cylinder = { point = [0, 0], radius = 1 }
fraction = 0.4
"#;
    fs::write(&path, text).unwrap();
    let Scene::Planar(setup) = Scene::read(&path).unwrap_or_else(|error| panic!("{error}")) else {
        panic!("in the plane")
    };
    let simulation = filled(&*setup);
    let bodies = simulation.bodies();
    // Four tenths of the circle, each disk 0.05^2 of it.
    assert!((bodies.len() as f64 * 0.0025 / 0.4 - 1.0).abs() < 0.02, "{}", bodies.len());
    for row in 0..bodies.len() {
        let shape = simulation.shapes().find(bodies.shape[row]).unwrap();
        let [w, _, _, z] = bodies.turning.orientation[row];
        let (sine, cosine) = (2.0 * w * z, w * w - z * z);
        for [x, y] in shape.vertices() {
            let (x, y) = (0.05 * (cosine * x - sine * y), 0.05 * (sine * x + cosine * y));
            let [cx, cy] = bodies.position[row];
            assert!((cx + x).hypot(cy + y) <= 1.0 + 1e-12);
        }
    }
    let mut running = simulation;
    running.advance_by(1).unwrap();
    assert_eq!(running.contact_counts().0, 0);
}
