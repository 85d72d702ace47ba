//! Contact laws: how stiff a contact is at a given overlap. One file per law.
//!
//! Both laws have the form `F = k d + c v` along the normal and `F = k' s + c' v` across it (`d` overlap, `s` tangential
//! spring, `v` speed), where the stiffnesses grow in proportion to a stretch and the dampings to its root. The linear law has
//! the stretch 1, the Hertz law `sqrt(R d)`. The loop over the contacts is compiled once per law.

mod hertz;
mod linear;

pub use hertz::Hertz;
pub use linear::Linear;

use crate::number::Real;

/// A contact law.
pub trait Law: Copy + Send + Sync + 'static {
    /// Elastic energy of a contact over `k d^2`.
    const ENERGY: f64;
    /// Slope of the elastic force over `k`.
    const SLOPE: f64;
    /// Whether the stiffness depends on the overlap.
    const VARIES: bool;
    /// Whether the damping force is there from the first moment of a contact.
    const STARTS_WITH_A_JUMP: bool;
    /// What the coefficients of stiffness are to be multiplied with, at this overlap and reduced radius.
    fn stretch<T: Real>(overlap: T, reduced_radius: T) -> T;
    /// What the coefficients of damping are to be multiplied with: the root of stretch over inverse mass.
    fn root<T: Real>(stretch: T, inverse_mass: T) -> T;
}
