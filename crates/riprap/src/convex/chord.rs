//! Lines over faces.

use super::body::Body;
use super::feature::BodyFeature;
use crate::vector::dot;

/// The part of a line that is on a face.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chord {
    /// Where it enters and leaves, in lengths of the line's direction.
    pub(super) shares: [f64; 2],
    /// The edges where it does.
    edges: [u32; 2],
}

impl Chord {
    /// The edge at an end of the chord, or else the face.
    pub(super) fn feature_at(&self, share: f64, face: BodyFeature) -> BodyFeature {
        if share <= 0.0 {
            BodyFeature::Edge(self.edges[0])
        } else if share >= 1.0 {
            BodyFeature::Edge(self.edges[1])
        } else {
            face
        }
    }
}

impl<const D: usize> Body<D> {
    /// The part of a line in the plane of a face that is on the face.
    pub(super) fn chord(&self, face: u32, point: [f64; D], direction: [f64; D]) -> Option<Chord> {
        let mut chord = Chord { shares: [f64::NEG_INFINITY, f64::INFINITY], edges: [0; 2] };
        for corner in self.corners(face) {
            let (inside, gain) = (dot(corner.inward, point) - corner.offset, dot(corner.inward, direction));
            let share = -inside / gain;
            if gain > 0.0 {
                if share > chord.shares[0] {
                    (chord.shares[0], chord.edges[0]) = (share, corner.edge);
                }
            } else if gain < 0.0 {
                if share < chord.shares[1] {
                    (chord.shares[1], chord.edges[1]) = (share, corner.edge);
                }
            } else if inside < 0.0 {
                return None;
            }
        }
        let known = chord.shares[0].is_finite() && chord.shares[1].is_finite();
        (known && chord.shares[0] < chord.shares[1]).then_some(chord)
    }
}
