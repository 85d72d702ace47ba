//! Why bodies could not be inserted.

use thiserror::Error as ThisError;

use super::TRIES;
use crate::dem::body::BodyError;
use crate::words::short;

/// Why not all bodies could be inserted.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum InsertError {
    /// There is no room for them.
    #[error(
        "insertion `{name}`: there is room for {placed} of {asked} particles, the next one (radius {radius}) found none at {TRIES} random \
         places: {}",
        no_room(*radius, *narrowest), radius = short(*radius)
    )]
    NoRoom {
        /// Name of the insertion.
        name: String,
        /// Bodies placed.
        placed: u64,
        /// Bodies asked for.
        asked: u64,
        /// Radius of the one without room.
        radius: f64,
        /// The shortest side of the region.
        narrowest: f64,
    },
    /// No place of a lattice has room for a body.
    #[error("insertion `{name}`: no place of the lattice has room for a particle: {}", no_place(*needed, *side))]
    NoPlace {
        /// Name of the insertion.
        name: String,
        /// How much room the largest body needs where there is least.
        needed: f64,
        /// How much there is.
        side: f64,
    },
    /// A value makes no sense.
    #[error(
        "insertion `{name}`: `{value}` makes no sense: infinite, not a number, not above zero, not known, or for too many bodies"
    )]
    Value {
        /// Name of the insertion.
        name: String,
        /// Name of the value.
        value: &'static str,
    },
    /// A body makes no sense.
    #[error("insertion `{name}`: {source}")]
    Body {
        /// Name of the insertion.
        name: String,
        /// What is wrong with it.
        source: BodyError,
    },
}

/// What to do about a lack of room.
fn no_room(radius: f64, narrowest: f64) -> String {
    if 2.0 * radius > narrowest {
        format!(
            "it is larger than the region, whose shortest side is {}; are sizes radii in metres?",
            short(narrowest)
        )
    } else {
        "enlarge the region, ask for fewer or smaller particles, or let them rain".to_string()
    }
}

/// What to do about a lattice without a place.
fn no_place(needed: f64, side: f64) -> String {
    if needed > side {
        format!(
            "the largest needs {} with its `jitter`, the region has {}; are sizes radii in metres?",
            short(needed),
            short(side)
        )
    } else {
        "walls or other particles are in all of them, or nothing is left of the region; choose another one"
            .to_string()
    }
}
