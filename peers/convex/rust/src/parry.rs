//! parry: GJK, and EPA where the bodies overlap.
//!
//! As `query::contact` does it, but for three things: the shapes' types are known, EPA keeps its memory from query to
//! query, and GJK starts from the last normal if there is one.

use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query::epa::EPA;
use parry3d_f64::query::gjk::{self, CsoPoint, GJKResult, VoronoiSimplex};
use parry3d_f64::shape::ConvexPolyhedron;

use crate::cases::Cases;
use crate::{Contact, Peer};

pub(crate) struct Parry {
    shapes: Vec<ConvexPolyhedron>,
    chosen: Vec<[usize; 2]>,
    poses: Vec<[Pose; 2]>,
    simplex: VoronoiSimplex,
    epa: EPA,
}

impl Peer for Parry {
    /// The normal in the frame of the first body.
    type Memory = Option<Vector>;

    fn new(cases: &Cases) -> Self {
        let shape = |points: &Vec<[f64; 3]>| {
            let points: Vec<_> = points.iter().map(|&point| Vector::from_array(point)).collect();
            ConvexPolyhedron::from_convex_hull(&points).expect("a convex body")
        };
        let pose = |pose: &crate::cases::Pose| {
            let [w, x, y, z] = pose.quaternion;
            Pose::from_parts(Vector::from_array(pose.center), Rotation::from_xyzw(x, y, z, w))
        };
        Self {
            shapes: cases.shapes.iter().map(shape).collect(),
            chosen: cases.chosen.clone(),
            poses: cases.poses.iter().map(|poses| poses.each_ref().map(pose)).collect(),
            simplex: VoronoiSimplex::new(),
            epa: EPA::new(),
        }
    }

    fn query(&mut self, step: usize, pair: usize, memory: &mut Self::Memory) -> Contact {
        let [a, b] = self.chosen[pair].map(|shape| &self.shapes[shape]);
        let [first, second] = &self.poses[step * self.chosen.len() + pair];
        let relative = first.inv_mul(second);
        let direction = memory.unwrap_or_else(|| relative.translation.normalize_or(Vector::X));
        self.simplex.reset(CsoPoint::from_shapes(&relative, a, b, direction));
        let found = match gjk::closest_points(&relative, a, b, f64::MAX, true, &mut self.simplex) {
            GJKResult::ClosestPoints(p, q, normal) => Some((p, q, normal)),
            GJKResult::Intersection => self.epa.closest_points(&relative, a, b, &self.simplex),
            GJKResult::Proximity(_) | GJKResult::NoIntersection(_) => None,
        };
        *memory = found.map(|(_, _, normal)| normal);
        match found {
            Some((p, q, normal)) => Contact {
                gap: (q - p).dot(normal),
                normal: (first.rotation * normal).to_array(),
                points: [p, q].map(|point| (first * point).to_array()),
            },
            None => Contact { gap: f64::NAN, normal: [0.0; 3], points: [[0.0; 3]; 2] },
        }
    }
}
