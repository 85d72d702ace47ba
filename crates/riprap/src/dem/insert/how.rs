//! How bodies are placed.

use super::Sizes;
use crate::dem::body::NewBody;

/// How bodies are placed.
#[derive(Debug, Clone, PartialEq)]
pub enum How<const D: usize> {
    /// As they are given, at the start.
    Given(Vec<NewBody<D>>),
    /// On a rectangular lattice between two corners, at the start; places that overlap a wall or another body stay empty.
    Lattice {
        /// Region.
        region: Region<D>,
        /// Sizes.
        sizes: Sizes,
        /// Distance of neighbours along each axis.
        spacing: [f64; D],
        /// Largest random shift of each coordinate.
        jitter: f64,
    },
    /// At random places without overlap, at one time.
    Random {
        /// Region.
        region: Region<D>,
        /// Sizes.
        sizes: Sizes,
        /// How many.
        amount: Amount,
        /// When.
        time: f64,
    },
    /// At random places without overlap, at a rate.
    Rain {
        /// Region.
        region: Region<D>,
        /// Sizes.
        sizes: Sizes,
        /// Bodies per time.
        rate: f64,
        /// When it starts.
        start: f64,
        /// When it ends.
        end: f64,
        /// Bodies at most.
        most: u64,
    },
}

impl<const D: usize> How<D> {
    /// Smallest radius that can come out; infinite if there is none.
    pub fn smallest(&self) -> f64 {
        match self {
            Self::Given(bodies) => bodies.iter().map(|body| body.radius).fold(f64::INFINITY, f64::min),
            Self::Lattice { sizes, .. } | Self::Random { sizes, .. } | Self::Rain { sizes, .. } => {
                sizes.smallest()
            }
        }
    }
}

/// A box between two corners.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region<const D: usize> {
    /// Lowest corner.
    pub min: [f64; D],
    /// Highest corner.
    pub max: [f64; D],
}

/// How many bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// So many.
    Count(u64),
    /// As many as fill this share of the region's volume.
    Fraction(f64),
}
