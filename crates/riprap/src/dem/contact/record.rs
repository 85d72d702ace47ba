//! The record of a contact: what the force pass applied, written by it when asked.
//!
//! Stress, contact files, forces on walls and the largest force read these and nothing else, so what is reported is what moved the
//! bodies.

use super::super::spin::Spin;

/// One contact and what it did in the last step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactRecord<const D: usize> {
    /// Id of the first body.
    pub a: u64,
    /// What it touches.
    pub b: Partner,
    /// The contact point: in the middle of the overlap, on the wall where it is one.
    pub point: [f64; D],
    /// Unit vector from the first body to the second, or to the wall.
    pub normal: [f64; D],
    /// From the centre of the first body to that of the second (its nearest image), or to the contact point on the wall.
    pub branch: [f64; D],
    /// Depth of the overlap.
    pub overlap: f64,
    /// Overlap over the smaller radius.
    pub relative_overlap: f64,
    /// Force along the normal that drives the two apart; negative if it holds them together.
    pub push: f64,
    /// Force on the first body; the second, or the wall, feels the opposite.
    pub force: [f64; D],
    /// Torque on the first body about its centre.
    pub torque_a: Spin,
    /// Torque on the second body, or on the wall, about its centre.
    pub torque_b: Spin,
    /// Energy stored in the contact, that of attraction included.
    pub energy: f64,
}

/// What a body touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Partner {
    /// The body with this id.
    Body(u64),
    /// The wall with this index.
    Wall(u16),
}
