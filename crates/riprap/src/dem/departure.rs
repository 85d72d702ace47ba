//! Bodies that leave: through an outflow, or out of the domain.

use super::domain::Outside;
use super::failure::Failure;
use super::simulation::Simulation;
use crate::archive::{Damage, Rest, Section, Values};
use crate::vector::{add_scaled, dot, sub};

/// How many bodies have left, and their mass.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Departed {
    /// Number of bodies.
    pub count: u64,
    /// Their mass.
    pub mass: f64,
}

/// What has left.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outflown {
    /// Through each outflow.
    pub outflows: Vec<Departed>,
    /// Beyond the domain.
    pub strayed: Departed,
}

impl Outflown {
    /// Nothing, through so many outflows.
    pub(super) fn new(outflows: usize) -> Self {
        Self { outflows: vec![Departed::default(); outflows], strayed: Departed::default() }
    }
}

impl<const D: usize> Simulation<D> {
    /// Removes bodies behind outflow planes and beyond the domain.
    pub(super) fn depart(&mut self) -> Result<(), Failure> {
        let domain = &self.settings.domain;
        let through = |x: &[f64; D]| {
            self.settings.outflows.iter().position(|plane| dot(sub(*x, plane.point), plane.normal) < 0.0)
        };
        let gone = |x: &[f64; D]| through(x).is_some() || !domain.contains(x);
        if !self.bodies.position.iter().any(gone) {
            return Ok(());
        }
        let (mut order, mut departed) = (Vec::new(), Vec::new());
        for (row, x) in self.bodies.position.iter().enumerate() {
            if let Some(outflow) = through(x) {
                departed.push((row, Some(outflow)));
            } else if domain.contains(x) {
                order.push(row as u32);
            } else if domain.outside == Outside::Remove {
                departed.push((row, None));
            } else {
                return Err(self.outside(row));
            }
        }
        let stored = self.elastic();
        // The forces are cleared at this point; velocities and spins are as foreseen.
        for (row, outflow) in departed {
            let mass = 1.0 / self.bodies.inverse_mass(row);
            let (velocity, momentum) =
                (self.bodies.seen[row].velocity, self.bodies.momentum_seen(row, &self.shapes));
            self.account.removed += self.bodies.energy_of(row, velocity, momentum, &self.shapes);
            let velocity = sub(velocity, self.bodies.midstep_velocity[row]);
            let momentum = sub(momentum, self.bodies.midstep_spin.get(row));
            self.account.integration -= self.bodies.energy_of(row, velocity, momentum, &self.shapes);
            self.account.moment = add_scaled(self.account.moment, -mass, self.bodies.position[row]);
            let Outflown { outflows, strayed } = &mut self.outflown;
            let tally = outflow.map_or(strayed, |outflow| &mut outflows[outflow]);
            tally.count += 1;
            tally.mass += mass;
        }
        self.arrange(&order)?;
        self.account.removed += stored - self.elastic();
        Ok(())
    }
}

impl Section for Outflown {
    const NAME: &'static str = "outflow";
    const VERSION: u32 = 1;

    fn write(&self, values: &mut Values) {
        let departed = |values: &mut Values, departed: &Departed| {
            values.word(departed.count);
            values.number(departed.mass);
        };
        departed(values, &self.strayed);
        values.list(&self.outflows, departed);
    }

    fn read(values: &mut Rest<'_>, _version: u32) -> Result<Self, Damage> {
        let departed = |values: &mut Rest<'_>| Ok(Departed { count: values.word()?, mass: values.finite()? });
        Ok(Self { strayed: departed(values)?, outflows: values.list(departed)? })
    }
}
