//! Bodies that leave: through an outflow, or out of the domain.

use super::failure::Failure;
use super::law::Law;
use super::settings::Outside;
use super::simulation::Simulation;
use crate::vector::{add_scaled, dot, sub};

impl<const D: usize, const S: usize> Simulation<D, S> {
    /// Removes bodies behind outflow planes and beyond the domain.
    pub(super) fn remove_departed<L: Law>(&mut self) -> Result<(), Failure> {
        let super::Settings { min, max, periodic, .. } = &self.settings;
        let inside = |x: &[f64; D]| (0..D).all(|k| periodic[k] || (min[k]..=max[k]).contains(&x[k]));
        let through = |x: &[f64; D]| {
            self.settings.outflows.iter().position(|plane| dot(sub(*x, plane.point), plane.normal) < 0.0)
        };
        let gone = |x: &[f64; D]| through(x).is_some() || !inside(x);
        if !self.bodies.position.iter().any(gone) {
            return Ok(());
        }
        let (mut order, mut departed) = (Vec::new(), Vec::new());
        for (row, x) in self.bodies.position.iter().enumerate() {
            if let Some(outflow) = through(x) {
                departed.push((row, Some(outflow)));
            } else if inside(x) {
                order.push(row as u32);
            } else if self.settings.outside == Outside::Remove {
                departed.push((row, None));
            } else {
                return Err(self.outside(row));
            }
        }
        let stored = self.stored::<L>();
        // The forces are cleared at this point; velocities and spins are as foreseen.
        for (row, outflow) in departed {
            let mass = 1.0 / self.bodies.inverse_mass(row);
            let (velocity, spin) = (self.bodies.seen[row].velocity, self.bodies.seen[row].spin);
            self.account.removed += 0.5 * mass * dot(velocity, velocity)
                + 0.5 * dot(spin, spin) / self.bodies.inverse_inertia(row);
            self.account.moment = add_scaled(self.account.moment, -mass, self.bodies.position[row]);
            let tally = outflow.map_or(&mut self.strayed, |outflow| &mut self.outflown[outflow]);
            tally.count += 1;
            tally.mass += mass;
        }
        self.arrange(&order)?;
        self.account.removed += stored - self.stored::<L>();
        Ok(())
    }
}
