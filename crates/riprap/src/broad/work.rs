//! Work counters: what the papers' cost models predict.

/// Work done by one detection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Work {
    /// Pairs of spheres tested for overlap.
    pub candidates: u64,
    /// Cells looked into, empty ones included; for `levels`, `mr` and `mmr` rows of cells, for `tree` how often a particle
    /// is compared with the box of a node.
    pub cells: u64,
}

/// Counts work, or does not: methods are compiled once for [`Work`] and once for `()`, which costs nothing.
pub trait Tally: Default + Send {
    /// Adds what another thread has counted.
    fn add(&mut self, other: &Self);
    /// Counts tested pairs.
    fn candidates(&mut self, count: usize);
    /// Counts visited cells.
    fn cells(&mut self, count: usize);
}

impl Tally for () {
    #[inline(always)]
    fn add(&mut self, (): &Self) {}
    #[inline(always)]
    fn candidates(&mut self, _: usize) {}
    #[inline(always)]
    fn cells(&mut self, _: usize) {}
}

impl Tally for Work {
    fn add(&mut self, other: &Self) {
        self.candidates += other.candidates;
        self.cells += other.cells;
    }
    #[inline(always)]
    fn candidates(&mut self, count: usize) {
        self.candidates += count as u64;
    }
    #[inline(always)]
    fn cells(&mut self, count: usize) {
        self.cells += count as u64;
    }
}
