//! Files of named, versioned sections, such as checkpoints.
//!
//! ```text
//! 16 bytes  name of the format          4  length of a name     ┐
//!  4        version of the format       n  the name             │ for every
//!  4        dimension                   4  version of a section │ section
//!  8        length of what follows      8  its length           │
//!  4        checksum of what follows    …  its values           ┘
//! ```
//!
//! Whoever owns data writes and reads it as a [`Section`] of its own, so a new column changes one module, and a file that lacks
//! a section is read with that section's default. All numbers are little-endian. Nothing in a file is trusted: counts are
//! compared with the bytes that are there before memory is asked for.

use thiserror::Error as ThisError;

const MAGIC: &[u8; 16] = b"riprap state\r\n\x1a\n";
const VERSION: u32 = 3;
const HEADER: usize = MAGIC.len() + 20;

/// Why a file cannot be read.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum ArchiveError {
    /// It is something else.
    #[error("is not a checkpoint")]
    NotAnArchive,
    /// It is not complete.
    #[error("is truncated: {found} bytes of {expected}")]
    Truncated {
        /// Bytes found.
        found: u64,
        /// Bytes expected.
        expected: u64,
    },
    /// It has another format.
    #[error("has version {found}, expected {VERSION}")]
    Version {
        /// The version found.
        found: u32,
    },
    /// It is of the other dimension.
    #[error("has {found} dimensions, the scene {expected}")]
    Dimension {
        /// Dimensions of the file.
        found: u32,
        /// Dimensions expected.
        expected: u32,
    },
    /// It was changed.
    #[error("is damaged: its checksum is wrong")]
    Checksum,
    /// Its sections do not fill its length.
    #[error("is damaged: its sections do not fit its length")]
    Sections,
    /// A section is missing without which there is nothing to read.
    #[error("has no section `{section}`")]
    Missing {
        /// Name of the section.
        section: &'static str,
    },
    /// A section is there that this version does not know.
    #[error("has a section `{section}` that this version does not know: it was written by a newer one")]
    Unknown {
        /// Name of the section.
        section: String,
    },
    /// A section was written by a newer version.
    #[error(
        "has version {found} of section `{section}`, this program knows {known}: it was written by a newer one"
    )]
    Newer {
        /// Name of the section.
        section: &'static str,
        /// Version found.
        found: u32,
        /// Newest version known.
        known: u32,
    },
    /// A section is there twice.
    #[error("is damaged: section `{section}` is there twice")]
    Twice {
        /// Name of the section.
        section: String,
    },
    /// Values of a section make no sense.
    #[error("is damaged: section `{section}`: {reason}")]
    Values {
        /// Name of the section.
        section: &'static str,
        /// What is wrong with them.
        reason: Damage,
    },
}

/// What is wrong with the values of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ThisError)]
pub enum Damage {
    /// There are fewer bytes than values.
    #[error("its values do not fit its length")]
    Short,
    /// There are bytes after the last value.
    #[error("there is something after its end")]
    Long,
    /// A count or number is impossible.
    #[error("{0}")]
    Impossible(&'static str),
}

/// Data with a name and a version.
pub(crate) trait Section: Sized {
    /// Name in the file.
    const NAME: &'static str;
    /// Version that is written.
    const VERSION: u32;
    /// Appends the values.
    fn write(&self, values: &mut Values);
    /// Reads values of this version or an older one.
    fn read(values: &mut Rest<'_>, version: u32) -> Result<Self, Damage>;
}

/// Sections that are being written.
pub(crate) struct Archive {
    dimension: u32,
    bytes: Vec<u8>,
}

impl Archive {
    pub(crate) fn new(dimension: usize) -> Self {
        Self { dimension: dimension as u32, bytes: Vec::new() }
    }

    /// Appends a section.
    pub(crate) fn add<S: Section>(&mut self, section: &S) {
        let mut values = Values { bytes: Vec::new() };
        section.write(&mut values);
        self.bytes.extend_from_slice(&(S::NAME.len() as u32).to_le_bytes());
        self.bytes.extend_from_slice(S::NAME.as_bytes());
        self.bytes.extend_from_slice(&S::VERSION.to_le_bytes());
        self.bytes.extend_from_slice(&(values.bytes.len() as u64).to_le_bytes());
        self.bytes.extend_from_slice(&values.bytes);
    }

    /// The whole file.
    pub(crate) fn finish(self) -> Vec<u8> {
        let mut file = Vec::with_capacity(HEADER + self.bytes.len());
        file.extend_from_slice(MAGIC);
        file.extend_from_slice(&VERSION.to_le_bytes());
        file.extend_from_slice(&self.dimension.to_le_bytes());
        file.extend_from_slice(&(self.bytes.len() as u64).to_le_bytes());
        file.extend_from_slice(&crc32fast::hash(&self.bytes).to_le_bytes());
        file.extend_from_slice(&self.bytes);
        file
    }
}

/// Sections of a file.
pub(crate) struct Sections<'a> {
    sections: Vec<FoundSection<'a>>,
}

struct FoundSection<'a> {
    name: &'a [u8],
    version: u32,
    values: &'a [u8],
}

impl<'a> Sections<'a> {
    /// Finds the sections of a file, all of which must be among the known ones.
    pub(crate) fn parse(file: &'a [u8], dimension: usize, known: &[&str]) -> Result<Self, ArchiveError> {
        if file.get(..MAGIC.len()) != Some(MAGIC) {
            return Err(ArchiveError::NotAnArchive);
        }
        if file.len() < HEADER {
            return Err(ArchiveError::Truncated { found: file.len() as u64, expected: HEADER as u64 });
        }
        let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes"));
        if word(16) != VERSION {
            return Err(ArchiveError::Version { found: word(16) });
        }
        if word(20) != dimension as u32 {
            return Err(ArchiveError::Dimension { found: word(20), expected: dimension as u32 });
        }
        let expected = u64::from_le_bytes(file[24..32].try_into().expect("eight bytes"));
        let body = &file[HEADER..];
        if body.len() as u64 != expected {
            return Err(ArchiveError::Truncated { found: body.len() as u64, expected });
        }
        if crc32fast::hash(body) != word(32) {
            return Err(ArchiveError::Checksum);
        }
        let mut rest = Rest { bytes: body };
        let mut sections: Vec<FoundSection<'a>> = Vec::new();
        while !rest.bytes.is_empty() {
            let found = rest.section().ok_or(ArchiveError::Sections)?;
            let name = || String::from_utf8_lossy(found.name).into_owned();
            if !known.iter().any(|known| known.as_bytes() == found.name) {
                return Err(ArchiveError::Unknown { section: name() });
            }
            if sections.iter().any(|other| other.name == found.name) {
                return Err(ArchiveError::Twice { section: name() });
            }
            sections.push(found);
        }
        Ok(Self { sections })
    }

    /// A section, if it is there.
    pub(crate) fn find<S: Section>(&self) -> Result<Option<S>, ArchiveError> {
        let section = S::NAME;
        let Some(found) = self.sections.iter().find(|found| found.name == section.as_bytes()) else {
            return Ok(None);
        };
        if found.version > S::VERSION {
            return Err(ArchiveError::Newer { section, found: found.version, known: S::VERSION });
        }
        let mut rest = Rest { bytes: found.values };
        let read = S::read(&mut rest, found.version);
        let read = read.map_err(|reason| ArchiveError::Values { section, reason })?;
        if rest.bytes.is_empty() {
            Ok(Some(read))
        } else {
            Err(ArchiveError::Values { section, reason: Damage::Long })
        }
    }

    /// A section without which there is nothing to read.
    pub(crate) fn need<S: Section>(&self) -> Result<S, ArchiveError> {
        self.find()?.ok_or(ArchiveError::Missing { section: S::NAME })
    }

    /// A section, or its default where the file lacks it.
    pub(crate) fn find_or_default<S: Section + Default>(&self) -> Result<S, ArchiveError> {
        Ok(self.find()?.unwrap_or_default())
    }
}

/// Values that are being written.
pub(crate) struct Values {
    bytes: Vec<u8>,
}

impl Values {
    pub(crate) fn word(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub(crate) fn number(&mut self, value: f64) {
        self.word(value.to_bits());
    }

    /// The numbers, without their count.
    pub(crate) fn vector(&mut self, numbers: &[f64]) {
        for number in numbers {
            self.number(*number);
        }
    }

    /// The count, then each item.
    pub(crate) fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        self.word(items.len() as u64);
        for item in items {
            each(self, item);
        }
    }

    /// The count, then the vectors.
    pub(crate) fn vectors<const N: usize>(&mut self, items: &[[f64; N]]) {
        self.list(items, |values, item| values.vector(item));
    }

    /// The count, then the numbers.
    pub(crate) fn numbers(&mut self, items: &[f64]) {
        self.list(items, |values, item| values.number(*item));
    }
}

/// Values not yet read.
pub(crate) struct Rest<'a> {
    bytes: &'a [u8],
}

impl<'a> Rest<'a> {
    fn section(&mut self) -> Option<FoundSection<'a>> {
        let length = u32::from_le_bytes(*self.bytes.first_chunk()?) as usize;
        let (name, rest) = self.bytes[4..].split_at_checked(length)?;
        let version = u32::from_le_bytes(*rest.first_chunk()?);
        let length = u64::from_le_bytes(*rest[4..].first_chunk()?);
        let (values, rest) = rest[12..].split_at_checked(usize::try_from(length).ok()?)?;
        self.bytes = rest;
        Some(FoundSection { name, version, values })
    }

    pub(crate) fn word(&mut self) -> Result<u64, Damage> {
        let (bytes, rest) = self.bytes.split_first_chunk().ok_or(Damage::Short)?;
        self.bytes = rest;
        Ok(u64::from_le_bytes(*bytes))
    }

    pub(crate) fn number(&mut self) -> Result<f64, Damage> {
        self.word().map(f64::from_bits)
    }

    /// A number that is neither infinite nor none.
    pub(crate) fn finite(&mut self) -> Result<f64, Damage> {
        let number = self.number()?;
        if number.is_finite() { Ok(number) } else { Err(Damage::Impossible("a number is not finite")) }
    }

    /// A whole number of a smaller type.
    pub(crate) fn small<T: TryFrom<u64>>(&mut self) -> Result<T, Damage> {
        self.word()?.try_into().map_err(|_| Damage::Impossible("a whole number is too large"))
    }

    pub(crate) fn flag(&mut self) -> Result<bool, Damage> {
        match self.word()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Damage::Impossible("a flag is neither 0 nor 1")),
        }
    }

    /// A count of items, each of which takes at least so many numbers: what does not fit the bytes left asks for no memory.
    pub(crate) fn count(&mut self, numbers: usize) -> Result<usize, Damage> {
        let count = self.word()?;
        let room = self.bytes.len() as u64 / (8 * numbers.max(1) as u64);
        if count <= room { Ok(count as usize) } else { Err(Damage::Short) }
    }

    /// A count, then each item.
    pub(crate) fn list<T>(
        &mut self,
        mut each: impl FnMut(&mut Self) -> Result<T, Damage>,
    ) -> Result<Vec<T>, Damage> {
        (0..self.count(1)?).map(|_| each(self)).collect()
    }

    /// A vector of finite numbers.
    pub(crate) fn finite_vector<const N: usize>(&mut self) -> Result<[f64; N], Damage> {
        let mut vector = [0.0; N];
        for component in &mut vector {
            *component = self.finite()?;
        }
        Ok(vector)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Default)]
    struct Numbers(Vec<f64>);

    impl Section for Numbers {
        const NAME: &'static str = "numbers";
        const VERSION: u32 = 2;

        fn write(&self, values: &mut Values) {
            values.numbers(&self.0);
        }

        fn read(values: &mut Rest<'_>, _version: u32) -> Result<Self, Damage> {
            Ok(Self(values.list(Rest::finite)?))
        }
    }

    fn file(numbers: &[f64]) -> Vec<u8> {
        let mut archive = Archive::new(3);
        archive.add(&Numbers(numbers.to_vec()));
        archive.finish()
    }

    fn read(file: &[u8]) -> Result<Option<Numbers>, ArchiveError> {
        Sections::parse(file, 3, &["numbers"])?.find()
    }

    #[test]
    fn sections_come_back_and_missing_ones_have_defaults() {
        assert_eq!(read(&file(&[1.0, -2.5])), Ok(Some(Numbers(vec![1.0, -2.5]))));
        let empty = Archive::new(3).finish();
        let sections = Sections::parse(&empty, 3, &["numbers"]).unwrap();
        assert_eq!(sections.find_or_default::<Numbers>(), Ok(Numbers::default()));
        assert_eq!(sections.need::<Numbers>(), Err(ArchiveError::Missing { section: "numbers" }));
    }

    #[test]
    fn every_truncation_and_every_flipped_bit_is_noticed() {
        let file = file(&[1.0, 2.0]);
        for length in 0..file.len() {
            assert!(read(&file[..length]).is_err());
        }
        for position in 0..file.len() {
            let mut damaged = file.clone();
            damaged[position] ^= 1 << (position % 8);
            assert!(read(&damaged).is_err(), "{position}");
        }
    }

    /// With a checksum made to fit.
    #[test]
    fn impossible_counts_numbers_and_names_are_refused() {
        let forge = |position: usize, value: &[u8]| {
            let mut forged = file(&[1.0, 2.0]);
            forged[position..position + value.len()].copy_from_slice(value);
            let checksum = crc32fast::hash(&forged[HEADER..]);
            forged[HEADER - 4..HEADER].copy_from_slice(&checksum.to_le_bytes());
            read(&forged)
        };
        let (name, values) = (HEADER + 4, HEADER + 4 + 7 + 12);
        assert!(forge(HEADER, &[0]).is_err());
        assert!(matches!(forge(name, b"N"), Err(ArchiveError::Unknown { .. })));
        assert!(matches!(forge(name + 7, &3u32.to_le_bytes()), Err(ArchiveError::Newer { found: 3, .. })));
        assert!(forge(name + 7, &1u32.to_le_bytes()).is_ok());
        assert_eq!(forge(name + 11, &u64::MAX.to_le_bytes()), Err(ArchiveError::Sections));
        let values_of = |damage| Err(ArchiveError::Values { section: "numbers", reason: damage });
        assert_eq!(forge(values, &u64::MAX.to_le_bytes()), values_of(Damage::Short));
        assert_eq!(forge(values, &1u64.to_le_bytes()), values_of(Damage::Long));
        let infinite = forge(values + 8, &f64::INFINITY.to_le_bytes());
        assert_eq!(infinite, values_of(Damage::Impossible("a number is not finite")));
        for position in HEADER..file(&[1.0, 2.0]).len() {
            let _ = forge(position, &[0xff]);
        }
    }
}
