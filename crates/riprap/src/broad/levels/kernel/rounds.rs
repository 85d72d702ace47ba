//! What a particle is tested against, cut into pieces a vector can take.

/// Particles a round has at most.
pub(in super::super) const LANES: usize = 8;

/// Rounds tested in one go: as many as have room in a word.
const BATCH: usize = 64 / LANES;

/// Up to eight particles in a row.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Round {
    pub(super) begin: u32,
    /// One bit for each particle, without a gap.
    pub(super) lanes: u32,
}

/// A list of rounds, all of particles before a limit.
#[derive(Debug)]
pub(in super::super) struct Rounds {
    limit: usize,
    /// Only the first `count` of these are in the list.
    list: Vec<Round>,
    count: usize,
}

impl Rounds {
    /// No rounds; particles will be before this limit.
    pub(in super::super) fn new(limit: usize) -> Self {
        Self { limit, list: vec![Round::default(); 16], count: 0 }
    }

    /// Adds a stretch of particles.
    ///
    /// # Panics
    /// If it goes beyond the limit.
    #[inline(always)]
    pub(in super::super) fn push(&mut self, begin: usize, end: usize) {
        assert!(end <= self.limit);
        let count = end.saturating_sub(begin);
        if self.count + count / LANES >= self.list.len() {
            self.grow(count);
        }
        // Without a branch for what is most common: one round, or none.
        let lanes = if count < LANES { (1 << count) - 1 } else { (1 << LANES) - 1 };
        self.list[self.count] = Round { begin: begin as u32, lanes };
        self.count += usize::from(count > 0);
        let mut begin = begin + LANES;
        while begin < end {
            let lanes = if end - begin < LANES { (1 << (end - begin)) - 1 } else { (1 << LANES) - 1 };
            self.list[self.count] = Round { begin: begin as u32, lanes };
            self.count += 1;
            begin += LANES;
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) {
        let needed = self.count + count / LANES + 1;
        self.list.resize(needed.max(2 * self.list.len()), Round::default());
    }

    /// Number of rounds.
    #[inline(always)]
    pub(in super::super) fn len(&self) -> usize {
        self.count
    }

    /// Forgets all but the first rounds.
    #[inline(always)]
    pub(in super::super) fn truncate(&mut self, count: usize) {
        self.count = self.count.min(count);
    }

    /// The rounds, as many at a time as an outcome has room for.
    #[inline(always)]
    pub(super) fn batches(&self) -> impl Iterator<Item = Batch<'_>> {
        let limit = self.limit;
        self.list[..self.count].chunks(BATCH).map(move |rounds| Batch { limit, rounds })
    }
}

/// Up to eight rounds, all of particles before a limit.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Batch<'a> {
    limit: usize,
    rounds: &'a [Round],
}

impl Batch<'_> {
    #[inline(always)]
    pub(super) fn rounds(&self) -> &[Round] {
        self.rounds
    }

    /// The particle of a bit of the outcome.
    #[inline(always)]
    pub(super) fn particle(&self, bit: u32) -> usize {
        self.rounds[bit as usize / LANES].begin as usize + bit as usize % LANES
    }

    /// All particles of the rounds are before this.
    #[inline(always)]
    pub(super) fn limit(&self) -> usize {
        self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_cover_each_particle_of_a_stretch_once() {
        let mut rounds = Rounds::new(1000);
        let mut expected = Vec::new();
        for (begin, end) in [(3, 3), (5, 4), (0, 1), (10, 18), (20, 29), (1000, 1000), (100, 900)] {
            rounds.push(begin, end);
            expected.extend(begin..end);
        }
        let mut covered = Vec::new();
        for batch in rounds.batches() {
            for (number, round) in batch.rounds().iter().enumerate() {
                assert!(round.lanes != 0 && round.lanes < 1 << LANES);
                let bits = (0..LANES).filter(|lane| round.lanes >> lane & 1 == 1);
                covered.extend(bits.map(|lane| batch.particle((number * LANES + lane) as u32)));
            }
        }
        assert_eq!(covered, expected);
        rounds.truncate(1);
        assert_eq!(rounds.len(), 1);
    }

    #[test]
    #[should_panic(expected = "limit")]
    fn nothing_goes_beyond_the_limit() {
        Rounds::new(10).push(8, 11);
    }
}
