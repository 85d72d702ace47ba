//! Spins and torques. They have three components also in the plane, where only the last one, about the axis that points at the
//! reader, is ever different from zero; the formulas leave the others out.

use crate::number::Real;
use crate::vector::{add_scaled, components, dot};

/// A spin in radians per time, or a torque.
pub type Spin = [f64; 3];

/// Spins of many bodies, without the components that are zero in the plane: motion reads and writes all of them in every step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SpinColumn<const D: usize> {
    components: Vec<f64>,
}

impl<const D: usize> SpinColumn<D> {
    /// Components kept of a spin: the last ones.
    pub(crate) const KEPT: usize = if D == 2 { 1 } else { 3 };

    /// Number of spins.
    pub fn len(&self) -> usize {
        self.components.len() / Self::KEPT
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.components.is_empty()
    }

    /// Spin of a row.
    pub fn get(&self, row: usize) -> Spin {
        Self::read(&self.components, row)
    }

    /// Sets the spin of a row. In the plane only its last component counts.
    pub fn set(&mut self, row: usize, spin: Spin) {
        Self::write(&mut self.components, row, spin);
    }

    /// All spins.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Spin> {
        (0..self.len()).map(|row| self.get(row))
    }

    pub(crate) fn push(&mut self, spin: Spin) {
        self.components.extend_from_slice(&spin[3 - Self::KEPT..]);
    }

    /// Makes room for more: exactly, or with some to spare.
    pub(crate) fn reserve(&mut self, more: usize, exactly: bool) {
        let more = more * Self::KEPT;
        if exactly { self.components.reserve_exact(more) } else { self.components.reserve(more) }
    }

    /// The components of all spins, one spin after the other.
    pub(crate) fn components_mut(&mut self) -> &mut [f64] {
        &mut self.components
    }

    /// The spin of a row in such components.
    #[inline(always)]
    pub(crate) fn read(components: &[f64], row: usize) -> Spin {
        if D == 2 { [0.0, 0.0, components[row]] } else { std::array::from_fn(|k| components[3 * row + k]) }
    }

    #[inline(always)]
    pub(crate) fn write(components: &mut [f64], row: usize, spin: Spin) {
        components[row * Self::KEPT..][..Self::KEPT].copy_from_slice(&spin[3 - Self::KEPT..]);
    }

    /// Bytes reserved.
    pub(crate) fn bytes(&self) -> usize {
        self.components.capacity() * size_of::<f64>()
    }
}

impl<const D: usize> FromIterator<Spin> for SpinColumn<D> {
    fn from_iter<I: IntoIterator<Item = Spin>>(spins: I) -> Self {
        let mut column = Self::default();
        spins.into_iter().for_each(|spin| column.push(spin));
        column
    }
}

/// `spin + factor other`, leaving out what is zero in the plane.
#[inline(always)]
pub(crate) fn add_scaled_spin<const D: usize>(spin: Spin, factor: f64, other: Spin) -> Spin {
    if D == 2 { [0.0, 0.0, spin[2] + factor * other[2]] } else { add_scaled(spin, factor, other) }
}

/// The square of a spin, leaving out what is zero in the plane.
#[inline(always)]
pub(crate) fn square_of_spin<const D: usize>(spin: Spin) -> f64 {
    if D == 2 { spin[2] * spin[2] } else { dot(spin, spin) }
}

/// The velocity that a spin gives to the end of an arm.
#[inline(always)]
pub(crate) fn turn<T: Real, const D: usize>(spin: [T; 3], arm: [T; D]) -> [T; D] {
    if D == 2 {
        components(|k| if k == 0 { -spin[2] * arm[1] } else { spin[2] * arm[0] })
    } else {
        components(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            spin[i] * arm[j] - spin[j] * arm[i]
        })
    }
}

/// The torque of a force at the end of an arm.
#[inline(always)]
pub(crate) fn moment<T: Real, const D: usize>(arm: [T; D], force: [T; D]) -> [T; 3] {
    if D == 2 {
        let zero = T::all(0.0);
        [zero, zero, arm[0] * force[1] - arm[1] * force[0]]
    } else {
        components(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            arm[i] * force[j] - arm[j] * force[i]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spin_turns_counter_clockwise_and_torque_does_its_work() {
        assert_eq!(turn([0.0, 0.0, 2.0], [1.0, 0.0]), [0.0, 2.0]);
        assert_eq!(turn([0.0, 0.0, 2.0], [1.0, 0.0, 0.0]), [0.0, 2.0, 0.0]);
        let (spin, arm, force) = ([0.3, -0.5, 0.7], [1.0, 2.0, -3.0], [0.2, 0.4, 0.9]);
        let power = dot(turn::<f64, 3>(spin, arm), force);
        assert!((power - dot(spin, moment::<f64, 3>(arm, force))).abs() < 1e-15);
        assert_eq!(moment::<f64, 2>([1.0, 0.0], [0.0, 3.0]), [0.0, 0.0, 3.0]);
    }

    #[test]
    fn spins_of_the_plane_are_those_of_space() {
        let (spin, other) = ([0.0, 0.0, 1.5], [0.0, 0.0, -0.3]);
        assert_eq!(add_scaled_spin::<2>(spin, 0.7, other), add_scaled_spin::<3>(spin, 0.7, other));
        assert_eq!(square_of_spin::<2>(spin), square_of_spin::<3>(spin));
    }
}
