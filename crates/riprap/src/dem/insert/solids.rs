//! The solid side of closed walls, on which nothing is inserted.
//!
//! Which side that is a wall may say itself. Else bodies are on the side on which most of the region is: a container has its region inside,
//! even if corners of the region reach out; a body that stands in the way takes a small part of the region.

use super::{Bounds, Region};
use crate::dem::body::NewBody;
use crate::dem::simulation::Simulation;
use crate::dem::stones::PlacedBody;
use crate::dem::wall::Surface;
use crate::vector::{add, scale};

/// Points along each axis by which a side is chosen.
const FEW: usize = 10;
/// Points along each axis by which a share is told, to about a hundredth.
const MANY: usize = 40;

/// A closed wall of which a region of insertion has both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosedWall {
    /// Index of the wall.
    pub wall: usize,
    /// Whether bodies are inserted inside it, and not outside.
    pub inside: bool,
    /// Whether the wall says so itself.
    pub is_given: bool,
    /// The share of the region that it encloses, to about a tenth.
    pub share: f64,
}

/// The closed walls near a region.
pub(super) struct Solids(pub(super) Vec<ClosedWall>);

impl Solids {
    pub(super) fn new<const D: usize>(
        simulation: &Simulation<D>,
        region: &Region<D>,
        bounds: &Bounds<D>,
    ) -> Self {
        let of = |(wall, surface): (usize, &Surface<D>)| {
            let Surface::Facets(facets) = surface else { return None };
            if !simulation.wall_is_near(wall, region.min, region.max) {
                return None;
            }
            let (mut there, mut enclosed) = (0, 0);
            for point in region.samples(FEW).filter(|point| bounds.contain(*point)) {
                there += 1;
                enclosed += usize::from(simulation.wall_encloses(wall, point)?);
            }
            let (share, given) = (enclosed as f64 / there.max(1) as f64, facets.bodies_inside());
            Some(ClosedWall { wall, inside: given.unwrap_or(share > 0.5), is_given: given.is_some(), share })
        };
        Self(simulation.walls().iter().map(|wall| &wall.surface).enumerate().filter_map(of).collect())
    }

    /// Whether a point is on the free side of all walls.
    fn free<const D: usize>(&self, simulation: &Simulation<D>, point: [f64; D]) -> bool {
        let free = |one: &ClosedWall| simulation.wall_encloses(one.wall, point) != Some(!one.inside);
        self.0.iter().all(free)
    }

    /// Whether a body that does not overlap the walls is on their free side.
    pub(super) fn are_clear_of<const D: usize>(&self, simulation: &Simulation<D>, body: &NewBody<D>) -> bool {
        if self.0.is_empty() {
            return true;
        }
        // A concave body may go around its centre; the centre of a piece is in it, and the others are where that is.
        let placed = PlacedBody::new(body);
        let first = simulation.shapes().get(body.shape).pieces.first();
        let within = first.map_or([0.0; D], |piece| placed.pose.turn(piece.center));
        self.free(simulation, add(body.position, scale(within, placed.size)))
    }

    /// The share of a region that is within bounds and on the free side.
    pub(super) fn free_share<const D: usize>(
        &self,
        simulation: &Simulation<D>,
        region: &Region<D>,
        bounds: &Bounds<D>,
    ) -> f64 {
        if self.0.is_empty() && bounds.is_none() {
            return 1.0;
        }
        let free = |point: &[f64; D]| bounds.contain(*point) && self.free(simulation, *point);
        let count = MANY.pow(D as u32);
        region.samples(MANY).filter(free).count() as f64 / count as f64
    }
}

impl<const D: usize> Region<D> {
    /// Points all over it, so many along each axis.
    fn samples(&self, along: usize) -> impl Iterator<Item = [f64; D]> {
        let Self { min, max } = *self;
        (0..along.pow(D as u32)).map(move |index| {
            std::array::from_fn(|k| {
                let place = index / along.pow(k as u32) % along;
                min[k] + (max[k] - min[k]) * (place as f64 + 0.5) / along as f64
            })
        })
    }
}
