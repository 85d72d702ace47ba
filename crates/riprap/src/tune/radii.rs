//! A list of radii whose sums over any interval of sizes are looked up, not added anew.

/// Half the width, in ln r, of the window that gives the density of a list: wide enough to hold many of a thousand
/// radii, narrow against the distance of two levels.
const WINDOW: f64 = 0.02;

/// Sorted radii, and for each the sums of r, r^2 and r^3 up to it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SortedRadii {
    radii: Vec<f64>,
    sums: Vec<[f64; 3]>,
}

impl SortedRadii {
    /// Sorts the radii and sums their powers; there must be at least one.
    pub(super) fn new(mut radii: Vec<f64>) -> Self {
        radii.sort_unstable_by(f64::total_cmp);
        let mut sum = [0.0; 3];
        // From the smallest on, so that small terms meet small sums.
        let sums = radii
            .iter()
            .map(|radius| {
                sum[0] += radius;
                sum[1] += radius * radius;
                sum[2] += radius * radius * radius;
                sum
            })
            .collect();
        Self { radii, sums }
    }

    pub(super) fn smallest(&self) -> f64 {
        self.radii[0]
    }

    pub(super) fn largest(&self) -> f64 {
        self.radii[self.radii.len() - 1]
    }

    /// How many radii are not above this one.
    fn count_up_to(&self, radius: f64) -> usize {
        self.radii.partition_point(|other| *other <= radius)
    }

    /// The largest radius of the list that is not above this one.
    pub(super) fn snap(&self, radius: f64) -> f64 {
        self.radii[self.count_up_to(radius).max(1) - 1]
    }

    pub(super) fn share_up_to(&self, radius: f64) -> f64 {
        self.count_up_to(radius) as f64 / self.radii.len() as f64
    }

    pub(super) fn moments_up_to(&self, radius: f64) -> [f64; 4] {
        match self.count_up_to(radius) {
            0 => [0.0; 4],
            count => {
                let sum = self.sums[count - 1];
                [count as f64, sum[0], sum[1], sum[2]].map(|sum| sum / self.radii.len() as f64)
            }
        }
    }

    /// Share of the radii per unit of ln r near this radius; a list has no exact one.
    pub(super) fn share_per_log(&self, radius: f64) -> f64 {
        let factor = libm::exp(WINDOW);
        (self.share_up_to(radius * factor) - self.share_up_to(radius / factor)) / (2.0 * WINDOW)
    }
}
