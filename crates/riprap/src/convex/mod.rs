//! Convex polygons and polyhedra: the gap between two of them, its normal, and the link between their closest points.
//!
//! ```text
//! points ─▶ Body (vertices, edges, facets, adjacency) ─┐
//!                                                      ├▶ Links::find (many pairs, each from its last link) ─▶ Link
//! poses, pairs, last links (LinkMemory) ───────────────┘   Solver::link (one pair)        gap, normal, two points, patch
//! ```
//!
//! The common plane of two bodies (Cundall 1988) has their centroids on its two sides and the largest gap to both. Four methods
//! find it, see [`LinkMethod`]; all give a [`Link`]. `shortest-link`, the default, is exact: bodies apart have the distance of the
//! two link points, to some roundings; bodies in contact overlap by the extent along the normal, which is that of the least
//! overlap of all if they were never linked before, else follows the last one.
//!
//! Concave bodies are [`Compound`]s of convex ones.
//!
//! | file | what |
//! |---|---|
//! | `shortest_link.rs`, `fast_common_plane.rs`, `common_plane.rs`, `referee.rs` | the methods |
//! | `contact.rs`, `kept.rs` | bodies in contact, by separating them; those that still touch where they did |
//! | `feature.rs`, `direct.rs`, `segments.rs`, `chord.rs`, `ends.rs` | the walk over features; links between two features, or along a normal |
//! | `two.rs`, `memory.rs`, `pose.rs` | two bodies and their link; what is kept of it; where bodies are |
//! | `simplex.rs`, `expansion.rs` | whether bodies overlap, and along which normal least |
//! | `patch.rs`, `edge_patch.rs`, `flat.rs` | faces and edges on each other |
//! | `manifold.rs`, `region.rs`, `lone.rs` | the points at which they press on each other: the corners of what two faces have in common; one alone |
//! | `still.rs` | the same points while the bodies keep still on each other |
//! | `share.rs`, `leaning.rs`, `stand.rs` | how stiff each of them is: shares of slopes; of two bodies; of a body on a plane |
//! | `build.rs`, `hull.rs`, `assemble.rs`, `mass.rs`, `shapes.rs` | bodies from points or faces; ready-made ones |

mod assemble;
mod body;
mod build;
mod chord;
mod common_plane;
mod compound;
mod contact;
mod direct;
mod edge_patch;
mod ends;
mod error;
mod expansion;
mod fast_common_plane;
mod feature;
mod flat;
mod hull;
mod kept;
mod leaning;
mod link;
mod links;
mod lone;
mod manifold;
mod mass;
mod memory;
mod method;
mod nearest;
mod patch;
mod pose;
#[cfg(feature = "referee")]
mod referee;
mod region;
mod segments;
pub mod shapes;
mod share;
mod shortest_link;
mod simplex;
mod stand;
mod still;
mod two;

pub use body::{Body, Corner, Edge, Facet, Polygon, Polyhedron, Spoke};
pub use compound::{Compound, CompoundLinks};
pub use error::ShapeError;
pub use link::Link;
pub use links::{Links, PlacedBodies};
pub use manifold::{ContactPoint, ContactPoints};
pub(crate) use memory::ApartMemory;
pub use memory::LinkMemory;
pub use method::{LinkMethod, Solver, UnknownMethod};
pub use patch::Patch;
pub use pose::{Pose, PoseError};
pub use share::Share;
pub(crate) use stand::{Stand, SurfaceEdge, Wedge};
pub use still::{PointFeatures, StillPoints};
