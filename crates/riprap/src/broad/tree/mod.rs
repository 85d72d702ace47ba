//! Tree: boxes halved again and again, in which larger particles visit smaller ones; ours.
//!
//! 1. A node has some particles, its members, and the tight box around their centres. The root has all of them.
//! 2. Members as wide as that box leave it: each is tested against the others that do, nearly all of which it touches.
//! 3. The others are halved at the middle of the longest edge of the box, or into equal parts where the middle would leave
//!    one of them nearly empty (`node`).
//! 4. Those that left, and the members of each half, visit the other half: of two particles that of the larger size, the
//!    binary exponent of its radius, visits; of two of the same size that of the lower half.
//! 5. A visitor enters a half if it can reach its box; it then is as far from it as it is wide at most, so that it sees only
//!    boxes near to it (`visit`).
//! 6. In a leaf of some particles all pairs are tested, and each visitor with each particle (`leaf`).
//!
//! **Cost** O(n log n) whatever the sizes, distances and densities, some 60 bytes per particle. **Use** it for sizes and
//! distances over many decades, unevenly spread.

mod leaf;
mod node;
mod record;
mod visit;

use std::sync::Mutex;

use super::in_order::{self, in_order};
use super::options::check_above;
use super::{Options, Pair, Search, Tally, bytes_of};
use crate::{Criterion, Error, Spheres};
use node::{Branch, TreeSearch};
use record::Record;
use visit::Contact;

pub(super) const OPTIONS: &[(&str, &str)] = &[];

/// What a detection among so many particles costs, in nanoseconds per particle: so much for each halving.
pub(super) fn expected<const D: usize>(count: f64) -> f64 {
    let per_halving = if D == 3 { 10.0 } else { 6.0 };
    per_halving * libm::log2(count.max(2.0))
}

/// Branches of the tree that threads search are at most such a part of it: enough to share them out evenly, few enough that
/// the rest, which one thread does, is short.
const BRANCHES: usize = 32;

/// Boxes halved again and again.
#[derive(Debug, Clone)]
pub struct Tree<const D: usize> {
    /// Threads of the caller's pool to use, at most; the result does not depend on them.
    pub threads: usize,
    records: Vec<Record<D>>,
    visitors: Vec<Record<D>>,
}

impl<const D: usize> Default for Tree<D> {
    fn default() -> Self {
        Self::new(1)
    }
}

impl<const D: usize> Tree<D> {
    /// With so many threads.
    pub fn new(threads: usize) -> Self {
        Self { threads, records: Vec::new(), visitors: Vec::new() }
    }

    /// As [`Search::search`], with so many threads of those that there are.
    pub(super) fn search_with<const IMAGES: bool, T: Tally>(
        &mut self,
        spheres: Spheres<'_, D>,
        criterion: &Criterion<D>,
        pairs: &mut Vec<Pair>,
        tally: &mut T,
        threads: usize,
    ) {
        self.records.clear();
        let columns = spheres.centers().iter().zip(spheres.radii()).zip(0..);
        self.records.extend(columns.map(|((center, &radius), row)| {
            let center = if IMAGES { criterion.wrap(*center) } else { *center };
            Record::new(center, radius, row)
        }));
        self.visitors.clear();
        let contact = Contact::<D, IMAGES>::new(spheres, criterion);
        let mut branches = Vec::new();
        TreeSearch::new(contact, &mut self.visitors, pairs, tally).trunk(
            &mut self.records,
            spheres.len() / BRANCHES,
            &mut branches,
        );
        if threads == 1 {
            for branch in branches {
                branch.search(contact, pairs, tally);
            }
            return;
        }
        let branches: Vec<_> = branches.into_iter().map(|branch| Mutex::new(Some(branch))).collect();
        let counted = in_order(branches.len(), threads, pairs, |number, pairs, tally: &mut T| {
            let branch: Option<Branch<'_, D>> =
                branches[number].lock().expect("no thread has panicked").take();
            branch.into_iter().for_each(|branch| branch.search(contact, pairs, tally));
        });
        counted.iter().for_each(|counted| tally.add(counted));
    }
}

pub(super) fn build<const D: usize>(_: &Options<'_>) -> Result<Tree<D>, Error> {
    Ok(Tree::default())
}

impl<const D: usize> Search<D> for Tree<D> {
    const NAME: &'static str = "tree";
    const PERIODIC: bool = true;

    fn check_options(&self) -> Result<(), Error> {
        check_above(Self::NAME, "threads", self.threads as f64, 0.0)
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
        Vec::new()
    }

    fn scratch_bytes(&self) -> usize {
        bytes_of(&self.records) + bytes_of(&self.visitors)
    }

    fn release_scratch(&mut self) {
        *self = Self::new(self.threads);
    }
}
