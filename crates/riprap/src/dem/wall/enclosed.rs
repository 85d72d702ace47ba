//! What a closed surface of facets encloses.

use robust::{Coord, orient2d};
use rustc_hash::FxHashMap;

use super::facets::Facets;
use crate::inside::{Inside, InsideMethod, Place};
use crate::mesh::Mesh;
use crate::vector::{cross, dot, sub};

/// The inside of a closed surface, in the plane of a closed line.
#[derive(Debug)]
pub(crate) enum Enclosed<const D: usize> {
    /// Of triangles.
    Space(Box<Inside>),
    /// Of segments.
    Plane(Vec<[[f64; D]; D]>),
}

impl<const D: usize> Enclosed<D> {
    /// What facets enclose; `None` if they are not closed.
    pub(crate) fn by(facets: &Facets<D>) -> Option<Self> {
        let corners = facets.corners();
        if D == 2 {
            return is_closed_line(corners).then(|| Self::Plane(corners.to_vec()));
        }
        let triangles: Vec<[[f64; 3]; 3]> = corners.iter().map(triangle).collect();
        let mesh = Mesh::from_triangles(&triangles).ok()?;
        Some(Self::Space(Box::new(Inside::new(&mesh, InsideMethod::Cells).ok()?)))
    }

    pub(crate) fn contains(&self, point: [f64; D]) -> bool {
        match self {
            Self::Space(inside) => {
                let mut places = Vec::new();
                let point = std::array::from_fn(|k| point[k % D]);
                inside.classify(&[point], 1, &mut places).is_ok() && places == [Place::Inside]
            }
            Self::Plane(segments) => winding(segments, point) != 0,
        }
    }
}

/// Whether the front of a closed surface, the side that can be touched if only one can, is outside.
pub(super) fn front_is_outside<const D: usize>(facets: &Facets<D>) -> bool {
    // Seen from a corner, so that it does not matter how far away the origin is.
    let corners = facets.corners();
    let from = corners[0][0];
    if D == 2 {
        let area = |corners: &[[f64; D]; D]| {
            let (a, b) = (sub(corners[0], from), sub(corners[1], from));
            a[0] * b[1] - a[1] * b[0]
        };
        // The front of a segment is to its left: inside if the line runs counter-clockwise.
        return corners.iter().map(area).sum::<f64>() < 0.0;
    }
    let volume = |corners: &[[f64; D]; D]| {
        let [a, b, c] = triangle(&corners.map(|corner| sub(corner, from)));
        dot(a, cross(b, c))
    };
    corners.iter().map(volume).sum::<f64>() > 0.0
}

/// The corners of a facet in space.
fn triangle<const D: usize>(corners: &[[f64; D]; D]) -> [[f64; 3]; 3] {
    std::array::from_fn(|i| std::array::from_fn(|k| corners[i % D][k % D]))
}

/// Whether as many segments begin at each point as end there.
fn is_closed_line<const D: usize>(segments: &[[[f64; D]; D]]) -> bool {
    let mut balance: FxHashMap<[u64; D], i64> = FxHashMap::default();
    for segment in segments {
        for (corner, change) in [(segment[0], 1), (segment[1], -1)] {
            // Zero and minus zero are the same place.
            *balance.entry(corner.map(|x| (x + 0.0).to_bits())).or_default() += change;
        }
    }
    balance.values().all(|balance| *balance == 0)
}

/// How often closed lines wind around a point; signs are exact.
fn winding<const D: usize>(segments: &[[[f64; D]; D]], point: [f64; D]) -> i64 {
    let flat = |point: [f64; D]| Coord { x: point[0], y: point[1] };
    let crossing = |segment: &[[f64; D]; D]| {
        let (from, to) = (segment[0], segment[1]);
        let side = || orient2d(flat(from), flat(to), flat(point));
        if from[1] <= point[1] && to[1] > point[1] {
            i64::from(side() > 0.0)
        } else if from[1] > point[1] && to[1] <= point[1] {
            -i64::from(side() < 0.0)
        } else {
            0
        }
    };
    segments.iter().map(crossing).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::shapes;

    fn of_mesh(mesh: &Mesh, turned_over: bool) -> Facets<3> {
        let corners = (0..mesh.triangles().len()).map(|triangle| {
            let [a, b, c] = mesh.corners(triangle);
            if turned_over { [a, c, b] } else { [a, b, c] }
        });
        Facets::new(corners.collect(), false).unwrap()
    }

    fn of_line(points: &[[f64; 2]]) -> Facets<2> {
        let segments = (0..points.len()).map(|k| [points[k], points[(k + 1) % points.len()]]);
        Facets::new(segments.collect(), false).unwrap()
    }

    #[test]
    fn a_closed_mesh_has_an_inside_and_an_open_one_has_none() {
        let ring = shapes::torus(1.0, 0.4, 24, 12);
        for turned_over in [false, true] {
            let facets = of_mesh(&ring, turned_over);
            let enclosed = Enclosed::by(&facets).unwrap();
            assert!(enclosed.contains([1.0, 0.0, 0.1]) && !enclosed.contains([0.0; 3]));
            assert_eq!(front_is_outside(&facets), !turned_over);
        }
        let open = Facets::new(of_mesh(&ring, false).corners()[1..].to_vec(), false).unwrap();
        assert!(Enclosed::by(&open).is_none());
    }

    #[test]
    fn a_closed_line_has_an_inside_and_an_open_one_has_none() {
        // An angle, so that boxes around it would not do.
        let angle = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
        let mut clockwise = angle;
        clockwise.reverse();
        for (points, outside) in [(angle, false), (clockwise, true)] {
            let facets = of_line(&points);
            let enclosed = Enclosed::by(&facets).unwrap();
            assert!(enclosed.contains([2.0, 0.5]) && enclosed.contains([0.5, 2.0]));
            assert!(!enclosed.contains([2.0, 2.0]) && !enclosed.contains([-1.0, 0.0]));
            assert_eq!(front_is_outside(&facets), outside);
        }
        let open = Facets::new(of_line(&angle).corners()[1..].to_vec(), false).unwrap();
        assert!(Enclosed::by(&open).is_none());
    }
}
