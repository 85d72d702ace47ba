//! The work of one level, whatever the other levels are.
//!
//! Eqs 23 to 26 sum over pairs of levels. Exchange the sums: a level is visited top-down by every particle too large
//! for it, bottom-up by every particle of the levels below, and how those are spread over levels does not matter. So
//! the work of a level depends on its own cell size and on that of the level below only, the total is a sum over
//! neighbours, and both its gradient and its best path through a table of sizes are cheap.

use super::model::{Direction, Model};
use crate::number::power;

/// A cell size with the moments of the particles that fit into it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Boundary {
    pub(super) size: f64,
    moments: [f64; 4],
}

/// Derivatives of a level's work with respect to the logarithms of two cell sizes.
pub(super) struct Slope {
    /// Of the level below.
    pub(super) lower: f64,
    /// Of the level itself.
    pub(super) upper: f64,
}

/// Members, occupancy and visitors' cells of a level, or derivatives of these.
#[derive(Clone, Copy)]
struct Parts {
    share: f64,
    per_cell: f64,
    visited: f64,
}

impl Boundary {
    pub(super) fn new(model: &Model<'_>, size: f64) -> Self {
        Self { size, moments: model.sizes().moments_up_to(0.5 * size) }
    }

    /// Below all particles.
    pub(super) const BOTTOM: Self = Self { size: 0.0, moments: [0.0; 4] };
}

/// The work per particle of the system that a level causes: of its members at their own level, and of its visitors.
pub(super) fn work(model: &Model<'_>, lower: &Boundary, upper: &Boundary) -> f64 {
    let Parts { share, per_cell, visited } = parts(model, lower, upper);
    let neighbors = model.neighbors();
    let checks = share * (0.5 + neighbors) * per_cell + per_cell * visited;
    let accesses = share * (1.0 + neighbors) + visited;
    checks + model.parameters().access_cost * accesses
}

/// How [`work`] changes with the two cell sizes.
pub(super) fn slope(model: &Model<'_>, lower: &Boundary, upper: &Boundary) -> Slope {
    let dimension = model.parameters().dimension;
    let at = parts(model, lower, upper);
    let crowd = model.crowd(upper.size);
    let growth = |boundary: &Boundary| {
        let radius = 0.5 * boundary.size;
        let share = model.sizes().share_per_log(radius);
        std::array::from_fn(|exponent| share * power(radius, exponent as u32))
    };
    let (gained, lost): ([f64; 4], [f64; 4]) = (growth(upper), growth(lower));
    let visitors = visitors(model, lower, upper);
    let fewer_cells: [f64; 4] = std::array::from_fn(|power| -(power as f64) * visitors[power]);

    let top_down = model.parameters().direction == Direction::TopDown;
    let leaving = if top_down { cells(model, &gained, upper.size) } else { 0.0 };
    let arriving = if top_down { 0.0 } else { cells(model, &lost, upper.size) };
    let change = |parts: Parts| {
        let neighbors = model.neighbors();
        let members = parts.share * at.per_cell + at.share * parts.per_cell;
        let checks = (0.5 + neighbors) * members + parts.per_cell * at.visited + at.per_cell * parts.visited;
        let accesses = (1.0 + neighbors) * parts.share + parts.visited;
        checks + model.parameters().access_cost * accesses
    };
    Slope {
        lower: change(Parts { share: -lost[0], per_cell: -crowd * lost[0], visited: arriving }),
        upper: change(Parts {
            share: gained[0],
            per_cell: dimension as f64 * at.per_cell + crowd * gained[0],
            visited: cells(model, &fewer_cells, upper.size) - leaving,
        }),
    }
}

fn parts(model: &Model<'_>, lower: &Boundary, upper: &Boundary) -> Parts {
    let share = (upper.moments[0] - lower.moments[0]).max(0.0);
    let visited = cells(model, &visitors(model, lower, upper), upper.size);
    Parts { share, per_cell: model.crowd(upper.size) * share, visited }
}

/// Moments of the particles of other levels that look at this one.
fn visitors(model: &Model<'_>, lower: &Boundary, upper: &Boundary) -> [f64; 4] {
    match model.parameters().direction {
        Direction::TopDown => {
            std::array::from_fn(|power| (model.moments()[power] - upper.moments[power]).max(0.0))
        }
        Direction::BottomUp => lower.moments,
    }
}

/// Cells of this size that particles with these moments visit (eq. 16, its power expanded).
pub(super) fn cells(model: &Model<'_>, moments: &[f64; 4], size: f64) -> f64 {
    let (binomials, whole) = match model.parameters().dimension {
        2 => ([1.0, 2.0, 1.0, 0.0], 4.0),
        _ => ([1.0, 3.0, 3.0, 1.0], 8.0),
    };
    let sum = (0..4).rev().fold(0.0, |sum, power| sum / size + binomials[power] * moments[power]);
    whole * sum
}
