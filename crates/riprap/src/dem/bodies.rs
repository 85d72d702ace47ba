//! Bodies as columns, one entry per body.
//!
//! Bodies are stored in the order of a space-filling curve, so that neighbours in space are neighbours in memory; `id` tells
//! who is who. Positions and forces belong to a time `t`; `midstep_velocity` to half a step before it.

use super::vector::{add_scaled, dot, scale};

/// Spheres (disks when `D` is 2) that move; `S` is the number of components of a spin, 3 or 1.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bodies<const D: usize, const S: usize> {
    /// Number by which a body is known, in the order of insertion.
    pub id: Vec<u32>,
    /// Index of the material.
    pub material: Vec<u8>,
    /// Radius.
    pub radius: Vec<f64>,
    /// One over the mass.
    pub inverse_mass: Vec<f64>,
    /// Centre.
    pub position: Vec<[f64; D]>,
    /// Velocity half a step ago.
    pub midstep_velocity: Vec<[f64; D]>,
    /// Velocity now, as foreseen before the forces were known.
    pub velocity: Vec<[f64; D]>,
    /// Spin half a step ago.
    pub midstep_spin: Vec<[f64; S]>,
    /// Spin now, as foreseen before the torques were known.
    pub spin: Vec<[f64; S]>,
    /// Force of the contacts.
    pub force: Vec<[f64; D]>,
    /// Torque of the contacts.
    pub torque: Vec<[f64; S]>,
    /// Orientation as a unit quaternion `w, x, y, z`; empty unless it is followed.
    pub orientation: Vec<[f64; 4]>,
}

/// One body to be added.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewBody<const D: usize, const S: usize> {
    /// Centre.
    pub position: [f64; D],
    /// Velocity.
    pub velocity: [f64; D],
    /// Spin.
    pub spin: [f64; S],
    /// Radius.
    pub radius: f64,
    /// Mass.
    pub mass: f64,
    /// Index of the material.
    pub material: u8,
}

/// Applies an expression to every column.
macro_rules! each_column {
    ($bodies:expr, $column:ident => $action:expr) => {{
        {
            let $column = &mut $bodies.id;
            $action;
        }
        {
            let $column = &mut $bodies.material;
            $action;
        }
        {
            let $column = &mut $bodies.radius;
            $action;
        }
        {
            let $column = &mut $bodies.inverse_mass;
            $action;
        }
        {
            let $column = &mut $bodies.position;
            $action;
        }
        {
            let $column = &mut $bodies.midstep_velocity;
            $action;
        }
        {
            let $column = &mut $bodies.velocity;
            $action;
        }
        {
            let $column = &mut $bodies.midstep_spin;
            $action;
        }
        {
            let $column = &mut $bodies.spin;
            $action;
        }
        {
            let $column = &mut $bodies.force;
            $action;
        }
        {
            let $column = &mut $bodies.torque;
            $action;
        }
        {
            let $column = &mut $bodies.orientation;
            $action;
        }
    }};
}

/// The columns that forces are worked out from.
#[derive(Clone, Copy)]
pub(crate) struct View<'a, const D: usize, const S: usize> {
    pub(crate) position: &'a [[f64; D]],
    pub(crate) radius: &'a [f64],
    pub(crate) inverse_mass: &'a [f64],
    pub(crate) velocity: &'a [[f64; D]],
    pub(crate) spin: &'a [[f64; S]],
    pub(crate) material: &'a [u8],
}

/// Moment of inertia over mass and squared radius.
pub const fn inertia_share(dimension: usize) -> f64 {
    if dimension == 2 { 0.5 } else { 0.4 }
}

impl<const D: usize, const S: usize> Bodies<D, S> {
    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.radius.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.radius.is_empty()
    }

    /// Makes room for so many more: exactly, where many come at once.
    pub(crate) fn reserve(&mut self, more: usize) {
        let exactly = more > self.len() / 8;
        each_column!(self, column => if exactly { column.reserve_exact(more) } else { column.reserve(more) });
    }

    /// Adds a body at rest relative to its forces: they act from now on.
    pub fn push(&mut self, id: u32, body: &NewBody<D, S>, follow_orientation: bool) {
        self.id.push(id);
        self.material.push(body.material);
        self.radius.push(body.radius);
        self.inverse_mass.push(1.0 / body.mass);
        self.position.push(body.position);
        self.midstep_velocity.push(body.velocity);
        self.velocity.push(body.velocity);
        self.midstep_spin.push(body.spin);
        self.spin.push(body.spin);
        self.force.push([0.0; D]);
        self.torque.push([0.0; S]);
        if follow_orientation {
            self.orientation.push([1.0, 0.0, 0.0, 0.0]);
        }
    }

    /// Brings the bodies into this order of their present rows; rows left out are removed.
    pub fn arrange(&mut self, order: &[u32]) {
        each_column!(self, column => {
            if !column.is_empty() {
                *column = order.iter().map(|&row| column[row as usize]).collect();
            }
        });
    }

    /// The columns to read, and those of force and torque to write.
    #[allow(clippy::type_complexity, reason = "three columns")]
    pub(crate) fn split(&mut self) -> (View<'_, D, S>, &mut [[f64; D]], &mut [[f64; S]]) {
        let view = View {
            position: &self.position,
            radius: &self.radius,
            inverse_mass: &self.inverse_mass,
            velocity: &self.velocity,
            spin: &self.spin,
            material: &self.material,
        };
        (view, &mut self.force, &mut self.torque)
    }

    /// Velocity of a body now.
    pub fn velocity_now(&self, row: usize, gravity: [f64; D], step: f64) -> [f64; D] {
        let acceleration = add_scaled(gravity, self.inverse_mass[row], self.force[row]);
        add_scaled(self.midstep_velocity[row], 0.5 * step, acceleration)
    }

    /// Spin of a body now.
    pub fn spin_now(&self, row: usize, step: f64) -> [f64; S] {
        add_scaled(self.midstep_spin[row], 0.5 * step * self.inverse_inertia(row), self.torque[row])
    }

    /// One over the moment of inertia of a body.
    #[inline(always)]
    pub fn inverse_inertia(&self, row: usize) -> f64 {
        self.inverse_mass[row] / (inertia_share(D) * self.radius[row] * self.radius[row])
    }

    /// Kinetic energy of translation and of rotation.
    pub fn kinetic(&self, gravity: [f64; D], step: f64) -> (f64, f64) {
        let (mut translation, mut rotation) = (0.0, 0.0);
        for row in 0..self.len() {
            let velocity = self.velocity_now(row, gravity, step);
            let spin = self.spin_now(row, step);
            translation += 0.5 * dot(velocity, velocity) / self.inverse_mass[row];
            rotation += 0.5 * dot(spin, spin) / self.inverse_inertia(row);
        }
        (translation, rotation)
    }

    /// Sum of mass times position, for the potential energy.
    pub fn first_moment(&self) -> [f64; D] {
        let mut sum = [0.0; D];
        for (position, inverse_mass) in self.position.iter().zip(&self.inverse_mass) {
            sum = add_scaled(sum, 1.0 / inverse_mass, *position);
        }
        sum
    }

    /// Sum of the sizes of the potential energies about the origin: the scale on which their sum is rounded.
    pub(crate) fn lever_of(&self, gravity: [f64; D]) -> f64 {
        let bodies = self.position.iter().zip(&self.inverse_mass);
        bodies.map(|(position, inverse_mass)| dot(*position, gravity).abs() / inverse_mass).sum()
    }

    /// Momentum, and angular momentum about the origin.
    pub fn momentum(&self, gravity: [f64; D], step: f64) -> ([f64; D], [f64; S]) {
        let (mut linear, mut angular) = ([0.0; D], [0.0; S]);
        for row in 0..self.len() {
            let momentum = scale(self.velocity_now(row, gravity, step), 1.0 / self.inverse_mass[row]);
            linear = super::vector::add(linear, momentum);
            angular = super::vector::add(angular, super::vector::moment(self.position[row], momentum));
            angular = add_scaled(angular, 1.0 / self.inverse_inertia(row), self.spin_now(row, step));
        }
        (linear, angular)
    }

    /// Bytes reserved.
    pub fn bytes(&mut self) -> usize {
        let mut bytes = 0;
        each_column!(self, column => bytes += column.capacity() * size_of_val(&column[..]) / column.len().max(1));
        bytes
    }
}
