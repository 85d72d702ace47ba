//! Whether points are inside a closed surface of triangles.
//!
//! ```text
//! Mesh ─▶ check: closed? ─▶ Inside (set up once, for any number of points) ─▶ classify: outside, boundary or inside
//! ```
//!
//! A point is inside if the surface winds around it: the number of times it is left on the way out, less the times it is entered, is
//! not zero. That is the functional J of Muth, Of, Eberhard, Steinbach 2006, "Collision detection for complicated polyhedra
//! using the fast multipole method or ray crossing". All methods find the same, see [`InsideMethod`].
//!
//! | file | what |
//! |---|---|
//! | `cells/`, `ray_crossing.rs`, `ray_tree.rs`, `double_layer.rs`, `multipole/` | the methods |
//! | `method.rs` | their table, and what is set up for a mesh |
//! | `faces.rs` | exact signs: which side of a face, how a segment passes it |
//! | `solid_angle.rs`, `double_double.rs` | solid angles in registers; with twice the digits next to a face |
//! | `frame.rs`, `units.rs` | coordinates for which both are sound |
//! | `collision.rs` | two bodies |

mod cells;
mod collision;
mod double_double;
mod double_layer;
mod faces;
mod frame;
mod method;
mod multipole;
mod ray_crossing;
mod ray_tree;
mod solid_angle;
mod units;

pub use collision::{Collision, Penetrating, PlacedMesh, collide};
pub use method::{Inside, InsideError, InsideMethod, Place};
pub use multipole::{Degree, Depth, MultipoleOptions};
