//! Frames of a run, read back from its folder.

use std::path::{Path, PathBuf};

use super::film::FilmError;
use super::walls::{self, Facet, Plane};
use super::{begin, shows};
use crate::io::{VtkError, VtkFile, read_collection};
use crate::picture::{Ball, Hull, Picture, Stone};
use crate::run::frames::{PARTICLES, WALLS, collection};
use crate::scene::{Color, Drawing};
use crate::vector::{add, length, sub};

/// The files of one time.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Frame {
    pub(super) time: f64,
    particles: PathBuf,
    walls: Option<PathBuf>,
}

/// All frames of a folder, in the order of time.
pub(super) fn list(folder: &Path) -> Result<Vec<Frame>, FilmError> {
    let files = |kind: &str| {
        let path = folder.join(collection(kind));
        read_collection(&path).map_err(|error| FilmError::Frame { path, error })
    };
    let walls = if folder.join(collection(WALLS)).exists() { files(WALLS)? } else { Vec::new() };
    let walls_at = |time: f64| walls.iter().find(|(at, _)| *at == time).map(|(_, file)| folder.join(file));
    let particles = files(PARTICLES)?.into_iter();
    Ok(particles
        .map(|(time, file)| Frame { time, particles: folder.join(file), walls: walls_at(time) })
        .collect())
}

impl Frame {
    /// The bodies and the walls without planes, those, and what numbers of materials or of shapes are called. Values of bodies are what
    /// colours show.
    pub(super) fn read(&self, drawing: &Drawing) -> Result<(Picture, Vec<Plane>, Vec<String>), FilmError> {
        let at = |path: &Path| {
            let path = path.to_path_buf();
            |error| FilmError::Frame { path, error }
        };
        let file = VtkFile::read(&self.particles).map_err(at(&self.particles))?;
        let mut picture = begin(drawing);
        let names = bodies(&mut picture, &file, drawing).map_err(at(&self.particles))?;
        let mut planes = Vec::new();
        if let Some(path) = &self.walls {
            let facets = VtkFile::read(path).and_then(|file| facets(&file, drawing)).map_err(at(path))?;
            planes = walls::add(&mut picture, &facets, drawing);
        }
        Ok((picture, planes, names))
    }
}

fn bodies(picture: &mut Picture, file: &VtkFile, drawing: &Drawing) -> Result<Vec<String>, VtkError> {
    let values: Vec<f64> = match drawing.color {
        Color::Speed => file.vectors("velocity")?.into_iter().map(length).collect(),
        Color::Radius => file.numbers("radius")?,
        Color::Shape if !file.has("shape") => vec![0.0; file.numbers("radius")?.len()],
        named => file.indices(named.name())?.into_iter().map(|index| index as f64).collect(),
    };
    if file.has("types") {
        solids(picture, file, drawing, &values)?;
    } else {
        let bodies = file.vectors("points")?.into_iter().zip(file.numbers("radius")?).zip(values);
        let shown = bodies.filter(|((center, _), _)| shows(drawing, *center));
        picture.balls.extend(shown.map(|((center, radius), value)| Ball { center, radius, value }));
    }
    match drawing.color {
        Color::Shape if !file.has("shape") => Ok(vec!["sphere".to_string()]),
        Color::Shape => file.names("shapes"),
        Color::Material => file.names("materials"),
        Color::Speed | Color::Radius | Color::Id => Ok(Vec::new()),
    }
}

/// Adds cells: spheres as they are, others as stones with a hull of their own.
fn solids(picture: &mut Picture, file: &VtkFile, drawing: &Drawing, values: &[f64]) -> Result<(), VtkError> {
    let (points, ends, centers) =
        (file.vectors("points")?, file.indices("offsets")?, file.vectors("center")?);
    let spheres = file.numbers("sphere_radius")?;
    let has_faces = file.has("faces");
    let (faces, face_ends) = if has_faces {
        (file.indices("faces")?, file.indices("faceoffsets")?)
    } else {
        (Vec::new(), Vec::new())
    };
    let cells = ends.len();
    if centers.len() != cells
        || spheres.len() != cells
        || values.len() != cells
        || (has_faces && face_ends.len() != cells)
    {
        return Err(VtkError::Damaged);
    }
    let (mut start, mut face_start) = (0, 0);
    for cell in 0..cells {
        let corners =
            points.get(start..ends[cell]).filter(|corners| !corners.is_empty()).ok_or(VtkError::Damaged)?;
        let face_end = if has_faces { face_ends[cell] } else { 0 };
        let value = values[cell];
        if shows(drawing, centers[cell]) {
            let count = corners.len() as f64;
            let middle = corners.iter().fold([0.0; 3], |sum, corner| add(sum, *corner)).map(|x| x / count);
            if spheres[cell] > 0.0 {
                picture.balls.push(Ball { center: middle, radius: spheres[cell], value });
            } else {
                let faces = if has_faces {
                    let faces = faces.get(face_start..face_end).ok_or(VtkError::Damaged)?;
                    faces_of(faces, start).ok_or(VtkError::Damaged)?
                } else {
                    vec![(0..corners.len() as u32).collect()]
                };
                let hull = picture.hulls.len();
                picture.hulls.push(Hull {
                    points: corners.iter().map(|corner| sub(*corner, middle)).collect(),
                    faces,
                });
                let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
                picture.stones.push(Stone { hull, center: middle, size: 1.0, axes, value });
            }
        }
        (start, face_start) = (ends[cell], face_end);
    }
    Ok(())
}

/// The faces of a cell whose points begin at a number: after their number each with its number of corners.
fn faces_of(numbers: &[usize], first: usize) -> Option<Vec<Vec<u32>>> {
    let (count, mut rest) = numbers.split_first()?;
    let mut faces = Vec::new();
    for _ in 0..*count {
        let (corners, after) = rest.split_first()?;
        let (face, after) = after.split_at_checked(*corners)?;
        faces.push(
            face.iter()
                .map(|corner| u32::try_from(corner.checked_sub(first)?).ok())
                .collect::<Option<_>>()?,
        );
        rest = after;
    }
    Some(faces)
}

/// The facets of walls, each with the number of its wall.
fn facets(file: &VtkFile, drawing: &Drawing) -> Result<Vec<Facet>, VtkError> {
    let (points, walls) = (file.vectors("points")?, file.indices("wall")?);
    let corners = if drawing.flat { 2 } else { 3 };
    let facets = walls.into_iter().zip(points.chunks_exact(corners));
    Ok(facets.map(|(wall, points)| (wall, std::array::from_fn(|k| points[k.min(corners - 1)]))).collect())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::ControlFlow;

    use super::super::{bodies, state};
    use super::*;
    use crate::run::{Film, FilmOptions, Run};
    use crate::scene::{Replaced, Scene, Setup};

    const SPACE: &str = r#"
law = "linear"
[time]
end = 0.02
[materials.rock]
density = 2600
k_n = 1e4
[materials.bone]
density = 2000
k_n = 1e4
[shapes.clump]
spheres = [{ center = [0, 0, 0], radius = 1 }, { center = [1, 0, 0], radius = 0.5 }]
[[walls]]
name = "floor"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
material = "rock"
[[walls]]
shape = "box"
min = [0, 0, 0]
max = [0.2, 0.2, 0.4]
material = "rock"
[[insert]]
how = "random"
material = "rock"
shapes = ["cube", "sphere", "clump"]
sizes = { uniform = [0.01, 0.02] }
min = [0, 0, 0]
max = [0.2, 0.2, 0.2]
count = 30
[[insert]]
how = "random"
material = "bone"
sizes = { constant = 0.01 }
min = [0, 0, 0.2]
max = [0.2, 0.2, 0.3]
count = 5
[output]
frames = 0.005
cut = { point = [0.05, 0, 0], normal = [-1, 0, 0] }
"#;
    const PLANE: &str = r#"
dimension = 2
law = "linear"
[time]
end = 0.02
[materials.rock]
density = 2600
k_n = 1e5
[[walls]]
shape = "box"
min = [0, 0]
max = [0.5, 0.5]
material = "rock"
[[insert]]
how = "random"
material = "rock"
shapes = ["square", "sphere"]
sizes = { constant = 0.02 }
min = [0, 0]
max = [0.5, 0.5]
count = 20
[output]
frames = 0.005
"#;

    /// The folder of a run, removed in the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("riprap-frame-{name}-{}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn run<const D: usize>(setup: Setup<D>, folder: &Path) -> Run<D> {
        let steps = setup.steps();
        let mut run = Run::new(setup, Some(folder)).unwrap();
        run.advance_to(steps, |_| ControlFlow::Continue(())).unwrap();
        run
    }

    /// Corners of stones, centres and radii of balls, with their values, and corners of walls.
    fn numbers(picture: &Picture) -> Vec<f64> {
        let mut numbers = Vec::new();
        for stone in &picture.stones {
            let hull = &picture.hulls[stone.hull];
            for face in &hull.faces {
                for corner in face {
                    let [x, y, z] = hull.points[*corner as usize];
                    numbers.extend((0..3).map(|k| {
                        let [a, b, c] = stone.axes;
                        stone.center[k] + stone.size * (x * a[k] + y * b[k] + z * c[k])
                    }));
                }
            }
            numbers.push(stone.value);
        }
        for ball in &picture.balls {
            numbers.extend(ball.center);
            numbers.extend([ball.radius, ball.value]);
        }
        numbers.extend(picture.triangles.as_flattened().as_flattened());
        numbers.extend(picture.lines.as_flattened().as_flattened());
        numbers
    }

    fn check<const D: usize>(run: &Run<D>, folder: &Path) {
        let frames = list(folder).unwrap();
        assert_eq!(frames.len(), 5);
        for color in [Color::Speed, Color::Radius, Color::Material, Color::Shape, Color::Id] {
            let drawing = Drawing { color, ..run.setup.drawing.clone() };
            let (read, planes, names) = frames[4].read(&drawing).unwrap();
            let (drawn, expected) = state(&run.simulation, &drawing, run.inserted);
            assert_eq!(planes, expected);
            let (read, drawn_numbers) = (numbers(&read), numbers(&drawn));
            assert!(drawn.stones.len() > 3 && drawn.balls.len() > 3 && !drawn.lines.is_empty());
            assert_eq!(read.len(), drawn_numbers.len());
            assert!(
                read.iter().zip(&drawn_numbers).all(|(a, b)| (a - b).abs() < 1e-12 * b.abs().max(1.0)),
                "{color:?}"
            );
            if matches!(color, Color::Shape | Color::Material) {
                assert_eq!(names, bodies::names(&run.simulation, color));
            }
        }
    }

    #[test]
    fn frames_show_what_pictures_of_the_state_show() {
        let folder = Folder::new("same");
        let scene = folder.0.join("space.toml");
        fs::write(&scene, SPACE).unwrap();
        let Scene::Spatial(setup) = Scene::read(&scene).unwrap() else { panic!() };
        check(&run(*setup, &folder.0.join("space")), &folder.0.join("space"));
        fs::write(&scene, PLANE).unwrap();
        let Scene::Planar(setup) = Scene::read(&scene).unwrap() else { panic!() };
        check(&run(*setup, &folder.0.join("plane")), &folder.0.join("plane"));
    }

    #[test]
    fn films_are_the_same_for_any_number_of_threads_and_damaged_frames_are_refused() {
        let folder = Folder::new("film");
        let scene = folder.0.join("space.toml");
        fs::write(&scene, SPACE).unwrap();
        let Scene::Spatial(setup) = Scene::read(&scene).unwrap() else { panic!() };
        let results = folder.0.join("results");
        run(*setup, &results);
        let options = FilmOptions {
            width: 120,
            height: 90,
            replaced: vec![Replaced { key: "output.color".to_string(), value: "shape".to_string() }],
            ..FilmOptions::default()
        };
        let path = folder.0.join("film.png");
        let films = [1, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let film = Film::of(&results, options.clone()).unwrap();
                assert_eq!((film.len(), film.times()[0]), (5, 0.0));
                film.write(&path, |_| ControlFlow::Continue(())).unwrap();
                fs::read(&path).unwrap()
            })
        });
        assert!(films[0] == films[1] && films[0].len() > 2000);

        fs::remove_file(&path).unwrap();
        let film = Film::of(&results, options.clone()).unwrap();
        let stopped = film
            .write(&path, |done| if done == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) });
        assert!(matches!(stopped, Err(FilmError::Stopped)) && !path.exists());

        let frame = results.join("particles/particles_000003.vtu");
        let whole = fs::read(&frame).unwrap();
        for length in (0..whole.len()).step_by(997) {
            fs::write(&frame, &whole[..length]).unwrap();
            let refused = Film::of(&results, options.clone()).err().map(|error| error.to_string());
            assert!(refused.is_some_and(|text| text.contains("particles_000003.vtu")), "{length}");
        }
        for place in (0..whole.len()).step_by(97) {
            let mut bad = whole.clone();
            bad[place] = bad[place].wrapping_add(101);
            fs::write(&frame, bad).unwrap();
            // Other numbers, or refused.
            let _ = frame_of(&results).read(&Drawing::read(&results.join("scene.toml"), &[]).unwrap());
        }
        fs::remove_file(results.join("particles.pvd")).unwrap();
        assert!(matches!(
            Film::of(&results, options),
            Err(FilmError::NotARun { missing: "particles.pvd", .. })
        ));
    }

    fn frame_of(results: &Path) -> Frame {
        list(results).unwrap().swap_remove(3)
    }
}
