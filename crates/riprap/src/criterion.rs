//! When two spheres count as a pair.

use crate::error::{AXES, Error};
use crate::spheres::{Spheres, check_coordinate};

/// When two spheres count as a pair: `|xa - xb| <= ra + rb + margin`, to the nearest periodic image.
///
/// The test is closed (touching counts), symmetric, and the same in every method down to the last
/// bit. It is evaluated in double precision as `d·d <= (ra + rb + margin)²`; spheres that should touch
/// but whose coordinates carry rounding errors are kept by a small margin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Criterion<const D: usize> {
    /// Pairs with a gap of up to this length are reported too; zero or more.
    pub margin: f64,
    /// Edge lengths of the periodic box; an infinite length leaves that axis open.
    pub lengths: [f64; D],
}

impl<const D: usize> Default for Criterion<D> {
    fn default() -> Self {
        Self { margin: 0.0, lengths: [f64::INFINITY; D] }
    }
}

impl<const D: usize> Criterion<D> {
    /// Whether any axis is periodic.
    pub fn is_periodic(&self) -> bool {
        self.lengths.iter().any(|length| length.is_finite())
    }

    /// Refuses a negative or non-finite margin, a box without volume, and a box in which some particle
    /// reaches further than half an edge.
    pub fn check(&self, spheres: &Spheres<'_, D>) -> Result<(), Error> {
        self.check_values()?;
        if !self.is_periodic() {
            return Ok(());
        }
        let widest = spheres.radii().iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
        match widest {
            Some((index, radius)) => self.check_width(index, radius),
            None => Ok(()),
        }
    }

    /// Refuses a margin or box length that makes no sense whatever the particles are.
    pub(crate) fn check_values(&self) -> Result<(), Error> {
        if check_coordinate(self.margin).is_err() || self.margin < 0.0 {
            return Err(Error::Margin { value: self.margin });
        }
        for (axis, &value) in AXES.iter().zip(&self.lengths) {
            let too_long = value.is_finite() && check_coordinate(value).is_err();
            if value.is_nan() || value <= 0.0 || too_long {
                return Err(Error::BoxLength { axis, value });
            }
        }
        Ok(())
    }

    /// Refuses a particle that reaches further than half the box.
    pub(crate) fn check_width(&self, index: usize, radius: f64) -> Result<(), Error> {
        for (axis, &length) in AXES.iter().zip(&self.lengths) {
            if 2.0 * radius + self.margin > 0.5 * length {
                let (diameter, margin) = (2.0 * radius, self.margin);
                return Err(Error::WiderThanHalfBox { index, diameter, margin, axis, length });
            }
        }
        Ok(())
    }

    /// The point's image in the box `[0, length)`; unchanged along open axes.
    pub fn wrap(&self, mut x: [f64; D]) -> [f64; D] {
        for k in 0..D {
            if self.lengths[k].is_finite() && !(0.0..self.lengths[k]).contains(&x[k]) {
                // The remainder is exact; only the sum for a negative one can round up to the length.
                x[k] = x[k].rem_euclid(self.lengths[k]);
                if x[k] >= self.lengths[k] {
                    x[k] = 0.0;
                }
            }
        }
        x
    }

    /// The point itself if it is less than a length away from the box, else its image inside.
    ///
    /// Differences of such points lose nothing to wrapping: particles on both sides of a border are as far apart as
    /// they were given.
    #[inline(always)]
    pub fn bring_near(&self, x: [f64; D]) -> [f64; D] {
        let near = (0..D).all(|k| {
            let length = self.lengths[k];
            length.is_infinite() || (-length..2.0 * length).contains(&x[k])
        });
        if near { x } else { self.wrap(x) }
    }

    /// The centres, brought near the box: the originals where all of them are, else a copy in `scratch`.
    pub(crate) fn bring_all_near<'a>(
        &self,
        centers: &'a [[f64; D]],
        scratch: &'a mut Vec<[f64; D]>,
    ) -> &'a [[f64; D]] {
        if centers.iter().all(|&x| self.bring_near(x) == x) {
            return centers;
        }
        scratch.clear();
        scratch.extend(centers.iter().map(|&x| self.bring_near(x)));
        scratch
    }

    /// The closed test of centres near the box (see [`Criterion::bring_near`]).
    ///
    /// `IMAGES` is [`Criterion::is_periodic`], known when the caller's loop is compiled: without images the test
    /// takes half the time.
    #[inline(always)]
    pub fn touches<const IMAGES: bool>(&self, xa: &[f64; D], ra: f64, xb: &[f64; D], rb: f64) -> bool {
        let reach = ra + rb + self.margin;
        let mut distance_squared = 0.0;
        for k in 0..D {
            let mut d = xb[k] - xa[k];
            if IMAGES {
                d = nearest_image(d, self.lengths[k]);
            }
            distance_squared += d * d;
        }
        distance_squared <= reach * reach
    }

    /// The vector from `xa` to the nearest image of `xb`; the points may lie anywhere.
    pub fn separation(&self, xa: [f64; D], xb: [f64; D]) -> [f64; D] {
        let (xa, xb) = (self.bring_near(xa), self.bring_near(xb));
        std::array::from_fn(|k| nearest_image(xb[k] - xa[k], self.lengths[k]))
    }

    /// How many box lengths to add to `xb`, along each axis, to reach its image nearest to `xa`.
    pub fn shift(&self, xa: [f64; D], xb: [f64; D]) -> [i64; D] {
        let separation = self.separation(xa, xb);
        std::array::from_fn(|k| {
            let length = self.lengths[k];
            if length.is_finite() { ((separation[k] - (xb[k] - xa[k])) / length).round() as i64 } else { 0 }
        })
    }

    /// How deep two spheres overlap; negative for a gap.
    pub fn overlap(&self, xa: [f64; D], ra: f64, xb: [f64; D], rb: f64) -> f64 {
        ra + rb - self.separation(xa, xb).iter().map(|d| d * d).sum::<f64>().sqrt()
    }
}

/// The difference of two coordinates near the box, to the nearest image. On an open axis, the difference.
#[inline(always)]
fn nearest_image(d: f64, length: f64) -> f64 {
    if d.abs() > 0.5 * length { shortest(d, length) } else { d }
}

/// The shorter of the two images around zero, as they round.
#[cold]
fn shortest(d: f64, length: f64) -> f64 {
    let turns = (d / length).round();
    let one = d - length * turns;
    let other = d - length * (turns + one.signum());
    if other.abs() < one.abs() { other } else { one }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Criterion<2> = Criterion { margin: 0.0, lengths: [10.0, f64::INFINITY] };

    #[test]
    fn wraps_only_periodic_axes() {
        assert_eq!(BOX.wrap([-1.0, -1.0]), [9.0, -1.0]);
        assert_eq!(BOX.wrap([25.0, 25.0]), [5.0, 25.0]);
        assert_eq!(BOX.wrap([-1e-30, 0.0])[0], 0.0);
    }

    #[test]
    fn shift_leads_to_the_nearest_image() {
        assert_eq!(BOX.shift([0.5, 0.0], [9.5, 0.0]), [-1, 0]);
        assert_eq!(BOX.shift([9.5, 0.0], [0.5, 0.0]), [1, 0]);
        assert_eq!(BOX.shift([0.5, 0.0], [39.5, 7.0]), [-4, 0]);
        assert_eq!(BOX.shift([1.0, 0.0], [2.0, 0.0]), [0, 0]);
        assert_eq!(BOX.separation([0.5, 0.0], [39.5, 7.0]), [-1.0, 7.0]);
    }

    #[test]
    fn touching_counts_and_a_hair_more_does_not() {
        let open = Criterion::<2>::default();
        assert!(open.touches::<false>(&[0.0, 0.0], 1.0, &[3.0, 4.0], 4.0));
        assert!(!open.touches::<false>(&[0.0, 0.0], 1.0, &[3.0, 4.000000000000002], 4.0));
        assert!(BOX.touches::<true>(&[0.5, 0.0], 0.5, &[9.5, 0.0], 0.5));
        assert_eq!(BOX.overlap([0.25, 0.0], 0.5, [9.5, 0.0], 0.5), 0.25);
    }

    /// Wrapped to 9.7 and 9.9 the two would be a hair too far apart.
    #[test]
    fn a_box_does_not_part_what_touches() {
        let touching = |criterion: Criterion<1>| criterion.touches::<true>(&[-0.3], 0.1, &[-0.1], 0.1);
        assert!(touching(Criterion::default()) && touching(Criterion { margin: 0.0, lengths: [10.0] }));
    }

    #[test]
    fn refuses_senseless_boxes_and_margins() {
        let centers = [[1.0, 1.0]];
        let spheres = Spheres::new(&centers, &[2.6]).unwrap();
        assert!(matches!(BOX.check(&spheres), Err(Error::WiderThanHalfBox { index: 0, axis: "x", .. })));
        let smaller = Spheres::new(&centers, &[2.4]).unwrap();
        assert!(BOX.check(&smaller).is_ok());
        assert!(Criterion { margin: 0.3, ..BOX }.check(&smaller).is_err());
        for margin in [-1.0, f64::NAN, f64::INFINITY] {
            let criterion = Criterion { margin, ..Criterion::default() };
            assert!(matches!(criterion.check(&spheres), Err(Error::Margin { .. })));
        }
        for length in [0.0, -3.0, f64::NAN, 1e160] {
            let criterion = Criterion { margin: 0.0, lengths: [length, 10.0] };
            assert!(matches!(criterion.check(&spheres), Err(Error::BoxLength { .. })));
        }
    }
}
