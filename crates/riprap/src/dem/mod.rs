//! The discrete element method: bodies that push and rub each other, step by step (Cundall and Strack 1979).
//!
//! A [`Simulation`] holds spheres (disks when `D` is 2) as columns, walls, and the memory of all contacts. A step
//! 1. moves the bodies by central differences;
//! 2. keeps the list of neighbours good, on any broad phase;
//! 3. works out which of them touch and the forces between them, then those of the walls;
//! 4. adds up the energy that was lost.
//!
//! ```
//! use riprap::dem::{LawKind, Material, NewBody, PairValues, Settings, Simulation, Table};
//!
//! let stone = Material { name: "stone".into(), young: Some(1e9), restitution: 0.5, ..Material::default() };
//! let table = Table::new(LawKind::Hertz, &[stone], 3, |_, _| PairValues::default(), |_, _| true)?;
//! let settings = Settings { time_step: 1e-6, ..Settings::default() };
//! let mut simulation = Simulation::<3, 3>::new(settings, table, Vec::new())?;
//! let ball = |x: f64, speed: f64| NewBody {
//!     position: [x, 0.0, 0.0],
//!     velocity: [speed, 0.0, 0.0],
//!     spin: [0.0; 3],
//!     radius: 0.01,
//!     mass: 0.01,
//!     material: 0,
//! };
//! simulation.insert(&[ball(-0.0101, 1.0), ball(0.0101, -1.0)]);
//! simulation.advance_by(1000)?;
//! let speed = simulation.bodies().midstep_velocity[0][0].abs();
//! assert!((speed - 0.5).abs() < 0.005);
//! assert!(simulation.ledger().error() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bodies;
mod contact;
mod departure;
mod diagnosis;
mod energy;
mod failure;
mod forces;
pub mod insertion;
pub mod law;
mod material;
mod measure;
mod motion;
mod order;
mod pairs;
mod parts;
pub mod restitution;
mod settings;
mod simulation;
mod sizes;
mod spin;
mod state;
pub mod time_step;
pub mod wall;

pub use crate::lanes::Lanes;
pub use crate::number::Real;
pub use bodies::{Bodies, Load, NewBody, Seen, inertia_share};
pub use contact::{Kinds, Losses, Response, Touch, respond, stored};
pub use energy::{Account, Ledger};
pub use failure::Failure;
pub use material::{Coefficients, LawKind, Material, PairValues, Table};
pub use measure::{ContactForce, Measures, Other};
pub use pairs::{PairList, Spring};
pub use settings::{Outflow, Outside, Settings};
pub use simulation::{Simulation, TimeSpent};
pub use sizes::Sizes;
pub use state::{Outflown, State};
