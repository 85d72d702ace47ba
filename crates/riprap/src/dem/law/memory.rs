//! What contacts remember from step to step: some numbers each, in a column beside the list of contacts.

use crate::lanes::WIDTH;
use crate::lanes::vectors::Vector;
use crate::number::Real;
use crate::vector::components;

/// The layout of what a contact remembers.
pub(crate) trait Memory: Copy + Send + Sync + 'static {
    /// Numbers per contact.
    const WORDS: usize;
    /// The numbers of one contact, or of several side by side.
    type Of<T: Real>: Copy;

    /// From the numbers of one contact.
    fn read(numbers: &[f64]) -> Self::Of<f64>;
    /// To the numbers of one contact.
    fn write(memory: &Self::Of<f64>, numbers: &mut [f64]);
    /// Those of the contacts whose numbers begin at these places, side by side; zero in lanes where `fresh` is one.
    fn gather<V: Vector>(numbers: &[f64], places: &[usize; WIDTH], fresh: V) -> Self::Of<V>;
    /// Those of each lane.
    fn lanes<V: Vector>(memory: &Self::Of<V>) -> [Self::Of<f64>; WIDTH];
}

impl<const N: usize> Memory for [f64; N] {
    const WORDS: usize = N;
    type Of<T: Real> = [T; N];

    #[inline(always)]
    fn read(numbers: &[f64]) -> [f64; N] {
        components(|k| numbers[k])
    }

    #[inline(always)]
    fn write(memory: &[f64; N], numbers: &mut [f64]) {
        numbers[..N].copy_from_slice(memory);
    }

    #[inline(always)]
    fn gather<V: Vector>(numbers: &[f64], places: &[usize; WIDTH], fresh: V) -> [V; N] {
        let rows = places.map(|place| numbers[place..].first_chunk::<N>().expect("a whole memory"));
        let kept: [V; N] = V::columns(rows);
        components(|k| fresh.above(V::all(0.5), V::all(0.0), kept[k]))
    }

    #[inline(always)]
    fn lanes<V: Vector>(memory: &[V; N]) -> [[f64; N]; WIDTH] {
        let lanes: [[f64; WIDTH]; N] = components(|k| memory[k].lanes());
        components(|lane| components(|k| lanes[k][lane]))
    }
}

/// Nothing.
impl Memory for () {
    const WORDS: usize = 0;
    type Of<T: Real> = ();

    fn read(_numbers: &[f64]) {}
    fn write(_memory: &(), _numbers: &mut [f64]) {}
    fn gather<V: Vector>(_numbers: &[f64], _places: &[usize; WIDTH], _fresh: V) {}
    fn lanes<V: Vector>(_memory: &()) -> [(); WIDTH] {
        [(); WIDTH]
    }
}

/// One after the other.
impl<A: Memory, B: Memory> Memory for (A, B) {
    const WORDS: usize = A::WORDS + B::WORDS;
    type Of<T: Real> = (A::Of<T>, B::Of<T>);

    #[inline(always)]
    fn read(numbers: &[f64]) -> Self::Of<f64> {
        (A::read(numbers), B::read(&numbers[A::WORDS..]))
    }

    #[inline(always)]
    fn write(memory: &Self::Of<f64>, numbers: &mut [f64]) {
        A::write(&memory.0, numbers);
        B::write(&memory.1, &mut numbers[A::WORDS..]);
    }

    #[inline(always)]
    fn gather<V: Vector>(numbers: &[f64], places: &[usize; WIDTH], fresh: V) -> Self::Of<V> {
        (A::gather(numbers, places, fresh), B::gather(numbers, &places.map(|place| place + A::WORDS), fresh))
    }

    #[inline(always)]
    fn lanes<V: Vector>(memory: &Self::Of<V>) -> [Self::Of<f64>; WIDTH] {
        let (a, b) = (A::lanes(&memory.0), B::lanes(&memory.1));
        components(|lane| (a[lane], b[lane]))
    }
}

/// Numbers that rolling and twisting add to what a contact remembers, see [`super::sliding`].
pub(crate) const TURNING: usize = 4;

/// What the numbers that a contact remembers are, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MemoryParts {
    /// The tangential spring.
    pub(crate) spring: usize,
    /// What the law asks for beside springs.
    pub(crate) own: usize,
    /// The springs of rolling and twisting.
    pub(crate) turning: usize,
}

impl MemoryParts {
    /// All numbers.
    pub(crate) fn words(&self) -> usize {
        self.spring + self.own + self.turning
    }

    /// Numbers of this kind made to fit another: springs stay where both have them, and what the law asks for if it is the same; the
    /// rest begins at zero.
    pub(crate) fn refit(&self, numbers: &[f64], to: &Self, same_law: bool) -> Vec<f64> {
        let mut fitted = vec![0.0; to.words()];
        let mut keep = |from: usize, into: usize, count: usize| {
            fitted[into..into + count].copy_from_slice(&numbers[from..from + count]);
        };
        if self.spring == to.spring {
            keep(0, 0, to.spring);
        }
        if same_law && self.own == to.own {
            keep(self.spring, to.spring, to.own);
        }
        if self.turning == to.turning {
            keep(self.spring + self.own, to.spring + to.own, to.turning);
        }
        fitted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::Lanes;

    #[test]
    fn memories_fit_other_laws() {
        let parts = |spring, own, turning| MemoryParts { spring, own, turning };
        let (linear, rolling, bridge) = (parts(2, 1, 0), parts(2, 1, TURNING), parts(2, 2, 0));
        let memory = [1.0, 2.0, 3.0];
        assert_eq!(linear.refit(&memory, &linear, true), memory);
        assert_eq!(linear.refit(&memory, &linear, false), [1.0, 2.0, 0.0]);
        assert_eq!(linear.refit(&memory, &rolling, true), [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(linear.refit(&memory, &bridge, false), [1.0, 2.0, 0.0, 0.0]);
        let memory = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        assert_eq!(rolling.refit(&memory, &parts(2, 0, TURNING), false), [1.0, 2.0, 4.0, 5.0, 6.0, 7.0]);
        assert_eq!(rolling.refit(&memory, &linear, true), memory[..3]);
        // A law without springs, and one that remembers much.
        assert_eq!(rolling.refit(&memory, &parts(0, 2, 0), false), [0.0; 2]);
        assert_eq!(parts(0, 2, 0).refit(&[8.0, 9.0], &parts(2, 5, 0), false), [0.0; 7]);
    }

    #[test]
    fn what_is_written_side_by_side_reads_back() {
        type Both = (([f64; 2], ()), [f64; 1]);
        let mut numbers: Vec<f64> = (0..15).map(f64::from).collect();
        let places = [12, 3, 0, 9];
        let fresh = Lanes([0.0, 0.0, 1.0, 0.0]);
        let memory = Both::gather(&numbers, &places, fresh);
        let lanes = Both::lanes(&memory);
        assert_eq!(lanes[1], (([3.0, 4.0], ()), [5.0]));
        assert_eq!(lanes[2], (([0.0, 0.0], ()), [0.0]));
        assert_eq!(Both::read(&numbers[3..]), lanes[1]);
        Both::write(&lanes[0], &mut numbers[..3]);
        assert_eq!((numbers[..4].to_vec(), Both::WORDS), (vec![12.0, 13.0, 14.0, 3.0], 3));
    }
}
