//! Points inside and outside of closed surfaces: every method against the others, and against what is known of the shape.

mod agreement;
mod collision;
mod grids;
mod integers;
#[path = "../common/long.rs"]
mod long;
mod moved;
mod multipole;
mod nasty;
mod refused;
mod windings;
