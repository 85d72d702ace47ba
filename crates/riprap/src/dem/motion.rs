//! Central differences (velocity Verlet): from the forces at one time to the positions at the next.
//!
//! `u += a dt; x += u dt`, with `u` the velocity in the middle between two times. Contacts need the velocity at the new time,
//! before the forces there are known: it is foreseen as `u + a dt / 2`, to second order in the step.

use super::bodies::{Bodies, inertia_share};
use super::parts::{Split, for_each_part, part_size};
use super::vector::{add_scaled, dot};

/// What all bodies have in common.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings<const D: usize> {
    pub(crate) gravity: [f64; D],
    pub(crate) step: f64,
    /// Lowest corner of the periodic box.
    pub(crate) origin: [f64; D],
    /// Edges of the periodic box; infinite along open axes.
    pub(crate) lengths: [f64; D],
}

/// What was seen on the way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen<const D: usize> {
    /// Square of the largest speed.
    pub(crate) fastest: f64,
    /// First row whose motion is not a number.
    pub(crate) lost: Option<usize>,
    /// Sum of mass times the jump from one side of the box to the other.
    pub(crate) wrapped: [f64; D],
}

impl<const D: usize> Default for Seen<D> {
    fn default() -> Self {
        Self { fastest: 0.0, lost: None, wrapped: [0.0; D] }
    }
}

struct Columns<'a, const D: usize, const S: usize> {
    size: usize,
    first: usize,
    radius: &'a [f64],
    inverse_mass: &'a [f64],
    position: &'a mut [[f64; D]],
    midstep_velocity: &'a mut [[f64; D]],
    velocity: &'a mut [[f64; D]],
    midstep_spin: &'a mut [[f64; S]],
    spin: &'a mut [[f64; S]],
    force: &'a mut [[f64; D]],
    torque: &'a mut [[f64; S]],
    orientation: &'a mut [[f64; 4]],
    seen: &'a mut [Seen<D>],
}

impl<const D: usize, const S: usize> Split for Columns<'_, D, S> {
    fn parts(&self) -> usize {
        self.seen.len()
    }

    fn split(self, parts: usize) -> (Self, Self) {
        let rows = parts * self.size;
        let (radius, radius_) = self.radius.split_at(rows);
        let (inverse_mass, inverse_mass_) = self.inverse_mass.split_at(rows);
        let (position, position_) = self.position.split_at_mut(rows);
        let (midstep_velocity, midstep_velocity_) = self.midstep_velocity.split_at_mut(rows);
        let (velocity, velocity_) = self.velocity.split_at_mut(rows);
        let (midstep_spin, midstep_spin_) = self.midstep_spin.split_at_mut(rows);
        let (spin, spin_) = self.spin.split_at_mut(rows);
        let (force, force_) = self.force.split_at_mut(rows);
        let (torque, torque_) = self.torque.split_at_mut(rows);
        let (orientation, orientation_) = self.orientation.split_at_mut(rows.min(self.orientation.len()));
        let (seen, seen_) = self.seen.split_at_mut(parts);
        let size = self.size;
        (
            Self {
                size,
                first: self.first,
                radius,
                inverse_mass,
                position,
                midstep_velocity,
                velocity,
                midstep_spin,
                spin,
                force,
                torque,
                orientation,
                seen,
            },
            Self {
                size,
                first: self.first + rows,
                radius: radius_,
                inverse_mass: inverse_mass_,
                position: position_,
                midstep_velocity: midstep_velocity_,
                velocity: velocity_,
                midstep_spin: midstep_spin_,
                spin: spin_,
                force: force_,
                torque: torque_,
                orientation: orientation_,
                seen: seen_,
            },
        )
    }
}

/// Moves all bodies by one step and clears their forces.
///
/// Bodies whose new velocity would not be a number stay as they are and are reported, so that the state remains one that can
/// be looked at.
pub(crate) fn advance<const D: usize, const S: usize>(
    bodies: &mut Bodies<D, S>,
    surroundings: &Surroundings<D>,
    parallel: bool,
    seen: &mut Vec<Seen<D>>,
) -> Seen<D> {
    let size = part_size(bodies.len());
    seen.clear();
    seen.resize(bodies.len().div_ceil(size), Seen::default());
    let columns = Columns {
        size,
        first: 0,
        radius: &bodies.radius,
        inverse_mass: &bodies.inverse_mass,
        position: &mut bodies.position,
        midstep_velocity: &mut bodies.midstep_velocity,
        velocity: &mut bodies.velocity,
        midstep_spin: &mut bodies.midstep_spin,
        spin: &mut bodies.spin,
        force: &mut bodies.force,
        torque: &mut bodies.torque,
        orientation: &mut bodies.orientation,
        seen,
    };
    if surroundings.lengths.iter().any(|length| length.is_finite()) {
        for_each_part(columns, parallel, &|columns| advance_part::<true, D, S>(columns, surroundings));
    } else {
        for_each_part(columns, parallel, &|columns| advance_part::<false, D, S>(columns, surroundings));
    }
    seen.iter().fold(Seen::default(), |all, part| Seen {
        fastest: all.fastest.max(part.fastest),
        lost: all.lost.or(part.lost),
        wrapped: std::array::from_fn(|k| all.wrapped[k] + part.wrapped[k]),
    })
}

fn advance_part<const PERIODIC: bool, const D: usize, const S: usize>(
    columns: Columns<'_, D, S>,
    surroundings: &Surroundings<D>,
) {
    let Columns { position, midstep_velocity, velocity, midstep_spin, spin, force, torque, .. } = columns;
    let Surroundings { gravity, step, origin, lengths } = *surroundings;
    let mut seen = Seen::default();
    // Slices of one length let the compiler drop the bounds checks.
    let rows = position.len();
    let (radius, inverse_mass) = (&columns.radius[..rows], &columns.inverse_mass[..rows]);
    let (midstep_velocity, velocity) = (&mut midstep_velocity[..rows], &mut velocity[..rows]);
    let (midstep_spin, spin) = (&mut midstep_spin[..rows], &mut spin[..rows]);
    let (force, torque) = (&mut force[..rows], &mut torque[..rows]);
    for row in 0..rows {
        let acceleration = add_scaled(gravity, inverse_mass[row], force[row]);
        let inverse_inertia = inverse_mass[row] / (inertia_share(D) * radius[row] * radius[row]);
        let middle = add_scaled(midstep_velocity[row], step, acceleration);
        let middle_spin = add_scaled(midstep_spin[row], step * inverse_inertia, torque[row]);
        let square = dot(middle, middle);
        if !(square + dot(middle_spin, middle_spin)).is_finite() {
            seen.lost = seen.lost.or(Some(columns.first + row));
            continue;
        }
        seen.fastest = seen.fastest.max(square);
        let mut moved = add_scaled(position[row], step, middle);
        if PERIODIC {
            for k in 0..D {
                let along = moved[k] - origin[k];
                let jump = if along < 0.0 {
                    lengths[k]
                } else if along >= lengths[k] {
                    -lengths[k]
                } else {
                    continue;
                };
                if lengths[k].is_finite() {
                    moved[k] += jump;
                    seen.wrapped[k] += jump / inverse_mass[row];
                }
            }
        }
        position[row] = moved;
        midstep_velocity[row] = middle;
        velocity[row] = add_scaled(middle, 0.5 * step, acceleration);
        midstep_spin[row] = middle_spin;
        spin[row] = add_scaled(middle_spin, 0.5 * step * inverse_inertia, torque[row]);
        force[row] = [0.0; D];
        torque[row] = [0.0; S];
    }
    for (orientation, spin) in columns.orientation.iter_mut().zip(&*midstep_spin) {
        *orientation = turned(*orientation, *spin, step);
    }
    columns.seen[0] = seen;
}

/// The orientation after a step with this spin: exact for a constant spin.
fn turned<const S: usize>(orientation: [f64; 4], spin: [f64; S], step: f64) -> [f64; 4] {
    let spin: [f64; 3] = if S == 1 { [0.0, 0.0, spin[0]] } else { std::array::from_fn(|k| spin[k]) };
    let half = 0.5 * step * dot(spin, spin).sqrt();
    // The sine over its argument, which is one at zero.
    let share = 0.5 * step * if half > 1e-8 { half.sin() / half } else { 1.0 };
    let (w, [x, y, z]) = (half.cos(), spin.map(|component| component * share));
    let [a, b, c, d] = orientation;
    let product = [
        w * a - x * b - y * c - z * d,
        w * b + x * a + y * d - z * c,
        w * c + y * a + z * b - x * d,
        w * d + z * a + x * c - y * b,
    ];
    let norm = dot(product, product).sqrt();
    product.map(|component| component / norm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_in_a_thousand_steps() {
        let mut orientation = [1.0, 0.0, 0.0, 0.0];
        for _ in 0..1000 {
            orientation = turned(orientation, [0.0, 0.0, std::f64::consts::FRAC_PI_2], 1e-3);
        }
        let half = 0.5f64.sqrt();
        assert!((orientation[0] - half).abs() < 1e-12 && (orientation[3] - half).abs() < 1e-12);
        assert_eq!(turned([1.0, 0.0, 0.0, 0.0], [0.0], 1.0), [1.0, 0.0, 0.0, 0.0]);
    }
}
