//! The stones: those of `cargo bench --bench stones`, and how they lie.

use riprap::convex::{LinkMemory, LinkMethod, Polyhedron, Pose, Solver};
use riprap::shape::Shape;
use riprap::{Random, shape};
use serde_json::json;

/// Kilograms per cubic metre.
pub(crate) const DENSITY: f64 = 2650.0;
pub(crate) const RESTITUTION: f64 = 0.3;
pub(crate) const GRAVITY: f64 = 9.81;

/// Coefficient of friction, everywhere.
pub(crate) fn friction() -> f64 {
    35_f64.to_radians().tan()
}

/// The four shapes of the shortest-link paper (Nezami, Hashash, Zhao and Ghaboussi 2006).
const SHAPES: [&str; 4] = ["tetrahedron", "pyramid", "cube", "fourteen"];
/// Distance of the places that stones begin at.
const LATTICE: f64 = 0.06;

#[derive(Clone)]
pub(crate) struct Stone {
    /// Which of the shapes.
    pub(crate) shape: usize,
    /// Radius of the ball of the same volume.
    pub(crate) size: f64,
    pub(crate) center: [f64; 3],
    /// Quaternion w, x, y, z.
    pub(crate) turn: [f64; 4],
}

/// Stones that are about to fall into a box, which is open above.
pub(crate) struct Start {
    pub(crate) shapes: [Shape<3>; 4],
    pub(crate) edge: f64,
    pub(crate) stones: Vec<Stone>,
}

impl Start {
    pub(crate) fn new(count: usize, edge: f64) -> Self {
        let (mut random, across) = (Random::new(11), (edge / LATTICE) as usize);
        let stones = (0..count).map(|k| {
            let place = [k % across, k / across % across, k / (across * across)];
            let size = random.uniform(0.010, 0.0155);
            let turn: [f64; 4] = std::array::from_fn(|_| random.normal());
            let length = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
            let center = place.map(|k| LATTICE * (k as f64 + 0.5));
            Stone { shape: k % SHAPES.len(), size, center, turn: turn.map(|x| x / length) }
        });
        let stones = stones.collect();
        let shapes = SHAPES.map(|name| shape::by_name::<3>(name).expect("a shape of this name").shape);
        Self { shapes, edge, stones }
    }

    /// Vertices of a stone about its centre, before it is turned.
    pub(crate) fn vertices(&self, stone: &Stone) -> Vec<[f64; 3]> {
        self.shapes[stone.shape].vertices().map(|vertex| vertex.map(|x| stone.size * x)).collect()
    }

    /// The bed of these stones somewhere else.
    pub(crate) fn moved(&self, poses: impl Iterator<Item = ([f64; 3], [f64; 4])>) -> Bed {
        let stones = self.stones.iter().zip(poses).map(|(stone, (center, turn))| {
            let body = Polyhedron::from_points(&self.vertices(stone)).expect("a convex body");
            let pose = Pose::from_quaternion(center, turn).expect("a pose").of_frame(&body);
            let reach = stone.size * self.shapes[stone.shape].reach;
            Placed { body, pose, center, reach }
        });
        Bed { edge: self.edge, stones: stones.collect() }
    }
}

struct Placed {
    body: Polyhedron,
    pose: Pose<3>,
    center: [f64; 3],
    reach: f64,
}

impl Placed {
    /// Vertices in the world.
    fn corners(&self) -> impl Iterator<Item = [f64; 3]> {
        self.body.vertices().iter().map(|&vertex| self.pose.place(vertex))
    }
}

/// Stones in their box at one time.
pub(crate) struct Bed {
    edge: f64,
    stones: Vec<Placed>,
}

/// How stones lie, measured in the same way for all sides.
pub(crate) struct Rest {
    /// Pairs of stones that overlap.
    pub(crate) touching: usize,
    /// Largest overlap of two stones: by how much they must be moved, at least, to be apart.
    pub(crate) overlap: f64,
    /// How far the worst vertex is behind a wall.
    pub(crate) wall_overlap: f64,
    /// Stones whose centre is outside of the box.
    pub(crate) lost: usize,
    /// Where the highest centre is.
    pub(crate) height: f64,
}

impl Bed {
    pub(crate) fn at_rest(&self) -> Rest {
        let mut rest = Rest { touching: 0, overlap: 0.0, wall_overlap: 0.0, lost: 0, height: 0.0 };
        let mut solver = Solver::new(LinkMethod::ShortestLink);
        for (k, a) in self.stones.iter().enumerate() {
            for b in &self.stones[..k] {
                let square: f64 = (0..3).map(|axis| (a.center[axis] - b.center[axis]).powi(2)).sum();
                if square < (a.reach + b.reach).powi(2) {
                    let link =
                        solver.link([&a.body, &b.body], [&a.pose, &b.pose], &mut LinkMemory::default());
                    rest.touching += usize::from(link.gap < 0.0);
                    rest.overlap = rest.overlap.max(-link.gap);
                }
            }
            let sunk = a.corners().map(|[x, y, z]| self.behind_walls([x, y, z])).fold(0.0, f64::max);
            rest.wall_overlap = rest.wall_overlap.max(sunk);
            rest.lost += usize::from(self.behind_walls(a.center) > 0.0);
            rest.height = rest.height.max(a.center[2]);
        }
        rest
    }

    /// How far a point is behind a wall or the floor, negative within the box.
    fn behind_walls(&self, [x, y, z]: [f64; 3]) -> f64 {
        [-x, x - self.edge, -y, y - self.edge, -z].into_iter().fold(f64::NEG_INFINITY, f64::max)
    }

    /// The vertices of all stones in the world.
    pub(crate) fn to_json(&self) -> String {
        let stones: Vec<_> = self.stones.iter().map(|stone| stone.corners().collect::<Vec<_>>()).collect();
        json!({
            "edge": self.edge, "density": DENSITY, "friction": friction(), "gravity": GRAVITY, "stones": stones
        })
        .to_string()
    }
}
