//! riprap: the simulator as a user would call it.

use riprap::convex::LinkMethod;
use riprap::dem::wall::{Surface, Wall};
use riprap::dem::{LawKind, Material, Materials, NewBody, Settings, Simulation, State};

use crate::Side;
use crate::bed::{Bed, DENSITY, GRAVITY, RESTITUTION, Start, friction};

/// Seconds; well below the limit of the smallest stone.
const TIME_STEP: f64 = 2e-5;

pub(crate) struct Riprap<'a> {
    start: &'a Start,
    simulation: Simulation<3>,
}

/// Stones that fell for so many seconds, by the shortest link.
pub(crate) fn settle(start: &Start, seconds: f64) -> State<3> {
    let mut simulation = simulation(start, LinkMethod::ShortestLink);
    simulation.advance_by((seconds / TIME_STEP) as u64).expect("sound physics");
    simulation.state()
}

impl<'a> Riprap<'a> {
    pub(crate) fn resume(start: &'a Start, state: &State<3>, link: LinkMethod) -> Self {
        let mut simulation = simulation(start, link);
        simulation.restore(state.clone()).expect("the state of such a simulation");
        Self { start, simulation }
    }
}

impl Side for Riprap<'_> {
    fn advance(&mut self, steps: u64) {
        self.simulation.advance_by(steps).expect("sound physics");
    }

    fn bed(&self) -> Bed {
        let bodies = self.simulation.bodies();
        let mut rows: Vec<usize> = (0..bodies.len()).collect();
        rows.sort_by_key(|&row| bodies.id[row]);
        self.start.moved(rows.iter().map(|&row| (bodies.position[row], bodies.turning.orientation[row])))
    }

    fn kinetic(&self) -> f64 {
        let ledger = self.simulation.ledger();
        ledger.translation + ledger.rotation
    }

    fn time_step(&self) -> f64 {
        TIME_STEP
    }
}

/// The stones in their box, with the stiffness of the paper.
fn simulation(start: &Start, link: LinkMethod) -> Simulation<3> {
    let settings =
        Settings { gravity: [0.0, 0.0, -GRAVITY], time_step: TIME_STEP, link, ..Settings::default() };
    let rock = Material {
        name: "rock".into(),
        density: DENSITY,
        k_n: Some(130e3),
        k_t: Some(102e3),
        restitution: RESTITUTION,
        friction: friction(),
        ..Material::default()
    };
    let container = Wall::new("box", Surface::Box { min: [0.0; 3], max: [start.edge, start.edge, 9.0] });
    let materials = Materials::new(LawKind::Linear, vec![rock]).expect("a sound material");
    let mut simulation = Simulation::new(settings, materials, vec![container]).expect("a sound scene");
    let shapes =
        start.shapes.each_ref().map(|shape| simulation.add_shape(shape.clone()).expect("room for a shape"));
    let bodies: Vec<_> = start
        .stones
        .iter()
        .map(|stone| NewBody::shaped(shapes[stone.shape], stone.center, stone.size, stone.turn))
        .collect();
    simulation.insert(&bodies).expect("sound bodies");
    simulation
}
