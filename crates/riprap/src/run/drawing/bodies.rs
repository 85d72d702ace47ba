//! Bodies as they are: balls, stones, and the pieces of compounds and clumps.

use crate::convex::{Body, Pose};
use crate::dem::{ShapeIndex, Simulation, UPRIGHT, matrix};
use crate::picture::{Ball, Hull, Picture, Stone};
use crate::run::frames::in_space;
use crate::run::solids::{self, outline};
use crate::scene::Color;
use crate::shape::Form;
use crate::vector::add_scaled;

/// What numbers of materials or of shapes are called.
pub(super) fn names<const D: usize>(simulation: &Simulation<D>, color: Color) -> Vec<String> {
    if color == Color::Shape {
        return solids::names(simulation.shapes()).map(String::from).collect();
    }
    simulation.materials().list().iter().map(|material| material.name.clone()).collect()
}

/// Adds the bodies whose row has a value.
pub(super) fn add<const D: usize>(
    picture: &mut Picture,
    simulation: &Simulation<D>,
    value: impl Fn(usize) -> Option<f64>,
) {
    let (bodies, table) = (simulation.bodies(), simulation.shapes());
    // The first hull of each shape; those of its other convex pieces follow.
    let mut first_hulls = Vec::with_capacity(table.len());
    for shape in (0..table.len() as u16).filter_map(|index| table.find(ShapeIndex(index))) {
        first_hulls.push(picture.hulls.len());
        picture.hulls.extend(shape.pieces.iter().filter_map(|piece| match &piece.form {
            Form::Ball { .. } => None,
            Form::Convex(body) => Some(hull(body)),
        }));
    }
    for row in 0..bodies.len() {
        let (index, size) = (bodies.shape[row], bodies.radius[row]);
        let (Some(shape), Some(value)) = (table.find(index), value(row)) else { continue };
        // Followed only where it matters.
        let orientation = bodies.turning.orientation.get(row).copied().unwrap_or(UPRIGHT);
        let pose = Pose { position: bodies.position[row], rotation: matrix(orientation) };
        let mut hull = first_hulls[usize::from(index.0)];
        for piece in &shape.pieces {
            let center = in_space(add_scaled(pose.position, size, pose.turn(piece.center)));
            match &piece.form {
                Form::Ball { radius } => picture.balls.push(Ball { center, radius: radius * size, value }),
                Form::Convex(_) => {
                    picture.stones.push(Stone { hull, center, size, axes: axes(&pose), value });
                    hull += 1;
                }
            }
        }
    }
}

/// Where the axes of a body point; the third one of a body in the plane is the z axis.
fn axes<const D: usize>(pose: &Pose<D>) -> [[f64; 3]; 3] {
    std::array::from_fn(|k| {
        if k < D {
            in_space(std::array::from_fn(|row: usize| pose.rotation[row][k]) as [f64; D])
        } else {
            [0.0, 0.0, 1.0]
        }
    })
}

fn hull<const D: usize>(body: &Body<D>) -> Hull {
    if D == 2 {
        let points: Vec<[f64; 3]> = outline(body).into_iter().map(in_space).collect();
        return Hull { faces: vec![(0..points.len() as u32).collect()], points };
    }
    let corners = |facet: u32| body.corners(facet).iter().map(|corner| corner.vertex).collect();
    Hull {
        points: body.vertices().iter().map(|&vertex| in_space(vertex)).collect(),
        faces: (0..body.facets().len() as u32).map(corners).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::shapes;
    use crate::dem::{LawKind, Material, Materials, NewBody, Settings};
    use crate::shape::{Part, Shape, by_name, from_pieces, from_spheres};
    use crate::vector::{length, sub};

    fn simulation<const D: usize>() -> Simulation<D> {
        let rock = Material { name: "rock".into(), k_n: Some(1e5), ..Material::default() };
        let materials = Materials::new(LawKind::Linear, vec![rock]).unwrap();
        Simulation::new(Settings::default(), materials, vec![]).unwrap()
    }

    /// Where the vertices of a stone are in the picture.
    fn drawn(picture: &Picture, stone: &Stone) -> Vec<[f64; 3]> {
        let place = |point: &[f64; 3]| {
            let turned = (0..3).fold([0.0; 3], |sum, k| add_scaled(sum, point[k], stone.axes[k]));
            add_scaled(stone.center, stone.size, turned)
        };
        picture.hulls[stone.hull].points.iter().map(place).collect()
    }

    #[test]
    fn every_piece_is_drawn_where_it_is() {
        let mut simulation = simulation::<3>();
        let near = shapes::cube().vertices().to_vec();
        let far: Vec<[f64; 3]> = near.iter().map(|[x, y, z]| [x + 0.8, y + 0.1, 2.0 * z]).collect();
        let angle = from_pieces("angle", &[Part::Hull(&near), Part::Hull(&far)]).unwrap().shape;
        let clump = from_spheres("clump", &[([0.0; 3], 1.0), ([1.0, 0.0, 0.0], 0.5)]).unwrap().shape;
        let ready = |name: &str| by_name::<3>(name).unwrap().shape;
        let shapes: Vec<Shape<3>> = vec![ready("pyramid"), angle, clump, ready("fourteen"), Shape::ball()];
        let turn = [0.5, -0.5, 0.5, 0.5];
        for (place, shape) in shapes.iter().enumerate() {
            let index = simulation.add_shape(shape.clone()).unwrap();
            let position = [place as f64, 0.5, -1.0];
            simulation.insert(&[NewBody::shaped(index, position, 0.25, turn)]).unwrap();
        }
        let mut picture = Picture::default();
        add(&mut picture, &simulation, |row| Some(row as f64));
        assert_eq!((picture.stones.len(), picture.balls.len()), (4, 3));
        let bodies = simulation.bodies();
        for row in 0..bodies.len() {
            let of_row = |value: f64| value == row as f64;
            let stones = picture.stones.iter().filter(|stone| of_row(stone.value));
            let seen: Vec<[f64; 3]> = stones.flat_map(|stone| drawn(&picture, stone)).collect();
            let pose = Pose { position: bodies.position[row], rotation: matrix(turn) };
            let shape = simulation.shapes().find(bodies.shape[row]).unwrap();
            let expected: Vec<[f64; 3]> =
                shape.vertices().map(|vertex| add_scaled(pose.position, 0.25, pose.turn(vertex))).collect();
            assert_eq!(seen.len(), expected.len());
            assert!(seen.iter().zip(&expected).all(|(a, b)| length(sub(*a, *b)) < 1e-14), "{}", shape.name);
            let volume = |ball: &Ball| ball.radius * ball.radius * ball.radius;
            let balls: f64 = picture.balls.iter().filter(|ball| of_row(ball.value)).map(volume).sum();
            let size = 0.25f64 * 0.25 * 0.25;
            // What the spheres of the clump share counts twice.
            let allowed = if shape.is_ball() { size..=size } else { size..=1.5 * size };
            assert!(!expected.is_empty() || allowed.contains(&balls), "{}: {balls}", shape.name);
        }
    }

    #[test]
    fn polygons_keep_their_corners_in_order_and_face_the_eye() {
        let mut simulation = simulation::<2>();
        let index = simulation.add_shape(by_name("square").unwrap().shape).unwrap();
        let (sine, cosine) = libm::sincos(0.2);
        simulation.insert(&[NewBody::shaped(index, [3.0, 4.0], 0.5, [cosine, 0.0, 0.0, sine])]).unwrap();
        let mut picture = Picture::default();
        add(&mut picture, &simulation, |_| Some(0.5));
        let [stone] = picture.stones[..] else { panic!("{:?}", picture.stones) };
        assert_eq!(picture.hulls[stone.hull].faces, [[0, 1, 2, 3]]);
        let corners = drawn(&picture, &stone);
        let area: f64 = (0..4)
            .map(|k| {
                let [a, b] = [corners[k], corners[(k + 1) % 4]].map(|corner| sub(corner, stone.center));
                0.5 * (a[0] * b[1] - a[1] * b[0])
            })
            .sum();
        // That of the disk of its size, counter-clockwise.
        assert!((area - 0.25 * std::f64::consts::PI).abs() < 1e-12, "{area}");
        let pose = Pose { position: [3.0, 4.0], rotation: matrix([cosine, 0.0, 0.0, sine]) };
        let shape = simulation.shapes().find(index).unwrap();
        for vertex in shape.vertices() {
            let expected = in_space(add_scaled(pose.position, 0.5, pose.turn(vertex)));
            assert!(corners.iter().any(|corner| length(sub(*corner, expected)) < 1e-14), "{corners:?}");
        }
    }
}
