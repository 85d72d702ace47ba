//! Everything that changes while a simulation runs, and how to go on from it.

use super::bodies::{Bodies, Seen};
use super::energy::Account;
use super::failure::Failure;
use super::pairs::Spring;
use super::simulation::Simulation;
use super::time_step::Smallest;
use super::wall::{Pose, WallSpring};

/// What has left through an outflow.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Outflown {
    /// Number of bodies.
    pub count: u64,
    /// Their mass.
    pub mass: f64,
}

/// Everything that changes while a simulation runs: enough to go on from, to the last bit.
#[derive(Debug, Clone, PartialEq)]
pub struct State<const D: usize, const S: usize> {
    /// Steps done.
    pub steps: u64,
    /// Bodies ever inserted.
    pub inserted: u32,
    /// Whether the forces of the first bodies have been worked out.
    pub started: bool,
    /// The bodies.
    pub bodies: Bodies<D, S>,
    /// Contacts between bodies.
    pub springs: Vec<Spring<D>>,
    /// Contacts with walls.
    pub wall_springs: Vec<WallSpring<D>>,
    /// Energies added up so far.
    pub account: Account<D>,
    /// What has left through each outflow.
    pub outflown: Vec<Outflown>,
    /// What has been removed beyond the domain.
    pub strayed: Outflown,
}

impl<const D: usize, const S: usize> Simulation<D, S> {
    /// What a restart needs.
    pub fn state(&self) -> State<D, S> {
        State {
            steps: self.steps,
            inserted: self.inserted,
            started: self.started,
            bodies: self.bodies.clone(),
            springs: self.pairs.springs().collect(),
            wall_springs: self.near_walls.springs().collect(),
            account: self.account,
            outflown: self.outflown.clone(),
            strayed: self.strayed,
        }
    }

    /// Says why a state cannot be one of this simulation.
    pub fn check(&self, state: &State<D, S>) -> Result<(), String> {
        let bodies = &state.bodies;
        let count = bodies.len();
        let lengths = [
            bodies.id.len(),
            bodies.material.len(),
            bodies.position.len(),
            bodies.midstep_velocity.len(),
            bodies.midstep_spin.len(),
            bodies.seen.len(),
            bodies.load.len(),
        ];
        if lengths != [count; 7] || (bodies.orientation.len() != count && !bodies.orientation.is_empty()) {
            return Err("its columns have different lengths".to_string());
        }
        if bodies.orientation.is_empty() == self.settings.orientation && count > 0 {
            return Err("it and the scene differ in whether orientations are followed".to_string());
        }
        let positive = |value: f64| value > 0.0 && value.is_finite();
        let finite = |row: usize| {
            let (seen, load) = (&bodies.seen[row], &bodies.load[row]);
            let vectors = [bodies.position[row], bodies.midstep_velocity[row], seen.velocity, load.force];
            let spins = [bodies.midstep_spin[row], seen.spin, load.torque];
            vectors.as_flattened().iter().chain(spins.as_flattened()).all(|x| x.is_finite())
        };
        let sound = |row: usize| {
            let Seen { radius, inverse_mass, .. } = bodies.seen[row];
            positive(radius) && positive(inverse_mass) && radius == bodies.radius[row]
        };
        if !(0..count).all(|row| sound(row) && finite(row)) {
            return Err("a value of a particle is not a finite number, or a radius or mass not above zero"
                .to_string());
        }
        if bodies.material.iter().any(|&material| usize::from(material) >= self.table.materials()) {
            return Err("a particle has a material that the scene does not have".to_string());
        }
        if state
            .springs
            .iter()
            .any(|spring| spring.pair.a >= spring.pair.b || spring.pair.b as usize >= count)
        {
            return Err("a contact is between particles that are not there".to_string());
        }
        let fits = |spring: &WallSpring<D>| {
            let wall = self.walls.get(usize::from(spring.wall));
            (spring.row as usize) < count
                && wall.is_some_and(|wall| (spring.element as usize) < wall.shape.elements())
        };
        if !state.wall_springs.iter().all(fits) {
            return Err("a contact is with a wall that the scene does not have".to_string());
        }
        if state.outflown.len() != self.settings.outflows.len() {
            return Err("it and the scene have different numbers of outflows".to_string());
        }
        Ok(())
    }

    /// Goes back, or on, to a state, which [`Simulation::check`] finds nothing wrong with.
    pub fn restore(&mut self, state: State<D, S>) -> Result<(), Failure> {
        self.steps = state.steps;
        self.inserted = state.inserted;
        self.started = state.started;
        self.bodies = state.bodies;
        self.account = state.account;
        self.outflown = state.outflown;
        self.strayed = state.strayed;
        for row in 0..self.bodies.len() {
            let (radius, mass) = (self.bodies.radius[row], 1.0 / self.bodies.inverse_mass(row));
            let smallest = &mut self.smallest[usize::from(self.bodies.material[row])];
            if smallest.is_none_or(|smallest| radius < smallest.radius) {
                *smallest = Some(Smallest { radius, mass });
            }
        }
        for (pose, wall) in self.poses.iter_mut().zip(&self.walls) {
            *pose = Pose::at(&wall.motion, self.steps as f64 * self.settings.time_step);
        }
        self.remember(state.springs, &state.wall_springs)
    }
}
