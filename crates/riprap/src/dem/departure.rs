//! Bodies that leave: through an outflow, or out of the domain.

use super::departed::Outflown;
use super::domain::Outside;
use super::failure::Failure;
use super::simulation::Simulation;
use crate::vector::{add_scaled, dot, sub};

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
        let stored = self.stored().total();
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
        self.account.removed += stored - self.stored().total();
        Ok(())
    }
}
