//! Levels: rows of sorted particles, ours, after the MR order and the hierarchical grid.
//!
//! 1. Each level has particles of a range of sizes and cells at least as wide as their reach (`grid`). Where most cells
//!    would be empty, they are made longer (`crowding`).
//! 2. Sort the particles by level and cell, cells in (z, y, x) order, so that the cells of a row are neighbours in memory
//!    (`sort`); a table has the begin of each cell (`table`).
//! 3. At its own level a particle meets what is left of its cell with the next cell, and the three cells around it in
//!    each of the 4 rows ahead (1 in 2D): 5 stretches of the sorted columns (`search`).
//! 4. At finer levels it meets the rows that its ball of reach crosses, each cut to the ball's chord. Cells that a
//!    large particle covers are empty stretches and cost nothing.
//! 5. Stretches are tested eight particles at a time, in fixed point with a float filter (`frame`, `kernel`).
//!
//! Where particles are spread so unevenly that rows would be crowded, or visited in vain, `tree` takes over.
//!
//! **Cost** O(n) time for sizes of any range, about 40 bytes per particle whatever the volume. **Use** it for everything.

mod calibration;
mod columns;
mod cost;
mod crowding;
pub(super) mod foresight;
mod frame;
mod grid;
mod kernel;
mod search;
mod sort;
mod table;

pub use calibration::measured;
pub use cost::Costs;
pub use kernel::Vectors;

use std::ops::Range;

use super::in_order::{self, in_order};
use super::options::check_above;
use super::{Options, Pair, Search, Tally, Tree, bytes_of, cells};
use crate::{Criterion, Error, Spheres};
use columns::SortedColumns;
use cost::{SizeClass, best_levels};
use crowding::ParticleSample;
use frame::FixedFrame;
use grid::LevelGrid;
use search::SearchInput;
use sort::{Record, map, sort, stretches};
use table::CellTable;

pub(super) const OPTIONS: &[(&str, &str)] = &[
    ("levels", "growing largest diameters of the levels, separated by slashes"),
    ("costs", "typical (default) or measured on this machine, for the choice of levels"),
    ("vectors", "auto (default) or none"),
];

/// What a detection costs however few the particles, in nanoseconds.
pub(super) const SETUP: f64 = 4_000.0;

/// Cells of all levels together at most.
const MOST_CELLS: f64 = (1u64 << 31) as f64;

/// Particles a cell has on average, if it can be made longer to have them: three cells in a row then fill a round, which
/// takes the same time for one particle as for all.
const FILLED: f64 = kernel::LANES as f64 / 3.0;

/// How many times longer than wide a cell is at most. Beyond that cells get wider, too, because large particles of other
/// levels have to visit each row.
const LONGEST: f64 = 8.0;

/// How many times larger than they need be cells can get, at most; any large finite number will do.
const MOST_ROOM: f64 = 1e30;

/// Rows of finer levels per particle from which it is better to look at the particles.
const MOST_ROWS: f64 = 64.0;

/// Parts of the search per thread: enough to even out what the particles of different levels cost.
const PARTS: usize = 32;

/// Rows of particles sorted by level and cell.
#[derive(Debug)]
pub struct Levels<const D: usize> {
    /// Largest diameters of the levels, growing; by default chosen for the particles.
    pub sizes: Option<Vec<f64>>,
    /// Threads of the caller's pool to use, at most; the result does not depend on them.
    pub threads: usize,
    /// Which vector instructions to use; the result does not depend on them.
    pub vectors: Vectors,
    /// What the steps cost, for the choice of levels.
    pub costs: Costs,
    /// For particles too far apart for fixed point, or too unevenly spread.
    tree: Tree<D>,
    uses_tree: bool,
    grids: Vec<LevelGrid<D>>,
    begins: Vec<usize>,
    table: CellTable,
    columns: SortedColumns<D>,
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
            tree: Tree::default(),
            uses_tree: false,
            grids: Vec::new(),
            begins: Vec::new(),
            table: CellTable::default(),
            columns: SortedColumns::default(),
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
    /// Lays out the cells of the levels.
    fn lay_out(
        &mut self,
        frame: &FixedFrame<D>,
        levels: &[SizeClass],
        spheres: &Spheres<'_, D>,
        criterion: &Criterion<D>,
    ) {
        let most = MOST_CELLS / levels.len() as f64;
        let mut sample = None;
        self.grids.clear();
        for level in levels {
            let (count, width) =
                (level.count as f64, LevelGrid::least_width(frame, level.radius, criterion.margin));
            // How many times larger than they need be cells can get until evenly spread particles fill them.
            let cells: f64 = frame.extent.iter().map(|extent| extent / width).product();
            let mut room = (FILLED * cells / count.max(1.0)).min(MOST_ROOM);
            let grid = loop {
                let length = room.clamp(1.0, LONGEST).floor();
                let width = width * libm::pow(room / LONGEST, 1.0 / D as f64).max(1.0);
                let grid = LevelGrid::new(frame, level.radius, width, length, most);
                if room < 2.0 {
                    break grid;
                }
                let sample = sample.get_or_insert_with(|| ParticleSample::new(spheres, criterion, frame));
                let shared = count * sample.sharing(&grid);
                if shared <= 2.0 * FILLED {
                    break grid;
                }
                room *= FILLED / shared;
            };
            self.grids.push(grid);
        }
        // The coarsest level comes first: its particles take longest, and threads should not have to wait for the last.
        let mut base = 1;
        for grid in self.grids.iter_mut().rev() {
            grid.base = base;
            base += grid.cell_count() as u32;
        }
    }

    /// Whether particles visit more rows of finer levels than is worth it.
    ///
    /// Where small particles are a cluster in a box that large ones fill, nearly all of these are empty.
    fn visits_too_many_rows(&self, levels: &[SizeClass], margin: f64) -> bool {
        let (mut visited, mut particles) = (0.0, 0.0);
        for (coarse, level) in levels.iter().enumerate() {
            particles += level.count as f64;
            for finer in &self.grids[..coarse] {
                let reach = level.radius + finer.radius + margin;
                let along = |k: usize| (2.0 * reach / finer.width[k] + 1.0).min(f64::from(finer.counts[k]));
                visited += level.count as f64 * (1..D).map(along).product::<f64>();
            }
        }
        visited > MOST_ROWS * particles
    }

    /// Sorts the particles into the cells of their levels.
    fn arrange<const IMAGES: bool>(
        &mut self,
        spheres: Spheres<'_, D>,
        criterion: &Criterion<D>,
        frame: &FixedFrame<D>,
        threads: usize,
    ) {
        let (frame, criterion) = (*frame, *criterion);
        let record = move |center: &[f64; D], radius: f64| {
            let center = if IMAGES { criterion.bring_near(*center) } else { *center };
            Record { fixed: frame.fixed(&center), radius: frame.normalize(radius) }
        };
        let cells = self.grids.first().map_or(1, |grid| u64::from(grid.base) + grid.cell_count());
        if let [grid] = self.grids[..] {
            self.fill(spheres, cells, threads, record, move |fixed, _| grid.cell(fixed));
        } else {
            let grids = self.grids.clone();
            self.fill(spheres, cells, threads, record, move |fixed, radius| cell_of(&grids, fixed, radius));
        }
        let cell_at = |position| cell_at(&self.grids, &self.columns, position);
        self.begins.clear();
        self.begins.extend(self.grids.iter().map(|grid| self.table.any_start(grid.base, cell_at)));
    }

    /// Fills the columns and the table.
    fn fill(
        &mut self,
        spheres: Spheres<'_, D>,
        cells: u64,
        threads: usize,
        record: impl Fn(&[f64; D], f64) -> Record<D> + Sync,
        cell: impl Fn(&[i32; D], f32) -> u32 + Sync,
    ) {
        sort(spheres, cells, threads, self.table.words(), &mut self.columns, record, |record| {
            cell(&record.fixed, record.radius)
        });
        let columns = &self.columns;
        self.table.fill(spheres.len(), cells, threads, |position| {
            cell(&columns.point(position), columns.radius[position])
        });
    }
}

/// The levels that end with these diameters, and with the largest radius.
fn levels_of(sizes: &[f64], radii: &[f64], largest: f64) -> Vec<SizeClass> {
    let limits = sizes.iter().map(|size| 0.5 * size).filter(|limit| *limit < largest).chain([largest]);
    let mut levels: Vec<SizeClass> = limits.map(|radius| SizeClass { radius, count: 0 }).collect();
    for &radius in radii {
        let level = levels.partition_point(|level| level.radius < radius);
        levels[level].count += 1;
    }
    levels
}

/// The cell of a particle, at the finest level that takes its radius.
#[inline(always)]
fn cell_of<const D: usize>(grids: &[LevelGrid<D>], fixed: &[i32; D], radius: f32) -> u32 {
    let level = grids.iter().position(|grid| radius <= grid.limit).unwrap_or(grids.len() - 1);
    grids[level].cell(fixed)
}

/// The cell of a sorted particle.
#[inline(always)]
fn cell_at<const D: usize>(grids: &[LevelGrid<D>], columns: &SortedColumns<D>, position: usize) -> u32 {
    cell_of(grids, &columns.point(position), columns.radius[position])
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
        self.threads = threads.clamp(1, in_order::MOST_THREADS);
        self.threads
    }

    fn search<const IMAGES: bool, T: Tally>(
        &mut self,
        spheres: Spheres<'_, D>,
        criterion: &Criterion<D>,
        pairs: &mut Vec<Pair>,
        tally: &mut T,
    ) {
        let threads = self.threads.min(rayon::current_num_threads());
        self.search_with::<IMAGES, T>(spheres, criterion, pairs, tally, threads);
    }

    fn cell_sizes(&self) -> Vec<f64> {
        if self.uses_tree {
            return Search::cell_sizes(&self.tree);
        }
        self.grids.iter().map(|grid| grid.width.iter().copied().fold(0.0, f64::max)).collect()
    }

    fn scratch_bytes(&self) -> usize {
        self.table.bytes() + self.columns.bytes() + bytes_of(&self.begins) + Search::scratch_bytes(&self.tree)
    }

    fn release_scratch(&mut self) {
        self.table = CellTable::default();
        self.columns = SortedColumns::default();
        Search::release_scratch(&mut self.tree);
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
        let frame = FixedFrame::new(low, high, 2.0 * largest + criterion.margin, criterion);
        self.uses_tree = frame.is_too_wide();
        if !self.uses_tree {
            let levels = match &self.sizes {
                None => best_levels(spheres.radii(), frame.extent, criterion.margin, &self.costs, threads),
                Some(sizes) => levels_of(sizes, spheres.radii(), largest),
            };
            self.lay_out(&frame, &levels, &spheres, criterion);
            self.uses_tree = self.visits_too_many_rows(&levels, criterion.margin);
        }
        if self.uses_tree {
            self.tree.search_with::<IMAGES, T>(spheres, criterion, pairs, tally, threads);
            return;
        }
        self.arrange::<IMAGES>(spheres, criterion, &frame, threads);
        let scene = SearchInput {
            frame: &frame,
            filter: frame.filter(criterion.margin),
            grids: &self.grids,
            begins: &self.begins,
            table: &self.table,
            columns: &self.columns,
            spheres,
            criterion,
        };
        self.uses_tree = foresight::is_slow::<D, IMAGES>(&scene);
        if self.uses_tree {
            self.tree.search_with::<IMAGES, T>(spheres, criterion, pairs, tally, threads);
            return;
        }
        let run = |positions: Range<usize>, pairs: &mut Vec<Pair>, tally: &mut T| {
            kernel::search_any::<D, IMAGES, T>(&scene, self.vectors, positions, pairs, tally);
        };
        if threads == 1 {
            run(0..spheres.len(), pairs, tally);
            return;
        }
        let parts = stretches(spheres.len(), PARTS * threads);
        let counted = in_order(parts.len(), threads, pairs, |part, pairs, tally| {
            run(parts[part].clone(), pairs, tally);
        });
        counted.iter().for_each(|counted| tally.add(counted));
    }
}
