//! riprap: the shortest link, as a user would call it.

use riprap::convex::{LinkMemory, LinkMethod, Polyhedron, Pose, Solver};

use crate::cases::Cases;
use crate::{Contact, Peer};

pub(crate) struct Riprap {
    shapes: Vec<Polyhedron>,
    chosen: Vec<[usize; 2]>,
    poses: Vec<[Pose<3>; 2]>,
    solver: Solver<3>,
}

impl Peer for Riprap {
    type Memory = LinkMemory<3>;

    fn new(cases: &Cases) -> Self {
        let shapes: Vec<_> = cases
            .shapes
            .iter()
            .map(|points| Polyhedron::from_points(points).expect("a convex body"))
            .collect();
        let chosen = cases.chosen.clone();
        let poses = cases.poses.iter().enumerate().map(|(index, poses)| {
            [0, 1].map(|side| {
                let pose = Pose::from_quaternion(poses[side].center, poses[side].quaternion).expect("a pose");
                pose.of_frame(&shapes[chosen[index % chosen.len()][side]])
            })
        });
        let poses = poses.collect();
        Self { shapes, chosen, poses, solver: Solver::new(LinkMethod::ShortestLink) }
    }

    fn query(&mut self, step: usize, pair: usize, memory: &mut Self::Memory) -> Contact {
        let bodies = self.chosen[pair].map(|shape| &self.shapes[shape]);
        let poses = self.poses[step * self.chosen.len() + pair].each_ref();
        let link = self.solver.link(bodies, poses, memory);
        Contact { gap: link.gap, normal: link.normal, points: link.points }
    }
}
