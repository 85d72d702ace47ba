//! Reproducible random numbers.

/// SplitMix64 (Steele, Lea, Flood 2014): a seed gives the same packing on every machine and release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator for this seed; any seed will do.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// A seed with which a new generator goes on where this one is.
    pub fn seed_to_go_on(&self) -> u64 {
        self.state
    }

    /// A number from the normal distribution with mean 0 and deviation 1.
    pub fn normal(&mut self) -> f64 {
        // Box and Muller 1958; one minus the number, which may be zero but not one.
        let radius = (-2.0 * libm::log(1.0 - self.uniform(0.0, 1.0))).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.uniform(0.0, 1.0))
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number uniform between `low` and `high`; rounding may give `high` itself where the two are close.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64))
    }

    /// A whole number uniform in `0..bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// Puts the items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}
