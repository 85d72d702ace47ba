//! Central differences (velocity Verlet): from the forces at one time to the positions at the next.
//!
//! `u += a dt; x += u dt`, with `u` the velocity in the middle between two times. Contacts need the velocity at the new time,
//! before the forces there are known: it is foreseen as `u + a dt / 2`, to second order in the step.

use super::bodies::{Bodies, Load, Seen, inertia_share};
use super::parts::{Split, for_each_part, part_size};
use crate::vector::{add_scaled, dot};

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

/// What was noticed on the way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Watch<const D: usize> {
    /// Square of the largest speed.
    pub(crate) fastest: f64,
    /// First row whose motion is not a number.
    pub(crate) lost: Option<usize>,
    /// Sum of mass times the jump from one side of the box to the other.
    pub(crate) wrapped: [f64; D],
}

impl<const D: usize> Default for Watch<D> {
    fn default() -> Self {
        Self { fastest: 0.0, lost: None, wrapped: [0.0; D] }
    }
}

struct Columns<'a, const D: usize, const S: usize> {
    size: usize,
    first: usize,
    position: &'a mut [[f64; D]],
    midstep_velocity: &'a mut [[f64; D]],
    midstep_spin: &'a mut [[f64; S]],
    seen: &'a mut [Seen<D, S>],
    load: &'a mut [Load<D, S>],
    orientation: &'a mut [[f64; 4]],
    parts: &'a mut [Watch<D>],
}

impl<const D: usize, const S: usize> Split for Columns<'_, D, S> {
    fn parts(&self) -> usize {
        self.parts.len()
    }

    fn split(self, parts: usize) -> (Self, Self) {
        let rows = parts * self.size;
        let (position, position_) = self.position.split_at_mut(rows);
        let (midstep_velocity, midstep_velocity_) = self.midstep_velocity.split_at_mut(rows);
        let (midstep_spin, midstep_spin_) = self.midstep_spin.split_at_mut(rows);
        let (seen, seen_) = self.seen.split_at_mut(rows);
        let (load, load_) = self.load.split_at_mut(rows);
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
pub(crate) fn advance<const D: usize, const S: usize>(
    bodies: &mut Bodies<D, S>,
    surroundings: &Surroundings<D>,
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
        midstep_spin: &mut bodies.midstep_spin,
        seen: &mut bodies.seen,
        load: &mut bodies.load,
        orientation: &mut bodies.orientation,
        parts,
    };
    if surroundings.lengths.iter().any(|length| length.is_finite()) {
        for_each_part(columns, parallel, &|columns| advance_part::<true, D, S>(columns, surroundings));
    } else {
        for_each_part(columns, parallel, &|columns| advance_part::<false, D, S>(columns, surroundings));
    }
    parts.iter().fold(Watch::default(), |all, part| Watch {
        fastest: all.fastest.max(part.fastest),
        lost: all.lost.or(part.lost),
        wrapped: std::array::from_fn(|k| all.wrapped[k] + part.wrapped[k]),
    })
}

fn advance_part<const PERIODIC: bool, const D: usize, const S: usize>(
    columns: Columns<'_, D, S>,
    surroundings: &Surroundings<D>,
) {
    let Columns { position, midstep_velocity, midstep_spin, seen, load, .. } = columns;
    let Surroundings { gravity, step, origin, lengths } = *surroundings;
    let mut watch = Watch::default();
    // Slices of one length let the compiler drop the bounds checks.
    let rows = position.len();
    let (midstep_velocity, midstep_spin) = (&mut midstep_velocity[..rows], &mut midstep_spin[..rows]);
    let (seen, load) = (&mut seen[..rows], &mut load[..rows]);
    for row in 0..rows {
        let Seen { inverse_mass, radius, .. } = seen[row];
        let Load { force, torque } = load[row];
        let acceleration = add_scaled(gravity, inverse_mass, force);
        let inverse_inertia = inverse_mass / (inertia_share(D) * radius * radius);
        let middle = add_scaled(midstep_velocity[row], step, acceleration);
        let middle_spin = add_scaled(midstep_spin[row], step * inverse_inertia, torque);
        let square = dot(middle, middle);
        if !(square + dot(middle_spin, middle_spin)).is_finite() {
            watch.lost = watch.lost.or(Some(columns.first + row));
            continue;
        }
        watch.fastest = watch.fastest.max(square);
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
                    watch.wrapped[k] += jump / inverse_mass;
                }
            }
        }
        position[row] = moved;
        midstep_velocity[row] = middle;
        midstep_spin[row] = middle_spin;
        seen[row].velocity = add_scaled(middle, 0.5 * step, acceleration);
        seen[row].spin = add_scaled(middle_spin, 0.5 * step * inverse_inertia, torque);
        load[row] = Load::NONE;
    }
    for (orientation, spin) in columns.orientation.iter_mut().zip(&*midstep_spin) {
        *orientation = turned(*orientation, *spin, step);
    }
    columns.parts[0] = watch;
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
