//! All walls of a simulation: where they are, which bodies are near them, and what is refused.

use std::sync::OnceLock;

use thiserror::Error as ThisError;

use super::enclosed::Enclosed;
use super::facet_grid::bounds;
use super::forces::Around;
use super::near::WallList;
use super::speed::TurningSpeed;
use super::{Nearest, Placement, Surface, Wall};
use crate::dem::body::{Bodies, Load};
use crate::dem::conditions::Conditions;
use crate::dem::contact::{ContactRecord, Partner, StoredEnergy};
use crate::dem::domain::{BoxImage, Domain, Jump, Periods};
use crate::dem::law::AnyLaw;
use crate::dem::material::MaterialError;
use crate::dem::materials::Materials;
use crate::error::AXES;
use crate::vector::{dot, length, scale, sub};

/// What is wrong with a wall.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum WallError {
    /// More walls than can be numbered.
    #[error("{count} walls, expected at most {}", u16::MAX)]
    Count {
        /// Number of walls given.
        count: usize,
    },
    /// A wall has an unknown material.
    #[error("wall `{wall}`: {source}")]
    Material {
        /// Name of the wall.
        wall: String,
        /// What is wrong with it.
        source: MaterialError,
    },
    /// A number is not finite, or a direction has not the length one.
    #[error("wall `{wall}`: `{value}` is not {expected}")]
    Value {
        /// Name of the wall.
        wall: String,
        /// What the number belongs to.
        value: &'static str,
        /// What was expected.
        expected: &'static str,
    },
    /// A periodic box would cut it.
    #[error(
        "wall `{wall}` goes across axis {axis}, which is periodic: leave the axis open, or use walls along it"
    )]
    Periodic {
        /// Name of the wall.
        wall: String,
        /// The axis.
        axis: &'static str,
    },
    /// Phases of its motion do not follow each other.
    #[error(
        "wall `{wall}`: phase {phase} of its motion does not follow the one before, or is over before it starts"
    )]
    Phase {
        /// Name of the wall.
        wall: String,
        /// Index of the phase.
        phase: usize,
    },
}

/// The walls of a simulation.
pub(crate) struct Walls<const D: usize> {
    pub(crate) list: Vec<Wall<D>>,
    pub(crate) placements: Vec<Placement<D>>,
    pub(crate) near: WallList<D>,
    turning: Vec<TurningSpeed>,
    /// What each wall encloses, if it is closed; found out when it is asked for.
    enclosed: Vec<OnceLock<Option<Enclosed<D>>>>,
    /// Whether some have vanished since that was last asked.
    vanished: bool,
    /// How far walls may have come since bodies near them were listed.
    moved: f64,
    /// A point, and the distance within which all bodies were when they were listed.
    extent: ([f64; D], f64),
}

impl<const D: usize> Walls<D> {
    /// Checks the walls.
    pub(crate) fn new(list: Vec<Wall<D>>, materials: &Materials<D>, words: usize) -> Result<Self, WallError> {
        if list.len() > usize::from(u16::MAX) {
            return Err(WallError::Count { count: list.len() });
        }
        for wall in &list {
            wall.check()?;
            let named = |source| WallError::Material { wall: wall.name.clone(), source };
            materials.check_index(wall.material).map_err(named)?;
        }
        let place =
            |wall: &Wall<D>| Placement { gone: wall.until <= 0.0, ..Placement::at(&wall.motion, 0.0) };
        let placements = list.iter().map(place).collect();
        let turning = vec![TurningSpeed::default(); list.len()];
        let (near, extent) = (WallList::new(words), ([0.0; D], 0.0));
        let enclosed = list.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { list, placements, near, turning, enclosed, vanished: false, moved: 0.0, extent })
    }

    /// Refuses walls that a periodic box would cut.
    pub(crate) fn check_periodic(&self, domain: &Domain<D>) -> Result<(), WallError> {
        self.list.iter().try_for_each(|wall| wall.check_periodic(domain))
    }

    /// The list of bodies near walls, and what their forces depend on.
    pub(crate) fn split<'a>(
        &'a mut self,
        conditions: Conditions<'a, D>,
    ) -> (&'a mut WallList<D>, Around<'a, D>) {
        let Self { list, placements, near, .. } = self;
        (near, Around { walls: list, placements, conditions })
    }

    /// What forces of walls depend on.
    pub(crate) fn around<'a>(&'a self, conditions: Conditions<'a, D>) -> Around<'a, D> {
        Around { walls: &self.list, placements: &self.placements, conditions }
    }

    /// See [`WallList::follow`].
    pub(crate) fn follow(&mut self, jumps: &[Jump]) -> bool {
        let list = &self.list;
        self.near.follow(jumps, |wall| list[usize::from(wall)].surface.has_ends())
    }

    /// How far walls may have come since bodies near them were listed.
    pub(crate) fn moved(&self) -> f64 {
        self.moved
    }

    /// Energy stored in the contacts.
    pub(crate) fn stored(
        &self,
        bodies: &Bodies<D>,
        passes: &dyn AnyLaw<D>,
        conditions: Conditions<'_, D>,
    ) -> StoredEnergy {
        self.near.stored(bodies, passes, &self.around(conditions))
    }

    /// Row, wall and overlap of each contact.
    pub(crate) fn overlaps<'a>(
        &'a self,
        bodies: &'a Bodies<D>,
        conditions: Conditions<'a, D>,
    ) -> impl Iterator<Item = (usize, usize, f64)> + 'a {
        self.near.overlaps(bodies, self.around(conditions))
    }

    /// Materials of all walls.
    pub(crate) fn materials(&self) -> Vec<u8> {
        self.list.iter().map(|wall| wall.material).collect()
    }

    /// Moves the walls to where they are at a time.
    pub(crate) fn move_to(&mut self, time: f64) {
        for ((placement, turning), wall) in self.placements.iter_mut().zip(&mut self.turning).zip(&self.list)
        {
            let gone = wall.until <= time;
            self.vanished |= gone && !placement.gone;
            if !wall.motion.is_empty() {
                *placement = Placement::at(&wall.motion, time);
                turning.update(wall, placement, time);
            }
            placement.gone = gone;
        }
    }

    /// Whether walls have vanished since this was last asked.
    pub(crate) fn have_vanished(&mut self) -> bool {
        std::mem::take(&mut self.vanished)
    }

    /// Adds up how far walls may have come nearer to bodies in a step.
    pub(crate) fn note_motion(&mut self, step: f64) {
        self.moved += step * self.speeds().map(|(_, speed)| speed).fold(0.0, f64::max);
    }

    /// Whether walls may have come through this margin.
    pub(crate) fn have_left(&self, margin: f64) -> bool {
        self.moved > 0.5 * margin
    }

    /// Begins to watch how far walls move from now on.
    pub(crate) fn watch(&mut self, bodies: &Bodies<D>, margin: f64) {
        self.moved = 0.0;
        if self.list.iter().all(|wall| wall.motion.is_empty()) {
            return;
        }
        let first = bodies.position.first().copied().unwrap_or([0.0; D]);
        let squares = bodies.position.iter().map(|x| dot(sub(*x, first), sub(*x, first)));
        let reach = squares.fold(0.0, f64::max).sqrt();
        self.extent = (first, reach + 2.0 * bodies.largest_radius() + margin);
    }

    /// Each wall that ever moves, and how fast it comes nearer to a body, at most.
    fn speeds(&self) -> impl Iterator<Item = (&Wall<D>, f64)> {
        let walls = self.list.iter().zip(&self.placements).zip(&self.turning);
        walls
            .filter(|((wall, placement), _)| !wall.motion.is_empty() && !placement.gone)
            .map(|((wall, placement), turning)| (wall, turning.fastest(placement, self.extent)))
    }

    /// The first moving wall that passes more than `limit` in a step, and its speed.
    pub(crate) fn too_fast(&self, step: f64, limit: f64) -> Option<(&Wall<D>, f64)> {
        self.speeds().find(|(_, speed)| speed * step > limit)
    }

    /// The first wall whose nearest image may be further than one box length away, with the axis and where it begins and ends.
    pub(crate) fn too_far(&self, domain: &Domain<D>) -> Option<(&Wall<D>, usize, f64, f64)> {
        for (wall, placement) in self.list.iter().zip(&self.placements) {
            let Surface::Facets(facets) = &wall.surface else { continue };
            if placement.gone {
                continue;
            }
            for k in (0..D).filter(|&k| domain.periodic[k]) {
                let places = facets.corners().iter().flatten().map(|corner| placement.to_now(*corner)[k]);
                let (low, high) = places
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
                let (min, max) = (domain.min[k], domain.max[k]);
                if low < 2.0 * min - max || high > 2.0 * max - min {
                    return Some((wall, k, low, high));
                }
            }
        }
        None
    }

    /// Whether a ball here would overlap a wall, or be behind it.
    pub(crate) fn touches(&self, periods: &Periods<D>, center: [f64; D], radius: f64) -> bool {
        let images = periods.images();
        let only_itself = [BoxImage::itself(D)];
        let mut elements = Vec::new();
        self.list.iter().map(|wall| &wall.surface).zip(&self.placements).any(|(surface, placement)| {
            let images = if surface.has_ends() { &images[..] } else { &only_itself };
            !placement.gone
                && images.iter().any(|&image| {
                    let local = placement.to_start(sub(center, periods.shift(image)));
                    elements.clear();
                    surface.near(local, radius, &mut elements);
                    let overlaps = |near: Nearest<D>| near.distance < radius;
                    elements
                        .iter()
                        .any(|&element| surface.nearest(element as usize, local).is_some_and(overlaps))
                })
        })
    }

    /// Whether the box around a wall of facets, or around an image of it, meets the box between two corners.
    pub(crate) fn is_near(&self, periods: &Periods<D>, wall: usize, min: [f64; D], max: [f64; D]) -> bool {
        let Surface::Facets(facets) = &self.list[wall].surface else { return false };
        let (low, high) = facets.bounds();
        let corners = (0..1usize << D).map(|corner| {
            let corner = std::array::from_fn(|k| if corner >> k & 1 == 0 { low[k] } else { high[k] });
            self.placements[wall].to_now(corner)
        });
        let (low, high) = bounds(corners.collect::<Vec<_>>().iter());
        let meets = |&image: &BoxImage| {
            let shift = periods.shift(image);
            (0..D).all(|k| low[k] + shift[k] <= max[k] && min[k] <= high[k] + shift[k])
        };
        periods.images().iter().any(meets)
    }

    /// Whether a closed wall encloses a point; `None` if it is not closed, or gone.
    pub(crate) fn encloses(&self, periods: &Periods<D>, wall: usize, point: [f64; D]) -> Option<bool> {
        let Surface::Facets(facets) = &self.list[wall].surface else { return None };
        let placement = &self.placements[wall];
        if placement.gone {
            return None;
        }
        let enclosed = self.enclosed[wall].get_or_init(|| Enclosed::by(facets)).as_ref()?;
        let there =
            |&image: &BoxImage| enclosed.contains(placement.to_start(sub(point, periods.shift(image))));
        Some(periods.images().iter().any(there))
    }

    /// Force on each wall and torque about its centre, from what contacts applied.
    pub(crate) fn loads(&self, records: &[ContactRecord<D>]) -> Vec<Load<D>> {
        let mut loads = vec![Load::NONE; self.list.len()];
        for record in records {
            let Partner::Wall(wall) = record.b else { continue };
            loads[usize::from(wall)] += Load { force: scale(record.force, -1.0), torque: record.torque_b };
        }
        loads
    }
}

impl<const D: usize> Wall<D> {
    /// Refuses a wall that goes across a periodic axis, or turns away from it.
    pub(crate) fn check_periodic(&self, domain: &Domain<D>) -> Result<(), WallError> {
        for k in (0..D).filter(|&k| domain.periodic[k]) {
            let periodic: [f64; D] = std::array::from_fn(|i| f64::from(u8::from(i == k)));
            let turns =
                |own: [f64; D]| self.motion.iter().any(|phase| !phase.keeps(own) && !phase.keeps(periodic));
            let cut = match &self.surface {
                Surface::Plane { normal, .. } => normal[k] != 0.0 || turns(*normal),
                Surface::Box { .. } => true,
                Surface::Cylinder { axis, .. } => axis[k].abs() != 1.0 || turns(*axis),
                Surface::Facets(_) => false,
            };
            if cut {
                return Err(WallError::Periodic { wall: self.name.clone(), axis: AXES[k] });
            }
        }
        Ok(())
    }

    fn check(&self) -> Result<(), WallError> {
        let wrong = |value: &'static str, expected: &'static str| {
            Err(WallError::Value { wall: self.name.clone(), value, expected })
        };
        let finite = |vector: &[f64]| vector.iter().all(|x| x.is_finite());
        let is_unit = |vector: [f64; D]| (length(vector) - 1.0).abs() < 1e-9;
        match &self.surface {
            Surface::Plane { point, .. } if !finite(point) => return wrong("point", "finite"),
            Surface::Plane { normal, .. } if !is_unit(*normal) => return wrong("normal", "of length one"),
            Surface::Box { min, max } if !(0..D).all(|k| min[k] < max[k] && finite(&[min[k], max[k]])) => {
                return wrong("max", "finite and more than `min` along every axis");
            }
            Surface::Cylinder { point, .. } if !finite(point) => return wrong("point", "finite"),
            Surface::Cylinder { radius, .. } if !(*radius > 0.0 && radius.is_finite()) => {
                return wrong("radius", "a finite number above zero");
            }
            Surface::Cylinder { axis, .. } if D == 3 && !is_unit(*axis) => {
                return wrong("axis", "of length one");
            }
            Surface::Cylinder { axis, .. } if D == 2 && *axis != [0.0; D] => {
                return wrong("axis", "zero, as it must be in 2D");
            }
            _ => {}
        }
        if !finite(&self.center) {
            return wrong("center", "finite");
        }
        if self.until.is_nan() {
            return wrong("until", "a time");
        }
        let mut last = 0.0;
        for (index, phase) in self.motion.iter().enumerate() {
            if !(finite(&phase.velocity) && finite(&phase.spin) && finite(&phase.center)) {
                return wrong("motion", "finite");
            }
            if D == 2 && phase.spin[..2] != [0.0; 2] {
                return wrong("spin", "zero in its first two components, as it must be in 2D");
            }
            if !(phase.start >= last && phase.start < phase.end) {
                return Err(WallError::Phase { wall: self.name.clone(), phase: index });
            }
            last = phase.end;
        }
        Ok(())
    }
}
