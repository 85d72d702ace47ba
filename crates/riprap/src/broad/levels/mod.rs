//! Levels: rows of sorted particles, ours, after the MR order and the hierarchical grid.
//!
//! 1. Each level has particles of a range of sizes and cells at least as wide as their reach.
//! 2. Sort the particles by level and cell, cells in (z, y, x) order, so that the cells of a row are neighbours in memory
//!    (`order`); a table has the begin of each cell (`table`).
//! 3. At its own level a particle meets what is left of its cell with the next cell, and the three cells around it in
//!    each of the 4 rows ahead (1 in 2D): 5 stretches of the sorted columns (`search`).
//! 4. At finer levels it meets the rows that its ball of reach crosses, each cut to the ball's chord. Cells that a
//!    large particle covers are empty stretches and cost nothing.
//! 5. A stretch is tested eight particles at a time, in fixed point with a float filter (`frame`, `kernel`).
//!
//! **Cost** O(n) time for sizes of any range, about 40 bytes per particle whatever the volume. **Use** it for everything.

mod calibration;
mod columns;
mod frame;
mod grid;
mod kernel;
pub(crate) mod order;
mod search;
mod table;

pub use calibration::measured;
pub use kernel::Vectors;

use std::ops::Range;

use rayon::prelude::*;

use super::memory::{append_parts, prefetch};
use super::options::check_above;
use super::{HGrid, Options, Pair, Search, Tally, bytes_of, cells};
use crate::tune::rows::{self, Costs};
use crate::{Criterion, Error, Spheres};
use columns::{Columns, ColumnsPart};
use frame::Frame;
use grid::Grid;
use order::{Order, map, stretches};
use search::Scene;
use table::Table;

pub(super) const OPTIONS: &[(&str, &str)] = &[
    ("levels", "growing largest diameters of the levels, separated by slashes"),
    ("costs", "typical (default) or measured on this machine, for the choice of levels"),
    ("vectors", "auto (default) or none"),
];

/// What a detection costs however few the particles, in nanoseconds.
pub(crate) const SETUP: f64 = 4_000.0;

/// Cells of all levels together at most.
const MOST_CELLS: f64 = (1u64 << 31) as f64;

/// Reaches along an axis at most: beyond that, fixed-point units would be as large as particles.
const MOST_REACHES: f64 = (1u64 << 30) as f64;

/// Particles in the same cell, seen from the average particle, from which widened cells are too crowded.
const CROWDED: u64 = 64;

/// How many particles ahead of the one that is copied memory is asked for the next.
const AHEAD: usize = 24;

/// Threads at most; each of them needs its share of particles.
const MOST_THREADS: usize = 256;

/// Parts of the search per thread: enough to even out what the particles of different levels cost.
const PARTS: usize = 32;

/// Rows of particles sorted by level and cell.
#[derive(Debug)]
pub struct Levels<const D: usize> {
    /// Largest diameters of the levels, growing; by default chosen for the particles.
    pub sizes: Option<Vec<f64>>,
    /// Threads to use; the result does not depend on them.
    pub threads: usize,
    /// Which vector instructions to use; the result does not depend on them.
    pub vectors: Vectors,
    /// What the steps cost, for the choice of levels.
    pub costs: Costs,
    pool: Option<rayon::ThreadPool>,
    /// For particles too far apart for fixed point: cells by hash, whatever the volume.
    unbounded: HGrid<D>,
    uses_unbounded: bool,
    grids: Vec<Grid<D>>,
    begins: Vec<usize>,
    order: Order,
    table: Table,
    columns: Columns<D>,
}

impl<const D: usize> Default for Levels<D> {
    fn default() -> Self {
        Self::new(None, 1)
    }
}

impl<const D: usize> Levels<D> {
    /// With these levels, or the default ones, and so many threads.
    pub fn new(sizes: Option<Vec<f64>>, threads: usize) -> Self {
        Self {
            sizes,
            threads,
            vectors: Vectors::Auto,
            costs: Costs::default(),
            pool: None,
            unbounded: HGrid::default(),
            uses_unbounded: false,
            grids: Vec::new(),
            begins: Vec::new(),
            order: Order::default(),
            table: Table::default(),
            columns: Columns::default(),
        }
    }
}

pub(super) fn build<const D: usize>(options: &Options<'_>) -> Result<Levels<D>, Error> {
    let mut levels = Levels::new(options.numbers("levels")?, 1);
    if options.choice("costs", &[("typical", false), ("measured", true)])? {
        levels.costs = measured();
    }
    levels.vectors = options.choice("vectors", &[("auto", Vectors::Auto), ("none", Vectors::None)])?;
    Ok(levels)
}

impl<const D: usize> Levels<D> {
    /// Lays out the cells of the levels, which hold particles of up to these radii.
    fn lay_out(&mut self, frame: &Frame<D>, radii: &[f64], margin: f64) {
        self.grids.clear();
        let mut base = 1;
        for &radius in radii {
            let mut grid = Grid::new(frame, radius, 0.0, margin, MOST_CELLS / radii.len() as f64);
            grid.base = base;
            base += grid.cell_count() as u32;
            self.grids.push(grid);
        }
    }

    /// Sorts the particles into the cells of their levels.
    fn arrange<const IMAGES: bool>(
        &mut self,
        spheres: Spheres<'_, D>,
        criterion: &Criterion<D>,
        frame: &Frame<D>,
        threads: usize,
    ) {
        let (centers, radii) = (spheres.centers(), spheres.radii());
        let near = |row: usize| if IMAGES { criterion.bring_near(centers[row]) } else { centers[row] };
        let cells = self.grids.last().map_or(1, |grid| u64::from(grid.base) + grid.cell_count());
        let grids = &self.grids;
        self.order.sort(centers.len(), cells, threads, |row| {
            let mut point = near(row);
            for k in 0..D {
                point[k] -= frame.low[k];
            }
            let level = grids.iter().position(|grid| radii[row] <= grid.radius).unwrap_or(grids.len() - 1);
            grids[level].cell(&point)
        });
        self.table.fill(&self.order, cells, threads);
        self.begins.clear();
        self.begins.extend(grids.iter().map(|grid| self.table.any_start(&self.order, grid.base)));

        self.columns.resize(centers.len());
        let order = &self.order;
        let gather = |part: ColumnsPart<'_, D>| {
            let ColumnsPart { positions, fixed, radius, row } = part;
            let end = positions.end;
            for (slot, position) in positions.enumerate() {
                if position + AHEAD < end {
                    let later = order.row(position + AHEAD) as usize;
                    prefetch(centers, later);
                    prefetch(radii, later);
                }
                let source = order.row(position);
                let coordinates = frame.fixed(&near(source as usize));
                for k in 0..D {
                    fixed[k][slot] = coordinates[k];
                }
                radius[slot] = frame.normalize(radii[source as usize]);
                row[slot] = source;
            }
        };
        let parts = self.columns.split(&stretches(centers.len(), threads));
        if threads == 1 { parts.into_iter().for_each(gather) } else { parts.into_par_iter().for_each(gather) }
    }

    /// Whether cells had to be wider than they need be and the average particle shares its cell with many.
    fn is_crowded(&self) -> bool {
        if !self.grids.iter().any(|grid| grid.widened) {
            return false;
        }
        let (mut sum, mut begin) = (0, 0);
        for position in 1..=self.order.len() {
            if position == self.order.len() || self.order.cell(position) != self.order.cell(begin) {
                sum += ((position - begin) as u64).pow(2);
                begin = position;
            }
        }
        sum > CROWDED * self.order.len() as u64
    }
}

/// Corners of the bounding box of the centres, and the largest radius.
fn bounds<const D: usize>(spheres: &Spheres<'_, D>, threads: usize) -> ([f64; D], [f64; D], f64) {
    let parts = map(&stretches(spheres.len(), threads), threads, |range| {
        let largest = spheres.radii()[range.clone()].iter().copied().fold(0.0, f64::max);
        (cells::bounds(&spheres.centers()[range.clone()]), largest)
    });
    let mut all = ([f64::INFINITY; D], [f64::NEG_INFINITY; D], 0.0);
    for (corners, largest) in parts {
        all.2 = f64::max(all.2, largest);
        if let Some((low, high)) = corners {
            for k in 0..D {
                all.0[k] = all.0[k].min(low[k]);
                all.1[k] = all.1[k].max(high[k]);
            }
        }
    }
    all
}

impl<const D: usize> Search<D> for Levels<D> {
    const NAME: &'static str = "levels";
    const PERIODIC: bool = true;

    fn check_options(&self) -> Result<(), Error> {
        check_above(Self::NAME, "threads", self.threads as f64, 0.0)?;
        self.sizes.as_ref().map_or(Ok(()), |sizes| super::hgrid::check_sizes(Self::NAME, sizes))
    }

    fn set_threads(&mut self, threads: usize) -> usize {
        self.threads = threads.clamp(1, MOST_THREADS);
        self.threads
    }

    fn search<const IMAGES: bool, T: Tally>(
        &mut self,
        spheres: Spheres<'_, D>,
        criterion: &Criterion<D>,
        pairs: &mut Vec<Pair>,
        tally: &mut T,
    ) {
        let threads = self.threads;
        if threads == 1 {
            self.search_with::<IMAGES, T>(spheres, criterion, pairs, tally, 1);
            return;
        }
        let kept = self.pool.take().filter(|pool| pool.current_num_threads() == threads);
        let pool = kept.or_else(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok());
        let Some(pool) = pool else {
            // The system gives no more threads: the result is the same with one.
            self.search_with::<IMAGES, T>(spheres, criterion, pairs, tally, 1);
            return;
        };
        pool.install(|| self.search_with::<IMAGES, T>(spheres, criterion, pairs, tally, threads));
        self.pool = Some(pool);
    }

    fn cell_sizes(&self) -> Vec<f64> {
        if self.uses_unbounded {
            return Search::cell_sizes(&self.unbounded);
        }
        self.grids.iter().map(|grid| grid.width.iter().copied().fold(0.0, f64::max)).collect()
    }

    fn scratch_bytes(&self) -> usize {
        self.order.bytes()
            + self.table.bytes()
            + self.columns.bytes()
            + bytes_of(&self.begins)
            + Search::scratch_bytes(&self.unbounded)
    }
}

impl<const D: usize> Levels<D> {
    fn search_with<const IMAGES: bool, T: Tally>(
        &mut self,
        spheres: Spheres<'_, D>,
        criterion: &Criterion<D>,
        pairs: &mut Vec<Pair>,
        tally: &mut T,
        threads: usize,
    ) {
        self.grids.clear();
        if spheres.is_empty() {
            return;
        }
        let (low, high, largest) = bounds(&spheres, threads);
        let frame = Frame::new(low, high, 2.0 * largest + criterion.margin, criterion);
        self.uses_unbounded = frame.extent.iter().any(|extent| extent / frame.reach > MOST_REACHES);
        if !self.uses_unbounded {
            let radii = match &self.sizes {
                None => {
                    rows::best_levels(spheres.radii(), frame.extent, criterion.margin, &self.costs, threads)
                }
                Some(sizes) => {
                    let mut radii: Vec<f64> = sizes.iter().map(|size| 0.5 * size).collect();
                    radii.retain(|radius| *radius < largest);
                    radii.push(largest);
                    radii
                }
            };
            self.lay_out(&frame, &radii, criterion.margin);
            self.arrange::<IMAGES>(spheres, criterion, &frame, threads);
            self.uses_unbounded = self.is_crowded();
        }
        if self.uses_unbounded {
            self.unbounded.search::<IMAGES, T>(spheres, criterion, pairs, tally);
            return;
        }
        let scene = Scene {
            frame: &frame,
            filter: frame.filter(),
            grids: &self.grids,
            begins: &self.begins,
            order: &self.order,
            table: &self.table,
            columns: &self.columns,
            spheres,
            criterion,
        };
        let run = |positions: Range<usize>, pairs: &mut Vec<Pair>, tally: &mut T| {
            if self.table.is_dense() {
                kernel::search::<D, true, IMAGES, T>(&scene, self.vectors, positions, pairs, tally);
            } else {
                kernel::search::<D, false, IMAGES, T>(&scene, self.vectors, positions, pairs, tally);
            }
        };
        if threads == 1 {
            run(0..spheres.len(), pairs, tally);
            return;
        }
        let parts = map(&stretches(spheres.len(), PARTS * threads), threads, |positions| {
            let (mut pairs, mut tally) = (Vec::new(), T::default());
            run(positions.clone(), &mut pairs, &mut tally);
            (pairs, tally)
        });
        append_parts(pairs, &parts.iter().map(|part| &part.0[..]).collect::<Vec<_>>());
        parts.iter().for_each(|(_, counted)| tally.add(counted));
    }
}
