//! Contacts of bodies that are not balls with walls made of facets.
//!
//! ```text
//! facets near a piece ─▶ asleep? ─▶ parts of them in the piece ─▶ direction of least overlap ─▶ points ─▶ contacts of like direction
//!   near.rs               meet.rs     section.rs                    axis.rs                      points.rs   gather.rs, shares.rs
//!                                                                                     ─▶ memory by direction ─▶ law
//!                                                                                          hand_over.rs          press.rs
//! ```
//!
//! A contact is known by its direction, not by the facet that it is with: it goes on while a stone slides from facet to facet.

mod axis;
mod gather;
mod hand_over;
mod hollow;
mod meet;
mod near;
mod part;
mod points;
mod press;
mod section;
mod seen;
mod shares;

pub(super) use part::{FacetContact, FacetPart};
