//! Oracles by brute force, random bodies and poses.

use riprap::Random;
use riprap::convex::{Body, Link, LinkMemory, LinkMethod, Polyhedron, Pose, Solver, shapes};

pub(crate) fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    (0..D).map(|k| a[k] * b[k]).sum()
}

pub(crate) fn sub<const D: usize>(a: [f64; D], b: [f64; D]) -> [f64; D] {
    std::array::from_fn(|k| a[k] - b[k])
}

pub(crate) fn along<const D: usize>(a: [f64; D], factor: f64, b: [f64; D]) -> [f64; D] {
    std::array::from_fn(|k| a[k] + factor * b[k])
}

pub(crate) fn length<const D: usize>(a: [f64; D]) -> f64 {
    dot(a, a).sqrt()
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Two bodies where they are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case<'a, const D: usize> {
    pub(crate) bodies: [&'a Body<D>; 2],
    pub(crate) poses: [Pose<D>; 2],
}

impl<const D: usize> Case<'_, D> {
    pub(crate) fn link(&self, method: LinkMethod, memory: &mut LinkMemory<D>) -> Link<D> {
        Solver::new(method).link(self.bodies, self.poses.each_ref(), memory)
    }

    /// The link without a last one.
    pub(crate) fn cold(&self, method: LinkMethod) -> Link<D> {
        self.link(method, &mut LinkMemory::default())
    }

    pub(crate) fn exchanged(&self) -> Self {
        let ([a, b], [pose_a, pose_b]) = (self.bodies, self.poses);
        Self { bodies: [b, a], poses: [pose_b, pose_a] }
    }

    /// What tolerances refer to: the larger body, and how far out coordinates are.
    pub(crate) fn size(&self) -> f64 {
        let [a, b] = self.bodies;
        let far = length(self.poses[0].position).max(length(self.poses[1].position));
        a.radius().max(b.radius()).max(1e-2 * far)
    }

    /// How far a body reaches along a direction, over all vertices.
    fn reach(&self, side: usize, direction: [f64; D]) -> f64 {
        let vertices = self.bodies[side].vertices().iter();
        vertices.map(|&v| dot(direction, self.poses[side].place(v))).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The gap of the two along a unit vector from the first to the second.
    pub(crate) fn gap_along(&self, normal: [f64; D]) -> f64 {
        -self.reach(1, normal.map(|x| -x)) - self.reach(0, normal)
    }

    /// How far a point is outside a body.
    fn outside(&self, side: usize, point: [f64; D]) -> f64 {
        let (body, pose) = (self.bodies[side], &self.poses[side]);
        let facets = body.facets().iter();
        facets
            .map(|facet| dot(pose.turn(facet.normal), sub(point, pose.position)) - facet.offset)
            .fold(0.0, f64::max)
    }

    /// What must hold of every link: the gap is the extent along the normal, which no distance is below; and it is the distance
    /// of two points of the bodies, which no distance is above. So it is the distance. In contact it is the overlap along the
    /// normal.
    pub(crate) fn check(&self, link: &Link<D>, tolerance: f64) {
        let tolerance = tolerance * self.size();
        let finite = link.normal.iter().chain(&link.points[0]).chain(&link.points[1]).all(|x| x.is_finite());
        assert!(finite && link.gap.is_finite(), "{link:?}");
        assert!((length(link.normal) - 1.0).abs() < 1e-12, "{link:?}");
        let extent = self.gap_along(link.normal);
        assert!((extent - link.gap).abs() <= tolerance, "extent {extent} {link:?}");
        let [p, q] = link.points;
        let off = sub(sub(q, p), link.normal.map(|x| x * link.gap));
        assert!(length(off) <= tolerance, "ends {off:?} {link:?}");
        let outside = [self.outside(0, p), self.outside(1, q)];
        assert!(outside.iter().all(|&x| x <= tolerance), "outside {outside:?} {link:?}");
    }
}

impl Case<'_, 3> {
    /// The least overlap over all normals: those of faces, and those perpendicular to two edges.
    pub(crate) fn least_overlap(&self) -> f64 {
        let mut largest = f64::NEG_INFINITY;
        let mut offer = |direction: [f64; 3]| {
            let size = length(direction);
            if size > 1e-9 {
                for sign in [1.0, -1.0] {
                    largest = f64::max(largest, self.gap_along(direction.map(|x| sign * x / size)));
                }
            }
        };
        let directions = |side: usize| {
            let (body, pose) = (self.bodies[side], self.poses[side]);
            body.edges().iter().map(move |edge| {
                let [from, to] = edge.ends.map(|end| pose.turn(body.vertices()[end as usize]));
                let edge = sub(to, from);
                edge.map(|x| x / length(edge))
            })
        };
        for side in [0, 1] {
            for facet in self.bodies[side].facets() {
                offer(self.poses[side].turn(facet.normal));
            }
        }
        for first in directions(0) {
            for second in directions(1) {
                offer(cross(first, second));
            }
        }
        -largest
    }
}

pub(crate) fn direction<const D: usize>(random: &mut Random) -> [f64; D] {
    let vector: [f64; D] = std::array::from_fn(|_| random.normal());
    vector.map(|x| x / length(vector))
}

pub(crate) fn quaternion(random: &mut Random) -> [f64; 4] {
    std::array::from_fn(|_| random.normal())
}

pub(crate) fn pose(position: [f64; 3], random: &mut Random) -> Pose<3> {
    Pose::from_quaternion(position, quaternion(random)).unwrap()
}

/// Poses at random, of which the second is this far from the first.
pub(crate) fn at_distance(distance: f64, random: &mut Random) -> [Pose<3>; 2] {
    let first = pose([0.0; 3], random);
    [first, pose(direction(random).map(|x: f64| x * distance), random)]
}

/// Classes of bodies.
pub(crate) const CLASSES: [&str; 9] =
    ["tetrahedron", "pyramid", "cube", "fourteen", "stone", "large stone", "plate", "needle", "sliver"];

pub(crate) fn body(class: &str, random: &mut Random) -> Polyhedron {
    let mut diameters = || [1.0, random.uniform(0.5, 1.0), random.uniform(0.3, 1.0)];
    match class {
        "tetrahedron" => shapes::tetrahedron(),
        "pyramid" => shapes::pyramid(),
        "cube" => shapes::cube(),
        "fourteen" => shapes::fourteen(),
        "stone" => {
            let diameters = diameters();
            shapes::stone(4 + random.below(40), diameters, random)
        }
        "large stone" => {
            let diameters = diameters();
            shapes::stone(40 + random.below(460), diameters, random)
        }
        "plate" => shapes::cuboid([1.0, 0.8, 1e-3]),
        "needle" => shapes::cuboid([1.0, 1e-3, 1e-3]),
        _ => shapes::stone(4 + random.below(8), [1.0, 0.1, 1e-4], random),
    }
}

/// Poses of two bodies at random: deep in each other, about to touch, or apart; turned at random or like each other.
pub(crate) fn poses(bodies: [&Polyhedron; 2], random: &mut Random) -> [Pose<3>; 2] {
    let [a, mut b] = [pose([0.0; 3], random), pose([0.0; 3], random)];
    match random.below(8) {
        0 => b.rotation = a.rotation,
        // A quarter turn.
        1 => b.rotation = a.rotation.map(|[x, y, z]| [y, -x, z]),
        _ => {}
    }
    let between: [f64; 3] = direction(random);
    let case = Case { bodies, poses: [a, b] };
    // Along this direction they touch at zero.
    let touching = -case.gap_along(between);
    let distance = match random.below(6) {
        0 => touching * random.uniform(0.0, 0.5),
        1 => touching * random.uniform(0.5, 1.0),
        2 => touching * (1.0 + 1e-9 * random.normal()),
        3 => touching * (1.0 + random.uniform(0.0, 0.1)),
        4 => touching + random.uniform(0.0, 2.0),
        _ => touching + random.uniform(0.0, 200.0),
    };
    let at: [f64; 3] = std::array::from_fn(|_| random.uniform(-1.0, 1.0));
    [Pose { position: at, ..a }, Pose { position: along(at, distance, between), ..b }]
}
