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
pub(crate) type Columns<'a, const D: usize> = (&'a [Asked<D>], &'a mut [f64], &'a mut [Response<f64, (), D>]);

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
    fn respond_to(&self, kinds: Kinds, which: &[u32], columns: Columns<'_, D>, span: Span<f64>, wide: bool);
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

    fn respond_to(&self, kinds: Kinds, which: &[u32], columns: Columns<'_, D>, span: Span<f64>, wide: bool) {
        if !which.is_empty() {
            vectors::run(SideBySide { kinds, which, columns, span, law: PhantomData::<L> }, wide);
        }
    }
}

/// Contacts that follow one law.
struct SideBySide<'a, L, const D: usize> {
    kinds: Kinds,
    which: &'a [u32],
    columns: Columns<'a, D>,
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
