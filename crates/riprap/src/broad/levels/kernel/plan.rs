//! What is to be tested: some particles, and the stretches of others that each of them meets.

use std::ops::Range;

/// Particles that are tested in one round.
pub(in super::super) const LANES: usize = 8;

/// Rounds of a probe at most: its results fill a word.
const MOST_ROUNDS: usize = 64 / LANES;

/// Rounds or probes after which a plan should be carried out: it still fits the first-level cache.
const MANY: usize = 512;

/// Up to eight particles in a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Round {
    pub(super) begin: u32,
    /// One bit for each particle, without a gap.
    pub(super) lanes: u32,
}

/// A particle that is tested against some rounds.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Probe {
    pub(super) position: u32,
    first: u32,
    count: u16,
    /// Lanes of the first round that are tested, if it has them.
    pub(super) first_lanes: u16,
    /// Up to which difference of the squares of distance and reach the filter cannot tell.
    pub(super) doubt: f32,
}

/// Probes and their rounds, all of particles before a limit.
#[derive(Debug)]
pub(in super::super) struct TestPlan {
    limit: usize,
    rounds: Vec<Round>,
    probes: Vec<Probe>,
}

impl TestPlan {
    /// An empty plan for particles before this limit.
    pub(in super::super) fn new(limit: usize) -> Self {
        Self { limit, rounds: Vec::new(), probes: Vec::new() }
    }

    /// Forgets all probes, and all rounds but the first ones.
    pub(in super::super) fn keep(&mut self, rounds: usize) {
        self.rounds.truncate(rounds);
        self.probes.clear();
    }

    /// Whether it is time to carry it out.
    pub(in super::super) fn is_large(&self) -> bool {
        self.rounds.len().max(self.probes.len()) > MANY
    }

    /// Number of rounds so far.
    #[inline(always)]
    pub(in super::super) fn len(&self) -> usize {
        self.rounds.len()
    }

    /// Adds rounds for a stretch of particles.
    ///
    /// # Panics
    /// If it goes beyond the limit.
    #[inline(always)]
    pub(in super::super) fn add_stretch(&mut self, mut begin: usize, end: usize) {
        assert!(end <= self.limit);
        while begin < end {
            let lanes = lanes_below((end - begin).min(LANES));
            self.rounds.push(Round { begin: begin as u32, lanes });
            begin += LANES;
        }
    }

    /// Lets a particle be tested against these rounds; in the first of them, only against particles from lane `skipped`
    /// on.
    ///
    /// # Panics
    /// If the particle is beyond the limit, or there are no such rounds.
    #[inline(always)]
    pub(in super::super) fn add_probe(
        &mut self,
        position: usize,
        rounds: Range<usize>,
        skipped: usize,
        doubt: f32,
    ) {
        assert!(position < self.limit && rounds.end <= self.rounds.len());
        let mut probe = Probe {
            position: position as u32,
            first: rounds.start as u32,
            count: rounds.len() as u16,
            first_lanes: !lanes_below(skipped) as u16,
            doubt,
        };
        if rounds.len() <= MOST_ROUNDS {
            self.probes.push(probe);
            return;
        }
        for first in rounds.clone().step_by(MOST_ROUNDS) {
            probe.first = first as u32;
            probe.count = (rounds.end - first).min(MOST_ROUNDS) as u16;
            self.probes.push(probe);
            probe.first_lanes = u16::MAX;
        }
    }

    #[inline(always)]
    pub(super) fn probes(&self) -> &[Probe] {
        &self.probes
    }

    /// The rounds of a probe, at most eight.
    #[inline(always)]
    pub(super) fn rounds(&self, probe: &Probe) -> &[Round] {
        &self.rounds[probe.first as usize..][..usize::from(probe.count)]
    }

    /// The particle of a bit of a probe's results, those of the first round lowest.
    #[inline(always)]
    pub(super) fn particle(&self, probe: &Probe, bit: u32) -> usize {
        let round = &self.rounds[probe.first as usize + bit as usize / LANES];
        round.begin as usize + bit as usize % LANES
    }

    /// All particles of the plan are before this.
    pub(super) fn limit(&self) -> usize {
        self.limit
    }
}

/// So many lanes, the first ones.
#[inline(always)]
fn lanes_below(count: usize) -> u32 {
    !(u32::MAX << count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The particles that the probes meet, with their own positions.
    fn met(plan: &TestPlan) -> Vec<(u32, usize)> {
        let mut met = Vec::new();
        for probe in plan.probes() {
            for (number, round) in plan.rounds(probe).iter().enumerate() {
                assert!(round.lanes != 0 && round.lanes < 1 << LANES);
                let lanes =
                    if number == 0 { round.lanes & u32::from(probe.first_lanes) } else { round.lanes };
                let set = (0..LANES).filter(|lane| lanes >> lane & 1 == 1);
                met.extend(
                    set.map(|lane| (probe.position, plan.particle(probe, (number * LANES + lane) as u32))),
                );
            }
        }
        met
    }

    #[test]
    fn a_probe_meets_each_particle_of_its_stretches_once() {
        let mut plan = TestPlan::new(1000);
        let mut expected = Vec::new();
        for (begin, end) in [(3, 3), (5, 4), (0, 1), (10, 18), (20, 29), (1000, 1000), (100, 900)] {
            plan.add_stretch(begin, end);
            expected.extend((begin..end).map(|other| (7, other)));
        }
        plan.add_probe(7, 0..plan.len(), 0, 0.0);
        assert_eq!(met(&plan), expected);
        assert!(!plan.is_large());
        plan.keep(0);
        plan.add_probe(7, 0..plan.len(), 0, 0.0);
        assert_eq!(met(&plan), []);
        plan.add_stretch(0, 20);
        plan.add_probe(3, 0..3, 4, 0.0);
        plan.add_probe(15, 1..3, 8, 0.0);
        plan.add_probe(16, 2..3, 1, 0.0);
        let expected: Vec<_> =
            [3, 15, 16].iter().flat_map(|&i| (i + 1..20).map(move |j| (i as u32, j))).collect();
        assert_eq!(met(&plan), expected);
        plan.keep(2);
        plan.add_probe(3, 0..2, 4, 0.0);
        assert_eq!(met(&plan), (4..16).map(|j| (3, j)).collect::<Vec<_>>());
        (0..1000).for_each(|_| plan.add_probe(3, 0..2, 4, 0.0));
        assert!(plan.is_large());
    }

    #[test]
    #[should_panic(expected = "limit")]
    fn no_stretch_goes_beyond_the_limit() {
        TestPlan::new(10).add_stretch(8, 11);
    }

    #[test]
    #[should_panic(expected = "limit")]
    fn no_probe_lies_beyond_the_limit() {
        TestPlan::new(10).add_probe(10, 0..0, 0, 0.0);
    }
}
