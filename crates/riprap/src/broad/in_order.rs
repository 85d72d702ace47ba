//! Work in parts on several threads, with the results in the order of the parts.
//!
//! Threads take one part after the other. Who finishes the next one in order appends it to the result, and those after it
//! that were waiting. Parts so are copied while they are still in the cache, and only a few buffers are needed.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Threads at most; each of them needs its share of particles.
pub(super) const MOST_THREADS: usize = 256;

struct Results<'a, R> {
    target: &'a mut Vec<R>,
    /// Parts that have been appended.
    done: usize,
    /// Those that wait for an earlier one.
    waiting: Vec<Option<Vec<R>>>,
    /// Buffers that can be used again.
    spare: Vec<Vec<R>>,
}

impl<R: Copy> Results<'_, R> {
    fn append(&mut self, part: usize, found: Vec<R>) {
        self.waiting[part] = Some(found);
        while let Some(mut found) = self.waiting.get_mut(self.done).and_then(Option::take) {
            self.target.extend_from_slice(&found);
            found.clear();
            self.spare.push(found);
            self.done += 1;
        }
    }
}

/// Appends what `run` finds in each part to `target`, in order, on so many threads of the current pool; returns what each
/// thread has counted.
pub(super) fn in_order<R: Copy + Send, C: Default + Send>(
    parts: usize,
    threads: usize,
    target: &mut Vec<R>,
    run: impl Fn(usize, &mut Vec<R>, &mut C) + Sync,
) -> Vec<C> {
    let next = AtomicUsize::new(0);
    let waiting = (0..parts).map(|_| None).collect();
    let results = Mutex::new(Results { target, done: 0, waiting, spare: Vec::new() });
    let lock = || results.lock().expect("no thread has panicked");
    let mut counts: Vec<C> = (0..threads).map(|_| C::default()).collect();
    rayon::scope(|scope| {
        for count in &mut counts {
            let (next, run, lock) = (&next, &run, &lock);
            scope.spawn(move |_| {
                loop {
                    let part = next.fetch_add(1, Relaxed);
                    if part >= parts {
                        return;
                    }
                    let mut found = lock().spare.pop().unwrap_or_default();
                    run(part, &mut found, count);
                    lock().append(part, found);
                }
            });
        }
    });
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_in_order_whatever_they_take() {
        for threads in [1, 2, 8] {
            let mut target = vec![99];
            let counts = in_order(20, threads, &mut target, |part, found, count: &mut usize| {
                // Early parts take longest.
                std::thread::sleep(std::time::Duration::from_micros(100 * (20 - part) as u64));
                found.extend(std::iter::repeat_n(part, part % 3));
                *count += part % 3;
            });
            let expected = (0..20).flat_map(|part| std::iter::repeat_n(part, part % 3));
            assert!(target.iter().copied().eq([99].into_iter().chain(expected)));
            assert_eq!(counts.iter().sum::<usize>(), target.len() - 1);
        }
    }
}
