//! Two things about memory that Rust cannot say safely: what will be read soon, and filling a buffer from several threads.
#![allow(unsafe_code, reason = "prefetching, and a buffer filled in parts")]

use rayon::prelude::*;

/// Asks for an entry that will be read soon, so that it is there when it is.
#[inline(always)]
pub(super) fn prefetch<T>(entries: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(entry) = entries.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 has this instruction, and it changes nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(entry).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (entries, index);
}

/// Appends the parts in order, each copied by a thread of the current pool.
pub(super) fn append_parts<T: Copy + Send + Sync>(target: &mut Vec<T>, parts: &[&[T]]) {
    let total = parts.iter().map(|part| part.len()).sum();
    target.reserve(total);
    let mut spare = &mut target.spare_capacity_mut()[..total];
    let mut copies = Vec::with_capacity(parts.len());
    for part in parts {
        let (room, rest) = spare.split_at_mut(part.len());
        copies.push((room, part));
        spare = rest;
    }
    copies.into_par_iter().for_each(|(room, part)| {
        for (slot, value) in room.iter_mut().zip(*part) {
            slot.write(*value);
        }
    });
    // SAFETY: `total` entries behind the old length were reserved, and the parts have filled all of them.
    unsafe { target.set_len(target.len() + total) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_what_is_there() {
        let mut target = vec![1, 2];
        append_parts(&mut target, &[&[3], &[], &[4, 5]]);
        append_parts(&mut target, &[]);
        assert_eq!(target, [1, 2, 3, 4, 5]);
        prefetch(&target, 4);
        prefetch(&target, 5);
    }
}
