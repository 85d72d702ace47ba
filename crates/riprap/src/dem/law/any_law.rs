//! What a law says of contacts, whichever law it is: for everything outside the loops over contacts.

use std::marker::PhantomData;

use super::{Law, MOST_NUMBERS, Memory, MemoryParts};
use crate::dem::contact::{Kinds, Response, Span, StoredEnergy, Touch};
use crate::dem::material::Coefficients;
use crate::lanes::vectors::{self, Kernel, Vector};
use crate::lanes::{WIDTH, each};

/// A contact that a law is asked about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<const D: usize> {
    pub(crate) touch: Touch<f64, D>,
    pub(crate) coefficients: Coefficients,
}

/// Contacts, the numbers that they remember, [`MOST_NUMBERS`] each, and what the law says of them.
pub(crate) type AskedColumns<'a, const D: usize> =
    (&'a [Asked<D>], &'a mut [f64], &'a mut [Response<f64, (), D>]);

/// What a law says of contacts.
pub(crate) trait AnyLaw<const D: usize>: Sync {
    /// What a contact remembers.
    fn parts(&self) -> MemoryParts;
    /// Numbers that a contact remembers.
    fn words(&self) -> usize;
    /// See [`Law::mirror`]; of one contact.
    fn mirror(&self, memory: &mut [f64]);
    /// See [`Law::stored`].
    fn stored(&self, coefficients: &Coefficients, overlap: f64, reduced_radius: f64, memory: &[f64]) -> f64;
    /// The same in parts, see [`Law::attraction`].
    fn stored_parts(
        &self,
        coefficients: &Coefficients,
        overlap: f64,
        reduced_radius: f64,
        memory: &[f64],
    ) -> StoredEnergy;
    /// See [`Law::slopes`].
    fn slopes(&self, coefficients: &Coefficients, overlap: f64, reduced_radius: f64) -> (f64, f64);
    /// See [`Law::reach`].
    fn reach(&self, coefficients: &Coefficients, reduced_radius: f64) -> f64;
    /// See [`Law::respond`]; of one contact, whose numbers are brought up to date.
    fn respond(
        &self,
        kinds: Kinds,
        coefficients: &Coefficients,
        touch: &Touch<f64, D>,
        numbers: &mut [f64],
        span: Span<f64>,
    ) -> Response<f64, (), D>;
    /// The same of those of many contacts that are named, several side by side, with the same bits.
    fn respond_to(
        &self,
        kinds: Kinds,
        which: &[u32],
        columns: AskedColumns<'_, D>,
        span: Span<f64>,
        wide: bool,
    );
}

/// A law as a value.
pub(crate) struct By<L>(PhantomData<L>);

impl<L> By<L> {
    pub(crate) const NEW: Self = Self(PhantomData);
}

impl<L: Law<D>, const D: usize> AnyLaw<D> for By<L> {
    fn parts(&self) -> MemoryParts {
        let (spring, turning) = (L::SPRING, L::TURNING);
        MemoryParts { spring, own: L::Memory::WORDS - spring - turning, turning }
    }

    fn words(&self) -> usize {
        L::Memory::WORDS
    }

    fn mirror(&self, memory: &mut [f64]) {
        let mut remembered = L::Memory::read(memory);
        L::mirror(&mut remembered);
        L::Memory::write(&remembered, memory);
    }

    fn stored(&self, coefficients: &Coefficients, overlap: f64, reduced_radius: f64, memory: &[f64]) -> f64 {
        L::stored(coefficients, overlap, reduced_radius, &L::Memory::read(memory))
    }

    fn stored_parts(
        &self,
        coefficients: &Coefficients,
        overlap: f64,
        reduced_radius: f64,
        memory: &[f64],
    ) -> StoredEnergy {
        let attraction = L::attraction(coefficients, overlap, reduced_radius);
        let all = L::stored(coefficients, overlap, reduced_radius, &L::Memory::read(memory));
        StoredEnergy { elastic: all - attraction, attraction }
    }

    fn slopes(&self, coefficients: &Coefficients, overlap: f64, reduced_radius: f64) -> (f64, f64) {
        L::slopes(coefficients, overlap, reduced_radius)
    }

    fn reach(&self, coefficients: &Coefficients, reduced_radius: f64) -> f64 {
        L::reach(coefficients, reduced_radius)
    }

    fn respond(
        &self,
        kinds: Kinds,
        coefficients: &Coefficients,
        touch: &Touch<f64, D>,
        numbers: &mut [f64],
        span: Span<f64>,
    ) -> Response<f64, (), D> {
        let response = L::respond::<f64>(kinds, coefficients, touch, L::Memory::read(numbers), span);
        response.remembering(|memory| L::Memory::write(&memory, numbers))
    }

    fn respond_to(
        &self,
        kinds: Kinds,
        which: &[u32],
        columns: AskedColumns<'_, D>,
        span: Span<f64>,
        wide: bool,
    ) {
        if !which.is_empty() {
            vectors::run(SideBySide { kinds, which, columns, span, law: PhantomData::<L> }, wide);
        }
    }
}

/// Contacts that follow one law.
struct SideBySide<'a, L, const D: usize> {
    kinds: Kinds,
    which: &'a [u32],
    columns: AskedColumns<'a, D>,
    span: Span<f64>,
    law: PhantomData<L>,
}

impl<L: Law<D>, const D: usize> Kernel for SideBySide<'_, L, D> {
    #[inline(always)]
    fn run<V: Vector>(self) {
        let Self { kinds, which, columns: (asked, numbers, responses), span, .. } = self;
        for group in which.chunks(WIDTH) {
            // The last ones fill up the lanes with copies of one of them.
            let at = each(|lane| group[lane.min(group.len() - 1)] as usize);
            let places = at.map(|at| at * MOST_NUMBERS);
            let memory = L::Memory::gather(numbers, &places, V::all(0.0));
            let touch = Touch::side_by_side(at.map(|at| &asked[at].touch));
            let coefficients = Coefficients::map(|value| V::of(|lane| value(&asked[at[lane]].coefficients)));
            let response = L::respond::<V>(kinds, &coefficients, &touch, memory, span.all());
            let memory = L::Memory::lanes(&response.memory);
            let by_lane = response.remembering(|_| ()).by_lane();
            for lane in 0..group.len() {
                responses[at[lane]] = by_lane[lane];
                L::Memory::write(&memory[lane], &mut numbers[places[lane]..]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dem::law::{LawKind, OfLaw};
    use crate::random::Random;

    struct Boxed;

    impl OfLaw<3> for Boxed {
        type Made = Box<dyn AnyLaw<3>>;

        fn make<L: Law<3>>() -> Self::Made {
            Box::new(By::<L>::NEW)
        }
    }

    fn some(random: &mut Random) -> Asked<3> {
        let vector = |random: &mut Random| std::array::from_fn(|_| random.uniform(-1.0, 1.0));
        let touch = Touch {
            normal: crate::vector::unit(vector(random)).unwrap(),
            overlap: random.uniform(0.0, 1e-3),
            approach: random.uniform(-0.1, 0.1),
            slip: vector(random),
            turning: vector(random),
            inverse_mass: random.uniform(1.0, 100.0),
            inverse_inertia: random.uniform(1.0, 100.0),
            reduced_radius: random.uniform(0.01, 0.02),
        };
        let mut value = |most: f64| random.uniform(0.1 * most, most);
        let coefficients = Coefficients {
            normal: value(1e5),
            tangential: value(1e5),
            damping: value(30.0),
            tangential_damping: value(30.0),
            friction: value(0.5),
            rolling: value(0.1),
            twisting: value(0.1),
            damping_ratio: value(0.3),
            adhesion: value(0.1),
            bridge: value(1e-9),
            rupture: value(1e-3),
        };
        Asked { touch, coefficients }
    }

    /// In lanes that any processor has and in registers, whatever is beside it.
    #[test]
    fn contacts_side_by_side_have_the_bits_of_one_by_one() {
        let (kinds, span) = (Kinds { friction: true }, Span::of_step(1e-5));
        for (law, turns) in LawKind::ALL.iter().flat_map(|law| [(law, false), (law, true)]) {
            let by = law.made::<Boxed, 3>(turns);
            let mut random = Random::new(9);
            let asked: Vec<_> = (0..11).map(|_| some(&mut random)).collect();
            let before: Vec<f64> = (0..11 * MOST_NUMBERS).map(|_| random.uniform(0.0, 1e-4)).collect();
            for (wide, which) in [(false, [0, 2, 3, 4, 5, 7, 10]), (true, [10, 9, 8, 4, 3, 2, 1])] {
                let (mut numbers, mut responses) = (before.clone(), vec![Response::NONE; 11]);
                by.respond_to(kinds, &which, (&asked, &mut numbers, &mut responses), span, wide);
                let mut expected = before.clone();
                for k in which.map(|k| k as usize) {
                    let (own, Asked { touch, coefficients }) = (&mut expected[k * MOST_NUMBERS..], &asked[k]);
                    let one = by.respond(kinds, coefficients, touch, own, span);
                    // Everything a response has, to the last digit.
                    assert_eq!(format!("{one:?}"), format!("{:?}", responses[k]), "{} {turns}", law.name());
                }
                assert_eq!(numbers, expected, "{} {turns}", law.name());
            }
        }
    }
}
