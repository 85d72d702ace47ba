//! Everything that changes while a simulation runs, and how to resume from it.

use rustc_hash::FxHashMap;
use thiserror::Error as ThisError;

use super::body::{Bodies, Seen};
use super::conditions::Conditions;
use super::contact::Remembered;
use super::departure::Outflown;
use super::energy::Account;
use super::failure::Failure;
use super::pairs::PairKey;
use super::simulation::Simulation;
use super::step::parallel;
use super::wall::WallKey;
use crate::archive::{Archive, ArchiveError, Damage, Rest, Section, Sections, Values};

/// How far a simulation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Elapsed {
    /// Steps done.
    pub steps: u64,
    /// Bodies ever inserted.
    pub inserted: u64,
    /// Whether the forces of the first bodies have been worked out.
    pub started: bool,
}

/// Everything that changes while a simulation runs: enough to resume from, to the last bit.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State<const D: usize> {
    /// How far it is.
    pub elapsed: Elapsed,
    /// The bodies.
    pub bodies: Bodies<D>,
    /// What contacts between bodies remember.
    pub contacts: Remembered<PairKey>,
    /// What contacts with walls remember: the normal, then what the law remembers.
    pub wall_contacts: Remembered<WallKey>,
    /// Energies added up so far.
    pub account: Account<D>,
    /// What has left.
    pub outflown: Outflown,
}

/// Why a state is not one of a simulation.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum StateError {
    /// Columns of bodies have different lengths.
    #[error("its columns have different lengths")]
    Columns,
    /// One follows orientations, the other does not.
    #[error("it and the scene differ in whether orientations are followed")]
    Orientations,
    /// A body is impossible.
    #[error("particle {id}: a value is not a finite number, or a radius or mass not above zero")]
    Body {
        /// Its id.
        id: u64,
    },
    /// Two bodies have the same id, or one an id that was never given.
    #[error("particle {id} is there twice, or was never inserted")]
    Id {
        /// The id.
        id: u64,
    },
    /// A body has an unknown material or shape.
    #[error("particle {id} has a material or shape that the scene does not have")]
    Kind {
        /// Its id.
        id: u64,
    },
    /// A contact is between bodies that are not there.
    #[error("a contact is between particles that are not there")]
    Contact,
    /// A contact is with a wall that is not there.
    #[error("a contact is with a wall that the scene does not have")]
    Wall,
    /// Contacts remember another count of numbers than the law.
    #[error("its contacts remember {found} numbers, the law of the scene {expected}")]
    Memory {
        /// Numbers per contact in the state.
        found: usize,
        /// Numbers per contact of the law.
        expected: usize,
    },
    /// Sums of energies are not finite.
    #[error("a sum of energies is not a finite number")]
    Account,
    /// The numbers of outflows differ.
    #[error("it and the scene have different numbers of outflows")]
    Outflows,
}

impl<const D: usize> Simulation<D> {
    /// What a restart needs.
    pub fn state(&self) -> State<D> {
        State {
            elapsed: self.elapsed,
            bodies: self.bodies.clone(),
            contacts: self.pairs.remembered(&self.bodies, self.passes()),
            wall_contacts: self.walls.near.remembered(&self.bodies, self.passes()),
            account: self.account.clone(),
            outflown: self.outflown.clone(),
        }
    }

    /// Says why a state cannot be one of this simulation.
    pub fn check(&self, state: &State<D>) -> Result<(), StateError> {
        let bodies = &state.bodies;
        self.check_bodies(bodies)?;
        let rows = rows_by_id(bodies);
        if rows.len() != bodies.len() || bodies.id.iter().any(|id| *id >= state.elapsed.inserted) {
            let wrong = |row: &usize| {
                rows[&bodies.id[*row]] != *row as u32 || bodies.id[*row] >= state.elapsed.inserted
            };
            let row = (0..bodies.len()).find(wrong).unwrap_or(0);
            return Err(StateError::Id { id: bodies.id[row] });
        }
        let words = self.passes().words();
        for (found, expected, count) in [
            (state.contacts.words, words, state.contacts.len()),
            (state.wall_contacts.words, D + words, state.wall_contacts.len()),
        ] {
            if count > 0 && found != expected {
                return Err(StateError::Memory { found, expected });
            }
        }
        let here = |id: u64| rows.contains_key(&id);
        if !state.contacts.keys.iter().all(|key| key.a < key.b && here(key.a) && here(key.b)) {
            return Err(StateError::Contact);
        }
        let fits = |key: &WallKey| {
            let wall = self.walls.list.get(usize::from(key.wall));
            here(key.id) && wall.is_some_and(|wall| (key.element as usize) < wall.surface.elements())
        };
        if !state.wall_contacts.keys.iter().all(fits) {
            return Err(StateError::Wall);
        }
        let Account { losses, walls, inserted, removed, moment } = &state.account;
        let sums = [losses.damping, losses.friction, losses.rolling, *walls, *inserted, *removed];
        if !sums.iter().chain(moment).all(|sum| sum.is_finite()) {
            return Err(StateError::Account);
        }
        if state.outflown.outflows.len() != self.settings.outflows.len() {
            return Err(StateError::Outflows);
        }
        Ok(())
    }

    fn check_bodies(&self, bodies: &Bodies<D>) -> Result<(), StateError> {
        let count = bodies.len();
        let lengths = [
            bodies.id.len(),
            bodies.shape.len(),
            bodies.material.len(),
            bodies.position.len(),
            bodies.midstep_velocity.len(),
            bodies.midstep_spin.len(),
            bodies.seen.len(),
            bodies.load.len(),
        ];
        let orientations = bodies.turning.orientation.len();
        if lengths != [count; 8] || (orientations != count && orientations != 0) {
            return Err(StateError::Columns);
        }
        if (orientations == 0) == self.settings.orientation && count > 0 {
            return Err(StateError::Orientations);
        }
        let positive = |value: f64| value > 0.0 && value.is_finite();
        for row in 0..count {
            let (id, seen, load) = (bodies.id[row], &bodies.seen[row], &bodies.load[row]);
            let Seen { radius, inverse_mass, .. } = *seen;
            let vectors = [bodies.position[row], bodies.midstep_velocity[row], seen.velocity, load.force];
            let spins = [bodies.midstep_spin[row], seen.spin, load.torque];
            let finite = vectors.as_flattened().iter().chain(spins.as_flattened()).all(|x| x.is_finite());
            if !finite || !positive(radius) || !positive(inverse_mass) || radius != bodies.radius[row] {
                return Err(StateError::Body { id });
            }
            let known = usize::from(bodies.material[row]) < self.materials.len();
            if !known || self.shapes.find(bodies.shape[row]).is_none() {
                return Err(StateError::Kind { id });
            }
        }
        Ok(())
    }

    /// Continues from a state, which [`Simulation::check`] finds nothing wrong with.
    pub fn restore(&mut self, state: State<D>) -> Result<(), Failure> {
        self.elapsed = state.elapsed;
        self.bodies = state.bodies;
        self.account = state.account;
        self.outflown = state.outflown;
        self.records.clear();
        for row in 0..self.bodies.len() {
            let mass = 1.0 / self.bodies.inverse_mass(row);
            self.inserted.add(self.bodies.material[row], self.bodies.radius[row], mass);
        }
        self.note_contents();
        self.walls.move_to(self.time());
        self.check_places_of_walls()?;
        let rows = rows_by_id(&self.bodies);
        let row_of = |id: u64| rows[&id];
        let (bodies, passes) = (&self.bodies, self.passes());
        let criterion = self.settings.domain.criterion(self.inserted.reach);
        self.pairs
            .restore(bodies, &criterion, &state.contacts, row_of, passes, parallel())
            .map_err(|source| Failure::Search { step: state.elapsed.steps, source })?;
        let margin = self.pairs.neighbors().current_skin();
        let conditions = Conditions::new(&self.settings, &self.materials, &self.inserted);
        let (near, around) = self.walls.split(conditions);
        near.restore(bodies, &around, margin, &state.wall_contacts, row_of);
        self.lists_are_new(margin);
        Ok(())
    }
}

fn rows_by_id<const D: usize>(bodies: &Bodies<D>) -> FxHashMap<u64, u32> {
    // Of two with one id the first is found.
    bodies.id.iter().enumerate().rev().map(|(row, id)| (*id, row as u32)).collect()
}

impl Section for Elapsed {
    const NAME: &'static str = "progress";
    const VERSION: u32 = 1;

    fn write(&self, values: &mut Values) {
        values.word(self.steps);
        values.word(self.inserted);
        values.word(u64::from(self.started));
    }

    fn read(values: &mut Rest<'_>, _version: u32) -> Result<Self, Damage> {
        Ok(Self { steps: values.word()?, inserted: values.word()?, started: values.flag()? })
    }
}

impl Section for Remembered<PairKey> {
    const NAME: &'static str = "contacts";
    const VERSION: u32 = 1;

    fn write(&self, values: &mut Values) {
        self.write(values, |values, key| {
            values.word(key.a);
            values.word(key.b);
        });
    }

    fn read(values: &mut Rest<'_>, _version: u32) -> Result<Self, Damage> {
        Self::read(values, |values| Ok(PairKey { a: values.word()?, b: values.word()? }))
    }
}

impl Section for Remembered<WallKey> {
    const NAME: &'static str = "wall contacts";
    const VERSION: u32 = 1;

    fn write(&self, values: &mut Values) {
        self.write(values, |values, key| key.write(values));
    }

    fn read(values: &mut Rest<'_>, _version: u32) -> Result<Self, Damage> {
        Self::read(values, WallKey::read)
    }
}

impl<const D: usize> State<D> {
    /// Names of the sections of a state.
    pub(crate) const SECTIONS: [&'static str; 7] = [
        Elapsed::NAME,
        Bodies::<D>::NAME,
        super::body::Turning::NAME,
        <Remembered<PairKey> as Section>::NAME,
        <Remembered<WallKey> as Section>::NAME,
        Account::<D>::NAME,
        Outflown::NAME,
    ];

    /// Adds the sections of the state.
    pub(crate) fn add_to(&self, archive: &mut Archive) {
        archive.add(&self.elapsed);
        archive.add(&self.bodies);
        archive.add(&self.bodies.turning);
        archive.add(&self.contacts);
        archive.add(&self.wall_contacts);
        archive.add(&self.account);
        archive.add(&self.outflown);
    }

    /// Reads the sections of a state. Bodies must be there; without the rest it is one that has just begun.
    pub(crate) fn find_in(sections: &Sections<'_>) -> Result<Self, ArchiveError> {
        let mut bodies: Bodies<D> = sections.need()?;
        bodies.turning = sections.find_or_default()?;
        Ok(Self {
            elapsed: sections.need()?,
            bodies,
            contacts: sections.find_or_default()?,
            wall_contacts: sections.find_or_default()?,
            account: sections.find_or_default()?,
            outflown: sections.find_or_default()?,
        })
    }
}
