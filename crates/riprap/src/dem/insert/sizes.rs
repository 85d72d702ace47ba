//! Size distributions of bodies.

use thiserror::Error as ThisError;

use crate::Random;

/// What is wrong with a distribution of sizes.
#[derive(Debug, Clone, Copy, PartialEq, ThisError)]
#[non_exhaustive]
pub enum SizesError {
    /// A radius that no body has.
    #[error("radius {radius}, expected a number above zero")]
    Radius {
        /// The radius.
        radius: f64,
    },
    /// Limits that leave nothing between them.
    #[error("radii from {min} to {max}, expected two numbers above zero, the smaller first")]
    Range {
        /// The smallest radius.
        min: f64,
        /// The largest radius.
        max: f64,
    },
    /// An exponent that is none.
    #[error("exponent {exponent}, expected a finite number")]
    Exponent {
        /// The exponent.
        exponent: f64,
    },
    /// A deviation out of range.
    #[error("deviation {deviation}, expected a number from 0 to 5")]
    Deviation {
        /// The deviation.
        deviation: f64,
    },
    /// A median beyond the limits.
    #[error("median {median}, expected a radius between {min} and {max}")]
    Median {
        /// The median.
        median: f64,
        /// The smallest radius.
        min: f64,
        /// The largest radius.
        max: f64,
    },
    /// Sieves that are no grading curve.
    #[error(
        "expected at least two sieves [diameter, share that passes]: diameters above zero and ascending, \
         shares ascending from 0 for the first to 1 for the last"
    )]
    Sieves,
}

/// How radii are distributed, by number unless it says otherwise.
#[derive(Debug, Clone, PartialEq)]
pub enum Sizes {
    /// All the same.
    Constant(f64),
    /// Equally likely from the first to the second.
    Uniform(f64, f64),
    /// Density in proportion to `r^exponent`, from `min` to `max`.
    PowerLaw {
        /// Exponent of the density.
        exponent: f64,
        /// Smallest radius.
        min: f64,
        /// Largest radius.
        max: f64,
    },
    /// The logarithm is normally distributed; radii outside are drawn again.
    LogNormal {
        /// Half of the radii are smaller.
        median: f64,
        /// Standard deviation of the natural logarithm.
        deviation: f64,
        /// Smallest radius.
        min: f64,
        /// Largest radius.
        max: f64,
    },
    /// A grading curve: diameters and the share of the mass that passes a sieve of that width, ascending from 0 to 1. Between
    /// two sieves the mass is spread evenly over the logarithm of the diameter.
    Sieve(Vec<(f64, f64)>),
}

impl Sizes {
    /// Says what is wrong with the values.
    pub fn check(&self) -> Result<(), SizesError> {
        let positive = |value: f64| value > 0.0 && value.is_finite();
        let ordered = |min: f64, max: f64| {
            if positive(min) && positive(max) && min <= max {
                Ok(())
            } else {
                Err(SizesError::Range { min, max })
            }
        };
        match self {
            Self::Constant(radius) if positive(*radius) => Ok(()),
            Self::Constant(radius) => Err(SizesError::Radius { radius: *radius }),
            Self::Uniform(min, max) => ordered(*min, *max),
            Self::PowerLaw { exponent, min, max } if exponent.is_finite() => ordered(*min, *max),
            Self::PowerLaw { exponent, .. } => Err(SizesError::Exponent { exponent: *exponent }),
            Self::LogNormal { median, deviation, min, max } => {
                ordered(*min, *max)?;
                if !(0.0..=5.0).contains(deviation) {
                    return Err(SizesError::Deviation { deviation: *deviation });
                }
                // Else hardly any radius would be found between them.
                if *median < *min || *median > *max {
                    return Err(SizesError::Median { median: *median, min: *min, max: *max });
                }
                Ok(())
            }
            Self::Sieve(sieves) => {
                let ascending = sieves.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1);
                let whole = sieves.first().is_some_and(|first| first.1 == 0.0)
                    && sieves.last().is_some_and(|last| last.1 == 1.0);
                if sieves.len() < 2 || !ascending || !whole || !sieves.iter().all(|sieve| positive(sieve.0)) {
                    return Err(SizesError::Sieves);
                }
                Ok(())
            }
        }
    }

    /// Smallest radius that can come out.
    pub fn smallest(&self) -> f64 {
        match self {
            Self::Constant(radius) => *radius,
            Self::Uniform(min, _) | Self::PowerLaw { min, .. } | Self::LogNormal { min, .. } => *min,
            Self::Sieve(sieves) => 0.5 * sieves[0].0,
        }
    }

    /// Largest radius that can come out.
    pub fn largest(&self) -> f64 {
        match self {
            Self::Constant(radius) => *radius,
            Self::Uniform(_, max) | Self::PowerLaw { max, .. } | Self::LogNormal { max, .. } => *max,
            Self::Sieve(sieves) => 0.5 * sieves[sieves.len() - 1].0,
        }
    }

    /// One radius, for bodies of this dimension.
    pub fn draw(&self, dimension: usize, random: &mut Random) -> f64 {
        match self {
            Self::Constant(radius) => *radius,
            Self::Uniform(min, max) => random.uniform(*min, *max),
            Self::PowerLaw { exponent, min, max } => power_law(*exponent, *min, *max, random),
            Self::LogNormal { median, deviation, min, max } => loop {
                let radius = median * libm::exp(deviation * random.normal());
                if (*min..=*max).contains(&radius) {
                    return radius;
                }
            },
            Self::Sieve(sieves) => 0.5 * sieved(sieves, dimension, random),
        }
    }
}

fn power_law(exponent: f64, min: f64, max: f64, random: &mut Random) -> f64 {
    let (power, share) = (exponent + 1.0, random.uniform(0.0, 1.0));
    let ratio = max / min;
    let factor = if power.abs() < 1e-9 {
        libm::pow(ratio, share)
    } else {
        libm::pow(1.0 + share * (libm::pow(ratio, power) - 1.0), 1.0 / power)
    };
    (min * factor).clamp(min, max)
}

/// A diameter. Mass that is even over the logarithm means numbers in proportion to `d^(-1 - dimension)`.
fn sieved(sieves: &[(f64, f64)], dimension: usize, random: &mut Random) -> f64 {
    let number = |pair: &[(f64, f64)]| {
        let ((low, below), (high, above)) = (pair[0], pair[1]);
        let power = -(dimension as f64);
        (above - below) * (libm::pow(low, power) - libm::pow(high, power)) / libm::log(high / low)
    };
    let total: f64 = sieves.windows(2).map(number).sum();
    let mut share = random.uniform(0.0, total);
    let mut last = 0;
    for (index, pair) in sieves.windows(2).enumerate() {
        let here = number(pair);
        if here > 0.0 {
            last = index;
            if share < here {
                break;
            }
        }
        share -= here;
    }
    power_law(-1.0 - dimension as f64, sieves[last].0, sieves[last + 1].0, random)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn radii(sizes: &Sizes) -> Vec<f64> {
        sizes.check().unwrap();
        let mut random = Random::new(3);
        let radii: Vec<f64> = (0..100_000).map(|_| sizes.draw(3, &mut random)).collect();
        assert!(radii.iter().all(|radius| (sizes.smallest()..=sizes.largest()).contains(radius)));
        radii
    }

    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    #[test]
    fn means_of_the_laws() {
        assert_eq!(mean(&radii(&Sizes::Constant(2.0))), 2.0);
        assert!((mean(&radii(&Sizes::Uniform(1.0, 3.0))) - 2.0).abs() < 0.01);
        let law = Sizes::PowerLaw { exponent: -3.0, min: 1.0, max: 10.0 };
        assert!((mean(&radii(&law)) - 20.0 / 11.0).abs() < 0.02);
        let law = Sizes::LogNormal { median: 1.0, deviation: 0.5, min: 0.01, max: 100.0 };
        assert!((mean(&radii(&law)) - libm::exp(0.125)).abs() < 0.01);
    }

    /// Sieving what was drawn gives the grading curve back.
    #[test]
    fn sieves_let_the_right_mass_pass() {
        let sieves = vec![(1.0, 0.0), (2.0, 0.1), (4.0, 0.1), (8.0, 0.7), (16.0, 1.0)];
        let radii = radii(&Sizes::Sieve(sieves.clone()));
        let mass = |limit: f64| radii.iter().filter(|r| 2.0 * **r <= limit).map(|r| r * r * r).sum::<f64>();
        for (diameter, passing) in sieves {
            let found = mass(diameter) / mass(f64::INFINITY);
            assert!((found - passing).abs() < 0.03, "{diameter}: {found} {passing}");
        }
    }

    #[test]
    fn refuses_what_makes_no_sense() {
        for sizes in [
            Sizes::Constant(0.0),
            Sizes::Constant(f64::NAN),
            Sizes::Uniform(2.0, 1.0),
            Sizes::PowerLaw { exponent: f64::INFINITY, min: 1.0, max: 2.0 },
            Sizes::LogNormal { median: 9.0, deviation: 0.5, min: 1.0, max: 2.0 },
            Sizes::LogNormal { median: 1.5, deviation: -0.5, min: 1.0, max: 2.0 },
            Sizes::Sieve(vec![]),
            Sizes::Sieve(vec![(1.0, 0.0), (2.0, 0.9)]),
            Sizes::Sieve(vec![(2.0, 0.0), (1.0, 1.0)]),
        ] {
            assert!(sizes.check().is_err(), "{sizes:?}");
        }
    }
}
