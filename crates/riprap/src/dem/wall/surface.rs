//! Surfaces of walls: how far a point is from them, and which of their elements are near it.

use super::facets::{Facets, Feature};
use crate::vector::{add_scaled, dot, length, reject, scale, sub};

/// The surface of a wall.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "walls are few, and contacts should find facets without a detour"
)]
pub enum Surface<const D: usize> {
    /// A plane; bodies are on the side to which its normal points.
    Plane {
        /// A point of the plane.
        point: [f64; D],
        /// Its unit normal.
        normal: [f64; D],
    },
    /// A box with bodies inside.
    Box {
        /// Lowest corner.
        min: [f64; D],
        /// Highest corner.
        max: [f64; D],
    },
    /// An infinite cylinder, in the plane a circle.
    Cylinder {
        /// A point of the axis.
        point: [f64; D],
        /// Direction of the axis, of length one; zero in the plane.
        axis: [f64; D],
        /// Radius.
        radius: f64,
        /// Whether bodies are inside.
        inside: bool,
    },
    /// Triangles, in the plane segments.
    Facets(Facets<D>),
}

/// Where a wall is nearest to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest<const D: usize> {
    /// Unit vector from the wall to the point.
    pub normal: [f64; D],
    /// Distance from the wall; negative behind it.
    pub distance: f64,
    /// What is nearest there.
    pub feature: Feature,
}

impl<const D: usize> Surface<D> {
    /// Where an element of the wall is nearest to a point, in the frame of the start; `None` where it cannot be touched.
    ///
    /// Elements are the sides of a box or the facets; planes and cylinders are one element, number 0.
    pub fn nearest(&self, element: usize, point: [f64; D]) -> Option<Nearest<D>> {
        let face = |normal, distance| Some(Nearest { normal, distance, feature: Feature::Face });
        match self {
            Self::Plane { point: on, normal } => face(*normal, dot(sub(point, *on), *normal)),
            Self::Box { min, max } => {
                let (axis, low) = (element / 2, element.is_multiple_of(2));
                let mut normal = [0.0; D];
                normal[axis] = if low { 1.0 } else { -1.0 };
                face(normal, if low { point[axis] - min[axis] } else { max[axis] - point[axis] })
            }
            Self::Cylinder { point: on, axis, radius, inside } => {
                let radial = reject(sub(point, *on), *axis);
                let from_axis = length(radial);
                let outwards =
                    if from_axis > 0.0 { scale(radial, 1.0 / from_axis) } else { any_across(*axis) };
                if *inside {
                    face(scale(outwards, -1.0), radius - from_axis)
                } else {
                    face(outwards, from_axis - radius)
                }
            }
            Self::Facets(facets) => {
                let (on, feature) = facets.nearest(element, point)?;
                let from = sub(point, on);
                let distance = length(from);
                let normal =
                    if distance > 0.0 { scale(from, 1.0 / distance) } else { facets.normal(element) };
                Some(Nearest { normal, distance, feature })
            }
        }
    }

    /// Appends the elements that may come nearer to a point than `reach`, in ascending order.
    pub(crate) fn near(&self, point: [f64; D], reach: f64, found: &mut Vec<u32>) {
        match self {
            Self::Facets(facets) => facets.near(point, reach, found),
            // Asked for every body; most are nowhere near.
            Self::Box { min, max } => {
                for k in 0..D {
                    if point[k] - min[k] <= reach {
                        found.push(2 * k as u32);
                    }
                    if max[k] - point[k] <= reach {
                        found.push(2 * k as u32 + 1);
                    }
                }
            }
            Self::Plane { point: on, normal } => {
                if dot(sub(point, *on), *normal) <= reach {
                    found.push(0);
                }
            }
            Self::Cylinder { point: on, axis, radius, inside } => {
                let from_axis = length(reject(sub(point, *on), *axis));
                let distance = if *inside { radius - from_axis } else { from_axis - radius };
                if distance <= reach {
                    found.push(0);
                }
            }
        }
    }

    /// Number of elements.
    pub fn elements(&self) -> usize {
        match self {
            Self::Plane { .. } | Self::Cylinder { .. } => 1,
            Self::Box { .. } => 2 * D,
            Self::Facets(facets) => facets.corners().len(),
        }
    }

    /// Whether a body anywhere in the box, or its images, may touch it: facets have ends, the others go on for ever.
    pub(crate) fn has_ends(&self) -> bool {
        matches!(self, Self::Facets(_))
    }

    /// A point that stands for the whole: on the plane or axis, or in the middle.
    pub fn middle(&self) -> [f64; D] {
        let between = |low: [f64; D], high: [f64; D]| scale(add_scaled(low, 1.0, high), 0.5);
        match self {
            Self::Plane { point, .. } | Self::Cylinder { point, .. } => *point,
            Self::Box { min, max } => between(*min, *max),
            Self::Facets(facets) => {
                let (low, high) = facets.bounds();
                between(low, high)
            }
        }
    }
}

/// Some unit vector across an axis.
fn any_across<const D: usize>(axis: [f64; D]) -> [f64; D] {
    let smallest = (0..D).min_by(|&i, &j| axis[i].abs().total_cmp(&axis[j].abs())).unwrap_or(0);
    let mut direction = [0.0; D];
    direction[smallest] = 1.0;
    let across = reject(direction, axis);
    scale(across, 1.0 / length(across))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_from_planes_boxes_and_cylinders() {
        let plane = Surface::Plane { point: [0.0, 0.0, 1.0], normal: [0.0, 0.0, 1.0] };
        assert_eq!(plane.nearest(0, [5.0, 5.0, 3.0]).unwrap().distance, 2.0);
        let container = Surface::Box { min: [0.0, 0.0], max: [4.0, 3.0] };
        let sides: Vec<f64> =
            (0..4).map(|side| container.nearest(side, [1.0, 1.0]).unwrap().distance).collect();
        assert_eq!(sides, [1.0, 3.0, 1.0, 2.0]);
        let mut near = Vec::new();
        container.near([1.0, 1.0], 1.5, &mut near);
        assert_eq!(near, [0, 2]);
        let drum = Surface::Cylinder { point: [0.0; 3], axis: [0.0, 1.0, 0.0], radius: 2.0, inside: true };
        let touch = drum.nearest(0, [1.5, 9.0, 0.0]).unwrap();
        assert_eq!((touch.normal, touch.distance), ([-1.0, -0.0, -0.0], 0.5));
        assert_eq!(length(drum.nearest(0, [0.0, 1.0, 0.0]).unwrap().normal), 1.0);
        let rod = Surface::Cylinder { point: [0.0; 2], axis: [0.0; 2], radius: 2.0, inside: false };
        assert_eq!(rod.nearest(0, [0.0, 3.0]).unwrap().distance, 1.0);
    }
}
