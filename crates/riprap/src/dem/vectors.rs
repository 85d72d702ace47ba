//! Wider vector instructions where the processor has them.
#![allow(unsafe_code, reason = "calling a function compiled for AVX2")]

/// A loop worth compiling for wider vectors; `run` must be inlined, so that it is compiled for them.
pub(crate) trait Kernel {
    /// Does the work.
    fn run(self);
}

/// Runs a kernel with AVX2 if the processor has it and `wide` is set. The arithmetic, and so the result, is the same either way:
/// nothing is reordered or fused.
pub(crate) fn run(kernel: impl Kernel, wide: bool) {
    #[cfg(target_arch = "x86_64")]
    if wide && std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just been found to have AVX2.
        return unsafe { run_avx2(kernel) };
    }
    let _ = wide;
    kernel.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2(kernel: impl Kernel) {
    kernel.run();
}
