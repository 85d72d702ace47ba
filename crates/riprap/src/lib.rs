//! Contact detection for particles of any size, and their simulation by the discrete element method.
//!
//! Positions and radii stay with the caller, as plain slices; a [`broad::BroadPhase`] fills a buffer
//! with the pairs that touch. Every method applies the same closed test, so all of them give the same
//! pairs:
//!
//! ```
//! use riprap::{Criterion, Spheres, broad::{BroadPhase, HGrid, Pair}};
//!
//! let centers = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [5.0, 0.0, 0.0]];
//! let radii = [0.5, 0.5, 3.0];
//! let spheres = Spheres::new(&centers, &radii)?;
//!
//! let mut pairs = Vec::new();
//! HGrid::<3>::default().find(spheres, &Criterion::default(), &mut pairs)?;
//! assert_eq!(pairs, [Pair { a: 0, b: 1 }]);
//!
//! // The third sphere is 0.5 away from the second: a margin reports it too.
//! HGrid::<3>::default().find(spheres, &Criterion { margin: 0.5, ..Criterion::default() }, &mut pairs)?;
//! assert_eq!(pairs.len(), 2);
//! # Ok::<(), riprap::Error>(())
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | [`broad`] | the broad phases, one file per method, the table that names them, and what each would cost |
//! | [`tune`] | what a hierarchical grid costs, and the cells for which it is least |
//! | [`convex`] | convex polygons and polyhedra, and the shortest link between two of them |
//! | [`shape`] | shapes of bodies that move: balls, stones, concave bodies, clumps |
//! | [`inside`] | whether points are inside a closed surface |
//! | [`mesh`] | triangle surfaces, and whether they close a body |
//! | [`dem`] | simulations: bodies, contact laws, walls, energies |
//! | [`scene`], [`run`] | simulations from TOML files, and the files that come of them |
//! | [`verify`] | experiments with a known outcome |
//! | [`packing`] | lattices and random packings for tests, benchmarks and demonstrations |
//! | [`io`] | particles, points and meshes in; pairs, meshes and VTK files out |
//! | [`plot`], [`picture`] | charts as SVG; balls, walls and lines as PNG |
//! | [`machine`] | what the program runs on |

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod archive;
pub mod broad;
pub mod convex;
mod criterion;
pub mod dem;
mod dimension;
mod error;
pub mod inside;
pub mod io;
mod lanes;
pub mod machine;
mod memory;
pub mod mesh;
mod number;
pub mod packing;
pub mod picture;
pub mod plot;
mod random;
pub mod run;
pub mod scene;
pub mod shape;
mod spheres;
pub mod tune;
mod vector;
pub mod verify;
pub mod words;

pub use criterion::Criterion;
pub use error::Error;
pub use random::Random;
pub use spheres::{SphereColumns, Spheres};
