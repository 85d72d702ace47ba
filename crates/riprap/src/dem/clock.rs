//! Where the time of a step goes. Without the feature `clock` nothing is measured, and no clock is asked.

use std::ops::AddAssign;
use std::time::Duration;

/// Time spent, by what it was spent on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeSpent {
    /// Neighbour lists.
    pub broad: Duration,
    /// Which bodies touch, and walls.
    pub narrow: Duration,
    /// Contact forces.
    pub force: Duration,
    /// Integration.
    pub motion: Duration,
    /// Links of stones, a part of `narrow`; of several threads the sum.
    pub links: Duration,
}

/// A moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    #[cfg(feature = "clock")]
    at: std::time::Instant,
}

impl Moment {
    /// Now.
    #[inline(always)]
    pub(crate) fn now() -> Self {
        Self {
            #[cfg(feature = "clock")]
            at: std::time::Instant::now(),
        }
    }

    /// Adds the time since this moment and returns the present one.
    #[inline(always)]
    pub(crate) fn add_to(self, spent: &mut impl AddAssign<Duration>) -> Self {
        let now = Self::now();
        *spent += now.since(self);
        now
    }

    /// Time since another moment.
    #[inline(always)]
    pub(crate) fn since(self, other: Self) -> Duration {
        #[cfg(feature = "clock")]
        return self.at - other.at;
        #[cfg(not(feature = "clock"))]
        {
            let _ = other;
            Duration::ZERO
        }
    }
}
