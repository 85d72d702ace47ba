//! Shapes from what they are made of, in coordinates of one's own.

use super::axes::principal;
use super::touch::{is_inside, loose};
use super::{BuildError, Form, Piece, Shape, union, unit_volume};
use crate::convex::{Body, Polygon, Polyhedron, Pose, ShapeError};
use crate::dimension::of_dimension;
use crate::error::AXES;
use crate::vector::{add, components, cross, dot, length, scale, sub};

/// Most pieces of a shape.
const MOST: usize = 500;
/// Most numbers of pieces in a message.
const NAMED: usize = 8;
/// Largest coordinate, and one over the smallest radius.
const LARGEST: f64 = 1e60;

/// A shape, and where a body of it is in the coordinates it was made from.
///
/// A point `x` of the shape is at `pose.place(size x)` there. A body that is given in its own coordinates therefore has this size
/// and this pose.
#[derive(Debug, Clone, PartialEq)]
pub struct Built<const D: usize> {
    /// The shape, at unit size.
    pub shape: Shape<D>,
    /// The size: radius of the ball of the same volume.
    pub size: f64,
    /// Where its centre of mass is, and how its principal axes are turned.
    pub pose: Pose<D>,
    /// Of a concave mesh, the volume of its convex pieces over its own; else one.
    pub growth: f64,
}

impl<const D: usize> Built<D> {
    /// How its principal axes are turned in the coordinates it was made from, as a unit quaternion `w, x, y, z` (Shepperd 1978).
    ///
    /// A body with this orientation stands as it was given.
    pub fn orientation(&self) -> [f64; 4] {
        let rows = &self.pose.rotation;
        let entry = |i: usize, j: usize| if i.max(j) < D { rows[i][j] } else { f64::from(u8::from(i == j)) };
        let trace = entry(0, 0) + entry(1, 1) + entry(2, 2);
        // The largest component is divided by, so that none is lost to rounding.
        let largest = (0..3).max_by(|&i, &j| entry(i, i).total_cmp(&entry(j, j))).unwrap_or(0);
        let (i, j, k) = (largest, (largest + 1) % 3, (largest + 2) % 3);
        let mut turn = [0.0; 4];
        if trace > entry(i, i) {
            turn[0] = 1.0 + trace;
            for axis in 0..3 {
                let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
                turn[axis + 1] = entry(k, j) - entry(j, k);
            }
        } else {
            turn[0] = entry(k, j) - entry(j, k);
            turn[i + 1] = 1.0 + entry(i, i) - entry(j, j) - entry(k, k);
            turn[j + 1] = entry(j, i) + entry(i, j);
            turn[k + 1] = entry(k, i) + entry(i, k);
        }
        scale(turn, 1.0 / length(turn))
    }
}

/// A part of a shape, in coordinates of one's own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Part<'a, const D: usize> {
    /// The convex hull of vertices.
    Hull(&'a [[f64; D]]),
    /// A ball, in the plane a disk.
    Ball {
        /// Its centre.
        center: [f64; D],
        /// Its radius.
        radius: f64,
    },
    /// Another shape.
    Shape {
        /// The shape.
        shape: &'a Shape<D>,
        /// Its size.
        size: f64,
        /// Where its centre of mass is, and how it is turned.
        pose: Pose<D>,
    },
}

type Hull<const D: usize> = fn(&[[f64; D]]) -> Result<Body<D>, ShapeError>;
static IN_PLANE: Hull<2> = Polygon::from_points;
static IN_SPACE: Hull<3> = Polyhedron::from_points;

pub(super) fn hull<const D: usize>(points: &[[f64; D]]) -> Result<Body<D>, ShapeError> {
    of_dimension::<Hull<D>>(&IN_PLANE, &IN_SPACE)(points)
}

/// The convex hull of vertices.
///
/// ```
/// use riprap::shape::from_vertices;
///
/// let brick: Vec<[f64; 3]> = (0..8).map(|k| [f64::from(k & 1), f64::from(k >> 1 & 1), 3.0 * f64::from(k >> 2)]).collect();
/// let built = from_vertices("brick", &brick)?;
/// assert_eq!(built.pose.position, [0.5, 0.5, 1.5]);
/// let corner = built.pose.place(built.shape.vertices().next().unwrap().map(|x| built.size * x));
/// assert!((0..3).all(|k| (corner[k] - brick[0][k]).abs() < 1e-15));
/// # Ok::<(), riprap::shape::BuildError>(())
/// ```
pub fn from_vertices<const D: usize>(name: &str, vertices: &[[f64; D]]) -> Result<Built<D>, BuildError> {
    from_body(name, hull(vertices)?)
}

/// A convex body, in the coordinates it was made from.
pub(super) fn from_body<const D: usize>(name: &str, body: Body<D>) -> Result<Built<D>, BuildError> {
    assemble(name, vec![Piece { center: body.centroid(), form: Form::Convex(body) }])
}

/// Balls, in the plane disks: their centres and radii.
pub fn from_spheres<const D: usize>(name: &str, spheres: &[([f64; D], f64)]) -> Result<Built<D>, BuildError> {
    let parts: Vec<Part<'_, D>> =
        spheres.iter().map(|&(center, radius)| Part::Ball { center, radius }).collect();
    from_pieces(name, &parts)
}

/// Convex bodies, balls and other shapes together, which may touch and overlap: what they share counts once.
pub fn from_pieces<const D: usize>(name: &str, parts: &[Part<'_, D>]) -> Result<Built<D>, BuildError> {
    let mut pieces = Vec::new();
    let mut origins = Vec::new();
    for (piece, part) in parts.iter().enumerate() {
        add_part(piece, part, &mut pieces)?;
        origins.resize(pieces.len(), piece);
    }
    assemble(name, pieces).map_err(|error| match error {
        // Pieces of parts are named as their parts.
        BuildError::Apart { mut pieces, from, gap } => {
            pieces.iter_mut().for_each(|piece| *piece = origins[*piece]);
            pieces.dedup();
            BuildError::Apart { pieces, from: origins[from], gap }
        }
        other => other,
    })
}

/// Adds the pieces of a part.
fn add_part<const D: usize>(
    piece: usize,
    part: &Part<'_, D>,
    pieces: &mut Vec<Piece<D>>,
) -> Result<(), BuildError> {
    let check_length = |key, value: f64| {
        let fits = (1.0 / LARGEST..=LARGEST).contains(&value);
        if fits { Ok(()) } else { Err(BuildError::Length { piece, key, value }) }
    };
    let check_place = |place: [f64; D]| {
        let bad = (0..D).find(|&k| place[k].is_nan() || place[k].abs() > LARGEST);
        bad.map_or(Ok(()), |k| Err(BuildError::Center { piece, axis: AXES[k], value: place[k] }))
    };
    let refused = |reason| BuildError::Piece { piece, reason };
    match *part {
        Part::Hull(vertices) => {
            let body = hull(vertices).map_err(refused)?;
            pieces.push(Piece { center: body.centroid(), form: Form::Convex(body) });
        }
        Part::Ball { center, radius } => {
            check_length("radius", radius)?;
            check_place(center)?;
            pieces.push(Piece { center, form: Form::Ball { radius } });
        }
        Part::Shape { shape, size, pose } => {
            check_length("size", size)?;
            check_place(pose.position)?;
            if !is_rotation(&pose.rotation) {
                return Err(BuildError::Rotation { piece, rows: pose.rotation.concat() });
            }
            for one in &shape.pieces {
                let moved = moved(one, |vector| scale(pose.turn(vector), size)).map_err(refused)?;
                pieces.push(Piece { center: add(pose.position, moved.center), ..moved });
            }
        }
    }
    Ok(())
}

/// Whether rows have length one and are at right angles, not mirrored: then they span a volume of one.
fn is_rotation<const D: usize>(rows: &[[f64; D]; D]) -> bool {
    let volume = if D == 2 {
        rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]
    } else {
        let [a, b, c]: [[f64; 3]; 3] = components(|i| components(|j| rows[i][j]));
        dot(a, cross(b, c))
    };
    // What is not a number is not small either.
    rows.iter().map(|row| dot(*row, *row)).chain([volume]).all(|one| (one - 1.0).abs() < 1e-6)
}

/// A piece that is turned and scaled about the origin.
fn moved<const D: usize>(
    piece: &Piece<D>,
    to: impl Fn([f64; D]) -> [f64; D],
) -> Result<Piece<D>, ShapeError> {
    let center = to(piece.center);
    match &piece.form {
        Form::Ball { radius } => {
            let along = components(|k| if k == 0 { *radius } else { 0.0 });
            Ok(Piece { center, form: Form::Ball { radius: length(to(along)) } })
        }
        Form::Convex(body) => {
            let vertices: Vec<[f64; D]> = body.vertices().iter().map(|&vertex| to(vertex)).collect();
            let body = hull(&vertices)?;
            Ok(Piece { center: add(center, body.centroid()), form: Form::Convex(body) })
        }
    }
}

/// Makes a shape of pieces: mass of the union, centre, principal axes, unit size.
pub(super) fn assemble<const D: usize>(name: &str, pieces: Vec<Piece<D>>) -> Result<Built<D>, BuildError> {
    if pieces.is_empty() {
        return Err(BuildError::Empty);
    }
    if let Some(mut found) = loose(&pieces) {
        found.pieces.truncate(NAMED);
        return Err(BuildError::Apart { pieces: found.pieces, from: 0, gap: found.gap });
    }
    let pieces = without_hidden(pieces);
    if pieces.len() > MOST {
        return Err(BuildError::TooMany { count: pieces.len(), most: MOST });
    }
    let mass = union::mass(&pieces);
    let share = mass.volume / unit_volume::<D>();
    let size = if D == 2 { share.sqrt() } else { libm::cbrt(share) };
    let mut pose = Pose::at(mass.centroid);
    if let [Piece { center, form: Form::Ball { radius } }] = pieces[..] {
        let shape = Shape { name: name.to_string(), ..Shape::ball() };
        return Ok(Built { shape, size: radius, pose: Pose::at(center), growth: 1.0 });
    }
    // Over mass and squared size.
    let moments = mass.second_moments.map(|row| row.map(|moment| moment / mass.volume / size / size));
    let mut inertia = [(0..D).map(|k| moments[k][k]).sum(); 3];
    if D == 3 {
        let (values, axes) =
            principal(std::array::from_fn(|i| std::array::from_fn(|j| moments[i % D][j % D])));
        inertia = std::array::from_fn(|k| values[(k + 1) % 3] + values[(k + 2) % 3]);
        pose.rotation = components(|i| components(|j| axes[i][j]));
    }
    let columns = pose.rotation;
    let back = |vector: [f64; D]| -> [f64; D] {
        components(|j| (0..D).map(|i| columns[i][j] * vector[i]).sum::<f64>() / size)
    };
    let place =
        |piece: Piece<D>| moved(&Piece { center: sub(piece.center, mass.centroid), form: piece.form }, back);
    let pieces = pieces.into_iter().map(place).collect::<Result<Vec<_>, _>>()?;
    let reach = pieces.iter().map(Piece::reach).fold(0.0, f64::max);
    Ok(Built { shape: Shape { name: name.to_string(), inertia, reach, pieces }, size, pose, growth: 1.0 })
}

/// Drops pieces that are inside others; of equal ones the first is kept.
fn without_hidden<const D: usize>(pieces: Vec<Piece<D>>) -> Vec<Piece<D>> {
    let mut shows = vec![true; pieces.len()];
    for k in 0..pieces.len() {
        let hides = |other: usize| {
            is_inside(&pieces[k], &pieces[other]) && (other < k || !is_inside(&pieces[other], &pieces[k]))
        };
        shows[k] = !(0..pieces.len()).any(|other| other != k && shows[other] && hides(other));
    }
    pieces.into_iter().zip(shows).filter(|(_, shows)| *shows).map(|(piece, _)| piece).collect()
}
