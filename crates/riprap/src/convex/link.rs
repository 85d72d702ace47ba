//! What all methods find.

use super::patch::Patch;
use crate::vector::{add, scale};

/// The link of two bodies a and b.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link<const D: usize> {
    /// Distance of the bodies; if it is negative, their overlap along the normal. Zero for bodies that are within 1e-13 of the
    /// larger one's radius of touching.
    pub gap: f64,
    /// Unit vector from a to b, perpendicular to the common plane.
    pub normal: [f64; D],
    /// The ends of the link on a and on b. If faces or edges of bodies that are apart are parallel, they are one of many that are
    /// equally close.
    pub points: [[f64; D]; 2],
    /// Rounds it took, of the method and of what it falls back on.
    pub iterations: u32,
    /// The region of contact, for bodies that touch or overlap with a face or an edge on a face, or an edge along an edge. Of the
    /// methods, `common-plane` and `gjk` do not look for it.
    pub patch: Option<Patch<D>>,
}

impl<const D: usize> Link<D> {
    /// Whether the bodies touch or overlap.
    pub fn in_contact(&self) -> bool {
        self.gap <= 0.0
    }

    /// Where a force acts: the centre of the region of contact, else the middle of the link.
    pub fn contact_point(&self) -> [f64; D] {
        match &self.patch {
            Some(patch) => patch.center,
            None => scale(add(self.points[0], self.points[1]), 0.5),
        }
    }
}
