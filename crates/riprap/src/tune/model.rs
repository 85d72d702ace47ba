//! The work of a hierarchical grid with given cell sizes.

use super::level_cost::{self, Boundary};
use super::{RadiusDistribution, expect};
use crate::Error;
use crate::number::power;
use crate::spheres::ball_volume;

/// Which levels a particle searches beside its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    /// Those of smaller particles, as the method `hgrid` does.
    #[default]
    TopDown,
    /// Those of larger particles, as `hgrid-bottom-up` does.
    BottomUp,
}

/// What the work depends on beside radii and cell sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameters {
    /// 2 or 3.
    pub dimension: usize,
    /// Share of space that the particles fill; above 1 when they overlap much.
    pub fraction: f64,
    /// Time to look into a cell, in units of the time to test one pair (the paper's K).
    pub access_cost: f64,
    /// Which levels a particle searches.
    pub direction: Direction,
}

impl Default for Parameters {
    /// A dense packing of spheres and the paper's cost of a cell access.
    fn default() -> Self {
        Self { dimension: 3, fraction: 0.6, access_cost: 0.2, direction: Direction::TopDown }
    }
}

/// The cost model: particles at independent random places, eqs 6 to 27 of the paper.
#[derive(Debug, Clone)]
pub struct Model<'a> {
    sizes: &'a RadiusDistribution,
    parameters: Parameters,
    /// Means of 1, r, r^2 and r^3.
    moments: [f64; 4],
    /// Particles per unit of volume.
    number_density: f64,
}

/// Work per particle of a detection with certain cell sizes.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// The levels, finest first.
    pub levels: Vec<LevelEstimate>,
    /// Pairs tested (T_cd / N).
    pub checks: f64,
    /// Cells looked into (T_ca / N).
    pub accesses: f64,
    /// Both, in units of one test: `checks + K accesses` (T / N).
    pub work: f64,
}

/// One level of an [`Estimate`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelEstimate {
    /// Edge of its cells.
    pub cell_size: f64,
    /// Share of all particles that live here (eq. 9).
    pub share: f64,
    /// Particles in one of its cells on average (eq. 11).
    pub per_cell: f64,
    /// Pairs that its particles test, per particle of the system (eqs 23 and 25).
    pub checks: f64,
    /// Cells that its particles look into, per particle of the system (eqs 24 and 26).
    pub accesses: f64,
}

impl Estimate {
    /// The cell sizes, finest first.
    pub fn cell_sizes(&self) -> Vec<f64> {
        self.levels.iter().map(|level| level.cell_size).collect()
    }
}

impl<'a> Model<'a> {
    /// The model for particles of these sizes.
    pub fn new(sizes: &'a RadiusDistribution, parameters: Parameters) -> Result<Self, Error> {
        let Parameters { dimension, fraction, access_cost, .. } = parameters;
        expect(matches!(dimension, 2 | 3), "dimension", dimension as f64, "2 or 3")?;
        let expected = "a share of space above 0 and at most 100";
        expect(fraction > 0.0 && fraction <= 100.0, "fraction", fraction, expected)?;
        // A cell that costs nothing would call for levels without end.
        let expected = "a number from 0.01 to 100";
        expect((0.01..=100.0).contains(&access_cost), "access cost", access_cost, expected)?;
        let moments = sizes.moments(0.0, sizes.largest());
        let ball = if dimension == 2 { ball_volume::<2>(1.0) } else { ball_volume::<3>(1.0) };
        let number_density = fraction / (ball * moments[dimension]);
        Ok(Self { sizes, parameters, moments, number_density })
    }

    /// The sizes of the particles.
    pub fn sizes(&self) -> &'a RadiusDistribution {
        self.sizes
    }

    /// The other parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The work with these cell sizes (eqs 9 to 27).
    ///
    /// # Panics
    /// When the sizes are not positive and growing, or the largest particle does not fit into the last.
    pub fn estimate(&self, cell_sizes: &[f64]) -> Estimate {
        self.check(cell_sizes);
        let bounds = |h: usize| (if h == 0 { 0.0 } else { 0.5 * cell_sizes[h - 1] }, 0.5 * cell_sizes[h]);
        let members: Vec<[f64; 4]> = (0..cell_sizes.len())
            .map(|h| {
                let (from, to) = bounds(h);
                self.sizes.moments(from, to)
            })
            .collect();
        let per_cell: Vec<f64> =
            members.iter().zip(cell_sizes).map(|(moments, size)| self.crowd(*size) * moments[0]).collect();
        let levels: Vec<LevelEstimate> = (0..cell_sizes.len())
            .map(|h| {
                let share = members[h][0];
                let mut checks = share * (0.5 + self.neighbors()) * per_cell[h];
                let mut accesses = share * (1.0 + self.neighbors());
                let others = match self.parameters.direction {
                    Direction::TopDown => 0..h,
                    Direction::BottomUp => h + 1..cell_sizes.len(),
                };
                for j in others {
                    let visited = level_cost::cells(self, &members[h], cell_sizes[j]);
                    checks += visited * per_cell[j];
                    accesses += visited;
                }
                LevelEstimate { cell_size: cell_sizes[h], share, per_cell: per_cell[h], checks, accesses }
            })
            .collect();
        let checks = levels.iter().map(|level| level.checks).sum();
        let accesses = levels.iter().map(|level| level.accesses).sum();
        Estimate { levels, checks, accesses, work: checks + self.parameters.access_cost * accesses }
    }

    /// The work of [`Model::estimate`] alone, in time linear in the number of levels.
    ///
    /// # Panics
    /// Where [`Model::estimate`] does.
    pub fn work(&self, cell_sizes: &[f64]) -> f64 {
        self.check(cell_sizes);
        let mut lower = Boundary::BOTTOM;
        let mut work = 0.0;
        for &size in cell_sizes {
            let upper = Boundary::new(self, size);
            work += level_cost::work(self, &lower, &upper);
            lower = upper;
        }
        work
    }

    fn check(&self, cell_sizes: &[f64]) {
        assert!(
            cell_sizes.first().is_some_and(|first| *first > 0.0)
                && cell_sizes.is_sorted_by(|a, b| a < b)
                && cell_sizes.last().is_some_and(|last| *last >= 2.0 * self.sizes.largest()),
            "cell sizes {cell_sizes:?} must be positive, grow, and reach {}",
            2.0 * self.sizes.largest()
        );
    }

    /// Means of 1, r, r^2 and r^3.
    pub(super) fn moments(&self) -> &[f64; 4] {
        &self.moments
    }

    /// Particles in a cell of this size if all particles were at its level.
    pub(super) fn crowd(&self, size: f64) -> f64 {
        self.number_density * power(size, self.parameters.dimension as u32)
    }

    /// Half of the cells around one: a particle looks at so many at its own level.
    pub(super) fn neighbors(&self) -> f64 {
        if self.parameters.dimension == 2 { 4.0 } else { 13.0 }
    }
}
