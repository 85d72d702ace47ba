//! Things about memory that Rust cannot say safely: what will be read soon, and writing to a buffer from several threads.
#![allow(unsafe_code, reason = "prefetching, and a buffer written by several threads")]

use std::sync::atomic::AtomicU32;

/// Bytes that come from memory at once.
const LINE: usize = 64;

/// Asks for an entry that will be read soon, so that it is there when it is.
#[inline(always)]
pub(crate) fn prefetch<T>(entries: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(entry) = entries.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start = std::ptr::from_ref(entry).cast::<i8>();
        for line in 0..size_of::<T>().div_ceil(LINE) {
            // SAFETY: every x86-64 has this instruction, and it changes nothing, wherever the address is.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(line * LINE)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (entries, index);
}

/// Words that several threads may write to, in places that only they know to be different.
pub(crate) fn as_atomic(words: &mut [u32]) -> &[AtomicU32] {
    const { assert!(size_of::<AtomicU32>() == size_of::<u32>() && align_of::<AtomicU32>() == align_of::<u32>()) };
    // SAFETY: an atomic word has the representation of a plain one and, as just asserted, its alignment. The borrow is
    // exclusive, so as long as the result lives nobody reads or writes the words but through it.
    unsafe { &*(std::ptr::from_mut(words) as *const [AtomicU32]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_write_to_one_buffer() {
        let mut words = vec![0; 100];
        let shared = as_atomic(&mut words);
        std::thread::scope(|scope| {
            for remainder in 0..2 {
                scope.spawn(move || {
                    for index in (remainder..100).step_by(2) {
                        shared[index].store(index as u32, std::sync::atomic::Ordering::Relaxed);
                    }
                });
            }
        });
        assert!(words.iter().copied().eq(0..100));
    }

    #[test]
    fn prefetching_beyond_the_end_does_nothing() {
        prefetch(&[1, 2], 1);
        prefetch(&[1, 2], 2);
        prefetch(&[[0u8; 100]; 2], 1);
        prefetch(&[[0u8; 100]; 2], 2);
    }
}
