//! The one pool of threads of a command, in which the library does all of its parallel work.

use anyhow::anyhow;

use crate::Failure;

/// More threads than this help nobody.
const MOST: usize = 256;

/// Runs something on this number of threads.
pub(crate) fn on<R: Send>(
    threads: usize,
    run: impl FnOnce() -> Result<R, Failure> + Send,
) -> Result<R, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.clamp(1, MOST)).build();
    let pool = pool.map_err(|error| {
        Failure::run(anyhow!("cannot start {threads} threads: {error}; try fewer with --threads"))
    })?;
    pool.install(run)
}
