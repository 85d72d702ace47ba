//! Room for new bodies: what is taken by bodies and walls already.

use super::Region;
use crate::Random;
use crate::broad::{HierarchicalGrid, LevelSizes};
use crate::dem::body::Bodies;
use crate::dem::simulation::Simulation;

/// What is taken by bodies already.
pub(super) struct Room<const D: usize> {
    grid: HierarchicalGrid<D>,
    touching: Vec<u32>,
    origin: [f64; D],
}

impl<const D: usize> Room<D> {
    /// What bodies take of a region and its surroundings, for new ones of these sizes.
    pub(super) fn new(simulation: &Simulation<D>, region: Region<D>, smallest: f64, largest: f64) -> Self {
        let bodies: &Bodies<D> = simulation.bodies();
        let range =
            bodies.radius.iter().fold((smallest, largest), |(low, high), r| (low.min(*r), high.max(*r)));
        let sizes = LevelSizes::default().sizes(Some(range));
        let criterion = simulation.settings().domain.criterion(0.0);
        let mut grid = HierarchicalGrid::new(criterion, &sizes).expect("sizes of levels ascend");
        let domain = &simulation.settings().domain;
        let origin = std::array::from_fn(|k| if domain.periodic[k] { domain.min[k] } else { 0.0 });
        for (center, &radius) in bodies.position.iter().zip(&bodies.radius) {
            // Images of bodies along periodic axes may reach in from the other side.
            let near = (0..D).all(|k| {
                domain.periodic[k] || (region.min[k] - radius..=region.max[k] + radius).contains(&center[k])
            });
            if near {
                let _ = grid.insert(std::array::from_fn(|k| center[k] - origin[k]), radius);
            }
        }
        Self { grid, touching: Vec::new(), origin }
    }

    /// Takes a free place, if one is found.
    pub(super) fn find(
        &mut self,
        simulation: &Simulation<D>,
        region: Region<D>,
        radius: f64,
        tries: usize,
        random: &mut Random,
    ) -> Option<[f64; D]> {
        if (0..D).any(|k| region.max[k] - region.min[k] < 2.0 * radius) {
            return None;
        }
        (0..tries).find_map(|_| {
            let center =
                std::array::from_fn(|k| random.uniform(region.min[k] + radius, region.max[k] - radius));
            self.take(simulation, center, radius).then_some(center)
        })
    }

    /// Takes a place if it is free.
    pub(super) fn take(&mut self, simulation: &Simulation<D>, center: [f64; D], radius: f64) -> bool {
        let from_origin = std::array::from_fn(|k| center[k] - self.origin[k]);
        let free = self.grid.find_touching(from_origin, radius, &mut self.touching).is_ok()
            && self.touching.is_empty()
            && !simulation.touches_wall(center, radius);
        free && self.grid.insert(from_origin, radius).is_ok()
    }
}
