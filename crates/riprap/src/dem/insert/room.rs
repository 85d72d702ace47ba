//! Room for new bodies: what is taken by bodies and walls already.
//!
//! A grid of balls around the bodies tells which are near a place. While all bodies are balls, that is the answer; else those near are
//! compared as they are.

use super::kind::Homeless;
use super::solids::Solids;
use super::{Bounds, Insertion, Region, Sizes};
use crate::Random;
use crate::broad::{HierarchicalGrid, LevelSizes};
use crate::dem::body::{Bodies, NewBody, Shapes};
use crate::dem::simulation::Simulation;
use crate::dem::stones::{Clearance, PlacedBody};

/// What is taken by bodies already.
pub(super) struct Room<const D: usize> {
    grid: HierarchicalGrid<D>,
    touching: Vec<u32>,
    origin: [f64; D],
    bounds: Bounds<D>,
    solids: Solids,
    /// The bodies of the grid by their numbers, where not all are balls.
    stones: Option<(Vec<PlacedBody<D>>, Clearance<D>)>,
}

impl<const D: usize> Room<D> {
    /// What bodies take of a region and its surroundings, for new ones of these sizes.
    pub(super) fn new(
        simulation: &Simulation<D>,
        region: Region<D>,
        sizes: &Sizes,
        insertion: &Insertion<D>,
    ) -> Self {
        let (bodies, shapes): (&Bodies<D>, _) = (simulation.bodies(), simulation.shapes());
        let reach = insertion.kinds.iter().map(|kind| shapes.get(kind.shape).reach).fold(1.0, f64::max);
        let (smallest, largest) = (sizes.smallest(), reach * sizes.largest());
        let bounds = bodies.bounds();
        let range = bounds.iter().fold((smallest, largest), |(low, high), r| (low.min(*r), high.max(*r)));
        let sizes = LevelSizes::default().sizes(Some(range));
        let criterion = simulation.settings().domain.criterion(0.0);
        let grid = HierarchicalGrid::new(criterion, &sizes).expect("sizes of levels ascend");
        let domain = &simulation.settings().domain;
        let origin = std::array::from_fn(|k| if domain.periodic[k] { domain.min[k] } else { 0.0 });
        let stones = (!shapes.only_balls()).then(|| (Vec::new(), Clearance::new()));
        let bounds_of_region = insertion.bounds.clone();
        let solids = Solids::new(simulation, &region, &bounds_of_region);
        let mut room = Self { grid, touching: Vec::new(), origin, bounds: bounds_of_region, solids, stones };
        for (row, (center, &radius)) in bodies.position.iter().zip(bounds).enumerate() {
            // Images of bodies along periodic axes may reach in from the other side.
            let near = (0..D).all(|k| {
                domain.periodic[k] || (region.min[k] - radius..=region.max[k] + radius).contains(&center[k])
            });
            if near {
                let orientation =
                    bodies.turning.orientation.get(row).copied().unwrap_or(super::Kind::BALL.axes);
                let body = NewBody::shaped(bodies.shape[row], *center, bodies.radius[row], orientation);
                room.add(&body, radius);
            }
        }
        room
    }

    /// Takes a free place, if one is found.
    pub(super) fn find(
        &mut self,
        simulation: &Simulation<D>,
        region: Region<D>,
        body: &Homeless,
        tries: usize,
        random: &mut Random,
    ) -> Option<[f64; D]> {
        let [low, high] = body.extent(simulation.shapes());
        if (0..D).any(|k| region.max[k] - region.min[k] < low[k] + high[k]) {
            return None;
        }
        (0..tries).find_map(|_| {
            let center =
                std::array::from_fn(|k| random.uniform(region.min[k] + low[k], region.max[k] - high[k]));
            self.take(simulation, &body.at(center)).then_some(center)
        })
    }

    /// Takes a place if it is free.
    pub(super) fn take(&mut self, simulation: &Simulation<D>, body: &NewBody<D>) -> bool {
        let (shapes, center) = (simulation.shapes(), body.position);
        let bound =
            if self.stones.is_some() { body.radius * shapes.get(body.shape).reach } else { body.radius };
        let relative = self.relative(center);
        let known = self.grid.find_touching(relative, bound, &mut self.touching).is_ok();
        let free = match &mut self.stones {
            None => self.touching.is_empty() && !simulation.touches_wall(center, body.radius),
            Some((placed, clearance)) => {
                let new = PlacedBody::new(body);
                let overlaps = |&number: &u32| {
                    let other = &placed[number as usize];
                    let apart = simulation.settings().domain.separation(center, other.pose.position);
                    clearance.overlap(shapes, &new, other, apart)
                };
                !self.touching.iter().any(overlaps) && !overlaps_wall(simulation, body, &new, clearance)
            }
        };
        let within = || self.bounds.is_none() || self.bounds.hold(shapes, &PlacedBody::new(body));
        let outside = || self.solids.are_clear_of(simulation, body);
        known && free && within() && outside() && self.add(body, bound)
    }

    /// Notes a body and the ball around it.
    fn add(&mut self, body: &NewBody<D>, bound: f64) -> bool {
        let added = self.grid.insert(self.relative(body.position), bound).is_ok();
        if let (Some((placed, _)), true) = (&mut self.stones, added) {
            placed.push(PlacedBody::new(body));
        }
        added
    }

    fn relative(&self, center: [f64; D]) -> [f64; D] {
        std::array::from_fn(|k| center[k] - self.origin[k])
    }
}

fn overlaps_wall<const D: usize>(
    simulation: &Simulation<D>,
    body: &NewBody<D>,
    placed: &PlacedBody<D>,
    clearance: &mut Clearance<D>,
) -> bool {
    if body.shape == Shapes::<D>::BALL {
        simulation.touches_wall(body.position, body.radius)
    } else {
        simulation.overlaps_wall(placed, clearance)
    }
}
