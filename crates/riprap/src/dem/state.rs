//! Everything that changes while a simulation runs, and how to resume from it.

use rustc_hash::FxHashMap;
use thiserror::Error as ThisError;

use super::body::{Bodies, Seen};
use super::conditions::Conditions;
use super::contact::Remembered;
use super::departure::Outflown;
use super::energy::Account;
use super::failure::Failure;
use super::law::refit;
use super::pairs::PairKey;
use super::simulation::Simulation;
use super::step::parallel;
use super::stones::{StoneMemories, StonePartner};
use super::time_step::Smallest;
use super::wall::{WallElement, WallKey};
use crate::archive::{Archive, ArchiveError, Damage, Rest, Section, Sections, Values};
use crate::spheres::check_radius;
use crate::vector::dot;

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
    /// What contacts of bodies that are not balls remember.
    pub stone_contacts: StoneMemories<D>,
    /// Energies added up so far.
    pub account: Account<D>,
    /// What has left; of a file that does not say, nothing.
    pub outflown: Option<Outflown>,
    /// The smallest body of each material that was ever inserted; by default of those that are there.
    pub smallest: Option<SmallestEver>,
}

/// Why a state is not one of a simulation.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum StateError {
    /// Columns of bodies have different lengths.
    #[error("its columns have different lengths")]
    Columns,
    /// It follows orientations, the simulation does not.
    #[error("it follows orientations, which the scene does not ask for")]
    Orientations,
    /// More steps or bodies than can be counted.
    #[error("{count} steps or particles, expected at most {MOST}")]
    Count {
        /// The number.
        count: u64,
    },
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
    /// Contacts remember more or fewer numbers than under any law.
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
    /// The numbers of materials differ.
    #[error("it and the scene have different numbers of materials")]
    Smallest,
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
            stone_contacts: self.stones.remembered(&self.bodies),
            account: self.account.clone(),
            outflown: Some(self.outflown.clone()),
            smallest: Some(SmallestEver(self.inserted.smallest.clone())),
        }
    }

    /// Says why a state cannot be one of this simulation.
    pub fn check(&self, state: &State<D>) -> Result<(), StateError> {
        let bodies = &state.bodies;
        if let Some(&count) =
            [state.elapsed.steps, state.elapsed.inserted].iter().find(|count| **count > MOST)
        {
            return Err(StateError::Count { count });
        }
        self.check_bodies(bodies)?;
        let rows = rows_by_id(bodies);
        if rows.len() != bodies.len() || bodies.id.iter().any(|id| *id >= state.elapsed.inserted) {
            let wrong = |row: &usize| {
                rows[&bodies.id[*row]] != *row as u32 || bodies.id[*row] >= state.elapsed.inserted
            };
            let row = (0..bodies.len()).find(wrong).unwrap_or(0);
            return Err(StateError::Id { id: bodies.id[row] });
        }
        let words_of_law = self.passes().words();
        for (found, expected, count) in [
            (state.contacts.words, words_of_law, state.contacts.len()),
            (state.wall_contacts.words, D + words_of_law, state.wall_contacts.len()),
        ] {
            let law = |words: usize| (words + words_of_law).checked_sub(expected);
            if count > 0 && law(found).and_then(|words| refit::<D>(&vec![0.0; words], words_of_law)).is_none()
            {
                return Err(StateError::Memory { found, expected });
            }
        }
        let here = |id: u64| rows.contains_key(&id);
        let between = |key: &PairKey| key.a < key.b && here(key.a) && here(key.b);
        if !state.contacts.is_sound() || !state.contacts.keys.iter().all(between) {
            return Err(StateError::Contact);
        }
        let images = self.settings.domain.periods().images();
        let fits = |key: &WallKey| {
            let wall = self.walls.list.get(usize::from(key.wall));
            here(key.id)
                && images.contains(&key.image)
                && wall.is_some_and(|wall| (key.element as usize) < wall.surface.elements())
        };
        if !state.wall_contacts.is_sound() || !state.wall_contacts.keys.iter().all(fits) {
            return Err(StateError::Wall);
        }
        let has_piece = |id: u64, piece: u16| {
            let shape = rows.get(&id).and_then(|row| self.shapes.find(bodies.shape[*row as usize]));
            shape.is_some_and(|shape| usize::from(piece) < shape.pieces.len())
        };
        for (key, _) in &state.stone_contacts.0 {
            let known = match key.b {
                StonePartner::Body { id, piece } => key.a < id && has_piece(id, piece),
                StonePartner::Wall(WallElement { wall, image, element }) => {
                    fits(&WallKey { id: key.a, wall, image, element })
                }
            };
            if !known || !has_piece(key.a, key.piece) {
                return Err(StateError::Contact);
            }
        }
        if !state.account.sums().iter().chain(&state.account.moment).all(|sum| sum.is_finite()) {
            return Err(StateError::Account);
        }
        if state.outflown.as_ref().is_some_and(|left| left.outflows.len() != self.settings.outflows.len()) {
            return Err(StateError::Outflows);
        }
        let known = |smallest: &SmallestEver| smallest.0.len() == self.materials.len();
        if !state.smallest.as_ref().is_none_or(known) {
            return Err(StateError::Smallest);
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
        if orientations > 0 && !self.follows_turning() {
            return Err(StateError::Orientations);
        }
        let is_turn = |quaternion: &[f64; 4]| (dot(*quaternion, *quaternion) - 1.0).abs() < 1e-6;
        if let Some(row) = bodies.turning.orientation.iter().position(|orientation| !is_turn(orientation)) {
            return Err(StateError::Body { id: bodies.id[row] });
        }
        let positive = |value: f64| value.is_normal() && value > 0.0 && (1.0 / value).is_finite();
        for row in 0..count {
            let (id, seen, load) = (bodies.id[row], &bodies.seen[row], &bodies.load[row]);
            let Seen { radius, inverse_mass, .. } = *seen;
            let vectors = [bodies.position[row], bodies.midstep_velocity[row], seen.velocity, load.force];
            let spins = [bodies.midstep_spin.get(row), seen.spin, load.torque];
            let finite = vectors.as_flattened().iter().chain(spins.as_flattened()).all(|x| x.is_finite());
            let in_plane = D == 3 || spins.iter().all(|spin| spin[..2] == [0.0; 2]);
            let sound =
                check_radius(radius).is_ok() && positive(inverse_mass) && radius == bodies.radius[row];
            if !finite || !in_plane || !sound {
                return Err(StateError::Body { id });
            }
            let known = usize::from(bodies.material[row]) < self.materials.len();
            if !known || self.shapes.find(bodies.shape[row]).is_none() {
                return Err(StateError::Kind { id });
            }
        }
        Ok(())
    }

    /// Continues from a state, if [`Simulation::check`] finds nothing wrong with it. Orientations that it does not have begin now.
    pub fn restore(&mut self, state: State<D>) -> Result<(), Failure> {
        self.check(&state)?;
        self.elapsed = state.elapsed;
        self.settled = if self.elapsed.started { self.elapsed.inserted } else { 0 };
        self.deep_overlap = None;
        self.bodies = state.bodies;
        self.account = state.account;
        self.outflown = state.outflown.unwrap_or_else(|| Outflown::new(self.settings.outflows.len()));
        self.records.clear();
        if self.follows_turning() {
            self.bodies.follow_turning(&self.shapes);
        }
        let none = SmallestEver(vec![None; self.materials.len()]);
        self.inserted.smallest = state.smallest.unwrap_or(none).0;
        for row in 0..self.bodies.len() {
            let mass = 1.0 / self.bodies.inverse_mass(row);
            self.inserted.add(self.bodies.material[row], self.bodies.radius[row], mass);
        }
        self.note_contents();
        self.check_step()?;
        self.walls.move_to(self.time());
        self.check_places_of_walls()?;
        // The law may be another one than before.
        let words = self.passes().words();
        let contacts = state.contacts.refitted(words, |numbers| refit::<D>(numbers, words));
        let wall_contacts = state.wall_contacts.refitted(D + words, |numbers| {
            let (normal, numbers) = numbers.split_at(D);
            Some([normal, &refit::<D>(numbers, words)?].concat())
        });
        let rows = rows_by_id(&self.bodies);
        let row_of = |id: u64| rows[&id];
        let (bodies, passes) = (&self.bodies, self.passes());
        let criterion = self.settings.domain.criterion(self.inserted.reach);
        self.pairs
            .restore(bodies, &criterion, &contacts, row_of, passes, parallel())
            .map_err(|source| Failure::Search { step: state.elapsed.steps, source })?;
        let margin = self.pairs.neighbors().current_skin();
        let conditions = Conditions::new(&self.settings, &self.materials, &self.inserted);
        let (near, around) = self.walls.split(conditions);
        near.restore(bodies, &around, margin, &wall_contacts, row_of);
        if !self.shapes.only_balls() {
            let (pairs, shapes) = (self.pairs.shaped(), &self.shapes);
            self.stones.restore(pairs, bodies, shapes, (&around, margin), &state.stone_contacts, row_of);
        }
        self.lists_are_new(margin);
        Ok(())
    }
}

/// Steps and bodies at most: as many as a floating-point number can count.
const MOST: u64 = 1 << 53;

/// The smallest body of each material that was ever inserted.
#[derive(Debug, Clone, PartialEq)]
pub struct SmallestEver(pub Vec<Option<Smallest>>);

impl Section for SmallestEver {
    const NAME: &'static str = "smallest";
    const VERSION: u32 = 1;

    /// Zeros stand for none.
    fn write(&self, values: &mut Values) {
        values.list(&self.0, |values, smallest| {
            values.vector(&smallest.map_or([0.0; 2], |smallest| [smallest.radius, smallest.mass]));
        });
    }

    fn read(values: &mut Rest<'_>, _version: u32) -> Result<Self, Damage> {
        let smallest = values.list(|values| match values.finite_vector()? {
            [0.0, 0.0] => Ok(None),
            [radius, mass] if check_radius(radius).is_ok() && mass > 0.0 => {
                Ok(Some(Smallest { radius, mass }))
            }
            _ => Err(Damage::Impossible("a radius or mass is not above zero")),
        });
        smallest.map(Self)
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
        self.write_with(values, |values, key| {
            values.word(key.a);
            values.word(key.b);
        });
    }

    fn read(values: &mut Rest<'_>, _version: u32) -> Result<Self, Damage> {
        Self::read_with(values, |values| Ok(PairKey { a: values.word()?, b: values.word()? }))
    }
}

impl Section for Remembered<WallKey> {
    const NAME: &'static str = "wall contacts";
    const VERSION: u32 = 1;

    fn write(&self, values: &mut Values) {
        self.write_with(values, |values, key| key.write(values));
    }

    fn read(values: &mut Rest<'_>, _version: u32) -> Result<Self, Damage> {
        Self::read_with(values, WallKey::read)
    }
}

impl<const D: usize> State<D> {
    /// Names of the sections of a state.
    pub(crate) const SECTIONS: [&'static str; 9] = [
        Elapsed::NAME,
        Bodies::<D>::NAME,
        super::body::Turning::NAME,
        <Remembered<PairKey> as Section>::NAME,
        <Remembered<WallKey> as Section>::NAME,
        StoneMemories::<D>::NAME,
        Account::<D>::NAME,
        Outflown::NAME,
        SmallestEver::NAME,
    ];

    /// Adds the sections of the state.
    pub(crate) fn add_to(&self, archive: &mut Archive) {
        archive.add(&self.elapsed);
        archive.add(&self.bodies);
        archive.add(&self.bodies.turning);
        archive.add(&self.contacts);
        archive.add(&self.wall_contacts);
        if !self.stone_contacts.0.is_empty() {
            archive.add(&self.stone_contacts);
        }
        archive.add(&self.account);
        if let Some(outflown) = &self.outflown {
            archive.add(outflown);
        }
        if let Some(smallest) = &self.smallest {
            archive.add(smallest);
        }
    }

    /// Reads the sections of a state. Bodies and how far it is must be there; the rest has defaults.
    pub(crate) fn find_in(sections: &Sections<'_>) -> Result<Self, ArchiveError> {
        let mut bodies: Bodies<D> = sections.need()?;
        bodies.turning = sections.find_or_default()?;
        Ok(Self {
            elapsed: sections.need()?,
            bodies,
            contacts: sections.find_or_default()?,
            wall_contacts: sections.find_or_default()?,
            stone_contacts: sections.find_or_default()?,
            account: sections.find_or_default()?,
            outflown: sections.find()?,
            smallest: sections.find()?,
        })
    }
}
