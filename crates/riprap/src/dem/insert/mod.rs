//! Where new bodies come from: lists, lattices, random places, rain.
//!
//! Places are tried with the body itself, whatever its shape: balls around bodies only tell which are near (`room.rs`).

mod bounds;
mod error;
mod how;
mod kind;
mod places;
mod room;
mod sizes;
mod solids;

pub use bounds::{Bounds, Cylinder, Mould, MouldError};
pub use error::InsertError;
pub use how::{Amount, How, Region};
pub use kind::Kind;
pub use sizes::{Sizes, SizesError};
pub use solids::ClosedWall;
use solids::Solids;

use super::body::{ShapeIndex, Shapes};
use super::inserted::{Smallest, Surfaces};
use super::materials::Materials;
use super::simulation::Simulation;
use super::spin::Spin;
use crate::Random;
use crate::archive::{Damage, Rest, Section, Values};

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
    /// Shapes, as many bodies of each; none for balls. Bodies that are given have their own.
    pub kinds: Vec<Kind>,
    /// How the coordinates of all shapes are turned, as a unit quaternion; by default each body at random.
    pub rotation: Option<[f64; 4]>,
    /// What narrows the region.
    pub bounds: Bounds<D>,
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

/// Places that are tried for one body at one time.
const TRIES: usize = 20_000;
/// Relative differences that are nothing.
const ROUNDING: f64 = 1e-9;
/// Bodies that one insertion may ask for, at most.
const MOST: f64 = 1e9;
/// Steps between two times at which insertions are run.
pub(crate) const INTERVAL: u64 = 16;
/// Bodies that rain brings at one time at most.
const MOST_AT_ONCE: u64 = 10_000;

/// Bodies that rain brings in this time.
fn fallen(rate: f64, time: f64) -> u64 {
    // A rain without end does not overflow: the conversion saturates.
    (rate * time.max(0.0)).floor() as u64
}

impl<const D: usize> Insertion<D> {
    /// Inserts what is due; returns how many bodies that were.
    pub fn run(&mut self, simulation: &mut Simulation<D>) -> Result<u64, InsertError> {
        self.check(simulation.shapes())?;
        let (time, step) = (simulation.time(), simulation.settings().time_step);
        let bodies = match &mut self.how {
            How::Given(_) | How::Lattice { .. } if simulation.steps() > 0 => return Ok(0),
            How::Random { time: due, .. } if self.done > 0 || time + 0.5 * step < *due => return Ok(0),
            How::Given(bodies) => std::mem::take(bodies),
            How::Lattice { region, sizes, spacing, jitter } => {
                let (region, sizes, spacing, jitter) = (*region, sizes.clone(), *spacing, *jitter);
                let bodies = self.on_lattice(simulation, region, &sizes, spacing, jitter);
                if bodies.is_empty() {
                    let [low, high] = self.extent(simulation.shapes(), sizes.largest());
                    let needed = std::array::from_fn::<f64, D, _>(|k| low[k] + high[k] + 2.0 * jitter);
                    let short = (0..D).map(|k| (needed[k], region.max[k] - region.min[k]));
                    let tightest = short.max_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
                    let (needed, side) = tightest.unwrap_or_default();
                    return Err(InsertError::NoPlace { name: self.name.clone(), needed, side });
                }
                bodies
            }
            How::Random { region, sizes, amount, .. } => {
                let (region, sizes, amount) = (*region, sizes.clone(), *amount);
                let radii = self.radii(simulation, region, &sizes, amount);
                let asked = radii.len() as u64;
                let (bodies, missed) = self.at_random(simulation, region, &radii);
                if let Some(radius) = missed {
                    let (name, placed) = (self.name.clone(), bodies.len() as u64);
                    let sides = (0..D).map(|k| region.max[k] - region.min[k]);
                    let narrowest = sides.fold(f64::INFINITY, f64::min);
                    return Err(InsertError::NoRoom { name, placed, asked, radius, narrowest });
                }
                bodies
            }
            How::Rain { region, sizes, rate, start, end, most } => {
                // What was due when the rain ended comes at the first time after that, or never.
                if time >= *end + INTERVAL as f64 * step {
                    return Ok(0);
                }
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

    /// Refuses values for which there would be no end of bodies, or none, and shapes that are not there.
    fn check(&self, shapes: &Shapes<D>) -> Result<(), InsertError> {
        let wrong = |value: &'static str| Err(InsertError::Value { name: self.name.clone(), value });
        if self.kinds.iter().any(|kind| shapes.find(kind.shape).is_none()) {
            return wrong("kinds");
        }
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

    /// The closed walls near the region, with the side of each on which bodies are inserted.
    pub fn closed_walls(&self, simulation: &Simulation<D>) -> Vec<ClosedWall> {
        match &self.how {
            How::Given(_) => Vec::new(),
            How::Lattice { region, .. } | How::Random { region, .. } | How::Rain { region, .. } => {
                Solids::new(simulation, region, &self.bounds).0
            }
        }
    }

    /// Notes what can come out, by material.
    pub(crate) fn note_surfaces(
        &self,
        shapes: &Shapes<D>,
        materials: &Materials<D>,
        surfaces: &mut [Surfaces],
    ) {
        let mut note = |material: u8, shape: ShapeIndex, radii: [f64; 2], several: bool| {
            let material = usize::from(material);
            let mass = materials.list()[material].density * Shapes::<D>::volume(radii[0]);
            let smallest = Smallest { radius: radii[0], mass };
            surfaces[material].add(shapes.get(shape), smallest, radii[1], several);
        };
        match &self.how {
            How::Given(bodies) => {
                for body in bodies {
                    note(body.material, body.shape, [body.radius; 2], false);
                }
            }
            how @ (How::Lattice { sizes, .. } | How::Random { sizes, .. } | How::Rain { sizes, .. }) => {
                let several = !matches!(how, How::Random { amount: Amount::Count(1), .. });
                let kinds = if self.kinds.is_empty() { &[Kind::BALL] } else { &self.kinds[..] };
                for kind in kinds {
                    note(self.material, kind.shape, [sizes.smallest(), sizes.largest()], several);
                }
            }
        }
    }

    /// Radius of the largest ball around a body that can come out; zero if there is none.
    pub(crate) fn largest(&self, shapes: &Shapes<D>) -> f64 {
        let sizes = match &self.how {
            How::Given(bodies) => {
                let bounds = bodies.iter().map(|body| body.radius * shapes.get(body.shape).reach);
                return bounds.fold(0.0, f64::max);
            }
            How::Lattice { sizes, .. } | How::Random { sizes, .. } | How::Rain { sizes, .. } => sizes,
        };
        let reach = self.kinds.iter().map(|kind| shapes.get(kind.shape).reach).fold(1.0, f64::max);
        sizes.largest() * reach
    }

    /// How far it is.
    pub(crate) fn mark(&self) -> (u64, u64) {
        (self.random.seed_to_go_on(), self.done)
    }

    /// Continues where another one of its kind was.
    pub(crate) fn resume(&mut self, (seed, done): (u64, u64)) {
        (self.random, self.done) = (Random::new(seed), done);
    }

    /// How many bodies should have come by this time and have not, for want of room. After the end of a rain they never will.
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
}
