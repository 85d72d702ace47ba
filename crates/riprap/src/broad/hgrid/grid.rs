//! The hierarchical grid as a data structure: particles come, go and move one at a time.

use rustc_hash::FxHashSet;

use super::chains::{Cell, ChainNode, Chains};
use super::{CrossLevel, TopDown, levels};
use crate::broad::cells::{self, RegularCells};
use crate::broad::{Pair, Tally, bytes_of};
use crate::spheres::{check_count, check_sphere};
use crate::{Criterion, Error, Spheres};

/// Cells along a periodic axis at most: indices stay small.
const MOST_PERIODIC_CELLS: f64 = (1 << 28) as f64;

/// Level of a number that is free.
const VACANT: u32 = u32::MAX;

/// A hierarchical grid whose particles are inserted, removed and moved one at a time, each in O(1).
///
/// Cells are hashed, so the domain is unbounded and memory is O(n). Particles are known by the number that
/// [`HierarchicalGrid::insert`] returns; numbers of removed particles are used again.
///
/// ```
/// use riprap::{Criterion, broad::HierarchicalGrid};
///
/// let mut grid = HierarchicalGrid::<3>::new(Criterion::default(), &[1.0, 10.0])?;
/// let small = grid.insert([0.0, 0.0, 0.0], 0.5)?;
/// let large = grid.insert([4.0, 0.0, 0.0], 5.0)?;
/// let mut pairs = Vec::new();
/// grid.find_pairs(&mut pairs);
/// assert_eq!(pairs.len(), 1);
/// grid.relocate(large, [40.0, 0.0, 0.0])?;
/// grid.find_pairs(&mut pairs);
/// assert!(pairs.is_empty());
/// assert!(grid.remove(small));
/// # Ok::<(), riprap::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct HierarchicalGrid<const D: usize> {
    criterion: Criterion<D>,
    levels: Vec<GridLevel<D>>,
    // One entry per number, vacant ones included.
    chains: Chains<D>,
    homes: Vec<Cell<D>>,
    /// Position among the members of the particle's level.
    positions: Vec<u32>,
    vacant: Vec<u32>,
}

/// One grid of the hierarchy.
#[derive(Debug, Clone)]
struct GridLevel<const D: usize> {
    /// Particles of up to this diameter live here.
    size: f64,
    cells: RegularCells<D>,
    /// Cells along each periodic axis; 0 along an open one.
    counts: [i64; D],
    /// Half of the neighbouring cells, and how much their keys differ from that of the cell in the middle.
    stencil: Vec<([i64; D], u64)>,
    members: Vec<u32>,
}

impl<const D: usize> GridLevel<D> {
    fn new(size: f64, criterion: &Criterion<D>) -> Self {
        let needed = cells::width_for(size + criterion.margin);
        let mut width = [needed; D];
        let mut counts = [0; D];
        for k in 0..D {
            if criterion.lengths[k].is_finite() {
                // With two cells a neighbour would be met from both sides: one serves as well.
                let count = (criterion.lengths[k] / needed).floor().min(MOST_PERIODIC_CELLS);
                counts[k] = if count < 3.0 { 1 } else { count as i64 };
                width[k] = criterion.lengths[k] / counts[k] as f64;
            }
        }
        let offsets = cells::half_stencil(counts.map(|count| i32::from(count != 1))).into_iter();
        let stencil = offsets.map(|offset| {
            let index = offset.map(i64::from);
            (index, Cell { index, level: 0 }.key())
        });
        let stencil = stencil.collect();
        Self { size, cells: RegularCells::new([0.0; D], width), counts, stencil, members: Vec::new() }
    }

    /// The cell of a point near the box.
    fn cell_of(&self, center: &[f64; D]) -> [i64; D] {
        self.wrap(self.cells.of(center))
    }

    /// The cell an index stands for, periodic axes wrapped.
    fn wrap(&self, mut index: [i64; D]) -> [i64; D] {
        for k in 0..D {
            if self.counts[k] > 0 && !(0..self.counts[k]).contains(&index[k]) {
                index[k] = index[k].rem_euclid(self.counts[k]);
            }
        }
        index
    }

    /// First and last cell, still to be wrapped, that may hold a particle within reach of this sphere.
    fn cells_around(&self, center: &[f64; D], radius: f64, margin: f64) -> ([i64; D], [i64; D]) {
        let reach = cells::width_for(radius + 0.5 * self.size + margin);
        let mut low: [i64; D] = std::array::from_fn(|k| self.cells.along(k, center[k] - reach));
        let mut high: [i64; D] = std::array::from_fn(|k| self.cells.along(k, center[k] + reach));
        for k in 0..D {
            if self.counts[k] > 0 && high[k] - low[k] >= self.counts[k] {
                (low[k], high[k]) = (0, self.counts[k] - 1);
            }
        }
        (low, high)
    }
}

impl<const D: usize> HierarchicalGrid<D> {
    /// An empty grid with these level sizes, growing; levels for larger particles are added when they come.
    pub fn new(criterion: Criterion<D>, sizes: &[f64]) -> Result<Self, Error> {
        criterion.check_values()?;
        levels::check_sizes(TopDown::NAME, sizes)?;
        let levels = sizes.iter().map(|&size| GridLevel::new(size, &criterion)).collect();
        Ok(Self { criterion, levels, ..Self::default() })
    }

    /// Number of particles.
    pub fn len(&self) -> usize {
        self.homes.len() - self.vacant.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Counts the cells that hold a particle; others take no memory.
    pub fn occupied_cells(&self) -> usize {
        self.homes.iter().filter(|home| home.level != VACANT).collect::<FxHashSet<_>>().len()
    }

    /// Adds a particle and returns its number.
    pub fn insert(&mut self, center: [f64; D], radius: f64) -> Result<u32, Error> {
        let number = self.vacant.last().map_or(self.homes.len(), |&number| number as usize);
        check_count(number as u64 + 1)?;
        check_sphere(&center, radius).map_err(|(column, value, reason)| Error::Particle {
            index: number,
            column,
            value,
            reason,
        })?;
        self.criterion.check_width(number, radius)?;
        let center = self.criterion.bring_near(center);
        self.vacant.pop();
        self.settle(number, center, radius);
        Ok(number as u32)
    }

    /// Takes a particle out; returns whether it was there.
    pub fn remove(&mut self, number: u32) -> bool {
        if !self.contains(number) {
            return false;
        }
        self.chains.unlink(number);
        let level = &mut self.levels[self.homes[number as usize].level as usize];
        let position = self.positions[number as usize];
        level.members.swap_remove(position as usize);
        if let Some(&moved) = level.members.get(position as usize) {
            self.positions[moved as usize] = position;
        }
        self.homes[number as usize].level = VACANT;
        self.vacant.push(number);
        true
    }

    /// Moves a particle; returns whether it was there.
    pub fn relocate(&mut self, number: u32, center: [f64; D]) -> Result<bool, Error> {
        if !self.contains(number) {
            return Ok(false);
        }
        let index = number as usize;
        let radius = self.chains.node(index).radius;
        check_sphere(&center, radius).map_err(|(column, value, reason)| Error::Particle {
            index,
            column,
            value,
            reason,
        })?;
        let center = self.criterion.bring_near(center);
        let level = self.homes[index].level;
        let home = Cell { index: self.levels[level as usize].cell_of(&center), level };
        if home == self.homes[index] {
            self.chains.shift(number, center);
        } else {
            self.chains.unlink(number);
            self.homes[index] = home;
            self.chains.link(number, center, radius, &home);
        }
        Ok(true)
    }

    /// Whether a particle has this number.
    pub fn contains(&self, number: u32) -> bool {
        self.homes.get(number as usize).is_some_and(|home| home.level != VACANT)
    }

    /// Replaces the contents of `pairs` by all touching pairs, each once.
    pub fn find_pairs(&self, pairs: &mut Vec<Pair>) {
        pairs.clear();
        if self.criterion.is_periodic() {
            self.collect_pairs::<TopDown, true, ()>(pairs, &mut ());
        } else {
            self.collect_pairs::<TopDown, false, ()>(pairs, &mut ());
        }
    }

    /// Replaces the contents of `numbers` by the particles that a sphere at this place would touch.
    ///
    /// A particle of the grid at the same place is one of them.
    pub fn find_touching(&self, center: [f64; D], radius: f64, numbers: &mut Vec<u32>) -> Result<(), Error> {
        numbers.clear();
        check_sphere(&center, radius).map_err(|(column, value, reason)| Error::Particle {
            index: self.homes.len(),
            column,
            value,
            reason,
        })?;
        self.criterion.check_width(self.homes.len(), radius)?;
        let center = self.criterion.bring_near(center);
        for level in 0..self.levels.len() {
            self.visit_around(&center, radius, level, &mut (), |cell, other, met, _| {
                if self.criterion.touches::<true>(&center, radius, &met.center, met.radius)
                    && self.homes[other as usize] == *cell
                {
                    numbers.push(other);
                }
            });
        }
        Ok(())
    }

    /// Widths of the cells of each level, finest first; the largest where axes differ.
    pub fn cell_sizes(&self) -> Vec<f64> {
        let widest = |level: &GridLevel<D>| level.cells.width.iter().copied().fold(0.0, f64::max);
        self.levels.iter().map(widest).collect()
    }

    /// Bytes reserved.
    pub(super) fn bytes(&self) -> usize {
        let members: usize = self.levels.iter().map(|level| bytes_of(&level.members)).sum();
        self.chains.bytes()
            + bytes_of(&self.homes)
            + bytes_of(&self.positions)
            + members
            + bytes_of(&self.vacant)
    }

    /// Starts anew with the rows of these spheres as numbers; everything is already checked.
    pub(super) fn refill(&mut self, criterion: Criterion<D>, sizes: &[f64], spheres: Spheres<'_, D>) {
        self.criterion = criterion;
        self.levels.clear();
        self.levels.extend(sizes.iter().map(|&size| GridLevel::new(size, &criterion)));
        self.chains.clear(spheres.len());
        self.homes.clear();
        self.positions.clear();
        self.vacant.clear();
        for (number, (&center, &radius)) in spheres.centers().iter().zip(spheres.radii()).enumerate() {
            self.settle(number, criterion.bring_near(center), radius);
        }
    }

    /// Appends all touching pairs, each once.
    pub(super) fn collect_pairs<C: CrossLevel, const IMAGES: bool, T: Tally>(
        &self,
        pairs: &mut Vec<Pair>,
        tally: &mut T,
    ) {
        for (number, home) in self.homes.iter().enumerate().filter(|(_, home)| home.level != VACANT) {
            let node = self.chains.node(number);
            let mut test = |cell: &Cell<D>, other: u32, met: &ChainNode<D>, tally: &mut T| {
                tally.candidates(1);
                if self.criterion.touches::<IMAGES>(&node.center, node.radius, &met.center, met.radius)
                    && self.homes[other as usize] == *cell
                {
                    pairs.push(Pair::new(number as u32, other));
                }
            };

            tally.cells(1);
            self.chains.visit_rest(node, |other, met| test(home, other, met, tally));
            let (level, key) = (&self.levels[home.level as usize], home.key());
            for (offset, difference) in &level.stencil {
                tally.cells(1);
                let beyond = std::array::from_fn(|k| home.index[k] + offset[k]);
                let cell = Cell { index: level.wrap(beyond), level: home.level };
                let key = if IMAGES { cell.key() } else { key.wrapping_add(*difference) };
                self.chains.visit(key, |other, met| test(&cell, other, met, tally));
            }
            let own = home.level as usize;
            let others = if C::LOOKS_DOWN { 0..own } else { own + 1..self.levels.len() };
            for level in others {
                self.visit_around(&node.center, node.radius, level, tally, &mut test);
            }
        }
    }

    /// Visits the particles of one level that may be within reach of a sphere; `visit` is told their cell, which is the
    /// one it was looked for in only if it is that particle's home.
    fn visit_around<T: Tally>(
        &self,
        center: &[f64; D],
        radius: f64,
        level: usize,
        tally: &mut T,
        mut visit: impl FnMut(&Cell<D>, u32, &ChainNode<D>, &mut T),
    ) {
        let grid = &self.levels[level];
        if grid.members.is_empty() {
            return;
        }
        let (low, high) = grid.cells_around(center, radius, self.criterion.margin);
        let cell_count: f64 = (0..D).map(|k| (high[k] - low[k]) as f64 + 1.0).product();
        if cell_count > grid.members.len() as f64 {
            // More cells than particles: a giant among few, or a domain far wider than what is in it.
            for &other in &grid.members {
                visit(&self.homes[other as usize], other, self.chains.node(other as usize), tally);
            }
            return;
        }
        let mut index = low;
        loop {
            tally.cells(1);
            let cell = Cell { index: grid.wrap(index), level: level as u32 };
            self.chains.visit(cell.key(), |other, met| visit(&cell, other, met, tally));
            let Some(axis) = (0..D).find(|&k| index[k] < high[k]) else { return };
            index[axis] += 1;
            index[..axis].copy_from_slice(&low[..axis]);
        }
    }

    /// Puts a particle into its level and cell; its number is vacant or the next one.
    fn settle(&mut self, number: usize, center: [f64; D], radius: f64) {
        let diameter = 2.0 * radius;
        let fits = self.levels.partition_point(|level| level.size < diameter);
        if fits == self.levels.len() {
            let size = self.levels.last().map_or(diameter, |last| diameter.max(2.0 * last.size));
            self.levels.push(GridLevel::new(size, &self.criterion));
        }
        let level = &mut self.levels[fits];
        let home = Cell { index: level.cell_of(&center), level: fits as u32 };
        let position = level.members.len() as u32;
        level.members.push(number as u32);
        if number == self.homes.len() {
            self.homes.push(home);
            self.positions.push(position);
        } else {
            (self.homes[number], self.positions[number]) = (home, position);
        }
        self.chains.link(number as u32, center, radius, &home);
    }
}
