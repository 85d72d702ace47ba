//! A Verlet list: pairs that stay good for many small steps.
//!
//! Verlet 1967, "Computer experiments on classical fluids". The list is built with a margin beyond the one asked for, the
//! skin. While no particle has come further than half the skin (the change of its radius included), every pair that touches is
//! still in the list. A step then costs one pass over the displacements instead of a detection.
//!
//! Most pairs of the list are further apart, or overlap more deeply, than anything has moved since. Their gaps at the time of
//! the rebuild tell without a look at the particles whether they touch.
//!
//! A wide skin is rebuilt rarely but holds more pairs to look at in each step. The best width follows from how fast the
//! particles move and from what a detection and a listed pair cost. It is worked out anew at each rebuild, from counts
//! and distances only, so that the same motion gives the same lists on every machine.

use rayon::slice::ParallelSliceMut;

use super::{BroadPhase, Pair, bytes_of};
use crate::memory::prefetch;
use crate::number::power;
use crate::{Criterion, Error, Spheres};

/// A list of pairs that is rebuilt only when particles have moved far enough.
///
/// ```
/// use riprap::{Criterion, Spheres, broad::{Levels, Neighbors}};
///
/// let mut centers = vec![[0.0, 0.0], [1.5, 0.0], [9.0, 0.0]];
/// let radii = [0.5; 3];
/// let mut neighbors = Neighbors::<2>::new(Box::new(Levels::default()));
/// let mut touching = Vec::new();
/// for _ in 0..100 {
///     centers[1][0] -= 0.006;
///     let spheres = Spheres::new(&centers, &radii)?;
///     neighbors.touching(spheres, &Criterion::default(), &mut touching)?;
/// }
/// assert_eq!(touching.len(), 1);
/// assert!(neighbors.rebuilds() < 20);
/// # Ok::<(), riprap::Error>(())
/// ```
pub struct Neighbors<const D: usize> {
    method: Box<dyn BroadPhase<D>>,
    /// A fixed skin; by default the best one is worked out.
    pub skin: Option<f64>,
    /// What the choice of a skin goes by.
    pub costs: ListCosts,
    criterion: Criterion<D>,
    current_skin: f64,
    /// How far displacements and distances may be off, on the scale of the box and of the largest particle.
    rounding: f64,
    centers: Vec<[f64; D]>,
    radii: Vec<f64>,
    /// How far a particle has come since, at most, the change of its radius included.
    farthest: f64,
    pairs: Vec<Pair>,
    /// By how much each pair, when the list was built, was short of touching; negative if it overlapped. A little
    /// closer to zero than it was, for rounding. Empty until it is needed.
    gaps: Vec<f32>,
    updates: u64,
    rebuilds: u64,
    updates_since_rebuild: u64,
}

/// What a detection and a listed pair cost, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ListCosts {
    /// A detection, per particle.
    pub detection: f64,
    /// A listed pair, per step.
    pub pair: f64,
}

impl Default for ListCosts {
    fn default() -> Self {
        Self { detection: 80.0, pair: 8.0 }
    }
}

/// The first skin, as a share of the mean diameter.
const FIRST_SKIN: f64 = 0.1;

/// Skins that are considered, as shares of the mean diameter.
const SKINS: std::ops::RangeInclusive<i32> = 1..=60;
const SKIN_STEP: f64 = 0.01;

/// How many pairs ahead of the one that is tested memory is asked for its particles.
const AHEAD: usize = 16;

/// Relative error of a gap or a displacement, far above that of the computations.
const ROUNDING: f64 = 1e-6;

/// Rounding must not let a particle slip through: the skin counts a little less than it is.
const CAUTION: f64 = 1.0 - 1e-9;

impl<const D: usize> Neighbors<D> {
    /// An empty list, to be filled by this method.
    pub fn new(method: Box<dyn BroadPhase<D>>) -> Self {
        Self {
            method,
            skin: None,
            costs: ListCosts::default(),
            criterion: Criterion::default(),
            current_skin: 0.0,
            rounding: 0.0,
            centers: Vec::new(),
            radii: Vec::new(),
            farthest: 0.0,
            pairs: Vec::new(),
            gaps: Vec::new(),
            updates: 0,
            rebuilds: 0,
            updates_since_rebuild: 0,
        }
    }

    /// Makes the list good for the particles as they are now; returns whether it had to be rebuilt.
    pub fn update(&mut self, spheres: Spheres<'_, D>, criterion: &Criterion<D>) -> Result<bool, Error> {
        let good = self.is_good(&spheres, criterion);
        if !good {
            self.rebuild(spheres, criterion)?;
        }
        Ok(!good)
    }

    /// Whether the list is good for the particles as they are now; counts as an update.
    pub fn is_good(&mut self, spheres: &Spheres<'_, D>, criterion: &Criterion<D>) -> bool {
        self.updates += 1;
        self.updates_since_rebuild += 1;
        let comparable =
            self.rebuilds > 0 && spheres.len() == self.radii.len() && *criterion == self.criterion;
        self.farthest = if comparable { self.farthest(spheres) } else { f64::INFINITY };
        self.allows(self.farthest)
    }

    /// Whether the list is good for the same particles after none has moved further than this since [`Neighbors::is_good`]
    /// was asked or the list rebuilt. If it is, that counts as an update; if not, a closer look may still find it good.
    pub fn stays_good(&mut self, moved: f64) -> bool {
        let good = self.rebuilds > 0 && self.allows(self.farthest + moved);
        self.updates += u64::from(good);
        self.updates_since_rebuild += u64::from(good);
        good
    }

    /// Whether the list is good when particles have come this far since it was built.
    fn allows(&self, farthest: f64) -> bool {
        farthest == 0.0 || farthest <= 0.5 * self.current_skin * CAUTION - self.rounding
    }

    /// Builds the list anew for the particles as they are now.
    pub fn rebuild(&mut self, spheres: Spheres<'_, D>, criterion: &Criterion<D>) -> Result<(), Error> {
        let skin = self.next_skin(&spheres, self.farthest).min(widest_skin(&spheres, criterion));
        let wide = Criterion { margin: criterion.margin + skin, ..*criterion };
        if let Err(error) = self.method.find(spheres, &wide, &mut self.pairs) {
            self.rebuilds = 0;
            return Err(error);
        }
        self.criterion = *criterion;
        self.current_skin = skin;
        self.centers.clear();
        self.centers.extend_from_slice(spheres.centers());
        self.radii.clear();
        self.radii.extend_from_slice(spheres.radii());
        self.rounding = 16.0 * f64::EPSILON * (longest(criterion) + widest_reach(&spheres, criterion));
        self.farthest = 0.0;
        self.gaps.clear();
        self.rebuilds += 1;
        self.updates_since_rebuild = 0;
        Ok(())
    }

    /// Brings the pairs into ascending order, on the threads of the current pool if there are several.
    pub fn sort(&mut self, parallel: bool) {
        let key = |pair: &Pair| u64::from(pair.a) << 32 | u64::from(pair.b);
        if parallel {
            self.pairs.par_sort_unstable_by_key(key);
        } else {
            self.pairs.sort_unstable_by_key(key);
        }
        self.gaps.clear();
    }

    /// Moves the pairs for which `is_other` holds from the list to the end of another one; both keep their order.
    pub(crate) fn take_out(&mut self, is_other: impl Fn(&Pair) -> bool, others: &mut Vec<Pair>) {
        self.pairs.retain(|pair| {
            let other = is_other(pair);
            if other {
                others.push(*pair);
            }
            !other
        });
    }

    /// Gives back memory that is not needed until the next list, which is more than a step away.
    pub(crate) fn trim(&mut self) {
        super::trim(&mut self.pairs);
        if self.current_skin > 0.0 {
            self.method.release_scratch();
        }
    }

    /// Allows the method this number of threads of the caller's pool and returns how many of them it can use; the list does not
    /// depend on it.
    pub fn set_threads(&mut self, threads: usize) -> usize {
        self.method.set_threads(threads)
    }

    /// All pairs with a gap of up to the margin asked for, and some with up to a skin more.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Updates the list and replaces the contents of `touching` by the pairs that the criterion accepts, each once; returns
    /// whether the list had to be rebuilt.
    pub fn touching(
        &mut self,
        spheres: Spheres<'_, D>,
        criterion: &Criterion<D>,
        touching: &mut Vec<Pair>,
    ) -> Result<bool, Error> {
        let rebuilt = self.update(spheres, criterion).inspect_err(|_| touching.clear())?;
        if criterion.is_periodic() {
            self.list_touching::<true>(spheres, touching);
        } else {
            self.list_touching::<false>(spheres, touching);
        }
        Ok(rebuilt)
    }

    fn list_touching<const IMAGES: bool>(&mut self, spheres: Spheres<'_, D>, touching: &mut Vec<Pair>) {
        if self.gaps.is_empty() {
            self.measure_gaps();
        }
        let (centers, radii) = (spheres.centers(), spheres.radii());
        let criterion = &self.criterion;
        // Two particles can have come closer, or moved apart, by this much.
        let moved = (2.0 * self.farthest * (1.0 + ROUNDING)) as f32;
        // Every pair is written, and the next one over it unless it touches: less work than a guess whether it does.
        touching.resize(self.pairs.len(), Pair { a: 0, b: 0 });
        let mut count = 0;
        for (position, (&pair, gap)) in self.pairs.iter().zip(&self.gaps).enumerate() {
            if self.gaps.get(position + AHEAD).is_some_and(|gap| gap.abs() <= moved) {
                let later = self.pairs[position + AHEAD];
                for row in [later.a as usize, later.b as usize] {
                    prefetch(centers, row);
                    prefetch(radii, row);
                }
            }
            let touches = if gap.abs() <= moved {
                let (a, b) = (pair.a as usize, pair.b as usize);
                let near =
                    |row: usize| if IMAGES { criterion.bring_near(centers[row]) } else { centers[row] };
                criterion.touches::<IMAGES>(&near(a), radii[a], &near(b), radii[b])
            } else {
                *gap < 0.0
            };
            touching[count] = pair;
            count += usize::from(touches);
        }
        touching.truncate(count);
    }

    /// Works out the gaps of all pairs of the list, as it was built.
    fn measure_gaps(&mut self) {
        let longest = longest(&self.criterion);
        let (centers, radii) = (&self.centers, &self.radii);
        self.gaps.extend(self.pairs.iter().map(|pair| {
            let (a, b) = (pair.a as usize, pair.b as usize);
            let reach = radii[a] + radii[b] + self.criterion.margin;
            let overlap = self.criterion.overlap(centers[a], radii[a], centers[b], radii[b]);
            let gap = -overlap - self.criterion.margin;
            let doubt = ROUNDING * reach + 16.0 * f64::EPSILON * longest;
            (gap.signum() * (gap.abs() - doubt).max(0.0)) as f32
        }));
    }

    /// How often the list was updated.
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// How often an update had to rebuild it.
    pub fn rebuilds(&self) -> u64 {
        self.rebuilds
    }

    /// The skin of the current list.
    pub fn current_skin(&self) -> f64 {
        self.current_skin
    }

    /// Bytes of memory kept, the list included.
    pub fn bytes(&self) -> usize {
        self.method.scratch_bytes()
            + bytes_of(&self.centers)
            + bytes_of(&self.radii)
            + bytes_of(&self.pairs)
            + bytes_of(&self.gaps)
    }

    /// How far a particle has come at most since the list was built, the change of its radius included.
    fn farthest(&self, spheres: &Spheres<'_, D>) -> f64 {
        let images = self.criterion.is_periodic();
        let moves = spheres.centers().iter().zip(&self.centers);
        let changes = spheres.radii().iter().zip(&self.radii).map(|(now, then)| (now - then).abs());
        let mut farthest = 0.0f64;
        for ((now, then), change) in moves.zip(changes) {
            let moved: [f64; D] = if images {
                self.criterion.separation(*then, *now)
            } else {
                std::array::from_fn(|k| now[k] - then[k])
            };
            let square: f64 = moved.iter().map(|d| d * d).sum();
            // Radii rarely change: when they do not, the square root can wait for the largest.
            farthest = farthest.max(if change > 0.0 {
                let reach = square.sqrt() + change;
                reach * reach
            } else {
                square
            });
        }
        farthest.sqrt()
    }

    /// The skin for the next list: the width for which detections and listed pairs together cost least, if the particles
    /// go on as fast as since the last rebuild.
    fn next_skin(&self, spheres: &Spheres<'_, D>, farthest: f64) -> f64 {
        if let Some(skin) = self.skin {
            return skin;
        }
        let count = spheres.len().max(1) as f64;
        let diameter = 2.0 * spheres.radii().iter().sum::<f64>() / count;
        if self.rebuilds == 0 || !farthest.is_finite() || farthest == 0.0 {
            return FIRST_SKIN * diameter;
        }
        let speed = farthest / self.updates_since_rebuild.max(1) as f64;
        // Listed pairs grow as the volume within reach.
        let volume = |skin: f64| power(1.0 + skin / diameter, D as u32);
        let listed = self.pairs.len() as f64 / count / volume(self.current_skin);
        let cost = |skin: f64| {
            let steps = (0.5 * skin / speed).max(1.0);
            self.costs.detection / steps + self.costs.pair * listed * volume(skin)
        };
        SKINS
            .map(|step| f64::from(step) * SKIN_STEP * diameter)
            .min_by(|a, b| cost(*a).total_cmp(&cost(*b)))
            .unwrap_or(FIRST_SKIN * diameter)
    }
}

/// The longest edge of the periodic box; zero without one.
fn longest<const D: usize>(criterion: &Criterion<D>) -> f64 {
    criterion.lengths.iter().copied().filter(|length| length.is_finite()).fold(0.0, f64::max)
}

/// How far a pair may be apart to count, at most.
fn widest_reach<const D: usize>(spheres: &Spheres<'_, D>, criterion: &Criterion<D>) -> f64 {
    2.0 * spheres.radius_range().map_or(0.0, |(_, largest)| largest) + criterion.margin
}

/// The skin at which the largest particle would reach across half of the periodic box.
fn widest_skin<const D: usize>(spheres: &Spheres<'_, D>, criterion: &Criterion<D>) -> f64 {
    let half = 0.5 * criterion.lengths.iter().copied().fold(f64::INFINITY, f64::min);
    ((half - widest_reach(spheres, criterion)) * CAUTION).max(0.0)
}
