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

/// What a contact remembers under one law, made to fit another: the tangential spring stays, the others where both have them, and what
/// is new begins at zero. `None` if no law remembers so many numbers.
pub(crate) fn refit<const D: usize>(numbers: &[f64], words: usize) -> Option<Vec<f64>> {
    // Beside the spring and rolling, normal forces remember less than rolling adds.
    let normal =
        |words: usize| words.checked_sub(D).filter(|more| *more < 2 * TURNING).map(|more| more % TURNING);
    let (from, to) = (normal(numbers.len())?, normal(words)?);
    let mut fitted = vec![0.0; words];
    fitted[..D].copy_from_slice(&numbers[..D]);
    let same = from.min(to);
    fitted[D..D + same].copy_from_slice(&numbers[D..D + same]);
    if let (Some(turning), Some(old)) = (fitted.get_mut(D + to..), numbers.get(D + from..))
        && turning.len() == old.len()
    {
        turning.copy_from_slice(old);
    }
    Some(fitted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::Lanes;

    #[test]
    fn memories_fit_other_laws() {
        // A spring; a spring and its stretch; both with rolling.
        assert_eq!(refit::<2>(&[1.0, 2.0], 3), Some(vec![1.0, 2.0, 0.0]));
        assert_eq!(refit::<2>(&[1.0, 2.0, 3.0], 2), Some(vec![1.0, 2.0]));
        assert_eq!(refit::<2>(&[1.0, 2.0], 7), Some(vec![1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0]));
        let rolling = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        assert_eq!(refit::<2>(&rolling, 7), Some(vec![1.0, 2.0, 0.0, 3.0, 4.0, 5.0, 6.0]));
        assert_eq!(refit::<2>(&rolling, 6), Some(rolling.to_vec()));
        assert_eq!((refit::<2>(&[1.0], 2), refit::<3>(&[0.0; 11], 3)), (None, None));
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
