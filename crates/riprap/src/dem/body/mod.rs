//! Bodies as columns, one entry per body.
//!
//! Bodies are stored in the order of a space-filling curve, so that neighbours in space are neighbours in memory; a body is known
//! by its `id`, never by its row. Positions and forces belong to a time `t`; `midstep_velocity` to half a step before it.
//!
//! What every contact asks of a body is one record, [`Seen`]; what few ask stays in columns of its own. [`Turning`] is empty while
//! all bodies are balls whose orientation nobody follows.

mod input;
pub(crate) mod order;
mod shape;

pub use input::{BodyError, NewBody};
pub use shape::{ShapeIndex, Shapes};

use super::rotation::{UPRIGHT, momentum_of, spin_of};
use super::spin::{Spin, SpinColumn, moment};
use crate::archive::{Damage, Rest, Section, Values};
use crate::vector::{add, add_scaled, dot, scale, sub};

/// Bodies that move.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bodies<const D: usize> {
    /// Number by which a body is known, in the order of insertion.
    pub id: Vec<u64>,
    /// Shape.
    pub shape: Vec<ShapeIndex>,
    /// Index of the material.
    pub material: Vec<u8>,
    /// Size: the radius, or that of the ball of the same volume.
    pub radius: Vec<f64>,
    /// Centre of mass.
    pub position: Vec<[f64; D]>,
    /// Velocity half a step ago.
    pub midstep_velocity: Vec<[f64; D]>,
    /// Spin half a step ago. Of other shapes than balls the angular momentum, over the inertia of the ball of the same mass and size:
    /// the spin that such a ball would have.
    pub midstep_spin: SpinColumn<D>,
    /// How contacts see the motion now.
    pub seen: Vec<Seen<D>>,
    /// Force and torque of the contacts.
    pub load: Vec<Load<D>>,
    /// How bodies are turned.
    pub turning: Turning,
}

/// How bodies are turned: columns that are empty while all bodies are balls.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Turning {
    /// Orientation as a unit quaternion `w, x, y, z`; of balls, too, where that is asked for.
    pub orientation: Vec<[f64; 4]>,
    /// Distance of the farthest point from the centre of mass.
    pub reach: Vec<f64>,
}

/// What a contact needs to know of a body beside its place, side by side: it comes with one line of the cache.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub struct Seen<const D: usize> {
    /// Velocity now, as foreseen before the forces were known.
    pub velocity: [f64; D],
    /// One over the mass.
    pub inverse_mass: f64,
    /// Spin now, as foreseen before the torques were known.
    pub spin: Spin,
    /// Radius, the same as in the column.
    pub radius: f64,
}

/// Force and torque.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load<const D: usize> {
    /// Force.
    pub force: [f64; D],
    /// Torque about the centre of mass.
    pub torque: Spin,
}

impl<const D: usize> Load<D> {
    /// Neither force nor torque.
    pub const NONE: Self = Self { force: [0.0; D], torque: [0.0; 3] };
}

impl<const D: usize> std::ops::AddAssign for Load<D> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        self.force = add(self.force, other.force);
        if D == 2 {
            self.torque[2] += other.torque[2];
        } else {
            self.torque = add(self.torque, other.torque);
        }
    }
}

/// The columns that forces are worked out from.
#[derive(Clone, Copy)]
pub(crate) struct View<'a, const D: usize> {
    pub(crate) id: &'a [u64],
    pub(crate) position: &'a [[f64; D]],
    pub(crate) radius: &'a [f64],
    pub(crate) seen: &'a [Seen<D>],
    pub(crate) material: &'a [u8],
    pub(crate) shape: &'a [ShapeIndex],
    pub(crate) shapes: &'a Shapes<D>,
    /// Moment of inertia of a ball over mass and squared radius.
    pub(crate) inertia: f64,
}

/// Applies an expression to every column but that of the spins, or to every column of their turning.
macro_rules! each_column {
    ($bodies:expr, $column:ident => $action:expr) => {
        each_column!(@ $bodies, $column => $action;
            id shape material radius position midstep_velocity seen load);
    };
    (turning $bodies:expr, $column:ident => $action:expr) => {
        each_column!(@ $bodies.turning, $column => $action; orientation reach);
    };
    (@ $bodies:expr, $column:ident => $action:expr; $($name:ident)*) => {
        $({
            let $column = &mut $bodies.$name;
            $action;
        })*
    };
}

impl<const D: usize> Bodies<D> {
    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.radius.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.radius.is_empty()
    }

    /// Makes room for more bodies: exactly, where many come at once.
    pub(crate) fn reserve(&mut self, more: usize, turning: bool) {
        let exactly = more > self.len() / 8;
        each_column!(self, column => if exactly { column.reserve_exact(more) } else { column.reserve(more) });
        self.midstep_spin.reserve(more, exactly);
        if turning {
            each_column!(turning self, column => if exactly { column.reserve_exact(more) } else { column.reserve(more) });
        }
    }

    /// Adds a checked body, with its turning where that is followed; forces act on it from now on.
    pub(crate) fn push(&mut self, id: u64, body: &NewBody<D>, mass: f64, shapes: &Shapes<D>, turning: bool) {
        let NewBody { velocity, spin, radius, orientation, .. } = *body;
        self.id.push(id);
        self.shape.push(body.shape);
        self.material.push(body.material);
        self.radius.push(radius);
        self.position.push(body.position);
        self.midstep_velocity.push(velocity);
        self.midstep_spin.push(if body.shape == Shapes::<D>::BALL {
            spin
        } else {
            momentum_of(orientation, shapes.softness(body.shape), spin)
        });
        self.seen.push(Seen { velocity, inverse_mass: 1.0 / mass, spin, radius });
        self.load.push(Load::NONE);
        if turning {
            self.turning.orientation.push(orientation);
            self.turning.reach.push(radius * shapes.get(body.shape).reach);
        }
    }

    /// Begins to follow the turning of bodies of which that was not known.
    pub(crate) fn follow_turning(&mut self, shapes: &Shapes<D>) {
        self.turning.orientation.resize(self.len(), UPRIGHT);
        let bodies = self.radius.iter().zip(&self.shape);
        self.turning.reach = bodies.map(|(radius, shape)| radius * shapes.get(*shape).reach).collect();
    }

    /// Radii of the balls around the centres of mass that hold the bodies.
    #[inline(always)]
    pub(crate) fn bounds(&self) -> &[f64] {
        if self.turning.reach.is_empty() { &self.radius } else { &self.turning.reach }
    }

    /// Brings the bodies into this order of their present rows; rows left out are removed.
    pub(crate) fn arrange(&mut self, order: &[u32]) {
        self.midstep_spin = order.iter().map(|&row| self.midstep_spin.get(row as usize)).collect();
        each_column!(self, column => *column = order.iter().map(|&row| column[row as usize]).collect());
        if !self.turning.orientation.is_empty() {
            each_column!(turning self, column => *column = order.iter().map(|&row| column[row as usize]).collect());
        }
    }

    /// The columns to read, and that of the forces and torques to write.
    pub(crate) fn split<'a>(&'a mut self, shapes: &'a Shapes<D>) -> (View<'a, D>, &'a mut [Load<D>]) {
        let Self { id, position, radius, seen, material, shape, load, .. } = self;
        let inertia = shapes.ball_inertia();
        (View { id, position, radius, seen, material, shape, shapes, inertia }, load)
    }

    /// One over the mass of a body.
    #[inline(always)]
    pub(crate) fn inverse_mass(&self, row: usize) -> f64 {
        self.seen[row].inverse_mass
    }

    /// One over the moment of inertia of the ball of a body's mass and size.
    #[inline(always)]
    pub(crate) fn inverse_inertia(&self, row: usize, shapes: &Shapes<D>) -> f64 {
        self.inverse_mass(row) / (shapes.ball_inertia() * self.radius[row] * self.radius[row])
    }

    /// Velocity of a body now.
    pub(crate) fn velocity_now(&self, row: usize, gravity: [f64; D], step: f64) -> [f64; D] {
        let acceleration = add_scaled(gravity, self.inverse_mass(row), self.load[row].force);
        add_scaled(self.midstep_velocity[row], 0.5 * step, acceleration)
    }

    /// Gives all bodies the velocities of now, instead of those half a step of `then` ago, less what gravity does in half a step of `now`.
    pub(crate) fn stop_the_clock(&mut self, gravity: [f64; D], then: f64, now: f64, shapes: &Shapes<D>) {
        for row in 0..self.len() {
            let (velocity, momentum) =
                (self.velocity_now(row, gravity, then), self.turn_now(row, then, shapes));
            self.seen[row].spin = self.spin_of(row, momentum, shapes);
            self.seen[row].velocity = velocity;
            self.midstep_velocity[row] = add_scaled(velocity, -0.5 * now, gravity);
            self.midstep_spin.set(row, momentum);
        }
    }

    /// Angular momentum of a body now, see [`Bodies::midstep_spin`].
    fn turn_now(&self, row: usize, step: f64, shapes: &Shapes<D>) -> Spin {
        let share = 0.5 * step * self.inverse_inertia(row, shapes);
        add_scaled(self.midstep_spin.get(row), share, self.load[row].torque)
    }

    /// Spin of a body with this angular momentum, see [`Bodies::midstep_spin`].
    #[inline(always)]
    pub(crate) fn spin_of(&self, row: usize, momentum: Spin, shapes: &Shapes<D>) -> Spin {
        let shape = self.shape[row];
        if shape == Shapes::<D>::BALL {
            momentum
        } else {
            spin_of(self.turning.orientation[row], shapes.softness(shape), momentum)
        }
    }

    /// Angular momentum of a body as contacts see it, see [`Bodies::midstep_spin`].
    pub(crate) fn momentum_seen(&self, row: usize, shapes: &Shapes<D>) -> Spin {
        let (shape, spin) = (self.shape[row], self.seen[row].spin);
        if shape == Shapes::<D>::BALL {
            spin
        } else {
            momentum_of(self.turning.orientation[row], shapes.softness(shape), spin)
        }
    }

    /// Spin of a body now.
    pub(crate) fn spin_now(&self, row: usize, step: f64, shapes: &Shapes<D>) -> Spin {
        self.spin_of(row, self.turn_now(row, step, shapes), shapes)
    }

    /// Kinetic energy of translation and of rotation.
    pub(crate) fn kinetic(&self, gravity: [f64; D], step: f64, shapes: &Shapes<D>) -> (f64, f64) {
        let (mut translation, mut rotation) = (0.0, 0.0);
        for row in 0..self.len() {
            let velocity = self.velocity_now(row, gravity, step);
            translation += 0.5 * dot(velocity, velocity) / self.inverse_mass(row);
            rotation += self.energy_of_turning(row, self.turn_now(row, step, shapes), shapes);
        }
        (translation, rotation)
    }

    /// What the kinetic energy of whole steps exceeds that of half steps by, `u u' / 2` with the velocities half a step before and
    /// after. The work of forces at whole steps over the ways between is the change of the latter, exactly.
    pub(crate) fn integration(&self, gravity: [f64; D], step: f64, shapes: &Shapes<D>) -> f64 {
        let of = |row: usize| {
            let velocity = sub(self.velocity_now(row, gravity, step), self.midstep_velocity[row]);
            let momentum = sub(self.turn_now(row, step, shapes), self.midstep_spin.get(row));
            self.energy_of(row, velocity, momentum, shapes)
        };
        (0..self.len()).map(of).sum()
    }

    /// Kinetic energy of a body with this velocity and this angular momentum, see [`Bodies::midstep_spin`].
    pub(crate) fn energy_of(
        &self,
        row: usize,
        velocity: [f64; D],
        momentum: Spin,
        shapes: &Shapes<D>,
    ) -> f64 {
        0.5 * dot(velocity, velocity) / self.inverse_mass(row) + self.energy_of_turning(row, momentum, shapes)
    }

    fn energy_of_turning(&self, row: usize, momentum: Spin, shapes: &Shapes<D>) -> f64 {
        0.5 * dot(momentum, self.spin_of(row, momentum, shapes)) / self.inverse_inertia(row, shapes)
    }

    /// Sum of mass times position, for the potential energy.
    pub(crate) fn first_moment(&self) -> [f64; D] {
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
    pub(crate) fn momentum(&self, gravity: [f64; D], step: f64, shapes: &Shapes<D>) -> ([f64; D], Spin) {
        let (mut linear, mut angular) = ([0.0; D], [0.0; 3]);
        for row in 0..self.len() {
            let momentum = scale(self.velocity_now(row, gravity, step), 1.0 / self.inverse_mass(row));
            linear = add(linear, momentum);
            angular = add(angular, moment(self.position[row], momentum));
            let turn = self.turn_now(row, step, shapes);
            angular = add_scaled(angular, 1.0 / self.inverse_inertia(row, shapes), turn);
        }
        (linear, angular)
    }

    /// Radius of the largest ball that holds a body; zero if there are no bodies.
    pub(crate) fn largest_radius(&self) -> f64 {
        self.bounds().iter().copied().fold(0.0, f64::max)
    }

    /// Bytes reserved.
    pub fn bytes(&self) -> usize {
        fn of<T>(column: &Vec<T>) -> usize {
            column.capacity() * size_of::<T>()
        }
        let Self {
            id,
            shape,
            material,
            radius,
            position,
            midstep_velocity,
            midstep_spin,
            seen,
            load,
            turning,
        } = self;
        of(id)
            + of(shape)
            + of(material)
            + of(radius)
            + of(position)
            + of(midstep_velocity)
            + midstep_spin.bytes()
            + of(seen)
            + of(load)
            + of(&turning.orientation)
            + of(&turning.reach)
    }
}

impl<const D: usize> Section for Bodies<D> {
    const NAME: &'static str = "bodies";
    const VERSION: u32 = 1;

    /// Row by row: the order of the rows decides the order of sums, so it is part of the state.
    fn write(&self, values: &mut Values) {
        values.word(self.len() as u64);
        for row in 0..self.len() {
            values.word(self.id[row]);
            values.word(u64::from(self.shape[row].0) << 8 | u64::from(self.material[row]));
            values.number(self.radius[row]);
            values.number(self.seen[row].inverse_mass);
            values.vector(&self.position[row]);
            values.vector(&self.midstep_velocity[row]);
            values.vector(&self.midstep_spin.get(row));
            values.vector(&self.seen[row].velocity);
            values.vector(&self.seen[row].spin);
            values.vector(&self.load[row].force);
            values.vector(&self.load[row].torque);
        }
    }

    fn read(values: &mut Rest<'_>, _version: u32) -> Result<Self, Damage> {
        let mut bodies = Self::default();
        let count = values.count(4 + 4 * D + 9)?;
        for _ in 0..count {
            bodies.id.push(values.word()?);
            let kind: u32 = values.small()?;
            let shape =
                u16::try_from(kind >> 8).map_err(|_| Damage::Impossible("a shape has too large a number"))?;
            bodies.shape.push(ShapeIndex(shape));
            bodies.material.push(kind as u8);
            let radius = values.finite()?;
            bodies.radius.push(radius);
            let inverse_mass = values.finite()?;
            bodies.position.push(values.finite_vector()?);
            bodies.midstep_velocity.push(values.finite_vector()?);
            bodies.midstep_spin.push(values.finite_vector()?);
            let (velocity, spin) = (values.finite_vector()?, values.finite_vector()?);
            bodies.seen.push(Seen { velocity, inverse_mass, spin, radius });
            bodies.load.push(Load { force: values.finite_vector()?, torque: values.finite_vector()? });
        }
        Ok(bodies)
    }
}

impl Section for Turning {
    const NAME: &'static str = "turning";
    const VERSION: u32 = 1;

    fn write(&self, values: &mut Values) {
        values.vectors(&self.orientation);
    }

    fn read(values: &mut Rest<'_>, _version: u32) -> Result<Self, Damage> {
        Ok(Self { orientation: values.list(Rest::finite_vector)?, reach: Vec::new() })
    }
}
