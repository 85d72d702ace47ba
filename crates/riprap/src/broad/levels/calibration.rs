//! The costs of `levels` on this machine.

use std::sync::OnceLock;
use std::time::Instant;

use super::{Costs, Levels, Search};
use crate::spheres::ball_volume;
use crate::{Criterion, Random, Spheres};

/// Particles of a trial: enough to time, few enough for some milliseconds in all.
const COUNT: usize = 8192;

/// What a trial took and did.
struct Trial {
    nanoseconds: f64,
    candidates: f64,
    rows: f64,
}

/// Costs measured by three small trials, once per process; some milliseconds.
///
/// Levels chosen by measured costs, and so the order of the pairs, may differ from run to run.
pub fn measured() -> Costs {
    static COSTS: OnceLock<Costs> = OnceLock::new();
    *COSTS.get_or_init(measure)
}

fn measure() -> Costs {
    // Equal spheres; the same in wider cells, for one is larger; the same with some giants that visit many rows.
    let plain = trial(&[], None);
    let wide = trial(&[2.5], Some(Vec::new()));
    let giants = trial(&[30.0; 8], Some(vec![1.0]));
    // Noise may give nonsense: then what is typical stands.
    let typical = Costs::default();
    let sound =
        |cost: f64, typical: f64| if cost > 0.1 * typical && cost < 10.0 * typical { cost } else { typical };
    let test =
        sound((wide.nanoseconds - plain.nanoseconds) / (wide.candidates - plain.candidates), typical.test);
    let more = giants.nanoseconds - plain.nanoseconds - test * (giants.candidates - plain.candidates);
    let finer_row = sound(more / (giants.rows - plain.rows), typical.finer_row);
    Costs { test, finer_row, ..typical }
}

/// The best of some detections among spheres of diameter 1 and some of other radii.
fn trial(others: &[f64], sizes: Option<Vec<f64>>) -> Trial {
    let mut random = Random::new(1);
    let mut radii = vec![0.5; COUNT];
    // A cube that equal spheres fill to one half.
    let edge = libm::cbrt(COUNT as f64 * ball_volume::<3>(0.5) / 0.5);
    radii[..others.len()].copy_from_slice(others);
    let centers: Vec<[f64; 3]> = radii.iter().map(|_| [(); 3].map(|()| random.uniform(0.0, edge))).collect();
    let spheres = Spheres::new(&centers, &radii).expect("sound spheres");
    let mut method = Levels::<3>::new(sizes, 1);
    let mut pairs = Vec::new();
    let mut nanoseconds = f64::INFINITY;
    let criterion = Criterion::default();
    for _ in 0..4 {
        pairs.clear();
        let start = Instant::now();
        method.search::<false, ()>(spheres, &criterion, &mut pairs, &mut ());
        nanoseconds = nanoseconds.min(1e9 * start.elapsed().as_secs_f64());
    }
    let mut work = crate::broad::Work::default();
    method.search::<false, _>(spheres, &criterion, &mut pairs, &mut work);
    Trial { nanoseconds, candidates: work.candidates as f64, rows: work.cells as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measured_costs_are_of_a_sane_size_and_stay() {
        let (costs, typical) = (measured(), Costs::default());
        for (cost, typical) in [(costs.test, typical.test), (costs.finer_row, typical.finer_row)] {
            assert!((0.1 * typical..=10.0 * typical).contains(&cost), "{costs:?}");
        }
        assert_eq!(measured(), costs);
    }
}
