//! The facets near a piece of a body.

use std::ops::Range;

use crate::dem::domain::BoxImage;

/// A piece of a body and the facets of a wall near it.
#[derive(Debug, Clone)]
pub(super) struct NearFacets {
    pub(super) row: u32,
    pub(super) wall: u16,
    pub(super) image: BoxImage,
    pub(super) piece: u16,
    /// Among the elements of the part, and among its wakes.
    pub(super) elements: Range<u32>,
    pub(super) first_wake: u32,
    /// The least of its wakes.
    pub(super) wake: f64,
}

impl NearFacets {
    pub(super) fn order(&self) -> (u32, u16, BoxImage, u16) {
        (self.row, self.wall, self.image, self.piece)
    }

    /// What the last of its contacts could have as its order.
    pub(super) fn last_order(&self) -> (u32, u16, BoxImage, u16, u32) {
        (self.row, self.wall, self.image, self.piece, u32::MAX)
    }
}
