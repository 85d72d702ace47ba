//! Shapes: mass, centre and axes of unions against lines through their pieces and closed forms; what is refused.

mod clumps;
mod compounds;
#[path = "../common/long.rs"]
mod long;
mod meshes;
mod oracle;
mod ready;
mod refused;
