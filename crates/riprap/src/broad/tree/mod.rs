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

use super::{Options, Pair, Search, Tally, bytes_of};
use crate::{Criterion, Error, Spheres};
use node::TreeSearch;
use record::Record;

pub(super) const OPTIONS: &[(&str, &str)] = &[];

/// What a detection among so many particles costs, in nanoseconds per particle: so much for each halving.
pub(super) fn expected<const D: usize>(count: f64) -> f64 {
    let per_halving = if D == 3 { 10.0 } else { 6.0 };
    per_halving * libm::log2(count.max(2.0))
}

/// Boxes halved again and again.
#[derive(Debug, Clone, Default)]
pub struct Tree<const D: usize> {
    records: Vec<Record<D>>,
    visitors: Vec<Record<D>>,
}

pub(super) fn build<const D: usize>(_: &Options<'_>) -> Result<Tree<D>, Error> {
    Ok(Tree::default())
}

impl<const D: usize> Search<D> for Tree<D> {
    const NAME: &'static str = "tree";
    const PERIODIC: bool = true;

    fn search<const IMAGES: bool, T: Tally>(
        &mut self,
        spheres: Spheres<'_, D>,
        criterion: &Criterion<D>,
        pairs: &mut Vec<Pair>,
        tally: &mut T,
    ) {
        self.records.clear();
        let columns = spheres.centers().iter().zip(spheres.radii()).zip(0..);
        self.records.extend(columns.map(|((center, &radius), row)| {
            let center = if IMAGES { criterion.wrap(*center) } else { *center };
            Record::new(center, radius, row)
        }));
        self.visitors.clear();
        let mut search =
            TreeSearch::<D, IMAGES, T>::new(spheres, criterion, &mut self.visitors, pairs, tally);
        search.root(&mut self.records);
    }

    fn cell_sizes(&self) -> Vec<f64> {
        Vec::new()
    }

    fn scratch_bytes(&self) -> usize {
        bytes_of(&self.records) + bytes_of(&self.visitors)
    }

    fn release_scratch(&mut self) {
        *self = Self::default();
    }
}
