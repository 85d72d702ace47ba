//! Links of convex bodies: every method against oracles that know vertices and poses only.

mod bodies;
mod definition;
#[path = "../common/long.rs"]
mod long;
mod motion;
mod oracle;
mod patches;
mod planar;
mod referee;
mod scales;
mod traps;
