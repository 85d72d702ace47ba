//! zelll: one grid of cells as wide as the largest diameter, in a hash map.
//!
//! Only the search uses threads; zelll builds a grid with one.

use rayon::prelude::*;
use zelll::CellGrid;

use crate::{Input, Pairs};

/// A particle's number and center.
type Labelled<const D: usize> = (u32, [f64; D]);

pub(crate) fn find<const D: usize>(input: &Input<D>, pairs: &mut Pairs)
where
    Labelled<D>: zelll::ParticleLike<[f64; D]> + Default,
{
    let particles = input.centers.iter().enumerate().map(|(a, center)| (a as u32, *center));
    let grid = CellGrid::<_, D, f64>::new(particles, 2.0 * input.largest_radius());
    // The copies in the grid lie together; the columns do not.
    let touching = |((a, p), (b, q)): (&Labelled<D>, &Labelled<D>)| {
        let square: f64 = (0..D).map(|k| (p[k] - q[k]).powi(2)).sum();
        let reach = input.radii[*a as usize] + input.radii[*b as usize];
        (square <= reach * reach).then_some((*a, *b))
    };
    if input.threads == 1 {
        pairs.extend(grid.particle_pairs().filter_map(touching));
    } else {
        pairs.par_extend(grid.par_particle_pairs().filter_map(touching));
    }
}
