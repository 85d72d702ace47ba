//! Cells: cubes of equal size that points are mapped to by rounding down.
//!
//! Two spheres that touch must never be more than one cell apart, in spite of rounding. An index below 2^30 carries an
//! absolute error of less than 2^-21, larger ones are exact, and a pair that the test in double precision accepts may
//! be further apart than its reach by a few parts in 10^16. A cell that is wider than the reach by the factor
//! 1 + 2^-18 covers both.

/// How much wider than the reach a cell is, as a factor.
const WIDENING: f64 = 1.0 + 1.0 / (1 << 18) as f64;

/// Indices beyond this are computed exactly.
const SMALL: f64 = (1 << 30) as f64;

/// Beyond this many cells neighbouring numbers are further apart than cells.
const FAR: f64 = (1u64 << 53) as f64;

/// Indices at most, so that sums of them do not overflow.
const LIMIT: f64 = (1u64 << 61) as f64;

/// The width of a cell in which nothing reaches further than the neighbouring cell.
pub(super) fn width_for(reach: f64) -> f64 {
    reach * WIDENING
}

/// A point amid the others, whatever a few of them do: the median, along each axis, of some of them.
pub(super) fn middle<const D: usize>(points: &[[f64; D]]) -> [f64; D] {
    let sample: Vec<&[f64; D]> = points.iter().step_by(points.len() / 101 + 1).collect();
    std::array::from_fn(|k| {
        let mut coordinates: Vec<f64> = sample.iter().map(|point| point[k]).collect();
        coordinates.sort_by(f64::total_cmp);
        coordinates.get(coordinates.len() / 2).copied().unwrap_or(0.0)
    })
}

/// Smallest and largest coordinate along each axis; `None` without points.
pub(crate) fn bounds<const D: usize>(points: &[[f64; D]]) -> Option<([f64; D], [f64; D])> {
    let first = *points.first()?;
    // Four points at a time, so that no comparison waits for the last one.
    let (fours, rest) = points.as_chunks::<4>();
    let mut lanes = [(first, first); 4];
    for four in fours {
        for (lane, point) in lanes.iter_mut().zip(four) {
            widen(lane, (*point, *point));
        }
    }
    let mut bounds = (first, first);
    rest.iter().map(|&point| (point, point)).chain(lanes).for_each(|other| widen(&mut bounds, other));
    Some(bounds)
}

/// Widens a box by another. Comparisons instead of `min` and `max`, which would also ask for NaN.
#[inline(always)]
fn widen<const D: usize>((low, high): &mut ([f64; D], [f64; D]), other: ([f64; D], [f64; D])) {
    for k in 0..D {
        low[k] = if other.0[k] < low[k] { other.0[k] } else { low[k] };
        high[k] = if other.1[k] > high[k] { other.1[k] } else { high[k] };
    }
}

/// A regular grid of cells over all of space; indices may be negative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RegularCells<const D: usize> {
    /// The lower corner of the cell with index 0.
    pub(super) origin: [f64; D],
    /// Width of a cell along each axis.
    pub(super) width: [f64; D],
    density: [f64; D],
}

impl<const D: usize> RegularCells<D> {
    /// Cells of these widths.
    pub(super) fn new(origin: [f64; D], width: [f64; D]) -> Self {
        Self { origin, width, density: width.map(|width| 1.0 / width) }
    }

    /// The cell of a point; never decreases when a coordinate grows.
    #[inline(always)]
    pub(super) fn of(&self, point: &[f64; D]) -> [i64; D] {
        std::array::from_fn(|k| self.along(k, point[k]))
    }

    /// The cell of a point, those further out than 2^30 cells in the outermost one.
    #[inline(always)]
    pub(super) fn within(&self, point: &[f64; D]) -> [i32; D] {
        std::array::from_fn(|k| {
            round_down(((point[k] - self.origin[k]) * self.density[k]).clamp(-SMALL, SMALL)) as i32
        })
    }

    /// The index of a coordinate along one axis.
    #[inline(always)]
    pub(super) fn along(&self, k: usize, coordinate: f64) -> i64 {
        let offset = coordinate - self.origin[k];
        let index = offset * self.density[k];
        if index.abs() < SMALL { round_down(index) } else { exact_index(offset, index, self.width[k]) }
    }
}

/// The index of a far coordinate: the estimate, corrected by the sign of an exact remainder.
#[cold]
fn exact_index(offset: f64, estimate: f64, width: f64) -> i64 {
    let index = estimate.floor();
    if index.abs() >= FAR {
        return index.clamp(-LIMIT, LIMIT) as i64;
    }
    let remainder = (-index).mul_add(width, offset);
    index as i64 + i64::from(remainder >= width) - i64::from(remainder < 0.0)
}

/// `floor` for values in the range of `i64`; the library function is a call on plain x86-64.
#[inline(always)]
pub(super) fn round_down(value: f64) -> i64 {
    let truncated = value as i64;
    truncated - i64::from(truncated as f64 > value)
}

/// Half of the cells around a cell: of each two opposite neighbours the later one in (z, y, x) order.
/// An axis with `reach` 0 has no neighbours.
pub(super) fn half_stencil<const D: usize>(reach: [i32; D]) -> Vec<[i32; D]> {
    let zero = [0; D];
    offsets(reach).into_iter().filter(|offset| offset.iter().rev().gt(zero.iter())).collect()
}

/// All offsets from `-reach` to `reach` along each axis, in (z, y, x) order.
pub(super) fn offsets<const D: usize>(reach: [i32; D]) -> Vec<[i32; D]> {
    let mut all = vec![[0; D]];
    for k in (0..D).rev() {
        all = all
            .into_iter()
            .flat_map(|offset| {
                (-reach[k]..=reach[k]).map(move |step| {
                    let mut offset = offset;
                    offset[k] = step;
                    offset
                })
            })
            .collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_down() {
        for value in [-2.0, -1.5, -1e-300, 0.0, 0.5, 1.0, 1e9, -1e9 - 0.5] {
            assert_eq!(round_down(value) as f64, f64::floor(value), "{value}");
        }
    }

    #[test]
    fn half_stencils_have_4_and_13_cells_no_two_opposite() {
        assert_eq!(half_stencil([1; 2]).len(), 4);
        let half = half_stencil([1; 3]);
        assert_eq!(half.len(), 13);
        assert!(half.iter().all(|o| !half.contains(&o.map(|step| -step))));
        assert_eq!(half_stencil([1, 0, 1]).len(), 4);
    }

    #[test]
    fn far_points_share_the_outermost_cell_of_a_limited_grid() {
        let cells = RegularCells::new([0.0; 2], [1e-6; 2]);
        assert_eq!(cells.within(&[1e100, -1e100]), [1 << 30, -(1 << 30)]);
    }

    #[test]
    fn the_middle_ignores_outliers() {
        let mut points: Vec<[f64; 2]> = (0..1000).map(|i| [f64::from(i), 5.0]).collect();
        points[0] = [1e12, 1e12];
        let [x, y] = middle(&points);
        assert!((400.0..600.0).contains(&x) && y == 5.0);
        assert_eq!(middle::<2>(&[]), [0.0; 2]);
    }

    /// Points one reach apart on both sides of a border, near and far.
    #[test]
    fn touching_points_are_at_most_one_cell_apart() {
        let mut random = crate::Random::new(1);
        for round in 0..1_000_000 {
            let reach = random.uniform(0.1, 1.0);
            let cells = RegularCells::new([0.0; 1], [width_for(reach); 1]);
            let border = random.below(1 << (30 + round % 20)) as f64 * width_for(reach);
            let (a, b) = (border.next_down(), border.next_down() + reach);
            if b - a <= reach {
                assert!(cells.along(0, b) - cells.along(0, a) <= 1, "{a} {reach}");
            }
        }
    }
}
