//! Where other processes take part in a step.
//!
//! A simulation that is spread over processes owns some bodies and sees copies of others near its border. [`Exchange`] is asked at
//! the points of a step at which they have to agree; [`Alone`] is a process of its own and costs nothing.

use super::body::Bodies;

/// What processes that share a simulation do together.
pub trait Exchange<const D: usize> {
    /// The largest of this number over all processes, so that they decide alike. Infinity means that one of them has failed; the
    /// others stop in the same step. All processes ask at the same points, whether they have failed or not.
    fn largest(&mut self, number: f64) -> f64;

    /// After bodies have moved: sends what contacts see of bodies near a border, and receives that of others.
    fn refresh(&mut self, bodies: &mut Bodies<D>);
}

/// One process.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl<const D: usize> Exchange<D> for Alone {
    #[inline(always)]
    fn largest(&mut self, number: f64) -> f64 {
        number
    }

    #[inline(always)]
    fn refresh(&mut self, _bodies: &mut Bodies<D>) {}
}
