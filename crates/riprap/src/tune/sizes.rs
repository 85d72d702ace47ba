//! How the radii of the particles are distributed.

use super::expect;
use super::radii::SortedRadii;
use super::sieve::GradingCurve;
use crate::Error;
use crate::spheres::check_radius;

/// Largest ratio of radii that the model takes: cubes of ratios and their sums stay accurate.
pub const LARGEST_RATIO: f64 = 1e9;

/// Standard deviations of ln r at which a log-normal distribution is cut off: one radius in 16 000 lies beyond.
const CUT: f64 = 4.0;

/// Largest magnitude of the mean of ln r and largest deviation: all moments stay finite.
const LARGEST_MEAN: f64 = 50.0;
const LARGEST_DEVIATION: f64 = 10.0;

/// Radii of a list: their cubes and the sums of these neither overflow nor vanish.
const LISTED: std::ops::RangeInclusive<f64> = 1e-60..=1e60;

/// A distribution of radii: what the cost model needs are its moments over intervals of radii.
#[derive(Debug, Clone, PartialEq)]
pub struct RadiusDistribution {
    smallest: f64,
    largest: f64,
    kind: DistributionKind,
    /// [`RadiusDistribution::integral`] of the density over all radii.
    whole: f64,
}

#[derive(Debug, Clone, PartialEq)]
enum DistributionKind {
    /// Density in proportion to r^exponent.
    PowerLaw {
        exponent: f64,
    },
    /// ln r normally distributed.
    LogNormal {
        mean: f64,
        deviation: f64,
    },
    /// Shares of the mass between sieves.
    Sieve(GradingCurve),
    List(SortedRadii),
}

impl RadiusDistribution {
    /// Density in proportion to r^exponent from radius 1 to `ratio` (eq. 29).
    pub fn power_law(exponent: f64, ratio: f64) -> Result<Self, Error> {
        let sane = (-20.0..=20.0).contains(&exponent);
        expect(sane, "exponent", exponent, "a number from -20 to 20")?;
        check_ratio(ratio)?;
        if ratio == 1.0 {
            return Self::list(&[1.0]);
        }
        Ok(Self::continuous(1.0, ratio, DistributionKind::PowerLaw { exponent }))
    }

    /// All radii from 1 to `ratio` equally likely.
    pub fn uniform(ratio: f64) -> Result<Self, Error> {
        Self::power_law(0.0, ratio)
    }

    /// ln r normally distributed with this mean and standard deviation, cut off at 4 standard deviations on both
    /// sides and normalised again: a grid needs a smallest and a largest particle.
    pub fn log_normal(mean: f64, deviation: f64) -> Result<Self, Error> {
        let widest = libm::log(LARGEST_RATIO) / (2.0 * CUT);
        let sane = deviation > 0.0 && deviation <= widest;
        let expected = "a number above 0 and at most 2.59, so that the radii span at most a factor 1e9";
        expect(sane, "deviation", deviation, expected)?;
        Self::cut_log_normal(mean, deviation, CUT * deviation)
    }

    /// Like [`RadiusDistribution::log_normal`], but cut off where the largest radius is `ratio` times the smallest, as far above
    /// the median as below it.
    pub fn log_normal_within(mean: f64, deviation: f64, ratio: f64) -> Result<Self, Error> {
        let sane = deviation > 0.0 && deviation <= LARGEST_DEVIATION;
        expect(sane, "deviation", deviation, "a number above 0 and at most 10")?;
        check_ratio(ratio)?;
        Self::cut_log_normal(mean, deviation, 0.5 * libm::log(ratio))
    }

    fn cut_log_normal(mean: f64, deviation: f64, half_width: f64) -> Result<Self, Error> {
        expect(mean.abs() <= LARGEST_MEAN, "mean", mean, "a number from -50 to 50")?;
        if half_width == 0.0 {
            return Self::list(&[libm::exp(mean)]);
        }
        let (smallest, largest) = (libm::exp(mean - half_width), libm::exp(mean + half_width));
        Ok(Self::continuous(smallest, largest, DistributionKind::LogNormal { mean, deviation }))
    }

    fn continuous(smallest: f64, largest: f64, kind: DistributionKind) -> Self {
        let unscaled = Self { smallest, largest, kind, whole: 1.0 };
        Self { whole: unscaled.integral(0, unscaled.logs(largest)), ..unscaled }
    }

    /// A grading curve: ascending diameters and the share of the mass that passes a sieve of that width, ascending from 0
    /// to 1, for particles of this dimension. Between two sieves the mass is spread evenly over the logarithm of the size.
    pub fn sieve(sieves: &[(f64, f64)], dimension: usize) -> Result<Self, Error> {
        expect(sieves.len() >= 2, "number of sieves", sieves.len() as f64, "at least two")?;
        expect((2..=3).contains(&dimension), "dimension", dimension as f64, "2 or 3")?;
        let sound = |size: f64| LISTED.contains(&size);
        for &(size, _) in sieves {
            expect(sound(size), "sieve size", size, "a diameter from 1e-60 to 1e60")?;
        }
        for pair in sieves.windows(2) {
            expect(pair[0].0 < pair[1].0, "sieve size", pair[1].0, "a diameter above the one before")?;
            expect(pair[0].1 <= pair[1].1, "passing share", pair[1].1, "no less than the one before")?;
        }
        let (first, last) = (sieves[0].1, sieves[sieves.len() - 1].1);
        expect(first == 0.0, "passing share", first, "0 for the smallest sieve")?;
        expect(last == 1.0, "passing share", last, "1 for the largest sieve")?;
        let curve = GradingCurve::new(sieves, dimension);
        let (smallest, largest) = (curve.smallest(), curve.largest());
        check_ratio(largest / smallest)?;
        Ok(Self::continuous(smallest, largest, DistributionKind::Sieve(curve)))
    }

    /// Just these radii, in any order: sums over them are exact, not over bins.
    ///
    /// Takes O(n log n) once; the model then looks sums up in O(log n).
    pub fn list(radii: &[f64]) -> Result<Self, Error> {
        expect(!radii.is_empty(), "number of radii", 0.0, "at least one")?;
        for (index, &value) in radii.iter().enumerate() {
            check_radius(value).map_err(|reason| Error::Particle { index, column: "r", value, reason })?;
        }
        let sorted = SortedRadii::new(radii.to_vec());
        let (smallest, largest) = (sorted.smallest(), sorted.largest());
        let expected = "from 1e-60 to 1e60; change the unit of length";
        expect(LISTED.contains(&smallest), "smallest radius", smallest, expected)?;
        expect(LISTED.contains(&largest), "largest radius", largest, expected)?;
        check_ratio(largest / smallest)?;
        Ok(Self { smallest, largest, kind: DistributionKind::List(sorted), whole: 1.0 })
    }

    /// The smallest radius.
    pub fn smallest(&self) -> f64 {
        self.smallest
    }

    /// The largest radius.
    pub fn largest(&self) -> f64 {
        self.largest
    }

    /// The means of 1, r, r^2 and r^3 over all particles, counting only those with `from < r <= to`.
    ///
    /// The smallest particles are inside when `from` is below them, as 0 always is.
    pub fn moments(&self, from: f64, to: f64) -> [f64; 4] {
        let (below, up_to) = (self.moments_up_to(from), self.moments_up_to(to));
        std::array::from_fn(|power| (up_to[power] - below[power]).max(0.0))
    }

    /// [`RadiusDistribution::moments`] of all radii up to this one.
    pub(super) fn moments_up_to(&self, radius: f64) -> [f64; 4] {
        match &self.kind {
            DistributionKind::List(radii) => radii.moments_up_to(radius),
            _ => {
                let logs = self.logs(radius);
                std::array::from_fn(|power| self.integral(power, logs) / self.whole)
            }
        }
    }

    /// The first of [`RadiusDistribution::moments_up_to`].
    pub(super) fn share_up_to(&self, radius: f64) -> f64 {
        match &self.kind {
            DistributionKind::List(radii) => radii.share_up_to(radius),
            _ => self.integral(0, self.logs(radius)) / self.whole,
        }
    }

    /// Share of the particles per unit of ln r at this radius; for a list an average over its surroundings.
    pub(super) fn share_per_log(&self, radius: f64) -> f64 {
        match &self.kind {
            DistributionKind::List(radii) => radii.share_per_log(radius),
            DistributionKind::Sieve(curve) => curve.per_log(radius) / self.whole,
            DistributionKind::PowerLaw { exponent } => libm::pow(radius, exponent + 1.0) / self.whole,
            DistributionKind::LogNormal { mean, deviation } => {
                let x = (libm::log(radius) - mean) / deviation;
                let bell = libm::exp(-0.5 * x * x) / (deviation * (2.0 * std::f64::consts::PI).sqrt());
                bell / self.whole
            }
        }
    }

    /// The largest radius not above this one that a particle can have.
    pub(super) fn snap(&self, radius: f64) -> f64 {
        match &self.kind {
            DistributionKind::List(radii) => radii.snap(radius),
            DistributionKind::Sieve(curve) => curve.snap(radius),
            _ => radius,
        }
    }

    /// Logarithms of the smallest radius and of this one, or of the nearest there is.
    fn logs(&self, radius: f64) -> [f64; 2] {
        [self.smallest, radius.clamp(self.smallest, self.largest)].map(libm::log)
    }

    /// The integral of r^power times a multiple of the density, between the radii with these logarithms.
    fn integral(&self, power: usize, [smallest, log]: [f64; 2]) -> f64 {
        match &self.kind {
            DistributionKind::PowerLaw { exponent } => {
                // Without cancellation where the exponent nears zero.
                let exponent = exponent + power as f64 + 1.0;
                if exponent == 0.0 { log } else { libm::expm1(exponent * log) / exponent }
            }
            DistributionKind::LogNormal { mean, deviation } => {
                let power = power as f64;
                let shifted = |log: f64| (log - mean) / deviation - power * deviation;
                let share = normal_share(shifted(log)) - normal_share(shifted(smallest));
                share * libm::exp(power * mean + 0.5 * (power * deviation) * (power * deviation))
            }
            DistributionKind::Sieve(curve) => curve.integral(power, libm::exp(log)),
            DistributionKind::List(_) => unreachable!("a list has sums instead"),
        }
    }
}

fn check_ratio(ratio: f64) -> Result<(), Error> {
    let expected = "the largest radius over the smallest, from 1 to 1e9";
    expect((1.0..=LARGEST_RATIO).contains(&ratio), "ratio", ratio, expected)
}

/// Share of a standard normal distribution up to `x`.
fn normal_share(x: f64) -> f64 {
    0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)
}
