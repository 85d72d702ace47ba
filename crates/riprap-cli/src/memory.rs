//! Whether memory suffices for the pairs of a file, as far as that can be foreseen.

use std::fs;

use anyhow::anyhow;
use riprap::broad::{self, Pair};
use riprap::{Criterion, Random, SphereColumns, Spheres};

use crate::Failure;

/// Particles from which the number of pairs is estimated.
const SAMPLE: usize = 5000;
/// Bytes per pair while a list of pairs grows.
const BYTES: f64 = 16.0;

/// Refuses particles with more pairs than memory can hold: a program that is out of memory cannot say so any more.
pub(crate) fn check_pairs<const D: usize>(
    spheres: &Spheres<'_, D>,
    criterion: &Criterion<D>,
) -> Result<(), Failure> {
    let count = spheres.len() as f64;
    let Some(free) = free().filter(|free| 0.5 * count * count * BYTES > *free) else { return Ok(()) };
    let pairs = expected_pairs(spheres, criterion);
    if pairs * BYTES <= free {
        return Ok(());
    }
    Err(Failure::run(anyhow!(
        "about {pairs:.1e} pairs among {count} particles need some {:.1} GB, and {:.1} GB of memory are free; are sizes and \
         coordinates in the same unit, and is --margin not too large?",
        1e-9 * pairs * BYTES,
        1e-9 * free
    )))
}

/// The number of pairs that some of the particles let expect.
fn expected_pairs<const D: usize>(spheres: &Spheres<'_, D>, criterion: &Criterion<D>) -> f64 {
    let count = spheres.len();
    let taken = count.min(SAMPLE);
    let mut random = Random::new(1);
    let mut sample = SphereColumns::default();
    for index in 0..taken {
        // One of each stretch of rows, so that none is twice.
        let (first, end) = (index * count / taken, (index + 1) * count / taken);
        let row = ((random.uniform(first as f64, end as f64)) as usize).min(end - 1);
        sample.centers.push(spheres.centers()[row]);
        sample.radii.push(spheres.radii()[row]);
    }
    let mut pairs: Vec<Pair> = Vec::new();
    let found =
        sample.view().and_then(|sample| broad::create::<D>("levels")?.find(sample, criterion, &mut pairs));
    // What is wrong with the input is told by the search itself.
    let share = count as f64 / taken.max(1) as f64;
    if found.is_ok() { pairs.len() as f64 * share * share } else { 0.0 }
}

/// Bytes that this process may still get; `None` where that is not known.
fn free() -> Option<f64> {
    let number = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<f64>().ok();
    // A number behind a name, in kilobytes.
    let named = |path: &str, name: &str| {
        let text = fs::read_to_string(path).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(name).map(String::from))?;
        line.split_whitespace().next()?.parse::<f64>().ok()
    };
    let machine = named("/proc/meminfo", "MemAvailable:").map(|kilobytes| 1024.0 * kilobytes);
    let container = number("/sys/fs/cgroup/memory.max")
        .and_then(|most| Some(most - number("/sys/fs/cgroup/memory.current")?));
    let process = named("/proc/self/limits", "Max address space")
        .and_then(|most| Some(most - 1024.0 * named("/proc/self/status", "VmSize:")?));
    [machine, container, process].into_iter().flatten().reduce(f64::min)
}
