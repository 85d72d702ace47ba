//! Contacts of bodies that are not balls with walls made of facets.
//!
//! ```text
//! facets near a piece ─▶ asleep? ─▶ direction of least overlap ─▶ points ─▶ contacts of like direction ─▶ memory by direction ─▶ law
//!                                     axis.rs                   points.rs     gather.rs                    hand_over.rs     press.rs
//! ```
//!
//! A contact is known by its direction, not by the facet that it is with: it goes on while a stone slides from facet to facet.

mod axis;
mod gather;
mod hand_over;
mod part;
mod points;
mod press;
mod seen;
mod surroundings;

pub(super) use part::{FacetContact, FacetPart};
