//! Bodies as columns, one entry per body.
//!
//! Bodies are stored in the order of a space-filling curve, so that neighbours in space are neighbours in memory; `id` tells
//! who is who. Positions and forces belong to a time `t`; `midstep_velocity` to half a step before it.

use crate::vector::{add, add_scaled, dot, scale};

/// Spheres (disks when `D` is 2) that move; `S` is the number of components of a spin, 3 or 1.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bodies<const D: usize, const S: usize> {
    /// Number by which a body is known, in the order of insertion.
    pub id: Vec<u32>,
    /// Index of the material.
    pub material: Vec<u8>,
    /// Radius.
    pub radius: Vec<f64>,
    /// Centre.
    pub position: Vec<[f64; D]>,
    /// Velocity half a step ago.
    pub midstep_velocity: Vec<[f64; D]>,
    /// Spin half a step ago.
    pub midstep_spin: Vec<[f64; S]>,
    /// How contacts see the motion now.
    pub seen: Vec<Seen<D, S>>,
    /// Force and torque of the contacts.
    pub load: Vec<Load<D, S>>,
    /// Orientation as a unit quaternion `w, x, y, z`; empty unless it is followed.
    pub orientation: Vec<[f64; 4]>,
}

/// What a contact needs to know of a body beside its place, side by side: it comes with one line of the cache.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub struct Seen<const D: usize, const S: usize> {
    /// Velocity now, as foreseen before the forces were known.
    pub velocity: [f64; D],
    /// One over the mass.
    pub inverse_mass: f64,
    /// Spin now, as foreseen before the torques were known.
    pub spin: [f64; S],
    /// Radius, the same as in the column.
    pub radius: f64,
}

/// Force and torque.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load<const D: usize, const S: usize> {
    /// Force.
    pub force: [f64; D],
    /// Torque about the centre.
    pub torque: [f64; S],
}

impl<const D: usize, const S: usize> Load<D, S> {
    /// Neither force nor torque.
    pub const NONE: Self = Self { force: [0.0; D], torque: [0.0; S] };
}

impl<const D: usize, const S: usize> std::ops::AddAssign for Load<D, S> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        self.force = add(self.force, other.force);
        self.torque = add(self.torque, other.torque);
    }
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
            let $column = &mut $bodies.position;
            $action;
        }
        {
            let $column = &mut $bodies.midstep_velocity;
            $action;
        }
        {
            let $column = &mut $bodies.midstep_spin;
            $action;
        }
        {
            let $column = &mut $bodies.seen;
            $action;
        }
        {
            let $column = &mut $bodies.load;
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
    pub(crate) seen: &'a [Seen<D, S>],
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
        self.position.push(body.position);
        self.midstep_velocity.push(body.velocity);
        self.midstep_spin.push(body.spin);
        let NewBody { velocity, spin, radius, mass, .. } = *body;
        self.seen.push(Seen { velocity, inverse_mass: 1.0 / mass, spin, radius });
        self.load.push(Load::NONE);
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

    /// The columns to read, and that of the forces and torques to write.
    pub(crate) fn split(&mut self) -> (View<'_, D, S>, &mut [Load<D, S>]) {
        let view = View {
            position: &self.position,
            radius: &self.radius,
            seen: &self.seen,
            material: &self.material,
        };
        (view, &mut self.load)
    }

    /// One over the mass of a body.
    #[inline(always)]
    pub fn inverse_mass(&self, row: usize) -> f64 {
        self.seen[row].inverse_mass
    }

    /// Velocity of a body now.
    pub fn velocity_now(&self, row: usize, gravity: [f64; D], step: f64) -> [f64; D] {
        let acceleration = add_scaled(gravity, self.inverse_mass(row), self.load[row].force);
        add_scaled(self.midstep_velocity[row], 0.5 * step, acceleration)
    }

    /// Spin of a body now.
    pub fn spin_now(&self, row: usize, step: f64) -> [f64; S] {
        add_scaled(self.midstep_spin[row], 0.5 * step * self.inverse_inertia(row), self.load[row].torque)
    }

    /// One over the moment of inertia of a body.
    #[inline(always)]
    pub fn inverse_inertia(&self, row: usize) -> f64 {
        self.inverse_mass(row) / (inertia_share(D) * self.radius[row] * self.radius[row])
    }

    /// Kinetic energy of translation and of rotation.
    pub fn kinetic(&self, gravity: [f64; D], step: f64) -> (f64, f64) {
        let (mut translation, mut rotation) = (0.0, 0.0);
        for row in 0..self.len() {
            let velocity = self.velocity_now(row, gravity, step);
            let spin = self.spin_now(row, step);
            translation += 0.5 * dot(velocity, velocity) / self.inverse_mass(row);
            rotation += 0.5 * dot(spin, spin) / self.inverse_inertia(row);
        }
        (translation, rotation)
    }

    /// Sum of mass times position, for the potential energy.
    pub fn first_moment(&self) -> [f64; D] {
        let mut sum = [0.0; D];
        for (position, seen) in self.position.iter().zip(&self.seen) {
            sum = add_scaled(sum, 1.0 / seen.inverse_mass, *position);
        }
        sum
    }

    /// Sum of the sizes of the potential energies about the origin: the scale on which their sum is rounded.
    pub(crate) fn lever_of(&self, gravity: [f64; D]) -> f64 {
        let bodies = self.position.iter().zip(&self.seen);
        bodies.map(|(position, seen)| dot(*position, gravity).abs() / seen.inverse_mass).sum()
    }

    /// Momentum, and angular momentum about the origin.
    pub fn momentum(&self, gravity: [f64; D], step: f64) -> ([f64; D], [f64; S]) {
        let (mut linear, mut angular) = ([0.0; D], [0.0; S]);
        for row in 0..self.len() {
            let momentum = scale(self.velocity_now(row, gravity, step), 1.0 / self.inverse_mass(row));
            linear = add(linear, momentum);
            angular = add(angular, super::spin::moment(self.position[row], momentum));
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
