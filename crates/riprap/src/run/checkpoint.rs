//! Checkpoints: all that a run needs to go on, to the last bit.
//!
//! A file is a line that names it, a header (version, dimension, length and checksum of what follows) and the values one after
//! the other, in little-endian order. It appears under its name only when it is complete and on the disk. Nothing in a file is
//! trusted: lengths are compared with the bytes that are there, and the state is checked against the scene.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::broad::Pair;
use crate::dem::wall::WallSpring;
use crate::dem::{Account, Bodies, Load, Losses, Outflown, Seen, Spring, State};
use crate::io::{FileError, write_whole};

const MAGIC: &[u8; 16] = b"riprap state\r\n\x1a\n";
const VERSION: u32 = 2;
const ENDING: &str = "state";

/// A state of the simulation and of everything around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint<const D: usize, const S: usize> {
    /// Checksum of the scene file.
    pub scene: u32,
    /// Time step, by which time follows from the number of steps.
    pub time_step: f64,
    /// Checksum of the law and the names of the materials.
    pub nature: u32,
    /// The simulation.
    pub state: State<D, S>,
    /// Seed and number of bodies of each insertion.
    pub insertions: Vec<(u64, u64)>,
    /// Bytes of the time series.
    pub series: u64,
    /// Time of the last row of the series, and what had flown out then.
    pub last_row: (f64, Vec<f64>),
    /// Times of the frames.
    pub frames: Vec<f64>,
}

/// The file for a number of steps.
pub fn file_name(steps: u64) -> String {
    format!("step_{steps:012}.{ENDING}")
}

/// Checkpoints in a folder, the newest first.
pub fn in_folder(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with("step_") && name.ends_with(&format!(".{ENDING}"))
        })
        .collect();
    files.sort_unstable_by(|a, b| b.cmp(a));
    files
}

/// Writes a checkpoint.
pub fn write<const D: usize, const S: usize>(path: &Path, checkpoint: &Checkpoint<D, S>) -> io::Result<()> {
    let mut bytes = Vec::new();
    Values(&mut bytes).checkpoint(checkpoint);
    write_whole(path, |writer| {
        writer.write_all(MAGIC)?;
        for word in [VERSION, D as u32] {
            writer.write_all(&word.to_le_bytes())?;
        }
        writer.write_all(&(bytes.len() as u64).to_le_bytes())?;
        writer.write_all(&crc32fast::hash(&bytes).to_le_bytes())?;
        writer.write_all(&bytes)
    })?;
    // The new name is safe only when the folder is on the disk too.
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Reads a checkpoint; refuses one that is incomplete, damaged or of another kind.
pub fn read<const D: usize, const S: usize>(path: &Path) -> Result<Checkpoint<D, S>, FileError> {
    let failed = |message: String| FileError { path: path.to_path_buf(), line: None, message };
    let bytes = fs::read(path).map_err(|error| failed(format!("cannot read: {error}")))?;
    parse(&bytes).map_err(failed)
}

fn parse<const D: usize, const S: usize>(bytes: &[u8]) -> Result<Checkpoint<D, S>, String> {
    let header = MAGIC.len() + 20;
    if bytes.get(..MAGIC.len()) != Some(MAGIC) {
        return Err("is not a checkpoint".to_string());
    }
    if bytes.len() < header {
        return Err("is truncated".to_string());
    }
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let (version, dimension) = (word(16), word(20));
    if version != VERSION {
        return Err(format!("has version {version}, expected {VERSION}"));
    }
    if dimension != D as u32 {
        return Err(format!("has {dimension} dimensions, the scene {D}"));
    }
    let length = u64::from_le_bytes(bytes[24..32].try_into().expect("eight bytes"));
    let values = &bytes[header..];
    if values.len() as u64 != length {
        return Err(format!("is truncated: {} bytes of {length}", values.len()));
    }
    if crc32fast::hash(values) != word(32) {
        return Err("is damaged: its checksum is wrong".to_string());
    }
    let mut rest = Rest(values);
    let checkpoint = rest.checkpoint().ok_or("is damaged: its values do not fit its length")?;
    if rest.0.is_empty() {
        Ok(checkpoint)
    } else {
        Err("is damaged: there is something after its end".to_string())
    }
}

/// Appends values.
struct Values<'a>(&'a mut Vec<u8>);

impl Values<'_> {
    fn word(&mut self, value: u64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn number(&mut self, value: f64) {
        self.word(value.to_bits());
    }

    fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        self.word(items.len() as u64);
        for item in items {
            each(self, item);
        }
    }

    fn numbers(&mut self, items: &[f64]) {
        self.list(items, |values, item| values.number(*item));
    }

    fn vector<const N: usize>(&mut self, vector: &[f64; N]) {
        for component in vector {
            self.number(*component);
        }
    }

    fn vectors<const N: usize>(&mut self, items: &[[f64; N]]) {
        self.list(items, Self::vector);
    }

    fn outflown(&mut self, outflown: &Outflown) {
        self.word(outflown.count);
        self.number(outflown.mass);
    }

    fn checkpoint<const D: usize, const S: usize>(&mut self, checkpoint: &Checkpoint<D, S>) {
        let Checkpoint { scene, time_step, nature, state, insertions, series, last_row, frames } = checkpoint;
        self.word(u64::from(*scene));
        self.number(*time_step);
        self.word(u64::from(*nature));
        self.word(state.steps);
        self.word(u64::from(state.inserted));
        self.word(u64::from(state.started));
        let bodies = &state.bodies;
        self.list(&bodies.id, |values, id| values.word(u64::from(*id)));
        self.list(&bodies.material, |values, material| values.word(u64::from(*material)));
        self.numbers(&bodies.radius);
        self.vectors(&bodies.position);
        self.vectors(&bodies.midstep_velocity);
        self.vectors(&bodies.midstep_spin);
        self.list(&bodies.seen, |values, seen| {
            values.vector(&seen.velocity);
            values.number(seen.inverse_mass);
            values.vector(&seen.spin);
            values.number(seen.radius);
        });
        self.list(&bodies.load, |values, load| {
            values.vector(&load.force);
            values.vector(&load.torque);
        });
        self.vectors(&bodies.orientation);
        self.list(&state.springs, |values, spring| {
            values.word(u64::from(spring.pair.a) << 32 | u64::from(spring.pair.b));
            values.vector(&spring.spring);
        });
        self.list(&state.wall_springs, |values, spring| {
            values.word(u64::from(spring.row) << 32 | u64::from(spring.element));
            values.word(u64::from(spring.wall) << 32 | u64::from(spring.image));
            values.vector(&spring.normal);
            values.vector(&spring.spring);
        });
        let Account { losses, walls, inserted, removed, moment } = &state.account;
        for value in [losses.damping, losses.friction, losses.rolling, *walls, *inserted, *removed] {
            self.number(value);
        }
        self.vector(moment);
        self.list(&state.outflown, Self::outflown);
        self.outflown(&state.strayed);
        self.list(insertions, |values, (seed, done)| {
            values.word(*seed);
            values.word(*done);
        });
        self.word(*series);
        self.number(last_row.0);
        self.numbers(&last_row.1);
        self.numbers(frames);
    }
}

/// Bytes not yet read; `None` comes out when there are too few.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn word(&mut self) -> Option<u64> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*bytes))
    }

    fn number(&mut self) -> Option<f64> {
        self.word().map(f64::from_bits)
    }

    fn small<T: TryFrom<u64>>(&mut self) -> Option<T> {
        self.word()?.try_into().ok()
    }

    fn list<T>(&mut self, mut each: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = self.word()?;
        // Every item takes at least eight bytes: a length beyond that is wrong, and no memory is asked for it.
        if length > self.0.len() as u64 / 8 {
            return None;
        }
        (0..length).map(|_| each(self)).collect()
    }

    fn vector<const N: usize>(&mut self) -> Option<[f64; N]> {
        let mut vector = [0.0; N];
        for component in &mut vector {
            *component = self.number()?;
        }
        Some(vector)
    }

    fn outflown(&mut self) -> Option<Outflown> {
        Some(Outflown { count: self.word()?, mass: self.number()? })
    }

    fn checkpoint<const D: usize, const S: usize>(&mut self) -> Option<Checkpoint<D, S>> {
        let (scene, time_step, nature) = (self.small()?, self.number()?, self.small()?);
        let (steps, inserted, started) = (self.word()?, self.small()?, self.word()? != 0);
        let bodies = Bodies {
            id: self.list(Self::small)?,
            material: self.list(Self::small)?,
            radius: self.list(Self::number)?,
            position: self.list(Self::vector)?,
            midstep_velocity: self.list(Self::vector)?,
            midstep_spin: self.list(Self::vector)?,
            seen: self.list(|rest| {
                Some(Seen {
                    velocity: rest.vector()?,
                    inverse_mass: rest.number()?,
                    spin: rest.vector()?,
                    radius: rest.number()?,
                })
            })?,
            load: self.list(|rest| Some(Load { force: rest.vector()?, torque: rest.vector()? }))?,
            orientation: self.list(Self::vector)?,
        };
        let springs = self.list(|rest| {
            let pair = rest.word()?;
            Some(Spring { pair: Pair { a: (pair >> 32) as u32, b: pair as u32 }, spring: rest.vector()? })
        })?;
        let wall_springs = self.list(|rest| {
            let (first, second) = (rest.word()?, rest.word()?);
            Some(WallSpring {
                row: (first >> 32) as u32,
                element: first as u32,
                wall: (second >> 32) as u16,
                image: second as u16,
                normal: rest.vector()?,
                spring: rest.vector()?,
            })
        })?;
        let losses = Losses { damping: self.number()?, friction: self.number()?, rolling: self.number()? };
        let account = Account {
            losses,
            walls: self.number()?,
            inserted: self.number()?,
            removed: self.number()?,
            moment: self.vector()?,
        };
        let (outflown, strayed) = (self.list(Self::outflown)?, self.outflown()?);
        let state =
            State { steps, inserted, started, bodies, springs, wall_springs, account, outflown, strayed };
        let insertions = self.list(|rest| Some((rest.word()?, rest.word()?)))?;
        let series = self.word()?;
        let last_row = (self.number()?, self.list(Self::number)?);
        let frames = self.list(Self::number)?;
        Some(Checkpoint { scene, time_step, nature, state, insertions, series, last_row, frames })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dem::NewBody;

    fn example() -> Checkpoint<2, 1> {
        let mut bodies = Bodies::default();
        for id in 0..3 {
            let body = NewBody {
                position: [f64::from(id), 0.5],
                velocity: [1.0, -0.0],
                spin: [f64::MIN_POSITIVE],
                radius: 0.5,
                mass: 2.0,
                material: 0,
            };
            bodies.push(id, &body, true);
        }
        let wall_spring =
            WallSpring { row: 2, wall: 7, image: 4, element: 9, normal: [0.0, 1.0], spring: [1e-9, 0.0] };
        let state = State {
            steps: 77,
            inserted: 3,
            started: true,
            bodies,
            springs: vec![Spring { pair: Pair { a: 0, b: 2 }, spring: [0.25, -0.5] }],
            wall_springs: vec![wall_spring],
            account: Account { moment: [3.0, 4.0], ..Account::default() },
            outflown: vec![Outflown { count: 5, mass: 1.5 }],
            strayed: Outflown::default(),
        };
        Checkpoint {
            scene: 123,
            time_step: 1e-3,
            nature: 77,
            state,
            insertions: vec![(u64::MAX, 8)],
            series: 4096,
            last_row: (0.25, vec![1.5]),
            frames: vec![0.0, 0.1],
        }
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("riprap-checkpoint-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn comes_back_as_it_was() {
        let folder = folder("whole");
        let path = folder.join(file_name(77));
        write(&path, &example()).unwrap();
        assert_eq!(read::<2, 1>(&path).unwrap(), example());
        assert!(read::<3, 3>(&path).unwrap_err().to_string().contains("has 2 dimensions"));
        write(&folder.join(file_name(1000)), &example()).unwrap();
        let found = in_folder(&folder);
        assert!(found[0].ends_with("step_000000001000.state") && found.len() == 2);
        fs::remove_dir_all(&folder).unwrap();
    }

    /// Every truncation and every flipped bit is noticed; so are files whose checksum was made to fit.
    #[test]
    fn damage_is_noticed_and_nothing_panics() {
        let folder = folder("damage");
        let path = folder.join("a");
        write(&path, &example()).unwrap();
        let bytes = fs::read(&path).unwrap();
        for length in 0..bytes.len() {
            assert!(parse::<2, 1>(&bytes[..length]).is_err());
        }
        for position in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[position] ^= 1 << (position % 8);
            assert!(parse::<2, 1>(&damaged).is_err(), "{position}");
        }
        let header = MAGIC.len() + 20;
        for position in header..bytes.len() {
            let mut forged = bytes.clone();
            forged[position] = 0xff;
            let checksum = crc32fast::hash(&forged[header..]);
            forged[header - 4..header].copy_from_slice(&checksum.to_le_bytes());
            let _ = parse::<2, 1>(&forged);
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
