//! The discrete element method: bodies that push and rub each other, step by step (Cundall and Strack 1979).
//!
//! A [`Simulation`] holds balls (disks in the plane) as columns, walls, and the memory of all contacts. Here two balls meet:
//!
//! ```
//! use riprap::dem::{LawKind, Material, Materials, NewBody, Settings, Simulation};
//!
//! let stone = Material { name: "stone".into(), young: Some(1e9), restitution: 0.5, ..Material::default() };
//! let materials = Materials::new(LawKind::Hertz, vec![stone])?;
//! let settings = Settings { time_step: 1e-6, ..Settings::default() };
//! let mut simulation = Simulation::new(settings, materials, vec![])?;
//!
//! let left = NewBody::ball([-0.0101, 0.0, 0.0], 0.01).moving([1.0, 0.0, 0.0]);
//! let right = NewBody::ball([0.0101, 0.0, 0.0], 0.01).moving([-1.0, 0.0, 0.0]);
//! simulation.insert(&[left, right])?;
//! simulation.advance_by(1000)?;
//!
//! for velocity in simulation.velocities() {
//!     assert!((velocity[0].abs() - 0.5).abs() < 0.005);
//! }
//! assert!(simulation.ledger().error() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | `simulation`, `step`, `exchange`, `state` | one simulation; a step in phases; other processes; what a restart needs |
//! | `domain` | the box, periodic or not |
//! | `body` | columns of bodies, shapes, the order in memory |
//! | [`material`], `law` | materials and their pairs; laws, one file each |
//! | `contact` | how surfaces meet, what is remembered, what was applied |
//! | `stones` | contacts of bodies that are not balls |
//! | `pairs`, [`wall`] | contacts between bodies; surfaces, and contacts with them |
//! | `motion`, `rotation`, [`insert`], `departure` | how bodies move, come and go |
//! | `overlap`, `suspect`, `failure`, `diagnosis` | overlaps that are too large; why energy is not kept; why a simulation stops |
//! | `energy`, `measure`, `probe`, [`time_step`] | the ledger; stress and coordination; particles and regions; the stable step |

mod body;
mod clock;
mod conditions;
mod contact;
mod departure;
mod diagnosis;
mod domain;
mod energy;
mod exchange;
mod failure;
pub mod insert;
mod law;
pub mod material;
mod measure;
mod motion;
mod overlap;
mod pairs;
mod parts;
mod passes;
mod probe;
mod rotation;
mod settings;
mod simulation;
mod spin;
mod state;
mod step;
mod stones;
mod suspect;
pub mod time_step;
pub mod wall;

pub use body::{Bodies, BodyError, Load, NewBody, Seen, ShapeIndex, Shapes, Turning};
pub use clock::TimeSpent;
pub use contact::{ContactRecord, LaterEnergies, Losses, Partner, Remembered};
pub use departure::{Departed, Outflown};
pub use domain::{BoxImage, Domain, Outside};
pub use energy::{Account, Ledger};
pub use exchange::{Alone, Exchange};
pub use failure::Failure;
pub use law::LawKind;
pub use material::{Material, MaterialError, Materials, PairValues};
pub use measure::{Measures, stress};
pub use overlap::{DeepOverlap, LARGE_OVERLAP, Overlapped};
pub use pairs::PairKey;
pub use probe::{ParticleReading, Probe, ProbeTarget, RegionReading};
pub use settings::{Outflow, Settings, SetupError};
pub use simulation::Simulation;
pub use spin::{Spin, SpinColumn};
pub use state::{Elapsed, State, StateError};
pub use stones::{LinkCounts, StiffnessPer, StoneKey, StoneMemories, StoneMemory, StonePartner};
pub use suspect::{EnergyCause, LARGE_ENERGY_ERROR};
