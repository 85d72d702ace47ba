//! What is kept of a link for the next one.

use super::body::Body;
use super::feature::BodyFeature;

/// How two bodies were to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkState {
    /// Never looked at.
    New,
    /// Not in contact.
    Apart,
    /// In contact.
    Contact,
}

/// What is kept of the last link of two bodies; a new one knows nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkMemory<const D: usize> {
    pub(super) state: LinkState,
    /// Features on which it ended.
    pub(super) features: [BodyFeature; 2],
    /// Its normal.
    pub(super) normal: [f64; D],
    /// Vertices whose differences surrounded the origin, which shows that the bodies overlapped; none if they just touched.
    pub(super) simplex: Option<[[u32; 2]; 4]>,
    /// The least overlap when it was last sought, less what the bodies have moved since: about what it must be at least.
    pub(super) least: f64,
    /// From the centroid of the first body to that of the second, of bodies in contact.
    pub(super) between: [f64; D],
}

impl<const D: usize> Default for LinkMemory<D> {
    fn default() -> Self {
        Self {
            state: LinkState::New,
            features: [BodyFeature::Vertex(0); 2],
            normal: [0.0; D],
            simplex: None,
            least: 0.0,
            between: [0.0; D],
        }
    }
}

impl<const D: usize> LinkMemory<D> {
    /// Whether the two bodies have what is remembered. A caller may have given others in their place.
    #[inline(always)]
    pub(super) fn fits(&self, a: &Body<D>, b: &Body<D>) -> bool {
        let [first, second] = self.features;
        let known =
            |pair: &[u32; 2]| (pair[0] as usize) < a.vertices.len() && (pair[1] as usize) < b.vertices.len();
        let contact = || self.simplex.is_none_or(|simplex| simplex.iter().all(known));
        first.is_of(a) && second.is_of(b) && (self.state == LinkState::Apart || contact())
    }
}
