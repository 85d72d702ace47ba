//! What a law says of contacts, whichever law it is: for everything outside the loops over contacts.

use std::marker::PhantomData;

use super::{Law, Memory, MemoryParts};
use crate::dem::contact::{Kinds, Response, Span, StoredEnergy, Touch};
use crate::dem::material::Coefficients;

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
}
