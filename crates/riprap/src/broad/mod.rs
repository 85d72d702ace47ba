//! Broad phases: all pairs of spheres that touch, each exactly once.
//!
//! One file per method, and one line per method in [`SearchMethod::all`]. A broad phase borrows the caller's
//! columns, fills the caller's buffer and keeps its own scratch memory between calls.

mod auto;
pub mod brute_force;
mod candidates;
pub(crate) mod cells;
pub mod hgrid;
mod in_order;
pub mod levels;
pub mod linked_cell;
mod method;
pub mod mmr;
pub mod mr;
pub mod neighbors;
mod options;
mod prediction;
pub mod radial_sort;
mod sample;
pub mod tree;
mod work;

pub use auto::{AUTO, choose};
pub use brute_force::BruteForce;
pub use hgrid::{BottomUp, CrossLevel, HGrid, HierarchicalGrid, LevelSizes, TopDown};
pub use levels::{Levels, Vectors};
pub use linked_cell::LinkedCell;
pub(crate) use method::not_periodic;
pub use method::{SearchMethod, create, names, periodic_names};
pub use mmr::Mmr;
pub use mr::{Coordinates, Mr, RowSearch, Sort};
pub use neighbors::{ListCosts, Neighbors};
pub use options::Options;
pub use prediction::{Prediction, predict};
pub use radial_sort::RadialSort;
pub use tree::Tree;
pub use work::{Tally, Work};

use crate::{Criterion, Error, Spheres};

/// Two particles that touch, as rows of the input; `a < b`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(C)]
pub struct Pair {
    /// The smaller row.
    pub a: u32,
    /// The larger row.
    pub b: u32,
}

impl Pair {
    /// The pair of two different rows, in either order.
    #[inline(always)]
    pub fn new(i: u32, j: u32) -> Self {
        Self { a: i.min(j), b: i.max(j) }
    }
}

/// Finds all pairs of spheres that touch. Every [`Search`] is one.
pub trait BroadPhase<const D: usize>: Send {
    /// Replaces the contents of `pairs` by every pair the criterion accepts, each exactly once.
    ///
    /// The order of the pairs is the method's own, the same for the same sequence of calls.
    fn find(
        &mut self,
        spheres: Spheres<'_, D>,
        criterion: &Criterion<D>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Error>;

    /// As [`BroadPhase::find`], and counts the work done.
    fn find_counted(
        &mut self,
        spheres: Spheres<'_, D>,
        criterion: &Criterion<D>,
        pairs: &mut Vec<Pair>,
    ) -> Result<Work, Error>;

    /// Allows this number of threads of the caller's pool and returns how many of them can be used; results do not depend on it.
    fn set_threads(&mut self, threads: usize) -> usize;

    /// Widths of the cells in the last call, one per level, finest first; the largest where axes differ.
    fn cell_sizes(&self) -> Vec<f64>;

    /// Bytes of scratch memory kept for the next call.
    fn scratch_bytes(&self) -> usize;

    /// Gives scratch memory back, if there is much of it and the next call is far away.
    fn release_scratch(&mut self);
}

/// What a method itself has to provide; [`BroadPhase`] adds the checks and the choice of counting.
pub trait Search<const D: usize>: Send {
    /// The method's name in [`SearchMethod::all`].
    const NAME: &'static str;
    /// Whether the method has periodic boundaries.
    const PERIODIC: bool;

    /// Refuses options that make no sense.
    fn check_options(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Appends every pair the criterion accepts to `pairs`; input, criterion and options are already checked.
    ///
    /// `IMAGES` says whether any axis is periodic, for `Criterion::touches`.
    fn search<const IMAGES: bool, T: Tally>(
        &mut self,
        spheres: Spheres<'_, D>,
        criterion: &Criterion<D>,
        pairs: &mut Vec<Pair>,
        tally: &mut T,
    );

    /// See [`BroadPhase::set_threads`]; most methods run on one thread.
    fn set_threads(&mut self, _threads: usize) -> usize {
        1
    }

    /// See [`BroadPhase::cell_sizes`].
    fn cell_sizes(&self) -> Vec<f64>;

    /// See [`BroadPhase::scratch_bytes`].
    fn scratch_bytes(&self) -> usize;

    /// See [`BroadPhase::release_scratch`]; most methods keep theirs.
    fn release_scratch(&mut self) {}
}

impl<const D: usize, S: Search<D>> BroadPhase<D> for S {
    fn find(
        &mut self,
        spheres: Spheres<'_, D>,
        criterion: &Criterion<D>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        run(self, spheres, criterion, pairs, &mut ())
    }

    fn find_counted(
        &mut self,
        spheres: Spheres<'_, D>,
        criterion: &Criterion<D>,
        pairs: &mut Vec<Pair>,
    ) -> Result<Work, Error> {
        let mut work = Work::default();
        run(self, spheres, criterion, pairs, &mut work)?;
        Ok(work)
    }

    fn set_threads(&mut self, threads: usize) -> usize {
        Search::set_threads(self, threads)
    }

    fn cell_sizes(&self) -> Vec<f64> {
        Search::cell_sizes(self)
    }

    fn scratch_bytes(&self) -> usize {
        Search::scratch_bytes(self)
    }

    fn release_scratch(&mut self) {
        Search::release_scratch(self);
    }
}

fn run<const D: usize, S: Search<D>, T: Tally>(
    method: &mut S,
    spheres: Spheres<'_, D>,
    criterion: &Criterion<D>,
    pairs: &mut Vec<Pair>,
    tally: &mut T,
) -> Result<(), Error> {
    pairs.clear();
    if criterion.is_periodic() && !S::PERIODIC {
        return Err(not_periodic(S::NAME));
    }
    method.check_options()?;
    criterion.check(&spheres)?;
    if criterion.is_periodic() {
        method.search::<true, T>(spheres, criterion, pairs, tally);
    } else {
        method.search::<false, T>(spheres, criterion, pairs, tally);
    }
    Ok(())
}

/// Gives back what a vector has reserved beyond some more than its length.
pub(crate) fn trim<T>(vector: &mut Vec<T>) {
    vector.shrink_to(vector.len() + vector.len() / 32);
}

/// Bytes a vector has reserved.
fn bytes_of<T>(vector: &Vec<T>) -> usize {
    vector.capacity() * size_of::<T>()
}
