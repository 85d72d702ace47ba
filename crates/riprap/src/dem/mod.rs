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
//! | `spin`, `rotation`, `domain`, `parts`, `clock` | spins and turns; the box, periodic or not; shares of the work; time spent |
//! | `body` | columns of bodies, shapes, the order in memory |
//! | [`material`], `law`, `materials` | materials; laws, one file each; the pairs of materials |
//! | `contact` | how surfaces meet, what is remembered, what was applied |
//! | `settings`, `inserted`, `conditions` | what forces depend on beside bodies and walls |
//! | `pairs`, [`wall`], `passes` | contacts between bodies; surfaces, and contacts with them; both compiled for every law |
//! | `stones` | contacts of bodies that are not balls |
//! | `motion`, [`insert`], `departure`, `departed` | how bodies move, come and go |
//! | `setup`, `overlap`, `cause`, `failure` | why a simulation cannot begin, or stops |
//! | `crushing`, `suspect`, `diagnosis` | looking for overlaps that are too large, for causes, for who and where |
//! | `energy`, `measure`, `probe`, [`time_step`] | the ledger; stress and coordination; particles and regions; the stable step |
//! | `simulation`, `step`, `exchange` | one simulation; a step in phases; other processes |
//! | `state`, `restore` | what a restart needs; how to resume from it |
//!
//! Modules use only those of lower layers, see `tests/layers.rs`; the files that implement [`Simulation`] are one layer.

mod body;
mod cause;
mod clock;
mod conditions;
mod contact;
mod crushing;
mod departed;
mod departure;
mod diagnosis;
mod domain;
mod energy;
mod exchange;
mod failure;
pub mod insert;
mod inserted;
mod law;
pub mod material;
mod materials;
mod measure;
mod motion;
mod overlap;
mod pairs;
mod parts;
mod passes;
mod probe;
mod restore;
mod rotation;
mod settings;
mod setup;
mod simulation;
mod spin;
mod state;
mod step;
mod stones;
mod suspect;
pub mod time_step;
pub mod wall;

pub use body::{Bodies, BodyError, Load, NewBody, Seen, ShapeIndex, Shapes, Turning};
pub use cause::EnergyCause;
pub use clock::TimeSpent;
pub use contact::{ContactRecord, LaterEnergies, Losses, Partner, Remembered};
pub use departed::{Departed, Outflown};
pub use domain::{BoxImage, Domain, Outside};
pub use energy::{Account, Ledger};
pub use exchange::{Alone, Exchange};
pub use failure::Failure;
pub use law::LawKind;
pub use material::{Material, MaterialError, PairValues};
pub use materials::Materials;
pub use measure::{Measures, stress};
pub use overlap::{DeepOverlap, LARGE_OVERLAP, Overlapped};
pub use pairs::PairKey;
pub use probe::{ParticleReading, Probe, ProbeTarget, RegionReading};
pub(crate) use rotation::{UPRIGHT, matrix};
pub use settings::{Outflow, Settings, StiffnessPer};
pub use setup::SetupError;
pub use simulation::Simulation;
pub use spin::{Spin, SpinColumn};
pub use state::{Basis, Elapsed, State, StateError};
pub use stones::{LinkCounts, StoneKey, StoneMemories, StoneMemory, StonePartner};
pub use suspect::LARGE_ENERGY_ERROR;
