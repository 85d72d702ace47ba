//! Cells: cubes of equal size that points are mapped to by rounding down.
//!
//! Two spheres that touch must never be more than one cell apart, in spite of rounding. An index
//! below 2^30 carries an absolute error of less than 2^-21, and a pair that the test in double
//! precision accepts may be further apart than its reach by a few parts in 10^16. A cell that is
//! wider than the reach by the factor 1 + 2^-18 covers both.

/// How much wider than the reach a cell is, as a factor.
const WIDENING: f64 = 1.0 + 1.0 / (1 << 18) as f64;

/// Cells per axis and direction at most; points further out share the outermost cell.
const LIMIT: f64 = (1 << 30) as f64;

/// The width of a cell in which nothing reaches further than the neighbouring cell.
pub(super) fn width_for(reach: f64) -> f64 {
    reach * WIDENING
}

/// Smallest and largest coordinate along each axis; `None` without points.
pub(super) fn bounds<const D: usize>(points: &[[f64; D]]) -> Option<([f64; D], [f64; D])> {
    let first = *points.first()?;
    Some(points.iter().fold((first, first), |(mut low, mut high), point| {
        for k in 0..D {
            low[k] = low[k].min(point[k]);
            high[k] = high[k].max(point[k]);
        }
        (low, high)
    }))
}

/// A regular grid of cells over all of space; indices may be negative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cells<const D: usize> {
    pub(super) origin: [f64; D],
    /// Cells per unit length.
    pub(super) density: [f64; D],
}

impl<const D: usize> Cells<D> {
    /// Cubes of this width, one of them with its lower corner at the origin.
    pub(super) fn new(origin: [f64; D], width: f64) -> Self {
        Self { origin, density: [1.0 / width; D] }
    }

    /// The cell of a point; never decreases when a coordinate grows.
    #[inline(always)]
    pub(super) fn of(&self, point: &[f64; D]) -> [i32; D] {
        std::array::from_fn(|k| self.along(k, point[k]))
    }

    /// The index of a coordinate along one axis.
    #[inline(always)]
    pub(super) fn along(&self, k: usize, coordinate: f64) -> i32 {
        round_down(((coordinate - self.origin[k]) * self.density[k]).clamp(-LIMIT, LIMIT))
    }
}

/// The width of cells for this reach, widened where a box of these bounds would have too many of them.
pub(super) fn width_within<const D: usize>(reach: f64, low: &[f64; D], high: &[f64; D]) -> f64 {
    let extent = (0..D).map(|k| high[k] - low[k]).fold(0.0, f64::max);
    width_for(reach).max(extent / (0.5 * LIMIT))
}

/// `floor` for values in the range of `i32`; the library function is a call on plain x86-64.
#[inline(always)]
fn round_down(value: f64) -> i32 {
    let truncated = value as i32;
    truncated - i32::from(f64::from(truncated) > value)
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
            assert_eq!(f64::from(round_down(value)), f64::floor(value), "{value}");
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
    fn far_points_share_the_outermost_cell() {
        let cells = Cells::new([0.0; 2], 1e-6);
        assert_eq!(cells.of(&[1e100, -1e100]), [1 << 30, -(1 << 30)]);
    }

    /// Points one reach apart, at every distance from the origin that keeps below the limit.
    #[test]
    fn touching_points_are_at_most_one_cell_apart() {
        let mut random = crate::Random::new(1);
        for _ in 0..1_000_000 {
            let reach = random.uniform(0.1, 1.0);
            let cells = Cells::new([0.0; 1], width_for(reach));
            let border = random.below(1 << 30) as f64 * width_for(reach);
            let (a, b) = (border.next_down(), border.next_down() + reach);
            if b - a <= reach {
                assert!(cells.along(0, b) - cells.along(0, a) <= 1, "{a} {reach}");
            }
        }
    }
}
