//! The hierarchical grid, Krijgsman, Ogarko and Luding 2014, "Optimal parameters for a hierarchical grid data
//! structure for contact detection in arbitrarily polydisperse particle systems".
//!
//! 1. Each level has a cell size; a particle lives at the lowest level with 2 r <= s, in a hashed cell.
//! 2. At its own level a particle meets the rest of its cell and half of the cells around it.
//! 3. At every smaller level (top-down) or larger level (bottom-up) it meets the cells of the box
//!    x ± (r + s/2).
//!
//! **Cost** O(n) time and memory for any sizes and any domain; the factor depends on the level sizes, see
//! [`LevelSizes`]. **Use** it for particles of very different sizes, where particles come and go
//! ([`HierarchicalGrid`]), and in periodic boxes.

mod chains;
mod grid;
mod levels;

pub use grid::HierarchicalGrid;
pub use levels::LevelSizes;
pub(super) use levels::check_sizes;

use std::marker::PhantomData;

use super::{Options, Pair, Search, Tally};
use crate::{Criterion, Error, Spheres};

pub(super) const OPTIONS: &[(&str, &str)] = &[
    ("levels", "growing cell sizes separated by slashes"),
    ("ratio", "of successive cell sizes, a number above 1.01, by default 3"),
];

/// Which other levels a particle searches; each pair of levels is searched from one side only.
pub trait CrossLevel: Send {
    /// The method's name.
    const NAME: &'static str;
    /// Whether a particle searches the smaller levels, rather than the larger ones.
    const LOOKS_DOWN: bool;
}

/// A particle searches the levels of smaller particles.
#[derive(Debug, Clone, Copy, Default)]
pub struct TopDown;

impl CrossLevel for TopDown {
    const NAME: &'static str = "hgrid";
    const LOOKS_DOWN: bool = true;
}

/// A particle searches the levels of larger particles.
#[derive(Debug, Clone, Copy, Default)]
pub struct BottomUp;

impl CrossLevel for BottomUp {
    const NAME: &'static str = "hgrid-bottom-up";
    const LOOKS_DOWN: bool = false;
}

/// Grids of several cell sizes, filled anew in each call.
#[derive(Debug, Clone, Default)]
pub struct HGrid<const D: usize, C = TopDown> {
    /// The cell sizes of the levels.
    pub levels: LevelSizes,
    grid: Option<HierarchicalGrid<D>>,
    direction: PhantomData<C>,
}

impl<const D: usize, C> HGrid<D, C> {
    /// With these cell sizes.
    pub fn new(levels: LevelSizes) -> Self {
        Self { levels, grid: None, direction: PhantomData }
    }
}

pub(super) fn build<const D: usize, C>(options: &Options<'_>) -> Result<HGrid<D, C>, Error> {
    let levels = match options.numbers("levels")? {
        Some(sizes) => LevelSizes::Given(sizes),
        None => LevelSizes::Geometric { ratio: options.number("ratio", levels::DEFAULT_RATIO)? },
    };
    Ok(HGrid::new(levels))
}

impl<const D: usize, C: CrossLevel> Search<D> for HGrid<D, C> {
    const NAME: &'static str = C::NAME;
    const PERIODIC: bool = true;

    fn check_options(&self) -> Result<(), Error> {
        self.levels.check(C::NAME)
    }

    fn search<const IMAGES: bool, T: Tally>(
        &mut self,
        spheres: Spheres<'_, D>,
        criterion: &Criterion<D>,
        pairs: &mut Vec<Pair>,
        tally: &mut T,
    ) {
        let mut sizes = self.levels.sizes(spheres.radius_range());
        if let Some((_, largest)) = spheres.radius_range()
            && sizes.last().is_none_or(|last| *last < 2.0 * largest)
        {
            sizes.push(2.0 * largest);
        }
        let grid = self.grid.get_or_insert_default();
        grid.refill(*criterion, &sizes, spheres);
        grid.collect_pairs::<C, IMAGES, T>(pairs, tally);
    }

    fn cell_sizes(&self) -> Vec<f64> {
        self.grid.as_ref().map_or_else(Vec::new, HierarchicalGrid::cell_sizes)
    }

    fn scratch_bytes(&self) -> usize {
        self.grid.as_ref().map_or(0, HierarchicalGrid::bytes)
    }
}
