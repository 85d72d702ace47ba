//! rapier: impulses, with large steps.

use rapier3d_f64::prelude::*;

use crate::Side;
use crate::bed::{Bed, DENSITY, GRAVITY, RESTITUTION, Start, friction};

/// Seconds in which stones fall and come to rest.
const SETTLING: f64 = 5.0;
/// Half the thickness of floor and walls, and half the height of walls.
const THICK: f64 = 0.5;
const HIGH: f64 = 5.0;

/// What differs from rapier's own settings.
pub(crate) struct Tuning {
    /// Size of a usual body in metres, which many tolerances are multiplied with.
    length_unit: f64,
    /// Whether contacts of bodies that hardly moved are not looked for.
    recycling: bool,
}

/// With its own settings, bodies are thought to be a metre large: contacts are made at a distance of 20 mm, and kept while
/// bodies move by less than 50 mm.
pub(crate) const TUNINGS: [(&str, Tuning); 3] = [
    ("rapier", Tuning { length_unit: 1.0, recycling: true }),
    ("rapier-sized", Tuning { length_unit: 0.025, recycling: true }),
    ("rapier-fresh", Tuning { length_unit: 0.025, recycling: false }),
];

pub(crate) struct Rapier<'a> {
    start: &'a Start,
    world: PhysicsWorld,
    stones: Vec<RigidBodyHandle>,
}

impl<'a> Rapier<'a> {
    /// Stones that fell until they rest.
    pub(crate) fn settle(start: &'a Start, tuning: Tuning) -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::new(0.0, 0.0, -GRAVITY);
        world.integration_parameters.length_unit = tuning.length_unit;
        world.integration_parameters.contact_recycling = tuning.recycling;
        let middle = start.edge / 2.0;
        for (center, half) in [
            ([middle, middle, -THICK], [middle + 2.0 * THICK, middle + 2.0 * THICK, THICK]),
            ([-THICK, middle, HIGH], [THICK, middle + 2.0 * THICK, HIGH]),
            ([start.edge + THICK, middle, HIGH], [THICK, middle + 2.0 * THICK, HIGH]),
            ([middle, -THICK, HIGH], [middle + 2.0 * THICK, THICK, HIGH]),
            ([middle, start.edge + THICK, HIGH], [middle + 2.0 * THICK, THICK, HIGH]),
        ] {
            let body = RigidBodyBuilder::fixed().translation(Vector::from(center));
            world.insert(body, rock(ColliderBuilder::cuboid(half[0], half[1], half[2])));
        }
        let stones = start.stones.iter().map(|stone| {
            let vertices: Vec<_> = start.vertices(stone).into_iter().map(Vector::from).collect();
            let [w, x, y, z] = stone.turn;
            let pose = Pose::from_parts(Vector::from(stone.center), Rotation::from_xyzw(x, y, z, w));
            // Else what is measured at rest is nothing.
            let body = RigidBodyBuilder::dynamic().pose(pose).can_sleep(false);
            let hull = ColliderBuilder::convex_hull(&vertices).expect("a convex body");
            world.insert(body, rock(hull)).0
        });
        let stones = stones.collect();
        let mut rapier = Self { start, world, stones };
        rapier.advance((SETTLING / rapier.time_step()).round() as u64);
        rapier
    }
}

fn rock(collider: ColliderBuilder) -> ColliderBuilder {
    collider.density(DENSITY).friction(friction()).restitution(RESTITUTION)
}

impl Side for Rapier<'_> {
    fn advance(&mut self, steps: u64) {
        for _ in 0..steps {
            self.world.step();
        }
    }

    fn bed(&self) -> Bed {
        self.start.moved(self.stones.iter().map(|&stone| {
            let pose = self.world.bodies[stone].position();
            let turn = pose.rotation;
            (pose.translation.to_array(), [turn.w, turn.x, turn.y, turn.z])
        }))
    }

    fn kinetic(&self) -> f64 {
        self.stones.iter().map(|&stone| self.world.bodies[stone].kinetic_energy()).sum()
    }

    fn time_step(&self) -> f64 {
        self.world.integration_parameters.dt
    }
}
