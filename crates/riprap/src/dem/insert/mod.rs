//! Where new bodies come from: lists, lattices, random places, rain.

mod room;
mod sizes;

pub use sizes::{Sizes, SizesError};

use thiserror::Error as ThisError;

use super::body::{BodyError, NewBody, Shapes};
use super::simulation::Simulation;
use super::spin::Spin;
use crate::Random;
use crate::archive::{Damage, Rest, Section, Values};
use room::Room;

/// Bodies to be inserted, at once or over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Insertion<const D: usize> {
    /// Name, for messages.
    pub name: String,
    /// How they are placed.
    pub how: How<D>,
    /// Index of the material; bodies that are given have their own.
    pub material: u8,
    /// Velocity of all.
    pub velocity: [f64; D],
    /// Largest random addition to each component of the velocity.
    pub random_velocity: f64,
    /// Spin of all.
    pub spin: Spin,
    /// Random numbers of this insertion.
    pub random: Random,
    /// How many have been inserted.
    pub done: u64,
}

/// How far insertions are: seed and number of bodies of each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InsertionMarks(pub Vec<(u64, u64)>);

impl Section for InsertionMarks {
    const NAME: &'static str = "insertions";
    const VERSION: u32 = 1;

    fn write(&self, values: &mut Values) {
        values.list(&self.0, |values, (seed, done)| {
            values.word(*seed);
            values.word(*done);
        });
    }

    fn read(values: &mut Rest<'_>, _version: u32) -> Result<Self, Damage> {
        values.list(|values| Ok((values.word()?, values.word()?))).map(Self)
    }
}

/// How bodies are placed.
#[derive(Debug, Clone, PartialEq)]
pub enum How<const D: usize> {
    /// As they are given, at the start.
    Given(Vec<NewBody<D>>),
    /// On a rectangular lattice between two corners, at the start; places that overlap a wall or another body stay empty.
    Lattice {
        /// Region.
        region: Region<D>,
        /// Sizes.
        sizes: Sizes,
        /// Distance of neighbours along each axis.
        spacing: [f64; D],
        /// Largest random shift of each coordinate.
        jitter: f64,
    },
    /// At random places without overlap, at one time.
    Random {
        /// Region.
        region: Region<D>,
        /// Sizes.
        sizes: Sizes,
        /// How many.
        amount: Amount,
        /// When.
        time: f64,
    },
    /// At random places without overlap, at a rate.
    Rain {
        /// Region.
        region: Region<D>,
        /// Sizes.
        sizes: Sizes,
        /// Bodies per time.
        rate: f64,
        /// When it starts.
        start: f64,
        /// When it ends.
        end: f64,
        /// Bodies at most.
        most: u64,
    },
}

impl<const D: usize> How<D> {
    /// Smallest radius that can come out; infinite if there is none.
    pub fn smallest(&self) -> f64 {
        match self {
            Self::Given(bodies) => bodies.iter().map(|body| body.radius).fold(f64::INFINITY, f64::min),
            Self::Lattice { sizes, .. } | Self::Random { sizes, .. } | Self::Rain { sizes, .. } => {
                sizes.smallest()
            }
        }
    }

    /// Largest radius that can come out; zero if there is none.
    pub fn largest(&self) -> f64 {
        match self {
            Self::Given(bodies) => bodies.iter().map(|body| body.radius).fold(0.0, f64::max),
            Self::Lattice { sizes, .. } | Self::Random { sizes, .. } | Self::Rain { sizes, .. } => {
                sizes.largest()
            }
        }
    }
}

/// A box between two corners.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region<const D: usize> {
    /// Lowest corner.
    pub min: [f64; D],
    /// Highest corner.
    pub max: [f64; D],
}

/// How many bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// So many.
    Count(u64),
    /// As many as fill this share of the region's volume.
    Fraction(f64),
}

/// Places that are tried for one body: many at one time, few in rain, which tries again later.
const TRIES: usize = 20_000;
const TRIES_IN_RAIN: usize = 20;
/// Relative differences that are nothing.
const ROUNDING: f64 = 1e-9;
/// Bodies that one insertion may ask for, at most.
const MOST: f64 = 1e9;
/// Bodies that rain brings at one time at most.
const MOST_AT_ONCE: u64 = 10_000;

/// Bodies that rain brings in this time.
fn fallen(rate: f64, time: f64) -> u64 {
    // A rain without end does not overflow: the conversion saturates.
    (rate * time.max(0.0)).floor() as u64
}

/// Why not all bodies could be inserted.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum InsertError {
    /// There is no room for them.
    #[error(
        "insertion `{name}`: no room for particle {placed} of {asked} (radius {radius:.3e}) after {TRIES} random places: enlarge the region, \
         ask for fewer or smaller particles, or let them rain"
    )]
    NoRoom {
        /// Name of the insertion.
        name: String,
        /// Bodies placed.
        placed: u64,
        /// Bodies asked for.
        asked: u64,
        /// Radius of the one without room.
        radius: f64,
    },
    /// A value makes no sense.
    #[error(
        "insertion `{name}`: `{value}` makes no sense: infinite, not a number, not above zero, or for too many bodies"
    )]
    Value {
        /// Name of the insertion.
        name: String,
        /// Name of the value.
        value: &'static str,
    },
    /// A body makes no sense.
    #[error("insertion `{name}`: {source}")]
    Body {
        /// Name of the insertion.
        name: String,
        /// What is wrong with it.
        source: BodyError,
    },
}

impl<const D: usize> Insertion<D> {
    /// Inserts what is due; returns how many bodies that were.
    pub fn run(&mut self, simulation: &mut Simulation<D>) -> Result<u64, InsertError> {
        self.check()?;
        let (time, step) = (simulation.time(), simulation.settings().time_step);
        let bodies = match &mut self.how {
            How::Given(_) | How::Lattice { .. } if simulation.steps() > 0 => return Ok(0),
            How::Random { time: due, .. } if self.done > 0 || time + 0.5 * step < *due => return Ok(0),
            How::Given(bodies) => std::mem::take(bodies),
            How::Lattice { region, sizes, spacing, jitter } => {
                let (region, sizes, spacing, jitter) = (*region, sizes.clone(), *spacing, *jitter);
                self.on_lattice(simulation, region, &sizes, spacing, jitter)
            }
            How::Random { region, sizes, amount, .. } => {
                let (region, sizes, amount) = (*region, sizes.clone(), *amount);
                let radii = self.radii(&sizes, amount, region);
                let asked = radii.len() as u64;
                let (bodies, missed) = self.at_random(simulation, region, &radii);
                if let Some(radius) = missed {
                    let (name, placed) = (self.name.clone(), bodies.len() as u64);
                    return Err(InsertError::NoRoom { name, placed, asked, radius });
                }
                bodies
            }
            How::Rain { region, sizes, rate, start, end, most } => {
                let due = fallen(*rate, time.min(*end) - *start).min(*most).saturating_sub(self.done);
                let (region, sizes) = (*region, sizes.clone());
                self.fallen(simulation, region, &sizes, due.min(MOST_AT_ONCE))
            }
        };
        if let Err(source) = simulation.insert(&bodies) {
            // Nothing was inserted, so they are still to come.
            if let How::Given(given) = &mut self.how {
                *given = bodies;
            }
            return Err(InsertError::Body { name: self.name.clone(), source });
        }
        self.done += bodies.len() as u64;
        Ok(bodies.len() as u64)
    }

    /// Refuses values for which there would be no end of bodies, or none.
    fn check(&self) -> Result<(), InsertError> {
        let wrong = |value: &'static str| Err(InsertError::Value { name: self.name.clone(), value });
        let region = match &self.how {
            How::Given(_) => return Ok(()),
            How::Lattice { region, sizes, spacing, jitter } => {
                let places = (0..D).map(|k| (region.max[k] - region.min[k]) / spacing[k]);
                if !(spacing.iter().all(|spacing| *spacing > 0.0) && places.product::<f64>() < MOST) {
                    return wrong("spacing");
                }
                if !(jitter.is_finite() && *jitter >= 0.0) {
                    return wrong("jitter");
                }
                (region, sizes)
            }
            How::Random { region, sizes, amount, .. } => {
                let sound = match amount {
                    Amount::Count(count) => (*count as f64) < MOST,
                    Amount::Fraction(fraction) => (0.0..1.0).contains(fraction),
                };
                if !sound {
                    return wrong("amount");
                }
                (region, sizes)
            }
            How::Rain { region, sizes, rate, .. } => {
                if !(*rate > 0.0 && rate.is_finite()) {
                    return wrong("rate");
                }
                (region, sizes)
            }
        };
        let (Region { min, max }, sizes) = region;
        if !(0..D).all(|k| min[k] < max[k] && min[k].is_finite() && max[k].is_finite()) {
            return wrong("region");
        }
        if sizes.check().is_err() { wrong("sizes") } else { Ok(()) }
    }

    /// Each material that can come out, with its smallest radius.
    pub fn smallest_by_material(&self) -> Vec<(u8, f64)> {
        let mut smallest: Vec<(u8, f64)> = Vec::new();
        let mut note =
            |material: u8, radius: f64| match smallest.iter_mut().find(|(known, _)| *known == material) {
                Some((_, known)) => *known = known.min(radius),
                None => smallest.push((material, radius)),
            };
        match &self.how {
            How::Given(bodies) => bodies.iter().for_each(|body| note(body.material, body.radius)),
            how => note(self.material, how.smallest()),
        }
        smallest
    }

    /// How far it is.
    pub(crate) fn mark(&self) -> (u64, u64) {
        (self.random.seed_to_go_on(), self.done)
    }

    /// Continues where another one of its kind was.
    pub(crate) fn resume(&mut self, (seed, done): (u64, u64)) {
        (self.random, self.done) = (Random::new(seed), done);
    }

    /// How many bodies should have come by this time and have not, for want of room.
    pub fn waiting(&self, time: f64) -> u64 {
        match &self.how {
            How::Rain { rate, start, end, most, .. } => {
                fallen(*rate, time.min(*end) - start).min(*most).saturating_sub(self.done)
            }
            _ => 0,
        }
    }

    /// Whether nothing more will come.
    pub fn is_over(&self, time: f64) -> bool {
        match &self.how {
            How::Given(_) | How::Lattice { .. } => true,
            How::Random { .. } => self.done > 0,
            How::Rain { end, most, .. } => self.done >= *most || time > *end,
        }
    }

    /// Radii for an amount, the largest first, so that they find room.
    fn radii(&mut self, sizes: &Sizes, amount: Amount, region: Region<D>) -> Vec<f64> {
        let mut radii = Vec::new();
        match amount {
            Amount::Count(count) => radii.extend((0..count).map(|_| sizes.draw(D, &mut self.random))),
            Amount::Fraction(fraction) => {
                let space: f64 = (0..D).map(|k| region.max[k] - region.min[k]).product();
                let mut filled = 0.0;
                while filled < fraction * space {
                    let radius = sizes.draw(D, &mut self.random);
                    filled += Shapes::<D>::volume(radius);
                    radii.push(radius);
                }
            }
        }
        radii.sort_by(|a, b| b.total_cmp(a));
        radii
    }

    pub(crate) fn body(&mut self, position: [f64; D], radius: f64) -> NewBody<D> {
        let most = self.random_velocity;
        let velocity = std::array::from_fn(|k| {
            self.velocity[k] + if most > 0.0 { self.random.uniform(-most, most) } else { 0.0 }
        });
        let body = NewBody { material: self.material, spin: self.spin, ..NewBody::ball(position, radius) };
        body.moving(velocity)
    }

    fn on_lattice(
        &mut self,
        simulation: &Simulation<D>,
        region: Region<D>,
        sizes: &Sizes,
        spacing: [f64; D],
        jitter: f64,
    ) -> Vec<NewBody<D>> {
        let largest = sizes.largest() + jitter;
        let counts: [usize; D] = std::array::from_fn(|k| {
            let room = region.max[k] - region.min[k] - 2.0 * largest;
            if room < -ROUNDING * largest { 0 } else { (room / spacing[k] * (1.0 + ROUNDING)) as usize + 1 }
        });
        let mut room = Room::new(simulation, region, sizes.smallest(), sizes.largest());
        let mut bodies = Vec::new();
        for mut index in 0..counts.iter().product() {
            let radius = sizes.draw(D, &mut self.random);
            let center = std::array::from_fn(|k| {
                let place = index % counts[k];
                index /= counts[k];
                let shift = if jitter > 0.0 { self.random.uniform(-jitter, jitter) } else { 0.0 };
                region.min[k] + largest + place as f64 * spacing[k] + shift
            });
            // Neighbours and walls may touch exactly; rounding must not make an overlap of that.
            if room.take(simulation, center, radius * (1.0 - ROUNDING)) {
                bodies.push(self.body(center, radius));
            }
        }
        bodies
    }

    /// Bodies with these radii, and the first radius for which no place was found.
    fn at_random(
        &mut self,
        simulation: &Simulation<D>,
        region: Region<D>,
        radii: &[f64],
    ) -> (Vec<NewBody<D>>, Option<f64>) {
        let mut bodies = Vec::new();
        let smallest = radii.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = radii.iter().copied().fold(0.0, f64::max);
        if radii.is_empty() {
            return (bodies, None);
        }
        let mut room = Room::new(simulation, region, smallest, largest);
        for &radius in radii {
            match room.find(simulation, region, radius, TRIES, &mut self.random) {
                Some(center) => bodies.push(self.body(center, radius)),
                None => return (bodies, Some(radius)),
            }
        }
        (bodies, None)
    }

    /// Up to so many bodies; the first without room waits for the next time.
    fn fallen(
        &mut self,
        simulation: &Simulation<D>,
        region: Region<D>,
        sizes: &Sizes,
        due: u64,
    ) -> Vec<NewBody<D>> {
        let mut bodies = Vec::new();
        if due == 0 {
            return bodies;
        }
        let mut room = Room::new(simulation, region, sizes.smallest(), sizes.largest());
        for _ in 0..due {
            let before = self.random.clone();
            let radius = sizes.draw(D, &mut self.random);
            // Places come from numbers of their own: a body that has to wait keeps its size, but not its places, so that
            // crowding does not change the distribution of sizes.
            let mut places = Random::new(self.random.bits() ^ simulation.steps());
            let Some(center) = room.find(simulation, region, radius, TRIES_IN_RAIN, &mut places) else {
                self.random = before;
                break;
            };
            bodies.push(self.body(center, radius));
        }
        bodies
    }
}
