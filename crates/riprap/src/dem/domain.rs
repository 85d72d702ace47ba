//! The box of a simulation: where it begins and ends, and along which axes it repeats itself.
//!
//! Everything that knows of periodic images is here: the image of a point, the vector to the nearest image, the jump of a body
//! that leaves on one side and comes in on the other, and the images of walls.

use crate::Criterion;
use crate::lanes::vectors::Vector;
use crate::vector::{components, sub};

/// What happens to a body that leaves the domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Outside {
    /// The simulation stops.
    #[default]
    Stop,
    /// The body is removed.
    Remove,
}

/// Where bodies may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Domain<const D: usize> {
    /// Lowest corner; minus infinity where it is open.
    pub min: [f64; D],
    /// Highest corner; infinity where it is open.
    pub max: [f64; D],
    /// Axes along which it repeats itself.
    pub periodic: [bool; D],
    /// What happens to a body that leaves it.
    pub outside: Outside,
}

impl<const D: usize> Default for Domain<D> {
    fn default() -> Self {
        Self {
            min: [f64::NEG_INFINITY; D],
            max: [f64::INFINITY; D],
            periodic: [false; D],
            outside: Outside::default(),
        }
    }
}

impl<const D: usize> Domain<D> {
    /// A box that repeats itself along all axes.
    pub fn periodic(min: [f64; D], max: [f64; D]) -> Self {
        Self { min, max, periodic: [true; D], outside: Outside::default() }
    }

    /// The first axis along which it has no extent, or repeats itself without an end.
    pub(crate) fn wrong_axis(&self) -> Option<usize> {
        (0..D).find(|&k| {
            let finite = self.min[k].is_finite() && self.max[k].is_finite();
            // Comparisons with what is not a number are false.
            !matches!(self.min[k].partial_cmp(&self.max[k]), Some(std::cmp::Ordering::Less))
                || (self.periodic[k] && !finite)
        })
    }

    /// How it repeats itself.
    pub(crate) fn periods(&self) -> Periods<D> {
        let edge = |k: usize| if self.periodic[k] { self.max[k] - self.min[k] } else { f64::INFINITY };
        Periods { origin: self.min, lengths: components(edge) }
    }

    /// When two bodies touch.
    pub(crate) fn criterion(&self, margin: f64) -> Criterion<D> {
        Criterion { margin, lengths: self.periods().lengths }
    }

    /// Whether a point is not beyond an end.
    pub fn contains(&self, point: &[f64; D]) -> bool {
        (0..D).all(|k| self.periodic[k] || (self.min[k]..=self.max[k]).contains(&point[k]))
    }

    /// The image of a point inside, along periodic axes.
    pub fn wrap(&self, point: [f64; D]) -> [f64; D] {
        let Periods { origin, lengths } = self.periods();
        components(|k| {
            if self.periodic[k] && !(0.0..lengths[k]).contains(&(point[k] - origin[k])) {
                // Rounding may give the upper end, whose image is the lower one.
                let inside = origin[k] + (point[k] - origin[k]).rem_euclid(lengths[k]);
                if inside - origin[k] < lengths[k] { inside } else { origin[k] }
            } else {
                point[k]
            }
        })
    }

    /// The vector from one point inside to the nearest image of another.
    pub fn separation(&self, from: [f64; D], to: [f64; D]) -> [f64; D] {
        self.periods().separation::<true>(from, to)
    }
}

/// How a box repeats itself, for loops over bodies. `PERIODIC` says at compile time whether it does at all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Periods<const D: usize> {
    /// Lowest corner.
    pub(crate) origin: [f64; D],
    /// Edges; infinite along axes that do not repeat.
    pub(crate) lengths: [f64; D],
}

impl<const D: usize> Periods<D> {
    /// Whether any axis repeats.
    pub(crate) fn any(&self) -> bool {
        self.lengths.iter().any(|length| length.is_finite())
    }

    /// The vector from one point in the box to the nearest image of another.
    #[inline(always)]
    pub(crate) fn separation<const PERIODIC: bool>(&self, from: [f64; D], to: [f64; D]) -> [f64; D] {
        let apart = sub(to, from);
        if !PERIODIC {
            return apart;
        }
        let lengths = &self.lengths;
        components(|k| {
            if apart[k].abs() > 0.5 * lengths[k] {
                apart[k] - lengths[k].copysign(apart[k])
            } else {
                apart[k]
            }
        })
    }

    /// The same for several pairs of points side by side, given the vectors between the points themselves.
    #[inline(always)]
    pub(crate) fn nearest<const PERIODIC: bool, V: Vector>(&self, apart: [V; D]) -> [V; D] {
        if !PERIODIC {
            return apart;
        }
        // A loop, not a closure: compilers do not inline one of this size into every kernel, and a call in each costs half of its time.
        let mut nearest = apart;
        for k in 0..D {
            let (edge, half) = (V::all(self.lengths[k]), V::all(0.5 * self.lengths[k]));
            let lowered = apart[k].above(half, apart[k] - edge, apart[k]);
            nearest[k] = (-half).above(lowered, lowered + edge, lowered);
        }
        nearest
    }

    /// By how much a coordinate that has just left the box must change to be inside again; zero if it has not left.
    #[inline(always)]
    pub(crate) fn jump(&self, axis: usize, coordinate: f64) -> f64 {
        let (along, length) = (coordinate - self.origin[axis], self.lengths[axis]);
        if length.is_infinite() {
            0.0
        } else if along < 0.0 {
            length
        } else if along >= length {
            -length
        } else {
            0.0
        }
    }

    /// The box itself and its neighbours along periodic axes.
    pub(crate) fn images(&self) -> Vec<BoxImage> {
        let axis = |image: u16, k: usize| image / 3u16.pow(k as u32) % 3;
        (0..3u16.pow(D as u32))
            .filter(|&image| (0..D).all(|k| axis(image, k) == 1 || self.lengths[k].is_finite()))
            .map(BoxImage)
            .collect()
    }

    /// By how much an image is moved.
    pub(crate) fn shift(&self, image: BoxImage) -> [f64; D] {
        components(|k| {
            let digit = image.0 / 3u16.pow(k as u32) % 3;
            if digit == 1 { 0.0 } else { (f64::from(digit) - 1.0) * self.lengths[k] }
        })
    }
}

/// A body that has left the box on one side and come in on the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Jump {
    /// Row of the body.
    pub(crate) row: u32,
    pub(crate) axis: u8,
    /// Whether its coordinate has grown.
    pub(crate) up: bool,
}

/// A neighbour of the box: each digit to the base 3 is one axis, 0 for the one below, 1 for the box itself, 2 for the one above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoxImage(pub(crate) u16);

impl BoxImage {
    /// The image that is to a body after a jump as this one was before; `None` if that is too far away.
    pub(crate) fn after(self, Jump { axis, up, .. }: Jump) -> Option<Self> {
        let unit = 3u16.pow(u32::from(axis));
        match (self.0 / unit % 3, up) {
            (0 | 1, true) => Some(Self(self.0 + unit)),
            (1 | 2, false) => Some(Self(self.0 - unit)),
            _ => None,
        }
    }

    /// The box itself.
    pub(crate) fn itself(dimension: usize) -> Self {
        Self((3u16.pow(dimension as u32) - 1) / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use crate::lanes::{Lanes, each};
    use crate::vector::length;

    const TUBE: Domain<3> = Domain {
        min: [-1.0, 0.0, f64::NEG_INFINITY],
        max: [2.0, 5.0, f64::INFINITY],
        periodic: [true, false, false],
        outside: Outside::Stop,
    };

    #[test]
    fn wraps_and_jumps_along_periodic_axes_only() {
        assert_eq!(TUBE.wrap([2.5, 9.0, -7.0]), [-0.5, 9.0, -7.0]);
        assert_eq!(TUBE.wrap([-1.0, 0.0, 0.0]), [-1.0, 0.0, 0.0]);
        assert_eq!(TUBE.wrap([-1.0 - 1e-17 * 20.0, 0.0, 0.0])[0], -1.0);
        let unit = Domain::periodic([0.0], [1.0]);
        assert_eq!(unit.wrap([-1e-30]), [0.0]);
        let periods = TUBE.periods();
        assert_eq!([periods.jump(0, 2.0), periods.jump(0, -1.1), periods.jump(0, 0.0)], [-3.0, 3.0, 0.0]);
        assert_eq!([periods.jump(1, 9.0), periods.jump(2, 1e9)], [0.0, 0.0]);
        assert!(TUBE.contains(&[77.0, 5.0, 0.0]) && !TUBE.contains(&[0.0, 5.1, 0.0]));
    }

    /// The nearest of all images, found by trying them; one by one and side by side give the same bits.
    #[test]
    fn the_nearest_image_is_the_nearest() {
        let (domain, mut random) = (Domain::periodic([-1.0; 2], [2.0, 7.0]), Random::new(5));
        let periods = domain.periods();
        for _ in 0..1000 {
            let mut point = || [random.uniform(-1.0, 2.0), random.uniform(-1.0, 7.0)];
            let (a, b) = (point(), point());
            let found = domain.separation(a, b);
            let best = periods.images().into_iter().map(|image| {
                let shift = periods.shift(image);
                length([b[0] + shift[0] - a[0], b[1] + shift[1] - a[1]])
            });
            assert!((length(found) - best.fold(f64::INFINITY, f64::min)).abs() < 1e-14);
            let lanes = periods.nearest::<true, Lanes>([0, 1].map(|k| Lanes(each(|_| b[k] - a[k]))));
            assert_eq!([lanes[0].0[2], lanes[1].0[2]], found);
        }
    }

    #[test]
    fn images_follow_bodies_that_jump() {
        let periods = TUBE.periods();
        let (itself, up) = (BoxImage::itself(3), Jump { row: 0, axis: 0, up: true });
        let above = itself.after(up).unwrap();
        assert_eq!(periods.shift(above), [3.0, 0.0, 0.0]);
        assert_eq!((above.after(up), above.after(Jump { up: false, ..up })), (None, Some(itself)));
        let below = itself.after(Jump { up: false, ..up }).unwrap();
        assert_eq!((periods.shift(below), below.after(up)), ([-3.0, 0.0, 0.0], Some(itself)));
    }

    #[test]
    fn images_are_those_along_periodic_axes() {
        let periods = TUBE.periods();
        assert_eq!(periods.images().len(), 3);
        assert!(periods.images().contains(&BoxImage::itself(3)));
        assert_eq!(periods.shift(BoxImage::itself(3)), [0.0; 3]);
        assert_eq!(periods.shift(periods.images()[0]), [-3.0, 0.0, 0.0]);
    }

    #[test]
    fn boxes_without_extent_or_end_are_noticed() {
        assert_eq!(TUBE.wrong_axis(), None);
        assert_eq!(Domain { max: [2.0, 0.0, 1.0], ..TUBE }.wrong_axis(), Some(1));
        assert_eq!(Domain { max: [f64::NAN, 5.0, 1.0], ..TUBE }.wrong_axis(), Some(0));
        assert_eq!(Domain { periodic: [false, false, true], ..TUBE }.wrong_axis(), Some(2));
    }
}
