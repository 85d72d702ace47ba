//! MR linear contact detection, Munjiza, Rougier and John 2006, "MR linear contact detection algorithm".
//!
//! 1. Map the particles to cells as wide as the largest diameter, and order cells by (z, y, x), eq. 7.
//! 2. Keep the particles in a doubly linked closed list, sorted by cell: by quick sort at first (`quick_sort`),
//!    by the MR linear sort as long as nobody moves more than one cell between two calls (`linear_sort`).
//! 3. For each particle test those in its own cell and in half of the cells around it. In the sorted list
//!    these cells form 5 rows (2 in 2D), and as the particle advances, the begin and the end of each row only
//!    move forward (`row_sweep`). The baseline looks both up by bisection (`row_bisection`).
//!
//! **Cost** O(n) time whatever the density, 5 n integers in 3D and 4 n in 2D, or 2 n when cells are computed
//! anew each time they are needed. **Use** it for particles of similar size in a wide or unbounded space.

mod linear_sort;
mod list;
mod quick_sort;
mod row_bisection;
pub(super) mod row_sweep;

pub(super) use list::List;
pub(super) use quick_sort::quick_sort;

use super::{Options, Pair, Search, Tally, bytes_of, candidates::Candidates, cells, cells::RegularCells};
use crate::{Criterion, Error, Spheres};

pub(super) const OPTIONS: &[(&str, &str)] = &[
    ("sort", "linear (default) or quick"),
    ("search", "linear (default) or binary"),
    ("coordinates", "stored (default) or recomputed"),
];

/// Cells that the middle of all particles may drift before cells are counted anew.
const DRIFT: i32 = 1 << 29;

/// How the list is sorted when it is not new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// The MR linear sort, which needs small steps; quick sort where it finds that they were not.
    #[default]
    Linear,
    /// Quick sort in every call.
    Quick,
}

/// How the rows of neighbouring cells are found in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RowSearch {
    /// The MR linear search: pointers that only move forward.
    #[default]
    Linear,
    /// Bisection for the begin and end of each row.
    Binary,
}

/// Whether the cells of the particles are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Coordinates {
    /// `D` integers per particle.
    #[default]
    Stored,
    /// Nothing; computed from the position at each comparison.
    Recomputed,
}

/// A cell with its most significant coordinate first, so that arrays compare in the order of eq. 7.
pub(super) type CellPlace<const D: usize> = [i32; D];

/// Where a particle is.
pub(super) trait Places<const D: usize> {
    /// The place of the particle in this row.
    fn of(&self, row: u32) -> CellPlace<D>;
}

/// Places looked up.
pub(super) struct StoredPlaces<'a, const D: usize>(pub(super) &'a [CellPlace<D>]);

impl<const D: usize> Places<D> for StoredPlaces<'_, D> {
    #[inline(always)]
    fn of(&self, row: u32) -> CellPlace<D> {
        self.0[row as usize]
    }
}

/// Places computed from the positions.
pub(super) struct RecomputedPlaces<'a, const D: usize> {
    pub(super) cells: RegularCells<D>,
    pub(super) centers: &'a [[f64; D]],
}

impl<const D: usize> Places<D> for RecomputedPlaces<'_, D> {
    #[inline(always)]
    fn of(&self, row: u32) -> CellPlace<D> {
        let mut place = self.cells.within(&self.centers[row as usize]);
        place.reverse();
        place
    }
}

/// A list of particles sorted by cell, kept between calls.
///
/// Rows keep their meaning from call to call. A particle that moved more than one cell, a changed number of
/// particles or a changed cell size costs a quick sort, never a contact.
#[derive(Debug, Clone, Default)]
pub struct Mr<const D: usize> {
    /// How the list is sorted.
    pub sort: Sort,
    /// How rows are found.
    pub search: RowSearch,
    /// Whether cells are stored.
    pub coordinates: Coordinates,
    cells: Option<RegularCells<D>>,
    list: List,
    places: Vec<CellPlace<D>>,
    order: Vec<u32>,
    last_sort: Option<Sort>,
}

pub(super) fn build<const D: usize>(options: &Options<'_>) -> Result<Mr<D>, Error> {
    Ok(Mr::new(
        options.choice("sort", &[("linear", Sort::Linear), ("quick", Sort::Quick)])?,
        options.choice("search", &[("linear", RowSearch::Linear), ("binary", RowSearch::Binary)])?,
        options.choice(
            "coordinates",
            &[("stored", Coordinates::Stored), ("recomputed", Coordinates::Recomputed)],
        )?,
    ))
}

impl<const D: usize> Mr<D> {
    /// With these parts; the default takes the first of each.
    pub fn new(sort: Sort, search: RowSearch, coordinates: Coordinates) -> Self {
        Self { sort, search, coordinates, ..Self::default() }
    }

    /// How the last call sorted the list: [`Sort::Quick`] also where the linear sort had to give up.
    pub fn last_sort(&self) -> Option<Sort> {
        self.last_sort
    }

    /// Whether the list and the cells of the last call are of use for these particles.
    ///
    /// Particles that have all moved far away need cells counted from where they are now.
    fn continues(&self, centers: &[[f64; D]], reach: f64) -> bool {
        let needed = cells::width_for(reach);
        self.list.len() == centers.len()
            && self.cells.is_some_and(|cells| {
                let middle = cells.within(&cells::middle(centers));
                (needed..=2.0 * needed).contains(&cells.width[0])
                    && middle.iter().all(|index| index.abs() < DRIFT)
            })
    }

    fn sort_list(&mut self, places: &impl Places<D>, continues: bool) {
        let sorted = continues
            && self.sort == Sort::Linear
            && linear_sort::linear_sort(&mut self.list, places).is_ok();
        if !sorted {
            let head = self.list.head(0);
            quick_sort(&mut self.list, head, places);
        }
        self.last_sort = Some(if sorted { Sort::Linear } else { Sort::Quick });
    }

    fn visit_neighbors<T: Tally>(
        &mut self,
        places: &impl Places<D>,
        tally: &mut T,
        visit: impl FnMut(u32, u32, &mut T),
    ) {
        match self.search {
            RowSearch::Linear => {
                let head = self.list.head(0);
                row_sweep::sweep(&self.list, head, head, places, tally, visit);
            }
            RowSearch::Binary => row_bisection::visit(&self.list, &mut self.order, places, tally, visit),
        }
    }
}

impl<const D: usize> Search<D> for Mr<D> {
    const NAME: &'static str = "mr";
    const PERIODIC: bool = false;

    fn search<const IMAGES: bool, T: Tally>(
        &mut self,
        spheres: Spheres<'_, D>,
        criterion: &Criterion<D>,
        pairs: &mut Vec<Pair>,
        tally: &mut T,
    ) {
        let centers = spheres.centers();
        let Some((_, largest)) = spheres.radius_range() else {
            (self.cells, self.list, self.last_sort) = (None, List::default(), None);
            return;
        };
        let reach = 2.0 * largest + criterion.margin;
        let continues = self.continues(centers, reach);
        if !continues {
            self.cells = Some(RegularCells::new(cells::middle(centers), [cells::width_for(reach); D]));
            self.list.reset(centers.len(), 1);
        }
        let recomputed = RecomputedPlaces { cells: self.cells.expect("just set"), centers };
        let candidates = Candidates { centers, radii: spheres.radii(), criterion };
        let visit = |i: u32, j: u32, tally: &mut T| candidates.test::<IMAGES, T>(i, j, pairs, tally);
        match self.coordinates {
            Coordinates::Recomputed => {
                self.sort_list(&recomputed, continues);
                self.visit_neighbors(&recomputed, tally, visit);
            }
            Coordinates::Stored => {
                let mut places = std::mem::take(&mut self.places);
                places.clear();
                places.reserve_exact(centers.len());
                places.extend((0..centers.len() as u32).map(|row| recomputed.of(row)));
                let stored = StoredPlaces(&places);
                self.sort_list(&stored, continues);
                self.visit_neighbors(&stored, tally, visit);
                self.places = places;
            }
        }
    }

    fn cell_sizes(&self) -> Vec<f64> {
        self.cells.iter().map(|cells| cells.width[0]).collect()
    }

    fn scratch_bytes(&self) -> usize {
        self.list.bytes() + bytes_of(&self.places) + bytes_of(&self.order)
    }
}
