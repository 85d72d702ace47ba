//! What is compiled once per law: the loops over contacts, and what else depends on the law. Chosen once per pass.

use std::marker::PhantomData;

use super::body::View;
use super::conditions::Conditions;
use super::contact::{Kinds, Response, Span, Touch};
use super::law::{Law, Memory};
use super::material::{Coefficients, Given, Material, MaterialError};
use super::pairs::forces as pair_forces;
use super::wall::forces as wall_forces;

/// Everything that depends on the law.
pub(crate) trait Passes<const D: usize>: Sync {
    /// Numbers that a contact remembers.
    fn words(&self) -> usize;
    /// See [`Law::exchange`]; of one contact.
    fn exchange(&self, memory: &mut [f64]);
    /// See [`Law::coefficients`].
    fn coefficients(&self, a: &Material, b: &Material, given: &Given) -> Result<Coefficients, MaterialError>;
    /// See [`Law::stored`].
    fn stored(&self, coefficients: &Coefficients, overlap: f64, reduced_radius: f64, memory: &[f64]) -> f64;
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
    /// Adds the forces of a part's contacts to its bodies.
    fn pair_forces(
        &self,
        work: pair_forces::PairWork<'_, D>,
        columns: &View<'_, D>,
        conditions: &Conditions<'_, D>,
    );
    /// Adds the forces of walls to the bodies of a part.
    fn wall_forces(
        &self,
        work: wall_forces::WallWork<'_, D>,
        columns: &View<'_, D>,
        around: &wall_forces::Around<'_, D>,
    );
}

/// The passes of a law.
pub(crate) struct By<L>(PhantomData<L>);

impl<L> By<L> {
    pub(crate) const NEW: Self = Self(PhantomData);
}

impl<L: Law<D>, const D: usize> Passes<D> for By<L> {
    fn words(&self) -> usize {
        L::Memory::WORDS
    }

    fn exchange(&self, memory: &mut [f64]) {
        let mut remembered = L::Memory::read(memory);
        L::exchange(&mut remembered);
        L::Memory::write(&remembered, memory);
    }

    fn coefficients(&self, a: &Material, b: &Material, given: &Given) -> Result<Coefficients, MaterialError> {
        L::coefficients(a, b, given)
    }

    fn stored(&self, coefficients: &Coefficients, overlap: f64, reduced_radius: f64, memory: &[f64]) -> f64 {
        L::stored(coefficients, overlap, reduced_radius, &L::Memory::read(memory))
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

    fn pair_forces(
        &self,
        work: pair_forces::PairWork<'_, D>,
        columns: &View<'_, D>,
        conditions: &Conditions<'_, D>,
    ) {
        if conditions.periods.any() {
            pair_forces::add_forces::<L, true, D>(work, columns, conditions);
        } else {
            pair_forces::add_forces::<L, false, D>(work, columns, conditions);
        }
    }

    fn wall_forces(
        &self,
        work: wall_forces::WallWork<'_, D>,
        columns: &View<'_, D>,
        around: &wall_forces::Around<'_, D>,
    ) {
        wall_forces::add_forces::<L, D>(work, columns, around);
    }
}
