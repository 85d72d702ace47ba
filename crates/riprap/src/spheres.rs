//! Spheres as borrowed columns, checked once.

use std::f64::consts::PI;

use crate::error::{AXES, Error};

/// Largest magnitude of a coordinate or radius: squares of differences stay finite.
const LARGEST: f64 = 1e150;
/// Smallest radius: squares of radii stay well above the smallest double.
const SMALLEST_RADIUS: f64 = 1e-150;

/// Spheres (disks when `D` is 2) as two borrowed columns with one entry per particle.
///
/// Made by [`Spheres::new`], which checks every value, so that no method has to.
#[derive(Debug, Clone, Copy)]
pub struct Spheres<'a, const D: usize> {
    centers: &'a [[f64; D]],
    radii: &'a [f64],
}

/// Spheres that own their columns, as readers and generators return them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SphereColumns<const D: usize> {
    /// Centres, one per particle.
    pub centers: Vec<[f64; D]>,
    /// Radii, one per particle.
    pub radii: Vec<f64>,
}

impl<'a, const D: usize> Spheres<'a, D> {
    /// Checks the columns: equal lengths, at most `u32::MAX` rows, finite centres, positive radii.
    ///
    /// Magnitudes beyond 1e150 and radii below 1e-150 are refused too, because their squares would
    /// overflow or vanish; rescale such data first.
    pub fn new(centers: &'a [[f64; D]], radii: &'a [f64]) -> Result<Self, Error> {
        const { assert!(D == 2 || D == 3, "particles live in two or three dimensions") };
        if centers.len() != radii.len() {
            return Err(Error::ColumnLengths { centers: centers.len(), radii: radii.len() });
        }
        check_count(radii.len() as u64)?;
        for (index, (center, &radius)) in centers.iter().zip(radii).enumerate() {
            check_sphere(center, radius).map_err(|(column, value, reason)| Error::Particle {
                index,
                column,
                value,
                reason,
            })?;
        }
        Ok(Self { centers, radii })
    }

    /// Number of spheres.
    pub fn len(&self) -> usize {
        self.radii.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.radii.is_empty()
    }

    /// The centres.
    pub fn centers(&self) -> &'a [[f64; D]] {
        self.centers
    }

    /// The radii.
    pub fn radii(&self) -> &'a [f64] {
        self.radii
    }

    /// Smallest and largest radius, or `None` when there are no spheres.
    pub fn radius_range(&self) -> Option<(f64, f64)> {
        let smallest = self.radii.iter().copied().reduce(f64::min)?;
        let largest = self.radii.iter().copied().reduce(f64::max)?;
        Some((smallest, largest))
    }
}

impl<const D: usize> SphereColumns<D> {
    /// Adds one sphere; nothing is checked until [`SphereColumns::view`].
    pub fn push(&mut self, center: [f64; D], radius: f64) {
        self.centers.push(center);
        self.radii.push(radius);
    }

    /// Borrows the columns as checked [`Spheres`].
    pub fn view(&self) -> Result<Spheres<'_, D>, Error> {
        Spheres::new(&self.centers, &self.radii)
    }
}

/// Refuses more particles than pairs of `u32` can name.
pub(crate) fn check_count(count: u64) -> Result<(), Error> {
    if count > u64::from(u32::MAX) { Err(Error::TooManyParticles { count }) } else { Ok(()) }
}

/// Returns column, value and reason of the first value of a sphere that is out of range.
pub(crate) fn check_sphere<const D: usize>(
    center: &[f64; D],
    radius: f64,
) -> Result<(), (&'static str, f64, &'static str)> {
    for (axis, &value) in AXES.iter().zip(center) {
        check_coordinate(value).map_err(|reason| (*axis, value, reason))?;
    }
    check_radius(radius).map_err(|reason| ("radius", radius, reason))
}

/// Says what is wrong with a coordinate.
pub(crate) fn check_coordinate(value: f64) -> Result<(), &'static str> {
    if !value.is_finite() {
        Err("expected a finite number")
    } else if value.abs() > LARGEST {
        Err("expected a magnitude of at most 1e150: rescale the data")
    } else {
        Ok(())
    }
}

/// Says what is wrong with a radius.
pub(crate) fn check_radius(value: f64) -> Result<(), &'static str> {
    if !value.is_finite() {
        Err("expected a finite number")
    } else if value <= 0.0 {
        Err("expected a size above zero")
    } else if !(SMALLEST_RADIUS..=LARGEST).contains(&value) {
        Err("expected a size between 1e-150 and 1e150: rescale the data")
    } else {
        Ok(())
    }
}

/// The volume of a sphere, or the area of a disk.
///
/// # Panics
/// For dimensions other than 2 and 3.
pub fn ball_volume<const D: usize>(radius: f64) -> f64 {
    match D {
        2 => PI * (radius * radius),
        3 => 4.0 / 3.0 * PI * (radius * radius * radius),
        _ => panic!("{D} dimensions"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_row_and_the_value() {
        let error = Spheres::new(&[[0.0, 0.0], [0.0, f64::NAN]], &[1.0, 1.0]).unwrap_err();
        assert_eq!(error.to_string(), "particle 1: `y` is NaN, expected a finite number");
        let error = Spheres::new(&[[0.0; 3]], &[-2.0]).unwrap_err();
        assert_eq!(error.to_string(), "particle 0: `radius` is -2, expected a size above zero");
        for (center, radius) in
            [(f64::INFINITY, 1.0), (1e200, 1.0), (0.0, 0.0), (0.0, f64::NAN), (0.0, 1e-200), (0.0, 1e200)]
        {
            assert!(Spheres::new(&[[center, 0.0]], &[radius]).is_err(), "{center} {radius}");
        }
    }

    #[test]
    fn refuses_columns_of_unequal_length_and_too_many_particles() {
        assert!(Spheres::new(&[[0.0; 2]], &[]).is_err());
        assert!(check_count(u64::from(u32::MAX)).is_ok());
        assert!(check_count(u64::from(u32::MAX) + 1).is_err());
    }
}
