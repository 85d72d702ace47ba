//! All pairs, from the sorted particles.

use std::ops::Range;

use super::cell_at;
use super::columns::SortedColumns;
use super::frame::{Filter, FixedFrame};
use super::grid::LevelGrid;
use super::kernel::{LANES, TestKernel, TestPlan, carry_out};
use super::table::CellTable;
use crate::broad::{Pair, Tally};
use crate::{Criterion, Spheres};

/// Everything a search reads.
pub(super) struct SearchInput<'a, const D: usize> {
    pub(super) frame: &'a FixedFrame<D>,
    pub(super) filter: Filter<D>,
    /// Levels, finest first, and the position of the first particle of each: those of the coarsest come first.
    pub(super) grids: &'a [LevelGrid<D>],
    pub(super) begins: &'a [usize],
    pub(super) table: &'a CellTable,
    pub(super) columns: &'a SortedColumns<D>,
    pub(super) spheres: Spheres<'a, D>,
    pub(super) criterion: &'a Criterion<D>,
}

/// The rows ahead of a row.
struct RowsAhead {
    /// Numbers of their first cells.
    first_cells: [u32; 4],
    count: usize,
}

impl<const D: usize> SearchInput<'_, D> {
    /// Appends the pairs that the particles at these positions find: at their own level those ahead of them, at finer
    /// levels all.
    #[inline(always)]
    pub(super) fn search<K: TestKernel, const DENSE: bool, const IMAGES: bool, T: Tally>(
        &self,
        positions: Range<usize>,
        pairs: &mut Vec<Pair>,
        tally: &mut T,
    ) {
        let mut plan = TestPlan::new(self.columns.len());
        let mut touching = Vec::new();
        let mut carry_out = |plan: &TestPlan| {
            let exact = |i, j| self.touch::<IMAGES>(i, j);
            carry_out::<K, D>(self.columns, &self.filter, plan, &mut touching, pairs, exact);
        };
        let mut position = positions.start;
        while position < positions.end {
            let level = self.begins.iter().position(|begin| *begin <= position).unwrap_or(0);
            let grid = &self.grids[level];
            let row = (grid.cell(&self.columns.point(position)) - grid.base) / grid.row_length;
            let first_cell = grid.base + row * grid.row_length;
            let row_end = self.start::<DENSE>(first_cell + grid.row_length).min(positions.end);
            let ahead = self.rows_ahead(grid, row);
            let doubt = self.filter.doubt(2.0 * grid.limit + self.filter.margin);
            while position < row_end {
                // The particles of a cell meet the same others, but in their own cell only those behind them.
                let cell = grid.cell(&self.columns.point(position));
                let (cell_end, next_end) = (self.start::<DENSE>(cell + 1), self.start::<DENSE>(cell + 2));
                let first = plan.len();
                plan.add_stretch(position, next_end);
                let candidates = self.cells_ahead::<DENSE, IMAGES>(grid, first_cell, cell, &ahead, &mut plan);
                let behind = plan.len();
                for (passed, i) in (position..cell_end.min(row_end)).enumerate() {
                    plan.add_probe(i, first + passed / LANES..behind, passed % LANES + 1, doubt);
                    tally.cells(ahead.count + 1);
                    tally.candidates(candidates + next_end - i - 1);
                    if level > 0 {
                        let first = plan.len();
                        for finer in &self.grids[..level] {
                            self.finer_level::<DENSE, IMAGES, T>(finer, i, &mut plan, tally);
                        }
                        plan.add_probe(i, first..plan.len(), 0, doubt);
                    }
                    if plan.is_large() {
                        carry_out(&plan);
                        plan.keep(behind);
                    }
                }
                if plan.is_large() {
                    carry_out(&plan);
                    plan.keep(0);
                }
                position = cell_end;
            }
            position = row_end;
        }
        carry_out(&plan);
    }

    #[inline(always)]
    fn start<const DENSE: bool>(&self, cell: u32) -> usize {
        self.table.start::<DENSE>(cell, |position| cell_at(self.grids, self.columns, position))
    }

    /// Adds the particles of the cells from `first` to before `behind`; returns how many.
    #[inline(always)]
    fn cells<const DENSE: bool>(&self, first: u32, behind: u32, plan: &mut TestPlan) -> usize {
        let (begin, end) = (self.start::<DENSE>(first), self.start::<DENSE>(behind));
        plan.add_stretch(begin, end);
        end - begin
    }

    /// The test in double precision, on the original positions.
    #[cold]
    #[inline(never)]
    fn touch<const IMAGES: bool>(&self, i: u32, j: u32) -> bool {
        let (i, j) = (i as usize, j as usize);
        let (centers, radii) = (self.spheres.centers(), self.spheres.radii());
        let [xi, xj] = [i, j].map(|row| self.criterion.bring_near(centers[row]));
        self.criterion.touches::<IMAGES>(&xi, radii[i], &xj, radii[j])
    }

    /// The three cells around in each row ahead; returns how many particles they have.
    #[inline(always)]
    fn cells_ahead<const DENSE: bool, const IMAGES: bool>(
        &self,
        grid: &LevelGrid<D>,
        first_cell: u32,
        cell: u32,
        ahead: &RowsAhead,
        plan: &mut TestPlan,
    ) -> usize {
        let x = cell - first_cell;
        let mut count = 0;
        let rows = &ahead.first_cells[..ahead.count];
        for &row in rows {
            count += self.cells::<DENSE>(row + x - 1, row + x + 2, plan);
        }
        // The ends of a row are neighbours on a periodic axis.
        if IMAGES && self.frame.periodic[0] && grid.counts[0] > 1 {
            let last = grid.counts[0] - 1;
            if x == last {
                for &row in [first_cell].iter().chain(rows) {
                    count += self.cells::<DENSE>(row, row + 1, plan);
                }
            }
            if x == 0 {
                for &row in rows {
                    count += self.cells::<DENSE>(row + last, row + last + 1, plan);
                }
            }
        }
        count
    }

    /// Half of the rows around a row: of each two opposite ones the later.
    #[inline(always)]
    fn rows_ahead(&self, grid: &LevelGrid<D>, row: u32) -> RowsAhead {
        let mut ahead = RowsAhead { first_cells: [0; 4], count: 0 };
        let y_count = grid.counts[1];
        let z_count = if D == 3 { grid.counts[2] } else { 1 };
        let (y, z) = (row % y_count, row / y_count);
        let steps: &[(i32, i32)] = if D == 3 { &[(1, 0), (-1, 1), (0, 1), (1, 1)] } else { &[(1, 0)] };
        for &(dy, dz) in steps {
            let y = step(y, dy, y_count, self.frame.periodic[1]);
            let z = if D == 3 { step(z, dz, z_count, self.frame.periodic[2]) } else { Some(0) };
            if let (Some(y), Some(z)) = (y, z) {
                ahead.first_cells[ahead.count] = grid.base + (z * y_count + y) * grid.row_length;
                ahead.count += 1;
            }
        }
        ahead
    }

    /// Rows of a finer level within reach of the probe, each cut to the chord of the ball of that reach.
    #[inline(always)]
    fn finer_level<const DENSE: bool, const IMAGES: bool, T: Tally>(
        &self,
        grid: &LevelGrid<D>,
        i: usize,
        plan: &mut TestPlan,
        tally: &mut T,
    ) {
        let frame = self.frame;
        let center = frame.point(self.columns.point(i));
        let own = f64::from(self.columns.radius[i] + self.filter.margin);
        let reach = (own * frame.reach + grid.radius) * (1.0 + 1e-6) + 2.0 * frame.blur();
        let z_axis = D - 1;
        let (z_low, z_high) =
            if D == 3 { grid.span(z_axis, center[z_axis], reach, frame.periodic[z_axis]) } else { (0, 0) };
        for z in z_low..=z_high {
            let rest = if D == 3 {
                reach * reach - self.gap_squared::<IMAGES>(grid, z_axis, center[z_axis], z)
            } else {
                reach * reach
            };
            if rest < 0.0 {
                continue;
            }
            let (y_low, y_high) = grid.span(1, center[1], rest.sqrt(), frame.periodic[1]);
            for y in y_low..=y_high {
                let rest = rest - self.gap_squared::<IMAGES>(grid, 1, center[1], y);
                if rest < 0.0 {
                    continue;
                }
                let z_row = if D == 3 { wrap(z, grid.counts[z_axis]) } else { 0 };
                let row = z_row * grid.counts[1] + wrap(y, grid.counts[1]);
                let first_cell = grid.base + row * grid.row_length;
                let (low, high) = grid.span(0, center[0], rest.sqrt(), frame.periodic[0]);
                self.chord::<DENSE, IMAGES, T>(grid, first_cell, low, high, plan, tally);
            }
        }
    }

    /// The cells `low..=high` of a row, which may go round on a periodic axis.
    #[inline(always)]
    fn chord<const DENSE: bool, const IMAGES: bool, T: Tally>(
        &self,
        grid: &LevelGrid<D>,
        first_cell: u32,
        low: i32,
        high: i32,
        plan: &mut TestPlan,
        tally: &mut T,
    ) {
        let count = grid.counts[0] as i32;
        let mut cells = |low: i32, high: i32| {
            tally.cells(1);
            tally.candidates(self.cells::<DENSE>(
                first_cell + low as u32,
                first_cell + high as u32 + 1,
                plan,
            ));
        };
        if !IMAGES || (low >= 0 && high < count) {
            cells(low, high);
        } else {
            // At most one turn, so the stretch is split into two at most.
            let (low, high) = (low.rem_euclid(count), high.rem_euclid(count));
            if low <= high {
                cells(low, high);
            } else {
                cells(low, count - 1);
                cells(0, high);
            }
        }
    }

    /// The square of the distance along an axis from a coordinate to a cell, whose index may be unwrapped.
    ///
    /// Where a level has only few cells around a periodic axis, the nearest image may be another: no distance then.
    #[inline(always)]
    fn gap_squared<const IMAGES: bool>(&self, grid: &LevelGrid<D>, k: usize, center: f64, index: i32) -> f64 {
        if IMAGES
            && self.frame.periodic[k]
            && 2.0 * self.frame.reach + 2.0 * grid.width[k] > self.frame.extent[k]
        {
            return 0.0;
        }
        let low = f64::from(index) * grid.width[k];
        let gap = (low - center).max(center - (low + grid.width[k])).max(0.0);
        gap * gap
    }
}

/// The neighbour of an index along an axis: wrapped, or `None` beyond an open end or on an axis with one cell.
#[inline(always)]
fn step(index: u32, by: i32, count: u32, periodic: bool) -> Option<u32> {
    if by == 0 {
        return Some(index);
    }
    let next = index as i32 + by;
    if (0..count as i32).contains(&next) {
        Some(next as u32)
    } else if periodic && count > 1 {
        Some(next.rem_euclid(count as i32) as u32)
    } else {
        None
    }
}

/// An index brought back into `0..count`.
#[inline(always)]
fn wrap(index: i32, count: u32) -> u32 {
    if index >= 0 && (index as u32) < count { index as u32 } else { index.rem_euclid(count as i32) as u32 }
}
