//! Overlaps that are large.

use crate::broad;

/// Overlap over the smaller radius from which on contacts are no longer small, as the laws assume. It is worth a warning, and the
/// time step is chosen for overlaps up to it.
pub const LARGE_OVERLAP: f64 = 0.1;

/// An overlap above [`LARGE_OVERLAP`].
#[derive(Debug, Clone, PartialEq)]
pub struct DeepOverlap {
    /// Steps done.
    pub step: u64,
    /// Time.
    pub time: f64,
    /// Id of a body.
    pub id: u64,
    /// What it overlaps.
    pub other: Overlapped,
    /// Overlap over the smaller radius.
    pub relative: f64,
    /// Whether one of the two was only just inserted.
    pub inserted: bool,
}

/// What a body overlaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Overlapped {
    /// The body with this id.
    Body(u64),
    /// The wall of this name.
    Wall(String),
}

/// A contact by rows.
#[derive(Debug, Clone, Copy)]
pub(super) enum Deepest {
    Pair(broad::Pair),
    Wall { row: usize, wall: usize },
}
