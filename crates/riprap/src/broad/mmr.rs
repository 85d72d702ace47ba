//! MMR, the multi-step MR of Munjiza, Rougier and John 2006, section 7.
//!
//! 1. Group k holds the particles with diameters in (d/a^(k+1), d/a^k], d being the largest diameter.
//! 2. Step k, for each group from the largest on: take the group out of the list of remaining particles.
//! 3. Sort the group and the remaining particles by cells of size d/a^k (`quick_sort`).
//! 4. Sweep the group against itself and against the remaining, smaller ones (`row_sweep`).
//!
//! **Cost** at most that of MR times the number of groups; memory as MR. **Use** it where sizes differ and the space
//! is wide; `hgrid` sorts each particle only once.

use super::candidates::Candidates;
use super::mr::{List, Places, RecomputedPlaces, StoredPlaces, quick_sort, row_sweep};
use super::options::check_above;
use super::{Options, Pair, Search, Tally, bytes_of, cells, cells::RegularCells};
use crate::number::power;
use crate::{Criterion, Error, Spheres};

pub(super) const OPTIONS: &[(&str, &str)] =
    &[("ratio", "of successive diameters, a number above 1.001, by default 2")];

/// MR once per size group.
#[derive(Debug, Clone)]
pub struct Mmr<const D: usize> {
    /// The ratio of the diameters of successive groups, alpha in the paper; above 1.001.
    pub ratio: f64,
    list: List,
    places: Vec<[i32; D]>,
    widths: Vec<f64>,
}

impl<const D: usize> Default for Mmr<D> {
    fn default() -> Self {
        Self::new(2.0)
    }
}

impl<const D: usize> Mmr<D> {
    /// With this ratio of successive groups.
    pub fn new(ratio: f64) -> Self {
        Self { ratio, list: List::default(), places: Vec::new(), widths: Vec::new() }
    }
}

pub(super) fn build<const D: usize>(options: &Options<'_>) -> Result<Mmr<D>, Error> {
    Ok(Mmr::new(options.number("ratio", 2.0)?))
}

impl<const D: usize> Search<D> for Mmr<D> {
    const NAME: &'static str = "mmr";
    const PERIODIC: bool = false;

    fn check_options(&self) -> Result<(), Error> {
        check_above(Self::NAME, "ratio", self.ratio, 1.001)
    }

    fn search<const IMAGES: bool, T: Tally>(
        &mut self,
        spheres: Spheres<'_, D>,
        criterion: &Criterion<D>,
        pairs: &mut Vec<Pair>,
        tally: &mut T,
    ) {
        let (centers, radii) = (spheres.centers(), spheres.radii());
        let candidates = Candidates { centers, radii, criterion };
        self.widths.clear();
        let Some((_, largest)) = spheres.radius_range() else { return };
        let middle = cells::middle(centers);
        self.places.clear();
        self.places.reserve_exact(centers.len());
        self.places.resize(centers.len(), [0; D]);
        self.list.reset(centers.len(), 2);
        let (remaining, group) = (self.list.head(0), self.list.head(1));

        while let Some(widest) =
            self.list.rows(remaining).map(|row| 2.0 * radii[row as usize]).reduce(f64::max)
        {
            let (diameter, next_diameter) = group_of(widest, 2.0 * largest, self.ratio);
            self.list.join(group, group);
            let mut row = self.list.next(remaining);
            while row != remaining {
                let following = self.list.next(row);
                if 2.0 * radii[row as usize] > next_diameter {
                    self.list.move_behind(self.list.previous(group), row);
                }
                row = following;
            }

            let width = cells::width_for(diameter + criterion.margin);
            self.widths.push(width);
            let recomputed = RecomputedPlaces { cells: RegularCells::new(middle, [width; D]), centers };
            for head in [group, remaining] {
                for row in self.list.rows(head) {
                    self.places[row as usize] = recomputed.of(row);
                }
                quick_sort(&mut self.list, head, &StoredPlaces(&self.places));
            }
            for targets in [group, remaining] {
                row_sweep::sweep(
                    &self.list,
                    group,
                    targets,
                    &StoredPlaces(&self.places),
                    tally,
                    |i, j, tally| {
                        candidates.test::<IMAGES, T>(i, j, pairs, tally);
                    },
                );
            }
        }
    }

    fn cell_sizes(&self) -> Vec<f64> {
        self.widths.iter().rev().copied().collect()
    }

    fn scratch_bytes(&self) -> usize {
        self.list.bytes() + bytes_of(&self.places) + bytes_of(&self.widths)
    }
}

/// The diameters `d/a^k` and `d/a^(k+1)` that enclose a diameter: it is at most the first and above the second.
fn group_of(diameter: f64, largest: f64, ratio: f64) -> (f64, f64) {
    let limit = |k: i32| if k == 0 { largest } else { largest / power(ratio, k as u32) };
    let mut k = (libm::log(largest / diameter) / libm::log(ratio)).floor() as i32;
    // The logarithm rounds: step to the group that truly encloses the diameter.
    while k > 0 && limit(k) < diameter {
        k -= 1;
    }
    while limit(k + 1) >= diameter {
        k += 1;
    }
    (limit(k), limit(k + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_enclose_their_diameters() {
        assert_eq!(group_of(8.0, 8.0, 2.0), (8.0, 4.0));
        assert_eq!(group_of(4.1, 8.0, 2.0), (8.0, 4.0));
        assert_eq!(group_of(4.0, 8.0, 2.0), (4.0, 2.0));
        // Diameters on a limit, and the next number on either side of it.
        for (largest, ratio) in [(1000.0, 10.0), (4.0808, 1.348), (1.0, 3.0), (0.7, 1.1)] {
            for k in 1..40 {
                let limit: f64 = largest / power(ratio, k as u32);
                for diameter in [limit.next_down(), limit, limit.next_up()] {
                    let (upper, lower) = group_of(diameter, largest, ratio);
                    assert!(lower < diameter && diameter <= upper, "{diameter} of {largest}, ratio {ratio}");
                }
            }
        }
        let mut random = crate::Random::new(5);
        for _ in 0..100_000 {
            let (largest, ratio) = (random.uniform(0.1, 10.0), random.uniform(1.01, 5.0));
            let diameter = largest * ratio.powf(-random.uniform(0.0, 40.0));
            let (upper, lower) = group_of(diameter, largest, ratio);
            assert!(lower < diameter && diameter <= upper);
        }
    }
}
