//! Everything that changes while a simulation runs.

use thiserror::Error as ThisError;

use super::body::Bodies;
use super::contact::Remembered;
use super::departed::Outflown;
use super::energy::Account;
use super::inserted::Smallest;
use super::law::LawKind;
use super::material::MaterialError;
use super::pairs::PairKey;
use super::stones::StoneMemories;
use super::wall::WallKey;
use crate::archive::{Archive, ArchiveError, Damage, Rest, Section, Sections, Values};
use crate::spheres::check_radius;

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
    /// What the forces follow from; of a file that does not say, the same as in the simulation that resumes from it.
    pub basis: Option<Basis>,
}

/// What the forces of a state follow from, beside its bodies and contacts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Basis {
    /// The law.
    pub law: LawKind,
    /// Whether any pair of materials resists rolling or twisting.
    pub turns: bool,
    /// Checksum of the coefficients of all pairs of materials.
    pub coefficients: u32,
    /// The time step.
    pub time_step: f64,
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
    /// Contacts remember more or fewer numbers than under their law.
    #[error("its contacts remember {found} numbers, expected {expected} by their law")]
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
    /// More bodies have left than were inserted, or a mass is impossible.
    #[error("{count} particles of mass {mass} have left, of {inserted} ever inserted")]
    Departed {
        /// Bodies that have left.
        count: u64,
        /// Their mass.
        mass: f64,
        /// Bodies ever inserted.
        inserted: u64,
    },
    /// Materials of bodies that are there lack values.
    #[error(transparent)]
    Meeting(#[from] MaterialError),
}

/// Steps and bodies at most: as many as a floating-point number can count.
pub(super) const MOST: u64 = 1 << 53;

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

impl Section for Basis {
    const NAME: &'static str = "basis";
    const VERSION: u32 = 1;

    fn write(&self, values: &mut Values) {
        values.list(self.law.name().as_bytes(), |values, byte| values.word(u64::from(*byte)));
        values.word(u64::from(self.turns));
        values.word(u64::from(self.coefficients));
        values.number(self.time_step);
    }

    fn read(values: &mut Rest<'_>, _version: u32) -> Result<Self, Damage> {
        let name = values.list(Rest::small)?;
        let law = str::from_utf8(&name).ok().and_then(LawKind::by_name);
        let basis = Self {
            law: law.ok_or(Damage::Impossible("the law is not known"))?,
            turns: values.flag()?,
            coefficients: values.small()?,
            time_step: values.finite()?,
        };
        if basis.time_step.is_normal() && basis.time_step > 0.0 {
            Ok(basis)
        } else {
            Err(Damage::Impossible("the time step is not above zero"))
        }
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
    pub(crate) const SECTIONS: [&'static str; 10] = [
        Elapsed::NAME,
        Bodies::<D>::NAME,
        super::body::Turning::NAME,
        <Remembered<PairKey> as Section>::NAME,
        <Remembered<WallKey> as Section>::NAME,
        StoneMemories::<D>::NAME,
        Account::<D>::NAME,
        Outflown::NAME,
        SmallestEver::NAME,
        Basis::NAME,
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
        if let Some(basis) = &self.basis {
            archive.add(basis);
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
            basis: sections.find()?,
        })
    }
}
