//! Convex bodies with flat faces.

use std::collections::BTreeMap;

use super::vector::{Vector3, along, cross, dot, length, sub, unit};

/// The angle between two faces, as its cosine, from which on their edge is drawn: 3 degrees.
const SHARP: f64 = 0.9986;

/// A convex polyhedron of any size about the origin, which many stones can have. Where the picture is flat, a convex polygon
/// across the z axis, as its only face.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Hull {
    /// Its vertices.
    pub points: Vec<[f64; 3]>,
    /// Its faces: indices of their corners, counter-clockwise as seen from outside.
    pub faces: Vec<Vec<u32>>,
}

/// A stone in a picture: a [`Hull`], enlarged, turned and moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stone {
    /// Which of the picture's hulls; left out if there is no such one.
    pub hull: usize,
    /// Where the origin of the hull is.
    pub center: [f64; 3],
    /// How many times as large as the hull; above zero, or it is left out.
    pub size: f64,
    /// Where the axes of the hull point: unit vectors at right angles.
    pub axes: [[f64; 3]; 3],
    /// As that of a ball.
    pub value: f64,
}

impl Stone {
    /// The radius of the ball about its centre that holds it, from that of its hull; none if it cannot be drawn.
    pub(super) fn reach(&self, hull: Option<f64>) -> Option<f64> {
        let reach = self.size * hull?;
        let numbers = self.axes.as_flattened().iter().chain(&self.center);
        (numbers.copied().all(f64::is_finite) && reach > 0.0 && reach.is_finite()).then_some(reach)
    }
}

/// A hull, ready to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Faces {
    pub(super) points: Vec<Vector3>,
    /// The radius of the ball about the origin that holds it.
    pub(super) reach: f64,
    /// Of each face the outward normal and its distance from the origin.
    pub(super) planes: Vec<(Vector3, f64)>,
    /// Where the corners of each face begin, and where those of the last one end.
    starts: Vec<usize>,
    corners: Vec<Corner>,
}

/// A corner of a face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Corner {
    pub(super) point: u32,
    /// The face beyond the edge from here to the next corner; none at the outline of a polygon.
    pub(super) beyond: Option<usize>,
    /// Whether this edge is to be seen: the surface has a bend there.
    pub(super) sharp: bool,
}

impl Faces {
    /// None if a number is not finite or a corner is not among the points. Faces without area are left out.
    pub(super) fn new(hull: &Hull) -> Option<Self> {
        let reach = hull.points.iter().map(|point| length(*point)).fold(0.0, f64::max);
        let known = |corner: &u32| (*corner as usize) < hull.points.len();
        if !hull.points.as_flattened().iter().all(|x| x.is_finite())
            || !reach.is_finite()
            || !hull.faces.iter().flatten().all(known)
        {
            return None;
        }
        let place = |corner: u32| hull.points[corner as usize];
        let faces =
            hull.faces.iter().filter_map(|face| Some((face, normal(face.iter().map(|&k| place(k)))?)));
        let faces: Vec<(&Vec<u32>, Vector3)> = faces.collect();
        let edges = |face: &[u32]| {
            let next = face.iter().copied().cycle().skip(1);
            face.iter().copied().zip(next).collect::<Vec<(u32, u32)>>()
        };
        let numbered = faces.iter().enumerate();
        let sides: BTreeMap<(u32, u32), usize> = numbered
            .flat_map(|(index, (face, _))| edges(face).into_iter().map(move |edge| (edge, index)))
            .collect();
        let (mut planes, mut starts, mut corners) = (Vec::new(), vec![0], Vec::new());
        for &(face, normal) in &faces {
            corners.extend(edges(face).into_iter().map(|(point, to)| {
                let beyond = sides.get(&(to, point)).copied();
                Corner {
                    point,
                    beyond,
                    sharp: beyond.is_none_or(|other| dot(faces[other].1, normal) < SHARP),
                }
            }));
            starts.push(corners.len());
            planes.push((normal, dot(normal, place(face[0]))));
        }
        Some(Self { points: hull.points.clone(), reach, planes, starts, corners })
    }

    pub(super) fn corners(&self, face: usize) -> &[Corner] {
        &self.corners[self.starts[face]..self.starts[face + 1]]
    }
}

/// The normal of a polygon, by the sum of its triangles (Newell); none if it has no area.
fn normal(corners: impl Iterator<Item = Vector3> + Clone) -> Option<Vector3> {
    let first = corners.clone().next()?;
    let next = corners.clone().skip(1);
    let sum =
        corners.zip(next).fold([0.0; 3], |sum, (a, b)| along(sum, 1.0, cross(sub(a, first), sub(b, first))));
    unit(sum)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A cube of edge two.
    pub(in super::super) fn cube() -> Hull {
        let side = |bit: bool| if bit { 1.0 } else { -1.0 };
        let points = (0..8).map(|k| [side(k & 1 == 1), side(k & 2 == 2), side(k & 4 == 4)]).collect();
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        Hull { points, faces: faces.map(Vec::from).to_vec() }
    }

    #[test]
    fn faces_look_outwards_and_bends_are_sharp() {
        let faces = Faces::new(&cube()).unwrap();
        for (face, &(normal, offset)) in faces.planes.iter().enumerate() {
            assert_eq!(offset, 1.0);
            for corner in faces.corners(face) {
                assert!(corner.sharp && corner.beyond.is_some_and(|other| other != face));
                assert!(dot(faces.points[corner.point as usize], normal) == 1.0);
            }
        }
        // A face in two triangles has no edge between them.
        let mut cut = cube();
        cut.faces[0] = vec![0, 4, 6];
        cut.faces.push(vec![0, 6, 2]);
        let faces = Faces::new(&cut).unwrap();
        let sharp =
            |face: usize| faces.corners(face).iter().map(|corner| corner.sharp).collect::<Vec<bool>>();
        assert_eq!((sharp(0), sharp(6)), (vec![true, true, false], vec![false, true, true]));
    }

    #[test]
    fn what_cannot_be_drawn_is_left_out() {
        let hull = Faces::new(&cube()).map(|faces| faces.reach);
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let good = Stone { hull: 0, center: [0.0; 3], size: 2.0, axes, value: 0.0 };
        assert_eq!(good.reach(None), None);
        assert!((good.reach(hull).unwrap() - 2.0 * 3f64.sqrt()).abs() < 1e-12);
        for bad in [
            Stone { size: 0.0, ..good },
            Stone { size: f64::NAN, ..good },
            Stone { size: f64::INFINITY, ..good },
            Stone { center: [0.0, f64::NAN, 0.0], ..good },
            Stone { axes: [[f64::INFINITY; 3]; 3], ..good },
        ] {
            assert_eq!(bad.reach(hull), None, "{bad:?}");
        }
        let with = |point: [f64; 3]| Hull { points: vec![point; 8], ..cube() };
        assert_eq!(Faces::new(&with([f64::NAN; 3])), None);
        assert_eq!(Faces::new(&with([1e200; 3])), None);
        assert_eq!(Faces::new(&Hull { points: vec![[0.0; 3]; 7], ..cube() }), None);
        assert!(Faces::new(&with([1.0; 3])).unwrap().planes.is_empty());
    }
}
