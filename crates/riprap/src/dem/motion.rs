//! Central differences (velocity Verlet): from the forces at one time to the positions at the next.
//!
//! `u += a dt; x += u dt`, with `u` the velocity in the middle between two times. Contacts need the velocity at the new time,
//! before the forces there are known: it is foreseen as `u + a dt / 2`, to second order in the step.

use super::body::{Bodies, Load, Seen, ShapeIndex, Shapes};
use super::domain::{Jump, Periods};
use super::parts::{Split, for_each_part, part_size};
use super::rotation::{spin_of, turned, turned_freely};
use super::spin::{SpinColumn, add_scaled_spin, square_of_spin};
use crate::vector::{add_scaled, dot};

/// What all bodies have in common.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings<'a, const D: usize> {
    pub(crate) gravity: [f64; D],
    pub(crate) step: f64,
    pub(crate) periods: Periods<D>,
    pub(crate) shapes: &'a Shapes<D>,
}

/// What was noticed on the way.
#[derive(Debug, Clone)]
pub(crate) struct Watch<const D: usize> {
    /// Square of the largest speed.
    pub(crate) fastest: f64,
    /// First row whose motion is not a number.
    pub(crate) lost: Option<usize>,
    /// Sum of mass times the jump from one side of the box to the other.
    pub(crate) wrapped: [f64; D],
    /// Each of these jumps, in the order of rows.
    pub(crate) jumps: Vec<Jump>,
}

impl<const D: usize> Default for Watch<D> {
    fn default() -> Self {
        Self { fastest: 0.0, lost: None, wrapped: [0.0; D], jumps: Vec::new() }
    }
}

struct Columns<'a, const D: usize> {
    size: usize,
    first: usize,
    position: &'a mut [[f64; D]],
    midstep_velocity: &'a mut [[f64; D]],
    midstep_spin: &'a mut [f64],
    seen: &'a mut [Seen<D>],
    load: &'a mut [Load<D>],
    shape: &'a [ShapeIndex],
    orientation: &'a mut [[f64; 4]],
    parts: &'a mut [Watch<D>],
}

impl<const D: usize> Split for Columns<'_, D> {
    fn parts(&self) -> usize {
        self.parts.len()
    }

    fn split(self, parts: usize) -> (Self, Self) {
        let rows = parts * self.size;
        let (position, position_) = self.position.split_at_mut(rows);
        let (midstep_velocity, midstep_velocity_) = self.midstep_velocity.split_at_mut(rows);
        let (midstep_spin, midstep_spin_) = self.midstep_spin.split_at_mut(rows * SpinColumn::<D>::KEPT);
        let (seen, seen_) = self.seen.split_at_mut(rows);
        let (load, load_) = self.load.split_at_mut(rows);
        let (shape, shape_) = self.shape.split_at(rows);
        let (orientation, orientation_) = self.orientation.split_at_mut(rows.min(self.orientation.len()));
        let (parts, parts_) = self.parts.split_at_mut(parts);
        let size = self.size;
        (
            Self {
                size,
                first: self.first,
                position,
                midstep_velocity,
                midstep_spin,
                seen,
                load,
                shape,
                orientation,
                parts,
            },
            Self {
                size,
                first: self.first + rows,
                position: position_,
                midstep_velocity: midstep_velocity_,
                midstep_spin: midstep_spin_,
                seen: seen_,
                load: load_,
                shape: shape_,
                orientation: orientation_,
                parts: parts_,
            },
        )
    }
}

/// Moves all bodies by one step and clears their forces.
///
/// Bodies whose new velocity would not be a number stay as they are and are reported, so that the state remains one that can
/// be looked at.
pub(crate) fn advance<const D: usize>(
    bodies: &mut Bodies<D>,
    surroundings: &Surroundings<'_, D>,
    parallel: bool,
    parts: &mut Vec<Watch<D>>,
) -> Watch<D> {
    let size = part_size(bodies.len());
    parts.clear();
    parts.resize(bodies.len().div_ceil(size), Watch::default());
    let columns = Columns {
        size,
        first: 0,
        position: &mut bodies.position,
        midstep_velocity: &mut bodies.midstep_velocity,
        midstep_spin: bodies.midstep_spin.components_mut(),
        seen: &mut bodies.seen,
        load: &mut bodies.load,
        shape: &bodies.shape,
        orientation: &mut bodies.turning.orientation,
        parts,
    };
    if surroundings.periods.any() {
        for_each_part(columns, parallel, &|columns| advance_part::<true, D>(columns, surroundings));
    } else {
        for_each_part(columns, parallel, &|columns| advance_part::<false, D>(columns, surroundings));
    }
    parts.iter_mut().fold(Watch::default(), |mut all, part| {
        all.jumps.append(&mut part.jumps);
        Watch {
            fastest: all.fastest.max(part.fastest),
            lost: all.lost.or(part.lost),
            wrapped: std::array::from_fn(|k| all.wrapped[k] + part.wrapped[k]),
            jumps: all.jumps,
        }
    })
}

fn advance_part<const PERIODIC: bool, const D: usize>(
    columns: Columns<'_, D>,
    surroundings: &Surroundings<'_, D>,
) {
    let Columns { position, midstep_velocity, midstep_spin, seen, load, .. } = columns;
    let Surroundings { gravity, step, periods, shapes } = *surroundings;
    let inertia = shapes.ball_inertia();
    let mut watch = Watch::default();
    // Slices of one length let the compiler drop the bounds checks.
    let rows = position.len();
    let (midstep_velocity, midstep_spin) =
        (&mut midstep_velocity[..rows], &mut midstep_spin[..rows * SpinColumn::<D>::KEPT]);
    let (seen, load) = (&mut seen[..rows], &mut load[..rows]);
    for row in 0..rows {
        let Seen { inverse_mass, radius, .. } = seen[row];
        let Load { force, torque } = load[row];
        let acceleration = add_scaled(gravity, inverse_mass, force);
        let inverse_inertia = inverse_mass / (inertia * radius * radius);
        let middle = add_scaled(midstep_velocity[row], step, acceleration);
        let middle_spin =
            add_scaled_spin::<D>(SpinColumn::<D>::read(midstep_spin, row), step * inverse_inertia, torque);
        let square = dot(middle, middle);
        if !(square + square_of_spin::<D>(middle_spin)).is_finite() {
            watch.lost = watch.lost.or(Some(columns.first + row));
            continue;
        }
        watch.fastest = watch.fastest.max(square);
        let mut moved = add_scaled(position[row], step, middle);
        if PERIODIC {
            for k in 0..D {
                let jump = periods.jump(k, moved[k]);
                if jump != 0.0 {
                    moved[k] += jump;
                    watch.wrapped[k] += jump / inverse_mass;
                    let row = (columns.first + row) as u32;
                    watch.jumps.push(Jump { row, axis: k as u8, up: jump > 0.0 });
                }
            }
        }
        position[row] = moved;
        midstep_velocity[row] = middle;
        seen[row].velocity = add_scaled(middle, 0.5 * step, acceleration);
        SpinColumn::<D>::write(midstep_spin, row, middle_spin);
        let spin = add_scaled_spin::<D>(middle_spin, 0.5 * step * inverse_inertia, torque);
        if D == 2 {
            seen[row].spin[2] = spin[2];
            (load[row].force, load[row].torque[2]) = ([0.0; D], 0.0);
        } else {
            (seen[row].spin, load[row]) = (spin, Load::NONE);
        }
    }
    for (row, orientation) in columns.orientation.iter_mut().enumerate() {
        let (shape, momentum) = (columns.shape[row], SpinColumn::<D>::read(midstep_spin, row));
        if shape == Shapes::<D>::BALL {
            *orientation = turned(*orientation, momentum, step);
        } else {
            let softness = shapes.softness(shape);
            *orientation = turned_freely::<D>(*orientation, softness, momentum, step);
            seen[row].spin = spin_of(*orientation, softness, seen[row].spin);
        }
    }
    columns.parts[0] = watch;
}
