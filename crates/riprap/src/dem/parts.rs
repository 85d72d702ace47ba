//! Work on contiguous parts of the columns, on one thread or several, with the same result.
//!
//! The bodies are divided into parts whose number depends on how many bodies there are and on nothing else. Each part is
//! worked on by one thread; sums over parts are taken in their order. So the result does not depend on the number of threads.

use std::ops::Range;

/// Bodies per part at least: fewer would make more contacts reach across parts.
const SMALLEST: usize = 1024;
/// Parts at most.
const MOST: usize = 64;

/// Bodies per part, for so many bodies.
pub(crate) fn part_size(bodies: usize) -> usize {
    SMALLEST.max(bodies.div_ceil(MOST))
}

/// The rows of each part.
pub(crate) fn part_rows(bodies: usize) -> impl Iterator<Item = Range<usize>> {
    let size = part_size(bodies);
    (0..bodies.div_ceil(size)).map(move |part| part * size..((part + 1) * size).min(bodies))
}

/// Borrowed columns that can be split between two parts.
pub(crate) trait Split: Sized + Send {
    /// Number of parts.
    fn parts(&self) -> usize;
    /// The first so many parts and the others.
    fn split(self, parts: usize) -> (Self, Self);
}

/// Calls `run` for every part, in parallel on the current pool if asked to.
pub(crate) fn for_each_part<T: Split>(work: T, parallel: bool, run: &(impl Fn(T) + Sync)) {
    match work.parts() {
        0 => {}
        1 => run(work),
        parts => {
            let (first, second) = work.split(parts / 2);
            if parallel {
                rayon::join(|| for_each_part(first, true, run), || for_each_part(second, true, run));
            } else {
                for_each_part(first, false, run);
                for_each_part(second, false, run);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_all_rows_once() {
        for bodies in [0, 1, 1024, 1025, 100_000, 1_234_567] {
            let mut next = 0;
            for rows in part_rows(bodies) {
                assert_eq!(rows.start, next);
                assert!(!rows.is_empty());
                next = rows.end;
            }
            assert_eq!(next, bodies);
        }
    }
}
